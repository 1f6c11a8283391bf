"""What the home of a robot in a process of its own holds for the processes that run beside it."""

from __future__ import absolute_import, division, print_function

import os


def note_machine(number):  # type: (str) -> None
    """Write down, in the robot's home, the number that libqi gave this computer.

    A program with another number of its own counts as one on another computer, and is not reached at 127.0.0.1.
    """
    folder = os.path.join(os.environ["HOME"], ".config", "qimessaging")
    if number:
        if not os.path.isdir(folder):
            os.makedirs(folder)
        with open(os.path.join(folder, "machine_id"), "w") as file:
            file.write(number)
