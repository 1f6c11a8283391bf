"""One long conversation, word for word: the same lines and the same game on every Python."""
from __future__ import absolute_import, division, print_function, unicode_literals

from talk_stage import Stage, heard

from jotto_behaviour import hearing
from jotto_behaviour.hearing import UNSURE

#: What the player says, as meanings; a question mark for what was heard with doubt.
SAYS = [
    "you guess", "no", "(silence)", "ready?", "yes", "help", "no?", "yes", "2", "0", "repeat", "score", "left", "no",
    "3?", "no", "2", "back", "2", "4", "2", "2", "yes", "back", "no", "2", "1", "(missed)", "(missed)", "mistake",
    "yes", "yes", "yes", "back", "no", "4 1", "2", "0", "(silence)", "(silence)", "(silence)", "go on",
    "stop?", "no", "yes", "yes", "ready", "wait", "repeat", "give up", "yes", "mistake", "give up", "yes",
    "yes", "h", "e", "r", "back one", "l", "l", "o", "yes", "left", "no"]

#: What was heard, and what NAO says then.
TRANSCRIPT = [
    ("(starts)",
     "Hi there! Time for a game of Jotto. Who shall guess? If you will, say I guess. If I shall, think of five"
     " different letters and say ready."),
    ("you guess", "Think of a word with five different letters. Tell me when you are ready."),
    ("no", "I can wait."),
    ("(silence)", "Tell me when you are ready."),
    ("ready?", "I understood ready. Is that right?"),
    ("yes", "Let me see. Is it snake?"),
    ("help me please",
     "If snake is your word, say yes. If not, say no, and I'll ask how many letters are right. I also understand: "
     "say it again, take it back, I made a mistake, what was the score, how many words are left, tell me why, I give "
     "up, or stop the game. Is it snake?"),
    ("no?", "Did you say no?"),
    ("yes", "How many letters in place, and how many elsewhere?"),
    ("two", "Two in place. And how many elsewhere?"),
    ("zero", "Two and zero. My guess is place. Am I right?"),
    ("say it again",
     "Two and zero. My guess is place. Am I right? That is \\pau=400\\ P as in papa, \\pau=250\\ L as in lima, "
     "\\pau=250\\ A as in alpha, \\pau=250\\ C as in charlie, \\pau=250\\ E as in echo."),
    ("what was the score", "You told me: snake with two in place and zero elsewhere. Is place your word?"),
    ("how many words are left", "34 words are left. Is place your word?"),
    ("no", "How many in the right place, and how many elsewhere?"),
    ("three?", "I understood three. Is that right?"),
    ("no", "Ah, not that, then. How many letters of place are in place?"),
    ("two", "Two. And how many are right, but elsewhere?"),
    ("take it back", "All right, back. How many of its letters are in place?"),
    ("two", "Two. And how many are right, but elsewhere?"),
    ("four", "Two and four are more than five letters. Let's count again. How many of its letters are in place?"),
    ("two", "Two. And how many are right, but elsewhere?"),
    ("two",
     "Two and two. Hm, something does not fit. Maybe I misunderstood. I have place with two in place and two "
     "elsewhere. Is that right?"),
    ("yes", "I have snake with two in place and zero elsewhere. Is that right?"),
    ("take it back", "All right, back. I have place with two in place and two elsewhere. Is that right?"),
    ("no", "How many of its letters are in place?"),
    ("two", "Two. And how many are right, but elsewhere?"),
    ("one", "Thank you. So place has two in place and one elsewhere. Is it slope?"),
    ("(missed)", "Pardon? Is slope your word?"),
    ("(missed)",
     "Sorry, I do not understand. Please say yes if slope is your word, and no if it is not. Or touch my "
     "head: the front for yes, the back for no."),
    ("I made a mistake",
     "No problem, let's look at your answers. For place I noted two in place and one elsewhere. Is that right?"),
    ("yes", "For snake I noted two in place and zero elsewhere. Is that right?"),
    ("yes", "Good, then everything is right. Is it slope?"),
    ("yes", "Wonderful! I got it in 3 attempts! Shall we play again?"),
    ("take it back", "Oh, then I misunderstood your yes. Is it slope?"),
    ("no", "How many letters are right and in place?"),
    ("four and one",
     "Four in place and one elsewhere cannot be: the fifth letter has nowhere else to go. Let's count again. "
     "How many letters are right and in place?"),
    ("two", "Two in place. How many letters are right but in the wrong place?"),
    ("zero", "Two and zero. It must be grape! Is it?"),
    ("(silence)", "Is grape your word?"),
    ("(silence)",
     "Please say yes if grape is your word, and no if it is not. Or touch my head: the front for yes, the back"
     " for no."),
    ("(silence)", "I'll wait, and I'll save our game. Say go on, or touch the front of my head, when you are back."),
    ("go on", "Good, let's go on. Is grape your word?"),
    ("stop the game?", "Shall I stop?"),
    ("no", "Good, let's go on. Is grape your word?"),
    ("yes", "Yes! It was grape. I got it in 4 attempts! Do you want to play again?"),
    ("yes", "Good! Think of a new word, with five different letters. Say ready when you have it."),
    ("ready", "Let me see. Is it trace?"),
    ("wait a moment", "Take your time."),
    ("say it again",
     "Is it trace? That is \\pau=400\\ T as in tango, \\pau=250\\ R as in romeo, \\pau=250\\ A as in alpha, "
     "\\pau=250\\ C as in charlie, \\pau=250\\ E as in echo."),
    ("I give up", "Shall we give up this game?"),
    ("yes", "All right, this one is yours. Would you tell me what it was?"),
    ("I made a mistake", "Good, let's go on. Is it trace?"),
    ("I give up", "Shall we give up this game?"),
    ("yes", "All right, this one is yours. Would you tell me what it was?"),
    ("yes",
     "Spell it with the pilots' alphabet, one letter at a time: alpha for A, bravo for B. The first letter, please."),
    ("hotel", "Hotel."),
    ("echo", "Echo."),
    ("romeo", "Romeo."),
    ("back one", "I took it back. Letter three, please."),
    ("lima", "Lima."),
    ("lima", "Lima."),
    ("oscar",
     " \\pau=400\\ H, \\pau=250\\ E, \\pau=250\\ L, \\pau=250\\ L, \\pau=250\\ O. Your word is hello. Is that right?"),
    ("yes",
     "Hello has a letter twice, and Jotto words have five different letters. That explains it! Do you want to "
     "play again?"),
    ("how many words are left", "That was the end of this game. Shall we play again?"),
    ("no", "Good-bye! It was fun."),
]


def hearing_of(said):
    if said in ("(silence)", "(missed)"):
        return hearing.QUIET if said == "(silence)" else hearing.NOTHING
    return heard(said[:-1], UNSURE) if said.endswith("?") else heard(said)


def test_a_long_conversation_goes_as_it_went():
    stage = Stage(strategy="entropy", seed=11)
    for said in SAYS:
        stage.answer(hearing_of(said))
    for now, then in zip(stage.transcript, TRANSCRIPT):
        assert now == then
    assert len(stage.transcript) == len(TRANSCRIPT) and stage.state == "gone"
    assert [kind for kind, _ in stage.noted] == ["finished", "finished"]
