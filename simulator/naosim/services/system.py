"""The robot itself: its name, version, log, battery, network, preferences, notifications and knowledge."""

from __future__ import absolute_import, division, print_function

from naosim.compat import TEXTS, native
from naosim.services.base import (
    CallbackSignal,
    Service,
    constant,
    declare,
    no_effect,
    nothing,
    overloads,
    read_signals,
    text_setting,
)
from naosim.services.memory import copy_alvalue
from naosim.services.memory_keys import DEVICE_PREFIX
from naosim.world import Event, World, schedule_guarded

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Tuple

    from naosim.compat import ALValue

# Name, version, log, battery and network.

#: The levels of a log, the least verbose first.
_LOG_LEVELS = ["silent", "fatal", "error", "warning", "info", "verbose", "debug"]


@declare(
    text_setting("RobotName", "nao", "the robot's name", ("setRobotName", "robotName"), answer=True),
    text_setting(
        "Timezone", "Etc/UTC", "the time zone, which the clock ignores", ("setTimezone", "timezone"), answer=True
    ),
    constant("previousSystemVersion", "", 'Return "", the version before the last update: there was none.'),
    constant("freeMemory", 500000, "Return the free memory in kilobytes."),
    constant("totalMemory", 1000000, "Return the memory in kilobytes."),
    no_effect("changePassword(ss)v upgrade(ss)v", "The simulated robot has no password and no updates"),
    no_effect("robotIcon()m", "The simulated robot has no icon"),
)
class ALSystem(Service):
    """The robot's name, version, time zone and memory."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        if world.robot_type == "Juliette":
            self._kept["RobotName"] = "Pepper"

    def systemVersion(self):  # type: () -> str
        """Return the version of the system."""
        return self.version()

    def systemInfo(self):  # type: () -> ALValue
        """Return system, kind and version."""
        return ["naosim", "simulated", self.version()]

    def diskFree(self, everything):  # type: (bool) -> ALValue
        """List the disks: place, kind, bytes used, bytes free."""
        self._flag(everything, "diskFree")
        return [["/", "simulated", 1000000, 1000000]]

    def reboot(self):  # type: () -> None
        """Refuse: a behaviour should not restart the robot."""
        raise self._error("reboot", "A simulated robot does not reboot.")

    def shutdown(self):  # type: () -> None
        """Refuse: a behaviour should not switch the robot off."""
        raise self._error("shutdown", "A simulated robot does not shut down.")


@declare(
    no_effect(
        "logInFile(s)v logInForwarder(s)v logInStd()v logInSys()v removeHandler(s)v", "All messages are in the trace"
    ),
    no_effect("separator()v setFilter()v", "All messages are in the trace"),
)
class ALLogger(Service):
    """Records log messages; as on the robot, a logged error does not count as an error of the run."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._verbosity = _LOG_LEVELS.index("info")

    def fatal(self, module, message):  # type: (str, str) -> None
        """Log a fatal error."""
        self._log("fatal", module, message)

    def error(self, module, message):  # type: (str, str) -> None
        """Log an error."""
        self._log("error", module, message)

    def warn(self, module, message):  # type: (str, str) -> None
        """Log a warning."""
        self._log("warn", module, message)

    def info(self, module, message):  # type: (str, str) -> None
        """Log a remark."""
        self._log("info", module, message)

    def lowInfo(self, module, message):  # type: (str, str) -> None
        """Log a less important remark."""
        self._log("verbose", module, message)

    def lowDebug(self, module, message):  # type: (str, str) -> None
        """Log a less important detail for programmers."""
        self._log("debug", module, message)

    def debug(self, module, message):  # type: (str, str) -> None
        """Log a detail for programmers."""
        self._log("debug", module, message)

    def setVerbosity(self, level):  # type: (str) -> None
        """Set the level of logging; a simulated robot logs everything all the same."""
        self._verbosity = _LOG_LEVELS.index(self._one_of(level, _LOG_LEVELS, "setVerbosity", "level"))

    def verbosity(self):  # type: () -> int
        """Return the level of logging, 0 for nothing to 6 for everything."""
        return self._verbosity

    def _log(self, level, module, message):  # type: (str, str, str) -> None
        self._text(module, level)
        self.world.trace.note("log", level=level, name=module, text=self._text(message, level, 1))


