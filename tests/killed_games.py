"""Games in processes that are killed: `python killed_games.py` reads one a line and says how far it came.

A line is a JSON object: the notebook's `folder`, the `settings`, what the person says (`phrases`, "" for silence), at
which sentence of NAO's the disk is full (`full`; 0: never), at which it all ends (`at`; 0: when all is said) and by
which `signal` (0: none). Each game is a process of its own. What it says, on one line: the talk as ALMemory has it
then, how many sentences NAO has said, and the last of them.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import json
import os
import resource
import sys

from story import EASY, Story, read_behaviour

from naosim.robot import Robot


class KilledStory(Story):
    """A story whose process ends in the middle of it."""

    def __init__(self, task, told):
        Story.__init__(self, task["folder"], words=EASY)
        self.task, self.told, self.sentences = task, told, 0
        self.robot.trace.listeners.append(self.notice)

    def notice(self, event):
        """End when NAO says the sentence at which all is to end."""
        if event.kind == "say":
            self.sentences += 1
            if self.sentences == self.task["full"]:
                resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
            if self.sentences == self.task["at"]:
                self.end()

    def plays(self):
        """Say everything, then end."""
        self.begins(**self.task["settings"])
        for phrase in self.task["phrases"]:
            if not self.is_over:
                self.says(phrase) if phrase else self.keeps_silent()
        self.end()

    def end(self):
        said = {"talk": self.get("Game"), "sentences": self.sentences, "heard": self.said()[-4:]}
        os.write(self.told, (json.dumps(said) + "\n").encode("ascii"))
        if self.task["signal"]:
            os.kill(os.getpid(), self.task["signal"])
        os._exit(0)


def child(task):
    heard, told = os.pipe()
    number = os.fork()
    if not number:
        try:
            os.close(heard)
            KilledStory(task, told).plays()
        finally:
            os._exit(1)
    os.close(told)
    with os.fdopen(heard) as source:
        line = source.readline()
    _, status = os.waitpid(number, 0)
    return line if os.WIFSIGNALED(status) == bool(task["signal"]) else ""


def main():
    Robot().load(read_behaviour())
    for line in iter(sys.stdin.readline, ""):
        sys.stdout.write(child(json.loads(line)) or "{}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
