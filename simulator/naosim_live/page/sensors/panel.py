"""The panel of sensors: a face in sight, distances, a landmark, the battery."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from ..acts import acted, number
from ..shown_robot import ShownRobot

_SONAR = "Device/SubDeviceList/US/%s/Sensor/Value"
_CHARGE = "Device/SubDeviceList/Battery/Charge/Sensor/Value"
_SONARS = {"Left": "Left sonar in metres", "Right": "Right sonar in metres"}
_FARTHEST, _FIRST_MARK, _LAST_MARK, _LONGEST_NAME = 3.0, 1, 255, 100


class SensorsPanel:
    """What a person sets of one robot's surroundings, for one browser."""

    title, place = "Sensors", "tools"

    def __init__(self, shown: ShownRobot) -> None:
        self._shown = shown
        self._has_read = False
        self._sliders: dict[str, ui.slider] = {}

    def build(self) -> None:
        """Draw a row for each kind of sensor."""
        with _row("Face"):
            self._name = ui.input("Name, if NAO knows the face").props(f"outlined dense maxlength={_LONGEST_NAME}")
            ui.button("Show face", on_click=self._show_face).props("no-caps outline")
            ui.button("Hide face", on_click=lambda: self._cause("FaceDetected", [])).props("no-caps outline")
        for side, name in _SONARS.items():
            self._slide(_SONAR % side, name, 0.0, _FARTHEST, 0.05)
        with _row("Landmark"):
            self._mark = (
                ui.number("Number", value=64, min=_FIRST_MARK, max=_LAST_MARK, precision=0)
                .props("outlined dense")
                .classes("short-number")
            )
            ui.button("Show landmark", on_click=self._show_mark).props("no-caps outline")
            ui.button("Hide landmark", on_click=lambda: self._cause("LandmarkDetected", [])).props("no-caps outline")
        self._slide(_CHARGE, "Battery charge", 0.0, 1.0, 0.01)

    async def refresh(self) -> None:
        """Set the sliders to what the robot knows, once."""
        if not self._has_read:
            self._has_read = True
            values = await self._shown.call("ALMemory", "getListData", list(self._sliders))
            for slider, value in zip(self._sliders.values(), values, strict=True):
                slider.set_value(value if isinstance(value, float | int) else slider.value)

    def _slide(self, key: str, name: str, low: float, high: float, step: float) -> None:
        """Draw a slider that sets a device when it is let go."""
        with _row(name):
            slider = (
                ui.slider(min=low, max=high, step=step, value=high).props(f'label aria-label="{name}"').classes("grow")
            )
            slider.on("change", lambda event: self._cause(key, number(event.args, low, high)))
            self._sliders[key] = slider

    async def _show_face(self) -> None:
        await self._cause("FaceDetected", str(self._name.value or "").strip()[:_LONGEST_NAME] or True)

    async def _show_mark(self) -> None:
        await self._cause("LandmarkDetected", int(number(self._mark.value, _FIRST_MARK, _LAST_MARK)))

    async def _cause(self, key: str, value: Any) -> None:
        await acted(self._shown.person("event", key, value))


def _row(name: str) -> ui.element:
    """Open a row with its name in front."""
    row = ui.element("div").classes("controls").props(f'role="group" aria-label="{name}"')
    with row:
        ui.label(name).classes("row-name")
    return row
