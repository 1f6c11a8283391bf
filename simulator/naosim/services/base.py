"""The base class of every fake service: it checks arguments, words errors and says which methods can be called.

`declare` gives a class the methods that only store a setting, return a constant or do nothing; `compose` adds the
methods of its parts. Text stays in the native `str` of the interpreter, as NAOqi hands it to a script: these
modules use no unicode literals.
"""

from __future__ import absolute_import, division, print_function

import re
from operator import attrgetter

from naosim.compat import NUMBER_TYPES
from naosim.scheduler import SimEvent
from naosim.services.module_methods import MODULE_METHODS
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, FrozenSet, Iterator, List, Optional, Sequence, Tuple, Type, TypeVar

    from naosim.compat import ALValue

    Method = TypeVar("Method", bound=Callable[..., ALValue])
    ServiceClass = TypeVar("ServiceClass", bound=Type["Service"])

_MAX_TEXT_LENGTH = 20000  # characters of a text argument
MAX_LIST_ITEMS = 10000  # entries in one list argument
_MAX_SIGNATURE_LENGTH = 200  # characters that a sentence quotes
_MAX_NUMBER = 1e300  # greater numbers count as infinite
_MAX_FRAME_RATE = 30  # images a second
_MAX_ASKED_FRAME_RATE = 1000  # images a second; a program that asks for more is refused
_LOCAL_METHODS = frozenset(["call", "remote", "leftovers", "press", "release", "name", "world"])
_KINDS = {"str": "String", "unicode": "Void", "bytes": "Raw", "bytearray": "Raw", "int": "Int", "long": "Int"}
_LETTERS = {"String": "s", "Raw": "r", "Int": "i", "Float": "f", "Bool": "b"}


def _name_kind(value):  # type: (ALValue) -> str
    """Return the name of a value's type as the robot's messages spell it."""
    name = type(value).__name__
    return _KINDS.get(name, "Void" if value is None else name.capitalize())


def resolve_arguments(args):  # type: (Sequence[ALValue]) -> str
    """Return the signature that libqi finds for arguments, as its sentences quote it.

    >>> resolve_arguments(["StandZero", 1.0, 1, True, [["a"], []], {}])
    '(sfib[m]m)'
    """
    found = []
    for value in args:
        kinds = sorted({resolve_arguments([each])[1:-1] for each in value}) if isinstance(value, (list, tuple)) else []
        inner = kinds[0] if len(kinds) == 1 else "m"
        found.append("[%s]" % inner if isinstance(value, (list, tuple)) else _LETTERS.get(_name_kind(value), "m"))
    text = "(%s)" % "".join(found)
    return text if len(text) <= _MAX_SIGNATURE_LENGTH else text[:_MAX_SIGNATURE_LENGTH] + "..."


def overloads(*lists):  # type: (*str) -> Callable[[Method], Method]
    """Declare the overloads of a method if its defaults and type comment would give others than NAOqi lists.

    Each is the signatures of its parameters with blanks between: `overloads("s s f", "s f f f f")`.
    """

    def declare(method):  # type: (Method) -> Method
        method.__dict__["overloads"] = lists
        return method

    return declare


def is_numpy_scalar(value):  # type: (ALValue) -> bool
    """Return whether a value is a number or flag of numpy's, which counts as Python's own."""
    return (
        type(value).__module__ == "numpy" and getattr(value, "shape", None) == () and type(value).__name__ != "ndarray"
    )


def read_signals(text):  # type: (str) -> Dict[str, str]
    """Return the signatures of signals, by name.

    >>> sorted(read_signals("videoStarted() serviceStarted(si)").items())
    [('serviceStarted', '(si)'), ('videoStarted', '()')]
    """
    return {word.partition("(")[0]: word[word.index("(") :] for word in text.split()}


def split_signature(signature):  # type: (str) -> List[str]
    """Return the signatures of the arguments of a signal.

    >>> split_signature("(s[(si)]m)")
    ['s', '[(si)]', 'm']
    """
    found, depth = [], 0  # type: List[str], int
    for letter in signature[1:-1]:
        found[len(found) if not depth else -1 :] = [letter if not depth else found[-1] + letter]
        depth += (letter in "([{") - (letter in ")]}")
    return found


