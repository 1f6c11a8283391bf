"""NAO's process killed in games, a disk that fills in a game, and programs that change one file at the same time."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
import shared_files
from interpreters import ROOT, path27
from story import WAYS, wording
from talk_stage import mind_of

from jotto.words import hash_blocked_word
from jotto_behaviour import conversation, memory, talk as transitions
from jotto_behaviour.files import FINISHED_FILE
from naosim_robots.child import find_python27

PYTHON27 = find_python27(os.environ)
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


class Games:
    """A process that plays games in processes of their own: see `killed_games`."""

    def __init__(self, python, folder):
        self._folder, self._count = folder, itertools.count()
        command = [python, str(ROOT / "tests" / "killed_games.py")]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, env=path27(), **pipes)

    def folder(self):
        """Make a new notebook's folder."""
        new = self._folder / str(next(self._count))
        new.mkdir()
        return new

    def play(self, folder, phrases, at=0, ended_by=0, full=0):
        task = {"folder": str(folder), "settings": {"seed": 3}, "phrases": phrases}
        self.process.stdin.write(json.dumps({**task, "at": at, "signal": ended_by, "full": full}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def moments(self, visits):
        """List the sentences of NAO in visits: the visit and the number of the sentence."""
        for visit in visits:
            yield from ((visit, at + 1) for at in range(self.play(self.folder(), visit)["sentences"]))


@pytest.fixture(params=[sys.executable, *filter(None, [PYTHON27])], ids=["3", "2.7"][: 1 + bool(PYTHON27)])
def games(request, tmp_path):
    games = Games(request.param, tmp_path)
    yield games
    games.process.communicate(timeout=30)


def test_a_killed_nao_goes_on_with_the_game(games, form, chance):
    """Kill visits at a sentence of NAO or at a question, start again, and compare the game."""
    signals = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
    # Visits up to each question of the table of states.
    questions = tuple(tuple(phrase for phrase in way if phrase != "(again)") for way in WAYS.values())
    moments = [*games.moments(chance.sample(VISITS, form(1, len(VISITS)))), *((visit, 0) for visit in questions)]
    plans = list(itertools.product(moments, signals))
    for (visit, at), sign in chance.sample(plans, form(1, len(plans))):
        folder = games.folder()
        told = games.play(folder, visit, at, sign)
        assert told, (visit, at, sign)
        if not told["talk"]:
            continue
        talk, again = memory.parse_talk_text(told["talk"]), games.play(folder, ["yes"])
        goes_on = conversation.has_unfinished_game(talk)
        assert is_offered(again) == goes_on, (visit, at, sign, again)
        if goes_on:
            assert evidence(memory.parse_talk_text(again["talk"])) == evidence(talk), (visit, at, sign)
        kept = (folder / FINISHED_FILE).read_text().splitlines() if (folder / FINISHED_FILE).exists() else []
        wanted = [json.dumps(finished(played, talk.level), sort_keys=True) for played in over(talk)]
        assert len(kept) == len(set(kept)) and set(wanted) <= set(kept), (visit, at, sign)


def is_offered(told):
    """Return whether NAO offered to go on with a game."""
    return re.search(wording("go on with our game"), " ".join(told["heard"])) is not None


def evidence(talk):
    """Return what a restart must keep: both players' turns, hints, NAO's word, the level, and whether it is a race."""
    riddle = talk.riddle
    yours = None if riddle is None else (riddle.secret, riddle.hints, riddle.game.turns)
    return talk.game.turns, yours, talk.race, talk.level


def over(talk):
    """List the games that are over at this moment."""
    if not memory.is_unnoted(talk) or conversation.has_unfinished_game(talk):
        return []
    return transitions.list_ended_games(conversation.think_to_question(talk, mind_of()))


def finished(played, level):
    """Return a finished game as it is noted."""
    return played.plain() if level == "normal" else {**played.plain(), "level": level}


def test_what_nao_says_of_saving_on_a_full_disk_is_so(games, form, chance):
    """Let the disk be full from a sentence of NAO on; after "stop", compare what NAO says with the files."""
    moments = list(games.moments(chance.sample(VISITS, form(1, len(VISITS)))))
    for visit, full in chance.sample(moments, form(1, 60)):
        folder = games.folder()
        told = games.play(folder, (*visit, "stop", "yes"), full=full)
        later, talk, said = games.play(folder, ["yes"]), memory.parse_talk_text(told["talk"]), " ".join(told["heard"])
        offers = is_offered(later)
        is_whole = offers and evidence(memory.parse_talk_text(later["talk"])) == evidence(talk)
        true = {
            "saved": is_whole,
            "partly saved": offers and not is_whole,
            "unsaved": not offers,
            "": not conversation.has_unfinished_game(talk) and not offers,
        }
        line = next((key for key in true if key and re.search(wording(f"goodbye, {key}"), said)), "")
        assert true[line], (visit, full, line, later)
        assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


WORD_LENGTH = 5
WRITERS, CHANGES, KILLED_CHANGES = 4, 20, 100  # all writers together change less than a file keeps
TIMEOUT_S = 120.0
#: The files and how they are changed; the robot's ways run on 2.7, too.
FILES = (
    ("own.txt", ("learn", "add")),
    ("games.jsonl", ("finish",)),
    ("own.txt", ("learn",)),
    ("blocked.sha256", ("block",)),
    ("typed.txt", ("remember",)),
    ("own.txt", ("add",)),
)
ON_BOTH = ("learn", "finish")


def start(way, folder, name, count):
    """Start a writer, every other one on Python 2.7 where it can be."""
    python = PYTHON27 if name % 2 and way in ON_BOTH else None
    program = str(ROOT / "tests" / "shared_files.py")
    return subprocess.Popen([python or sys.executable, program, way, str(folder), str(name), str(count)], env=path27())


@pytest.mark.parametrize(
    "name, ways", [pytest.param(*row, marks=[pytest.mark.attack] * bool(at)) for at, row in enumerate(FILES)]
)
def test_four_writers_of_one_file_lose_nothing_while_a_fifth_is_killed(name, ways, form, chance, tmp_path):
    def read_changes(path):
        """Return the words of a file, and how many of its lines are torn."""
        whole, torn = [], 0
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                whole.append(json.loads(line)["guess"] if path.suffix == ".jsonl" else line)
                torn += path.suffix == ".txt" and len(line) != WORD_LENGTH
            except ValueError:
                torn += 1
        return whole, torn

    for number in range(form(1, 10)):
        here = tmp_path / str(number)
        here.mkdir()
        writers = [start(ways[each % len(ways)], here, each, CHANGES) for each in range(WRITERS)]
        killed = start(ways[0], here, WRITERS, KILLED_CHANGES)
        time.sleep(0.2)
        (here / "go").touch()
        time.sleep(chance.uniform(0.05, 0.4))
        killed.kill()
        assert [writer.wait(TIMEOUT_S) for writer in writers] == [0] * WRITERS
        killed.wait(TIMEOUT_S)
        whole, torn = read_changes(here / name)
        assert len(whole) == len(set(whole)) and torn <= 1
        made = {word for each in range(WRITERS) for word in itertools.islice(shared_files.words(each), CHANGES)}
        assert {hash_blocked_word(word) for word in made} <= set(whole) if ways == ("block",) else made <= set(whole)
        # The next change clears away the killed writer's temporary file.
        assert start(ways[0], here, 9, 1).wait(TIMEOUT_S) == 0
        assert [path.name for path in here.iterdir() if path.name.startswith(".")] == []
