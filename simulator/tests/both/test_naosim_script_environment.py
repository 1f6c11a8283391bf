"""The standard library of scripts: dates, sockets, loops without end, old modules, the Python bridge."""

from __future__ import absolute_import, division, print_function

import datetime
import socket
import sys
import threading

import naosim_xar_writer as w
import pytest
from robot_fixtures import list_fields

from naosim import Overrun, Robot, scheduler
from naosim.__main__ import main
from naosim.compat import PY2, real_monotonic, real_sleep

IMPORTS = """
import datetime, pickle, random, select, socket, threading, time
try:
    import queue, socketserver
except ImportError:
    import Queue as queue, SocketServer as socketserver
"""


def run(robot, body, before=IMPORTS, seconds=60):
    behaviour = robot.load(w.only(body, before))
    robot.start(behaviour)
    robot.advance(seconds)
    return behaviour


@pytest.mark.parametrize(
    "body, before, line",
    [
        ("while True:\n    pass", "", "box root/Only (line "),
        ("while True:\n    try:\n        len('')\n    except ValueError:\n        pass", "", "box root/Only (line "),
        ("pass", "while True: pass\n", "box root/Only (line 1 of the script)"),
    ],
)
def test_a_loop_without_sleep_is_ended_with_a_sentence(robot, monkeypatch, body, before, line):
    monkeypatch.setattr(scheduler, "MAX_TURN_S", 0.2)
    monkeypatch.setattr(scheduler, "MAX_TASK_END_S", 0.2)
    with pytest.raises(Overrun) as caught:
        run(robot, body, before, 5)
    assert str(caught.value).startswith(line) and "look for a loop without sleep" in str(caught.value)


@pytest.mark.parametrize(
    "call", ["ALProxy('ALMemory').insertData('x', 1)", "self.logger.info('x')", "print('x')", "time.time()"]
)
def test_time_passes_in_a_loop_of_calls_without_an_end(robot, call):
    assert not run(robot, "while True:\n    " + call, seconds=5).ended
    assert (robot.now(), len(robot.trace.events) < 2000) == (5, True)


def test_threads_that_scripts_looked_at_are_forgotten_in_the_end():
    before = set(threading.enumerate())
    with Robot() as robot:
        assert run(robot, "threading.current_thread()").ended
    end = real_monotonic() + 10
    while set(threading.enumerate()) - before and real_monotonic() < end:
        real_sleep(0.001)
    assert set(threading.enumerate()) <= before


def test_a_line_for_the_log_may_fill_names_in_and_never_breaks_the_handler(robot):
    behaviour = run(
        robot,
        """
self.logger.info("%(name)s is %(age)d", {"name": "NAO", "age": 9})
self.logger.info("%d", "nine")
self.logger.info("100%")
""",
    )
    assert (behaviour.ended, list_fields(robot)) == (True, ["NAO is 9", "%d", "100%"])
    assert len(behaviour.failures) == 1
    assert behaviour.failures[0].startswith("root/Only.log: \"%d\" cannot be filled with ('nine',)")


def test_a_behaviour_that_stops_twice_ends_once(robot):
    assert run(robot, "self.onStopped()").times_stopped == 2
    assert len(robot.trace.of("end")) == 1


def test_a_module_that_only_robots_have_is_named(robot):
    for name in ["almathswig", "inaoqi"]:
        assert run(robot, "", "import %s\n" % name).failures == [
            "root/Only.__init__: the simulated robot lacks the robot's module %s: put a small "
            "one next to the behaviour (line 1 of the script)" % name
        ]


