"""What a page showed, kept to be shown again: in memory and in files. Asks no robot."""

__all__ = ["recording", "recording_file", "state_cursor"]
