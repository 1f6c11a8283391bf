"""Files of jotto_desk: folders, whole files, locks; and which unfinished requests a server gives up."""

import os

import pytest

from jotto_behaviour import files as notebook
from jotto_behaviour.files import Notebook
from jotto_desk import files
from jotto_desk.addresses import names_loopback
from jotto_desk.errors import DeskError
from jotto_desk.play import terminal
from naosim_page import connections
from naosim_page.connections import MAX_PER_ADDRESS, MAX_UNFINISHED, REQUEST_TIMEOUT_S, YOUNG_REQUEST_S, Unfinished
from naosim_robots.addresses import is_loopback


def test_personal_folders_follow_the_xdg_rules():
    own = {"XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c", "HOME": "/h"}
    for environ, data, cache in (
        (own, "/d/nao-jotto", "/c/nao-jotto"),
        ({"HOME": "/h"}, "/h/.local/share/nao-jotto", "/h/.cache/nao-jotto"),
        ({**own, "XDG_DATA_HOME": "near", "XDG_CACHE_HOME": ""}, "/h/.local/share/nao-jotto", "/h/.cache/nao-jotto"),
    ):
        assert files.find_data_folder(environ).as_posix() == data
        assert files.find_cache_folder(environ).as_posix() == cache
    with pytest.raises(DeskError, match="XDG_DATA_HOME"):
        files.find_data_folder({"HOME": "relative"})


def test_shipped_files_come_from_the_package_or_the_checkout(tmp_path, monkeypatch):
    assert (files.find_shipped_path("wordlists") / "en.tsv").is_file()
    with pytest.raises(DeskError, match="'nosuch'"):
        files.find_shipped_path("nosuch")
    (tmp_path / "shipped" / "wordlists").mkdir(parents=True)
    monkeypatch.setattr(files, "_HERE", tmp_path)
    assert files.find_shipped_path("wordlists") == tmp_path / "shipped" / "wordlists"


def test_text_and_bytes_are_written_as_they_are(tmp_path):
    files.write_whole(tmp_path / "a" / "b", "caf\u00e9\n")
    files.write_whole(tmp_path / "a" / "c", b"\x00\r\n")
    assert (tmp_path / "a" / "b").read_bytes() == b"caf\xc3\xa9\n"
    assert (tmp_path / "a" / "c").read_bytes() == b"\x00\r\n"
    assert sorted(os.listdir(tmp_path / "a")) == ["b", "c"]


def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    files.write_whole(link, "new")
    assert link.is_symlink() and real.read_text() == "new" and real.stat().st_mode & 0o777 == 0o640


