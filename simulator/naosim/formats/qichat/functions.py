"""The functions of an answer, `^goto(tag)` and its kind: which there are, what they take, and what cannot be done."""

from __future__ import absolute_import, division, print_function

import re

from naosim.formats.qichat.syntax import Node, split, template

MYPY = False
if MYPY:
    from typing import Callable, Dict, Optional

#: How an alternative is chosen after these functions.
CHOICES = {"rand": "rand", "first": "first"}
#: Functions by their name in lower case: the number of arguments they take.
COUNTS = {
    "goto": (1, 2),
    "gotoreactivate": (1, 2),
    "gotorandom": (1,),
    "topictag": (2,),
    "topictagreactivate": (2,),
    "sameproposal": (0,),
    "previousproposal": (0,),
    "nextproposal": (0,),
    "firstproposal": (0,),
    "stayinscope": (0,),
    "activate": (1,),
    "deactivate": (1,),
    "reactivate": (1,),
    "enable": (1,),
    "disable": (1,),
    "enablethis": (0,),
    "disablethis": (0,),
    "clear": (1,),
    "break": (0,),
    "empty": (0,),
    "noanswer": (0,),
    "switchfocus": (1,),
    "enumerate": (1, 2),
    "call": (1,),
    "pcall": (1,),
}
#: Other names of a function.
SAME = {"reactivate": "activate", "enable": "activate", "disable": "deactivate", "noanswer": "empty"}
#: What ALAnimatedSpeech does, by its name in lower case; it is handed on as it stands.
SPEECH = {
    name.lower(): name
    for name in (
        "start",
        "wait",
        "run",
        "stop",
        "startSound",
        "waitSound",
        "runSound",
        "stopSound",
        "startTag",
        "waitTag",
        "runTag",
        "stopTag",
        "mode",
    )
}
KNOWLEDGE = re.compile("knowledge|metadata", re.IGNORECASE)
CALL = re.compile(r"^([A-Za-z_]\w*)\.([A-Za-z_]\w*)\s*\((.*)\)$", re.DOTALL)
LONGEST_CALL = 2000  # characters


def made(name, arguments, bad):  # type: (str, Optional[str], Callable[[str], Exception]) -> Node
    """Return the node of a function of an answer; raise what `bad` makes of a sentence for one that there is not."""
    known = name.lower()
    if known in SPEECH:
        if not arguments:
            raise bad("^%s needs a name in parentheses" % name)
        return Node("text", ("^%s(%s)" % (SPEECH[known], arguments),))
    if KNOWLEDGE.search(name):
        raise bad("^%s needs ALKnowledge, which the simulated robot does not have," % name)
    if known not in COUNTS:
        raise bad("^%s is no function of an answer" % name)
    if known in ("call", "pcall"):
        return _call(known, arguments or "", bad)
    given = split(arguments or "")
    if len(given) not in COUNTS[known]:
        raise bad("^%s takes %s arguments, not %d," % (name, " or ".join(map(str, COUNTS[known])), len(given)))
    if known == "enumerate":
        if not given[0].startswith("~") or (given[1:] and not given[1].isdigit()):
            raise bad("^enumerate takes a ~concept and a number")
        return Node("enumerate", (given[0][1:].strip(), int(given[1][:4]) if given[1:] else None))
    return Node("do", (SAME.get(known, known),) + tuple(each.strip("\"'%$") for each in given))


def _call(known, arguments, bad):  # type: (str, str, Callable[[str], Exception]) -> Node
    """Read `Service.method(argument, ...)`."""
    found = CALL.match(arguments)
    if found is None or len(arguments) > LONGEST_CALL:
        raise bad(
            "^call and ^pCall take Service.method(arguments), at most %d characters, not %.60r,"
            % (LONGEST_CALL, arguments)
        )
    given = tuple(template(each) for each in split(found.group(3)))
    return Node(known, (found.group(1), found.group(2), given))
