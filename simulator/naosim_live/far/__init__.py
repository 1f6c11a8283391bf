"""A robot far away, played at the desk over libqi."""

__all__ = ["connecting", "connection", "event_feed", "robot"]
