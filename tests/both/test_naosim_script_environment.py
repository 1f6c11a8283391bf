"""The standard library of scripts: dates, sockets, loops without end, old modules, the Python bridge."""

from __future__ import absolute_import, division, print_function

import datetime
import select
import socket
import sys
import threading

import naosim_xar_writer as w
import pytest

from naosim import Overrun, Robot, scheduler
from naosim.__main__ import main
from naosim.compat import PY2, queue_module, real_monotonic, real_sleep

# Scripts that never return: in loops without sleep time passes, or the watchdog ends them with a sentence.

LINKS = [("root.onStart", "Only.onStart"), ("Only.onStopped", "root.onStopped")]


def content(body, before=""):
    return w.behaviour(
        [
            w.box(
                "Only",
                before
                + w.script(
                    "    def onInput_onStart(self):\n%s\n"
                    % "\n".join(" " * 8 + line for line in body.strip("\n").split("\n"))
                ),
            )
        ],
        LINKS,
    )


def run(robot, body, before="", seconds=5):
    behaviour = robot.load(content(body, before))
    robot.start(behaviour)
    return behaviour, robot.advance(seconds)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(scheduler, "MAX_TURN_S", 0.2)
    monkeypatch.setattr(scheduler, "MAX_TASK_END_S", 0.2)


def test_a_loop_without_sleep_is_ended_with_a_sentence(robot, impatient):
    for body in [
        "while True:\n    pass",
        "while True:\n    try:\n        len('')\n    except ValueError:\n        pass",
    ]:
        with pytest.raises(Overrun) as caught:
            run(robot, body)
        assert str(caught.value).startswith("box root/Only (line "), body
        assert "look for a loop without sleep" in str(caught.value), body


def test_a_loop_at_loading_time_is_ended_too(robot, impatient):
    with pytest.raises(Overrun) as caught:
        robot.load(content("pass", "while True: pass\n"))
    assert "box root/Only (line 1 of the script)" in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        "memory = ALProxy('ALMemory')\nwhile True:\n    memory.insertData('x', 1)",
        "while True:\n    self.logger.info('x')",
        "while True:\n    print('x')",
        "while True:\n    time.time()",
    ],
)
def test_who_asks_on_and_on_lets_time_pass(robot, body):
    _, pause = run(robot, body)
    assert not pause.ended
    assert robot.clock.now() == 5
    assert len(robot.trace.events) < 2000


def test_waiting_by_reading_the_time_ends(robot):
    behaviour, pause = run(robot, "begin = time.time()\nwhile time.time() - begin < 3:\n    pass\nself.onStopped()")
    assert pause.ended
    assert behaviour.failures == []
    assert 3 <= robot.clock.now() < 3.1


def test_waiting_by_asking_the_memory_ends_when_another_task_writes(robot):
    _, pause = run(
        robot,
        """
memory = ALProxy("ALMemory")
memory.insertData("Done", False)
threading.Timer(2, memory.insertData, ("Done", True)).start()
while not memory.getData("Done"):
    pass
self.onStopped()
""",
        "import threading\n",
    )
    assert pause.ended
    assert 2 <= robot.clock.now() < 2.1


@pytest.mark.parametrize("kind", ["Queue", "SimpleQueue"])
def test_a_queue_that_was_imported_before_waits_on_the_robots_clock(robot, kind):
    if not hasattr(queue_module, kind):
        kind = "Queue"
    behaviour, pause = run(
        robot,
        """
waiting = queue.%s()
threading.Timer(2, waiting.put, ("word",)).start()
self.logger.info(waiting.get(True, 60))
try:
    waiting.get(True, 3)
except queue.Empty:
    self.logger.info("empty")
self.onStopped()
"""
        % kind,
        "import threading\ntry:\n    import queue\nexcept ImportError:\n    import Queue as queue\n",
        60,
    )
    assert pause.ended
    assert behaviour.failures == []
    assert [event.fields["text"] for event in robot.trace.of("log")] == ["word", "empty"]
    assert 5 <= robot.clock.now() < 5.01


