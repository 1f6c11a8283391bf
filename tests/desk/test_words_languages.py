"""Lists of languages: held to their recipes, built from small sources, begun anew; solved with their own letters."""

import gzip
import hashlib
import io
import json
import tarfile
from pathlib import Path

import msgpack
import numpy as np
import pytest
from command_line import jotto
from debian_files import archive_entry

from jotto import tree
from jotto.index import Index
from jotto.rules import JOTTO, LETTERS
from jotto.words import BlockList, fold_word, hash_blocked_word
from jotto_behaviour import mind
from jotto_desk import files, words
from jotto_desk.cli import options, solve
from jotto_desk.errors import DeskError
from jotto_desk.solver import cores, feedback_table
from jotto_desk.solver.reference import NumpyCore
from jotto_desk.words import building, lists

LISTS = files.shipped_path("wordlists")
LANGUAGES = lists.recipe_codes(LISTS)


def own(code, kind):
    letters = lists.read_recipe(LISTS, code).letters
    return {fold_word(word, letters) for word in lists.read_own_list(LISTS / f"{code}-{kind}.txt")}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_list_and_its_files_fit_together(code):
    recipe, listed = lists.read_recipe(LISTS, code), words.load(code, JOTTO)
    assert listed.letters == recipe.letters and 1700 < len(listed.words) < 2100
    assert (
        set(listed.bands) == set(lists.BAND_FREQUENCIES) and words.block_list(language=code).letters == recipe.letters
    )
    early, late = own(code, "early"), own(code, "late")
    assert early < set(listed.words) and not early & late and {*recipe.openers, *recipe.hard_openers} <= early
    written = {row.partition("\t")[0] for row in (LISTS / f"{code}.tsv").read_text(encoding="utf-8").splitlines()}
    assert not written & lists.read_own_list(LISTS / f"{code}-left-out.txt")
    for name, (_, _, searched) in solve.trees_of([code]).items():
        found = tree.read_tree((LISTS / f"{name}.tree").read_bytes()).bound_to(listed.words, listed.rules(JOTTO))
        assert found.word(0) == searched.first and "0" not in found.certificate["distribution"]
        assert "--symbols" not in found.certificate["command"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_late_word_is_asked_only_if_no_other_is_left(code):
    # Spanish "negro" is a late word there, and blocked in English.
    listed, late, asked = words.load(code, JOTTO), own(code, "late"), []
    index = Index(listed.words, listed.rules(JOTTO))
    for name in solve.trees_of([code]):
        walked = tree.read_tree((LISTS / f"{name}.tree").read_bytes()).bound_to(listed.words, listed.rules(JOTTO))
        sets = [(0, index.everything)]
        while sets:
            node, members = sets.pop()
            guess = walked.word(node)
            if guess in late and not late.issuperset(index.chosen(members)):
                asked.append((name, guess))
            sets += [
                (child, part)
                for answer, part in index.split(guess, members).items()
                if (child := walked.child(node, answer)) is not None
            ]
    assert asked == []


@pytest.mark.parametrize(
    "code, blocked, innocent",
    [
        ("fr", "merde merd\u00e9 MERDE\u0301", "c\u00f4te c\u00f4ne m\u00e8re"),
        ("de", "m\u00f6se mo\u0308se M\u00d6SE", "mose h\u00f6ren schw\u00fcl gr\u00fc\u00dfe"),
        ("es", "co\u00f1o con\u0303o CO\u00d1O", "cono a\u00f1o pi\u00f1a pina"),
    ],
)
def test_letters_of_their_own_tell_rude_words_from_innocent_ones(code, blocked, innocent):
    rude = words.block_list(language=code)
    assert [word for word in blocked.split() if not rude.blocks(word)] == []
    assert [word for word in innocent.split() if rude.blocks(word)] == []


#: German, small: words by their frequency, as wordfreq counts them, and a dictionary with an ending.
FREQUENT = {
    4.6: ["grosse", "hallo"],
    4.7: ["unten"],
    3.3: ["apfel", "grete", "möse", "tags"],
    3.0: ["tagen", "schon"],
    2.4: ["biber", "wolle", "wegen"],
    2.2: ["zebra"],
}
AFF = "SET UTF-8\nSFX A Y 1\nSFX A 0 n e\n"
DIC = "9\ngroße\nunten\nApfel\nGrete\nMöse\nTage/A\nschon\nBiber\nWolle\nwege/A\nZebra\nhallo\n"


def sources(place="usr/share/hunspell/de_DE"):
    """Return a recipe, frequencies and a package for it."""
    rows = [{"format": "cB", "version": 1}] + [[] for _ in range(700)]
    for zipf, found in FREQUENT.items():
        rows[1 + round((9 - zipf) * 100)] = found
    frequencies = gzip.compress(msgpack.packb(rows), mtime=0)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as tar:
        for end, text in ((".aff", AFF), (".dic", DIC)):
            member = tarfile.TarInfo(f"./{place}{end}")
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    package = b"!<arch>\n" + archive_entry("debian-binary", b"2.0\n") + archive_entry("data.tar.xz", packed.getvalue())
    dictionary = lists.DebianPackage("hunspell-de", "1:2", hashlib.sha256(package).hexdigest())
    pins = ("large_de.msgpack.gz", hashlib.sha256(frequencies).hexdigest())
    letters = LETTERS + "äöüß"
    return lists.Recipe("de", "German", letters, pins, dictionary, place, True, (), ()), frequencies, package


def test_a_list_is_built_of_what_is_frequent_and_accepted():
    recipe, frequencies, package = sources()
    rude = BlockList(frozenset([hash_blocked_word("möse", recipe.letters)]), recipe.letters)
    built = building.build_language_list(recipe, frequencies, package, ["grete"], rude)
    rows = [row for row in built.splitlines() if not row.startswith("#")]
    # Inflected forms are seldom; rare ones, names, blocked words and those of no dictionary are out.
    assert rows == [
        "große\t10",
        "hallo\t10",
        "unten\t10",
        "apfel\t35",
        "schon\t40",
        "biber\t50",
        "tagen\t50",
        "wolle\t50",
    ]
    assert (
        f"# Letters: {recipe.letters}\n" in built
        and "CC BY-SA 4.0" in built
        and recipe.dictionary.file_name == ("hunspell-de_1%3a2_all.deb")
    )
    for wrong in ((frequencies + b" ", package), (frequencies, package + b" ")):
        with pytest.raises(DeskError, match="SHA-256"):
            building.build_language_list(recipe, *wrong, [], rude)
    with pytest.raises(DeskError, match="no file"):
        lists.unpack_files(package, {"./elsewhere.aff"})


@pytest.mark.parametrize(
    "change, said",
    [
        ({"letters": "aab"}, "no alphabet"),
        ({"openers": [5]}, "another kind"),
        ({"dictionary": {}}, "no recipe"),
        ({"frequencies": {"file": "x", "sha256": "y"}}, "not a SHA-256"),
        (None, "not JSON"),
    ],
)
def test_a_recipe_with_a_fault_gets_a_sentence(tmp_path, change, said):
    plain = json.loads((LISTS / "fr.json").read_text(encoding="utf-8"))
    text = "{" if change is None else json.dumps({**plain, **change})
    (tmp_path / "it.json").write_text(text, encoding="utf-8")
    with pytest.raises(DeskError, match=said):
        lists.read_recipe(tmp_path, "it")
    with pytest.raises(DeskError, match="jotto words new nl"):
        lists.read_recipe(tmp_path, "nl")
    with pytest.raises(DeskError, match="no code"):
        lists.language_code("../x")


def test_a_further_language_is_begun_and_told_what_it_lacks(tmp_path, capsys, monkeypatch):
    (tmp_path / "wordlists").mkdir()
    (tmp_path / "lines_en.json").write_bytes(Path(mind.HERE, "lines_en.json").read_bytes())
    monkeypatch.setattr(files, "checkout_folder", lambda: tmp_path)
    monkeypatch.setattr(mind, "HERE", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    for wrong in ((), ("It<b>",), ("Italiano 2",)):
        assert jotto(capsys, "words", "new", "it", *wrong)[0] == 2
    assert jotto(capsys, "words", "new", "en", "English")[0] == 2
    code, out, _ = jotto(capsys, "words", "new", "it", "Italian", "--json")
    begun = json.loads(out)
    assert (
        code == 0
        and len(begun["written"]) == 7
        and any("No dictionary 'hunspell-it'" in each for each in begun["missing"])
    )
    # No dictionary could be had, so the recipe is still to be filled in.
    assert any("not a SHA-256" in each for each in begun["missing"])
    recipe = json.loads((tmp_path / "wordlists/it.json").read_text(encoding="utf-8"))
    recipe["dictionary"]["sha256"] = recipe["frequencies"]["sha256"] = "0" * 64
    (tmp_path / "wordlists/it.json").write_text(json.dumps(recipe), encoding="utf-8")
    (tmp_path / "wordlists/it-late.txt").write_text("morte\n", encoding="utf-8")
    again = json.loads(jotto(capsys, "words", "new", "it", "--json")[1])
    assert again["written"] == [] and (tmp_path / "wordlists/it-late.txt").read_text(encoding="utf-8") == "morte\n"
    said = " ".join(again["missing"])
    assert all(each in said for each in ("not built", "it-left-out", "openers", "in English", "NAOqi's three letters"))
    assert "it-late" not in said


@pytest.mark.parametrize("code", ["de", "es"])
def test_the_solver_plays_letters_of_a_language(code):
    chosen = options.choose_problem("jotto", code)
    assert len(chosen.problem.rules.alphabet) > 26
    plain = feedback_table.make_table(chosen.problem)
    fast = feedback_table.make_table(chosen.problem, cores.best_core().codes)
    assert (plain.rows == fast.rows).all() and (
        plain.rows == feedback_table.make_table(chosen.problem, NumpyCore().codes).rows
    ).all()
    rules, guesses = chosen.problem.rules, chosen.problem.guesses
    for guess, secret in np.random.default_rng(1).integers(len(guesses), size=(200, 2)):
        assert chosen.problem.classes[plain.rows[guess, secret]] == rules.score(guesses[guess], guesses[secret])
