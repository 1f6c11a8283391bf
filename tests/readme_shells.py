"""README's commands as a reader runs them: each in its own shell, in a fresh clone or with the wheel installed."""

import contextlib
import os
import re
import shutil
import sys
import zipfile
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pages import ACTIVATE, PLAIN, ROOT, blocks, commands, fits, pages, read, run
from processes import process

from jotto_desk.solver.native import build

SOURCES = ("src", "behaviour", "simulator")
#: README's address of a robot; tests use a simulated one instead.
ROBOT = "nao.local"
#: Commands that run until they are ended, and how a test runs them: at a free port, and with a line that ends them.
SERVES = {
    line: f"echo /quit | {line} --listen tcp://127.0.0.1:0"
    for line in ("jotto robot serve", "jotto robot serve --without ALSpeechRecognition")
}
#: The blocks of README that a new user runs in a clone; the wheel runs the commands of the others.
NEW_USER = ("nao-jotto", "I write NAO behaviours", "I have a NAO")
#: Packages that every installation from a checkout needs: pip, and those that build the package.
BUILDS = ("pip", "hatchling", "editables")


def sessions():
    """List README's commands by headings, with the line that makes `jotto` known, and the output some page shows."""
    every = [command for page in pages() for block in blocks(read(page)) for command in commands(block)]
    shown = {command.line: command.output for command in every if command.output}
    found = {}
    for heading, text in re.findall(r"^#+ (.*?)\n(.*?)(?=^#+ |\Z)", read(ROOT / "README.md"), re.MULTILINE | re.DOTALL):
        for block in blocks(text):
            lines = commands(block)
            first = ACTIVATE if ACTIVATE in [command.line for command in lines] else ""
            lines = [each for each in lines if each.line != ACTIVATE]
            rows = [(first, each.line, each.output or shown.get(each.line, "")) for each in lines]
            found.setdefault(heading, []).extend(rows)
    return {heading: rows for heading, rows in found.items() if rows}


class NewUser:
    """A new user's computer: a clone, an empty home, Python without packages; pip has wheels but no network."""

    def __init__(self, folder):
        self.clone, self.typed = clone(folder / "clone"), set()
        wheels, programs = folder / "wheels", folder / "programs"
        for each in (wheels, programs):
            each.mkdir()
        for name in required(roots()):
            pack(metadata.distribution(name), wheels)
        (programs / "python3").symlink_to(sys._base_executable)
        self._environ = {"PATH": f"{programs}:{PLAIN['PATH']}", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)}
        # pip inverts its last switch: 0 means "compile nothing", which saves half the time.
        self._environ |= {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_COMPILE": "0"}

    def type(self, first, line, output="", robot=""):
        """Run a command in a fresh shell in the clone."""
        self.typed.add(line)
        typed(first, line, output, self.clone, robot, **self._environ)

    def lose(self, module):
        for each in self.clone.glob(f".venv/lib/*/site-packages/{module}"):
            shutil.rmtree(each)


def clone(folder):
    listed = process("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    if listed.returncode:
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".venv*", ".cache", "dist", "__pycache__"))
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    # With the byte code and the solver's C part of the same sources, nothing is compiled again.
    library = ROOT / "src/jotto_desk/solver/native" / build.name_library()
    if library.is_file():
        shutil.copy2(library, folder / library.relative_to(ROOT))
    for cache in [each for part in SOURCES for each in (ROOT / part).rglob("__pycache__")]:
        shutil.copytree(cache, folder / cache.relative_to(ROOT), dirs_exist_ok=True)
    return folder


def roots():
    """List the requirements of the blocks in NEW_USER: the project with its extras, and other packages."""
    lines = [line for name, rows in sessions().items() if name in NEW_USER for _, line, _ in rows]
    extras = {"package", *re.findall(r"\w+", " ".join(re.findall(r"\[([\w,]+)\]", "\n".join(lines))))}
    words = [word for line in lines if line.startswith("pip install") for word in line.split()[2:]]
    others = [word for word in words if re.fullmatch(r"\w[\w-]*", word)]
    return [f"nao-jotto[{','.join(sorted(extras))}]", *others, *BUILDS]


def required(roots):
    """List the installed packages that requirements need, without this project's own."""
    todo, seen = [(Requirement(root), "") for root in roots], set()
    while todo:
        wanted, extra = todo.pop()
        name = canonicalize_name(wanted.name)
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": extra}):
            continue
        with contextlib.suppress(metadata.PackageNotFoundError):
            for own in {"", *wanted.extras} - {each for known, each in seen if known == name}:
                todo += [(Requirement(line), own) for line in metadata.requires(name) or ()]
                seen.add((name, own))
    return sorted({name for name, _ in seen} - {"nao-jotto", "naosim"})


def pack(installed, folder):
    """Make a wheel from an installed package, without its files outside site-packages."""
    info = next(file.parent for file in installed.files if file.name == "METADATA")
    tags = [tag.split("-") for tag in re.findall(r"^Tag: (\S+)$", installed.read_text("WHEEL"), re.MULTILINE)]
    tag = "-".join(".".join(dict.fromkeys(part)) for part in zip(*tags))
    with zipfile.ZipFile(folder / f"{info.name.removesuffix('.dist-info')}-{tag}.whl", "w") as wheel:
        for file in installed.files:
            if (
                ".." not in file.parts
                and file.suffix != ".pyc"
                and file.name not in ("INSTALLER", "REQUESTED", "direct_url.json")
            ):
                wheel.write(file.locate(), str(file))


def write_programs(folder, python):
    """Write the programs of an installation."""
    folder.mkdir(exist_ok=True)
    for name, code in (
        ("jotto", "from jotto_desk.__main__ import main; main()"),
        ("pytest", "import sys, pytest; sys.exit(pytest.main())"),
        ("pip", "import sys; from pip._internal.cli.main import main; sys.exit(main())"),
    ):
        program = folder / name
        program.write_text(f"#!{python}\n{code}\n")
        program.chmod(0o755)
    if not (folder / "python").exists():
        (folder / "python").symlink_to(python)


def typed(first, line, output, folder, robot="", **environ):
    """Run a command of README in a fresh shell; raise AssertionError if it fails or its output is not README.s."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    known = SERVES.get(line, line).replace(ROBOT, robot)
    code, out, err = run("\n".join(filter(None, ["set -e", first, known])), folder, home, **environ)
    assert code == 0, f"{line}: {out}{err}"
    assert "Traceback" not in err, f"{line}: {err}"
    assert not output or fits(output.replace("Copied it to nao@nao.local.\n", ""), out), f"{line} printed:\n{out}"


@contextlib.contextmanager
def simulated_robot():
    """Provide the address of a simulated robot, as fast as in test_story_alone.py."""
    from naosim_robots import serve_robot
    from naosim_robots.child import find_python27

    with serve_robot(find_python27(os.environ) or "", speed=25) as directory:
        yield directory.url
