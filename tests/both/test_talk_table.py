"""The table of talks, `talks.txt`, played row by row, and what holds at every moment of a talk."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import os
import re
from collections import namedtuple

import pytest
from engine_words import WORDS
from talk_stage import FEW, LINES, Stage, heard, list_listened_for, stored

from jotto import game as games
from jotto.rules import JOTTO
from jotto.words import BlockList, hash_blocked_word
from jotto_behaviour import conversation, hearing
from jotto_behaviour.settings import Settings
from jotto_behaviour.states import COMMANDS, PAIRS, STATES, list_meanings
from jotto_behaviour.talk import Talk

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "talks.txt")
RUDE = BlockList(frozenset([hash_blocked_word("bread"), hash_blocked_word("dwarf")]))
MEASURED = (0.1, 0.7)
ALPHABET = ("ocean", "hotel", "delta", "heart", "hands", "dozen", "delay", "wrong", "table", "bread", "canoe", "mouse")
#: New conversations by name; the other starting points of the table are made from these.
STAGES = {
    "few": lambda: Stage(FEW),
    "few, seed 3": lambda: Stage(FEW, seed=3),
    "few, measured": lambda: Stage(FEW, certainty=MEASURED),
    "largest seed": lambda: Stage(FEW, seed=2**63 - 1),
    "two words": lambda: Stage(FEW[:2], seed=2),
    "two words by belief": lambda: Stage(FEW[:2], "belief", seed=2),
    "rude": lambda: Stage(FEW, blocked=RUDE),
    "rude, seed 3": lambda: Stage(FEW, seed=3, blocked=RUDE),
    "near misses": lambda: Stage(("cable", "fable", "sable", "table")),
    "many words": Stage,
    "many words, seed 2": lambda: Stage(seed=2),
    "belief": lambda: Stage(WORDS, "belief"),
    "belief, seed 40": lambda: Stage(WORDS, "belief", seed=40),
    "alphabet": lambda: Stage(ALPHABET),
    "alphabet words, measured": lambda: Stage(("ocean", "delta", "light", "table", "bread"), certainty=MEASURED),
    "hard": lambda: Stage(level="hard"),
    "easy": lambda: Stage(
        start=Talk(games.start_game(JOTTO, "test", "", 1), settings=Settings(level="easy"), level="easy")
    ),
}
Row = namedtuple("Row", "number start heard state said checks")
Moment = namedtuple("Moment", "start heard back mistake")


def read_table():
    """Return the starting points (name -> Moment), and the rows by section."""
    starts, sections = {}, []
    with io.open(TABLE, encoding="utf-8") as source:
        for number, line in enumerate(source.read().splitlines(), 1):
            if line.startswith("## "):
                sections.append((line[3:], []))
            elif line[:2] in ("= ", "@ "):
                name, way = re.match("(.+?): (.+)", line[2:]).groups()
                way, back, mistake = (way.split(" | ") + [None, None])[:3]
                start, _, meanings = way.partition(" > ")
                starts[name] = Moment(start, meanings, back, mistake or back)
            elif line and line[0] != "#":
                sections[-1][1].append(read_row(number, line))
    return starts, sections


def read_row(number, line):
    columns = line.split(" | ")
    way, _, outcome = columns[0].partition(" ->")
    start, _, meanings = way.partition("> ")
    state, _, said = outcome.strip().partition(":")
    return Row(number, start.strip(), meanings, state, said.strip(), columns[1:])


STARTS, SECTIONS = read_table()
MOMENTS = sorted(name for name, moment in STARTS.items() if moment.back)
#: Questions that interrupt another state; the other moments; and those with a game in progress.
BETWEEN = ("giving up", "paused", "stopping")
IN_FLOW = [moment for moment in MOMENTS if moment not in BETWEEN]


def reach(name):
    if name in STAGES:
        return STAGES[name]()
    return play(reach(STARTS[name].start), STARTS[name].heard)


def play(stage, meanings):
    """Let the player say everything in a column of the table; return the stage, a new one after a restart."""
    for meaning in meanings.split(", ") if meanings else []:
        said, _, times = meaning.partition("*")
        for _ in range(int(times or 1)):
            stage = answer(stage, said)
    return stage


def answer(stage, said):
    """Let the player say one thing as the table writes it."""
    if said == "(restart)":
        return Stage(stage.words, stage.strategy, start=stored(stage.talk))
    if said == "(forgive)":
        stage.talk = stage.talk._replace(misses=0)
        return stage
    if said in ("(silence)", "(missed)"):
        return stage.quiet() if said == "(silence)" else stage.miss()
    if said[0] == "[":
        return stage.score(*map(int, said[1:-1].split())) if " " in said else stage.honestly(said[1:-1])
    if said[0] == '"':
        return stage.spell(said[1:-1])
    if said[0] == "'":
        wanted = conversation.list_awaited_meanings(stage.talk)
        words = hearing.list_sayable_words(wanted, stage.mind, LINES)
        return stage.answer(hearing.understand_phrase(said[1:-1], 0.9, wanted, LINES, words.words if words else ()))
    said = "=" + stage.talk.riddle.secret if said == "=secret" else said
    return stage.unsure(said[:-1]) if said[-1] == "?" and said[1:] else stage.hear(said)


def show_turns(game):
    return ", ".join("%s %d%d" % (turn.guess, turn.feedback[0], turn.feedback[1]) for turn in game.turns) or "-"


def show_noted(what):
    """Return a learned word, the word of a riddle, or the last guess or the outcome of a game."""
    return getattr(what, "secret", None) or getattr(what, "guess", what) or what.outcome


#: What a check looks at; every other name is a field of the talk.
CHECKS = {
    "turns": lambda stage: show_turns(stage.game),
    "guess": lambda stage: stage.game.guess,
    "outcome": lambda stage: stage.game.outcome,
    "attempts": lambda stage: stage.game.attempts,
    "seed": lambda stage: stage.game.seed,
    "guesses": lambda stage: show_turns(stage.talk.riddle.game),
    "secret": lambda stage: stage.talk.riddle and stage.talk.riddle.secret,
    "riddle outcome": lambda stage: stage.talk.riddle.game.outcome,
    "hints": lambda stage: stage.talk.riddle.hints,
    "doubt": lambda stage: stage.talk.doubt and stage.talk.doubt.meaning,
    "noted": lambda stage: ", ".join("%s %s" % (kind, show_noted(what)) for kind, what in stage.noted),
    "cleared": lambda stage: ", ".join("%d" % turn for turn in stage.talk.cleared),
    "corrected": lambda stage: ", ".join("%d" % turn for turn in stage.talk.corrected),
}


#: All names of checks, the longest first.
NAMES = sorted(set(CHECKS).union(Talk._fields, ["subject"]), key=lambda name: (-len(name), name))


@pytest.mark.parametrize("title", [title for title, _ in SECTIONS])
def test_the_table_of_talks(title):
    def check(stage, wanted):
        """Return None, or what a check found instead of what is wanted."""
        if wanted.startswith(("text ", "silent about ")):
            is_there = (wanted[5:] if wanted[0] == "t" else wanted[13:]) in stage.text
            return None if is_there == (wanted[0] == "t") else stage.text
        if wanted.startswith(("wants ", "lacks ")):
            listened_for = list_listened_for(stage)
            return None if (wanted[6:] in listened_for) == (wanted[0] == "w") else sorted(listened_for)
        if wanted.startswith("knows "):
            return None if stage.mind.knows(wanted[6:]) else "a list without it"
        name = next(name for name in NAMES if wanted.startswith(name + " "))
        found = CHECKS[name](stage) if name in CHECKS else getattr(stage.talk, name)
        shown = "none" if found is None else "%s" % (found,) or "-"
        return None if shown == wanted[len(name) + 1 :] else shown

    stage = None
    for row in dict(SECTIONS)[title]:
        stage = play(reach(row.start) if row.start else stage, row.heard)
        place = "line %d of talks.txt" % row.number
        assert row.state in ("", stage.state), place
        lines = re.escape(row.said).replace(re.escape("...; "), "(.*; )?").replace(re.escape("; ..."), "(; .*)?")
        assert row.said in ("", "...") or re.match(lines + "$", "; ".join(stage.said)), (place, stage.said)
        for wanted in row.checks:
            found = check(stage, wanted)
            assert found is None, (place, wanted, found)


def question(stage):
    spelling = stage.state == "your guess" and stage.talk.spelled
    return "spell on" if spelling else stage.talk.place.question + ", shortly"


def has_game(moment):
    return conversation.has_unfinished_game(reach(moment).talk)


def test_going_back_and_looking_for_a_mistake_lead_where_the_table_says():
    for moment in MOMENTS:
        assert reach(moment).state == moment.partition(",")[0]
        for command, wanted in (("back", STARTS[moment].back), ("mistake", STARTS[moment].mistake)):
            stage = reach(moment).hear(command)
            assert "%s: %s" % (stage.state, "; ".join(stage.said)) == wanted, (moment, command)


def test_giving_up_is_confirmed_if_there_is_a_game():
    playing = ("word", "both", "exact", "misplaced", "doubtful", "your guess", "your word?")
    refusals = {"again": "it is over; ", "unfinished": "leave that game; "}
    for moment in MOMENTS:
        stage = reach(moment).hear("give up")
        now = stage.state, "; ".join(stage.said)
        if moment == "giving up":
            assert now == ("tell", "given up; tell me")
        elif moment.startswith(playing) or moment in ("stopping", "paused"):
            assert now == ("giving up", "give up"), moment
        elif moment.startswith(("tell", "spell")):
            assert now == ("again", "leave it; play again"), moment
        else:
            assert now[0] == moment.partition(",")[0], moment
            assert now[1].startswith(refusals.get(now[0], "nothing to give up; ")), moment


def test_commands_that_change_nothing_are_answered_in_other_words():
    for moment in MOMENTS:
        for command in ("back", "mistake", "give up", "wait", "left"):
            stage, texts = reach(moment), []
            before = stage.state
            while stage.hear(command).state == before and len(texts) < 9:
                texts.append(stage.text)
            assert len(texts) < 9 or len(set(texts)) > 1, (moment, command)


def test_stop_is_confirmed_once_if_there_is_a_game():
    for moment in MOMENTS:
        is_playing = moment in BETWEEN or has_game(moment)
        stage = reach(moment).hear("stop")
        if moment in ("stopping", "paused"):
            wanted = "gone", ["goodbye, saved"]
        else:
            wanted = ("stopping", ["stop"]) if is_playing else ("gone", ["goodbye"])
        assert (stage.state, stage.said) == wanted, moment
        if is_playing and moment not in BETWEEN:
            before = reach(moment)
            for no in ("no", "go on"):
                stage = reach(moment).hear("stop", no)
                assert stage.said == ["go on", question(before)], moment
                assert stage.talk._replace(beat=0, last=()) == before.talk._replace(beat=0, last=()), moment


def test_unclear_commands_are_not_confirmed_and_believed_the_second_time():
    for moment in IN_FLOW:
        stage = reach(moment).unsure("stop")
        assert (stage.said == ["stop"]) == has_game(moment), moment
        assert stage.state == "stopping" or stage.said[0] == "sorry"
        stage = reach(moment)
        before = stage.state
        assert stage.unsure("score").said[0] == "sorry" and stage.talk.doubt is None
        assert stage.state in (before, "exact")
        assert stage.unsure("left").said[0] == "sorry again"
        assert "sorry" not in stage.unsure("left").said[0] and stage.talk.misses == 0


def test_help_explains_and_asks_again():
    for moment in MOMENTS:
        stage = reach(moment)
        wanted = ["help, " + stage.state] + ["check, ready"] * (stage.state == "ready") + [question(stage)]
        if moment in BETWEEN:
            wanted = [stage.talk.place.question + ", example"]
        assert stage.hear("help").said == wanted and stage.state == moment.partition(",")[0], moment


def test_repeat_says_the_same_again():
    for moment in MOMENTS:
        stage = reach(moment)
        said, text = stage.said, stage.text
        # NAO also spells a guess slowly.
        slowly = ["slowly"] if stage.state == "word" else []
        for _ in range(2):
            stage.hear("repeat")
            if moment not in ("spell, later", "your guess, spelling"):
                assert stage.said == said + slowly and stage.text.startswith(text), moment


def test_repeat_and_go_on_after_wait_ask_the_question():
    for moment in MOMENTS:
        stage = reach(moment).hear("wait")
        assert stage.said == ["take your time"]
        before = stage.talk
        stage.hear("repeat")
        assert stage.said[0] in (question(stage), stage.talk.place.question), moment
        # At other moments "go on" is an answer.
        if moment in IN_FLOW and not moment.startswith("ready"):
            stage = reach(moment).hear("wait", "go on")
            assert (stage.said, stage.state, stage.game) == ([question(stage)], before.state, before.game), moment
            assert "go on" not in conversation.list_awaited_meanings(stage.talk)


def test_questions_about_the_game_change_nothing():
    for moment in MOMENTS:
        before = reach(moment)
        for command in ("score", "left", "rules"):
            stage = reach(moment).hear(command)
            assert (stage.state, stage.game, stage.talk.riddle) == (before.state, before.game, before.talk.riddle)
            if command == "rules":
                assert stage.said[0] == "help, rules", moment
                continue
            assert stage.said[1].startswith((before.talk.place.question, "spell on")), moment
            if command == "score":
                keys = ("your guesses", "no guess yet") if stage.talk.is_about_riddle else ("scores", "no score yet")
                assert stage.said[0] == keys[not stage.talk.played.turns], moment


def test_a_command_settles_a_doubt_except_help_repeat_and_wait():
    for moment in MOMENTS:
        own = sorted(conversation.CONFIRMED_MEANINGS.intersection(reach(moment).talk.place.moves))
        for command in sorted(COMMANDS) if own else []:
            stage = reach(moment).unsure(own[0])
            key = conversation.CONFIRM_MEANING.get(own[0], conversation.CONFIRM_PHRASE)
            assert stage.talk.doubt[0] == own[0] and stage.said == [key], moment
            stage.hear(command)
            if command in conversation.DOUBT_KEEPING_MEANINGS:
                assert stage.talk.doubt[0] == own[0] and stage.said == [key + ", example"], (moment, command)
            else:
                assert stage.talk.doubt is None, (moment, command)


def test_no_question_is_put_three_times_in_the_same_words():
    """Whether the player is silent or not understood."""
    for moment in IN_FLOW:
        for trouble in ("quiet miss quiet miss", "miss quiet miss quiet", "quiet quiet miss", "miss miss miss"):
            stage, said = reach(moment), []
            for each in [None] + trouble.split():
                if each:
                    getattr(stage, each)()
                said.append(LINES.speak(stage.talk.last[-1], stage.game.seed, stage.talk.variety).text)
            assert not any(one == two == three for one, two, three in zip(said, said[1:], said[2:])), said


#: Moments without a game to continue: nothing has been played yet, or all is over.
DONE = ["role", "ready", "ready, race", "your guess", "your guess, race", "tell, given up"] + [
    moment for moment in MOMENTS if moment.startswith("again")
]


def test_silence_ends_every_talk_soon_and_keeps_the_game():
    for moment in MOMENTS:
        stage = reach(moment)
        game, counted = stage.game, 0
        while stage.state != "gone":
            stage.quiet()
            counted += 1
        assert counted <= 4 and stage.game == game, moment
        assert stage.said == ["goodbye" if moment in DONE else "goodbye, saved"], moment


def test_nao_names_the_guess_when_it_asks_for_a_count_again():
    for moment in ("both", "exact", "misplaced", "both, fixing", "exact, fixing", "misplaced, fixing"):
        stage = reach(moment)
        for command in ("help", "score", "left", "wait"):
            stage.hear(command)
            assert command == "wait" or stage.talk.subject in stage.text.rpartition(".")[2], moment


def test_an_interrupted_game_is_resumed_at_every_moment():
    for moment in MOMENTS:
        for is_unclear in (False, True) if moment not in DONE else ():
            left = reach(moment)
            if is_unclear:
                left.unsure(sorted(left.talk.place.moves)[0])
            stage = Stage(FEW, start=stored(left.talk))
            assert (stage.state, stage.said) == ("unfinished", ["hello", "go on with our game"]), moment
            stage.hear("yes")
            assert stage.game.turns == left.game.turns and stage.talk.riddle == left.talk.riddle, moment
            if left.talk.is_about_riddle:
                assert stage.state == "your guess" and stage.talk.spelled == "", moment
                assert stage.said[0] == ("your guesses" if left.talk.riddle.game.turns else "your guess, shortly")
                continue
            assert stage.state == ("doubtful" if left.game.guess is None else "word"), moment
            assert stage.talk.exact is None and stage.talk.spelled in ("", left.talk.spelled)
            turns = stage.said if left.talk.riddle is None else stage.said[1:]
            assert turns[0] == ("where we were" if left.game.turns else "is it, shortly")


def test_an_answer_while_nao_asks_nothing_changes_nothing():
    answers = [heard(meaning) for meaning in ("yes", "3", "stop")] + [heard("yes", hearing.UNSURE)]
    stage = reach("second guess")
    for state in sorted(name for name in STATES if not STATES[name].listens):
        now = stage.talk._replace(state=state)
        for late in answers + [hearing.NOTHING_HEARD, hearing.SILENCE_HEARD]:
            assert conversation.step_talk(now, stage.mind, late) == now, state


def test_an_honest_player_is_understood_to_the_end():
    for secret in WORDS[::23]:
        for strategy in ("consistent", "entropy"):
            stage = Stage(strategy=strategy).hear("ready")
            for _ in range(15):
                if stage.game.guess != secret:
                    stage.honestly(secret)
            stage.hear("yes")
            assert stage.said[0] == "wonderful" and "%d guesses" % stage.game.attempts in stage.text
            assert stage.noted == [] and stage.hear("no").said == ["goodbye"] and stage.state == "gone"
            assert [(kind, game.guess) for kind, game in stage.noted] == [("finished", secret)]


def test_nao_reads_the_last_five_scores():
    stage = Stage().hear("ready")
    for _ in range(6):
        if stage.state == "word":
            stage.score(0, 1)
    while stage.state == "doubtful":
        stage.hear("no", "0", "0")
    stage.hear("score")
    assert stage.text.count(" gets zero and ") == min(5, len(stage.game.turns))


def test_a_pair_is_understood_wherever_a_score_is_expected():
    for pair in PAIRS:
        score = tuple(map(int, pair.split()))
        for state, meanings in (("word", "ready"), ("both", "ready, no"), ("exact", "ready, no, 1, back")):
            stage = play(reach("few"), meanings).hear(pair)
            if score in JOTTO.list_feedback():
                assert stage.game.turns == (("mouse", score),), (pair, state)
            elif state == "word":
                assert stage.said == ["sorry", "is it, shortly"], pair
            else:
                assert stage.said[0] in ("four and one", "too many") and stage.state == "exact", pair


def test_an_unclear_pair_is_said_back_plainly():
    for pair in PAIRS:
        names = [LINES.say_number(int(number)) for number in pair.split()]
        for phrase in (" ".join(names), " and ".join(names), "%s in place %s elsewhere" % tuple(names)):
            for confidence, certainty in ((0.9, hearing.SURE), (0.4, hearing.UNSURE)):
                found = hearing.understand_phrase(phrase, confidence, list_meanings("both"), LINES)
                assert found == hearing.Hearing(certainty, pair, " and ".join(names))


def test_nao_asks_for_scores_as_the_player_gives_them():
    """A question mark is an answer that NAO does not understand; a comma parts two answers."""
    for answers, question_key in (
        ("", "both numbers"),
        ("0 1", "both numbers"),
        ("0 1; 0 1", "two numbers"),
        ("0 1; none", "two numbers"),
        ("0 1; 0 1; 0 1", "two numbers"),
        ("?", "in place, shortly"),
        ("?; 0, 1", "both numbers"),
        ("?; 0, 1; 0, 1", "in place"),
        ("?; 0 1", "both numbers"),
        ("0, 1", "both numbers"),
        ("0, 1; 0, 1", "in place"),
        ("0, 1; 0, 1; 0, 1", "in place"),
        ("0, 1; 0, 1; 0 1", "both numbers"),
        ("0 1; 0 1; 0, 1", "both numbers"),
        ("0 1; 0 1; ?", "in place, shortly"),
        ("0 1; 3 3", "in place"),
    ):
        stage = Stage(WORDS).hear("ready")
        for said in answers.split("; ") if answers else []:
            if stage.state == "word":
                stage.hear("no")
            stage = stage.miss() if said == "?" else play(stage, said)
        if stage.state == "word":
            stage.hear("no")
        assert stage.said[-1] == question_key, answers
