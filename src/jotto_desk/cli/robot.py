"""`jotto robot`: the Choregraphe project, its package, and its installation on a robot."""

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jotto_desk import files
from jotto_desk.cli import options, robot_doctor, robot_migrate, robot_record, robot_serve, shell
from jotto_desk.cli.shell import CommandLine, Json, option
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.robot_kit import packaging, project, sources as kit
from jotto_desk.robot_kit.diagram import draw_diagram
from jotto_desk.robot_kit.flow import PackageRefused
from jotto_desk.robot_kit.pull import SavedDiagram, find_changes, parse_saved_diagram, pull_report, write_changes

if TYPE_CHECKING:
    from naosim_robots.far.connection import Connection

app = CommandLine(
    no_args_is_help=True,
    epilog=shell.examples(
        "jotto robot doctor --robot nao.local",
        "jotto robot deploy --robot nao.local --start",
        "jotto robot serve",
        "jotto robot build",
    ),
    help="Install the game on a NAO, check a robot, or run a simulated one; build, check and edit the Choregraphe "
    "project.",
)

# The project's sources, the robot's Python, and the lint of behaviours.

_Root = Annotated[
    Path | None, option("The checkout; default: the one in use, or else the installed files.", "--root", metavar="DIR")
]


@dataclass(frozen=True)
class _SourceFolder:
    """The folder of the sources: a checkout, or a temporary copy of the installed files."""

    folder: Path
    is_installed: bool = False


@contextlib.contextmanager
def _open_sources(root: Path | None) -> Iterator[_SourceFolder]:
    """Provide the named checkout, or the one in use, or else a temporary copy of the installed files.

    Raises `DeskError` for a folder that was named and has no robot_boxes.
    """
    found = root or files.find_checkout()
    if found is not None:
        if not (found / "robot_boxes").is_dir():
            raise DeskError(f"'{found}' has no folder robot_boxes; name the project's checkout with --root DIR.")
        yield _SourceFolder(found)
        return
    with tempfile.TemporaryDirectory(prefix="jotto-") as scratch:
        try:
            _lay_out(Path(scratch))
        except OSError as error:
            raise DeskError(
                f"The installed sources cannot be copied ({error.strerror or error}); make room for temporary files."
            ) from error
        yield _SourceFolder(Path(scratch), is_installed=True)


def _lay_out(folder: Path) -> None:
    """Copy the installed files to the places that they have in a checkout."""
    import jotto
    import jotto_behaviour

    sources = {name: files.find_shipped_path(name) for name in ("robot_boxes", kit.PROJECT, "wordlists", "docs")}
    modules = {"src/jotto": jotto, "behaviour/jotto_behaviour": jotto_behaviour}
    sources |= {place: Path(str(module.__file__)).parent for place, module in modules.items()}
    for place, source in sources.items():
        shutil.copytree(source, folder / place, ignore=shutil.ignore_patterns("__pycache__"))


def find_python27_command() -> list[str] | None:
    """Return the command of a Python 2.7 on this computer, None if none exists."""
    from naosim_robots.child import find_python27

    path = find_python27(os.environ)
    return [path] if path else None


def _lint_behaviour(path: Path) -> list[str]:
    """Return sentences about the parts of a behavior.xar that would fail on a robot."""
    # The simulator is imported late, so that the other commands start fast.
    from naosim import errors, lint, xar

    if not path.is_file():
        return []
    try:
        findings = lint.judge(xar.parse(str(path)))
    except errors.NaosimError as error:
        return [str(error)]
    return [f"{path.name}: {one.box}: {one.sentence}" for one in findings if one.severity != lint.REMARK]


# `jotto robot package`.


@app.declare("jotto robot package", "jotto robot package --out ~/packages")
def package(
    out: Annotated[
        Path | None, option("Folder; default: dist in the checkout, or else this folder.", metavar="DIR")
    ] = None,
    as_json: Json = False,
    root: _Root = None,
) -> None:
    """Check the project and build the package that a robot installs; the output is reproducible."""
    with _open_sources(root) as sources:
        folder = out or (Path() if sources.is_installed else sources.folder / packaging.FOLDER)
        if folder.exists() and not folder.is_dir():
            raise DeskError(f"'{folder}' is not a folder; name the folder the package goes into.")
        files.require_writable(folder / "jotto.pkg")
        made = make_package(sources.folder)
    target = files.write_whole(folder / made.name, made.content)
    print(json.dumps(_record(made, target)) if as_json else _describe_package(made, target))


