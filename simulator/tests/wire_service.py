"""A service for tests of libqi's protocol: python wire_service.py qi|qiwire; prints its address, ends with its input.

It runs on Python 2.7 too, with the `qi` of either Python.
"""

from __future__ import print_function

import os
import sys
import threading

os.environ["QI_LOG_LEVEL"] = "fatal"
qi = __import__(sys.argv[1])

#: The signatures whose values are echoed by the methods echo_0, echo_1 and so on.
SIGNATURES = ["b", "c", "C", "w", "W", "i", "I", "l", "L", "f", "d", "s", "m", "[i]", "[s]", "[m]", "[[f]]", "{si}"]
SIGNATURES += ["{sm}", "{i[s]}", "(is)", "(s(fb)m)", "(is)<Point,size,name>", "[(is)<Point,size,name>]"]


class News(object):
    def __init__(self):
        self.signal = qi.Signal("(m)")


class Greeter(object):
    """An object that a method returns."""

    def __init__(self, name):
        self._name = name

    def hello(self, other):
        return "%s greets %s" % (self._name, other)

    def again(self):
        return Greeter(self._name + "!")


@qi.multiThreaded()
class Service(object):
    def __init__(self):
        self.news, self.kept = News(), None
        self.happened = qi.Signal("(si)")
        self.nothing = qi.Signal("()")
        self.size = qi.Property("i")
        self.label = qi.Property("s")
        self.cancelled = threading.Event()

    def keep(self, value):
        self.kept = value

    def give(self):
        return self.kept

    def default(self, one, other=2):
        return [one, other]

    def several(self, *args):
        return list(args)

    @staticmethod
    def static(value):
        return value

    @qi.bind("s", ["s"], "over")
    def over_text(self, text):
        return "text " + text

    @qi.bind("s", ["i"], "over")
    def over_number(self, number):
        return "number %d" % number

    @qi.bind("s", ["i", "i"], "over")
    def over_two(self, one, other):
        return "numbers %d %d" % (one, other)

    def fail(self, sentence):
        raise RuntimeError(sentence)

    def wrong(self):
        return int("x")

    def later(self, value):
        promise = qi.Promise()
        threading.Timer(0.01, promise.setValue, (value,)).start()
        return promise.future()

    def never(self):
        def stop(promise):
            self.cancelled.set()
            promise.setCanceled()

        self.promise = qi.Promise(stop)
        return self.promise.future()

    def was_cancelled(self):
        return self.cancelled.wait(5)

    def greeter(self, name):
        return Greeter(name)

    def ask(self, other):
        return other.hello("the service")

    def listen_to(self, other):
        self.other = other
        other.told.connect(self.keep)

    def subscriber(self, _event):
        return self.news

    def raise_news(self, value):
        self.news.signal(value)

    def happen(self, text, number):
        self.happened(text, number)

    def emit_nothing(self):
        self.nothing()

    def set_size(self, size):
        self.size.setValue(size)


def _echo(signature):
    def echo(_self, value):
        return value

    return qi.bind(signature, [signature])(echo)


for at, signature in enumerate(SIGNATURES):
    setattr(Service, "echo_%d" % at, _echo(signature))

if __name__ == "__main__":
    session = qi.Session()
    session.listenStandalone("tcp://127.0.0.1:0")
    session.registerService("Service", Service())
    print(next(each for each in session.endpoints() if "127.0.0.1" in each))
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)
