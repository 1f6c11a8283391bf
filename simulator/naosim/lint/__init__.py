"""The lint of behaviours, and the changes that old ones need for NAOqi 2.8."""

from __future__ import absolute_import, division, print_function

from naosim.lint.findings import ERROR, REMARK, WARNING, Finding, judge, judge_for_target, note_findings
from naosim.lint.migration import TARGETS, migrate_file, migrate_script

__all__ = [
    "ERROR",
    "REMARK",
    "TARGETS",
    "WARNING",
    "Finding",
    "judge",
    "judge_for_target",
    "migrate_file",
    "migrate_script",
    "note_findings",
]
