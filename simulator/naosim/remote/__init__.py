"""A robot in another process, asked with one JSON object per line."""
