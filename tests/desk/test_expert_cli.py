"""`jotto expert` on the command line."""

import json
import os
import signal
import subprocess
import sys

import pytest
from command_line import jotto, live_in

from jotto_desk.expert import ExpertSystem, datalog


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    live_in(tmp_path, monkeypatch)


def test_knowledge_bases_are_shown_and_asked(capsys, tmp_path):
    assert jotto(capsys, "expert", "show") == (0, datalog.knowledge_text(), "")
    file = tmp_path / "family.dl"
    file.write_text("\ufeffafter(ann, bob).\nbefore(X, Y) :- after(Y, X).\n", encoding="utf-8")
    assert jotto(capsys, "expert", "ask", "before(X, Y)", "--kb", file) == (0, "before(bob, ann)\n", "")
    code, out, _ = jotto(capsys, "expert", "ask", "before(X, Y)?", "--kb", file, "--fact", "after(c, d).", "--json")
    assert (code, json.loads(out)["answers"]) == (0, ["before(bob, ann)", "before(d, c)"])
    assert "Nothing follows" in jotto(capsys, "expert", "ask", "before(ann, X)", "--kb", file)[1]
    facts = "next(0, 1). next(1, 2)."
    out = jotto(capsys, "expert", "ask", "sum(X, Y, 2)", "--fact", facts)[1]
    assert out.splitlines() == ["sum(0, 2, 2)", "sum(1, 1, 2)", "sum(2, 0, 2)"]


def test_refused_commands(capsys, tmp_path):
    (tmp_path / "x.dl").write_bytes(b"p(\xff).")
    (tmp_path / "games.sqlite").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    for arguments, reason in (
        (("ask", "p(X"), "Line 1, column 4"),
        (("ask", "p(X)", "--fact", "p(X)."), "--fact: Line 1, column 3"),
        (("ask", "p(X)", "--kb", "nowhere.dl"), "cannot be read"),
        (("ask", "p(X)", "--kb", tmp_path / "x.dl"), "not UTF-8"),
        (("explain", "--turn", "0011"), "write it as"),
        (("explain", "--turn", ""), "write it as"),
        (("explain", "--turn", "0011 9 9"), "more than the 4"),
        (("explain", "--rules", "chess"), "no rules 'chess'"),
        (("serve", "--host", "0.0.0.0"), "--insecure"),
        (("serve", "--forget", "--state", "x"), "leave one out"),
        (("serve", "--port", "0", "--state", tmp_path / "games.sqlite"), "name another file with --state"),
    ):
        code, out, err = jotto(capsys, "expert", *arguments)
        assert (code, out) == (2, "") and reason in err and "Traceback" not in err, arguments


def test_a_game_is_explained(capsys):
    turns = ["--turn", "0001 b", "--turn", "0555 0 1", "--turn", "5421 bw"]
    code, out, _ = jotto(capsys, "expert", "explain", *turns, "--why", "3020", "--why-not", "0555")
    lines = out.splitlines()
    assert code == 0 and lines[0] == "Codes left: 1,296 > 317 > 70 > 10" and lines[1].startswith("Guess ")
    assert lines[2].startswith("3020 cannot be it. 10 codes fit now") and lines[3].startswith("0555 is out: turn 2")
    out = jotto(capsys, "expert", "explain", "--rules", "classic", *turns)[1]
    assert out.startswith("Codes left: 1,296 > 500 > 176 > 40\n")
    found = json.loads(jotto(capsys, "expert", "explain", *turns, "--json")[1])
    assert found["state"]["funnel"] == [1296, 317, 70, 10] and found["suggest"]["fits"] in (True, False)
    out = jotto(capsys, "expert", "explain", "--turn", "0011 4 0", "--turn", "0101 4 0")[1]
    assert "Turns 1 and 2 cannot both be true" in out and "If turn 1, 0011, had been 2 2" in out


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_the_service_starts_serves_and_ends(name, tmp_path):
    command = [sys.executable, "-m", "jotto_desk", "expert", "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    try:
        said = process.stdout.readline()
        url = said.split(" is at ")[1].split(";")[0]
        assert process.stdout.readline() == f"Games are kept in {tmp_path / 'share' / 'nao-jotto' / 'expert.sqlite'}.\n"
        with ExpertSystem(url) as expert:
            assert expert.submitkb("p(a).")["KB size"] == 5
            assert expert.new_game().turn("0011", "bw")["left"] == 208
        process.send_signal(name)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, out) == (130 if name == signal.SIGINT else 0, "") and "Traceback" not in err
