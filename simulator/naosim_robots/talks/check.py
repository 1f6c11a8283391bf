"""`naosim check`: lints all behaviours of files and folders, and runs all their talks, for CI and before commits."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from naosim import xar
from naosim.errors import NaosimError, WrongUse
from naosim.lint import judge

from . import command
from .talk import SUFFIX, list_below


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit status: 0 if all is fine, 1 if not; raises NaosimError."""
    description = "Lints behaviours (.xar) and runs their talks (.talk.yaml) on a simulated robot."
    parser = argparse.ArgumentParser(prog="naosim check", description=description)
    files = "files, or folders that are searched (default: this folder)"
    parser.add_argument("paths", nargs="*", default=[Path()], type=Path, metavar="PATH", help=files)
    parser.add_argument("--strict", action="store_true", help="count the warnings of the lint as errors")
    options = parser.parse_args(arguments)
    behaviours, talks = _find_files(options.paths, ".xar"), _find_files(options.paths, SUFFIX)
    if not behaviours and not talks:
        raise WrongUse("there is no .xar and no .talk.yaml to check: name their files or folders.")
    grave = ("error", "warning") if options.strict else ("error",)
    errors = sum(_lint(path, grave) for path in behaviours)
    print(f"Behaviours: {len(behaviours)}. Errors: {errors}.", flush=True)
    status = command.run_files(talks) if talks else 0
    return status or int(errors > 0)


def _find_files(paths: Iterable[Path], suffix: str) -> list[Path]:
    """Return the files with a suffix, and those below folders, each once; raises WrongTalk for too many."""
    found: list[Path] = []
    for path in paths:
        found += list_below(path, suffix) if path.is_dir() else [path] if path.name.endswith(suffix) else []
    return list(dict.fromkeys(found))


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
