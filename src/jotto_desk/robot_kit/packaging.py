"""The package that a robot installs: made by qipkg, checked, copied onto a robot and installed there."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from jotto_desk.addresses import is_loopback
from jotto_desk.errors import DeskError
from jotto_desk.files import format_size
from jotto_desk.robot_kit.flow import PackageRefused
from jotto_desk.robot_kit.project import differing, project_texts, stage_to
from jotto_desk.robot_kit.sources import Sources, sentence_findings, uuid

# --- A package as bytes: the same content gives the same bytes, and no robot takes old byte code for a changed file.

#: A plain file that everybody may read, made on a Unix.
_MODE, _UNIX = 0o100644, 3
#: Dates lie in 20 years that are over, so that no clock finds a file of the future.
_FIRST_DAY, _STEPS = datetime(2000, 1, 1), 20 * 365 * 24 * 1800


def packed(files: Mapping[str, bytes]) -> bytes:
    """Zip these files by place: sorted, one mode, one compression, dates that follow from the content."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for place, content in sorted(files.items()):
            entry = zipfile.ZipInfo(place, content_date(content))
            entry.external_attr, entry.create_system = _MODE << 16, _UNIX
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return whole.getvalue()


def content_date(content: bytes) -> tuple[int, int, int, int, int, int]:
    """Return the date a file gets: the same for the same content, another one for other content.

    Python 2.7 keeps byte code whose note of the source's date agrees with the source, whichever came later. A fixed
    date would make the byte code of the package before fit the files of the next one.

    >>> content_date(b"x = 1") == content_date(b"x = 1"), content_date(b"x = 1") == content_date(b"x = 2")
    (True, False)
    """
    number = int.from_bytes(hashlib.sha256(content).digest()[:8], "big") % _STEPS
    day = _FIRST_DAY + timedelta(seconds=2 * number)
    return (day.year, day.month, day.day, day.hour, day.minute, day.second)


def unpacked(content: bytes) -> dict[str, bytes]:
    """Return the files of a zip by place, folders left out; raises `zipfile.BadZipFile` for anything else."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist() if not entry.is_dir()}


# --- The imports of a package's Python files, and whether the robot will find them. Nothing is run.

#: Modules NAOqi puts on the path of its own Python.
_ROBOT_MODULES = {"naoqi", "qi", "motion", "allog", "almath", "vision_definitions"}
#: Standard modules under names only Python 2 had, for a desk without a Python 2.7 to ask.
_OLD_MODULES = {"__builtin__", "ConfigParser", "Queue", "StringIO", "cPickle", "cStringIO", "thread", "urllib2"}
#: Conditions that hold for type checkers alone.
_NEVER = {"MYPY", "TYPE_CHECKING"}
SECONDS = 60
#: The line without which Python 2.7 reads no file that is not ASCII.
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")

#: Run by Python 2.7: which of the files it refuses, and which of the modules it has.
_ASK_27 = """
import imp, json, platform, sys
files, names = json.loads(sys.stdin.read())
refused, there = {}, []
for name, text in files.items():
    try:
        compile(text.encode("utf-8"), name.encode("ascii", "replace"), "exec", 0, True)
    except (SyntaxError, TypeError) as error:
        refused[name] = "%s, line %s" % (getattr(error, "msg", error), getattr(error, "lineno", "?"))
for name in names:
    try:
        imp.find_module(name.encode("ascii"))
    except ImportError:
        continue
    there.append(name)
