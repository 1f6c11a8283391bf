"""Choregraphe's boxes for the flow of a behaviour and for data, written anew: the same calls in the same order."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w

from behaviours.stock_boxes import BOOL, DOUBLE, INT, TEXT, either, out, stock

ONLY_ONCE = """
    def onLoad(self):
        self.is_first = True
    def onUnload(self):
        self.is_first = True
    def onInput_onSignal(self, value):
        if self.is_first:
            self.is_first = False
            self.firstTime(value)
"""

COUNTER = """
    def onLoad(self):
        self.count = self.getParameter("Initial value")
    def onInput_onNext(self):
        last, step = self.getParameter("Final value"), self.getParameter("Step value")
        if self.count > last:
            self.onInput_onInit()
        now, self.count = self.count, self.count + step
        self.currentValue(now)
    def onInput_onInit(self):
        self.count = self.getParameter("Initial value")
        self.onReinitialized()
"""

RANDOM_INT = """
    def onLoad(self):
        self.left = []
    def onInput_onStart(self):
        import random
        least, most = sorted([self.getParameter("Min value"), self.getParameter("Max value")])
        if not self.getParameter("Shuffle"):
            return self.output_RandomValue(random.randint(least, most))
        if not self.left:
            for number in range(least, most + 1):
                self.left.insert(random.randint(0, len(self.left)), number)
        self.output_RandomValue(self.left.pop())
"""

IF = """
    def onInput_onData(self, value):
        wanted, operator = self.getParameter("Value to compare"), self.getParameter("Condition operator")
        try:
            value, wanted = float(value), float(wanted)
        except Exception:
            value, wanted = str(value), str(wanted)
        is_so = {"<": value < wanted, "< or =": value <= wanted, "=": value == wanted, "> or =": value >= wanted,
                 ">": value > wanted}[operator]
        self.output_then() if is_so else self.output_else()
"""

WAIT_FOR_SIGNALS = """
    def onLoad(self):
        self.seen = set()
    def heard(self, name):
        self.seen.add(name)
        if len(self.seen) == 2:
            self.seen.clear()
            self.signalsReceived()
    def onInput_signal1(self):
        self.heard(1)
    def onInput_signal2(self):
        self.heard(2)
"""

DELAY = """
    def onLoad(self):
        self.delayed = []
    def onUnload(self):
        for future in list(self.delayed):
            future.cancel()
    def over(self, future, same):
        self.delayed.remove(future)
    def onInput_onStart(self):
        import functools, qi
        future = getattr(qi, "async")(self.timerOutput, delay=int(self.getParameter("Timeout (s)") * 1000000))
        self.delayed.append(future)
        future.addCallback(functools.partial(self.over, future))
    def onInput_onStop(self):
        self.onUnload()
"""

ATTACHED_FILE = """
    def onInput_onStart(self):
        import os
        self.onStopped(os.path.basename(self.behaviorAbsolutePath() + self.getParameter("File name")))
"""

ROBOT_POSE = """
    def onLoad(self):
        self.poses, self.must_stop = ALProxy("ALRobotPose"), False
    def onUnload(self):
        self.must_stop = True
    def onInput_onStart(self):
        begin, self.must_stop = time.time(), False
        while not self.must_stop:
            pose = self.poses.getActualPoseAndTime()
            if pose[1] > 0.5 or time.time() - begin > self.getParameter("Time to wait (s)"):
                break
            time.sleep(0.1)
        self.robotPose(pose[0])
"""

STIFFNESS = """
    def onInput_onSet(self):
        for part in ("Head", "LArm"):
            ALMotion.post.stiffnessInterpolation(part, 0.5, self.getParameter("Duration (s)"))
        time.sleep(self.getParameter("Duration (s)"))
        self.onReady()
"""

ANTI_COLLISION = """
    def onLoad(self):
        self.motion = ALProxy("ALMotion")
        self.before = {arm: self.motion.getCollisionProtectionEnabled(arm) for arm in ("LArm", "RArm")}
    def onUnload(self):
        for arm in sorted(self.before):
            self.motion.setCollisionProtectionEnabled(arm, self.before[arm])
    def onInput_onStart(self):
        self.success() if self.motion.setCollisionProtectionEnabled("Arms", False) else self.failure()
