"""Files: written at once or not at all, and read with suspicion."""

from corearray.files.atomic import written_at_once
from corearray.files.npy import contents, exported, library, read_npy, write_npy

__all__ = ["contents", "exported", "library", "read_npy", "write_npy", "written_at_once"]