class CallbackSignal(object):
    """A signal of an object that a service returns; `run(world, callback, value)` calls a callback."""

    def __init__(self, world, run):
        # type: (World, Callable[[World, Callable[[ALValue], object], ALValue], object]) -> None
        self._world, self._run, self._count = world, run, 0
        self._callbacks = {}  # type: Dict[int, Callable[[object], object]]

    def connect(self, callback):  # type: (Callable[[object], object]) -> int
        """Call `callback(value)` from now on and return the number of the link."""
        self._count += 1
        self._callbacks[self._count] = callback
        return self._count

    def disconnect(self, link):  # type: (int) -> bool
        """End a link; return False for an unknown number."""
        return self._callbacks.pop(link, None) is not None

    def send(self, value):  # type: (ALValue) -> None
        """Call the callbacks, in the order of their connections."""
        for _, callback in sorted(self._callbacks.items()):
            self._run(self._world, callback, value)


class Service(object):
    """A fake NAOqi service: proxies can call its public camelCase methods."""

    #: The signals that a qi session shows, with libqi's signatures: each is the event "Service/signal" in ALMemory.
    signals = {}  # type: Dict[str, str]
    #: The methods with a "_" in their names: programs may call them, but lists of methods leave them out.
    private_methods = frozenset()  # type: FrozenSet[str]
    #: The declared settings, the base classes' first, and their first values by name.
    declared = ()  # type: Tuple[Setting, ...]
    first_values = {}  # type: Dict[str, ALValue]
    #: The names of the attributes with the parts (see `compose`).
    parts = ()  # type: Tuple[str, ...]
    _hidden = frozenset(["stopAll"])  # public methods that programs cannot call
    #: ALMemory calls it with the name and value of each event to which the service has subscribed by `hear_for`.
    take_event = None  # type: Optional[Callable[[str, ALValue], None]]

    def __init__(self, world, name=None):  # type: (World, Optional[str]) -> None
        self.world = world
        self.name = name or type(self).__name__
        if self.signals:
            lacking = world.lacking_methods
            self.signals = {each: self.signals[each] for each in self.signals if self.name + "." + each not in lacking}
        self._kept = dict(self.first_values)  # type: Dict[str, Any]
        self._timed_calls = []  # type: List[SimEvent]
        self._called = {}  # type: Dict[str, Tuple[Callable[..., object], FrozenSet[int]]]

    def remote(self, method):  # type: (str) -> Callable[..., object]
        """Return the method that a proxy asks for; raise RuntimeError if there is no such method."""
        is_local = ("_" in method and method not in self.private_methods) or method in _LOCAL_METHODS | self._hidden
        is_lacking = is_local or "%s.%s" % (self.name, method) in self.world.lacking_methods
        found = None if is_lacking else getattr(self, method, None)
        if not callable(found):
            raise RuntimeError("\t%s::%s\n\tCan't find method: %s" % (self.name, method, method))
        return found  # type: ignore[no-any-return]

    def call(self, method, args):  # type: (str, Sequence[ALValue]) -> ALValue
        """Call a method as a proxy does; raise RuntimeError for an unknown method or a wrong number of arguments."""
        known = self._called.get(method)
        if known is None:
            try:
                found = self.remote(method)
            except RuntimeError as error:
                raise RuntimeError("%s (resolved to '%s')" % (error, resolve_arguments(args)))
            known = self._called[method] = found, self._counts(found)
        found, counts = known
        if len(args) not in counts:
            given, wanted = resolve_arguments(args), " or ".join(map(str, sorted(counts)))
            reason = "Arguments types did not match for %s (resolved to '%s'): it takes %s" % (method, given, wanted)
            raise self._error(method, reason)
        return found(*args)

    def leftovers(self):  # type: () -> List[str]
        """List, in plain sentences, the things that a program left open here."""
        return [left for part in self.parts for left in getattr(self, part).leftovers()]

    def stopAll(self):  # type: () -> None
        """Interrupt the calls that are taking time; only some services offer this to programs."""
        for event in list(self._timed_calls):
            event.set()
        for part in self.parts:
            getattr(self, part).stopAll()

    def ping(self):  # type: () -> bool
        """Return True: the service is alive."""
        return True

    def version(self):  # type: () -> str
        """Return the version of NAOqi that is simulated."""
        return str(self.world.naoqi_version)

    def getMethodList(self):  # type: () -> List[str]
        """List the methods that a proxy may call."""
        lacking = {each.split(".")[1] for each in self.world.lacking_methods if each.startswith(self.name + ".")}
        return [name for name in self.list_methods() if name not in lacking]

    def list_methods(self):  # type: () -> List[str]
        """List the methods that the service has in some version of NAOqi."""
        left_out = _LOCAL_METHODS | self._hidden
        names = (name for name in dir(type(self)) if "_" not in name and name not in left_out)
        return sorted(name for name in names if callable(getattr(self, name)))

    @staticmethod
    def _counts(method):  # type: (Callable[..., ALValue]) -> FrozenSet[int]
        """Return the numbers of arguments that a method can be called with."""
        declared = getattr(method, "overloads", None)
        most, defaults = method.__code__.co_argcount - 1, method.__defaults__ or ()
        counts = range(most - len(defaults), most + 1) if declared is None else [len(each.split()) for each in declared]
        return frozenset(counts)

    def _error(self, method, reason):  # type: (str, str) -> RuntimeError
        return RuntimeError("\t%s::%s\n\t%s" % (self.name, method, reason))

    def _make_type_error(self, value, wanted, method, position):  # type: (ALValue, str, str, int) -> RuntimeError
        reason = "Call argument number %d conversion failure from %s to %s." % (position, _name_kind(value), wanted)
        return self._error(method, reason)

    def _text(self, value, method, position=0):  # type: (ALValue, str, int) -> str
        """Check that a value is a native text of bounded length, and return it."""
        if type(value) is not str:
            self.world.text_out(value, "%s::%s" % (self.name, method))
            raise self._make_type_error(value, "String", method, position)
        if len(value) > _MAX_TEXT_LENGTH:
            counts = (len(value), _MAX_TEXT_LENGTH)
            raise self._error(method, "A text of %d characters is too long: at most %d are accepted." % counts)
        return value

    def _path(self, value, method, position=0):  # type: (str, str, int) -> str
        """Check that a value is a text that can name a file, and return it."""
        if "\0" in self._text(value, method, position):
            raise self._error(method, "The path %.60r has a NUL character, which paths cannot have." % value)
        return value

    def _number(self, value, method, position=0, low=None, high=None):
        # type: (Any, str, int, Optional[float], Optional[float]) -> float
        """Check that a value is a finite number, within limits if there are any, and return it as a float."""
        if type(value) not in NUMBER_TYPES:
            if not is_numpy_scalar(value):
                raise self._make_type_error(value, "Float", method, position)
            value = value.item()
        if not abs(value) < _MAX_NUMBER:
            raise self._error(method, "Call argument number %d is %r, a finite number is needed." % (position, value))
        if (low is not None and value < low) or (high is not None and value > high):
            raise self._error(method, "Value %r is out of range [%s, %s]." % (value, low, high))
        return float(value)

    def _frame_rate(self, value, method, position=0):  # type: (ALValue, str, int) -> int
        """Check and return a number of images a second; for more than the cameras have, warn and return theirs."""
        asked = int(self._number(value, method, position, 1, _MAX_ASKED_FRAME_RATE))
        if asked > _MAX_FRAME_RATE:
            text = "The cameras have %d images a second, not %d." % (_MAX_FRAME_RATE, asked)
            self.world.warn("%s.%s" % (self.name, method), text)
        return min(asked, _MAX_FRAME_RATE)

    def _flag(self, value, method, position=0):  # type: (ALValue, str, int) -> bool
        """Check that a value is a boolean, and return it; 0 and 1 are converted, as on the robot."""
        if not (isinstance(value, (bool, int)) or is_numpy_scalar(value)) or value not in (0, 1):
            raise self._make_type_error(value, "Bool", method, position)
        return bool(value)

    def _list(self, value, method, position=0):  # type: (ALValue, str, int) -> List[Any]
        """Check that a value is a list or tuple of bounded length, and return it as a list."""
        if not isinstance(value, (list, tuple)):
            raise self._make_type_error(value, "List", method, position)
        if len(value) > MAX_LIST_ITEMS:
            counts = (len(value), MAX_LIST_ITEMS)
            raise self._error(method, "A list of %d entries is too long: at most %d are accepted." % counts)
        return list(value)

    def _texts(self, value, method, position=0):  # type: (ALValue, str, int) -> List[str]
        """Check that a value is a list of texts, and return it."""
        items = self._list(value, method, position)
        # A vocabulary has a hundred texts: they are checked one by one only if one is wrong.
        if set(map(type, items)) != {str} or max(map(len, items)) > _MAX_TEXT_LENGTH:
            items = [self._text(item, method, position) for item in items]
        return items

    def _one_of(self, value, known, method, what):  # type: (ALValue, Sequence[str], str, str) -> str
        """Check that a text is one of the known names, and return it."""
        if self._text(value, method) not in known:
            raise self._error(method, "Unknown %s: %r. Known: %s." % (what, value, ", ".join(known) or "none"))
        return str(value)

    def _names(self, value, known, method, what):  # type: (ALValue, Sequence[str], str, str) -> List[str]
        """Check that a value is one known name or a list of them, and return a list."""
        names = [value] if isinstance(value, str) else self._list(value, method)
        return [self._one_of(name, known, method, what) for name in names]

    def _languages(self):  # type: () -> List[str]
        return [str(language) for language in self.world.languages]

    def _emit(self, signal, *values):  # type: (str, *ALValue) -> None
        """Send a signal; its value in ALMemory is None, the only argument or the list of all arguments."""
        value = values[0] if len(values) == 1 else list(values) or None
        self.world.memory.raiseEvent("%s/%s" % (self.name, signal), value)

    def _take_time(self, seconds, event=None):  # type: (Optional[float], Optional[SimEvent]) -> bool
        """Wait for `seconds` seconds, or without end for None; return True if the call was interrupted before.

        Setting `event` interrupts only this call.
        """
        event = event or SimEvent(self.world.clock)
        self._timed_calls.append(event)
        try:
            return self.world.clock.wait(event, seconds)
        finally:
            self._timed_calls.remove(event)


