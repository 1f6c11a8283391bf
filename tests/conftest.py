"""Configuration of all tests, on Python 2.7 and 3."""

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

#: The folder of `shared_data.py`, which no clone has.
SHARED_DATA = os.path.join("..", "shared", "data")
HAS_SHARED_DATA = os.path.isdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", SHARED_DATA))
#: The slowest files; workers run them first, so that all workers end together. The first three mostly wait.
LONGEST = (
    "desk/test_site_worker.py",
    "desk/test_page_server.py",
    "desk/test_python27.py",
    "desk/test_site_play.py",
    "desk/test_pages.py",
    "test_house.py",
    "desk/test_site_inside.py",
    "desk/test_cli_play_robot.py",
    "desk/test_site_hearing.py",
    "desk/test_far_robot.py",
    "desk/test_cli_serve.py",
    "desk/test_solver_core.py",
    "desk/test_wheel.py",
    "desk/test_cli_rehearse.py",
    "desk/test_pytest_plugin.py",
    "desk/test_expert_reasoner.py",
    "desk/test_benchmarks.py",
    "desk/test_voice_recordings.py",
    "desk/test_serving_robust.py",
    "desk/test_notebook.py",
)
#: Programs that tests start, and that need arguments.
collect_ignore = ["wire_service.py", "wire_talk.py"]
#: Files of which each worker takes single tests: each test runs many files on Python 2.7, or an attack.
ONE_BY_ONE = ("desk/test_python27.py", "attack/test_bombs.py", "attack/test_web_servers.py")
#: Walks through every state of the conversation and long searches for wrong answers; the table of talks in one of these
#: files, and the stories, are for both Pythons.
ONLY_PYTHON_3 = ("both/test_talk_walks.py", "both/test_talk_table.py", "both/test_talk_minds.py")
#: Tests of whole conversations. Their rows differ in what the player says, which is the same to both Pythons, so
#: Python 2.7 runs the first row of each function.
CONVERSATIONS = ("test_story_", "test_talk_")


def pytest_addoption(parser):
    """Add options for long forms: the pages in Firefox, too, with all games and behaviours; the attacks."""
    parser.addoption("--whole-site", action="store_true", help="play everything on the pages, also in Firefox")
    parser.addoption("--attack", action="store_true", help="attack every part for long, and print the figures")


def pytest_configure(config):
    """Restore SIGINT and SIGHUP if a background shell ignores them; processes of tests would ignore them too."""
    config.addinivalue_line("markers", "shared_data: needs word lists and corpora in a folder next to the checkout.")
    config.addinivalue_line("markers", "whole_site: takes seconds; runs only with --whole-site.")
    config.addinivalue_line("markers", "attack: shows nothing in a short time; runs only with --attack.")
    only_3 = "only_python_3: shows logic and takes long; on Python 2.7 other tests run the same lines."
    config.addinivalue_line("markers", only_3)
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
            is_alone = any(name in nodeid for name in ONE_BY_ONE)
            return nodeid if is_alone else LoadFileScheduling._split_scope(self, nodeid)

    config.option.loadscopereorder = False
    return Shares(config, log)


def pytest_report_header():
    """Report tests that are deselected because their data is missing."""
    return (
        []
        if HAS_SHARED_DATA
        else "deselected: tests of the word lists and corpora in %s, which does not exist" % SHARED_DATA
    )


def pytest_collection_modifyitems(config, items):
    """Deselect tests without their data or option, and rows on Python 2.7; sort the slowest files first for workers."""
    missing = {"shared_data": not HAS_SHARED_DATA, "attack": not config.getoption("--attack")}
    missing["whole_site"] = not config.getoption("--whole-site")
    left_out = [item for item in items if any(missing[name] and item.get_closest_marker(name) for name in missing)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    if IS_PYTHON_2:
        items[:] = first_rows(items)
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: place_in_line(item.nodeid))


def pytest_runtest_setup(item):
    """Skip tests whose program is missing."""
    for marker in item.iter_markers("program"):
        import programs  # Python 2.7 has no tests of this kind.

        programs.need_program(*marker.args)


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
    """Search for garbage less often, and never in imported modules; otherwise it takes a fifth of the time."""
    gc.set_threshold(20000, 10, 10)
    if hasattr(gc, "freeze"):  # Python 2.7 lacks it.
        gc.collect()
        gc.freeze()


def first_rows(items):
    """Return the items without walks, marked tests, and the second and later rows of tests of whole conversations."""
    functions, kept = set(), []
    for item in items:
        function = item.nodeid.partition("[")[0]
        is_conversation = item.fspath.basename.startswith(CONVERSATIONS)
        is_left_out = item.nodeid.partition("::")[0].endswith(ONLY_PYTHON_3) and "test_the_table_of" not in function
        is_left_out = is_left_out or item.get_closest_marker("only_python_3")
        if not is_left_out and not (is_conversation and function in functions):
            kept.append(item)
        functions.add(function)
    return kept


def place_in_line(nodeid):
    """Return the place of a test's file in LONGEST, or a higher number for other files."""
    name = nodeid.partition("::")[0].partition("/")[2]
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)
