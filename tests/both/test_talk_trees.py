"""The choice of a tree for a list: beside it, shipped, with blocked words, changed meanwhile, or none."""

from __future__ import absolute_import, division, print_function, unicode_literals

import os

import pytest
from engine_trees import file_of, plan_of
from engine_words import WORDS

from jotto import compat
from jotto import game as games
from jotto import words as wordlist
from jotto.rules import JOTTO, ForeignTree
from jotto.strategies import Walk
from jotto.words import BlockList, hash_blocked_word
from jotto_behaviour import mind as resources
from jotto_behaviour.mind import Mind

SHIPPED = WORDS[:60]
PLAN = plan_of(SHIPPED, JOTTO, 1)
MINE = ("ocean", "canoe", "table", "knife")
MINES = file_of(plan_of(MINE, JOTTO, 1), MINE, JOTTO, "mine")


@pytest.fixture
def folder(tmpdir):
    """Provide a folder with the game's own list and tree, and a folder for other lists in it."""
    tmpdir.join("lists").mkdir()
    put(tmpdir, "en.tsv", SHIPPED)
    tmpdir.join("en.tree").write_binary(file_of(PLAN, SHIPPED, JOTTO, "en"))
    return tmpdir


def put(folder, name, words):
    folder.join(name).write_binary("".join(word + "\n" for word in words).encode("ascii"))


def found(folder, name, words, rude=()):
    """Return the first guess of the first tree found for a list of that name, and the reasons against others."""
    place = "%s" % folder.join("lists", name + ".txt")
    known = wordlist.WordList(name, tuple(words), (None,) * len(words))
    walked, reasons = resources.find_trees(place, known, lambda word: word not in rude, "%s" % folder.join("en.tsv"))
    return walked[0].word(0) if walked else None, reasons


def without(words, *gone):
    return tuple(word for word in words if word not in gone)


#: Name and words of a list, the words never said, and whether it is walked.
LISTS = [
    ("the shipped list", "en", SHIPPED, (), True),
    ("by another name", "copy", SHIPPED, (), True),
    ("words of one's own behind it", "en", SHIPPED + ("zesty", "vigor"), (), True),
    ("words never said in it", "en", SHIPPED, SHIPPED[:3], True),
    ("words never said among those", "en", SHIPPED[:1] + ("zesty",) + SHIPPED[1:], ("zesty",), True),
    ("a few words blocked", "en", without(SHIPPED, SHIPPED[3], SHIPPED[9]), (), True),
    ("a few blocked and some of one's own", "en", without(SHIPPED, SHIPPED[3]) + ("zesty",), (), True),
    ("a few gone, by another name", "copy", without(SHIPPED, SHIPPED[3]), (), False),
    ("half of it", "en", SHIPPED[::2], (), False),
    ("other words", "mine", MINE, (), False),
    ("a list that only begins with it", "copy", WORDS[:90], (), False),
    ("a list of that name that only begins with it", "en", WORDS[:90], (), False),
]


@pytest.mark.parametrize("name, words, rude, walks", [row[1:] for row in LISTS], ids=[row[0] for row in LISTS])
def test_the_games_own_tree(folder, name, words, rude, walks):
    assert found(folder, name, words, rude) == (PLAN[0] if walks else None, [])


def test_the_tree_beside_a_list_comes_first(folder):
    folder.join("lists", "mine.tree").write_binary(MINES)
    assert found(folder, "mine", MINE)[0] in MINE
    folder.join("lists", "copy.tree").write_binary(file_of(plan_of(SHIPPED, JOTTO, 5), SHIPPED, JOTTO))
    first, reasons = found(folder, "copy", SHIPPED)
    assert first == plan_of(SHIPPED, JOTTO, 5)[0] != PLAN[0] and reasons == []


