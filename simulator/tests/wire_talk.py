"""A client of `wire_service`: python wire_talk.py qi|qiwire URL; prints a line per check: kind, check, result.

It runs on Python 2.7 too. What the lines say is compared with those of libqi's own client and service.
"""

from __future__ import print_function

import os
import sys
import threading
import time

os.environ["QI_LOG_LEVEL"] = "fatal"
qi = __import__(sys.argv[1])
URL = sys.argv[2]
#: libqi's own clients send -(2**63) as 0 under a narrow type, and refuse an infinite float.
NUMBERS = [0, 1, -1, 127, -128, 255, 300, 65535, 2**31 - 1, -(2**31), 2**32 - 1, 2**40, True, False]
SAMPLES = {
    "b": [True, False, 0, 1],
    "f": NUMBERS + [2.5, -1e30],
    "d": NUMBERS + [2.5, -1e300, float("inf")],
    "s": ["", "word", "caf\u00e9 \u4f60", "x" * 70000],
    "m": [None, True, 3, -(2**40), 2.5, "text", [], [1, "a", [None]], {}, {"a": 1}, {1: [2.5]}, (), (1, "a"), [(1, 2)]],
    "[i]": [[], [1, 2, 3]],
    "[s]": [[], ["a", "\u00e9"]],
    "[m]": [[1, "a", None, [2]]],
    "[[f]]": [[[], [1.5, 2]]],
    "{si}": [{}, {"a": 1, "b": 2}],
    "{sm}": [{"a": 1, "b": ["c"]}],
    "{i[s]}": [{1: ["a"], 2: []}],
    "(is)": [(1, "a")],
    "(s(fb)m)": [("a", (1.5, True), [None])],
    "(is)<Point,size,name>": [(1, "a")],
    "[(is)<Point,size,name>]": [[(1, "a"), (2, "b")]],
}
SAMPLES.update((kind, NUMBERS + [2.6, -2.6]) for kind in "cCwWiIlL")


