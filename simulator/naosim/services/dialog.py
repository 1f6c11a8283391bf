"""ALDialog: it answers sentences and events by the rules of the active topics.

`_Understanding` finds the rule, `_Answers` gives its answer step by step, and programs call `ALDialog`.
"""

from __future__ import absolute_import, division, print_function

from collections import namedtuple
from functools import partial

from naosim import qichat
from naosim.compat import reason
from naosim.services import animations, dialog_interpreter
from naosim.services.base import Service, Subscribers, compose, declare, no_effect, nothing, overloads, switch
from naosim.services.dialog_interpreter import AnswerInterpreter, AnswerStep, LoadedTopic, NothingToSay, UnknownConcept
from naosim.services.dialog_topics import Actions, Topics
from naosim.topics import Rule
from naosim.world import World, call_guarded

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Set, Tuple

# Seconds without a word.

_SILENCES_S = (5, 10, 15, 20)  # seconds without a word, for which there are events
_NOT_SPEAKING_EVENT = "Dialog/NotSpeaking%d"


class _Silence(object):
    """The seconds without a word, which ALDialog counts where a rule waits for them."""

    def __init__(self, topics):  # type: (Topics) -> None
        self._topics = topics
        self._world = topics.world
        self._count = 0

    def restart(self):  # type: () -> None
        """Restart the count."""
        self._count += 1
        for seconds in _SILENCES_S:
            if self._topics.is_awaited(_NOT_SPEAKING_EVENT % seconds):
                self._world.clock.call_later(seconds, self._end, self._count, seconds)

    def _end(self, count, seconds):  # type: (int, int) -> None
        if count == self._count and self._topics.active:
            self._world.memory.raiseEvent(_NOT_SPEAKING_EVENT % seconds, seconds)


# Saying the answers, one after the other.

_MAX_JUMPS = 10  # jumps of one answer to tags and proposals
_MAX_WAITING_ANSWERS = 100  # answers

#: One answer to give: the topic's name, the rule, the captured words, whether silence brought it about.
DialogTurn = namedtuple("DialogTurn", "topic rule captures")


