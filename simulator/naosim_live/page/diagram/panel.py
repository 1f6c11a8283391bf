"""The panel of the diagram: where one stands, the sheet, and the details of the box that was picked."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from nicegui import ui

from ..acts import acted
from ..shown_robot import ShownRobot
from .canvas import Canvas
from .details import build_details
from .drawing import drawn
from .layout import lay_out
from .strip import strip

_STYLE = Path(__file__).with_name("diagram.css")
#: Real seconds between two looks at what runs, and between two at the box whose details are shown.
_LOOKS_EVERY, _READS_EVERY = 0.1, 1.0
#: Seconds of the robot's for which a signal counts as new to one who has just come.
_NEW = 1.0
#: By how much a press of a button makes the sheet larger.
_ZOOM = 1.25


class DiagramPanel:
    """The diagrams of one robot's behaviours, for one browser."""

    title, place = "Diagram", "tools"

    _canvas: Canvas

    def __init__(self, shown: ShownRobot) -> None:
        self._shown = shown
        self._told: dict[str, Any] = {}
        self._behaviour, self._box, self._place = "", "", 0
        self._position, self._loads = -1, -1
        self._follows, self._was_loaded = True, False
        self._picked: str | None = None
        self._details: dict[str, Any] = {}
        self._looked = self._read = 0.0

    def build(self) -> None:
        """Draw the bar, the sheet and the room for details."""
        ui.add_css(_STYLE)
        with ui.element("div").classes("diagram-bar"):
            self._trail = ui.element("nav").classes("diagram-trail").props('aria-label="Where the diagram is"')
            self._choice = (
                ui.select({}, on_change=lambda event: self._choose(event.value))
                .props('dense outlined aria-label="Behaviour"')
                .classes("diagram-choice hidden")
            )
            for sign, name, by in (("-", "Smaller", 1 / _ZOOM), ("Fit", "Fit the width", None), ("+", "Larger", _ZOOM)):
                ui.button(sign, on_click=lambda by=by: self._canvas.scale(by)).props(
                    f'no-caps outline padding="2px 10px" aria-label="{name}"'
                )
        self._note = ui.label("No behaviour has been loaded yet.").classes("diagram-note").props('role="status"')
        with ui.element("div").classes("diagram-columns") as self._columns:
            self._canvas = Canvas()
            self._aside = ui.element("aside").classes("diagram-details hidden").props('aria-label="Details of a box"')
        self._canvas.on_box("pick", self._pick)
        self._canvas.on_box("open", self._open)
        self._canvas.on_keyframe(self._show_keyframe)
        self._canvas.on("back", self._back)

    async def refresh(self) -> None:
        """Show what runs and which signals travel; another diagram when another behaviour is loaded."""
        now = time.monotonic()
        if now - self._looked < _LOOKS_EVERY:
            return
        self._looked = now
        if not self._told:
            await self._draw()
        if not self._told:
            return
        scene = self._scene()
        state = await self._shown.ask(
            "signals", behaviour=self._behaviour, box=self._box, place=self._place, since=self._position
        )
        if scene == self._scene() and (state["position"] != self._position or state.get("timeline")):
            await self._take_in(state)
        if self._picked is not None and now - self._read > _READS_EVERY:
            await self._read_details()

    async def _take_in(self, state: dict[str, Any]) -> None:
        scene = self._scene()
        if self._position < 0:
            # What happened before one looked is not played back.
            state["signals"] = [signal for signal in state["signals"] if state["now"] - signal[1] < _NEW]
        self._position = state["position"]
        ended = self._behaviour not in state["behaviours"]
        has_ended, self._was_loaded = ended and self._was_loaded, not ended
        if state["loads"] != self._loads or (has_ended and state["behaviours"]):
            # What runs is shown in place of what has ended.
            await self._draw(state["latest"] if ended and state["latest"] else self._behaviour)
        await self._follow(state["active"])
        if scene == self._scene():
            self._canvas.show(state, scene)
            self._note.set_text(self._sentence(ended))

    def _scene(self) -> str:
        """Return what tells the diagram on the sheet from all others."""
        return f"{self._place} {self._box} {self._behaviour}"

    async def _follow(self, active: list[int]) -> None:
        """Show the keyframe at which the cursor of the timeline is, until a person chooses one."""
        layers = {at: row[2] for at, row in enumerate(self._told["keyframes"])}
        layer = layers.get(self._place)
        there = [at for at in active if layers.get(at) == layer]
        if self._follows and there and self._place not in there:
            await self._draw(self._behaviour, self._box, there[0])

    async def _draw(
        self, behaviour: str = "", box: str | None = None, place: int | None = None, *, is_wished: bool = False
    ) -> None:
        """Ask for a diagram and draw it; what is not given stays, as long as it is still there.

        One that a person has not wished for is not drawn where a person has gone elsewhere in the meantime.
        """
        before, is_same = self._scene(), behaviour == self._behaviour
        wanted = (self._box if is_same else "") if box is None else box
        try:
            told = await self._ask(behaviour, wanted, self._place if place is None else place)
        except RuntimeError:
            # The file has changed since: begin at the top.
            told = await self._ask("", "", 0)
        if not told["behaviour"] or (before != self._scene() and not is_wished):
            return
        moved = (told["behaviour"], told["address"]) != (self._behaviour, self._box)
        if moved or told["place"] != self._place:
            self._position = -1
        self._told, self._behaviour = told, told["behaviour"]
        self._box, self._place = told["address"], told["place"]
        self._loads = told["loads"]
        if moved:
            self._follows, self._was_loaded = True, False
            self._close()
        self._canvas.draw(drawn(lay_out(told)), strip(told), self._scene(), self._box)
        self._show_trail()
        self._show_choice()

    async def _ask(self, behaviour: str, box: str, place: int) -> dict[str, Any]:
        told: dict[str, Any] = await self._shown.ask("diagram", behaviour=behaviour, box=box, place=place)
        return told

    async def _open(self, address: str, place: int = 0) -> None:
        await acted(self._draw(self._behaviour, address, place, is_wished=True))

    async def _back(self) -> None:
        trail = self._told["trail"]
        if len(trail) > 1:
            await self._open(trail[-2][0], trail[-2][2])

    async def _show_keyframe(self, place: int) -> None:
        await acted(self._draw(self._behaviour, self._box, place, is_wished=True))
        self._follows = False

    async def _choose(self, behaviour: str) -> None:
        if behaviour and behaviour != self._behaviour:
            await acted(self._draw(behaviour, "", 0, is_wished=True))

    async def _pick(self, address: str) -> None:
        self._picked, self._details = address, {}
        self._canvas.pick(address)
        await acted(self._read_details())

    def _close(self) -> None:
        self._picked, self._details = None, {}
        self._canvas.pick(None)
        self._aside.clear()
        self._aside.classes("hidden")
        self._columns.classes(remove="with-details")

    async def _read_details(self) -> None:
        """Show the details of the picked box, anew only if they have changed."""
        self._read, picked = time.monotonic(), self._picked
        if picked is None:
            return
        told = await self._shown.ask("box", behaviour=self._behaviour, box=picked)
        del told["runs"]  # The sheet shows it.
        if told == self._details or picked != self._picked:
            return
        self._details = told
        opens = told["opens"] and picked != self._box
        self._aside.clear()
        with self._aside:
            build_details(told, (lambda: self._open(picked)) if opens else None, self._close)
        self._aside.classes(remove="hidden")
        self._columns.classes("with-details")

    def _show_trail(self) -> None:
        self._trail.clear()
        *above, (address, name, _) = self._told["trail"]
        with self._trail:
            for upper, title, place in above:
                ui.button(title or "root", on_click=lambda upper=upper, place=place: self._open(upper, place)).props(
                    'no-caps flat padding="2px 8px"'
                )
                ui.label("/").props('aria-hidden="true"')
            ui.button(name or "root", on_click=lambda: self._pick(address)).props(
                'no-caps outline padding="2px 8px" aria-current="page"'
            )

    def _show_choice(self) -> None:
        names = {name: name for name, _ in self._told["behaviours"]}
        self._choice.set_options(names, value=self._behaviour)
        self._choice.set_visibility(len(names) > 1)

    def _sentence(self, has_ended: bool) -> str:
        """Say what the sheet does not show."""
        boxes, links = self._told["left_out"]
        said = ["The behaviour has ended."] if has_ended else []
        if boxes or links:
            said.append(f"{boxes} boxes and {links} links of this diagram are not drawn.")
        if not self._told["boxes"]:
            said.append("There are no boxes in it.")
        return " ".join(said) or "Double-click or Enter opens a box, a click or Space shows what is in it."
