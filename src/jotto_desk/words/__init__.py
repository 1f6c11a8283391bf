"""The desk's word lists: those that come with the game, the user's own words, lists from files and the web."""

from jotto_desk.words.lists import load_default_list

__all__ = ["building", "lists", "load_default_list"]
