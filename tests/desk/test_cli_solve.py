"""`jotto solve`: what it prints and writes, what it refuses, and that it ends properly however it is ended."""

import errno
import json
import os
import signal
import sys
import threading

import pytest
from command_line import install_extra
from engine_words import WORDS
from processes import process

from jotto import tree
from jotto.rules import JOTTO
from jotto.words import replace_letters
from jotto_desk import files
from jotto_desk.cli import solve
from jotto_desk.cli.solve_options import SolveOptions
from jotto_desk.solver import beam, cores, search
from jotto_desk.words import lists
from jotto_desk.words.lists import Source

FEW = WORDS[::9]


@pytest.fixture
def folder(tmp_path, cli):
    """Provide a folder to work in, with a list of a few words and no files of this computer's owner."""
    (tmp_path / "mine.txt").write_text("\n".join(FEW) + "\n", encoding="ascii")
    (tmp_path / "more.txt").write_text("\n".join(WORDS) + "\n", encoding="ascii")
    return tmp_path


# Options, total, most turns; test_records.py has more games.
@pytest.mark.parametrize(
    "options, total, most",
    [
        (("--rules", "mastermind"), 5625, 6),
        (("--rules", "mastermind", "--max-guesses", 5), 5626, 5),
        (("--rules", "bulls", "--symbols", 6), 1446, 5),
    ],
)
def test_known_optima_are_found_and_proven(options, total, most, folder, cli):
    result = cli.json("solve", *options, "--out", "symbols.tree")
    assert (result["total"], result["lower_bound"], result["max"], result["proven"]) == (total, total, most, True)
    assert sum(int(turn) * count for turn, count in result["distribution"].items()) == total
    assert result["mean"] == pytest.approx(total / result["secrets"])
    # It is verified without a list.
    assert cli.json("solve", "verify", "symbols.tree")["total"] == total
    assert "--words" in cli.refusal("solve", "verify", "symbols.tree", "--words", "mine.txt")


def test_the_best_first_guesses_are_listed_with_exact_totals(folder, cli):
    one = cli.json("solve", "--words", "mine.txt")
    many = cli.json("solve", "--words", "mine.txt", "--top", 3, "--out", "mine.tree")
    totals = [row["total"] for row in many["first_guesses"]]
    assert many["list_proven"] and totals == sorted(totals) and totals[0] == one["total"] == many["total"]
    for row in many["first_guesses"]:
        assert cli.json("solve", "--words", "mine.txt", "--first", row["guess"])["total"] == row["total"]
    assert many["first"] == many["first_guesses"][0]["guess"]
    assert cli.json("solve", "verify", "mine.tree")["total"] == totals[0]
    assert "Proven: these totals are exact" in cli("solve", "--words", "mine.txt", "--top", 3)[1]


def test_in_mid_game_the_next_guesses_and_the_tree_are_shown(folder, cli):
    (folder / "five.txt").write_text("batch\ncatch\nhatch\nmatch\nlatch\nclimb\n", encoding="ascii")
    turn = ("solve", "--rules", "wordle", "--words", "five.txt", "--after", "patch=02222")
    easy, hard = cli.json(*turn), cli.json(*turn, "--hard")
    # CLIMB tells all five apart; hard mode forbids it, so that one word is asked after the other.
    assert easy["first_guesses"][0]["guess"] == "climb" and easy["total"] == 10
    assert (hard["first"], hard["total"], hard["max"], hard["hard"]) == ("batch", 1 + 2 + 3 + 4 + 5, 5, True)
    assert easy["after"] == ["patch NEEEE"] and easy["tree"]["guess"] == "climb"
    assert "--hard --after 'patch NEEEE'" in hard["command"]
    code, out, _ = cli(*turn)
    assert code == 0 and "wordle, list five.txt after PATCH NEEEE: 5 words" in out and "Next guess CLIMB" in out
    assert "\nCLIMB\n" in out and "\n  ENNNN: CATCH" in out
    assert cli.json(*turn, "--first", "climb")["total"] == 10


