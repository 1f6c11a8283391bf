"""The memory a process has taken at most."""

import sys
from pathlib import Path


def megabytes() -> float:
    """Tell the most memory this process has had at a time, in MB; 0 where the system does not say."""
    # getrusage also counts the memory of the process that started this one; Linux reports the process's own.
    status = Path("/proc/self/status")
    if status.is_file():
        lines = dict(line.split(":", 1) for line in status.read_text(encoding="ascii", errors="replace").splitlines())
        return int(lines["VmHWM"].split()[0]) / 1024 if "VmHWM" in lines else 0.0
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
