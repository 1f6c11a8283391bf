"""The shipped lists: their sources, their form, their numbers."""

import hashlib
import io
import os
import tarfile

import pytest
from debian_files import archive_entry

from jotto.words import BlockList, hash_blocked_word
from jotto_desk import files
from jotto_desk.errors import DeskError
from jotto_desk.words import building, lists

LISTS = files.shipped_path("wordlists")
NONE = BlockList(frozenset())


def package(lists):
    """Pack a Debian package that holds these SCOWL lists, and empty ones for the rest."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as tar:
        for band in building.SCOWL_BANDS:
            for variety in building.SCOWL_VARIETIES:
                content = lists.get(f"{variety}-words.{band}", "").encode("latin-1")
                member = tarfile.TarInfo(f"{building.SCOWL_FOLDER}/{variety}-words.{band}")
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": packed.getvalue()}
    return b"!<arch>\n" + b"".join(archive_entry(name, content) for name, content in parts.items())


@pytest.fixture
def small(monkeypatch):
    """Use a small package in place of the pinned one."""
    content = package(
        {
            "english-words.10": "ocean\nOcean\nquilt\nhouses\n",
            "american-words.10": "color\n",
            "english-words.20": "ocean\nbirds\ncaf\xe9s\nit's\n",
            "american-words.50": "adobe\n",
        }
    )
    monkeypatch.setattr(building, "SCOWL_SHA256", hashlib.sha256(content).hexdigest())
    return content


def test_a_list_goes_by_commonness_then_alphabet(small):
    rows = "color\t10\nocean\t10\nquilt\t10\nbirds\t20\nadobe\t50\n"
    assert building.build_english_list(small, NONE) == building.ENGLISH_HEADER + rows


def test_blocked_words_are_left_out(small):
    assert "birds" not in building.build_english_list(small, BlockList(frozenset([hash_blocked_word("birds")])))


def test_another_package_is_refused():
    with pytest.raises(DeskError, match="SHA-256"):
        building.build_english_list(b"!<arch>\n", NONE)


@pytest.mark.parametrize("archive", [b"", b"PK\3\4", b"!<arch>\n" + b"x" * 60, b"!<arch>\n" + b" " * 58 + b"`\n"])
def test_what_is_no_package_is_refused(archive):
    with pytest.raises(DeskError, match="package"):
        list(lists.archive_members(archive))


def test_the_package_is_taken_from_the_file_or_the_copy(tmp_path):
    (tmp_path / building.SCOWL_FILE_NAME).write_bytes(b"copy")
    (tmp_path / "other.deb").write_bytes(b"named")
    assert building.get_scowl(None, tmp_path) == b"copy"
    assert building.get_scowl(tmp_path / "other.deb", tmp_path) == b"named"
    with pytest.raises(DeskError, match=r"missing\.deb"):
        building.get_scowl(tmp_path / "missing.deb", tmp_path)


APT_GET = """#!/bin/sh
[ "$*" = "--quiet download scowl=2020.12.07-2" ] || exit 100
%s
"""


def apt_get(folder, does):
    folder.mkdir()
    program = folder / "apt-get"
    program.write_text(APT_GET % does)
    program.chmod(0o755)
    return str(folder) + os.pathsep + "/usr/bin" + os.pathsep + "/bin"


def test_the_package_is_downloaded_and_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", apt_get(tmp_path / "bin", "printf fresh > scowl_2020.12.07-2_all.deb"))
    assert building.get_scowl(None, tmp_path / "cache") == b"fresh"
    assert (tmp_path / "cache" / building.SCOWL_FILE_NAME).read_bytes() == b"fresh"


def test_a_failing_download_gets_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", apt_get(tmp_path / "bin", "echo E: no such package >&2; exit 100"))
    with pytest.raises(DeskError, match="could not get scowl"):
        building.get_scowl(None, tmp_path / "cache")


def test_no_package_service_gets_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeskError, match="'apt-get' is not there"):
        building.get_scowl(None, tmp_path / "cache")


def test_the_shipped_lists_are_in_order():
    blocked = ("blocked.sha256", "de-blocked.sha256", "es-blocked.sha256", "fr-blocked.sha256")
    names = ("de.tsv", "en.tsv", "es.tsv", "fr.tsv", *sorted(blocked, key=len))
    assert [(found.name, found.findings) for found in building.check_all_lists(LISTS)] == [(name, ()) for name in names]


def test_the_shipped_list_has_its_numbers():
    english = building.measure_lists(LISTS)[1]
    assert (english.words, english.isograms) == (4348, 2920)
    assert english.bands == {10: (600, 429), 20: (758, 526), 35: (2053, 1372), 40: (208, 136), 50: (729, 457)}


@pytest.mark.parametrize(
    "raw, finding",
    [
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
    ],
)
def test_what_is_wrong_with_a_list_is_found(raw, finding):
    found = building.check_list("test", raw, BlockList(frozenset([hash_blocked_word("birds")])))
    assert any(finding in each for each in found.findings)


def test_many_findings_are_cut_short():
    findings = building.check_list("test", b"x\n" * 50, NONE).findings
    assert len(findings) == 11 and findings[-1] == "and 40 more"


def test_numbers_other_than_those_of_the_sources_are_found(tmp_path):
    (tmp_path / "en.tsv").write_text("ocean\t10\n")
    (tmp_path / "blocked.sha256").write_text("b\n")
    (tmp_path / "SOURCES.md").write_text("# Lists\n" + building.TOP + building.END + "the end\n")
    english, blocked = building.check_all_lists(tmp_path)
    assert "SOURCES.md says other numbers" in english.findings[0]
    assert "not a SHA-256" in blocked.findings[0]


def test_numbers_are_renewed_and_nothing_else():
    sources = (LISTS / "SOURCES.md").read_text("utf-8")
    assert building.renew_sources(sources, building.measure_lists(LISTS)) == sources
    with pytest.raises(DeskError, match="put them back"):
        building.renew_sources("# no place", [])
