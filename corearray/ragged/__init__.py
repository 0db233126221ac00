"""`Ragged`: rows of different lengths in one array."""

from corearray.ragged.ragged import Ragged

__all__ = ["Ragged"]
