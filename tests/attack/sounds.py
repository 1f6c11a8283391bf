"""Recordings of people for `jotto voice hear`: damaged WAV files, and files of any size, without an end or a writer."""

from __future__ import annotations

import contextlib
import io
import os
import random
import subprocess
import sys
import wave
from collections.abc import Callable
from pathlib import Path

from attack import weighed
from attack.outcome import Attack, Outcome
from jotto_desk.cli import main as jotto
from naosim_live.voice import recordings
from naosim_live.voice.errors import VoiceError

ROOT = Path(__file__).parents[2]
GOOD = (ROOT / "tests/desk/sounds/yes.wav").read_bytes()
#: Of so many damaged files one goes through the whole command.
SHARE = 50
#: MB and real seconds that listening to one file may take. The recogniser takes 100 MB of them.
MOST_MB, PATIENCE = 300, 60.0
#: Bytes of the head of a WAV file, and of the parts of it that a number is written over.
HEAD, NUMBERS = 44, (1, 2, 4)
EXTREMES = (b"\0", b"\x01", b"\x7f", b"\x80", b"\xff")
RATE, MINUTE = 96_000, 60
HOUR = 60 * MINUTE


def damaged(chance: random.Random) -> bytes:
    """Return a good file with damage in its head, often an extreme number, or one that is cut."""
    raw = bytearray(GOOD)
    for _ in range(chance.randrange(1, 3)):
        start, size = chance.randrange(HEAD), chance.choice(NUMBERS)
        raw[start : start + size] = chance.choice(EXTREMES) * size if chance.random() < 0.5 else chance.randbytes(size)
    if chance.random() < 0.3:
        start = chance.randrange(HEAD)
        del raw[start : start + chance.randrange(1, 30)]
    return bytes(raw[: chance.randrange(len(raw))] if chance.random() < 0.2 else raw)


def damage(how_many: int, seed: int, folder: Path) -> Outcome:
    """Read so many damaged recordings: only one sentence may come of each."""
    chance, outcome, refused = random.Random(seed), Outcome(), 0
    path = folder / "yes" / "ann.wav"
    path.parent.mkdir()
    for number in range(how_many):
        path.write_bytes(damaged(chance))
        try:
            recordings.read(path, seed)
        except VoiceError:
            refused += 1
        except Exception as error:
            outcome.check(False, f"recording {number} raises {error!r}")
            continue
        outcome.check(True, "")
        if number % SHARE == 0:
            code, said = _heard(folder)
            outcome.check(code in (0, 2) and "Traceback" not in said, f"hear ends with {code} and {said[-300:]!r}")
    outcome.figure = f"{refused:,} refused"
    return outcome


def _heard(folder: Path) -> tuple[object, str]:
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            jotto(["voice", "hear", str(folder), "--recogniser", "pocketsphinx"])
        except SystemExit as ended:
            return ended.code, said.getvalue()
        except BaseException as error:
            return repr(error), said.getvalue()
    return 0, said.getvalue()


def _wav(channels: int, rate: int, seconds: int) -> Callable[[Path], None]:
    """Return what writes a sound of the noise of a room; a disk keeps the silence after its first minute as a hole."""

    def made(path: Path) -> None:
        with path.open("wb") as file:
            with wave.open(file, "wb") as sound:
                sound.setnchannels(channels)
                sound.setsampwidth(2)
                sound.setframerate(rate)
                sound.setnframes(seconds * rate)
                sound.writeframes(random.Random(1).randbytes(min(seconds, MINUTE) * rate * 2 * channels))
            file.truncate(HEAD + seconds * rate * 2 * channels)
            file.seek(HEAD - 4)
            file.write((seconds * rate * 2 * channels).to_bytes(4, "little"))

    return made


def _endless(path: Path) -> None:
    """Write the head of a file that says it is endless, and 4 GB of silence."""
    path.write_bytes(GOOD[:4] + b"\xff" * 4 + GOOD[8 : HEAD - 4] + b"\xff" * 4 + GOOD[HEAD:])
    os.truncate(path, 1 << 32)


#: What lies in place of a recording; the first ones are those of the short form.
SIZES: dict[str, Callable[[Path], None]] = {
    "link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
    "FIFO": lambda path: os.mkfifo(path, 0o600),
    "10 minutes": _wav(2, RATE, 10 * MINUTE),
    "nothing": Path.touch,
    "a second": _wav(1, 16_000, 1),
    "10 minutes, one channel": _wav(1, 16_000, 10 * MINUTE),
    "an hour": _wav(2, RATE, HOUR),
    "2.9 hours": _wav(2, RATE, 29 * HOUR // 10),
    "endless, 4 GB": _endless,
    "4 GB of zeros": lambda path: (path.touch(), os.truncate(path, 1 << 32))[0],
    "folder": Path.mkdir,
    "link to nothing": lambda path: path.symlink_to("nothing"),
    "link to itself": lambda path: path.symlink_to(path),
}


def sizes(how_many: int, seed: int, folder: Path) -> Outcome:
    """Listen to the first so many of these files: each ends soon, in little memory, with a table or one sentence."""
    outcome, worst = Outcome(), 0
    for name, made in list(SIZES.items())[:how_many]:
        place = folder / name.replace("/", " ")
        (place / "yes").mkdir(parents=True)
        made(place / "yes" / "ann.wav")
        fault, memory = _weighed(place, seed)
        worst = max(worst, memory)
        outcome.check(not fault, f"{name}: {fault}")
        (place / "yes" / "ann.wav").rmdir() if name == "folder" else (place / "yes" / "ann.wav").unlink()
    outcome.figure = f"at most {worst} MB"
    return outcome


def _weighed(folder: Path, seed: int) -> tuple[str, int]:
    """Run the command in a process of its own; return what is wrong with it, and its memory in MB."""
    cost = folder / "cost"
    environ = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("src", "behaviour", "simulator")),
    }
    command = ["jotto_desk", "voice", "hear", str(folder), "--recogniser", "pocketsphinx", "--seed", str(seed)]
    try:
        ended = subprocess.run(
            [sys.executable, weighed.__file__, str(cost), *command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=environ,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it has not ended within {PATIENCE:g} s", 0
    memory = int(cost.read_text().split()[0]) if cost.is_file() else 0
    if ended.returncode not in (0, 2) or "Traceback" in ended.stderr:
        return f"it ends with {ended.returncode} and {ended.stderr[-300:]!r}", memory
    if ended.returncode == 2 and len(ended.stderr.splitlines()) != 1:
        return f"no single sentence, but {ended.stderr[:300]!r}", memory
    return ("" if memory < MOST_MB else f"{memory} MB"), memory


DAMAGE = Attack("damaged WAVs", "damaged recordings to listen to: no traceback", damage, short=300, long=5000)
SIZE = Attack(
    "WAVs of any size",
    f"recordings of any size, without an end or a writer: under {MOST_MB} MB",
    sizes,
    short=3,
    long=len(SIZES),
)
