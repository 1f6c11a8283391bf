"""One long conversation, word for word: the same lines and the same game on every Python."""

from __future__ import absolute_import, division, print_function, unicode_literals

from talk_stage import Stage, heard

from jotto_behaviour import hearing
from jotto_behaviour.hearing import UNSURE

#: What was heard, and what NAO says then.
TRANSCRIPT = [
    ("(starts)", "Hi there! Jotto time! First, who guesses? Say: you guess, or: my turn to guess."),
    ("you guess", "Think of a word with five different letters. Then say: ready."),
    ("no", "I can wait."),
    ("(silence)", "Got your word? Then say: ready."),
    (
        "ready?",
        "Oops, I missed that. Take your time. Ocean would work: five letters, all different. Tap the front of my head, "
        "or say: ready.",
    ),
    ("yes", "Let me think. Is it snake?"),
    (
        "help me please",
        "If snake is your word, say yes. If not, say no. You can also say: take it back, tell me why, or stop the "
        "game. Is it snake?",
    ),
    ("no?", "Sorry? Is snake your word?"),
    ("no?", "How many in the right place, and how many in the wrong place?"),
    ("two", "Two in the right place. And in the wrong place?"),
    ("zero", "Two and zero. My guess is place. Am I right?"),
    (
        "what are the rules",
        "One of us thinks of a word, and the other guesses it. First count the letters in the right place. Then count "
        "the letters in the wrong place. If my word is TIGER and you guess TRAIN, that's one and two. Is place your "
        "word?",
    ),
    (
        "say it again",
        "One of us thinks of a word, and the other guesses it. First count the letters in the right place. Then count "
        "the letters in the wrong place. If my word is TIGER and you guess TRAIN, that's one and two. Is place your "
        "word? That's \\pau=400\\ P as in papa, \\pau=250\\ L as in lima, \\pau=250\\ A as in alpha, \\pau=250\\ C as "
        "in charlie, \\pau=250\\ E as in echo.",
    ),
    ("what was the score", "You told me snake gets two and zero. Is place your word?"),
    ("how many words are left", "I've still got 34 words to choose from. Is place your word?"),
    ("no", "How many are in the right place, and how many in the wrong place?"),
    ("three?", "Did you say three?"),
    ("no", "Okay, not that. How many letters of place are in the right place?"),
    ("two", "Two. And how many in the wrong place?"),
    ("take it back", "Okay, one step back. How many letters of place are in the right place?"),
    ("two", "Two. And how many in the wrong place?"),
    ("four", "Hmm, two and four makes more than five letters. How many letters of place are in the right place?"),
    ("two", "Two. And how many in the wrong place?"),
    (
        "two",
        "Two and two. Hmm, something doesn't fit. Maybe I mixed something up. I wrote down two and two for place. Is "
        "that right?",
    ),
    ("yes", "I wrote down two and zero for snake. Is that right?"),
    ("take it back", "Okay, one step back. I wrote down two and two for place. Is that right?"),
    ("no", "How many letters of place are in the right place?"),
    ("two", "Two. And how many in the wrong place?"),
    ("one", "Thanks, I've fixed it: place gets two and one. Is it slope?"),
    ("(missed)", "Oops, I missed that. Is slope your word?"),
    (
        "(missed)",
        "Sorry, I still didn't get it. If slope is your word, say yes. If not, say no. Or tap my head: front for yes, "
        "back for no.",
    ),
    ("I made a mistake", "Okay, let's check your answers. For place, I've got two and one. Is that right?"),
    ("yes", "For snake, I've got two and zero. Is that right?"),
    ("yes", "Okay, then they're all right. Is it slope?"),
    ("yes", "Wonderful! I got it in 3 guesses! Want to play again?"),
    ("take it back", "Oh! I thought you said yes. Is it slope?"),
    ("no", "How many are in the right place?"),
    ("four and one", "Four and one can't be: the last letter has nowhere else to go. How many are in the right place?"),
    ("two", "Two. And in the wrong place?"),
    ("zero", "Two and zero. It must be grape! Am I right?"),
    ("(silence)", "Is it grape?"),
    ("(silence)", "If grape is your word, say yes. If not, say no. Or tap my head: front for yes, back for no."),
    ("(silence)", "I'll save our game and wait. When you're back, say: go on."),
    ("go on", "Great, let's keep going. Is grape your word?"),
    ("stop the game?", "Do you want to stop?"),
    ("no", "Great, let's keep going. Is grape your word?"),
    ("yes", "Yes! It was grape. I got it in 4 guesses! Want another game?"),
    ("yes", "Great! Think of a new word with five different letters. Then say: ready."),
    ("ready", "Let me think. Is it trace?"),
    ("wait a moment", "No hurry."),
    (
        "say it again",
        "Is it trace? That's \\pau=400\\ T as in tango, \\pau=250\\ R as in romeo, \\pau=250\\ A as in alpha, "
        "\\pau=250\\ C as in charlie, \\pau=250\\ E as in echo.",
    ),
    ("I give up", "Do you want to give up?"),
    ("yes", "Okay, you win this one. Will you tell me what it was?"),
    ("I made a mistake", "Great, let's keep going. Is it trace?"),
    ("I give up", "Do you want to give up?"),
    ("yes", "Okay, you win this one. Will you tell me what it was?"),
    ("yes", "Spell it like pilots do: alpha for A, bravo for B. What's the first letter?"),
    ("hotel", "Hotel."),
    ("echo", "Echo."),
    ("romeo", "Romeo."),
    ("back one", "Okay, one back. What's letter three?"),
    ("lima", "Lima."),
    ("lima", "Lima."),
    ("oscar", " \\pau=400\\ H, \\pau=250\\ E, \\pau=250\\ L, \\pau=250\\ L, \\pau=250\\ O. Is your word hello?"),
    ("yes", "Hello has a letter twice, and Jotto words don't. That explains it! Want another game?"),
    ("how many words are left", "This game is over. Want to play again?"),
    ("no", "Bye! That was fun."),
]


def test_a_long_conversation_goes_as_it_went():
    def hearing_of(said):
        if said in ("(silence)", "(missed)"):
            return hearing.SILENCE_HEARD if said == "(silence)" else hearing.NOTHING_HEARD
        return heard(said[:-1], UNSURE) if said.endswith("?") else heard(said)

    stage = Stage(strategy="entropy", seed=11)
    # What the player says, as meanings; a question mark for what was heard with doubt.
    for said in """
you guess; no; (silence); ready?; yes; help; no?; no?; 2; 0; rules; repeat; score; left; no; 3?; no; 2; back; 2;
4; 2; 2; yes; back; no; 2; 1; (missed); (missed); mistake; yes; yes; yes; back; no; 4 1; 2; 0; (silence);
(silence); (silence); go on; stop?; no; yes; yes; ready; wait; repeat; give up; yes; mistake; give up; yes; yes;
h; e; r; back one; l; l; o; yes; left; no
""".replace("\n", " ").split(";"):
        stage.answer(hearing_of(said.strip()))
    for now, then in zip(stage.transcript, TRANSCRIPT):
        assert now == then
    assert len(stage.transcript) == len(TRANSCRIPT) and stage.state == "gone"
    assert [kind for kind, _ in stage.noted] == ["finished", "finished"]
