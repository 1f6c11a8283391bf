"""The two forms of an attack: a short one for every run of the tests, a long one for `make attack`, with figures."""

import random

import pytest


@pytest.fixture
def form(request):
    """Return a function that chooses the rounds of this run from a short and a long number."""
    is_long = request.config.getoption("--attack")
    return lambda short, long: long if is_long else short


@pytest.fixture
def chance(request):
    """Provide all chance of an attack; `--hypothesis-seed` gives another one."""
    return random.Random(request.config.getoption("--hypothesis-seed") or "1")


@pytest.fixture
def figure(record_property):
    """Return a function that notes what an attack has measured."""
    return lambda text: record_property("figure", text)


def pytest_terminal_summary(terminalreporter, config):
    """Print the figures of the long form."""
    reports = [each for kind in ("passed", "failed") for each in terminalreporter.stats.get(kind, ())]
    for report in reports if config.getoption("--attack") else ():
        for _, text in report.user_properties:
            terminalreporter.write_line(f"{report.nodeid.partition('::')[2]}: {text} ({report.duration:.0f} s)")
