"""`jotto wordle`: the exact filter, rounds in every form, the original's state beside it, play and solve."""

import io
import json
import sys
import zipfile

import pytest
from command_line import install_extra, jotto, live_in
from engine_words import WORDS
from hypothesis import assume, given, strategies as st
from shared_data import NLTK, needs_shared_data

from jotto import feedback
from jotto.game import Turn
from jotto.rules import WORDLE
from jotto_desk.errors import DeskError
from jotto_desk.games import wordle, wordle_dialogue
from jotto_desk.games.wordle import Vocabulary, WordleHelper, describe_hints

#: The published log; the first two guesses are inferred.
LOG = ["A_P,R_P,O_N,S_P,E_N", "P_N,A_P,R_P,T_N,S_P", "S_E,U_N,G_N,A_P,R_P"]
SUGGESTED = {"shark": 42, "scarf": 29, "scars": 14, "swarm": 12, "scary": 8, "shari": 1, "snarl": 1, "shard": 1}
EVERY = [*SUGGESTED, "abide", "speed", "erase", "steal", "crepe", "sugar", "light", "night", "might", "fight"]
FEW = Vocabulary("few", {word: float(SUGGESTED.get(word, 5)) for word in EVERY}, "times")


@pytest.fixture
def typed(monkeypatch, capsys, tmp_path):
    """Run a command on typed lines; return exit code, lines of output, errors."""
    live_in(tmp_path, monkeypatch)
    (tmp_path / "few.txt").write_text("\n".join(EVERY), encoding="ascii")
    monkeypatch.chdir(tmp_path)

    def run(*options, lines=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code, out, err = jotto(capsys, "wordle", *options)
        return code, out.splitlines(), err

    return run


def test_rounds_as_people_write_them_and_impossible_ones():
    for text in [
        "S_E,U_N,G_N,A_P,R_P",
        "s_e, u_n, g_n, a_p, r_p",
        "S:G,U:B,G:B,A:Y,R:Y",
        "SUGAR GBBYY",
        "sugar=ENNPP",
        "Sugar: gbbyy",
        "SUGAR 20011",
        "sugar G B B Y Y",
        "SUGAR 🟩⬛⬛🟨🟨",
        "sugar 🟩⬜⬜🟨🟨",
        "sugar 🟧⬛\ufe0f⬛\ufe0f🟦🟦",
        "sugar E..PP",
        "sugar GXXYY",
    ]:
        assert wordle.parse_round(text) == Turn("sugar", "ENNPP")
    # Only marks belong to the guess that was asked.
    for text in ("gbbyy", "🟩⬛⬛🟨🟨", "G B B Y Y", "S_E,U_N,G_N,A_P,R_P"):
        assert wordle.parse_round(text, "sugar") == Turn("sugar", "ENNPP")
    for text, part in [
        ("sugar", "is not a round"),
        ("", "is not a round"),
        ("GBBYY", "is not a round"),
        ("S_E,U_N,G_N,A_P", "has 4 letters"),
        ("S_E,U_N,G_N,A_P,R_P,S_N", "has 6 letters"),
        ("S_E,U_Q,G_N,A_P,R_P", "'Q'"),
        ("S_E,UN,G_N,A_P,R_P", "'UN'"),
        ("sugar GBBY", "has 4 marks"),
        ("sugar GBBYYY", "has 6 marks"),
        ("sugar GBBYZ", "'Z'"),
        ("suga GBBYY", "'suga'"),
        ("sug4r GBBYY", "'sug4r'"),
        ("sugar GGGGY", "'EEEEP'"),
        ("eerie NPNNN", "the first one"),
        ("x" * 999, "too long"),
    ]:
        with pytest.raises(DeskError) as refused:
            wordle.parse_round(text)
        assert part in str(refused.value) and "\n" not in str(refused.value)


@given(st.text(max_size=40))
def test_any_text_is_a_round_or_one_sentence(text):
    try:
        turn = wordle.parse_round(text)
    except DeskError as error:
        assert str(error)
    else:
        assert WORDLE.allows(turn.guess) and len(turn.feedback) == 5


@given(*[st.text("abcde", min_size=5, max_size=5)] * 2)
def test_every_answer_of_a_secret_is_read_back_and_keeps_the_secret(guess, secret):
    assume(guess != secret)
    row = feedback.mark_places_slowly(guess, secret)
    named = ",".join(f"{letter}_{mark}" for letter, mark in zip(guess, row))
    for text in (f"{guess} {row}", named, f"{guess} {wordle.mark_squares(row)}"):
        assert wordle.parse_round(text) == Turn(guess, row)
    helper = WordleHelper(Vocabulary("two", {secret: 1.0, "vwxyz": 1.0}, ""))
    assert secret in helper.list_fitting([Turn(guess, row)])


def test_errors_of_the_original_are_not_ours(typed):
    # 12: a banned letter that is elsewhere keeps the answer.
    turn = Turn("speed", WORDLE.score("speed", "abide"))
    assert not wordle_dialogue.make_original_state([turn]).allows("abide")
    assert "abide" in WordleHelper(FEW).list_fitting([turn])
    # 13: order within a guess does not matter.
    words, turns = ["essen", "extec", "feces", "scene", "these"], [Turn("eerie", "ENNNP"), Turn("eerie", "PNNNE")]
    assert len({str(wordle_dialogue.make_original_state([turn])) for turn in turns}) == 2
    helper = WordleHelper(Vocabulary("some", dict.fromkeys(words, 1.0), ""))
    for turn in turns:
        assert helper.list_fitting([turn]) == [word for word in words if WORDLE.score("eerie", word) == turn.feedback]
    # 14: a fresh state is the code's.
    fresh = wordle_dialogue.make_original_state([wordle.parse_round(LOG[2])])
    assert fresh == ([("S", 0)], {"A": [3, 0], "R": [4, 0]}, ["U", "G"])
    # 15: contradictory marks end in a sentence.
    code, out, _ = typed("help", "--words", "few.txt", "--marks", "sugar GGGGG", "--marks", "light GGGGG")
    assert code == 0 and any(line.startswith("Nothing fits all the answers") for line in out)
    # 16: a start word names where it was found.
    for words, starts in ((["arose", "solar", "dutch"], {0: ["arose"], 6: ["dutch"]}), (["aaaaa"], {})):
        assert wordle_dialogue.list_start_words(words, wordle_dialogue.count_all_letters(words)) == starts
    code, out, _ = typed("help", "--words", "few.txt")
    assert code == 0 and "Start words of common letters: none." in out
    known = Vocabulary("some", dict.fromkeys(["arose", "solar", "dutch", "quilt"], 1.0), "times")
    counted = wordle_dialogue.count_all_letters(known.words)
    assert wordle_dialogue.list_start_words(known.words, counted) == {0: ["solar"]}
    assert wordle_dialogue.describe_vocabulary(known) == [
        "Commonest letters: A 2, R 2, O 2, S 2, L 2.",
        "Start words of common letters: SOLAR (letters 1 to 5).",
    ]


def test_the_published_state_is_reproduced_and_the_exact_filter_drops_the_second_s():
    turns = [wordle.parse_round(line) for line in LOG]
    state = wordle_dialogue.make_original_state(turns)
    assert state == ([("S", 0)], {"A": [0, 1, 3], "R": [1, 2, 4]}, ["O", "E", "P", "T", "U", "G"])
    assert {word for word in FEW.words if state.allows(word)} == set(SUGGESTED)
    assert set(WordleHelper(FEW).list_fitting(turns)) == set(SUGGESTED) - {"scars"}


@needs_shared_data
def test_the_corpora_give_the_published_counts_and_suggestions(monkeypatch):
    """Takes a second or two: three corpora of millions of words are counted, as nothing else proves the numbers."""
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(NLTK)])
    counts, rows = {}, []
    for name in wordle.CORPORA:
        for word, count in wordle.count_corpus_words(name).items():
            counts[word] = counts.get(word, 0) + count
        counted = wordle_dialogue.count_all_letters(counts)
        rows.append((len(counts), counted[:2], [*wordle_dialogue.list_start_words(counts, counted).values()]))
    # The original counts one word that is not plain letters, in Gutenberg.
    assert rows == [
        (4072, [("E", 2261), ("A", 1870)], [["arose"], ["solar", "alors"], ["triol"]]),
        (4754, [("E", 2578), ("A", 2187)], [["arose"], ["triol"]]),
        (6807 - 1, [("E", 3902), ("A", 3358 - 1)], [["arose", "soare"], ["dutch"]]),
    ]
    assert [counts[word] for word in ("which", "shall", "their", "there", "would")] == [11721, 11666, 10059, 9143, 6483]
    state = wordle_dialogue.make_original_state(map(wordle.parse_round, LOG))
    assert {word: counts[word] for word in counts if state.allows(word)} == SUGGESTED


