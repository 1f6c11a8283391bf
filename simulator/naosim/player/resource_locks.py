"""Resources: the locks that boxes take while they run, such as Speech. Knows boxes only by their ancestors."""
from __future__ import absolute_import, division, print_function

from naosim.kernel.clock import Gate

MYPY = False
if MYPY:
    from naosim.formats.xar import Resource
    from naosim.kernel.clock import Clock
    from naosim.player.box import LiveBox

STOP_ON_DEMAND = "Stop on demand"


class Locks(object):
    """Who holds which resource; boxes inside a holder share what it holds."""

    def __init__(self, clock):
        # type: (Clock) -> None
        self._clock = clock
        self._holders = {}  # type: dict[str, LiveBox]
        self._freed = {}  # type: dict[str, Gate]

    def take(self, box):
        # type: (LiveBox) -> bool
        """Takes all resources of the box, waiting as long as each allows; False and none taken if one stays busy."""
        for resource in box.plan.box.resources:
            if not self._take(box, resource):
                self.drop(box)
                return False
        return True

    def drop(self, box):
        # type: (LiveBox) -> None
        """Gives back what the box holds."""
        for name in [name for name, holder in self._holders.items() if holder is box]:
            self.give_back(box, name)

    def give_back(self, box, name):
        # type: (LiveBox, str) -> None
        """Gives back one resource, if the box holds it."""
        if self._holders.get(name) is box:
            del self._holders[name]
            self._freed.pop(name, Gate(self._clock)).open()

    def is_free(self, name):
        # type: (str) -> bool
        """Whether nobody holds the resource."""
        return name not in self._holders

    def _take(self, box, resource):
        # type: (LiveBox, Resource) -> bool
        name = resource.name
        end = None if resource.timeout < 0 else self._clock.now() + resource.timeout
        while name in self._holders and not box.is_inside(self._holders[name]):
            holder = self._holders[name]
            if _stops_on_demand(holder, name):
                holder.lose(name)
                self.give_back(holder, name)
                continue
            left = None if end is None else end - self._clock.now()
            gate = self._freed.setdefault(name, Gate(self._clock))
            if (left is not None and left <= 0) or not self._clock.wait(gate, left):
                return False
        self._holders.setdefault(name, box)
        return True


def _stops_on_demand(holder, name):
    # type: (LiveBox, str) -> bool
    return any(held.name == name and held.type == STOP_ON_DEMAND for held in holder.plan.box.resources)