#: The methods of every module.
COMMON_METHODS = frozenset(MODULE_METHODS).union(["getMethodList", "ping", "version"])
# A loop, so that services can have methods of the same names with other parameters.
for _name, (_, _module_method) in MODULE_METHODS.items():
    setattr(Service, _name, _module_method)


# Services made of parts.


def compose(*parts):  # type: (*Tuple[str, Type[Service]]) -> Callable[[ServiceClass], ServiceClass]
    """Give a class of services the methods of its parts, except those that the class itself defines.

    Each part is the name of an attribute and the class of its value: a service with the name of the whole.
    """

    def add_methods(service):  # type: (ServiceClass) -> ServiceClass
        service.parts = tuple(part for part, _ in parts)
        for part, kind in parts:
            for name, function in vars(kind).items():
                is_own = "_" in name or name in _LOCAL_METHODS | kind._hidden
                if not is_own and name not in vars(service) and callable(function):
                    setattr(service, name, property(attrgetter("%s.%s" % (part, name))))
        return service

    return add_methods


# Subscriptions.


class Subscribers(object):
    """The programs that subscribed to one service, in order of arrival.

    >>> names = Subscribers()
    >>> names.add("Game"), names.add("Game"), names.remove("Game"), names.remove("Game")
    (True, False, True, False)
    """

    def __init__(self):  # type: () -> None
        self._settings = {}  # type: Dict[str, Tuple[int, float]]
        self._order = []  # type: List[str]

    def add(self, name, period=500, precision=0.0):  # type: (str, int, float) -> bool
        """Add a program, or update its settings; return False if it was there already."""
        new = name not in self._settings
        if new:
            self._order.append(name)
        self._settings[name] = (period, precision)
        return new

    def remove(self, name):  # type: (str) -> bool
        """Remove a program; return False if it is not there."""
        if self._settings.pop(name, None) is None:
            return False
        self._order.remove(name)
        return True

    def __iter__(self):  # type: () -> Iterator[str]
        return iter(list(self._order))

    def __len__(self):  # type: () -> int
        return len(self._order)

    def __contains__(self, name):  # type: (ALValue) -> bool
        return name in self._settings

    def settings(self, name):  # type: (str) -> Tuple[int, float]
        """Return the period and precision that a program asked for; raise KeyError if it is not there."""
        return self._settings[name]

    def rows(self):  # type: () -> List[List[ALValue]]
        """List name, period and precision of each program, as getSubscribersInfo does."""
        return [[name, self._settings[name][0], self._settings[name][1]] for name in self._order]


