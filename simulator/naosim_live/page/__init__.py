"""A page in the browser with a simulated robot on it: what it says, hears, does and remembers. Needs NiceGUI."""

__all__ = [
    "acts",
    "behaviour",
    "doors",
    "live_robot",
    "panel",
    "panels",
    "recorded",
    "recording",
    "server",
    "shown",
    "shown_robot",
    "speech",
    "talk",
    "texts",
    "visitors",
]
