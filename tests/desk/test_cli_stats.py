"""`jotto stats` and `jotto replay`: kept games summed up, shown again and shared; transcripts played again."""

import io
import json

import pytest
from command_line import jotto, live_in

from jotto import game as games
from jotto.rules import JOTTO, WORDLE
from jotto_behaviour import riddle
from jotto_behaviour.files import Notebook
from jotto_desk import history
from jotto_desk.conversation.game_record import Transcript
from jotto_desk.history import game_headline, group_by_role_and_level, share
from jotto_desk.play import table
from jotto_desk.play.table import TranscriptHeader


@pytest.fixture(autouse=True)
def at_home(tmp_path, monkeypatch):
    """Keep everything below the test's folder, and give no input."""
    live_in(tmp_path, monkeypatch)
    monkeypatch.setattr("sys.stdin", io.StringIO())


def breaker(*turns, found="", outcome=games.SOLVED, seed=1):
    """Return a game of NAO's: guesses with answers, and the word found."""
    game = games.start_game(JOTTO, "en", "sum", seed)
    for word, feedback in turns:
        game = game.ask(word).answer(feedback)
    return game.ask(found).solve() if found else game.end(outcome)


def maker(secret, *guesses, hints=0, outcome=games.GIVEN_UP, seed=1):
    """Return a riddle: given up, unless the last guess is the word."""
    found = games.Riddle(games.start_game(JOTTO, "en", "sum", seed), secret, hints)
    for guess in guesses:
        found = found.guess(guess)
    return found if found.is_solved else found._replace(game=found.game.end(outcome))


def lines(*played):
    return "".join(json.dumps(one if isinstance(one, dict) else one.plain()) + "\n" for one in played)


WON = maker("hotel", "light", "ocean", "hotel", hints=1)
LOST = maker("hotel", "light")
FOUND = breaker(("pares", (0, 1)), ("groin", (1, 0)), found="scout")
MISSED = breaker(("pares", (0, 1)), outcome=games.UNSOLVED, seed=2)
#: A race that the person won: NAO's half is kept first.
RACE = [
    breaker(("pares", (0, 1)), ("groin", (0, 0)), outcome=games.UNSOLVED, seed=7),
    maker("hotel", "light", "ocean", "hotel", seed=7),
]


def keep(tmp_path, *played, text=""):
    """Put games into NAO's notebook as it keeps them, and a text behind them."""
    path = tmp_path / "share" / "nao-jotto" / "games.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lines(*played) + text, encoding="utf-8")
    return path


# What is kept


def test_the_notebook_is_read_as_it_is_written(tmp_path):
    notebook = Notebook(str(tmp_path))
    for one in (FOUND, WON, *RACE):
        notebook.finish(one)
    kept = history.read_kept_games((tmp_path / "games.jsonl").read_text(encoding="utf-8"))
    assert [(one.role, one.is_found, one.counted.attempts, one.word, one.hints) for one in kept.games] == [
        ("breaker", True, 3, "scout", 0),
        ("maker", True, 3, "hotel", 1),
        ("race", True, 3, "hotel", 0),
    ]
    assert {one.role for one in kept.games} == set(riddle.ROLES)


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        "3",
        "null",
        "{}",
        '{"game": 3, "secret": "hotel"}',
        "[" * 100_000,
        '"' + "x" * 1000 + '"',
        json.dumps({**FOUND.plain(), "version": 99}),
        json.dumps({**FOUND.plain(), "outcome": None}),
        json.dumps({**WON.plain(), "secret": "ocean"}),
        json.dumps({**FOUND.plain(), "turns": 3}),
        json.dumps(games.start_game(WORDLE, "", "", 1).ask("hello").solve().plain()),
    ],
)
def test_a_damaged_line_is_counted_and_left_out(line):
    kept = history.read_kept_games(lines(FOUND) + line + "\n\n" + lines(WON))
    assert ([one.role for one in kept.games], kept.damaged) == (["breaker", "maker"], 1)


