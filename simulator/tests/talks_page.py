"""The tables of the page docs/talks.md, from the table of the format.

`PYTHONPATH=simulator python simulator/tests/talks_page.py` writes them.
"""

import re
from pathlib import Path

from naosim_robots.talks.format import PERSONS, TABLES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "talks.md"
_TABLE = re.compile(r"<!-- table: (\w+) -->\n(?:\|.*\n)*")


def fill(page):
    """Return the page with its tables."""
    return _TABLE.sub(lambda found: f"<!-- table: {found[1]} -->\n{make_table(found[1])}", page)


def make_table(name):
    """Return the table of a part of the format, or of the persons."""
    rows = [f"| `{person}` | {habit} |" for person, habit in PERSONS.items()]
    head = "| person | habit |\n|---|---|\n"
    if name != "persons":
        # A talk has most fields of the file, too.
        known = TABLES["file"] if name == "talk" else {}
        rows = [f"| `{each}` | {field.meaning} |" for each, field in TABLES[name].items() if each not in known]
        head = "| field | meaning |\n|---|---|\n"
    return head + "".join(f"{row}\n" for row in rows)


if __name__ == "__main__":
    PAGE.write_text(fill(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
