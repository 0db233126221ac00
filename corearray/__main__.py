"""`python -m corearray` is the command `corearray`."""

from __future__ import annotations

import sys

from corearray.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main())
