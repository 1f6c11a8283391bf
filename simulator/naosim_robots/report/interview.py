"""Asks a robot everything that is in a report: `Interview(...).ask_all()`."""

from __future__ import annotations

import contextlib
import queue
import re
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple, TypeVar

from naosim.models import NAO, PEPPER
from naosim.services.speech import OWN_SUBSCRIBERS
from naosim_robots.facts.patterns import is_number
from naosim_robots.facts.runner import DIFFERS, DOES_NOT_APPLY, Outcome, Runner
from naosim_robots.facts.table import Fact
from naosim_robots.far.connection import Connection, ConnectionLost
from naosim_robots.libqi import qi
from naosim_robots.serving.signatures import table
from qiwire.futures import Strand

from . import form
from .interfaces import Members, compare_services, read_members

_ENGLISH = "English"
_SPEECH, _EARS, _MEMORY = "ALTextToSpeech", "ALSpeechRecognition", "ALMemory"
_SUBSCRIBER = "NaosimReport"
_WORD_TIMEOUT_S = 10.0  # real seconds for the owner to say a word and the robot to hear it
_Item = TypeVar("_Item")


class Consent(NamedTuple):
    """The owner's consent: that the robot speaks, and that the owner speaks to it and touches it."""

    speech: bool = False
    person: bool = False