@pytest.mark.parametrize(
    "plain, level",
    [
        (FOUND.plain(), "normal"),
        ({**FOUND.plain(), "level": "easy"}, "easy"),
        ({**WON.plain(), "level": "hard"}, "hard"),
        ({**WON.plain(), "game": {**WON.game.plain(), "level": "hard"}}, "hard"),
        ({**FOUND.plain(), "level": 3}, "normal"),
        ({**FOUND.plain(), "level": ""}, "normal"),
        ({**FOUND.plain(), "level": "x" * 99}, "x" * 20),
    ],
)
def test_a_missing_level_is_the_usual_one(plain, level):
    assert [one.level for one in history.read_kept_games(lines(plain)).games] == [level]


@pytest.mark.parametrize(
    "pair, expected",
    [
        (RACE, ["race"]),
        # Two games of one seed played alone: both found the word, NAO made more guesses, or the order is another.
        ([FOUND, WON], ["breaker", "maker"]),
        ([FOUND, LOST], ["breaker", "maker"]),
        (RACE[::-1], ["maker", "breaker"]),
        ([RACE[0], maker("hotel", "light", "ocean", "hotel", seed=8)], ["breaker", "maker"]),
    ],
)
def test_the_halves_of_a_race_belong_together(pair, expected):
    assert [one.role for one in history.read_kept_games(lines(*pair)).games] == expected


@pytest.mark.parametrize(
    "wins, streak, longest", [("", 0, 0), ("W", 1, 1), ("WWL", 0, 2), ("LWWW", 3, 3), ("WWWLW", 1, 3), ("L", 0, 0)]
)
def test_streaks(wins, streak, longest):
    kept = history.read_kept_games(lines(*[WON if win == "W" else LOST for win in wins])).games
    groups = group_by_role_and_level(kept)
    assert [(group.streak, group.longest_streak) for group in groups] == ([(streak, longest)] if wins else [])


# jotto stats


def test_stats_by_role_and_level(tmp_path, capsys):
    keep(tmp_path, WON, LOST, FOUND, MISSED, *RACE, {**WON.plain(), "level": "easy"})
    assert jotto(capsys, "stats") == (
        0,
        """\
You guess NAO's word, easy
  1 game, 1 found by you (100%)
  3.00 guesses on average, 3 at best
  in a row: 1 now, 1 at most
  1 hint taken
    3  ████████████████████████████████████████ 1

You guess NAO's word, normal
  2 games, 1 found by you (50%)
  3.00 guesses on average, 3 at best
  in a row: 0 now, 1 at most
  1 hint taken
    3  ████████████████████████████████████████ 1

NAO guesses your word, normal
  2 games, 1 found by NAO (50%)
  3.00 guesses on average, 3 at best
  in a row: 0 now, 1 at most
    3  ████████████████████████████████████████ 1

Races with NAO, normal
  1 game, 1 won by you (100%)
  3.00 guesses on average, 3 at best
  in a row: 1 now, 1 at most
    3  ████████████████████████████████████████ 1
""",
        "",
    )


def test_stats_as_json(tmp_path, capsys):
    keep(tmp_path, WON, LOST, FOUND)
    code, out, _ = jotto(capsys, "stats", "--json", "--role", "maker", "--games")
    assert code == 0
    assert json.loads(out) == {
        "games": 2,
        "groups": [
            {
                "role": "maker",
                "level": "normal",
                "games": 2,
                "found": 1,
                "mean": 3.0,
                "best": 3,
                "streak": 0,
                "longest_streak": 1,
                "hints": 1,
                "distribution": {"3": 1},
            }
        ],
        "list": [
            {"number": 1, "role": "maker", "level": "normal", "word": "hotel", "found": True, "guesses": 3, "hints": 1},
            {
                "number": 2,
                "role": "maker",
                "level": "normal",
                "word": "hotel",
                "found": False,
                "guesses": 1,
                "hints": 0,
            },
        ],
    }


