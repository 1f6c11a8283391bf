"""`jotto robot doctor`: what a robot has and lacks for our behaviour, one line each, with the remedy."""

import json
import sys

import typer

from jotto_desk.errors import DeskError

from .. import robot_connection
from ..shell.commands import examples
from ..shell.shared import Json
from .examination import FATAL, LACKS, OK, Examination, Finding

EXAMPLES = examples("jotto robot doctor --robot nao.local", "jotto robot doctor --robot tcp://127.0.0.1:9559 --json")


def doctor(
    url: robot_connection.Url = "",
    user: robot_connection.User = "",
    password_file: robot_connection.PasswordFile = None,
    events: robot_connection.Events = "auto",
    as_json: Json = False,
) -> None:
    """Check a robot for everything that the game needs; exit with 1 if it cannot play at all."""
    far = robot_connection.robot_address(url, user, password_file, events)
    if far is None:
        raise DeskError("Say which robot: --robot URL, such as --robot nao.local.")
    with robot_connection.refusing():
        # libqi is imported late, so that the other commands start at once.
        from naosim_live.far.connection import Connection

        connection = Connection(far.url, far.user, far.password, patience=1.0)
        try:
            address = connection.address.url
            findings = _shown(Examination(connection, far.url, far.events), as_json)
            lost = connection.lost
        finally:
            connection.close()
    if lost:
        raise DeskError(lost)
    can_play = not any(finding.state == FATAL for finding in findings)
    if as_json:
        typer.echo(
            json.dumps(
                {"robot": address, "can_play": can_play, "findings": [finding._asdict() for finding in findings]}
            )
        )
    else:
        typer.echo(_verdict(findings, can_play))
    if not can_play:
        raise typer.Exit(1)


def _shown(examination: Examination, as_json: bool) -> list[Finding]:
    """Collect the findings, and show each as soon as it is known."""
    findings = []
    try:
        for finding in examination.findings():
            findings.append(finding)
            if not as_json:
                typer.echo(_line(finding))
                sys.stdout.flush()
    except RuntimeError as error:
        raise DeskError(f"The robot went away while it was looked over ({str(error).strip()}).") from error
    return findings


def _line(finding: Finding) -> str:
    remedy = f"  -> {finding.remedy}" if finding.remedy else ""
    return f"{finding.state:<12} {finding.name}: {finding.found}{remedy}"


def _verdict(findings: list[Finding], can_play: bool) -> str:
    good = sum(finding.state == OK for finding in findings)
    lacking = sum(finding.state == LACKS for finding in findings)
    if not can_play:
        return "NAO cannot play on this robot until that is mended."
    return f"NAO can play on this robot: {good} things are as they should be" + (
        f", {lacking} could be better." if lacking else "."
    )
