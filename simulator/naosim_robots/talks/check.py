"""`naosim check`: lints all behaviours of files and folders, and runs all their talks, for CI and before commits."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from naosim import xar
from naosim.errors import NaosimError
from naosim.lint import judge

from . import command
from .talk import SUFFIX

_MAX_FILES = 2000


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit status: 0 if all is fine, 1 if not, 2 if it cannot be found out."""
    description = "Lints behaviours (.xar) and runs their talks (.talk.yaml) on a simulated robot."
    parser = argparse.ArgumentParser(prog="naosim check", description=description)
    files = "files, or folders that are searched (default: this folder)"
    parser.add_argument("paths", nargs="*", default=[Path()], type=Path, metavar="PATH", help=files)
    parser.add_argument("--strict", action="store_true", help="count the warnings of the lint as errors")
    options = parser.parse_args(arguments)
    behaviours, talks = _find_files(options.paths, ".xar"), _find_files(options.paths, SUFFIX)
    if not behaviours and not talks:
        print("there is no .xar and no .talk.yaml to check: name their files or folders.", file=sys.stderr)
        return 2
    grave = ("error", "warning") if options.strict else ("error",)
    errors = sum(_lint(path, grave) for path in behaviours)
    print(f"Behaviours: {len(behaviours)}. Errors: {errors}.", flush=True)
    status = command.main(["--talk", *map(str, talks)]) if talks else 0
    return status or int(errors > 0)


def _find_files(paths: Iterable[Path], suffix: str) -> list[Path]:
    """Return the files with a suffix, and those below folders."""
    found: list[Path] = []
    for path in paths:
        below = sorted(path.rglob(f"*{suffix}")) if path.is_dir() else []
        found += [each for each in below if not _is_hidden(each.relative_to(path))][:_MAX_FILES]
        found += [path] if path.name.endswith(suffix) and not path.is_dir() else []
    return found


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") or part == "node_modules" for part in path.parts)


def _lint(path: Path, grave: Iterable[str]) -> int:
    """Print what the lint finds in a behaviour; return the number of errors."""
    try:
        findings = judge(xar.parse(str(path)))
    except NaosimError as error:
        print(f"{path}: {error}")
        return 1
    for finding in findings:
        print(f"{path}: {finding.severity}: {finding.box}: {finding.sentence}")
    return sum(finding.severity in grave for finding in findings)