def test_a_tree_for_the_beginning_of_a_list_is_left_out(folder):
    """Nine words in ten led off it, and were found half a guess later, without a word about it."""
    folder.join("lists", "copy.tree").write_binary(file_of(plan_of(SHIPPED[:40], JOTTO, 5), SHIPPED[:40], JOTTO))
    first, reasons = found(folder, "copy", SHIPPED)
    assert first == PLAN[0]
    assert reasons == [
        "The tree 'copy.tree' is not used: The tree is for 40 of the 60 words of this list; make one "
        "with 'jotto solve'."
    ]


@pytest.mark.parametrize(
    "bands, walks", [((10,) * 60 + (None,) * 30, True), ((10,) * 90, False), ((None,) * 90, False)]
)
def test_many_words_of_ones_own_behind_a_list_that_knows_how_common_its_words_are(folder, bands, walks):
    known = wordlist.WordList("copy", WORDS[:90], bands)
    walked = resources.tree.read_tree(file_of(PLAN, SHIPPED, JOTTO, "en"))
    if walks:
        assert resources.bind_tree(walked, known, bool, "%s" % folder.join("en.tsv")).word(0) == PLAN[0]
    else:
        with pytest.raises(ForeignTree):
            resources.bind_tree(walked, known, bool, "%s" % folder.join("en.tsv"))


def test_a_bad_tree_beside_a_list_is_reported_and_the_next_one_taken(folder):
    folder.join("lists", "copy.tree").write_binary(MINES)
    first, reasons = found(folder, "copy", SHIPPED)
    assert (first, len(reasons)) == (PLAN[0], 1)
    assert reasons[0].startswith("The tree 'copy.tree' is not used: The tree is for other words ('mine'")
    folder.join("en.tree").write_binary(b"damaged")
    first, reasons = found(folder, "copy", SHIPPED)
    assert first is None and [reason.split("'")[1] for reason in reasons] == ["copy.tree", "en.tree"]


@pytest.mark.parametrize("content", [b"", b"damaged", b"\0" * 1000])
def test_a_damaged_shipped_tree_is_reported_once(folder, content):
    folder.join("en.tree").write_binary(content)
    for name in ("en", "copy"):
        walked, reasons = found(folder, name, SHIPPED)
    assert walked is None and len(reasons) == 1 and "'en.tree'" in reasons[0]


def test_a_folder_in_the_place_of_a_tree(folder):
    folder.join("lists", "mine.tree").mkdir()
    assert found(folder, "mine", MINE) == (None, [])


def test_trees_by_number_are_drawn_by_the_seed(folder):
    first = [plan_of(SHIPPED, JOTTO, seed) for seed in (1, 5, 7)]
    for number, plan in enumerate(first[1:], 2):
        folder.join("en-%d.tree" % number).write_binary(file_of(plan, SHIPPED, JOTTO, "en"))
    folder.join("en-5.tree").write_binary(file_of(PLAN, SHIPPED, JOTTO, "en"))
    known = wordlist.WordList("en", SHIPPED, (None,) * len(SHIPPED))
    walked, reasons = resources.find_trees(
        "%s" % folder.join("en.tsv"), known, lambda word: True, "%s" % folder.join("en.tsv")
    )
    assert [each.word(0) for each in walked] == [plan[0] for plan in first] and not reasons
    mind = Mind(known, Walk(walked[0], more=walked[1:]))
    for seed in range(30):
        game = games.start_game(JOTTO, "en", known.checksum, seed)
        drawn = compat.draw_item(first, seed, "tree")
        assert mind.next_guess(game) == drawn[0]
        answer, below = sorted(drawn[1].items())[-1]
        following = game.ask(drawn[0]).answer(answer)
        if mind.left(following) > 1:
            assert mind.next_guess(following) == below[0]


def test_one_bad_tree_among_several_is_left_out(folder):
    folder.join("en-2.tree").write_binary(MINES)
    folder.join("en-3.tree").write_binary(file_of(plan_of(SHIPPED, JOTTO, 5), SHIPPED, JOTTO, "en"))
    known = wordlist.WordList("en", SHIPPED, (None,) * len(SHIPPED))
    walked, reasons = resources.find_trees(
        "%s" % folder.join("en.tsv"), known, lambda word: True, "%s" % folder.join("en.tsv")
    )
    assert len(walked) == 2 and [reason.split("'")[1] for reason in reasons] == ["en-2.tree"]


