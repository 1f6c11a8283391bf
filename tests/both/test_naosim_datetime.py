"""Dates and random numbers of scripts: the same on every machine, on every run and on both Pythons."""

from __future__ import absolute_import, division, print_function

import datetime
import random
import time

import naosim_xar_writer as w

from naosim import Robot

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


def test_dates_are_given_back():
    before = (datetime.datetime, datetime.date, time.localtime, time.strftime, time.ctime, random.SystemRandom)
    logs("''")
    assert (datetime.datetime, datetime.date, time.localtime, time.strftime, time.ctime, random.SystemRandom) == before


def test_other_threads_keep_their_own_date():
    with Robot() as robot:
        seen = []
        robot.trace.listeners.append(lambda event: seen.append(datetime.datetime.now()))
        robot.load(w.behaviour([], []))
    assert seen
    assert all(abs(each - datetime.datetime.now()) < datetime.timedelta(days=1) for each in seen)