def test_the_games_are_listed_with_their_numbers(tmp_path, capsys):
    keep(tmp_path, WON, MISSED, {**LOST.plain(), "level": "hard"})
    assert jotto(capsys, "stats", "--games")[1].splitlines() == [
        "  1 HOTEL  I found NAO's word in 3 guesses, with 1 hint.",
        "  2 ?????  NAO did not find my word.",
        "  3 HOTEL  I did not find NAO's word in 1 guess (hard).",
    ]
    assert jotto(capsys, "stats", "--games", "--level", "hard")[1].startswith("  3 HOTEL")


@pytest.mark.parametrize(
    "arguments, code, sentence",
    [
        ([], 0, "No finished game is kept yet; play one to its end with: jotto play"),
        (["--games"], 0, "No finished game is kept yet"),
        (["--picture", "games.gif"], 2, "'games.gif' names no kind"),
        (["--role", "king"], 2, "There is no role 'king'; choose one of: nao-guesses, i-guess, race, breaker, maker."),
        (["--level", "mad"], 2, "There is no level 'mad'; choose one of: easy, normal, hard."),
        (["--json"], 0, '{"games": 0, "groups": []}'),
    ],
)
def test_stats_without_a_game(capsys, arguments, code, sentence):
    found, out, err = jotto(capsys, "stats", *arguments)
    assert found == code and sentence in (err if code else out)


def test_damaged_notes_are_told_about(tmp_path, capsys):
    path = keep(tmp_path, WON, text="{\n\xff\n")
    code, out, err = jotto(capsys, "stats", "--level", "hard")
    assert (code, out) == (0, "None of the 1 games kept is of that kind.\n")
    assert err.startswith("2 lines of 'games.jsonl' cannot be read as a game and are left out")
    path.unlink()
    path.mkdir()
    code, _, err = jotto(capsys, "stats")
    assert code == 2 and "is a folder; name a list of games." in err


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_picture_of_the_games_is_the_same_every_time(tmp_path, capsys, kind):
    keep(tmp_path, WON, LOST, FOUND, *RACE, maker("hotel", "light"), {**LOST.plain(), "level": "hard"})
    drawn = []
    for name in ("a", "b"):
        assert jotto(capsys, "stats", "--picture", tmp_path / f"{name}.{kind}")[0] == 0
        drawn.append((tmp_path / f"{name}.{kind}").read_bytes())
    assert drawn[0] == drawn[1]
    if kind == "svg":
        assert all(text in drawn[0].decode() for text in ("You guess NAO's word", "3.00 on average", "1 of 3 found"))


# Squares to share

BLUE, ORANGE, WHITE, BLANK = "\U0001f7e6", "\U0001f7e7", "\u2b1c", "\u3000"


@pytest.mark.parametrize(
    "played, text",
    [
        (
            [WON],
            f"Jotto with NAO: I found NAO's word in 3 guesses, with 1 hint.\n{ORANGE * 3}{WHITE * 2}\n"
            f"{ORANGE * 2}{WHITE * 3}\n{BLUE * 5}",
        ),
        (
            [FOUND],
            f"Jotto with NAO: NAO found my word in 3 guesses.\n{ORANGE}{WHITE * 4}\n{BLUE}{WHITE * 4}\n{BLUE * 5}",
        ),
        (
            RACE,
            f"Jotto with NAO: I won the race in 3 guesses.\n{ORANGE * 3}{WHITE * 2}  {ORANGE}{WHITE * 4}\n"
            f"{ORANGE * 2}{WHITE * 3}  {WHITE * 5}\n{BLUE * 5}",
        ),
        ([maker("hotel")], "Jotto with NAO: I did not find NAO's word."),
    ],
)
def test_squares_give_no_word_away(played, text):
    [one] = history.read_kept_games(lines(*played)).games
    assert share(one) == text
    assert "HOTEL" not in text.upper() and "SCOUT" not in text.upper()


@pytest.mark.parametrize(
    "played, sentence",
    [
        (
            [
                breaker(("pares", (0, 1)), found="hotel", seed=7),
                maker("ocean", "light", "hotel", outcome="unsolved", seed=7),
            ],
            "NAO won the race in 2 guesses.",
        ),
        (
            [breaker(("pares", (0, 1)), outcome=games.GIVEN_UP, seed=7), maker("ocean", "light", seed=7)],
            "Nobody won our race.",
        ),
        ([maker("hotel", "hotel", hints=2)], "I found NAO's word in 1 guess, with 2 hints."),
    ],
)
def test_a_game_in_one_sentence(played, sentence):
    assert [game_headline(one) for one in history.read_kept_games(lines(*played)).games] == [sentence]


