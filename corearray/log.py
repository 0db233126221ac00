"""What the library tells the logger `corearray` at level DEBUG: choices of backend and candidate.

`logging` takes longer to import than most of the library. A program that never imported it listens to nothing.
"""

from __future__ import annotations

import sys

__all__ = ["told"]


def told(text: str, *values: object) -> None:
    """Log a message at level DEBUG, if the program uses `logging` at all."""
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger("corearray").debug(text, *values)
