"""Copying a package onto a robot with the computer's own ssh. Knows nothing of what is in it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...addresses import is_loopback
from ..errors import PackageRefused

#: Seconds for a robot to answer, and for the whole package to be there; a person may have to type a password.
CONNECT, WHOLE = 10, 300
USER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}")
#: NAO's ssh is of 2013: newer clients speak to it only when they are told so.
OLD_ROBOT = (
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
REASONS = {
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
        if not USER.fullmatch(self.user):
            raise PackageRefused(f"'{self.user[:50]}' is no user of a robot; most have 'nao'.")
        try:
            return self._ran(command, given, ())
        except _OldRobot:
            if given >= 0:
                os.lseek(given, 0, os.SEEK_SET)
            return self._ran(command, given, OLD_ROBOT)

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
                f"ConnectTimeout={CONNECT}",
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
                    timeout=WHOLE,
                    env=environ,
                    check=False,
                )
            except FileNotFoundError as error:
                raise PackageRefused("There is no ssh on this computer; install OpenSSH's client.") from error
            except subprocess.TimeoutExpired as error:
                raise PackageRefused(f"The robot at {self.host} did not take the package within {WHOLE} s.") from error
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
    for words, meaning in REASONS.items():
        if words.lower() in said.lower():
            return PackageRefused(f"The robot at {host} {meaning}.")
    lines = said.strip().splitlines() or ["no reason given"]
    return PackageRefused(f"The robot at {host} did not take the package: {lines[-1][:200]}")
