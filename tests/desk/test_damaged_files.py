"""Parsers at the desk read damaged files, answers and requests, or refuse them with a sentence of their own."""

import contextlib
import io
import zipfile
from functools import partial
from pathlib import Path

import package_files as kit
import pytest
from damage import GOOD_BYTES, find_fault
from hypothesis import given, settings, strategies as st
from pydantic import ValidationError

from jotto.rules import BULLS, JOTTO, MASTERMIND, WORDLE, JottoError
from jotto_behaviour import lines
from jotto_desk import addresses, history, web
from jotto_desk.cli import robot
from jotto_desk.cli.mastermind import _pair
from jotto_desk.conversation import answers
from jotto_desk.errors import DeskError
from jotto_desk.expert import datalog
from jotto_desk.expert.api import NewGame, NewTurn
from jotto_desk.expert.client import ExpertSystem
from jotto_desk.expert.games import parse_turn as read_expert_turn
from jotto_desk.games import assist, gladiators, gladiators_server, mastermind, wordle
from jotto_desk.play import table as transcript_file
from jotto_desk.robot_kit import packaging, pull, sources
from jotto_desk.robot_kit.flow import parse_flow
from jotto_desk.solver import search, trees
from jotto_desk.solver.feedback_table import make_table
from jotto_desk.solver.problem import make_symbol_problem
from jotto_desk.words import building, lists
from naosim import formats
from naosim.errors import NaosimError
from naosim_robots.addresses import parse_listen_address, parse_robot_address
from naosim_voice import recordings
from naosim_voice.recogniser import VoiceError

ROOT = Path(__file__).parents[2]


def good(path, size=GOOD_BYTES):
    return (ROOT / path).read_bytes()[:size]


def read_damaged(parsers):
    """Damage the input of parsers: each has a name, errors that it may raise, and good input."""

    @settings(max_examples=settings.default.max_examples)
    @given(seed=st.integers(0, 2**32))
    def read(seed):
        assert find_fault(parsers, seed) == ""

    read()


@pytest.fixture
def file(tmp_path):
    """Make a parser of bytes of one of files."""

    def parse_file(name, parse):
        def run(raw):
            (tmp_path / name).write_bytes(raw)
            return parse(tmp_path / name)

        return run

    return parse_file


def text(parse):
    """Return a parser of bytes for one of texts."""
    return lambda raw: parse(raw.decode("utf-8", "replace"))


def test_damaged_words_are_read_or_refused(file):
    def address(line):
        web._check(line)
        asked = addresses.split(line)
        with contextlib.suppress(ValueError):
            asked.follow_redirect(addresses.hide_login(line))

    copy = b'{"address": "http://a/b", "etag": "", "modified": "", "sha256": "ab"}\nocean\nquilt\n'
    sounds = b"pair P EH1 R\npear P EH1 R # fruit\nread(2) R IY1 D\n"
    debian = b"!<arch>\n" + b"debian-binary   1410122664  0     0     100644  4         `\n2.0\n"
    source = partial(lists.Source, "attack.txt")
    robots = text(lambda line: (parse_robot_address(line), parse_listen_address(line, True)))
    blocked = file("blocked", lists._read_block_list)
    own = file("own.txt", lambda path: lists._load_words(lists._check_text(path)))
    read_damaged(
        [
            ("list at the desk", lambda raw: lists.parse_list(source(raw), JOTTO), DeskError, good("wordlists/en.tsv")),
            ("own words", own, DeskError, b"# mine\nocean\n"),
            ("own blocked words", blocked, DeskError, good("wordlists/blocked.sha256")),
            ("copy of a list", file("copy", lambda path: web._load_copy(path, "http://a/b", 1 << 20)), (), copy),
            ("pronunciations", lambda raw: building.parse_pronunciations(raw.decode("latin-1")), (), sounds),
            ("sound-alikes", text(building.parse_sound_alikes), (), good("wordlists/en-sound-alikes.txt")),
            ("Debian package", lambda raw: list(lists.list_archive_members(raw)), DeskError, debian),
            ("address of a list", text(address), DeskError, b"https://ann:secret@example.org:8080/list.txt?a=b#c"),
            ("address of a robot", robots, NaosimError, b"tcp://192.168.1.5:9559"),
        ]
    )


LEVEL = gladiators.Level(5, 6, 20, 1)


def test_damaged_typed_lines_are_read_or_refused():
    spoken = lines.read_lines(str(Path(lines.__file__).parent))

    def answer(line):
        for state in ("first score", "spelling"):
            for part in answers.split_line(line, state, spoken, ["yes", "no", "two", "two and one"]):
                answers.parse_typed_line(part, state, spoken, ["yes", "no", "two", "two and one"])
            answers.explain_misfit(line[:200], state, ["yes"])

    turns = (
        (JOTTO, b"ocean 1 2"),
        (WORDLE, b"SUGAR GBBYY"),
        (MASTERMIND, b"rroo (1, 2)"),
        (BULLS, b"0123 12"),
        (LEVEL.rules, b"[0, 3, 5, 1, 2] [3, 1]"),
    )
    board = mastermind.Board(MASTERMIND, "roog")
    read_damaged(
        [
            ("marks of Wordle", text(wordle.parse_round), DeskError, b"S_E,U_N,G_N,A_P,R_P"),
            ("marks alone", text(wordle.is_mark_row), (), "🟩⬛🟨⬛⬛".encode()),
            *((rules.name, text(partial(assist.parse_turn, rules=rules)), DeskError, turn) for rules, turn in turns),
            ("guess", text(partial(assist.parse_guess, rules=JOTTO)), DeskError, b"ocean"),
            ("guess of Mastermind", text(board.judge), (), b"red, red, o o"),
            ("length of Mastermind", text(mastermind.parse_length), (), b"4"),
            ("answer of Mastermind", text(lambda line: _pair(line, MASTERMIND)), (), b"-1 2"),
            ("answer to NAO", text(answer), (), b"I think two, and one!"),
            ("level", text(gladiators.parse_levels), DeskError, b"5/6/20/1"),
        ]
    )


