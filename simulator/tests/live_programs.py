"""A client of a live server in the same process, for tests on Python 2.7 and 3."""

from __future__ import absolute_import, division, print_function

import json

from naosim.compat import natively
from naosim.json_server import LiveRequests, SpokenTexts
from naosim.remote import unpack_value


class Program(object):
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
