"""NAO's process killed in the middle of games, at every state of both roles; then it is started again."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interpreters import ROOT, path27
from story import WAYS, wording
from talk_stage import mind_of

from attack.outcome import Attack, Outcome
from jotto_behaviour import conversation, memory, talk as transitions
from jotto_behaviour.files import FINISHED_FILE
from jotto_behaviour.talk import Talk
from naosim_robots.child import find_python27

SPELLED = ("charlie", "alpha", "november", "oscar", "echo")
#: Whole visits: what the person says, in both roles and in a race, with slips, hints, levels, pauses and steps back.
VISITS = (
    ("easy", "ready", "no", "zero", "one", "yes", "yes", "ready", "no", "one", "one", "stop", "yes"),
    ("ready", "no", "zero", "zero", "yes", "no", "one", "one", "no", "one", "zero", "stop", "no", "", "", "", "go on"),
    ("ready", "give up", "yes", "yes", *SPELLED, "yes", "no"),
    ("ready", "no", "zero", "zero", "yes", "yes", "charlie", "alpha", "uniform", "sierra", "echo", "yes", "no"),
    ("ready", "no", "one", "go back", "two", "one", "I made a mistake", "no", "one", "one", "give up", "yes", "no"),
    (
        "my turn to guess",
        "hotel",
        "yes",
        "bread",
        "hint",
        *SPELLED,
        "yes",
        "go back",
        "steam",
        "give up",
        "yes",
        "my turn to guess",
        "bread",
        "stop",
        "yes",
    ),
    ("hard", "my turn to guess", "ocean", "bread", "steam", "lemon", "heart", "tiger", "clean", "dream", "money", "no"),
    ("race", "ready", "bread", "no", "zero", "one", "steam", "yes", "race", "ready", "lemon", "stop", "yes"),
    ("race", "ready", "ocean", "no", "one", "one", "bread", "no", "one", "one", "steam", "no", "give up", "yes", "no"),
)
#: Visits up to each question of the table of states.
QUESTIONS = tuple(tuple(phrase for phrase in way if phrase != "(again)") for way in WAYS.values())
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
SETTINGS = {"seed": 3}
PYTHONS = [sys.executable, *filter(None, [find_python27(os.environ)])]


class Games:
    """A process that plays games in processes of their own: see `killed_games`."""

    def __init__(self, python: str) -> None:
        self.python = python
        self.process = subprocess.Popen(
            [python, str(ROOT / "tests" / "killed_games.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=path27(),
        )

    def play(self, folder: Path, phrases: Sequence[str], at: int = 0, ended_by: int = 0, full: int = 0) -> Any:
        task = {
            "folder": str(folder),
            "settings": SETTINGS,
            "phrases": phrases,
            "at": at,
            "signal": ended_by,
            "full": full,
        }
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        self.process.communicate(timeout=30)


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Kill visits at a sentence of NAO or at a question, start again, and compare the game."""
    outcome, chance = Outcome(), random.Random(seed)
    games = [Games(python) for python in PYTHONS]
    try:
        points = [
            (visit, at)
            for number, visit in enumerate(chance.sample(VISITS, min(how_many, len(VISITS))))
            for at in range(1, games[0].play(new(folder, f"visit {number}"), visit)["sentences"] + 1)
        ]
        points += [(visit, 0) for visit in QUESTIONS]
        plans = [(visit, at, sign, game) for sign in SIGNALS for game in games for visit, at in points]
        chance.shuffle(plans)
        for number, (visit, at, sign, game) in enumerate(plans[:how_many]):
            fault = kill(game, new(folder, str(number)), visit, at, sign)
            where = f"{sign.name} at sentence {at or 'last'} ({Path(game.python).name})"
            outcome.check(not fault, f"{' '.join(filter(None, visit))}: {where}: {fault}")
    finally:
        for game in games:
            game.close()
    outcome.figure = f"{len(points)} moments x {len(SIGNALS)} signals x {len(PYTHONS)} Pythons"
    return outcome


def new(folder: Path, name: str) -> Path:
    new = folder / name
    new.mkdir()
    return new


def kill(games: Games, folder: Path, visit: Sequence[str], at: int, sign: int) -> str:
    """Kill a visit, then start again; return what is wrong afterwards, "" for nothing."""
    told = games.play(folder, visit, at, sign)
    if not told:
        return "it did not end by the signal"
    if not told["talk"]:
        return ""
    talk = memory.read_talk_text(told["talk"])
    again = games.play(folder, ["yes"])
    later = memory.read_talk_text(again["talk"])
    said = " ".join(again["heard"])
    is_offered = re.search(wording("go on with our game"), said) is not None
    if is_offered != conversation.has_unfinished_game(talk):
        return f"NAO {'offers' if is_offered else 'does not offer'} the game of state {talk.state}: {said}"
    if is_offered and evidence(later) != evidence(talk):
        return f"of {evidence(talk)} NAO remembers {evidence(later)}"
    kept = (folder / FINISHED_FILE).read_text().splitlines() if (folder / FINISHED_FILE).exists() else []
    wanted = [json.dumps(ended(played, talk.level), sort_keys=True) for played in over(talk)]
    if len(kept) != len(set(kept)):
        return f"a game is noted twice: {kept}"
    if [line for line in wanted if line not in kept]:
        return f"a finished game is not noted: {wanted}"
    return ""


def evidence(talk: Talk) -> tuple[Any, ...]:
    """Return what a restart must keep: both players' turns, hints, NAO's word, the level, and whether it is a race."""
    riddle = talk.riddle
    yours = None if riddle is None else (riddle.secret, riddle.hints, riddle.game.turns)
    return talk.game.turns, yours, talk.race, talk.level


def over(talk: Talk) -> list[Any]:
    """List the games that are over at this moment."""
    if not memory.is_unnoted(talk) or conversation.has_unfinished_game(talk):
        return []
    found: list[Any] = transitions.list_ended_games(conversation.think_to_question(talk, mind_of()))
    return found


def ended(played: Any, level: str) -> dict[str, Any]:
    """Return a finished game as it is noted."""
    plain: dict[str, Any] = played.plain()
    return plain if level == "normal" else {**plain, "level": level}


ATTACK = Attack("kills", "NAO killed at every sentence and question, then started again", rounds, short=2, long=300)
