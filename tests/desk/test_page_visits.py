"""The robot of each visitor of a page: it is made once, found again, and ended after a long absence."""

import asyncio
import contextlib
import os

import pytest

pytest.importorskip("nicegui")

from jotto_behaviour import memory
from jotto_desk.cli.options import load_playable_list
from jotto_desk.cli.play import VisitorsRobots
from jotto_desk.page import notebooks
from jotto_desk.page.watched_game import WatchedGame
from jotto_desk.play.page.game_page import PATIENCE_S
from jotto_desk.play.page.moments import read_view
from naosim.errors import NaosimError
from naosim_live.page.shown import Shown
from naosim_live.page.visitors import visits
from naosim_live.page.visitors.known_browser import public_name
from naosim_live.page.visitors.visits import ClassIsFull, EachItsOwn, PageEnds

PATIENCE = 10.0


class Robots:
    """Makes the robots of visitors; `open` lists those that are not closed."""

    def __init__(self):
        self.made, self.open = [], set()

    @contextlib.contextmanager
    def one(self, name):
        self.made.append(name)
        if len(self.made) == 3:
            raise NaosimError("There is no third robot.")
        self.open.add(name)
        yield Shown()
        self.open.discard(name)


#: Settings of a game in which NAO begins.
GAME = {"strategy": "robot", "seed": 1, "role": "breaker", "level": ""}


def told(story):
    """Run a story with the words of a game."""
    with load_playable_list("", "") as (_, words):
        asyncio.run(asyncio.wait_for(story(words), 60))


async def until(condition):
    end = asyncio.get_running_loop().time() + PATIENCE
    while not condition():
        assert asyncio.get_running_loop().time() < end
        await asyncio.sleep(0.01)


def test_visits_from_the_first_visitor_to_the_last():
    async def story():
        robots = Robots()
        visits = EachItsOwn(robots.one, most=2, away=0.05)
        await visits.open()
        assert visits.of("ann") is None
        # Two tabs of one browser wait for the same robot.
        await asyncio.gather(visits.admit("ann"), visits.admit("ann"))
        ann = visits.of("ann")
        ann.come()
        await visits.admit("bob")
        bob = visits.of("bob")
        bob.come()
        assert robots.made == [public_name("ann"), public_name("bob")] and ann.shown is not bob.shown
        with pytest.raises(ClassIsFull, match=r"^All 2 places are taken\. .*\.$"):
            await visits.admit("eve")
        # Ann closes one of two pages and returns in time; then she closes both.
        ann.come()
        ann.leave()
        await asyncio.sleep(0.2)
        await visits.admit("ann")
        assert visits.of("ann") is ann
        ann.leave()
        await until(lambda: robots.open == {public_name("bob")})
        assert visits.of("ann") is None
        # A robot that fails takes no place, and the next request tries again.
        with pytest.raises(NaosimError, match="no third robot"):
            await visits.admit("eve")
        await visits.admit("eve")
        # If the robot has ended, its place is free and its visitor gets another one.
        bob.shown.gone = "It has ended."
        assert visits.of("bob") is None
        await until(lambda: public_name("bob") not in robots.open)
        await visits.admit("bob")
        assert visits.of("bob").shown is not bob.shown
        await visits.close()
        assert robots.open == set()

    asyncio.run(story())


def test_the_visitor_away_longest_makes_room(monkeypatch):
    monkeypatch.setattr(visits, "SPARED", 0.05)

    async def story():
        robots = Robots()
        visits = EachItsOwn(robots.one, most=2)
        for name in ("ann", "bob"):
            await visits.admit(name)
            visits.of(name).come()
        visits.of("ann").leave()
        with pytest.raises(ClassIsFull, match="away for a minute"):
            await visits.admit("eve")
        await until(lambda: visits.of("ann").away() > 0.05)
        with pytest.raises(NaosimError, match="no third robot"):
            await visits.admit("eve")
        await visits.admit("eve")
        assert robots.open == {public_name("bob"), public_name("eve")}
        await visits.close()

    asyncio.run(story())


