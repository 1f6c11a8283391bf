"""Reports of talks: lines for a terminal, and JUnit XML for CI."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from naosim.formats import write_whole

from .running import TalkOutcome

#: Characters that XML 1.0 cannot have.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def describe(outcome: TalkOutcome) -> list[str]:
    """Return the lines about one run: whether it was as wanted, then the report if it was not."""
    state = "passed" if outcome.difference is None else "FAILED"
    return [f"{state}  {describe_name(outcome)} ({outcome.seconds:.1f} s)", *outcome.report.splitlines()]


def describe_name(outcome: TalkOutcome) -> str:
    """Return the name of a talk with what tells its runs apart."""
    more = [outcome.robot] if outcome.robot else []
    more += [f"seed {outcome.seed}"] if outcome.talk.repeat > 1 else []
    return f"{outcome.talk.name} ({', '.join(more)})" if more else outcome.talk.name


def count(outcomes: Sequence[TalkOutcome]) -> str:
    """Return how many talks were as wanted."""
    failed = sum(each.difference is not None for each in outcomes)
    return f"{len(outcomes) - failed} of {len(outcomes)} talks passed."


def write_junit(path: Path, outcomes: Sequence[TalkOutcome]) -> None:
    """Write JUnit XML: a test suite for each file, a test case for each run. Raises WrongUse if that fails."""
    root = ElementTree.Element("testsuites")
    for file in dict.fromkeys(each.talk.place.file for each in outcomes):
        mine = [each for each in outcomes if each.talk.place.file == file]
        failed = sum(each.difference is not None for each in mine)
        counts = {"tests": str(len(mine)), "failures": str(failed), "errors": "0", "skipped": "0"}
        time = f"{sum(each.seconds for each in mine):.3f}"
        suite = ElementTree.SubElement(root, "testsuite", {"name": _clean(str(file)), "time": time, **counts})
        for each in mine:
            suite.append(_make_case(each))
    ElementTree.indent(root)
    write_whole(str(path), ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def _make_case(outcome: TalkOutcome) -> ElementTree.Element:
    place = outcome.talk.place
    difference = outcome.difference
    case = ElementTree.Element(
        "testcase",
        classname=_clean(place.file.name),
        name=_clean(describe_name(outcome)),
        file=_clean(str(place.file)),
        line=str((place if difference is None else difference.place).line),
        time=f"{outcome.seconds:.3f}",
    )
    if difference is not None:
        failure = ElementTree.SubElement(case, "failure", message=_clean(str(difference)))
        failure.text = _clean(outcome.report)
    else:
        ElementTree.SubElement(case, "system-out").text = _clean("\n".join(outcome.transcript))
    return case


def _clean(text: str) -> str:
    return _NOT_XML.sub("?", text)
