"""The panel of the talk: bubbles, a field to type, and what NAO listens for as chips to tap."""

from __future__ import annotations

from typing import Any

from nicegui import ui
from nicegui.element import Element

from naosim.world import Event

from ..acts import acted
from ..shown_robot import ShownRobot
from ..texts import Texts
from .conversation import MOST_LINES, RECOGNISED, Conversation, Line
from .voice import VoiceControls

#: Characters of a typed line, and chips of a vocabulary.
_LONGEST_TYPED, _MOST_CHIPS = 200, 40
#: The confidence of what is typed or tapped: a behaviour that weighs what it hears need not ask back.
BEYOND_DOUBT = 1.0


class _Bubbles(Element, component="bubbles.js"):
    """The lines of a talk, drawn by the browser."""

    def __init__(self, lines: list[dict[str, Any]], names: dict[str, str]) -> None:
        super().__init__()
        self._props["lines"], self._props["names"] = lines, names
        self._props["most"] = MOST_LINES

    def put(self, lines: list[dict[str, Any]]) -> None:
        """Add lines, or replace those of the same number."""
        self.run_method("put", lines)

    def put_all(self, lines: list[dict[str, Any]]) -> None:
        """Show these lines alone."""
        self.run_method("putAll", lines)


def _names(texts: Texts) -> dict[str, str]:
    """Return what stands before a line, by who says it; the whole talk has a name, too."""
    return {
        "NAO": "NAO",
        "you": texts("You"),
        "touch": texts("Touch"),
        "error": texts("Error"),
        "end": texts("End"),
        "talk": texts("The talk"),
    }


class TalkPanel:
    """The talk with one robot, for one browser."""

    title, place = "Talk", "talk"

    def __init__(self, shown: ShownRobot) -> None:
        self._shown = shown
        self._conversation = shown.model(Conversation)
        self._version = 0
        self._ears: dict[str, Any] = {}
        self._voice = VoiceControls(shown)

    def build(self) -> None:
        """Draw bubbles, chips and the field."""
        texts = self._shown.texts
        self._version = self._conversation.version
        self._bubbles = _Bubbles(self._told(self._conversation.lines()), _names(texts))
        self._listens = ui.label().classes("listens").props('role="status"')
        self._chips = (
            ui.element("div").classes("chips").props(f'role="group" aria-label="{texts("What NAO listens for")}"')
        )
        with ui.element("div").classes("speak"):
            self._field = (
                ui.input(texts("Say something to NAO"))
                .props(f'maxlength={_LONGEST_TYPED} autocomplete="off" outlined dense')
                .classes("speak-field")
            )
            self._field.on("keydown.enter", self._speak)
            ui.button(texts("Say"), on_click=self._speak).props("no-caps unelevated")
            ui.button(texts("Stay silent"), on_click=self._stay_silent).props("no-caps outline")
        self._voice.build()

    def rewind(self) -> None:
        """Show the talk as it was."""
        self._conversation = self._shown.model(Conversation)
        self._version = self._conversation.version
        self._bubbles.put_all(self._told(self._conversation.lines()))

    async def refresh(self) -> None:
        """Add what is new, and show what NAO listens for now."""
        self._put_new()
        for line in self._conversation.unrecognised():
            value = await acted(self._shown.call("ALMemory", "getData", RECOGNISED))
            self._shown.remember(Event(line.time, "memory", {"key": RECOGNISED, "value": value, "heard": line.time}))
        self._put_new()
        ears = await self._shown.ears()
        if ears != self._ears:
            self._ears = ears
            self._show_ears()

    def _put_new(self) -> None:
        conversation = self._conversation
        if conversation.version != self._version:
            changes = conversation.changes(self._version)
            self._version = conversation.version
            self._bubbles.put(self._told(changes))

    def _told(self, lines: list[Line]) -> list[dict[str, Any]]:
        return [line.as_dict(self._shown.texts) for line in lines]

    def _show_ears(self) -> None:
        phrases = list(self._ears["vocabulary"])[:_MOST_CHIPS]
        said = "NAO is listening." if self._ears["engine"] else "NAO isn't listening right now."
        self._listens.set_text(self._shown.texts(said))
        self._chips.clear()
        with self._chips:
            for phrase in phrases:
                ui.button(phrase, on_click=lambda phrase=phrase: self._hear(phrase)).props("no-caps outline rounded")

    async def _speak(self) -> None:
        text = " ".join(str(self._field.value or "").split())[:_LONGEST_TYPED]
        if text:
            self._field.set_value("")
            await self._hear(text)

    async def _hear(self, phrase: str) -> None:
        await acted(self._shown.person("hear", phrase, BEYOND_DOUBT))

    async def _stay_silent(self) -> None:
        await acted(self._shown.person("stay_silent"))
