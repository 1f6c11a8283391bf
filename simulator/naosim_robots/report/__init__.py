"""A report on one robot, for its owner to share: its facts, services, speech and hearing; and comparing two reports."""

__all__ = ["comparison", "form", "interfaces", "interview"]
