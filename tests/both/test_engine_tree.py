"""Decision trees: files read back as they were, files that are refused, and games that leave the tree."""

from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib
import json
import struct
import zlib

import pytest
from engine_trees import certificate_of, file_of, plan_of, tables_of, turns_of
from engine_words import WORDS
from hypothesis import given, strategies as st

from jotto import tree
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.index import Index
from jotto.rules import BULLS, JOTTO, MASTERMIND, PAPER_JOTTO, WORDLE, ForeignTree, Rules, TreeError
from jotto.strategies import Consistent, Position, Walk, find_strategy
from jotto.words import WordList

FEW = WORDS[::12]
PLAN = plan_of(FEW, JOTTO, 1)
FILE = file_of(PLAN, FEW, JOTTO)
TREE = tree.parse_tree(FILE).bound_to(FEW, JOTTO)


@st.composite
def games(draw):
    """Make rules, a list of words they allow, and words that may only be asked."""
    kind = draw(st.sampled_from([PLACES, MARKS, COMMON]))
    length = draw(st.integers(1, 5))
    alphabet = draw(st.sampled_from(["abcdef", "xy\u00e9zuv", ("a", 1, 2, "bc", 10, 0)]))
    repeats = draw(st.booleans())
    rules = Rules("any", length, alphabet, repeats, kind)
    symbols = st.lists(st.sampled_from(alphabet), min_size=length, max_size=length, unique=not repeats)
    join = "".join if isinstance(alphabet, type("")) else tuple
    words = draw(st.lists(symbols.map(join), min_size=1, max_size=30, unique=True))
    secrets = draw(st.integers(1, len(words)))
    return rules, words[:secrets], words[secrets:]


@given(games(), st.integers(0, 9))
def test_a_tree_asks_what_its_plan_asks(game, seed):
    def count_nodes(plan):
        return 1 + sum(map(count_nodes, plan[1].values()))

    rules, words, wider = game
    plan = plan_of(words, rules, seed, wider)
    read = tree.parse_tree(file_of(plan, words, rules))
    assert set(read.extra) <= set(wider)
    bound = read.bound_to(words, rules)
    for secret in words:
        turns = turns_of(plan, rules, secret)
        for number, (guess, _) in enumerate(turns):
            assert bound.guess(turns[:number]) == guess
        if rules.kind != COMMON:
            assert bound.guess(turns[:-1] + [(secret, rules.win)]) is None
    assert len(read) == count_nodes(plan)


def test_what_the_certificate_says_is_kept():
    content = file_of(PLAN, FEW, JOTTO, total=170, proven=False, command="jotto solve \u00e9", bound=None)
    read = tree.parse_tree(content)
    assert (read.certificate["total"], read.certificate["command"]) == (170, "jotto solve \u00e9")
    assert read.certificate["rules"] == JOTTO.plain() and read.rules == JOTTO
    assert read.certificate["bound"] is None and read.certificate["proven"] is False


def test_numbers_of_more_than_one_byte():
    # Words that are never asked stand before those that are asked.
    rules = Rules("wide", 4, "abcdefghijklmnopq", True, MARKS)
    words = tree.list_codes(rules)
    for first, size in ((0, 1), (236, 1), (250, 2), (65516, 2), (65517, 3), (80000, 3)):
        few = words[first : first + 20]
        asked = words[:first] + few
        guesses, led, children, extra = tables_of(plan_of(few, rules, 3), asked, rules)
        content = tree.write_tree(certificate_of(asked, rules), guesses, led, children)
        bound = tree.parse_tree(content).bound_to(asked, rules)
        assert extra == [] and tree.count_number_bytes(len(asked)) == size
        assert [bound.word(node) for node in range(len(bound))] == [asked[guess] for guess in guesses]
    assert [tree.count_number_bytes(below) for below in (1, 256, 257, 65536, 65537, 500000)] == [1, 1, 2, 2, 3, 3]


def test_more_answers_than_a_byte_holds():
    rules = Rules("long", 6, "abc", True, MARKS)
    words = tree.list_codes(rules)[::7]
    plan = plan_of(words, rules, 1)
    bound = tree.parse_tree(file_of(plan, words, rules)).bound_to(words, rules)
    assert len(tree.list_answers(rules)) > 256 and len(plan[1]) > 20
    for secret in words:
        turns = turns_of(plan, rules, secret)
        assert bound.guess(turns[:-1]) == secret


def test_every_changed_byte_is_refused():
    for flip in (1, 0x80, 0xFF):
        for place in range(len(FILE)):
            changed = bytearray(FILE)
            changed[place] ^= flip
            with pytest.raises(TreeError):
                tree.parse_tree(bytes(changed))


