"""What `python -m naosim` reads and prints."""