@pytest.fixture
def small_corpora(tmp_path, monkeypatch):
    """Provide NLTK's three corpora in small, read by its readers."""
    import nltk

    (tmp_path / "corpora").mkdir()
    tagged = "Shark/nn the/at scarf/nn scarf/nn ./.\n\n\t1/2/cd ///x o'clock/rb\n"
    files = {
        "brown": {"cats.txt": "ca01 news\n", "ca01": tagged},
        "webtext": {"pirates.txt": "Scary sharks? Shark! Shark's\n"},
        "gutenberg": {"tale.txt": "The shark saw a scarf; Cæsar saw SCARF.\n"},
    }
    for name, texts in files.items():
        with zipfile.ZipFile(tmp_path / "corpora" / f"{name}.zip", "w") as archive:
            for file, text in texts.items():
                archive.writestr(f"{name}/{file}", text.encode("latin-1" if name == "gutenberg" else "ascii"))
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    # A reader keeps what it has found once: fresh ones, as NLTK makes them.
    plain, categorized = nltk.corpus.reader.PlaintextCorpusReader, nltk.corpus.reader.CategorizedTaggedCorpusReader
    fresh = nltk.corpus.util.LazyCorpusLoader
    for name, reader in (
        ("brown", fresh("brown", categorized, r"c[a-z]\d\d", cat_file="cats.txt", tagset="brown", encoding="ascii")),
        ("webtext", fresh("webtext", plain, r"(?!README|\.).*\.txt", encoding="ISO-8859-2")),
        ("gutenberg", fresh("gutenberg", plain, r"(?!\.).*\.txt", encoding="latin1")),
    ):
        monkeypatch.setattr(nltk.corpus, name, reader)
    return tmp_path