class Interview:
    """The questions to one robot.

    `tell_owner` gets sentences that say what to do. `show` yields items while it shows progress: it gets what is
    being done, the items and their number.
    """

    def __init__(
        self,
        connection: Connection,
        facts: Iterable[Fact],
        consent: Consent,
        tell_owner: Callable[[str], object],
        show: Callable[[str, Iterable[Any], int], Iterable[Any]] = lambda _doing, items, _total: items,
    ) -> None:
        self._connection, self._consent, self._show = connection, consent, show
        marks = [mark for mark, agreed in (("speaks", consent.speech), ("person", consent.person)) if agreed]
        self._runner = Runner(connection.session(), qi, marks, ask_owner=tell_owner)
        self._facts = [fact for fact in facts if fact.applies_to(self._runner.robot)]
        self._services = sorted(connection.services())
        self._left_out: dict[str, str] = {}

    def ask_all(self, checks: dict[str, str], program: str) -> form.Report:
        """Return the report; `checks` are states of checks by name, `program` is the version of the program that asks.

        Raises ConnectionLost if the robot goes away.
        """
        robot = self._runner.robot
        before = self._read_state()
        report = {
            "form": 1,
            "versions": {"naoqi": robot.version, "program": program, "client": _describe_client()},
            "robot": {"body": robot.body, "place": robot.place, "is_simulated": self._runner.is_simulated},
            "checks": checks,
            "languages": {"speaks": self._list_languages(_SPEECH), "understands": self._list_languages(_EARS)},
            "services": self._compare_services(),
            "facts": self._compare_facts(),
            "sentences": dict(self._say_sentences()),
            "words": dict(self._hear_words()),
        }
        after = self._read_state()
        for part in ("battery", "temperatures"):
            report[part] = _pair(before[part], after[part])
        report["left_out"] = self._left_out
        return form.select_allowed(report)

    def _check_robot(self) -> None:
        if not self._connection.wait_until_back(0.0):
            raise ConnectionLost("the connection broke")

    def _ask(self, service: str, method: str, *args: Any) -> Any:
        """Return the robot's answer, None without an answer; raises ConnectionLost."""
        if service not in self._services:
            return None
        try:
            return self._connection.ask(service, method, *args)
        except RuntimeError:
            self._check_robot()
            return None

    def _follow(self, doing: str, items: Iterable[_Item], total: int) -> Iterator[_Item]:
        """Yield items with progress; raises ConnectionLost as soon as the connection is lost."""
        for item in self._show(doing, items, total):
            self._check_robot()
            yield item

    # The parts.

    def _read_state(self) -> dict[str, dict[str, Any]]:
        """Return the charge of the battery in percent, and the temperatures of the parts in degrees Celsius."""
        parts = [*(PEPPER if self._runner.robot.body == "Pepper" else NAO).body, "Head", "Battery"]
        keys = [f"Device/SubDeviceList/{part}/Temperature/Sensor/Value" for part in parts]
        values = self._ask(_MEMORY, "getListData", keys) or ()
        degrees = {part: round(value, 1) for part, value in zip(parts, values, strict=False) if is_number(value)}
        charge = self._ask("ALBattery", "getBatteryCharge")
        return {"battery": {"": charge} if is_number(charge) else {}, "temperatures": degrees}

    def _list_languages(self, service: str) -> list[str]:
        return sorted(str(each) for each in self._ask(service, "getAvailableLanguages") or ())

    def _compare_services(self) -> dict[str, Any]:
        found: dict[str, Members | None] = {}
        for name in self._follow("services", self._services, len(self._services)):
            try:
                found[name] = read_members(self._connection.service(name).metaObject())
            except RuntimeError:
                self._check_robot()
                found[name] = None
        return compare_services(found, self._runner.robot)

    def _compare_facts(self) -> dict[str, Any]:
        known = list_known_words(self._facts)
        outcomes: Iterable[Outcome] = self._follow("facts", self._runner.run(self._facts), len(self._facts))
        found: dict[str, Any] = {}
        for each in outcomes:
            if each.state != DOES_NOT_APPLY:
                found[each.fact.id] = {"state": each.state}
                if each.state == DIFFERS:
                    found[each.fact.id] |= {"step": each.step, "came": form.mask_words(each.came, known)}
        return dict(sorted(found.items()))

    def _say_sentences(self) -> Iterator[tuple[str, float]]:
        """Yield each sentence with the seconds that it takes, in the robot's time."""
        reason = "" if self._consent.speech else form.NOT_AGREED
        reason = reason or self._find_obstacle(_SPEECH)
        if reason:
            self._left_out["sentences"] = reason
            return
        with self._speak_english(_SPEECH):
            for sentence in self._follow("sentences", form.SENTENCES, len(form.SENTENCES)):
                begin = self._runner.read_clock()
                try:
                    self._connection.ask(_SPEECH, "say", sentence)
                except RuntimeError:
                    self._check_robot()
                    continue
                yield sentence, round(self._runner.read_clock() - begin, 2)

    def _hear_words(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each word with the robot's result and its confidence."""
        reason = "" if self._consent.person else form.NOT_AGREED
        reason = reason or self._find_obstacle(_EARS)
        rows = () if reason else self._ask(_EARS, "getSubscribersInfo") or ()
        if any(row[0] not in OWN_SUBSCRIBERS for row in rows):
            reason = form.IN_USE
        if reason:
            self._left_out["words"] = reason
            return
        heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
        with self._speak_english(_EARS), contextlib.ExitStack() as stack:
            if not self._set_vocabulary():
                self._left_out["words"] = form.REFUSED
                return
            try:
                stack.callback(self._runner.connect("WordRecognized", heard.put, Strand()))
                self._connection.ask(_EARS, "subscribe", _SUBSCRIBER)
            except (RuntimeError, TimeoutError):
                self._check_robot()
                self._left_out["words"] = form.REFUSED
                return
            stack.callback(partial(self._ask, _EARS, "unsubscribe", _SUBSCRIBER))
            for word in self._follow("words", form.WORDS, len(form.WORDS)):
                while not heard.empty():
                    heard.get()
                self._runner.act("hear", [word])
                yield word, self._await_word(heard)

    def _set_vocabulary(self) -> bool:
        self._ask(_EARS, "pause", True)
        try:
            self._connection.ask(_EARS, "setVocabulary", list(form.WORDS), False)
            return True
        except RuntimeError:
            self._check_robot()
            return False
        finally:
            self._ask(_EARS, "pause", False)

    def _await_word(self, heard: queue.SimpleQueue[Any]) -> dict[str, Any]:
        end = time.monotonic() + _WORD_TIMEOUT_S
        while (left := end - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                value = heard.get(timeout=left)
                if isinstance(value, list | tuple) and len(value) > 1 and value[0] and is_number(value[1]):
                    word = str(value[0])
                    return {
                        "heard": word if word in form.WORDS else form.ANOTHER,
                        "confidence": round(float(value[1]), 3),
                    }
        return {"heard": form.NOTHING}

    def _find_obstacle(self, service: str) -> str:
        if service not in self._services:
            return form.NO_SERVICE
        return "" if _ENGLISH in (self._ask(service, "getAvailableLanguages") or ()) else form.NO_ENGLISH

    @contextlib.contextmanager
    def _speak_english(self, service: str) -> Iterator[None]:
        """Switch a service to English, and back at the end."""
        before = self._ask(service, "getLanguage")
        if before != _ENGLISH:
            self._ask(service, "setLanguage", _ENGLISH)
        try:
            yield
        finally:
            if before not in (None, _ENGLISH):
                with contextlib.suppress(RuntimeError):
                    self._connection.ask(service, "setLanguage", before)


def list_known_words(facts: Iterable[Fact]) -> frozenset[str]:
    """Return the words that a report can quote from a robot: the words in the table of facts and in our signatures."""
    texts = [step.text for fact in facts for step in fact.steps]
    for service, rows in table().items():
        texts += [service, *(row.name for row in rows.methods), *rows.signals]
    own = "there is no of it within seconds nothing then has lacks null true false answer"
    return frozenset(re.findall(r"[^\W\d_]\w*", " ".join([*texts, own])))


def _describe_client() -> str:
    name = str(qi.__name__)
    try:
        return f"{name} {version('qi')}" if name == "qi" else name
    except PackageNotFoundError:
        return name


def _pair(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the values before and after, by part; of one part without a name only its values."""
    found = {
        part: {moment: values[part] for moment, values in (("before", before), ("after", after)) if part in values}
        for part in {**before, **after}
    }
    return found.get("", found)
