"""What a search is about: problems, feedback tables, plans and tree files."""
