"""The dialogue topic: its `.top` for the robot in every language and the `.dlg` that lists them.

Knows QiChat's first two lines only: they alone differ from language to language, as what is listened for is set by the
boxes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import FlowRefused

#: The robot's language codes, in file names and topics, and the locales of the same languages.
LOCALES = {
    "enu": "en_US",
    "frf": "fr_FR",
    "ged": "de_DE",
    "spe": "es_ES",
    "iti": "it_IT",
    "dun": "nl_NL",
    "ptp": "pt_PT",
    "brp": "pt_BR",
    "plp": "pl_PL",
    "sws": "sv_SE",
    "dad": "da_DK",
    "nob": "nb_NO",
    "fif": "fi_FI",
    "czc": "cs_CZ",
    "trt": "tr_TR",
    "rur": "ru_RU",
    "jpj": "ja_JP",
    "kok": "ko_KR",
}
#: The language of the topics in robot_boxes.
LANGUAGE = "enu"


@dataclass(frozen=True)
class Topic:
    """A topic of the project in one language: name, QiChat text, the robot's code of the language."""

    name: str
    text: str
    language: str = LANGUAGE

    @property
    def folder(self) -> str:
        """Folder inside the Choregraphe project."""
        return self.name

    @property
    def dialog_path(self) -> str:
        """Place of the `.dlg` inside the Choregraphe project."""
        return f"{self.name}/{self.name}.dlg"

    @property
    def topic_path(self) -> str:
        """Place of the `.top` inside the Choregraphe project."""
        return f"{self.name}/{self.name}_{self.language}.top"

    def translated(self, language: str) -> Topic:
        """Return the same topic in another language.

        >>> Topic("quiz", "topic: ~quiz()\\nlanguage: enu\\n").translated("frf").text
        'topic: ~quiz()\\nlanguage: frf\\n'
        """
        text = re.sub(
            rf"^(\s*language:\s*){self.language}\b", rf"\g<1>{language}", self.text, count=1, flags=re.MULTILINE
        )
        return Topic(self.name, text, language)


def in_every_language(topics: Iterable[Topic], languages: Sequence[str]) -> tuple[Topic, ...]:
    """Return the topics in every language of the game; raises `FlowRefused` for one that NAOqi does not know."""
    strange = [language for language in languages if language not in LOCALES]
    if strange:
        raise FlowRefused(
            f"the lines of a language have the code '{strange[0][:20]}'; write one of NAOqi's: {', '.join(LOCALES)}."
        )
    return tuple(topic.translated(language) for topic in topics for language in languages)


def dialogs(topics: Iterable[Topic]) -> dict[str, str]:
    """Write the `.dlg` of every topic, by its place: which topic file is in which language."""
    found: dict[str, str] = {}
    for topic in topics:
        found.setdefault(topic.dialog_path, f"multilanguage:{topic.name}\n")
        found[topic.dialog_path] += f"  {topic.language}:{topic.name}_{topic.language}.top\n"
    return found


def read_topic(name: str, text: str) -> Topic:
    """Read a topic from its file; raises `FlowRefused` where its name or language differ from the file's."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line, wanted in zip([*lines, "", ""][:2], (f"topic: ~{name}()", f"language: {LANGUAGE}"), strict=True):
        if re.sub(r"\s", "", line) != wanted.replace(" ", ""):
            raise FlowRefused(f'{name}.top holds "{line[:60]}" where "{wanted}" is needed; correct that line.')
    return Topic(name, text)