sys.stdout.write(json.dumps([platform.python_version(), refused, there]))
"""


@dataclass(frozen=True)
class _WantedImport:
    """One import: file and line it stands in, the dotted name it needs; `may_fail` where the file is ready for that."""

    place: str
    line: int
    name: str
    may_fail: bool


@dataclass(frozen=True)
class _ImportReading:
    """What a Python found in the files: its own version, sentences about what is wrong, and what nothing imports."""

    python: str
    findings: tuple[str, ...]
    unused: tuple[str, ...]


def read(library: Mapping[str, str], scripts: Mapping[str, str], python27: Sequence[str] | None) -> _ImportReading:
    """Judge the modules of a lib (place below it -> text) and the box scripts by the robot's Python, or by this one.

    Sentences name a file that does not compile and an import that neither lib nor the robot has.
    """
    texts = {**library, **scripts}
    modules = {module_name(place): place for place in library}
    trees, refused = _parsed(texts)
    wanted = [one for place, tree in trees.items() for one in _imports(tree, place, place in library)]
    outside = sorted({one.name.partition(".")[0] for one in wanted} - {name.partition(".")[0] for name in modules})
    version, refused_by_27, standard = _asked(texts, outside, python27)
    findings = [
        f"{place} does not compile on Python {version} ({why}); correct it."
        for place, why in sorted({**refused, **refused_by_27}.items())
    ]
    findings += [
        f"{one.place}, line {one.line} imports {one.name}, which the robot does not have; put it into lib."
        for one in wanted
        if not one.may_fail and not _is_there(one.name, modules, standard)
    ]
    return _ImportReading(version, tuple(findings), _unused(modules, wanted, scripts))


def module_name(place: str) -> str:
    """Return the dotted name of a file in lib.

    >>> module_name("jotto/__init__.py"), module_name("jotto/rules.py")
    ('jotto', 'jotto.rules')
    """
    return place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _parsed(texts: Mapping[str, str]) -> tuple[dict[str, ast.Module], dict[str, str]]:
    trees, refused = {}, {}
    for place, text in texts.items():
        if not text.isascii() and not any(map(_CODING.match, text.split("\n")[:2])):
            refused[place] = "not ASCII, and no coding line says what else"
        try:
            trees[place] = ast.parse(text, place)
        except (SyntaxError, ValueError) as error:
            refused[place] = f"{getattr(error, 'msg', error)}, line {getattr(error, 'lineno', '?')}"
    return trees, refused


def _asked(
    texts: Mapping[str, str], names: Sequence[str], python27: Sequence[str] | None
) -> tuple[str, dict[str, str], set[str]]:
    """Return the version of the Python that checked, what it refuses, and the standard modules it has."""
    if not python27:
        return ".".join(map(str, sys.version_info[:3])), {}, set(sys.stdlib_module_names) | _OLD_MODULES
    command = [*python27, "-E", "-s", "-S", "-c", _ASK_27]
    question = json.dumps([dict(texts), list(names)]).encode("ascii")
    # From a folder without modules: the current one stands first on the path.
    answer = subprocess.run(command, input=question, stdout=subprocess.PIPE, timeout=SECONDS, check=True, cwd="/")
    version, refused, there = json.loads(answer.stdout)
    return version, refused, set(there)


def _imports(tree: ast.Module, place: str, is_in_lib: bool) -> Iterator[_WantedImport]:
    """Every import that can run; a name taken from a package counts as a module where lib has one of that name."""
    package = module_name(place).split(".") if is_in_lib else []
    if is_in_lib and not place.endswith("/__init__.py"):
        package = package[:-1]
    for node, may_fail in _reachable(tree.body, False):
        if isinstance(node, ast.Import):
            yield from (_WantedImport(place, node.lineno, alias.name, may_fail) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            yield _WantedImport(place, node.lineno, name, may_fail)
            # Whether these are modules or names inside one, only the lib can tell.
            yield from (_WantedImport(place, node.lineno, f"{name}.{alias.name}", True) for alias in node.names)


def _reachable(nodes: Iterable[ast.AST], may_fail: bool) -> Iterator[tuple[ast.AST, bool]]:
    for node in nodes:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id in _NEVER:
            yield from _reachable(node.orelse, may_fail)
            continue
        yield node, may_fail
        if isinstance(node, ast.Try):
            yield from _reachable(node.body, may_fail or any(map(_forgives, node.handlers)))
            yield from _reachable([*node.handlers, *node.orelse, *node.finalbody], may_fail)
        else:
            yield from _reachable(ast.iter_child_nodes(node), may_fail)


def _forgives(handler: ast.ExceptHandler) -> bool:
    """Tell whether a missing module is caught, and not only to say it in other words."""
    caught = "ImportError" if handler.type is None else ast.unparse(handler.type)
    again = any(isinstance(node, ast.Raise) for node in ast.walk(handler))
    return not again and any(name in caught for name in ("ImportError", "ModuleNotFoundError", "Exception"))


def _is_there(name: str, modules: Mapping[str, str], standard: set[str]) -> bool:
    first = name.partition(".")[0]
    return name in modules or (first not in modules and first in standard | _ROBOT_MODULES)


def _unused(modules: Mapping[str, str], wanted: Sequence[_WantedImport], scripts: Mapping[str, str]) -> tuple[str, ...]:
    """List the places in lib that no script imports, however indirectly."""
    reached: set[str] = set()
    waiting = list(scripts)
    while waiting:
        place = waiting.pop()
        for one in wanted:
            parts = one.name.split(".") if one.place == place else []
            for end in range(1, len(parts) + 1):
                found = modules.get(".".join(parts[:end]))
                if found and found not in reached:
                    reached.add(found)
                    waiting.append(found)
    return tuple(sorted(set(modules.values()) - reached))


# --- The package a robot installs: made by qipkg from a fresh copy of the project, judged before it is written.

#: Where a package is written, below the checkout.
FOLDER = "dist"
#: The goal is 300 kB; far beyond it something got in that does not belong.
LARGEST = 2_000_000
PNG, _LARGEST_ICON = b"\x89PNG\r\n\x1a\n", 100_000


@dataclass(frozen=True)
class Package:
    """A finished package: file name, the robot's name for it, version, bytes, sizes by place, who judged it."""

    name: str
    uuid: str
    version: str
    content: bytes
    files: Mapping[str, int]
    unused: tuple[str, ...]
    python: str


