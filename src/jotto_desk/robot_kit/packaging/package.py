"""The package a robot installs: made by qipkg from a fresh copy of the project, judged before it is written."""

from __future__ import annotations

import contextlib
import io
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jotto_desk.errors import DeskError
from jotto_desk.files import format_size

from ..errors import PackageRefused
from ..project.build import differing, project_texts
from ..project.manifest import sentence_findings, uuid
from ..project.sources import Sources
from ..project.stage import stage_to
from . import archive, imports

#: Where a package is written, below the checkout.
FOLDER = "dist"
#: The goal is 300 kB; far beyond it something got in that does not belong.
LARGEST = 2_000_000
PNG, LARGEST_ICON = b"\x89PNG\r\n\x1a\n", 100_000


@dataclass(frozen=True)
class Package:
    """A finished package: file name, the robot's name for it, version, bytes, sizes by place, who judged it."""

    name: str
    uuid: str
    version: str
    content: bytes
    files: Mapping[str, int]
    unused: tuple[str, ...]
    python: str


def package(
    root: Path,
    sources: Sources,
    python27: Sequence[str] | None = None,
    judge: Callable[[Path], Iterable[str]] = lambda xar: (),
) -> Package:
    """Make the package of a checkout; `judge` names what is wrong with a behavior.xar.

    Raises `PackageRefused` with everything that is wrong, `DeskError` without qipkg or room for the copy.
    """
    qipkg = _qipkg()
    stale = differing(root, project_texts(sources))
    if stale:
        raise PackageRefused(
            "The Choregraphe project is not what robot_boxes says; run 'jotto robot build' (after "
            "'jotto robot pull' where the project was edited in Choregraphe):",
            stale,
        )
    name = uuid(sources.manifest)
    try:
        with tempfile.TemporaryDirectory(prefix="jotto-") as scratch:
            project = Path(scratch) / "project"
            stage_to(root, project)
            reading = _reading(project, sources, python27)
            findings = [
                *reading.findings,
                *judge(project / sources.flow.behaviour / "behavior.xar"),
                *sentence_findings(sources.manifest),
                *_icon(project),
            ]
            if findings:
                raise PackageRefused("This cannot become a package:", findings)
            files = _made(qipkg, project / f"{name}.pml", Path(scratch) / "made.pkg")
    except OSError as error:
        raise DeskError(
            f"The package cannot be put together ({error.strerror or error}); make room for temporary files."
        ) from error
    _only_what_belongs(files, sources)
    content = archive.packed(files)
    if len(content) > LARGEST:
        raise PackageRefused(
            f"The package would have {format_size(len(content))}; {format_size(LARGEST)} is the most it may have."
        )
    return Package(
        f"jotto-{sources.version}.pkg",
        name,
        sources.version,
        content,
        {place: len(files[place]) for place in sorted(files)},
        reading.unused,
        reading.python,
    )


def _qipkg() -> Any:
    try:
        import qipkg.builder
        import qipkg.manifest
    except ImportError as error:
        raise DeskError("Making a package needs qibuild: pip install 'nao-jotto[package]'.") from error
    return qipkg


def _reading(project: Path, sources: Sources, python27: Sequence[str] | None) -> imports.ImportReading:
    library = {
        place: (project / "lib" / place).read_text(encoding="utf-8")
        for place in sources.library
        if place.endswith(".py")
    }
    return imports.read(library, sources.whole_scripts(), python27)


def _icon(project: Path) -> list[str]:
    icon = (project / "icon.png").read_bytes()
    if icon.startswith(PNG) and len(icon) <= LARGEST_ICON:
        return []
    return [f"icon.png is no PNG of at most {format_size(LARGEST_ICON)}; draw one."]


def _made(qipkg: Any, pml: Path, target: Path) -> dict[str, bytes]:
    """Return what qipkg packs, by place; its own long, coloured output is kept from the terminal."""
    said = io.StringIO()
    builder = None
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            builder = qipkg.builder.PMLBuilder(str(pml))
            errors = [*builder.validator.errors, *builder.validator.warnings]
            if not errors:
                builder.package(output=str(target))
    except (Exception, SystemExit) as error:
        if isinstance(error, OSError):
            raise
        raise PackageRefused("qipkg cannot make the package:", str(error).strip().splitlines()[:5]) from error
    finally:
        # Its own temporary folder stays behind when it fails.
        if builder is not None:
            shutil.rmtree(builder.stage_path, ignore_errors=True)
    if errors:
        raise PackageRefused("qipkg finds manifest.xml wanting:", errors)
    return archive.unpacked(target.read_bytes())


def _only_what_belongs(files: Mapping[str, bytes], sources: Sources) -> None:
    wanted = {
        "manifest.xml",
        "icon.png",
        f"{sources.flow.behaviour}/behavior.xar",
        *(f"lib/{place}" for place in sources.library),
        *(path for topic in sources.topics for path in (topic.dialog_path, topic.topic_path)),
    }
    findings = [f"{place} is missing in it." for place in sorted(wanted - files.keys())]
    findings += [f"{place} does not belong in it." for place in sorted(files.keys() - wanted)]
    if findings:
        raise PackageRefused("qipkg packed something else than the project lists:", findings)
