"""The clock: one task at a time, a fixed order, and time that passes only when nothing else is due."""

from __future__ import absolute_import, division, print_function

import threading
import time

import pytest
from hypothesis import given, strategies as st

from naosim import scheduler
from naosim.clock import NOTHING_LEFT, TIME_PASSED, UNTIL, Clock
from naosim.errors import Overrun, WrongUse
from naosim.scheduler import PipeWakeup, SimEvent, make_wakeup


@pytest.fixture
def clock():
    made = Clock()
    yield made
    made.close()


@pytest.fixture
def fast():
    """Provide a clock in real time, a thousand times as fast, open to calls from outside."""
    made = Clock(True, 1000.0)
    made.open()
    yield made
    made.close()


def test_what_a_task_asks_for_at_once_comes_after_what_was_due_already(clock):
    seen = []
    clock.call_later(1, lambda: (seen.append("first"), clock.call_soon(seen.append, "asked later")))
    clock.call_later(1, seen.append, "second")
    clock.call_soon_threadsafe(seen.append, "outside")
    clock.run()
    assert seen == ["outside", "first", "second", "asked later"]
    with pytest.raises(WrongUse, match="virtual time"):
        clock.open()


def test_an_event_wakes_early_even_if_it_is_cleared_at_once_and_a_timeout_does_not_set_it(clock):
    event, brief, seen = SimEvent(clock), SimEvent(clock), []

    def wait(which, seconds):
        seen.append((clock.wait(which, seconds), clock.now()))

    for seconds in (1, 9, None):
        clock.call_soon(wait, event, seconds)
    clock.call_soon(wait, brief, 5)
    clock.call_later(2, lambda: (brief.set(), brief.clear()))
    clock.call_later(3, event.set)
    clock.run()
    assert seen == [(False, 1.0), (True, 2.0), (True, 3.0), (True, 3.0)]


def test_a_run_ends_at_the_wanted_moment_even_inside_a_sleeping_task(clock):
    seen = []

    def for_ever():
        while True:
            clock.sleep(0.5)
            seen.append(clock.now())

    clock.call_soon(for_ever)
    assert clock.run(lambda: len(seen) >= 3) == UNTIL
    assert clock.run(seconds=1) == TIME_PASSED
    assert seen == [0.5, 1.0, 1.5, 2.0, 2.5]
    assert [each.state for each in clock.pending()] == ["running"]


def test_the_driver_may_sleep_and_wait_too_and_a_cancelled_call_never_happens(clock):
    event, seen = SimEvent(clock), []
    scheduled = clock.call_later(1, seen.append, "cancelled")
    assert scheduled.cancel() and not scheduled.cancel()
    clock.call_later(1, seen.append, "while the driver sleeps")
    clock.sleep(2)
    clock.call_later(1, event.set)
    assert clock.wait(event, 5)
    assert not clock.wait(SimEvent(clock), 5)
    assert (seen, clock.now()) == (["while the driver sleeps"], 8.0)


def test_closing_unwinds_blocked_tasks_and_their_finally_blocks(clock):
    seen = []

    def stubborn():
        try:
            while True:
                try:
                    clock.sleep(1)
                except Exception:
                    seen.append("an end is no Exception")
        finally:
            seen.append("unwound")

    def deaf():
        while True:
            try:  # noqa: SIM105
                clock.sleep(1)
            except:  # noqa: E722
                pass

    clock.call_soon(stubborn)
    clock.call_soon(lambda: clock.wait(SimEvent(clock)))
    clock.call_soon(deaf)
    clock.run(seconds=3)
    clock.close()
    clock.close()
    assert seen == ["unwound"]
    with pytest.raises(WrongUse):
        clock.run()


def test_a_circle_without_time_or_an_error_stops_the_run_and_a_task_cannot_run_the_clock(clock):
    clock.call_soon({}.pop, "x")
    with pytest.raises(KeyError):
        clock.run()
    clock.call_soon(clock.run)
    with pytest.raises(WrongUse):
        clock.run()
    assert clock.run() == NOTHING_LEFT

    def again():
        clock.call_soon(again)

    clock.call_soon(again)
    with pytest.raises(Overrun, match="without time passing"):
        clock.run()


def test_inline_runs_the_next_call_only(clock):
    seen = []

    def task():
        first, second = clock.call_soon(seen.append, 1), clock.call_soon(seen.append, 2)
        seen.append(clock.inline(second))
        seen.append(clock.inline(first))

    clock.call_soon(task)
    clock.run()
    assert seen == [False, 1, True, 2]


@given(*[st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=12)] * 2)
def test_the_order_is_that_of_a_plain_sorted_list(first, second):
    """Tasks that ask for more tasks run as if all scheduled calls stood in one list, sorted by time and by asking."""
    clock, seen = Clock(), []
    expected, waiting, asked = [], [], 0

    def act(name, follow_up):
        seen.append((clock.now(), name))
        if follow_up is not None:
            clock.call_later(follow_up[0], act, "%s+" % name, None)

    plans = [(str(n), delay, second[n] if n < len(second) else None) for n, (delay, _) in enumerate(first)]
    for name, delay, follow_up in plans:
        clock.call_later(delay, act, name, follow_up)
        waiting.append((delay, asked, name, follow_up))
        asked += 1
    while waiting:
        due, _, name, follow_up = waiting.pop(waiting.index(min(waiting, key=lambda row: row[:2])))
        expected.append((float(due), name))
        if follow_up is not None:
            waiting.append((due + follow_up[0], asked, "%s+" % name, None))
            asked += 1
    clock.run()
    clock.close()
    assert seen == expected


