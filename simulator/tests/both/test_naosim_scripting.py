"""The environment of scripts: sleep, threads, timers, random numbers, printing, naoqi and qi, on the robot's clock."""

from __future__ import absolute_import, division, print_function

import random
import re
import select
import sys
import threading
import time

import naosim_xar_writer as w
import pytest
from robot_fixtures import read_sections

from naosim import Faults, Robot, ScriptRefused, compiler
from naosim.compat import PY2
from naosim.compiler import rewrite_as_python3

ROBOT = {"seed": 3}


def run(robot, body, before="", **options):
    behaviour = robot.load(w.only(body, before), **options)
    robot.start(behaviour)
    robot.advance()
    return behaviour


def logs(robot, body):
    """Return what a box logs when it runs this body, with the times."""
    assert run(robot, body).failures == robot.leaks() == []
    return [(round(event.time, 3), event.fields["text"]) for event in robot.trace.of("log")]


@pytest.mark.parametrize("story", read_sections("scripts.txt"), ids=lambda story: story.split("\n")[0])
@pytest.mark.filterwarnings("ignore:'cgi' is deprecated")
def test_a_script_logs_what_the_table_says(story):
    fields, script, wanted = re.match(r"(?s)[^\n]*\n((?:\w+: [^\n]*\n)*)(.*)\n---\n(.*)", story).groups()
    options = {key: eval("dict(%s)" % text) for key, text in re.findall("(?m)^(robot|load): (.*)$", fields)}
    with Robot(**dict({"seed": 3}, **options.get("robot", {}))) as robot:
        content = w.one_box(script) if "class MyClass" in script else w.only(script)
        behaviour = robot.load(content, **options.get("load", {}))
        robot.start(behaviour)
        assert robot.advance(60).ended
        found = ["%g %s" % (round(event.time, 3), event.fields["text"]) for event in robot.trace.of("log")]
        found += ["failure: " + each for each in behaviour.failures] + ["left: " + each for each in robot.leaks()]
    assert found == wanted.strip("\n").split("\n")


if PY2:  # Python 3 resets its locks in another way.

    def test_a_forked_process_prints_nothing(robot):
        assert logs(
            robot,
            """
import os, sys, threading
sleeper = threading.Thread(target=lambda: time.sleep(3))
sleeper.start()
reading, writing = os.pipe()
before, sys.stderr = sys.stderr, os.fdopen(writing, "w")
child = os.fork()
if not child:
    os._exit(0)
os.waitpid(child, 0)
sys.stderr.write("end")
sys.stderr.flush()
sys.stderr = before
sleeper.join()
self.logger.info(os.read(reading, 1000))
""",
        ) == [(3.0, "end")]


def test_printing_becomes_events(robot, capsys):
    logs(robot, "print('one')\nimport sys\nsys.stdout.write('t')\nsys.stdout.write('wo\\n')\n")
    assert [event.fields["text"] for event in robot.trace.of("print")] == ["one", "two"]
    print("outside")
    assert capsys.readouterr()[0] == "outside\n"


def test_a_listener_may_print_what_it_sees(robot, capsys):
    robot.trace.listeners.append(lambda event: print(event.kind))
    logs(robot, "print('one')")
    assert capsys.readouterr()[0].split() == [event.kind for event in robot.trace.events]


def test_a_user_stops_the_behaviour_in_the_middle():
    with Robot(faults=Faults(stop_at=2.5)) as robot:
        assert run(robot, "while True:\n    time.sleep(1)").ended
        assert robot.now() == 2.5


def test_nothing_is_left_replaced(robot):
    def find_functions():
        threads = (threading.Timer, threading.Lock, threading.Thread.start)
        return threads + (time.sleep, time.time, random.choice, select.select, sys.stdout)

    before, modules = find_functions(), dict(sys.modules)
    logs(robot, "self.logger.info('x')")
    assert find_functions() == before
    assert {name: module for name, module in sys.modules.items() if name in modules} == modules
    # Other tests of the same run may have the real libqi.
    assert not set(sys.modules) & {"naoqi", "qi", "motion", "allog"} - set(modules)


def test_other_threads_notice_nothing(robot):
    seen, stop = [], []

    def other():
        while not stop:
            begin = time.time()
            time.sleep(0.001)
            seen.append(begin)

    thread = threading.Thread(target=other)
    thread.start()
    logs(robot, "for _ in range(2000):\n    time.sleep(1)")
    stop.append(True)
    thread.join()
    assert all(begin > 1.55e9 for begin in seen)


