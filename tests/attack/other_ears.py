"""Games heard by recognisers that are not installed with the project: sherpa-onnx with Moonshine, and faster-whisper.

Both libraries come from PyPI into a folder of their own. So does Moonshine's small English model, which the package
moonshine-voice holds in 0.0.73; a model of Whisper is made with weights by chance.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from attack.outcome import Attack, Outcome
from naosim_live.voice.moonshine.tokens import texts

LIBRARIES = ("sherpa-onnx", "faster-whisper", "moonshine-voice==0.0.73")
MOONSHINE = Path("moonshine_voice", "assets", "tiny-en")
MODEL = ("encoder_model.ort", "decoder_model_merged.ort")
SOUNDS = Path(__file__).parents[1] / "desk" / "sounds"
PINNED = Path(__file__).parents[2] / "constraints.txt"
WRITER = Path(__file__).with_name("whisper_model.py")
#: Real seconds for the libraries to be installed, and for a game.
INSTALLED_WITHIN, PLAYED_WITHIN = 900.0, 120.0
#: The words that are found, and the most answers that may be taken wrongly, as shares.
LEAST_FOUND, MOST_WRONG = 0.75, 0.1
LISTEN = """
import json, sys
from pathlib import Path
from naosim_live.voice import sound
from naosim_live.voice.recogniser import Recognised, Vocabulary, recogniser
ears = recogniser(sys.argv[1], sys.argv[2])
for name in sys.argv[3:]:
    ears.open(Vocabulary(("yes", "no", "two and one", "one and two")))
    heard = ears.feed(sound.silence(0.5) + sound.read(Path(name)).pcm + sound.silence(0.6))
    print(json.dumps([event.nearest for event in heard if isinstance(event, Recognised)]))
"""


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Play so many games, and listen to a few sounds, with each library's real code."""
    outcome = Outcome()
    site = folder / "libraries"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "-c", str(PINNED), "--target", str(site), *LIBRARIES]
    installed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=INSTALLED_WITHIN)
    outcome.check(not installed.returncode, f"pip: {installed.stderr.strip()[-200:]}")
    if installed.returncode:
        return outcome
    moonshine, whisper = moonshine_model(site, folder / "moonshine"), folder / "whisper"
    _run(site, str(WRITER), str(whisper))
    _listen(outcome, site, "sherpa-onnx", moonshine, {"yes": "yes", "two-and-one": "two and one"})
    _listen(outcome, site, "faster-whisper", whisper, {"yes": None})
    _refuse(outcome, site, folder, moonshine, whisper)
    _play(outcome, site, moonshine, how_many, seed)
    return outcome


def moonshine_model(site: Path, folder: Path) -> Path:
    """Copy the model into a folder as sherpa-onnx wants it: its tokens are written one a line, in base64."""
    folder.mkdir()
    for name in MODEL:
        shutil.copy(site / MOONSHINE / name, folder / name)
    tokens = texts((site / MOONSHINE / "tokenizer.bin").read_bytes())
    lines = [f"{base64.b64encode(token or bytes(1)).decode()}\t{number}\n" for number, token in enumerate(tokens)]
    (folder / "tokens.txt").write_text("".join(lines), encoding="ascii")
    return folder


def _listen(outcome: Outcome, site: Path, name: str, model: Path, wanted: dict[str, str | None]) -> None:
    """Have a recogniser hear sounds: the phrase, or any phrase where nonsense is written down."""
    done = _run(site, "-c", LISTEN, name, str(model), *(str(SOUNDS / f"{sound}.wav") for sound in wanted))
    heard = [json.loads(line) for line in done.stdout.splitlines()]
    outcome.check(len(heard) == len(wanted), f"{name}: {done.stderr.strip()[-300:]}")
    for found, (sound, phrase) in zip(heard, wanted.items(), strict=False):
        outcome.check(found and (phrase is None or phrase in found), f"{name} hears {found} for {sound}")


def _refuse(outcome: Outcome, site: Path, folder: Path, moonshine: Path, whisper: Path) -> None:
    """Damage the models: there is one sentence, and never a process that is gone."""
    for name, model, part in (
        ("sherpa-onnx", moonshine, "tokens.txt"),
        ("sherpa-onnx", moonshine, MODEL[0]),
        ("faster-whisper", whisper, "model.bin"),
        ("faster-whisper", whisper, "tokenizer.json"),
    ):
        damaged = folder / "damaged"
        shutil.copytree(model, damaged)
        (damaged / part).write_bytes(b"<" + (damaged / part).read_bytes()[:1000])
        done = _run(
            site,
            "-m",
            "jotto_desk",
            "rehearse",
            "--voice",
            "--secret",
            "ocean",
            "--recogniser",
            name,
            "--model",
            str(damaged),
        )
        outcome.check(
            done.returncode == 2 and "cannot read" in done.stderr and "Traceback" not in done.stderr,
            f"{name} with half a {part}: {done.returncode} {done.stderr.strip()[-200:]}",
        )
        shutil.rmtree(damaged)


def _play(outcome: Outcome, site: Path, model: Path, games: int, seed: int) -> None:
    done = _run(
        site,
        "-m",
        "jotto_desk",
        "rehearse",
        "--voice",
        "--sample",
        str(games),
        "--seed",
        str(seed),
        "--jobs",
        "1",
        "--json",
        "--recogniser",
        "sherpa-onnx",
        "--model",
        str(model),
        within=PLAYED_WITHIN * games,
    )
    # 1 where a word was not found: some voices of espeak-ng are hardly understood by a model of people.
    outcome.check(done.returncode in (0, 1) and done.stdout, f"games: {done.returncode} {done.stderr.strip()[-300:]}")
    if done.stdout:
        found = json.loads(done.stdout)
        voice = found["voice"]
        outcome.check(found["found"] >= LEAST_FOUND * games, f"found {found['found']} of {games} words")
        outcome.check(voice["wrongly_accepted"] <= MOST_WRONG, f"wrongly accepted: {voice['wrongly_accepted']:.1%}")
        outcome.figure = (
            f"sherpa-onnx with Moonshine: {found['found']} of {games} words, {voice['at_once']:.1%} at "
            f"once, {voice['after_asking_back']:.1%} after asking back, "
            f"{voice['wrongly_accepted']:.1%} wrong"
        )


def _run(site: Path, *arguments: str, within: float = PLAYED_WITHIN) -> subprocess.CompletedProcess[str]:
    """Run Python with the libraries beside those of the project."""
    path = os.pathsep.join([*filter(None, sys.path), str(site)])
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=within,
        env={**os.environ, "PYTHONPATH": path},
    )


ATTACK = Attack(
    "other ears",
    "Games heard by sherpa-onnx, sounds by faster-whisper, and damaged models of both.",
    rounds,
    short=0,
    long=40,
)
