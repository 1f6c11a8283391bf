"""Every place where the player or a service calls a script: an error there is a failure of its box, not of the run."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest

EVENT = "FrontTactilTouched"
SUBSCRIBE = "ALProxy('ALMemory').subscribeToEvent('%s', self.getName(), 'onTouched')" % EVENT
ON_TOUCHED = "    def onTouched(self, *_): pass"
FAILING_INIT = """class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        %s
        1 / 0
%s
""" % (SUBSCRIBE, ON_TOUCHED)

#: Callbacks that raise in unusual ways: an error without a text, and objects that know no name.
BEFORE = """
import qi, threading
class Mute(Exception):
    def __str__(self):
        raise ValueError("no text")
class Nameless(object):
    def __getattr__(self, name):
        raise KeyError(name)
    def __call__(self, *values):
        raise Mute()
class Secretive(object):
    def __repr__(self):
        raise Mute()
def fail(*values):
    raise ValueError("on purpose")
run_async = getattr(qi, "async")
class Module(ALModule):
    told = fail
"""


def box(body="        pass", more="", **parts):
    """Return a box whose script runs the indented `body` at its start and has the indented methods of `more`."""
    return w.box("A", BEFORE + w.script("    def onInput_onStart(self):\n%s\n%s" % (body, more)), **parts)


def starting(code, more="", **parts):
    return w.behaviour([box("        " + code, more, **parts)])


def link_boxes(output, first, second):
    """Return a behaviour in which a box fires an output with a value, which is linked to the other box."""
    fires = box("        self.%s(%s)" % ("out", output), outputs=[w.port("out", "dynamic")])
    starts = [("root.onStart", name + ".onStart") for name in ("B", "A")]
    return w.behaviour([fires, second], starts + [("A.out", first)])


NUMBER = w.box("B", parameters=[w.parameter("number", 1, 0)])
DIALOG = w.box("B", inputs=[w.port("onStart", nature="onStart"), w.port("said", "dynamic")], dialog="none.dlg")
RESOURCE = [("Speech", "Lock", 1)]

PURPOSE = "ValueError: on purpose"
#: Behaviours, and the sentences of their failures.
ROWS = {
    "an event after __init__ has failed": (
        w.behaviour([w.box("A", FAILING_INIT)], [("root.onStart", "A.onStart")]),
        ["root/A.__init__: ZeroDivisionError", "root/A.onTouched: AttributeError: 'GeneratedClass' object has no"],
    ),
    "an event after its method is gone": (
        starting(SUBSCRIBE + "; del MyClass.onTouched", ON_TOUCHED),
        ["root/A.onTouched: AttributeError: 'MyClass' object has no"],
    ),
    "an event with a property": (
        starting(SUBSCRIBE + "; MyClass.onTouched = property(fail)", ON_TOUCHED),
        ["root/A.onTouched: " + PURPOSE],
    ),
    "an event of a module": (
        starting(
            "m = self.m = Module('M'); ALProxy('ALMemory').subscribeToEvent('%s', 'M', 'told'); m.told = 3" % EVENT
        ),
        ["int: TypeError"],
    ),
    "a link of an event": (
        starting("self.session().service('ALMemory').subscriber('%s').signal.connect(Nameless())" % EVENT),
        ["Nameless: Mute"],
    ),
    "sound of the microphones": (
        starting(
            "ALProxy('ALAudioDevice').subscribe(self.getName()); del MyClass.processRemote",
            "    def processRemote(self, *_): pass",
        ),
        ["root/A.processRemote: AttributeError"],
    ),
    "a handler": (starting("raise Mute()"), ["root/A.onInput_onStart: Mute"]),
    "a handler that is a property": (
        starting("pass", "    onUnload = property(fail)"),
        ["root/A.onUnload: " + PURPOSE],
    ),
    "a handler that is no function": (starting("pass", "    onUnload = 3"), ["root/A.onUnload: TypeError"]),
    "onError": (starting("fail()", "    onError = fail"), ["root/A.onError: " + PURPOSE]),
    "onError that is a property": (
        starting("fail()", "    onError = property(fail)"),
        ["root/A.onError: " + PURPOSE, "root/A.onInput_onStart: " + PURPOSE],
    ),
    "resources of a box": (starting("self.waitResourcesCallback(fail)", resources=RESOURCE), ["fail: " + PURPOSE]),
    "a resource that another module wants": (
        starting(
            "r = ALProxy('ALResourceManager'); m = self.m = Module('M'); r.createResource('Own', ''); "
            "r.acquireResource('Own', 'M', 'told', 0); "
            "r.acquireResource('Own', 'N', 'told', 0)"
        ),
        ["fail: " + PURPOSE],
    ),
    "a parameter": (
        link_boxes("'many'", "B.number", NUMBER),
        ['root/B.number: RuntimeError: the parameter "number" cannot take str "many"'],
    ),
    "an infinite parameter": (
        link_boxes("float('inf')", "B.number", NUMBER),
        ['root/B.number: RuntimeError: the parameter "number" cannot take float inf'],
    ),
    "an input of a dialog": (link_boxes("Secretive()", "B.said", DIALOG), ["root/B.onInput_said: Mute"]),
    "a timer": (starting("threading.Timer(0.1, fail).start()"), ["fail: " + PURPOSE]),
    "a thread": (starting("threading.Thread(target=fail).start()"), ["run: " + PURPOSE]),
    "a thread without run": (starting("t = threading.Thread(); t.run = None; t.start()"), ["NoneType: TypeError"]),
    "a thread that ends the program": (starting("threading.Thread(target=sys.exit).start()"), ["run: SystemExit"]),
    "a function on a thread": (starting("import thread; thread.start_new_thread(fail, ())"), ["fail: " + PURPOSE]),
    "a call later": (starting("run_async(Nameless(), delay=1000)"), ["Nameless: Mute"]),
    "a callback of a future": (starting("run_async(int).addCallback(Nameless())"), ["Nameless: Mute"]),
    "a callback that is None": (starting("run_async(int).addCallback(None)"), ["NoneType: TypeError"]),
    "then of a future": (starting("run_async(int).then(fail)"), ["fail: " + PURPOSE]),
    "a promise": (starting("qi.Promise(fail).future().cancel()"), ["fail: " + PURPOSE]),
    "a signal": (starting("s = qi.Signal(); s.connect(Nameless()); s(1)"), ["Nameless: Mute"]),
    "a property": (starting("s = qi.Property(); s.connect(fail); s.setValue(1)"), ["fail: " + PURPOSE]),
    "a periodic task": (
        starting("t = self.t = qi.PeriodicTask(); t.setCallback(Nameless()); t.setUsPeriod(1000000); t.start(True)"),
        ["Nameless: Mute"],
    ),
    "a posted call": (starting("ALProxy(self.getName()).post.nothing()"), ["nothing, posted: RuntimeError"]),
    "a service of the script": (
        starting("self.session().registerService('S', Nameless()); ALProxy('S').post.m()"),
        ["S.m, posted: KeyError"],
    ),
    "a call of a topic": (
        starting(
            "d = ALProxy('ALDialog'); Module('M'); d.loadTopicContent("
            "'topic: ~t()\\nlanguage: enu\\nu:(e:%s) ^call(M.told())\\n'); d.activateTopic('t'); d.subscribe('A')"
            % EVENT
        ),
        ["call: " + PURPOSE],
    ),
    "a condition of ALMemory": (
        starting(
            "e = self.session().service('ALExpressionWatcher').add('FrontTactilTouched > 0', 0); e.signal.connect(fail)"
        ),
        ["fail: " + PURPOSE],
    ),
    "a line of the log": (
        starting(
            "l = self.session().service('LogManager').getListener(); l.onLogMessage.connect(Nameless()); self.log('x')"
        ),
        ["Nameless: Mute"],
    ),
    "a value without a text": (link_boxes("Secretive()", "B.onStart", w.box("B")), []),
}


@pytest.mark.parametrize("name", sorted(ROWS))
def test_an_error_is_a_failure_of_its_box(robot, name):
    content, sentences = ROWS[name]
    behaviour = robot.load(content, rewrite=True, dialogs=["B"] if DIALOG["dialog"] in str(content) else [])
    robot.start(behaviour)
    robot.wait(1)
    robot.event(EVENT, 1.0)
    robot.advance(5)
    robot.stop(behaviour)
    failures = " ".join(behaviour.failures)
    assert [sentence for sentence in sentences if sentence not in failures] == [], failures
    # The robot still works.
    robot.start(robot.load(w.only("ALProxy('ALTextToSpeech').say('still here')")))
    robot.advance(5)
    assert [event.fields["text"] for event in robot.trace.of("say")] == ["still here"]
