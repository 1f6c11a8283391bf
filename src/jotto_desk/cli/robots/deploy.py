"""`jotto robot deploy` and `jotto robot remove`: install a package on a robot, and remove it."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jotto_desk import files

from ...errors import DeskError
from ...robot_kit.errors import PackageRefused
from ...robot_kit.packaging import deploy as steps
from ...robot_kit.packaging.upload import Shell, is_here
from ...robot_kit.project.manifest import uuid as package_uuid
from .. import robot_connection
from . import package, project

if TYPE_CHECKING:
    from naosim_live.far.connection import Connection

#: Seconds for a robot to answer: installing takes a while on a NAO.
PATIENCE = 180.0
#: The largest package that is sent, in bytes.
LARGEST = 64 * 1024 * 1024

User = Annotated[
    str, typer.Option("--user", envvar=robot_connection.USER, help="The user on the robot, for ssh and NAOqi.")
]


def deploy(
    robot: robot_connection.Url = "",
    package_file: Annotated[Path | None, typer.Argument(metavar="FILE.pkg", help="Package; else built now.")] = None,
    start: Annotated[bool, typer.Option("--start", help="Start the game after installing it.")] = False,
    user: User = "nao",
    password_file: robot_connection.PasswordFile = None,
    root: project.Root = None,
) -> None:
    """Install the game on a robot: build the package, upload it, install it, and start it with --start."""
    far = _far(robot, user, password_file)
    given = None if package_file is None else _package_file(package_file)
    with tempfile.TemporaryDirectory(prefix="jotto-") as scratch, _reached(far) as connection:
        sent = given or _package_file(_made(Path(scratch), root))
        host = connection.address.host
        shell = None if is_here(host) else Shell(host, far.user, far.password)
        for sentence in _deployed(_asking(connection), sent, shell):
            print(sentence, flush=True)
        if not sent.behaviours:
            return
        if start:
            print(steps.start(_asking(connection), sent.behaviours[0]))
        else:
            print("To start it, say one of its sentences to the robot, or give --start.")


def remove(
    robot: robot_connection.Url = "",
    uuid: Annotated[str, typer.Argument(metavar="UUID", help="The package on the robot; default: the game.")] = "",
    user: User = "nao",
    password_file: robot_connection.PasswordFile = None,
) -> None:
    """Remove the game, or another package, from a robot."""
    manifest = files.shipped_path("choregraphe_project") / "manifest.xml"
    name = uuid or package_uuid(manifest.read_text(encoding="utf-8"))
    with _reached(_far(robot, user, password_file)) as connection:
        for sentence in steps.remove(_asking(connection), name):
            print(sentence, flush=True)


def _package_file(path: Path) -> steps.PackageFile:
    """Look into a package; raises `DeskError` for what is none."""
    # The simulated robot is imported late, so that the other commands start at once.
    from naosim import formats, packages
    from naosim.errors import NotABehaviour

    files.read_bounded(path, LARGEST, "package")
    try:
        manifest = formats.read_archived_file(str(path), packages.MANIFEST_NAME, packages.MAX_MANIFEST_BYTES)
        return steps.package_file(path, packages.read_manifest(manifest))
    except NotABehaviour as error:
        raise PackageRefused(
            f"'{path}' is no package of a robot; make one with 'jotto robot package' ({error})."
        ) from error


def _far(robot: str, user: str, password_file: Path | None) -> robot_connection.RobotAddress:
    far = robot_connection.robot_address(robot, user, password_file)
    if far is None:
        raise DeskError("Name the robot with --robot URL, such as --robot nao.local.")
    return far


def _made(folder: Path, root: Path | None) -> Path:
    with project.opened(root) as sources:
        made = package.make(sources.folder)
    print(f"Made {made.name}, {len(made.content):,} bytes.", flush=True)
    return files.write_whole(folder / made.name, made.content)


def _deployed(ask: steps.Ask, sent: steps.PackageFile, shell: Shell | None) -> Iterator[str]:
    if shell is None:
        yield from steps.install(ask, sent, str(sent.path.resolve()))
        return
    place = shell.upload(sent.path, sent.name)
    try:
        yield f"Copied it to {shell.user}@{shell.host}."
        yield from steps.install(ask, sent, place)
    finally:
        with contextlib.suppress(DeskError):
            shell.discard(sent.name)


@contextlib.contextmanager
def _reached(far: robot_connection.RobotAddress) -> "Iterator[Connection]":
    """Connect to the robot, without a login where it asks for none; raises `DeskError` with the reason why not."""
    with robot_connection.refusing():
        # libqi is imported late, so that the other commands start at once.
        from naosim_live.far.connecting import LoginRefused, NotReached
        from naosim_live.far.connection import Connection

        try:
            connection = Connection(far.url, patience=0.0)
        except NotReached as error:
            if not far.password:
                raise
            try:
                connection = Connection(far.url, far.user, far.password, patience=0.0)
            except LoginRefused:
                raise
            except NotReached:
                raise error from None
    try:
        yield connection
    finally:
        connection.close()


def _asking(connection: "Connection") -> steps.Ask:
    def ask(service: str, method: str, *args: Any) -> Any:
        try:
            return connection.call(service, method, args, urgent=True).result(PATIENCE)
        except TimeoutError:
            raise RuntimeError(f"no answer within {PATIENCE:g} seconds") from None

    return ask
