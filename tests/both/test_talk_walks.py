"""Exhaustive walks through the conversation: the stage objects to anything a player would notice on the way."""

from __future__ import absolute_import, division, print_function, unicode_literals

import string
from collections import deque

import pytest
from hypothesis import given, strategies as st
from talk_stage import FEW, LINES, Stage, flow, heard, mind_of

from jotto import game
from jotto.strategies import STRATEGIES
from jotto.words import BlockList, hash_blocked_word
from jotto_behaviour import conversation, hearing
from jotto_behaviour.lines import Line
from jotto_behaviour.riddle import ROLES
from jotto_behaviour.settings import Settings
from jotto_behaviour.states import (
    ANY_WORD,
    COMMANDS,
    EVERY_LETTER,
    EXITS,
    LANGUAGES,
    LETTER_OR_WORD,
    LETTERS,
    NUMBERS,
    ONE_BY_ONE,
    PAIRS,
    SAID_WORDS,
    SAME_STATE,
    STATES,
)

#: What English has a phrase for, letters of other languages have none; all languages are alike, and few ask for one.
MEANINGS = {
    meaning
    for meaning in set(COMMANDS).union(*[state.moves for state in STATES.values()]) - set(LANGUAGES)
    if meaning in SAID_WORDS or (meaning and LINES.list_phrases([meaning]))
}
RUDE = BlockList(frozenset([hash_blocked_word("dwarf")]))


def kind_of(now):
    """Return the key by which the walk treats two moments as the same."""
    game, riddle = now.game, now.riddle
    role = (
        now.race,
        riddle is not None
        and (
            riddle.game.outcome,
            min(len(riddle.game.turns), 2),
            riddle.hints > 0,
            len(riddle.game.turns) > len(game.turns),
        ),
    )
    if now.beneath is not None:
        return now.state, now.beneath, now.doubt is None, now.fixing is None, now.race, now.is_about_riddle
    # What the player has denied is asked back, each in its way.
    surprise = now.doubt is not None and now.place.is_denied and now.doubt.meaning in now.place.word_found
    doubt = now.doubt.meaning if surprise else now.doubt is None
    missed = now.silences + now.misses
    where = (now.state, doubt, min(len(game.turns), 2), game.outcome, game.guess is None, missed, now.race)
    if missed > 1 or now.doubt is not None:
        # Whatever was answered before, the same is asked once more; the first silence shows what it leads to.
        return where
    return where + (
        now.fixing is None,
        now.exact == 4,
        now.exact is None,
        bool(now.cleared),
        len(now.spelled),
        bool(now.left),
        role,
    )


def what_may_be_heard(now):
    """List inputs: silence always, a miss only after no silence; every meaning at first, later the state's own."""
    yield hearing.SILENCE_HEARD
    if not now.silences:
        yield hearing.NOTHING_HEARD
    for meaning in spoken(now):
        wanted = meaning in ("0", "1", "4", "5") if meaning in NUMBERS else True
        if meaning in PAIRS:
            wanted = meaning in ("0 0", "1 0", "4 0", "4 1")
        elif meaning in LETTERS:
            wanted = meaning == next_letter(now)
        elif meaning in COMMANDS:
            wanted = not now.silences + now.misses and not 1 < len(now.spelled) < 5
        if meaning == ANY_WORD:
            for word in (now.riddle.secret, "zebra", "light"):
                yield heard("=" + word)
        elif meaning == LETTER_OR_WORD:
            for word in name_letters(now):
                yield heard("?" + word)
        elif wanted:
            yield heard(meaning)
    own = sorted(now.place.moves)[0]
    if now.doubt is None and own not in LETTERS and not now.misses:
        yield heard(own, hearing.UNSURE)


def next_letter(now):
    """Return the next letter of a word of the list that begins with the letters spelled."""
    word = next((each for each in FEW if each.startswith(now.spelled)), "ocean")
    return word[len(now.spelled) % 5]


def name_letters(now):
    """List alphabet words that are words, too; while spelling, for a letter that leads to a word of the list."""
    if not now.spelled:
        return "zebra", "light"
    return (now.spelled, now.spelled[1] + "ight") if now.state == "word or letter?" else (next_letter(now) + "ight",)


#: Strategies that stop where nothing fits, and that play on.
WALKED_STRATEGIES = ("consistent", "belief")


def beginnings(strategy):
    """Make a new game, and games left at three places."""
    played = Stage(FEW, strategy)
    yield played.talk
    for answers in (("ready",), ("no", "0", "0"), ("no", "4", "0")):
        played.hear(*answers)
        yield Stage(FEW, strategy, start=played.talk).talk
    if strategy == WALKED_STRATEGIES[0]:
        yield Stage(FEW, strategy, start=Stage(FEW, strategy).hear("I guess", "=light").talk).talk
        raced = Stage(FEW, strategy).hear("race", "ready", "=light")
        yield Stage(FEW, strategy, start=raced.talk).talk
        yield Stage(FEW, strategy, start=raced.hear("no", "4", "0").talk).talk


