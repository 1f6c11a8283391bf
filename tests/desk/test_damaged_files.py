"""Parsers at the desk read damaged files, answers and requests, or refuse them with a sentence of their own."""

from __future__ import annotations

import contextlib
import io
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import package_files as kit
import pytest
from damage import GOOD_BYTES, find_fault
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from jotto.rules import BULLS, JOTTO, MASTERMIND, WORDLE, JottoError
from jotto.words import WordList
from jotto_behaviour import lines
from jotto_desk import addresses, history, web
from jotto_desk.cli import robot
from jotto_desk.cli.mastermind import _pair
from jotto_desk.conversation import answers
from jotto_desk.errors import DeskError
from jotto_desk.expert import datalog
from jotto_desk.expert.api import NewGame, NewTurn
from jotto_desk.expert.client import ExpertSystem
from jotto_desk.expert.games import read_turn as read_expert_turn
from jotto_desk.games import assist, gladiators, gladiators_server, mastermind, wordle
from jotto_desk.play import table as transcript_file
from jotto_desk.robot_kit import packaging, pull, sources
from jotto_desk.robot_kit.flow import read_flow
from jotto_desk.solver import search, trees
from jotto_desk.solver.feedback_table import make_table
from jotto_desk.solver.problem import symbol_problem
from jotto_desk.words import building, lists
from naosim import formats
from naosim.errors import NaosimError
from naosim_live.libqi_protocol import parse_listen_address, parse_robot_address
from naosim_live.voice import recordings
from naosim_live.voice.errors import VoiceError

Row = tuple[str, Callable[[bytes], object], Any, bytes]

ROOT = Path(__file__).parents[2]
QUIET: tuple[type[Exception], ...] = ()
GAME = (
    b'{"version": 1, "rules": {"name": "jotto", "length": 5, "alphabet": "abcdefghijklmnopqrstuvwxyz", "repeats": '
    b'false, "kind": "places"}, "turns": [["ocean", [1, 2]], ["crane", [5, 0]]], "outcome": "solved", "seed": 1}\n'
)
TRANSCRIPT = (
    b'# Jotto with NAO.\n# {"version": 1, "settings": {"seed": 3}, "words": "en", "checksum": "ab", '
    b'"unfinished": "", "without": []}\nNAO  Is it ocean?\nYOU  no\n'
)
LEVEL = gladiators.Level(5, 6, 20, 1)
ANSWER = b'{"response": [3, 1], "message": "Onto the next level", "numGladiators": 4, "numGuesses": 8}'
RULES = b"before(X, Y) :- after(Y, X), not same(X, Y). % as in the book\nafter(ann, 'Bob B').\n"
TYPED = b"ocean 1 2"
ROUND = b"S_E,U_N,G_N,A_P,R_P"
SCRIPT = b"class MyClass(GeneratedClass):\n    def onLoad(self):\n        self.a = (1, [2])\n"
#: The head of a WAV file and a little sound.
RECORDED = (ROOT / "tests/desk/sounds/yes.wav").read_bytes()[:400]
ADDRESS = b"https://ann:secret@example.org:8080/list.txt?a=b#c"


