"""The topics of ALDialog: loading, activating and unloading them, and the topic after an answer."""

from __future__ import absolute_import, division, print_function

import os
from collections import namedtuple

from naosim import qichat, topics
from naosim.services.base import Service
from naosim.services.dialog_interpreter import LoadedTopic, TopicNames
from naosim.topics import Rule
from naosim.world import World, call_guarded

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Set, Tuple

# Topics and concepts that are loaded.

_MAX_TOPICS = 100
_MAX_CONCEPT_PHRASES = 10000  # phrases of one dynamic concept
#: A phrase of a dynamic concept: its text, the pattern of a person's words and the answer with NAO's words.
_Phrase = namedtuple("_Phrase", "text heard spoken")
_EMPTY_CONCEPT = topics.Concept([], qichat.Node("order", ()))


class Topics(Service):
    """The part of ALDialog that loads, activates and unloads topics; it calls `on_change` when others become active."""

    def __init__(self, world, on_change):  # type: (World, Callable[[], None]) -> None
        Service.__init__(self, world, "ALDialog")
        self._on_change = on_change
        self.loaded = {}  # type: Dict[str, LoadedTopic]
        #: The names of the active topics, the oldest first.
        self.active = []  # type: List[str]
        #: The events that were raised since the last sentence.
        self.raised = set()  # type: Set[str]
        self._concepts = {}  # type: Dict[Tuple[str, str], topics.Concept]
        self._phrases = {}  # type: Dict[Tuple[str, str], List[_Phrase]]
        self._language = self._languages()[0]

    def loadTopic(self, path):  # type: (str) -> str
        """Load a topic file and return its name; raise RuntimeError if it is missing, wrong or loaded already."""
        if not os.path.isfile(self._path(path, "loadTopic")):
            raise self._error("loadTopic", "Path %s does not exist." % path)
        return self._load(topics.read_topic_file(path), "loadTopic", topics.make_include_reader(os.path.dirname(path)))

    def loadTopicContent(self, content):  # type: (str) -> str
        """Load a topic given as text and return its name."""
        return self._load(self.world.text_out(content, "ALDialog::loadTopicContent"), "loadTopicContent")

    def unloadTopic(self, topic):  # type: (str) -> None
        """Forget a topic; raise RuntimeError if it is not loaded."""
        self.check_loaded(topic, "unloadTopic")
        if topic in self.active:
            self.deactivateTopic(topic)
        del self.loaded[topic]

    def activateTopic(self, topic):  # type: (str) -> None
        """Let a loaded topic answer; raise RuntimeError if it is not loaded or active already."""
        self.check_loaded(topic, "activateTopic")
        if topic in self.active:
            raise self._error("activateTopic", "Topic %s is already activated." % topic)
        self.active.append(topic)
        self._on_change()
        self.world.memory.raiseEvent("Dialog/ActivateTopic", topic)

    def deactivateTopic(self, topic):  # type: (str) -> None
        """Stop a topic from answering; raise RuntimeError if it is not active."""
        if self._text(topic, "deactivateTopic") not in self.active:
            raise self._error("deactivateTopic", "Topic %s is not activated." % topic)
        self.active.remove(topic)
        self._on_change()
        self.world.memory.raiseEvent("Dialog/DeactivateTopic", topic)

    def getLoadedTopics(self, language):  # type: (str) -> List[str]
        """List the loaded topics of a language."""
        self._text(language, "getLoadedTopics")
        return sorted(name for name, loaded in self.loaded.items() if loaded.topic.language == language)

    def getAllLoadedTopics(self):  # type: () -> List[str]
        """List the loaded topics."""
        return sorted(self.loaded)

    def getActivatedTopics(self):  # type: () -> List[str]
        """List the active topics, the oldest first."""
        return list(self.active)

    def runTopics(self, paths):  # type: (List[str]) -> List[str]
        """Load and activate topics and return their names."""
        names = [self.loadTopic(path) for path in self._texts(paths, "runTopics")]
        for name in names:
            self.activateTopic(name)
        return names

    def stopTopics(self, names):  # type: (List[str]) -> None
        """Deactivate topics and forget them."""
        for topic in self._texts(names, "stopTopics"):
            self.unloadTopic(topic)

    def setFocus(self, topic):  # type: (str) -> None
        """Move an active topic to the front; raise RuntimeError if it is not active."""
        if self._text(topic, "setFocus") not in self.active:
            raise self._error("setFocus", "Topic %s is not activated." % topic)
        self.active.remove(topic)
        self.active.append(topic)

    gotoTopic = setFocus

    def getFocus(self):  # type: () -> str
        """Return the topic at the front, "" without an active topic."""
        return self.active[-1] if self.active else ""

    def setLanguage(self, language):  # type: (str) -> None
        """Change the language of the dialogue; raise RuntimeError if it is not installed."""
        self._language = self._one_of(language, self._languages(), "setLanguage", "language")

    def getLanguage(self):  # type: () -> str
        """Return the language of the dialogue."""
        return self._language

    def setConcept(self, concept, language, phrases, store=False):  # type: (str, str, List[str], bool) -> None
        """Set the phrases that a dynamic concept stands for."""
        key = self._concept_key(concept, language, "setConcept")
        self._keep(key, self._parse_phrases(self._texts(phrases, "setConcept", 2), "setConcept"), "setConcept")
        self._flag(store, "setConcept", 3)

    def addToConcept(self, concept, language, phrases):  # type: (str, str, List[str]) -> None
        """Add phrases to a dynamic concept."""
        key, method = self._concept_key(concept, language, "addToConcept"), "addToConcept"
        added = self._parse_phrases(self._texts(phrases, method, 2), method)
        self._keep(key, self._phrases.get(key, []) + added, method)

    def getConcept(self, concept, language):  # type: (str, str) -> List[str]
        """List the phrases of a dynamic concept."""
        return [each.text for each in self._phrases.get(self._concept_key(concept, language, "getConcept"), ())]

    def change_concept(self, function, concept, language, phrase):  # type: (str, str, str, str) -> None
        """Add a phrase to a dynamic concept, remove it from there, or remove all, as the function of an answer says."""
        key = self._concept_key(concept, language, function)
        known = self._phrases.get(key, [])
        if function == "addtoconcept":
            # A variable without a value adds nothing: an empty phrase would fit no words at all.
            self.addToConcept(concept, language, [phrase] if phrase.strip() else [])
        elif function == "removefromconcept":
            self._keep(key, [each for each in known if each.text.lower() != phrase.lower()], function)
        else:
            self._keep(key, [], function)

    def clearConcepts(self):  # type: () -> None
        """Forget every dynamic concept."""
        self._concepts.clear()
        self._phrases.clear()

    def setVariablePath(self, topic, event, path):  # type: (str, str, str) -> None
        """Give a variable or event of a topic another key in ALMemory: the key of a port of its Dialog box."""
        loaded = self.loaded[self.check_loaded(topic, "setVariablePath")]
        loaded.paths[self._text(event, "setVariablePath", 1)] = self._text(path, "setVariablePath", 2)
        self._on_change()

    def activateTag(self, tag, topic):  # type: (str, str) -> None
        """Let the rules and proposals with a tag answer."""
        self._enable(tag, topic, True, "activateTag")

    def deactivateTag(self, tag, topic):  # type: (str, str) -> None
        """Stop the rules and proposals with a tag from answering."""
        self._enable(tag, topic, False, "deactivateTag")

    def find_tagged(self, tag, topic, method):  # type: (str, str, str) -> List[Rule]
        """Return the rules and proposals of a loaded topic that carry a tag; raise RuntimeError if none exists."""
        found = self.loaded[self.check_loaded(topic, method)].list_tagged(self._text(tag, method))
        if not found:
            raise self._error(method, "Topic %s has no tag %s." % (topic, tag))
        return found

    def check_loaded(self, topic, method):  # type: (str, str) -> str
        """Check that a topic is loaded, and return its name."""
        if self._text(topic, method) not in self.loaded:
            raise self._error(method, "Topic %s is not loaded." % topic)
        return topic

    def is_awaited(self, event):  # type: (str) -> bool
        """Return whether a rule of an active topic waits for an event of ALDialog's own."""
        return any(event in self.loaded[name].events for name in self.active)

    def make_view(self, loaded):  # type: (LoadedTopic) -> TopicNames
        """Return what names mean in a topic now."""
        return TopicNames(self.world, loaded, self._concept_of, self.raised)

    def _enable(self, tag, topic, enabled, method):  # type: (str, str, bool, str) -> None
        for rule in self.find_tagged(tag, topic, method):
            self.loaded[topic].enable(rule, enabled)

    def _load(self, content, method, included=None):  # type: (str, str, Optional[Callable[[str], str]]) -> str
        if len(self.loaded) >= _MAX_TOPICS:
            raise self._error(method, "%d topics are loaded already." % _MAX_TOPICS)
        try:
            topic = topics.parse_topic(content, included)
        except qichat.BadTopic as error:
            raise self._error(method, "Syntax error: %s" % error)
        if topic.name in self.loaded:
            raise self._error(method, "Topic %s is already loaded." % topic.name)
        if topic.language not in self._languages():
            raise self._error(method, "Topic %s: the language %s is not installed." % (topic.name, topic.language))
        self.loaded[topic.name] = LoadedTopic(topic)
        return str(topic.name)

    def _concept_key(self, concept, language, method):  # type: (str, str, str) -> Tuple[str, str]
        self._text(concept, method)
        code = topics.LANGUAGES.get(self._text(language, method, 1).lower(), language)
        return concept, self._one_of(code, self._languages(), method, "language")

    def _parse_phrases(self, phrases, method):  # type: (List[str], str) -> List[_Phrase]
        try:
            return [_Phrase(each, qichat.parse_pattern(each), qichat.parse_answer(each)) for each in phrases]
        except qichat.BadTopic as error:
            raise self._error(method, "Syntax error: %s" % error)

    def _keep(self, key, phrases, method):  # type: (Tuple[str, str], List[_Phrase], str) -> None
        """Store the phrases of a dynamic concept."""
        if len(phrases) > _MAX_CONCEPT_PHRASES:
            counts = (len(phrases), _MAX_CONCEPT_PHRASES)
            raise self._error(method, "A concept of %d phrases is too long: at most %d are stored." % counts)
        spoken = qichat.Node("order", tuple(each.spoken for each in phrases))
        self._concepts[key], self._phrases[key] = topics.Concept([each.heard for each in phrases], spoken), phrases

    def _concept_of(self, loaded, name):  # type: (LoadedTopic, str) -> Optional[topics.Concept]
        """Return a concept as a topic sees it: its own, the dynamic one, or else that of any topic of its language."""
        topic = loaded.topic
        own, dynamic = topic.concepts.get(name), self._concepts.get((name, topic.language))
        if own is not None and dynamic is not None:
            return topics.Concept(own.heard + dynamic.heard, own.spoken)
        found = own or dynamic
        if found is None:
            others = [each.topic for _, each in sorted(self.loaded.items()) if name in each.topic.concepts]
            found = next((each.concepts[name] for each in others if each.language == topic.language), None)
        return _EMPTY_CONCEPT if found is None and name in topic.dynamic else found