@pytest.fixture(scope="module")
def walk():
    """Walk through every kind of moment; takes seconds, and is what proves the table of states complete."""
    stage = Stage(FEW)
    # So many moments that a part of them tells whether each can be kept.
    stage.reads_back = 50
    for strategy in WALKED_STRATEGIES:
        stage.strategy = strategy
        walked(stage)
    for other in sidesteps():
        stage.exits += other.exits
        stage.moved += other.moved
        stage.worded |= other.worded
    return stage


def sidesteps():
    """List steps that take settings, or more than the walk's few turns."""
    for role in ROLES:
        yield Stage(FEW, role=role)
        left = Stage(FEW).hear("ready").talk
        yield Stage(FEW, start=left._replace(settings=Settings(role=role))).hear("no")
        over = Stage(FEW).hear("ready", "yes")
        over.talk = over.talk._replace(settings=Settings(role=role))
        yield over.hear(LANGUAGES[-1], "yes")
    for answers in (("ready", "no", "3 3"), ("ready", "no", "2", "5")):
        yield Stage(FEW).hear(*answers)
    # The note says that these counts are wrong: MOUSE is asked first.
    sealed_answers = ("4 0", "no|4 0", "no|4", "no|1|1", "no|0|none", "no|none", "none")
    for answers in sealed_answers + ("no|1|back|4", "no|1|back|4 0", "4 0|4 0|2 0"):
        sealed = Stage(FEW).hear("you guess", "check", "back one", "t", "back one", *"table")
        yield sealed.hear(*answers.split("|"))
    yield Stage(FEW).hear("you guess", "check", "t", "back", "check", "t", "cancel", "check", "mistake")
    yield Stage(FEW).hear("you guess", "check", *"eerie").hear("stop")
    for answers in ((), ("you guess",), ("ready", "yes")):
        yield Stage(FEW).hear(*answers + (LANGUAGES[-1], "yes"))
    yield Stage(FEW, seed=2).hear("I guess", "=light")
    yield Stage(FEW).hear(*["I guess"] + ["hint"] * 11 + ["=ocean", "know", "=table"])
    for spelled in ("light", "hello", "dwarf"):
        yield Stage(FEW).hear("I guess").spell(spelled).hear("yes")
    yield Stage(FEW, blocked=RUDE).hear("I guess").spell("dwarf")
    # Canoe has the letters of ocean.
    yield Stage(FEW[:2], seed=2).hear("ready", "0 5", "no", "none")
    yield Stage(FEW).hear("ready", "3 3")


def one_by_one(stage, now):
    """Take one step from a moment with a player who gives one number at a time."""
    if now.state == "gone" or now.doubt is not None or now.silences + now.misses:
        return
    for meaning in conversation.list_awaited_meanings(now):
        if meaning in ("no", "back", "mistake", "0"):  # What may lead to a question about a score.
            stage.talk, stage.here, stage.words = now._replace(pace=ONE_BY_ONE), now.box, FEW
            stage.mind = mind_of(FEW, stage.strategy)
            stage.answer(heard(meaning))


def walked(stage):
    waiting = deque(beginnings(stage.strategy))
    known = set(map(kind_of, waiting))
    while waiting:
        now = waiting.popleft()
        one_by_one(stage, now)
        if now.state == "gone" or len(now.played.turns) > 2:
            continue
        for heard_now in what_may_be_heard(now):
            if stage.strategy != WALKED_STRATEGIES[0] and heard_now.meaning in ("I guess", "race", "other role"):
                # The player's guesses are the same with every strategy of NAO's.
                continue
            stage.talk, stage.here, stage.words = now, now.box, FEW
            stage.mind = mind_of(FEW, stage.strategy)
            stage.answer(heard_now)
            if kind_of(stage.talk) not in known:
                known.add(kind_of(stage.talk))
                waiting.append(stage.talk)


def test_every_state_is_met(walk):
    assert {state for state, _, _ in walk.moved} | {"gone"} == set(STATES)


def test_every_way_of_the_diagram_is_taken_and_no_other(walk):
    # Edges of the diagram that no conversation takes; the moves keep them for notes changed from outside meanwhile.
    never_taken = {("Ready?", "Sort it out"), ("Sort it out", "Say the word")}
    assert set(walk.exits) == set(EXITS) - never_taken


