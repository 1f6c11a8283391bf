"""A test whose program is missing skips, or fails in CI; `make tools` installs the programs."""

import os
import subprocess
import sys

import programs
import pytest
from interpreters import ROOT
from processes import process


@pytest.mark.parametrize("workers", ["0", "2"])
def test_the_last_line_counts_what_was_skipped_and_in_ci_it_fails(tmp_path, workers):
    # A test that needs nothing, and one that needs espeak-ng, which is nowhere on this path.
    tests = "import pytest\ndef test_a(): pass\n@pytest.mark.program('espeak-ng')\ndef test_b(): pass\n"
    (tmp_path / "test_speech.py").write_text(tests)
    options = ("-q", "-n", workers, "-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml", "-p", "sessions")
    command = (sys.executable, "-m", "pytest", *options, tmp_path / "test_speech.py")
    environ = {**os.environ, "PATH": str(tmp_path), "CI": "", "PYTHONPATH": os.path.dirname(programs.__file__)}
    environ = {name: value for name, value in environ.items() if not name.startswith("PYTEST_")}
    ended = process(*command, cwd=ROOT, env=environ)
    line = "1 test was skipped, because programs are missing: espeak-ng (1). `make tools` installs them, or says how."
    assert (ended.returncode, ended.stdout.splitlines()[-1]) == (0, line), ended.stdout
    if workers == "0":
        ended = process(*command, cwd=ROOT, env={**environ, "CI": "true"})
        assert ended.returncode == 1 and "espeak-ng is missing" in ended.stdout
        ended = process(*command, cwd=ROOT, env={**environ, "CI": "true", "TESTS_WITHOUT": "python2.7 espeak-ng"})
        assert ended.returncode == 0 and ended.stdout.splitlines()[-1] == line


@pytest.fixture
def computer(tmp_path, monkeypatch):
    """Provide the folder of a computer's programs, which has none of PROGRAMS; each script notes how it was called."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("CC", "CI", "NAOSIM_PYTHON27", "PYENV_ROOT", "TESTS_WITHOUT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    return folder


def offer(folder, name, does="", status=0):
    (folder / name).write_text(f'#!/bin/sh\necho "{name} $@" >> {folder.parent}/called\n{does}\nexit {status}\n')
    (folder / name).chmod(0o755)


def run_tools(*names, **environ):
    """Run the command of `make tools`, by a Python that has no packages."""
    command = [sys._base_executable, "-I", "-S", programs.__file__, *names]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environ}, check=False)


def test_apt_installs_the_programs_that_are_missing_and_known(computer):
    made = "printf '#!/bin/sh\\n' > $name; /bin/chmod +x $name"
    offer(computer, "apt-get", f'[ "$1" = update ] || for name in {computer}/gcc {computer}/openssl; do {made}; done')
    # This release has no Python 2.7.
    offer(computer, "apt-cache", '[ "$2" != python2.7 ] || exit 100\necho Package: "$2"')
    offer(computer, "sudo", '"$@"')
    ended = run_tools("cc", "openssl", "python2.7")
    called = (computer.parent / "called").read_text().splitlines()
    apt = [line for line in called if line.startswith("apt-get")]
    assert apt == ["apt-get update -qq", "apt-get install -y -qq --no-install-recommends gcc libc6-dev openssl"]
    assert any(line.startswith("sudo") for line in called) == (os.geteuid() != 0)
    assert ended.returncode == 0 and "Python 2.7 is still missing: install pyenv" in ended.stderr
    # What is there is not installed again.
    assert "apt-get" not in run_tools("cc", "openssl").stdout
    assert run_tools("cc", "openssl").stdout == "All programs that the tests need are here.\n"
    # In CI nothing may be missing that the job has not named.
    assert run_tools("cc", "python2.7", CI="true").returncode == 1
    assert run_tools("cc", "python2.7", CI="true", TESTS_WITHOUT="python2.7").returncode == 0


def test_homebrew_pyenv_and_a_computer_without_either(computer):
    ended = run_tools("espeak-ng", "cc")
    assert ended.returncode == 0 and "espeak-ng is still missing; install it by the means of your" in ended.stderr
    assert "a C compiler is still missing: on macOS, xcode-select --install." in ended.stderr
    offer(computer, "brew")
    offer(computer, "pyenv", status=1)
    assert run_tools("espeak-ng", "chromium", "python2.7").returncode == 1
    called = (computer.parent / "called").read_text().splitlines()
    assert called == ["pyenv install --skip-existing 2.7.18", "brew install espeak-ng chromium"]
    ended = run_tools("espeak")
    assert ended.returncode == 2 and "'espeak' is none of the programs: cc, openssl, " in ended.stderr


def test_every_program_has_packages_or_help():
    assert [name for name, each in programs.PROGRAMS.items() if not (each.debian or each.help)] == []
