"""The verbs of a person with a robot, to act and to observe: one table for all servers and clients.

Each verb is the name of a method and of a request whose fields are its arguments. `read_arguments` checks a request,
`name_arguments` makes its fields, and `list_signatures` has the libqi signatures of `SimulatedHuman`'s methods.
"""

from __future__ import absolute_import, division, print_function

from collections import OrderedDict, namedtuple

from naosim.compat import NUMBER_TYPES, TEXTS, native, quote
from naosim.errors import WireError
from naosim.remote import pack_value, read_field, read_text_field, unpack_value
from naosim.robot import MAX_ADVANCE_S

MYPY = False
if MYPY:
    from typing import Any, Iterator, Mapping, Sequence

    from naosim.compat import JsonValue

MAX_PHRASE_LENGTH = 4000  # characters
_MAX_SILENCE_S = 1e6  # simulated seconds
_MAX_HYPOTHESES = 10  # the maximum of ALSpeechRecognition's parameter NbHypotheses


def _read_phrase(request, name):  # type: (dict[str, JsonValue], str) -> str
    return _check_length(read_text_field(request, name))


def _check_length(phrase):  # type: (str) -> str
    if len(phrase) > MAX_PHRASE_LENGTH:
        raise WireError("a phrase of %d characters is too long: use at most %d" % (len(phrase), MAX_PHRASE_LENGTH))
    return phrase


def _read_confidence(request, name):  # type: (dict[str, JsonValue], str) -> float
    return _check_confidence(request.get(name, 0.9))


def _check_confidence(confidence):  # type: (object) -> float
    if isinstance(confidence, bool) or not isinstance(confidence, NUMBER_TYPES) or not 0 <= confidence <= 1:
        raise WireError("the confidence %.60r is not a number from 0 to 1" % (confidence,))
    return float(confidence)


def _read_hypotheses(request, name):  # type: (dict[str, JsonValue], str) -> list[tuple[str, float]]
    """Return pairs of a phrase and a confidence, the best first; an empty list if the recogniser rejects the sound."""
    given = read_field(request, name, (list,), [])
    if len(given) > _MAX_HYPOTHESES:
        raise WireError("%d hypotheses are too many: use at most %d" % (len(given), _MAX_HYPOTHESES))
    return [_check_hypothesis(pair) for pair in given]


def _check_hypothesis(pair):  # type: (object) -> tuple[str, float]
    if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], TEXTS):
        raise WireError("a hypothesis is a phrase with a confidence, not %.60r" % (pair,))
    return _check_length(native(pair[0])), _check_confidence(pair[1])


def _read_seconds(request, name):  # type: (dict[str, JsonValue], str) -> float | None
    seconds = read_field(request, name, NUMBER_TYPES + (type(None),), None)
    if seconds is not None and not 0 <= seconds < _MAX_SILENCE_S:
        how = "shorter than none" if seconds < 0 else "too long"
        raise WireError("a silence of %r seconds is %s" % (seconds, how))
    return seconds  # type: ignore[no-any-return]


def _read_value(request, name):  # type: (dict[str, JsonValue], str) -> object
    return unpack_value(request.get(name))


def _read_limit(request, name):  # type: (dict[str, JsonValue], str) -> float
    seconds = _read_seconds(request, name)
    return MAX_ADVANCE_S if seconds is None else seconds


def _read_flag(request, name):  # type: (dict[str, JsonValue], str) -> bool
    return bool(read_field(request, name, (bool,), False))


def _read_optional_text(request, name):  # type: (dict[str, JsonValue], str) -> str
    return read_text_field(request, name, "")


def _read_direction(request, name):  # type: (dict[str, JsonValue], str) -> str
    return read_text_field(request, name, "front")


def _read_object(request, name):  # type: (dict[str, JsonValue], str) -> dict[str, JsonValue]
    return read_field(request, name, (dict,), {})  # type: ignore[no-any-return]


def _read_list(request, name):  # type: (dict[str, JsonValue], str) -> list[object]
    return read_field(request, name, (list,), [])  # type: ignore[no-any-return]


#: An argument: its name, libqi's signature, whether it can be left out, and the function that reads it from a request.
Argument = namedtuple("Argument", "name signature is_optional read")
#: A verb: its arguments, and libqi's signature of its result.
Verb = namedtuple("Verb", "arguments returns")