_CHARGE_KEY = DEVICE_PREFIX + "Battery/Charge/Sensor/Value"


class ALBattery(Service):
    """The charge of the battery: full, unless a person sets it otherwise."""

    def getBatteryCharge(self):  # type: () -> int
        """Return the charge in per cent."""
        return int(100 * self._number(self.world.memory.getData(_CHARGE_KEY), "getBatteryCharge") + 0.5)

    def enablePowerMonitoring(self, enabled):  # type: (bool) -> None
        """Check and ignore whether the battery warns: its events are raised all the same."""
        self._flag(enabled, "enablePowerMonitoring")


_CABLE_ID = "ethernet_000000000000_cable"
_CABLE = [
    ["ServiceId", _CABLE_ID],
    ["Name", "Wired"],
    ["Type", "ethernet"],
    ["State", "online"],
    ["Strength", 100],
    ["Security", []],
    ["Favorite", True],
    ["AutoConnect", True],
    ["Error", ""],
    ["IPv4", [["Method", "dhcp"], ["Address", "127.0.0.1"]]],
]  # type: List[List[Any]]

_NETWORK_METHODS = """
    connect(s)v disconnect(s)v forget(s)v setServiceConfiguration(m)v setServiceInput(m)v
    enableTethering(s)v enableTethering(sss)v disableTethering(s)v getTetheringEnable(s)b tetheringName(s)s
    tetheringPassphrase(s)s countries()[s] country()s setCountry(s)v
"""


@declare(
    constant("state", "online", 'Return the state of the network: always "online".'),
    constant("technologies", [], "List the technologies to reach a network: none.", "ALValue"),
    constant("interfaces", [], "List the network interfaces: none.", "ALValue"),
    no_effect(_NETWORK_METHODS, "The simulated robot has no network settings"),
)
class ALConnectionManager(Service):
    """The network: a cable that is always connected. The names of its values are those that a NAO6 has (robot-hub)."""

    def services(self):  # type: () -> ALValue
        """List the networks in reach, each as pairs of a name and a value: the cable."""
        return [copy_alvalue(_CABLE)]

    def service(self, service_id):  # type: (str) -> ALValue
        """Return a network of `services` by its ServiceId; raise RuntimeError for another."""
        if self._text(service_id, "service") != _CABLE_ID:
            raise self._error("service", "No network has the id %r. Known: %s." % (service_id, _CABLE_ID))
        return copy_alvalue(_CABLE)

    @overloads("", "s")
    def scan(self, technology=None):  # type: (Optional[str]) -> None
        """Look for networks, by one technology or by all: there are none to find."""
        if technology is not None:
            self._text(technology, "scan")


_USER_METHODS = """
    doUsersExist([i])b areUserSessionsOpen([i])b areUsersPermanent([i])b getPermanentUserList()[i] getBindingList()[s]
    doesBindingExist(s)b getUserBinding(is)s findUsersWithBinding(ss)[i] getUsidFromPpid(i)i getPpidFromUsid(i)i
    getBindingSources()[s] doesBindingSourceExist(s)b getUserDataSources()[s] doesUserDataSourceExist(s)b
    getUserData(iss)m getUserData(is)m setUserData(issm)v getUserBindings(i)m getUserCreationDate(i)s
    getFirstEncounterDate(i)s getCurrentEncounterDate(i)s getLastEncounterDate(i)s getSecondsSinceLastEncounter(i)i
"""


