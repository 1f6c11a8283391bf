"""NAO listens, for an hour without what it says itself, in a loud room: it must not guess, end or use more memory."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import numpy

from attack.outcome import Attack, Outcome
from attack.robot_growth import kilobytes
from jotto_behaviour import memory
from jotto_desk.rehearsal.robots import behaviour_file, import_paths
from jotto_desk.rehearsal.voice import VOICE_CERTAINTY
from naosim.world import Event
from naosim_page.command import load_behaviour
from naosim_page.ears import Listener
from naosim_page.relay import Relay
from naosim_robots.hosting import HostedRobot
from naosim_voice import noise, sound, speaking
from naosim_voice.model import best_installed
from naosim_voice.names import PLAIN
from naosim_voice.noise import Noise

#: How much faster than real the robot's time and the sound pass, how much where NAO does not listen, and seconds of
#: sound that are fed at a time.
SPEED, FASTER, BLOCK = 20.0, 60.0, 0.5
#: Blocks between two looks at whether NAO is still there.
LOOKS_EVERY = 10
#: Minutes after which memory is measured, and MB by which each process may have grown at the end: pocketsphinx keeps
#: what its hardest sound took, 3.5 MB at once in minute 26, and beside that about 1 MB comes in an hour.
FIRST_MINUTES, MOST_GROWTH = 5, 8.0
#: Real seconds for a minute of sound.
PATIENCE = 600.0


class Answers:
    """What NAO took for answers."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, float]] = []

    def note(self, event: Event) -> None:
        """Take in what reaches NAO's ears."""
        if event.kind == "hear" and event.fields["phrase"]:
            self.heard.append((event.fields["phrase"], event.fields["confidence"]))


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Let NAO listen to `how_many` minutes of noise with each recogniser, as it guesses and as it waits for guesses.

    If NAO leaves the silent room, it is started again.
    """
    outcome, figures = Outcome(), []
    for name in dict.fromkeys([PLAIN, best_installed()]):
        for role in ("breaker", "maker"):
            asyncio.run(_listen(how_many, seed, folder, outcome, name, role))
            figures.append(f"{name}, {role}: {outcome.figure}")
    outcome.figure = "; ".join(figures)
    return outcome


async def _listen(minutes: int, seed: int, folder: Path, outcome: Outcome, name: str, role: str) -> None:
    with HostedRobot(import_paths=import_paths()) as robot:
        wanted = {"seed": 1, "role": role, "folder": str(folder), "certainty": list(VOICE_CERTAINTY)}
        robot.call("ALMemory", "insertData", [memory.SETTINGS_KEY, json.dumps(wanted)]).result()
        load_behaviour(robot, str(behaviour_file()))
        live = Relay(robot)
        await live.open()
        await live.ask("pace", speed=SPEED)
        await live.ask("start")
        answers, ears = Answers(), Listener(live)
        robot.watch(answers.note)
        await ears.recogniser.start(name)
        running = asyncio.create_task(ears.run(_heed))
        sizes: list[list[int]] = []
        try:
            for minute in range(minutes):
                await asyncio.wait_for(_minute(live, ears, room(minute, seed)), PATIENCE)
                attempts = await live.wait(robot.call("ALMemory", "getListData", [[memory.ATTEMPTS_KEY]]))
                outcome.check(attempts in ([], [None], [0]), f"minute {minute}: NAO guesses, {answers.heard[-3:]}")
                outcome.check(not live.gone and not ears.trouble, f"minute {minute}: {live.gone or ears.trouble}")
                if minute + 1 >= FIRST_MINUTES:
                    sizes.append([kilobytes(ears.recogniser.pid), kilobytes(robot._child.process.pid)])
        finally:
            running.cancel()
            await ears.recogniser.end()
    believed = sum(sure >= VOICE_CERTAINTY[1] for _, sure in answers.heard)
    outcome.figure = (
        f"{minutes} minutes listened to, {len(answers.heard)} sounds taken for phrases, {believed} believed"
    )
    if sizes:
        grown = [(last - first) / 1024 for first, last in zip(sizes[0], sizes[-1], strict=True)]
        outcome.check(max(grown) < MOST_GROWTH, f"ears and robot grow by {grown} MB in {minutes} minutes")
        outcome.figure += f"; ears and robot grow by {grown[0]:.1f} and {grown[1]:.1f} MB"


async def _minute(live: Relay, ears: Listener, pcm: bytes) -> None:
    """Feed a minute of sound as fast as the robot's time passes, while NAO listens; who left starts again."""
    size, waited = int(BLOCK * sound.RATE) * sound.WIDTH, 0
    for start in range(0, len(pcm), size):
        while not ears.feed(pcm[start : start + size]):
            assert not live.gone and not ears.trouble, live.gone or ears.trouble
            if not waited % LOOKS_EVERY and not (await live.ask("behaviour"))["runs"]:
                await live.ask("start")
            if not waited:
                await live.ask("pace", speed=FASTER)
            waited += 1
            await asyncio.sleep(BLOCK / SPEED)
        if waited:
            await live.ask("pace", speed=SPEED)
            waited = 0
        await asyncio.sleep(BLOCK / SPEED)


async def _heed(_told: dict[str, object]) -> None:
    """Do nothing: there is no browser to be told."""


def room(minute: int, seed: int) -> bytes:
    """Return a minute of a room: a hiss, and in it by turns babble as loud as a voice, coughs, knocks, and tones."""
    chance = numpy.random.default_rng([seed, minute])
    seconds = numpy.arange(60 * sound.RATE) / sound.RATE
    heard = noise.alone(Noise(), 60.0, seed + minute).samples() / 4
    if minute % 4 == 0 and speaking.is_installed():
        heard += noise.alone(Noise(noise.BABBLE, 3.0), 60.0, seed + minute).samples()
    elif minute % 4 == 1:
        heard += 4000 * numpy.sin(2 * numpy.pi * chance.uniform(100, 3000) * seconds) * (seconds % 4 < 1.5)
    else:
        for _ in range(20):
            count = int(chance.integers(400, 6000))
            start = int(chance.integers(len(heard) - count))
            fading = numpy.linspace(chance.uniform(1000, 20_000), 10, count)
            heard[start : start + count] += chance.standard_normal(count) * fading
    return sound.clip(heard).pcm


ATTACK = Attack("room", "minutes of babble, coughs, knocks and tones for NAO's ears", rounds, short=0, long=60)
