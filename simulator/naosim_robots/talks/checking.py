"""What NAO must have done: comparison of its events with a `Check`, and the transcript with the line that differs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from naosim.cli import Transcript, transcript_line
from naosim.compat import quote
from naosim.errors import NaosimError
from naosim.robot import Ears
from naosim.world import Event

from .format import Seconds, TextPattern
from .reader import Node, Place
from .talk import Check

_MAX_QUOTED = 160  # characters of NAO's words that a sentence quotes
_MAX_LINES = 40  # of a transcript in a report
_LIGHTS = ("eyes", "leds")
#: What NAO does, as a sentence says it of NAO.
_VERBS = {"say": "says", "do": "does", "light": "lights"}
#: Events that are not what NAO does: its words, its lights, and what happens to it.
_NOT_DONE = ("say", "hear", "touch", "event", *_LIGHTS)


class Difference(NaosimError):
    """NAO did something else; `event` is the number of the event that differs, None if it is one that is missing."""

    def __init__(self, place: Place, sentence: str, wanted: str = "", event: int | None = None) -> None:
        super().__init__(f"{place.file}:{place.line}: {sentence}")
        self.place, self.wanted, self.event = place, wanted, event


class Moment(NamedTuple):
    """What can be checked after an act: the events since then with the number of the first one, and the robot."""

    events: Sequence[Event]
    first: int
    act_time: float
    ears: Ears
    has_ended: bool
    get: Callable[[str], Any]

    def list_words(self) -> list[tuple[int, str]]:
        """Return what NAO said, with the numbers of the events."""
        return self._list(lambda event: str(event.fields.get("plain") or event.fields.get("text", "")), ("say",))

    def list_lights(self) -> list[tuple[int, str]]:
        """Return the lights that changed, as the transcript names them."""
        return self._list(lambda event: f"{event.fields.get('group')} {event.fields.get('colour')}", _LIGHTS)

    def list_deeds(self) -> list[tuple[int, str]]:
        """Return what else NAO did, as the transcript names it."""
        kinds = {event.kind for event in self.events}.difference(_NOT_DONE)
        return [(number, text) for number, text in self._list(_describe_event, tuple(kinds)) if text]

    def _list(self, describe: Callable[[Event], str], kinds: Sequence[str]) -> list[tuple[int, str]]:
        found = ((self.first + at, event) for at, event in enumerate(self.events) if event.kind in kinds)
        return [(number, " ".join(describe(event).split())) for number, event in found]


def _describe_event(event: Event) -> str:
    return (transcript_line(event, False) or "").partition(" s  ")[2]


# Checks.


def check_moment(check: Check, moment: Moment, within: Seconds | None = None) -> None:
    """Raise Difference if something that must be so is not."""
    _check_patterns(check.says, "say", moment.list_words(), moment, within, check.place)
    _check_patterns(check.line, "say", moment.list_words(), moment, within, check.place)
    _check_patterns(check.does, "do", moment.list_deeds(), moment, within, check.place)
    _check_patterns(check.lights, "light", moment.list_lights(), moment, within, check.place)
    for key, wanted in (check.memory or {}).items():
        where, value, found = _find_misfit(wanted, moment.get(key), key)
        if where:
            raise Difference(
                value.place,
                f"{where} must be {_show(value.to_plain())}, but is {_show(found)}.",
                _show(value.to_plain()),
            )
    if check.listens is not None:
        _check_ears(check.listens, check.place, moment.ears)
    if check.ended is not None and check.ended != moment.has_ended:
        how = "must have ended, but waits for the person" if check.ended else "must go on, but has ended"
        raise Difference(check.place, f"the behaviour {how}.", f"ended: {str(check.ended).lower()}")


def check_forbidden(check: Check, moment: Moment) -> None:
    """Raise Difference if something happened that must not."""
    for patterns, verb, found in (
        (check.says, "say", moment.list_words()),
        (check.line, "say", moment.list_words()),
        (check.does, "do", moment.list_deeds()),
        (check.lights, "light", moment.list_lights()),
    ):
        for pattern in patterns or ():
            hit = _Texts(found).find(pattern, 0)
            if hit is not None:
                raise Difference(
                    pattern.place, f"NAO must not {verb} {quote(pattern.text)}.", f"not {pattern.text}", hit.event
                )
    for key, unwanted in (check.memory or {}).items():
        if fits_value(unwanted, moment.get(key)):
            raise Difference(unwanted.place, f"{key} must not be {_show(unwanted.to_plain())}.")
    for phrase in check.listens or ():
        if phrase in moment.ears.vocabulary:
            raise Difference(check.place, f"NAO must not listen for {quote(phrase)}.")


def check_end(check: Check, moment: Moment) -> None:
    """Raise Difference if something is not so at the end of a talk; lights are those that changed last."""
    check_moment(check._replace(lights=None), moment)
    _check_patterns(check.lights, "light", moment.list_lights()[-1:], moment, None, check.place)


def holds(check: Check, moment: Moment) -> bool:
    """Return whether all is so."""
    try:
        check_moment(check, moment)
    except Difference:
        return False
    return True


class _Hit(NamedTuple):
    event: int
    end: int


class _Texts:
    """Texts of events, as one text in which patterns are found."""

    def __init__(self, texts: Sequence[tuple[int, str]]) -> None:
        self.text = " ".join(text for _, text in texts)
        self._events = [number for number, _ in texts]
        self._ends = list(accumulate(len(text) + 1 for _, text in texts))

    def find(self, pattern: TextPattern, start: int) -> _Hit | None:
        found = pattern.regex.search(self.text, start) if self._events else None
        if found is None:
            return None
        number = next(at for at, end in enumerate(self._ends) if found.start() < end)
        return _Hit(self._events[number], found.end())


def _check_patterns(
    patterns: list[TextPattern] | None,
    verb: str,
    found: list[tuple[int, str]],
    moment: Moment,
    within: Seconds | None,
    place: Place,
) -> None:
    if patterns is None:
        return
    last = found[-1][0] if found else None
    if not patterns and found:
        raise Difference(
            place, f"NAO must {verb} nothing, but {_VERBS[verb]} {_quote_all(found)}.", "nothing", found[0][0]
        )
    texts, at = _Texts(found), 0
    for pattern in patterns:
        hit = texts.find(pattern, at)
        if hit is None:
            does = f"but {_VERBS[verb]} {_quote_all(found) if found else 'nothing'}"
            later = " after that" if at else ""
            raise Difference(
                pattern.place, f"NAO must {verb} {quote(pattern.text)}{later}, {does}.", pattern.text, last
            )
        at = hit.end
        late = moment.events[hit.event - moment.first].time - moment.act_time
        if within is not None and late > within.seconds + 1e-6:
            raise Difference(
                within.place,
                f"NAO must {verb} {quote(pattern.text)} within {within.seconds:g} s, but it takes {late:.1f} s.",
                f"within {within.seconds:g} s",
                hit.event,
            )


def _quote_all(found: Iterable[tuple[int, str]]) -> str:
    text = " ".join(text for _, text in found)
    return quote(text if len(text) <= _MAX_QUOTED else f"... {text[-_MAX_QUOTED:]}")


def _check_ears(phrases: list[str], place: Place, ears: Ears) -> None:
    if not phrases and ears.engine is not None:
        raise Difference(
            place, f"NAO must not listen, but listens for {', '.join(ears.vocabulary[:10])}.", "listens: []"
        )
    for phrase in phrases:
        if phrase not in ears.vocabulary:
            listens = f"for {', '.join(ears.vocabulary[:10])}" if ears.engine is not None else "to nothing"
            raise Difference(place, f"NAO must listen for {quote(phrase)}, but listens {listens}.", phrase)


def fits_value(wanted: Node, found: Any) -> bool:
    """Return whether a value of ALMemory is the one that is wanted.

    A mapping fits a dict, or JSON text of one, that has these fields; a /pattern/ fits a text in which it is found.
    """
    value = wanted.value
    if isinstance(value, dict):
        return not _find_misfit(wanted, found, ".")[0]
    if isinstance(value, list):
        is_list = isinstance(found, list | tuple) and len(found) == len(value)
        return is_list and all(map(fits_value, value, found))
    if isinstance(value, str) and len(value) > 2 and value[0] == value[-1] == "/":
        return isinstance(found, str) and re.search(value[1:-1], found) is not None
    return isinstance(value, bool) == isinstance(found, bool) and bool(value == found)


def _find_misfit(wanted: Node, found: Any, where: str) -> tuple[str, Node, Any]:
    """Return the name of the first field that does not fit, what is wanted there and what is there; "" if all fits."""
    fields = _read_json(found) if isinstance(wanted.value, dict) else None
    if isinstance(fields, dict):
        inside = (_find_misfit(each, fields.get(key), f"{where} {key}") for key, each in wanted.value.items())
        return next((each for each in inside if each[0]), ("", wanted, found))
    fits = not isinstance(wanted.value, dict) and fits_value(wanted, found)
    return "" if fits else where, wanted, found


def _read_json(found: Any) -> Any:
    try:
        return json.loads(found) if isinstance(found, str) else found
    except (ValueError, RecursionError):
        return None


def _show(value: Any) -> str:
    """Return a value as a talk writes it."""
    text = json.dumps(value, ensure_ascii=False, default=lambda each: f"<{type(each).__name__}>")
    return text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}..."


# The transcript.


def write_transcript(
    events: Sequence[Event], difference: Difference | None = None, most: int = _MAX_LINES
) -> list[str]:
    """Return the transcript; the line that differs begins with ">", and what is wanted comes below it."""
    transcript, lines, at = Transcript(), [], None
    for number, event in enumerate(events):
        lines += transcript.lines(event)
        if difference is not None and difference.event == number:
            at = len(lines)
    lines += transcript.rest()
    if difference is not None and difference.wanted:
        at = len(lines) if at is None else at
        if difference.event is not None and at:
            lines[at - 1] = f">{lines[at - 1][1:]}"
        lines.insert(at, f">{'wanted':>16}    {difference.wanted}")
        lines = lines[: at + 11]
    return [f"... {len(lines) - most} lines before", *lines[-most:]] if len(lines) > most else lines