def test_a_script_learns_the_robots_date_and_chance(robot):
    """They are the same on every machine, in every run and on both Pythons; other threads keep their own date."""
    expected = [
        ("datetime.datetime.now()", "2017-07-14 02:40:05"),
        ("datetime.datetime.utcnow()", "2017-07-14 02:40:05"),
        ("datetime.date.today()", "2017-07-14"),
        ("datetime.datetime.now().strftime('%H')", "02"),
        ("datetime.datetime(2020, 1, 2) - datetime.datetime.strptime('2020', '%Y')", "1 day, 0:00:00"),
        ("isinstance(datetime.datetime.now(), datetime.datetime)", "True"),
        ("isinstance(datetime.datetime(2020, 1, 2), datetime.date)", "True"),
        ("issubclass(datetime.datetime, datetime.date)", "True"),
        ("pickle.loads(pickle.dumps(datetime.date(2020, 1, 2)))", "2020-01-02"),
        ("(datetime.datetime.fromtimestamp(time.time()) - datetime.datetime.fromtimestamp(0)).days > 9", "True"),
        ("time.strftime('%Y-%m-%d %H:%M:%S')", "2017-07-14 02:40:05"),
        ("time.strftime('%Y', time.gmtime(0))", "1970"),
        ("time.localtime().tm_hour", "2"),
        ("time.ctime()", "Fri Jul 14 02:40:05 2017"),
        ("time.asctime()", "Fri Jul 14 02:40:05 2017"),
        ("random.SystemRandom().randint(1, 1000000)", "844422"),
    ]
    seen = []
    robot.trace.listeners.append(lambda event: seen.append(datetime.datetime.now()))
    assert run(robot, "time.sleep(5)\n" + "\n".join("self.log(str(%s))" % row[0] for row in expected)).failures == []
    assert list_fields(robot) == [row[1] for row in expected]
    assert seen and all(abs(each - datetime.datetime.now()) < datetime.timedelta(days=1) for each in seen)


def test_on_a_robot_in_real_time_a_client_from_outside_is_served():
    heard = []

    def ask(port):
        client = socket.create_connection(("127.0.0.1", port))
        heard.append(client.recv(100))
        client.close()

    with Robot(real_time=True) as robot:
        asking = threading.Timer(0.5, lambda: ask(robot.get("port")))
        asking.start()
        behaviour = run(
            robot,
            """
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1)
ALProxy("ALMemory").insertData("port", listener.getsockname()[1])
connection, _ = listener.accept()
connection.sendall(b"welcome")
connection.close()
listener.close()
""",
            seconds=30,
        )
        asking.join()
        assert (behaviour.failures, heard) == ([], [b"welcome"])


def test_a_robot_that_waits_for_calls_from_outside_goes_on():
    with Robot(real_time=True) as robot:
        robot.clock.open()
        behaviour = run(robot, "time.sleep(0.3)\nself.log('rested')", seconds=1)
        assert (behaviour.failures, list_fields(robot)) == ([], ["rested"])


def test_modules_beside_a_behaviour_are_rewritten_with_it(tmpdir, capsys):
    script = w.script("""    def onLoad(self):
        import os, sys
        self.folder = os.path.join(self.behaviorAbsolutePath(), "lib")
        sys.path.append(self.folder)
    def onUnload(self):
        import sys
        sys.path.remove(self.folder)
    def onInput_onStart(self):
        import words
        self.logger.info("%s %s" % (words.count(["a", "b", "a"]), words.host("http://nao.local/menu")))
        self.onStopped()
""")
    inner = tmpdir.mkdir("lib").mkdir("pack")
    inner.join("__init__.py").write("print 'packed'\n")
    inner.join("inner.py").write("""
import texts, os as system
from signs import GAP
def told(name):
    return texts.AT + GAP + name + system.curdir[1:]
""")
    inner.join("texts.py").write("AT = 'at'\n")
    signs = "from __future__ import absolute_import\nimport pack\nGAP = ' ' * hasattr(pack, 'texts')\n"
    inner.join("signs.py").write(signs)
    tmpdir.join("lib", "words.py").write("""
import re, urlparse
from pack.inner import told

def count(words):
    found = {}
    for word in words:
        if not found.has_key(word):
            found[word] = 0
        found[word] += 01
    try:
        raise ValueError, "counted"
    except ValueError, error:
        print "words:", error
    return sorted(found.iteritems(), cmp=None) if 1 <> 1 else sorted(found.items())

def host(url):
    assert re.sub(ur"\\d", "", url + "1") == url
    return told(unicode(urlparse.urlparse(url).netloc))
""")
    tmpdir.join("behavior.xar").write_binary(w.sequence(w.box("Only", script)))
    project, said = str(tmpdir.join("behavior.xar")), "[('a', 2), ('b', 1)] at nao.local"

    def play(rewrite):
        with Robot() as robot:
            behaviour = robot.load(project, rewrite=rewrite)
            robot.start(behaviour)
            robot.advance()
            return behaviour.failures, list_fields(robot), list_fields(robot, "print")

    for _ in range(2):
        assert play(rewrite=True) == ([], [said], ["packed", "words: counted"])
    assert "words" not in sys.modules and "pack" not in sys.modules
    assert main([project, "--rewrite"]) == 0
    assert said in capsys.readouterr()[0]
    assert not [finder for finder in sys.meta_path if "naosim" in type(finder).__module__]
    failures, logged, _ = play(rewrite=False)
    if PY2:
        assert (failures, logged) == ([], [said])  # Python 2.7 needs no rewriting.
    else:
        assert logged == [] and "SyntaxError" in failures[0]
    tmpdir.join("lib", "words.py").write("def count(words:\n")
    failures = play(rewrite=True)[0]
    assert "SyntaxError" in failures[0] and "words.py, line 1" in failures[0]