# Declared methods that only store a setting, return a constant or do nothing.
#
# A program sets such a setting and reads it back; it changes nothing on the simulated robot. One line declares a setter
# that checks the value and a getter that returns it:
#
#     @declare(number_setting("MinSize", 0.1, (0.0, 20.0), "the smallest movement that counts, in metres"))
#     class ALWavingDetection(SwitchedExtractor):
#
# gives the class `setMinSize` and `getMinSize`. The values are in `_kept` of the service, by the name of the setting.


class Setting(object):
    """A declared setting: its name ("" if it keeps no value), its first value and its methods by name.

    `values` are the least and the greatest value of a number, all values of a choice or a switch, else examples.
    """

    def __init__(self, name="", default=None, values=()):  # type: (str, ALValue, Sequence[ALValue]) -> None
        self.name, self.default, self.values = name, default, values
        self.methods = {}  # type: Dict[str, Callable[..., ALValue]]

    def add(self, method, function, comment, doc):  # type: (str, Callable[..., ALValue], str, str) -> None
        """Add a method with its type comment, from which its signature over libqi is made."""
        function.__name__, function.__doc__, function.__dict__["type_comment"] = method, doc, comment
        self.methods[method] = function


def declare(*settings):  # type: (*Setting) -> Callable[[ServiceClass], ServiceClass]
    """Give a class of services the methods of its settings, except those that the class itself defines."""

    def add_methods(service):  # type: (ServiceClass) -> ServiceClass
        service.declared = service.declared + settings
        service.first_values = {each.name: each.default for each in service.declared if each.name}
        for each in settings:
            for name, function in each.methods.items():
                if name not in vars(service):
                    setattr(service, name, function)
        return service

    return add_methods


