"""The wheel of naosim is all that an empty environment needs to run and check behaviours, and to serve libqi's clients.

Takes seconds: the wheel is made once for all tests.
"""

import os
import re
import shutil
import sys
import venv
from importlib import metadata

import pytest
from interpreters import ROOT
from processes import process
from programs import need_program
from wheels import made, names, pip

from naosim_page.site import PAGE_LIBRARIES

SIMULATOR = ROOT / "simulator"
GREETING = ROOT / "docs" / "greeting"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Provide the wheel without libraries of npm."""
    return made("wheel", tmp_path_factory.mktemp("wheel"), SIMULATOR, NAOSIM_PAGE="0")[0]


@pytest.fixture(scope="module")
def empty(wheel, tmp_path_factory):
    """Provide an environment with nothing but the wheel, which pip installs with all that it requires."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    pip("--python", folder / "bin" / "python", "install", wheel)
    return folder


def test_one_package_runs_checks_and_serves(empty, tmp_path):
    # A client in the same process as the server of the robot.
    client = """
from naosim_robots import serve_robot
from qiwire import Session

if __name__ == "__main__":
    with serve_robot(speed=50) as robot:
        session = Session(robot.url)
        print(session.service("ALTextToSpeech").say("hi"), session.service("ALTextToSpeech").getLanguage())
        session.close()
"""

    def run(environment, program, *arguments, cwd):
        """Run a program of an environment far from the checkout; return its output."""
        environ = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
        ended = process(environment / "bin" / program, *arguments, cwd=cwd, env=environ)
        assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
        return ended.stdout

    listed = pip("--python", empty / "bin" / "python", "list", "--format", "freeze").split()
    assert listed == ["naosim==0.1.0"]
    shutil.copytree(GREETING, tmp_path / "greeting")
    shown = run(empty, "naosim", "greeting", "--say", "hello", cwd=tmp_path)
    assert "Hello to you!" in shown
    assert run(empty, "python", "-m", "naosim", "greeting", "--say", "hello", cwd=tmp_path) == shown
    assert run(empty, "naosim", "greeting", "--lint", cwd=tmp_path).endswith("0 findings, 0 of them errors\n")
    (tmp_path / "client.py").write_text(client)
    assert run(empty, "python", "client.py", cwd=tmp_path) == "None English\n"


def test_its_description_has_no_link_that_only_a_checkout_has(empty):
    [found] = metadata.distributions(
        name="naosim", path=[str(path) for path in empty.glob("lib/python*/site-packages")]
    )
    assert [line for line in found.requires or () if "extra ==" not in line] == []
    assert set(found.metadata.get_all("Provides-Extra")) == {"page", "robot", "talk", "voice"}
    files = {each.as_posix() for each in found.files or ()}
    assert files >= {
        "naosim_robots/talks/talk.schema.json",
        "naosim_page/static/report.js",
        "naosim_page/static/report.css",
    }
    text = found.metadata["Description"] or found.metadata.get_payload()
    assert "# naosim" in text and re.findall(r"\]\((?!https?:|#)[^)]*\)", text) == []


def test_a_wheel_made_with_npm_contains_the_libraries_of_the_page(tmp_path):
    need_program("node")
    wheel = made("wheel", tmp_path, SIMULATOR)[0]
    inside = {name.partition("/node_modules/")[2] for name in names(wheel) if "/node_modules/" in name}
    assert inside == {f"{name}/{file}" for name, files in PAGE_LIBRARIES.items() for file in files}
    assert wheel.stat().st_size < 2_000_000
    # The first page needs neither npm nor a network.
    pip("install", "--no-deps", "--target", tmp_path / "site", wheel)
    code = "from naosim_page.site import find_page_libraries; print(find_page_libraries())"
    ended = process(sys.executable, "-c", code, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path / "site")})
    assert ended.stdout.strip() == str(tmp_path / "site" / "naosim_page" / "node_modules")
