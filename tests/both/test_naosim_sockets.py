"""Scripts that wait at sockets: servers in a box do not keep the others from running, and timeouts go by the clock."""

from __future__ import absolute_import, division, print_function

import select
import socket
import threading

import naosim_xar_writer as w
import pytest

from naosim import Robot
from naosim.compat import PY2, real_monotonic

LINKS = [("root.onStart", "Only.onStart"), ("Only.onStopped", "root.onStopped")]
SERVER = "SocketServer" if PY2 else "socketserver"
#: A server in a thread of its own, which answers one line with another, and a client of it in the same script.
ANSWERS = (
    """
import socket, threading, time
import %s as servers

class Answering(servers.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"you said " + self.rfile.readline())
"""
    % SERVER
)
ASKS = """
server = servers.TCPServer(("127.0.0.1", 0), Answering)
thread = threading.Thread(target=server.serve_forever)
thread.start()
client = socket.create_connection(server.server_address)
client.sendall(b"hello\\n")
time.sleep(1)
self.logger.info(client.recv(100).decode().strip())
client.close()
server.shutdown()
thread.join()
server.server_close()
self.onStopped()
"""
#: A loop around accept, without an end.
ACCEPTS = """
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1)
def serve():
    try:
        while True:
            connection, _ = listener.accept()
            connection.sendall(b"welcome")
            connection.close()
    finally:
        listener.close()
threading.Thread(target=serve).start()
for _ in range(2):
    client = socket.create_connection(listener.getsockname())
    time.sleep(1)
    self.logger.info(client.recv(100).decode())
    client.close()
self.onStopped()
"""
WAITS = """
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1)
begin = time.time()
found = select.select([listener], [], [], 2.5)
self.logger.info("%s after %.1f s" % (found, time.time() - begin))
listener.settimeout(3.0)
try:
    listener.accept()
except socket.timeout:
    self.logger.info("timeout after %.1f s" % (time.time() - begin))
listener.close()
try:
    listener.accept()
except (socket.error, OSError):
    self.logger.info("closed after %.1f s" % (time.time() - begin))
self.onStopped()
"""


@pytest.fixture
def robot():
    with Robot() as made:
        yield made


def run(robot, body, before="import select, socket, threading, time\n", seconds=60):
    lines = "\n".join(" " * 8 + line for line in body.strip("\n").split("\n"))
    content = w.behaviour([w.box("Only", before + w.script("    def onInput_onStart(self):\n%s\n" % lines))], LINKS)
    behaviour = robot.load(content)
    robot.start(behaviour)
    robot.advance(seconds)
    return behaviour


def logged(robot):
    return [event.fields["text"] for event in robot.trace.of("log")]


def test_a_server_in_a_box_answers_while_the_behaviour_goes_on(robot):
    behaviour = run(robot, ASKS, ANSWERS)
    assert (behaviour.failures, logged(robot)) == ([], ["you said hello"])


def test_a_loop_around_accept_lets_the_others_go_on(robot):
    behaviour = run(robot, ACCEPTS, seconds=10)
    assert (behaviour.failures, logged(robot)) == ([], ["welcome", "welcome"])


def test_timeouts_are_times_of_the_robot(robot):
    begin = real_monotonic()
    behaviour = run(robot, WAITS)
    assert behaviour.failures == []
    assert logged(robot) == ["([], [], []) after 2.5 s", "timeout after 5.5 s", "closed after 5.5 s"]
    assert robot.now() == pytest.approx(5.5)
    assert real_monotonic() - begin < 60


def test_on_a_robot_in_real_time_a_client_from_outside_is_served():
    told = []

    def ask(port):
        client = socket.create_connection(("127.0.0.1", port))
        told.append(client.recv(100))
        client.close()

    script = """
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1)
ALProxy("ALMemory").insertData("port", listener.getsockname()[1])
connection, _ = listener.accept()
connection.sendall(b"welcome")
connection.close()
listener.close()
self.onStopped()
"""
    with Robot(real_time=True) as robot:
        asking = threading.Timer(0.5, lambda: ask(robot.get("port")))
        asking.start()
        behaviour = run(robot, script, seconds=30)
        asking.join()
        assert (behaviour.failures, told) == ([], [b"welcome"])


def test_a_robot_that_waits_for_calls_from_outside_goes_on():
    with Robot(real_time=True) as robot:
        robot.clock.open()
        behaviour = run(robot, "time.sleep(0.3)\nself.logger.info('rested')\nself.onStopped()", seconds=1)
        assert (behaviour.failures, logged(robot)) == ([], ["rested"])


def test_outside_of_robots_select_is_what_it_was(robot):
    plain = select.select
    run(robot, "self.onStopped()")
    assert select.select is plain
    assert select.select([], [], [], 0) == ([], [], [])
