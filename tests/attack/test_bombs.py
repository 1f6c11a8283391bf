"""Files and answers that should cost gigabytes or minutes, given to programs in processes of their own."""

import os
import random
import shutil
import struct
import subprocess
import sys
import tarfile
import wave
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import naosim_xar_writer as w
import pytest
from interpreters import ROOT, path27
from web_lists import serving

from naosim_robots.child import find_python27

PIECE = 1 << 20  # bytes of one piece of a bomb when it is unpacked
_LOCAL, _CENTRAL, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


def deflated(size, letters=b" "):
    """Return `size` bytes of these letters, packed; equal pieces are packed once, so that gigabytes cost nothing."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    piece = packing.compress(letters * (PIECE // len(letters))) + packing.flush(zlib.Z_FULL_FLUSH)
    return piece * (size // PIECE) + zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS).flush()


def gzipped(size, letters=b"ocean\n"):
    """Return `size` bytes of these letters as gzip; its wrong checksum is noticed only at its end."""
    return b"\x1f\x8b\x08\0\0\0\0\0\2\xff" + deflated(size, letters) + bytes(8)


def archive(path, entries):
    """Write a zip: for each entry its name, its packed bytes, and the size it says it has."""
    directory, count = bytearray(), 0
    with path.open("wb") as file:
        for name, packed, size in entries:
            raw = name.encode()
            fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0x21, 0, len(packed), size, len(raw), 0)
            directory += _CENTRAL + b"\x14\0" + fields + struct.pack("<HHHII", 0, 0, 0, 0, file.tell()) + raw
            file.write(_LOCAL + fields + raw + packed)
            count = min(count + 1, 0xFFFF)
        start = file.tell()
        file.write(directory)
        file.write(_END + struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), start, 0))
    return path


MAX_MB = 300  # memory of a program
MAX_CPU_S = 10.0  # computing of a program
TIMEOUT_S = 180.0  # real time of a program, which may hang
GB = 1 << 30
MB = 1 << 20
ACCENTS = "\u0301\u0323".encode()
MANIFEST = b'<package uuid="a" version="1.0.0"><contents><behaviorContent path="b"/></contents></package>'


DEPLOY = ("jotto_desk", "robot", "deploy", "FILE", "--robot", "tcp://127.0.0.1:1")


class Bomb(NamedTuple):
    """A program's arguments: FILE is the path that `make_file` returns, URL the server's address."""

    name: str
    command: tuple[str, ...]
    make_file: Callable[[Path], Path] | None = None
    max_cpu_s: float = MAX_CPU_S


def _holding(name, content):
    def make_file(folder):
        path = folder / name
        path.write_bytes(content())
        return path

    return make_file


def _list(name, content, *command):
    return Bomb(name, command or ("jotto_desk", "words", "check", "FILE"), _holding("words.txt", content))


def _behaviour(name, content):
    return Bomb(f"{name} in a .xar", ("naosim", "FILE", "--lint"), _holding("behavior.xar", content))


def _boxes(inside):
    return w.behaviour([w.box("A", w.script("    pass\n"))], []).replace(b"<script", inside + b"<script", 1)


def _package(*entries):
    return lambda folder: archive(folder / "bomb.pkg", entries)


def _plain(raw):
    length = len(raw)
    return b"\1" + length.to_bytes(2, "little") + (length ^ 0xFFFF).to_bytes(2, "little") + raw, length


def _crg(kind, letters):
    """Return what writes a package of Choregraphe 1 with one header of 3.1 GB."""

    def make_file(folder):
        row = tarfile.TarInfo("a")
        row.type, row.size = kind, 3 * GB
        packed = gzipped(3 * GB, letters)
        packed = packed[:10] + b"\0" + _plain(row.tobuf(tarfile.GNU_FORMAT))[0][1:] + packed[10:]
        path, size = folder / "bomb.crg", str(len(packed)).encode()
        path.write_bytes(b"!<arch>\n" + b"data.tar.gz".ljust(48) + size.ljust(10) + b"`\n" + packed)
        return path

    return make_file


def _accents():
    return b"ocean\nquilt\no" + ACCENTS * (15 * MB // 4)


def _directory(folder):
    return archive(folder / "bomb.pkg", ((f"{number:x}", b"\3\0", 0) for number in range(400_000)))


#: The first ones are those of the short form.
BOMBS = [
    Bomb("redirect of 2.8 GB", ("jotto_desk", "words", "check", "URL/redirect", "--json")),
    Bomb("manifest of 3.1 GB in a package", DEPLOY, _package(("manifest.xml", deflated(3 * GB), 3 * GB))),
    _list("word of 15 MB of accents", _accents),
    Bomb(
        "behaviour that lies about its size",
        ("naosim", "FILE"),
        _package(("manifest.xml", *_plain(MANIFEST)), ("b/behavior.xar", deflated(3 * GB), 1000)),
    ),
    Bomb(
        "behaviour of 3.1 GB in a package",
        ("naosim", "FILE"),
        _package(("manifest.xml", *_plain(MANIFEST)), ("b/behavior.xar", deflated(3 * GB), 3 * GB)),
    ),
    Bomb("answer of 2.8 GB", ("jotto_desk", "words", "check", "URL/list")),
    Bomb("answer packed twice", ("jotto_desk", "words", "check", "URL/twice")),
    Bomb("answer without an end", ("jotto_desk", "words", "check", "URL/endless")),
    Bomb("manifest that lies about its size", DEPLOY, _package(("manifest.xml", deflated(3 * GB), 1000))),
    Bomb("package of 400,000 files", ("naosim", "FILE"), _directory),
    Bomb("package of 400,000 files to deploy", DEPLOY, _directory),
    Bomb("long name of 3.1 GB in a .crg", ("naosim", "FILE"), _crg(tarfile.GNUTYPE_LONGNAME, b"n")),
    Bomb("PAX header of 3.1 GB in a .crg", ("naosim", "FILE"), _crg(tarfile.XHDTYPE, b"1")),
    _list("accents to play with", _accents, "jotto_desk", "play", "--words", "FILE"),
    _list("accents for Wordle", _accents, "jotto_desk", "wordle", "help", "--words", "FILE"),
    _list("many words of accents", lambda: b"\n".join([b"o" + ACCENTS * 60] * (20 * MB // 242))),
    _list("seven million short words", lambda: b"ab\n" * (20 * MB // 3)),
    _list("one line of short words", lambda: b"ab " * (20 * MB // 3)),
    _list("list of blank lines", lambda: b"\n" * (20 * MB)),
    _list("list in four bytes a letter", lambda: "\U0001f600\n".encode() + b"abc\n" * (20 * MB // 4 - 5)),
    _list("list of Cyrillic words", lambda: "абвгд\n".encode() * 900_000),
    _list("list of control characters", lambda: b"\xff" + b"\x80" * (20 * MB - 1)),
    _behaviour("four million elements", lambda: b"<a>" + b"<a/>" * (4 * MB - 4) + b"</a>"),
    _behaviour("a million attributes", lambda: b"<a " + b"".join(b'a%d="" ' % number for number in range(MB)) + b"/>"),
    _behaviour("a million sections", lambda: _boxes(b"<a>" + b"<![CDATA[x]]>" * 900_000 + b"</a>")),
    _behaviour("a script of 15 MB", lambda: _boxes(b"").replace(b"pass", b"pass\n" + b"a\n" * (15 * MB // 2))),
    _behaviour("a number of a million digits", lambda: _boxes(b"").replace(b'x="', b'x="' + b"9" * 1_000_000)),
    _behaviour("names inside each other", lambda: _nested(60)),
    Bomb(
        "recording of lists",
        ("naosim", str(ROOT / "simulator/tests/behaviours/new_story.xar"), "--replay", "FILE"),
        _holding("a.rec", lambda: (b'{"recording": 1, "options": ' + b"[[[[[[]]]]]]," * 70_000 + b"0}\n") * 16),
    ),
    Bomb(
        "transcript of lists",
        ("jotto_desk", "replay", "FILE"),
        _holding("a.txt", lambda: b"# Jotto\n# [" + b"[[[[[[]]]]]]," * 320_000 + b"0]\nNAO  a\n"),
    ),
    Bomb(
        "checkpoint of lists",
        ("jotto_desk", "solve", "--rules", "mastermind", "--checkpoint", "FILE"),
        _holding("a.check", lambda: b"[" + b"[[[[[[]]]]]]," * 600_000 + b"0]"),
    ),
    Bomb(
        "knowledge base",
        ("jotto_desk", "expert", "ask", "a(X)?", "--kb", "FILE"),
        _holding("a.kb", lambda: b"a(b). " * 160_000),
    ),
]


def _nested(depth):
    return b'<ChoregrapheProject xar_version="3">' + b"".join(
        b'<Box name="%s" id="1"><Timeline><BehaviorLayer><BehaviorKeyframe index="1"><Diagram>' % (b"n" * 200_000)
        for _ in range(depth)
    )


RATE = 96_000  # samples a second of the largest sounds
MINUTE = 60
HOUR = 60 * MINUTE
WAV_HEADER_BYTES = 44
GOOD_SOUND = (ROOT / "simulator/tests/python3/sounds/yes.wav").read_bytes()


def _sound(name, write):
    """Return a bomb for `jotto voice hear`: a folder with something in the place of a recording."""

    def make_folder(folder):
        path = folder / "recordings" / "yes" / "ann.wav"
        path.parent.mkdir(parents=True)
        write(path)
        return folder / "recordings"

    return Bomb(name, ("jotto_desk", "voice", "hear", "FILE", "--recogniser", "pocketsphinx"), make_folder, 60.0)


def _wav(channels, rate, seconds):
    """Return what writes a sound of the noise of a room; a disk keeps the silence after its first minute as a hole."""

    def write(path):
        with path.open("wb") as file:
            with wave.open(file, "wb") as sound:
                sound.setnchannels(channels)
                sound.setsampwidth(2)
                sound.setframerate(rate)
                sound.setnframes(seconds * rate)
                sound.writeframes(random.Random(1).randbytes(min(seconds, MINUTE) * rate * 2 * channels))
            file.truncate(WAV_HEADER_BYTES + seconds * rate * 2 * channels)
            file.seek(WAV_HEADER_BYTES - 4)
            file.write((seconds * rate * 2 * channels).to_bytes(4, "little"))

    return write


def _endless(path):
    """Write a file of 4 GB of silence whose header says that it is endless."""
    endless = b"\xff" * 4
    path.write_bytes(GOOD_SOUND[:4] + endless + GOOD_SOUND[8:40] + endless + GOOD_SOUND[WAV_HEADER_BYTES:])
    os.truncate(path, 1 << 32)


#: The first ones are those of the short form.
SOUND_BOMBS = [
    _sound("link to /dev/zero", lambda path: path.symlink_to("/dev/zero")),
    _sound("FIFO", lambda path: os.mkfifo(path, 0o600)),
    _sound("10 minutes", _wav(2, RATE, 10 * MINUTE)),
    _sound("nothing", Path.touch),
    _sound("a second", _wav(1, 16_000, 1)),
    _sound("10 minutes, one channel", _wav(1, 16_000, 10 * MINUTE)),
    _sound("an hour", _wav(2, RATE, HOUR)),
    _sound("2.9 hours", _wav(2, RATE, 29 * HOUR // 10)),
    _sound("endless, 4 GB", _endless),
    _sound("4 GB of zeros", lambda path: (path.touch(), os.truncate(path, 1 << 32))),
    _sound("folder", Path.mkdir),
    _sound("link to nothing", lambda path: path.symlink_to("nothing")),
    _sound("link to itself", lambda path: path.symlink_to(path)),
]


PYTHON27 = find_python27(os.environ)


def rows(bombs, short):
    """List the rows of bombs; those for the simulated robot get one on Python 2.7, too."""
    for number, bomb in enumerate(bombs):
        marks = [pytest.mark.attack] * (number >= short)
        yield pytest.param(bomb, sys.executable, marks=marks, id=bomb.name)
        if PYTHON27 is not None and bomb.command[0] == "naosim":
            yield pytest.param(bomb, PYTHON27, marks=pytest.mark.attack, id=f"{bomb.name} on 2.7")


@pytest.fixture(scope="module")
def url():
    """Provide the address of a server with answers that are bombs."""
    with serving() as server:
        server.packed.update({"/redirect": (302, gzipped(2800 * MB)), "/list": (200, gzipped(2800 * MB))})
        server.pages["/list.txt"] = "ocean\nquilt\nzebra\n"
        yield server.address("")


@pytest.mark.parametrize("bomb, python", [*rows(BOMBS, 2), *rows(SOUND_BOMBS, 1)])
def test_a_program_ends_within_its_limits_with_one_sentence(bomb, python, url, tmp_path, figure):
    path, cost = str(bomb.make_file(tmp_path)) if bomb.make_file else "", tmp_path / "cost"
    weighed = str(Path(__file__).with_name("weighed.py"))
    own = {name: str(tmp_path) for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME")}
    try:
        ended = subprocess.run(
            [python, weighed, cost, *[part.replace("URL", url).replace("FILE", path) for part in bomb.command]],
            stdin=subprocess.DEVNULL,
            env={**path27(), **own, "NO_PROXY": "127.0.0.1"},
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
            cwd=tmp_path,
        )
    finally:
        if path:
            shutil.rmtree(path) if Path(path).is_dir() else Path(path).unlink()
    memory, seconds = map(float, (cost.read_text() if cost.is_file() else "0 0").split())
    figure(f"{memory:g} MB and {seconds:g} s")
    said = (ended.stderr + ended.stdout).decode("utf-8", "replace")
    assert ended.returncode in (0, 1, 2) and "Traceback" not in said, said[-300:]
    assert ended.returncode != 2 or len(said.strip().splitlines()) == 1, said[:300]
    assert memory <= MAX_MB and seconds <= bomb.max_cpu_s
