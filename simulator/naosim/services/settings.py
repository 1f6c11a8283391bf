"""Declare the methods of a fake service that only keep a setting, return a constant or do nothing.

A program sets such a setting and reads it back; it changes nothing on the simulated robot. One line declares a setter
that checks the value and a getter that returns it:

    @declare(number("MinSize", 0.1, (0.0, 20.0), "the smallest movement that counts, in metres"))
    class ALWavingDetection(SwitchedExtractor):

gives the class `setMinSize` and `getMinSize`. The values are in `_kept` of the service, by the name of the setting.
"""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Optional, Sequence, Tuple


class Setting(object):
    """A declared setting: its name (None if it keeps no value), its first value and its methods by name.

    `values` are the least and the greatest value of a number, all values of a choice or a switch, else examples.
    """

    def __init__(self, name=None, default=None, values=()):  # type: (Optional[str], Any, Sequence[Any]) -> None
        self.name, self.default, self.values = name, default, values
        self.methods = {}  # type: Dict[str, Any]

    def add(self, method, function, comment, doc):  # type: (str, Any, str, str) -> None
        """Add a method with its type comment, from which its signature over libqi is made."""
        function.__name__, function.__doc__, function.type_comment = method, doc, comment
        self.methods[method] = function


def declare(*settings):  # type: (*Setting) -> Callable[[Any], Any]
    """Give a class of services the methods of its settings, except those that the class itself defines."""

    def add_methods(service):  # type: (Any) -> Any
        service.declared = service.declared + settings
        for each in settings:
            for name, function in each.methods.items():
                if name not in vars(service):
                    setattr(service, name, function)
        return service

    return add_methods


def number(name, default, limits, what, names=("set%s", "get%s"), answer=None):
    # type: (str, float, Tuple[float, float], str, Tuple[str, str], Any) -> Setting
    """Declare a number within limits, whole if its default is; `answer` is what the setter returns."""
    kind = type(default)

    def check(service, value, method):  # type: (Any, Any, str) -> Any
        return kind(service._number(value, method, 0, *limits))

    return _make_setting(Setting(name, default, limits), what, names, check, kind.__name__, answer)


def switch(name, default, what, names=("set%sEnabled", "is%sEnabled")):
    # type: (str, bool, str, Tuple[str, str]) -> Setting
    """Declare a flag; `what` is a clause, such as "a face is followed"."""

    def check(service, value, method):  # type: (Any, Any, str) -> Any
        return service._flag(value, method)

    return _make_setting(Setting(name, default, (True, False)), "whether " + what, names, check, "bool")


def choice(name, default, known, kind, what):  # type: (str, str, Sequence[str], str, str) -> Setting
    """Declare one of the `known` texts; `kind` is the word for it in errors, such as "mode"."""

    def check(service, value, method):  # type: (Any, Any, str) -> Any
        return service._one_of(value, known, method, kind)

    return _make_setting(Setting(name, default, known), what, ("set%s", "get%s"), check, "str")


def text(name, default, what, names, answer=None):  # type: (str, str, str, Tuple[str, str], Any) -> Setting
    """Declare any text; `answer` is what the setter returns."""

    def check(service, value, method):  # type: (Any, Any, str) -> Any
        return service._text(value, method)

    return _make_setting(Setting(name, default, ("", "Other")), what, names, check, "str", answer)


def constant(method, value, doc, returns=None):  # type: (str, Any, str, Optional[str]) -> Setting
    """Declare a method that always returns the same value; `returns` is the type of a list."""
    setting = Setting()

    def get_constant(_service):  # type: (Any) -> Any
        return list(value) if isinstance(value, list) else value

    setting.add(method, get_constant, "() -> %s" % (returns or type(value).__name__), doc)
    return setting


def nothing(methods, reason):  # type: (str, str) -> Setting
    """Declare methods without arguments, named with blanks between, that do nothing for a reason."""
    setting = Setting()
    for method in methods.split():

        def do_nothing(_service):  # type: (Any) -> None
            pass

        setting.add(method, do_nothing, "() -> None", "Do nothing: %s." % reason)
    return setting


def _make_setting(setting, what, names, check, kind, answer=None):
    # type: (Setting, str, Tuple[str, str], Callable[[Any, Any, str], Any], str, Any) -> Setting
    """Add setter and getter to a setting; `check` returns the value to keep or raises RuntimeError."""
    setter, getter = [each % setting.name if "%s" in each else each for each in names]

    def set_value(service, value):  # type: (Any, Any) -> Any
        service._kept[setting.name] = check(service, value, setter)
        return answer

    def get_value(service):  # type: (Any) -> Any
        return service._kept[setting.name]

    setting.add(setter, set_value, "(%s) -> %s" % (kind, "None" if answer is None else "bool"), "Set %s." % what)
    setting.add(getter, get_value, "() -> %s" % kind, "Return %s." % what)
    return setting
