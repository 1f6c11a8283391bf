"""ALKnowledge: facts of three words each, a subject, a predicate and an object, by the name of a collection."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Tuple

    Fact = Tuple[str, str, str]

MOST_FACTS, LONGEST = 2000, 500
#: What stands for the word that a query asks for.
ASKED = "?"


class ALKnowledge(Service):
    """Keeps facts as long as the robot runs."""

    def __init__(self, world):  # type: (Any) -> None
        Service.__init__(self, world)
        self._facts = {}  # type: Dict[Tuple[str, Fact], bool]

    def add(self, collection, subject, predicate, thing):  # type: (str, str, str, str) -> None
        """Add a fact."""
        if len(self._facts) >= MOST_FACTS:
            raise self._error("add", "%d facts are known already: remove some." % MOST_FACTS)
        self._facts[self._text(collection, "add"), self._fact("add", subject, predicate, thing)] = True

    def contains(self, collection, subject, predicate, thing):  # type: (str, str, str, str) -> bool
        """Tell whether a fact is known."""
        fact = self._fact("contains", subject, predicate, thing)
        return (self._text(collection, "contains"), fact) in self._facts

    def getSubject(self, collection, predicate, thing):  # type: (str, str, str) -> List[str]
        """List the subjects that are known with a predicate and an object."""
        return self._found("getSubject", collection, (ASKED, predicate, thing))

    def getPredicate(self, collection, subject, thing):  # type: (str, str, str) -> List[str]
        """List the predicates that are known between a subject and an object."""
        return self._found("getPredicate", collection, (subject, ASKED, thing))

    def getObject(self, collection, subject, predicate):  # type: (str, str, str) -> List[str]
        """List the objects that are known with a subject and a predicate."""
        return self._found("getObject", collection, (subject, predicate, ASKED))

    def query(self, collection, subject, predicate, thing):  # type: (str, str, str, str) -> List[str]
        """List the words that fit where one of the three is "?"."""
        pattern = self._fact("query", subject, predicate, thing)
        if pattern.count(ASKED) != 1:
            raise self._error("query", 'One of the three words has to be "?": %.80r.' % (pattern,))
        return self._found("query", collection, pattern)

    def update(self, collection, subject, predicate, thing):  # type: (str, str, str, str) -> None
        """Replace what is known of a subject and a predicate by one object."""
        for other in self.getObject(collection, subject, predicate):
            del self._facts[collection, (subject, predicate, other)]
        self.add(collection, subject, predicate, thing)

    def remove(self, collection, subject, predicate, thing):  # type: (str, str, str, str) -> None
        """Remove a fact, if it is known."""
        self._facts.pop((self._text(collection, "remove"), self._fact("remove", subject, predicate, thing)), None)

    def resetKnowledge(self, collection):  # type: (str) -> None
        """Remove all facts of a collection."""
        for key in [key for key in self._facts if key[0] == self._text(collection, "resetKnowledge")]:
            del self._facts[key]

    def _fact(self, method, subject, predicate, thing):  # type: (str, Any, Any, Any) -> Fact
        words = (self._text(subject, method, 1), self._text(predicate, method, 2), self._text(thing, method, 3))
        if max(len(word) for word in words) > LONGEST:
            raise self._error(method, "A word of a fact has at most %d characters: %.60r." % (LONGEST, words))
        return words

    def _found(self, method, collection, pattern):  # type: (str, Any, Fact) -> List[str]
        wanted, at = self._fact(method, *pattern), pattern.index(ASKED)
        self._text(collection, method)
        return sorted(
            fact[at]
            for kept, fact in self._facts
            if kept == collection and all(number == at or word == fact[number] for number, word in enumerate(wanted))
        )
