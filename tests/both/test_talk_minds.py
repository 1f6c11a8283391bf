"""The mind: a word list, its tree and a strategy; and how NAO plays on when an answer may be wrong."""

from __future__ import absolute_import, division, print_function, unicode_literals

import os

import pytest
from engine_trees import file_of, plan_of
from engine_words import WORDS
from hypothesis import given, strategies as st
from talk_stage import Stage, mind_of, stored

from jotto import compat, explain, game as games, words as wordlist
from jotto.rules import JOTTO, ForeignTree, JottoError, WordListError
from jotto.strategies import Belief, UnknownStrategy, Walk
from jotto.words import BlockList, WordList, hash_blocked_word
from jotto_behaviour import mind as resources
from jotto_behaviour.mind import MIN_CLASHES, Mind

#: NAO asks whether a guess is the word, or for its score at once.
ASKED = ("word", "both", "exact")


def playing(*scores, **more):
    stage = Stage(more.pop("words", WORDS), more.pop("strategy", "belief"), **more).hear("ready")
    for exact, misplaced in scores:
        stage.score(exact, misplaced)
    return stage


def goes_on(stage, secret, wrong=()):
    """Answer rightly, but for these turns (turn -> score), until NAO asks for the word or for more than scores."""
    wrong, said = dict(wrong), []
    while stage.state in ASKED and stage.game.guess != secret:
        turn = len(stage.game.turns)
        stage.score(*wrong[turn]) if turn in wrong else stage.honestly(secret)
        said += stage.said
    return said


def off():
    """Answer blade with three in place for zebra; after blast no word fits, and NAO still asks spade."""
    return playing((3, 0), (0, 2))


def fewest_clashes(turns):
    return min(len(explain.find_clashes(word, turns, JOTTO)) for word in WORDS)


def test_one_wrong_answer_is_played_through_and_named():
    for secret, wrong, asked in (
        ("ocean", {0: (0, 0)}, "blade shout minor trick forge ocean"),
        ("zebra", {0: (3, 0)}, "blade blast spade water zebra"),
        ("quilt", {1: (0, 4)}, "blade organ among query quilt"),
    ):
        stage = playing()
        said = goes_on(stage, secret, wrong)
        assert [turn.guess for turn in stage.game.turns] + [stage.game.guess] == asked.split(), (secret, wrong, asked)
        assert said.count("may be off") == 1 and "is this right" not in said, (secret, wrong, asked)
        stage.hear("yes")
        assert stage.said == ["wonderful", "would have said", "play again"], (secret, wrong, asked)
        (turn,) = wrong
        assert "For %s, I'd say" % asked.split()[turn] in stage.text, (secret, wrong, asked)


def test_a_game_interrupted_before_a_guess_is_played_on():
    waiting = off().talk._replace(game=off().game.withdraw(), state="guess")
    stage = Stage(WORDS, "belief", start=stored(waiting)).hear("yes")
    assert stage.said == ["where we were", "is it"] and stage.game == off().game


def test_other_strategies_sort_out_at_once():
    for strategy in ("consistent", "entropy", "tree"):
        stage = playing((4, 0), (0, 0), strategy=strategy)
        assert stage.said == ["score, none", "nothing fits", "is this right"] and fewest_clashes(stage.game.turns) == 1


def test_a_mistake_is_corrected_while_nao_plays_on():
    stage = off().hear("mistake", "yes", "no", "0", "3")
    assert stage.said == ["corrected", "is it"] and stage.talk.left > 0
    assert "may be off" not in goes_on(stage, "zebra")
    assert stage.hear("yes").said == ["wonderful", "play again"]


def test_nao_looks_for_the_mistake_once_two_answers_contradict_every_word():
    for secret, wrong in (
        ("dwarf", {0: (0, 3), 1: (1, 1)}),
        ("ocean", {0: (2, 0), 1: (2, 1), 2: (0, 1)}),
        ("light", {0: (1, 0), 1: (0, 1)}),
    ):
        stage = playing()
        said = goes_on(stage, secret, wrong)
        assert stage.state == "doubtful" and said[-3:] == ["score", "nothing fits", "is this right"], (secret, wrong)
        assert fewest_clashes(stage.game.turns) == MIN_CLASHES and fewest_clashes(stage.game.turns[:-1]) < MIN_CLASHES


