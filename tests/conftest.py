"""Configuration of the tests of nao-jotto, on Python 2.7 and 3."""

import os
import sys

pytest_plugins = ["sessions"]

IS_PYTHON_2 = sys.version_info[0] == 2
#: The folder of `shared_data.py`, which no clone has.
SHARED_DATA = os.path.join("..", "shared", "data")
HAS_SHARED_DATA = os.path.isdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", SHARED_DATA))
#: Walks through every state of the conversation and long searches for wrong answers; the table of talks in one of these
#: files, and the stories, are for both Pythons.
ONLY_PYTHON_3 = ("both/test_talk_walks.py", "both/test_talk_table.py", "both/test_talk_minds.py")
#: Tests of whole conversations. Their rows differ in what the player says, which is the same to both Pythons, so
#: Python 2.7 runs the first row of each function.
CONVERSATIONS = ("test_story_", "test_talk_")


def pytest_addoption(parser):
    """Add the option for the long form of the attacks."""
    parser.addoption("--attack", action="store_true", help="attack every part for long, and print the figures")


def pytest_configure(config):
    """Declare the marks of these tests."""
    config.addinivalue_line("markers", "shared_data: needs word lists and corpora in a folder next to the checkout.")
    config.addinivalue_line("markers", "attack: shows nothing in a short time; runs only with --attack.")


def pytest_report_header():
    """Report tests that are deselected because their data is missing."""
    return (
        []
        if HAS_SHARED_DATA
        else "deselected: tests of the word lists and corpora in %s, which does not exist" % SHARED_DATA
    )


def pytest_collection_modifyitems(config, items):
    """Deselect tests without their data or option, and rows on Python 2.7."""
    missing = {"shared_data": not HAS_SHARED_DATA, "attack": not config.getoption("--attack")}
    left_out = [item for item in items if any(missing[name] and item.get_closest_marker(name) for name in missing)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    if IS_PYTHON_2:
        items[:] = first_rows(items)


def first_rows(items):
    """Return the items without walks, and without the second and later rows of tests of whole conversations."""
    functions, kept = set(), []
    for item in items:
        function = item.nodeid.partition("[")[0]
        is_conversation = item.fspath.basename.startswith(CONVERSATIONS)
        is_left_out = item.nodeid.partition("::")[0].endswith(ONLY_PYTHON_3) and "test_the_table_of" not in function
        if not is_left_out and not (is_conversation and function in functions):
            kept.append(item)
        functions.add(function)
    return kept
