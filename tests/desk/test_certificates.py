"""Certificates of proofs: `certificates/check.c` accepts true ones, and names the line where another is wrong."""

import gzip
import subprocess

import pytest
from interpreters import ROOT
from programs import need_program

from jotto.rules import BULLS, JOTTO, MASTERMIND
from jotto_desk.solver import certificate, cores, problem
from jotto_desk.solver.beam import SearchOptions
from jotto_desk.solver.search import ignore_progress, search_tree
from jotto_desk.words import lists

FOLDER = ROOT / "certificates"
LISTED = lists.load_list("en", JOTTO)


@pytest.fixture(scope="module")
def checker(tmp_path_factory):
    """Compile the checker with the warnings that matter."""
    program = tmp_path_factory.mktemp("checker") / "check"
    strict = ["-O3", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([need_program("cc"), *strict, "-o", program, FOLDER / "check.c"], check=True, timeout=60)

    def check(lines, processes=1):
        content = lines if isinstance(lines, bytes) else "".join(f"{line}\n" for line in lines).encode("ascii")
        done = subprocess.run([program, str(processes)], input=content, capture_output=True, timeout=60, check=False)
        return done.returncode, (done.stderr + done.stdout).decode("ascii")

    return check


def make_lines(game, searched):
    """Return the lines of a certificate; there are lemmas about sets of more than `searched` words."""
    core, options = cores.choose_best_core(), SearchOptions(width=3, threads=1)
    found = search_tree(game, core, options)
    assert found.proven
    content = certificate.make_certificate(found, "a game", ignore_progress, searched)
    return gzip.decompress(content).decode("ascii").splitlines()


@pytest.mark.parametrize("name, cost", [("mastermind-4-6", 5625), ("mastermind-5-5", 13496)])
def test_shipped_certificates_are_checked(name, cost, checker):
    """The second takes a few seconds; certificates/README.md has them all."""
    content = gzip.decompress((FOLDER / f"{name}.certificate.gz").read_bytes())
    assert checker(content.decode("ascii").splitlines(), 2)[0] == 0
    assert f"claim {cost}\n".encode("ascii") in content


def test_a_proof_is_written_and_checked(cli, checker, tmp_path):
    (tmp_path / "mine.txt").write_text("\n".join(LISTED.words[:80]), encoding="ascii")
    solved = cli.json("solve", "--words", "mine.txt", "--certificate", "mine.gz")
    lines = gzip.decompress((tmp_path / "mine.gz").read_bytes()).decode("ascii").splitlines()
    assert lines[1].endswith(f"mine.txt: 80 words, SHA-256 {solved['checksum']}")
    assert lines[9] == "lemmas 1"  # The checker searches every set of a list.
    assert f"claim {solved['total']}" in lines and checker(lines)[0] == 0
    lines[-2] = str(solved["total"] + 1)
    code, said = checker(lines)
    assert code == 1 and f"80 words should cost {lines[-2]}" in said


@pytest.mark.parametrize(
    "options, said",
    [
        ("--rules wordle --words mine.txt", "A certificate is only for a game whose answers count letters"),
        ("--weights bands", "A certificate is only for words that are equally likely"),
        ("--rules mastermind --length 7 --symbols 2", "at most 6 letters"),
        ("--words mine.txt --first house", "--certificate is for the best of all trees"),
        ("--words mine.txt --beam-only", "--certificate is only for a proof"),
    ],
)
def test_what_has_no_certificate_is_refused(options, said, cli, tmp_path):
    (tmp_path / "mine.txt").write_text("\n".join(LISTED.words[:80]), encoding="ascii")
    assert said in cli.refusal("solve", *options.split(), "--certificate", "mine.gz")
    assert not (tmp_path / "mine.gz").exists()


@pytest.fixture(scope="module")
def words():
    """Return the lines of a certificate with lemmas after one guess and after two."""
    return make_lines(problem.make_list_problem(LISTED.words[:350], JOTTO), 60)


@pytest.mark.parametrize(
    "game, searched, cost",
    [
        (
            problem.make_list_problem(("über", "aber", "ober", "oder"), JOTTO._replace(length=4, alphabet="abderoü")),
            60,
            8,
        ),
        (problem.make_list_problem(LISTED.words[:60], JOTTO, wider=LISTED.words[60:150]), 60, 169),
        (problem.make_symbol_problem(MASTERMIND._replace(alphabet="roygb")), 60, 2463),
        (problem.make_symbol_problem(BULLS._replace(alphabet="012345")), 60, 1446),
    ],
)
def test_certificates_of_each_kind_of_game_are_checked(game, searched, cost, checker):
    code, said = checker(make_lines(game, searched), 2)
    assert (code, said.splitlines()[-1]) == (0, f"CHECKED: no way of playing costs less than {cost}.")


#: The lines before the words; after them come the tree, the lemmas, the last of them about all words, and "end".
HEADER = 10


def plant(lines, place, text):
    """Return the lines with another text in one place, or none; {more}: the old one, its number raised by 20."""
    place %= len(lines)
    number, *steps = lines[place].split()
    fields = {"old": lines[place], "more": " ".join([str(int(number) + 20), *steps]) if number.isdigit() else ""}
    new = [] if text is None else text.format(first=lines[HEADER], **fields).split("|")
    found = [*lines[:place], *new, *lines[place + 1 :]]
    if HEADER <= place < len(lines) - 1:
        found[HEADER - 1] = f"lemmas {int(lines[HEADER - 1].split()[1]) + len(new) - 1}"
    return found


@pytest.mark.parametrize(
    "place, text, named, said",
    [
        # The lemma is used for the line after it; the line itself is wrong; the tree ends too early for the claim.
        (-3, None, -2, "the lines before show only"),
        (-3, "{more}", -3, "the lines before show only"),
        (7, "claim 1261", "tree", "the tree costs 1260, not 1261"),
        (7, "claim 1259", "tree", "the tree costs 1260, not 1259"),
        (-2, "1259", -1, "a lemma that all words cost 1260"),
        # Another list.
        (HEADER + 9, "{first}", HEADER + 10, "is in the list twice"),
        (HEADER + 9, "sixsix", HEADER + 10, "has not 5 letters"),
        (HEADER + 350, "xxxxx", HEADER + 351, "'xxxxx' is not in the list"),
        (HEADER + 351, "{first}|{first}", HEADER + 353, "tells nothing there"),
        # A file that is cut off or not a certificate, and numbers beyond the limits.
        (-1, None, 0, "the file ends here"),
        (0, "jotto tree 1", 1, "begin with 'jotto certificate 1'"),
        (9, "lemmas 99999999", 10, "a number from 1 to"),
        (5, "secrets 0", 6, "a number from 3 to 8000"),
        (5, "secrets", 6, "'secrets' should be"),
        (8, "search 9999", 9, "a number from 1 to 8000"),
        (3, "symbols 4", 10, "350 secrets, 350 guesses and 0 codes"),
        (-3, "{old} 11", -3, "should be a cost of 3 words or more"),
        (-3, "9999999", -3, "should be a cost"),
        (-3, "9 {first} 99", -3, "'99' is not an answer"),
        (-3, "9" + " {first} 00" * 7, -3, "more than 6 guesses"),
        (-3, "9" * 500, -3, "longer than 200 bytes"),
    ],
)
def test_every_planted_error_is_refused_with_its_line(place, text, named, said, words, checker):
    lines = plant(words, place, text)
    if named == "tree":
        named = len(lines) - 1 - int(lines[HEADER - 1].split()[1])
    elif named <= 0:
        named += len(lines) + 1
    code, refusal = checker(lines)
    assert code == 1 and "CHECKED" not in refusal
    assert f"REFUSED: line {named}: " in refusal and said in refusal, refusal
