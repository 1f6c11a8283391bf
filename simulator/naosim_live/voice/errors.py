"""What can go wrong with ears and voice; the message is one sentence for people."""

from __future__ import annotations

from naosim.errors import NaosimError


class VoiceError(NaosimError):
    """Something to hear or to speak with is missing or cannot be used."""
