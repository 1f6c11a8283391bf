"""Stored state: the talk as JSON, ALMemory, the notebook's files, and the cached lists."""

from __future__ import absolute_import, division, print_function, unicode_literals

import copy
import io
import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from talk_stage import Stage

from jotto import game
from jotto.compat import as_native
from jotto.rules import BULLS, JOTTO, FutureVersion, JottoError, SavedGameError, WordListError
from jotto.strategies import UnknownStrategy
from jotto.words import BlockList, hash_blocked_word
from jotto_behaviour import files, memory, talk
from jotto_behaviour import mind as resources
from jotto_behaviour.files import Notebook
from jotto_behaviour.memory import GAME_KEY, MAX_TALK_LENGTH, SETTINGS_KEY, TalkMemory

FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse")


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


def without(field):
    plain = copy.deepcopy(PLAIN)
    del plain[field]
    return plain


# The talk as plain values


def test_a_talk_comes_back_whole():
    assert talk.read_talk(PLAIN) == moment()
    assert PLAIN["version"] == talk.TALK_FORMAT_VERSION == 7 and "notes" not in PLAIN


#: As an earlier version of the game wrote it into ALMemory, in the middle of a question about what was heard.
WRITTEN_BEFORE = (
    '{"beat": 24, "beneath": null, "cleared": [], "doubt": ["2", "two"], "exact": 0, "fixing": null, "game": '
    '{"checksum": "a8d0b2e7309b031bd88ea009643d686018e949490a4fa5edbbb96f8b1e61fdfd", "guess": "mouth", "list": "en", '
    '"outcome": null, "rules": {"alphabet": "abcdefghijklmnopqrstuvwxyz", "kind": "places", "length": 5, "name": '
    '"jotto", "repeats": false}, "seed": 1, "turns": [["pares", [0, 0]]], "version": 1}, "last": [["did you say", '
    '{"phrase": "two"}]], "left": 165, "misses": 0, "race": false, "riddle": null, "says": [], "settings": %s, '
    '"silences": 0, "spelled": "", "state": "misplaced", "version": 2}'
)


@pytest.mark.parametrize(
    "wanted",
    [
        '{"folder": "notes", "seed": 1, "strategy": "belief", "words": ""}',
        '{"folder": null, "role": "race", "seed": 0, "strategy": "", "words": "words.txt"}',
        '{"deaf": ["ALSpeechRecognition", "ALDialog"], "folder": null, "role": "", "seed": 7, "strategy": "", '
        '"words": ""}',
    ],
)
def test_notes_written_before_are_read_and_written_back_as_notes_of_today(wanted):
    text = WRITTEN_BEFORE % wanted
    read = memory.read_talk_text(text)
    assert read.doubt == talk.Doubt("2", "two") and read.settings.plain() == json.loads(wanted)
    assert read.plain() == dict(
        json.loads(text),
        pace=0,
        level="normal",
        corrected=[],
        denied=[],
        unsure="",
        sealed="",
        recounted=False,
        version=talk.TALK_FORMAT_VERSION,
    )


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"words": 3, "strategy": None, "seed": "7", "folder": [], "role": True, "deaf": "ALDialog", "colour": "red"},
        {"seed": -1, "deaf": [3, None]},
        {"seed": 2**31, "folder": ""},
        {"seed": True},
    ],
)
def test_settings_of_another_kind_are_as_in_a_new_game(plain):
    assert talk.read_talk(changed(settings=plain)).settings == talk.Talk(moment().game).settings


@pytest.mark.parametrize("version", [talk.TALK_FORMAT_VERSION + 1, 99, 10**30])
def test_notes_of_a_newer_version(version):
    with pytest.raises(FutureVersion):
        talk.read_talk(changed(version=version))
    with pytest.raises(FutureVersion):
        talk.read_talk(changed(game=dict(PLAIN["game"], version=version)))


@pytest.mark.parametrize(
    "plain",
    [
        None,
        3,
        "text",
        [],
        {},
        {"version": None},
        {"version": "1"},
        {"version": True},
        {"version": 1.0},
        {"version": 1},
        changed(version=0),
        changed(version=-1),
    ]
    + [without(field) for field in sorted(PLAIN)],
)
def test_what_is_no_talk(plain):
    with pytest.raises(SavedGameError) as caught:
        talk.read_talk(plain)
    assert not isinstance(caught.value, FutureVersion)
    assert len("%s" % caught.value) < 200


