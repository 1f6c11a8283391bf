"""Compares two reports: the differences, and the values that vary by nature and are only shown."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from naosim_robots.facts.runner import COMPARED

from .form import Report

# Durations and confidences vary from one report to the next.
_SPEECH_RATIO = 1.15  # of the longer to the shorter duration
_SENTENCE_S = 0.5  # a larger difference of one sentence is reported
_CONFIDENCE = 0.15  # of the mean of all words
# The cost of three minutes to a robot, in percent of the battery and in degrees: more is a difference.
_DRAIN, _WARMTH = 5.0, 15.0


class Comparison(NamedTuple):
    """The differences of two reports, one sentence each, and remarks about values that need not be equal."""

    differences: list[str]
    remarks: list[str]


def compare_reports(old: Report, new: Report) -> Comparison:
    """Compare an earlier report with a new one."""
    parts: tuple[Callable[[Report, Report], Iterator[str]], ...] = (
        *(_compare_robots, _compare_checks, _compare_languages, _compare_facts, _compare_services, _compare_members),
        *(_compare_sentences, _compare_words, _compare_batteries, _compare_temperatures),
    )
    return Comparison([each for part in parts for each in part(old, new)], list(_remark(old, new)))


def _join(names: Any) -> str:
    return ", ".join(map(str, names)) or "none"


def _each_of(old: Report, new: Report, part: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield the names in either report's part with both values, None for one that is not there."""
    before, after = old.get(part, {}), new.get(part, {})
    for name in sorted({**before, **after}):
        yield name, before.get(name), after.get(name)


def _compare_robots(old: Report, new: Report) -> Iterator[str]:
    for name, before, after in _each_of(old, new, "robot"):
        if before != after:
            yield f"robot: {name} was {before}, now {after}"
    before, after = (report.get("versions", {}).get("naoqi") for report in (old, new))
    if before != after:
        yield f"NAOqi: was {before}, now {after}"


def _compare_checks(old: Report, new: Report) -> Iterator[str]:
    for name, before, after in _each_of(old, new, "checks"):
        if before and after and before != after:
            yield f"check {name}: was {before}, now {after}"


def _compare_languages(old: Report, new: Report) -> Iterator[str]:
    for verb, before, after in _each_of(old, new, "languages"):
        if before != after:
            yield f"languages: {verb} {_join(before or ())}, now {_join(after or ())}"


def _compare_facts(old: Report, new: Report) -> Iterator[str]:
    for name, before, after in _each_of(old, new, "facts"):
        states = [(each or {}).get("state") for each in (before, after)]
        if states[0] in COMPARED and states[1] in COMPARED and states[0] != states[1]:
            came = (after if "came" in (after or {}) else before or {}).get("came", "")
            yield f"fact {name}: was {states[0]}, now {states[1]}" + (f" (came {came})" if came else "")


def _compare_services(old: Report, new: Report) -> Iterator[str]:
    before, after = old.get("services", {}), new.get("services", {})
    for kind in ("missing", "additional"):
        gone, come = (set(part.get(kind, ())) for part in (before, after))
        for name in sorted(gone ^ come):
            has_it = (name in come) == (kind == "additional")
            yield f"service {name}: {'is there now' if has_it else 'is not there now'}"
    if before.get("unnamed") != after.get("unnamed"):
        yield f"services of applications: were {before.get('unnamed')}, now {after.get('unnamed')}"


def _compare_members(old: Report, new: Report) -> Iterator[str]:
    absent = [set(report.get("services", {}).get("missing", ())) for report in (old, new)]
    before, after = (report.get("services", {}).get("members", {}) for report in (old, new))
    for service in sorted({**before, **after}):
        if any(service in names for names in absent):
            continue
        one, other = before.get(service, {}), after.get(service, {})
        for kind, told in (("missing", ("is there now", "is missing now")), ("additional", ("is gone", "is new"))):
            gone, come = (set(part.get(kind, ())) for part in (one, other))
            for name in sorted(gone ^ come):
                yield f"member {service}.{name}: {told[name in come]}"
        was, now = one.get("differing", {}), other.get("differing", {})
        for name in sorted({**was, **now}):
            if was.get(name) != now.get(name):
                signatures = [_join((part.get(name) or {}).get("robot") or ["as in our table"]) for part in (was, now)]
                yield f"member {service}.{name}: signature was {signatures[0]}, now {signatures[1]}"


