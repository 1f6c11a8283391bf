"""The lint of a behaviour when it is loaded on a robot: errors are recorded, a broken structure is refused."""
from __future__ import absolute_import, division, print_function

from naosim.compat import quoted
from naosim.errors import BrokenBehaviour
from naosim.lint.diagram import STRUCTURE, judge

MYPY = False
if MYPY:
    from naosim.formats.xar import Project
    from naosim.world.world import World


def note_findings(world, project):
    # type: (World, Project) -> None
    """Record the errors that the lint finds; raises BrokenBehaviour for broken ids, ports and links."""
    errors = [finding for finding in judge(project) if finding.severity == "error"]
    broken = [finding for finding in errors if finding.rule in STRUCTURE]
    if broken:
        raise BrokenBehaviour("%s: box %s: %s%s" % (
            project.name, quoted(broken[0].box), broken[0].sentence,
            " (and %d more)" % (len(broken) - 1) if len(broken) > 1 else ""))
    for finding in errors:
        world.trace.note("lint", box=finding.box, rule=finding.rule, text=finding.sentence)
        if finding.rule == "handler":
            world.trace.note("error", where=finding.box, message=finding.sentence, handled=False)