def test_words_and_frequencies_from_nltk(small_corpora, typed):
    import nltk

    found = wordle.load_vocabulary("nltk")
    assert found.counts == {"scarf": 4.0, "shark": 4.0, "scary": 1.0} and found.unit.startswith("times in brown")
    assert found.corpora == (("brown", 2), ("webtext", 3), ("gutenberg", 3))
    assert (
        "Words of five letters in brown: 2, with webtext 3, with gutenberg 3."
        in typed("help", "--frequency", "nltk")[1]
    )
    for name in wordle.CORPORA:
        assert wordle.load_corpus_words(name) == list(getattr(nltk.corpus, name).words())
    code, out, _ = typed("help", "--frequency", "nltk", "--marks", "sugar GBBYY", "--json")
    assert code == 0 and {row[0] for row in json.loads(out[-1])["frequent"]} == {"scarf", "shark", "scary"}


@pytest.mark.parametrize("source, said", [("missing", "python -m nltk.downloader webtext"), ("damaged", "webtext")])
def test_a_bad_corpus_is_one_line(small_corpora, typed, source, said):
    file = small_corpora / "corpora" / "webtext.zip"
    file.unlink() if source == "missing" else file.write_bytes(b"no zip at all")
    code, _, err = typed("help", "--frequency", "nltk")
    assert code == 2 and len(err.splitlines()) == 1 and said in err


def test_without_the_package_one_line_says_how_to_get_it(typed, monkeypatch):
    for package in ("nltk", "wordfreq"):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, package, None)
            code, _, err = typed("help", "--frequency", package)
        assert code == 2 and len(err.splitlines()) == 1 and install_extra("words") in err
    assert "'google'" in typed("help", "--frequency", "google")[2]


