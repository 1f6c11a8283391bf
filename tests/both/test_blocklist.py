# -*- coding: utf-8 -*-
"""Whole words are blocked in any case and with any accents; other words are not."""

from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotto.rules import WordListError
from jotto.words import EMPTY_BLOCK_LIST, BlockList, hash_blocked_word, read_block_list

# Harmless words stand in for blocked ones, so that the tests show no blocked word.
RUDE = BlockList(frozenset(hash_blocked_word(word) for word in ("rotter", "fie", "gadzooks")))


@pytest.mark.parametrize(
    "word, expected",
    [
        ("rotter", True),
        ("ROTTER", True),
        ("R\u00f3tt\u00e8r", True),
        ("ro\u0308tter", True),
        (b"rotter", True),
        ("rotters", False),
        ("trotter", False),
        ("fief", False),
        ("", False),
        ("r", False),
        ("rotter" * 100, False),
    ],
)
def test_blocked_by_whole_word(word, expected):
    assert RUDE.blocks(word) is expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("My guess is rotter.", "My guess is beep."),
        ("Rotter! FIE, fie.", "beep! beep, beep."),
        ("the trotter in the fiefdom", "the trotter in the fiefdom"),
        ("rotter's", "beep's"),
        ("r\u00f4tter-fie", "beep-beep"),
        ("ro\u0302tter", "beep"),
        ("fie2fie_fie", "beep2beep_beep"),
        ("\\pau=300\\ fie \\rspd=80\\", "\\pau=300\\ beep \\rspd=80\\"),
        ("", ""),
    ],
)
def test_texts_are_cleaned(text, expected):
    assert RUDE.clean(text, "beep") == expected


def test_a_robots_bytes_come_back_as_text():
    assert RUDE.clean("f\u00ece, caf\u00e9".encode("utf-8"), "beep") == "beep, caf\u00e9"


def test_the_replacement_is_taken_as_it_is():
    assert RUDE.clean("fie", "\\1 \\g<0>") == "\\1 \\g<0>"


def test_a_fingerprint_is_the_sha256_of_the_folded_word():
    assert hash_blocked_word("\u00c9tude") == hashlib.sha256(b"etude").hexdigest()


def test_a_list_is_read_with_remarks_blank_lines_and_any_line_ends():
    line = hash_blocked_word("fie")
    content = "# remark\r\n\r\n%s\r\n%s  # again\n" % (line, line)
    assert read_block_list(content) == read_block_list(content.encode("ascii")) == BlockList(frozenset([line]))
    assert read_block_list(b"") == EMPTY_BLOCK_LIST


@pytest.mark.parametrize(
    "content, quoted",
    [
        (b"fie\n", "'fie'"),
        (b"\xff\xfe\x00", "Line 1"),
        (hash_blocked_word("fie").upper(), "Line 1"),
        ("\n\n" + hash_blocked_word("fie") + "0", "Line 3"),
    ],
)
def test_anything_else_is_refused_by_line(content, quoted):
    with pytest.raises(WordListError) as refusal:
        read_block_list(content)
    sentence = refusal.value.args[0]
    assert quoted in sentence and "jotto words add --block" in sentence


def test_a_list_beyond_measure_is_refused():
    with pytest.raises(WordListError):
        read_block_list("\n" * (9 << 20))


@given(st.lists(st.text(alphabet="abcdefgh\u00e9\u00fc", min_size=2, max_size=8)))
def test_written_and_read_again_blocks_the_same(words):
    blocked = EMPTY_BLOCK_LIST.joined(hash_blocked_word(word) for word in words)
    assert read_block_list(blocked.written()) == blocked
    assert all(blocked.blocks(word.upper()) for word in words)


@given(st.text())
def test_what_blocks_nothing_changes_nothing(text):
    assert EMPTY_BLOCK_LIST.clean(text, "beep") == text


@given(st.text(alphabet="fie rot.\u0301-2"))
def test_a_cleaned_text_is_clean(text):
    once = RUDE.clean(text, "so")
    assert RUDE.clean(once, "so") == once
