"""Building the Choregraphe project from its sources, and comparing it with them."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Mapping
from pathlib import Path

from jotto_desk.files import write_whole

from ..diagram.svg import diagram_text
from .manifest import stamped, uuid
from .project_file import listing, project_text
from .sources import ICON, LIBRARY, MANIFEST, PROJECT, Sources
from .topic import dialogs
from .xar_writer import xar_text

DIAGRAM = "docs/diagram.svg"
LONGEST_DIFF = 12

#: Finding ways for the links takes a second, and several steps of one process want the same picture.
_drawn = functools.lru_cache(maxsize=2)(diagram_text)


def generated(sources: Sources) -> dict[str, str]:
    """Return the text of every file that is made from the sources, by its place in the checkout."""
    return {**project_texts(sources), DIAGRAM: _drawn(sources.flow)}


def project_texts(sources: Sources) -> dict[str, str]:
    """Return those of the project's folder, without the picture of the diagram, which takes a second to draw.

    The `.pml` lists lib where lib is: Choregraphe opens a fresh clone, which has none, without missing a file.
    """
    name = uuid(sources.manifest)
    behaviour = sources.flow.behaviour
    listed = project_text(name, behaviour, sources.topics, ["icon.png"])
    texts = {
        f"{PROJECT}/{behaviour}/behavior.xar": xar_text(sources.flow, sources.whole_scripts()),
        f"{PROJECT}/{name}.pml": listing(listed, sources.library if sources.is_staged else ()),
        MANIFEST: stamped(sources.manifest, sources.version),
    }
    texts |= {f"{PROJECT}/{place}": text for place, text in dialogs(sources.topics).items()}
    texts |= {f"{PROJECT}/{topic.topic_path}": topic.text for topic in sources.topics}
    return texts


def build(root: Path, texts: Mapping[str, str]) -> list[str]:
    """Write what differs from the generated texts, and return the places written."""
    stale = differing(root, texts)
    for place in stale:
        write_whole(root / place, texts[place])
    return stale


def differing(root: Path, texts: Mapping[str, str]) -> list[str]:
    """Places whose file is missing or differs from the generated text."""
    return [place for place, text in texts.items() if _committed(root / place) != text.encode("utf-8")]


def differences(root: Path, texts: Mapping[str, str]) -> list[str]:
    """Per differing file, a short unified diff from the committed file to the generated text."""
    return [_difference(place, _committed(root / place), texts[place]) for place in differing(root, texts)]


def strangers(root: Path, texts: Mapping[str, str]) -> list[str]:
    """List files in the project folder that the build did not make: Choregraphe would take them to the robot."""
    known = {*texts, ICON}
    found = (path.relative_to(root).as_posix() for path in sorted((root / PROJECT).rglob("*")) if path.is_file())
    return [place for place in found if place not in known and not place.startswith(f"{LIBRARY}/")]


def _committed(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _difference(place: str, committed: bytes | None, wanted: str) -> str:
    if committed is None:
        return f"{place} is missing"
    before = committed.decode("utf-8", "replace").splitlines()
    after = f"{place} as the sources say"
    lines = list(difflib.unified_diff(before, wanted.splitlines(), place, after, lineterm="", n=1))
    if not lines:
        return f"{place} differs in its line ends or its last line only"
    rest = [f"... and {len(lines) - LONGEST_DIFF} lines more"] if len(lines) > LONGEST_DIFF else []
    return "\n".join([*(line[:200] for line in lines[:LONGEST_DIFF]), *rest])
