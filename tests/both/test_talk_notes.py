"""The talk as JSON and in ALMemory, read back whole or refused; and the notebook: its files on any disk."""

from __future__ import absolute_import, division, print_function, unicode_literals

import copy
import io
import json
import os
import re

import pytest
from hypothesis import given, strategies as st
from talk_stage import FEW, Stage

from jotto import game
from jotto.compat import as_native
from jotto.rules import BULLS, JOTTO, FutureVersion, SavedGameError
from jotto_behaviour import conversation, files, memory, talk
from jotto_behaviour.files import Notebook
from jotto_behaviour.lines import Line
from jotto_behaviour.memory import GAME_KEY, MAX_TALK_LENGTH, SETTINGS_KEY, TalkMemory
from jotto_behaviour.settings import LEVELS, NORMAL
from jotto_behaviour.states import ANY_WORD, LETTER_OR_WORD, STATES


class FakeMemory(object):
    """ALMemory as far as it is used here: native text only, and an error for a missing key."""

    def __init__(self, **values):
        self.values = {as_native("Jotto/" + key): value for key, value in values.items()}
        self.writes = []

    def getData(self, key):
        assert type(key) is str
        if key not in self.values:
            raise RuntimeError("getData: no data for key '%s'" % key)
        return self.values[key]

    def insertData(self, key, value):
        assert type(key) is str and type(value) in (str, int, float, list), (key, value)
        self.writes.append(key)
        self.values[key] = value


def moment():
    """Make a talk in the middle of a question about what was heard, with two turns."""
    return Stage(FEW).hear("ready").score(0, 0).score(0, 2).hear("no").unsure("3").talk


PLAIN = json.loads(json.dumps(moment().plain()))


def changed(**fields):
    plain = copy.deepcopy(PLAIN)
    plain.update(fields)
    return plain


def test_the_next_box_takes_the_saved_talk_and_reads_one_of_another_program(monkeypatch):
    almemory, parse = FakeMemory(), memory.parse_talk_text
    TalkMemory(almemory).save(moment().note("learned", "ocean"))
    monkeypatch.setattr(memory, "parse_talk_text", None)
    assert TalkMemory(almemory).load() == moment()
    TalkMemory(almemory).forget()
    assert TalkMemory(almemory).load() is None
    monkeypatch.setattr(memory, "parse_talk_text", parse)
    almemory.insertData(GAME_KEY, as_native(json.dumps(changed(misses=1))))
    assert TalkMemory(almemory).load() == moment()._replace(misses=1)


def test_a_talk_comes_back_whole():
    assert talk.parse_talk(PLAIN) == memory.parse_talk_text(json.dumps(PLAIN)) == moment()
    assert PLAIN["version"] == talk.TALK_FORMAT_VERSION == 7 and "notes" not in PLAIN


def test_notes_written_before_are_read_and_written_back_as_notes_of_today():
    # As an earlier version of the game wrote it into ALMemory, in the middle of a question about what was heard.
    written_before = (
        '{"beat": 24, "beneath": null, "cleared": [], "doubt": ["2", "two"], "exact": 0, "fixing": null, "game": '
        '{"checksum": "a8d0b2e7309b031bd88ea009643d686018e949490a4fa5edbbb96f8b1e61fdfd", "guess": "mouth", '
        '"list": "en", "outcome": null, "rules": {"alphabet": "abcdefghijklmnopqrstuvwxyz", "kind": "places", '
        '"length": 5, "name": "jotto", "repeats": false}, "seed": 1, "turns": [["pares", [0, 0]]], "version": 1}, '
        '"last": [["did you say", {"phrase": "two"}]], "left": 165, "misses": 0, "race": false, "riddle": null, '
        '"says": [], "settings": %s, "silences": 0, "spelled": "", "state": "misplaced", "version": 2}'
    )
    for wanted in (
        '{"folder": "notes", "seed": 1, "strategy": "belief", "words": ""}',
        '{"folder": null, "role": "race", "seed": 0, "strategy": "", "words": "words.txt"}',
        '{"deaf": ["ALSpeechRecognition", "ALDialog"], "folder": null, "role": "", "seed": 7, "strategy": "", '
        '"words": ""}',
    ):
        text = written_before % wanted
        read = memory.parse_talk_text(text)
        assert read.doubt == talk.Doubt("2", "two") and read.settings.plain() == json.loads(wanted), wanted
        added = {"pace": 0, "level": "normal", "corrected": [], "denied": [], "unsure": "", "sealed": ""}
        added.update(recounted=False, version=talk.TALK_FORMAT_VERSION)
        assert read.plain() == dict(json.loads(text), **added)


