"""The expert system: knowledge of Mastermind one can read, a service that reasons by it, and a client."""

from .client import ExpertError, ExpertSystem, RemoteGame

__all__ = ["ExpertError", "ExpertSystem", "RemoteGame", "datalog", "games", "knowledge_base", "service"]
