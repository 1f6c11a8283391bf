"""The methods of every module of NAOqi (ALModule): its state, its methods with their help, and its posted calls.

`naosim.services.base` gives them to every service, next to ping, version and getMethodList. Services that are not
modules, such as libqi's own, lack them by version: see `list_lacking` in `naosim.services`. A NAO V5 and a NAO6 have
the same names and types (ALModule.tsv in simulator/tests/naoqi_api). The arguments of pCall, and the texts of
getModuleHelp, getUsage and getBrokerName, are our guess.
"""

from __future__ import absolute_import, division, print_function

from naosim.proxies import PostedTask, ServiceCaller

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Tuple

    from naosim.compat import ALValue

#: Help texts by service and method: purpose, and parameters. From the output of `qicli call` on a NAO of 2.1.
_RECORDED_HELP = {
    "ALLeds.fadeRGB": [
        "Sets the color of an RGB led.",
        [
            ["name", "The name of the LED or Group."],
            ["red", "the intensity of red channel (0-1)."],
            ["green", "the intensity of green channel (0-1)."],
            ["blue", "the intensity of blue channel (0-1)."],
            ["duration", "Time used to fade in seconds."],
        ],
    ]
}  # type: Dict[str, List[Any]]


def exit(service):  # type: (Any) -> None
    """Leave the robot: programs find the module no more, and may register another one of its name."""
    service.world.memory.hear_for(service, ())
    service.world.services.pop(service.name, None)


def pCall(service, call):  # type: (Any, ALValue) -> int
    """Post a call, given as a list of a method and its arguments, and return its task number."""
    words = service._list(call, "pCall")
    if not words:
        raise service._error("pCall", "A list of a method and its arguments is needed, not [].")
    return PostedTask(service.world, service, service._text(words[0], "pCall"), tuple(words[1:])).number


def wait(service, number, timeout):  # type: (Any, int, int) -> bool
    """Wait for a task, for at most `timeout` milliseconds if above 0; return True if the time was up before."""
    waits = ServiceCaller(service.world, service)
    return waits.wait(int(service._number(number, "wait")), int(service._number(timeout, "wait", 1)))


def isRunning(service, number):  # type: (Any, int) -> bool
    """Return whether a task still runs."""
    return int(service._number(number, "isRunning")) in service.world.tasks


def stop(service, number):  # type: (Any, int) -> None
    """Stop a task."""
    task = service.world.tasks.get(int(service._number(number, "stop")))
    if task is not None:
        task.stop()


def getBrokerName(_service):  # type: (Any) -> str
    """Return the name of the robot's own broker."""
    return "MainBroker"


def getMethodHelp(service, method):  # type: (Any, str) -> ALValue
    """Return a method's name, its purpose, its parameters with their help, and two empty texts for its result."""
    found = service.remote(service._text(method, "getMethodHelp"))
    names = found.__code__.co_varnames[1 : found.__code__.co_argcount]
    text, rows = _RECORDED_HELP.get(
        "%s.%s" % (service.name, method), [_first_line(found), [[str(name), ""] for name in names]]
    )
    return [method, text, rows, "", ""]


def getModuleHelp(service):  # type: (Any) -> ALValue
    """Return a list with the purpose of the module."""
    return [_first_line(type(service))]


def getUsage(service, method):  # type: (Any, str) -> str
    """Return a method with its parameters in brackets."""
    told = getMethodHelp(service, method)  # type: Any
    rows = told[2]
    return "%s(%s)" % (method, ", ".join(name for name, _ in rows))


def _first_line(documented):  # type: (object) -> str
    return (documented.__doc__ or "").strip().split("\n")[0]


#: The methods with their type comments, from which signatures over libqi are made.
MODULE_METHODS = {
    "exit": ("() -> None", exit),
    "getBrokerName": ("() -> str", getBrokerName),
    "getMethodHelp": ("(str) -> ALValue", getMethodHelp),
    "getModuleHelp": ("() -> ALValue", getModuleHelp),
    "getUsage": ("(str) -> str", getUsage),
    "isRunning": ("(int) -> bool", isRunning),
    "pCall": ("(ALValue) -> ALValue", pCall),
    "stop": ("(int) -> None", stop),
    "wait": ("(int, int) -> bool", wait),
}  # type: Dict[str, Tuple[str, Callable[..., object]]]
for _comment, _method in MODULE_METHODS.values():
    _method.__dict__["type_comment"] = _comment
