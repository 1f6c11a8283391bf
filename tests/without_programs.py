"""Run quick tests in a copy of the project where the programs of `programs.py` are missing: they pass or skip there.

Usage: python tests/without_programs.py    (after `make .venv/.ready-dev`). `.ci/run` does this, because it installs all
those programs for the other tests.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "simulator" / "tests"))
from programs import PROGRAMS, ROOT

#: Quick tests that use a program, or whose output once named one that is missing.
TESTS = (
    "tests/desk/test_bench.py::test_a_missing_extra_is_one_line",
    "tests/desk/test_bench.py::test_ctrl_c_shows_the_strategies_that_have_played",
    "tests/desk/test_bench.py::test_one_sentence_for_bad_input",
    "tests/desk/test_cli_help.py::test_a_wrong_command_is_answered_with_what_was_wrong",
    "tests/desk/test_cli_package.py::test_a_package_is_made_and_reported",
    "tests/desk/test_cli_package.py::test_a_package_is_copied_and_deleted_again",
    "tests/desk/test_cli_package.py::test_why_ssh_did_not_copy",
    "tests/desk/test_cli_package.py::test_no_ssh_and_no_user",
    "tests/desk/test_cli_solve.py::test_numpy_is_mentioned_once_and_only_if_it_takes_seconds_longer",
    "tests/desk/test_gladiators_cli.py::test_missing_or_wrong_arguments",
    "tests/desk/test_page_speech.py::test_a_recogniser_in_another_process",
    "tests/desk/test_solver_search.py::test_patience_finds_what_a_narrow_beam_misses",
    "simulator/tests/python3/test_voice.py::test_a_voice_has_a_tone_and_changes_and_a_cough_has_none",
    "tests/desk/test_voice_games.py",
)
#: Folders with byte code.
SOURCES = ("src", "behaviour", "simulator", "tests")
PYTHON2 = ("python2.7", "python2", "pyenv")


def copy_project(folder: Path) -> None:
    """Copy the files that belong to the project, with their byte code, so that nothing is compiled again."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for cache in [each for part in SOURCES for each in (ROOT / part).rglob("__pycache__")]:
        # Other tests are writing such files meanwhile, under names like "x.pyc.123".
        shutil.copytree(cache, folder / cache.relative_to(ROOT), ignore=shutil.ignore_patterns("*.pyc.*"))


def link_other_programs(folder: Path) -> None:
    """Link the programs on the path, without those of PROGRAMS."""
    missing = {*PYTHON2, *(command for program in PROGRAMS.values() for command in program.commands)}
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*") if place else ():
            link = folder / program.name
            if program.name not in missing and not link.is_symlink():
                link.symlink_to(program)


def main() -> int:
    """Run the tests; return pytest's exit status."""
    with tempfile.TemporaryDirectory() as scratch:
        checkout, programs, home = (Path(scratch, name) for name in ("checkout", "programs", "home"))
        for folder in (checkout, programs, home):
            folder.mkdir()
        copy_project(checkout)
        link_other_programs(programs)
        path = os.pathsep.join(str(checkout / part) for part in ("src", "behaviour", "simulator"))
        environ = {**os.environ, "PATH": str(programs), "PYTHONPATH": path, "HOME": str(home)}
        for name in ("CI", "CC", "PYENV_ROOT", "NAOSIM_PYTHON27"):
            environ.pop(name, None)
        command = [sys.executable, "-m", "pytest", "-q", *TESTS, *sys.argv[1:]]
        return subprocess.run(command, cwd=checkout, env=environ, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