def test_one_answer_put_right_may_be_enough_to_play_on():
    for exact, misplaced, said in (
        (0, 2, ["corrected", "may be off", "is it"]),
        (3, 1, ["corrected", "still nothing fits", "is this right"]),
    ):
        stage = playing()
        goes_on(stage, "dwarf", {0: (0, 3), 1: (1, 1)})
        while stage.talk.subject != "later":
            stage.hear("yes")
        stage.hear("no", str(exact), str(misplaced))
        assert stage.said == said and stage.talk.left == 0, (exact, misplaced, said)


def test_a_word_nao_does_not_know_is_asked_for_after_all():
    stage = playing(words=tuple(word for word in WORDS if word != "quilt"))
    goes_on(stage, "quilt")
    while stage.state == "doubtful":
        stage.hear("yes")
    assert stage.said == ["not in my list", "tell me"]
    assert stage.hear("yes").spell("quilt").hear("yes").said == ["fits but unknown", "learned", "play again"]


@given(st.integers(1, 10**6), st.sampled_from(WORDS), st.integers(5, 40))
def test_with_wrong_answers_every_word_is_found(seed, secret, percent):
    """The player counts wrongly now and then, and rightly when asked again."""
    stage = playing(seed=seed)
    while stage.state == "doubtful" or (stage.state in ASKED and stage.game.guess != secret):
        beat = stage.talk.beat
        if stage.state == "doubtful":
            right = JOTTO.score(stage.talk.subject, secret)
            noted = stage.game.turns[stage.talk.fixing].feedback
            stage.hear("yes") if noted == right else stage.hear("no").score(*right)
        elif compat.draw_number(100, seed, "wrong?", beat) < percent:
            others = [answer for answer in JOTTO.list_feedback() if answer != JOTTO.win]
            stage.score(*compat.draw_item(others, seed, "wrong", beat))
        else:
            stage.honestly(secret)
    assert stage.game.guess == secret
    asked = [turn.guess for turn in stage.game.turns]
    assert secret not in asked and len(set(asked)) == len(asked)


def mind(words=WORDS, blocked=None, rate=0.05):
    return Mind(WordList("test", tuple(words), (None,) * len(words)), Belief(rate=rate), blocked)


def game_of(*turns):
    game = games.start_game(JOTTO, "test", "", 1)
    for guess, feedback in turns:
        game = game.ask(guess).answer(feedback)
    return game


#: No word fits; each of these does but for one answer.
NOTHING_FITS = game_of(("ocean", (0, 1)), ("built", (0, 1)), ("frame", (1, 0)), ("dusty", (1, 1)))
NEARLY = ["group", "guide", "judge", "proud"]


def test_doubts():
    clean = game_of(("ocean", (0, 0)))
    assert not mind().doubts(clean), "nothing is asked"
    assert not mind().doubts(clean.ask("fruit")) and mind().doubts(clean.ask("canoe"))
    # Where nothing fits, one answer against a word is not unusual.
    assert [word for word in WORDS if not mind().doubts(NOTHING_FITS.ask(word))] == NEARLY


def test_the_only_fitting_word_is_certain_while_the_answers_are_believed():
    game = game_of(("ocean", (1, 2)), ("built", (1, 1)))
    assert mind().count_fitting(game) == 1 and mind().is_certain(game)
    assert not mind(rate=0.3).is_certain(game), "so many answers are wrong that one of the others is likelier"
    assert not mind().is_certain(game_of(("ocean", (1, 2)))), "several fit"
    assert not mind().is_certain(NOTHING_FITS)


def test_words_never_said_keep_no_game_going():
    assert not mind().is_lost(NOTHING_FITS) and mind().choose_guess(NOTHING_FITS) is not None
    rude = mind(blocked=BlockList(frozenset(map(hash_blocked_word, NEARLY))))
    assert rude.is_lost(NOTHING_FITS) and rude.choose_guess(NOTHING_FITS) is None


def test_lost_when_every_word_was_asked():
    known = mind(("ocean", "built"))
    game = game_of(("ocean", (0, 0)), ("built", (0, 0)))
    assert known.is_lost(game) and known.choose_guess(game) is None
    assert not known.is_lost(game_of(("ocean", (2, 0)))) and known.choose_guess(game_of(("ocean", (2, 0)))) == "built"
    assert mind_of(("ocean", "built")).is_lost(game_of(("ocean", (2, 0)))), "consistent does not play on"


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