class _Answers(object):
    """The answers of ALDialog, which it gives one after the other."""

    def __init__(self, topics, actions, silence):  # type: (Topics, Actions, _Silence) -> None
        self._topics, self._actions, self._silence = topics, actions, silence
        self._world = topics.world
        self._turns = []  # type: List[DialogTurn]
        self.is_answering = False  # whether an answer is being given; gestures without words can take time
        self._jumps = 0  # jumps of the present answer

    def reply(self, topic, rule, captures):  # type: (str, Rule, List[str]) -> None
        """Schedule an answer for when the present task and the answers before it are over."""
        if len(self._turns) < _MAX_WAITING_ANSWERS:
            self._turns.append(DialogTurn(topic, rule, captures))
        if not self.is_answering:
            self.is_answering = True
            self._world.clock.call_soon(self._answer_all)

    def _answer_all(self):  # type: () -> None
        try:
            while self._turns:
                self._jumps = 0
                self._perform(self._turns.pop(0))
        finally:
            self.is_answering = False
            if self._turns:
                self.reply(*self._turns.pop(0))

    def _perform(self, turn):  # type: (DialogTurn) -> None
        """Give one answer; a topic that is unloaded meanwhile falls silent."""
        loaded = self._topics.loaded.get(turn.topic)
        if loaded is None:
            return
        loaded.note_answer(turn.rule)

        def can_do(node):  # type: (qichat.Node) -> bool
            return self._actions.can_do(loaded, node.parts)

        view = self._topics.make_view(loaded)
        speaker = AnswerInterpreter(view, loaded.turns, self._world.random, turn.captures, can_do)
        said, whole = [], []  # type: List[str], List[str]
        try:
            for step in speaker.steps(turn.rule.answer):
                if step.kind == "say":
                    said.append(step.value)
                    continue
                if step.kind not in ("tag", "pcall"):
                    whole += self._say(said)
                    said = []
                if self._topics.loaded.get(turn.topic) is not loaded or not self._step(turn, loaded, step):
                    return
        except NothingToSay:
            pass
        except UnknownConcept as error:
            self._note_error("%s, line %d: %s." % (turn.topic, turn.rule.line, error))
        finally:
            whole += self._say(said) if self._topics.loaded.get(turn.topic) is loaded else []
            if whole:
                self._note_answer(turn, " ".join(whole))

    def _step(self, turn, loaded, step):  # type: (DialogTurn, LoadedTopic, AnswerStep) -> bool
        """Run one step of an answer; return False if the answer ends there."""
        if step.kind == "set":
            self._world.memory.raiseEvent(*step.value)
        elif step.kind == "tag":
            self._world.memory.raiseEvent("Dialog/Tag", step.value)
        elif step.kind == "pcall":
            self._world.clock.call_soon(self._call, step.value)
        elif step.kind == "call":
            self._take_result(turn, loaded, dialog_interpreter.format_result(self._call(step.value)))
        elif step.value[0] == "break":
            return False
        else:
            self._do(turn, loaded, step.value)
        return True

    def _do(self, turn, loaded, parts):  # type: (DialogTurn, LoadedTopic, object) -> None
        """Run a function of an answer: a jump to another rule, or an action."""
        target = self._actions.find_target(loaded, parts)
        if target is None:
            self._actions.run_function(loaded, turn.rule, parts)
        elif self._jumps >= _MAX_JUMPS:
            self._note_error(
                "%s, line %d: more than %d jumps in one answer." % (turn.topic, turn.rule.line, _MAX_JUMPS)
            )
        else:
            self._jumps += 1
            topic, rule = target
            self._actions.open_scope(topic, rule)
            self._perform(DialogTurn(topic, rule, turn.captures))

    def _call(self, value):  # type: (Any) -> Any
        """Call a method of a service and return its result; an error fails the run."""
        service, method, given = value
        try:
            arguments = [dialog_interpreter.parse_argument(each) for each in given]
            return call_guarded(self._world, self._world.service(service).call, method, arguments)
        except RuntimeError as error:
            return self._note_error("^call(%s.%s): %s" % (service, method, reason(error)))

    def _take_result(self, turn, loaded, result):  # type: (DialogTurn, LoadedTopic, str) -> None
        """Answer the result of a call with the first c rule that fits."""
        words, view = qichat.split_words(result), self._topics.make_view(loaded)
        for rule in turn.rule.callbacks:
            found = dialog_interpreter.match_pattern(rule.pattern, words, view)
            if found is not None:
                captures = [result] if len(found.captures) == 1 and _takes_any_words(rule) else found.captures
                self._actions.open_scope(turn.topic, rule if rule.rules else turn.rule)
                self._perform(DialogTurn(turn.topic, rule, captures))
                return

    def _note_answer(self, turn, text):  # type: (DialogTurn, str) -> None
        """Note a person's sentence; the silence begins again, unless the answer was to silence."""
        self._world.memory.raiseEvent("Dialog/Answered", text)
        self._world.memory.raiseEvent("Dialog/LastAnswer", text)
        self._world.memory.insertData("Dialog/MatchedTopic", turn.topic)
        self._world.memory.insertData("Dialog/MatchedLine", turn.rule.line)
        waits_for = qichat.walk_nodes(turn.rule.pattern) if turn.rule.pattern is not None else ()
        if not any(node.kind == "event" and node.parts[0].startswith(_NOT_SPEAKING_EVENT[:-2]) for node in waits_for):
            self._silence.restart()

    def _say(self, pieces):  # type: (List[str]) -> List[str]
        """Say a text with gestures where ALAnimatedSpeech is there, without them elsewhere; return it in a list."""
        text = self._dress(qichat.join_words("".join(pieces).split()))
        animated, voice = (self._world.services.get(name) for name in ("ALAnimatedSpeech", "ALTextToSpeech"))
        if not text:
            return []
        if animated is not None:
            call_guarded(self._world, animated.call, "say", [text])
            return [call_guarded(self._world, animations.remove_annotations, text) or text]
        text = call_guarded(self._world, animations.remove_annotations, text) or ""
        if text and voice is not None:
            call_guarded(self._world, voice.call, "say", [text])
        return [text] if text else []

    def _dress(self, text):  # type: (str) -> str
        """Change an answer by the skins of the active topics that it fits."""
        for name in self._topics.active if text else ():
            view = self._topics.make_view(self._topics.loaded[name])
            for pattern, changes in self._topics.loaded[name].topic.skins:
                if dialog_interpreter.match_pattern(pattern, qichat.split_words(text), view) is not None:
                    for change in changes:
                        text = dialog_interpreter.change_answer(text, change, self._world.random)
        return text

    def _note_error(self, sentence):  # type: (str) -> None
        self._world.trace.note("error", where="ALDialog", message=sentence, handled=False)