def test_settings_of_another_kind_are_as_in_a_new_game():
    for plain in (
        {},
        {"words": 3, "strategy": None, "seed": "7", "folder": [], "role": True, "deaf": "ALDialog", "colour": "red"},
        {"seed": -1, "deaf": [3, None]},
        {"seed": 2**31, "folder": ""},
        {"seed": True},
    ):
        assert talk.parse_talk(changed(settings=plain)).settings == talk.Talk(moment().game).settings, plain


def test_notes_of_a_newer_version():
    for version in (talk.TALK_FORMAT_VERSION + 1, 99, 10**30):
        with pytest.raises(FutureVersion):
            talk.parse_talk(changed(version=version))
        with pytest.raises(FutureVersion):
            talk.parse_talk(changed(game=dict(PLAIN["game"], version=version)))
        with pytest.raises(FutureVersion):
            TalkMemory(FakeMemory(Game=as_native(json.dumps(changed(version=version))))).load()


def test_what_is_no_talk_is_refused():
    def without(field):
        plain = copy.deepcopy(PLAIN)
        del plain[field]
        return plain

    for plain in (
        [None, 3, "text", [], {}, {"version": None}, {"version": "1"}, {"version": True}, {"version": 1.0}]
        + [{"version": 1}, changed(version=0), changed(version=-1)]
        + [without(field) for field in sorted(PLAIN)]
    ):
        with pytest.raises(SavedGameError) as caught:
            talk.parse_talk(plain)
        assert not isinstance(caught.value, FutureVersion), plain
        assert len("%s" % caught.value) < 200, plain


def refuse_talk(plain, case):
    with pytest.raises(SavedGameError) as caught:
        talk.parse_talk(plain)
    assert not isinstance(caught.value, FutureVersion), case


def test_a_damaged_field_is_refused():
    # Values of a field that are refused, as JSON.
    damage = {
        "state": """["", "nowhere", null, 3, [], {}, ["exact"], "gone!", "paused", "stopping", "word", "doubtful",
        "scored", "spelled", "misplaced", "solved", "guess"]""",
        "beneath": '["", "exact", "nowhere", 3, [], {}, "paused"]',
        "exact": '[-1, 5, 6, "3", 1.0, true, [], {}]',
        "doubt": """[5, "3", "34", [], ["3"], ["3", 5], ["nothing", "x"], ["yes", "yes"], [[], "x"], ["3", "x", "y"],
        {}]""",
        "level": '["", "odd", null, 3, [], {}]',
        "pace": '[-3, 3, "0", 0.5, null, true, []]',
        "silences": '[-1, "0", 1.5, null, true, 1000000, [], NaN]',
        "misses": '[-1, "0", 1.5, null, true, 1000000]',
        "beat": '[-1, "0", 1.5, null, true, 1000000, 1%s]' % ("0" * 30),
        "left": '[-1, "0", 1.5, true, "", []]',
        "fixing": '[-1, 2, 1000000000, "0", 0.0, true, false, [], {}]',
        "cleared": '[null, 3, "0", [2], [-1], ["0"], [0.0], [true], [null], [[]], {"a": 1}]',
        "corrected": '[null, 3, "0", [2], [-1], ["0"], [true], [[]]]',
        "denied": '[null, 3, "0", [2], [[]], [["2"]], [["2", 3]], [[null, "two"]], [["2", "two", "x"]]]',
        "spelled": '[null, 3, [], "abcdef", "AB", "a b", "{", "\\u00e9", "ab1"]',
        "says": '[null, 3, "x", [3], ["x"], [["hello"]], [["hello", {}, 1]], [["hello", []]], [[3, {}]], [null]]',
        "last": '[null, 3, "x", [3], [["hello", null]], [[null, {}]]]',
        "settings": '[null, 3, "x", []]',
        "game": '[null, 3, "x", [], {}]',
    }
    for field, values in damage.items():
        for value in json.loads(values):
            refuse_talk(changed(**{str(field): value}), (field, value))
    # The same for a field of the game.
    for field, value in (("turns", 3), ("turns", [[]]), ("guess", "xx"), ("guess", None), ("outcome", "solved")):
        refuse_talk(changed(game=dict(PLAIN["game"], **{str(field): value})), (field, value))
    bulls = dict(PLAIN["game"], rules=BULLS.plain(), turns=[], guess="1234")
    refuse_talk(changed(game=bulls), "other rules")