def test_words_and_frequencies_from_wordfreq():
    found = wordle.load_vocabulary("wordfreq")
    assert len(found.words) > 3000 and found.words[:2] == ("about", "their") and found.counts["about"] > 1000
    few = wordle.load_vocabulary("wordfreq", "en")
    assert few.words[0] == "about" and len(few.words) == len(wordle.load_vocabulary("list", "en").words)


def test_help_ranks_and_gives_a_reason(typed):
    code, out, _ = typed("help", "--words", "few.txt", "--json", lines=[*LOG])
    result = json.loads(out[-1])
    assert code == 0 and result["left"] == 7 and result["best"]["reason"] and len(result["rounds"]) == 3
    assert {row["word"] for row in result["telling"]} == {row[0] for row in result["frequent"]}
    assert sum(row["chance"] for row in result["telling"]) == pytest.approx(1)


def test_lines_that_are_no_round_cost_nothing_and_undo_takes_back(typed):
    code, out, _ = typed("help", "--words", "few.txt", lines=[LOG[0], "sugar GBBYQ", LOG[2], "undo", "stop"])
    left = [line.split()[0] for line in out if " words of 'few.txt' fit." in line]
    assert code == 0 and any("'Q' in 'GBBYQ' is not a mark" in line for line in out)
    assert len(left) == 4 and left[1] == left[3] != left[2]


def test_look_alikes_are_told_apart_except_in_hard_mode():
    words, turns = ["light", "night", "might", "fight", "filmy", "crane", "lemon"], [Turn("eight", "NEEEE")]
    some = Vocabulary("some", dict.fromkeys(words, 1.0), "")
    report = WordleHelper(some).report(turns)
    assert len(report.fitting) == 4 and "4 words are .IGHT: LIGHT, NIGHT, MIGHT, FIGHT." in report.remarks[0]
    assert "tells all of them apart" in report.remarks[0]
    # LEMON marks light, night and might each in another way, and fight as none.
    assert report.best.word in ("lemon", "filmy") and not report.best.fits and "cannot be it" in report.reason
    hard = WordleHelper(some, is_hard=True).report(turns)
    assert hard.best.fits and not wordle.find_unused_hint(hard.best.word, turns)
    assert describe_hints([Turn("speed", "NNPNP")]) == "Places .....   in: E (1 2 5) D (1 2 3 4)   out: S P"


def test_hard_mode_in_its_exact_meaning():
    for guess, turns, part in [
        ("scrap", [("sugar", "ENNPP")], ""),
        ("crane", [("sugar", "ENNPP")], "1st letter must be S; turn 1 (SUGAR) marked it green"),
        ("story", [("sugar", "ENNPP")], "it must contain A; turn 1 (SUGAR)"),
        # Yellow letters may stand anywhere, even where they were; grey ones may return.
        ("sugar", [("sugar", "ENNPP")], ""),
        ("speed", [("geese", "NPENN")], ""),
        ("speck", [("geese", "NPENN")], "it must contain E twice; turn 1 (GEESE)"),
        ("creep", [("speed", "NPENN")], ""),
        ("abbey", [("babel", "PPENN")], ""),
        ("cabin", [("babel", "PEENN")], "it must contain B twice"),
        ("crane", [("light", "NNNNN"), ("crone", "EENEE")], ""),
        ("drone", [("light", "NNNNN"), ("crone", "EENEE")], "1st letter must be C; turn 2 (CRONE)"),
    ]:
        said = wordle.find_unused_hint(guess, [Turn(*turn) for turn in turns])
        assert part in said and bool(said) == bool(part)


def test_what_fits_is_what_the_plain_scorer_says():
    helper = WordleHelper(Vocabulary("few", dict.fromkeys(dict.fromkeys(WORDS), 1.0), ""))
    for secret in WORDS[::40]:
        turns = [Turn(guess, feedback.mark_places_slowly(guess, secret)) for guess in ("eerie", "llama", "sheet")]
        wanted = [
            word
            for word in helper.index.words
            if all(feedback.mark_places_slowly(turn.guess, word) == turn.feedback for turn in turns)
        ]
        assert helper.list_fitting(turns) == wanted and secret in wanted


