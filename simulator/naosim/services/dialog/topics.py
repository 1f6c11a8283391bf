"""The topics and concepts that ALDialog has loaded, and which of them are active."""
from __future__ import absolute_import, division, print_function

import os

from naosim.compat import native, unicoded
from naosim.services.base import Service
from naosim.services.dialog import patterns, qichat

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    from naosim.world.world import World

MOST_TOPICS = 100


class TopicStore(Service):
    """The part of ALDialog that loads, activates and unloads topics."""

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._topics = {}  # type: Dict[str, qichat.Topic]
        self._active = []  # type: List[str]
        self._concepts = {}  # type: Dict[Tuple[str, str], List[patterns.Node]]
        self._language = self._languages()[0]
        self._scope = []  # type: List[qichat.Rule]
        self._links = {}  # type: Dict[str, List[Tuple[str, int]]]

    def loadTopic(self, path):
        # type: (str) -> str
        """Load a topic file and return its name; raise RuntimeError when it is missing, wrong or loaded already."""
        if not os.path.isfile(self._text(path, "loadTopic")):
            raise self._error("loadTopic", "Path %s does not exist." % path)
        with open(path, "rb") as topic_file:
            content = topic_file.read(qichat.LONGEST * 4 + 1)
        return self._load(native(unicoded(content)), "loadTopic")

    def loadTopicContent(self, content):
        # type: (str) -> str
        """Load a topic given as text and return its name."""
        return self._load(self.world.text_out(content, "ALDialog::loadTopicContent"), "loadTopicContent")

    def unloadTopic(self, topic):
        # type: (str) -> None
        """Forget a topic; raise RuntimeError when it is not loaded."""
        self._known(topic, "unloadTopic")
        if topic in self._active:
            self.deactivateTopic(topic)
        del self._topics[topic]

    def activateTopic(self, topic):
        # type: (str) -> None
        """Let a loaded topic answer; raise RuntimeError when it is not loaded or active already."""
        self._known(topic, "activateTopic")
        if topic in self._active:
            raise self._error("activateTopic", "Topic %s is already activated." % topic)
        self._active.append(topic)
        for rule in self._topics[topic].rules:
            if rule.event is not None:
                link = self.world.memory.link(rule.event, lambda value, rule=rule: self._reply(topic, rule, [value]))
                self._links.setdefault(topic, []).append((rule.event, link))

    def deactivateTopic(self, topic):
        # type: (str) -> None
        """Stop a topic from answering; raise RuntimeError when it is not active."""
        if self._text(topic, "deactivateTopic") not in self._active:
            raise self._error("deactivateTopic", "Topic %s is not activated." % topic)
        self._active.remove(topic)
        self._scope = []
        for event, link in self._links.pop(topic, []):
            self.world.memory.unlink(event, link)

    def getLoadedTopics(self, language):
        # type: (str) -> List[str]
        """List the loaded topics of a language."""
        self._text(language, "getLoadedTopics")
        return sorted(name for name, topic in self._topics.items() if topic.language == language)

    def getAllLoadedTopics(self):
        # type: () -> List[str]
        """List the loaded topics."""
        return sorted(self._topics)

    def getActivatedTopics(self):
        # type: () -> List[str]
        """List the active topics, the oldest first."""
        return list(self._active)

    def runTopics(self, paths):
        # type: (List[str]) -> List[str]
        """Load and activate topics and return their names."""
        names = [self.loadTopic(path) for path in self._texts(paths, "runTopics")]
        for name in names:
            self.activateTopic(name)
        return names

    def stopTopics(self, topics):
        # type: (List[str]) -> None
        """Deactivate topics and forget them."""
        for topic in self._texts(topics, "stopTopics"):
            self.unloadTopic(topic)

    def setFocus(self, topic):
        # type: (str) -> None
        """Move an active topic to the front; raise RuntimeError when it is not active."""
        if self._text(topic, "setFocus") not in self._active:
            raise self._error("setFocus", "Topic %s is not activated." % topic)
        self._active.remove(topic)
        self._active.append(topic)

    def gotoTopic(self, topic):
        # type: (str) -> None
        """Move an active topic to the front; raise RuntimeError when it is not active."""
        self.setFocus(topic)

    def getFocus(self):
        # type: () -> str
        """Return the topic at the front, "" when none is active."""
        return self._active[-1] if self._active else ""

    def setLanguage(self, language):
        # type: (str) -> None
        """Change the language of the dialogue; raise RuntimeError when it is not installed."""
        self._language = self._one_of(language, self._languages(), "setLanguage", "language")

    def getLanguage(self):
        # type: () -> str
        """Return the language of the dialogue."""
        return self._language

    def setConcept(self, concept, language, phrases, store=False):
        # type: (str, str, List[str], bool) -> None
        """Set the phrases that a dynamic concept stands for."""
        self._concepts[self._concept_key(concept, language, "setConcept")] = self._phrases(phrases, "setConcept")
        self._flag(store, "setConcept", 3)

    def addToConcept(self, concept, language, phrases):
        # type: (str, str, List[str]) -> None
        """Add phrases to a dynamic concept."""
        key = self._concept_key(concept, language, "addToConcept")
        self._concepts.setdefault(key, []).extend(self._phrases(phrases, "addToConcept"))

    def clearConcepts(self):
        # type: () -> None
        """Forget every dynamic concept."""
        self._concepts.clear()

    def _load(self, content, method):
        # type: (str, str) -> str
        if len(self._topics) >= MOST_TOPICS:
            raise self._error(method, "%d topics are loaded already." % MOST_TOPICS)
        try:
            topic = qichat.topic(content)
        except qichat.BadTopic as error:
            raise self._error(method, "Syntax error: %s" % error)
        if topic.name in self._topics:
            raise self._error(method, "Topic %s is already loaded." % topic.name)
        if topic.language not in self._languages():
            raise self._error(method, "Topic %s: the language %s is not installed." % (topic.name, topic.language))
        self._topics[topic.name] = topic
        return str(topic.name)

    def _known(self, topic, method):
        # type: (str, str) -> str
        if self._text(topic, method) not in self._topics:
            raise self._error(method, "Topic %s is not loaded." % topic)
        return topic

    def _concept_key(self, concept, language, method):
        # type: (str, str, str) -> Tuple[str, str]
        self._text(concept, method)
        code = qichat.LANGUAGES.get(self._text(language, method, 1).lower(), language)
        return concept, self._one_of(code, self._languages(), method, "language")

    def _phrases(self, phrases, method):
        # type: (List[str], str) -> List[patterns.Node]
        try:
            return [patterns.parsed(phrase) for phrase in self._texts(phrases, method, 2)]
        except patterns.BadPattern as error:
            raise self._error(method, "Syntax error: %s" % error)

    def _lookup(self, topic):
        # type: (str) -> patterns.Concepts
        """Return the lookup of concepts for one topic: its own and the dynamic ones, or else those of active topics."""
        language = self._topics[topic].language

        def concept(name):
            # type: (str) -> Sequence[patterns.Node]
            own = self._topics[topic].concepts if topic in self._topics else {}
            dynamic = self._concepts.get((name, language))
            if dynamic is not None or name in own:
                return list(own.get(name, ())) + list(dynamic or ())
            return [node for other in self._active for node in self._topics[other].concepts.get(name, ())]

        return concept

    def _reply(self, topic, rule, captures):
        # type: (str, qichat.Rule, List[Any]) -> None
        raise NotImplementedError
