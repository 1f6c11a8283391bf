"""The boxes of Choregraphe's library for sounds, pictures and the tablet: what a robot does, and what the box fires."""

from __future__ import absolute_import, division, print_function

import os

import pytest
from behaviours import stock_media as m
from stock_stage import loaded, played

from naosim import formats
from naosim.robot import Robot
from naosim.services.audio import make_silence

APP = "http://198.18.0.1/apps/%s/"


@pytest.fixture
def pepper():
    made = Robot(robot_type="Pepper")
    yield made
    made.close()


def fine(robot, box, story, acts=()):
    """Play a box, compare its story, and leave nothing."""
    behaviour, seen = played(robot, [box], acts)
    assert seen == story
    if not behaviour.ended:
        robot.stop()
    assert behaviour.failures == robot.leaks() == []


def test_record_sound_ends_by_itself(robot, tmpdir):
    path = str(tmpdir.join("hello"))
    fine(
        robot,
        m.record_sound(path),
        ["records %s.wav (2.0 s of silence)" % path, "-> recorded %s.wav" % path, "-> onStopped"],
    )


def test_record_sound_of_the_front_microphone(robot, tmpdir):
    path = str(tmpdir.join("hello"))
    fine(
        robot,
        m.record_sound(path, ".ogg"),
        [
            "warns ALAudioDevice: %s.ogg is a WAV file: the simulated robot writes no Ogg." % path,
            "records %s.ogg (2.0 s of silence)" % path,
            "-> recorded %s.ogg" % path,
            "-> onStopped",
        ],
    )


def test_record_sound_is_stopped(robot, tmpdir):
    """What was recorded up to then is kept."""
    behaviour = loaded(robot, [m.record_sound(str(tmpdir.join("hello")))])
    robot.advance(0.5)
    robot.stop()
    assert os.path.getsize(str(tmpdir.join("hello.wav"))) == pytest.approx(0.5 * 48000 * 8, rel=0.01)
    assert behaviour.failures == robot.leaks() == []


def test_a_recording_that_is_never_stopped_is_left_behind(robot, tmpdir):
    box = m.record_sound(str(tmpdir.join("hello")))
    box["script"] = box["script"].replace("self.sound.stopMicrophonesRecording()", "pass")
    behaviour, _ = played(robot, [box])
    assert robot.leaks() == ["The recording %r was never stopped." % str(tmpdir.join("hello.wav"))]
    assert behaviour.failures == []


def test_a_recording_is_played(robot, tmpdir):
    path = str(tmpdir.join("hello.wav"))
    fine(robot, m.record_and_play(path), ["records %s (2.0 s of silence)" % path, "plays hello.wav", "-> onStopped"])
    assert robot.trace.of("sound")[0].fields["duration"] == 2.0
    assert robot.now() == pytest.approx(4.0)


@pytest.mark.parametrize(
    "resolution, camera, size", [("160 x 120", "Top", (160, 120)), ("320 x 240", "Bottom", (320, 240))]
)
def test_take_picture(robot, tmpdir, resolution, camera, size):
    path = str(tmpdir.join("me.jpg"))
    fine(
        robot,
        m.take_picture(str(tmpdir), "me", resolution, camera),
        [
            "warns ALPhotoCapture: %s is a PNG: the simulated robot writes no other pictures." % path,
            "records %s (%d x %d)" % ((path,) + size),
            "-> onStopped",
        ],
    )
    assert formats.load_picture(path)[:2] == size


def test_take_picture_without_a_camera(tmpdir):
    with Robot(without=["ALPhotoCapture"]) as robot:
        behaviour, seen = played(robot, [m.take_picture(str(tmpdir), "me")])
        assert seen[-1] == "-> onStopped"
        assert behaviour.failures == ["root/Take Picture.log: Can't find service: ALPhotoCapture"]


def test_play_sound(robot, tmpdir):
    path = tmpdir.join("bell.wav")
    path.write_binary(make_silence(3.0, 8000, 1))
    fine(robot, m.play_sound(str(path)), ["plays bell.wav", "-> onStopped"])
    assert robot.now() == pytest.approx(3.0)


def test_play_sound_in_a_loop_until_it_is_stopped(robot, tmpdir):
    path = tmpdir.join("bell.wav")
    path.write_binary(make_silence(3.0, 8000, 1))
    behaviour, seen = played(robot, [m.play_sound(str(path), in_loop=True)])
    assert (seen, behaviour.ended) == (["plays bell.wav"], False)
    robot.stop()
    assert behaviour.failures == robot.leaks() == []


def test_play_sound_without_the_file(robot):
    behaviour, _ = played(robot, [m.play_sound("/no/such/bell.wav")])
    assert len(behaviour.failures or robot.trace.errors) == 1


def test_show_app_on_a_pepper_and_on_a_nao(robot, pepper):
    behaviour, seen = played(pepper, [m.show_app()])
    name = behaviour.id.split("/")[-1]
    assert seen == ["shows loadUrl " + APP % name, "shows showWebview " + APP % name, "-> onSuccess"]
    assert behaviour.failures == pepper.leaks() == []
    fine(robot, m.show_app(), ["-> onFailure"])


def test_show_image_on_a_pepper_and_on_a_nao(robot, pepper):
    image = APP % "quiz" + "tea.png"
    fine(pepper, m.show_image(), ["shows showImage " + image, "shows hideImage", "-> onStopped"])
    fine(robot, m.show_image(), ["-> onStopped"])
    assert [event.fields["text"] for event in robot.trace.of("log")] == [
        "Cannot find service 'ALTabletService' in index",
        "No ALTabletService, can't display the image.",
    ]


EYES = "lights FaceLeds %s"


def test_choice_of_naoqi_2():
    for acts, story in [
        ([("hear", ("tea",))], ['hears "tea" (0.90)', EYES % "#ffffff", "-> choice tea", "-> onStopped"]),
        (
            [("hear", ("tea", 0.3)), ("hear", ("coffee",))],
            [
                'hears "tea" (0.30)',
                EYES % "#ff0000",
                'hears "coffee" (0.90)',
                EYES % "#ffffff",
                "-> choice coffee",
                "-> onStopped",
            ],
        ),
        (
            [("touch", ("FrontTactilTouched",))],
            ["is touched FrontTactilTouched", EYES % "#ffffff", "-> choice touched", "-> onStopped"],
        ),
        (
            [("stay_silent", (12.0,)), ("hear", ("tea",))],
            ["-> timeout", 'hears "tea" (0.90)', EYES % "#ffffff", "-> choice tea", "-> onStopped"],
        ),
    ]:
        with Robot() as robot:
            fine(robot, m.choice(), ["says Tea or coffee?", "expects tea, coffee"] + story, acts)