ROWS = [
    (
        "state",
        [
            "",
            "nowhere",
            None,
            3,
            [],
            {},
            ["exact"],
            "gone!",
            "paused",
            "stopping",
            "word",
            "doubtful",
            "scored",
            "spelled",
            "misplaced",
            "solved",
            "guess",
        ],
    ),
    ("beneath", ["", "exact", "nowhere", 3, [], {}, "paused"]),
    ("exact", [-1, 5, 6, "3", 1.0, True, [], {}]),
    ("doubt", [5, "3", "34", [], ["3"], ["3", 5], ["nothing", "x"], ["yes", "yes"], [[], "x"], ["3", "x", "y"], {}]),
    ("level", ["", "odd", None, 3, [], {}]),
    ("pace", [-3, 3, "0", 0.5, None, True, []]),
    ("silences", [-1, "0", 1.5, None, True, 10**6, [], float("nan")]),
    ("misses", [-1, "0", 1.5, None, True, 10**6]),
    ("beat", [-1, "0", 1.5, None, True, 10**6, 10**30]),
    ("left", [-1, "0", 1.5, True, "", []]),
    ("fixing", [-1, 2, 10**9, "0", 0.0, True, False, [], {}]),
    ("cleared", [None, 3, "0", [2], [-1], ["0"], [0.0], [True], [None], [[]], {"a": 1}]),
    ("corrected", [None, 3, "0", [2], [-1], ["0"], [True], [[]]]),
    ("denied", [None, 3, "0", [2], [[]], [["2"]], [["2", 3]], [[None, "two"]], [["2", "two", "x"]]]),
    ("spelled", [None, 3, [], "abcdef", "AB", "a b", "{", "\u00e9", "ab1"]),
    ("says", [None, 3, "x", [3], ["x"], [["hello"]], [["hello", {}, 1]], [["hello", []]], [[3, {}]], [None]]),
    ("last", [None, 3, "x", [3], [["hello", None]], [[None, {}]]]),
    ("settings", [None, 3, "x", []]),
    (
        "game",
        [
            None,
            3,
            "x",
            [],
            {},
            dict(PLAIN["game"], turns=3),
            dict(PLAIN["game"], guess="xx"),
            dict(PLAIN["game"], outcome="solved"),
            dict(PLAIN["game"], guess=None),
            dict(PLAIN["game"], turns=[[]]),
            dict(PLAIN["game"], rules=BULLS.plain(), turns=[], guess="1234"),
        ],
    ),
]


@pytest.mark.parametrize("field, value", [(field, value) for field, values in ROWS for value in values])
def test_a_damaged_field_is_refused(field, value):
    with pytest.raises(SavedGameError) as caught:
        talk.read_talk(changed(**{field: value}))
    assert not isinstance(caught.value, FutureVersion)


#: Any value but NaN, which is not even equal to itself.
SIMPLE = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10)
    | st.floats(allow_nan=False)
    | st.sampled_from(["exact", "word", "ocean", ""])
)
ANY_JSON = st.recursive(
    SIMPLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(PLAIN)), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(sorted(PLAIN)), ANY_JSON, min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_notes_are_read_right_or_refused(fields):
    """The conversation can go on with any changed notes that are not refused."""
    try:
        read = talk.read_talk(changed(**fields))
    except SavedGameError:
        return
    assert talk.read_talk(json.loads(json.dumps(read.plain()))) == read
    if read.listens:
        stage = Stage(FEW)
        stage.talk, stage.here = read._replace(silences=0, misses=0), read.box
        stage.quiet()


# ALMemory


def test_memory_without_a_talk():
    assert TalkMemory(FakeMemory()).load() is None
    assert TalkMemory(FakeMemory(Game=as_native(""))).load() is None


def test_memory_gives_back_what_was_saved():
    almemory = FakeMemory()
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


