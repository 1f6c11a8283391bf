"""`jotto robot`: build the Choregraphe project from robot_boxes/, compare, bring edits back, stage, draw, package."""

from pathlib import Path
from typing import Annotated

import typer

from ... import files, robot_kit
from ...errors import DeskError
from ..shell.commands import CommandLine
from ..shell.commands import examples as lines
from . import deploy, doctor, examples, package, project, serve

app = CommandLine(
    no_args_is_help=True,
    epilog=lines(
        "jotto robot doctor --robot nao.local",
        "jotto robot deploy --robot nao.local --start",
        "jotto robot serve",
        "jotto robot build",
    ),
    help="Install the game on a NAO, check a robot, or run a simulated one; build, check and edit the Choregraphe "
    "project.",
)

LARGEST_XAR = 16 * 1024 * 1024
_INSTALLED = "This is the installed project; 'jotto robot stage --to DIR' makes a copy to open in Choregraphe."

app.command(epilog=lines("jotto robot package", "jotto robot package --out ~/packages"))(package.package)
app.command(epilog=lines("jotto robot deploy --robot nao.local --start"))(deploy.deploy)
app.command(epilog=lines("jotto robot remove --robot nao.local"))(deploy.remove)
app.command(epilog=serve.EXAMPLES)(serve.serve)
app.command(epilog=doctor.EXAMPLES)(doctor.doctor)
app.command(epilog=lines("jotto robot examples", "jotto robot examples --to ~/nao"))(examples.examples)


@app.command(epilog=lines("jotto robot build"))
def build(root: project.Root = None) -> None:
    """Write behavior.xar, the .pml, the topic and the picture from robot_boxes/; the output is reproducible."""
    with project.opened(root) as at:
        sources = robot_kit.read_sources(at.folder, project.python27())
        written = robot_kit.build(at.folder, robot_kit.generated(sources))
        if written and at.is_installed:
            raise DeskError(f"The installed {written[0]} is not what robot_boxes says; install nao-jotto again.")
        for place in written:
            print(f"Wrote {place}.")
        if not written:
            print("Everything is built already; nothing was written.")
        if at.is_installed:
            print(_INSTALLED)
        if robot_kit.refresh(at.folder):
            print(f"Refreshed {robot_kit.LIBRARY}.")


@app.command(epilog=lines("jotto robot check"))
def check(root: project.Root = None) -> None:
    """Compare the Choregraphe project with robot_boxes/ byte for byte and lint it; exit with 1 if anything is wrong."""
    with project.opened(root) as at:
        found = _findings(at.folder)
    for finding in found:
        print(finding)
    if found:
        raise typer.Exit(1)
    print("The Choregraphe project is what robot_boxes says, and in order.")


def _findings(folder: Path) -> list[str]:
    sources = robot_kit.read_sources(folder, project.python27())
    texts = robot_kit.generated(sources)
    found = robot_kit.differences(folder, texts)
    if found:
        found.append("Run 'jotto robot build', after 'jotto robot pull' where the project was edited in Choregraphe.")
    found += [f"{place} does not belong there; move it out." for place in robot_kit.strangers(folder, texts)]
    if robot_kit.is_stale(folder):
        found.append(f"{robot_kit.LIBRARY} is not what the sources say; run 'jotto robot stage'.")
    return found + project.lint(folder / robot_kit.PROJECT / sources.flow.behaviour / "behavior.xar")


@app.command(epilog=lines("jotto robot pull --dry-run", "jotto robot pull --xar ~/edited/behavior.xar"))
def pull(
    xar: Annotated[
        Path | None, typer.Option("--xar", metavar="FILE", help="Read this file instead of the project's behavior.xar.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    root: project.Root = None,
) -> None:
    """Copy positions, settings, boxes, links and scripts edited in Choregraphe back to robot_boxes/."""
    with project.opened(root) as at:
        sources = robot_kit.read_sources(at.folder)
        path = xar or at.folder / robot_kit.PROJECT / sources.flow.behaviour / "behavior.xar"
        changes = robot_kit.pulled(sources, _drawing(path))
        for line in robot_kit.pull_report(sources, changes):
            print(line)
        if not changes:
            print(f"Nothing differs between {xar or 'the project'} and robot_boxes.")
        elif at.is_installed and not dry_run:
            raise DeskError(
                "There is no checkout whose robot_boxes could take this; name one with --root DIR, or only "
                "look with --dry-run."
            )
        elif not dry_run:
            robot_kit.write_changes(at.folder, changes)
            print(f"Wrote {', '.join(changes)}; now run 'jotto robot build'.")


@app.command(epilog=lines("jotto robot stage", "jotto robot stage --to ~/jotto_for_the_robot"))
def stage(
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            metavar="DIR",
            help=f"Copy the whole project there, lib included. Default without a checkout: {robot_kit.PROJECT} here.",
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove lib again, as in the committed project.")] = False,
    root: project.Root = None,
) -> None:
    """Put the engine, the conversation and the word lists into the project's lib, as a robot needs them."""
    with project.opened(root) as at:
        if remove:
            _unstage(at, to)
            return
        target = to or (Path(robot_kit.PROJECT) if at.is_installed else None)
        staged = robot_kit.stage(at.folder) if target is None else robot_kit.stage_to(at.folder, target)
    for word, found in (("added", staged.added), ("changed", staged.changed), ("removed", staged.removed)):
        for place in found:
            print(f"{word} {place}")
    for name in staged.listed:
        print(f"listed lib in {name}")
    where = target or robot_kit.LIBRARY
    print(f"{where} is ready." if staged else f"{where} was ready; nothing was written.")


@app.command(epilog=lines("jotto robot picture", "jotto robot picture --out flow.svg"))
def picture(
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Default: docs/diagram.svg, or diagram.svg here without a checkout."
        ),
    ] = None,
    root: project.Root = None,
) -> None:
    """Draw the diagram of the behaviour as SVG."""
    with project.opened(root) as at:
        text = robot_kit.diagram_text(robot_kit.read_sources(at.folder).flow)
        diagram = Path(robot_kit.DIAGRAM)
        target = out or (Path(diagram.name) if at.is_installed else at.folder / diagram)
    files.write_whole(target, text)
    print(f"Wrote {target}.")


def _unstage(at: project.SourceFolder, to: Path | None) -> None:
    if to is not None or at.is_installed:
        raise DeskError("--remove takes lib out of a checkout's own project, and not out of a copy of it; delete that.")
    was_there = robot_kit.unstage(at.folder)
    print(f"Removed {robot_kit.LIBRARY}." if was_there else f"There is no {robot_kit.LIBRARY}; nothing was removed.")


def _drawing(path: Path) -> robot_kit.SavedDiagram:
    from naosim import errors, formats, xar

    content = files.read_bounded(path, LARGEST_XAR, "behaviour")
    try:
        xar.parse(content, str(path))
        return robot_kit.read_saved_diagram(formats.read_xml(content, str(path)))
    except errors.NaosimError as error:
        raise DeskError(str(error)) from error
