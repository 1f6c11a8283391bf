"""What a guess leaves, and the sentence about it."""
from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotto import explain, reference
from jotto.explain import Outlook
from jotto.index import Index
from jotto.rules import JOTTO

WORDS = ["ocean", "canoe", "dance", "brick", "light", "night", "might", "fight", "tired", "tried"]
INDEX = Index(WORDS, JOTTO)


@given(st.sampled_from(WORDS + ["crowd"]), st.sets(st.sampled_from(WORDS)))
def test_an_outlook_is_what_counting_by_hand_gives(guess, fitting):
    answers = [reference.places(guess, word) for word in sorted(fitting)]
    remaining = [answers.count(answer) for answer in answers]
    seen = explain.outlook(guess, INDEX, sum(INDEX.bit(word) for word in fitting))
    assert (seen.left, seen.answers, seen.fits) == (len(fitting), len(set(answers)), guess in fitting)
    assert seen.worst == max(remaining or [0])
    assert abs(seen.mean - sum(remaining) / max(1, len(remaining))) < 1e-9


@pytest.mark.parametrize("seen, sentence", [
    (Outlook(120, 9.6, 21, 14, True), "120 words fit; after OCEAN about 10 would be left, and 21 at most."),
    (Outlook(4, 1.0, 1, 4, True), "4 words fit, and the score of OCEAN tells them all apart."),
    (Outlook(1, 1.0, 1, 1, True), "Only OCEAN fits."),
    (Outlook(0, 0.0, 0, 0, False), "No word fits."),
])
def test_the_sentence(seen, sentence):
    assert explain.spoken("ocean", seen) == sentence