def test_a_semaphore_gives_up_on_the_robots_clock(robot):
    behaviour, pause = run(
        robot,
        """
free = threading.Semaphore(0)
threading.Timer(2, free.release).start()
free.acquire()
self.logger.info(str(free.acquire(%s)))
self.onStopped()
"""
        % ("True, 3" if str is not bytes else "False"),
        "import threading\n",
        60,
    )
    assert pause.ended
    assert behaviour.failures == []
    assert [event.fields["text"] for event in robot.trace.of("log")] == ["False"]


def test_threads_that_scripts_looked_at_are_forgotten_in_the_end():
    before = set(threading.enumerate())
    with Robot() as robot:
        assert run(robot, "threading.current_thread()\nself.onStopped()", "import threading\n")[1].ended
    end = real_monotonic() + 10
    while set(threading.enumerate()) - before and real_monotonic() < end:
        real_sleep(0.001)
    assert set(threading.enumerate()) <= before


def test_a_line_for_the_log_may_fill_names_in_and_never_breaks_the_handler(robot):
    behaviour, pause = run(
        robot,
        """
self.logger.info("%(name)s is %(age)d", {"name": "NAO", "age": 9})
self.logger.info("%d", "nine")
self.logger.info("100%")
self.onStopped()
""",
    )
    assert pause.ended
    assert [event.fields["text"] for event in robot.trace.of("log")] == ["NAO is 9", "%d", "100%"]
    assert len(behaviour.failures) == 1
    assert behaviour.failures[0].startswith("root/Only.log: \"%d\" cannot be filled with ('nine',)")


def test_a_behaviour_that_stops_twice_ends_once(robot):
    behaviour, pause = run(robot, "self.onStopped()\nself.onStopped()")
    assert pause.ended
    assert len(robot.trace.of("end")) == 1
    assert behaviour.times_stopped == 2


def test_a_module_that_only_robots_have_is_named(robot):
    for name in ["almathswig", "inaoqi"]:
        behaviour, _ = run(robot, "self.onStopped()", "import %s\n" % name)
        assert behaviour.failures == [
            "root/Only.__init__: the simulated robot lacks the robot's module %s: put a small "
            "one beside the behaviour (line 1 of the script)" % name
        ]


# Dates and random numbers of scripts: the same on every machine, on every run and on both Pythons.

MORNING = "2017-07-14 02:40:"


def logs(body):
    with Robot() as robot:
        behaviour = robot.load(
            w.behaviour(
                [
                    w.box(
                        "Only",
                        "import datetime, pickle, random\n"
                        + w.script(
                            "    def onInput_onStart(self):\n        time.sleep(5)\n        self.logger.info(%s)\n"
                            "        self.onStopped()\n" % body
                        ),
                    )
                ],
                [("root.onStart", "Only.onStart"), ("Only.onStopped", "root.onStopped")],
            )
        )
        robot.start(behaviour)
        assert robot.advance().ended
        assert behaviour.failures == []
        return [event.fields["text"] for event in robot.trace.of("log")]


def test_a_script_learns_the_robots_date_and_chance():
    for body, expected in [
        ("str(datetime.datetime.now())", MORNING + "05"),
        ("str(datetime.datetime.utcnow())", MORNING + "05"),
        ("str(datetime.date.today())", "2017-07-14"),
        ("datetime.datetime.now().strftime('%H')", "02"),
        ("str(datetime.datetime(2020, 1, 2) - datetime.datetime.strptime('2020', '%Y'))", "1 day, 0:00:00"),
        ("str(isinstance(datetime.datetime.now(), datetime.datetime))", "True"),
        ("str(isinstance(datetime.datetime(2020, 1, 2), datetime.date))", "True"),
        ("str(issubclass(datetime.datetime, datetime.date))", "True"),
        ("str(pickle.loads(pickle.dumps(datetime.date(2020, 1, 2))))", "2020-01-02"),
        (
            "str(datetime.datetime.fromtimestamp(time.time()) - datetime.datetime.fromtimestamp(0)"
            " > datetime.timedelta(9))",
            "True",
        ),
        ("time.strftime('%Y-%m-%d %H:%M:%S')", MORNING + "05"),
        ("time.strftime('%Y', time.gmtime(0))", "1970"),
        ("str(time.localtime().tm_hour)", "2"),
        ("time.ctime()", "Fri Jul 14 02:40:05 2017"),
        ("time.asctime()", "Fri Jul 14 02:40:05 2017"),
        ("str(random.SystemRandom().randint(1, 1000000))", "844422"),
    ]:
        assert logs(body) == [expected], body


