"""What spectators see: the keys in ALMemory, the eyes, and NAO's movements."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from story import EARS, EASY, REAR, TOUCH_ONLY, Story, touches

from jotto.compat import as_native
from jotto.rules import JOTTO

WHITE, BLUE, GREEN, YELLOW, PURPLE = "#ffffff", "#0000ff", "#00ff00", "#ffff00", "#8000ff"


def test_the_keys_at_every_step_of_a_game(tmpdir):
    """Attempts and Guess go with the guess asked, Score with the last one given, CandidatesLeft with all of them."""

    def fitting(turns):
        """Count the easy words that fit the turns."""
        return sum(all(JOTTO.score(guess, word) == score for guess, score in turns) for word in EASY)

    with Story(tmpdir, words=EASY) as story:
        story.begins()
        turns, seen = [], []
        while story.state != "again":
            shown = story.get("Attempts"), story.get("Score"), story.get("CandidatesLeft")
            score = "%d %d" % turns[-1][1] if turns else ""
            asked = story.state != "role"
            assert shown == (len(turns) + asked, score, fitting(turns)), story.state
            assert type(story.robot.get("Jotto/State")) is str and (story.guess in EASY) == asked
            seen.append(story.state)
            guess = story.guess
            story.answers(story.answer("money"))
            if seen[-1] in ("both", "misplaced"):
                turns.append((guess, JOTTO.score(guess, "money")))
        assert story.get("Attempts") == len(turns) + 1 and story.guess == "money"
        assert [seen[0]] + seen[-1:] == ["role", "word"] and "both" in seen
        assert story.get("CandidatesLeft") == -1
        story.says("no")
        assert story.state == "gone"


def test_every_box_shows_the_score_it_asks_about(story):
    """Each box keeps the values it has shown; another one may have shown others since."""
    story.says("ready")
    first = story.guess
    story.says("no", "four and zero")
    if story.state == "word":
        story.says("four and zero")
    while story.state == "doubtful":
        assert story.get("Score") == "%d %d" % tuple(dict(story.score)[story.guess])
        if story.guess == first:
            story.says("yes")
        else:
            story.says("no", "zero and two")
    assert story.state == "tell"
    story.says("no", "no")


def test_the_keys_while_nao_asks_back_and_sorts_out(story):
    story.says("ready")
    story.says("no")
    story.says("none", confidence=0.35)
    assert story.state == "asking back"
    story.says("yes")
    assert (story.state, story.get("CandidatesLeft"), story.get("Score")) == ("doubtful", 0, "0 0")
    assert story.guess == story.score[0][0]
    story.says("no", "one", "two")
    assert story.get("Score") == "1 2"


def test_the_keys_are_of_the_new_game(story):
    story.plays("money")
    story.says("yes")
    shown = [story.get(key) for key in ("Attempts", "Guess", "Score", "State", "CandidatesLeft")]
    assert shown == [0, "", "", "ready", len(EASY)]


class Eyes(object):
    """Records the colour of the eyes, and when NAO speaks and listens."""

    def __init__(self, story):
        self.colour, self.speaks, self.listens = WHITE, 0, False
        self.wrong = []
        self.colours = set()
        story.robot.trace.listeners.append(self.see)

    def see(self, event):
        fields = event.fields
        if event.kind == "eyes":
            self.colour = fields["colour"]
            self.colours.add(self.colour)
        elif event.kind == "say" and self.colour != WHITE:
            self.wrong.append("speaks with %s eyes: %s" % (self.colour, fields["plain"]))
        elif event.kind == "hear" and self.colour != BLUE:
            self.wrong.append("hears with %s eyes" % self.colour)
        elif event.kind == "call" and fields.get("service") == EARS and fields["method"] == "start":
            self.listens = True
        elif event.kind == "call" and fields.get("service") == EARS and fields["method"] == "stop":
            self.listens = False
        if self.colour == BLUE and not self.listens and event.kind not in ("call", "eyes"):
            self.wrong.append("blue eyes and deaf at %s" % event.kind)


def test_blue_while_listening_white_while_speaking(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        eyes = Eyes(story)
        story.begins()
        while story.state != "again":
            assert eyes.colour == BLUE and story.robot.ears().engine == EARS
            story.answers(story.answer("money"))
        story.says("no", confidence=0.1)
        story.keeps_silent()
        assert eyes.colour == BLUE
        story.says("no")
        assert eyes.wrong == []
        assert eyes.colours == {WHITE, BLUE, PURPLE, YELLOW}
        assert eyes.colour == WHITE


def test_green_where_only_touch_helps(tmpdir):
    with Story(tmpdir, words=EASY, without=TOUCH_ONLY) as story:
        eyes = Eyes(story)
        story.begins()
        while story.state != "again":
            assert eyes.colour == GREEN
            story.touches(*touches(story.answer("money")))
        story.touches(REAR)
        assert eyes.wrong == [] and BLUE not in eyes.colours and eyes.colour == WHITE


#: The folder of the animations for a posture; None if no gesture is known to be safe, so that NAO keeps still.
FOLDERS = {"Stand": "animations/Stand/", "StandZero": "animations/Stand/", "Sit": "animations/Sit/"}
FOLDERS.update(dict.fromkeys(("SitRelax", "Crouch", "LyingBack", "SitOnChair", "Held")))


@pytest.mark.parametrize("posture, folder", sorted(FOLDERS.items()))
def test_gestures_suit_the_posture(posture, folder, tmpdir):
    with Story(tmpdir, words=EASY, posture=as_native(posture)) as story:
        story.begins()
        story.says("ready", "no", "zero", "zero", "no", "four", "one")
        story.plays("money")
        story.says("no")
        moved = [event.fields["path"] for event in story.robot.trace.of("animate") if "path" in event.fields]
        assert all(path.startswith(folder) for path in moved) if folder else moved == []
        assert bool(moved) == bool(folder)
        assert not story.robot.trace.of("motion") and not story.robot.trace.of("posture")
