"""ALDialog and QiChat."""
