"""A player who says and touches anything at any time: NAO always has an answer, and ends properly."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from story import EASY, FRONT, MIDDLE, NO_VOICE, REAR, TOUCH_ONLY, Story

from jotto import compat
from naosim.compat import PY2

EARS = {"voice": (), "panel": NO_VOICE, "head": TOUCH_ONLY}
SURENESS = (0.1, 0.4, 0.4, 0.9, 0.9, 0.9, 0.9, 0.9)


@pytest.mark.parametrize("ears", sorted(EARS))
@pytest.mark.parametrize("seed", range(4))
def test_anything_at_any_time(seed, ears, tmpdir):
    def does_something(story, *moment):
        """Do one of the things a person may do, drawn from the story's seed and the moment."""

        def draw(count, what):
            return compat.draw_number(count, what, *moment)

        kind = draw(20, "kind")
        vocabulary = story.robot.ears().vocabulary
        if kind < 14 and vocabulary:
            phrase = vocabulary[draw(len(vocabulary), "phrase")]
            # Stopping is rarer here than among the phrases, so that games make progress.
            story.says(
                "repeat" if "stop" in phrase and draw(4, "stop") else phrase,
                confidence=SURENESS[draw(len(SURENESS), "sureness")],
            )
        elif kind < 18:
            story.touches(
                *[
                    (FRONT, FRONT, FRONT, REAR, REAR, MIDDLE)[draw(6, "spot %d" % tap)]
                    for tap in range(1 + draw(4, "taps"))
                ]
            )
        elif kind < 19:
            story.keeps_silent()
        else:
            story.passes(draw(9, "seconds"))

    # On Python 2.7, which takes twice the time, the first half of the same visits.
    steps = 30 if PY2 else 60
    with Story(tmpdir, words=EASY, without=EARS[ears]) as story:
        story.begins(seed=seed + 1)
        for step in range(steps):
            if story.is_over:
                story.ends()
                story.starts()
            does_something(story, seed, ears, step)
            assert story.is_over or story.robot.ears().touch, (step, story.state)
        if not story.is_over:
            story.stops()
