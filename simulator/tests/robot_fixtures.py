"""Fixtures for tests on both Pythons, a robot and a program that asks it; what the robot has noted; tables."""

from __future__ import absolute_import, division, print_function

import io
import json
import os

import pytest

from naosim.compat import native, natively
from naosim.json_server import LiveRequests, SpokenTexts
from naosim.remote import unpack_value
from naosim.robot import Robot


@pytest.fixture
def robot(request):
    """Provide a simulated robot with the options in ROBOT of the test's module; it ends with the test."""
    with Robot(**getattr(request.module, "ROBOT", {})) as made:
        yield made


@pytest.fixture
def program(robot):
    """Provide a program that asks the robot."""
    return Program(robot)


def list_fields(robot, kind="log", field="text"):
    """List a field of the robot's events of one kind, such as the texts that scripts have logged."""
    return [event.fields[field] for event in robot.trace.of(kind)]


def read_table(name):
    """Return the text of a table in the folder `both`."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "both", name)
    with io.open(path, encoding="utf-8") as file:
        return native(file.read())


def read_sections(name):
    """Return the sections of a table in the folder `both`, each from its title on."""
    return read_table(name).split("\n=== ")[1:]


class Program(object):
    """A client of a live server in the same process."""

    def __init__(self, robot):
        self.robot, self._answers = robot, []
        self.requests = LiveRequests(robot, self._answers.append, SpokenTexts(robot))

    def ask(self, verb, **fields):
        """Return the answer to a request, read from JSON; raise RuntimeError with the robot's sentence."""
        self.requests.take(dict(fields, id=1, do=verb))
        answer = natively(json.loads(json.dumps(self._answers.pop())))
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return unpack_value(answer["value"])