def test_no_tree_at_all(tmpdir):
    put(tmpdir, "en.tsv", SHIPPED)
    assert found(tmpdir, "en", SHIPPED) == (None, [])


def test_a_tree_that_changed_is_read_again(tmpdir, monkeypatch):
    monkeypatch.setattr(resources, "_KEPT", {})
    put(tmpdir, "mine.txt", MINE)
    path = "%s" % tmpdir.join("mine.txt")
    assert resources.load_mind(path, "tree", ()).strategy.tree is None
    tmpdir.join("mine.tree").write_binary(MINES)
    mind = resources.load_mind(path, "tree", ())
    assert mind.strategy.tree.certificate["list"] == "mine" and mind is resources.load_mind(path, "tree", ())
    assert resources.load_mind(path, "", ("zesty",)).strategy.otherwise.tree is not None
    tmpdir.join("mine.tree").write_binary(b"damaged")
    os.utime("%s" % tmpdir.join("mine.tree"), (1, 1))
    assert resources.load_mind(path, "tree", ()).strategy.tree is None
    assert len(resources.load_mind(path, "tree", ()).remarks) == 1
    assert resources.load_mind(path, "entropy", ()).remarks == ()


@pytest.mark.parametrize(
    "weighting, prior",
    [
        ({"10": 32, "50": 1}, {10: 32, 50: 1}),
        (None, None),
        ({}, None),
        ([10, 32], None),
        ({"10": 0}, None),
        ({"10": -1}, None),
        ({"10": 1.5}, None),
        ({"10": True}, None),
        ({"10": 10**400}, None),
        ({"10": "32"}, None),
        ({"ten": 32}, None),
        ({"\u00b2": 32}, None),
        ({"9" * 5000: 32}, None),
        ({"-1": 32}, None),
    ],
)
def test_how_common_words_weigh(weighting, prior):
    walked = resources.tree.read_tree(file_of(PLAN, SHIPPED, JOTTO))
    walked.certificate["weighting"] = weighting
    assert resources.read_prior(walked) == prior
    assert resources.read_prior(None) is None


def test_belief_weighs_words_as_their_tree_does_and_walks_it():
    strategy = resources.load_mind("", "belief", ()).strategy
    walked = strategy.otherwise.tree
    assert strategy.prior == {int(band): weight for band, weight in walked.certificate["weighting"].items()}
    assert strategy.name == resources.DEFAULT_STRATEGY and strategy.may_ask("ocean")
    assert resources.load_mind("", "tree", ()).strategy.name == "tree"


def test_a_mind_asks_the_tree_but_never_what_is_blocked():
    known = wordlist.WordList("test", SHIPPED, (None,) * len(SHIPPED))
    walked = resources.tree.read_tree(file_of(PLAN, SHIPPED, JOTTO)).bound_to(SHIPPED, JOTTO)
    game = games.start_game(JOTTO, "test", "", 1)
    assert Mind(known, Walk(walked)).next_guess(game) == PLAN[0]
    rude = BlockList(frozenset([hash_blocked_word(PLAN[0])]))
    careful = Mind(known, Walk(walked, may_ask=lambda word: not rude.blocks(word)), rude)
    asked = careful.next_guess(game)
    assert asked in SHIPPED and asked != PLAN[0]


def test_what_is_doubted():
    mind = Mind(wordlist.WordList("test", MINE, (None,) * 4), Walk())
    game = games.start_game(JOTTO, "test", "", 1)
    assert not mind.doubts(game)
    assert not mind.doubts(game.ask("ocean"))
    answered = game.ask("ocean").answer((0, 0))
    assert not mind.doubts(answered)
    assert mind.doubts(answered.ask("canoe")) and not mind.doubts(answered.ask("dirty"))
