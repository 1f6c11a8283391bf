"""`python -m naosim_robots.talks.schema` writes `talk.schema.json`, by which editors complete and check talks."""

from __future__ import annotations

import json
from pathlib import Path

from naosim.formats import write_whole

from .format import make_schema

PATH = Path(__file__).with_name("talk.schema.json")


def write_schema() -> str:
    """Return the schema as the file has it."""
    return json.dumps(make_schema(), indent=1) + "\n"


if __name__ == "__main__":
    write_whole(str(PATH), write_schema().encode("ascii"))