def test_damaged_riddles_are_refused():
    RIDDLE = json.loads(json.dumps(Stage(FEW).hear("I guess", "=light", "hint", "c").talk.plain()))
    # Values of a field of the riddle, or of its game, that are refused, as JSON.
    riddle_damage = """{"secret": "mouse"}  {"secret": "hello"}  {"hints": -1}"""
    riddle_talk_damage = """{"riddle": 3}  {"riddle": {}}  {"riddle": null}  {"race": 1}  {"race": null}
  {"spelled": "light"}  {"state": "riddle"}  {"state": "guessed"}  {"state": "your word?"}
  {"doubt": ["any word", "hello"]}  {"doubt": ["any word", "xy"]}  {"doubt": ["letter or word", "alpha"]}
  {"state": "word or letter?", "spelled": "h"}"""
    assert (ANY_WORD, LETTER_OR_WORD) == ("any word", "letter or word")
    riddle = RIDDLE["riddle"]
    changes = [json.loads(text) for text in re.split(r"\s\s+", riddle_talk_damage)]
    changes += [{"riddle": dict(riddle, **json.loads(text))} for text in riddle_damage.split("  ")]
    for text in ('{"outcome": "given up"}', '{"guess": "mouse"}', '{"guess": "mouse", "outcome": "solved"}'):
        changes.append({"riddle": dict(riddle, game=dict(riddle["game"], **json.loads(text)))})
    assert talk.parse_talk(RIDDLE).riddle.hints == 1
    for change in changes:
        refuse_talk(dict(RIDDLE, **change), change)


def test_notes_of_version_one_have_no_riddle():
    old = dict(json.loads(json.dumps(Stage(FEW).hear("ready").score(0, 0).talk.plain())), version=1)
    del old["riddle"], old["race"]
    read = talk.parse_talk(old)
    assert read.riddle is None and not read.race and len(read.game.turns) == 1
    assert talk.parse_talk(json.loads(json.dumps(read.plain()))) == read


NAMES, LEAVES = st.sampled_from(sorted(PLAIN)), st.sampled_from(["exact", "word", "ocean", ""])
LEAVES = st.none() | st.booleans() | st.integers(-3, 10) | st.floats(allow_nan=False) | LEAVES


def nested(inner):
    return st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)


@given(st.dictionaries(NAMES, st.recursive(LEAVES, nested, max_leaves=5), min_size=1, max_size=4))
def test_notes_are_read_right_or_refused(fields):
    """The conversation can go on with any changed notes that are not refused."""
    try:
        read = talk.parse_talk(changed(**fields))
    except SavedGameError:
        return
    assert talk.parse_talk(json.loads(json.dumps(read.plain()))) == read
    if read.listens:
        stage = Stage(FEW)
        stage.talk, stage.here = read._replace(silences=0, misses=0), read.box
        stage.quiet()


def test_memory_gives_back_what_was_saved():
    almemory = FakeMemory()
    assert TalkMemory(almemory).load() is TalkMemory(FakeMemory(Game=as_native(""))).load() is None
    TalkMemory(almemory).save(moment())
    assert TalkMemory(almemory).load() == moment()
    TalkMemory(almemory).forget()
    assert TalkMemory(almemory).load() is None


def test_onlookers_see_where_the_game_is():
    almemory = FakeMemory()
    TalkMemory(almemory).save(moment())
    assert almemory.values[as_native("Jotto/State")] == "asking back"
    memory = TalkMemory(almemory)
    memory.save(moment()._replace(doubt=None))
    shown = {key.split("/")[1]: value for key, value in almemory.values.items() if key != GAME_KEY}
    assert shown == {"Attempts": 3, "Guess": "light", "Score": "0 2", "State": "exact", "CandidatesLeft": 1}
    del almemory.writes[:]
    memory.save(moment()._replace(doubt=None, beat=99))
    assert almemory.writes == [GAME_KEY], "what did not change is not raised again"
    following = TalkMemory(almemory)
    assert following.load() == moment()._replace(doubt=None, beat=99)
    following.save(moment()._replace(doubt=None, beat=100))
    assert almemory.writes == [GAME_KEY, GAME_KEY], "nor by the next box"
    almemory.insertData(GAME_KEY, as_native(json.dumps(changed(misses=1))))
    del almemory.writes[:]
    following.load()
    following.save(moment())
    assert len(almemory.writes) == 1 + len(shown), "another program's talk can have other keys"


