"""The requests of a live server about real sound: what a recogniser outside makes of what a person says."""

from __future__ import absolute_import, division, print_function

from naosim.compat import INTEGERS, TEXTS
from naosim.errors import WireError
from naosim.remote.fields import field

MYPY = False
if MYPY:
    from typing import Any

    from naosim.robot.robot import Robot

#: As many as NbHypotheses of ALSpeechRecognition can ask for.
MOST_HYPOTHESES = 10
NUMBERS = (float,) + INTEGERS  # type: Any


class SoundRequests(object):
    """Passes to the robot's recogniser that somebody speaks, and what it was."""

    robot = None  # type: Robot  # type: ignore[assignment]

    def _do_begin_to_speak(self, _request):  # type: (dict[str, Any]) -> None
        self.robot.begin_to_speak()

    def _do_speak(self, request):  # type: (dict[str, Any]) -> None
        """Let the recogniser take in pairs of a phrase and a confidence, best first; none for a refusal."""
        given = field(request, "hypotheses", (list,), [])
        if len(given) > MOST_HYPOTHESES:
            raise WireError("%d hypotheses are more than %d" % (len(given), MOST_HYPOTHESES))
        self.robot.speak([_hypothesis(pair) for pair in given])


def _hypothesis(pair):  # type: (Any) -> tuple[str, float]
    """Check one pair."""
    if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], TEXTS):
        raise WireError("a hypothesis is a phrase with a confidence, not %.60r" % (pair,))
    phrase, confidence = pair
    if not isinstance(confidence, NUMBERS) or not 0 <= float(confidence) <= 1:
        raise WireError("the confidence %.60r is no number from 0 to 1" % (confidence,))
    return phrase, float(confidence)
