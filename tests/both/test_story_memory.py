"""Foreign values in ALMemory and in the notebook: NAO says one sentence about them and plays."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os
import re

import pytest
from story import EASY, Story, write

from jotto.compat import as_native, as_text

#: Text that is not UTF-8, as far as a `str` can hold it.
NO_UTF8 = b"\xff\xfe" if str is bytes else "\xff\xfe"


@pytest.fixture(scope="module")
def talk(tmpdir_factory):
    """Make a talk in mid-game as JSON text."""
    with Story(tmpdir_factory.mktemp("before"), words=EASY) as story:
        story.begins()
        story.says("ready", "no", "one")
        text = story.get("Game")
        story.stops()
    return text


def changed(talk, **fields):
    """Return the talk with other fields; those of the game are named `game_...`."""
    plain = json.loads(talk)
    for name, value in fields.items():
        if name.startswith("game_"):
            plain["game"][name[5:]] = value
        else:
            plain[name] = value
    return json.dumps(plain)


# Values under Jotto/Game, made from a talk in mid-game, and NAO's reaction; test_talk_notes.py has more damaged talks.
@pytest.mark.parametrize(
    "make, line",
    (
        (lambda talk: "x", "damaged notes"),
        (lambda talk: "[" * 60000, "damaged notes"),
        (lambda talk: '{"version": %s}' % ("9" * 6000), "damaged notes|newer notes"),
        (lambda talk: "x" * 200000, "damaged notes"),
        (lambda talk: talk[:-5], "damaged notes"),
        (lambda talk: NO_UTF8, "damaged notes"),
        (lambda talk: 5, "damaged notes"),
        (lambda talk: True, "damaged notes"),
        (lambda talk: [[talk]], "damaged notes"),
        (lambda talk: changed(talk, version=8), "newer notes"),
        (lambda talk: changed(talk, game_version=2), "newer notes"),
        (lambda talk: changed(talk, state="dancing"), "damaged notes"),
        (lambda talk: changed(talk, game_guess="apple"), "damaged notes"),
        (lambda talk: changed(talk, game_turns=[["ocean", [0, 1]]] * 200), "damaged notes"),
        (lambda talk: changed(talk, game_list="letters"), "other list"),
    ),
)
def test_garbage_for_a_game(make, line, tmpdir, talk):
    with Story(tmpdir, words=EASY) as story:
        story.stores("Game", make(talk))
        story.begins()
        assert any(story.has_said(key) for key in line.split("|")), story.heard
        story.hears("hello", "who guesses")
        story.plays("money")
        assert story.guess == "money"
        story.says("no")
        story.starts()
        story.hears("hello", "who guesses")
        story.stops()


@pytest.mark.parametrize("text", ["x", "[]", "[" * 60000])
def test_garbage_in_the_notebook(text, tmpdir):
    with Story(tmpdir, words=EASY) as story:
        write(tmpdir, "unfinished.json", [text])
        write(tmpdir, "own.txt", ["\x00\x01", "apple", "OCEAN", "toolong", "whale # a remark", "{}"])
        write(tmpdir, "games.jsonl", ["no JSON"])
        story.begins()
        story.hears("damaged notes", "hello")
        story.plays("whale")
        assert story.guess == "whale"
        story.says("no")
        assert json.loads(story.note("games.jsonl").splitlines()[-1])["guess"] == "whale"


# Settings that are not settings, or whose values are odd.
@pytest.mark.parametrize(
    "settings",
    (
        ["", "x", "[]", "[" * 60000, 5, ["a"], NO_UTF8, '{"what": "ever"}', '{"seed": true, "folder": false}']
        + ['{"seed": 1.5, "words": 5, "strategy": null}', '{"deaf": ["ALMemory"], "keep-log": 1}']
    ),
)
def test_garbage_for_settings(settings, tmpdir, monkeypatch):
    """NAO plays with its own list and keeps its notebook where it always is."""
    monkeypatch.setenv(as_native("HOME"), as_native("%s" % tmpdir))
    with Story(tmpdir) as story:
        story.stores("Settings", settings)
        story.starts()
        story.hears("hello", "who guesses")
        story.plays("ocean")
        assert story.guess == "ocean"
        story.says("no")
        assert tmpdir.join(".local", "share", "nao-jotto", "games.jsonl").check()
        assert not tmpdir.join(".local", "share", "nao-jotto", "heard.jsonl").check()


@pytest.mark.parametrize("seed", [0, 2**31, 10**400])
def test_a_seed_out_of_bounds_is_drawn(seed, tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(seed=seed)
        assert 0 < story.talk["game"]["seed"] < 2**31
        story.plays("money")
        story.says("no")


@pytest.mark.parametrize("strategy", ["x" * 5000, "\\pau=9\\^start(x) %s {0}"])
def test_an_unknown_strategy(strategy, tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(strategy=strategy)
        story.hears("no such strategy", "hello", "who guesses")
        story.plays("money")
        story.says("no")


def binary(folder):
    path = os.path.join("%s" % folder, "photo.jpg")
    with io.open(path, "wb") as target:
        target.write(bytes(bytearray(range(256))) * 40)
    return path


#: Values of a user for a word list; test_talk_minds.py has more unusable files.
LISTS = {
    "none": lambda folder: "/no/such/list.txt",
    "empty": lambda folder: write(folder, "empty.txt", []),
    "repeated letters": lambda folder: write(folder, "twice.txt", ["apple", "hello", "teeth"]),
    "binary": binary,
    "a folder": lambda folder: "%s" % folder,
    "null byte": lambda folder: "a\x00b",
    "long": lambda folder: "x" * 6000,
    "voice tag and braces": lambda folder: "/tmp/\\pau=9\\^start(x){0}{guess}%s.txt",
    "umlaut": lambda folder: "/tmp/w\u00f6rter.txt",
    "device": lambda folder: "/dev/zero",
}


@pytest.mark.parametrize("name", sorted(LISTS))
def test_an_unusable_list(name, tmpdir):
    with Story(tmpdir) as story:
        story.breaks = True
        story.begins(words=LISTS[name](tmpdir))
        story.hears("no such list", "hello", "who guesses")
        assert len(story.robot.trace.of("log")) == 1
        story.plays("ocean")
        story.says("no")


def test_a_bad_list_and_a_bad_strategy_and_bad_notes(tmpdir):
    with Story(tmpdir) as story:
        story.breaks = True
        story.stores("Game", "x")
        story.begins(words="/no/such/list.txt", strategy="luck")
        for key in ("no such strategy", "no such list", "damaged notes", "hello", "who guesses"):
            assert story.has_said(key)
        story.plays("ocean")
        story.says("no")


def test_a_list_in_a_folder_with_an_umlaut(tmpdir):
    """Learned words and an unfinished game are kept in such a folder too."""
    folder = os.path.join(as_text("%s" % tmpdir), "Spiele f\u00fcr NAO")
    os.mkdir(as_native(folder))
    with Story(folder) as story:
        story.begins(words=write(folder, "w\u00f6rter.txt", EASY))
        story.hears("hello", "who guesses")
        story.habits["tell"] = "yes"
        story.plays("whole")
        story.hears("learned")
        assert story.note("own.txt") == "whole\n"
        story.says("yes", "ready")
        story.stops()
        assert "unfinished.json" in story.notes()


def test_a_home_with_an_accent(tmpdir, monkeypatch):
    """The notebook is kept in the usual place of any home."""
    home = os.path.join(as_text("%s" % tmpdir), "J\u00f6rg")
    monkeypatch.setenv(as_native("HOME"), as_native(home))
    with Story(tmpdir, words=EASY) as story:
        del story.settings["folder"]
        story.begins()
        story.plays("money")
        story.says("no")
    assert os.path.exists(as_native(os.path.join(home, ".local", "share", "nao-jotto", "games.jsonl")))


def pauses_unsaved(story):
    """Begin another game and leave it: NAO says that it is not saved."""
    story.says("yes", "ready")
    for _ in range(3):
        story.keeps_silent()
    story.hears("pause, unsaved")


@pytest.mark.parametrize("folder", ["/proc/no/such/folder", "/dev/null/notes", "a\x00b", "x" * 6000])
def test_a_notebook_that_cannot_be_written(folder, tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.breaks = True
        story.begins(folder=folder)
        story.habits["tell"] = "yes"
        story.plays("whole")
        story.hears("fits but unknown", "play again")
        assert not story.has_said("learned"), "it is not remembered"
        pauses_unsaved(story)
        story.says("repeat")
        story.hears("pause, unsaved")
        story.says("stop")
        story.hears("goodbye, unsaved")
        logged = [event.fields["text"] for event in story.robot.trace.of("log")]
        assert logged and all(re.match("Notes are not saved: '.+' cannot be written", text) for text in logged)
        assert not any("Errno" in text for text in logged)


def test_without_a_notebook_nothing_is_said_to_be_saved(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(folder="")
        story.habits["tell"] = "yes"
        story.plays("whole")
        assert not story.has_said("learned")
        pauses_unsaved(story)
        story.says("stop")
        story.hears("goodbye, unsaved")
        assert not re.search("sav(?!ed our game)|keep|remember|[Ss]tart me", " ".join(story.said()))


def test_a_pause_before_the_first_guess_saves_nothing_and_says_so(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(role="maker")
        for _ in range(3):
            story.keeps_silent()
        story.hears("pause, unsaved")
        story.says("stop")
        story.hears("goodbye")
        assert not story.note("unfinished.json")


def test_a_disk_that_fills_in_the_middle(tmpdir, monkeypatch):
    """NAO has saved what it could, says so, and takes up what is there."""

    def full(*_arguments):
        raise OSError(28, "No space left on device")

    with Story(tmpdir, words=EASY) as story:
        story.breaks = True
        story.begins()
        story.says("ready", "no", "one")
        score = story.score
        with monkeypatch.context() as patch:
            patch.setattr("jotto_behaviour.files.os.write", full)
            story.says("no", "one")
            for _ in range(3):
                story.keeps_silent()
            story.hears("pause, unsaved")
            story.says("stop")
            story.hears("goodbye, partly saved")
        assert len(score) < len(story.score)
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.says("yes")
        assert story.score == score
        story.stops()


def test_the_list_changes_between_games(tmpdir):
    """The game kept is of the list of before: NAO says so and starts afresh."""
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.says("ready", "stop", "yes")
        story.begins(words=write(tmpdir, "other.txt", EASY))
        story.hears("other list", "hello", "who guesses")
        story.stops()


def test_another_behaviour_writes_into_the_game(story):
    """At a foreign value in mid-game NAO apologises and leaves, and can be started again."""
    story.breaks = True
    story.says("ready")
    story.robot.hear("no")
    story.stores("Game", "x")
    story.says("one")
    if not story.is_over:
        story.stops()
    story.begins()


def test_what_was_heard_is_logged_where_the_owner_allows_it(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(**{"keep-log": True})
        story.plays("ocean")
        story.says("no")
        entries = [json.loads(line) for line in story.note("heard.jsonl").splitlines()]
    assert entries[-1]["word"] == "ocean" and entries[-2]["guess"] == "ocean"
    assert {entry["question"] for entry in entries[:-1]} <= {"word", "both", "exact", "misplaced"}