@declare(
    constant("getFocusedUser", -1, "Return -1: no person is in focus."),
    constant("getOpenUserSessions", [], "List the people in sight: none.", "List[int]"),
    constant("getNumUsers", 0, "Return the number of known people: 0."),
    constant("getUserList", [], "List the known people: none.", "List[int]"),
    no_effect(_USER_METHODS, "The robot has no users that it knows by face"),
)
class ALUserSession(Service):
    """The known people: there are none."""

    def doesUserExist(self, user):  # type: (int) -> bool
        """Return False: no person is known."""
        return self._is_known(user, "doesUserExist")

    def isUserSessionOpen(self, user):  # type: (int) -> bool
        """Return False: no person is in sight."""
        return self._is_known(user, "isUserSessionOpen")

    def isUserPermanent(self, user):  # type: (int) -> bool
        """Return False: no person is known permanently."""
        return self._is_known(user, "isUserPermanent")

    def _is_known(self, user, method):  # type: (int, str) -> bool
        self._number(user, method)
        return False


@declare(
    constant("hasArms", True, "Return True: the robot has arms."),
    constant("hasHands", True, "Return True: the robot has hands."),
    constant("hasLegs", True, "Return True: the robot has legs."),
)
class ALRobotModel(Service):
    """The kind of robot and its limbs."""

    def getRobotType(self):  # type: () -> str
        """Return the kind of robot: "Nao", "Juliette" (which is Pepper) or "Romeo"."""
        return str(self.world.robot_type)


# LogManager.

#: The fields of a message, in their order.
_MESSAGE_FIELDS = ("source", "level", "category", "location", "message", "id", "date", "systemDate")
_MAX_MESSAGES = 1000  # in one call
_MAX_LISTENERS = 100
_LEVEL_WORDS = {"warn": "warning"}


