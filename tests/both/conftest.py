"""What the tests of our behaviour begin with, on both Pythons."""

from __future__ import absolute_import, division, print_function

import pytest
from robot_fixtures import robot
from story import EASY, Story

__all__ = ["robot", "story"]


@pytest.fixture
def story(tmpdir):
    """Provide a visit with a few words, begun; it is stopped if the test has not ended it."""
    with Story(tmpdir, words=EASY) as visit:
        visit.begins()
        yield visit
        if not visit.is_over:
            visit.stops()
