"""`jotto solve` and `jotto explain`: options, the search and its display, the report, tree files and reasons."""