#: Named, since two of them are too long for a test's name.
UNREADABLE = {
    "half": "{",
    "nonsense": "nonsense",
    "a list": "[]",
    "null": "null",
    "a number": "3",
    "text": '"text"',
    "empty": "{}",
    "little": '{"version": 1}',
    "blanks": "   ",
    "not a number": "NaN",
    "an accent": "\u00e9",
    "a strange state": '{"version": 1, "state": []}',
    "an integer": 3,
    "a float": 2.5,
    "lists": ["{}"],
    "no list": [],
    "deep": "[" * MAX_TALK_LENGTH,
    "long": "x" * (MAX_TALK_LENGTH + 1),
}


def natively(value):
    return as_native(value) if isinstance(value, type("")) else value


@pytest.mark.parametrize("name", sorted(UNREADABLE))
def test_unreadable_notes(name):
    with pytest.raises(SavedGameError) as caught:
        TalkMemory(FakeMemory(Game=natively(UNREADABLE[name]))).load()
    assert not isinstance(caught.value, FutureVersion)


@pytest.mark.parametrize("name", sorted(UNREADABLE))
def test_unreadable_settings_are_none(name):
    wanted = {"version": 1} if name == "little" else {"version": 1, "state": []} if name == "a strange state" else {}
    assert TalkMemory(FakeMemory(Settings=natively(UNREADABLE[name]))).settings() == wanted


def test_notes_of_a_newer_version_in_memory():
    with pytest.raises(FutureVersion):
        TalkMemory(FakeMemory(Game=as_native(json.dumps(changed(version=talk.TALK_FORMAT_VERSION + 1))))).load()


def test_settings_are_read_and_never_written():
    assert TalkMemory(FakeMemory()).settings() == {}
    almemory = FakeMemory(Settings=as_native('{"seed": 7, "words": "my words"}'))
    assert TalkMemory(almemory).settings() == {"seed": 7, "words": "my words"}
    assert almemory.writes == [] and SETTINGS_KEY == "Jotto/Settings"


def test_notes_are_read_from_a_file_s_text_too():
    assert memory.read_talk_text(json.dumps(PLAIN)) == moment()


# The notebook


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


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", []),
        (b"cloud\n\npaint\n", ["cloud", "paint"]),
        (b"cloud\r\npaint\r\n", ["cloud", "paint"]),
        (b"Cloud hello ab cloud1 paint", ["paint"]),
        (b"# my words\ncloud # not paint\n", ["cloud"]),
        ("\u00e9tude cloud".encode("utf-8"), ["cloud"]),
        (b"\xff\xfe\x00cloud\n", []),
        (b"\x00" * 99, []),
    ],
)
def test_what_is_no_word_in_a_damaged_file_is_left_out(tmpdir, content, words):
    tmpdir.join(files.LEARNED_FILE).write_binary(content)
    assert Notebook("%s" % tmpdir).learned() == words


@pytest.mark.parametrize("folder", [None, "", "a file", "a file/in a file", "bad\0name"])
def test_a_notebook_that_cannot_be_written_stops_nothing(tmpdir, folder):
    tmpdir.join("a file").write("in the way")
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


def refuse(*_arguments):
    raise OSError(13, "Permission denied")


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
def test_half_a_line_of_a_killed_writer_spoils_no_other(tmpdir, torn):
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


def test_a_program_that_holds_the_lock_is_not_waited_for_without_end(tmpdir, monkeypatch):
    folder = "%s" % tmpdir
    monkeypatch.setattr(files, "LOCK_POLLS", 2)
    with files.lock_folder(folder):
        book = Notebook(folder)
        assert not book.learn("paint") and "another program is writing there" in book.troubles[0]
        assert book.keep("{}"), "what is written whole needs no lock"
    assert book.learn("paint")


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


def test_without_the_locks_of_posix(tmpdir, monkeypatch):
    """Windows has others; where there are none at all, there is no waiting, and parts are left alone."""
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


# The cached lists


@pytest.fixture
def empty_cache(monkeypatch):
    monkeypatch.setattr(resources, "_KEPT", {})
    return resources._KEPT


def list_file(tmpdir, content, name="mine.txt"):
    tmpdir.join(name).write_binary(content)
    return "%s" % tmpdir.join(name)