def test_no_secret_is_unfit_for_children(typed, tmp_path):
    def secret(seed, *options):
        left = typed("play", "--seed", str(seed), *options, lines=["stop"])[1][-1]
        return left.rpartition(" ")[2].strip(".)").lower()

    late = wordle.list_unfit_words("en")
    assert {"death", "blood"} < late and not late & {secret(seed) for seed in range(1, 30)}
    (tmp_path / "own.txt").write_text("death\nblood\n", encoding="ascii")
    assert secret(1, "--words", "own.txt") in late


def test_games_to_play(typed):
    shark = ("play", "--secret", "shark")
    code, out, _ = typed(*shark, "--words", "few.txt", lines=["SUGAR", "x", "zzzzz", "shark"])
    assert code == 0 and out[-3:] == ["Wordle 2/6", "🟩⬛⬛🟨🟨", "🟩🟩🟩🟩🟩"]
    assert any("give exactly 5" in line for line in out) and any("ZZZZZ is not in the list" in line for line in out)
    # Hard mode refuses, which costs nothing.
    _, out, _ = typed(*shark, "--words", "few.txt", "--hard", lines=["sugar", "light", "shark"])
    assert any("1st letter must be S" in line for line in out) and "Wordle 2/6*" in out
    # After six guesses the word is told.
    _, out, _ = typed(*shark, lines=["crane"] * 7)
    assert "The word was SHARK." in out and "Wordle X/6" in out and sum(line.startswith("> ") for line in out) == 6
    ends = [typed("play", "--seed", seed)[1][-1] for seed in (5, 5, 6)]
    assert ends[0] == ends[1] != ends[2] and ends[0].startswith("(You left; the word was ")


def test_questions_cost_nothing_and_only_right_marks_are_congratulated_on(typed):
    answers = [
        "🟩 G: the letter is right",
        "8 fit: SHARK SCARF SCARS SWARM SCARY SHARI SNARL SHARD",
        "fit: SHARK SCARF and 6 more",
        "'x' is not a number of words",
        "Places S....   in: S A (2 3 5) R (2 3 4)   out: U G",
        "SUGAR cannot be it: turn 1, SUGAR, would",
        "STEAL cannot be it: turn 1, SUGAR, would have got ENNEN, not ENNPP.",
        "'zzz' has 3 letters",
        "ABBEY cannot be it",
    ]
    questions = ["help", "list", "list 2", "list x", "why", "why sugar", "why steal", "why zzz", "why abbey"]
    few, found = ("--words", "few.txt"), "Congratulations! SHARK is it, found in 2 guesses."
    _, out, _ = typed("play", "--secret", "shark", *few, lines=["sugar", *questions, "shark"])
    assert [part for part in answers if part not in "\n".join(out)] == [] and "Wordle 2/6" in out and found in out
    _, out, _ = typed("help", *few, lines=["sugar GBBYY", *questions, "SHARK GGGGG", "never read"])
    text = "\n".join(out)
    assert [part for part in answers if part not in text] == [] and "The next best: " in text
    assert out[0].startswith("🟩 G:") and "never read" not in text and out[-1] == found
    _, out, _ = typed("help", *few, lines=["GGGGG"])
    assert out[-1].startswith("Congratulations! ") and out[-1].endswith("found in 1 guess.")
    _, out, _ = typed("help", *few, lines=["sugar GBBYY", "light GGGGG"])
    assert not any("Congratulations" in line for line in out) and any("Nothing fits" in line for line in out)


def test_options_that_allow_no_game(typed):
    for options, part in [
        (["play", "--secret", "sharks"], "'sharks'"),
        (["play", "--secret", "sh4rk"], "'sh4rk'"),
        (["solve", "--secret", "sharks"], "'sharks'"),
        (["help", "--words", "nowhere"], "'nowhere'"),
        (["help", "--marks", "sugar"], "is not a round"),
    ]:
        code, _, err = typed(*options)
        assert code == 2 and part in err and len(err.splitlines()) == 1


def test_solve_finds_a_word_and_says_where_there_is_none(typed):
    code, out, _ = typed("solve", "--secret", "Shark", "--json")
    result = json.loads(out[-1])
    assert code == 0 and result["solved"] and result["turns"][-1] == ["shark", "EEEEE"] and len(result["turns"]) <= 6
    assert "ZZZZZ is not in the list 'few.txt'." in typed("solve", "--secret", "zzzzz", "--words", "few.txt")[1]


