"""Fixtures for the tests of the desk."""

import command_line
import pytest
from page_browser import browsing, emulate, leave_page


@pytest.fixture
def cli(capsys, tmp_path, monkeypatch):
    """Return a function that runs `jotto` in this process, in `tmp_path`, and returns exit code, output and errors."""
    return command_line.CommandRunner(capsys, tmp_path, monkeypatch)


def pytest_generate_tests(metafunc):
    """Run the tests of pages in Firefox, too, if everything is to be played."""
    if "browser_name" in metafunc.fixturenames:
        names = ["chromium", "firefox"] if metafunc.config.getoption("--whole-site") else ["chromium"]
        metafunc.parametrize("browser_name", names, scope="session")


@pytest.fixture(scope="session")
def shared_browser(browser_name, tmp_path_factory):
    """Provide a browser that draws NAO flat, one for all tests of a worker."""
    pytest.importorskip("uvicorn")
    pytest.importorskip("selenium")
    with browsing(tmp_path_factory.mktemp("browser"), "--ignore-certificate-errors", name=browser_name) as made:
        yield made


@pytest.fixture
def browser(shared_browser):
    """Provide the browser without cookies; NAO stands still, so that the browser draws less."""
    emulate(shared_browser)
    yield shared_browser
    leave_page(shared_browser)