def test_the_games_own_tree(folder):
    """Each row: the name and the words of a list, the words never said, and whether NAO follows the shipped tree."""

    def without(words, *gone):
        return tuple(word for word in words if word not in gone)

    few_gone = without(SHIPPED, SHIPPED[3])
    for name, words, rude, follows in (
        ("en", SHIPPED, (), True),
        ("copy", SHIPPED, (), True),
        # Some words of one's own behind it.
        ("en", SHIPPED + ("zesty", "vigor"), (), True),
        ("en", SHIPPED, SHIPPED[:3], True),
        ("en", SHIPPED[:1] + ("zesty",) + SHIPPED[1:], ("zesty",), True),
        # A few words blocked, so that they are gone.
        ("en", without(SHIPPED, SHIPPED[3], SHIPPED[9]), (), True),
        ("en", few_gone + ("zesty",), (), True),
        ("copy", few_gone, (), False),
        ("en", SHIPPED[::2], (), False),
        ("mine", MINE, (), False),
        # Lists that only begin with it.
        ("copy", WORDS[:90], (), False),
        ("en", WORDS[:90], (), False),
    ):
        assert found(folder, name, words, rude) == (PLAN[0] if follows else None, []), (name, words)


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
    why = "The tree is for 40 of the 60 words of this list; make one with 'jotto solve'."
    assert reasons == ["The tree 'copy.tree' is not used: " + why]


def test_a_tree_binds_a_list_with_words_of_ones_own_behind_common_ones(folder):
    place, walked = "%s" % folder.join("en.tsv"), resources.tree.parse_tree(file_of(PLAN, SHIPPED, JOTTO, "en"))
    known = wordlist.WordList("copy", WORDS[:90], (10,) * 60 + (None,) * 30)
    assert resources.bind_tree(walked, known, bool, place).word(0) == PLAN[0]
    for bands in ((10,) * 90, (None,) * 90):
        with pytest.raises(ForeignTree):
            resources.bind_tree(walked, known._replace(bands=bands), bool, place)


def test_a_bad_tree_beside_a_list_is_reported_and_the_next_one_taken(folder):
    folder.join("lists", "mine.tree").mkdir()
    assert found(folder, "mine", MINE) == (None, [])
    folder.join("lists", "copy.tree").write_binary(MINES)
    first, reasons = found(folder, "copy", SHIPPED)
    assert (first, len(reasons)) == (PLAN[0], 1)
    assert reasons[0].startswith("The tree 'copy.tree' is not used: The tree is for other words ('mine'")
    folder.join("en.tree").write_binary(b"damaged")
    first, reasons = found(folder, "copy", SHIPPED)
    assert first is None and [reason.split("'")[1] for reason in reasons] == ["copy.tree", "en.tree"]


def test_a_damaged_shipped_tree_is_reported_once(folder):
    for content in (b"", b"damaged", b"\0" * 1000):
        folder.join("en.tree").write_binary(content)
        for name in ("en", "copy"):
            walked, reasons = found(folder, name, SHIPPED)
        assert walked is None and len(reasons) == 1 and "'en.tree'" in reasons[0]


def test_trees_by_number_are_drawn_by_the_seed(folder):
    first = [plan_of(SHIPPED, JOTTO, seed) for seed in (1, 5, 7)]
    for number, plan in enumerate(first[1:], 2):
        folder.join("en-%d.tree" % number).write_binary(file_of(plan, SHIPPED, JOTTO, "en"))
    folder.join("en-5.tree").write_binary(file_of(PLAN, SHIPPED, JOTTO, "en"))
    known = wordlist.WordList("en", SHIPPED, (None,) * len(SHIPPED))
    place = "%s" % folder.join("en.tsv")
    walked, reasons = resources.find_trees(place, known, bool, place)
    assert [each.word(0) for each in walked] == [plan[0] for plan in first] and not reasons
    mind = Mind(known, Walk(walked[0], more=walked[1:]))
    for seed in range(30):
        game = games.start_game(JOTTO, "en", known.checksum, seed)
        drawn = compat.draw_item(first, seed, "tree")
        assert mind.choose_guess(game) == drawn[0]
        answer, below = sorted(drawn[1].items())[-1]
        following = game.ask(drawn[0]).answer(answer)
        if mind.count_fitting(following) > 1:
            assert mind.choose_guess(following) == below[0]


def test_one_bad_tree_among_several_is_left_out(folder):
    folder.join("en-2.tree").write_binary(MINES)
    folder.join("en-3.tree").write_binary(file_of(plan_of(SHIPPED, JOTTO, 5), SHIPPED, JOTTO, "en"))
    known = wordlist.WordList("en", SHIPPED, (None,) * len(SHIPPED))
    place = "%s" % folder.join("en.tsv")
    walked, reasons = resources.find_trees(place, known, bool, place)
    assert len(walked) == 2 and [reason.split("'")[1] for reason in reasons] == ["en-2.tree"]