class LogManager(Service):
    """Writes messages into the log, which is in the trace, and passes them to listeners."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._listeners = []  # type: List[_LogListener]
        self._providers = {}  # type: Dict[int, object]
        self._provider_count = 0

    def log(self, messages):  # type: (ALValue) -> None
        """Log messages, each a map or a list of source, level (1 fatal to 6 debug), category, location and text."""
        rows = [_complete_message(message) for message in self._list(messages, "log")[:_MAX_MESSAGES]]
        for row in rows:
            level = int(self._number(row["level"], "log", 0, 0, len(_LOG_LEVELS) - 1))
            name, text = self._text(row["category"], "log"), self._text(row["message"], "log")
            self.world.trace.note("log", level=_LOG_LEVELS[level], name=name, text=text)

    def createListener(self):  # type: () -> ALValue
        """Return a listener, whose onLogMessage passes on all later messages; it stays inside the robot."""
        if len(self._listeners) >= _MAX_LISTENERS:
            raise self._error("createListener", "There are already %d listeners." % _MAX_LISTENERS)
        if not self._listeners:
            self.world.trace.listeners.append(self._pass_on)
        self._listeners.append(_LogListener(self.world))
        return self._listeners[-1]

    getListener = createListener  # the old name

    def addProvider(self, provider):  # type: (ALValue) -> int
        """Accept a source of messages, which is never asked for any, and return its number."""
        self._provider_count += 1
        self._providers[self._provider_count] = True
        return self._provider_count

    def removeProvider(self, number):  # type: (int) -> None
        """Forget a source of messages; raise RuntimeError for an unknown number."""
        if self._providers.pop(int(self._number(number, "removeProvider")), None) is None:
            raise self._error("removeProvider", "There is no provider %d." % number)

    def _pass_on(self, event):  # type: (Event) -> None
        if event.kind == "log":
            level = _LEVEL_WORDS.get(event.fields["level"], event.fields["level"])
            number = _LOG_LEVELS.index(level) if level in _LOG_LEVELS else _LOG_LEVELS.index("info")
            category = event.fields.get("name") or event.fields.get("box") or ""
            for listener in self._listeners:
                listener.tell(number, category, event.fields["text"], event.time)


class _LogListener(object):
    """Passes log messages up to a level to its callbacks."""

    def __init__(self, world):  # type: (World) -> None
        self._level, self._filters = _LOG_LEVELS.index("info"), {}  # type: int, Dict[str, int]
        self.onLogMessage = CallbackSignal(world, schedule_guarded)

    def setLevel(self, level):  # type: (int) -> None
        """Report messages up to a level, 1 (fatal errors) to 6 (details for programmers)."""
        self._level = int(level)

    def addFilter(self, category, level):  # type: (str, int) -> None
        """Report messages of a category up to its own level; "*" at the end matches every ending."""
        self._filters[str(category)] = int(level)

    def clearFilters(self):  # type: () -> None
        self._filters.clear()

    def tell(self, level, category, message, time):  # type: (int, str, str, float) -> None
        """Call the callbacks with a message, unless its level is too high."""
        prefixes = [category[:count] + "*" for count in range(len(category) + 1)]
        own = [most for name, most in self._filters.items() if name in [category] + prefixes]
        if level <= max(own or [self._level]):
            found = {"source": "", "level": level, "category": category, "location": "naosim", "message": message}
            self.onLogMessage.send(dict(found, systemDate=time))


def _complete_message(message):  # type: (ALValue) -> Dict[str, ALValue]
    """Return a message as a map, with defaults for missing fields."""
    if not isinstance(message, dict):
        message = dict(zip(_MESSAGE_FIELDS, message if isinstance(message, (list, tuple)) else ()))
    return dict({"level": _LOG_LEVELS.index("info"), "category": "", "message": ""}, **message)


# ALPreferenceManager, and ALPreferences of NAOqi 1.

_MAX_PREFERENCES = 1000  # settings of one domain


@declare(
    nothing("update", "there is no cloud to update from"),
    no_effect("importPrefFile(sssb)v", "The simulated robot has no preferences of NAOqi 1"),
)
class ALPreferenceManager(Service):
    """Keeps values by domain and setting, in the robot's preferences."""

    def getValue(self, domain, setting):  # type: (str, str) -> ALValue
        """Return a preference, None if it was never set."""
        return self._domain(domain, "getValue").get(self._text(setting, "getValue", 1))

    def setValue(self, domain, setting, value):  # type: (str, str, ALValue) -> None
        """Set a preference."""
        values = self._domain(domain, "setValue")
        if len(values) >= _MAX_PREFERENCES:
            raise self._error("setValue", "The domain %s has %d settings already." % (domain, _MAX_PREFERENCES))
        self.world.memory.insertData("preferences/%s/%s" % (domain, self._text(setting, "setValue", 1)), value)
        values[setting] = value
        self.world.preferences[domain] = values

    def getValueList(self, domain):  # type: (str) -> List[List[ALValue]]
        """List the [setting, value] pairs of a domain."""
        return [[setting, value] for setting, value in sorted(self._domain(domain, "getValueList").items())]

    def getDomainList(self):  # type: () -> List[str]
        """List the domains."""
        return sorted(str(domain) for domain in self.world.preferences)

    def removeValue(self, domain, setting):  # type: (str, str) -> None
        """Remove a preference; raise RuntimeError if it was never set."""
        values = self._domain(domain, "removeValue")
        if self._text(setting, "removeValue", 1) not in values:
            raise self._error("removeValue", "%s/%s was never set." % (domain, setting))
        del values[setting]

    @overloads("{s{sm}}")
    def setValues(self, values):  # type: (Dict[str, Dict[str, ALValue]]) -> None
        """Set several preferences: a map of domains to maps of settings."""
        if not isinstance(values, dict) or not all(isinstance(each, dict) for each in values.values()):
            raise self._make_type_error(values, "Map", "setValues", 0)
        for domain, settings in sorted(values.items()):
            for setting, value in sorted(settings.items()):
                self.setValue(domain, setting, value)

    def removeDomainValues(self, domain):  # type: (str) -> None
        """Remove a domain."""
        self._text(domain, "removeDomainValues")
        self.world.preferences.pop(domain, None)

    def _domain(self, domain, method):  # type: (str, str) -> Dict[str, ALValue]
        known = self.world.preferences.get(self._text(domain, method))
        return known if isinstance(known, dict) else {}


