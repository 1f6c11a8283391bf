"""The package for a robot: made by qipkg, checked, copied onto a robot and installed there."""

import ast
import contextlib
import hashlib
import io
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
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from jotto_desk.errors import DeskError, MissingExtra
from jotto_desk.files import format_size
from jotto_desk.robot_kit.flow import PackageRefused
from jotto_desk.robot_kit.project import generate_project, list_differing, stage_to
from jotto_desk.robot_kit.sources import Sources, ask_python27, check_sentences, find_uuid

# A package as bytes, which follow from the content of its files.

#: The mode of a plain file that everybody may read.
_MODE = 0o100644
#: The system in the zip: Unix.
_UNIX = 3
#: Dates of files begin here and span 20 years that are over, so that no file is from a computer's future.
_FIRST_DAY = datetime(2000, 1, 1)
#: The possible dates, in the zip's steps of two seconds.
_STEPS = 20 * 365 * 24 * 1800


def zip_files(files: Mapping[str, bytes]) -> bytes:
    """Zip files by place: sorted, with the same mode and compression, and dates that follow from the content."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for place, content in sorted(files.items()):
            entry = zipfile.ZipInfo(place, derive_date(content))
            entry.external_attr, entry.create_system = _MODE << 16, _UNIX
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return whole.getvalue()


def derive_date(content: bytes) -> tuple[int, int, int, int, int, int]:
    """Return the date of a file, which depends only on its content.

    Python 2.7 uses byte code if it has the date of the source. With a fixed date it would use the byte
    code of the previous package for the changed files of the next one.

    >>> derive_date(b"x = 1") == derive_date(b"x = 1"), derive_date(b"x = 1") == derive_date(b"x = 2")
    (True, False)
    """
    number = int.from_bytes(hashlib.sha256(content).digest()[:8], "big") % _STEPS
    day = _FIRST_DAY + timedelta(seconds=2 * number)
    return (day.year, day.month, day.day, day.hour, day.minute, day.second)


def unzip_files(content: bytes) -> dict[str, bytes]:
    """Return the files of a zip by place, without folders; raises `zipfile.BadZipFile` for anything else."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist() if not entry.is_dir()}


# Checking the Python files of a package and their imports, without running them.

#: Modules on the path of NAOqi's Python.
_ROBOT_MODULES = {"naoqi", "qi", "motion", "allog", "almath", "vision_definitions"}
#: Standard modules that only Python 2 has, for a computer without Python 2.7.
_OLD_MODULES = {"__builtin__", "ConfigParser", "Queue", "StringIO", "cPickle", "cStringIO", "thread", "urllib2"}
#: Conditions that are true only for type checkers.
_NEVER = {"MYPY", "TYPE_CHECKING"}
#: Python 2.7 refuses a file that is not ASCII unless one of its first two lines is like this.
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")


@dataclass(frozen=True)
class _WantedImport:
    """An import: its file and line, the dotted name, and whether the file works without that module."""

    place: str
    line: int
    name: str
    may_fail: bool


@dataclass(frozen=True)
class _ImportReading:
    """The result of a check: the version of the Python that checked, findings, and files that nothing imports."""

    python: str
    findings: tuple[str, ...]
    unused: tuple[str, ...]


def check_python_files(
    library: Mapping[str, str], scripts: Mapping[str, str], python27: Sequence[str] | None
) -> _ImportReading:
    """Check the modules of lib (place in lib -> text) and the box scripts with Python 2.7, or with this Python.

    Findings name a file that does not compile, and an import that is neither in lib nor on the robot.
    """
    texts = {**library, **scripts}
    modules = {name_module(place): place for place in library}
    trees, refused = _parse_scripts(texts)
    wanted = [one for place, tree in trees.items() for one in _list_imports(tree, place, place in library)]
    outside = sorted({one.name.partition(".")[0] for one in wanted} - {name.partition(".")[0] for name in modules})
    version, refused_by_27, standard = _check_by_interpreter(texts, outside, python27)
    findings = [
        f"{place} does not compile on Python {version} ({why}); correct it."
        for place, why in sorted({**refused, **refused_by_27}.items())
    ]
    findings += [
        f"{one.place}, line {one.line} imports {one.name}, which the robot does not have; put it into lib."
        for one in wanted
        if not one.may_fail and not _is_there(one.name, modules, standard)
    ]
    return _ImportReading(version, tuple(findings), _find_unused(modules, wanted, scripts))


