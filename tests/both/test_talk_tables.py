"""The tables of the conversation: lines, vocabulary and states fit each other."""

from __future__ import absolute_import, division, print_function, unicode_literals

import glob
import io
import json
import os
import re

from talk_stage import HOME, LINES, Stage

from jotto.rules import JOTTO
from jotto_behaviour import conversation, diagram
from jotto_behaviour.settings import LEVELS
from jotto_behaviour.states import (
    AFTER_WAIT,
    ASKED_ANYWAY,
    BEYOND,
    COMMANDS,
    COUNT,
    LETTERS,
    NUMBERS,
    PAIRS,
    SAME_STATE,
    STATES,
    YES_NO,
    list_meanings,
)

LISTENING = sorted(name for name, state in STATES.items() if state.touch)
IN_FLOW = [name for name in LISTENING if STATES[name].box]
KEYS = LINES.list_keys()
#: Lines whose keys are put together: the question's parts and the help of a state.
DERIVED = (
    {STATES[name].question + part for name in LISTENING for part in ("", ", example")}
    | {part for name in IN_FLOW for part in (STATES[name].question + ", shortly", "help, " + name)}
    | {"level, " + level for level in LEVELS}
    | {"spell on, example"}
    | {key + part for key in conversation.CONFIRM_MEANING.values() for part in ("", ", example")}
    | {conversation.CONFIRM_PHRASE + ", example"}
    | {"touch instead, " + STATES[name].touch for name in LISTENING}
)


def test_the_lines_are_those_that_the_code_asks_for():
    code = ""
    for path in sorted(glob.glob(os.path.join(HOME, "*.py"))):
        with io.open(path, encoding="utf-8") as source:
            code += source.read() + "\n"
    named = re.findall(r'(?:\.say|Line)\("([^"]+[^" ])"(?: if [^)"]* else "([^"]+)")?', code)
    assert DERIVED | {key for pair in named for key in pair if key} <= set(KEYS)
    assert [key for key in KEYS if key not in DERIVED and '"%s"' % key not in code] == []


def test_every_wording_is_plain_ascii_and_short_enough_to_listen_to():
    for key in KEYS:
        for wording in LINES.list_wordings(key):
            assert wording == wording.strip() or wording.startswith("{")
            assert all(" " <= letter <= "~" for letter in wording), (key, wording)
            assert "  " not in wording and len(wording) <= 280, (key, wording)
            assert not re.search(r"[\^$\\<>\[\]]", wording), "markup of the robot in %r" % wording


def test_what_is_said_often_has_several_wordings():
    # Said several times in one game: never twice in the same words.
    for key in [
        key.strip()
        for key in """
hello; think of a word; new word; is it; is it, shortly; trial; both numbers; both numbers, shortly; two
numbers; in place; in place, shortly; elsewhere; elsewhere, shortly; score; score, none; corrected; wonderful;
nothing fits; may be off; still nothing fits; is this right; not in my list; tell me; play again; go on; take
your time; words left; count again; back; did you say; ask again; sorry; sorry again; goodbye; go on with our
game; given up; who guesses; who guesses, shortly; I have a word; your guess; your guess, shortly; spell on;
letters dropped; guess again; your score; your score, none; not a word of mine; guessed before; guess taken
back; a letter; words would fit; well guessed; my word was; given up by you; race won; race lost; race given up
""".replace("\n", " ").split(";")
    ]:
        wordings = LINES.list_wordings(key)
        assert len(wordings) > 1 and len(set(wordings)) == len(wordings), key


def test_every_gesture_is_known():
    with io.open(os.path.join(HOME, "lines_en.json"), encoding="utf-8") as source:
        lines = json.load(source)["lines"]
    for key, line in lines.items():
        assert set(line) <= {"say", "gesture"}, key
        assert "gesture" not in line or set(LINES.gestures[line["gesture"]]) == {"Standing", "Sitting"}


def test_a_vocabulary_is_small():
    """Some forty phrases are heard well; the alphabet in two names, counts in three ways, pairs and levels on top."""
    for name in LISTENING:
        phrases = LINES.list_phrases(list_meanings(name, True))
        spells = set(LETTERS) <= set(STATES[name].moves)
        pairs = LINES.list_phrases(meaning for meaning in list_meanings(name) if meaning in PAIRS)
        bound = 101 if spells else 65 if STATES[name].touch == COUNT else 50
        bound += len(LINES.list_phrases(LEVELS)) if LEVELS[0] in STATES[name].moves else 0
        assert len(phrases) - len(pairs) <= bound and len(pairs) <= 3 * len(PAIRS), name
        assert all(re.match("[A-Za-z][A-Za-z' -]*$", phrase) for phrase in phrases), name


def test_commands_and_the_ways_out_of_a_doubt_are_always_understood():
    for name in LISTENING:
        assert set(COMMANDS) <= set(list_meanings(name)), name
        assert set(list_meanings(name, True)) == set(list_meanings(name)) - {BEYOND} | {"yes", "no"}, name


def test_a_touch_is_understood_wherever_it_is_read_so():
    wanted = {
        YES_NO: {"yes", "no"},
        "ready": {"ready"},
        "count": set(NUMBERS),
        "spell": set(LETTERS) | {"back one"},
        "role": {"you guess", "I guess"},
    }
    for name in LISTENING:
        assert wanted[STATES[name].touch] <= set(list_meanings(name))