class ALPreferences(Service):
    """Keeps lists of preferences, as NAOqi 1.x did."""

    def saveToMemory(self, preferences):  # type: (ALValue) -> bool
        """Write a list of preferences, each [name, description, value, ...], into ALMemory."""
        for row in self._list(preferences, "saveToMemory"):
            parts = self._list(row, "saveToMemory")
            if len(parts) > 2:
                self.world.memory.insertData(self._text(parts[0], "saveToMemory"), parts[2])
        return True

    def readPrefFile(self, name, auto_save):  # type: (str, bool) -> ALValue
        """Return a list of preferences; raise RuntimeError if it was never written."""
        self._flag(auto_save, "readPrefFile", 1)
        kept = self.world.preferences.get(self._text(name, "readPrefFile"))
        if not isinstance(kept, list):
            raise self._error("readPrefFile", "The preference file %s does not exist." % name)
        return list(kept)

    def writePrefFile(self, name, preferences, auto_save):  # type: (str, ALValue, bool) -> None
        """Write a list of preferences."""
        self._flag(auto_save, "writePrefFile", 2)
        self.world.preferences[self._text(name, "writePrefFile")] = self._list(preferences, "writePrefFile", 1)

    def removePrefFile(self, name):  # type: (str) -> None
        """Remove a list of preferences."""
        self.world.preferences.pop(self._text(name, "removePrefFile"), None)


# ALNotificationManager.

_MAX_NOTIFICATIONS = 1000
_SEVERITIES = ("info", "warning", "error")


class ALNotificationManager(Service):
    """Keeps notifications until they are removed; each has a number."""

    signals = read_signals("notificationAdded(i) notificationRemoved(i)")

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._notifications = {}  # type: Dict[int, Dict[str, object]]
        self._made = 0

    def add(self, notification):  # type: (ALValue) -> int
        """Add a notification and return its number.

        It is a map, or a list of names and values: a message, a severity ("info", "warning" or "error"), and whether it
        goes once it is read ("removeOnRead").
        """
        pairs = list(notification.items()) if isinstance(notification, dict) else self._list(notification, "add")
        pairs = [pair for pair in pairs if isinstance(pair, (list, tuple)) and len(pair) == 2]
        given = {native(name): value for name, value in pairs if isinstance(name, TEXTS)}
        if len(self._notifications) >= _MAX_NOTIFICATIONS:
            raise self._error("add", "There are already %d notifications: remove some." % _MAX_NOTIFICATIONS)
        row = {
            "message": self._text(given.get("message", ""), "add"),
            "severity": self._one_of(given.get("severity", "info"), list(_SEVERITIES), "add", "severity"),
            "removeOnRead": self._flag(given.get("removeOnRead", True), "add"),
        }
        self._made += 1
        self._notifications[self._made] = row
        self.world.trace.note("log", level=row["severity"], box=self.name, text=row["message"])
        self._emit("notificationAdded", self._made)
        return self._made

    def remove(self, number):  # type: (int) -> None
        """Remove a notification; raise RuntimeError if none exists with this number."""
        self._row(number, "remove")
        del self._notifications[number]
        self._emit("notificationRemoved", number)

    def notification(self, number):  # type: (int) -> ALValue
        """Return a notification as [name, value] pairs."""
        return _check_notification(number, self._row(number, "notification"))

    def notifications(self):  # type: () -> ALValue
        """List the notifications, each as [name, value] pairs."""
        return [_check_notification(number, row) for number, row in sorted(self._notifications.items())]

    def _row(self, number, method):  # type: (ALValue, str) -> Dict[str, ALValue]
        row = self._notifications.get(int(self._number(number, method)))
        if row is None:
            raise self._error(method, "There is no notification %r." % (number,))
        return row