# jotto replay


def test_a_kept_game_is_shown_guess_by_guess(tmp_path, capsys):
    keep(tmp_path, WON, LOST)
    assert jotto(capsys, "replay", "1") == (
        0,
        """\
Game 1: you guessed NAO's word

Your guesses
 1 LIGHT  □□□··  3 elsewhere

 2 OCEAN  □□···  2 elsewhere
out   B D F J K M P Q R S U V W X Y Z

 3 HOTEL  ■■■■■  the word!

I found NAO's word in 3 guesses, with 1 hint.
""",
        "",
    )
    assert jotto(capsys, "replay")[1].startswith("Game 2:")
    assert jotto(capsys, "replay", "1", "--share")[1] == share(history.read_kept_games(lines(WON)).games[0]) + "\n"


@pytest.mark.parametrize(
    "played, shown",
    [
        (
            RACE,
            [
                "Your guesses",
                " 1 LIGHT",
                "NAO's guesses",
                " 1 PARES",
                "Your guesses",
                " 2 OCEAN",
                "out   B D",
                "NAO's guesses",
                " 2 GROIN",
                "out   G I N",
                "Your guesses",
                " 3 HOTEL",
            ],
        ),
        (
            [maker("hotel", "light", "ocean", "bread", "chimp", hints=1, seed=11)],
            [
                "Your guesses",
                " 1 LIGHT",
                " 2 OCEAN",
                "out   B D",
                " 3 BREAD",
                " 4 CHIMP",
                "in    H",
                "out   C",
                "The word was HOTEL.",
            ],
        ),
        ([maker("hotel")], ["Your guesses", "The word was HOTEL."]),
    ],
    ids=["race", "given up", "no guess"],
)
def test_each_turn_shows_only_what_it_changes(tmp_path, capsys, played, shown):
    keep(tmp_path, *played)
    printed = [line for line in jotto(capsys, "replay")[1].splitlines() if line][1:-1]
    assert [line.startswith(start) for line, start in zip(printed, shown, strict=True)] == [True] * len(shown), printed


@pytest.mark.parametrize(
    "kept, argument, sentence",
    [
        ([], "", "No finished game is kept yet"),
        ([], "3", "No finished game is kept yet"),
        ([WON], "2", "There is no game 2; 1 game is saved: see"),
        ([WON], "0", "There is no game 0"),
        ([WON, LOST], "9", "There is no game 9; 2 games are saved: see"),
        ([WON], "there.txt", "The transcript 'there.txt' cannot be read"),
        ([WON], "-1", ""),
    ],
)
def test_a_game_that_is_not_there(tmp_path, capsys, kept, argument, sentence):
    keep(tmp_path, *kept)
    code, out, err = jotto(capsys, "replay", *[argument] * bool(argument))
    assert code == 2 and out == "" and sentence in err