def test_unreadable_values_in_memory():
    # Values of ALMemory that are not a saved talk.
    unreadable = ["{", "nonsense", "[]", "null", "3", '"text"', "{}", "   ", "NaN", "\u00e9", 3, 2.5, ["{}"], []] + [
        "[" * MAX_TALK_LENGTH,
        "x" * (MAX_TALK_LENGTH + 1),
    ]

    def natively(value):
        return as_native(value) if isinstance(value, type("")) else value

    # JSON objects that are not a saved talk either, but settings whose names are unknown.
    odd_objects = ['{"version": 1}', '{"version": 1, "state": []}']
    for value in unreadable + odd_objects:
        with pytest.raises(SavedGameError) as caught:
            TalkMemory(FakeMemory(Game=natively(value))).load()
        assert not isinstance(caught.value, FutureVersion), value
        wanted = json.loads(value) if value in odd_objects else {}
        assert TalkMemory(FakeMemory(Settings=natively(value))).load_settings() == wanted, value


def test_settings_are_read_and_never_written():
    assert TalkMemory(FakeMemory()).load_settings() == {}
    almemory = FakeMemory(Settings=as_native('{"seed": 7, "words": "my words"}'))
    assert TalkMemory(almemory).load_settings() == {"seed": 7, "words": "my words"}
    assert almemory.writes == [] and SETTINGS_KEY == "Jotto/Settings"


class Watched(Stage):
    """A stage that remembers every talk a box saves, NAO's own states too."""

    def __init__(self, *arguments, **settings):
        self.saved = []
        Stage.__init__(self, *arguments, **settings)

    def _said(self, now, keys, texts):
        self.saved.append(now._replace(notes=()))
        return Stage._said(self, now, keys, texts)


@pytest.fixture(scope="module")
def talks():
    """List one talk of each kind: by state, by what lies beneath it, and by how the games stand."""
    # What the person means, one after the other; "secret" is NAO's word, "-" is silence.
    visits = (
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
        "I_guess l i g h t yes =secret no",
        "race ready =light no 0 0 =canoe yes back yes race",
        "race ready =light no 0 0 =secret stop yes",
        "race ready =light no give_up yes yes c stop yes",
        "race ready =light =bread give_up yes no no",
        "stop yes",
        "- - -",
        "you_guess check c l back_one stop",
        "you_guess check - - -",
    )
    found = {}
    for visit in visits:
        stage = Watched(FEW)
        for word in visit.split():
            if stage.talk.listens:
                secret = stage.talk.riddle.secret if stage.talk.riddle else ""
                meant = word.replace("_", " ").replace("=secret", "=" + secret)
                stage.quiet() if meant == "-" else stage.hear(meant)
        for saved in stage.saved + Watched(FEW, start=stage.talk).saved:
            kind = (
                saved.state,
                saved.beneath or "",
                saved.race,
                saved.riddle is None,
                conversation.has_unfinished_game(saved),
                memory.is_unnoted(saved),
                saved.fixing is None,
                bool(saved.spelled),
            )
            found.setdefault(kind, saved)
    assert {saved.state for saved in found.values()} == set(STATES)
    return [found[kind] for kind in sorted(found)]


def test_what_is_kept_is_the_talk(talks, tmpdir):
    """A game that is over is kept until it is noted; without a game to go on with, nothing is."""
    book = Notebook("%s" % tmpdir)
    for saved in talks:
        is_saved = memory.keep_game(book, saved)
        assert (is_saved == memory.SAVED) == conversation.has_unfinished_game(saved)
        if conversation.has_unfinished_game(saved) or memory.is_unnoted(saved):
            assert memory.parse_talk_text(book.load_unfinished()) == saved
        else:
            assert book.load_unfinished() == ""
    assert book.troubles == []


