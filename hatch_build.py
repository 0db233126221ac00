"""Builds `corearray.calls._accelerator` where there is a compiler, and a corearray without it where there is none.

The wheel is then one for this Python and machine; with `COREARRAY_PURE=1` in the environment it is one for all.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any
from zlib import crc32

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "corearray.calls._accelerator"
FOLDER = NAME.rpartition(".")[0].replace(".", "/")


class AcceleratorHook(BuildHookInterface):
    """Compiles the module, in place for an editable installation, else into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say where the file goes."""
        if os.environ.get("COREARRAY_PURE"):
            return
        self._folder = tempfile.TemporaryDirectory()
        try:
            built = _compiled(Path(self.root), Path(self._folder.name))
        except Exception as error:  # what a compiler that is not there or not fit makes of it
            self.app.display_warning(f"{NAME} cannot be compiled, corearray is built without it: {error}")
            return
        if version == "editable":
            target = Path(self.root, FOLDER, built.name)
            target.unlink(missing_ok=True)  # a process may be using it
            target.write_bytes(built.read_bytes())
        else:
            build_data["force_include"][str(built)] = f"{FOLDER}/{built.name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def checksum(sources: Path) -> int:
    """Return a number for the text of the accelerator, as `corearray/calls/accelerated.py` computes it in a checkout."""
    return crc32(b"".join(path.read_bytes() for path in sorted(sources.glob("*.[ch]"))))


def _compiled(root: Path, folder: Path) -> Path:
    """Compile the module into a folder and return its file."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    # Relative, so that the file is the same wherever it is built.
    sources = root / "corearray" / "calls" / "accelerator"
    source = os.path.relpath(sources / "_accelerator.c")
    flags = ["-g0"] if os.name == "posix" else []
    macros = [("SOURCES", f"{checksum(sources)}UL")]
    extension = Extension(NAME, [source], extra_compile_args=flags, define_macros=macros)
    command = build_ext(Distribution({"name": "corearray", "ext_modules": [extension]}))
    command.build_lib, command.build_temp = str(folder), str(folder / "temporary")
    command.ensure_finalized()
    command.run()
    return Path(command.get_ext_fullpath(NAME))
