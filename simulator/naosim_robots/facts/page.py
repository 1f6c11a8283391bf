"""The page docs/facts.md, written from the table; `count_facts` has its figures.

`python -m naosim_robots.facts.page > docs/facts.md` writes it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable

from .table import KINDS, Fact, read_facts

_HEAD = """# Facts about real robots

Each row is something that a robot, or the maker's own simulator of it, was seen to do, or that the maker documents.
`naosim facts ADDRESS` compares any robot, real or simulated, with all rows in under a minute:

```sh
naosim facts nao.local                    # only asks; nothing moves, speaks or is installed
naosim facts nao.local --speaks --person  # also rows that speak and that need you
```

A test compares the simulated NAO V5 (NAOqi 2.1), NAO6 (2.8) and Pepper (2.5) with the table in every run.
The table and its form are in [the folder of the table](../simulator/naosim_robots/facts/table/README.md).
"""
_DISPUTED = "Two sources disagree about this: it is shown, and not counted."


def count_facts(facts: Iterable[Fact]) -> dict[str, int]:
    """Return the number of rows by kind, as "recorded" those of kinds R and V, as "all" all, without disputed rows."""
    kinds = Counter(fact.kind for fact in facts if not fact.disputed)
    return {**{kind: kinds[kind] for kind in KINDS}, "recorded": kinds["R"] + kinds["V"], "all": kinds.total()}


def make_page(facts: list[Fact]) -> str:
    """Return the page."""
    counts = count_facts(facts)
    lines = [_HEAD, "| kind | rows |", "| --- | ---: |"]
    lines += [f"| {kind}: {title} | {counts[kind]} |" for kind, title in KINDS.items()]
    lines += [f"| **all** | **{counts['all']}** |", ""]
    for subject in dict.fromkeys(fact.subject for fact in facts):
        lines += [f"## {subject}", "", "| what the robot does | robots | kind | source |", "| --- | --- | --- | --- |"]
        for fact in facts:
            if fact.subject == subject:
                robots = ", ".join(map(str, fact.robots))
                source = f"{fact.source}. {_DISPUTED} {fact.disputed}" if fact.disputed else fact.source
                lines.append(f"| {_escape(fact.title)} | {robots} | {fact.kind} | {_escape(source)} |")
        lines.append("")
    return "\n".join(lines)


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


if __name__ == "__main__":
    sys.stdout.write(make_page(read_facts()))
