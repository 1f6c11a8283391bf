"""Everything that may be said before every question: NAO answers and reaches a state the table declares."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from story import EASY, LINES, WAYS, Story

from jotto_behaviour.states import ANY_WORD, COMMANDS, LANGUAGES, LETTER_OR_WORD, SAME_STATE, STATES, list_meanings
from naosim.compat import PY2

LISTENING = sorted(name for name, state in STATES.items() if state.touch is not None)
#: What NAO says to a command in any state where it is said first.
SAID = {
    "help": ("help, {state}",),
    "wait": ("take your time",),
    "stop": ("stop", "goodbye"),
    "score": ("scores", "no score yet", "no guess yet"),
}


def test_every_question_has_a_way_to_it():
    assert sorted(WAYS) == LISTENING


@pytest.mark.parametrize("state", LISTENING)
def test_every_phrase_before_a_question(state, tmpdir):
    def ends_in(states, state, beneath):
        """List the questions that may come next, when NAO passes through its own states."""
        found = set()
        for name in states:
            if name == SAME_STATE:
                found |= {state, beneath}
            elif STATES[name].touch is None and STATES[name].moves:
                found |= ends_in(STATES[name].moves[""].to, state, beneath)
            else:
                found.add(name)
        return found

    # Words said where any word may be, and the letter that is no word.
    said_as = {ANY_WORD: "bread", LETTER_OR_WORD: "hotel", "h": "H"}
    with Story(tmpdir, words=EASY) as story:
        wanted = [each for each in list_meanings(state) if each in said_as or LINES.phrases([each])]
        # Each Python takes a quarter of them, as test_talk_walks.py takes every step; no other language is heard here.
        heard = [each for each in wanted if each not in LANGUAGES]
        # Among thousands of words no letter is heard, so a word is listened for before the first one alone.
        heard = [each for each in heard if each != ANY_WORD or state != "word or letter?"]
        for meaning in [each for number, each in enumerate(heard) if number % 4 == (1 if PY2 else 3)]:
            story.begins_anew()
            story.reaches(state)
            beneath = story.talk["beneath"]
            story.says(said_as.get(meaning) or LINES.phrases([meaning])[0])
            if STATES[state].is_denied and meaning in STATES[state].word_found:
                story.hears("did you say")
                story.says("yes")
            move = STATES[state].moves.get(meaning) or COMMANDS[meaning]
            assert story.state in ends_in(move.to, state, beneath), (state, meaning, story.heard)
            assert story.heard, (state, meaning)
            if meaning in SAID and meaning not in STATES[state].moves and not beneath:
                assert any(story.has_said(key.format(state=state)) for key in SAID[meaning]), (meaning, story.heard)
            if not story.is_over:
                story.stops()
            story.ends()