def name_module(place: str) -> str:
    """Return the dotted module name of a file in lib.

    >>> name_module("jotto/__init__.py"), name_module("jotto/rules.py")
    ('jotto', 'jotto.rules')
    """
    return place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _parse_scripts(texts: Mapping[str, str]) -> tuple[dict[str, ast.Module], dict[str, str]]:
    trees, refused = {}, {}
    for place, text in texts.items():
        if not text.isascii() and not any(map(_CODING.match, text.split("\n")[:2])):
            refused[place] = "not ASCII, and no coding line says what else"
        try:
            trees[place] = ast.parse(text, place)
        except (SyntaxError, ValueError) as error:
            refused[place] = f"{getattr(error, 'msg', error)}, line {getattr(error, 'lineno', '?')}"
    return trees, refused


def _check_by_interpreter(
    texts: Mapping[str, str], names: Sequence[str], python27: Sequence[str] | None
) -> tuple[str, dict[str, str], set[str]]:
    """Return the version of the Python that checks, the files it refuses with reasons, and its standard modules."""
    if not python27:
        return ".".join(map(str, sys.version_info[:3])), {}, set(sys.stdlib_module_names) | _OLD_MODULES
    return ask_python27(python27, texts, names)


def _list_imports(tree: ast.Module, place: str, is_in_lib: bool) -> Iterator[_WantedImport]:
    """Yield every import that can run; a name from a package counts as a module if lib has a module of that name."""
    package = name_module(place).split(".") if is_in_lib else []
    if is_in_lib and not place.endswith("/__init__.py"):
        package = package[:-1]
    for node, may_fail in _find_reachable(tree.body, False):
        if isinstance(node, ast.Import):
            yield from (_WantedImport(place, node.lineno, alias.name, may_fail) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            yield _WantedImport(place, node.lineno, name, may_fail)
            # These might be modules or names in a module.
            yield from (_WantedImport(place, node.lineno, f"{name}.{alias.name}", True) for alias in node.names)


def _find_reachable(nodes: Iterable[ast.AST], may_fail: bool) -> Iterator[tuple[ast.AST, bool]]:
    for node in nodes:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id in _NEVER:
            yield from _find_reachable(node.orelse, may_fail)
            continue
        yield node, may_fail
        if isinstance(node, ast.Try):
            yield from _find_reachable(node.body, may_fail or any(map(_forgives, node.handlers)))
            yield from _find_reachable([*node.handlers, *node.orelse, *node.finalbody], may_fail)
        else:
            yield from _find_reachable(ast.iter_child_nodes(node), may_fail)


def _forgives(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler catches a missing module and does not raise another error."""
    caught = "ImportError" if handler.type is None else ast.unparse(handler.type)
    again = any(isinstance(node, ast.Raise) for node in ast.walk(handler))
    return not again and any(name in caught for name in ("ImportError", "ModuleNotFoundError", "Exception"))


def _is_there(name: str, modules: Mapping[str, str], standard: set[str]) -> bool:
    first = name.partition(".")[0]
    return name in modules or (first not in modules and first in standard | _ROBOT_MODULES)


def _find_unused(
    modules: Mapping[str, str], wanted: Sequence[_WantedImport], scripts: Mapping[str, str]
) -> tuple[str, ...]:
    """List the files in lib that no script imports, directly or through other modules."""
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


# Making a package from a fresh copy of the project.

#: The folder for packages in the checkout.
FOLDER = "dist"
#: The largest package: the usual one has 300 kB, so a larger one contains something wrong.
_MAX_PACKAGE_BYTES = 2_000_000
#: The first bytes of a PNG.
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MAX_ICON_BYTES = 100_000


@dataclass(frozen=True)
class Package:
    """A finished package."""

    #: The file name.
    name: str
    #: The robot's name for the package.
    uuid: str
    version: str
    content: bytes
    #: Place -> size in bytes.
    files: Mapping[str, int]
    #: Files in lib that nothing imports.
    unused: tuple[str, ...]
    #: The version of the Python that checked the files.
    python: str


def make_package(
    root: Path,
    sources: Sources,
    python27: Sequence[str] | None = None,
    judge: Callable[[Path], Iterable[str]] = lambda xar: (),
) -> Package:
    """Make the package of a checkout; `judge` returns findings about a behavior.xar.

    Raises `PackageRefused` with all findings, and `DeskError` without qipkg or room for the copy.
    """
    qipkg = _import_qipkg()
    stale = list_differing(root, generate_project(sources))
    if stale:
        raise PackageRefused(
            "The Choregraphe project does not match robot_boxes; run 'jotto robot build' (after "
            "'jotto robot pull' where the project was edited in Choregraphe):",
            stale,
        )
    name = find_uuid(sources.manifest)
    try:
        with tempfile.TemporaryDirectory(prefix="jotto-") as scratch:
            project = Path(scratch) / "project"
            stage_to(root, project)
            reading = _explain_unreadable(project, sources, python27)
            findings = [*reading.findings, *judge(project / sources.flow.behaviour / "behavior.xar")]
            findings += [*check_sentences(sources.manifest), *_make_icon(project)]
            if findings:
                raise PackageRefused("This cannot become a package:", findings)
            files = _run_qipkg(qipkg, project / f"{name}.pml", Path(scratch) / "made.pkg")
    except OSError as error:
        raise DeskError(
            f"The package cannot be assembled ({error.strerror or error}); make room for temporary files."
        ) from error
    _check_places(files, sources)
    content, sizes, file_name = _zip_package(files), _measure_files(files), f"jotto-{sources.version}.pkg"
    return Package(file_name, name, sources.version, content, sizes, reading.unused, reading.python)


#: The word list that a package has instead of the game's own, and the parameter of a box that names it.
CHOSEN_LIST = "chosen"
_LIST_PARAMETER = re.compile(rb'(<Parameter name="Word list" [^>]*\bvalue=")(" default_value=")(")')


def add_word_list(made: Package, files: Mapping[str, bytes]) -> Package:
    """Return a package that plays with another list; `files` maps ends such as `.tsv` and `.tree` to contents.

    Raises `PackageRefused` if it gets too large, or no box has the parameter.
    """
    packed = unzip_files(made.content)
    packed |= {f"lib/wordlists/{CHOSEN_LIST}{end}": content for end, content in files.items()}
    name = f"{CHOSEN_LIST}.tsv".encode()
    for place in [place for place in packed if place.endswith("/behavior.xar")]:
        packed[place], count = _LIST_PARAMETER.subn(rb"\g<1>" + name + rb"\g<2>" + name + rb"\g<3>", packed[place])
        if count != 1:
            raise PackageRefused(f"{place} has {count} parameters 'Word list' without a value; leave --words out.")
    return replace(made, content=_zip_package(packed), files=_measure_files(packed))


def _zip_package(files: Mapping[str, bytes]) -> bytes:
    content = zip_files(files)
    if len(content) > _MAX_PACKAGE_BYTES:
        size, most = format_size(len(content)), format_size(_MAX_PACKAGE_BYTES)
        raise PackageRefused(f"The package would have {size}; the limit is {most}.")
    return content


def _measure_files(files: Mapping[str, bytes]) -> dict[str, int]:
    return {place: len(files[place]) for place in sorted(files)}


def _import_qipkg() -> Any:
    try:
        import qipkg.builder
        import qipkg.manifest
    except ImportError as error:
        raise MissingExtra("Making a package needs qibuild", "package") from error
    return qipkg


def _explain_unreadable(project: Path, sources: Sources, python27: Sequence[str] | None) -> _ImportReading:
    modules = [place for place in sources.library if place.endswith(".py")]
    library = {place: (project / "lib" / place).read_text(encoding="utf-8") for place in modules}
    return check_python_files(library, sources.assemble_scripts(), python27)


def _make_icon(project: Path) -> list[str]:
    icon = (project / "icon.png").read_bytes()
    if icon.startswith(_PNG_SIGNATURE) and len(icon) <= _MAX_ICON_BYTES:
        return []
    return [f"icon.png is not a PNG of at most {format_size(_MAX_ICON_BYTES)}; draw one."]


def _run_qipkg(qipkg: Any, pml: Path, target: Path) -> dict[str, bytes]:
    """Return the files that qipkg packs, by place; its long, coloured output does not reach the terminal."""
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
        # qipkg does not delete its temporary folder when it fails.
        if builder is not None:
            shutil.rmtree(builder.stage_path, ignore_errors=True)
    if errors:
        raise PackageRefused("qipkg refuses manifest.xml:", errors)
    return unzip_files(target.read_bytes())


def _check_places(files: Mapping[str, bytes], sources: Sources) -> None:
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
        raise PackageRefused("qipkg packed other files than the project lists:", findings)


# Installing, starting and removing a package on a robot.

#: Calls a method of a robot's service, such as `ask("PackageManager", "packages")`; RuntimeError if the robot refuses.
Ask = Callable[..., Any]

UUID = re.compile(r"[_\-a-z0-9]{1,50}")
#: A behaviour must run this time after its start.
_START_TIMEOUT_S = 20.0
#: The time between two questions whether it runs.
_POLL_INTERVAL_S = 0.1


@dataclass(frozen=True)
class PackageFile:
    """A package to be sent: its file, the robot's name for it, its version, and the full names of its behaviours."""

    path: Path
    uuid: str
    version: str
    behaviours: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return a file name that needs no quoting."""
        return f"{self.uuid}-{self.version}.pkg"


def describe_package_file(path: Path, manifest: Mapping[str, Any]) -> PackageFile:
    """Describe a package by its manifest, read as PackageManager reads it."""
    uuid = manifest["uuid"]
    behaviours = tuple(f"{uuid}/{each['path']}" for each in manifest["behaviors"])
    return PackageFile(path, uuid, manifest["version"], behaviours)


def install(ask: Ask, sent: PackageFile, place: str) -> Iterator[str]:
    """Install the package at `place` on the robot, and yield a sentence for each step; raises `PackageRefused`."""
    yield from _stop(ask, sent.uuid)
    before = _ask_version(ask, sent.uuid)
    try:
        is_done = ask("PackageManager", "install", place)
    except RuntimeError as error:
        raise PackageRefused(f"The robot refuses the package: {describe_robot_error(error)}") from error
    if is_done is False or _ask_version(ask, sent.uuid) != sent.version:
        raise PackageRefused(
            "The robot took the package but did not install it, and gives no reason; check whether it has a "
            "newer version, or another NAOqi than the package needs."
        )
    yield f"Installed {sent.uuid} {sent.version}" + (f", which replaces {before}." if before else ".")


def start(ask: Ask, behaviour: str) -> str:
    """Start a behaviour and return the sentence to print; raises `PackageRefused` if it does not run."""
    try:
        ask("ALBehaviorManager", "startBehavior", behaviour)
        end = time.monotonic() + _START_TIMEOUT_S
        while not ask("ALBehaviorManager", "isBehaviorRunning", behaviour):
            if time.monotonic() > end:
                raise PackageRefused(
                    f"The robot accepted to start {behaviour}, but it does not run; see the robot's log."
                )
            time.sleep(_POLL_INTERVAL_S)
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not start {behaviour}: {describe_robot_error(error)}") from error
    return f"Started {behaviour}."


def remove(ask: Ask, uuid: str) -> Iterator[str]:
    """Remove a package, and yield a sentence for each step; raises `PackageRefused`."""
    if not UUID.fullmatch(uuid):
        raise PackageRefused(f"'{uuid[:60]}' is not the name of a package; use small letters, digits, - and _.")
    yield from _stop(ask, uuid)
    version = _ask_version(ask, uuid)
    if version is None:
        yield f"There is no {uuid} on the robot; nothing was removed."
        return
    try:
        ask("PackageManager", "removePkg", uuid)
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not remove {uuid}: {describe_robot_error(error)}") from error
    yield f"Removed {uuid} {version}."


def describe_robot_error(error: RuntimeError) -> str:
    r"""Return a robot's error message as one line, without the name of the method.

    >>> describe_robot_error(RuntimeError("\tPackageManager::install\n\tThe disk is full."))
    'The disk is full.'
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if not re.fullmatch(r"\w+::\w+", line)]
    return " ".join(told or lines or ["no reason given"])[:500]


def _stop(ask: Ask, uuid: str) -> Iterator[str]:
    """Stop the behaviours of a package before its files change."""
    try:
        running = [str(name) for name in ask("ALBehaviorManager", "getRunningBehaviors")]
        for name in running:
            if name == uuid or name.startswith(f"{uuid}/"):
                ask("ALBehaviorManager", "stopBehavior", name)
                yield f"Stopped {name}."
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not say what runs on it: {describe_robot_error(error)}") from error


def _ask_version(ask: Ask, uuid: str) -> str | None:
    """Return the installed version; None if the package is not installed."""
    for told in _list_packages(ask):
        # The first three fields of a row without names are the same in every NAOqi.
        fields = told if isinstance(told, list | tuple) else ()
        row = told if isinstance(told, dict) else dict(zip(("uuid", "path", "version"), fields, strict=False))
        if row.get("uuid") == uuid:
            return str(row.get("version") or "(of no version)")
    return None


def _list_packages(ask: Ask) -> list[Any]:
    try:
        return list(ask("PackageManager", "packages"))
    except RuntimeError:
        pass
    try:
        return list(ask("PackageManager", "getPackages"))
    except RuntimeError as error:
        raise PackageRefused(f"The robot does not say what is installed: {describe_robot_error(error)}") from error


# Copying a package onto a robot with the computer's ssh.

#: The longest time for a robot to answer.
_CONNECT_TIMEOUT_S = 10
#: The longest time for the whole copy; a person sometimes types a password.
_COPY_TIMEOUT_S = 300
_USER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}")
#: NAO's ssh is from 2013: newer clients connect to it only with these options.
_OLD_ROBOT = ["-o", "IgnoreUnknown=PubkeyAcceptedAlgorithms", "-o", "HostKeyAlgorithms=+ssh-rsa"]
_OLD_ROBOT += ["-o", "PubkeyAcceptedAlgorithms=+ssh-rsa", "-o", "KexAlgorithms=+diffie-hellman-group14-sha1"]
#: A part of ssh's message -> its meaning for the user.
_REASONS = {
    "Connection refused": "takes no ssh connections; switch its ssh on, or copy the package yourself",
    "timed out": "does not answer; is it on, and in the same network?",
    "No route to host": "cannot be reached; is it on, and in the same network?",
    "Network is unreachable": "cannot be reached; is this computer in the robot's network?",
    "Could not resolve hostname": "is unknown here; press the robot's chest button to hear its address",
    "Permission denied": "refuses this user with this password; give the right ones with --user and --password-file",
    "IDENTIFICATION HAS CHANGED": "has another ssh key than last time; if it is the same robot, run ssh-keygen -R and "
    "its address",
    "Host key verification failed": "has an ssh key that is not yet trusted; connect once with ssh and say yes",
    "No space left": "has no room left",
}


