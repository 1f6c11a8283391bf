"""The command line of `python -m naosim`: its options, the answers given in advance, and the lines it prints."""
