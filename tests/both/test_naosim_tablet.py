"""The tablet: what it would show stands in the trace, and its touches and scripts come as events."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest

from naosim.__main__ import main
from naosim.robot import Robot


def test_a_page_is_shown_touched_and_hidden(tmpdir, capsys):
    page = w.script("""
    def onLoad(self):
        self.tablet = self.session().service("ALTabletService")
    def onInput_onStart(self):
        self.down = self.tablet.onTouchDown.connect(self.onDown)
        self.go = self.tablet.onJSEvent.connect(self.onGo)
        self.tablet.showWebview("http://%s/apps/quiz/index.html" % self.tablet.robotIp())
    def onDown(self, x, y):
        ALProxy("ALTextToSpeech").say("touched at %d %d" % (x, y))
    def onGo(self, word):
        self.tablet.onTouchDown.disconnect(self.down)
        self.tablet.onJSEvent.disconnect(self.go)
        self.tablet.hideWebview()
        ALProxy("ALTextToSpeech").say(word)
        self.onStopped()
""")
    path = w.save(tmpdir, w.sequence(w.box("Page", page)))
    events = ["ALTabletService/onTouchDown=[3, 4]", 'ALTabletService/onJSEvent="bye"']
    assert main([path, "--robot-type", "Pepper"] + [word for event in events for word in ("--event", event)]) == 0
    out = [line.split("s ", 1)[1].strip() for line in capsys.readouterr()[0].splitlines()]
    address = "http://198.18.0.1/apps/quiz/index.html"
    assert [line for line in out if line.startswith(("shows", "says"))] == [
        "shows     loadUrl " + address,
        "shows     showWebview " + address,
        "says      touched at 3 4",
        "shows     hideWebview " + address,
        "says      bye",
    ]


def test_what_the_calls_return():
    for method, arguments, wanted in [
        ("showWebview", (), False),
        ("showWebview", ("a.example",), True),
        ("hideWebview", (), False),
        ("loadUrl", ("",), False),
        ("loadApplication", ("quiz",), True),
        ("showImage", ("http://a.example/a.png",), True),
        ("hideImage", (), None),
        ("setBackgroundColor", ("#ff0000",), True),
        ("setBackgroundColor", ("red",), False),
        ("stopVideo", (), False),
        ("playVideo", ("http://a.example/a.mp4",), True),
        ("getWifiStatus", (), "DISCONNECTED"),
    ]:
        with Robot(robot_type="Pepper") as robot:
            assert robot.service("ALTabletService").call(method, arguments) is wanted or wanted == "DISCONNECTED"


def test_only_pepper_has_a_tablet():
    for robot_type, without, has_one in [
        ("Nao", [], False),
        ("Romeo", [], False),
        ("Pepper", [], True),
        ("Juliette", [], True),
        ("Pepper", ["ALTabletService"], False),
    ]:
        with Robot(without, robot_type=robot_type) as robot:
            assert ("ALTabletService" in robot.services) is has_one
            if not has_one:
                with pytest.raises(RuntimeError, match="Can't find service: ALTabletService"):
                    robot.service("ALTabletService")


def test_an_app_for_the_tablet_on_a_nao_goes_on_without(tmpdir, capsys):
    """As Choregraphe's Show Image, it logs what it lacks; a recording keeps the kind of robot."""
    guarded = w.script("""
    def onInput_onStart(self):
        try:
            tablet = self.session().service("ALTabletService")
        except Exception as error:
            tablet = None
            self.logger.%s(error)
        if tablet:
            tablet.showImage("http://a.example/a.png")
        else:
            self.logger.warning("No ALTabletService, can't display the image.")
        self.onStopped()
""")
    for options, level, errors in [
        (["--robot-type", "Pepper"], "error", []),
        ([], "info", []),
        ([], "error", ["a Nao has no ALTabletService: see --robot-type Pepper"]),
        (
            ["--strict"],
            "error",
            [
                "failure: root/Page.log: Cannot find service 'ALTabletService' in index",
                "a Nao has no ALTabletService: see --robot-type Pepper",
            ],
        ),
    ]:
        path = w.save(tmpdir, w.sequence(w.box("Page", guarded.replace("%s", level))))
        assert main([path] + options) == ("--strict" in options), options
        out, found = capsys.readouterr()
        assert found.splitlines() == errors, options
        assert ("can't display the image" in out) is ("Pepper" not in options), options
        assert ("warns" in out) is (level == "error" and not options), options
        assert " ends " in out, options
    recording = ["--record", str(tmpdir.join("bug.jsonl"))]
    assert main([path, "--robot-type", "Pepper"] + recording) == 0
    first = capsys.readouterr()
    assert main([path, "--replay", recording[1]]) == 0
    assert capsys.readouterr() == first


def test_there_are_three_kinds_of_robot(tmpdir, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["behavior.xar", "--robot-type", "R2D2"])
    assert caught.value.code == 2
    assert 'there is no robot "R2D2": use Nao, Pepper or Romeo' in capsys.readouterr()[1]
