"""The form of a report: a whitelist of its contents, its file, and the same in plain words.

A report is a dict. `select_allowed` copies only what the form has: a name, an address or a serial number has no place
in it, and so gets into no file. The file is Markdown with the dict as JSON.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from naosim.compat import quote
from naosim.errors import NaosimError
from naosim.services.voice import LANGUAGES
from naosim_robots.facts.patterns import is_number
from naosim_robots.facts.runner import COMPARED, DIFFERS, HOLDS, LEFT_OUT, MISSING

Report = dict[str, Any]

MAX_REPORT_BYTES = 4_000_000
#: NAO's sentences and the owner's words, one after the other.
SENTENCES = (
    *("Hello.", "Is it ocean?", "How many letters are in the right place?", "Two, and one in the wrong place."),
    *("I think of a word with five letters.", "The quick brown fox jumps over the lazy dog.", "Ninety-nine.", "Yes!"),
    *("Let me think.", "Thank you for playing with me, and see you soon."),
)
WORDS = ("yes", "no", "ready", "zero", "one", "two", "three", "four", "five", "stop")
#: The results for a phrase that is not one of the words, and for silence.
ANOTHER, NOTHING = "another word", "nothing"
#: Why a part is not in a report.
NOT_AGREED, NO_ENGLISH, NO_SERVICE, IN_USE, REFUSED = (
    *("the owner was not asked, or did not agree", "the robot has no English", "the robot lacks a service for it"),
    *("another program listens to the robot", "the robot refuses the words"),
)
_FORM = 1
_MOST_ROWS = 2000

# The whitelist.

_Field = Callable[[Any], Any]
_GONE = object()


def _text(pattern: str) -> _Field:
    matches = re.compile(pattern).fullmatch
    return lambda value: value if isinstance(value, str) and matches(value) else _GONE


def _one_of(*allowed: Any) -> _Field:
    return lambda value: value if isinstance(value, str | int) and value in allowed else _GONE


def _number(value: Any) -> Any:
    return value if is_number(value) and abs(value) < 10_000 else _GONE


def _record(**fields: _Field) -> _Field:
    return lambda value: _keep((name, field(value[name])) for name, field in fields.items() if _has(value, name))


def _map(key: _Field, field: _Field) -> _Field:
    def select(value: Any) -> Any:
        items = list(value.items())[:_MOST_ROWS] if isinstance(value, dict) else []
        return _keep((name, field(each)) for name, each in items if key(name) is not _GONE)

    return select


def _list(field: _Field) -> _Field:
    def select(value: Any) -> Any:
        found = map(field, value[:_MOST_ROWS]) if isinstance(value, list | tuple) else ()
        return [each for each in found if each is not _GONE]

    return select


def _has(value: Any, name: str) -> bool:
    return isinstance(value, dict) and name in value


def _keep(items: Any) -> dict[str, Any]:
    return {name: value for name, value in items if value is not _GONE}


_VERSION = r"\d\.\d{1,2}(\.\d{1,4}){0,3}([a-z]{1,4}\d{0,3})?"
#: A service of NAOqi. Applications have other names, which can be names of people.
_SERVICE = _text(r"AL[A-Z][A-Za-z0-9]{1,40}|DCM|LogManager|PackageManager|ServiceDirectory")
_MEMBER = _text(r"[A-Za-z]\w{0,60}")
_SIGNATURE = _text(r"(method |signal |property )[A-Za-z]\w{0,60}[\w()\[\]{}]{0,100}( -> [\w()\[\]{}]{1,60})?")
_BEFORE_AND_AFTER = _record(before=_number, after=_number)

_select: _Field = _record(
    form=_one_of(_FORM),
    versions=_record(naoqi=_text(_VERSION), program=_text(_VERSION), client=_text(rf"(qi|qiwire)( {_VERSION})?")),
    robot=_record(body=_one_of("NAO", "Pepper"), place=_one_of("real", "virtual"), is_simulated=_one_of(True, False)),
    checks=_map(_text(r"[A-Za-z ]{1,40}"), _one_of("ok", "lacks", "cannot play")),
    languages=_record(speaks=_list(_one_of(*LANGUAGES)), understands=_list(_one_of(*LANGUAGES))),
    facts=_map(
        _text(r"[a-z0-9]+(-[a-z0-9]+)*"),
        # The step is a line of the table. The result is masked: `mask_words`.
        _record(state=_one_of(*COMPARED, LEFT_OUT), step=_text(r"[ -~]{1,400}"), came=_text(r"[ -~…]{1,400}")),
    ),
    services=_record(
        count=_number,
        missing=_list(_SERVICE),
        additional=_list(_SERVICE),
        unnamed=_number,
        members=_map(
            _SERVICE,
            _record(
                missing=_list(_MEMBER),
                additional=_list(_SIGNATURE),
                differing=_map(_MEMBER, _record(robot=_list(_SIGNATURE), table=_list(_SIGNATURE))),
            ),
        ),
    ),
    sentences=_map(_one_of(*SENTENCES), _number),
    words=_map(_one_of(*WORDS), _record(heard=_one_of(*WORDS, ANOTHER, NOTHING), confidence=_number)),
    battery=_BEFORE_AND_AFTER,
    temperatures=_map(_text(r"[A-Z][A-Za-z]{1,30}\d?"), _BEFORE_AND_AFTER),
    left_out=_map(_one_of("sentences", "words"), _one_of(NOT_AGREED, NO_ENGLISH, NO_SERVICE, IN_USE, REFUSED)),
)


def select_allowed(report: Report) -> Report:
    """Return a copy of a report with only the parts that the form allows."""
    selected: Report = _select(report)
    return selected


_TOKEN = re.compile(r"[^\W\d_]\w*|-?\d[\w.:-]*")
_MASKS = re.compile(r"…(?:(?:\\n|\s)*…)+")
#: 0.05, -3, 42 and 171, but no number that tells a place or belongs to one robot.
_SHORT_NUMBER = re.compile(r"-?\d{1,2}(\.\d{1,2})?|-?1\d\d")
#: More numbers can be an address.
_MOST_NUMBERS = 2


def mask_words(text: str, known: frozenset[str]) -> str:
    """Return a robot's text with "…" for each unknown word, and for numbers that could identify it.

    >>> mask_words('["Hugo", 0.5, "yes"]', frozenset(["yes"]))
    '["…", 0.5, "yes"]'
    """
    is_short = len(re.findall(r"\d+(?:\.\d+)?", text)) <= _MOST_NUMBERS

    def mask(found: re.Match[str]) -> str:
        token = found[0]
        kept = token in known or (is_short and _SHORT_NUMBER.fullmatch(token))
        return token if kept else "…"

    masked = _MASKS.sub("…", _TOKEN.sub(mask, " ".join(text.split())))[:300]
    return "".join(sign if sign == "…" or " " <= sign <= "~" else "…" for sign in masked)


# The file.

_BEGIN, _END = "\n```json\n", "\n```\n"
_HEAD = """# A report on a robot

