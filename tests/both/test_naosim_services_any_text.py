"""The readers of text in the services, fed with any text at all."""
from __future__ import absolute_import, division, print_function

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from naosim.services.dialog import patterns, qichat
from naosim.services.memory import alvalue
from naosim.services.speech import annotations, speech_text, vocabulary

#: The machine may be slow: only the result counts.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

NATIVE = some.text(max_size=80).map(lambda text: text.encode("utf-8") if str is bytes else text)


def pieces(*texts):
    return some.lists(some.sampled_from(texts))


TAGGED = pieces("\\pau=100\\", "\\", "\\rst\\", "hello", " ", "\\rspd=50\\", "x=", "\\vol=").map("".join)
MARKED = pieces("^start(a)", "^", "hello ", "(", ")", "$a=1 ", "^run(b", "^mode()").map("".join)
PATTERN = pieces("[", "]", "{", "}", "_", "~a", "*", "!", '"a b"', "a", "b", "(", ")").map(" ".join)
WORDS = some.lists(some.sampled_from(["yes", "no", "of", "course", "not"]), min_size=1, max_size=4)
VALUES = some.recursive(
    some.none() | some.booleans() | some.integers(-2 ** 31, 2 ** 31 - 1) | some.floats(allow_nan=False) | NATIVE,
    lambda inner: some.lists(inner, max_size=4), max_leaves=20)


@untimed
@given(NATIVE | TAGGED)
def test_any_text_is_heard_or_has_a_bad_tag(text):
    try:
        said = speech_text.heard(text)
    except speech_text.BadTag as error:
        assert "\\" in text
        assert type(str(error)) is str
    else:
        assert said.seconds >= speech_text.SHORTEST
        assert "\\" not in said.plain
        assert said.plain == " ".join(said.plain.split())


@untimed
@given(NATIVE | MARKED)
def test_any_text_is_cut_or_has_a_bad_annotation(text):
    try:
        words = annotations.without(text)
    except annotations.BadAnnotation:
        assert "^" in text
    else:
        assert "^" not in words


@untimed
@given(NATIVE | PATTERN, WORDS)
def test_any_pattern_is_read_or_refused_and_fits_its_own_samples(text, words):
    def concept(name):
        return [patterns.parsed("yes"), patterns.parsed("of course")]

    try:
        pattern = patterns.parsed(text)
    except patterns.BadPattern:
        return
    patterns.matched(pattern, words, concept)
    if not any(mark in text for mark in "!*"):
        for sample in patterns.samples(pattern, concept)[:5]:
            assert patterns.matched(pattern, patterns.words_of(sample), concept) is not None


def test_patterns_that_fit_in_very_many_ways_end_all_the_same():
    for text in ("{a} " * 40 + "b", "{a} " * 40 + "[]", "{{{{{{a} a} a} a} a} a} " * 8, "~a " * 30, "a " * 150):
        pattern = patterns.parsed(text)

        def concept(name):
            return [patterns.parsed("{a}"), patterns.parsed("~a ~a")]

        assert patterns.matched(pattern, ["a"] * 30 + ["c"], concept) is None
        assert len(patterns.samples(pattern, concept)) <= patterns.MOST_SAMPLES


@pytest.mark.parametrize("text", [
    "[" * 3000, "_ " * 40 + "a", "a " * 151, "{" * 21 + "}" * 21, "[(" + "a " * 200 + ")]",
])
def test_patterns_beyond_all_measure_are_refused(text):
    for read in (patterns.parsed, patterns.choices):
        if read is patterns.parsed or text[0] != "a":
            with pytest.raises(patterns.BadPattern):
                read(text)


@untimed
@given(some.lists(NATIVE | PATTERN.map("u:({0}) yes".format) | some.sampled_from(["topic: ~a()", "language: enu"])))
def test_any_topic_is_read_or_refused(lines):
    try:
        qichat.topic("\n".join(str(line) for line in lines))
    except qichat.BadTopic as error:
        assert str(error).startswith("line ")


@untimed
@given(NATIVE)
def test_any_answer_has_steps(text):
    assert all(step.kind in ("say", "set", "tag", "goto", "read") for step in qichat.steps(text))


@untimed
@given(some.lists(WORDS, min_size=1, max_size=5), WORDS, some.booleans())
def test_what_is_understood_was_in_the_vocabulary_and_in_the_sentence(phrases, words, spotting):
    phrases = [" ".join(phrase) for phrase in phrases]
    sentence = " ".join(words)
    found = vocabulary.understood(sentence, phrases, spotting)
    expected = [phrase for phrase in phrases if (phrase in sentence if spotting else phrase == sentence)]
    if found is None:
        assert [phrase for phrase in phrases if phrase == sentence] == []
    else:
        assert found.replace("<...>", "").strip() in expected


@untimed
@given(VALUES)
def test_any_value_of_the_right_types_is_stored_as_a_copy(value):
    kept = alvalue.stored(value)
    assert kept == value
    assert alvalue.copied(kept) == kept
