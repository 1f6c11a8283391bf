"""Scripts that never return: in loops without sleep time passes, or the watchdog ends them with a sentence."""

from __future__ import absolute_import, division, print_function

import threading

import naosim_xar_writer as w
import pytest

from naosim import Overrun, Robot, scheduler
from naosim.__main__ import main
from naosim.compat import queue_module, real_monotonic, real_sleep

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


@pytest.fixture
def robot():
    with Robot() as made:
        yield made


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


def test_the_command_line_counts_it_as_a_failure(tmpdir, impatient, capsys):
    assert main([w.save(tmpdir, content("while True: pass"))]) == 1
    assert "look for a loop without sleep" in capsys.readouterr()[1]


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
