"""torch's own functions on corearray arrays."""

__all__: list[str] = []
