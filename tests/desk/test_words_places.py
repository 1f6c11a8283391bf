"""Where files lie, and writing them whole or not at all."""

import os

import pytest

from jotto_behaviour import files as notebook_locks
from jotto_behaviour.files import Notebook
from jotto_desk import files
from jotto_desk.errors import DeskError
from jotto_desk.play import terminal


@pytest.mark.parametrize(
    "environ, data, cache",
    [
        ({"XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/d/nao-jotto", "/c/nao-jotto"),
        ({"HOME": "/h"}, "/h/.local/share/nao-jotto", "/h/.cache/nao-jotto"),
        (
            {"HOME": "/h", "XDG_DATA_HOME": "near", "XDG_CACHE_HOME": ""},
            "/h/.local/share/nao-jotto",
            "/h/.cache/nao-jotto",
        ),
    ],
)
def test_personal_folders(environ, data, cache):
    assert files.data_folder(environ).as_posix() == data
    assert files.cache_folder(environ).as_posix() == cache


def test_a_relative_home_is_no_home():
    with pytest.raises(DeskError, match="XDG_DATA_HOME"):
        files.data_folder({"HOME": "relative"})


def test_shipped_files_are_found_and_missing_ones_named():
    assert (files.shipped_path("wordlists") / "en.tsv").is_file()
    with pytest.raises(DeskError, match="'nosuch'"):
        files.shipped_path("nosuch")


def test_the_installed_package_goes_before_the_checkout(tmp_path, monkeypatch):
    (tmp_path / "shipped" / "wordlists").mkdir(parents=True)
    monkeypatch.setattr(files, "_HERE", tmp_path)
    assert files.shipped_path("wordlists") == tmp_path / "shipped" / "wordlists"


def test_text_and_bytes_are_written_with_missing_folders(tmp_path):
    files.write_whole(tmp_path / "a" / "b", "caf\u00e9\n")
    files.write_whole(tmp_path / "a" / "c", b"\x00\r\n")
    assert (tmp_path / "a" / "b").read_bytes() == b"caf\xc3\xa9\n"
    assert (tmp_path / "a" / "c").read_bytes() == b"\x00\r\n"
    assert sorted(os.listdir(tmp_path / "a")) == ["b", "c"]


def test_the_rights_of_a_file_and_a_link_to_it_stay(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    files.write_whole(link, "new")
    assert link.is_symlink() and real.read_text() == "new" and real.stat().st_mode & 0o777 == 0o640


def test_a_write_that_fails_leaves_the_old_content(tmp_path, monkeypatch):
    target = tmp_path / "kept"
    target.write_text("old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DeskError, match="no space left"):
        files.write_whole(target, "new")
    assert target.read_text() == "old" and os.listdir(tmp_path) == ["kept"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DeskError, match="cannot be written"):
        files.write_whole(tmp_path / "file" / "below", "x")
    with pytest.raises(DeskError, match="cannot be written"):
        files.write_whole(tmp_path, "x")


def test_reading_is_bounded(tmp_path):
    (tmp_path / "file").write_bytes(b"x" * 11)
    assert files.read_bounded(tmp_path / "file", 11) == b"x" * 11
    with pytest.raises(DeskError, match="larger than 10 bytes"):
        files.read_bounded(tmp_path / "file", 10)
    with pytest.raises(DeskError, match="no such file"):
        files.read_bounded(tmp_path / "missing", 10)


@pytest.mark.parametrize("count, said", [(12, "12 bytes"), (3 << 10, "3 kB"), (20 << 20, "20 MB")])
def test_sizes_are_said(count, said):
    assert files.format_size(count) == said


def test_what_is_no_plain_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place, kind in (("/", "a folder"), (tmp_path, "a folder"), (tmp_path / "pipe", "not a plain file")):
        with pytest.raises(DeskError, match=f"'{place}' cannot be written \\(it is {kind}\\)"):
            files.write_whole(place, "new")
        assert not os.path.isfile(place)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_parts_of_killed_writers_are_deleted_and_those_of_living_ones_are_not(tmp_path):
    target = tmp_path / "list.txt"
    old, of_nao = tmp_path / ".list.txt.0123456789ab.part", tmp_path / ".list.txt.x1y2_z3a.part"
    names = (".other.txt.0123456789ab.part", ".list.txt.part", "list.txt.0123456789ab.part")
    others = [tmp_path / name for name in names]
    for path in (old, of_nao, *others):
        path.write_text("half")
    with files.part_beside(target) as living:
        living.write_text("so far")
        assert not old.exists() and not of_nao.exists()
        files.write_whole(target, "new")
        assert living.read_text() == "so far"
    assert sorted(tmp_path.iterdir()) == sorted([target, *others])


def test_a_part_that_others_delete_before_it_is_locked_is_begun_again(tmp_path, monkeypatch):
    taken = []

    def late(handle):
        if len(taken) < 2:
            next(tmp_path.glob(".*.part")).unlink()
        taken.append(handle)
        return True

    monkeypatch.setattr(files, "take_lock", late)
    files.write_whole(tmp_path / "list.txt", "new")
    assert len(taken) == 3 and [path.name for path in tmp_path.iterdir()] == ["list.txt"]


def test_a_program_that_holds_the_lock_is_not_waited_for_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LOCK_POLLS", 2)
    with notebook_locks.lock_folder(str(tmp_path)):
        waiting = files.lock_file(tmp_path / "list.txt")
        with pytest.raises(DeskError, match=r"Another program is writing in '.*' and does not end"), waiting:
            pass
        files.write_whole(tmp_path / "list.txt", "what is written whole needs no lock")
    with files.lock_file(tmp_path / "list.txt"):
        assert Notebook(str(tmp_path)).keep("{}")
        monkeypatch.setattr(notebook_locks, "LOCK_POLLS", 2)
        assert not Notebook(str(tmp_path)).learn("ocean")


def test_without_locks_there_is_no_waiting(tmp_path, monkeypatch):
    """Windows locks a file in the folder; parts stay, since nobody can tell whose they are."""
    monkeypatch.setattr(files, "fcntl", None)
    (tmp_path / ".list.txt.0123456789ab.part").write_text("half")
    with files.lock_file(tmp_path / "list.txt"), files.lock_file(tmp_path / "list.txt"):
        files.write_whole(tmp_path / "list.txt", "new")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [".jotto.lock", ".list.txt.0123456789ab.part", "list.txt"]


def test_what_two_games_typed_is_remembered(tmp_path):
    history = tmp_path / "typed.txt"
    terminal.remember_lines(history, ["ready", "no"])
    terminal.remember_lines(history, ["1 2"])
    assert history.read_text().splitlines() == ["ready", "no", "1 2"]
    terminal.remember_lines(history, [str(number) for number in range(terminal.MAX_REMEMBERED_LINES)])
    assert history.read_text().splitlines()[0] == "0"
