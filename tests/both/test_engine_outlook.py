"""What a guess leaves: `explain.measure_guess` compared with counting by hand."""

from __future__ import absolute_import, division, print_function, unicode_literals

from hypothesis import given
from hypothesis import strategies as st

from jotto import explain, feedback
from jotto.index import Index
from jotto.rules import JOTTO

WORDS = ["ocean", "canoe", "dance", "brick", "light", "night", "might", "fight", "tired", "tried"]
INDEX = Index(WORDS, JOTTO)


@given(st.sampled_from(WORDS + ["crowd"]), st.sets(st.sampled_from(WORDS)))
def test_an_outlook_is_what_counting_by_hand_gives(guess, fitting):
    answers = [feedback.score_places_slowly(guess, word) for word in sorted(fitting)]
    remaining = [answers.count(answer) for answer in answers]
    seen = explain.measure_guess(guess, INDEX, sum(INDEX.bit(word) for word in fitting))
    assert (seen.left, seen.answers, seen.fits) == (len(fitting), len(set(answers)), guess in fitting)
    assert seen.worst == max(remaining or [0])
    assert abs(seen.mean - sum(remaining) / max(1, len(remaining))) < 1e-9
