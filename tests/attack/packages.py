"""Damaged packages, of every way of packing, given to what deploys them and to the simulated robot, on both Pythons."""

from __future__ import annotations

import contextlib
import io
import random
import zipfile
from pathlib import Path

import naosim_xar_writer as w
import package_files as kit

from attack.outcome import Attack, Outcome
from jotto_desk.cli import main as jotto
from naosim import __main__

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
SAY = w.behaviour(
    [w.box("One", w.script("    def onInput_onStart(self):\n        self.onStopped()\n"))],
    [("root.onStart", "One.onStart"), ("One.onStopped", "root.onStopped")],
)


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Deploy so many damaged packages, and run them: a sentence may come of it, never a traceback."""
    chance, outcome = random.Random(seed), Outcome()
    good = [_packed(folder, method) for method in METHODS]
    refused = 0
    for _ in range(how_many):
        raw = damaged(chance.choice(good), chance)
        path = folder / "bad.pkg"
        path.write_bytes(raw)
        for name, code, said in (_deployed(path), _run(path)):
            refused += code == 2
            fine = code in (0, 1, 2) and "Traceback" not in said and (code != 2 or len(said.splitlines()) == 1)
            outcome.check(fine, f"{name} ends with {code} and {said[-300:]!r} for a package of {len(raw)} bytes")
    outcome.figure = f"{refused:,} refused"
    return outcome


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Change, cut or drop some bytes, often those of the directory or of the first entry's head."""
    raw = bytearray(content)
    start, end = chance.choice([(0, len(raw)), (max(0, len(raw) - 300), len(raw)), (0, 80)])
    for _ in range(chance.randrange(1, 5)):
        raw[chance.randrange(start, end)] = chance.randrange(256)
    if chance.random() < 0.3:
        begin = chance.randrange(len(raw))
        del raw[begin : begin + chance.randrange(1, 60)]
    return bytes(raw)


def _packed(folder: Path, method: int) -> bytes:
    path = folder / "good.pkg"
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in (("manifest.xml", kit.manifest()), ("hello/behavior.xar", SAY), ("hello/é.txt", b"x")):
            archive.writestr(name, content)
    return path.read_bytes()


def _deployed(path: Path) -> tuple[str, object, str]:
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            jotto(["robot", "deploy", str(path), "--robot", "tcp://127.0.0.1:1"])
        except SystemExit as ended:
            return "deploy", ended.code, said.getvalue()
        except BaseException as error:
            return "deploy", repr(error), said.getvalue()
    return "deploy", 0, said.getvalue()


def _run(path: Path) -> tuple[str, object, str]:
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            code: object = __main__.main([str(path), "--seconds", "5"])
        except BaseException as error:
            code = repr(error)
    return "naosim", code, said.getvalue()


ATTACK = Attack("packages", "damaged packages to deploy and to run", rounds, short=60, long=3000)