def test_damaged_services_are_read_or_refused():
    def turn(raw):
        asked = NewTurn.model_validate_json(raw)
        read_expert_turn(MASTERMIND, asked.guess, asked.answer)

    def request(raw):
        return gladiators_server._parse_mail(raw), gladiators_server._parse_json(raw)

    def reply(raw):
        return gladiators.understand_reply(gladiators.parse_reply(raw), LEVEL)

    won = b'{"response": [3, 1], "message": "Onto the next level", "numGladiators": 4, "numGuesses": 8}'
    rules = b"before(X, Y) :- after(Y, X), not same(X, Y). % as in the book\nafter(ann, 'Bob B').\n"
    game = b'{"rules": "exact", "holes": 4, "seed": 1}'
    read_damaged(
        [
            ("answer of the challenge", reply, DeskError, won),
            ("request to the challenge", request, (), b"email=ann%40example.org"),
            ("answer of the expert", ExpertSystem()._plain, DeskError, b'{"ans": ["before(ann, bob)"], "ans_sz": 1}'),
            ("Datalog", text(datalog.parse_program), DeskError, rules),
            ("query", text(datalog.parse_query), DeskError, b"before(X, 'Bob B')?"),
            ("game of the expert", NewGame.model_validate_json, ValidationError, game),
            ("turn of the expert", turn, (DeskError, ValidationError), b'{"guess": "0011", "answer": [1, 2]}'),
        ]
    )


def test_damaged_saved_files_are_read_or_refused(file):
    listed = lists.parse_list(lists.find("en"), JOTTO, lists.load_block_list(own=False)).wordlist
    table = make_table(make_symbol_problem(MASTERMIND._replace(length=2)))
    shipped = good("wordlists/en.tree", None)

    def verified(raw):
        # The good file takes a second: damage is told before it is played.
        if raw != shipped:
            trees.verify_tree(raw, listed.words[:1], listed.bands[:1])

    games = text(lambda whole: [history.share_game(one) for one in history.parse_kept_games(whole).games])
    game = (
        b'{"version": 1, "rules": {"name": "jotto", "length": 5, "alphabet": "abcdefghijklmnopqrstuvwxyz", "repeats": '
        b'false, "kind": "places"}, "turns": [["ocean", [1, 2]], ["crane", [5, 0]]], "outcome": "solved", "seed": 1}\n'
    )
    transcript = file("game.txt", lambda path: transcript_file.read_transcript(str(path)))
    written = (
        b'# Jotto with NAO.\n# {"version": 1, "settings": {"seed": 3}, "words": "en", "checksum": "ab", '
        b'"unfinished": "", "without": []}\nNAO  Is it ocean?\nYOU  no\n'
    )
    checkpoint = file("check", lambda path: search.open_checkpoint(path, "mark", table))
    proof = b'{"version": 1, "mark": "mark", "cost": 3, "plan": [0, {}], "bounds": {"1": 2}, "seal": "ab"}\n'
    read_damaged(
        [
            ("kept games", games, (), game),
            ("transcript", transcript, DeskError, written),
            ("certificate", verified, (DeskError, JottoError), shipped),
            ("checkpoint", checkpoint, DeskError, proof),
        ]
    )


def test_damaged_files_of_the_kit_are_read_or_refused(file):
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.xml", kit.manifest())
    project = "choregraphe_project"
    script = b"class MyClass(GeneratedClass):\n    def onLoad(self):\n        self.a = (1, [2])\n"
    whole = sources.add_preamble("a\n", "preamble.py", "b\n").encode()
    # The head of a WAV file and a little sound.
    recorded = good("simulator/tests/python3/sounds/yes.wav", 400)

    def saved(raw):
        return pull.parse_saved_diagram(formats.read_xml(raw, "behavior.xar"))

    def bare(line):
        return sources.split_preamble(line, "preamble.py", "a")

    def manifest(line):
        return sources.find_uuid(line), sources.check_sentences(line)

    diagram, pml = good(f"{project}/behavior_1/behavior.xar", None), good(f"{project}/nao-jotto.pml", None)
    read_damaged(
        [
            ("flow", text(parse_flow), DeskError, good("robot_boxes/flow.json", None)),
            ("diagram to pull", saved, (DeskError, NaosimError), diagram),
            ("box script", text(lambda line: sources.check_scripts({"a.py": line})), (), script),
            ("box script with preamble", text(bare), DeskError, whole),
            ("project file", text(lambda line: sources.format_listing(line, ["a.py"])), (), pml),
            ("manifest of the kit", text(manifest), DeskError, good(f"{project}/manifest.xml", None)),
            ("topic of the kit", text(partial(sources.parse_topic, "a")), DeskError, b"topic: ~a()\nlanguage: enu\n"),
            (
                "words of a robot",
                text(lambda line: packaging.describe_robot_error(RuntimeError(line))),
                (),
                b"\tA::b\n\tIt is full",
            ),
            ("package to deploy", file("a.pkg", robot._describe_package_file), DeskError, package.getvalue()),
            ("recording of a person", file("yes.wav", lambda path: recordings.read(path, 1)), VoiceError, recorded),
            ("words of ssh", text(partial(packaging._refusal, "nao")), (), b"ssh: connect to host: refused\n"),
        ]
    )