@pytest.fixture(scope="module")
def parsers(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """List the parsers: name, parser, errors that it may raise, good input."""
    folder = tmp_path_factory.mktemp("parsers")
    return [*_words(folder), *_typed(), *_sent(), *_kept(folder), *_of_the_kit(folder)]


def _words(folder: Path) -> list[Row]:
    def of_ones_own(raw: bytes) -> None:
        path = _put(folder, "own.txt", raw)
        lists._words_in(lists._text(path))

    return [
        (
            "list at the desk",
            lambda raw: lists.read(lists.Source("attack.txt", raw), JOTTO),
            DeskError,
            _good("wordlists/en.tsv"),
        ),
        ("own words", of_ones_own, DeskError, b"# mine\nocean\n"),
        (
            "own blocked words",
            lambda raw: lists._blocked_in(_put(folder, "blocked", raw)),
            DeskError,
            _good("wordlists/blocked.sha256"),
        ),
        (
            "copy of a list",
            lambda raw: web._kept(_put(folder, "copy", raw), "http://a/b", 1 << 20),
            QUIET,
            b'{"address": "http://a/b", "etag": "", "modified": "", "sha256": "ab"}\nocean\nquilt\n',
        ),
        (
            "pronunciations",
            lambda raw: building.read_pronunciations(raw.decode("latin-1")),
            QUIET,
            b"pair P EH1 R\npear P EH1 R # fruit\nread(2) R IY1 D\n",
        ),
        (
            "sound-alikes",
            lambda raw: building.read_sound_alikes(_text(raw)),
            QUIET,
            _good("wordlists/en-sound-alikes.txt"),
        ),
        (
            "Debian package",
            lambda raw: list(lists.archive_members(raw)),
            DeskError,
            b"!<arch>\n" + b"debian-binary   1410122664  0     0     100644  4         `\n2.0\n",
        ),
        ("address of a list", lambda raw: _address(_text(raw)), DeskError, ADDRESS),
        (
            "address of a robot",
            lambda raw: (parse_robot_address(_text(raw)), parse_listen_address(_text(raw), True)),
            NaosimError,
            b"tcp://192.168.1.5:9559",
        ),
    ]


def _typed() -> list[Row]:
    spoken = lines.read_lines(str(Path(lines.__file__).parent))
    return [
        ("marks of Wordle", lambda raw: wordle.read_round(_text(raw)), DeskError, ROUND),
        ("marks alone", lambda raw: wordle.is_mark_row(_text(raw)), QUIET, "🟩⬛🟨⬛⬛".encode()),
        *(
            (f"turn of {rules.name}", partial(_turn, rules), DeskError, good)
            for rules, good in (
                (JOTTO, TYPED),
                (WORDLE, b"SUGAR GBBYY"),
                (MASTERMIND, b"rroo (1, 2)"),
                (BULLS, b"0123 12"),
                (LEVEL.rules, b"[0, 3, 5, 1, 2] [3, 1]"),
            )
        ),
        ("guess", lambda raw: assist.read_guess(_text(raw), JOTTO), DeskError, b"ocean"),
        (
            "guess of Mastermind",
            lambda raw: mastermind.Board(MASTERMIND, "roog").judge(_text(raw)),
            QUIET,
            b"red, red, o o",
        ),
        ("length of Mastermind", lambda raw: mastermind.read_length(_text(raw)), QUIET, b"4"),
        ("answer of Mastermind", lambda raw: _pair(_text(raw), MASTERMIND), QUIET, b"-1 2"),
        ("answer to NAO", lambda raw: _answer(_text(raw), spoken), QUIET, b"I think two, and one!"),
        ("level", lambda raw: gladiators.parse_levels(_text(raw)), DeskError, b"5/6/20/1"),
    ]


def _sent() -> list[Row]:
    expert = ExpertSystem()
    return [
        (
            "answer of the challenge",
            lambda raw: gladiators.understand_reply(gladiators.parse_reply(raw), LEVEL),
            DeskError,
            ANSWER,
        ),
        (
            "request to the challenge",
            lambda raw: (gladiators_server._read_mail(raw), gladiators_server._read_json(raw)),
            QUIET,
            b"email=ann%40example.org",
        ),
        ("answer of the expert", expert._plain, DeskError, b'{"ans": ["before(ann, bob)"], "ans_sz": 1}'),
        ("Datalog", lambda raw: datalog.parse_program(_text(raw)), DeskError, RULES),
        ("query", lambda raw: datalog.parse_query(_text(raw)), DeskError, b"before(X, 'Bob B')?"),
        (
            "game of the expert",
            NewGame.model_validate_json,
            ValidationError,
            b'{"rules": "exact", "holes": 4, "seed": 1}',
        ),
        ("turn of the expert", _expert_turn, (DeskError, ValidationError), b'{"guess": "0011", "answer": [1, 2]}'),
    ]


def _kept(folder: Path) -> list[Row]:
    listed = lists.read(lists.find("en"), JOTTO, lists.block_list(own=False)).wordlist
    table = make_table(symbol_problem(MASTERMIND._replace(length=2)))
    return [
        (
            "kept games",
            lambda raw: [history.share(one) for one in history.read_kept_games(_text(raw)).games],
            QUIET,
            GAME,
        ),
        (
            "transcript",
            lambda raw: transcript_file.read_transcript(str(_put(folder, "game.txt", raw))),
            DeskError,
            TRANSCRIPT,
        ),
        ("certificate", lambda raw: _verified(raw, listed), (DeskError, JottoError), _good("wordlists/en.tree", None)),
        (
            "checkpoint",
            lambda raw: search.open_checkpoint(_put(folder, "check", raw), "mark", table),
            DeskError,
            b'{"version": 1, "mark": "mark", "cost": 3, "plan": [0, {}], "bounds": {"1": 2}, "seal": "ab"}\n',
        ),
    ]


def _of_the_kit(folder: Path) -> list[Row]:
    xar = _good("choregraphe_project/behavior_1/behavior.xar", None)
    return [
        ("flow", lambda raw: read_flow(_text(raw)), DeskError, _good("robot_boxes/flow.json", None)),
        (
            "diagram to pull",
            lambda raw: pull.read_saved_diagram(formats.read_xml(raw, "behavior.xar")),
            (DeskError, NaosimError),
            xar,
        ),
        ("box script", lambda raw: sources.script_findings({"a.py": _text(raw)}), QUIET, SCRIPT),
        (
            "box script with preamble",
            lambda raw: sources.without_preamble(_text(raw), "preamble.py", "a"),
            DeskError,
            sources.with_preamble("a\n", "preamble.py", "b\n").encode(),
        ),
        (
            "project file",
            lambda raw: sources.listing(_text(raw), ["a.py"]),
            QUIET,
            _good("choregraphe_project/nao-jotto.pml", None),
        ),
        (
            "manifest of the kit",
            lambda raw: (sources.uuid(_text(raw)), sources.sentence_findings(_text(raw))),
            DeskError,
            _good("choregraphe_project/manifest.xml", None),
        ),
        (
            "topic of the kit",
            lambda raw: sources.read_topic("a", _text(raw)),
            DeskError,
            b"topic: ~a()\nlanguage: enu\n",
        ),
        (
            "words of a robot",
            lambda raw: packaging.worded(RuntimeError(_text(raw))),
            QUIET,
            b"\tA::b\n\tThe disk is full",
        ),
        ("package to deploy", lambda raw: robot._package_file(_put(folder, "a.pkg", raw)), DeskError, _package()),
        ("recording of a person", lambda raw: recordings.read(_put(folder, "yes.wav", raw), 1), VoiceError, RECORDED),
        ("words of ssh", lambda raw: packaging._refusal("nao", _text(raw)), QUIET, b"ssh: connect to host: refused\n"),
    ]


def _package() -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.xml", kit.manifest())
    return whole.getvalue()


def _verified(raw: bytes, listed: WordList) -> None:
    # The good file takes a second: damage is told before it is played.
    if raw != _good("wordlists/en.tree", None):
        trees.verify_tree(raw, listed.words[:1], listed.bands[:1])


def _address(text: str) -> None:
    web._check(text)
    asked = addresses.split(text)
    with contextlib.suppress(ValueError):
        asked.sent_on(addresses.shown(text))


def _turn(rules: Any, raw: bytes) -> None:
    assist.read_turn(_text(raw), rules)


def _expert_turn(raw: bytes) -> None:
    asked = NewTurn.model_validate_json(raw)
    read_expert_turn(MASTERMIND, asked.guess, asked.answer)


def _answer(text: str, spoken: Any) -> None:
    for state in ("first score", "spelling"):
        for part in answers.split_line(text, state, spoken, ["yes", "no", "two", "two and one"]):
            answers.read_typed_line(part, state, spoken, ["yes", "no", "two", "two and one"])
        answers.misfit(text[:200], state, ["yes"])


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _good(path: str, size: int | None = GOOD_BYTES) -> bytes:
    return (ROOT / path).read_bytes()[:size]


def _put(folder: Path, name: str, raw: bytes) -> Path:
    path = folder / name
    path.write_bytes(raw)
    return path


@settings(max_examples=5 * settings.default.max_examples)
@given(seed=st.integers(0, 2**32))
def test_damaged_input_is_read_or_refused(parsers: list[Row], seed: int) -> None:
    assert find_fault(parsers, seed) == ""