def test_a_list_that_was_read_is_cached(tmpdir, empty_cache):
    path = list_file(tmpdir, b"ocean\ncanoe\n")
    mind = resources.load_mind(path, "", [])
    assert mind.wordlist.name == "mine" and mind.strategy.name == resources.DEFAULT_STRATEGY
    assert resources.load_mind(path, "", []) is mind
    assert resources.load_mind(path, "", ["cloud"]).wordlist.words == ("ocean", "canoe", "cloud")
    assert resources.load_mind(path, "consistent", []).strategy.name == "consistent"


def test_a_changed_list_is_read_again(tmpdir, empty_cache):
    path = list_file(tmpdir, b"ocean\ncanoe\n")
    resources.load_mind(path, "", [])
    list_file(tmpdir, b"ocean\ncanoe\ntable\n")
    os.utime(path, (1, 1))
    assert len(resources.load_mind(path, "", []).index) == 3


def test_only_a_few_lists_are_cached(tmpdir, empty_cache):
    path = list_file(tmpdir, b"ocean\ncanoe\n")
    for word in ("cloud", "paint", "drink", "flame", "grape", "house", "light", "mouse", "night", "pearl", "quiet"):
        assert resources.load_mind(path, "", [word]).knows(word)
        assert len(empty_cache) <= 12


@pytest.mark.parametrize(
    "content, error",
    [
        (b"", WordListError),
        (b"ocean\n", WordListError),
        (b"ocean ocean ocean", WordListError),
        (b"hello\nabc\n", WordListError),
        (b"\x00\x01\x02" * 99, WordListError),
        (b"\x89PNG\r\n\x1a\n", WordListError),
        (b"#ocean\n#canoe\n", WordListError),
    ],
)
def test_unusable_lists(tmpdir, content, error, empty_cache):
    with pytest.raises(error) as caught:
        resources.load_mind(list_file(tmpdir, content), "", [])
    assert "mine" in "%s" % caught.value


@pytest.mark.parametrize("name", ["missing.txt", "folder", "folder/x", "bad\0name", "\u00e9.txt", "x" * 5000])
def test_lists_that_are_not_there(tmpdir, name, empty_cache):
    tmpdir.mkdir("folder")
    with pytest.raises(resources.MissingFile) as caught:
        resources.load_mind("%s/%s" % (tmpdir, name), "", [])
    assert isinstance(caught.value, JottoError)


def test_a_list_of_words_nao_never_says(tmpdir, empty_cache):
    empty_cache["blocked", "en"] = BlockList(frozenset([hash_blocked_word("ocean"), hash_blocked_word("canoe")]))
    with pytest.raises(WordListError):
        resources.load_mind(list_file(tmpdir, b"ocean\ncanoe\n"), "", [])
    assert resources.load_mind(list_file(tmpdir, b"ocean\ncanoe\ntable\n"), "", []).sayable == 4


def test_an_unknown_strategy(empty_cache):
    with pytest.raises(UnknownStrategy):
        resources.load_mind("", "luck", [])


def test_the_list_played_with_by_default(empty_cache):
    mind = resources.load_mind("", "", [])
    assert mind.wordlist.name == "en" and len(mind.index) > 2000 and mind.knows("ocean")


def test_a_missing_file_of_the_game_itself(monkeypatch, empty_cache):
    monkeypatch.setattr(resources, "LIST_FOLDERS", ("nowhere",))
    for look in (resources.get_default_list, resources.load_block_list):
        with pytest.raises(resources.MissingFile):
            look()


@pytest.mark.parametrize("content", [b"\xff\xfeodd bytes\n", b"x" * (files.MAX_NOTEBOOK_BYTES + 1)])
def test_a_file_of_own_words_that_cannot_be_read_is_left_as_it_is(tmpdir, content):
    tmpdir.join("own.txt").write_binary(content)
    book = Notebook(as_native(str(tmpdir)))
    book.learn("zesty")
    assert tmpdir.join("own.txt").read_binary() == content
    assert ["own.txt' cannot be read (" in trouble for trouble in book.troubles] == [True]
