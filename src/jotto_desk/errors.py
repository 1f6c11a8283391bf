"""What can go wrong at the desk; the command line prints the sentence and ends with exit code 2."""


class DeskError(Exception):
    """Something the person at the desk can put right: one sentence that quotes the input and says what to do."""