_KEY = Argument("key", "s", False, read_text_field)
_VALUE = Argument("value", "m", False, _read_value)
_SECONDS = Argument("seconds", "f", True, _read_seconds)
_SENSOR = Argument("sensor", "s", False, read_text_field)
_PHRASE = Argument("phrase", "s", False, _read_phrase)
_CONFIDENCE = Argument("confidence", "f", True, _read_confidence)
_DIRECTION = Argument("direction", "s", True, _read_direction)
_HYPOTHESES = Argument("hypotheses", "m", False, _read_hypotheses)

#: The verbs by name: first a person's acts, then a person's observations.
VERBS = OrderedDict(
    [
        ("hear", Verb((_PHRASE, _CONFIDENCE), "v")),
        ("touch", Verb((_SENSOR,), "v")),
        ("press", Verb((_SENSOR,), "v")),
        ("release", Verb((_SENSOR,), "v")),
        ("push", Verb((_DIRECTION,), "v")),
        ("event", Verb((_KEY, _VALUE), "v")),
        ("stay_silent", Verb((_SECONDS,), "v")),
        ("begin_to_speak", Verb((), "v")),
        ("speak", Verb((_HYPOTHESES,), "v")),
        ("ears", Verb((), "m")),
        ("state", Verb((), "m")),
        ("said", Verb((), "[s]")),
    ]
)

_FILE = Argument("file", "s", False, read_text_field)
_LOAD_OPTIONS = (
    Argument("rewrite", "b", True, _read_flag),
    Argument("parameters", "m", True, _read_object),
    Argument("behaviour", "s", True, _read_optional_text),
    Argument("dialogs", "m", True, _read_list),
)
#: The verbs of a program that drives a robot: methods of `Robot`.
DRIVING = {
    "load": Verb((_FILE,) + _LOAD_OPTIONS, "v"),
    "start": Verb((), "v"),
    "stop": Verb((), "v"),
    "advance": Verb((Argument("seconds", "f", True, _read_limit),), "v"),
    "wait": Verb((_SECONDS,), "v"),
    "get": Verb((_KEY,), "m"),
    "set": Verb((_KEY, _VALUE), "v"),
    "leaks": Verb((), "[s]"),
    "forget": Verb((), "v"),
}  # type: dict[str, Verb]


def read_arguments(verbs, request):  # type: (Mapping[str, Verb], dict[str, JsonValue]) -> list[Any]
    """Return the arguments of a request's verb; raises WireError for an unknown verb or a wrong argument."""
    verb = request.get("do")
    found = verbs.get(verb) if isinstance(verb, str) else None
    if found is None:
        raise WireError("do not know how to %s" % quote(verb))
    return [argument.read(request, argument.name) for argument in found.arguments]


def name_arguments(verbs, verb, args):  # type: (Mapping[str, Verb], str, Sequence[object]) -> dict[str, JsonValue]
    """Return the fields of a request; raises WireError for an unknown verb or too many arguments.

    Raises DoesNotTravel for an object.

    >>> sorted(name_arguments(VERBS, "hear", ["yes", 0.5]).items())
    [('confidence', 0.5), ('phrase', 'yes')]
    """
    if verb not in verbs:
        raise WireError("a person cannot %s: use one of %s" % (quote(verb), ", ".join(sorted(verbs))))
    names = [argument.name for argument in verbs[verb].arguments]
    if len(args) > len(names):
        raise WireError("%s takes at most %d arguments, not %d" % (verb, len(names), len(args)))
    return dict(zip(names, map(pack_value, args)))


def list_names(verb):  # type: (str) -> list[str]
    """Return the names of the arguments of a person's verb."""
    return [argument.name for argument in VERBS[verb].arguments]


def list_signatures():  # type: () -> Iterator[tuple[str, tuple[str, ...], str]]
    """Yield the verbs with libqi's signatures of arguments and results; twice if an argument is optional."""
    for verb, (arguments, returns) in VERBS.items():
        for count in range(len(arguments) + 1):
            if all(argument.is_optional for argument in arguments[count:]):
                yield verb, tuple(argument.signature for argument in arguments[:count]), returns
