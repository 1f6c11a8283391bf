"""The talk as JSON and in ALMemory: read back whole, or refused."""

from __future__ import absolute_import, division, print_function, unicode_literals

import copy
import json
import re

import pytest
from hypothesis import given, settings, strategies as st
from talk_stage import FEW, Stage

from jotto.compat import as_native
from jotto.rules import BULLS, FutureVersion, SavedGameError
from jotto_behaviour import memory, talk
from jotto_behaviour.memory import GAME_KEY, MAX_TALK_LENGTH, SETTINGS_KEY, TalkMemory
from jotto_behaviour.states import ANY_WORD, LETTER_OR_WORD


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


def test_notes_written_before_are_read_and_written_back_as_notes_of_today():
    for wanted in (
        '{"folder": "notes", "seed": 1, "strategy": "belief", "words": ""}',
        '{"folder": null, "role": "race", "seed": 0, "strategy": "", "words": "words.txt"}',
        '{"deaf": ["ALSpeechRecognition", "ALDialog"], "folder": null, "role": "", "seed": 7, "strategy": "", '
        '"words": ""}',
    ):
        text = WRITTEN_BEFORE % wanted
        read = memory.read_talk_text(text)
        assert read.doubt == talk.Doubt("2", "two") and read.settings.plain() == json.loads(wanted), wanted
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


def test_settings_of_another_kind_are_as_in_a_new_game():
    for plain in (
        {},
        {"words": 3, "strategy": None, "seed": "7", "folder": [], "role": True, "deaf": "ALDialog", "colour": "red"},
        {"seed": -1, "deaf": [3, None]},
        {"seed": 2**31, "folder": ""},
        {"seed": True},
    ):
        assert talk.read_talk(changed(settings=plain)).settings == talk.Talk(moment().game).settings, plain


def test_notes_of_a_newer_version():
    for version in (talk.TALK_FORMAT_VERSION + 1, 99, 10**30):
        with pytest.raises(FutureVersion):
            talk.read_talk(changed(version=version))
        with pytest.raises(FutureVersion):
            talk.read_talk(changed(game=dict(PLAIN["game"], version=version)))


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
            talk.read_talk(plain)
        assert not isinstance(caught.value, FutureVersion), plain
        assert len("%s" % caught.value) < 200, plain


#: Values of a field that are refused, as JSON.
DAMAGE = {
    "state": """["", "nowhere", null, 3, [], {}, ["exact"], "gone!", "paused", "stopping", "word", "doubtful", "scored",
        "spelled", "misplaced", "solved", "guess"]""",
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


def refuse_talk(plain, case):
    with pytest.raises(SavedGameError) as caught:
        talk.read_talk(plain)
    assert not isinstance(caught.value, FutureVersion), case


def test_a_damaged_field_is_refused():
    # The same for a field of the game.
    game_damage = {"turns": "[3, [[]]]", "guess": '["xx", null]', "outcome": '["solved"]'}
    for field, values in DAMAGE.items():
        for value in json.loads(values):
            refuse_talk(changed(**{str(field): value}), (field, value))
    for field, values in game_damage.items():
        for value in json.loads(values):
            refuse_talk(changed(game=dict(PLAIN["game"], **{str(field): value})), (field, value))
    bulls = dict(PLAIN["game"], rules=BULLS.plain(), turns=[], guess="1234")
    refuse_talk(changed(game=bulls), "other rules")


RIDDLE = json.loads(json.dumps(Stage(FEW).hear("I guess", "=light", "hint", "c").talk.plain()))
#: Values of a field of the riddle, or of its game, that are refused, as JSON.
RIDDLE_DAMAGE = """{"secret": "mouse"}  {"secret": "hello"}  {"hints": -1}"""
RIDDLE_GAME_DAMAGE = """{"outcome": "given up"}  {"guess": "mouse"}  {"guess": "mouse", "outcome": "solved"}"""
RIDDLE_TALK_DAMAGE = """{"riddle": 3}  {"riddle": {}}  {"riddle": null}  {"race": 1}  {"race": null}
  {"spelled": "light"}  {"state": "riddle"}  {"state": "guessed"}  {"state": "your word?"}
  {"doubt": ["any word", "hello"]}  {"doubt": ["any word", "xy"]}  {"doubt": ["letter or word", "alpha"]}
  {"state": "word or letter?", "spelled": "h"}"""


def test_damaged_riddles_are_refused():
    assert (ANY_WORD, LETTER_OR_WORD) == ("any word", "letter or word")
    riddle = RIDDLE["riddle"]
    changes = [json.loads(text) for text in re.split(r"\s\s+", RIDDLE_TALK_DAMAGE)]
    changes += [{"riddle": dict(riddle, **json.loads(text))} for text in RIDDLE_DAMAGE.split("  ")]
    for text in RIDDLE_GAME_DAMAGE.split("  "):
        changes.append({"riddle": dict(riddle, game=dict(riddle["game"], **json.loads(text)))})
    assert talk.read_talk(RIDDLE).riddle.hints == 1
    for change in changes:
        refuse_talk(dict(RIDDLE, **change), change)


def test_notes_of_version_one_have_no_riddle():
    old = dict(json.loads(json.dumps(Stage(FEW).hear("ready").score(0, 0).talk.plain())), version=1)
    del old["riddle"], old["race"]
    read = talk.read_talk(old)
    assert read.riddle is None and not read.race and len(read.game.turns) == 1
    assert talk.read_talk(json.loads(json.dumps(read.plain()))) == read


@given(
    st.dictionaries(
        st.sampled_from(sorted(PLAIN)),
        st.recursive(
            (
                st.none()
                | st.booleans()
                | st.integers(-3, 10)
                | st.floats(allow_nan=False)
                | st.sampled_from(["exact", "word", "ocean", ""])
            ),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(PLAIN)), inner, max_size=3)
            ),
            max_leaves=5,
        ),
        min_size=1,
        max_size=4,
    )
)
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
        assert TalkMemory(FakeMemory(Settings=natively(value))).settings() == wanted, value


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
