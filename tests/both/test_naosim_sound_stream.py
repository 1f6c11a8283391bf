"""ALAudioDevice sends what the microphones hear to modules that ask for it: silence, piece by piece."""

from __future__ import absolute_import, division, print_function

import pytest

from naosim.robot import Robot


class Ears(object):
    """A module that notes the sound it gets."""

    def __init__(self):
        self.pieces = []

    def processRemote(self, channels, samples, time, sound):
        """Note one piece."""
        self.pieces.append((channels, samples, time, sound))


class Talking(object):
    """A module that takes longer for a piece than it lasts."""

    def __init__(self, robot):
        self.robot, self.begun = robot, []

    def processRemote(self, *_piece):
        """Be busy for a second."""
        self.begun.append(self.robot.now())
        self.robot.clock.sleep(1.0)


@pytest.fixture
def robot():
    with Robot() as made:
        made.world.modules["Ears"] = Ears()
        yield made


@pytest.fixture
def device(robot):
    return robot.service("ALAudioDevice")


def heard(robot):
    return robot.world.modules["Ears"].pieces


@pytest.mark.parametrize(
    "preferences, channels, samples",
    [(None, 4, 8160), ((16000, 3, 0), 1, 2720), ((48000, 0, 1), 4, 8160), ((48000, [0, 0, 1, 1], 0, 0), 2, 8160)],
)
def test_a_module_gets_the_sound_it_asked_for(robot, device, preferences, channels, samples):
    if preferences is not None:
        device.call("setClientPreferences", ("Ears",) + preferences)
    device.subscribe("Ears")
    robot.clock.run(seconds=1)
    pieces = heard(robot)
    assert len(pieces) == 5
    for count, each, (seconds, micros), sound in pieces:
        assert (count, each, len(sound)) == (channels, samples, 2 * channels * samples)
        assert type(sound) is (str if bytes is str else bytearray)
        assert set(bytearray(sound)) == {0}
        assert seconds == 0 and 0 < micros < 1000000


def test_the_sound_ends_when_it_is_wanted_no_more(robot, device):
    device.subscribe("Ears")
    device.subscribe("Ears")
    robot.clock.run(seconds=0.5)
    device.unsubscribe("Ears")
    robot.clock.run(seconds=1)
    assert len(heard(robot)) == 2
    with pytest.raises(RuntimeError, match="ALAudioDevice::unsubscribe\n\tModule Ears is not subscribed"):
        device.unsubscribe("Ears")


def test_a_module_that_is_gone_gets_none(robot, device):
    device.subscribe("Ears")
    gone = robot.world.modules.pop("Ears")
    robot.clock.run(seconds=1)
    assert gone.pieces == []
    with pytest.raises(RuntimeError, match="is not subscribed"):
        device.unsubscribe("Ears")


def test_a_slow_module_misses_pieces(robot, device):
    slow = robot.world.modules["Slow"] = Talking(robot)
    device.subscribe("Slow")
    robot.clock.run(seconds=3)
    assert slow.begun == pytest.approx([0.17, 1.34, 2.51])
    device.unsubscribe("Slow")
    robot.clock.run(seconds=3)
    assert len(slow.begun) == 3


def test_a_forgotten_subscription_is_told(robot, device):
    device.subscribe("Ears")
    assert device.leftovers() == ["Module 'Ears' is still subscribed to ALAudioDevice."]
    device.unsubscribe("Ears")
    assert device.leftovers() == []


def test_a_module_that_cannot_hear_is_refused(robot, device):
    robot.world.modules["Deaf"] = object()
    with pytest.raises(RuntimeError, match="ALAudioDevice::subscribe\n\tModule Deaf has no bound method processRemote"):
        device.subscribe("Deaf")
    with pytest.raises(RuntimeError, match="Can't find service: Nobody"):
        device.subscribe("Nobody")


def test_impossible_preferences_are_refused(device):
    for preferences in [(1, 0, 0), (16000, 5, 0), (16000, 0, 2), (16000, ["x"], 0, 0)]:
        with pytest.raises(RuntimeError, match="ALAudioDevice::setClientPreferences"):
            device.call("setClientPreferences", ("Ears",) + preferences)
