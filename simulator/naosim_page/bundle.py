"""The archive that a web worker unpacks: the packages, word lists and behaviours that run in the browser."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

#: The packages next to this one that a behaviour can import.
PACKAGES = ("naosim", "naosim_page", "naoqi", "almath", "motion", "vision_definitions")
#: Endings of files that only editors, type checkers and pages need.
_LEFT_OUT = {".pyc", ".pyi", ".typed", ".js", ".mjs", ".css", ".html", ".svg", ".md"}
#: The time of every file in the archive, so that the same files give the same bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_bundle(archive: Path, folders: Mapping[str, Path]) -> int:
    """Write this checkout's packages and other folders and files, by their names in the archive; return the bytes."""
    beside = Path(__file__).resolve().parents[1]
    chosen = {**{name: beside / name for name in PACKAGES}, **folders}
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as bundle:
        for name, folder in sorted(chosen.items()):
            for path in [folder] if folder.is_file() else sorted(folder.rglob("*")):
                if path.is_file() and path.suffix not in _LEFT_OUT and "node_modules" not in path.parts:
                    within = path.relative_to(folder).as_posix()
                    entry = zipfile.ZipInfo(name if within == "." else f"{name}/{within}", _EPOCH)
                    entry.external_attr = 0o644 << 16
                    bundle.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return archive.stat().st_size