# Functions of an answer: jumps, tags, proposals, variables.

_PROPOSALS = {"sameproposal": "same", "previousproposal": "previous", "nextproposal": "next", "firstproposal": "first"}
#: Jumps that reach rules that were deactivated and proposals that were made.
_REACTIVATING_JUMPS = ("gotoreactivate", "topictagreactivate")


class Actions(object):
    """The functions of ALDialog's answers, and the scope of the last answer."""

    def __init__(self, all_topics):  # type: (Topics) -> None
        self._topics = all_topics
        self._world = all_topics.world
        #: The topic and the rules that follow the last answer.
        self.scope = ("", [])  # type: Tuple[str, List[Rule]]
        self._scope_before = self.scope

    def open_scope(self, topic, rule):  # type: (str, Rule) -> None
        """Let the sub-rules of a rule answer next."""
        self.scope = topic, rule.rules

    def keep_scope(self):  # type: () -> None
        """Keep the scope for `^stayInScope`, before the answer to another sentence."""
        self._scope_before = self.scope

    def can_do(self, loaded, parts):  # type: (LoadedTopic, Any) -> bool
        """Return whether a function of an answer leads anywhere."""
        if parts[0] in _PROPOSALS:
            return loaded.proposal(_PROPOSALS[parts[0]]) is not None
        if parts[0] == "topicrandom":
            return bool(self._list_proposals())
        if not parts[0].startswith(("goto", "topictag")):
            return True
        return bool(self._reachable(loaded, parts)[1])

    def find_target(self, loaded, parts):  # type: (LoadedTopic, Any) -> Optional[Tuple[str, Rule]]
        """Return the topic and the rule to jump to, None if this is not a jump or there is nothing to say."""
        name = loaded.topic.name
        if parts[0] in _PROPOSALS:
            rule = loaded.proposal(_PROPOSALS[parts[0]])
        elif parts[0] == "topicrandom":
            possible = self._list_proposals()
            name, rule = self._world.random.choice(possible) if possible else (name, None)
        elif parts[0].startswith(("goto", "topictag")):
            name, rules = self._reachable(loaded, parts)
            rule = rules[0] if rules else None
            if parts[0] == "gotorandom" and rules:
                rule = self._world.random.choice(rules)
        else:
            return None
        if rule is None:
            self._world.memory.raiseEvent("Dialog/NothingToSay", name)
            return None
        return name, rule

    def _list_proposals(self):  # type: () -> List[Tuple[str, Rule]]
        """List the proposals of the active topics that were not made yet, with the names of the topics."""
        active = [self._topics.loaded[name] for name in self._topics.active]
        return [(each.topic.name, rule) for each in active for rule in each.topic.proposals if each.is_enabled(rule)]

    def _reachable(self, loaded, parts):  # type: (LoadedTopic, Any) -> Tuple[str, List[Rule]]
        """Return the topic that a jump leads to and the rules there that may answer."""
        topic = parts[1] if len(parts) > 2 else loaded.topic.name
        other = self._topics.loaded.get(topic.lstrip("~"))
        if other is None:
            return topic, []
        rules = other.list_tagged(parts[-1])
        if parts[0] not in _REACTIVATING_JUMPS:
            rules = [each for each in rules if other.is_enabled(each)]
        return other.topic.name, rules

    def run_function(self, loaded, rule, parts):  # type: (LoadedTopic, Rule, Any) -> None
        """Run a function of an answer that is not a jump."""
        name = parts[0]
        if name == "stayinscope":
            self.scope = self._scope_before
        elif name in ("activate", "deactivate"):
            for each in loaded.list_tagged(parts[1]):
                loaded.enable(each, name == "activate")
        elif name in ("enablethis", "disablethis"):
            loaded.enable(rule, name == "enablethis")
        elif name == "clear":
            key = self._topics.make_view(loaded).key(parts[1].lstrip("$"))
            if key in self._world.memory.copy_values():
                self._world.memory.removeData(key)
        elif name == "switchfocus":
            behaviour = parts[1][:-2] if parts[1].endswith("/.") else parts[1]
            call_guarded(self._world, self._world.service("ALAutonomousLife").call, "switchFocus", [behaviour])
        elif name == "releasefocus" and loaded.topic.name in self._topics.active:
            # That the topic with the focus before gets it, and the left one is the last, is our guess.
            self._topics.active.remove(loaded.topic.name)
            self._topics.active.insert(0, loaded.topic.name)
            self._world.memory.raiseEvent("Dialog/Focus", self._topics.getFocus())
        elif name in qichat.CONCEPT_CHANGES:
            call_guarded(self._world, self._topics.change_concept, name, parts[1], loaded.topic.language, parts[2])
        elif name == "script":
            # Anyone who may load a topic could run code on this computer.
            told = "line %d of the topic %s: the robot would run the code between lines %%script and say what it prints"
            self._world.warn("ALDialog", told % (rule.line, loaded.topic.name))
