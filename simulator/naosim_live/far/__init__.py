"""A robot far away, played at the desk over libqi."""
