"""What NAO says is the English of people who speak it: what was read aloud and mended stays mended."""
from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from talk_stage import LINES

KEYS = LINES.keys()
EVERY_WORDING = "\n".join(wording for key in KEYS for wording in LINES.variants(key))


@pytest.mark.parametrize("odd, plain", [
    ("I tell you", "I'll tell you"),
    ("faster than I!", "faster than me!"),
    ("keep our game", "save our game"),
    ("my word has not", "my word does not"),
    ("When you spell your word", "If you spell your word"),
    ("look where I went wrong", "see where I went wrong"),
    ("I read your answers to you", "I am reading your answers back"),
])
def test_odd_english_is_gone(odd, plain):
    assert odd not in EVERY_WORDING and plain in EVERY_WORDING