def number_setting(name, default, limits, what, names=("set%s", "get%s"), answer=None):
    # type: (str, float, Tuple[float, float], str, Tuple[str, str], ALValue) -> Setting
    """Declare a number within limits, whole if its default is; `answer` is the setter's result."""
    kind = type(default)

    def check(service, value, method):  # type: (Service, ALValue, str) -> ALValue
        return kind(service._number(value, method, 0, *limits))

    return _make_setting(Setting(name, default, limits), what, names, check, kind.__name__, answer)


def switch(name, default, what, names=("set%sEnabled", "is%sEnabled")):
    # type: (str, bool, str, Tuple[str, str]) -> Setting
    """Declare a flag; `what` is a clause, such as "a face is followed"."""

    def check(service, value, method):  # type: (Service, ALValue, str) -> ALValue
        return service._flag(value, method)

    return _make_setting(Setting(name, default, (True, False)), "whether " + what, names, check, "bool")


def choice(name, default, known, kind, what):  # type: (str, str, Sequence[str], str, str) -> Setting
    """Declare one of the `known` texts; `kind` is the word for it in errors, such as "mode"."""

    def check(service, value, method):  # type: (Service, ALValue, str) -> ALValue
        return service._one_of(value, known, method, kind)

    return _make_setting(Setting(name, default, known), what, ("set%s", "get%s"), check, "str")