def test_hard_mode_is_verified_if_the_certificate_says_it(folder, cli):
    (folder / "six.txt").write_text("batch\ncatch\nhatch\nmatch\nlatch\nclimb\n", encoding="ascii")
    command = ("solve", "--rules", "wordle", "--words", "six.txt", "--first", "batch", "--out", "six.tree")
    cli(*command, "--hard")
    assert cli.json("solve", "verify", "six.tree")["hard"] is True
    cli(*command)
    assert "hard" not in cli.json("solve", "verify", "six.tree")
    lie(folder / "six.tree", hard=True)
    assert "CLIMB: the 2nd letter must be A" in cli.refusal("solve", "verify", "six.tree")
    lie(folder / "six.tree", hard="no")
    assert "hard mode" in cli.refusal("solve", "verify", "six.tree")
    codes = ("--rules", "mastermind", "--symbols", 3, "--first", "0012", "--out", "codes.tree")
    assert cli.json("solve", *codes)["first"] == "rroy"
    lie(folder / "codes.tree", hard=True)
    assert "hard mode" in cli.refusal("solve", "verify", "codes.tree")


def test_numpy_is_mentioned_once_and_only_if_it_takes_seconds_longer(folder, cli, monkeypatch):
    monkeypatch.setattr(cores, "name_library", lambda: "missing.so")
    for command in ("solve", "bench", "bench compare"):
        assert cli(*command.split(), "--words", "mine.txt", "--json")[::2] == (0, ""), command
    monkeypatch.setattr(cores, "SLOW_TO_SOLVE", len(FEW) ** 2)
    sentence = "The solver runs on numpy, slower, because 'missing.so' is not built; with a C compiler, `make native` "
    assert cli("solve", "--words", "mine.txt")[2] == sentence + "makes it fast.\n"
    monkeypatch.undo()
    listed = len(lists.load_list("en", JOTTO).words)
    assert cores.SLOW_TO_SOLVE < listed**2 < cores.SLOW_TO_PLAY


def test_json_tells_the_figures_of_any_first_guess_and_of_more_words_to_ask(folder, cli):
    result = cli.json("solve", "--words", "mine.txt")
    figures = "total mean max distribution lower_bound proven first seconds list words command core cores"
    assert set(result) >= set(figures.split())
    assert (result["list"], result["words"], result["guesses"]) == ("mine.txt", len(FEW), len(FEW))
    assert result["proven"] is True and result["first"] in FEW
    assert result["command"] == "jotto solve --rules jotto --words mine --weights uniform"
    wider = cli.json("solve", "--words", "mine.txt", "--wider", "more.txt")
    assert wider["total"] <= result["total"] and wider["guesses"] > wider["words"] == len(FEW)
    given = cli.json("solve", "--words", "mine.txt", "--first", FEW[-1].title())
    assert given["first"] == FEW[-1] and given["total"] >= result["total"]


def test_people_get_a_table_and_the_distance_from_the_possible(folder, cli):
    code, out, _ = cli("solve", "--words", "mine.txt")
    assert code == 0 and "Proven: no tree does better." in out and "jotto, list mine.txt: 50 words" in out
    _, out, _ = cli("solve", "--words", "mine.txt", "--quick")
    assert "the best there is may be better by" in out and "This was a quick search" in out


def test_weighted_figures_are_in_one_unit(folder, cli):
    listed = "".join(f"{word}\t{(10, 20, 35, 40, 50)[number % 5]}\n" for number, word in enumerate(FEW))
    (folder / "heavy.tsv").write_text(listed, encoding="ascii")
    result = cli.json("solve", "--words", "heavy.tsv", "--weights", "bands", "--out", "heavy.tree")
    assert result["proven"] and result["weighted_total"] == result["lower_bound"] and result["weights"] == "bands"
    verified = cli.json("solve", "verify", "heavy.tree")
    assert verified["weighted_total"] == result["lower_bound"]


def test_misses_are_counted_where_they_are_allowed(folder, cli):
    result = cli.json("solve", "--words", "more.txt", "--max-guesses", 3, "--miss", 2, "--beam-only", "--width", 2)
    assert result["missed"] > 0 and result["missed"] + sum(result["distribution"].values()) == result["words"]
    # Without the C part a remark comes first.
    code, _, err = cli("solve", "--words", "more.txt", "--max-guesses", 3, "--quick")
    assert code == 2 and "allow more" in err


def test_a_tree_is_written_verified_and_played(folder, cli):
    code, _, err = cli("solve", "--words", "mine.txt", "--out", "mine.tree")
    assert code == 0 and "jotto play --words mine.txt" in err
    result = cli.json("solve", "verify", "mine.tree")
    assert result["verified"] and result["proven"] and result["list"] == "mine" and result["words"] == len(FEW)
    _, out, _ = cli("solve", "verify", "mine.tree")
    assert "every one of its 50 words of the list 'mine' was played" in out
    played = cli.json("rehearse", "--all", "--words", "mine.txt", "--strategy", "tree", "--jobs", 1)
    assert (played["histogram"], played["strategy"]) == (result["distribution"], "tree")


