"""A stop of the behaviour at every moment of a game: nothing is left behind, and the game can be continued."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from story import EARS, EASY, FRONT, NO_VOICE, REAR, TOUCH_ONLY, Story

from naosim.world import Faults


# The same stops in robots that speak and listen differently.
@pytest.mark.only_python_3
@pytest.mark.parametrize(
    "robot",
    (
        {},
        {"without": NO_VOICE},
        {"without": TOUCH_ONLY},
        {"without": ("ALAnimatedSpeech",)},
        {"without": ("ALDialog",), "faults": Faults(raising={(EARS, "setVocabulary"): "grammar"})},
    ),
    ids=lambda robot: "-".join(robot.get("without", ("all",))),
)
def test_a_stop_at_any_moment(robot, tmpdir):
    """Takes seconds: a whole game is stopped again and again, the only look at what each moment leaves behind."""

    def plays_to_the_end(story):
        """Play a game with an unsure answer, a silence, a wrong score, the word spelled; and good-bye."""
        by_touch = story.robot.ears().engine is None
        for phrase, sensors in (
            ("ready", [FRONT] * 2),
            ("no", [REAR]),
            ("zero", [REAR]),
            ("zero", [REAR]),
            ("yes", [FRONT]),
            ("yes", [FRONT]),
            ("charlie", [FRONT] * 3 + [REAR]),
            ("stop", ["MiddleTactilTouched"]),
        ):
            story.touches(*sensors) if by_touch or phrase == "charlie" else story.says(phrase)
        story.touches(FRONT)

    # Seconds of a game between two stops.
    step = 2.8
    with Story(tmpdir, words=EASY, **robot) as story:
        story.breaks = "faults" in robot
        moment, stops = 0.0, 0
        while True:
            story.robot.faults.stop_at = story.robot.clock.now() + moment
            story.begins_anew()
            plays_to_the_end(story)
            story.robot.faults.stop_at = None
            story.passes(step)
            story.stopped = story.behaviour.interrupted
            complaints = story.complaints()
            assert not complaints, "stopped after %s seconds: %s" % (moment, "\n".join(complaints))
            if not story.stopped:
                break
            game = story.talk["game"] if story.get("Game") else {}
            assert not game.get("guess") or game["outcome"] or story.note("unfinished.json")
            moment, stops = moment + step, stops + 1
        assert stops * step > 22


@pytest.mark.parametrize("state", ["ready", "misplaced", "doubtful", "spell", "again", "paused", "your word?"])
def test_stop_start_and_stop_again(state, story):
    story.reaches(state)
    for _ in range(3):
        story.stops()
        story.ends()
        story.starts()
        assert story.state in ("role", "unfinished")


def test_a_stop_before_the_start(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.stops()
        story.begins()
        story.plays("money")
        story.says("no")


def test_the_box_in_use_is_stopped_by_its_own_input(story):
    """Another diagram may stop a box: it falls silent and says that it has stopped."""
    story.says("ready")
    story.robot.clock.soon(story.box("Is it the word?").onInput_onStop)
    story.passes(0.5)
    assert story.robot.ears().engine is None and story.robot.ears().touch == ()
    story.robot.clock.soon(story.box("Is it the word?").onInput_onStart)
    story.passes(0)
    assert (story.state, story.robot.ears().engine) == ("word", EARS)
    story.plays("money")
    story.says("no")