def text_setting(name, default, what, names, answer=None):  # type: (str, str, str, Tuple[str, str], ALValue) -> Setting
    """Declare any text; `answer` is the setter's result."""

    def check(service, value, method):  # type: (Service, ALValue, str) -> ALValue
        return service._text(value, method)

    return _make_setting(Setting(name, default, ("", "Other")), what, names, check, "str", answer)


def constant(method, value, doc, returns=None):  # type: (str, ALValue, str, Optional[str]) -> Setting
    """Declare a method that always returns the same value; `returns` is the type of a list."""
    setting = Setting()

    def get_constant(_service):  # type: (ALValue) -> ALValue
        return list(value) if isinstance(value, list) else value

    setting.add(method, get_constant, "() -> %s" % (returns or type(value).__name__), doc)
    return setting


def nothing(methods, reason):  # type: (str, str) -> Setting
    """Declare methods without arguments, named with blanks between, that do nothing for a reason."""
    setting = Setting()
    for method in methods.split():

        def do_nothing(_service):  # type: (ALValue) -> None
            pass

        setting.add(method, do_nothing, "() -> None", "Do nothing: %s." % reason)
    return setting


#: The result of a method that always returns the same, by libqi's signature: its value and its type.
_FIXED_VALUES = {
    "v": (None, "None"),
    "b": (False, "bool"),
    "i": (0, "int"),
    "f": (0.0, "float"),
    "s": ("", "str"),
    "m": ([], "ALValue"),
    "[s]": ([], "List[str]"),
    "[i]": ([], "List[int]"),
    "[f]": ([], "List[float]"),
}  # type: Dict[str, Tuple[object, str]]


def no_effect(methods, reason, answer=None):  # type: (str, str, ALValue) -> Setting
    """Declare methods that check their arguments and have no effect, as libqi lists them: "connect(s)v countries()[s]".

    They return `answer`, or else False, 0, "" or an empty list.
    """
    setting, lists = Setting(), {}  # type: Setting, Dict[str, List[Tuple[List[str], str]]]
    for name, taken, returned in re.findall(r"(\w+)\((\S*?)\)(\S+)", methods):
        lists.setdefault(name, []).append((split_signature("(%s)" % taken), returned))
    for name, rows in lists.items():
        value, kind = _FIXED_VALUES[rows[0][1]]
        call = _make_fixed(name, {len(taken): taken for taken, _ in rows}, value if answer is None else answer)
        setting.add(
            name,
            overloads(*[" ".join(taken) for taken, _ in rows])(call),
            "(*ALValue) -> " + kind,
            reason[0].upper() + reason[1:] + ".",
        )
    return setting


def _make_fixed(name, lists, answer):  # type: (str, Dict[int, List[str]], object) -> Callable[..., object]
    def call(service, *given):  # type: (Service, *ALValue) -> ALValue
        for at, (value, kind) in enumerate(zip(given, lists.get(len(given), ()))):
            checks = {"s": service._text, "b": service._flag, "i": service._number, "f": service._number}  # type: Dict[str, Callable[[ALValue, str, int], object]]
            if kind[0] == "[":
                service._list(value, name, at)
            elif kind in checks:
                checks[kind](value, name, at)
        return list(answer) if isinstance(answer, list) else answer

    return call


def _make_setting(setting, what, names, check, kind, answer=None):
    # type: (Setting, str, Tuple[str, str], Callable[[Service, ALValue, str], ALValue], str, object) -> Setting
    """Add setter and getter to a setting; `check` returns the value to keep or raises RuntimeError."""
    setter, getter = [each % setting.name if "%s" in each else each for each in names]

    def set_value(service, value):  # type: (Service, ALValue) -> ALValue
        service._kept[setting.name] = check(service, value, setter)
        return answer

    def get_value(service):  # type: (Service) -> ALValue
        return service._kept[setting.name]

    setting.add(setter, set_value, "(%s) -> %s" % (kind, "None" if answer is None else "bool"), "Set %s." % what)
    setting.add(getter, get_value, "() -> %s" % kind, "Return %s." % what)
    return setting
