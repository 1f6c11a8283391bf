"""ALPreferenceManager and the older ALPreferences, whose values are kept in the robot's preferences."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, overloads

MYPY = False
if MYPY:
    from typing import Any, Dict, List

MOST_PREFERENCES = 1000


class ALPreferenceManager(Service):
    """Keeps values by domain and setting, in the robot's preferences."""

    def getValue(self, domain, setting):  # type: (str, str) -> Any
        """Return a preference, None when it was never set."""
        return self._domain(domain, "getValue").get(self._text(setting, "getValue", 1))

    def setValue(self, domain, setting, value):  # type: (str, str, Any) -> None
        """Set a preference."""
        values = self._domain(domain, "setValue")
        if len(values) >= MOST_PREFERENCES:
            raise self._error("setValue", "The domain %s has %d settings already." % (domain, MOST_PREFERENCES))
        self.world.memory.insertData("preferences/%s/%s" % (domain, self._text(setting, "setValue", 1)), value)
        values[setting] = value
        self.world.preferences[domain] = values

    def getValueList(self, domain):  # type: (str) -> List[List[Any]]
        """List the [setting, value] pairs of a domain."""
        return [[setting, value] for setting, value in sorted(self._domain(domain, "getValueList").items())]

    def getDomainList(self):  # type: () -> List[str]
        """List the domains."""
        return sorted(str(domain) for domain in self.world.preferences)

    def removeValue(self, domain, setting):  # type: (str, str) -> None
        """Remove a preference; raise RuntimeError when it was never set."""
        values = self._domain(domain, "removeValue")
        if self._text(setting, "removeValue", 1) not in values:
            raise self._error("removeValue", "%s/%s was never set." % (domain, setting))
        del values[setting]

    @overloads("{s{sm}}")
    def setValues(self, values):  # type: (Dict[str, Dict[str, Any]]) -> None
        """Set several preferences: a map of domains to maps of settings."""
        if not isinstance(values, dict) or not all(isinstance(each, dict) for each in values.values()):
            raise self._mistyped(values, "Map", "setValues", 0)
        for domain, settings in sorted(values.items()):
            for setting, value in sorted(settings.items()):
                self.setValue(domain, setting, value)

    def removeDomainValues(self, domain):  # type: (str) -> None
        """Remove a domain."""
        self._text(domain, "removeDomainValues")
        self.world.preferences.pop(domain, None)

    def update(self):  # type: () -> None
        """Do nothing: there is no cloud to update from."""

    def _domain(self, domain, method):  # type: (str, str) -> Dict[str, Any]
        known = self.world.preferences.get(self._text(domain, method))
        return known if isinstance(known, dict) else {}


class ALPreferences(Service):
    """Keeps lists of preferences, as NAOqi 1.x did."""

    def readPrefFile(self, name, auto_save):  # type: (str, bool) -> Any
        """Return a list of preferences; raise RuntimeError when it was never written."""
        self._flag(auto_save, "readPrefFile", 1)
        kept = self.world.preferences.get(self._text(name, "readPrefFile"))
        if not isinstance(kept, list):
            raise self._error("readPrefFile", "The preference file %s does not exist." % name)
        return list(kept)

    def writePrefFile(self, name, preferences, auto_save):  # type: (str, Any, bool) -> None
        """Write a list of preferences."""
        self._flag(auto_save, "writePrefFile", 2)
        self.world.preferences[self._text(name, "writePrefFile")] = self._list(preferences, "writePrefFile", 1)

    def removePrefFile(self, name):  # type: (str) -> None
        """Remove a list of preferences."""
        self.world.preferences.pop(self._text(name, "removePrefFile"), None)