def make_package(checkout: Path) -> packaging.Package:
    """Make the package of a checkout; raises `DeskError` with everything that is wrong with it."""
    python27 = find_python27_command()
    sources = kit.read_sources(checkout, python27)
    return packaging.make_package(checkout, sources, python27, _lint_behaviour)


def _record(made: packaging.Package, target: Path) -> dict[str, object]:
    record: dict[str, object] = {"path": str(target), "uuid": made.uuid, "version": made.version}
    record |= {"bytes": len(made.content), "sha256": hashlib.sha256(made.content).hexdigest()}
    return record | {"checked_by_python": made.python, "files": dict(made.files), "unused": list(made.unused)}


def _describe_package(made: packaging.Package, target: Path) -> str:
    lines = [f"Made {target}: {made.uuid} {made.version}, {len(made.content):,} bytes, {len(made.files)} files."]
    sizes: Counter[str] = Counter()
    for place, count in made.files.items():
        sizes[_name_group(place)] += count
    lines += [f"  {count:>9,} bytes  {group}" for group, count in sorted(sizes.items())]
    lines += [f"It has no files for lib/{place}." for place in made.unused]
    by = f"Python {made.python}" + ("" if made.python.startswith("2.7") else ", as Python 2.7 is missing")
    lines.append(f"Checked: scripts and imports ({by}), ports and links, files, and qipkg's rules for manifest.xml.")
    return "\n".join(lines)


def _name_group(place: str) -> str:
    parts = PurePosixPath(place).parts
    return "/".join(parts[:2]) if parts[0] == "lib" else parts[0]


# `jotto robot deploy` and `jotto robot remove`.

#: Longest wait for a robot's answer, in seconds: a NAO installs slowly.
_PATIENCE = 180.0

User = Annotated[str, option("The user on the robot, for ssh and NAOqi.", "--user", envvar=options.USER)]


@app.declare("jotto robot deploy --robot nao.local --start")
def deploy(
    robot: options.Url = "",
    package_file: Annotated[Path | None, typer.Argument(metavar="FILE.pkg", help="Package; else built now.")] = None,
    start: Annotated[bool, option("Start the game after installing it.", "--start")] = False,
    word_list: options.PlayedList = "",
    user: User = "nao",
    password_file: options.PasswordFile = None,
    root: _Root = None,
) -> None:
    """Install the game on a robot: build the package, upload it, install it, and start it with --start.

    With --words, the package has a copy of that list, and NAO plays with it.
    """
    from naosim_robots.addresses import is_loopback

    far = options.require_robot(robot, user, password_file)
    if word_list and package_file is not None:
        raise DeskError("--words is for a package that is built now: leave it or FILE.pkg out.")
    given = None if package_file is None else _describe_package_file(package_file)
    words = _read_chosen_list(word_list) if word_list else {}
    with tempfile.TemporaryDirectory(prefix="jotto-") as scratch, options.open_connection(far) as connection:
        sent = given or _describe_package_file(_make_package_file(Path(scratch), root, words))
        at = connection.address
        shell = None if is_loopback(at.host) else packaging.Shell(at.host, far.user, far.password)
        for sentence in _deploy_package(_asking(connection), sent, shell):
            print(sentence, flush=True)
        if not sent.behaviours:
            return
        if start:
            print(packaging.start(_asking(connection), sent.behaviours[0]))
        else:
            print("To start it, say one of its sentences to the robot, or give --start.")


@app.declare("jotto robot remove --robot nao.local")
def remove(
    robot: options.Url = "",
    uuid: Annotated[str, typer.Argument(metavar="UUID", help="The package on the robot; default: the game.")] = "",
    user: User = "nao",
    password_file: options.PasswordFile = None,
) -> None:
    """Remove the game, or another package, from a robot."""
    manifest = files.find_shipped_path("choregraphe_project") / "manifest.xml"
    name = uuid or kit.find_uuid(manifest.read_text(encoding="utf-8"))
    with options.open_connection(options.require_robot(robot, user, password_file)) as connection:
        for sentence in packaging.remove(_asking(connection), name):
            print(sentence, flush=True)


def _describe_package_file(path: Path) -> packaging.PackageFile:
    """Read the manifest of a package; raises `DeskError` if the file is not a package."""
    # The simulated robot is imported late, so that the other commands start fast.
    from naosim import formats, packages
    from naosim.errors import NotABehaviour

    files.read_bounded(path, robot_serve.MAX_PACKAGE_BYTES, "package")
    try:
        manifest = formats.read_archived_file(str(path), packages.MANIFEST_NAME, packages.MAX_MANIFEST_BYTES)
        return packaging.describe_package_file(path, packages.read_manifest(manifest))
    except NotABehaviour as error:
        raise PackageRefused(
            f"'{path}' is not a package of a robot; make one with 'jotto robot package' ({error})."
        ) from error