def test_every_cut_and_every_addition_is_refused():
    for length in range(len(FILE)):
        with pytest.raises(TreeError):
            tree.parse_tree(FILE[:length])
        with pytest.raises(TreeError):
            tree.parse_tree(FILE[length:] + b"\n")
    with pytest.raises(TreeError, match="longer than it says"):
        tree.parse_tree(FILE + b"\n")


def resealed(text=None, body=None, nodes=None, line=b"jotto tree 1\n"):
    """Make a file with other sections and the right checksum."""
    old_text, old_body, old_nodes = tree.open_tree_file(FILE)
    text, body = old_text if text is None else text, old_body if body is None else body
    lengths = struct.pack(str(">III"), len(text), len(body), old_nodes if nodes is None else nodes)
    content = line + lengths + text + body
    return content + hashlib.sha256(content).digest()


def tabled(change):
    """Make a file with other tables, unchecked."""
    tables = [list(table) for table in tables_of(PLAN, FEW, JOTTO)[:3]]
    change(*tables)
    body = zlib.compress(b"".join(bytes(bytearray(table)) for table in tables))
    return resealed(body=body, nodes=len(tables[0]))


def chain(depth):
    def change(guesses, led, children):
        guesses[:], led[:], children[:] = [0] * depth, [0] * (depth - 1), [1] * (depth - 1) + [0]

    return change


