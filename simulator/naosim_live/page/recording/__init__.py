"""What a page showed, kept to be shown again: in memory and in files. Asks no robot."""
