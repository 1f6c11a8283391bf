"""The page docs/records.md: the best trees known for each game, from records.json.

`PYTHONPATH=src:behaviour:simulator python benchmarks/records.py` writes the page. With names of rows (`mastermind-4-6`)
it first runs their commands again, on one thread, replays each tree with the plain scorer, and writes the measured
figures into records.json. Wordle's rows need its two lists in the working folder, as answers.txt and guesses.txt.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from jotto_desk import files

RECORDS = Path(__file__).with_name("records.json")
PAGE = RECORDS.parents[1] / "docs" / "records.md"
#: The figures of a row that its command prints under the same names.
_MEASURED = ("secrets", "total", "max", "lower_bound", "first", "distribution")

_HEAD = """# Records

The trees with the fewest guesses that we know for Mastermind, Bulls and Cows, Wordle and Jotto. Each total counts the
guesses over **all** secrets, the winning guess included. (4,6) means 4 places and 6 colours. "Proven" means that the
search showed for every first guess that no tree needs fewer guesses. Otherwise the page names the highest lower bound
of the average. If common words are likelier, the average and its bound are by weight.

* **Tree**: add `--out FILE` to the command. `jotto solve verify FILE` replays every secret with the plain scorer, which
  shares no code with the search. Every tree of this page was replayed.
* **CPU**: user and system seconds of the whole command with `--threads 1`, on a computer (x86-64 with AVX-512) that was
  busy with other work.
* **Again**: `python benchmarks/records.py mastermind-4-6` measures a row again. The names of the rows are in
  `benchmarks/records.json`. A test does so for fast rows. Wordle's lists are not part of this project: put them into
  the folder as `answers.txt` (2,315 words) and `guesses.txt` (12,972 words).

[Find the best strategies](best-strategies.md) explains the options.

## Trees and bounds
"""

_PUBLISHED_HEAD = """
## Published figures

"Not found" means that we found neither the game nor the figure. In November 2026 we searched stored copies of papers,
pages, public repositories and their issues. Somebody else can still have it. G. Ville's paper *An Optimal Mastermind
(4,7) Strategy and More Results in the Expected Case* ([arXiv:1305.1010](https://arxiv.org/abs/1305.1010), 2013) has
"optimal strategies or upper bounds for other values". We could read its beginning, but not that table: **the rows
marked † can be in it**. Goddard's table of least averages, as S. Pokutta's blog quotes it (2011), has 16 games up to
(4,5), (5,3) and (7,2): `jotto solve` proves the same average for each.
"""

_TWO_PLACES = """
## Two places

For two places and n colours, n at least 3, Chen and Lin (2004) give the least total:

* (8 n^3 + 51 n^2 - 74 n + 48) / 24 if n is even,
* (8 n^3 + 51 n^2 - 80 n + 69) / 24 if n is odd.

Peczarski ([arXiv:1808.03849](https://arxiv.org/abs/1808.03849), 2018) closed a gap in their proof. `jotto solve` proves
the same totals by itself for 3 to 10, 12, 14 and 16 colours. For 20 colours its own lower bound is only 2,600: the tree
is ours, the proof is the formula.
"""


def read_records() -> list[dict[str, Any]]:
    """Return the rows of records.json."""
    return json.loads(RECORDS.read_text(encoding="utf-8"))


def count_two_place_guesses(colours: int) -> int:
    """Return the least total for two places and three colours or more (Chen and Lin 2004)."""
    less = 80 * colours - 69 if colours % 2 else 74 * colours - 48
    return (8 * colours**3 + 51 * colours**2 - less) // 24


def measure_record(record: dict[str, Any]) -> dict[str, Any]:
    """Run the command of a row again and replay its tree; return the row with the new figures.

    Raises `subprocess.CalledProcessError` if a command fails, `ValueError` if the tree needs more guesses.
    """
    words = shlex.split(record["command"])[1:]
    listed = words[words.index("--words") :][:2] if "--words" in words else []
    with tempfile.TemporaryDirectory() as folder:
        tree = str(Path(folder) / "record.tree")
        before = os.times()
        solved = _run_jotto(*words, "--threads", "1", "--out", tree)
        after = os.times()
        replayed = _run_jotto("solve", "verify", tree, *listed)
    best, known = replayed["weighted_total"] or replayed["total"], record.get("weighted_total", record["total"])
    if solved["total"] != replayed["total"] or best > known:
        raise ValueError(f"The tree of {record['id']} takes {best} guesses, not {known}.")
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    figures = {name: solved[name] for name in _MEASURED} | {"cpu_seconds": round(seconds, 1)}
    if "weight" in record:  # the lower bound is by weight, too
        figures |= {"weighted_total": best, "weight": round(best / replayed["weighted_mean"])}
    return {name: record[name] for name in record if name != "cpu_note"} | figures


def _run_jotto(*words: str) -> dict[str, Any]:
    answer = subprocess.run([sys.executable, "-m", "jotto_desk", *words, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(answer.stdout)


def make_page(records: list[dict[str, Any]]) -> str:
    """Return the text of the page."""
    lines = [_HEAD, "| game | secrets | guesses | average | at most | no tree below | command | CPU, s | certificate |"]
    lines.append("|---|---:|---:|---:|---:|---:|---|---:|---|")
    lines += [_make_row(record) for record in records]
    lines += [_PUBLISHED_HEAD, "| game | published before? | published figures and sources |", "|---|---|---|"]
    told = [record for record in records if record["published"]]
    lines += [f"| {record['game']} | {record['published']} | {record['literature']} |" for record in told]
    return "\n".join(lines) + "\n" + _TWO_PLACES


def _make_row(record: dict[str, Any]) -> str:
    best, number = record.get("weighted_total", record["total"]), record.get("weight", record["secrets"])
    bound = "proven" if record["lower_bound"] == best else f"{record['lower_bound'] / number:.4f}"
    proof = f"certificates/{record['id']}.certificate.gz"
    certificate = f"[file](../{proof})" if (PAGE.parents[1] / proof).is_file() else ""
    cells = [record["game"], f"{record['secrets']:,}", f"{record['total']:,}", f"{best / number:.4f}", record["max"]]
    cpu = record.get("cpu_note") or f"{record['cpu_seconds']:,.1f}"
    cells += [record.get("proof") or bound, f"`{record['command']}`", cpu, certificate]
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    """Measure the named rows again, and write the page."""
    records = read_records()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help="measure this row again; its name is in records.json")
    rows = parser.parse_args().rows
    unknown = set(rows) - {record["id"] for record in records}
    if unknown:
        parser.error(f"There is no row '{min(unknown)}'; choose from: {', '.join(record['id'] for record in records)}")
    for place, record in enumerate(records):
        if record["id"] in rows:
            records[place] = measure_record(record)
            text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in records)
            files.write_whole(RECORDS, f"[\n{text}\n]\n")
    files.write_whole(PAGE, make_page(records))


if __name__ == "__main__":
    main()
