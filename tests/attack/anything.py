"""Anything heard or felt at any moment of the conversation: no exception, and a polite person still gets out of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from talk_stage import LINES, Stage, heard

from attack.outcome import Attack, Outcome
from jotto.rules import JOTTO
from jotto_behaviour import conversation, hearing, robot
from jotto_behaviour.hearing import Hearing
from jotto_behaviour.robot import FRONT_KEY, REAR_KEY
from jotto_behaviour.settings import LEVELS
from jotto_behaviour.states import STATES

WORDS = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "hotel")
STRATEGIES = ("belief", "consistent", "entropy")
#: What to say from the start on to come to each state; a dot is silence.
WAYS = {
    "role": (),
    "ready": ("you guess",),
    "sealed note": ("you guess", "check"),
    "word": ("ready",),
    "both": ("ready", "no"),
    "exact": ("ready", "no", "1", "back"),
    "misplaced": ("ready", "no", "0"),
    "doubtful": ("ready", "no", "0 0", "no", "0 1", "mistake"),
    "tell": ("ready", "give up", "yes"),
    "spell": ("ready", "give up", "yes", "yes"),
    "spelled": ("ready", "give up", "yes", "yes", *"cloud"),
    "your guess": ("I guess",),
    "word or letter?": ("I guess", "?hotel"),
    "your word?": ("I guess", *"blind"),
    "again": ("ready", "yes"),
    "stopping": ("ready", "stop"),
    "giving up": ("ready", "give up"),
    "paused": ("ready", ".", ".", "."),
    "unfinished": ("ready", "no", "1 0"),
}
RACES = ("race", "ready", "=table")
#: Events at a moment, and answers a polite person needs at most to stop and to play to the end.
MOST_EVENTS, MOST_TO_STOP, MOST_TO_FINISH = 12, 6, 300
#: How a polite person answers what is about neither NAO's guess nor its score.
POLITE = {
    "unfinished": "yes",
    "role": "you guess",
    "ready": "ready",
    "tell": "no",
    "spell": "cancel",
    "spelled": "no",
    "sealed note": "cancel",
    "word or letter?": "cancel",
    "your word?": "cancel",
    "again": "no",
    "stopping": "no",
    "giving up": "no",
    "paused": "go on",
}


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Begin at each state in turn, let anything happen, and see that the conversation ends as a person wishes."""
    outcome, met = Outcome(), set()
    for number in range(how_many):
        chance, events = random.Random(seed * 10**6 + number), []
        start = list(WAYS)[number % len(WAYS)]
        broke = ""
        try:
            stage = beginning(start, chance)
            for _ in range(chance.randrange(1, MOST_EVENTS)):
                if stage.state != "gone":
                    event = any_hearing(stage, chance)
                    events.append(event.phrase or event.certainty)
                    met.add(stage.state)
                    stage.answer(event)
            broke = ends(stage, chance)
        except Exception as error:
            broke = f"{type(error).__name__}: {error}"
        outcome.check(not broke, f"From '{start}', round {number}, after {events}: {broke}")
    listening = {name for name, state in STATES.items() if state.listens}
    if how_many >= len(WAYS):
        outcome.check(met == listening, f"The states {sorted(listening - met)} were never met.")
    outcome.figure = f"{len(met)} of {len(listening)} states met"
    return outcome


def beginning(state: str, chance: random.Random) -> Stage:
    """Come to a state, in a game of any level and any strategy; now and then in a race."""
    stage = Stage(WORDS, chance.choice(STRATEGIES), seed=chance.randrange(1, 10**6), level=chance.choice(LEVELS))
    way = WAYS[state] if state in ("role", "ready") or chance.random() < 0.7 else (*RACES, *WAYS[state])
    for said in way:
        if stage.state == "gone":
            break
        stage.quiet() if said == "." else stage.hear(said)
    # NAO takes up what is not over.
    taken_up = state == "unfinished" and conversation.has_unfinished_game(stage.talk)
    return Stage(WORDS, stage.strategy, start=stage.talk) if taken_up else stage


def any_hearing(stage: Stage, chance: random.Random) -> Hearing:
    """Return silence, noise, a touch, or a phrase of the vocabulary, most often of what NAO listens for."""
    kind = chance.random()
    if kind < 0.2:
        return hearing.SILENCE_HEARD if kind < 0.1 else hearing.NOTHING_HEARD
    if kind < 0.35:
        spot = chance.choice([FRONT_KEY, REAR_KEY, "MiddleTactilTouched"])
        return robot.read_touch(spot, conversation.get_touch_kind(stage.talk), chance.randrange(30), LINES)
    wanted = conversation.list_awaited_meanings(stage.talk)
    everything = [meaning for state in STATES.values() for meaning in state.moves if meaning]
    phrases = LINES.phrases(wanted if kind < 0.85 else everything) + list(WORDS)
    known = hearing.list_sayable_words(wanted, stage.mind, LINES)
    return hearing.understand_phrase(
        chance.choice(phrases), chance.random(), wanted, LINES, known.words if known else ()
    )


def ends(stage: Stage, chance: random.Random) -> str:
    """Say where a polite person does not get out of the conversation, by stopping it or by playing to the end."""
    answer, most, wish = (
        (stop, MOST_TO_STOP, "stop")
        if chance.random() < 0.3
        else (finishing(chance.choice(WORDS)), MOST_TO_FINISH, "finish")
    )
    said = ""
    for _ in range(most):
        if stage.state == "gone":
            return ""
        doubt = stage.talk.doubt
        # Asked back, the person says whether they have said that.
        said = answer(stage) if doubt is None else "yes" if doubt.meaning == said else "no"
        stage.answer(heard(said))
    return "" if stage.state == "gone" else f"{most} answers of a person who wants to {wish} lead to '{stage.state}'."


def stop(stage: Stage) -> str:
    """Ask to stop, and confirm it."""
    return "yes" if stage.state == "stopping" else "stop"


def finishing(secret: str) -> Callable[[Stage], str]:
    """Return the answers of a person who thinks of a word and plays to the end, also a game that went astray."""

    def answer(stage: Stage) -> str:
        state, guess = stage.state, stage.talk.subject
        if state == "your guess":
            return f"={stage.talk.riddle.secret}"
        if state in POLITE:
            return POLITE[state]
        if state == "word":
            return "yes" if guess == secret else "no"
        exact, misplaced = JOTTO.score(guess, secret)
        if state == "doubtful":
            return "yes" if stage.game.turns[stage.talk.fixing].feedback == (exact, misplaced) else "no"
        if state == "misplaced":
            return str(misplaced) if stage.talk.exact == exact else "back"
        return "my word" if guess == secret else f"{exact} {misplaced}"

    return answer


ATTACK = Attack(
    "anything",
    "anything heard or felt at every state of the conversation, until a person ends it",
    rounds,
    short=360,
    long=20_000,
)
