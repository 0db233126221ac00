"""The rules of torch, by category as in `corearray.functional`."""

__all__: list[str] = []
