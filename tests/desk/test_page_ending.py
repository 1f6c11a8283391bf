"""The end of a page: what waits ends when it is told so, whatever comes at the same moment."""

import asyncio
import socket

import pytest

pytest.importorskip("nicegui")

import uvicorn

from naosim_live.page.ending import PageServer, end_tasks
from naosim_live.page.shown import Shown


async def turns(number):
    """Let the loop turn so many times."""
    for _ in range(number):
        await asyncio.sleep(0)


@pytest.mark.parametrize("late", range(5))
def test_who_waits_for_changes_ends_when_cancelled_with_a_change(late):
    """Before Python 3.12 `asyncio.wait_for` went on then, about every fiftieth server with it."""

    async def story():
        shown = Shown()

        async def look():
            while True:
                await shown.change(60.0, shown.changed)

        looking = asyncio.create_task(look())
        await turns(5)
        shown.tell()
        await turns(late)
        looking.cancel()
        await turns(5)
        assert looking.cancelled()

    asyncio.run(story())


def test_a_task_that_loses_a_cancel_ends_with_the_server():
    """Once a server in a hundred went on for ever: `asyncio.wait_for` loses a cancel that comes with an answer."""
    lost = []

    async def robot_asked_in_a_circle():
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                if lost:
                    raise
                lost.append("a cancel")

    async def served():
        asking = asyncio.ensure_future(robot_asked_in_a_circle())
        server = PageServer(uvicorn.Config(lambda *_: None, lifespan="off", log_level="error"))
        server.should_exit = True
        with socket.create_server(("127.0.0.1", 0)) as listener:
            await server.serve([listener])
        return asking.cancelled()

    assert asyncio.run(served()) and lost == ["a cancel"]


def test_a_task_that_never_ends_is_named(monkeypatch, caplog):
    monkeypatch.setattr("naosim_live.page.ending.TASKS_END_WITHIN", 0.0)

    async def story():
        deaf = asyncio.create_task(asyncio.sleep(3600), name="the deaf one")
        await end_tasks()
        assert not deaf.done()

    asyncio.run(story())
    assert "the deaf one" in caplog.text
