"""A person's own list of 4,000 words, from the file to a tree a robot walks: `jotto solve` in a fresh process."""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import vocabulary
from options import Options

from jotto import compat
from jotto_desk.words import block_list

WORDS, REPEATS = 4000, 3


def measure(options: Options) -> dict[str, Any]:
    """Time the whole way, and check that the tree is sound."""
    name, words = ("default list", vocabulary.own()) if options.small else vocabulary.larger()
    # Of a list with words the robot never says, fewer would be left.
    blocked = block_list(own=False)
    sayable = [word for word in words if not blocked.blocks(word)]
    words = compat.draw_items(sayable, 60 if options.small else WORDS, 1, "own list")
    with tempfile.TemporaryDirectory() as raw:
        folder = Path(raw)
        # Exclude the own words, settings and caches of this computer's owner.
        environ = {**os.environ, "XDG_DATA_HOME": raw, "XDG_CACHE_HOME": raw}
        source, out = folder / "own.txt", folder / "own.tree"
        source.write_text("\n".join(words), encoding="utf-8")
        command = [sys.executable, "-m", "jotto_desk", "solve"]
        taken = []
        for _ in range(1 if options.small else REPEATS):
            start, before = time.perf_counter(), _cpu()
            raw_found = _run([*command, "--words", str(source), "--quick", "--out", str(out), "--json"], environ)
            taken.append((time.perf_counter() - start, _cpu() - before))
        found = json.loads(raw_found)
        verified = json.loads(_run([*command, "verify", str(out), "--json"], environ))
        return {
            "drawn_from": name,
            "words": found["words"],
            "mean": found["mean"],
            "max": found["max"],
            "bytes": out.stat().st_size,
            "verified": verified["verified"] and verified["total"] == found["total"],
            "seconds": statistics.median(wall for wall, _ in taken),
            "cpu_seconds": statistics.median(cpu for _, cpu in taken),
        }


def _run(command: list[str], environ: dict[str, str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environ).stdout


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report(found: dict[str, Any]) -> list[str]:
    """Format the result as lines of text."""
    sound = "verified" if found["verified"] else "NOT SOUND"
    return [
        f"An own list of {found['words']:,} words (from: {found['drawn_from']}), from the file to the tree: "
        f"{found['seconds']:.2f} s, {found['cpu_seconds']:.2f} s on processors",
        f"  the tree needs {found['mean']:.4f} guesses on average, {found['max']} at most; {found['bytes']:,} "
        f"bytes, {sound}",
    ]