def test_every_declared_end_of_a_move_is_met(walk):
    # Moves never seen to end there, for the same reason, or because a hundred guesses and measured confidences are not
    # walked.
    never_ends = (
        {("doubtful", "yes", "guess"), ("your word?", "yes", "again"), ("word or letter?", "yes", "again")}
        | {("your guess", LETTER_OR_WORD, "judged")}
        | {(state, meaning, "again") for state in ("your guess", "word or letter?") for meaning in SAID_WORDS}
    )
    met = set(walk.moved) | {(state, meaning, state) for state, meaning, to in walk.moved if to == SAME_STATE}
    missing = {
        (state.name, meaning, to)
        for state in STATES.values()
        for meaning, move in state.moves.items()
        for to in move.to
        if meaning not in NUMBERS + EVERY_LETTER + PAIRS + LANGUAGES[:-1]
    } - met
    assert missing == never_ends


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_ends_where_it_is_declared_to(walk, command):
    met = {to for state, meaning, to in walk.moved if meaning == command and command not in STATES[state].moves}
    assert met == set(COMMANDS[command].to)


@pytest.mark.parametrize("command", ["back", "mistake"])
def test_the_ways_back_end_where_the_table_declares_them_to(walk, command):
    # Ways back never taken: the walk chooses the role by voice, so there is always a way back to that question; and it
    # looks at one pause over each state.
    never_back = {("ready", SAME_STATE), ("paused", "doubtful")}
    met = {(state, to) for state, meaning, to in walk.moved if meaning == command}
    declared = {(state.name, to) for state in STATES.values() if state.listens for to in getattr(state, command).to}
    assert met <= declared and declared - met <= never_back


def test_every_wording_has_its_words(walk):
    for key, words in sorted(walk.worded):
        for wording in LINES.list_wordings(key):
            wanted = {field[:1].lower() + field[1:] for _, field, _, _ in string.Formatter().parse(wording) if field}
            # How a guess sounds is known wherever there is one.
            wanted = {"guess" if field == "sounding" else field for field in wanted}
            assert wanted <= set(words), (key, wording)


def test_every_line_is_said_somewhere(walk):
    """Left out are lines only the adapters say, what other lines are made of, and what takes another list."""
    of_adapters = ["cannot hear", "cannot go on", "cannot go on, unsaved", "goodbye, unsaved", "goodbye, partly saved"]
    of_adapters += ["pause, unsaved", "newer notes", "damaged notes", "other list", "no such list"]
    of_adapters += ["no such strategy", "no such language", "turn"]
    of_stories = ["so many guesses", "not that word", "repeated letter", "is it, last", "fits but unknown", "learned"]
    of_stories += ["one word left", "your guess, letters", "sorry again", "hint offered", "your score, four"]
    of_stories += [key + part for key in conversation.CONFIRM_MEANING.values() for part in ("", ", example")]
    of_stories += ["touch instead, " + state.touch for state in STATES.values() if state.touch]
    assert set(LINES.list_keys()) - {key for key, _ in walk.worded} <= set(of_adapters + of_stories)


def test_start_game_offers_every_strategy():
    start = next(box for box in flow()["boxes"] if box["name"] == "Start game")
    offered = next(parameter for parameter in start["parameters"] if parameter["name"] == "Strategy")
    assert sorted(offered["choices"]) == sorted(STRATEGIES)


def test_flow_and_exits_are_one_to_one():
    boxes = {box["name"]: {port["name"] for port in box["outputs"]} for box in flow()["boxes"]}
    drawn = {(start, end) for start, end in flow()["links"]}
    wanted = {("%s.%s" % (box, output), "%s.onStart" % to) for (box, to), output in EXITS.items()}
    own = {link for link in drawn if link[1] == "root.onStopped" or link[0] == "root.onStart"}
    assert drawn - own == wanted
    for name, outputs in boxes.items():
        assert outputs - {"onStopped", "broken"} == {output for (box, _), output in EXITS.items() if box == name}
    assert {state.box for state in STATES.values() if state.box} | {"Start game"} == set(boxes)
    # Two boxes behind one output of a box would both start.
    ways = [(box, output) for (box, _), output in EXITS.items()]
    assert len(ways) == len(set(ways))


ANYTHING = st.sampled_from(sorted(MEANINGS - set(SAID_WORDS) | {"=zebra", "=light", "?zebra", "?light"}))


def fitting(now, choice):
    """Choose one of the meanings listened for by a number: most random meanings are none of them."""
    if not isinstance(choice, int):
        return choice
    meanings = spoken(now)
    meaning = meanings[choice % len(meanings)]
    return heard(
        {ANY_WORD: "=", LETTER_OR_WORD: "?"}[meaning] + FEW[choice % len(FEW)] if meaning in SAID_WORDS else meaning
    )


def spoken(now):
    """List the meanings listened for that English has a phrase for."""
    return [meaning for meaning in conversation.list_awaited_meanings(now) if meaning in MEANINGS]


