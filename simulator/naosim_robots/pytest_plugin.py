"""The pytest plugin: a fixture `nao` in which any NAO developer tests a behaviour on a simulated robot, and talks.

    def test_yes(nao):
        nao.run("behavior.xar")
        nao.hear("yes")
        assert nao.said[-1] == "Great."

pytest finds it by itself once this package is installed. Each talk of a file `*.talk.yaml` is a test, too. It imports
the simulated robot only when a test asks for the fixture, or such a file is there.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from naosim_robots.talks.plugin import TalkFile
    from naosim_robots.testing import Nao

_MARKER = (
    "nao(seed=0, language='English', without=(), posture='Stand', threads=False, camera='', robot_type='Nao', "
    "naoqi='2.8'): the robot that the fixture `nao` of this test gives"
)
_TALKS = ".talk.yaml"
_ROBOT: pytest.StashKey[Nao] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, so that strict runs accept it."""
    config.addinivalue_line("markers", _MARKER)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> TalkFile | None:
    """Collect the talks of a file."""
    if not file_path.name.endswith(_TALKS):
        return None
    from naosim_robots.talks.plugin import TalkFile

    return TalkFile.from_parent(parent, path=file_path)


@pytest.fixture
def nao(request: pytest.FixtureRequest) -> Iterator[Nao]:
    """Provide a simulated NAO and the person in front of it; paths start at the folder of the test's file.

    When the test is over, errors inside the behaviour, and anything that it left open, fail the test.
    """
    from naosim.errors import NaosimError
    from naosim_robots.testing import Nao

    marker = request.node.get_closest_marker("nao")
    try:
        robot = Nao(request.path.parent, *(marker.args if marker else ()), **(marker.kwargs if marker else {}))
    except (NaosimError, TypeError) as error:
        pytest.fail(f"@pytest.mark.nao: {error}", pytrace=False)
    request.node.stash[_ROBOT] = robot
    try:
        yield robot
    finally:
        robot.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    """Check the behaviour at the end of a test, and show its transcript if anything failed."""
    outcome = yield
    robot = item.stash.get(_ROBOT, None)
    if robot is None:
        return
    if outcome.excinfo is None:
        troubles = robot.finish()
        if troubles:
            outcome.force_exception(pytest.fail.Exception("\n".join(troubles), pytrace=False))
    if outcome.excinfo is not None:
        item.add_report_section("call", "nao", robot.transcript())