def test_a_failed_write_leaves_the_old_content(tmp_path, monkeypatch):
    target = tmp_path / "kept"
    target.write_text("old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DeskError, match="no space left"):
        files.write_whole(target, "new")
    assert target.read_text() == "old" and os.listdir(tmp_path) == ["kept"]


def test_only_plain_files_are_written(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("")
    for place, why in (
        ("/", "it is a folder"),
        (tmp_path, "it is a folder"),
        (tmp_path / "pipe", "it is not a plain file"),
        (tmp_path / "file" / "below", ""),
    ):
        for write in (lambda path: files.write_whole(path, "new"), files.require_writable):
            with pytest.raises(DeskError, match=f"'{place}' cannot be written \\({why}"):
                write(place)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "pipe"]


def test_reading_is_bounded(tmp_path):
    (tmp_path / "file").write_bytes(b"x" * 11)
    assert files.read_bounded(tmp_path / "file", 11) == b"x" * 11
    with pytest.raises(DeskError, match="larger than 10 bytes"):
        files.read_bounded(tmp_path / "file", 10)
    with pytest.raises(DeskError, match="no such file"):
        files.read_bounded(tmp_path / "missing", 10)
    assert [files.format_size(count) for count in (12, 3 << 10, 20 << 20)] == ["12 bytes", "3 kB", "20 MB"]


def test_only_the_part_files_of_killed_writers_are_deleted(tmp_path):
    target = tmp_path / "list.txt"
    old, of_nao = tmp_path / ".list.txt.0123456789ab.part", tmp_path / ".list.txt.x1y2_z3a.part"
    names = (".other.txt.0123456789ab.part", ".list.txt.part", "list.txt.0123456789ab.part")
    others = [tmp_path / name for name in names]
    for path in (old, of_nao, *others):
        path.write_text("half")
    with files.open_part(target) as living:
        living.write_text("so far")
        assert not old.exists() and not of_nao.exists()
        files.write_whole(target, "new")
        assert living.read_text() == "so far"
    assert sorted(tmp_path.iterdir()) == sorted([target, *others])


def test_a_part_file_that_others_delete_before_it_is_locked_is_begun_again(tmp_path, monkeypatch):
    taken = []

    def late(handle):
        if len(taken) < 2:
            next(tmp_path.glob(".*.part")).unlink()
        taken.append(handle)
        return True

    monkeypatch.setattr(notebook, "lock_file", late)
    files.write_whole(tmp_path / "list.txt", "new")
    assert len(taken) == 3 and [path.name for path in tmp_path.iterdir()] == ["list.txt"]


def test_the_desk_and_the_notebook_wait_for_each_other_but_not_forever(tmp_path, monkeypatch):
    monkeypatch.setattr(notebook, "LOCK_POLLS", 2)
    with notebook.lock_folder(str(tmp_path)):
        waiting = files.lock_file(tmp_path / "list.txt")
        with pytest.raises(DeskError, match=r"Another program is writing in '.*' and does not end"), waiting:
            pass
        files.write_whole(tmp_path / "list.txt", "what is written whole needs no lock")
    with files.lock_file(tmp_path / "list.txt"):
        assert Notebook(str(tmp_path)).keep("{}")
        assert not Notebook(str(tmp_path)).learn("ocean")


def test_windows_locks_a_file_and_keeps_part_files(tmp_path, monkeypatch):
    monkeypatch.setattr(notebook, "fcntl", None)
    (tmp_path / ".list.txt.0123456789ab.part").write_text("half")
    with files.lock_file(tmp_path / "list.txt"), files.lock_file(tmp_path / "list.txt"):
        files.write_whole(tmp_path / "list.txt", "new")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [".jotto.lock", ".list.txt.0123456789ab.part", "list.txt"]


def test_the_typed_lines_of_two_games_are_remembered(tmp_path):
    history = tmp_path / "typed.txt"
    terminal.remember_lines(history, ["ready", "no"])
    terminal.remember_lines(history, ["1 2"])
    assert history.read_text().splitlines() == ["ready", "no", "1 2"]
    terminal.remember_lines(history, [str(number) for number in range(terminal.MAX_REMEMBERED_LINES)])
    assert history.read_text().splitlines()[0] == "0"


def waiting(*begun):
    """Make requests from (address, when)s; their keys are their numbers."""
    made = Unfinished()
    for number, (address, when) in enumerate(begun):
        made.begin(number, address, when)
    return made


@pytest.mark.parametrize(
    "begun, now, given_up",
    [
        ([], 0, []),
        ([("a", 0)], REQUEST_TIMEOUT_S, []),
        ([("a", 0), ("b", 1)], REQUEST_TIMEOUT_S + 0.5, [0]),
        ([("a", 0)] * MAX_PER_ADDRESS, 10, []),
        ([("a", 0)] * (MAX_PER_ADDRESS + 2), YOUNG_REQUEST_S, []),
        ([("a", 0)] * (MAX_PER_ADDRESS + 2), YOUNG_REQUEST_S + 0.1, [0, 1]),
        ([("a", 0)] * MAX_PER_ADDRESS + [("b", 0)] * MAX_PER_ADDRESS, 10, []),
        ([("b", 0)] + [("a", 0)] * (MAX_PER_ADDRESS + 1), 10, [1]),
        ([(str(number), 0) for number in range(MAX_UNFINISHED + 3)], 10, [0, 1, 2]),
        ([("a", 0)] * 3 + [("a", 9.5)] * MAX_PER_ADDRESS, 10, [0, 1, 2]),
    ],
)
def test_which_are_given_up(begun, now, given_up):
    assert waiting(*begun).list_given_up(now) == given_up


def test_one_that_is_whole_waits_no_more():
    requests = waiting(("a", 0), ("b", 1))
    requests.begin(0, "a", 5)
    assert (requests.oldest(), len(requests), 1 in requests) == (0, 2, True)
    assert [requests.end(0), requests.end(0), requests.oldest()] == [True, False, 1]
    assert requests.end(1) and requests.oldest() is None and connections.MAX_PER_ADDRESS < connections.MAX_UNFINISHED


@pytest.mark.parametrize(
    "host, is_here",
    [(host, True) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")]
    + [(host, False) for host in ("", "0.0.0.0", "localhost.example", "127.0.0.1.example", "::", "[")],
)
def test_what_is_this_computer(host, is_here):
    shown = f"[{host}]" if ":" in host else host
    assert is_loopback(host) == is_here and names_loopback(f"//{shown}:80") == is_here