def show(value):
    """Return a text that is the same on both Pythons."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, (list, tuple)):
        return "%s(%s)" % (type(value).__name__, ", ".join(map(show, value)))
    if isinstance(value, dict):
        return "dict(%s)" % ", ".join(sorted("%s: %s" % (show(key), show(each)) for key, each in value.items()))
    if isinstance(value, float):
        return "float %r" % value
    if isinstance(value, bytearray):
        return "raw %r" % list(value)
    if isinstance(value, bytes) and bytes is str:
        value = value.decode("utf-8")
    if isinstance(value, type("")):
        return "text %d %s" % (len(value), value[:100].encode("unicode_escape").decode("ascii"))
    if isinstance(value, int) or type(value).__name__ == "long":
        return "int %d" % value
    return type(value).__name__


def check(kind, name, call, *args):
    try:
        found = show(call(*args))
    except AttributeError:
        found = "no such attribute"
    except RuntimeError as error:
        # Only that it fails: each library has its own words, except for what the service itself says.
        found = "fails" + (" as it says" if "as it says" in str(error) else "")
    print("%s\t%s\t%s" % (kind, name, found))


def until(holds):
    end = time.time() + 5
    while not holds() and time.time() < end:
        time.sleep(0.002)
    return holds()


class Other(object):
    """An object of the client."""

    def __init__(self):
        self.told = qi.Signal("(m)")

    def hello(self, who):
        return "hello " + who


def main():
    session = qi.Session()
    session.connect(URL)
    service = session.service("Service")
    _values(service)
    _methods(service)
    _errors(service)
    _objects(service)
    _signals(service)
    _properties(service)
    _futures(service)
    _sessions(session, service)
    session.close()
    check("sessions", "a closed session", session.isConnected)
    sys.stdout.flush()
    os._exit(0)


def _values(service):
    names = {row["name"]: row for row in service.metaObject()["methods"].values()}
    for number in range(sum(name.startswith("echo_") for name in names)):
        row = names["echo_%d" % number]
        check("signatures", row["name"], lambda row=row: [row["parametersSignature"], row["returnSignature"]])
        for at, sample in enumerate(SAMPLES.get(row["returnSignature"], [])):
            check("values", "%s %d" % (row["returnSignature"], at), getattr(service, row["name"]), sample)
    for at, sample in enumerate([[1, "a", [2.5, None, [True]]], {"a": [1]}, "", 2**31]):
        service.keep(sample)
        check("values", "kept %d" % at, service.give)
    check("big values", "a long text", lambda: service.echo_11("x" * 3000000))
    check("big values", "a long list", lambda: sum(service.echo_13(list(range(50000)))))
    deep = 1
    for _ in range(30):
        deep = [deep]
    check("deep values", "lists in lists", service.echo_12, deep)


def _methods(service):
    check("methods", "no argument missing", service.default, 1, 5)
    check("methods", "an argument missing", service.default, 1)
    for count in range(4):
        check("methods", "several %d" % count, service.several, *range(count))
    check("methods", "static", service.static, "a")
    for args in (("a",), (3,), (1, 2), (2.5,), ([],), (1, 2, 3)):
        check("methods", "overloads %r" % len(args), service.over, *args)
    check("methods", "by name", service.call, "over", 3)
    check("methods", "a number as text", service.keep, 3)
    rows = sorted(
        (number, row["name"], row["parametersSignature"], row["returnSignature"])
        for number, row in service.metaObject()["methods"].items()
    )
    check("methods", "its numbers", lambda: [row for row in rows if row[0] >= 100])
    check("methods", "what every object has", lambda: [row for row in rows if row[0] < 100])


def _errors(service):
    check("errors", "of the service", service.fail, "as it says")
    check("errors", "of Python", service.wrong)
    check("errors", "no such method", service.call, "nothing_like_it", 1)
    check("errors", "no such attribute", lambda: service.nothing_like_it)
    check("errors", "another type", service.echo_13, "text")
    check("errors", "too large a number", service.echo_5, 2**40)
    check("errors", "too many arguments", service.echo_5, 1, 2)


def _objects(service):
    greeter = service.greeter("Ann")
    check("objects", "returned", greeter.hello, "Bob")
    check("objects", "of an object", lambda: greeter.again().again().hello("Bob"))
    check("objects", "as an argument", service.ask, Other())
    other = Other()
    service.listen_to(other)
    other.told(7)
    check("objects", "a signal of an argument", lambda: until(lambda: service.give() == 7))
    many = [service.greeter(str(number)) for number in range(50)]
    check("objects", "many", lambda: [each.hello("x") for each in many][-1])


def _signals(service):
    got, lock = [], threading.Lock()

    def take(*args):
        with lock:
            got.append(args)

    link = service.happened.connect(take)
    service.happen("a", 1)
    check("signals", "told", lambda: until(lambda: got) and got[0])
    other = service.happened.connect(take)
    service.happen("b", 2)
    check("signals", "two callbacks", lambda: until(lambda: len(got) == 3))
    service.happened.disconnect(other)
    service.happen("c", 3)
    check("signals", "one disconnected", lambda: until(lambda: len(got) == 4))
    service.happened.disconnect(link)
    service.happen("d", 4)
    service.give()
    time.sleep(0.02)
    check("signals", "both disconnected", lambda: len(got))
    del got[:]
    link = service.nothing.connect(take)
    service.emit_nothing()
    check("signals", "no arguments", lambda: until(lambda: got) and got[0])
    news = service.subscriber("x")
    news.signal.connect(take)
    for value in (1, "a", [1, [None]], {"a": 1}):
        del got[:]
        service.raise_news(value)
        check("signals", "of an object %s" % type(value).__name__, lambda: until(lambda: got) and got[0])
    del got[:]
    service.happened.connect(take)
    service.happened("emitted", 5)
    check("signals", "emitted by a client", lambda: until(lambda: got) and got[0])
    del news, got[:]
    time.sleep(0.05)
    service.raise_news(5)
    service.give()
    check("signals", "of an object that is gone", lambda: len(got))


def _properties(service):
    got = []
    service.size.setValue(3)
    check("properties", "read", service.size.value)
    service.size.connect(got.append)
    service.size.setValue(4)
    check("properties", "told", lambda: until(lambda: got) and got)
    service.set_size(5)
    check("properties", "set by the service", lambda: until(lambda: len(got) == 2) and got)
    service.label.setValue("caf\u00e9")
    check("properties", "a text", service.label.value)
    check(
        "properties",
        "their signatures",
        lambda: sorted((row["name"], row["signature"]) for row in service.metaObject()["properties"].values()),
    )


def _futures(service):
    check("futures", "a value", lambda: service.static(3, _async=True).value())
    check("futures", "an error", lambda: service.fail("as it says", _async=True).value())
    check("futures", "its error", lambda: "as it says" in service.fail("as it says", _async=True).error())
    check("futures", "of a future", service.later, 4)
    check("futures", "many", lambda: sum(each.value() for each in [service.later(n, _async=True) for n in range(100)]))
    never = service.never(_async=True)
    check("futures", "running", never.isRunning)
    never.cancel()
    check("futures", "cancelled on the other side", service.was_cancelled)
    check("futures", "cancelled here", lambda: until(never.isFinished) and not never.hasValue())
    came = []
    service.static(5, _async=True).addCallback(lambda done: came.append(done.value()))
    check("futures", "a callback", lambda: until(lambda: came) and came)
    check("futures", "then", lambda: service.static(5, _async=True).then(lambda done: done.value() + 1).value())
    check("futures", "and then", lambda: service.static(5, _async=True).andThen(lambda value: value + 1).value())


def _sessions(session, service):
    came = []
    session.serviceRegistered.connect(lambda number, name: came.append(name))
    session.serviceUnregistered.connect(lambda number, name: came.append("no " + name))
    check("sessions", "services", lambda: sorted(row["name"] for row in session.services()))
    check("sessions", "no such service", session.service, "Nothing")
    other = qi.Session()
    other.connect(URL)
    check("two clients", "one keeps, the other reads", lambda: (service.keep(9), other.service("Service").give())[1])
    number = other.registerService("Mine", Other())
    check("services of clients", "a number", lambda: number > 2)
    check("services of clients", "announced", lambda: until(lambda: "Mine" in came))
    check("services of clients", "called by others", lambda: session.service("Mine").hello("x"))
    check("services of clients", "a name that is taken", lambda: session.registerService("Mine", Other()))
    other.unregisterService(number)
    check("services of clients", "withdrawn", lambda: until(lambda: "no Mine" in came))
    other.registerService("Passing", Other())
    other.close()
    check("services of clients", "gone with its client", lambda: until(lambda: "no Passing" in came))
    other = qi.Session()
    other.connect(URL)
    check("reconnects", "again", lambda: other.service("Service").static(1))
    other.close()


main()
