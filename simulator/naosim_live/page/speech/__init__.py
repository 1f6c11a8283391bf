"""Speech on the page: a microphone for NAO's ears, and a loudspeaker for its voice, in each browser."""

__all__ = ["microphones", "panel"]
