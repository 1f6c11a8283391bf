"""The request of a live server for what is to be seen of the robot: its pose, its lights, and what it does."""

from __future__ import absolute_import, division, print_function

from naosim.body import joints
from naosim.services.device.led_names import GROUPS
from naosim.services.motion.safety import PARTS

MYPY = False
if MYPY:
    from typing import Any

    from naosim.robot.robot import Robot

#: The joints and the single lights, in the order in which `look` has them.
JOINTS, LIGHTS = tuple(joints.BODY), tuple(GROUPS["AllLeds"])
#: Breaths a minute and how deep they are, where nothing else was set.
BREATH = {"Bpm": 12.0, "Amplitude": 1.0}


class BodyRequests(object):
    """The part of a live server's requests that looks at the robot; it changes nothing."""

    robot = None  # type: Robot  # type: ignore[assignment]

    def _do_look(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Return what is to be seen now: `angles` as getAngles, `lights` with two hexadecimal digits each."""
        world = self.robot.world
        body, lights, place = world.body, world.lights, world.body.walk.place()
        voice, touch = world.services.get("ALTextToSpeech"), world.services.get("ALTouch")
        shown = bytearray(int(255 * lights.brightness(light) + 0.5) for light in LIGHTS)
        return {
            "seconds": world.clock.now(),
            "angles": [body.angle(joint) for joint in JOINTS],
            "lights": "".join("%02x" % each for each in shown),
            "posture": world.posture,
            "place": [place.x, place.y, place.theta],
            "is_awake": body.is_awake,
            "is_speaking": voice is not None and voice.is_speaking,
            "touched": touch.events_pressed() if touch is not None else [],
            "breath": self._breath(),
            "is_blinking": self._lives("ALAutonomousBlinking"),
        }

    def _lives(self, ability):  # type: (str) -> bool
        """Tell whether an ability of Autonomous Life works: life is on, or the ability was switched on by itself."""
        life, switch = (self.robot.world.services.get(name) for name in ("ALAutonomousLife", ability))
        return (life is not None and life.getState() != "disabled") or (switch is not None and switch.isEnabled())

    def _breath(self):  # type: () -> list[float]
        """Return the breaths a minute and how deep they are, 0 to 1; two zeros when the robot does not breathe."""
        motion = self.robot.world.services.get("ALMotion")
        is_on = self._lives("ALBackgroundMovement") or (
            motion is not None and any(motion.getBreathEnabled(chain) for chain in PARTS)
        )
        if not is_on or not self.robot.world.body.is_awake:
            return [0.0, 0.0]
        setting = dict(BREATH if motion is None else motion.getBreathConfig())
        return [setting["Bpm"], setting["Amplitude"]]