def test_a_kept_talk_is_gone_on_with(talks):
    """NAO offers the game, and takes it up with the same turns."""
    for saved in talks:
        if conversation.has_unfinished_game(saved):
            stage = Stage(FEW, start=memory.parse_talk_text(json.dumps(saved.plain())))
            assert (stage.state, stage.said[-1]) == ("unfinished", "go on with our game"), saved
            later = stage.hear("yes").talk
            assert (later.game.turns, later.riddle, later.race, later.level) == (
                saved.game.turns,
                saved.riddle,
                saved.race,
                saved.level,
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
    assert memory.parse_talk_text(book.load_unfinished()) == first and len(book.troubles) == 3
    assert memory.keep_game(Notebook("%s" % tmpdir.join("other")), third) == memory.UNSAVED
    # Dropping works on a full disk: what was finished is not offered again.
    assert memory.keep_game(book, Stage(FEW).talk) == memory.UNSAVED and book.load_unfinished() == ""


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


def finished(seed=1):
    return game.start_game(JOTTO, "test", "", seed).ask("ocean").solve()


def written(folder, name):
    with io.open(os.path.join("%s" % folder, name), encoding="utf-8") as source:
        return source.read()


def test_a_notebook_is_made_where_it_is_wanted(tmpdir):
    folder = "%s" % tmpdir.join("deep", "notes")
    book = Notebook(folder)
    assert (book.list_learned_words(), book.load_unfinished()) == ([], "")
    book.learn("cloud")
    book.learn("paint")
    book.learn("cloud")
    assert Notebook(folder).list_learned_words() == ["cloud", "paint"]
    assert sorted(os.listdir(folder)) == [files.LEARNED_FILE] and book.troubles == []


def test_an_unfinished_game_is_kept_and_dropped(tmpdir):
    book = Notebook("%s" % tmpdir)
    book.keep("")
    assert os.listdir("%s" % tmpdir) == []
    book.keep("{}")
    assert Notebook("%s" % tmpdir).load_unfinished() == "{}"
    book.finish(finished())
    assert book.load_unfinished() == ""
    assert game.parse_game(json.loads(written(tmpdir, "games.jsonl"))) == finished()


def test_games_are_set_aside_and_taken_up(tmpdir):
    """The latest comes first, the oldest of more than 20 is dropped, and odd contents are not games."""
    book = Notebook("%s" % tmpdir)
    assert book.list_aside() == [] and not Notebook(None).set_aside("x")
    for number in range(21):
        assert book.set_aside("%d" % number)
    assert book.set_aside("7") and book.drop_aside("20")
    numbers = [7] + [number for number in range(19, 0, -1) if number != 7]
    assert Notebook("%s" % tmpdir).list_aside() == ["%d" % number for number in numbers]
    for odd, read in (("", []), ("{", []), ("5", []), ('["a", 5, ["b"]]', ["a"]), ("[" * 60000, [])):
        tmpdir.join("set-aside.json").write(odd)
        assert book.list_aside() == read
    assert book.set_aside("x") and book.list_aside() == ["x"]


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
    assert book.list_learned_words() == ["drink", "flame"]


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
        assert Notebook("%s" % tmpdir).list_learned_words() == words, content


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
        assert (book.list_learned_words(), book.load_unfinished()) == ([], "")
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
        assert (book.list_learned_words(), book.load_unfinished()) == ([], "") and os.listdir("%s" % folder) == [name]


@pytest.mark.parametrize("torn", [b'{"half a ga', b"clo", b"\xff"])
def test_half_a_line_of_a_killed_writer_damages_no_other(tmpdir, torn):
    for name in ("own.txt", "games.jsonl"):
        tmpdir.join(name).write_binary(torn)
        if name == "games.jsonl" or torn != b"\xff":
            for _ in range(2):
                CHANGES[name](Notebook("%s" % tmpdir))
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
    assert Notebook(folder).learn("paint") and Notebook(folder).list_learned_words() == ["cloud", "paint"]
    assert len(os.listdir(folder)) == 4


def test_a_game_that_may_have_been_noted_is_noted_once(tmpdir):
    book = Notebook("%s" % tmpdir)
    for again, seed, count in ((False, 1, 1), (True, 1, 1), (True, 2, 2), (True, 1, 2), (False, 1, 3), (True, 3, 4)):
        book.finish(finished(seed), again=again)
        assert len(written(tmpdir, "games.jsonl").splitlines()) == count
