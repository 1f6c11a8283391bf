"""The flow of boxes and links, read from and written to flow.json."""