def test_other_threads_keep_their_own_date():
    with Robot() as robot:
        seen = []
        robot.trace.listeners.append(lambda event: seen.append(datetime.datetime.now()))
        robot.load(w.behaviour([], []))
    assert seen
    assert all(abs(each - datetime.datetime.now()) < datetime.timedelta(days=1) for each in seen)


# Scripts that wait at sockets: servers in a box do not keep the others from running, and timeouts go by the clock.

SERVER = "SocketServer" if PY2 else "socketserver"
#: A server in a thread of its own, which answers one line with another, and a client of it in the same script.
ANSWERS = (
    """
import socket, threading, time
import %s as servers

class Answering(servers.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"you said " + self.rfile.readline())
"""
    % SERVER
)
ASKS = """
server = servers.TCPServer(("127.0.0.1", 0), Answering)
thread = threading.Thread(target=server.serve_forever)
thread.start()
client = socket.create_connection(server.server_address)
client.sendall(b"hello\\n")
time.sleep(1)
self.logger.info(client.recv(100).decode().strip())
client.close()
server.shutdown()
thread.join()
server.server_close()
self.onStopped()
"""
#: A loop around accept, without an end.
ACCEPTS = """
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1)
def serve():
    try:
        while True:
            connection, _ = listener.accept()
            connection.sendall(b"welcome")
            connection.close()
    finally:
        listener.close()
threading.Thread(target=serve).start()
for _ in range(2):
    client = socket.create_connection(listener.getsockname())
    time.sleep(1)
    self.logger.info(client.recv(100).decode())
    client.close()
self.onStopped()
"""
WAITS = """
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1)
begin = time.time()
found = select.select([listener], [], [], 2.5)
self.logger.info("%s after %.1f s" % (found, time.time() - begin))
listener.settimeout(3.0)
try:
    listener.accept()
except socket.timeout:
    self.logger.info("timeout after %.1f s" % (time.time() - begin))
listener.close()
try:
    listener.accept()
except (socket.error, OSError):
    self.logger.info("closed after %.1f s" % (time.time() - begin))
self.onStopped()
"""


def run_with_sockets(robot, body, before="import select, socket, threading, time\n", seconds=60):
    lines = "\n".join(" " * 8 + line for line in body.strip("\n").split("\n"))
    content = w.behaviour([w.box("Only", before + w.script("    def onInput_onStart(self):\n%s\n" % lines))], LINKS)
    behaviour = robot.load(content)
    robot.start(behaviour)
    robot.advance(seconds)
    return behaviour


def logged(robot):
    return [event.fields["text"] for event in robot.trace.of("log")]


def test_a_server_in_a_box_answers_while_the_behaviour_goes_on(robot):
    behaviour = run_with_sockets(robot, ASKS, ANSWERS)
    assert (behaviour.failures, logged(robot)) == ([], ["you said hello"])


def test_a_loop_around_accept_lets_the_others_go_on(robot):
    behaviour = run_with_sockets(robot, ACCEPTS, seconds=10)
    assert (behaviour.failures, logged(robot)) == ([], ["welcome", "welcome"])


def test_timeouts_are_times_of_the_robot(robot):
    begin = real_monotonic()
    behaviour = run_with_sockets(robot, WAITS)
    assert behaviour.failures == []
    assert logged(robot) == ["([], [], []) after 2.5 s", "timeout after 5.5 s", "closed after 5.5 s"]
    assert robot.now() == pytest.approx(5.5)
    assert real_monotonic() - begin < 60


