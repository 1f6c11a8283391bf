"""The types that several modules of the simulated robot share; only type checkers read them.

The classes are in higher modules, which the lower ones must not import. These protocols have what the lower ones use.
"""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Protocol, Sequence

    #: A value that NAOqi passes between robot and scripts: None, a bool, a number, a text, bytes, or a list or map of
    #: these. It is an object, so that code has to check its type before it uses it.
    ALValue = object
    #: A value decoded from JSON. It stays without a type, because only the code that knows the message knows its parts.
    JsonValue = Any

    class RobotService(Protocol):
        """A service, the robot's or a script's, as proxies and other services use it."""

        name = ""  # type: str

        def remote(self, method):  # type: (str) -> Callable[..., ALValue]
            """Return the method with this name; raise the robot's RuntimeError if programs cannot call it."""

        def call(self, method, args):  # type: (str, Sequence[ALValue]) -> ALValue
            """Call a method and return its result; raise the robot's RuntimeError if it refuses."""

        def getMethodList(self):  # type: () -> List[str]
            """List the methods that programs can call."""

    class EventSignal(Protocol):
        """The signal of an event, to which scripts connect callbacks."""

        family = ()  # type: Sequence[str]

        def connect(self, callback):  # type: (Callable[[ALValue], object]) -> int
            """Call a callback for each event from now on; return the number of the link."""

    class EventSubscriber(Protocol):
        """The object that ALMemory returns for an event."""

        @property
        def signal(self):  # type: () -> EventSignal
            """The signal of the event."""

    class RobotMemory(RobotService, Protocol):
        """ALMemory, as other services and the robot use it."""

        def getData(self, key, period=0):  # type: (str, int) -> ALValue
            """Return a value; raise the robot's RuntimeError if there is none."""

        def insertData(self, key, value):  # type: (str, ALValue) -> None
            """Store a value without an event."""

        def raiseEvent(self, event, value):  # type: (str, ALValue) -> None
            """Store a value and call the subscribers."""

        def removeData(self, key):  # type: (str) -> None
            """Remove a value."""

        def getDataListName(self):  # type: () -> List[str]
            """List the keys."""

        def getSubscribers(self, event):  # type: (str) -> List[str]
            """List the modules that are subscribed to an event."""

        def subscriber(self, event):  # type: (str) -> EventSubscriber
            """Return an object with the signal of an event."""

        def is_heard(self, event):  # type: (str) -> bool
            """Return whether an event has listeners."""

        def link(self, event, callback):  # type: (str, Callable[[ALValue], object]) -> int
            """Connect a callback to the signal of an event; return the number of the link."""

        def unlink(self, event, link):  # type: (str, int) -> None
            """Disconnect a callback."""

        def heard_events(self):  # type: () -> List[str]
            """List the events that have listeners."""

        def getEventList(self):  # type: () -> List[str]
            """List the events."""

        def signal_types(self, event):  # type: (str) -> Optional[List[str]]
            """Return the signatures of the values of a service's signal, None for other events."""

        def stored_values(self):  # type: () -> Dict[str, ALValue]
            """Return the stored values by key."""

    class SpeechEngine(Protocol):
        """A service that listens to phrases: the recogniser, the dialogs, or Autonomous Life."""

        @property
        def vocabulary(self):  # type: () -> Sequence[str]
            """The phrases that it listens to."""

        @property
        def spotting(self):  # type: () -> bool
            """Whether it finds a phrase inside a longer sentence."""

        def heard(self, sentence, confidence):  # type: (str, float) -> bool
            """Take in a phrase; return whether it was understood."""

    class LoadedBehaviour(Protocol):
        """A loaded behaviour."""

        id = ""  # type: str

    class BoxObserver(Protocol):
        """A witness of boxes: the player calls it while they run, so it must not wait or raise."""

        def loaded(self, behaviour):  # type: (LoadedBehaviour) -> None
            """Notice that a behaviour was loaded."""

        def unloaded(self, behaviour):  # type: (LoadedBehaviour) -> None
            """Notice that a behaviour was unloaded."""

        def changed(self, box):  # type: (object) -> None
            """Notice that a box or one of its handlers has begun or ended something."""

        def signalled(self, diagram, box, port, route, value):  # type: (Any, int, int, Any, ALValue) -> None
            """Notice that a box of a diagram has sent a signal."""