def test_a_python_2_script_runs_on_2_and_is_refused_or_rewritten_on_3(robot):
    if sys.version_info[0] > 2:
        with pytest.raises(ScriptRefused) as caught:
            run(robot, "print 'old'")
        assert "root/Only" in str(caught.value) and "line 5: \"print 'old'\"" in str(caught.value)
    assert run(robot, "print 'old'", rewrite=True).ended
    assert [event.fields["text"] for event in robot.trace.of("print")] == ["old"]
    with pytest.raises(ScriptRefused, match="line 2"):
        run(robot, "", "if x:\n", rewrite=True)


@pytest.mark.skipif(sys.version_info[0] == 2, reason="Python 2 makes the list and has no memory for it")
def test_a_range_that_would_fill_the_memory_stays_one(robot):
    body = "for number in range(10 ** 15), range(0, 10 ** 30), range(10 ** 8):\n    next(iter(number))"
    behaviour = run(robot, body, rewrite=True)
    assert behaviour.ended and not behaviour.failures


def test_scripts_beyond_what_python_compiles_are_refused():
    for script in ["(" * 100000, "-" * 100000 + "1", "not " * 25000 + "1", "\0"]:
        with pytest.raises(ScriptRefused) as caught:
            compiler.compile_script(script, "root/One", True)
        assert "root/One" in str(caught.value) and "does not compile" in str(caught.value), script
        with pytest.raises((SyntaxError, ValueError)):
            compiler.parse_script(script, "root/One")


@pytest.mark.only_python_3
def test_rewriting_takes_no_longer_than_the_script_is():
    """Each of these once took time that grows with the square of its length."""
    long_line = "a\n" + "\n" * 300000 + "b"
    for script in [long_line, "except (\n" * 40000, ": " * 150000, "\\'" * 100000, "'\\" * 100000, '"""' * 100001]:
        assert rewrite_as_python3(script) == script


def test_rewriting():
    for old, new in [
        ("f = qi.async(g, delay=1)", "f = qi.runAsync(g, delay=1)"),
        ("    except RuntimeError, e:", "    except RuntimeError as e:"),
        ("except (A, B), error:", "except (A, B) as error:"),
        ("raise ValueError, 'x'", "raise ValueError('x')"),
        ("print", "print()"),
        ("    print 'a', b", "    print('a', b)"),
        ("print 'a',", "print('a', end=\" \")"),
        ("print >>sys.stderr, 'a'", "print('a', file=sys.stderr)"),
        ("if x: print x", "if x: print(x)"),
        ("print (a), b", "print((a), b)"),
        ("print('a')", "print('a')"),
        ("# print this", "# print this"),
        ("fingerprint = 1", "fingerprint = 1"),
        ("\tx = 1", "        x = 1"),
        ("import thread", "import _thread as thread"),
        ("    import time, urllib2 as web  # old", "    import time, urllib.request as web  # old"),
        ("import ConfigParser; x = 1", "import configparser as ConfigParser; x = 1"),
        ("from urllib2 import urlopen, URLError", "from urllib.request import urlopen, URLError"),
        ("from mine import *", "from mine import *"),
        ("import threading, mine.thread", "import threading, mine.thread"),
        ("if ages.has_key('Ann'): pass", "if ages.__contains__('Ann'): pass"),
        ("for k, v in d.iteritems(): x = d.itervalues()", "for k, v in d.items(): x = d.values()"),
        ("x = word.encode( 'utf-8' ).split( \"/\" )", 'x = word.split( "/" )'),
        ("x = word.encode('utf-8').split(b'/')", "x = word.encode('utf-8').split(b'/')"),
        ("a, b, c = 007, 00, 0x1FL", "a, b, c = 0o7, 00, 0x1F"),
        ("if count <> 10L: x[010] = 0.5", "if count != 10: x[0o10] = 0.5"),
        ("x = 'it\\'s 007 <> 10L'  # 007 <> 10L", "x = 'it\\'s 007 <> 10L'  # 007 <> 10L"),
        ('x = """\n007 <> 10L\n"""', 'x = """\n007 <> 10L\n"""'),
        ("x = 1e-3 + 08.5 + x10 + 0xa0L", "x = 1e-3 + 08.5 + x10 + 0xa0"),
    ]:
        assert rewrite_as_python3(old) == new, old
