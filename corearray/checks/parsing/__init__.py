"""Arguments with a meaning of their own, read in one place for the compositions and for every plugin."""

__all__: list[str] = []
