"""`jotto gladiators`: the whole challenge in one command, the fake server as a process."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest
from command_line import jotto, live_in

from jotto_desk.cli import gladiators
from jotto_desk.games import gladiators_server
from jotto_desk.games.gladiators import LEVELS, Level
from jotto_desk.games.gladiators_server import serve_challenge

MAIL = "somebody@mail.example"
SMALL = {1: Level(3, 4, 8), 2: Level(3, 5, 8, 2)}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    live_in(tmp_path, monkeypatch)
    monkeypatch.delenv(gladiators.EMAIL, raising=False)


def test_all_six_levels_in_one_command(capsys):
    with serve_challenge(seed=1) as url:
        code, out, err = jotto(capsys, "gladiators", "play", "--url", url, "--email", MAIL, "--seed", "1", "--json")
    result = json.loads(out)
    assert code == 0 and err == ""
    assert [Level(**score["level"]) for score in result["levels"]] == list(LEVELS.values())
    assert all(score["won"] for score in result["levels"])
    assert bytes.fromhex(result["hash"][64:]).decode() == '{"user": "%s"}' % MAIL
    assert MAIL not in out + err


def test_the_hash_alone_goes_to_the_output(capsys, monkeypatch):
    monkeypatch.setenv(gladiators.EMAIL, MAIL)
    with serve_challenge(gladiators_server.ServerBehaviour(SMALL, mishaps={5: gladiators_server.PAGE}), seed=1) as url:
        code, out, err = jotto(capsys, "gladiators", "play", "--url", url, "--seed", "1")
        assert code == 0 and re.fullmatch("[0-9a-f]+\n", out)
        assert "level 1: 3 gladiators, 4 weapons, 8 guesses" in err and "level 2: won" in err and MAIL not in err
        assert "not JSON" in err
        # It is done: the same command says the hash again; --reset plays once more.
        assert jotto(capsys, "gladiators", "play", "--url", url) == (0, out, "")
        code, again, err = jotto(capsys, "gladiators", "play", "--url", url, "--reset")
        assert (code, again) == (0, out) and "level 2: won" in err


def test_missing_or_wrong_arguments(capsys):
    nowhere = "http://127.0.0.1:9"
    for arguments, sentence in [
        (["play", "--url", nowhere, "--email", MAIL, "--tries", "1"], "cannot be reached"),
        (["play", "--url", "nowhere", "--email", MAIL], "not an address of the challenge"),
        (["play", "--url", nowhere], "--email"),
        (["play", "--url", nowhere, "--email", "me"], "not an e-mail address"),
        (["play", "--email", MAIL], "--url"),
        (["serve", "--level", "5/10/7/10"], "is not a level and its numbers"),
        (["serve", "--level", "0=4/6/8"], "is not a level and its numbers"),
        (["serve", "--level", "1="], "is not a level"),
        (["serve", "--level", "9=4/6/8"], "no level 7"),
        (["serve", "--level", "1=5/4/8"], "need as many weapons"),
        (["serve", "--level", "x=4/6/8"], "is not a level and its numbers"),
    ]:
        code, out, err = jotto(capsys, "gladiators", *arguments)
        assert code == 2 and out == "" and sentence in err and MAIL not in err and "Traceback" not in err
    with serve_challenge() as url:
        code, _, err = jotto(capsys, "gladiators", "serve", "--port", url.rpartition(":")[2])
    assert code == 2 and "choose another with --port" in err


def test_a_damaged_tree_is_remarked_and_done_without(capsys, monkeypatch):
    def damaged(level):
        raise gladiators.DeskError("'x.tree' is not used: damaged.")

    monkeypatch.setattr("jotto_desk.games.gladiators_strategy.load_shipped_tree", damaged)
    with serve_challenge(gladiators_server.ServerBehaviour(SMALL), seed=1) as url:
        command = ("gladiators", "play", "--url", url, "--email", MAIL)
        code, out, err = jotto(capsys, *command)
        assert code == 0 and "worked out instead" in err and out
        assert "worked out" not in jotto(capsys, *command, "--reset", "--no-tree")[2]


@pytest.mark.parametrize("sign, code", [(signal.SIGINT, 130), (signal.SIGTERM, 0)], ids=["Ctrl-C", "SIGTERM"])
def test_the_server_as_a_process(capsys, sign, code):
    levels = ["--level=1=3/4/8", *(f"--level={number}=2/3/6" for number in range(2, 7))]
    command = [sys.executable, "-m", "jotto_desk", "gladiators", "serve", "--seed", "7", *levels]
    environ, pipe = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, subprocess.PIPE
    process = subprocess.Popen(command, env=environ, stdout=pipe, stderr=pipe, text=True)
    try:
        line = process.stdout.readline()
        url = re.search(r"http://127\.0\.0\.1:\d+", line)[0]
        assert "seed 7" in line
        assert jotto(capsys, "gladiators", "play", "--url", url, "--email", MAIL)[0] == 0
    finally:
        process.send_signal(sign)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code and "Traceback" not in err
    assert "GET /level/1/: 200" in out and "POST /api-auth-token/: 200" in out
    assert MAIL not in out and MAIL.encode().hex() not in out