def test_on_a_robot_in_real_time_a_client_from_outside_is_served():
    told = []

    def ask(port):
        client = socket.create_connection(("127.0.0.1", port))
        told.append(client.recv(100))
        client.close()

    script = """
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1)
ALProxy("ALMemory").insertData("port", listener.getsockname()[1])
connection, _ = listener.accept()
connection.sendall(b"welcome")
connection.close()
listener.close()
self.onStopped()
"""
    with Robot(real_time=True) as robot:
        asking = threading.Timer(0.5, lambda: ask(robot.get("port")))
        asking.start()
        behaviour = run_with_sockets(robot, script, seconds=30)
        asking.join()
        assert (behaviour.failures, told) == ([], [b"welcome"])


def test_a_robot_that_waits_for_calls_from_outside_goes_on():
    with Robot(real_time=True) as robot:
        robot.clock.open()
        behaviour = run_with_sockets(robot, "time.sleep(0.3)\nself.logger.info('rested')\nself.onStopped()", seconds=1)
        assert (behaviour.failures, logged(robot)) == ([], ["rested"])


def test_outside_of_robots_select_is_what_it_was(robot):
    plain = select.select
    run_with_sockets(robot, "self.onStopped()")
    assert select.select is plain
    assert select.select([], [], [], 0) == ([], [], [])


# Modules beside a behaviour that are written for Python 2: rewritten on Python 3 when the behaviour is.

