"""The archive that a web worker unpacks: the packages, word lists and behaviours that run in the browser."""

import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path

#: The packages next to this one that a behaviour can import.
PACKAGES = ("naosim", "naosim_page", "naoqi", "almath", "motion", "vision_definitions")
#: The files of naosim_voice that recognise speech in the browser, with that of their confidence.
HEARING = (
    "__init__.py",
    "endpoints.py",
    "model.py",
    "moonshine.json",
    "moonshine.py",
    "names.py",
    "phrases.py",
    "posted.py",
    "pronunciation.py",
    "recogniser.py",
)
#: Endings of files that only editors, type checkers and pages need.
_LEFT_OUT = {".pyc", ".pyi", ".typed", ".js", ".mjs", ".css", ".html", ".svg", ".md"}
#: Folders of files that only browsers need, and of their libraries.
_PAGE_FOLDERS = {"static", "node_modules", "__pycache__"}
#: Files of naosim_page that only a server and the build need, by name without ending.
OF_SERVER = {
    "access",
    "bundle",
    "certificates",
    "command",
    "connections",
    "ears",
    "file_server",
    "package",
    "package-lock",
    "recording",
    "relay",
    "server",
    "site",
    "talk_report",
}
#: Files of naosim that only a command line needs, by name without ending.
_OF_COMMAND_LINE = {"__main__", "cli"}
#: The time of every file in the archive, so that the same files give the same bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_bundle(archive: Path, folders: Mapping[str, Path]) -> int:
    """Write this checkout's packages and other folders and files, by name in the archive; return the bytes."""
    root = Path(__file__).resolve().parents[1]
    chosen = {**{name: root / name for name in PACKAGES}, **folders}
    write_archive(archive, chosen, left_out=_LEFT_OUT)
    return archive.stat().st_size


def write_hearing_bundle(archive: Path) -> None:
    """Write the archive of speech recognition, which is unpacked next to the other one."""
    voice = Path(__file__).resolve().parents[1] / "naosim_voice"
    write_archive(archive, {f"naosim_voice/{name}": voice / name for name in HEARING})


def write_archive(archive: Path, folders: Mapping[str, Path], left_out: Collection[str] = ()) -> None:
    """Write folders and files by name in the archive, without files of these endings and files of pages."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    unused = {"naosim": _OF_COMMAND_LINE, "naosim_page": OF_SERVER}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as bundle:
        for name, folder in sorted(folders.items()):
            for path in [folder] if folder.is_file() else sorted(folder.rglob("*")):
                within = path.relative_to(folder)
                is_unused = path.stem in unused.get(name, ())
                is_left_out = is_unused or path.suffix in left_out or _PAGE_FOLDERS.intersection(within.parts)
                if path.is_file() and not is_left_out:
                    entry = zipfile.ZipInfo(name if path == folder else f"{name}/{within.as_posix()}", _EPOCH)
                    entry.external_attr = 0o644 << 16
                    bundle.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