def _check_notification(number, row):  # type: (int, Dict[str, ALValue]) -> List[List[ALValue]]
    return [["id", number]] + [[name, row[name]] for name in ("message", "severity", "removeOnRead")]


# ALKnowledge.

if MYPY:
    Fact = Tuple[str, str, str]

_MAX_FACTS = 2000
_MAX_FACT_LENGTH = 500  # characters of each word
_ASKED_WORD = "?"  # the sign for the word that a query asks for


class ALKnowledge(Service):
    """Keeps facts as long as the robot runs."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._facts = {}  # type: Dict[Tuple[str, Fact], bool]

    def add(self, collection, subject, predicate, thing):  # type: (str, str, str, str) -> None
        """Add a fact."""
        if len(self._facts) >= _MAX_FACTS:
            raise self._error("add", "%d facts are known already: remove some." % _MAX_FACTS)
        self._facts[self._text(collection, "add"), self._fact("add", subject, predicate, thing)] = True

    def contains(self, collection, subject, predicate, thing):  # type: (str, str, str, str) -> bool
        """Return whether a fact is known."""
        fact = self._fact("contains", subject, predicate, thing)
        return (self._text(collection, "contains"), fact) in self._facts

    def getSubject(self, collection, predicate, thing):  # type: (str, str, str) -> List[str]
        """List the subjects that are known with a predicate and an object."""
        return self._list_matches("getSubject", collection, (_ASKED_WORD, predicate, thing))

    def getPredicate(self, collection, subject, thing):  # type: (str, str, str) -> List[str]
        """List the predicates that are known between a subject and an object."""
        return self._list_matches("getPredicate", collection, (subject, _ASKED_WORD, thing))

    def getObject(self, collection, subject, predicate):  # type: (str, str, str) -> List[str]
        """List the objects that are known with a subject and a predicate."""
        return self._list_matches("getObject", collection, (subject, predicate, _ASKED_WORD))

    def query(self, collection, subject, predicate, thing):  # type: (str, str, str, str) -> List[str]
        """List the words that fit where one of the three is "?"."""
        pattern = self._fact("query", subject, predicate, thing)
        if pattern.count(_ASKED_WORD) != 1:
            raise self._error("query", 'One of the three words has to be "?": %.80r.' % (pattern,))
        return self._list_matches("query", collection, pattern)

    def update(self, collection, subject, predicate, thing):  # type: (str, str, str, str) -> None
        """Replace all objects of a subject and a predicate by one."""
        for other in self.getObject(collection, subject, predicate):
            del self._facts[collection, (subject, predicate, other)]
        self.add(collection, subject, predicate, thing)

    def remove(self, collection, subject, predicate, thing):  # type: (str, str, str, str) -> None
        """Remove a fact, if it is known."""
        self._facts.pop((self._text(collection, "remove"), self._fact("remove", subject, predicate, thing)), None)

    def resetKnowledge(self, collection):  # type: (str) -> None
        """Remove all facts of a collection."""
        for key in [key for key in self._facts if key[0] == self._text(collection, "resetKnowledge")]:
            del self._facts[key]

    def _fact(self, method, subject, predicate, thing):  # type: (str, ALValue, ALValue, ALValue) -> Fact
        words = (self._text(subject, method, 1), self._text(predicate, method, 2), self._text(thing, method, 3))
        if max(len(word) for word in words) > _MAX_FACT_LENGTH:
            raise self._error(method, "A word of a fact has at most %d characters: %.60r." % (_MAX_FACT_LENGTH, words))
        return words

    def _list_matches(self, method, collection, pattern):  # type: (str, ALValue, Fact) -> List[str]
        wanted, at = self._fact(method, *pattern), pattern.index(_ASKED_WORD)
        self._text(collection, method)
        facts = [fact for kept, fact in self._facts if kept == collection]
        return sorted(fact[at] for fact in facts if fact[:at] + fact[at + 1 :] == wanted[:at] + wanted[at + 1 :])