def _list_durations(old: Report, new: Report) -> list[tuple[str, float, float]]:
    return [each for each in _each_of(old, new, "sentences") if each[1] and each[2] and min(each[1:]) > 0]


def _compare_sentences(old: Report, new: Report) -> Iterator[str]:
    ratios = [after / before for _, before, after in _list_durations(old, new)]
    # One slow moment of the network changes one sentence, but not the median.
    ratio = statistics.median(ratios) if ratios else 1.0
    if max(ratio, 1 / ratio) > _SPEECH_RATIO:
        yield f"speech: the median sentence takes {ratio:.2f} times as long"


def _compare_words(old: Report, new: Report) -> Iterator[str]:
    pairs = [(said, before, after) for said, before, after in _each_of(old, new, "words") if before and after]
    for said, before, after in pairs:
        if before.get("heard") != after.get("heard"):
            yield f"word {said}: was heard as {before.get('heard')}, now as {after.get('heard')}"
    both = [
        (before["confidence"], after["confidence"])
        for _, before, after in pairs
        if "confidence" in before and "confidence" in after
    ]
    if both:
        before, after = (sum(values) / len(both) for values in zip(*both, strict=True))
        if abs(before - after) > _CONFIDENCE:
            yield f"confidence: the mean was {before:.2f}, now {after:.2f}"


def _compare_batteries(old: Report, new: Report) -> Iterator[str]:
    before, after = (_measure_change(report.get("battery", {})) for report in (old, new))
    if (before is None) != (after is None):
        yield f"battery: was {'not told' if before is None else 'told'}, now {'not told' if after is None else 'told'}"
    elif before is not None and after is not None and abs(before - after) > _DRAIN:
        yield f"battery: changed by {before:g} % during the report, now by {after:g} %"


def _compare_temperatures(old: Report, new: Report) -> Iterator[str]:
    for part, before, after in _each_of(old, new, "temperatures"):
        one, other = _measure_change(before or {}), _measure_change(after or {})
        if (one is None) != (other is None):
            yield f"temperature of {part}: was {'not told' if one is None else 'told'}, now " + (
                "not told" if other is None else "told"
            )
        elif one is not None and other is not None and abs(one - other) > _WARMTH:
            yield f"temperature of {part}: changed by {one:g} °C during the report, now by {other:g} °C"


def _measure_change(values: dict[str, float]) -> float | None:
    """Return the rise of a value from before to after; None if one of them is unknown."""
    return round(values["after"] - values["before"], 1) if len(values) > 1 else None


def _remark(old: Report, new: Report) -> Iterator[str]:
    """Yield the parts that are not compared: other versions of ours, and parts that only one report has."""
    for name, before, after in _each_of(old, new, "versions"):
        if before != after and name != "naoqi":
            yield f"{name}: {before}, now {after}"
    apart = [
        name
        for name, before, after in _each_of(old, new, "facts")
        if ((before or {}).get("state") in COMPARED) != ((after or {}).get("state") in COMPARED)
    ]
    if apart:
        yield f"facts compared in only one report: {len(apart)}"
    for part in ("sentences", "words"):
        if bool(old.get(part)) != bool(new.get(part)):
            yield f"{part}: in only one report"
    for sentence, before, after in _list_durations(old, new):
        if abs(before - after) > _SENTENCE_S:
            yield f"sentence {sentence!r}: {before:g} s, now {after:g} s"
    levels = [report.get("battery", {}).get("before") for report in (old, new)]
    if levels[0] != levels[1]:
        yield f"battery: {levels[0]} % at the beginning, now {levels[1]} %"
    warmest = [
        max((each.get("before", 0) for each in report.get("temperatures", {}).values()), default=None)
        for report in (old, new)
    ]
    if warmest[0] != warmest[1]:
        yield f"warmest part at the beginning: {warmest[0]} °C, now {warmest[1]} °C"
