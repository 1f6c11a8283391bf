"""Python 2.7 for tests, with the last pytest, Hypothesis and libqi for it, in `.venv27`."""

import contextlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

from filelock import FileLock
from programs import need_program

ROOT = Path(__file__).resolve().parents[2]
VENV27 = ROOT / ".venv27"
#: The last releases for Python 2.7.
INSTALLER = ("pip==20.3.4", "setuptools==44.1.1", "wheel==0.37.1")
REQUIRED = ("pytest==4.6.11", "hypothesis==4.57.1")
QI = "qi==1.5.0"
ASK_REQUIRED = "import hypothesis, pytest; print(pytest.__version__ + ' ' + hypothesis.__version__)"


@cache
def python27() -> str:
    """Return a Python 2.7 without packages; if there is none, skip the test, or fail it in CI."""
    return need_program("python2.7")


@cache
def python27_with_pytest(*more: str) -> str:
    """Return the Python 2.7 of `.venv27`, which is made on first use; `more` are packages to install then, too."""
    python = VENV27 / "bin" / "python"
    with _one_at_a_time():
        if not _is_ready(python):
            _make_environment(python)
            _install(python, *REQUIRED, *more)
    return str(python)


@cache
def python27_with_qi() -> str:
    """Return the Python 2.7 of `.venv27` with libqi, which is installed on first use."""
    python = python27_with_pytest(QI)
    with _one_at_a_time():
        if _answer(python, "import pkg_resources; print(pkg_resources.get_distribution('qi').version)") != [
            QI.partition("==")[2]
        ]:
            _install(python, QI)
    return python


def _one_at_a_time() -> FileLock:
    """Return a lock for `.venv27` that all workers use."""
    folder = ROOT / ".cache"
    folder.mkdir(exist_ok=True)
    return FileLock(folder / "venv27.lock", timeout=900)


def _make_environment(python: Path) -> None:
    """Make `.venv27` with pip, without virtualenv, whose releases for Python 2.7 have known vulnerabilities."""
    shutil.rmtree(VENV27, ignore_errors=True)
    packages = VENV27 / "lib" / "python2.7" / "site-packages"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-deps"]
    subprocess.run(
        [*pip, "--python-version", "2.7", "--only-binary", ":all:", "--target", str(packages), *INSTALLER],
        check=True,
        timeout=300,
    )
    python.parent.mkdir()
    start = f"PYTHONUSERBASE={shlex.quote(str(VENV27))} exec {shlex.quote(python27())} "
    python.write_text(f'#!/bin/sh\n{start}"$@"\n', encoding="utf-8")
    python.chmod(0o755)


def _is_ready(python: Path) -> bool:
    # An older environment, made by virtualenv, ignores the user's packages.
    if not python.is_file() or (VENV27 / "pyvenv.cfg").exists():
        return False
    return _answer(python, ASK_REQUIRED) == [name.partition("==")[2] for name in REQUIRED]


def _install(python: Path | str, *packages: str) -> None:
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-python-version-warning"]
    subprocess.run([*pip, "install", "--user", *packages], check=True, timeout=600)


def _answer(python: Path | str, question: str) -> list[str]:
    command = [python, "-W", "ignore", "-c", question]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout.split()
    except OSError:  # The environment was never finished.
        return []


@contextlib.contextmanager
def one_core(number: int) -> Iterator[None]:
    """Run the block's processes on one core if possible: on two, threads of Python 2.7 take twice the time."""
    if not hasattr(os, "sched_getaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(cores)[number % len(cores)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def run_tests(files: Sequence[Path]) -> None:
    """Fail unless these files' tests pass on Python 2.7."""
    command = [python27_with_pytest(), "-m", "pytest", "-q", "-rf", "--tb=short", "-p", "no:cacheprovider"]
    # The configuration in pyproject.toml is for a newer pytest. Python 3 shows the values of a failed assertion.
    command += ["-c", os.devnull, "--assert=plain", "--rootdir", str(ROOT)]
    command += [path.relative_to(ROOT).as_posix() for path in files]
    answer = subprocess.run(command, cwd=ROOT, env=path27(), capture_output=True, text=True, timeout=900, check=False)
    assert files and answer.returncode == 0, answer.stdout[-6000:] + answer.stderr[-2000:]


def load_script(path: Path) -> ModuleType:
    """Import a program that is in no package, such as one of `docs`."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def source_path() -> str:
    """Return a PYTHONPATH with the folders of this checkout from which this process imports."""
    return os.pathsep.join(path for path in sys.path if Path(path).is_relative_to(ROOT) and "site-packages" not in path)


def path27() -> dict[str, str]:
    """Return an environment in which Python 2.7 finds what this process imports, and writes no byte code."""
    return {**os.environ, "PYTHONPATH": source_path(), "PYTHONDONTWRITEBYTECODE": "1"}
