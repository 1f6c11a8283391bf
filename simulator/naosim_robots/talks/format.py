"""The format of talks as one table: it reads files, and makes the JSON Schema of editors and the tables of the page.

`FILE`, `TALK`, `STEP`, `CHECK` and the other tables have the fields of each part, with their kinds and meanings.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from naosim.compat import quote
from naosim.models import NAO, PEPPER
from naosim.packages import NAOQI_VERSIONS
from naosim.services import SERVICES
from naosim.verbs import MAX_PHRASE_LENGTH
from naosim.xar import LANGUAGE_CODES

from .reader import Node, Place

#: What a person waits for if no number of seconds is given: the next time-out of the robot.
TIME_OUT = "time-out"
#: The persons, with what is special about each.
PERSONS = {
    "patient": "waits for the question and gives the right answer, clearly",
    "hasty": "often speaks again while NAO still speaks",
    "mumbling": "is often understood badly or not at all",
    "contradicting": "often says something else first, and the right answer when NAO asks again",
    "silent": "often says nothing until NAO asks again",
    "parent": "a child mumbles something, and its parent gives the right answer at once",
}
_HEAD = {"front": "FrontTactilTouched", "middle": "MiddleTactilTouched", "rear": "RearTactilTouched"}
_SENSORS = tuple(dict.fromkeys((*NAO.touch_sensors, *PEPPER.touch_sensors)))
_MAX_TEXT = 2000  # characters of a text
_MAX_PATTERN = 300  # characters of a pattern
_MAX_TIMES = 50  # how often one act is repeated by *
_MAX_SECONDS = 86_400.0
_MAX_REPEAT = 10_000
_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0}
_SECONDS = re.compile(r"(\d{1,6}(?:\.\d{1,6})?) ?(ms|s|min)")
_TIMES = re.compile(r"(.+?) ?\* ?(\d{1,3})")
_PATTERN = re.compile(r"/(.+)/", re.DOTALL)
#: A repetition inside a repeated group: such a pattern can take years on a few words.
_NESTED = re.compile(r"\((?:[^()\\]|\\.)*(?:[*+]|\{\d+,)(?:[^()\\]|\\.)*\)(?:[*+]|\{\d)")


class Kind(NamedTuple):
    """A kind of value: its JSON Schema, and the function that reads it from a node."""

    schema: dict[str, Any]
    read: Callable[[Node], Any]


class Field(NamedTuple):
    """A field of a part: its kind, its meaning, and whether it must be there."""

    kind: Kind
    meaning: str
    is_needed: bool = False


Table = Mapping[str, Field]


class TextPattern(NamedTuple):
    """A text that must be a part of another one, or a regular expression that is found in it, with its place."""

    text: str
    regex: re.Pattern[str]
    place: Place


class Seconds(NamedTuple):
    """A duration with its place."""

    seconds: float
    place: Place


# Kinds.


def _refuse(node: Node, name: str) -> Exception:
    value = node.to_plain()
    advice = "put it in quotes" if name == "a text" and isinstance(value, int | float) else "see docs/talks.md"
    if value is None:
        return node.place.refuse(f"nothing is here: write {name}.")
    return node.place.refuse(f"{json.dumps(value, ensure_ascii=False)[:100]} is not {name}: {advice}.")


def _read_text(node: Node) -> str:
    if not isinstance(node.value, str):
        raise _refuse(node, "a text")
    if len(node.value) > _MAX_TEXT:
        raise node.place.refuse(f"this text has more than {_MAX_TEXT} characters: shorten it.")
    return node.value


def _list_items(node: Node) -> list[Node]:
    return node.value if isinstance(node.value, list) else [node]


def _read_texts(node: Node) -> list[str]:
    return [_read_text(each) for each in _list_items(node)]


def _read_flag(node: Node) -> bool:
    if not isinstance(node.value, bool):
        raise _refuse(node, "true or false")
    return node.value


def _read_count(node: Node) -> int:
    if isinstance(node.value, bool) or not isinstance(node.value, int) or not 0 < node.value <= _MAX_REPEAT:
        raise _refuse(node, f"a whole number from 1 to {_MAX_REPEAT}")
    return node.value


def _read_seed(node: Node) -> int:
    if isinstance(node.value, bool) or not isinstance(node.value, int) or not 0 <= node.value < 2**31:
        raise _refuse(node, "a whole number from 0 to 2147483647")
    return node.value


def _read_share(node: Node) -> float:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float) or not 0 <= node.value <= 1:
        raise _refuse(node, "a number from 0 to 1")
    return float(node.value)


def _read_seconds(node: Node) -> Seconds:
    """Return a duration: a number of seconds, `2 s`, `500 ms` or `1 min`."""
    found = _SECONDS.fullmatch(node.value) if isinstance(node.value, str) else None
    seconds = float(found[1]) * _UNITS[found[2]] if found else node.value
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= _MAX_SECONDS:
        raise _refuse(node, "a duration such as 2 s, 500 ms or 1 min")
    return Seconds(float(seconds), node.place)


def _repeat(node: Node) -> list[Node]:
    """Return an item as often as it says by `*`."""
    found = _TIMES.fullmatch(node.value) if isinstance(node.value, str) else None
    if found is None:
        return [node]
    if int(found[2]) > _MAX_TIMES:
        raise node.place.refuse(f"{quote(node.value)} repeats more than {_MAX_TIMES} times: use a smaller number.")
    return [node._replace(value=found[1])] * int(found[2])


def _read_silence(node: Node) -> list[float | None]:
    """Return durations; None for the next time-out."""
    items = [each for item in _list_items(node) for each in _repeat(item)]
    return [None if each.value == TIME_OUT else _read_seconds(each).seconds for each in items]


def _read_phrases(node: Node) -> list[str]:
    for each in _list_items(node):
        if not isinstance(each.value, str):
            raise _refuse(each, "a text")
        if len(each.value) > MAX_PHRASE_LENGTH:
            raise each.place.refuse(f"a phrase has at most {MAX_PHRASE_LENGTH} characters: shorten it.")
    return [each.value for each in _list_items(node)]


def _read_sensors(node: Node) -> list[str]:
    names = []
    for each in [each for item in _list_items(node) for each in _repeat(item)]:
        name = _read_text(each)
        sensor = _HEAD.get(name, name)
        if sensor not in _SENSORS:
            raise each.place.refuse(f"no robot has a sensor {quote(name)}{_suggest(name, (*_HEAD, *_SENSORS))}")
        names.append(sensor)
    return names


def _read_pattern(node: Node) -> TextPattern:
    text = _read_text(node)
    if not text.strip():
        raise node.place.refuse("a text to look for is not empty: write some words, or [] for nothing.")
    found = _PATTERN.fullmatch(text)
    if found is None:
        words = r"\s+".join(re.escape(word) for word in text.split())
        return TextPattern(text, re.compile(words), node.place)
    if len(text) > _MAX_PATTERN or _NESTED.search(text):
        raise node.place.refuse(
            f"the pattern {quote(text[:60])} can take too long: leave out repetitions inside repeated groups, and use "
            f"at most {_MAX_PATTERN} characters."
        )
    try:
        return TextPattern(text, re.compile(found[1], re.DOTALL), node.place)
    except (re.error, OverflowError, RecursionError) as error:
        raise node.place.refuse(f"{quote(text[:60])} is not a regular expression ({error}): correct it.") from None


def _read_patterns(node: Node) -> list[TextPattern]:
    return [_read_pattern(each) for each in _list_items(node)]


def _read_keys(node: Node) -> list[tuple[str, Place]]:
    return [(_read_text(each), each.place) for each in _list_items(node)]


def _read_values(node: Node) -> dict[str, Any]:
    if not isinstance(node.value, dict):
        raise _refuse(node, "a mapping of names and values")
    return {key: each.to_plain() for key, each in node.value.items()}


def _read_placed_values(node: Node) -> dict[str, Node]:
    if not isinstance(node.value, dict):
        raise _refuse(node, "a mapping of keys of ALMemory and values")
    _check_value_patterns(node)
    return dict(node.value)


def _check_value_patterns(node: Node) -> None:
    """Refuse wrong regular expressions among values that are compared."""
    inside = node.value.values() if isinstance(node.value, dict) else node.value if isinstance(node.value, list) else ()
    for each in inside:
        _check_value_patterns(each)
    if isinstance(node.value, str) and _PATTERN.fullmatch(node.value):
        _read_pattern(node)


def _read_raising(node: Node) -> dict[str, Any]:
    """Return the sentences of errors by method, or with the number of calls that fail."""
    found = _read_values(node)
    for call, sentence in found.items():
        is_counted = isinstance(sentence, list) and len(sentence) == 2 and type(sentence[1]) is int
        if "." not in call or not isinstance(sentence[0] if is_counted else sentence, str):
            raise node.keys[call].refuse(f"{quote(call)} is not a method that fails: write Service.method: sentence.")
    return found


def _read_phrase_pairs(node: Node) -> dict[str, str]:
    if not isinstance(node.value, dict):
        raise _refuse(node, "a mapping of phrases")
    return {key: _read_text(each) for key, each in node.value.items()}


def _read_failures(node: Node) -> str | bool:
    if isinstance(node.value, bool):
        return node.value
    return _read_pattern(Node(f"/{_read_text(node)}/", node.place)).regex.pattern


def _make_choice(names: Mapping[str, Any] | tuple[str, ...], what: str) -> Kind:
    def read(node: Node) -> str:
        text = _read_text(node)
        if text not in names:
            raise node.place.refuse(f"there is no {what} {quote(text)}{_suggest(text, tuple(names))}")
        return text

    return Kind({"enum": list(names)}, read)


def _make_choices(names: Mapping[str, Any] | tuple[str, ...], what: str) -> Kind:
    one = _make_choice(names, what)
    many = {"type": "array", "items": one.schema, "minItems": 1}
    return Kind({"anyOf": [one.schema, many]}, lambda node: [one.read(each) for each in _list_items(node)])


def _suggest(name: str, known: tuple[str, ...]) -> str:
    """Return the end of a sentence that names what was probably meant, or the first choices."""
    near = difflib.get_close_matches(name, known, 1, 0.6)
    if near:
        return f": do you mean {quote(near[0])}?"
    return f": use {', '.join(known[:12])}{' or another one' if len(known) > 12 else ''}."


#: The name of an example's value, in a text or instead of another value.
_PLACEHOLDER = {"type": "string", "pattern": "<[A-Za-z0-9_ ]+>"}


def _list_of(schema: dict[str, Any]) -> dict[str, Any]:
    one = schema if schema == _STRING else {"anyOf": [schema, _PLACEHOLDER]}
    return {"anyOf": [one, {"type": "array", "items": one}]}


_STRING: dict[str, Any] = {"type": "string", "maxLength": _MAX_TEXT}
_DURATION: dict[str, Any] = {
    "anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": "^\\d+(\\.\\d+)? ?(ms|s|min)$"}]
}
TEXT = Kind(_STRING, _read_text)
TEXTS = Kind(_list_of(_STRING), _read_texts)
PHRASES = Kind(_list_of({"type": "string", "maxLength": MAX_PHRASE_LENGTH}), _read_phrases)
PATTERNS = Kind(_list_of(_STRING), _read_patterns)
KEYS = Kind(_list_of(_STRING), _read_keys)
FLAG = Kind({"type": "boolean"}, _read_flag)
COUNT = Kind({"type": "integer", "minimum": 1, "maximum": _MAX_REPEAT}, _read_count)
SEED = Kind({"type": "integer", "minimum": 0, "maximum": 2**31 - 1}, _read_seed)
SHARE = Kind({"type": "number", "minimum": 0, "maximum": 1}, _read_share)
DURATION = Kind(_DURATION, _read_seconds)
_SILENCE = {"anyOf": [*_DURATION["anyOf"], {"type": "string", "pattern": f"^{TIME_OUT}( ?\\* ?\\d+)?$"}]}
SILENCE = Kind(_list_of(_SILENCE), _read_silence)
_SENSOR = {
    "type": "string",
    "examples": [*_HEAD, *_SENSORS],
    "pattern": f"^({'|'.join((*_HEAD, *_SENSORS))})( ?\\* ?\\d+)?$",
}
SENSORS = Kind(_list_of(_SENSOR), _read_sensors)
VALUES = Kind({"type": "object"}, _read_values)
MEMORY = Kind({"type": "object"}, _read_placed_values)
FAILURES = Kind({"type": ["boolean", "string"]}, _read_failures)
RAISING = Kind({"type": "object"}, _read_raising)
PHRASE_PAIRS = Kind({"type": "object", "additionalProperties": {"type": "string"}}, _read_phrase_pairs)
PERSON = _make_choices(PERSONS, "person")
SERVICE = _make_choices(tuple(sorted(SERVICES)), "service")
LANGUAGE = _make_choices(tuple(sorted(LANGUAGE_CODES)), "language")
BODY = _make_choice(("Nao", "Pepper", "Romeo"), "body")
NAOQI = _make_choice(tuple(NAOQI_VERSIONS), "version of NAOqi")
PYTHONS = _make_choices(("3", "2.7"), "Python")


def _keep(node: Node) -> Node:
    return node


def _part(table: str) -> Kind:
    """Return the kind of a mapping with the fields of a table."""
    return Kind({"$ref": f"#/$defs/{table}"}, lambda node: read_fields(node, TABLES[table]))


def _node(table: str) -> Kind:
    """Return the kind of a mapping with the fields of a table that is read later, because its place is needed."""
    return Kind({"$ref": f"#/$defs/{table}"}, _keep)


def _nodes(table: str) -> Kind:
    """Return the kind of a list of such mappings."""
    return Kind({"type": "array", "items": {"$ref": f"#/$defs/{table}"}}, _need_list)


def _need_list(node: Node) -> list[Node]:
    if not isinstance(node.value, list):
        raise _refuse(node, "a list")
    return node.value


# The table.

CHECK: Table = {
    "says": Field(PATTERNS, "what NAO says, in this order; `[]` for nothing"),
    "line": Field(KEYS, "lines that NAO says, in any wording, in this order: keys of the file that `lines` names"),
    "does": Field(PATTERNS, "movements, sounds and the like, as the transcript names them"),
    "lights": Field(PATTERNS, "lights that change, as the transcript names them, such as `FaceLeds #ff0000`"),
    "memory": Field(MEMORY, "values in ALMemory; a mapping is compared with the same fields of JSON text"),
    "listens": Field(PHRASES, "phrases that NAO listens for then; `[]` if it does not listen"),
    "ended": Field(FLAG, "whether the behaviour has ended"),
}
_NOT = {name: CHECK[name] for name in ("says", "line", "does", "lights", "memory", "listens")}
ACTS: Table = {
    "started": Field(FLAG, "start the behaviour; the first step does so anyway"),
    "said": Field(PHRASES, "say a phrase; of several, NAO hears each when it listens"),
    "touched": Field(SENSORS, "touch front, middle or rear of the head, or another sensor; `front*3` is three times"),
    "raised": Field(VALUES, "let sensors notice events, such as `{FaceDetected: true}`"),
    "stored": Field(VALUES, "store values in ALMemory, as another program would"),
    "silence": Field(SILENCE, "say nothing for this time, or until NAO's next time-out"),
    "stopped": Field(FLAG, "stop the behaviour, as a user does in Choregraphe"),
    "person": Field(PERSON, "let a simulated person talk until the goal is reached"),
}
INTERRUPTION: Table = {
    "after": Field(DURATION, "how long after the act, while NAO is still speaking", True),
    "said": Field(PHRASES, "say a phrase"),
    "touched": Field(SENSORS, "touch a sensor"),
    "raised": Field(VALUES, "let sensors notice events"),
}
STEP: Table = {
    **ACTS,
    "confidence": Field(SHARE, "how well NAO hears what is said: 0 to 1 (0.9)"),
    "interrupted": Field(_nodes("interruption"), "what the person does meanwhile"),
    "goal": Field(_node("check"), "what ends the talk of a person (the end of the behaviour)"),
    "turns": Field(COUNT, "how many answers the person gives at most (40)"),
    **CHECK,
    "within": Field(DURATION, "how long after the act NAO says and does it, at most, on the robot's clock"),
    "not": Field(_node("not"), "what must not happen"),
}
ANSWER: Table = {
    "says": Field(PATTERNS, "if NAO has just said this"),
    "line": Field(KEYS, "if NAO has just said these lines"),
    "memory": Field(MEMORY, "if ALMemory has these values"),
    "listens": Field(PHRASES, "if NAO listens for these phrases"),
    "said": Field(PHRASES, "the person says one of these phrases"),
    "touched": Field(SENSORS, "the person touches these sensors"),
}
FAULTS: Table = {
    "raising": Field(RAISING, "methods that fail: `{ALLeds.fadeRGB: the sentence of the error}`"),
    "mishear": Field(PHRASE_PAIRS, "phrases that are understood as others"),
    "grammar": Field(SEED, "how often setVocabulary fails"),
}
ROBOT: Table = {
    "body": Field(BODY, "the robot (Nao)"),
    "naoqi": Field(NAOQI, "its version of NAOqi, in quotes (2.8)"),
    "language": Field(LANGUAGE, "its language, or several; the first is spoken (English)"),
    "posture": Field(TEXT, "its posture (Stand)"),
    "seed": Field(SEED, "what its chance is drawn from, and that of persons (0)"),
    "without": Field(SERVICE, "services that it lacks"),
    "faults": Field(_part("faults"), "what fails on it"),
    "strict": Field(FLAG, "count warnings as failures (false)"),
    "python": Field(PYTHONS, "the Python of the boxes, in quotes: 3, 2.7 or both (3)"),
}
ALLOWED: Table = {
    "failures": Field(FAILURES, "failures of the behaviour: true for all, or a regular expression for some"),
    "leaks": Field(FLAG, "subscriptions, timers and the like that are left behind"),
}
_SETUP: Table = {
    "robot": Field(_part("robot"), "the robot"),
    "parameters": Field(VALUES, "parameters of boxes: `Name` for all, or `Box.Name` for one"),
    "memory": Field(VALUES, "values in ALMemory before the start; a mapping is stored as JSON text"),
    "answers": Field(_nodes("answer"), "how simulated persons answer: the first rule that fits"),
    "never": Field(_node("not"), "what must not happen in the whole talk"),
    "end": Field(_node("check"), "what must be so at the end; lights are those that changed last"),
    "allow": Field(_part("allowed"), "what may be left or fail at the end"),
}
_STEPS = Kind({"type": "array", "items": {"$ref": "#/$defs/step"}, "minItems": 1}, _keep)
_EXAMPLES = Kind({"type": "array", "items": {"type": "object"}, "minItems": 1}, _keep)
TALK: Table = {
    "steps": Field(_STEPS, "the steps: an act of the person, and what NAO must do then", True),
    "examples": Field(_EXAMPLES, "values of `<name>` in this talk: it runs once for each row"),
    "repeat": Field(COUNT, "how often it runs, each time with the next seed (1)"),
    **_SETUP,
}
_ONE_TALK = {"anyOf": [_STEPS.schema, {"$ref": "#/$defs/talk"}]}
_TALKS = Kind({"type": "object", "additionalProperties": _ONE_TALK, "minProperties": 1}, _keep)
FILE: Table = {
    "behaviour": Field(TEXT, "the path of the behaviour, from this file", True),
    "name": Field(TEXT, "which behaviour of a project or package"),
    "rewrite": Field(FLAG, "turn scripts for Python 2 into Python 3 (true)"),
    "imports": Field(TEXTS, "paths of folders whose modules the boxes import, besides their own"),
    "lines": Field(TEXT, "the path of a JSON file with NAO's lines: their wordings by key"),
    "talks": Field(_TALKS, "the talks by name: a list of steps, or a mapping with steps and more", True),
    **_SETUP,
}
TABLES: dict[str, Table] = {
    "file": FILE,
    "talk": TALK,
    "step": STEP,
    "check": CHECK,
    "not": _NOT,
    "interruption": INTERRUPTION,
    "answer": ANSWER,
    "robot": ROBOT,
    "faults": FAULTS,
    "allowed": ALLOWED,
}


# Reading by the table.


def read_fields(node: Node, table: Table) -> dict[str, Any]:
    """Return the values of a mapping by the names of the table's fields; raises WrongTalk."""
    if not isinstance(node.value, dict):
        raise _refuse(node, f"a mapping with {', '.join(list(table)[:5])}")
    for name, place in node.keys.items():
        if name not in table:
            above = [each for each in table if each in node.value and node.value[each].value is None]
            if above:
                raise place.refuse(f'{quote(name)} is not known here: if it belongs to "{above[0]}", indent it.')
            raise place.refuse(f"{quote(name)} is not known here{_suggest(name, tuple(table))}")
    for name, field in table.items():
        if field.is_needed and name not in node.value:
            raise node.place.refuse(f'"{name}" is missing here: {field.meaning}.')
    return {name: table[name].kind.read(each) for name, each in node.value.items()}


# The JSON Schema.


def make_schema() -> dict[str, Any]:
    """Return the JSON Schema of a file of talks."""
    parts = {name: _describe_table(table) for name, table in TABLES.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Talks with a NAO",
        **parts.pop("file"),
        "$defs": parts,
    }


def _describe_table(table: Table) -> dict[str, Any]:
    needed = [name for name, field in table.items() if field.is_needed]
    fields = {name: _describe_field(field) for name, field in table.items()}
    found: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": fields}
    return {**found, "required": needed} if needed else found


def _describe_field(field: Field) -> dict[str, Any]:
    schema = field.kind.schema
    takes_any_text = schema.get("type") in ("string", "object", "array") or "$ref" in schema
    schema = schema if takes_any_text else {"anyOf": [*schema.get("anyOf", [schema]), _PLACEHOLDER]}
    return {**schema, "description": field.meaning}