def _read_chosen_list(source: str) -> dict[str, bytes]:
    """Read a list and the trees next to it, by the ends of their names in a package; {} for the robot's own list."""
    with options.load_playable_list(source) as (wordlist, path):
        if not path:
            return {}
        print(f"NAO plays with {len(wordlist.words):,} words of '{wordlist.name}'.", flush=True)
        stem = path.removesuffix(".tsv")
        return {str(each).removeprefix(stem): each.read_bytes() for each in sorted(Path(path).parent.iterdir())}


def _make_package_file(folder: Path, root: Path | None, words: Mapping[str, bytes]) -> Path:
    with _open_sources(root) as sources:
        made = make_package(sources.folder)
    made = packaging.add_word_list(made, words) if words else made
    print(f"Made {made.name}, {len(made.content):,} bytes.", flush=True)
    return files.write_whole(folder / made.name, made.content)


def _deploy_package(ask: packaging.Ask, sent: packaging.PackageFile, shell: packaging.Shell | None) -> Iterator[str]:
    if shell is None:
        yield from packaging.install(ask, sent, str(sent.path.resolve()))
        return
    place = shell.upload(sent.path, sent.name)
    try:
        yield f"Copied it to {shell.user}@{shell.host}."
        yield from packaging.install(ask, sent, place)
    finally:
        with contextlib.suppress(DeskError):
            shell.discard(sent.name)


def _asking(connection: "Connection") -> packaging.Ask:
    def ask(service: str, method: str, *args: Any) -> Any:
        try:
            return connection.call(service, method, args, urgent=True).result(_PATIENCE)
        except TimeoutError:
            raise RuntimeError(f"no answer within {_PATIENCE:g} seconds") from None

    return ask


app.declare(*robot_serve.EXAMPLES)(robot_serve.serve)
app.declare(*robot_doctor.EXAMPLES)(robot_doctor.doctor)
app.declare(*robot_record.EXAMPLES)(robot_record.record)

# `jotto robot examples`.

GREETING = tuple(
    f"greeting/{name}" for name in ("behavior_1/behavior.xar", "greeting.pml", "manifest.xml", "test_greeting.py")
)
NAMES = (*GREETING, "naoqi_client.py", "qi_client.py")
_MAX_EXAMPLE_BYTES = 100_000


