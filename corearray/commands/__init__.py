"""The commands behind `corearray`, one idea a file. None of them runs plugin code in the command's own process."""

from __future__ import annotations

__all__: list[str] = []