def test_calls_from_outside_run_in_their_order_and_end_a_run_that_waits_for_them(fast):
    seen = []
    caller = threading.Thread(target=lambda: [fast.call_soon_threadsafe(seen.append, number) for number in range(50)])
    caller.start()
    assert fast.run(lambda: len(seen) == 50, 600000) == UNTIL
    caller.join()
    assert seen == list(range(50))
    begun = fast.now()
    assert fast.run(lambda: False, 20) == TIME_PASSED
    assert fast.now() >= begun + 20


def test_virtual_time_stands_still_while_something_is_expected(clock):
    seen = []

    def ask():
        event = SimEvent(clock)
        clock.expect(1)

        def come_back():
            clock.expect(-1)
            event.set()

        threading.Timer(0.05, lambda: clock.call_soon_threadsafe(come_back)).start()
        clock.wait(event)
        seen.append(("answered", clock.now()))

    clock.call_soon(ask)
    clock.call_later(3, lambda: seen.append(("later", clock.now())))
    assert clock.run() == NOTHING_LEFT
    assert seen == [("answered", 0.0), ("later", 3.0)]


def test_time_runs_at_the_given_speed():
    clock, seen, begun = Clock(True, 200.0), [], time.time()
    clock.call_later(50, seen.append, "due")
    clock.call_soon(lambda: (clock.sleep(25), seen.append("slept")))
    clock.run()
    assert seen == ["slept", "due"] and clock.now() >= 50 and 0.1 <= time.time() - begun < 10
    clock.close()


def test_a_wakeup_signal_wakes_once_however_often_it_is_sent():
    for make in [make_wakeup, PipeWakeup]:
        made = make()
        assert not made.wait(0), make
        made.send()
        made.send()
        assert made.wait(5) and not made.wait(0), make
        made.send()
        made.close()
        made.close()


@pytest.mark.only_python_3
def test_calls_from_outside_hide_no_endless_loop(fast):
    calls, ended = [], []

    def loop():
        fast.call_soon(loop)

    def poll():
        while not ended:
            fast.call_soon_threadsafe(calls.append, 1)
            time.sleep(0.001)

    caller = threading.Thread(target=poll)
    caller.start()
    fast.call_soon(loop)
    with pytest.raises(Overrun, match="loop of links"):
        fast.run(lambda: False, 60000)
    ended.append(True)
    caller.join()
    assert calls


@pytest.mark.only_python_3
def test_however_many_calls_come_from_outside_they_are_no_loop(fast):
    calls = []
    for _ in range(150000):
        fast.call_soon_threadsafe(calls.append, 1)
    assert fast.run(lambda: len(calls) == 150000, 60000) == UNTIL


@pytest.fixture
def live():
    """Run a clock in real time, open to calls from outside, on a thread of its own."""
    made = Clock(real_time=True)
    made.open()
    over = []
    thread = threading.Thread(target=made.run, args=(lambda: over,))
    thread.start()
    yield made
    over.append(True)
    made.call_soon_threadsafe(lambda: None)
    thread.join(10)
    made.close()


def outcome(clock, call, *args):
    done, results = threading.Event(), []
    clock.call_soon_threadsafe(lambda: (results.append(call(*args)), done.set()))
    assert done.wait(10)
    return results[0]


def test_time_stands_still_while_calls_from_outside_go_on(live):
    outcome(live, live.pace, 0.0)
    stood = outcome(live, live.now)
    time.sleep(0.02)
    assert outcome(live, live.now) == stood
    due = []
    outcome(live, live.call_later, 0.01, due.append, 1)
    time.sleep(0.03)
    assert due == []
    outcome(live, live.pace, 1.0)
    while not due:
        time.sleep(0.001)
    assert outcome(live, live.now) < stood + 10
    outcome(live, live.pace, 1000.0)
    time.sleep(0.01)
    outcome(live, live.pace, 0.0)
    assert stood + 10 <= outcome(live, live.now) < stood + 10000


def test_a_step_goes_to_what_is_due_next_and_no_farther_than_is_allowed(live):
    outcome(live, live.pace, 0.0)
    stood, due = outcome(live, live.now), []
    outcome(live, live.call_later, 2.0, due.append, 2)
    outcome(live, live.call_later, 0.25, due.append, 1)
    outcome(live, live.step, 0.5)
    assert outcome(live, live.now) == pytest.approx(stood + 0.25, abs=1e-5) and due == [1]
    outcome(live, live.step, 0.5)
    assert outcome(live, live.now) == pytest.approx(stood + 0.75, abs=1e-5) and due == [1]


def test_a_loop_that_checks_itself_is_ended(monkeypatch):
    """In a browser, where no other thread can end a loop, the loop itself calls the check."""
    monkeypatch.setattr(scheduler, "MAX_TURN_S", 0.05)
    clock, began = Clock(), []

    def spin():
        began.append(clock.now())
        while True:
            clock.check_turn()

    clock.call_soon(spin)
    with pytest.raises(Overrun, match="busy for more than 0"):
        clock.run()
    clock.call_later(1, began.append, "later")
    assert clock.run() == NOTHING_LEFT
    assert began == [0.0, "later"]
    clock.close()
