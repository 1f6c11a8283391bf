"""NAO listens, for an hour without what it says itself, in a loud room: it must not guess, end or use more memory."""

import asyncio
import json

import numpy
import pytest
from empty_rooms import make_noise
from robot_server import kilobytes

from jotto_behaviour import memory
from jotto_desk.rehearsal.robots import find_behaviour_file, list_import_paths
from jotto_desk.rehearsal.voice import VOICE_CERTAINTY
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
MINUTES = 60


@pytest.mark.attack
@pytest.mark.parametrize("role", ["breaker", "maker"])
@pytest.mark.parametrize("name", dict.fromkeys([PLAIN, best_installed()]))
def test_an_hour_of_noise_is_no_guess(name, role, tmp_path, figure):
    """Let NAO listen with a recogniser, as it guesses and as it waits for guesses; if it leaves, it starts again."""
    figure(asyncio.run(listen(name, role, tmp_path)))


async def listen(name, role, folder):
    """Listen to MINUTES of noise; return what NAO took for phrases and how the memory grew."""
    heard, sizes = [], []

    def note(event):
        if event.kind == "hear" and event.fields["phrase"]:
            heard.append((event.fields["phrase"], event.fields["confidence"]))

    with HostedRobot(import_paths=list_import_paths()) as robot:
        wanted = {"seed": 1, "role": role, "folder": str(folder), "certainty": list(VOICE_CERTAINTY)}
        robot.call("ALMemory", "insertData", [memory.SETTINGS_KEY, json.dumps(wanted)]).result()
        load_behaviour(robot, str(find_behaviour_file()))
        live = Relay(robot)
        await live.open()
        await live.ask("pace", speed=SPEED)
        await live.ask("start")
        ears = Listener(live)
        robot.watch(note)
        await ears.recogniser.start(name)
        running = asyncio.create_task(ears.run(heed))
        try:
            for minute in range(MINUTES):
                await asyncio.wait_for(hear_minute(live, ears, make_room(minute)), PATIENCE)
                attempts = await live.wait(robot.call("ALMemory", "getListData", [[memory.ATTEMPTS_KEY]]))
                assert attempts in ([], [None], [0]), f"minute {minute}: NAO guesses, {heard[-3:]}"
                assert not live.gone and not ears.trouble, f"minute {minute}: {live.gone or ears.trouble}"
                sizes.append([kilobytes(ears.recogniser.pid), kilobytes(robot._child.process.pid)])
        finally:
            running.cancel()
            await ears.recogniser.end()
    grown = [(last - first) / 1024 for first, last in zip(sizes[FIRST_MINUTES - 1], sizes[-1], strict=True)]
    assert max(grown) < MOST_GROWTH, f"ears and robot grow by {grown} MB"
    believed = sum(sure >= VOICE_CERTAINTY[1] for _, sure in heard)
    return f"{len(heard)} sounds taken for phrases, {believed} believed; ears and robot grow by {grown} MB"


async def hear_minute(live, ears, pcm):
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


async def heed(_told):
    """Do nothing: there is no browser to be told."""


def make_room(minute):
    """Return a minute of a room: a hiss, and in it by turns babble as loud as a voice, coughs, knocks, and tones."""
    chance = numpy.random.default_rng([1, minute])
    seconds = numpy.arange(60 * sound.RATE) / sound.RATE
    heard = make_noise(Noise(), 60.0, 1 + minute) / 4
    if minute % 4 == 0 and speaking.is_installed():
        heard += make_noise(Noise(noise.BABBLE, 3.0), 60.0, 1 + minute)
    elif minute % 4 == 1:
        heard += 4000 * numpy.sin(2 * numpy.pi * chance.uniform(100, 3000) * seconds) * (seconds % 4 < 1.5)
    else:
        for _ in range(20):
            count = int(chance.integers(400, 6000))
            start = int(chance.integers(len(heard) - count))
            fading = numpy.linspace(chance.uniform(1000, 20_000), 10, count)
            heard[start : start + count] += chance.standard_normal(count) * fading
    return sound.clip(heard).pcm