def package(
    root: Path,
    sources: Sources,
    python27: Sequence[str] | None = None,
    judge: Callable[[Path], Iterable[str]] = lambda xar: (),
) -> Package:
    """Make the package of a checkout; `judge` names what is wrong with a behavior.xar.

    Raises `PackageRefused` with everything that is wrong, `DeskError` without qipkg or room for the copy.
    """
    qipkg = _qipkg()
    stale = differing(root, project_texts(sources))
    if stale:
        raise PackageRefused(
            "The Choregraphe project is not what robot_boxes says; run 'jotto robot build' (after "
            "'jotto robot pull' where the project was edited in Choregraphe):",
            stale,
        )
    name = uuid(sources.manifest)
    try:
        with tempfile.TemporaryDirectory(prefix="jotto-") as scratch:
            project = Path(scratch) / "project"
            stage_to(root, project)
            reading = _reading(project, sources, python27)
            findings = [
                *reading.findings,
                *judge(project / sources.flow.behaviour / "behavior.xar"),
                *sentence_findings(sources.manifest),
                *_icon(project),
            ]
            if findings:
                raise PackageRefused("This cannot become a package:", findings)
            files = _made(qipkg, project / f"{name}.pml", Path(scratch) / "made.pkg")
    except OSError as error:
        raise DeskError(
            f"The package cannot be put together ({error.strerror or error}); make room for temporary files."
        ) from error
    _only_what_belongs(files, sources)
    content = packed(files)
    if len(content) > LARGEST:
        raise PackageRefused(
            f"The package would have {format_size(len(content))}; {format_size(LARGEST)} is the most it may have."
        )
    return Package(
        f"jotto-{sources.version}.pkg",
        name,
        sources.version,
        content,
        {place: len(files[place]) for place in sorted(files)},
        reading.unused,
        reading.python,
    )


def _qipkg() -> Any:
    try:
        import qipkg.builder
        import qipkg.manifest
    except ImportError as error:
        raise DeskError("Making a package needs qibuild: pip install 'nao-jotto[package]'.") from error
    return qipkg


def _reading(project: Path, sources: Sources, python27: Sequence[str] | None) -> _ImportReading:
    library = {
        place: (project / "lib" / place).read_text(encoding="utf-8")
        for place in sources.library
        if place.endswith(".py")
    }
    return read(library, sources.whole_scripts(), python27)


