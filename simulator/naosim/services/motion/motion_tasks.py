"""The part of ALMotion that books joints: a movement waits for those before it, and can be killed on the way."""

from __future__ import absolute_import, division, print_function

from naosim import kinematics
from naosim.scheduler import SimEvent
from naosim.services.motion.safety import Safety

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Iterable, List, Tuple, Union

    from naosim.world import World

    Names = Union[str, List[str]]


class MotionTask(object):
    """A movement under way, or one that waits until its joints are free."""

    def __init__(self, number, name, booked, event):  # type: (int, str, Iterable[str], SimEvent) -> None
        self.number, self.name, self.event = number, name, event
        self.joints = frozenset(kinematics.SHARED_MOTORS.get(joint, joint) for joint in booked)
        self.is_killed, self.waits = False, True

    def kill(self):  # type: () -> None
        """End the movement, or the waiting for it."""
        self.is_killed = True
        self.event.set()


class MotionTasks(Safety):
    """Movements with a number; the joints of each stay its own until it ends, whoever else wants them."""

    _hidden = frozenset(["stopAll"])

    def __init__(self, world):  # type: (World) -> None
        Safety.__init__(self, world)
        self._tasks = []  # type: List[MotionTask]
        self._tasks_made = 0
        self._postponed = {}  # type: Dict[str, Tuple[float, float]]

    def getTaskList(self):  # type: () -> Any
        """List the movements under way, each as its name and its number."""
        return [[task.name, task.number] for task in self._tasks]

    def killTask(self, number):  # type: (int) -> bool
        """End a movement; its joints keep the angles they have reached. Return whether there was one of this number."""
        wanted = int(self._number(number, "killTask"))
        found = [task for task in self._tasks if task.number == wanted]
        for task in found:
            task.kill()
        return bool(found)

    def killTasksUsingResources(self, names):  # type: (List[str]) -> None
        """End the movements of joints; they keep the angles they have reached."""
        chosen = self._joints(self._texts(names, "killTasksUsingResources"), "killTasksUsingResources")
        for task in self._using(chosen):
            task.kill()
        self.world.body.halt(chosen)

    def areResourcesAvailable(self, names):  # type: (List[str]) -> bool
        """Tell whether no movement has booked any of some joints."""
        chosen = self._joints(self._texts(names, "areResourcesAvailable"), "areResourcesAvailable")
        return bool(chosen) and not self._using(chosen)

    def stopAll(self):  # type: () -> None
        """End every call that is taking time."""
        for task in list(self._tasks):
            task.kill()
        Safety.stopAll(self)

    def leftovers(self):  # type: () -> List[str]
        """List movements that have not ended."""
        return ["ALMotion is still moving."] if self._tasks else []

    def _perform(self, method, chosen, start, **fields):
        # type: (str, Iterable[str], Callable[[], float], **Any) -> bool
        """Book joints, call `start`, which returns the seconds it takes, and return whether they passed undisturbed."""
        self._tasks_made += 1
        task = MotionTask(self._tasks_made, method, chosen, SimEvent(self.world.clock))
        self._tasks.append(task)
        try:
            while not task.is_killed and self._must_wait(task):
                task.event = SimEvent(self.world.clock)
                self._take_time(None, task.event)
            if task.is_killed:
                return False
            task.waits = False
            seconds = start()
            self.world.trace.note("motion", method=method, duration=round(seconds, 3), **fields)
            task.event = SimEvent(self.world.clock)
            if self._take_time(seconds, task.event):
                self.world.body.halt(task.joints)
                return False
            return True
        finally:
            self._tasks.remove(task)
            self._freed(task)

    def _must_wait(self, task):  # type: (MotionTask) -> bool
        """Tell whether a movement that was ordered earlier has one of the joints."""
        return any(other.joints & task.joints for other in self._tasks[: self._tasks.index(task)])

    def _using(self, chosen):  # type: (Iterable[str]) -> List[MotionTask]
        wanted = {kinematics.SHARED_MOTORS.get(joint, joint) for joint in chosen}
        return [task for task in self._tasks if task.joints & wanted]

    def _freed(self, task):  # type: (MotionTask) -> None
        """Let those go on that waited for the joints of a movement: other movements, then targets set meanwhile."""
        for other in self._tasks:
            if other.waits and other.joints & task.joints and not self._must_wait(other):
                other.event.set()
        for joint in sorted(task.joints & set(self._postponed)):
            if not self._using([joint]):
                self.world.body.turn(joint, *self._postponed.pop(joint))

    def _aim(self, joint, angle, fraction):  # type: (str, float, float) -> None
        """Turn a joint to an angle from now on, or as soon as the movement that has booked it ends."""
        if self._using([joint]):
            self._postponed[kinematics.SHARED_MOTORS.get(joint, joint)] = angle, fraction
        else:
            self.world.body.turn(joint, angle, fraction)

    def _joints(self, names, method):  # type: (Names, str) -> List[str]
        """List the joints that names of joints and chains stand for; raise RuntimeError for another name."""
        chosen = []  # type: List[str]
        for name in self._as_list(names):
            found = kinematics.joints_of(self._text(name, method))
            if not found:
                raise self._error(method, "%s is not a joint or a chain of this robot." % name)
            chosen += found
        return chosen

    @staticmethod
    def _as_list(value):  # type: (Any) -> List[Any]
        return list(value) if isinstance(value, (list, tuple)) else [value]