def play(capsys, monkeypatch, typed, *arguments):
    """Play in this process; return the exit code and what was shown."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code, out, err = jotto(capsys, "play", "--seed", "4", *arguments)
    assert err == ""
    return code, out


def test_a_transcript_is_played_again(tmp_path, capsys, monkeypatch):
    path = tmp_path / "game.txt"
    typed = "my turn to guess\nboard\nlight\n?\nOcean!\n\nabc\ngive up\nyes\nno\n"
    code, out = play(capsys, monkeypatch, typed, "--transcript", path)
    assert code == 0 and "Your guesses\n 1 LIGHT" in out and out.endswith(f"(The transcript is in '{path}'.)\n")
    text = path.read_text(encoding="utf-8")
    assert "\nYOU  (silence)\n" in text and "\nYOU  Ocean!\n" in text and "YOU  board" not in text
    assert text.split("\n\n")[-1].startswith("Jotto with NAO: I did not find NAO's word in 2 guesses.\n")
    code, out, _ = jotto(capsys, "replay", path)
    assert code == 0 and "as in the transcript." in out
    path.write_text(text.replace("\nNAO  ", "\nNAO  Hm. ", 1), encoding="utf-8")
    code, out, _ = jotto(capsys, "replay", path)
    assert code == 1 and "Sentence 1 of NAO differs:\nin the transcript: Hm. " in out


def test_a_transcript_of_a_game_taken_up_again(tmp_path, capsys, monkeypatch):
    path = tmp_path / "game.txt"
    play(capsys, monkeypatch, "ready\nno\n")
    play(capsys, monkeypatch, "yes\nno\n", "--transcript", path)
    kept = [one.read_bytes() for one in sorted((tmp_path / "share").rglob("*.*"))]
    assert jotto(capsys, "replay", path)[0] == 0
    assert [one.read_bytes() for one in sorted((tmp_path / "share").rglob("*.*"))] == kept


def test_a_transcript_of_ones_own_list(tmp_path, capsys, monkeypatch):
    path, own = tmp_path / "game.txt", tmp_path / "own.txt"
    own.write_text("ocean\nlight\nbread\nhotel\ntable\n")
    play(capsys, monkeypatch, "ready\nno\n", "--words", own, "--transcript", path)
    code, _, err = jotto(capsys, "replay", path)
    assert code == 2 and "list of words is '" in err and "name it with --words LIST" in err
    assert jotto(capsys, "replay", path, "--words", own)[0] == 0


def test_what_a_real_robot_heard_and_felt_is_played_again(tmp_path, capsys, monkeypatch):
    path = tmp_path / "game.txt"
    play(capsys, monkeypatch, "ready\ntouch back\n", "--transcript", path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("YOU  ready", "YOU  ready (0.90)").replace("YOU  touch back", "YOU  (touches back)"))
    code, out, _ = jotto(capsys, "replay", path)
    assert code == 0, out


def test_a_transcript_is_refused_before_the_game(tmp_path, capsys):
    code, out, err = jotto(capsys, "play", "--transcript", tmp_path)
    assert (code, out) == (2, "") and "cannot be written (it is a folder)" in err


GOOD = TranscriptHeader({"seed": 4}, "en", "sum")


@pytest.mark.parametrize(
    "second, sentence",
    [
        ("", "is no transcript"),
        ("# nonsense", "is no transcript"),
        ("# []", "is no transcript"),
        ("# 3", "is no transcript"),
        ("# {}", "is no transcript"),
        ("# " + "[" * 100_000, "is no transcript"),
        ('# {"version": 99}', "was written by a newer nao-jotto"),
        ('# {"version": 1, "settings": 3}', "is no transcript"),
        ('# {"version": 1, "settings": {}, "words": 3}', "is no transcript"),
        ('# {"version": 1, "settings": {}, "without": [3]}', "is no transcript"),
        ('# {"version": 1, "settings": {}, "further": 3}', "is no transcript"),
        ('# {"version": 1, "settings": {}, "checksum": "sum"}', "name it with --words LIST"),
    ],
)
def test_a_file_that_is_no_transcript(tmp_path, capsys, second, sentence):
    path = tmp_path / "game.txt"
    path.write_text(f"# Jotto\n{second}\nYOU  ready\n", encoding="utf-8")
    code, _, err = jotto(capsys, "replay", path)
    assert code == 2 and sentence in err and "Traceback" not in err


def test_a_transcript_comes_back_as_it_was_written(tmp_path):
    said = Transcript()
    said.lines = ["NAO  Is it OCEAN?", "YOU  (silence)", "     (a remark)", "YOU  1 2"]
    path = tmp_path / "game.txt"
    path.write_text(table.write_transcript(GOOD._replace(without=["ALDialog"]), said, []), encoding="utf-8")
    found = table.read_transcript(str(path))
    assert found.header == GOOD._replace(without=["ALDialog"])
    assert (found.typed, found.said[0]) == (["", "1 2"], ("NAO", "Is it OCEAN?"))
