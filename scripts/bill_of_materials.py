"""Write `SHA256SUMS` and `sbom.cdx.json`, a software bill of materials by CycloneDX 1.6, of the wheels in a folder."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import zipfile
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def metadata_of(wheel: Path) -> Message:
    """Read the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return BytesParser().parsebytes(archive.read(name))


def component(wheel: Path) -> dict[str, Any]:
    """Describe a wheel as it stands in the folder."""
    told = metadata_of(wheel)
    name, version = canonicalize_name(told["Name"]), told["Version"]
    return {
        "type": "library",
        "bom-ref": wheel.name,
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}?file_name={wheel.name}",
        "licenses": [{"expression": told["License-Expression"]}],
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()}],
    }


def needed(wheel: Path) -> list[Requirement]:
    """Return what a wheel needs at run time, without its extras."""
    requirements = map(Requirement, metadata_of(wheel).get_all("Requires-Dist") or ())
    return [wanted for wanted in requirements if wanted.marker is None or "extra" not in str(wanted.marker)]


def bill(wheels: list[Path]) -> dict[str, Any]:
    """Return the bill of materials: the wheels, and what they need, by ranges."""
    made = {canonicalize_name(metadata_of(wheel)["Name"]) for wheel in wheels}
    others = {canonicalize_name(wanted.name): wanted for wheel in wheels for wanted in needed(wheel)}
    outside = [
        {
            "type": "library",
            "bom-ref": name,
            "name": name,
            "purl": f"pkg:pypi/{name}",
            "scope": "required",
            "properties": [{"name": "corearray:versions", "value": str(wanted.specifier)}],
        }
        for name, wanted in sorted(others.items())
        if name not in made
    ]
    refs = {canonicalize_name(metadata_of(wheel)["Name"]): wheel.name for wheel in wheels}
    stamp = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), UTC)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"timestamp": f"{stamp:%Y-%m-%dT%H:%M:%SZ}"},
        "components": [*map(component, wheels), *outside],
        "dependencies": [
            {
                "ref": wheel.name,
                "dependsOn": sorted(
                    {refs.get(name := canonicalize_name(wanted.name), name) for wanted in needed(wheel)}
                ),
            }
            for wheel in wheels
        ],
    }


def main(folder: Path) -> None:
    """Write both files."""
    wheels = sorted(folder.glob("*.whl"))
    (folder / "sbom.cdx.json").write_text(json.dumps(bill(wheels), indent=2) + "\n", encoding="utf-8")
    released = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in released]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
