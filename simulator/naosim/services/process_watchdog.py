"""Run one command in its own process group for as long as our input is open; then end the whole group.

A script without the rest of the package: it outlives a robot that is killed, for as long as the ending takes. The
exit status is the command's, or 128 and the number of the signal that ended it.
"""

from __future__ import absolute_import, division, print_function

import os
import signal
import subprocess
import sys
import threading
import time

_END_TIMEOUT_S = 2.0  # real seconds for a command to end after SIGTERM
_CANNOT_RUN_STATUS = 127  # exit status, as in a shell


def main():  # type: () -> None
    """Run the command of our arguments until it or our input ends."""
    # Its own group keeps it from Ctrl-C in a terminal, too.
    with open(os.devnull, "rb") as nothing:
        try:
            process = subprocess.Popen(sys.argv[1:], stdin=nothing, close_fds=True, preexec_fn=os.setsid)  # noqa: PLW1509
        except (OSError, ValueError) as error:
            print("Cannot run %s: %s." % (sys.argv[1], getattr(error, "strerror", None) or error))
            sys.stdout.flush()
            os._exit(_CANNOT_RUN_STATUS)
    waiting = threading.Thread(target=_forward_status, args=(process,))
    waiting.daemon = True
    waiting.start()
    while os.read(0, 1024):
        pass
    _send_signal(process.pid, signal.SIGTERM)
    time.sleep(_END_TIMEOUT_S)
    _send_signal(process.pid, signal.SIGKILL)
    waiting.join()


def _forward_status(process):  # type: (subprocess.Popen[bytes]) -> None
    status = process.wait()
    # Processes that the command has started end with it.
    _send_signal(process.pid, signal.SIGKILL)
    os._exit(status if status >= 0 else 128 - status)


def _send_signal(group, number):  # type: (int, int) -> None
    try:
        os.killpg(group, number)
    except OSError:
        pass


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main()
