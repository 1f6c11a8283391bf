"""A report on one robot, for its owner to share: what it does, offers, says and hears, and how two reports differ."""

__all__ = ["comparison", "form", "interfaces", "interview"]