# ALPythonBridge: code given as text runs beside the box scripts, and what it makes is theirs.


def test_modules_that_one_box_imports_by_text_are_there_for_the_others(robot, tmpdir):
    imports = w.script("""
    def onInput_onStart(self):
        bridge = ALProxy("ALPythonBridge")
        bridge.evalFull("import sys; sys.path.append('%s')" % ALFrameManager.getBehaviorPath(self.behaviorId))
        bridge.evalFull("import wordbook")
        bridge.eval("from wordbook import GREETING as hello")
        self.onStopped()
""")
    speaks = w.script("""
    hello = "not this one"
    def onInput_onStart(self):
        ALProxy("ALTextToSpeech").say(hello + wordbook.NAME)
        self.onStopped()
""")
    path = w.save(tmpdir, w.sequence(w.box("Load libs", imports), w.box("Speak", speaks)))
    tmpdir.join("behavior_1", "wordbook.py").write("GREETING = 'Hello, '\nNAME = 'Ann'\n")
    for _ in range(2):
        behaviour = robot.load(path)
        robot.start(behaviour)
        robot.advance()
        assert not behaviour.failures
    assert list_fields(robot, "say", "plain") == ["Hello, Ann"] * 2


def test_code_keeps_what_it_makes_and_tells_what_it_finds_or_why_it_fails(robot):
    calls = [
        ("eval", "n = 3\ndef twice(x):\n    return 2 * x"),
        ("evalReturn", "twice(n)"),
        ("evalFull", "n + 1"),
        ("evalFull", "n = 5"),
        ("evalReturn", "n"),
        ("eval", "1 / 0"),
        ("evalReturn", "1 / 0"),
        ("evalFull", "1 / 0"),
        ("eval", "if"),
    ]
    body = """
bridge, found = ALProxy("ALPythonBridge"), []
for method, code in %r:
    try:
        found.append(bridge.call(method, code))
    except RuntimeError as error:
        found.append(str(error))
ALMemory.insertData("found", found)
"""
    assert not run(robot, body % (calls,)).failures
    found = robot.memory.getData("found")
    assert found[:5] == ["", 6, [4, "", "", ""], [None, "", "", ""], 5]
    by_eval, by_return, by_full, unread = found[5:]
    assert by_eval.startswith("\tALPythonBridge::eval\n\tZeroDivisionError: ")
    assert by_return.startswith("\tALPythonBridge::evalReturn\n\tZeroDivisionError: ")
    assert by_full[0] is None and by_full[1].startswith("ZeroDivisionError: ")
    assert "does not compile" in unread
    assert list_fields(robot, "warning", "where") == ["ALPythonBridge.evalFull"]


def test_a_script_keeps_the_names_it_has_made_itself(robot):
    run(robot, "ALProxy('ALPythonBridge').eval('hello = 0')\nALProxy('ALTextToSpeech').say(hello)", "hello = 'Mine'\n")
    assert list_fields(robot, "say", "plain") == ["Mine"]
