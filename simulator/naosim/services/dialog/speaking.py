"""What an answer comes to: its choices made, its concepts and variables replaced, one step after the other."""

from __future__ import absolute_import, division, print_function

from collections import namedtuple

from naosim.qichat import Node

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

    from naosim.services.dialog.view import View

MOST_VARIANTS = 200  # of one choice
DEEPEST = 30  # concepts inside each other
MOST_STEPS = 20000  # of one answer; what takes more cannot be said
ORDERS = ("order", "rand", "first")

#: One step: say a text, set (key, value), tag, do (name, argument, ...), call or pcall.
Step = namedtuple("Step", "kind value")


class Unknown(ValueError):
    """An answer names a concept that no loaded topic defines."""


class NothingToSay(Exception):
    """A condition of the answer does not hold: what follows it is left out."""


class Speaker(object):
    """Takes an answer apart into steps; each is worked out when it is reached, after those before it are done."""

    def __init__(self, view, turns, random, captures, can_do):
        # type: (View, Dict[int, int], Any, Sequence[str], Callable[[Node], bool]) -> None
        self._view = view
        self._turns = turns
        self._random = random
        self._captures = captures
        self._can_do = can_do
        self._steps = 0

    def steps(self, node, depth=0):  # type: (Node, int) -> Iterator[Step]
        """Yield the steps of an answer; raise NothingToSay where a condition fails, Unknown for an unknown concept."""
        kind, parts = node
        if kind == "maybe" and self._random.random() < 0.5:
            return
        if kind in ("all", "maybe"):
            for part in parts:
                for step in self.steps(part, depth):
                    yield step
        elif kind in ORDERS or kind == "concept":
            for step in self._chosen(node, depth):
                yield step
        elif kind != "check":
            yield self._plain(node, depth)
        elif not self._view.holds(node, self._captures):
            raise NothingToSay()

    def _plain(self, node, depth):  # type: (Node, int) -> Step
        """Return the step of a node that is one step."""
        kind, parts = node
        if kind == "enumerate":
            return Step("say", self._listed(node, depth))
        if kind == "read":
            return Step("say", self._view.value(parts[0], self._captures) or "")
        if kind == "set":
            return Step("set", (self._view.key(parts[0]), self._view.text(parts[1], self._captures) or ""))
        if kind in ("call", "pcall"):
            given = [self._view.text(each, self._captures) or "" for each in parts[2]]
            return Step(kind, (parts[0], parts[1], given))
        return Step("say" if kind == "text" else kind, parts if kind == "do" else parts[0])

    def _chosen(self, node, depth):  # type: (Node, int) -> Iterator[Step]
        """Yield the steps of one alternative: the next that can be said, a random one, or the first."""
        if depth > DEEPEST:
            return
        if node.kind == "concept":
            node = self._meaning(node.parts[0])
            if node.kind not in ORDERS:
                for step in self.steps(node, depth + 1):
                    yield step
                return
        chosen = self._any_of(node, depth) if node.kind == "rand" else self._next_of(node, depth)
        if chosen is not None:
            for step in self.steps(chosen, depth + 1):
                yield step

    def _any_of(self, node, depth):  # type: (Node, int) -> Optional[Node]
        """Draw one of the alternatives that can be said."""
        possible = [each for each in node.parts if self._can_be_said(each, depth)]
        return self._random.choice(possible) if possible else None

    def _next_of(self, node, depth):  # type: (Node, int) -> Optional[Node]
        """Return the first alternative that can be said, of an ordered choice the first after the one before."""
        variants = self._variants(node, depth)
        start = self._turns.get(id(node), 0) if node.kind == "order" else 0
        for number in range(start, start + len(variants)):
            chosen = variants[number % len(variants)]
            if self._can_be_said(chosen, depth):
                self._turns[id(node)] = (number + 1) % len(variants)
                return chosen
        return None

    def _meaning(self, name):  # type: (str) -> Node
        """Return what the robot says for a concept; a bracket alone is a choice."""
        node = self._view.spoken(name)
        if node is None:
            raise Unknown("the concept ~%s is defined in no loaded topic of this language" % name)
        inner = [part for part in node.parts if part != Node("text", (" ",))]
        return inner[0] if node.kind == "all" and len(inner) == 1 else node

    def _variants(self, node, depth):  # type: (Node, int) -> List[Node]
        """List the alternatives of a node, those of choices and concepts inside it one by one, at most 200."""
        self._steps += 1
        if depth > DEEPEST or self._steps > MOST_STEPS:
            return [node]
        if node.kind == "concept":
            return self._variants(self._meaning(node.parts[0]), depth + 1)
        if node.kind in ("order", "first"):
            found = []  # type: List[Node]
            for part in node.parts:
                if len(found) < MOST_VARIANTS:
                    found += self._variants(part, depth + 1)
            return found[:MOST_VARIANTS]
        if node.kind != "all":
            return [node]
        rows = [()]  # type: List[Any]
        for part in node.parts:
            inner = self._variants(part, depth + 1)
            rows = [row + (each,) for row in rows[:MOST_VARIANTS] for each in inner][:MOST_VARIANTS]
        return [Node("all", row) for row in rows]

    def _listed(self, node, depth):  # type: (Node, int) -> str
        """List the members of a concept, all of them or the first few."""
        name, most = node.parts
        meaning = self._meaning(name)
        if meaning.kind in ORDERS:
            meaning = Node("order", meaning.parts)
        members = self._variants(meaning, depth + 1)[:most]
        texts = ["".join(step.value for step in self.steps(each, depth + 1) if step.kind == "say") for each in members]
        return ", ".join(" ".join(text.split()) for text in texts if text.strip())

    def _can_be_said(self, node, depth):  # type: (Node, int) -> bool
        """Tell whether an alternative can be said: its conditions hold, its variables and concepts are there."""
        self._steps += 1
        if depth > DEEPEST or self._steps > MOST_STEPS:
            return False
        if node.kind == "check":
            return self._view.holds(node, self._captures)
        if node.kind == "read":
            return self._view.value(node.parts[0], self._captures) is not None
        if node.kind == "do":
            return self._can_do(node)
        if node.kind == "concept":
            return self._can_be_said(self._meaning(node.parts[0]), depth + 1)
        if node.kind in ORDERS:
            return any(self._can_be_said(part, depth + 1) for part in node.parts)
        return node.kind != "all" or all(self._can_be_said(part, depth + 1) for part in node.parts)
