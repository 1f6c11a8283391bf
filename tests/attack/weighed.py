"""`python weighed.py COST_FILE MODULE ARGUMENT...` runs a module and writes its memory in MB and its CPU seconds."""

from __future__ import absolute_import, division, print_function

import atexit
import io
import os
import runpy
import sys


def tell(path):
    """Write the cost of this process up to now; where the system does not say the memory, it is 0."""
    memory = 0
    if os.path.isfile("/proc/self/status"):
        with io.open("/proc/self/status") as status:
            memory = max(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
    with io.open(path, "w") as file:
        file.write(u"%d %.2f" % (memory, sum(os.times()[:2])))


if __name__ == "__main__":
    atexit.register(tell, sys.argv[1])
    sys.argv[:] = sys.argv[2:]
    # The folder of this file is not a place for modules of the program's names.
    sys.path.pop(0)
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
