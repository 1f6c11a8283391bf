"""`jotto words` as people and programs use it."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from jotto_desk import files
from jotto_desk.cli.words import app
from jotto_desk.errors import DeskError
from jotto_desk.words import building


@pytest.fixture
def jotto_words(monkeypatch, tmp_path):
    """Run `jotto words` for a person with folders of their own; return exit code and output."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        result = CliRunner().invoke(app, arguments)
        if isinstance(result.exception, DeskError):
            raise result.exception
        return result.exit_code, result.output

    return run


def test_show_tells_words_and_commonness(jotto_words):
    code, output = jotto_words("show", "--count", "2")
    assert code == 0
    assert "about" in output and "10 very common" in output and "2 of 2920 words" in output and "ocean" not in output


def test_show_for_programs(jotto_words):
    _, output = jotto_words("show", "en", "--rules", "any", "--json")
    shown = json.loads(output)
    assert shown["total"] == len(shown["words"]) == 4348
    assert {"word": "fizzy", "commonness": 20} in shown["words"]


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("show", "--rules", "chess"), "no rules 'chess'"),
        (("show", "nosuch"), "no word list 'nosuch'"),
        (("check", "nosuch"), "no word list 'nosuch'"),
        (("add", "abc"), "'abc' has 3 letters"),
        (("add", "two words", "--block"), "'two words' is not a single word"),
        (("add", "quilt", "--list", "."), "'.' is a folder"),
        (("build", "--from", "missing.deb"), "missing.deb"),
    ],
)
def test_bad_input_gets_a_sentence(jotto_words, arguments, said):
    with pytest.raises(DeskError, match=said):
        jotto_words(*arguments)


def test_check_passes_the_shipped_lists(jotto_words):
    code, output = jotto_words("check", "--json")
    assert code == 0 and json.loads(output)["ok"] is True
    assert "en.tsv: 4348 words, 2920 of five different letters: in order" in jotto_words("check")[1]


def test_check_fails_on_a_changed_list(jotto_words, monkeypatch, tmp_path):
    for file in files.shipped_path("wordlists").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "en.tsv").write_bytes((tmp_path / "en.tsv").read_bytes() + b"aback\t10\n")
    monkeypatch.setattr(files, "shipped_path", lambda name: tmp_path)
    code, output = jotto_words("check")
    assert code == 1 and "'aback' stands twice" in output and "other numbers" in output


def test_check_tells_what_is_kept_and_refused(jotto_words, tmp_path):
    (tmp_path / "mine.txt").write_text("ocean\nquilt\nhello\nfa[b]\noceans\nquilt\n")
    code, output = jotto_words("check", "mine.txt")
    assert code == 0
    for phrase in ("ocean, quilt", "repeated letters", "hello", "wrong length", "other characters", "fa[b]"):
        assert phrase in output
    _, output = jotto_words("check", "mine.txt", "--json", "--rules", "any")
    found = json.loads(output)
    assert (found["kept"], found["duplicates"]) == (3, 1)
    assert found["refused"]["wrong length"] == {"count": 1, "samples": ["oceans"]}


def test_add_and_play_with_it(jotto_words):
    assert "2 new" in jotto_words("add", "qwert", "hello")[1]
    assert "qwert" in jotto_words("show", "--json")[1]
    added = json.loads(jotto_words("add", "qwert", "fjord", "--json")[1])
    assert (added["new"], added["known"]) == (["fjord"], ["qwert"])


def test_words_added_at_the_same_time_are_all_kept(tmp_path):
    new = ["quilt", "zebra", "fjord", "waltz", "nymph", "glyph"]
    adding = [
        subprocess.Popen(
            [sys.executable, "-m", "jotto_desk", "words", "add", word, "--list", tmp_path / "l.txt"],
            stdout=subprocess.DEVNULL,
        )
        for word in new
    ]
    assert [process.wait(timeout=60) for process in adding] == [0] * len(new)
    assert sorted((tmp_path / "l.txt").read_text(encoding="ascii").split()) == sorted(new)
    assert len(list(tmp_path.iterdir())) == 1


def test_block_and_it_is_gone(jotto_words):
    assert "1 new" in jotto_words("add", "--block", "fjord")[1]
    assert "fjord" not in jotto_words("show", "--json")[1]


@pytest.mark.parametrize("command", ["build", "check", "show", "add"])
def test_help_has_examples(jotto_words, command):
    code, output = jotto_words(command, "--help")
    assert code == 0 and "Examples: jotto words " + command in " ".join(output.split())


def test_build_writes_what_check_then_finds_the_same(jotto_words, monkeypatch, tmp_path):
    monkeypatch.setattr(building, "get_scowl", lambda file: b"package")
    monkeypatch.setattr(building, "build_english_list", lambda package, blocked: "ocean\t10\nquilt\t20\n")
    assert jotto_words("build", "--out", "lists", "--check")[0] == 1
    assert jotto_words("build", "--out", "lists")[0] == 0
    assert (tmp_path / "lists" / "en.tsv").read_text() == "ocean\t10\nquilt\t20\n"
    code, output = jotto_words("build", "--out", "lists", "--check", "--json")
    assert code == 0 and json.loads(output)["same"] is True