def test_waiting_robots_are_not_made_after_the_end_of_the_page(monkeypatch):
    monkeypatch.setattr(visits, "AT_ONCE", 1)

    async def story():
        robots = Robots()
        visits = EachItsOwn(robots.one, most=2)
        await visits.open()
        coming = [asyncio.ensure_future(visits.admit(name)) for name in ("ann", "bob")]
        await asyncio.sleep(0)
        await visits.close()
        told = await asyncio.gather(*coming, return_exceptions=True)
        assert all(each is None or isinstance(each, PageEnds) for each in told) and isinstance(told[1], PageEnds)
        assert len(robots.made) <= 1 and robots.open == set()

    asyncio.run(story())


def test_a_visitor_who_returns_late_finds_the_saved_game(tmp_path):
    """Takes a second: two robots, one after the other."""

    async def view(shown):
        return read_view((await shown.call("ALMemory", "getListData", [memory.GAME_KEY]))[0])

    async def answered(shown, answers, state):
        """Answer each question until NAO asks the question of `state`.

        NAO's time runs fast: on a busy computer the answer may be so late that NAO has paused the game.
        """
        while True:
            now, ears = await view(shown), await shown.person("ears")
            if now is not None and ears["engine"] and now.moment[0] == state:
                return now
            if now is not None and ears["engine"]:
                await shown.person("hear", dict(answers, paused="ready")[now.moment[0]])
            await asyncio.sleep(0.01)

    async def come(visits):
        await visits.admit("ann")
        visit = visits.of("ann")
        visit.come()
        await visit.shown.set_speed(25.0)
        await visit.shown.ask("start")
        return visit

    async def story(words):
        settings = {**GAME, "words": words, "folder": str(tmp_path)}
        visits = EachItsOwn(VisitorsRobots(settings, False, draws_seeds=False).opened, most=1, away=0.05)
        await visits.open()
        ann = await come(visits)
        first = await answered(ann.shown, {"ready": "ready", "word": "no"}, "both")
        ann.leave()
        await until(lambda: visits.of("ann") is None)
        ann = await come(visits)
        again = await answered(ann.shown, {"unfinished": "yes", "word": "no"}, "both")
        assert again.boards == first.boards and again.boards[0].rows[0].guess
        await visits.close()

    told(story)


def test_nao_waits_for_minutes_while_a_browser_shows_its_question():
    """Takes a second, in which minutes of NAO's time pass."""

    async def story(words):
        with VisitorsRobots({**GAME, "words": words, "folder": ""}, False, draws_seeds=False).opened() as shown:
            await shown.open()
            game = WatchedGame(shown)

            async def listens(passes=0.0):
                """Wait until NAO listens, and then `passes` seconds of its time."""
                while not (await shown.person("ears"))["engine"]:
                    await asyncio.sleep(0.01)
                end = shown.now() + passes
                while shown.now() < end:
                    await asyncio.sleep(0.01)
                await game.read()
                return game.view.talk

            game.come()
            await game.read()
            await shown.set_speed(100.0)
            await shown.ask("start")
            talk = await listens()
            assert (talk.state, talk.silences) == ("ready", 0)
            assert (await listens(100.0)).silences == 0
            # After that the silence counts.
            while (await listens(10.0)).silences == 0:
                assert shown.now() < 2 * PATIENCE_S
            assert shown.now() > PATIENCE_S
            # With a microphone NAO asks again as soon as on a robot.
            shown.microphones = 1
            await listens()
            assert await shown.call("ALMemory", "getData", memory.PATIENCE_KEY) == 0.0
            shown.microphones = 0
            await listens()
            assert await shown.call("ALMemory", "getData", memory.PATIENCE_KEY) == PATIENCE_S
            await game.leave()
            assert await shown.call("ALMemory", "getData", memory.PATIENCE_KEY) == 0.0

    told(story)


def test_every_visitor_has_a_notebook_up_to_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(notebooks, "MOST_KEPT", 3)
    (tmp_path / "visitors" / "mine").mkdir(parents=True)
    for number in range(5):
        folder = notebooks.notebook(tmp_path, public_name(str(number)))
        folder.mkdir()
        os.utime(folder, (number, number))
    kept = {path.name for path in (tmp_path / "visitors").iterdir()}
    assert kept == {public_name(str(number)) for number in (2, 3, 4)} | {"mine"}
    assert notebooks.notebook(tmp_path, public_name("2")).is_dir()
