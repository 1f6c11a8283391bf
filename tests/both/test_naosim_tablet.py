"""The tablet: what it would show stands in the trace, and its touches and scripts come as events."""
from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest

from naosim.__main__ import main
from naosim.robot.robot import Robot

PAGE = w.script('''
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
''')
LINKS = [("root.onStart", "Page.onStart"), ("Page.onStopped", "root.onStopped")]


def test_a_page_is_shown_touched_and_hidden(tmpdir, capsys):
    path = w.save(tmpdir, w.behaviour([w.box("Page", PAGE)], LINKS))
    events = ["ALTabletService/onTouchDown=[3, 4]", 'ALTabletService/onJSEvent="bye"']
    assert main([path] + [word for event in events for word in ("--event", event)]) == 0
    out = [line.split("s ", 1)[1].strip() for line in capsys.readouterr()[0].splitlines()]
    address = "http://198.18.0.1/apps/quiz/index.html"
    assert [line for line in out if line.startswith(("shows", "says"))] == [
        "shows     loadUrl " + address, "shows     showWebview " + address, "says      touched at 3 4",
        "shows     hideWebview " + address, "says      bye"]


@pytest.mark.parametrize("method, arguments, wanted", [
    ("showWebview", (), False), ("showWebview", ("a.example",), True), ("hideWebview", (), False),
    ("loadUrl", ("",), False),
    ("loadApplication", ("quiz",), True), ("showImage", ("http://a.example/a.png",), True), ("hideImage", (), None),
    ("setBackgroundColor", ("#ff0000",), True), ("setBackgroundColor", ("red",), False), ("stopVideo", (), False),
    ("playVideo", ("http://a.example/a.mp4",), True), ("getWifiStatus", (), "DISCONNECTED"),
])
def test_what_the_calls_return(method, arguments, wanted):
    with Robot() as robot:
        assert robot.service("ALTabletService").call(method, arguments) is wanted or wanted == "DISCONNECTED"


def test_a_robot_may_lack_the_tablet():
    with Robot(without=["ALTabletService"]) as robot, pytest.raises(RuntimeError, match="Can't find service"):
        robot.service("ALTabletService")


def test_navigation_walks_and_poses_have_names():
    with Robot(posture="StandInit") as robot:
        navigation, pose = robot.service("ALNavigation"), robot.service("ALRobotPose")
        navigation.setSecurityDistance(0.5)
        assert (navigation.moveTo(0.2, 0.0, 0.0), navigation.getSecurityDistance()) == (True, 0.5)
        assert robot.service("ALMotion").getRobotPosition(False) == pytest.approx([0.2, 0.0, 0.0], abs=1e-3)
        assert pose.getActualPoseAndTime()[0] in pose.getPoseNames()