def _icon(project: Path) -> list[str]:
    icon = (project / "icon.png").read_bytes()
    if icon.startswith(PNG) and len(icon) <= _LARGEST_ICON:
        return []
    return [f"icon.png is no PNG of at most {format_size(_LARGEST_ICON)}; draw one."]


def _made(qipkg: Any, pml: Path, target: Path) -> dict[str, bytes]:
    """Return what qipkg packs, by place; its own long, coloured output is kept from the terminal."""
    said = io.StringIO()
    builder = None
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            builder = qipkg.builder.PMLBuilder(str(pml))
            errors = [*builder.validator.errors, *builder.validator.warnings]
            if not errors:
                builder.package(output=str(target))
    except (Exception, SystemExit) as error:
        if isinstance(error, OSError):
            raise
        raise PackageRefused("qipkg cannot make the package:", str(error).strip().splitlines()[:5]) from error
    finally:
        # Its own temporary folder stays behind when it fails.
        if builder is not None:
            shutil.rmtree(builder.stage_path, ignore_errors=True)
    if errors:
        raise PackageRefused("qipkg finds manifest.xml wanting:", errors)
    return unpacked(target.read_bytes())


def _only_what_belongs(files: Mapping[str, bytes], sources: Sources) -> None:
    wanted = {
        "manifest.xml",
        "icon.png",
        f"{sources.flow.behaviour}/behavior.xar",
        *(f"lib/{place}" for place in sources.library),
        *(path for topic in sources.topics for path in (topic.dialog_path, topic.topic_path)),
    }
    findings = [f"{place} is missing in it." for place in sorted(wanted - files.keys())]
    findings += [f"{place} does not belong in it." for place in sorted(files.keys() - wanted)]
    if findings:
        raise PackageRefused("qipkg packed something else than the project lists:", findings)


# --- Installing a package on a robot, starting it and removing it, through any function that calls its services.

#: Asks a service of the robot and gives its answer: `ask("PackageManager", "packages")`; RuntimeError with its words.
Ask = Callable[..., Any]

UUID = re.compile(r"[_\-a-z0-9]{1,50}")
#: Seconds for a behaviour to be running, and between two looks.
_PATIENCE, _LOOK = 20.0, 0.1


@dataclass(frozen=True)
class PackageFile:
    """A package ready to be sent: its file, the robot's name for it, version, and behaviours by their full names."""

    path: Path
    uuid: str
    version: str
    behaviours: tuple[str, ...]

    @property
    def name(self) -> str:
        """A file name that needs no quoting anywhere."""
        return f"{self.uuid}-{self.version}.pkg"


def package_file(path: Path, manifest: Mapping[str, Any]) -> PackageFile:
    """Say what is to be sent, by what PackageManager would tell of the package's manifest."""
    uuid = manifest["uuid"]
    behaviours = tuple(f"{uuid}/{each['path']}" for each in manifest["behaviors"])
    return PackageFile(path, uuid, manifest["version"], behaviours)


def install(ask: Ask, sent: PackageFile, place: str) -> Iterator[str]:
    """Install the package that lies at `place` on the robot; a sentence for every step. Raises `PackageRefused`."""
    yield from _stop(ask, sent.uuid)
    before = _version(ask, sent.uuid)
    try:
        is_done = ask("PackageManager", "install", place)
    except RuntimeError as error:
        raise PackageRefused(f"The robot refuses the package: {worded(error)}") from error
    if is_done is False or not _is_installed(ask, sent):
        raise PackageRefused(
            "The robot took the package and did not install it, and gives no reason; does it have a "
            "newer version, or another NAOqi than the package asks for?"
        )
    yield f"Installed {sent.uuid} {sent.version}" + (f" in place of {before}." if before else ".")


def start(ask: Ask, behaviour: str) -> str:
    """Start a behaviour; the sentence to print. Raises `PackageRefused` where it does not come up."""
    try:
        ask("ALBehaviorManager", "startBehavior", behaviour)
        end = time.monotonic() + _PATIENCE
        while not ask("ALBehaviorManager", "isBehaviorRunning", behaviour):
            if time.monotonic() > end:
                raise PackageRefused(
                    f"The robot accepted to start {behaviour}, and it does not run; look into the robot's log."
                )
            time.sleep(_LOOK)
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not start {behaviour}: {worded(error)}") from error
    return f"Started {behaviour}."


