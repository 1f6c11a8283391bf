"""The places where a person can touch NAO, and what a page calls them."""

from __future__ import annotations

from naosim.services.memory import TOUCH_SENSOR_EVENTS

#: The sensors by their events, in the order of the keyboard, with the names that a page shows.
ZONES = {
    "FrontTactilTouched": "Head, front",
    "MiddleTactilTouched": "Head, middle",
    "RearTactilTouched": "Head, back",
    "ChestButtonPressed": "Chest button",
    "HandLeftBackTouched": "Left hand, back",
    "HandLeftLeftTouched": "Left hand, left side",
    "HandLeftRightTouched": "Left hand, right side",
    "HandRightBackTouched": "Right hand, back",
    "HandRightLeftTouched": "Right hand, left side",
    "HandRightRightTouched": "Right hand, right side",
    "LeftBumperPressed": "Left foot, front",
    "RightBumperPressed": "Right foot, front",
}
assert set(ZONES) == set(TOUCH_SENSOR_EVENTS)
