"""Far robots in other processes, simulated and like real ones, and servers that are not robots."""

import contextlib
import os
import socket
import struct
import subprocess
import sys
import threading

from interpreters import source_path

#: libqi's greeting, answered by a server that refuses the login: magic, id, length, version, type (error) and so on.
HEADER, MAGIC, REFUSED = "<IIIHBBIII", 0x42ADDE42, 3

SERVE = """
import sys
from naosim_robots import serve_robot
url, speed, without, languages, options = sys.argv[1:6]
with serve_robot(listen=url, speed=float(speed), without=without.split(), languages=languages.split(),
            invalid_signature="invalid" in options) as directory:
    if "real" in options:
        # A real robot has no service that acts for the person.
        directory.unregister("SimulatedHuman")
    print(directory.url, flush=True)
    for line in sys.stdin:
        verb, _, what = line.strip().partition(" ")
        if verb == "listens":
            ears = directory.robot.person("ears").result(10)
            print(bool(ears["engine"] or ears["touch"]), flush=True)
        else:
            directory.robot.person(verb, what, *[0.8] * (verb == "hear")).result(10)
            print("done", flush=True)
"""


class Served:
    """A robot in another process, which can be killed and started again at the same address."""

    def __init__(self, speed=200, without=(), languages=("English",), options=()):
        self._settings = [str(speed), " ".join(without), " ".join(languages), " ".join(options)]
        self.url = "tcp://127.0.0.1:0"
        self.start()

    def start(self):
        self._child = subprocess.Popen(
            [sys.executable, "-c", SERVE, self.url, *self._settings],
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
        )
        self.url = self._child.stdout.readline().strip()
        assert self.url.startswith("tcp://")

    def person(self, verb, what):
        """Let the person in front of the robot do something."""
        assert self._ask(f"{verb} {what}") == "done"

    def listens(self):
        """Return whether the robot listens by voice or by head touch."""
        return self._ask("listens") == "True"

    def _ask(self, line):
        self._child.stdin.write(line + "\n")
        self._child.stdin.flush()
        return self._child.stdout.readline().strip()

    def kill(self):
        self._child.kill()
        self._child.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.kill()


def environment(**more):
    """Return an environment in which a process finds the project's packages."""
    return {**os.environ, "PYTHONPATH": source_path(), "COLUMNS": "300", "PYTHONIOENCODING": "utf-8", **more}


@contextlib.contextmanager
def listening(answer):
    """Call `answer(connection)` for each client of a free port; return the port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    line, _ = server.accept()
                    with line, contextlib.suppress(OSError, struct.error):
                        answer(line)

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield server.getsockname()[1]
        finally:
            # Without shutdown the thread would stay blocked in accept.
            server.shutdown(socket.SHUT_RDWR)


class DroppingRelay:
    """A relay to a robot that closes every third connection, at once or after `answers` messages of the robot.

    The port in these messages becomes that of the relay, or of another one: libqi connects to each service by its own
    address.
    """

    def __init__(self, url, answers=0, every=3, services=None):
        self.robot, self.answers, self.every = int(url.rpartition(":")[2]), answers, every
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.url = f"tcp://127.0.0.1:{self.port}"
        self.services = self.port if services is None else services.port
        self.connections = 0

    @property
    def dropped(self):
        """Return how many connections were closed."""
        return self.connections // self.every

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.server.accept()
                self.connections += 1
                is_dropped = self.connections % self.every == 0
                if is_dropped and not self.answers:
                    client.close()
                    continue
                robot = socket.create_connection(("127.0.0.1", self.robot))
                most = self.answers if is_dropped else None
                for relay, args in ((self._ask, (client, robot)), (self._answer, (robot, client, most))):
                    threading.Thread(target=relay, args=args, daemon=True).start()

    def _ask(self, client, robot):
        with client:
            with contextlib.suppress(OSError):
                while data := client.recv(65536):
                    robot.sendall(data)
            self._end(client, robot)

    def _answer(self, robot, client, most):
        with robot:
            with contextlib.suppress(OSError, struct.error):
                while most is None or most > 0:
                    head = robot.recv(struct.calcsize(HEADER), socket.MSG_WAITALL)
                    length = struct.unpack(HEADER, head)[2]
                    payload = robot.recv(length, socket.MSG_WAITALL) if length else b""
                    # Both ports have five digits.
                    client.sendall(head + payload.replace(b":%d" % self.robot, b":%d" % self.services))
                    most = most and most - 1
            self._end(client, robot)

    @staticmethod
    def _end(*lines):
        for line in lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_error):
        # Without shutdown the thread would stay blocked in accept.
        self._end(self.server)
        self.server.close()


def speak_http(line):
    """Answer as a web server that does not understand the request."""
    line.recv(100)
    line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def refuse(seen):
    """Return an answer to libqi's greeting that refuses the login; append the client's message to `seen`."""

    def answer(line):
        head = line.recv(struct.calcsize(HEADER), socket.MSG_WAITALL)
        number, length = struct.unpack(HEADER, head)[1:3]
        seen.append(line.recv(length, socket.MSG_WAITALL) if length else b"")
        said = b"Authentication failed"
        payload = struct.pack("<I", 1) + b"s" + struct.pack("<I", len(said)) + said
        line.sendall(struct.pack(HEADER, MAGIC, number, len(payload), 0, REFUSED, 0, 0, 0, 8) + payload)
        line.recv(1)

    return answer
