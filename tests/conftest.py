"""What holds for all tests, on Python 2.7 and 3."""

import gc
import os
import signal
import sys

import pytest
from hypothesis import settings

# The same examples everywhere and every time: what is found stays found, and no run is slower than another by luck.
# On Python 2.7 fewer are enough: types, strings and division differ there, and do so in the first examples.
IS_PYTHON_2 = sys.version_info[0] == 2
settings.register_profile(
    "house", database=None, derandomize=True, deadline=None, max_examples=15 if IS_PYTHON_2 else 100
)
settings.load_profile("house")
# Other examples every time: `make test ARGS="--hypothesis-profile=chance"`.
settings.register_profile("chance", database=None, deadline=None)

#: Where `shared_data.py` finds what no clone has.
SHARED_DATA = os.path.join("..", "shared", "data")
HAS_SHARED_DATA = os.path.isdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", SHARED_DATA))
#: Files that take longest come first where several workers share the tests, so that all of them end together.
LONGEST = (
    "desk/test_python27.py",
    "desk/test_page_games.py",
    "desk/test_page_speech_browser.py",
    "desk/test_cli_play_robot.py",
    "desk/test_far_robot.py",
    "desk/test_solver_core.py",
    "desk/test_pages.py",
    "test_house.py",
    "desk/test_pytest_plugin.py",
    "desk/test_cli_rehearse.py",
    "desk/test_expert_reasoner.py",
    "both/test_story_stops.py",
    "desk/test_wheel.py",
    "desk/test_benchmarks.py",
    "desk/test_directory_robust.py",
    "desk/test_cli_serve.py",
    "both/test_talk_walks.py",
    "desk/test_directory.py",
    "desk/test_whole_chain.py",
    "desk/test_notebook.py",
    "desk/test_wordle.py",
)
#: Here every test is a share of its own: each runs other files on Python 2.7, or another attack.
ONE_BY_ONE = (LONGEST[0], "attack/test_attacks.py")


#: Tests of whole conversations. Their rows differ in what the player says, which is the same to both Pythons, so
#: Python 2.7 runs the first row of each function.
CONVERSATIONS = ("test_story_", "test_talk_")


def pytest_configure(config):
    """Take Ctrl-C and a closed window where a background shell ignores them, as what tests start would, too."""
    config.addinivalue_line("markers", "shared_data: needs the lists and corpora that lie beside the project.")
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Share the tests out file by file."""
    from xdist.scheduler import LoadFileScheduling  # Python 2.7 runs its tests without workers.

    class Shares(LoadFileScheduling):
        """What one worker takes at a time: a file, or a test where one stands for many."""

        def _split_scope(self, nodeid):
            is_alone = any(name in nodeid for name in ONE_BY_ONE)
            return nodeid if is_alone else LoadFileScheduling._split_scope(self, nodeid)

    config.option.loadscopereorder = False
    return Shares(config, log)


def pytest_report_header():
    """Say what is left out of the run because it is not here."""
    return [] if HAS_SHARED_DATA else "left out: tests of the lists and corpora of %s, which is not here" % SHARED_DATA


def pytest_collection_modifyitems(config, items):
    """Leave out tests of data that is not here; put the longest shares first for workers, else keep the order."""
    if not HAS_SHARED_DATA:
        left_out = [item for item in items if item.get_closest_marker("shared_data")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    if IS_PYTHON_2:
        items[:] = first_rows(items)
    if hasattr(config, "workerinput"):
        first = [item for item in items if ONE_BY_ONE[0] in item.nodeid][:1]
        items.sort(key=lambda item: (item not in first, place_in_line(item.nodeid)))


def pytest_collection_finish():
    """Leave what was imported out of every later search for garbage, which takes a fifth of a run's time otherwise."""
    if hasattr(gc, "freeze"):
        gc.collect()
        gc.freeze()
    else:
        gc.set_threshold(20000, 20, 100)  # Python 2.7 can only search less often.


def first_rows(items):
    """Return the items without the second and later rows of tests of whole conversations."""
    functions, kept = set(), []
    for item in items:
        function = item.nodeid.partition("[")[0]
        is_conversation = item.fspath.basename.startswith(CONVERSATIONS)
        if not (is_conversation and function in functions):
            kept.append(item)
        functions.add(function)
    return kept


def place_in_line(nodeid):
    """Return the number of a test's file among the longest ones, or that of all others."""
    name = nodeid.partition("::")[0].partition("/")[2]
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)
