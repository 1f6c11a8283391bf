"""The desk's word lists: those that come with the game, the user's own words, lists from files and the web."""

from jotto_desk.words.lists import (
    Source,
    add_blocked,
    add_words,
    block_list,
    blocked_file,
    default_list,
    find,
    language_of,
    load,
    names,
    own_file,
    own_words,
    read,
    to_stderr,
)

__all__ = [
    "Source",
    "add_blocked",
    "add_words",
    "block_list",
    "blocked_file",
    "building",
    "default_list",
    "find",
    "language_of",
    "lists",
    "load",
    "names",
    "own_file",
    "own_words",
    "read",
    "to_stderr",
]
