"""The pytest plugin of all tests, on Python 2.7 and 3: examples of Hypothesis, programs that are missing, workers."""

import gc
import os
import signal
import sys

import pytest
from hypothesis import settings

# NAO speaks the language of the computer, but the tests know what it says in English.
os.environ["LANGUAGE"] = "en"

# Hypothesis draws the same examples in every run, so failures are reproducible and runs take equal time.
# On Python 2.7 fewer are enough: it differs in types, strings and division, which the first examples show.
IS_PYTHON_2 = sys.version_info[0] == 2
settings.register_profile(
    "house", database=None, derandomize=True, deadline=None, max_examples=5 if IS_PYTHON_2 else 50
)
settings.load_profile("house")
# Other and more examples in every run: `make attack`.
settings.register_profile("attack", database=None, deadline=None, max_examples=1000)

#: The slowest files; workers run them first, so that all workers end together. Those that mostly wait are next to some
#: that compute, so that no core is idle.
LONGEST = (
    "test_site_worker.py",
    "test_page_server.py",
    "test_python27.py",
    "test_naosim_python27.py",
    "test_facts.py",
    "test_site_play.py",
    "test_pages.py",
    "test_house.py",
    "test_cluster.py",
    "test_site_inside.py",
    "test_cli_play.py",
    "test_cli_play_robot.py",
    "test_wheel.py",
    "test_story_alone.py",
    "test_site_hearing.py",
    "test_voice.py",
    "test_naoqi_shim.py",
    "test_solver_core.py",
    "test_expert_server.py",
    "test_serving.py",
    "test_cli_report.py",
    "test_dropping_robot.py",
    "test_solver_first_guesses.py",
    "test_far_robot.py",
    "test_talks.py",
    "test_cli_serve.py",
    "test_voice_brought.py",
    "test_cli_rehearse.py",
    "test_pytest_plugin.py",
    "test_voice_recordings.py",
    "test_expert_reasoner.py",
    "test_benchmarks.py",
    "test_serving_robust.py",
    "test_notebook.py",
)
#: Files of which each worker takes single tests: each test runs many files on Python 2.7, or an attack.
ONE_BY_ONE = ("test_python27.py", "test_naosim_python27.py", "test_bombs.py", "test_web_servers.py")


# Search for garbage less often; otherwise it takes a fifth of the time.
gc.set_threshold(20000, 10, 10)


def pytest_addoption(parser):
    """Add the option for all tests of pages in Firefox, too, and all games and behaviours, which takes minutes."""
    parser.addoption("--whole-site", action="store_true", help="play everything on the pages, also in Firefox")


def pytest_configure(config):
    """Restore SIGINT and SIGHUP if a background shell ignores them; processes of tests would ignore them too."""
    only_3 = "only_python_3: shows logic and takes long; on Python 2.7 other tests run the same lines."
    config.addinivalue_line("markers", only_3)
    config.addinivalue_line("markers", "whole_site: takes seconds; runs only with --whole-site.")
    config.addinivalue_line("markers", "program(name): needs a program of `programs.py`, and is skipped without it.")
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give workers the tests file by file."""
    from xdist.scheduler import LoadFileScheduling  # Python 2.7 runs its tests without workers.

    class Shares(LoadFileScheduling):
        """Gives a worker a file at a time, or a single test of the files in ONE_BY_ONE."""

        def _split_scope(self, nodeid):
            is_alone = any("/" + name in nodeid for name in ONE_BY_ONE)
            return nodeid if is_alone else LoadFileScheduling._split_scope(self, nodeid)

    config.option.loadscopereorder = False
    return Shares(config, log)


def pytest_collection_modifyitems(config, items):
    """Leave out marked tests; sort the slowest files first for workers."""
    unwanted = {"only_python_3": IS_PYTHON_2, "whole_site": not config.getoption("--whole-site")}
    left_out = [item for item in items if any(unwanted[name] and item.get_closest_marker(name) for name in unwanted)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: place_in_line(item.nodeid))


@pytest.hookimpl(hookwrapper=True)
def pytest_collect_file():
    """Look for doctests only in files that have some, or it takes a third of the time to collect the tests."""
    collected = yield
    collected.force_result([each for each in collected.get_result() if not lacks_doctests(each)])


def pytest_runtest_setup(item):
    """Skip tests whose program is missing."""
    for marker in item.iter_markers("program"):
        import programs  # Python 2.7 has no tests of this kind.

        programs.need_program(*marker.args)
    if getattr(item, "python", "") == "2.7":  # a talk, which the plugin would skip, also in CI
        import interpreters

        interpreters.python27()


@pytest.hookimpl(tryfirst=True, hookwrapper=True)
def pytest_sessionfinish(session):
    """Say at the very end how many tests were skipped because programs are missing."""
    yield
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter is not None and not IS_PYTHON_2:
        import programs

        skipped = [report.longrepr for report in reporter.stats.get("skipped", ())]
        line = programs.sum_up_skips(reason[2] for reason in skipped if isinstance(reason, (list, tuple)))
        if line:
            reporter.write_line(line)


def pytest_collection_finish():
    """Never search for garbage in what is imported and collected."""
    if hasattr(gc, "freeze"):  # Python 2.7 lacks it.
        gc.collect()
        gc.freeze()


def lacks_doctests(collector):
    """Return whether a collector is for the doctests of a module that has none."""
    return type(collector).__name__ == "DoctestModule" and b">>>" not in collector.path.read_bytes()


def place_in_line(nodeid):
    """Return the place of a test's file in LONGEST, or a higher number for other files."""
    name = nodeid.partition("::")[0].rpartition("/")[2]
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)