@dataclass(frozen=True)
class Shell:
    """A robot reached with ssh; with the password "" ssh uses keys or asks for it."""

    host: str
    user: str = "nao"
    password: str = field(default="", repr=False)
    port: int = 22

    def upload(self, path: Path, name: str) -> str:
        """Copy a file into the user's home folder and return its place on the robot; raises `PackageRefused`."""
        # The robot's sshd has no newer way to copy.
        with path.open("rb") as content:
            said = self._run(f"cat > {shlex.quote(name)} && pwd", content.fileno())
        return f"{said.strip()}/{name}"

    def discard(self, name: str) -> None:
        """Delete a copied file."""
        self._run(f"rm -f {shlex.quote(name)}", subprocess.DEVNULL)

    def _run(self, command: str, given: int) -> str:
        if not _USER.fullmatch(self.user):
            raise PackageRefused(f"'{self.user[:50]}' is not a user of a robot; most have 'nao'.")
        try:
            return self._run_command(command, given, ())
        except _OldRobot:
            if given >= 0:
                os.lseek(given, 0, os.SEEK_SET)
            return self._run_command(command, given, _OLD_ROBOT)

    def _run_command(self, command: str, given: int, options: Sequence[str]) -> str:
        with tempfile.TemporaryDirectory(prefix="jotto-") as scratch:
            environ = _make_environment(self.password, Path(scratch))
            # ssh asks for a password only if we have no password and a person is at the keyboard.
            batch = "no" if self.password or sys.stdin.isatty() else "yes"
            ssh = ["ssh", "-p", str(self.port), "-l", self.user, "-o", f"ConnectTimeout={_CONNECT_TIMEOUT_S}"]
            ssh += ["-o", "StrictHostKeyChecking=accept-new", "-o", f"BatchMode={batch}"]
            ssh += ["-o", "NumberOfPasswordPrompts=1", *options, "--", self.host, command]
            try:
                ended = subprocess.run(
                    ssh, stdin=given, capture_output=True, timeout=_COPY_TIMEOUT_S, env=environ, check=False
                )
            except FileNotFoundError as error:
                raise PackageRefused("There is no ssh on this computer; install OpenSSH's client.") from error
            except subprocess.TimeoutExpired as error:
                raise PackageRefused(
                    f"The robot at {self.host} did not take the package within {_COPY_TIMEOUT_S} s."
                ) from error
        if ended.returncode:
            raise _refusal(self.host, ended.stderr.decode("utf-8", "replace"))
        return ended.stdout.decode("utf-8", "replace")


class _OldRobot(Exception):
    """The robot's ssh needs `_OLD_ROBOT`."""


def _make_environment(password: str, scratch: Path) -> dict[str, str]:
    """Return an environment in which ssh reads the password from a file that only this user can read.

    So the password is in no command line and in no environment.
    """
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