Written on its owner's computer. Nothing was sent. It has no names of people, addresses, serial numbers or
sounds; services whose names begin with AL are named. What the robot said has … for unknown words and long numbers.
Delete what you like.

"""


class WrongReport(NaosimError):
    """A file is not a report; the message is one sentence."""


def write_text(report: Report) -> str:
    """Return the text of the file of a report."""
    allowed = select_allowed(report)
    table = "".join(f"| {name} | {told} |\n" for name, told in describe(allowed))
    return f"{_HEAD}| | |\n| --- | --- |\n{table}{_BEGIN}{json.dumps(allowed, indent=1, ensure_ascii=False)}{_END}"


def read_text(text: str, name: str) -> Report:
    """Return the report in the text of the file `name`; raises WrongReport."""
    _, begin, rest = text.partition(_BEGIN)
    try:
        found = select_allowed(json.loads(rest.partition(_END)[0])) if begin else {}
    except (ValueError, RecursionError):
        found = {}
    if "form" not in found:
        raise WrongReport(f"{quote(name)} is not a report on a robot: name a file that --report wrote.")
    return found


# In plain words.


def describe(report: Report) -> list[tuple[str, str]]:
    """Return the content of a report in plain words: pairs of a subject and a text."""
    left_out = report.get("left_out", {})
    return [
        ("robot", _describe_robot(report)),
        ("versions", ", ".join(f"{name} {version}" for name, version in report.get("versions", {}).items())),
        ("checks", _count(report.get("checks", {}).values())),
        ("languages", "; ".join(f"{verb} {', '.join(named)}" for verb, named in report.get("languages", {}).items())),
        ("facts about robots", _count(each.get("state") for each in report.get("facts", {}).values())),
        ("services", _describe_services(report.get("services", {}))),
        ("ten sentences", _describe_sentences(report.get("sentences", {})) or left_out.get("sentences", "none")),
        ("ten words of yours", _describe_words(report.get("words", {})) or left_out.get("words", "none")),
        ("battery", _describe_change(report.get("battery", {}), "%")),
        ("warmest part", _describe_warmest(report.get("temperatures", {}))),
    ]


def _describe_robot(report: Report) -> str:
    robot = report.get("robot", {})
    kind = "simulated" if robot.get("is_simulated") else robot.get("place", "unknown")
    return f"{kind} {robot.get('body', 'robot')}, NAOqi {report.get('versions', {}).get('naoqi', 'unknown')}"


def _count(states: Any) -> str:
    names = {DIFFERS: "differ", HOLDS: "hold", MISSING: "lack a service"}
    return ", ".join(f"{count} {names.get(state, state)}" for state, count in Counter(states).items()) or "none"


def _describe_services(services: dict[str, Any]) -> str:
    members = services.get("members", {}).values()
    counts = {
        "missing services": len(services.get("missing", ())),
        "additional services": len(services.get("additional", ())) + services.get("unnamed", 0),
        **{f"{kind} members": sum(len(each.get(kind, ())) for each in members) for kind in ("missing", "additional")},
        "other signatures": sum(len(each.get("differing", ())) for each in members),
    }
    told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    return f"{services.get('count', 0)}; compared with our table: {told or 'the same'}"


def _describe_sentences(seconds: dict[str, float]) -> str:
    return f"{sum(seconds.values()):.1f} s for {len(seconds)}" if seconds else ""


def _describe_words(words: dict[str, dict[str, Any]]) -> str:
    right = [each.get("confidence", 0.0) for said, each in words.items() if each.get("heard") == said]
    least = f", the least confidence {min(right):.2f}" if right else ""
    return f"{len(right)} of {len(words)} understood{least}" if words else ""


def _describe_change(values: dict[str, float], unit: str) -> str:
    return ", ".join(f"{value:g} {unit} {moment}" for moment, value in values.items()) or "not told"


def _describe_warmest(parts: dict[str, dict[str, float]]) -> str:
    if not parts:
        return "not told"
    name = max(parts, key=lambda part: max(parts[part].values(), default=0.0))
    return f"{name}: {_describe_change(parts[name], '°C')}"