def test_solve_takes_marks_and_puts_slips_right(typed):
    helper = WordleHelper(wordle.load_vocabulary("list", "few.txt"))
    first = helper.guess(())
    right = WORDLE.score(first, "shark")
    second = helper.guess((Turn(first, right),))
    lines = ["nonsense!", "EEEEE" if first == "zzzzz" else "NNNNN", "undo", right, WORDLE.score(second, "shark")]
    _, out, _ = typed("solve", "--words", "few.txt", lines=[*lines, "stop"])
    assert out[-1] in ("(You left.)", "🟩🟩🟩🟩🟩") and f"2. {second.upper()}." in "\n".join(out)


def test_measured_the_answer_is_never_lost_and_the_original_loses_it(typed):
    one, two = wordle_dialogue.draw_secrets(EVERY, 10, 1), wordle_dialogue.draw_secrets(EVERY, 10, 2)
    assert one == wordle_dialogue.draw_secrets(EVERY, 10, 1) != two and len(set(one)) == 10
    # Nothing is drawn twice while there are others.
    assert sorted(set(wordle_dialogue.draw_secrets(EVERY, 50, 1))) == sorted(EVERY)
    few = Vocabulary("few", dict.fromkeys(WORDS, 1.0), "")
    drawn = wordle_dialogue.draw_secrets(few.words, 150, 1)
    ours = wordle_dialogue.sum_games("jotto", list(wordle_dialogue.play_helper(WordleHelper(few, even=True), drawn)))
    original = wordle_dialogue.sum_games("original", list(wordle_dialogue.play_original(few, drawn)))
    assert ours.lost == 0 and ours.games == original.games == 150 and sum(ours.distribution.values()) == 150
    assert ours.in_six / 150 > 0.98 and original.lost >= 0 and ours.in_six >= original.in_six
    code, out, _ = typed("solve", "--games", str(len(EVERY)), "--words", "few.txt", "--json")
    result = json.loads(out[-1])
    assert code == 0 and [row["name"] for row in result["figures"]] == ["jotto", "original"]
    assert result["figures"][0]["lost"] == 0 and result["figures"][0]["games"] == len(EVERY)


@pytest.mark.parametrize("calls, games", [(0, [0]), (2, [2]), (7, [5, 2])])
def test_stopped_the_games_played_are_told(typed, monkeypatch, calls, games):
    before, left = wordle_dialogue.play_game, []

    def stopped(*arguments):
        if not left:
            raise KeyboardInterrupt
        return before(*arguments[: left.pop()])

    monkeypatch.setattr(wordle_dialogue, "play_game", stopped)
    command = ("solve", "--games", "5", "--seed", "1", "--words", "few.txt")
    left += [3] * calls
    code, out, err = typed(*command, "--json")
    result = json.loads(out[-1])
    assert (code, err, result["stopped"]) == (130, "\nStopped.\n", True)
    assert [row["games"] for row in result["figures"]] == games
    left += [3] * calls
    code, out, _ = typed(*command)
    shown = [name for name in ("jotto", "original") if any(name in line for line in out)]
    assert (code, shown) == (130, ["jotto", "original"][: len([count for count in games if count])])
    assert any("games" in line and "solved in 6" in line for line in out) is bool(calls)


def test_words_of_the_block_list_stay_possible_and_are_never_shown(typed, tmp_path):
    words = Vocabulary("few", dict.fromkeys(["light", "night", "might"], 1.0), "", frozenset(["night"]))
    helper, turns = WordleHelper(words), [Turn("eight", "NEEEE")]
    report = helper.report(turns)
    assert report.left == 3 and {word for word, _ in report.fitting} == {"light", "might"}
    assert "NIGHT" not in " ".join([report.reason, *report.remarks])
    assert "night" not in {one.word for one in report.telling}
    alone = helper.report([*turns, Turn("light", "NEEEE"), Turn("might", "NEEEE")])
    assert alone.left == 1 and alone.best is None and "--with-blocked" in alone.remarks[0]
    assert "NIGHT" not in " ".join(helper.report([Turn("night", "NNNNN"), Turn("light", "NEEEE")]).remarks)
