"""The lists that come with the game: their sources, form and numbers; lists of languages and their recipes."""

import gzip
import hashlib
import io
import json
import os
import tarfile
from dataclasses import replace
from pathlib import Path

import msgpack
import numpy as np
import pytest
from debian_files import archive_entry

from jotto import tree
from jotto.index import Index
from jotto.rules import JOTTO, LETTERS
from jotto.words import BlockList, fold_word, hash_blocked_word
from jotto_behaviour import mind
from jotto_desk import files
from jotto_desk.cli import options, solve
from jotto_desk.errors import DeskError
from jotto_desk.solver import cores, feedback_table
from jotto_desk.solver.reference import NumpyCore
from jotto_desk.words import building, lists

LISTS = files.shipped_path("wordlists")
NONE = BlockList(frozenset())


def packed(contents):
    """Pack a Debian package that holds these files, in bytes."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as tar:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": data.getvalue()}
    return b"!<arch>\n" + b"".join(archive_entry(name, content) for name, content in parts.items())


def test_the_english_list_is_sorted_by_commonness_without_blocked_words(monkeypatch):
    listed = {
        "english-words.10": "ocean\nOcean\nquilt\nhouses\n",
        "american-words.10": "color\n",
        "english-words.20": "ocean\nbirds\ncaf\xe9s\nit's\n",
        "american-words.50": "adobe\n",
    }
    names = [f"{variety}-words.{band}" for band in building.SCOWL_BANDS for variety in building.SCOWL_VARIETIES]
    small = packed({f"{building.SCOWL_FOLDER}/{name}": listed.get(name, "").encode("latin-1") for name in names})
    monkeypatch.setattr(building, "SCOWL", replace(building.SCOWL, sha256=hashlib.sha256(small).hexdigest()))
    rows = "color\t10\nocean\t10\nquilt\t10\nbirds\t20\nadobe\t50\n"
    assert building.build_english_list(small, NONE) == building.ENGLISH_HEADER + rows
    assert "birds" not in building.build_english_list(small, BlockList(frozenset([hash_blocked_word("birds")])))
    with pytest.raises(DeskError, match="SHA-256"):
        building.build_english_list(b"!<arch>\n", NONE)
    for archive in (b"", b"PK\3\4", b"!<arch>\n" + b"x" * 60, b"!<arch>\n" + b" " * 58 + b"`\n"):
        with pytest.raises(DeskError, match="package"):
            list(lists.archive_members(archive))


def test_the_package_is_taken_from_the_file_or_the_copy_or_downloaded(tmp_path, monkeypatch):
    (tmp_path / building.SCOWL.file_name).write_bytes(b"copy")
    (tmp_path / "other.deb").write_bytes(b"named")
    assert building.SCOWL.get(None, tmp_path) == b"copy"
    assert building.SCOWL.get(tmp_path / "other.deb", tmp_path) == b"named"
    with pytest.raises(DeskError, match=r"missing\.deb"):
        building.SCOWL.get(tmp_path / "missing.deb", tmp_path)
    program, cache = tmp_path / "bin" / "apt-get", tmp_path / "cache"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join([str(program.parent), "/usr/bin", "/bin"]))
    for does in ("printf fresh > scowl_2020.12.07-2_all.deb", "echo E: no such package >&2; exit 100"):
        program.write_text(f'#!/bin/sh\n[ "$*" = "--quiet download scowl=2020.12.07-2" ] || exit 100\n{does}\n')
        program.chmod(0o755)
        if "fresh" in does:
            assert building.SCOWL.get(None, cache) == b"fresh"
    assert (cache / building.SCOWL.file_name).read_bytes() == b"fresh"
    with pytest.raises(DeskError, match="could not get"):
        building.SCOWL.get(None, tmp_path / "other")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeskError, match="'apt-get' is not there"):
        building.SCOWL.get(None, tmp_path / "other")


def test_the_shipped_lists_have_their_form_and_numbers():
    blocked = ("blocked.sha256", "de-blocked.sha256", "es-blocked.sha256", "fr-blocked.sha256")
    names = ("de.tsv", "en.tsv", "es.tsv", "fr.tsv", *sorted(blocked, key=len))
    checked = building.check_all_lists(LISTS)
    assert [(found.name, found.findings) for found in checked] == [(name, ()) for name in names]
    english = checked[1]
    assert (english.words, english.isograms) == (4348, 2920)
    assert english.bands == {10: (600, 429), 20: (758, 526), 35: (2053, 1372), 40: (208, 136), 50: (729, 457)}


def test_faults_of_a_list_are_found():
    rude = BlockList(frozenset([hash_blocked_word("birds")]))
    for raw, finding in [
        (b"ocean\t10\nquilt\t10", "does not end"),
        (b"quilt\t10\nocean\t10\n", "'quilt' stands before 'ocean'"),
        (b"ocean\t20\nquilt\t10\n", "'ocean' stands before 'quilt'"),
        (b"ocean\t10\nocean\t20\n", "'ocean' stands twice"),
        (b"ocean 10\n", "line 1, 'ocean 10'"),
        (b"Ocean\t10\n", "line 1"),
        (b"oceans\t10\n", "line 1"),
        (b"ocean\t10\r\n", "line 1"),
        (b"ocean\t10\n# late\n", "line 2"),
        (b"ocean\t10\nquilt\t10\nbirds\t20\n", "place 3 is blocked"),
    ]:
        assert any(finding in each for each in building.check_list("test", raw, rude).findings), raw
    findings = building.check_list("test", b"x\n" * 50, NONE).findings
    assert len(findings) == 11 and findings[-1] == "and 40 more"


def test_wrong_numbers_in_the_sources_are_found_and_only_those_are_renewed(tmp_path):
    (tmp_path / "en.tsv").write_text("ocean\t10\n")
    (tmp_path / "blocked.sha256").write_text("b\n")
    (tmp_path / "SOURCES.md").write_text("# Lists\n" + building.TOP + building.END + "the end\n")
    english, blocked = building.check_all_lists(tmp_path)
    assert "SOURCES.md says other numbers" in english.findings[0] and "not a SHA-256" in blocked.findings[0]
    sources = (LISTS / "SOURCES.md").read_text("utf-8")
    assert building.renew_sources(sources, building.measure_lists(LISTS)) == sources
    with pytest.raises(DeskError, match="put them back"):
        building.renew_sources("# no place", [])


LANGUAGES = lists.recipe_codes(LISTS)


def own(code, kind):
    letters = lists.read_recipe(LISTS, code).letters
    return {fold_word(word, letters) for word in lists.read_own_list(LISTS / f"{code}-{kind}.txt")}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_list_and_its_files_fit_together(code):
    recipe, listed = lists.read_recipe(LISTS, code), lists.load(code, JOTTO)
    assert listed.letters == recipe.letters and 1700 < len(listed.words) < 2100
    assert (
        set(listed.bands) == set(lists.BAND_FREQUENCIES) and lists.block_list(language=code).letters == recipe.letters
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
def test_a_late_word_is_guessed_only_if_no_other_is_left(code):
    # Spanish "negro" is a late word there, and blocked in English.
    listed, late, asked = lists.load(code, JOTTO), own(code, "late"), []
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
    "code, blocked, harmless",
    [
        ("fr", "merde merd\u00e9 MERDE\u0301", "c\u00f4te c\u00f4ne m\u00e8re"),
        ("de", "m\u00f6se mo\u0308se M\u00d6SE", "mose h\u00f6ren schw\u00fcl gr\u00fc\u00dfe"),
        ("es", "co\u00f1o con\u0303o CO\u00d1O", "cono a\u00f1o pi\u00f1a pina"),
    ],
)
def test_letters_of_a_language_tell_rude_words_from_harmless_ones(code, blocked, harmless):
    rude = lists.block_list(language=code)
    assert [word for word in blocked.split() if not rude.blocks(word)] == []
    assert [word for word in harmless.split() if rude.blocks(word)] == []


def test_a_list_has_the_frequent_words_of_the_dictionary():
    # German, small: words by their frequency, as wordfreq counts them, and a dictionary with an ending.
    rows = [{"format": "cB", "version": 1}] + [[] for _ in range(700)]
    for zipf, found in {
        4.6: ["grosse", "hallo"],
        4.7: ["unten"],
        3.3: ["apfel", "grete", "möse", "tags"],
        3.0: ["tagen", "schon"],
        2.4: ["biber", "wolle", "wegen"],
        2.2: ["zebra"],
    }.items():
        rows[1 + round((9 - zipf) * 100)] = found
    frequencies, place = gzip.compress(msgpack.packb(rows), mtime=0), "usr/share/hunspell/de_DE"
    listed = "9\ngroße\nunten\nApfel\nGrete\nMöse\nTage/A\nschon\nBiber\nWolle\nwege/A\nZebra\nhallo\n"
    texts = {f"./{place}.aff": b"SET UTF-8\nSFX A Y 1\nSFX A 0 n e\n", f"./{place}.dic": listed.encode()}
    package = packed(texts)
    dictionary = lists.DebianPackage("hunspell-de", "1:2", hashlib.sha256(package).hexdigest())
    pins = ("large_de.msgpack.gz", hashlib.sha256(frequencies).hexdigest())
    recipe = lists.Recipe("de", "German", LETTERS + "äöüß", pins, dictionary, place, True, (), ())
    rude = BlockList(frozenset([hash_blocked_word("möse", recipe.letters)]), recipe.letters)
    built = building.build_language_list(recipe, frequencies, package, ["grete"], rude)
    # Inflected forms are seldom; rare ones, names, blocked words and those of no dictionary are out.
    wanted = "große 10|hallo 10|unten 10|apfel 35|schon 40|biber 50|tagen 50|wolle 50"
    found = [row.replace("\t", " ") for row in built.splitlines() if not row.startswith("#")]
    assert "|".join(found) == wanted and f"# Letters: {recipe.letters}\n" in built and "CC BY-SA 4.0" in built
    assert recipe.dictionary.file_name == "hunspell-de_1%3a2_all.deb"
    for wrong in ((frequencies + b" ", package), (frequencies, package + b" ")):
        with pytest.raises(DeskError, match="SHA-256"):
            building.build_language_list(recipe, *wrong, [], rude)
    with pytest.raises(DeskError, match="no file"):
        lists.unpack_files(package, {"./elsewhere.aff"})


def test_a_wrong_recipe_gets_a_sentence(tmp_path):
    plain = json.loads((LISTS / "fr.json").read_text(encoding="utf-8"))
    for change, said in [
        ({"letters": "aab"}, "no alphabet"),
        ({"openers": [5]}, "another kind"),
        ({"dictionary": {}}, "no recipe"),
        ({"frequencies": {"file": "x", "sha256": "y"}}, "not a SHA-256"),
        (None, "not JSON"),
    ]:
        text = "{" if change is None else json.dumps({**plain, **change})
        (tmp_path / "it.json").write_text(text, encoding="utf-8")
        with pytest.raises(DeskError, match=said):
            lists.read_recipe(tmp_path, "it")
    with pytest.raises(DeskError, match="jotto words new nl"):
        lists.read_recipe(tmp_path, "nl")
    with pytest.raises(DeskError, match="no code"):
        lists.language_code("../x")


def test_a_new_language_gets_files_and_a_list_of_missing_parts(tmp_path, cli, monkeypatch):
    (tmp_path / "wordlists").mkdir()
    (tmp_path / "lines_en.json").write_bytes(Path(mind.HERE, "lines_en.json").read_bytes())
    monkeypatch.setattr(files, "checkout_folder", lambda: tmp_path)
    monkeypatch.setattr(mind, "HERE", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    for wrong in ((), ("It<b>",), ("Italiano 2",)):
        assert cli("words", "new", "it", *wrong)[0] == 2
    assert cli("words", "new", "en", "English")[0] == 2
    begun = cli.json("words", "new", "it", "Italian")
    assert len(begun["written"]) == 7 and any("No dictionary 'hunspell-it'" in each for each in begun["missing"])
    # No dictionary could be had, so the recipe is still to be filled in.
    assert any("not a SHA-256" in each for each in begun["missing"])
    recipe = json.loads((tmp_path / "wordlists/it.json").read_text(encoding="utf-8"))
    recipe["dictionary"]["sha256"] = recipe["frequencies"]["sha256"] = "0" * 64
    (tmp_path / "wordlists/it.json").write_text(json.dumps(recipe), encoding="utf-8")
    (tmp_path / "wordlists/it-late.txt").write_text("morte\n", encoding="utf-8")
    again = cli.json("words", "new", "it")
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
