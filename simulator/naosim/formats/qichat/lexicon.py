"""A small lexicon of the concepts that most dialogues use, for topics that include the robot's lexicon_enu.top.

The robot's own lexicon is larger. A lexicon file that stands beside the topic is read instead of this one.
"""

from __future__ import absolute_import, division, print_function

import re

from naosim.compat import native, unescape, unicoded

INCLUDED = re.compile(r"^lexicon_([a-z]{3})\.top$")
CONCEPTS = {
    "enu": """
concept:(yes) [yes yeah yep sure okay ok certainly definitely absolutely "of course" "yes please" "all right" "why not"]
concept:(no) [no nope nah never "no way" "no thanks" "no thank you" "not really" "not at all" "not now"]
concept:(confirmation) [~yes]
concept:(negation) [~no]
concept:(maybe) [maybe perhaps possibly "i don't know" "i am not sure"]
concept:(hello) [hello hi hey "good morning" "good afternoon" "good evening"]
concept:(goodbye) [bye goodbye "good bye" "bye bye" "see you" "see you later" "good night"]
concept:(bye) [~goodbye]
concept:(thanks) [thanks "thank you" "thanks a lot" "thank you very much"]
concept:(please) [please]
concept:(sorry) [sorry "i am sorry" "excuse me"]
concept:(repeat) ["say it again" "say that again" "once more" "can you repeat" "repeat please" repeat]
concept:(what) [what "pardon me" pardon]
concept:(can_you) ["can you" "could you" "will you" "would you" "are you able to" "do you know how to"]
concept:(do_you) ["do you"]
concept:(i_want) ["i want" "i'd like" "i would like"]
concept:(neutral) \\style=neutral\\ \\rspd=100\\ \\vct=100\\
concept:(joyful) \\style=joyful\\ \\rspd=95\\ \\vct=100\\
""",
    "frf": unescape(r"""
concept:(yes) [oui ouais "bien s\u00fbr" "d'accord" volontiers "pourquoi pas" "oui s'il te pla\u00eet"]
concept:(no) [non "pas du tout" jamais "non merci" "pas maintenant"]
concept:(confirmation) [~yes]
concept:(negation) [~no]
concept:(hello) [bonjour salut bonsoir]
concept:(goodbye) ["au revoir" salut "\u00e0 bient\u00f4t" "bonne nuit"]
concept:(bye) [~goodbye]
concept:(thanks) [merci "merci beaucoup"]
"""),
    "ged": unescape(r"""
concept:(yes) [ja jawohl klar gerne sicher nat\u00fcrlich okay "ja bitte" "warum nicht"]
concept:(no) [nein niemals "nein danke" "auf keinen Fall" "jetzt nicht" "noch nicht"]
concept:(confirmation) [~yes]
concept:(negation) [~no]
concept:(hello) [hallo hi "guten Morgen" "guten Tag" "guten Abend"]
concept:(goodbye) [tsch\u00fcss "auf Wiedersehen" "bis bald" "gute Nacht"]
concept:(bye) [~goodbye]
concept:(thanks) [danke "vielen Dank" "danke sch\u00f6n"]
"""),
}


def included(name):  # type: (str) -> str
    """Return the text of the lexicon of this file name; raise LookupError when it names none."""
    found = INCLUDED.match(name)
    if found is None or found.group(1) not in CONCEPTS:
        raise LookupError(name)
    text = "topic: ~lexicon()\nlanguage: %s\n%s" % (found.group(1), CONCEPTS[found.group(1)])
    return native(unicoded(text))
