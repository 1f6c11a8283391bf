"""The notebook: its files on any disk, what it keeps at each moment of a talk, and what NAO says about it."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os

import pytest
from talk_stage import FEW, Stage

from jotto import game
from jotto.rules import JOTTO
from jotto_behaviour import conversation, files, memory
from jotto_behaviour.files import Notebook
from jotto_behaviour.lines import Line
from jotto_behaviour.settings import LEVELS, NORMAL
from jotto_behaviour.states import STATES


class Watched(Stage):
    """A stage that remembers every talk a box saves, NAO's own states too."""

    def __init__(self, *arguments, **settings):
        self.saved = []
        Stage.__init__(self, *arguments, **settings)

    def _said(self, now, keys, texts):
        self.saved.append(now._replace(notes=()))
        return Stage._said(self, now, keys, texts)


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


# How much of a game is saved, and the lines NAO then says for those that promise to save it.
@pytest.mark.parametrize(
    "saved, keys",
    [
        (memory.SAVED, ["goodbye, saved", "pause", "cannot go on"]),
        (memory.PARTLY_SAVED, ["goodbye, partly saved", "pause, unsaved", "cannot go on, unsaved"]),
        (memory.UNSAVED, ["goodbye, unsaved", "pause, unsaved", "cannot go on, unsaved"]),
    ],
)
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


# The files of the notebook.


def finished(seed=1):
    return game.start_game(JOTTO, "test", "", seed).ask("ocean").solve()


def written(folder, name):
    with io.open(os.path.join("%s" % folder, name), encoding="utf-8") as source:
        return source.read()


def test_a_notebook_is_made_where_it_is_wanted(tmpdir):
    folder = "%s" % tmpdir.join("deep", "notes")
    book = Notebook(folder)
    assert (book.learned(), book.unfinished()) == ([], "")
    book.learn("cloud")
    book.learn("paint")
    book.learn("cloud")
    assert Notebook(folder).learned() == ["cloud", "paint"]
    assert sorted(os.listdir(folder)) == [files.LEARNED_FILE] and book.troubles == []


def test_an_unfinished_game_is_kept_and_dropped(tmpdir):
    book = Notebook("%s" % tmpdir)
    book.keep("")
    assert os.listdir("%s" % tmpdir) == []
    book.keep("{}")
    assert Notebook("%s" % tmpdir).unfinished() == "{}"
    book.finish(finished())
    assert book.unfinished() == ""
    assert game.read_game(json.loads(written(tmpdir, "games.jsonl"))) == finished()


def test_a_kept_game_says_its_level_unless_it_is_the_usual_one(tmpdir):
    for number, level in enumerate(LEVELS):
        Notebook("%s" % tmpdir).finish(finished(), level)
        plain = json.loads(written(tmpdir, "games.jsonl").splitlines()[number])
        assert plain.get("level", NORMAL) == level and ("level" in plain) == (level != NORMAL)


def test_a_notebook_remembers_the_latest(tmpdir, monkeypatch):
    monkeypatch.setattr(files, "MAX_FINISHED_GAMES", 3)
    monkeypatch.setattr(files, "MAX_LEARNED_WORDS", 2)
    book = Notebook("%s" % tmpdir)
    for seed, word in enumerate(["cloud", "paint", "drink", "flame"]):
        book.finish(finished(seed))
        book.learn(word)
    assert [json.loads(line)["seed"] for line in written(tmpdir, "games.jsonl").splitlines()] == [1, 2, 3]
    assert book.learned() == ["drink", "flame"]


def test_what_people_wrote_among_the_words_stays(tmpdir):
    tmpdir.join(files.LEARNED_FILE).write_binary(b"# ours\ncloud")
    Notebook("%s" % tmpdir).learn("paint")
    assert written(tmpdir, files.LEARNED_FILE) == "# ours\ncloud\npaint\n"


def test_other_text_in_a_damaged_file_is_left_out(tmpdir):
    for content, words in (
        (b"", []),
        (b"cloud\n\npaint\n", ["cloud", "paint"]),
        (b"cloud\r\npaint\r\n", ["cloud", "paint"]),
        (b"Cloud hello ab cloud1 paint", ["paint"]),
        (b"# my words\ncloud # not paint\n", ["cloud"]),
        ("\u00e9tude cloud".encode("utf-8"), ["cloud"]),
        (b"\xff\xfe\x00cloud\n", []),
        (b"\x00" * 99, []),
    ):
        tmpdir.join(files.LEARNED_FILE).write_binary(content)
        assert Notebook("%s" % tmpdir).learned() == words, content


