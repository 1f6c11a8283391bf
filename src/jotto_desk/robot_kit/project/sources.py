"""The hand-written side of the robot project, read and judged in one go."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jotto_desk.files import read_bounded

from ..errors import FlowRefused
from ..flow.json_text import LONGEST_FLOW, read_flow
from ..flow.model import Flow
from ..flow.rules import SCRIPT_NAME, flow_findings
from .box_script import LONGEST_SCRIPT, script_findings, with_preamble
from .library import library
from .manifest import manifest_findings, version_in
from .topic import LANGUAGE, Topic, in_every_language, read_topic

BOXES = "robot_boxes"
FLOW = f"{BOXES}/flow.json"
PROJECT = "choregraphe_project"
MANIFEST = f"{PROJECT}/manifest.xml"
ICON = f"{PROJECT}/icon.png"
LIBRARY = f"{PROJECT}/lib"
LINES = "behaviour/jotto_behaviour"
ENGINE = "src/jotto/__init__.py"


@dataclass(frozen=True)
class Sources:
    """Everything the Choregraphe project is made of."""

    flow: Flow
    scripts: dict[str, str]
    preamble: str
    topics: tuple[Topic, ...]
    manifest: str
    version: str
    library: tuple[str, ...]
    #: Whether the project has its lib at present.
    is_staged: bool

    def whole_scripts(self) -> dict[str, str]:
        """Per script file, the text that goes into the xar."""
        name = self.flow.preamble
        return {file: with_preamble(text, name, self.preamble) for file, text in self.scripts.items()}


def read_sources(root: Path, python27: Sequence[str] | None = None) -> Sources:
    """Read the sources under a checkout; raises `FlowRefused`, which lists everything wrong with them."""
    flow = read_flow(_text(root / FLOW, LONGEST_FLOW))
    findings = flow_findings(flow)
    scripts, missing = _scripts(root, flow)
    findings += missing
    preamble = ""
    if flow.preamble is not None and SCRIPT_NAME.fullmatch(flow.preamble):
        preamble = _text(root / BOXES / flow.preamble, LONGEST_SCRIPT)
    named = {flow.preamble: preamble} if flow.preamble is not None else {}
    findings += script_findings(scripts | named, python27)
    manifest = _text(root / MANIFEST)
    findings += manifest_findings(manifest, flow.behaviour)
    if findings:
        raise FlowRefused("robot_boxes cannot become a behaviour:", findings)
    topics = in_every_language(
        (read_topic(path.stem, _text(path)) for path in sorted((root / BOXES).glob("*.top"))), _languages(root)
    )
    version = version_in(_text(root / ENGINE))
    return Sources(flow, scripts, preamble, topics, manifest, version, tuple(library(root)), (root / LIBRARY).is_dir())


def _languages(root: Path) -> list[str]:
    """List NAOqi's codes of the languages that the game has lines for, English first."""
    lines = (json.loads(_text(path)) for path in sorted((root / LINES).glob("lines_*.json")))
    codes = {str(each.get("code", LANGUAGE)) for each in lines}
    return sorted(codes, key=lambda code: (code != LANGUAGE, code))


def _scripts(root: Path, flow: Flow) -> tuple[dict[str, str], list[str]]:
    scripts, findings = {}, []
    for name in filter(SCRIPT_NAME.fullmatch, flow.scripts()):
        path = root / BOXES / name
        if path.is_file():
            scripts[name] = _text(path, LONGEST_SCRIPT)
        else:
            boxes = ", ".join(f'"{box.name}"' for box in flow.boxes if box.script == name)
            findings.append(f"{boxes} needs the script {name}, which is not in {BOXES}; write it or correct the name.")
    for name in unused_scripts(root, flow):
        findings.append(f"no box uses {BOXES}/{name}; name it in flow.json or remove it.")
    return scripts, findings


def unused_scripts(root: Path, flow: Flow) -> list[str]:
    """Names of the scripts in robot_boxes that the flow does not mention."""
    used = {*flow.scripts(), flow.preamble}
    return sorted(path.name for path in (root / BOXES).glob("*.py") if path.name not in used)


def _text(path: Path, most: int = 1_000_000) -> str:
    raw = read_bounded(path, most)
    try:
        return raw.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise FlowRefused(f"'{path}', line {line} is not UTF-8; save the file as UTF-8.") from error
