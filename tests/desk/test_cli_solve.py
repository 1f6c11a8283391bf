"""`jotto solve`: what it prints and writes, what it refuses, and that it ends properly however it is ended."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from command_line import jotto, live_in
from engine_words import WORDS
from shared_data import WORD_LISTS, needs_shared_data

from jotto import tree
from jotto.rules import JOTTO
from jotto.words import replace_letters
from jotto_desk import files
from jotto_desk.cli import solve
from jotto_desk.cli.search import SolveOptions
from jotto_desk.solver import beam, search, trees
from jotto_desk.words import Source

FEW = WORDS[::9]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Provide a folder to work in, with a list of a few words and no files of this computer's owner."""
    live_in(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("\n".join(FEW) + "\n", encoding="ascii")
    (tmp_path / "more.txt").write_text("\n".join(WORDS) + "\n", encoding="ascii")
    return tmp_path


def solved(capsys, *arguments):
    """Run `jotto solve --json`; return its result."""
    code, out, _ = jotto(capsys, "solve", *arguments, "--json")
    assert code == 0
    return json.loads(out)


@needs_shared_data
def test_the_example_of_wordle_in_the_help_finds_the_published_optimum(folder, capsys):
    """Searches for 7 seconds: only Wordle's own lists have a published optimum, by Selby."""
    _, page, _ = jotto(capsys, "solve", "--help")
    example = " ".join(page.split()).partition("jotto solve --rules wordle")[2].partition("jotto solve")[0]
    for name, public in (("answers", "wordle-answers-2315"), ("guesses", "wordle-guesses-12972")):
        (folder / f"{name}.txt").symlink_to(WORD_LISTS / f"{public}.txt")
    assert solved(capsys, "--rules", "wordle", *example.split())["total"] == 7920


# Options, total, most turns: Koyama and Lai 1993 for Mastermind.
@pytest.mark.parametrize(
    "options, total, most",
    [
        (("--rules", "mastermind"), 5625, 6),
        (("--rules", "mastermind", "--max-guesses", 5), 5626, 5),
        (("--rules", "bulls", "--symbols", 6), 1446, 5),
    ],
)
def test_known_optima_are_found_and_proven(options, total, most, folder, capsys):
    result = solved(capsys, *options)
    assert (result["total"], result["lower_bound"], result["max"], result["proven"]) == (total, total, most, True)
    assert sum(int(turn) * count for turn, count in result["distribution"].items()) == total
    assert result["mean"] == pytest.approx(total / result["secrets"])


def test_json_tells_all_there_is_to_know(folder, capsys):
    keys = {
        "total",
        "mean",
        "max",
        "distribution",
        "lower_bound",
        "proven",
        "first",
        "seconds",
        "list",
        "words",
        "command",
        "core",
        "cores",
    }
    result = solved(capsys, "--words", "mine.txt")
    assert set(result) >= keys
    assert (result["list"], result["words"], result["guesses"]) == ("mine.txt", len(FEW), len(FEW))
    assert result["proven"] is True
    assert result["command"] == "jotto solve --rules jotto --words mine --weights uniform"
    assert result["first"] in FEW


def test_people_get_a_table_and_the_distance_from_the_possible(folder, capsys):
    code, out, _ = jotto(capsys, "solve", "--words", "mine.txt")
    assert code == 0 and "Proven: no tree does better." in out and "jotto, list mine.txt: 50 words" in out
    _, out, _ = jotto(capsys, "solve", "--words", "mine.txt", "--quick")
    assert "the best there is may be better by" in out and "This was a quick search" in out


def test_weighted_figures_are_in_one_unit(folder, capsys):
    listed = "".join(f"{word}\t{(10, 20, 35, 40, 50)[number % 5]}\n" for number, word in enumerate(FEW))
    (folder / "heavy.tsv").write_text(listed, encoding="ascii")
    result = solved(capsys, "--words", "heavy.tsv", "--weights", "bands", "--out", "heavy.tree")
    assert result["proven"] and result["weighted_total"] == result["lower_bound"] and result["weights"] == "bands"
    verified = json.loads(jotto(capsys, "solve", "verify", "heavy.tree", "--json")[1])
    assert verified["weighted_total"] == result["lower_bound"]


def test_words_that_may_only_be_asked_make_better_trees(folder, capsys):
    alone, wider = (solved(capsys, "--words", "mine.txt", *more) for more in ((), ("--wider", "more.txt")))
    assert wider["total"] <= alone["total"] and wider["guesses"] > wider["words"] == len(FEW)


def test_the_first_guess_can_be_given(folder, capsys):
    result = solved(capsys, "--words", "mine.txt", "--first", FEW[-1].title())
    assert result["first"] == FEW[-1] and result["total"] >= solved(capsys, "--words", "mine.txt")["total"]


def test_misses_are_counted_where_they_are_allowed(folder, capsys):
    result = solved(capsys, "--words", "more.txt", "--max-guesses", 3, "--miss", 2, "--beam-only", "--width", 2)
    assert result["missed"] > 0 and result["missed"] + sum(result["distribution"].values()) == result["words"]
    code, _, err = jotto(capsys, "solve", "--words", "more.txt", "--max-guesses", 3, "--quick")
    assert code == 2 and "allow more" in err


def test_a_tree_is_written_verified_and_played(folder, capsys):
    code, _, err = jotto(capsys, "solve", "--words", "mine.txt", "--out", "mine.tree")
    assert code == 0 and "jotto play --words mine.txt" in err
    result = json.loads(jotto(capsys, "solve", "verify", "mine.tree", "--json")[1])
    assert result["verified"] and result["proven"] and result["list"] == "mine" and result["words"] == len(FEW)
    _, out, _ = jotto(capsys, "solve", "verify", "mine.tree")
    assert "every one of its 50 words of the list 'mine' was played" in out
    _, out, _ = jotto(capsys, "rehearse", "--all", "--words", "mine.txt", "--strategy", "tree", "--jobs", 1, "--json")
    assert json.loads(out)["histogram"] == result["distribution"] and json.loads(out)["strategy"] == "tree"


def test_a_tree_names_no_folder_and_no_day(folder, capsys):
    (folder / "deep").mkdir()
    (folder / "deep" / "my words.txt").write_text("\n".join(FEW), encoding="ascii")
    for name in ("one.tree", "two.tree"):
        jotto(capsys, "solve", "--words", folder / "deep" / "my words.txt", "--out", folder / name)
    content = (folder / "one.tree").read_bytes()
    assert content == (folder / "two.tree").read_bytes() and str(folder).encode() not in content
    assert (
        tree.read_tree(content).certificate["command"]
        == "jotto solve --rules jotto --words 'my words' --weights uniform"
    )


@pytest.mark.parametrize("game", [("--words", "more.txt", "--width", 4), ("--rules", "mastermind", "--beam-only")])
def test_the_number_of_threads_changes_nothing(game, folder, capsys):
    for threads in (1, 3):
        jotto(capsys, "solve", *game, "--threads", threads, "--out", f"{threads}.tree")
    assert (folder / "1.tree").read_bytes() == (folder / "3.tree").read_bytes()


def test_missing_folders_are_made(folder, capsys):
    code, _, _ = jotto(capsys, "solve", "--words", "mine.txt", "--out", "new/folder/mine.tree")
    assert code == 0 and trees.verify_tree((folder / "new/folder/mine.tree").read_bytes(), FEW).figures.missed == 0


#: Options, and the error sentence about them.
REFUSED = [
    (("--width", "0"), "--width"),
    (("--width", "1e9"), "--width"),
    (("--time", "-1"), "-1"),
    (("--time", "0"), "0"),
    (("--time", "nan"), "nan"),
    (("--time", "inf"), "inf"),
    (("--length", "99"), "--length"),
    (("--length", "0"), "--length"),
    (("--rules", "mastermind", "--symbols", "0"), "--symbols"),
    (("--rules", "mastermind", "--symbols", "36", "--length", "15"), "codes"),
    (("--symbols", "6"), "--symbols"),
    (("--memory", "1e9"), "--memory"),
    (("--memory", "-5"), "--memory"),
    (("--memory", "1048576"), "this machine has"),
    (("--threads", "0"), "--threads"),
    (("--max-guesses", "-3"), "--max-guesses"),
    (("--max-guesses", "61"), "--max-guesses"),
    (("--miss", "3"), "--max-guesses N"),
    (("--rules", "chess"), "'chess'"),
    (("--weights", "heavy"), "'heavy'"),
    (("--weights", "bands", "--words", "mine.txt"), "how common"),
    (("--words", "none.txt"), "'none.txt'"),
    (("--words", "."), "folder"),
    (("--words", "/dev/null"), "/dev/null"),
    (("--words", "noise.bin"), "noise.bin"),
    (("--words", "one.txt"), "only one word"),
    (("--first", "zzzzz"), "'zzzzz'"),
    (("--rules", "mastermind", "--first", "rrrrr"), "'rrrrr'"),
    (("--rules", "wordle", "--length", "9", "--words", "nine.txt"), "5 letters at most"),
    (("--quick", "--prove"), "--quick"),
    (("--beam-only", "--checkpoint", "c"), "--checkpoint"),
    (("--beam-only", "--cluster", "tcp://127.0.0.1:1"), "--cluster"),
    (("--words", "mine.txt", "--cluster", "nonsense"), "'nonsense'"),
    (("--words", "mine.txt", "--cluster", "tcp://127.0.0.1:99999"), "99999"),
    (("--words", "mine.txt", "--from", "none.tree"), "none.tree"),
    (("--words", "mine.txt", "--from", "."), "folder"),
    (("--words", "mine.txt", "--from", "mine.txt"), "mine.txt"),
    (("--patience", "3"), "--max-guesses N"),
    (("--patience", "-1", "--max-guesses", "5"), "--patience"),
    (("--whole", "0"), "--whole"),
    (("--whole", "101"), "--whole"),
    (("--words", "mine.txt", "--out", "."), "folder"),
    (("--words", "mine.txt", "--out", "/dev/full"), "plain file"),
    (("--words", "mine.txt", "--out", "mine.txt/mine.tree"), "mine.txt/mine.tree"),
    (("--words", "mine.txt", "--out", "/proc/mine.tree"), "/proc/mine.tree"),
    (("--words", "mine.txt", "--checkpoint", "/proc/mine.check"), "/proc/mine.check"),
    (("--words", "mine.txt", "--checkpoint", "mine.txt"), "damaged"),
    (("--words", "mine.txt", "--checkpoint", "."), "folder"),
    (("mine.txt",), "mine.txt"),
    (("--quick", "verify", "mine.tree"), "behind 'verify'"),
]


@pytest.mark.parametrize("options, said", REFUSED, ids=[" ".join(row[0]) for row in REFUSED])
def test_bad_input_is_refused_in_a_sentence(options, said, folder, capsys):
    (folder / "noise.bin").write_bytes(bytes(range(256)) * 20)
    (folder / "one.txt").write_text("ocean\n", encoding="ascii")
    (folder / "nine.txt").write_text("alligator\ncrocodile\n", encoding="ascii")
    code, out, err = jotto(capsys, "solve", *options)
    assert (code, out) == (2, "") and said in err and "Traceback" not in err
    here = sorted(path.name for path in folder.iterdir())
    assert here == ["mine.txt", "more.txt", "nine.txt", "noise.bin", "one.txt"]


def test_nothing_is_searched_for_a_file_that_cannot_be_written(folder, capsys, monkeypatch):
    monkeypatch.setattr(beam, "search_narrow", lambda bench: pytest.fail("searched"))
    assert jotto(capsys, "solve", "--out", "/proc/mine.tree")[0] == 2


def test_a_full_disk_keeps_the_old_tree_and_the_result(folder, capsys, monkeypatch):
    (folder / "mine.tree").write_bytes(b"old")

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    code, out, err = jotto(capsys, "solve", "--words", "mine.txt", "--out", "mine.tree", "--json")
    assert code == 2 and json.loads(out)["proven"] and "no space left" in err
    assert (folder / "mine.tree").read_bytes() == b"old" and not list(folder.glob(".*"))


def to_the_process():
    """Send Ctrl-C as a terminal does: the system chooses the thread."""
    os.kill(os.getpid(), signal.SIGINT)


def to_this_thread():
    """Send it where the main thread does not notice."""
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


@pytest.mark.parametrize("send", [to_the_process, to_this_thread])
@pytest.mark.parametrize("place", [(beam, "search_wide"), (search, "_raise_bounds")])
def test_ctrl_c_keeps_the_best_so_far(place, send, folder, capsys, monkeypatch):
    def interrupted_in(monkeypatch, module, name, send):
        found = getattr(module, name)

        def pressed(*arguments, **named):
            send()
            return found(*arguments, **named)

        monkeypatch.setattr(module, name, pressed)

    interrupted_in(monkeypatch, *place, send)
    code, out, err = jotto(
        capsys, "solve", "--prove", "--width", 2, "--out", "en.tree", "--checkpoint", "en.check", "--json"
    )
    assert out, (code, err)
    result = json.loads(out)
    assert (code, result["interrupted"], result["proven"]) == (130, True, False) and "Stopped" in err
    figures = json.loads(jotto(capsys, "solve", "verify", "en.tree", "--json")[1])
    assert figures["total"] == result["total"] and figures["lower_bound"] <= result["total"]
    assert (folder / "en.check").is_file()


def test_time_ends_a_search_as_well(folder, capsys):
    result = solved(capsys, "--time", "0.5", "--out", "en.tree")
    assert not result["interrupted"] and not result["proven"] and result["missed"] == 0
    assert "--time 0.5" in result["command"] and (folder / "en.tree").is_file()


def test_a_proof_goes_on_from_its_checkpoint(folder, capsys):
    first = solved(capsys, "--words", "more.txt", "--time", "0.3", "--checkpoint", "more.check")
    second = solved(capsys, "--words", "more.txt", "--time", "0.3", "--checkpoint", "more.check")
    assert second["lower_bound"] >= first["lower_bound"] and second["total"] <= first["total"]
    code, _, err = jotto(capsys, "solve", "--words", "mine.txt", "--checkpoint", "more.check")
    assert code == 2 and "another search" in err
    text = (folder / "more.check").read_text(encoding="ascii")
    for damaged in (text[: len(text) // 2], text.replace('"cost": 1', '"cost": 2'), "[]", "{}"):
        (folder / "bad.check").write_text(damaged, encoding="ascii")
        code, _, err = jotto(capsys, "solve", "--words", "more.txt", "--checkpoint", "bad.check")
        assert code == 2 and "damaged" in err and "bad.check" in err


@pytest.fixture
def written(folder, capsys):
    """Return the bytes of a tree for mine.txt."""
    jotto(capsys, "solve", "--words", "mine.txt", "--quick", "--out", "mine.tree")
    return (folder / "mine.tree").read_bytes()


def test_files_that_are_no_sound_tree_are_refused(folder, capsys, written):
    flipped = bytearray(written)
    flipped[len(written) // 2] ^= 1
    for content, said in [
        (b"", "not a tree"),
        (written[:-40], "cut off"),
        (bytes(flipped), "damaged"),
        (b"jotto tree 9\n", "version"),
        (b"x" * 9_000_000, "larger"),
    ]:
        (folder / "mine.tree").write_bytes(content)
        code, out, err = jotto(capsys, "solve", "verify", "mine.tree")
        assert (code, out) == (2, "") and said in err and err.count("\n") == 1


def test_a_search_begins_with_a_tree_and_is_never_worse(folder, capsys):
    poor = solved(capsys, "--words", "more.txt", "--beam-only", "--width", 1, "--out", "poor.tree")
    options = ("--words", "more.txt", "--from", "poor.tree", "--beam-only", "--width", 5, "--whole", 20)
    improved = solved(capsys, *options, "--out", "good.tree")
    assert improved["total"] < poor["total"] and "--from poor.tree --width 5 --whole 20" in improved["command"]
    assert solved(capsys, "--words", "more.txt", "--from", "good.tree", "--quick")["total"] == improved["total"]
    one, other = (solved(capsys, *options, "--threads", threads, "--out", f"{threads}.tree") for threads in (1, 3))
    assert (folder / "1.tree").read_bytes() == (folder / "3.tree").read_bytes() == (folder / "good.tree").read_bytes()
    assert one["total"] == other["total"] == improved["total"]


def test_a_tree_of_other_words_or_with_another_first_guess_is_no_beginning(folder, capsys, written):
    first = tree.read_tree(written).bound_to(FEW, JOTTO).word(0)
    other = next(word for word in FEW if word != first)
    for options, said in [
        (("--words", "more.txt"), "other words"),
        (("--rules", "mastermind"), "jotto"),
        (("--words", "mine.txt", "--first", other), f"'{other}'"),
    ]:
        code, out, err = jotto(capsys, "solve", *options, "--from", "mine.tree")
        assert (code, out) == (2, "") and said in err and err.count("\n") == 1, err
    assert jotto(capsys, "solve", "--words", "mine.txt", "--first", first, "--from", "mine.tree")[0] == 0


def test_trees_of_other_words_and_other_figures_are_refused(folder, capsys, written):
    code, _, err = jotto(capsys, "solve", "verify", "mine.tree", "--words", "more.txt")
    assert code == 2 and "other words" in err
    found = tree.read_tree(written)
    nodes = found._nodes
    lying = tree.write_tree(
        {**found.certificate, "total": found.certificate["total"] - 1}, nodes.guesses, nodes.answers, nodes.children
    )
    (folder / "mine.tree").write_bytes(lying)
    code, _, err = jotto(capsys, "solve", "verify", "mine.tree")
    assert code == 2 and "total" in err
    (folder / "mine.txt").unlink()
    code, _, err = jotto(capsys, "solve", "verify", "mine.tree")
    assert code == 2 and "--words" in err
    assert jotto(capsys, "solve", "verify", "none.tree")[0] == 2


def test_a_symbol_game_is_verified_without_a_list(folder, capsys):
    jotto(capsys, "solve", "--rules", "bulls", "--symbols", 6, "--out", "bulls.tree")
    assert json.loads(jotto(capsys, "solve", "verify", "bulls.tree", "--json")[1])["total"] == 1446
    code, _, err = jotto(capsys, "solve", "verify", "bulls.tree", "--words", "mine.txt")
    assert code == 2 and "--words" in err


def test_the_trees_that_come_with_the_game_hold_what_they_say(folder, capsys):
    for name in (*solve.trees_of(()), "en-proven"):
        result = json.loads(jotto(capsys, "solve", "verify", solve._wordlists() / f"{name}.tree", "--json")[1])
        assert result["verified"] and result["rules"] == replace_letters(JOTTO, result["rules"]["alphabet"]).plain()
        assert result["bytes"] < 12_000


def test_shipped_trees_are_the_same_whenever_they_are_made(folder, capsys, monkeypatch):
    few = Source("en", "".join(f"{word}\t{(10, 20, 35)[number % 3]}\n" for number, word in enumerate(WORDS)).encode())
    monkeypatch.setattr(solve.lists, "find", lambda name: few)
    monkeypatch.setattr(solve, "SHIPPED", {"en": ("en", "bands", SolveOptions(width=4, prove=False))})
    code, out, _ = jotto(capsys, "solve", "ship", "en", "--out", "lists", "--threads", 1)
    assert code == 0 and ": new, " in out
    code, out, _ = jotto(capsys, "solve", "ship", "en", "--out", "lists", "--check")
    assert code == 0 and ": the same, " in out
    (folder / "lists" / "en.tree").write_bytes(b"old")
    assert jotto(capsys, "solve", "ship", "en", "--out", "lists", "--check")[0] == 1


@pytest.mark.parametrize("arguments, code", [(("solve", "--quick"), 2), (("solve", "verify", "mine.tree"), 0)])
def test_without_numpy_a_sentence_says_what_to_install(arguments, code, folder, written):
    # The desk without the extra `solve`.
    bare = "import sys; sys.modules.update(numpy=None); from jotto_desk.cli import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", bare, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == code and ("pip install 'nao-jotto[solve]'" in ended.stderr) == (code == 2)
    assert ended.stderr.count("\n") == (code == 2)