def remove(ask: Ask, uuid: str) -> Iterator[str]:
    """Take a package away; a sentence for every step. Raises `PackageRefused`."""
    if not UUID.fullmatch(uuid):
        raise PackageRefused(f"'{uuid[:60]}' is no package's name: small letters, digits, - and _.")
    yield from _stop(ask, uuid)
    version = _version(ask, uuid)
    if version is None:
        yield f"There is no {uuid} on the robot; nothing was removed."
        return
    try:
        ask("PackageManager", "removePkg", uuid)
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not remove {uuid}: {worded(error)}") from error
    yield f"Removed {uuid} {version}."


def worded(error: RuntimeError) -> str:
    r"""Put a robot's error message on one line, without the name of the method.

    >>> worded(RuntimeError("\tPackageManager::install\n\tThe disk is full."))
    'The disk is full.'
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if not re.fullmatch(r"\w+::\w+", line)]
    return " ".join(told or lines or ["no reason given"])[:500]


def _stop(ask: Ask, uuid: str) -> Iterator[str]:
    """End what runs of a package: its files are about to go."""
    try:
        running = [str(name) for name in ask("ALBehaviorManager", "getRunningBehaviors")]
        for name in running:
            if name == uuid or name.startswith(f"{uuid}/"):
                ask("ALBehaviorManager", "stopBehavior", name)
                yield f"Stopped {name}."
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not say what runs on it: {worded(error)}") from error


def _version(ask: Ask, uuid: str) -> str | None:
    """Return the version that is installed, None for none."""
    for told in _packages(ask):
        row = told if isinstance(told, dict) else _pairs(told)
        if row.get("uuid") == uuid:
            return str(row.get("version") or "(of no version)")
    return None


def _packages(ask: Ask) -> list[Any]:
    try:
        return list(ask("PackageManager", "packages"))
    except RuntimeError:
        pass
    try:
        return list(ask("PackageManager", "getPackages"))
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not say what is installed: {worded(error)}") from error


def _pairs(told: Any) -> dict[str, Any]:
    """Name the first three fields of a row that came as a structure, which are the same in every NAOqi."""
    fields = list(told) if isinstance(told, list | tuple) else []
    return dict(zip(("uuid", "path", "version"), fields, strict=False))


def _is_installed(ask: Ask, sent: PackageFile) -> bool:
    return _version(ask, sent.uuid) == sent.version


# --- Copying a package onto a robot with the computer's own ssh. Knows nothing of what is in it.

#: Seconds for a robot to answer, and for the whole package to be there; a person may have to type a password.
_CONNECT, _WHOLE = 10, 300
_USER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}")
#: NAO's ssh is of 2013: newer clients speak to it only when they are told so.
_OLD_ROBOT = (
    "-o",
    "IgnoreUnknown=PubkeyAcceptedAlgorithms",
    "-o",
    "HostKeyAlgorithms=+ssh-rsa",
    "-o",
    "PubkeyAcceptedAlgorithms=+ssh-rsa",
    "-o",
    "KexAlgorithms=+diffie-hellman-group14-sha1",
)
#: What ssh says -> what that means here.
_REASONS = {
    "Connection refused": "takes no ssh connections; switch its ssh on, or copy the package yourself",
    "timed out": "does not answer; is it on, and in the same network?",
    "No route to host": "cannot be reached; is it on, and in the same network?",
    "Network is unreachable": "cannot be reached; is this computer in the robot's network?",
    "Could not resolve hostname": "is unknown here; press the robot's chest button, it says its address",
    "Permission denied": "refuses this user with this password; give the right ones with --user and --password-file",
    "IDENTIFICATION HAS CHANGED": "has another ssh key than last time; if it is the same robot, run ssh-keygen -R and "
    "its address",
    "Host key verification failed": "has an ssh key that is not yet trusted; connect once with ssh and say yes",
    "No space left": "has no room left",
}


@dataclass(frozen=True)
class Shell:
    """A robot reached with ssh: its host, the user there, that user's password ("": keys, or ssh asks for it)."""

    host: str
    user: str = "nao"
    password: str = field(default="", repr=False)
    port: int = 22

    def upload(self, path: Path, name: str) -> str:
        """Copy a file into the user's home folder; its place on the robot. Raises `PackageRefused` with why not."""
        # Every sshd can do this; the robot's knows no newer way to copy.
        with path.open("rb") as content:
            said = self._run(f"cat > {shlex.quote(name)} && pwd", content.fileno())
        return f"{said.strip()}/{name}"

    def discard(self, name: str) -> None:
        """Delete what was copied there."""
        self._run(f"rm -f {shlex.quote(name)}", subprocess.DEVNULL)

    def _run(self, command: str, given: int) -> str:
        if not _USER.fullmatch(self.user):
            raise PackageRefused(f"'{self.user[:50]}' is no user of a robot; most have 'nao'.")
        try:
            return self._ran(command, given, ())
        except _OldRobot:
            if given >= 0:
                os.lseek(given, 0, os.SEEK_SET)
            return self._ran(command, given, _OLD_ROBOT)

    def _ran(self, command: str, given: int, options: Sequence[str]) -> str:
        with tempfile.TemporaryDirectory(prefix="jotto-") as scratch:
            environ = _environ(self.password, Path(scratch))
            # With a password at hand, or no person at the keyboard, ssh must not ask.
            batch = "no" if self.password or sys.stdin.isatty() else "yes"
            ssh = [
                "ssh",
                "-p",
                str(self.port),
                "-l",
                self.user,
                "-o",
                f"ConnectTimeout={_CONNECT}",
                "-o",
                "StrictHostKeyChecking=accept-new",
                "-o",
                f"BatchMode={batch}",
                "-o",
                "NumberOfPasswordPrompts=1",
            ]
            try:
                ended = subprocess.run(
                    [*ssh, *options, "--", self.host, command],
                    stdin=given,
                    capture_output=True,
                    timeout=_WHOLE,
                    env=environ,
                    check=False,
                )
            except FileNotFoundError as error:
                raise PackageRefused("There is no ssh on this computer; install OpenSSH's client.") from error
            except subprocess.TimeoutExpired as error:
                raise PackageRefused(f"The robot at {self.host} did not take the package within {_WHOLE} s.") from error
        if ended.returncode:
            raise _refusal(self.host, ended.stderr.decode("utf-8", "replace"))
        return ended.stdout.decode("utf-8", "replace")


