"""The changes that an old behaviour needs for NAOqi 2.8: renamed calls, the namespace of its file, old Python.

`list_changes` names them for a script; `migrate_file` makes those that a rule can make. A changed script still runs on
the robot's Python 2.7.
"""

from __future__ import absolute_import, division, print_function

import re

from naosim.compat import native, to_unicode

MYPY = False
if MYPY:
    from typing import Callable, Iterator, Match, Pattern

    Replacement = str | Callable[[Match[str]], str]

TARGETS = ("2.8",)  # the versions of NAOqi that behaviours can be changed for

# Calls.

#: Methods by their old and their new name, with the same arguments.
_RENAMED = """
    walkTo moveTo, walkInit moveInit, walkIsActive moveIsActive, stopWalk stopMove, killWalk killMove,
    waitUntilWalkIsFinished waitUntilMoveIsFinished, setWalkArmsEnabled setMoveArmsEnabled,
    getWalkArmsEnabled getMoveArmsEnabled, getFootGaitConfig getMoveConfig, setWordListAsVocabulary setVocabulary,
    unsetTarget stopTracker, addTarget registerTarget, removeTarget unregisterTarget,
    removeAllTargets unregisterAllTargets, getTargetNames getSupportedTargets,
    getHorizontalAperture getHorizontalFOV, getVerticalAperture getVerticalFOV, getLanguageList getAvailableLanguages,
    getInstalledBehaviorsList getInstalledBehaviors
"""
#: Calls and services without a counterpart that takes the same arguments, with advice.
_ADVICE = """
    .setWalkTargetVelocity( use ALMotion.moveToward and leave the frequency out;
    .positionInterpolation( use ALMotion.positionInterpolations with lists;
    .transformInterpolation( use ALMotion.transformInterpolations with lists;
    .setPosition( use ALMotion.setPositions;
    .changePosition( use ALMotion.setPositions;
    .setTransform( use ALMotion.setTransforms;
    .changeTransform( use ALMotion.setTransforms;
    .getDataOnChange( use ALMemory.getData;
    .playBehavior( use ALBehaviorManager.startBehavior;
    .newBehaviorFromFile( use ALBehaviorManager.startBehavior;
    .newBehaviorFromChoregraphe( use ALBehaviorManager.startBehavior;
    .installBehavior( use PackageManager.install;
    .removeBehavior( use PackageManager.removePkg;
    .getVIM use ALVideoDevice.getParameter;
    .getGVM use ALVideoDevice.getResolution, getColorSpace and getFrameRate;
    ALRobotPose" use ALRobotPosture;
    ALFaceTracker use ALTracker;
    ALRedBallTracker use ALTracker;
    ALAudioSourceLocalization use ALSoundLocalization;
    ALPreferences" use ALPreferenceManager;
    ALSentinel no robot has it;
    ALUserInfo use ALUserSession;
    ALVideoRecorder no robot has it;
    ALVisualCompass no robot has it;
    ALInfrared no robot has it;
    ALResourceManager no robot has it
"""

# Old Python: only what means the same on Python 2.7 is changed.


def _print_call(found):  # type: (re.Match[str]) -> str
    return "%sprint(%s)" % (found.group(1), found.group(2).rstrip())


