"""The page docs/facts.md: the table of facts, and which of them the simulated robots fulfil.

`PYTHONPATH=simulator python simulator/tests/facts_page.py > docs/facts.md` writes it. `count_facts` and `count_holding`
have its figures.
"""

import sys
from collections import Counter
from pathlib import Path

from naosim_robots.facts.table import KINDS, Robot, read_facts

#: The robots that are compared: what HostedRobot serves, by the name of the robot in the table.
ROBOTS = {"NAO 2.1": ("Nao", "2.1"), "NAO 2.8": ("Nao", "2.8"), "Pepper 2.5": ("Pepper", "2.5")}
#: The rows that the simulated robots do not fulfil yet, one a line: "name: robots".
DIFFERING = Path(__file__).with_name("python3") / "facts_differing.txt"

HEAD = """# Facts about real robots

Each row is something that a robot, or the maker's own simulator of it, was seen to do, or that the maker documents.
`naosim facts ADDRESS` compares any robot, real or simulated, with the rows for its body and version:

```sh
naosim facts nao.local                    # only asks, for ten seconds: nothing moves or speaks
naosim facts nao.local --speaks --person  # also rows that speak, and rows that need you
```

A test compares the simulated NAO V5 (NAOqi 2.1), NAO6 (2.8) and Pepper (2.5) with the table in every run.
[The folder of the table](../simulator/naosim_robots/facts/table/README.md) explains its form.
"""


def read_differing():
    """Return the robots that do not fulfil a row, by the row's name."""
    lines = [line.partition(": ") for line in DIFFERING.read_text().splitlines() if line and not line.startswith("#")]
    return {name: robots.split(", ") for name, _, robots in lines}


def count_facts(facts):
    """Return the number of rows by kind, of kinds R and V as "recorded", and "all"; disputed rows do not count."""
    kinds = Counter(fact.kind for fact in facts if not fact.disputed)
    return {**{kind: kinds[kind] for kind in KINDS}, "recorded": kinds["R"] + kinds["V"], "all": sum(kinds.values())}


def count_holding(facts, differing):
    """Return (rows that hold, rows) of each simulated robot, and as "all" of rows that are for one of them."""
    counted = {}
    applying = {
        robot: {fact.id for fact in facts if not fact.disputed and fact.applies_to(_model(robot))} for robot in ROBOTS
    }
    for robot, names in applying.items():
        counted[robot] = len(names) - sum(robot in robots for robots in differing.values()), len(names)
    every = set().union(*applying.values())
    return {**counted, "all": (len(every - set(differing)), len(every))}


def make_page(facts, differing):
    """Return the text of the page."""
    counts, holding = count_facts(facts), count_holding(facts, differing)
    lines = [HEAD, "| kind | rows |", "| --- | ---: |"]
    lines += [f"| {kind}: {title} | {counts[kind]} |" for kind, title in KINDS.items()]
    lines += [f"| **all** | **{counts['all']}** |", "", "| simulated robot | rows | hold |", "| --- | ---: | ---: |"]
    lines += [f"| {robot} | {rows} | {hold} |" for robot, (hold, rows) in holding.items()]
    for subject in dict.fromkeys(fact.subject for fact in facts):
        lines += ["", f"## {subject}", "", "| what the robot does | robots | kind | source | differs on |"]
        lines += ["| --- | --- | --- | --- | --- |"]
        lines += [_write_row(fact, differing.get(fact.id, [])) for fact in facts if fact.subject == subject]
    return "\n".join([*lines, ""])


def _model(name):
    return Robot(*name.split(" "), "real")


def _write_row(fact, robots):
    dispute = f". Disputed, so not counted: {fact.disputed}" if fact.disputed else ""
    cells = [_escape(fact.title), ", ".join(map(str, fact.robots)), fact.kind, _escape(fact.source + dispute)]
    return f"| {' | '.join([*cells, ', '.join(robots)])} |"


def _escape(text):
    for sign in "\\|<*_[":
        text = text.replace(sign, "&lt;" if sign == "<" else f"\\{sign}")
    return text


if __name__ == "__main__":
    sys.stdout.write(make_page(read_facts(), read_differing()))
