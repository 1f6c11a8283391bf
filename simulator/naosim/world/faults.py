"""Planned faults of a robot: missing services, misheard words, calls that raise, a stop in the middle."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any, Iterable


class Faults(object):
    """The planned faults of one robot; by default there are none.

    `without`   names of services that the robot lacks;
    `mishear`   what is understood instead of a phrase, {"two": "ten"};
    `grammar`   how many of the next setVocabulary calls fail with the robot's "modifiable_grammar" error;
    `cure`      what ends that error at once: "language" (changing it), "context" (removing all contexts) or None;
    `raising`   calls that fail, {("ALMemory", "subscriber"): "Invalid signature"}; (sentence, number) fails so often;
    `stop_at`   the virtual second at which the behaviour is stopped, as by a user.

    >>> faults = Faults(mishear={"two": "ten"}, grammar=1)
    >>> faults.heard("two"), faults.heard("one")
    ('ten', 'one')
    >>> faults.grammar_fails(), faults.grammar_fails()
    (True, False)
    """

    __slots__ = ("_raising", "cure", "grammar", "mishear", "stop_at", "without")

    def __init__(self, without=(), mishear=None, grammar=0, cure=None, raising=None, stop_at=None):
        # type: (Iterable[str], dict[str, str] | None, int, str | None, dict[tuple[str, str], Any] | None, float | None) -> None
        self.without = frozenset(without)
        self.mishear = dict(mishear or {})
        self.grammar = grammar
        self.cure = cure
        self.stop_at = stop_at
        self._raising = {}  # type: dict[tuple[str, str], list[Any]]
        for (service, method), planned in sorted((raising or {}).items()):
            sentence, times = planned if isinstance(planned, (tuple, list)) else (planned, -1)
            self.fail(service, method, sentence, times)

    def fail(self, service, method, sentence, times=-1):  # type: (str, str, str, int) -> None
        """Make the next calls of a service's method raise RuntimeError(sentence); -1 times means every call."""
        self._raising[(service, method)] = [sentence, times]

    def plan(self, fields):  # type: (dict[str, Any]) -> None
        """Add faults given as JSON, with failing calls as {"ALMemory.subscriber": sentence}; raises TypeError.

        >>> faults = Faults()
        >>> faults.plan({"mishear": {"two": "ten"}, "raising": {"ALMemory.subscriber": ["Invalid signature", 1]}})
        >>> faults.heard("two")
        'ten'
        """
        more = dict(fields)
        raising = {tuple(call.split(".", 1)): planned for call, planned in dict(more.pop("raising", {})).items()}
        planned = Faults(raising=raising, **more)
        self.without = self.without.union(planned.without)
        self.mishear.update(planned.mishear)
        self._raising.update(planned._raising)
        for name in ("grammar", "cure", "stop_at"):
            if name in more:
                setattr(self, name, getattr(planned, name))

    def heard(self, phrase):  # type: (str) -> str
        """Return the phrase that the robot understands when a person says this one."""
        return self.mishear.get(phrase, phrase)

    def grammar_fails(self):  # type: () -> bool
        """Tell whether this call of setVocabulary is one of those that fail; each True uses one up."""
        if self.grammar <= 0:
            return False
        self.grammar -= 1
        return True

    def grammar_cured(self, how):  # type: (str) -> None
        """End the grammar error if it is cured by this: "language" was changed, or every "context" was removed."""
        if how == self.cure:
            self.grammar = 0

    def check(self, service, method):  # type: (str, str) -> None
        """Raise the planned RuntimeError of this call, if any; used before every call that a script makes."""
        if not self._raising:
            return
        planned = self._raising.get((service, method))
        if planned is None or planned[1] == 0:
            return
        planned[1] -= 1
        raise RuntimeError(planned[0])