"""

GENDER = """
    def onLoad(self):
        self.faces, self.running = self.session().service("ALFaceCharacteristics"), False
    def onUnload(self):
        self.running = False
    def onTimeout(self):
        self.running = False
    def onInput_onStart(self):
        import qi
        future = getattr(qi, "async")(self.onTimeout, delay=2000000)
        self.running, found, error = True, [], "Timeout"
        while self.running:
            people = ALMemory.getData("PeoplePerception/PeopleList")
            if len(people) != 1:
                error, self.running = "Multiple faces detected" if people else "No face detected", False
                continue
            self.faces.analyzeFaceCharacteristics(people[0])
            time.sleep(0.1)
            value = ALMemory.getData("PeoplePerception/Person/" + str(people[0]) + "/GenderProperties")
            if value[1] > self.getParameter("Confidence Threshold"):
                found.append(value[0])
            if len(found) == 4:
                future.cancel()
                return self.onStopped("female" if sum(found) / 4 < 0.5 else "male")
        future.cancel()
        self.onError(error)
"""

RUN_BEHAVIOR = """
    def onInput_onStart(self):
        behaviours = ALProxy("ALBehaviorManager")
        name = self.getParameter("Behavior")
        if not behaviours.isBehaviorInstalled(name):
            return self.onError("%s is not installed" % name)
        behaviours.runBehavior(name)
        self.onStopped()
"""


def once():
    """Make Only Once."""
    return w.box("Only Once", w.script(ONLY_ONCE), [w.port("onSignal", "dynamic")], [out("firstTime", "dynamic")])


def counter(last):
    """Make Counter, from 1 up to a last value."""
    return w.box(
        "Counter",
        w.script(COUNTER),
        [w.port("onNext"), w.port("onInit")],
        [out("currentValue", "number"), out("onReinitialized")],
        [
            w.parameter("Initial value", INT, 1),
            w.parameter("Step value", INT, 1),
            w.parameter("Final value", INT, last),
        ],
    )


def random_int(least, most, shuffle):
    """Make Random Int."""
    return w.box(
        "Random Int.",
        w.script(RANDOM_INT),
        [w.port("onStart")],
        [out("output_RandomValue", "number")],
        [
            w.parameter("Min value", INT, least),
            w.parameter("Max value", INT, most),
            w.parameter("Shuffle", BOOL, int(shuffle)),
        ],
    )


def condition(operator, value):
    """Make If."""
    return w.box(
        "If",
        w.script(IF),
        [w.port("onData", "dynamic")],
        [out("output_then"), out("output_else")],
        [w.parameter("Condition operator", TEXT, operator), w.parameter("Value to compare", TEXT, value)],
    )


def both_signals():
    """Make Wait For Signals."""
    return w.box(
        "Wait For Signals", w.script(WAIT_FOR_SIGNALS), [w.port("signal1"), w.port("signal2")], [out("signalsReceived")]
    )


def delay(name, seconds):
    """Make Delay, which may be started again before its time is over."""
    return w.box(
        name,
        w.script(DELAY),
        outputs=[out("timerOutput", nature="stopped")],
        parameters=[w.parameter("Timeout (s)", DOUBLE, seconds)],
    )


def attached_file(name):
    """Make Get Attached File."""
    return w.box(
        "Get Attached File",
        w.script(ATTACHED_FILE),
        [w.port("onStart")],
        [out("onStopped", "string")],
        [w.parameter("File name", TEXT, name)],
    )


def robot_pose(seconds):
    """Make Get Robot Pose, which waits until the pose is stable, or for so long."""
    return w.box(
        "Get Robot Pose",
        w.script(ROBOT_POSE),
        [w.port("onStart")],
        [out("robotPose", "string")],
        [w.parameter("Time to wait (s)", DOUBLE, seconds)],
    )


def stiffness(seconds):
    """Make Set Stiffness."""
    return w.box(
        "Set Stiffness",
        w.script(STIFFNESS),
        [w.port("onSet")],
        [out("onReady")],
        [w.parameter("Duration (s)", DOUBLE, seconds)],
    )


def anti_collision():
    """Make Disable Anti-Collision."""
    return either("Disable Anti-Collision", ANTI_COLLISION)


def gender():
    """Make Get Gender."""
    outputs = [out("onStopped", "string", "stopped"), out("onError", "string")]
    threshold = w.parameter("Confidence Threshold", DOUBLE, 0.6)
    return w.box("Get Gender", w.script(GENDER), outputs=outputs, parameters=[threshold])


def run_behavior(name):
    """Make Run Behavior."""
    return stock("Run Behavior", RUN_BEHAVIOR, [out("onError", "string")], [w.parameter("Behavior", TEXT, name)])


TEXT_EDIT = """
    def onInput_onStart(self):
        self.output(%r)
"""


def value(name, content, kind="dynamic"):
    """Make Text Edit or Number Edit, which fires what is written in it."""
    return w.box(name, w.script(TEXT_EDIT % (content,)), [w.port("onStart")], [out("output", kind)])