def test_a_file_of_learned_words_that_cannot_be_read_is_left_as_it_is(tmpdir):
    for content in (b"\xff\xfeodd bytes\n", b"x" * (files.MAX_NOTEBOOK_BYTES + 1)):
        tmpdir.join(files.LEARNED_FILE).write_binary(content)
        book = Notebook("%s" % tmpdir)
        book.learn("zesty")
        assert tmpdir.join(files.LEARNED_FILE).read_binary() == content
        assert ["own.txt' cannot be read (" in trouble for trouble in book.troubles] == [True]


def test_a_notebook_that_cannot_be_written_stops_nothing(tmpdir):
    tmpdir.join("a file").write("in the way")
    for folder in (None, "", "a file", "a file/in a file", "bad\0name"):
        book = Notebook(("%s/%s" % (tmpdir, folder)) if folder else None)
        assert not book.learn("cloud")
        book.finish(finished())
        assert not book.keep("{}")
        assert (book.learned(), book.unfinished()) == ([], "")
        assert bool(book.troubles) == bool(folder)
        assert all("' cannot be written (" in trouble and "Errno" not in trouble for trouble in book.troubles)
        assert tmpdir.join("a file").read() == "in the way"


def full_disk(handle, content):
    """Write half of what is to be written; there is no room for more."""
    if len(content) < 2:
        raise OSError(28, "No space left on device")
    return os_write(handle, content[: len(content) // 2])


os_write = os.write
#: What the notebook writes, and the file it writes into.
CHANGES = {
    "own.txt": lambda book: book.learn("paint"),
    "games.jsonl": lambda book: book.finish(finished(2)),
    "unfinished.json": lambda book: book.keep('{"later": 1}'),
}


def kept_before(folder):
    """Fill a notebook; return what is in its files."""
    book = Notebook(folder)
    book.learn("cloud")
    book.finish(finished())
    book.keep("{}")
    return {name: written(folder, name) for name in CHANGES}


@pytest.mark.parametrize("name", sorted(CHANGES))
@pytest.mark.parametrize("most", [1, 200])
def test_a_change_is_whole_or_not_made_at_all(tmpdir, monkeypatch, name, most):
    """With one game at most, the finished games are written anew."""

    def refuse(*_arguments):
        raise OSError(13, "Permission denied")

    folder = "%s" % tmpdir
    monkeypatch.setattr(files, "MAX_FINISHED_GAMES", most)
    before = kept_before(folder)
    book = Notebook(folder)
    for broken in ("write", "fsync", "rename"):
        with monkeypatch.context() as patch:
            if broken == "write":
                patch.setattr(files.os, "write", full_disk)
            else:
                patch.setattr(*((files.os, "fsync") if broken == "fsync" else (files, "_replace_file")), value=refuse)
            is_made = CHANGES[name](book)
        after = {each: written(folder, each) for each in CHANGES}
        moves = name == "unfinished.json" or (name == "games.jsonl" and most == 1)
        if broken == "rename" and not moves:
            continue
        assert not is_made and after[name] == before[name], broken
        assert name + "' cannot be written (" in book.troubles[0]
        del book.troubles[:]
        book.keep("{}")
    assert sorted(os.listdir(folder)) == sorted(CHANGES)
    CHANGES[name](book)
    assert written(folder, name) != before[name] and book.troubles == []


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_nothing_stays_of_a_first_change_that_fails(tmpdir, monkeypatch, name):
    monkeypatch.setattr(files.os, "write", full_disk)
    assert not CHANGES[name](Notebook("%s" % tmpdir)) and os.listdir("%s" % tmpdir) == []


@pytest.mark.parametrize("name", ["own.txt", "games.jsonl"])
@pytest.mark.parametrize("most", [1, 200])
def test_an_unreadable_file_is_left_as_it_is(tmpdir, monkeypatch, name, most):
    monkeypatch.setattr(files, "MAX_FINISHED_GAMES", most)
    before = kept_before("%s" % tmpdir)
    book, opened = Notebook("%s" % tmpdir), io.open

    def closed(path, mode="r", *arguments, **options):
        if "%s" % path == "%s" % tmpdir.join(name):
            raise IOError(13, "Permission denied")
        return opened(path, mode, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(files.io, "open", closed)
        assert not CHANGES[name](book)
    assert written(tmpdir, name) == before[name]
    assert [name + "' cannot be read (Permission denied)" in trouble for trouble in book.troubles] == [True]


@pytest.mark.parametrize("name", sorted(CHANGES))
@pytest.mark.parametrize("most", [1, 200])
def test_a_linked_file_stays_a_link(tmpdir, monkeypatch, name, most):
    monkeypatch.setattr(files, "MAX_FINISHED_GAMES", most)
    other, folder = tmpdir.mkdir("other"), tmpdir.mkdir("notes")
    before = kept_before("%s" % other)
    for each in CHANGES:
        folder.join(each).mksymlinkto(other.join(each))
    CHANGES[name](Notebook("%s" % folder))
    assert os.path.islink("%s" % folder.join(name)) and written(other, name) != before[name]
    assert sorted(os.listdir("%s" % other)) == sorted(os.listdir("%s" % folder)) == sorted(CHANGES)


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_a_device_or_a_pipe_is_neither_read_nor_written(tmpdir, name):
    for place in ("/dev/null", "/dev/full", "pipe"):
        folder = tmpdir.mkdir("notes" + place.replace("/", " "))
        if place == "pipe":
            os.mkfifo("%s" % folder.join(name))
        else:
            folder.join(name).mksymlinkto(place)
        book = Notebook("%s" % folder)
        assert not CHANGES[name](book) and book.troubles
        assert (book.learned(), book.unfinished()) == ([], "") and os.listdir("%s" % folder) == [name]


@pytest.mark.parametrize("torn", [b'{"half a ga', b"clo", b"\xff"])
def test_half_a_line_of_a_killed_writer_damages_no_other(tmpdir, torn):
    for name, change in (("own.txt", CHANGES["own.txt"]), ("games.jsonl", CHANGES["games.jsonl"])):
        tmpdir.join(name).write_binary(torn)
        if name == "games.jsonl" or torn != b"\xff":
            change(Notebook("%s" % tmpdir))
            change(Notebook("%s" % tmpdir))
            lines = tmpdir.join(name).read_binary().splitlines()
            assert lines[0] == torn and len(lines) == (2 if name == "own.txt" else 3)


def test_parts_of_killed_writers_are_deleted_and_those_of_living_ones_are_not(tmpdir):
    folder = "%s" % tmpdir
    names = [".unfinished.json.a1b2c3d4.part", ".unfinished.json.0123456789ab.part", ".jotto-x1y2z3", ".jotto-x1y2z3a4"]
    others = [".own.txt.a1b2c3d4.part", ".unfinished.json.part", "unfinished.json.a1b2c3d4.part", ".jotto-", "x.part"]
    for name in names + others:
        tmpdir.join(name).write("half")
    living, handle = names[0], os.open(os.path.join(folder, names[0]), os.O_RDONLY)
    try:
        assert files.lock_file(handle)
        Notebook(folder).keep("{}")
        assert sorted(os.listdir(folder)) == sorted(others + [living, "unfinished.json"])
    finally:
        os.close(handle)
    Notebook(folder).keep("{ }")
    assert sorted(os.listdir(folder)) == sorted(others + ["unfinished.json"])


def test_nao_waits_for_a_lock_only_for_some_time(tmpdir, monkeypatch):
    folder = "%s" % tmpdir
    monkeypatch.setattr(files, "LOCK_POLLS", 2)
    with files.lock_folder(folder):
        book = Notebook(folder)
        assert not book.learn("paint") and "another program is writing there" in book.troubles[0]
        assert book.keep("{}"), "what is written whole needs no lock"
    assert book.learn("paint")


def test_without_the_locks_of_posix(tmpdir, monkeypatch):
    """Windows has others; where there are none at all, there is no waiting, and parts are left alone."""

    class Windows(object):
        """The locks of Windows, made of those here: of a file, one byte of it."""

        LK_NBLCK = 2

        def __init__(self, fcntl):
            self.fcntl = fcntl

        def locking(self, handle, mode, count):
            assert (mode, count) == (self.LK_NBLCK, 1) and not os.path.isdir("/dev/fd/%d" % handle)
            try:
                self.fcntl.flock(handle, self.fcntl.LOCK_EX | self.fcntl.LOCK_NB)
            except (OSError, IOError) as error:
                error.errno = 13
                raise

    folder = "%s" % tmpdir
    windows = Windows(files.fcntl)
    monkeypatch.setattr(files, "fcntl", None)
    monkeypatch.setattr(files, "LOCK_POLLS", 2)
    tmpdir.join(".unfinished.json.a1b2c3d4.part").write("half")
    with files.lock_folder(folder):
        assert Notebook(folder).learn("cloud")
    monkeypatch.setattr(files, "msvcrt", windows)
    with files.lock_folder(folder):
        assert not Notebook(folder).learn("paint") and Notebook(folder).keep("{}")
    assert Notebook(folder).learn("paint") and Notebook(folder).learned() == ["cloud", "paint"]
    assert len(os.listdir(folder)) == 4


def test_a_game_that_may_have_been_noted_is_noted_once(tmpdir):
    book, folder = Notebook("%s" % tmpdir), tmpdir
    for again, seed, count in ((False, 1, 1), (True, 1, 1), (True, 2, 2), (True, 1, 2), (False, 1, 3), (True, 3, 4)):
        book.finish(finished(seed), again=again)
        assert len(written(folder, "games.jsonl").splitlines()) == count
