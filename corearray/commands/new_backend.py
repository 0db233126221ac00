"""`corearray new-backend`: a plugin project that passes its tests as it comes, from the files in `corearray/templates`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from corearray.backends.discovery import valid_name
from corearray.backends.installing import extras
from corearray.errors import CoreArrayValueError
from corearray.manager import manager

__all__ = ["new_backend", "project_files"]

_TEMPLATE = Path(__file__).parent.parent / "templates" / "backend"


def project_files(name: str) -> dict[str, str]:
    """Return the files of a new project, by their paths.

    Examples
    --------
    >>> sorted(path for path in project_files("lists") if "/" not in path)
    ['README.md', 'pyproject.toml']
    """
    from corearray import __version__

    core = ".".join(__version__.split(".")[:2])
    core = f"{core},<{core.partition('.')[0]}.{int(core.partition('.')[2]) + 1}"
    found = {}
    for path in sorted(_TEMPLATE.rglob("*.txt")):
        place = str(path.relative_to(_TEMPLATE).as_posix()).removesuffix(".txt").replace("mylib", name)
        text = path.read_text(encoding="utf-8").replace("Mylib", name.title().replace("_", ""))
        found[place] = text.replace("mylib", name).replace(">=CORE", f">={core}")
    return found


def new_backend(name: str, folder: str) -> int:
    """Write a new project into a folder of its own and say what to do next.

    Raises
    ------
    CoreArrayValueError
        If the name is none for a backend or is taken, or the folder is there already or cannot be written. Then nothing
        is left behind.
    """
    if not valid_name(name) or not name.isascii() or not name[-1].isalnum():
        raise CoreArrayValueError(
            f"'{name}' is no valid backend name; names are lower-case Python identifiers of ASCII letters, digits and "
            "underscores that do not end in an underscore"
        )
    taken = manager.records[name].plugin if name in manager.records else f"corearray[{name}]" * (name in extras())
    if taken:
        raise CoreArrayValueError(f"'{name}' is taken: it is the name of '{taken}'; choose another")
    project = Path(folder) / f"corearray-{name}"
    if project.exists():
        raise CoreArrayValueError(f"'{project}' is there already; move it away, or choose another --folder")
    files = project_files(name)
    try:
        with tempfile.TemporaryDirectory(prefix=".corearray-", dir=folder) as unfinished:
            for place, text in files.items():
                path = Path(unfinished, project.name, place)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            Path(unfinished, project.name).rename(project)
    except OSError as error:
        raise CoreArrayValueError(f"cannot write '{project}': {error.strerror}; choose another --folder") from None
    print(f"{len(files)} files written to {project}; it passes its tests with a stand-in for your framework\n")
    print(f"cd {project}\npip install -e '.[test]'\ncorearray validate {name}\npytest")
    return 0