def test_what_is_no_tree_is_refused_in_one_sentence():
    def an_unknown_answer(_guesses, led, _children):
        led[-1] = 19

    def an_unknown_word(guesses, _led, _children):
        guesses[-1] = len(FEW)

    def one_child_more(_guesses, _led, children):
        children[-1] += 1

    def no_child_of_the_root(_guesses, _led, children):
        children[0], children[-1] = 0, children[0]

    def first_answer_twice(_guesses, led, _children):
        led[1] = led[0]

    def certified(**changes):
        """Make a file whose certificate has another value, or leaves a field out (None)."""
        certificate = certificate_of(FEW, JOTTO)
        certificate.update(changes)
        text = json.dumps({key: value for key, value in certificate.items() if value is not Ellipsis}).encode("ascii")
        return resealed(text)

    for name, content, said in [
        ("empty", b"", "not a tree file"),
        ("a word list", b"ocean\t10\n" * 50, "not a tree file"),
        ("no end of the line", b"jotto tree 1" + b"1" * 90, "version"),
        ("a later version", resealed(line=b"jotto tree 2\n"), "of version '2'; this game reads version 1"),
        ("no version", resealed(line=b"jotto tree \n"), "of version ''"),
        ("an odd version", resealed(line=b"jotto tree \xff\xfe\n"), "version"),
        ("only the line", b"jotto tree 1\n", "cut off"),
        ("half", FILE[: len(FILE) // 2], "cut off"),
        ("another end", FILE[:-1] + (b"a" if FILE[-1:] != b"a" else b"b"), "checksum"),
        ("too large", FILE + b"\0" * tree.MAX_TREE_BYTES, "larger than 8 MB"),
        ("a huge certificate", b"jotto tree 1\n" + b"\xff" * 12 + b"x" * 100, "impossible sizes"),
        ("no node", resealed(nodes=0), "impossible sizes"),
        ("a million nodes", resealed(nodes=10**6), "number of nodes of the tree"),
        ("one node more", resealed(nodes=len(TREE) + 1), "number of nodes of the tree"),
        ("one node less", resealed(nodes=len(TREE) - 1), "number of nodes of the tree"),
        ("a body that does not unpack", resealed(body=b"ocean"), "unpacked"),
        ("no body", resealed(body=b""), "number of nodes of the tree"),
        ("a body of gigabytes", resealed(body=zlib.compress(b"\0" * 10**7, 9)), "number of nodes of the tree"),
        ("a byte behind the body", resealed(body=tree.open_tree_file(FILE)[1] + b"x"), "number of nodes of the tree"),
        ("no JSON", resealed(b"ocean"), "not JSON"),
        ("no text", resealed(b"\xff\xfe"), "not JSON"),
        ("deep brackets", resealed(b"[" * 200000), "not JSON"),
        ("a list", resealed(b"[1]"), "is not an object: [1]"),
        ("no rules", certified(rules=Ellipsis), "rules"),
        ("odd rules", certified(rules={"name": "x"}), "rules"),
        ("too long marks", certified(rules=WORDLE._replace(length=9).plain()), "9 letters; the limit is 8"),
        ("other rules", certified(rules=MASTERMIND.plain()), "does not exist"),
        ("no words", certified(words=0), "'words'"),
        ("too many words", certified(words=10**9), "'words'"),
        ("half a word", certified(words=2.5), "'words'"),
        ("true words", certified(words=True), "'words'"),
        ("no checksum", certified(checksum=Ellipsis), "'checksum'"),
        ("a number for a name", certified(list=7), "'list'"),
        ("no extra", certified(extra=None), "'extra'"),
        ("extra against the rules", certified(extra=["hello"]), "'hello' uses 'l' more than once"),
        ("extra numbers", certified(extra=[5]), "not a word"),
        ("fewer words than asked", certified(words=3), "does not exist"),
        ("more words than a byte numbers", certified(words=300), "number of nodes of the tree"),
        ("an unknown word", tabled(an_unknown_word), "does not exist"),
        ("an unknown answer", tabled(an_unknown_answer), "does not exist"),
        ("an answer twice", tabled(first_answer_twice), "inconsistent"),
        ("a root without children", tabled(no_child_of_the_root), "inconsistent"),
        ("a child that is not there", tabled(one_child_more), "too many"),
        ("too deep", tabled(chain(101)), "deeper than any game"),
    ]:
        with pytest.raises(TreeError) as caught:
            tree.parse_tree(content)
        sentence = "%s" % caught.value
        assert said in sentence and sentence.endswith(".") and len(sentence) < 200, (name, sentence)


def test_nothing_is_written_that_is_not_read_and_a_tree_is_as_deep_as_a_game_may_be():
    assert len(tree.parse_tree(tabled(chain(100)))) == 100
    for tables in (
        ([0, 1], [0], [1]),
        ([0, 1], [], [1, 0]),
        ([0, 99], [0], [1, 0]),
        ([0, -1], [0], [1, 0]),
        ([0, 1], [19], [1, 0]),
        ([0, 1], [0], [0, 1]),
        ([], [], []),
    ):
        with pytest.raises(TreeError):
            tree.write_tree(certificate_of(FEW, JOTTO), *tables)
    with pytest.raises(TreeError, match="sizes"):
        file_of(PLAN, FEW, JOTTO, command="x" * tree.MAX_CERTIFICATE_BYTES)


def test_words_joined_behind_the_list_do_not_matter():
    assert tree.parse_tree(FILE).bound_to(FEW + ("zesty",), JOTTO).word(0) == PLAN[0]
    assert tree.parse_tree(FILE).bound_to(FEW, JOTTO._replace(name="by voice")).word(0) == PLAN[0]


def test_foreign_words_and_rules_are_refused_and_without_words_nothing_is_asked():
    with pytest.raises(TreeError, match="bind"):
        tree.parse_tree(FILE).guess([])
    for words, rules, said in (
        (FEW[1:], JOTTO, "other words ('test', %d of them)" % len(FEW)),
        (FEW[::-1], JOTTO, "other words"),
        (FEW[:-1] + ("zesty",), JOTTO, "other words"),
        ((), JOTTO, "other words"),
        (WORDS, JOTTO, "other words"),
        (FEW, PAPER_JOTTO, "rules 'jotto', not for these ('paper-jotto')"),
        (FEW, WORDLE, "rules"),
    ):
        with pytest.raises(ForeignTree) as caught:
            tree.parse_tree(FILE).bound_to(words, rules)
        assert said in "%s" % caught.value, (words, rules, said)


def test_the_checksum_is_the_lists():
    assert tree.hash_words(FEW) == WordList("any", FEW, (None,) * len(FEW)).checksum
    assert tree.hash_words([("a", 1), (1, "a")]) == tree.hash_words(["a 1", "1 a"])


def test_every_code():
    for rules, count, first, last in (
        (MASTERMIND, 1296, "rrrr", "vvvv"),
        (BULLS, 5040, "0123", "9876"),
        (Rules("odd", 2, ("a", 1), True, PLACES), 4, ("a", "a"), (1, 1)),
        (Rules("one", 1, "a", False, PLACES), 1, "a", "a"),
    ):
        codes = tree.list_codes(rules)
        assert (len(codes), len(set(codes)), codes[0], codes[-1]) == (count, count, first, last)
        assert all(map(rules.allows, codes)), (rules, count, first, last)
        places = [[rules.alphabet.index(symbol) for symbol in code] for code in codes]
        assert places == sorted(places), (rules, count, first, last)


def test_too_many_codes():
    for rules in (WORDLE, JOTTO, BULLS._replace(length=64, repeats=True)):
        with pytest.raises(TreeError, match="the limit is 500000"):
            tree.list_codes(rules)


def test_a_symbol_game():
    codes = tree.list_codes(MASTERMIND)
    plan = plan_of(codes, MASTERMIND, 2)
    bound = tree.parse_tree(file_of(plan, codes, MASTERMIND, None)).bound_to(codes, MASTERMIND)
    for secret in codes[::50]:
        assert bound.guess(turns_of(plan, MASTERMIND, secret)[:-1]) == secret
    with pytest.raises(ForeignTree, match="every code, 1296"):
        tree.parse_tree(file_of(plan, codes, MASTERMIND, None)).bound_to(codes[1:], MASTERMIND)


def position(words, turns, fitting=None):
    index = Index(words, JOTTO)
    candidates = index.find_candidates(turns) if fitting is None else fitting(index)
    return Position(index, candidates, None, len(turns), 1, turns)


def played(strategy, secret, words):
    turns = []
    while len(turns) < 30:
        guess = strategy.choose(position(words, turns))
        turns.append((guess, JOTTO.score(guess, secret)))
        if guess == secret:
            return [turn[0] for turn in turns]
    raise AssertionError("%s is not found: %s" % (secret, turns))


def test_every_word_is_found_as_the_tree_says():
    walk = Walk(TREE, Consistent())
    for secret in FEW:
        assert len(played(walk, secret, FEW)) <= len(turns_of(PLAN, JOTTO, secret))
    assert played(walk, FEW[3], FEW)[0] == PLAN[0]


def test_words_learned_are_found_off_the_tree():
    own = ("zesty", "vigor", "dwarf")
    for secret in own + FEW:
        assert played(Walk(TREE), secret, FEW + own)[-1] == secret


class OtherStrategy(Consistent):
    def choose(self, position):
        return "otherwise"


SCORED = JOTTO.score(PLAN[0], FEW[5])
TURN = (PLAN[0], SCORED)


def test_on_the_tree_and_off_it():
    for turns, expected in (
        ([], PLAN[0]),
        ([TURN], PLAN[1][SCORED][0]),
        ([("zesty", SCORED)], "otherwise"),
        ([(PLAN[0], (4, 0))], "otherwise"),
        ([TURN, TURN], "otherwise"),
        ([TURN, ("zesty", (0, 1)), TURN], "otherwise"),
    ):
        everything = position(FEW, turns, lambda index: index.everything)
        assert Walk(TREE, OtherStrategy()).choose(everything) == expected, (turns, expected)
    # Without the turns there is no walk.
    index = Index(FEW, JOTTO)
    for count, expected in ((0, PLAN[0]), (1, "otherwise")):
        start = Position(index, index.everything, None, count, 1)
        assert Walk(TREE, OtherStrategy()).choose(start) == expected
    # The last candidate is asked.
    one = position(FEW, [], lambda index: index.select_word(FEW[7]))
    assert Walk(TREE, OtherStrategy()).choose(one) == Walk(None, OtherStrategy()).choose(one) == FEW[7] != PLAN[0]
    # A guess that may not be asked is passed over.
    walk = Walk(TREE, OtherStrategy(), lambda word: word != PLAN[0])
    assert walk.choose(position(FEW, [])) == "otherwise"
    assert walk.choose(position(FEW, [TURN], lambda index: index.everything)) == PLAN[1][SCORED][0]


def test_a_guess_that_cannot_be_the_word_is_asked_where_it_tells_something():
    root = Walk(TREE, OtherStrategy())
    alike = [word for word in FEW if word != PLAN[0] and JOTTO.score(PLAN[0], word) == SCORED]
    other = next(word for word in FEW if JOTTO.score(PLAN[0], word) not in (SCORED, JOTTO.win))
    assert len(alike) > 1

    def fitting(*words):
        return lambda index: sum(index.select_word(word) for word in words)

    assert root.choose(position(FEW, [], fitting(alike[0], other))) == PLAN[0]
    assert root.choose(position(FEW, [], fitting(alike[0], alike[1]))) == "otherwise"


def test_a_wider_word_is_asked_and_a_word_gone_from_the_list_is_not():
    words = ("match", "latch", "watch", "patch", "batch")
    guess = "plumb"
    branches = {}
    for word in words:
        branches.setdefault(JOTTO.score(guess, word), []).append(word)
    plan = (guess, {score: plan_of(part, JOTTO, 1) for score, part in branches.items()})
    found = tree.parse_tree(file_of(plan, words, JOTTO)).bound_to(words, JOTTO)
    assert found.extra == ("plumb",)
    assert Walk(found, OtherStrategy()).choose(position(words, [])) == "plumb"
    rest = tuple(word for word in FEW if word != PLAN[0])
    assert Walk(TREE, OtherStrategy()).choose(position(rest, [])) == "otherwise"


def test_a_walk_without_a_tree_is_entropy():
    for turns in ([], [TURN]):
        assert find_strategy("tree").choose(position(FEW, turns)) == find_strategy("entropy").choose(
            position(FEW, turns)
        )
    assert isinstance(find_strategy("tree"), Walk) and find_strategy("tree").tree is None