def test_moves_name_actions_and_states_there_are():
    moves = [move for state in STATES.values() for move in state.moves.values()]
    moves += list(COMMANDS.values()) + list(AFTER_WAIT.values())
    for move in moves:
        assert move.action in conversation.ACTIONS
        assert set(move.to) <= set(STATES) | {SAME_STATE} and len(set(move.to)) == len(move.to)
    assert {move.action for move in moves} == set(conversation.ACTIONS)


def test_the_ways_back_name_steps_and_states_there_are():
    ways = [move for state in STATES.values() for move in (state.back, state.mistake)]
    for move in ways:
        assert set(move.to) <= set(STATES) | {SAME_STATE} and len(set(move.to)) == len(move.to)
    assert {move.action for move in ways} == set(conversation.STEPS_BACK)
    for command, column in (("back", "back"), ("mistake", "mistake")):
        assert set(COMMANDS[command].to) == {to for state in STATES.values() for to in getattr(state, column).to}


def test_questions_in_between_keep_to_themselves():
    for name in [name for name in LISTENING if not STATES[name].box]:
        state = STATES[name]
        assert not state.needs and not state.can_give_up and not state.is_riddle and not state.word_found


def test_states_name_themselves_and_wait_for_as_long_as_people_take():
    for name, state in STATES.items():
        assert state.name == name
        assert (state.touch is None) == (state.question is None) == (state.seconds == 0)
        assert state.touch is None or 6 <= state.seconds <= 120
    assert set(ASKED_ANYWAY) <= set(COMMANDS)
    assert set(conversation.DOUBT_KEEPING_MEANINGS) <= set(COMMANDS)


def test_the_diagram_draws_every_state_once():
    rows = diagram.mermaid().splitlines()
    assert rows[0] == "stateDiagram-v2"
    drawn = re.findall(r'^        state "([^"]+)" as (\w+)$', diagram.mermaid(), re.MULTILINE)
    assert sorted(name for name, _ in drawn) == sorted(STATES)
    boxes = [row for row in rows if row.endswith("{")]
    assert len(boxes) == len({state.box for state in STATES.values()}) == rows.count("    }")
    identifiers = [identifier for _, identifier in drawn] + [row.split()[-2] for row in boxes]
    assert len(set(identifiers)) == len(identifiers)
    assert all(re.match("[A-Za-z]\\w*$", identifier) for identifier in identifiers)
    assert not set(identifiers) & {"end", "state", "note", "direction"}

    # It links what it draws.
    links = [re.match(r"    (\w+) --> (\w+): ([^:;#]+)$", row).groups() for row in rows if "-->" in row]
    assert {end for link in links for end in link[:2]} <= {identifier for _, identifier in drawn}
    assert len({link[:2] for link in links}) == len(links)
    assert ("exact", "misplaced", "0 ... none") in links and ("scored", "guess", "say score back") in links


def test_the_printed_tables_hold_every_move_and_every_way_back():
    assert len(diagram.list_moves()) == sum(len(state.moves) for state in STATES.values()) + len(COMMANDS)
    assert {("word", "yes", "win game", "solved"), ("(any)", "help", "give help", SAME_STATE)} <= set(
        diagram.list_moves()
    )
    rows = {row[0]: row[1:] for row in diagram.list_ways_back()}
    assert sorted(rows) == LISTENING
    assert rows["misplaced"] == ("return to places: exact", "count again: both, exact", "pause", "yes")
    assert rows["stopping"] == ("go on: " + SAME_STATE, "go on: " + SAME_STATE, "leave at once", "")


# What NAO says is the English of people who speak it: what was read aloud and changed stays changed.


def test_a_line_is_said_in_one_breath():
    # Words of one line; what helps may be longer, and the rules with their example.
    longest, longest_help, longer = 15, 25, {"help, rules": 41}
    for key in KEYS:
        is_help = key.startswith("help") or key.endswith("example")
        for wording in LINES.list_wordings(key):
            said = re.sub(r"\{(spelling|sounding)\}", "", wording).split()
            assert len(said) <= longer.get(key, longest_help if is_help else longest), (key, len(said))
            assert not re.search(r"(?i)\bshall\b|\?.*\?", wording), key


def test_the_example_of_the_rules_is_right():
    (rules,) = LINES.list_wordings("help, rules")
    secret, guess = re.findall("[A-Z]{5}", rules)
    score = tuple(map(LINES.say_number, JOTTO.score(guess.lower(), secret.lower())))
    assert "that's %s and %s." % score in rules and rules.endswith("say: %s." % LINES.list_phrases(["spell it"])[0])


def test_only_guesses_that_sound_like_another_word_are_spelled():
    for guess, is_spelled in (("pares", True), ("horse", True), ("ocean", False), ("table", False)):
        stage = Stage((guess,)).hear("ready")
        assert ("\\pau" in stage.text) == is_spelled, guess
        assert "as in" in stage.hear("repeat").text
    for key in ("is it", "is it, first", "is it, last", "trial"):
        assert all("{sounding}" in wording for wording in LINES.list_wordings(key)), key
    assert LINES.spell("at") == " \\pau=400\\ A, \\pau=250\\ T."
    assert LINES.spell("at", slowly=True) == " \\pau=400\\ A as in alpha, \\pau=250\\ T as in tango."