OTHER = st.sampled_from([hearing.SILENCE_HEARD, hearing.NOTHING_HEARD, hearing.make_sure("no such meaning")])
CHOICES = [st.builds(heard, ANYTHING), st.builds(heard, ANYTHING, st.just(hearing.UNSURE)), OTHER]


@given(
    choices=st.lists(st.one_of(*CHOICES + [st.integers(0, 40)] * 3), max_size=40),
    seed=st.integers(0, 2**63),
    strategy=st.sampled_from(WALKED_STRATEGIES),
)
def test_the_conversation_goes_on_after_any_hearing(choices, seed, strategy):
    def left_alone(stage):
        """Check that silence alone ends every conversation soon."""
        for _ in range(4):
            if stage.state != "gone":
                stage.quiet()
        assert stage.state == "gone"

    def guesses_are_counted_once(before, after):
        """Check that a guess of the player's counts once and is the last one; taking back takes the last one."""
        if before is None or after is None or after.game.seed != before.game.seed:
            return True
        old, new = before.game, after.game
        if after.is_solved:
            return new.turns == old.turns and new.attempts - old.attempts in (0, 1)
        shorter, longer = sorted([old.turns, new.turns], key=len)
        return len(longer) - len(shorter) <= 1 and longer[: len(shorter)] == shorter

    def turns_are_kept(before, after):
        """Check that no turn is lost, except by taking it back, by finding the word in it, or by starting anew."""
        old, new = before.turns, after.turns
        if new[: len(old)] == old or (after.seed != before.seed and not new):
            return True
        if after.outcome == game.SOLVED:
            return new == old[: len(new)] and after.guess == old[len(new)].guess
        amended = [turn.guess for turn in new] == [turn.guess for turn in old]
        return amended or (new == old[:-1] and after.guess == old[-1].guess)

    stage = Stage(FEW, strategy, seed=seed)
    for choice in choices:
        before = stage.talk
        if before.state == "gone":
            break
        stage.answer(fitting(before, choice))
        assert turns_are_kept(before.game, stage.game)
        assert guesses_are_counted_once(before.riddle, stage.talk.riddle)
        assert stage.state == "gone" or conversation.list_awaited_meanings(stage.talk)
    left_alone(stage)


@given(choices=st.lists(st.integers(0, 40), max_size=25), unsure=st.integers(0, 40))
def test_an_unsure_hearing_found_right_is_as_good_as_a_sure_one(choices, unsure):
    def without_beats(now):
        """Leave out how many answers there were, which wordings may go round with."""
        return now._replace(beat=0, says=tuple(Line(key, dict(words, beat=0)) for key, words in now.says))

    stage = Stage(FEW)
    for choice in choices:
        if stage.state != "gone":
            stage.answer(fitting(stage.talk, choice))
    if stage.state == "gone" or stage.talk.doubt is not None:
        return
    meanings = spoken(stage.talk)
    meaning = meanings[unsure % len(meanings)].replace(ANY_WORD, "=light").replace(LETTER_OR_WORD, "?light")
    before = stage.talk
    if meaning in PAIRS and tuple(map(int, meaning.split())) not in before.game.rules.list_feedback():
        return  # An unsure score that no word has is NAO's mishearing; the sure one is the player's slip.
    at_once = conversation.step_talk(before, stage.mind, heard(meaning))
    asked = conversation.step_talk(before, stage.mind, heard(meaning, hearing.UNSURE))
    # What is hard to believe is asked back however surely it was heard.
    if asked.doubts_wish:
        asked = asked._replace(unsure="")  # A wish to end is asked about either way; NAO remembers that it was unsure.
    elif asked.unsure:
        asked = conversation.step_talk(asked, stage.mind, heard(meaning, hearing.UNSURE))
    asked, at_once = (
        conversation.step_talk(each, stage.mind, heard("yes")) if each.doubt is not None else each
        for each in (asked, at_once)
    )
    assert without_beats(asked) == without_beats(at_once)


@given(
    events=st.lists(st.sampled_from([hearing.NOTHING_HEARD, hearing.SILENCE_HEARD]), min_size=60, max_size=60)
    | st.sampled_from([hearing.NOTHING_HEARD, heard("0", hearing.UNSURE), heard("no", hearing.UNSURE)]).map(
        lambda heard_now: [heard_now] * 60
    ),
    answers=st.integers(0, 6),
)
def test_noise_and_silence_in_any_order_end_every_conversation(events, answers):
    stage = Stage(FEW).hear(*("ready", "no", "0", "0", "no", "0")[:answers])
    for event in events:
        if stage.state != "gone":
            stage.answer(event)
    assert stage.state == "gone"
