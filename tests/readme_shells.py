"""README's commands as a reader runs them: each in a shell of its own, in a fresh clone or with the wheel installed."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig

from pages import ACTIVATE, ROOT, blocks, commands, fits, pages, read, run

from jotto_desk.solver.native import build

SOURCES = ("src", "behaviour", "simulator")
#: Where README says "your robot", a test has the simulated one.
ROBOT = "nao.local"
#: A command that goes on by itself, as a test runs it: at any free port, and with what ends it.
SERVES = {"jotto robot serve": "echo /quit | jotto robot serve --listen tcp://127.0.0.1:0"}
#: What only a robot that is not on this computer makes `deploy` say.
FAR = "Copied it to nao@nao.local.\n"
#: pip finds everything installed, and needs no network to say so; `make test` would start the tests anew.
SPARING = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTEST_ADDOPTS": "--help"}
PYTEST = {"PYTEST_ADDOPTS": "-p no:cacheprovider -p no:xdist -p no:randomly -p no:schemathesis -p no:anyio"}


def sessions():
    """List README's blocks of commands by their headings: for each command the line that makes `jotto` known, if any.

    Where README shows no output, one that another page shows for the same command is expected.
    """
    shown = {command.line: command.output for page in pages() for block in blocks(read(page))
             for command in commands(block) if command.output}
    found = {}
    for heading, text in re.findall(r"^#+ (.*?)\n(.*?)(?=^#+ |\Z)", read(ROOT / "README.md"), re.MULTILINE | re.DOTALL):
        for block in blocks(text):
            lines = commands(block)
            first = ACTIVATE if ACTIVATE in [command.line for command in lines] else ""
            rows = [(first, each.line, each.output or shown.get(each.line, "")) for each in lines
                    if each.line != ACTIVATE]
            found.setdefault(heading, []).extend(rows)
    return {heading: rows for heading, rows in found.items() if rows}


def needs_libqi(line):
    """Tell whether a command needs libqi, which has no wheel for every Python."""
    return ROBOT in line or "robot]" in line or line in SERVES


def runs_installed(line):
    """Tell whether a command runs with the installed package alone, offline."""
    return not line.startswith(("make", "pip")) and not needs_libqi(line)


def clone(folder):
    """Make a fresh clone of what the project has, set up as `make` would, from what is installed here."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True, check=False)
    if listed.returncode:
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".venv*", ".cache", "dist", "__pycache__"))
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    # Byte code and the solver's C part of the same sources: nothing is compiled anew.
    library = ROOT / "src/jotto_desk/solver/native" / build.library_name()
    if library.is_file():
        shutil.copy2(library, folder / library.relative_to(ROOT))
    for cache in [each for part in SOURCES for each in (ROOT / part).rglob("__pycache__")]:
        shutil.copytree(cache, folder / cache.relative_to(ROOT), dirs_exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / ".venv")], check=True, timeout=60)
    own = folder / ".venv/lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    sources = [str(folder / part) for part in SOURCES]
    (own / "fresh.pth").write_text("\n".join([*sources, sysconfig.get_path("purelib")]) + "\n")
    write_programs(folder / ".venv/bin", folder / ".venv/bin/python")
    for mark in ("", "-dev", "-native", "-package", "-docs"):
        (folder / f".venv/.ready{mark}").touch()
    return folder


def write_programs(folder, python):
    """Write the programs that an installation has."""
    folder.mkdir(exist_ok=True)
    for name, code in (("jotto", "from jotto_desk.__main__ import main; main()"),
                       ("pytest", "import sys, pytest; sys.exit(pytest.main())"),
                       ("pip", "import sys; from pip._internal.cli.main import main; sys.exit(main())")):
        program = folder / name
        program.write_text(f"#!{python}\n{code}\n")
        program.chmod(0o755)
    if not (folder / "python").exists():
        (folder / "python").symlink_to(python)


def typed(first, line, output, folder, robot="", **environ):
    """Run one command of README in a fresh shell; complain unless it ends well and prints what README shows."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    options = {**(SPARING if line.startswith(("make", "pip")) else PYTEST), **environ}
    known = SERVES.get(line, line).replace(ROBOT, robot)
    code, out, err = run("\n".join(filter(None, ["set -e", first, known])), folder, home, **options)
    assert code == 0, f"{line}: {out}{err}"
    assert "Traceback" not in err, f"{line}: {err}"
    assert not output or fits(output.replace(FAR, ""), out), f"{line} printed:\n{out}"


@contextlib.contextmanager
def simulated_robot():
    """Provide the address of a simulated robot, as fast as test_whole_chain has it."""
    from jotto_desk.robot_kit.python27 import find_python27
    from naosim_live import served

    with served(find_python27(os.environ) or "", speed=25) as directory:
        yield directory.url
