"""What the notebook keeps at each moment of a talk, how often it writes, and what NAO says of it."""

from __future__ import absolute_import, division, print_function, unicode_literals

import json

import pytest
from talk_stage import Stage

from jotto_behaviour import conversation, files, memory
from jotto_behaviour.files import Notebook
from jotto_behaviour.lines import Line
from jotto_behaviour.states import STATES


class Watched(Stage):
    """A stage that remembers every talk a box saves, NAO's own states too."""

    def __init__(self, *arguments, **settings):
        self.saved = []
        Stage.__init__(self, *arguments, **settings)

    def _said(self, now, keys, texts):
        self.saved.append(now._replace(notes=()))
        return Stage._said(self, now, keys, texts)


FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse")
#: What the person means, one after the other; "secret" is NAO's word, "-" is silence.
VISITS = (
    "ready no 0 0 yes yes stop yes",
    "easy ready no 0 0 stop no - - - go_on stop yes",
    "ready - - - -",
    "ready no 0 0 no 4 0 no 1 back 0 2 yes yes no",
    "ready no 0 0 no 4 mistake yes yes - - - go_on yes c l stop yes",
    "ready no 0 0 no 4 yes yes yes c l o u d - - - go_on yes no",
    "ready give_up no give_up yes no no",
    "ready no 0 0 no 0 2 mistake no 0 2",
    "ready back no 1 back stop yes",
    "I_guess =light hint c l stop no give_up yes I_guess =bread - - - -",
    "I_guess hint stop yes",
    "I_guess back",
    "hard I_guess =ocean ?light no cancel ?light yes give_up yes other_role",
    "I_guess c l o u d yes =secret no",
    "race ready =light no 0 0 =canoe yes back yes race",
    "race ready =light no 0 0 =secret stop yes",
    "race ready =light no give_up yes yes c stop yes",
    "race ready =light =bread give_up yes no no",
    "stop yes",
    "- - -",
    "you_guess check c l back_one stop",
    "you_guess check - - -",
)


def watched(visit):
    """Play a visit and begin the next one; return every talk that a box saves on the way."""
    stage = Watched(FEW)
    for word in visit.split():
        if stage.talk.listens:
            secret = stage.talk.riddle.secret if stage.talk.riddle else ""
            meant = word.replace("_", " ").replace("=secret", "=" + secret)
            stage.quiet() if meant == "-" else stage.hear(meant)
    return stage.saved + Watched(FEW, start=stage.talk).saved


@pytest.fixture(scope="module")
def talks():
    """List one talk of each kind: by state, by what lies beneath it, and by how the games stand."""
    found = {}
    for visit in VISITS:
        for talk in watched(visit):
            kind = (
                talk.state,
                talk.beneath or "",
                talk.race,
                talk.riddle is None,
                conversation.has_unfinished_game(talk),
                memory.is_unnoted(talk),
                talk.fixing is None,
                bool(talk.spelled),
            )
            found.setdefault(kind, talk)
    return [found[kind] for kind in sorted(found)]


def test_every_state_is_looked_at(talks):
    assert {talk.state for talk in talks} == set(STATES)


def test_what_is_kept_is_the_talk(talks, tmpdir):
    """A game that is over is kept until it is noted; without a game to go on with, nothing is."""
    book = Notebook("%s" % tmpdir)
    for talk in talks:
        is_saved = memory.keep_game(book, talk)
        assert (is_saved == memory.SAVED) == conversation.has_unfinished_game(talk)
        if conversation.has_unfinished_game(talk) or memory.is_unnoted(talk):
            assert memory.read_talk_text(book.unfinished()) == talk
        else:
            assert book.unfinished() == ""
    assert book.troubles == []


def test_a_kept_talk_is_gone_on_with(talks):
    """NAO offers the game, and takes it up with the same turns."""
    for talk in talks:
        if conversation.has_unfinished_game(talk):
            stage = Stage(FEW, start=memory.read_talk_text(json.dumps(talk.plain())))
            assert (stage.state, stage.said[-1]) == ("unfinished", "go on with our game"), talk
            later = stage.hear("yes").talk
            assert (later.game.turns, later.riddle, later.race, later.level) == (
                talk.game.turns,
                talk.riddle,
                talk.race,
                talk.level,
            )


#: How much of a game is saved, and the lines NAO then says for those that promise to save it.
TRUE = [
    (memory.SAVED, ["goodbye, saved", "pause", "cannot go on"]),
    (memory.PARTLY_SAVED, ["goodbye, partly saved", "pause, unsaved", "cannot go on, unsaved"]),
    (memory.UNSAVED, ["goodbye, unsaved", "pause, unsaved", "cannot go on, unsaved"]),
]


@pytest.mark.parametrize("saved, keys", TRUE)
def test_a_promise_is_true(saved, keys):
    lines = tuple(Line(key, {}) for key in ("goodbye, saved", "pause", "cannot go on", "hello"))
    assert [line.key for line in memory.correct_lines(lines, saved)] == keys + ["hello"]


def test_a_disk_that_fills_in_the_middle(tmpdir, monkeypatch):
    """The game as it was before stays: that is what NAO says, until there is nothing to add."""

    def full(*_arguments):
        raise OSError(28, "No space left on device")

    book = Notebook("%s" % tmpdir)
    first, second, third = [
        Stage(FEW).hear(*meant.split()).talk for meant in ("ready no 0 0", "ready no 0 0 no", "ready no 0 0 no 0 2")
    ]
    other = Stage(FEW, seed=2).hear("ready").talk
    assert memory.keep_game(book, first) == memory.SAVED
    monkeypatch.setattr(files.os, "write", full)
    told = [memory.keep_game(book, talk) for talk in (first, second, third, other)]
    assert told == [memory.SAVED, memory.SAVED, memory.PARTLY_SAVED, memory.UNSAVED]
    assert memory.read_talk_text(book.unfinished()) == first and len(book.troubles) == 3
    assert memory.keep_game(Notebook("%s" % tmpdir.join("other")), third) == memory.UNSAVED
    # Dropping works on a full disk: what was finished is not offered again.
    assert memory.keep_game(book, Stage(FEW).talk) == memory.UNSAVED and book.unfinished() == ""


def test_an_answer_is_written_once_or_with_the_next_guess_twice(tmpdir, monkeypatch):
    """What NAO only thinks or says is not worth a write; a rehearsal, which keeps no notebook, never writes."""
    written = []
    monkeypatch.setattr(files, "write_whole", lambda path, content: written.append(content))
    assert memory.keep_game(Notebook(None), Stage(FEW).hear("ready").talk) == memory.UNSAVED and not written
    monkeypatch.undo()
    book = Notebook("%s" % tmpdir)
    talk = Stage(FEW).hear("ready").talk
    monkeypatch.setattr(book, "keep", lambda text: written.append(text) or Notebook.keep(book, text))
    for now in (talk, talk._replace(says=(Line("hello", {}),)), talk._replace(last=(Line("hello", {}),))):
        memory.keep_game(book, now)
    assert len(written) == 1
    memory.keep_game(book, talk._replace(beat=talk.beat + 1))
    assert len(written) == 2
