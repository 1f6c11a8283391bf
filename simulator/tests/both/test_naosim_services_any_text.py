"""The parsers of the services accept or refuse any text."""

from __future__ import absolute_import, division, print_function

import pytest
from hypothesis import HealthCheck, given, settings, strategies as some

from naosim import qichat, speech_texts, topics
from naosim.robot import Robot
from naosim.services import animations, dialog_interpreter, memory, speech

#: A slow computer is not a fault.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

NATIVE = some.text(max_size=80).map(lambda text: text.encode("utf-8") if str is bytes else text)


def pieces(*texts):
    return some.lists(some.sampled_from(texts))


PATTERN = pieces("[", "]", "{", "}", "_", "~a", "*", "!", '"a b"', "a", "b", "(", ")").map(" ".join)
QICHAT_TOKENS = r"""
    [ ] { } " _ ~a ~b * ! yes b ( ) $a $a==1 $a=$1 $1 %t ' e:a ^ ^rand ^first[ ^repeat ^goto(t) ^nextProposal
    ^call(ALDialog.getFocus()) # , \pau=1\ ^enumerate(~a) ^start(x)
"""
QICHAT = pieces("\n u1:(b) ", " c1:(_*) ", *QICHAT_TOKENS.split()).map(" ".join)
WORDS = some.lists(some.sampled_from(["yes", "no", "of", "course", "not"]), min_size=1, max_size=4)


class Concepts(dialog_interpreter.PatternNames):
    """The names of a topic in which every concept stands for the same phrases."""

    def __init__(self, *phrases):
        self._heard = [qichat.parse_pattern(phrase) for phrase in phrases]

    def concept(self, name):
        return self._heard

    def value(self, name, captures=()):
        return "yes"

    def holds(self, check, captures=()):
        return True


@untimed
@given(NATIVE | pieces("\\pau=100\\", "\\", "\\rst\\", "hello", " ", "\\rspd=50\\", "\\mrk=2\\", "x=").map("".join))
def test_any_text_is_speech(text):
    said = speech_texts.parse_speech(text)
    assert said.seconds >= speech_texts.MIN_SPEECH_S
    assert all(0.0 <= step.after <= said.seconds for step in said.steps)
    assert "\\" in text or not said.mistakes
    assert "\\" not in said.plain
    assert said.plain == speech_texts.collapse_blanks(said.plain)
    bookmarks = [step for step in said.steps if isinstance(step.value, int)]
    assert speech_texts.parse_speech(text, with_words=False) == said._replace(steps=bookmarks)


def test_wrong_numbers_in_tags_are_mistakes():
    for tag in ("pau=" + "9" * 100000, "pau=\xc2\xb2", u"pau=\u00b2", "pau=-1", "pau= "):
        said = speech_texts.parse_speech("\\" + tag + "\\")
        assert len(said.mistakes) == 1 and len(said.mistakes[0]) < 200
        assert said.seconds == speech_texts.MIN_SPEECH_S


@untimed
@given(NATIVE | pieces("^start(a)", "^", "hello ", "(", ")", "$a=1 ", "^run(b", "^mode()").map("".join))
def test_annotations_of_any_text_are_removed_or_refused(text):
    try:
        words = animations.remove_annotations(text)
    except animations.BadAnnotation:
        assert "^" in text
    else:
        assert "^" not in words


@untimed
@given(NATIVE | PATTERN, WORDS)
def test_any_pattern_is_read_or_refused_and_fits_its_own_samples(text, words):
    names = Concepts("yes", "of course")
    try:
        pattern = qichat.parse_pattern(text)
    except qichat.BadPattern:
        return
    dialog_interpreter.match_pattern(pattern, words, names)
    if not any(mark in text for mark in "!*^"):
        for sample in dialog_interpreter.list_samples(pattern, names)[:5]:
            assert dialog_interpreter.match_pattern(pattern, qichat.split_words(sample), names) is not None


@pytest.mark.only_python_3
def test_patterns_that_fit_in_very_many_ways_are_given_up():
    for text in ("{a} " * 40 + "b", "{a} " * 40 + "[]", "{{{{{{a} a} a} a} a} a} " * 8, "~a " * 30, "a " * 150):
        pattern = qichat.parse_pattern(text)
        names = Concepts("{a}", "~a ~a")
        assert dialog_interpreter.match_pattern(pattern, ["a"] * 30 + ["c"], names) is None
        assert len(dialog_interpreter.list_samples(pattern, names)) <= dialog_interpreter.MAX_SAMPLES


def test_too_large_patterns_are_refused():
    for text in ("[" * 3000, "_ " * 40 + "a", "a " * 151, "{" * 21 + "}" * 21, "[(" + "a " * 200 + ")]"):
        for parse in (qichat.parse_pattern,) if text[0] == "a" else (qichat.parse_pattern, qichat.parse_concept):
            with pytest.raises(qichat.BadPattern):
                parse(text)


@untimed
@given(some.lists(NATIVE | PATTERN.map("u:({0}) yes".format) | some.sampled_from(["topic: ~a()", "language: enu"])))
def test_any_topic_is_read_or_refused(lines):
    try:
        topics.parse_topic("\n".join(str(line) for line in lines))
    except qichat.BadTopic as error:
        assert str(error).startswith("line ")


@untimed
@given(NATIVE | QICHAT)
def test_any_answer_is_read_or_refused(text):
    try:
        answer = qichat.parse_answer(text)
    except qichat.BadTopic:
        return
    kinds = " text all order rand first maybe concept enumerate check set read tag do call pcall "
    assert all(" %s " % node.kind in kinds for node in qichat.walk_nodes(answer))


@untimed
@given(
    some.lists(
        QICHAT.map("u:({0})".format)
        | QICHAT.map("u:(yes) {0}".format)
        | QICHAT.map("concept:(a) {0}".format)
        | QICHAT.map("proposal: {0}".format),
        max_size=4,
    )
)
def test_any_accepted_topic_answers_or_is_silent(lines):
    with Robot() as robot:
        dialog = robot.service("ALDialog")
        try:
            dialog.activateTopic(dialog.loadTopicContent("topic: ~a()\n" + "\n".join(lines)))
        except RuntimeError as error:
            assert "Syntax error: line" in str(error)
            return
        dialog.subscribe("test")
        for sentence in ("yes", "b", "yes b", ""):
            dialog.hear_phrase(sentence, 1.0)
            dialog.forceOutput()
            robot.clock.run(seconds=600.0)
        assert len(dialog.vocabulary) <= dialog_interpreter.MAX_SAMPLES


@untimed
@given(some.lists(WORDS, min_size=1, max_size=5), WORDS, some.booleans())
def test_only_phrases_of_the_vocabulary_are_recognised(phrases, words, spotting):
    phrases = [" ".join(phrase) for phrase in phrases]
    sentence = " ".join(words)
    found = speech.match_phrase(sentence, phrases, spotting)
    expected = [phrase for phrase in phrases if (phrase in sentence if spotting else phrase == sentence)]
    if found is None:
        assert [phrase for phrase in phrases if phrase == sentence] == []
    else:
        assert found.replace("<...>", "").strip() in expected


@untimed
@given(
    some.recursive(
        some.none() | some.booleans() | some.integers(-(2**31), 2**31 - 1) | some.floats(allow_nan=False) | NATIVE,
        lambda inner: some.lists(inner, max_size=4),
        max_leaves=20,
    )
)
def test_any_value_of_the_right_types_is_stored_as_a_copy(value):
    kept = memory.to_alvalue(value)
    assert kept == value
    assert memory.copy_alvalue(kept) == kept
