"""The simulated robot over libqi, in another process, compared with bare services that do nothing.

Run as a script it is that bare service, of `qi` or of `qiwire`: `python wire.py qi` prints its address and stays until
its input ends.
"""

import importlib
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from run import Options

os.environ.setdefault("QI_LOG_LEVEL", "error")

#: How often each is done.
CALLS, EVENTS, EXCHANGES, STARTS = 4000, 5000, 60, 5
#: The speed of the robot's clock, so that its speech takes no time worth measuring.
SPEED = 1000
#: Seconds to wait for an event, a word, or the end of a server.
TIMEOUT_S = 60


def measure_wire(options: Options) -> dict[str, Any]:
    """Return the seconds of calls, exchanges and starts of both, made in turn, and the events a second."""
    import qi

    few = 20 if options.small else 1
    starts: dict[str, list[float]] = {name: [] for name in WAYS}

    def started(stack: ExitStack, name: str) -> str:
        began = time.perf_counter()
        url = stack.enter_context(_process(*WAYS[name][0]))
        starts[name].append(time.perf_counter() - began)
        return url

    for _ in range(STARTS // min(few, STARTS) - 1):
        for name in WAYS:
            with ExitStack() as stack:
                started(stack, name)
    with ExitStack() as stack:
        services = {}
        for name, (_, service) in WAYS.items():
            session = qi.Session()
            session.connect(started(stack, name))
            stack.callback(session.close)
            services[name] = (session, session.service(service))
        calls = _calls({name: service for name, (_, service) in services.items()}, CALLS // few)
        events = {name: _events(service, EVENTS // few) for name, (_, service) in services.items()}
        exchange = _exchanges(services["simulated robot"][0], EXCHANGES // few)
    start = {name: statistics.median(times) for name, times in starts.items()}
    return {"start": start, "call": calls, "events a second": events, "exchange": exchange}


def _calls(services: dict[str, Any], count: int) -> dict[str, dict[str, float]]:
    taken: dict[str, list[float]] = {name: [] for name in services}
    for service in services.values():
        service.insertData("Bench/Key", 1)
    for _ in range(count):
        for name, service in services.items():
            began = time.perf_counter()
            service.getData("Bench/Key")
            taken[name].append(time.perf_counter() - began)
    cuts = {name: statistics.quantiles(times, n=100) for name, times in taken.items()}
    return {name: {"p50": found[49], "p99": found[98]} for name, found in cuts.items()}


def _events(service: Any, count: int) -> float:
    """Return the events a second, from the first one raised until the last one has come back."""
    everything, met = threading.Event(), [0]

    def tell(_value: Any) -> None:
        met[0] += 1
        if met[0] == count:
            everything.set()

    news = service.subscriber("Bench/News")
    link = news.signal.connect(tell)
    began = time.perf_counter()
    for number in range(count):
        service.raiseEvent("Bench/News", number)
    if not everything.wait(TIMEOUT_S):
        raise ValueError(f"{met[0]} of {count} events came back")
    seconds = time.perf_counter() - began
    news.signal.disconnect(link)
    return count / seconds


def _exchanges(session: Any, count: int) -> float:
    """Return the median seconds of one round: say something, hear a word, answer it."""
    voice, human, ears = (session.service(name) for name in ("ALTextToSpeech", "SimulatedHuman", "ALSpeechRecognition"))
    came = threading.Event()
    ears.setVocabulary(["yes", "no"], False)
    ears.subscribe("Bench")
    news = session.service("ALMemory").subscriber("WordRecognized")
    link = news.signal.connect(lambda _value: came.set())
    taken = []
    for _ in range(count):
        began = time.perf_counter()
        voice.say("Is it ocean?")
        came.clear()
        human.hear("yes")
        if not came.wait(TIMEOUT_S):
            raise ValueError("the word was not heard")
        voice.say("Wonderful!")
        taken.append(time.perf_counter() - began)
    news.signal.disconnect(link)
    ears.unsubscribe("Bench")
    return statistics.median(taken)


@contextmanager
def _process(*command: str) -> Iterator[str]:
    """Start a Python program that serves; yield the address that it prints."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, *command], **pipes) as server:
        assert server.stdout is not None
        while "tcp://" not in (line := server.stdout.readline()):
            if not line:
                raise ValueError(f"{command} did not start")
        reading = threading.Thread(target=server.stdout.read, daemon=True)
        reading.start()
        try:
            yield line[line.index("tcp://") :].strip()
        finally:
            server.terminate()
            reading.join(TIMEOUT_S)


#: What is compared: the arguments of its program, and the service that is called.
_ROBOT = ("-m", "jotto_desk", "robot", "serve", "--listen", "tcp://127.0.0.1:0", "--speed", str(SPEED))
WAYS: dict[str, tuple[tuple[str, ...], str]] = {
    "simulated robot": (_ROBOT, "ALMemory"),
    "simulated robot, Python 3": ((*_ROBOT, "--python", sys.executable), "ALMemory"),
    "bare qi": ((str(Path(__file__)), "qi"), "Bare"),
    "bare qiwire": ((str(Path(__file__)), "qiwire"), "Bare"),
}


def report_wire(found: dict[str, Any]) -> list[str]:
    call, events, start = found["call"], found["events a second"], found["start"]
    lines = [
        f"call {name}: {times['p50'] * 1e6:.0f} us, slowest hundredth {times['p99'] * 1e6:.0f} us"
        for name, times in call.items()
    ]
    lines += [f"events {name}: {rate:,.0f} a second" for name, rate in events.items()]
    lines += [f"start {name}: {seconds:.2f} s" for name, seconds in start.items()]
    return [*lines, f"say, hear, say: {found['exchange'] * 1e3:.1f} ms at {SPEED} times NAO's speed"]


def _serve(module: str, wait: Callable[[], object]) -> None:
    qi = importlib.import_module(module)

    class Subscriber:
        def __init__(self) -> None:
            self.signal = qi.Signal("(m)")

    @qi.multiThreaded()
    class Bare:
        def __init__(self) -> None:
            self.news, self.value = Subscriber(), None

        def insertData(self, _key: str, value: Any) -> None:
            self.value = value

        def getData(self, _key: str) -> Any:
            return self.value

        def subscriber(self, _event: str) -> Subscriber:
            return self.news

        def raiseEvent(self, _event: str, value: Any) -> None:
            self.news.signal(value)

    session = qi.Session()
    session.listenStandalone("tcp://127.0.0.1:0")
    session.registerService("Bare", Bare())
    print(session.endpoints()[0], flush=True)
    wait()


if __name__ == "__main__":
    _serve(sys.argv[1], sys.stdin.read)