#: Regular expressions with their replacements, and the sentences about them.
_PYTHON_RULES = [  # type: list[tuple[str, Replacement | None, str]]
    (
        r"^([ \t]*except[ \t]+(?:[\w.]+|\([^()\n]*\)))[ \t]*,[ \t]*(\w+)[ \t]*:",
        r"\1 as \2:",
        "`except X, e` is `except X as e`",
    ),
    # Only in lines without texts.
    (r"^([^'\"#\n]*)<>([^'\"\n]*)$", r"\1!=\2", "`<>` is `!=`"),
    (r"^([^'\"#\n]*)(?<![\w.])0([1-7][0-7]*)(?![\w.])([^'\"\n]*)$", r"\g<1>0o\2\3", "an octal number begins with 0o"),
    (
        r"^([ \t]*)print[ \t]+((?:\"[^\"\n%,]*\"|'[^'\n%,]*'|[\w.]+(?:\([\w.]*\))?))[ \t]*$",
        _print_call,
        "print is a function",
    ),
]
_PYTHON_ADVICE = [
    (r"^[ \t]*print[ \t]+[^(\n=]", "print is a function, and needs brackets"),
    (r"\.has_key\(", "use `in` instead of has_key"),
    (r"\.(?:iteritems|itervalues|iterkeys)\(", "use items, values and keys"),
    (r"\b(?:unicode|basestring|xrange|raw_input|unichr)\(", "Python 3 lacks this function"),
    (r"^[ \t]*(?:import|from)[ \t]+(?:urllib2|urlparse|ConfigParser|Queue|StringIO|cPickle|httplib|thread|commands)\b",
     "the module has another name in Python 3"),
    (r"^[ \t]*raise[ \t]+[\w.]+[ \t]*,", "`raise X, y` is `raise X(y)`"),
    (r"\bqi\.async\(", "qi.async is qi.runAsync in Python 3"),
]  # fmt: skip


def _compile_rules():  # type: () -> list[tuple[Pattern[str], Replacement | None, str]]
    """List all rules: the regular expression, its replacement (None if a person must write it), and the sentence."""
    found = []  # type: list[tuple[Pattern[str], Replacement | None, str]]
    for old, new in map(str.split, _RENAMED.split(",")):
        found.append((re.compile(r"\.%s(?=\s*\()" % old), "." + new, "%s is called %s" % (old, new)))
    for line in _ADVICE.strip().split(";"):
        text, advice = line.strip().split(" ", 1)
        found.append((re.compile(re.escape(text)), None, "%s: %s" % (text.strip('.("'), advice)))
    found += [(re.compile(text, re.M), new, said) for text, new, said in _PYTHON_RULES]
    return found + [(re.compile(text, re.M), None, said) for text, said in _PYTHON_ADVICE]


_RULES = _compile_rules()
_COMMENT = re.compile(r"^[ \t]*#")


def list_changes(script):  # type: (str) -> Iterator[tuple[int, str, bool]]
    """Yield the line, the sentence and whether a rule can make the change, for each change that a script needs."""
    for number, line in enumerate(script.split("\n"), 1):
        after = migrate_script(line)
        for pattern, new, said in () if _COMMENT.match(line) else _RULES:
            if pattern.search(line if new is not None else after):
                yield number, said, new is not None


def migrate_script(script):  # type: (str) -> str
    """Make the changes of a script that a rule can make.

    >>> print(migrate_script("self.motion.walkTo(1, 0, 0)"))
    self.motion.moveTo(1, 0, 0)
    """
    return "\n".join(line if _COMMENT.match(line) else _migrate_line(line) for line in script.split("\n"))


def _migrate_line(line):  # type: (str) -> str
    for pattern, new, _ in _RULES:
        if new is not None:
            line = pattern.sub(new, line)
    return line


# Files.

_SCRIPT = re.compile(r"(?<=<!\[CDATA\[)(.*?)(?=\]\]>)", re.DOTALL)
_OLD_NAMESPACE = "http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd"
_NEW_NAMESPACE = "http://www.ald.softbankrobotics.com/schema/choregraphe/project.xsd"
OLD_NAMESPACE_SENTENCE = "The file has the namespace of Choregraphe 1: Choregraphe 2.8 writes another one."


def has_old_namespace(head):  # type: (bytes) -> bool
    """Return whether the first lines of a behavior.xar have the old namespace."""
    return _OLD_NAMESPACE.encode("ascii") in head


def migrate_file(content):  # type: (bytes) -> bytes
    """Make the changes of a behavior.xar that a rule can make; all other bytes stay the same."""
    text = to_unicode(content).replace(_OLD_NAMESPACE, _NEW_NAMESPACE, 1)
    return to_unicode(_SCRIPT.sub(lambda found: to_unicode(migrate_script(native(found.group(1)))), text)).encode(
        "utf-8"
    )
