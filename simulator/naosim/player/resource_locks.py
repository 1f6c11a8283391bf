"""Resources: the locks that boxes take while they run, such as Speech. Reads no diagram."""

from __future__ import absolute_import, division, print_function

from naosim.kernel.sim_event import SimEvent

MYPY = False
if MYPY:
    from naosim.formats.xar import Resource
    from naosim.kernel.clock import Clock
    from naosim.player.contracts import PlayedBox

STOP_ON_DEMAND = "Stop on demand"


class Locks(object):
    """The holder of each resource; boxes inside a holder share what it holds."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._holders = {}  # type: dict[str, PlayedBox]
        self._freed = {}  # type: dict[str, SimEvent]

    def take(self, box):  # type: (PlayedBox) -> bool
        """Take all resources of the box, waiting as long as each allows; if one stays busy, hold none, return False."""
        for resource in box.plan.box.resources:
            if not self._take(box, resource):
                self.drop(box)
                return False
        return True

    def drop(self, box):  # type: (PlayedBox) -> None
        """Release every resource that the box holds."""
        for name in [name for name, holder in self._holders.items() if holder is box]:
            self.give_back(box, name)

    def give_back(self, box, name):  # type: (PlayedBox, str) -> None
        """Release one resource, if the box holds it."""
        if self._holders.get(name) is box:
            del self._holders[name]
            self._freed.pop(name, SimEvent(self._clock)).set()

    def is_free(self, name):  # type: (str) -> bool
        """Tell whether no box holds the resource."""
        return name not in self._holders

    def _take(self, box, resource):  # type: (PlayedBox, Resource) -> bool
        name = resource.name
        end = None if resource.timeout < 0 else self._clock.now() + resource.timeout
        while name in self._holders and not box.is_inside(self._holders[name]):
            holder = self._holders[name]
            if _stops_on_demand(holder, name):
                holder.lose(name)
                self.give_back(holder, name)
                continue
            left = None if end is None else end - self._clock.now()
            freed = self._freed.setdefault(name, SimEvent(self._clock))
            if (left is not None and left <= 0) or not self._clock.wait(freed, left):
                return False
        self._holders.setdefault(name, box)
        return True


def _stops_on_demand(holder, name):  # type: (PlayedBox, str) -> bool
    return any(held.name == name and held.type == STOP_ON_DEMAND for held in holder.plan.box.resources)
