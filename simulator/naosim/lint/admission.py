"""The lint of a behaviour when it is loaded on a robot: errors are recorded, a broken structure is refused.

A handler that no input calls, as stock boxes have it, fails the run of a strict robot alone.
"""

from __future__ import absolute_import, division, print_function

from naosim.compat import quoted
from naosim.errors import BrokenBehaviour
from naosim.lint.diagram import STRUCTURE, judge
from naosim.lint.script import UNCALLED

MYPY = False
if MYPY:
    from naosim.formats.xar import Project
    from naosim.world.world import World


def note_findings(world, project):  # type: (World, Project) -> None
    """Record the errors that the lint finds; raises BrokenBehaviour for broken ids, ports and links."""
    found = judge(project)
    errors = [finding for finding in found if finding.severity == "error"]
    broken = [finding for finding in errors if finding.rule in STRUCTURE]
    if broken:
        raise BrokenBehaviour(
            "%s: box %s: %s%s"
            % (
                project.name,
                quoted(broken[0].box),
                broken[0].sentence,
                " (and %d more)" % (len(broken) - 1) if len(broken) > 1 else "",
            )
        )
    for finding in errors + [finding for finding in found if world.is_strict and finding.rule == UNCALLED]:
        world.trace.note("lint", box=finding.box, rule=finding.rule, text=finding.sentence)
        if finding.rule in ("handler", UNCALLED):
            world.trace.note("error", where=finding.box, message=finding.sentence, handled=False)