def _takes_any_words(rule):  # type: (Rule) -> bool
    """Return whether a rule accepts any result, `(_*)`, which is then kept as it was written."""
    nodes = rule.pattern.parts  # type: Any
    return len(nodes) == 1 and nodes[0].kind == "capture" and nodes[0].parts[0].kind == "star"


# Choosing the rule that answers a sentence or an event.


class _Understanding(object):
    """The choice of the rule that ALDialog answers with."""

    def __init__(self, topics, actions, answers, silence):  # type: (Topics, Actions, _Answers, _Silence) -> None
        self._topics, self._actions, self._answers, self._silence = topics, actions, answers, silence
        self._world = topics.world
        self._misses = 0

    def list_rules(self):  # type: () -> List[Tuple[str, Rule]]
        """List the rules that may answer, the ones that are asked first in front."""
        return [row for group in self._groups() for row in group]

    def _groups(self):  # type: () -> List[List[Tuple[str, Rule]]]
        """List the groups of rules that may answer: the ordinary ones, those of recover sections, the fallbacks."""
        (topic, in_scope), active, loaded = self._actions.scope, self._topics.active, self._topics.loaded
        found = [(topic, rule) for rule in in_scope] if topic in active else []
        everywhere = [(name, rule) for name in reversed(active) for rule in loaded[name].topic.rules]
        everywhere = [row for row in everywhere if "private" not in row[1].flags or row[0] == active[-1]]
        enabled = [row for row in found + everywhere if loaded[row[0]].is_enabled(row[1])]
        return [[row for row in enabled if _get_reserve_kind(row[1]) == flag] for flag in ("", "recover", "fallback")]

    def understand_sentence(self, sentence):  # type: (str) -> bool
        """Answer a sentence; return False if no rule does."""
        self._silence.restart()
        memory = self._world.memory
        memory.insertData("Dialog/CurrentString", sentence)
        memory.raiseEvent("Dialog/LastInput", sentence)
        if self._match(qichat.split_words(sentence)):
            self._topics.raised.clear()
            memory.insertData("Dialog/MatchedInput", sentence)
            self._misses = 0
            return True
        self._misses += 1
        answers = self._topics.is_awaited("Dialog/NotUnderstood")
        memory.raiseEvent("Dialog/NotUnderstood", sentence)
        memory.raiseEvent("Dialog/SaidMisunderstood", sentence)
        if self._misses in (2, 3):
            memory.raiseEvent("Dialog/NotUnderstood%d" % self._misses, sentence)
        if not answers:
            memory.raiseEvent("Dialog/Fallback", sentence)
        return False

    def _match(self, words, without_condition=True):  # type: (List[str], bool) -> bool
        """Answer with the first rule that fits the sentence or else some of its words; return False if none does."""
        is_event = words[:1] != [] and words[0].startswith(dialog_interpreter.EVENT_SIGN)
        tries = [(row, inside) for group in self._groups() for inside in (False, True)[: 2 - is_event] for row in group]
        for (name, rule), inside in tries:
            if not without_condition and not any(node.kind == "check" for node in qichat.walk_nodes(rule.pattern)):
                continue
            view = self._topics.make_view(self._topics.loaded[name])
            is_last = dialog_interpreter.fits_everything(rule.pattern)
            if is_last and not inside and not is_event:
                continue
            found = dialog_interpreter.match_pattern(rule.pattern, words, view, inside and not is_last)
            if found is None:
                continue
            captures = found.captures
            if not captures and words and words[0].startswith(dialog_interpreter.EVENT_SIGN):
                captures = [view.value(words[0][len(dialog_interpreter.EVENT_SIGN) :]) or ""]
            for node in found.assignments:
                self._world.memory.raiseEvent(view.key(node.parts[0]), view.text(node.parts[1], captures) or "")
            self._actions.keep_scope()
            self._actions.open_scope(name, rule)
            self._take_focus(name)
            self._answers.reply(name, rule, captures)
            return True
        return False

    def _take_focus(self, name):  # type: (str) -> None
        """Give the focus to the topic that answers, unless it is ^noStay."""
        if self._topics.active[-1] != name and "nostay" not in self._topics.loaded[name].topic.flags:
            self._topics.active.remove(name)
            self._topics.active.append(name)
            loaded = self._topics.loaded[name]
            if "resetonfocus" in loaded.topic.flags and loaded.proposal("next") is None:
                loaded.again()
            self._world.memory.raiseEvent("Dialog/Focus", name)

    def list_events(self):  # type: () -> Set[str]
        """List the keys in ALMemory of the events that the active topics wait for."""
        loaded = [self._topics.loaded[name] for name in self._topics.active]
        return {self._topics.make_view(each).key(event) for each in loaded for event in each.events}

    def take_event(self, key, value):  # type: (str, object) -> None
        """Answer an event; several topics may wait for it, and one answers.

        The 0 of a sensor that is let go answers only rules with a condition; inputs of a Dialog box always answer.
        """
        is_port = any(key in loaded.paths.values() for loaded in self._topics.loaded.values())
        if value != 0:
            self._topics.raised.add(key)
        self._match(dialog_interpreter.make_event_sentence(key), value != 0 or is_port)