def test_a_bare_name_is_that_of_a_list_next_to_the_games_own(tmpdir, monkeypatch):
    put(tmpdir, "mine.txt", MINE)
    monkeypatch.setattr(resources, "LIST_FOLDERS", ("%s" % tmpdir,) + resources.LIST_FOLDERS)
    mine = resources.load_mind("%s" % tmpdir.join("mine.txt"), "", ()).wordlist
    assert resources.load_mind("mine.txt", "", ()).wordlist == mine
    with pytest.raises(resources.MissingFile):
        resources.load_mind("nowhere.txt", "", ())


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


def test_how_common_words_weigh():
    walked = resources.tree.parse_tree(file_of(PLAN, SHIPPED, JOTTO))
    walked.certificate["weighting"] = {"10": 32, "50": 1}
    assert resources.find_prior(walked) == {10: 32, 50: 1} and resources.find_prior(None) is None
    weights = [{"10": weight} for weight in (0, -1, 1.5, True, 10**400, "32")]
    sizes = [{size: 32} for size in ("ten", "\u00b2", "9" * 5000, "-1")]
    for walked.certificate["weighting"] in [None, {}, [10, 32]] + weights + sizes:
        assert resources.find_prior(walked) is None, walked.certificate


def test_belief_weighs_words_as_their_tree_does_and_walks_it():
    strategy = resources.load_mind("", "belief", ()).strategy
    walked = strategy.otherwise.tree
    assert strategy.prior == {int(band): weight for band, weight in walked.certificate["weighting"].items()}
    assert strategy.name == resources.DEFAULT_STRATEGY and strategy.may_ask("ocean")
    assert resources.load_mind("", "tree", ()).strategy.name == "tree"


@pytest.fixture
def empty_cache(monkeypatch):
    monkeypatch.setattr(resources, "_KEPT", {})
    return resources._KEPT


def list_file(tmpdir, content, name="mine.txt"):
    tmpdir.join(name).write_binary(content)
    return "%s" % tmpdir.join(name)


def test_a_few_lists_are_cached_until_they_change(tmpdir, empty_cache):
    path = list_file(tmpdir, b"ocean\ncanoe\n")
    mind = resources.load_mind(path, "", [])
    assert mind.wordlist.name == "mine" and mind.strategy.name == resources.DEFAULT_STRATEGY
    assert resources.load_mind(path, "", []) is mind
    assert resources.load_mind(path, "", ["cloud"]).wordlist.words == ("ocean", "canoe", "cloud")
    assert resources.load_mind(path, "consistent", []).strategy.name == "consistent"
    list_file(tmpdir, b"ocean\ncanoe\ntable\n")
    os.utime(path, (1, 1))
    assert len(resources.load_mind(path, "", []).index) == 3
    for word in ("cloud", "paint", "drink", "flame", "grape", "house", "light", "mouse", "night", "pearl", "quiet"):
        assert resources.load_mind(path, "", [word]).knows(word)
        assert len(empty_cache) <= 12


def test_unusable_lists_and_an_unknown_strategy(tmpdir, empty_cache):
    noise = (b"\0\1\2" * 99, b"\x89PNG\r\n")
    for content in (b"", b"ocean\n", b"ocean ocean ocean", b"hello\nabc\n", b"#ocean\n#canoe") + noise:
        with pytest.raises(WordListError) as caught:
            resources.load_mind(list_file(tmpdir, content), "", [])
        assert "mine" in "%s" % caught.value
    tmpdir.mkdir("folder")
    for name in ("missing.txt", "folder", "folder/x", "bad\0name", "\u00e9.txt", "x" * 5000):
        with pytest.raises(resources.MissingFile) as caught:
            resources.load_mind("%s/%s" % (tmpdir, name), "", [])
        assert isinstance(caught.value, JottoError)
    with pytest.raises(UnknownStrategy):
        resources.load_mind("", "luck", [])


def test_a_list_of_words_nao_never_says(tmpdir, empty_cache):
    empty_cache["blocked", "en"] = BlockList(frozenset([hash_blocked_word("ocean"), hash_blocked_word("canoe")]))
    with pytest.raises(WordListError):
        resources.load_mind(list_file(tmpdir, b"ocean\ncanoe\n"), "", [])
    assert resources.load_mind(list_file(tmpdir, b"ocean\ncanoe\ntable\n"), "", []).sayable == 4


def test_a_missing_file_of_the_game_itself(monkeypatch, empty_cache):
    monkeypatch.setattr(resources, "LIST_FOLDERS", ("nowhere",))
    for look in (resources.get_default_list, resources.load_block_list):
        with pytest.raises(resources.MissingFile):
            look()