def is_here(host: str) -> bool:
    """Tell whether a host is this very computer, as it is for a simulated robot.

    >>> is_here("localhost"), is_here("127.0.0.1"), is_here("::1"), is_here("nao.local")
    (True, True, True, False)
    """
    return is_loopback(host)


class _OldRobot(Exception):
    """The robot's ssh speaks only what newer clients have given up."""


def _environ(password: str, scratch: Path) -> dict[str, str]:
    """Lets ssh ask a file that only we can read for the password: no command line and no environment holds it."""
    environ = dict(os.environ)
    if password:
        teller, kept = scratch / "tell", scratch / "kept"
        for path, text in ((kept, password + "\n"), (teller, '#!/bin/sh\nexec cat "${0%tell}kept"\n')):
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700), "w", encoding="utf-8") as file:
                file.write(text)
        environ.update(SSH_ASKPASS=str(teller), SSH_ASKPASS_REQUIRE="force", DISPLAY=environ.get("DISPLAY") or ":0")
    return environ


def _refusal(host: str, said: str) -> Exception:
    if "no matching" in said:
        return _OldRobot()
    for words, meaning in _REASONS.items():
        if words.lower() in said.lower():
            return PackageRefused(f"The robot at {host} {meaning}.")
    lines = said.strip().splitlines() or ["no reason given"]
    return PackageRefused(f"The robot at {host} did not take the package: {lines[-1][:200]}")
