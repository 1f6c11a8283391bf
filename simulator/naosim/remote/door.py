"""The door of a live server: a Unix socket through which further programs use the same robot, each for itself."""

from __future__ import absolute_import, division, print_function

import io
import os
import socket

from naosim.compat import start_new_thread
from naosim.errors import WireError
from naosim.remote.json_lines import read_requests
from naosim.remote.line_writer import LineWriter
from naosim.remote.live_requests import LiveRequests, number_of

MYPY = False
if MYPY:
    from typing import Any

    from naosim.remote.spoken import SpokenTexts
    from naosim.robot.robot import Robot

#: Programs that wait to be let in.
MOST_WAITING = 8


class Door(object):
    """Listens at a path; what a program leaves behind on the robot is taken away when its connection ends."""

    def __init__(self, path):  # type: (str) -> None
        self._path = path
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(MOST_WAITING)

    def open(self, robot, spoken):  # type: (Robot, SpokenTexts) -> None
        """Let programs in, from now on."""
        start_new_thread(self._admit, (robot, spoken))

    def close(self):  # type: () -> None
        """Let nothing more in; the connections end with the process."""
        self._listener.close()
        os.unlink(self._path)

    def _admit(self, robot, spoken):  # type: (Robot, SpokenTexts) -> None
        while True:
            try:
                connection, _ = self._listener.accept()
            except (IOError, OSError):
                return
            start_new_thread(_serve, (connection, robot, spoken))


def _serve(connection, robot, spoken):  # type: (socket.socket, Robot, SpokenTexts) -> None
    """Answer one program until it goes."""
    clock, writer = robot.clock, LineWriter(connection.fileno())
    requests = LiveRequests(robot, writer.push, spoken)

    def refuse(error):  # type: (WireError) -> None
        writer.push({"id": None, "error": str(error)})

    def take(request):  # type: (dict[str, Any]) -> None
        try:
            number_of(request)
        except WireError as error:
            refuse(error)
        else:
            clock.outside(requests.take, request)

    # Much faster than the file that a socket makes.
    lines = io.BufferedReader(io.FileIO(os.dup(connection.fileno()), "rb"))
    try:
        read_requests(lines, take, refuse)
    except (IOError, OSError):
        pass  # It went without a farewell.
    clock.outside(requests.end)
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except (IOError, OSError):
        pass  # There is nobody any more.
    writer.close()
    lines.close()
    connection.close()