#: A module with what Python 3 has no more, and a package of which a module imports another.
WORDS = """
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
"""
SCRIPT = w.script("""    def onLoad(self):
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
SAID = "[('a', 2), ('b', 1)] at nao.local"


@pytest.fixture
def project(tmpdir):
    """Provide the path of a behaviour with a folder of modules."""
    inner = tmpdir.mkdir("lib").mkdir("pack")
    inner.join("__init__.py").write("print 'packed'\n")
    inner.join("inner.py").write(
        "import texts, os as system\nfrom signs import GAP\n"
        "def told(name):\n    return texts.AT + GAP + name + system.curdir[1:]\n"
    )
    inner.join("texts.py").write("AT = 'at'\n")
    inner.join("signs.py").write(
        "from __future__ import absolute_import\nimport pack\nGAP = ' ' * hasattr(pack, 'texts')\n"
    )
    tmpdir.join("lib", "words.py").write(WORDS)
    tmpdir.join("behavior.xar").write_binary(w.behaviour([w.box("Only", SCRIPT)], LINKS))
    return str(tmpdir.join("behavior.xar"))


def run_project(project, rewrite):
    with Robot() as robot:
        behaviour = robot.load(project, rewrite=rewrite)
        robot.start(behaviour)
        robot.advance()
        logs = [event.fields["text"] for event in robot.trace.of("log")]
        return behaviour.failures, logs, [event.fields["text"] for event in robot.trace.of("print")]


def test_modules_of_a_rewritten_behaviour_are_rewritten(project):
    for _ in range(2):
        assert run_project(project, rewrite=True) == ([], [SAID], ["packed", "words: counted"])
    assert "words" not in sys.modules and "pack" not in sys.modules


def test_modules_of_other_behaviours_stay_as_they_are(project):
    failures, logs, _ = run_project(project, rewrite=False)
    if PY2:
        assert (failures, logs) == ([], [SAID])  # Python 2.7 needs no rewriting.
    else:
        assert logs == [] and "SyntaxError" in failures[0]


def test_what_cannot_be_rewritten_is_a_syntax_error(project, tmpdir):
    tmpdir.join("lib", "words.py").write("def count(words:\n")
    failures, _, _ = run_project(project, rewrite=True)
    assert "SyntaxError" in failures[0] and "words.py, line 1" in failures[0]


def test_the_command_line_rewrites_them_too(project, capsys):
    assert main([project, "--rewrite"]) == 0
    assert SAID in capsys.readouterr()[0]
    assert not [finder for finder in sys.meta_path if "naosim" in type(finder).__module__]


# ALPythonBridge: code given as text runs beside the box scripts, and what it makes is theirs.

IMPORTS = w.script("""
    def onInput_onStart(self):
        bridge = ALProxy("ALPythonBridge")
        folder = ALFrameManager.getBehaviorPath(self.behaviorId)
        bridge.evalFull("import sys; sys.path.append('%s')" % folder)
        bridge.evalFull("import wordbook")
        bridge.eval("from wordbook import GREETING as hello")
        self.onStopped()
    def onInput_onStop(self):
        pass
""")
SPEAKS = w.script("""
    hello = "not this one"
    def onInput_onStart(self):
        ALProxy("ALTextToSpeech").say(hello + wordbook.NAME)
        self.onStopped()
    def onInput_onStop(self):
        pass
""")


def test_modules_that_one_box_imports_by_text_are_there_for_the_others(robot, tmpdir):
    path = w.save(
        tmpdir,
        w.behaviour(
            [w.box("Load libs", IMPORTS), w.box("Speak", SPEAKS)],
            [
                ("self.onStart", "Load libs.onStart"),
                ("Load libs.onStopped", "Speak.onStart"),
                ("Speak.onStopped", "self.onStopped"),
            ],
        ),
    )
    tmpdir.join("behavior_1", "wordbook.py").write("GREETING = 'Hello, '\nNAME = 'Ann'\n")
    for _ in range(2):
        behaviour = robot.load(path)
        robot.start(behaviour)
        robot.advance()
        assert not behaviour.failures
    assert [event.fields["plain"] for event in robot.trace.of("say")] == ["Hello, Ann"] * 2


def asked(robot, *calls):
    """Let a box make calls of ALPythonBridge, and return the answers or what they raise."""
    asks = w.script(
        """
    def onInput_onStart(self):
        bridge, found = ALProxy("ALPythonBridge"), []
        for method, code in %r:
            try:
                found.append(bridge.call(method, code))
            except RuntimeError as error:
                found.append(str(error))
        ALMemory.insertData("found", found)
        self.onStopped()
    def onInput_onStop(self):
        pass
"""
        % (calls,)
    )
    behaviour = robot.load(
        w.behaviour([w.box("Asks", asks)], [("self.onStart", "Asks.onStart"), ("Asks.onStopped", "self.onStopped")])
    )
    robot.start(behaviour)
    robot.advance()
    assert not behaviour.failures
    return robot.memory.getData("found")


def test_code_keeps_what_it_makes_and_tells_what_it_finds(robot):
    assert asked(
        robot,
        ("eval", "n = 3\ndef twice(x):\n    return 2 * x"),
        ("evalReturn", "twice(n)"),
        ("evalFull", "n + 1"),
        ("evalFull", "n = 5"),
        ("evalReturn", "n"),
    ) == ["", 6, [4, "", "", ""], [None, "", "", ""], 5]


def test_code_that_fails_says_why(robot):
    by_eval, by_return, by_full, unread = asked(
        robot, ("eval", "1 / 0"), ("evalReturn", "1 / 0"), ("evalFull", "1 / 0"), ("eval", "if")
    )
    assert by_eval.startswith("\tALPythonBridge::eval\n\tZeroDivisionError: ")
    assert by_return.startswith("\tALPythonBridge::evalReturn\n\tZeroDivisionError: ")
    assert by_full[0] is None and by_full[1].startswith("ZeroDivisionError: ")
    assert "does not compile" in unread
    assert [event.fields["where"] for event in robot.trace.of("warning")] == ["ALPythonBridge.evalFull"]


def test_a_script_keeps_the_names_it_has_made_itself(robot):
    own = "hello = 'Mine'\n" + w.script("""
    def onInput_onStart(self):
        ALProxy("ALPythonBridge").eval("hello = 'Theirs'")
        ALProxy("ALTextToSpeech").say(hello)
        self.onStopped()
    def onInput_onStop(self):
        pass
""")
    behaviour = robot.load(
        w.behaviour([w.box("Own", own)], [("self.onStart", "Own.onStart"), ("Own.onStopped", "self.onStopped")])
    )
    robot.start(behaviour)
    robot.advance()
    assert [event.fields["plain"] for event in robot.trace.of("say")] == ["Mine"]