def _get_reserve_kind(rule):  # type: (Rule) -> str
    """Return "recover" or "fallback" for a rule that answers only when no ordinary one does, "" for that one."""
    return "fallback" if "fallback" in rule.flags else "recover" if "recover" in rule.flags else ""


# ALDialog.

_CLOUD_METHODS = """
    startPush()v stopPush()v applicationBlackList([s])v isContentNeedsUpdate()b exportContent(ss)[s]
    enableSendingLogToCloud(b)v isSendingLogToCloud()b enableLogAudio(b)v enableSimulatedApps(b)v
    enableTriggerSentences(b)v enableCategory(b)v getGlobalRecommandations()[s] getLocalRecommandations()[s]
    getFocusRecommandations()[s] generateSentences(sss)v generateSentences(sssi)v
"""
_ENGINE_METHODS = """
    mute(b)v noPick(s)v resetLanguage()v addBlockingEvent(s)v removeBlockingEvent(s)v addFallback(ss)v
    removeFallback(ss)v setDelay(si)v setNumberOfScopes(i)v setConceptKeepInCache(ss[s])v closeTestSession()v
    dialogAnswered(sms)v removeAllLanguageThresholds()v
"""


@declare(
    nothing("compileAll", "topics are read when they are loaded"),
    no_effect(_CLOUD_METHODS, "Content from the cloud and suggestions are not simulated"),
    no_effect(_ENGINE_METHODS, "The dialogue engine has only rules, concepts, topics and tags"),
    switch("Stoppable", True, "a person can stop the dialogue", ("setStoppable", "getStoppable")),
)
@compose(("topics", Topics))
class ALDialog(Service):
    """Answers sentences by the rules of the active topics, for as long as a program is subscribed."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self.topics = Topics(world, self._relink)
        self._actions, self._silence = Actions(self.topics), _Silence(self.topics)
        self._answers = _Answers(self.topics, self._actions, self._silence)
        self._understanding = _Understanding(self.topics, self._actions, self._answers, self._silence)
        self._links = {}  # type: Dict[str, int]
        self._subscribers = Subscribers()
        self._thresholds = {}  # type: Dict[str, float]
        self._speech_configuration = {}  # type: Dict[str, object]
        self._user_data = {}  # type: Dict[int, Dict[str, str]]

    def insertUserData(self, name, value, user):  # type: (str, str, int) -> None
        """Keep a value of a person by name."""
        known = self._user_data.setdefault(int(self._number(user, "insertUserData", 2)), {})
        known[self._text(name, "insertUserData")] = self._text(value, "insertUserData", 1)

    def getUserData(self, name, user):  # type: (str, int) -> str
        """Return a value of a person, "" if it was never kept."""
        known = self._user_data.get(int(self._number(user, "getUserData", 1)), {})
        return known.get(self._text(name, "getUserData"), "")

    def getUserDataList(self, user):  # type: (int) -> List[str]
        """List the names of a person's values."""
        return sorted(self._user_data.get(int(self._number(user, "getUserDataList")), ()))

    def getUserList(self):  # type: () -> List[int]
        """List the people with stored values."""
        return sorted(self._user_data)

    def removeUserData(self, user):  # type: (int) -> None
        """Forget the values of a person."""
        self._user_data.pop(int(self._number(user, "removeUserData")), None)

    @property
    def is_open(self):  # type: () -> bool
        """Return whether the dialogue engine runs: a program is subscribed and a topic is active."""
        return bool(self._subscribers) and bool(self.topics.active)

    @property
    def is_answering(self):  # type: () -> bool
        """Return whether an answer is being given."""
        return self._answers.is_answering

    @property
    def vocabulary(self):  # type: () -> Tuple[str, ...]
        """List sentences that the active rules understand, at most 200."""
        found = []  # type: List[str]
        for name, rule in self._understanding.list_rules():
            is_loaded = "notinembeddedasr" not in self.topics.loaded[name].topic.flags
            if is_loaded and len(found) < dialog_interpreter.MAX_SAMPLES:
                view = self.topics.make_view(self.topics.loaded[name])
                found += [each for each in dialog_interpreter.list_samples(rule.pattern, view) if each not in found]
        return tuple(found[: dialog_interpreter.MAX_SAMPLES])

    @property
    def spotting(self):  # type: () -> bool
        """Return False: the engine itself finds the words of a rule inside a longer sentence."""
        return False

    @overloads("s", "s i f")
    def subscribe(self, name, period=500, precision=0.0):  # type: (str, int, float) -> None
        """Start the dialogue engine for a program; period and precision are ignored."""
        if not self._subscribers.add(self._text(name, "subscribe")):
            raise self._error("subscribe", "Module %s is already subscribed." % name)

    def unsubscribe(self, name):  # type: (str) -> None
        """End a subscription; raise RuntimeError if none exists."""
        if not self._subscribers.remove(self._text(name, "unsubscribe")):
            raise self._error("unsubscribe", "Module %s is not subscribed." % name)

    def runDialog(self):  # type: () -> None
        """Start the dialogue engine, with a subscriber called "runDialog"."""
        self._subscribers.add("runDialog")

    def stopDialog(self):  # type: () -> None
        """End the subscription that `runDialog` made."""
        self._subscribers.remove("runDialog")

    def forceInput(self, sentence):  # type: (str) -> None
        """Answer a sentence as if a person had said it."""
        self._understanding.understand_sentence(self._text(sentence, "forceInput"))

    def tell(self, sentence):  # type: (str) -> None
        """Answer a sentence as if a person had said it: another name of forceInput."""
        self._understanding.understand_sentence(self._text(sentence, "tell"))

    def forceOutput(self):  # type: () -> None
        """Say the next proposal of the newest active topic."""
        name = self.topics.getFocus()
        if not name:
            raise self._error("forceOutput", "No topic is activated.")
        loaded = self.topics.loaded[name]
        if loaded.proposal("next") is None:
            loaded.again()
        proposal = loaded.proposal("next")
        if proposal is not None:
            loaded.note_answer(proposal)
            self._actions.open_scope(name, proposal)
            self._answers.reply(name, proposal, [])

    def gotoTag(self, tag, topic):  # type: (str, str) -> None
        """Answer with the rule or proposal of a topic that carries a tag."""
        rule = self.topics.find_tagged(tag, topic, "gotoTag")[0]
        self._actions.open_scope(topic, rule)
        self._answers.reply(topic, rule, [])

    def setASRConfidenceThreshold(self, threshold):  # type: (float) -> None
        """Set the confidence that the recogniser needs, 0 to 1."""
        self._thresholds["BNF"] = self._number(threshold, "setASRConfidenceThreshold", 0, 0, 1)

    def getConfidenceThreshold(self, strategy, language):  # type: (str, str) -> float
        """Return the confidence that the recogniser needs for one kind of grammar."""
        self._text(language, "getConfidenceThreshold", 1)
        return self._thresholds.get(self._text(strategy, "getConfidenceThreshold"), 0.5)

    def getASRConfidenceThreshold(self):  # type: () -> float
        """Return the confidence that the recogniser needs, 0 to 1."""
        return self._thresholds.get("BNF", 0.5)

    def setConfidenceThreshold(self, strategy, threshold, language=None):  # type: (str, float, Optional[str]) -> None
        """Set the confidence that the recogniser needs for one kind of grammar."""
        self._one_of(strategy, ["BNF", "SLM", "REMOTE"], "setConfidenceThreshold", "strategy")
        self._thresholds[strategy] = self._number(threshold, "setConfidenceThreshold", 1, 0, 1)

    def setAnimatedSpeechConfiguration(self, configuration):  # type: (object) -> None
        """Set how answers are said: the configuration that ALAnimatedSpeech.say takes with a text."""
        if not isinstance(configuration, dict):
            raise self._make_type_error(configuration, "Map", "setAnimatedSpeechConfiguration", 0)
        self._speech_configuration = configuration

    def getAnimatedSpeechConfiguration(self):  # type: () -> object
        """Return how answers are to be said; the simulated robot says them all alike."""
        return self._speech_configuration

    def openSession(self, user):  # type: (int) -> None
        """Begin a conversation with a person."""
        self._number(user, "openSession")

    def closeSession(self):  # type: () -> None
        """End a conversation with a person."""

    def isListening(self):  # type: () -> bool
        """Return whether the dialogue engine listens now."""
        return self.is_open

    def resetAll(self):  # type: () -> None
        """Forget every topic, subscription and dynamic concept."""
        for topic in list(self.topics.loaded):
            self.topics.unloadTopic(topic)
        self._subscribers = Subscribers()
        self.topics.clearConcepts()

    def hear_phrase(self, sentence, confidence):  # type: (str, float) -> bool
        """Take in a person's sentence; return False if no rule answers or the confidence is too low."""
        if not self.is_open or confidence < self.getASRConfidenceThreshold():
            return False
        return self._understanding.understand_sentence(sentence)

    def leftovers(self):  # type: () -> List[str]
        """List the topics and subscriptions that a program should have undone."""
        loaded, active = sorted(self.topics.loaded), self.topics.active
        left = ["The topic %s is still %s." % (name, "activated" if name in active else "loaded") for name in loaded]
        return left + ["Module %r is still subscribed to ALDialog." % name for name in self._subscribers]

    def _take_event(self, key, value):  # type: (str, object) -> None
        if self.is_open:
            self._understanding.take_event(key, value)

    def _relink(self):  # type: () -> None
        """Listen to the events that the active topics wait for, and to no others."""
        wanted = self._understanding.list_events()
        for key in sorted(set(self._links) - wanted):
            self.world.memory.unlink(key, self._links.pop(key))
        for key in sorted(wanted - set(self._links)):
            self._links[key] = self.world.memory.link(key, partial(self._take_event, key))
        self._silence.restart()
