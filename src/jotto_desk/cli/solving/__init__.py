"""What `jotto solve` is made of: the effort wished for, the search behind a display, the report, the tree file."""
