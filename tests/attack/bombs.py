"""Files and answers of a few MB that are to cost gigabytes or minutes, given to programs in processes of their own."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import naosim_xar_writer as w
from web_lists import serving

from attack import weighed
from attack.heavy import archive, deflated, gzipped
from attack.outcome import Attack, Outcome
from jotto_desk.robot_kit import find_python27

ROOT = Path(__file__).parents[2]
#: What a program may take: MB of memory, seconds of computing, and of waiting for one that hangs.
MOST_MB, MOST_SECONDS, PATIENCE = 300, 10.0, 180.0
GB, MB = 1 << 30, 1 << 20
MARKS = "\u0301\u0323".encode()
MANIFEST = b'<package uuid="a" version="1.0.0"><contents><behaviorContent path="b"/></contents></package>'


class Bomb(NamedTuple):
    """A program, its arguments (FILE stands for what `made` writes, URL for the server), and what it is given."""

    name: str
    command: tuple[str, ...]
    made: Callable[[Path], Path] | None = None


def _holding(name: str, content: Callable[[], bytes]) -> Callable[[Path], Path]:
    def made(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content())
        return path

    return made


def _list(name: str, content: Callable[[], bytes], *command: str) -> Bomb:
    return Bomb(name, command or ("jotto_desk", "words", "check", "FILE"), _holding("words.txt", content))


def _behaviour(name: str, content: Callable[[], bytes]) -> Bomb:
    return Bomb(f"{name} in a .xar", ("naosim", "FILE", "--lint"), _holding("behavior.xar", content))


def _boxes(inside: bytes) -> bytes:
    return w.behaviour([w.box("A", w.script("    pass\n"))], []).replace(b"<script", inside + b"<script", 1)


def _package(*entries: tuple[str, bytes, int]) -> Callable[[Path], Path]:
    return lambda folder: archive(folder / "bomb.pkg", entries)


def _plain(raw: bytes) -> tuple[bytes, int]:
    length = len(raw)
    return b"\1" + length.to_bytes(2, "little") + (length ^ 0xFFFF).to_bytes(2, "little") + raw, length


def _directory(folder: Path) -> Path:
    return archive(folder / "bomb.pkg", ((f"{number:x}", b"\3\0", 0) for number in range(400_000)))


#: The first ones are those of the short form.
BOMBS = [
    Bomb("redirect of 2.8 GB", ("jotto_desk", "words", "check", "URL/redirect", "--json")),
    Bomb(
        "manifest of 3.1 GB in a package",
        ("jotto_desk", "robot", "deploy", "FILE", "--robot", "tcp://127.0.0.1:1"),
        _package(("manifest.xml", deflated(3 * GB), 3 * GB)),
    ),
    _list("word of 15 MB of accents", lambda: b"ocean\nquilt\no" + MARKS * (15 * MB // 4)),
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
    Bomb(
        "manifest that lies about its size",
        ("jotto_desk", "robot", "deploy", "FILE", "--robot", "tcp://127.0.0.1:1"),
        _package(("manifest.xml", deflated(3 * GB), 1000)),
    ),
    Bomb("package of 400,000 files", ("naosim", "FILE"), _directory),
    Bomb(
        "package of 400,000 files to deploy",
        ("jotto_desk", "robot", "deploy", "FILE", "--robot", "tcp://127.0.0.1:1"),
        _directory,
    ),
    _list(
        "accents to play with",
        lambda: b"ocean\nquilt\no" + MARKS * (15 * MB // 4),
        "jotto_desk",
        "play",
        "--words",
        "FILE",
    ),
    _list(
        "accents for Wordle",
        lambda: b"ocean\nquilt\no" + MARKS * (15 * MB // 4),
        "jotto_desk",
        "wordle",
        "help",
        "--words",
        "FILE",
    ),
    _list("many words of accents", lambda: b"\n".join([b"o" + MARKS * 60] * (20 * MB // 242))),
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
        ("naosim", str(ROOT / "tests/behaviours/new_story.xar"), "--replay", "FILE"),
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


def _nested(depth: int) -> bytes:
    return b'<ChoregrapheProject xar_version="3">' + b"".join(
        b'<Box name="%s" id="1"><Timeline><BehaviorLayer><BehaviorKeyframe index="1"><Diagram>' % (b"n" * 200_000)
        for _ in range(depth)
    )


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Give the first so many bombs to their programs; each is to end within bounds, with a sentence."""
    outcome, worst = Outcome(), [0, 0.0]
    chosen = BOMBS[:how_many]
    if how_many > len(BOMBS):
        chosen = [*BOMBS, *random.Random(seed).sample(BOMBS, how_many - len(BOMBS))]
    with serving() as server:
        server.packed.update({"/redirect": (302, gzipped(2800 * MB)), "/list": (200, gzipped(2800 * MB))})
        server.pages["/list.txt"] = "ocean\nquilt\nzebra\n"
        for number, (bomb, python) in enumerate(_shared(chosen)):
            fault, memory, seconds = _thrown(bomb, python, folder / str(number), server.address(""))
            outcome.check(not fault, fault)
            worst = [max(worst[0], memory), max(worst[1], seconds)]
    outcome.figure = f"at most {worst[0]} MB and {worst[1]:.1f} s"
    return outcome


def _shared(bombs: list[Bomb]) -> Iterator[tuple[Bomb, str]]:
    """Give every bomb to this Python, and those for the simulated robot to Python 2.7 too, where there is one."""
    python27 = find_python27(os.environ)
    for bomb in bombs:
        yield bomb, sys.executable
        if python27 is not None and bomb.command[0] == "naosim" and len(bombs) > ATTACK.short:
            yield bomb, python27


def _thrown(bomb: Bomb, python: str, folder: Path, url: str) -> tuple[str, int, float]:
    folder.mkdir()
    cost = folder / "cost"
    path = str(bomb.made(folder)) if bomb.made else ""
    command = [part.replace("URL", url).replace("FILE", path) for part in bomb.command]
    environ = {
        **os.environ,
        "XDG_CACHE_HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "NO_PROXY": "127.0.0.1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("src", "behaviour", "simulator")),
    }
    try:
        ended = subprocess.run(
            [python, weighed.__file__, str(cost), *command],
            stdin=subprocess.DEVNULL,
            env=environ,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            cwd=folder,
        )
    except subprocess.TimeoutExpired:
        return f"{bomb.name}: it has not ended within {PATIENCE:g} s", 0, PATIENCE
    finally:
        if path:
            Path(path).unlink()
    memory, seconds = (cost.read_text() if cost.is_file() else "0 0").split()
    said = (ended.stderr + ended.stdout).decode("utf-8", "replace")
    return _fault(bomb, ended.returncode, said, int(memory), float(seconds)), int(memory), float(seconds)


def _fault(bomb: Bomb, code: int, said: str, memory: int, seconds: float) -> str:
    if "Traceback" in said or code not in (0, 1, 2):
        return f"{bomb.name}: it ends with {code} and {said[-300:]!r}"
    if code == 2 and len(said.strip().splitlines()) != 1:
        return f"{bomb.name}: no single sentence, but {said[:300]!r}"
    if memory > MOST_MB or seconds > MOST_SECONDS:
        return f"{bomb.name}: {memory} MB and {seconds:.1f} s"
    return ""


ATTACK = Attack(
    "bombs",
    "small files and answers that unpack or are read to gigabytes, or take minutes",
    rounds,
    short=4,
    long=len(BOMBS),
)