@app.declare("jotto robot examples ~/nao", "jotto robot examples my-nao")
def examples(to: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to copy to.")]) -> None:
    """Copy two programs that talk to a robot, and a small behaviour with its test, into a folder."""
    contents = {
        name: files.read_bounded(files.find_shipped_path("docs") / name, _MAX_EXAMPLE_BYTES, "example")
        for name in NAMES
    }
    for name, content in contents.items():
        path = to / name
        if path.exists() and not (path.is_file() and path.read_bytes() == content):
            raise DeskError(f"'{to / name}' exists already and differs; name another folder.")
    for name, content in contents.items():
        files.write_whole(to / name, content)
        print(f"Wrote {to / name}.")


app.declare(*robot_migrate.EXAMPLES)(robot_migrate.migrate)

# The commands for the Choregraphe project.

_INSTALLED = "This is the installed project; 'jotto robot stage --to DIR' makes a copy to open in Choregraphe."


@app.declare("jotto robot build")
def build(root: _Root = None) -> None:
    """Write behavior.xar, the .pml, the topic and the picture from robot_boxes/; the output is reproducible."""
    with _open_sources(root) as at:
        sources = kit.read_sources(at.folder, find_python27_command())
        written = project.build(at.folder, project.generate_files(sources))
        if written and at.is_installed:
            raise DeskError(f"The installed {written[0]} does not match robot_boxes; install nao-jotto again.")
        for place in written:
            print(f"Wrote {place}.")
        if not written:
            print("Everything is built already; nothing was written.")
        if at.is_installed:
            print(_INSTALLED)
        if project.refresh(at.folder):
            print(f"Refreshed {kit.LIBRARY}.")


@app.declare("jotto robot check")
def check(root: _Root = None) -> None:
    """Compare the Choregraphe project with robot_boxes/ byte for byte and lint it; exit with 1 if anything is wrong."""
    with _open_sources(root) as at:
        found = _find_faults(at.folder)
    for finding in found:
        print(finding)
    if found:
        raise typer.Exit(1)
    print("The Choregraphe project is what robot_boxes says, and in order.")


def _find_faults(folder: Path) -> list[str]:
    sources = kit.read_sources(folder, find_python27_command())
    texts = project.generate_files(sources)
    found = project.describe_differences(folder, texts)
    if found:
        found.append("Run 'jotto robot build', after 'jotto robot pull' where the project was edited in Choregraphe.")
    found += [f"{place} does not belong there; move it out." for place in project.list_unknown_files(folder, texts)]
    if project.is_stale(folder):
        found.append(f"{kit.LIBRARY} is not what the sources say; run 'jotto robot stage'.")
    return found + _lint_behaviour(folder / kit.PROJECT / sources.flow.behaviour / "behavior.xar")


@app.declare("jotto robot pull --dry-run", "jotto robot pull --xar ~/edited/behavior.xar")
def pull(
    xar: Annotated[Path | None, option("Read this file instead of the project's behavior.xar.", metavar="FILE")] = None,
    dry_run: Annotated[bool, option("Only say what would change.", "--dry-run")] = False,
    root: _Root = None,
) -> None:
    """Copy positions, settings, boxes, links and scripts edited in Choregraphe back to robot_boxes/."""
    with _open_sources(root) as at:
        sources = kit.read_sources(at.folder)
        path = xar or at.folder / kit.PROJECT / sources.flow.behaviour / "behavior.xar"
        changes = find_changes(sources, _load_drawing(path))
        for line in pull_report(sources, changes):
            print(line)
        if not changes:
            print(f"Nothing differs between {xar or 'the project'} and robot_boxes.")
        elif at.is_installed and not dry_run:
            raise DeskError(
                "There is no checkout to write this into; name one with --root DIR, or only look with --dry-run."
            )
        elif not dry_run:
            write_changes(at.folder, changes)
            print(f"Wrote {', '.join(changes)}; now run 'jotto robot build'.")


@app.declare("jotto robot stage", "jotto robot stage --to ~/jotto_for_the_robot")
def stage(
    to: Annotated[
        Path | None,
        option(
            f"Copy the whole project there, lib included. Default without a checkout: {kit.PROJECT} here.",
            metavar="DIR",
        ),
    ] = None,
    remove: Annotated[bool, option("Remove lib again, as in the committed project.", "--remove")] = False,
    root: _Root = None,
) -> None:
    """Put the engine, the conversation and the word lists into the project's lib, as a robot needs them."""
    with _open_sources(root) as at:
        if remove:
            _unstage(at, to)
            return
        target = to or (Path(kit.PROJECT) if at.is_installed else None)
        staged = project.stage(at.folder) if target is None else project.stage_to(at.folder, target)
    for word, found in (("added", staged.added), ("changed", staged.changed), ("removed", staged.removed)):
        for place in found:
            print(f"{word} {place}")
    for name in staged.listed:
        print(f"listed lib in {name}")
    where = target or kit.LIBRARY
    print(f"{where} is ready." if staged else f"{where} was ready; nothing was written.")


@app.declare("jotto robot picture", "jotto robot picture --out flow.svg")
def picture(
    out: Annotated[
        Path | None, option("Default: docs/diagram.svg, or diagram.svg here without a checkout.", metavar="FILE")
    ] = None,
    root: _Root = None,
) -> None:
    """Draw the diagram of the behaviour as SVG."""
    with _open_sources(root) as at:
        text = draw_diagram(kit.read_sources(at.folder).flow)
        diagram = Path(project.DIAGRAM)
        target = out or (Path(diagram.name) if at.is_installed else at.folder / diagram)
    files.write_whole(target, text)
    print(f"Wrote {target}.")


def _unstage(at: _SourceFolder, to: Path | None) -> None:
    if to is not None or at.is_installed:
        raise DeskError("--remove works only on a checkout's own project; delete a copy of it instead.")
    was_there = project.unstage(at.folder)
    print(f"Removed {kit.LIBRARY}." if was_there else f"There is no {kit.LIBRARY}; nothing was removed.")


def _load_drawing(path: Path) -> SavedDiagram:
    from naosim import errors, formats, xar

    content = files.read_bounded(path, robot_migrate.LARGEST_XAR, "behaviour")
    with as_desk_errors(errors.NaosimError):
        xar.parse(content, str(path))
        return parse_saved_diagram(formats.read_xml(content, str(path)))