def test_a_tree_names_no_folder_and_no_day(folder, cli):
    (folder / "deep").mkdir()
    (folder / "deep" / "my words.txt").write_text("\n".join(FEW), encoding="ascii")
    for name in ("one.tree", "two.tree"):
        cli("solve", "--words", folder / "deep" / "my words.txt", "--out", folder / name)
    content = (folder / "one.tree").read_bytes()
    assert content == (folder / "two.tree").read_bytes() and str(folder).encode() not in content
    assert (
        tree.parse_tree(content).certificate["command"]
        == "jotto solve --rules jotto --words 'my words' --weights uniform"
    )


@pytest.mark.parametrize(
    "game", [("--words", "more.txt", "--width", 4, "--max-guesses", 6), ("--rules", "mastermind", "--beam-only")]
)
def test_the_number_of_threads_changes_nothing_and_missing_folders_are_made(game, folder, cli):
    for threads in (1, 3):
        assert cli("solve", *game, "--threads", threads, "--out", f"new/folder/{threads}.tree")[0] == 0
    assert (folder / "new/folder/1.tree").read_bytes() == (folder / "new/folder/3.tree").read_bytes()


@pytest.mark.parametrize(
    "options, said",
    [
        ("--width 0", "--width"),
        ("--time 0", "0"),
        ("--time inf", "inf"),
        ("--length 99", "--length"),
        ("--length 0", "--length"),
        ("--rules mastermind --symbols 0", "--symbols"),
        ("--rules mastermind --symbols 36 --length 15", "codes"),
        ("--symbols 6", "--symbols"),
        ("--memory 1e9", "--memory"),
        ("--memory 1048576", "this machine has"),
        ("--threads 0", "--threads"),
        ("--max-guesses -3", "--max-guesses"),
        ("--miss 3", "--max-guesses N"),
        ("--rules chess", "'chess'"),
        ("--weights heavy", "'heavy'"),
        ("--weights bands --words mine.txt", "how common"),
        ("--words .", "folder"),
        ("--words /dev/null", "/dev/null"),
        ("--words noise.bin", "noise.bin"),
        ("--words one.txt", "only one word"),
        ("--first zzzzz", "'zzzzz'"),
        ("--rules mastermind --first rrrrr", "'rrrrr'"),
        ("--rules wordle --length 9 --words nine.txt", "5 letters at most"),
        ("--quick --prove", "--quick"),
        ("--beam-only --checkpoint c", "--checkpoint"),
        ("--beam-only --gap 1", "--gap"),
        ("--beam-only --cluster tcp://127.0.0.1:1", "--cluster"),
        ("--words mine.txt --cluster nonsense", "'nonsense'"),
        ("--words mine.txt --cluster tcp://127.0.0.1:99999", "99999"),
        ("--words mine.txt --from none.tree", "none.tree"),
        ("--words mine.txt --from .", "folder"),
        ("--words mine.txt --from mine.txt", "mine.txt"),
        ("--patience 3", "--max-guesses N"),
        ("--patience -1 --max-guesses 5", "--patience"),
        ("--whole 0", "--whole"),
        ("--whole 101", "--whole"),
        ("--words mine.txt --out .", "folder"),
        ("--words mine.txt --out /dev/full", "plain file"),
        ("--words mine.txt --out mine.txt/mine.tree", "mine.txt/mine.tree"),
        ("--words mine.txt --out /proc/mine.tree", "/proc/mine.tree"),
        ("--words mine.txt --checkpoint /proc/mine.check", "/proc/mine.check"),
        ("--words mine.txt --checkpoint mine.txt", "damaged"),
        ("--words mine.txt --checkpoint .", "folder"),
        ("mine.txt", "mine.txt"),
        ("--quick verify mine.tree", "after 'verify'"),
        ("--early mine.txt --prove", "--early limits the guesses of a beam; leave --early or --prove out"),
        ("--top 0", "--top"),
        ("--top 3 --first ocean", "leave --top or --first out"),
        ("--top 3 --checkpoint top.check", "leave --top or --checkpoint out"),
        ("--words mine.txt --after ocean", "'ocean'"),
        ("--words mine.txt --after ocean=12 --out x.tree", "--after"),
        ("--words mine.txt --after ocean=50 --after ocean=00", "No word fits"),
        ("--certificate c --max-guesses 5", "leave --certificate or --max-guesses out"),
        ("--late mine.txt --from x.tree", "leave --late or --from out"),
        ("--words mine.txt --hard", "'jotto' has no hard mode"),
        ("--rules wordle --words mine.txt --hard --after ocean=00100 --after ocean=00000", "No word fits"),
        ("--rules wordle --words mine.txt --hard --after ocean=00100 --after pious=00000", "must contain E"),
        ("--rules wordle --words mine.txt --hard --from mine.tree", "leave them out, or --hard"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(options, said, folder, cli, monkeypatch):
    monkeypatch.setattr(beam, "search_narrow", lambda bench: pytest.fail("searched"))
    (folder / "noise.bin").write_bytes(bytes(range(256)) * 20)
    (folder / "one.txt").write_text("ocean\n", encoding="ascii")
    (folder / "nine.txt").write_text("alligator\ncrocodile\n", encoding="ascii")
    code, out, err = cli("solve", *options.split())
    assert (code, out) == (2, "") and said in err and "Traceback" not in err
    # Nothing is searched for a file that cannot be written, and nothing is left.
    here = sorted(path.name for path in folder.iterdir())
    assert here == ["mine.txt", "more.txt", "nine.txt", "noise.bin", "one.txt"]


def test_a_full_disk_keeps_the_old_tree_and_the_result(folder, cli, monkeypatch):
    (folder / "mine.tree").write_bytes(b"old")

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    code, out, err = cli("solve", "--words", "mine.txt", "--out", "mine.tree", "--json")
    assert code == 2 and json.loads(out)["proven"] and "no space left" in err
    assert (folder / "mine.tree").read_bytes() == b"old" and not list(folder.glob(".*"))


@pytest.mark.parametrize(
    "module, name, send",
    [
        # As a terminal sends it: the system chooses the thread.
        (beam, "search_wide", lambda: os.kill(os.getpid(), signal.SIGINT)),
        # Where the main thread does not notice.
        (search, "raise_bounds", lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT)),
    ],
)
def test_ctrl_c_keeps_the_best_so_far(module, name, send, folder, cli, monkeypatch):
    found = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *arguments, **named: send() or found(*arguments, **named))
    kept = ("--out", "en.tree", "--checkpoint", "en.check")
    code, out, err = cli("solve", "--prove", "--width", 2, *kept, "--json")
    assert out, (code, err)
    result = json.loads(out)
    assert (code, result["interrupted"], result["proven"]) == (130, True, False) and "Stopped" in err
    figures = cli.json("solve", "verify", "en.tree")
    assert figures["total"] == result["total"] and figures["lower_bound"] <= result["total"]
    assert (folder / "en.check").is_file()


def test_time_ends_a_search_as_well(folder, cli):
    result = cli.json("solve", "--time", "0.5", "--out", "en.tree")
    assert not result["interrupted"] and not result["proven"] and result["missed"] == 0
    assert "--time 0.5" in result["command"] and (folder / "en.tree").is_file()


def test_a_proof_goes_on_from_its_checkpoint(folder, cli):
    first = cli.json("solve", "--words", "more.txt", "--time", "0.3", "--checkpoint", "more.check")
    second = cli.json("solve", "--words", "more.txt", "--time", "0.3", "--checkpoint", "more.check")
    assert second["lower_bound"] >= first["lower_bound"] and second["total"] <= first["total"]
    assert "another search" in cli.refusal("solve", "--words", "mine.txt", "--checkpoint", "more.check")
    text = (folder / "more.check").read_text(encoding="ascii")
    for damaged in (text[: len(text) // 2], text.replace('"cost": 1', '"cost": 2'), "[]", "{}"):
        (folder / "bad.check").write_text(damaged, encoding="ascii")
        said = cli.refusal("solve", "--words", "more.txt", "--checkpoint", "bad.check")
        assert "damaged" in said and "bad.check" in said


@pytest.fixture
def written(folder, cli):
    cli("solve", "--words", "mine.txt", "--quick", "--out", "mine.tree")
    return (folder / "mine.tree").read_bytes()


def test_files_that_are_no_sound_tree_are_refused(folder, cli, written):
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
        assert said in cli.refusal("solve", "verify", "mine.tree")


def test_a_search_begins_with_a_tree_and_is_never_worse(folder, cli):
    poor = cli.json("solve", "--words", "more.txt", "--beam-only", "--width", 1, "--out", "poor.tree")
    options = ("--words", "more.txt", "--from", "poor.tree", "--beam-only", "--width", 5, "--whole", 20)
    improved = cli.json("solve", *options, "--out", "good.tree")
    assert improved["total"] < poor["total"] and "--from poor.tree --width 5 --whole 20" in improved["command"]
    assert cli.json("solve", "--words", "more.txt", "--from", "good.tree", "--quick")["total"] == improved["total"]
    one, other = (cli.json("solve", *options, "--threads", threads, "--out", f"{threads}.tree") for threads in (1, 3))
    assert (folder / "1.tree").read_bytes() == (folder / "3.tree").read_bytes() == (folder / "good.tree").read_bytes()
    assert one["total"] == other["total"] == improved["total"]


def test_a_tree_of_other_words_or_with_another_first_guess_is_no_beginning(folder, cli, written):
    first = tree.parse_tree(written).bound_to(FEW, JOTTO).word(0)
    other = next(word for word in FEW if word != first)
    for options, said in [
        (("--words", "more.txt"), "other words"),
        (("--rules", "mastermind"), "jotto"),
        (("--words", "mine.txt", "--first", other), f"'{other}'"),
    ]:
        assert said in cli.refusal("solve", *options, "--from", "mine.tree")
    assert cli("solve", "--words", "mine.txt", "--first", first, "--from", "mine.tree")[0] == 0


def lie(path, **changes):
    """Change the certificate of a tree file."""
    found = tree.parse_tree(path.read_bytes())
    nodes = found._nodes
    changed = {**found.certificate, **changes}
    path.write_bytes(tree.write_tree(changed, nodes.guesses, nodes.answers, nodes.children))


def test_trees_of_other_words_and_other_figures_are_refused(folder, cli, written):
    assert "other words" in cli.refusal("solve", "verify", "mine.tree", "--words", "more.txt")
    lie(folder / "mine.tree", total=tree.parse_tree(written).certificate["total"] - 1)
    assert "total" in cli.refusal("solve", "verify", "mine.tree")
    (folder / "mine.txt").unlink()
    assert "--words" in cli.refusal("solve", "verify", "mine.tree")
    assert cli("solve", "verify", "none.tree")[0] == 2


def test_the_trees_that_come_with_the_game_hold_what_they_say(folder, cli):
    for name in (*solve.list_shipped_trees(()), "en-proven"):
        result = cli.json("solve", "verify", solve._find_wordlists() / f"{name}.tree")
        assert result["verified"] and result["rules"] == replace_letters(JOTTO, result["rules"]["alphabet"]).plain()
        assert result["bytes"] < 12_000 and "0" not in result["distribution"]
        assert result["words"] == len(lists.load_list(result["list"], JOTTO).words)
        content = (solve._find_wordlists() / f"{name}.tree").read_bytes()
        assert not any(map(lists.load_block_list(False, name[:2]).blocks, tree.parse_tree(content).extra))


def test_shipped_trees_are_the_same_whenever_they_are_made(folder, cli, monkeypatch):
    few = Source("en", "".join(f"{word}\t{(10, 20, 35)[number % 3]}\n" for number, word in enumerate(WORDS)).encode())
    monkeypatch.setattr(solve.lists, "find", lambda name: few)
    monkeypatch.setattr(solve, "SHIPPED", {"en": ("en", "bands", SolveOptions(width=4, prove=False))})
    code, out, _ = cli("solve", "ship", "en", "--out", "lists", "--threads", 1)
    assert code == 0 and ": new, " in out
    code, out, _ = cli("solve", "ship", "en", "--out", "lists", "--check")
    assert code == 0 and ": the same, " in out
    (folder / "lists" / "en.tree").write_bytes(b"old")
    assert cli("solve", "ship", "en", "--out", "lists", "--check")[0] == 1


@pytest.mark.parametrize("arguments, code", [(("solve", "--quick"), 2), (("solve", "verify", "mine.tree"), 0)])
def test_without_numpy_a_sentence_says_what_to_install(arguments, code, folder, written):
    # The desk without the extra `solve`.
    bare = "import sys; sys.modules.update(numpy=None); from jotto_desk.cli import main; main()"
    ended = process(sys.executable, "-c", bare, *arguments)
    assert ended.returncode == code and (install_extra("solve") in ended.stderr) == (code == 2)
    assert ended.stderr.count("\n") == (code == 2)
