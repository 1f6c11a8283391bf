"""`jotto stats` and `jotto replay`: kept games summed up, shown again and shared; transcripts played again."""

import json

from jotto import game as games
from jotto.rules import JOTTO, WORDLE
from jotto_behaviour import riddle
from jotto_behaviour.files import Notebook
from jotto_desk import history
from jotto_desk.conversation.game_record import Transcript
from jotto_desk.history import describe_game, group_by_role_and_level, share_game
from jotto_desk.play import table
from jotto_desk.play.table import TranscriptHeader


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
    kept = history.parse_kept_games((tmp_path / "games.jsonl").read_text(encoding="utf-8"))
    assert [(one.role, one.is_found, one.counted.attempts, one.word, one.hints) for one in kept.games] == [
        ("breaker", True, 3, "scout", 0),
        ("maker", True, 3, "hotel", 1),
        ("race", True, 3, "hotel", 0),
    ]
    assert {one.role for one in kept.games} == set(riddle.ROLES)


def test_saved_games_are_read():
    for line in [
        "nonsense",
        "[]",
        '{"game": 3, "secret": "hotel"}',
        "[" * 100_000,
        json.dumps({**FOUND.plain(), "version": 99}),
        json.dumps({**FOUND.plain(), "outcome": None}),
        json.dumps({**WON.plain(), "secret": "ocean"}),
        json.dumps({**FOUND.plain(), "turns": 3}),
        json.dumps(games.start_game(WORDLE, "", "", 1).ask("hello").solve().plain()),
    ]:
        kept = history.parse_kept_games(lines(FOUND) + line + "\n\n" + lines(WON))
        assert ([one.role for one in kept.games], kept.damaged) == (["breaker", "maker"], 1), line[:80]
    # A saved game, and its level.
    for plain, level in [
        (FOUND.plain(), "normal"),
        ({**FOUND.plain(), "level": "easy"}, "easy"),
        ({**WON.plain(), "level": "hard"}, "hard"),
        ({**WON.plain(), "game": {**WON.game.plain(), "level": "hard"}}, "hard"),
        ({**FOUND.plain(), "level": 3}, "normal"),
        ({**FOUND.plain(), "level": ""}, "normal"),
        ({**FOUND.plain(), "level": "x" * 99}, "x" * 20),
    ]:
        assert [one.level for one in history.parse_kept_games(lines(plain)).games] == [level]
    # Saved games of one seed, and their roles.
    for pair, roles in [
        (RACE, ["race"]),
        # Two games played alone: both found the word, NAO made more guesses, or the order is another.
        ([FOUND, WON], ["breaker", "maker"]),
        ([FOUND, LOST], ["breaker", "maker"]),
        (RACE[::-1], ["maker", "breaker"]),
        ([RACE[0], maker("hotel", "light", "ocean", "hotel", seed=8)], ["breaker", "maker"]),
    ]:
        assert [one.role for one in history.parse_kept_games(lines(*pair)).games] == roles
    # Games won and lost, the streak at the end, and the longest one.
    for wins, streak, longest in [("", 0, 0), ("W", 1, 1), ("WWL", 0, 2), ("LWWW", 3, 3), ("WWWLW", 1, 3), ("L", 0, 0)]:
        kept = history.parse_kept_games(lines(*[WON if win == "W" else LOST for win in wins])).games
        groups = group_by_role_and_level(kept)
        assert [(group.streak, group.longest_streak) for group in groups] == ([(streak, longest)] if wins else [])


# jotto stats


def test_stats_by_role_and_level(tmp_path, cli):
    keep(tmp_path, WON, LOST, FOUND, MISSED, *RACE, {**WON.plain(), "level": "easy"})
    code, out, err = cli("stats")
    assert (code, err) == (0, "")
    assert (
        out
        == """\
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
"""
    )


def test_stats_as_json_and_the_games_with_their_numbers(tmp_path, cli):
    keep(tmp_path, WON, LOST, FOUND)
    found = cli.json("stats", "--role", "maker", "--games")
    assert found["games"] == 2
    assert found["groups"] == [
        {"role": "maker", "level": "normal", "games": 2, "found": 1, "mean": 3.0, "best": 3}
        | {"streak": 0, "longest_streak": 1, "hints": 1, "distribution": {"3": 1}}
    ]
    rows = [[1, "maker", "normal", "hotel", True, 3, 1], [2, "maker", "normal", "hotel", False, 1, 0]]
    assert [list(row.values()) for row in found["list"]] == rows
    assert list(found["list"][0]) == ["number", "role", "level", "word", "found", "guesses", "hints"]
    keep(tmp_path, WON, MISSED, {**LOST.plain(), "level": "hard"})
    assert cli("stats", "--games")[1].splitlines() == [
        "  1 HOTEL  I found NAO's word in 3 guesses, with 1 hint.",
        "  2 ?????  NAO did not find my word.",
        "  3 HOTEL  I did not find NAO's word in 1 guess (hard).",
    ]
    assert cli("stats", "--games", "--level", "hard")[1].startswith("  3 HOTEL")


def test_stats_without_a_game(cli):
    # Options of `jotto stats` without a saved game, the exit code, and the answer.
    for arguments, code, sentence in [
        ([], 0, "No finished game is saved yet; play one to its end with: jotto play"),
        (["--games"], 0, "No finished game is saved yet"),
        (["--picture", "games.gif"], 2, "'games.gif' does not end like a picture"),
        (["--role", "king"], 2, "There is no role 'king'; choose one of: nao-guesses, i-guess, race, breaker, maker."),
        (["--level", "mad"], 2, "There is no level 'mad'; choose one of: easy, normal, hard."),
        (["--json"], 0, '{"games": 0, "groups": []}'),
    ]:
        found, out, err = cli("stats", *arguments)
        assert found == code and sentence in (err if code else out)


def test_damaged_lines_are_counted(tmp_path, cli):
    path = keep(tmp_path, WON, text="{\n\xff\n")
    code, out, err = cli("stats", "--level", "hard")
    assert (code, out) == (0, "None of the 1 games kept is of that kind.\n")
    assert err.startswith("2 lines of 'games.jsonl' cannot be read as a game and are left out")
    path.unlink()
    path.mkdir()
    code, _, err = cli("stats")
    assert code == 2 and "is a folder; name a list of games." in err


def test_a_picture_of_the_games_is_the_same_every_time(tmp_path, cli):
    keep(tmp_path, WON, LOST, FOUND, *RACE, maker("hotel", "light"), {**LOST.plain(), "level": "hard"})
    for kind in ("svg", "png"):
        for name in ("a", "b"):
            assert cli("stats", "--picture", f"{name}.{kind}")[0] == 0
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert all(text in drawn for text in ("You guess NAO's word", "3.00 on average", "1 of 3 found"))


# Squares to share


def test_a_game_is_shared_without_its_words_and_told_in_one_sentence():
    # Saved games, and what is shared of them: B for a letter in place, O for one elsewhere, W for none.
    for played, text in [
        ([WON], "I found NAO's word in 3 guesses, with 1 hint.|OOOWW|OOWWW|BBBBB"),
        ([FOUND], "NAO found my word in 3 guesses.|OWWWW|BWWWW|BBBBB"),
        (RACE, "I won the race in 3 guesses.|OOOWW  OWWWW|OOWWW  WWWWW|BBBBB"),
        ([maker("hotel")], "I did not find NAO's word."),
    ]:
        [one] = history.parse_kept_games(lines(*played)).games
        headline, *rows = text.split("|")
        squares = [
            row.translate({ord("B"): ("\U0001f7e6"), ord("O"): ("\U0001f7e7"), ord("W"): ("\u2b1c")}) for row in rows
        ]
        assert share_game(one) == "\n".join([f"Jotto with NAO: {headline}", *squares])
        assert "HOTEL" not in share_game(one).upper() and "SCOUT" not in share_game(one).upper()
    # Saved games, and the sentence about them.
    lost = maker("ocean", "light", "hotel", outcome="unsolved", seed=7)
    for played, sentence in [
        ([breaker(("pares", (0, 1)), found="hotel", seed=7), lost], "NAO won the race in 2 guesses."),
        (
            [breaker(("pares", (0, 1)), outcome=games.GIVEN_UP, seed=7), maker("ocean", "light", seed=7)],
            "Nobody won our race.",
        ),
        ([maker("hotel", "hotel", hints=2)], "I found NAO's word in 1 guess, with 2 hints."),
    ]:
        assert [describe_game(one) for one in history.parse_kept_games(lines(*played)).games] == [sentence]


# jotto replay


def test_a_saved_game_is_shown_guess_by_guess(tmp_path, cli):
    keep(tmp_path, WON, LOST)
    code, out, err = cli("replay", "1")
    assert (code, err) == (0, "")
    assert (
        out
        == """\
Game 1: you guessed NAO's word

Your guesses
 1 LIGHT  □□□··  3 in the wrong place

 2 OCEAN  □□···  2 in the wrong place
out   B D F J K M P Q R S U V W X Y Z

 3 HOTEL  ■■■■■  the word!

I found NAO's word in 3 guesses, with 1 hint.
"""
    )
    assert cli("replay")[1].startswith("Game 2:")
    assert cli("replay", "1", "--share")[1] == share_game(history.parse_kept_games(lines(WON)).games[0]) + "\n"


def test_each_turn_shows_only_what_it_changes(tmp_path, cli):
    # Saved games, and how the lines of their replay begin.
    for played, text in [
        (
            RACE,
            "Your guesses| 1 LIGHT|NAO's guesses| 1 PARES|Your guesses| 2 OCEAN|out   B D|NAO's guesses| 2 GROIN|"
            "out   G I N|Your guesses| 3 HOTEL",
        ),
        (
            [maker("hotel", "light", "ocean", "bread", "chimp", hints=1, seed=11)],
            "Your guesses| 1 LIGHT| 2 OCEAN|out   B D| 3 BREAD| 4 CHIMP|in    H|out   C|The word was HOTEL.",
        ),
        ([maker("hotel")], "Your guesses|The word was HOTEL."),
    ]:
        shown = text.split("|")
        keep(tmp_path, *played)
        printed = [line for line in cli("replay")[1].splitlines() if line][1:-1]
        assert [line.startswith(start) for line, start in zip(printed, shown, strict=True)] == [True] * len(shown)


def test_a_game_that_is_not_there(tmp_path, cli):
    # Saved games, a number or file to replay, and the error.
    for kept, argument, sentence in [
        ([], "", "No finished game is saved yet"),
        ([], "3", "No finished game is saved yet"),
        ([WON], "2", "There is no game 2; 1 game is saved: see"),
        ([WON], "0", "There is no game 0"),
        ([WON, LOST], "9", "There is no game 9; 2 games are saved: see"),
        ([WON], "there.txt", "The transcript 'there.txt' cannot be read"),
        ([WON], "-1", ""),
    ]:
        keep(tmp_path, *kept)
        assert sentence in cli.refusal("replay", *[argument] * bool(argument))


def play(cli, typed, *arguments):
    code, out, err = cli("play", "--seed", "4", *arguments, typed=typed)
    assert err == ""
    return code, out


def test_a_transcript_is_played_again(tmp_path, cli):
    path = tmp_path / "game.txt"
    typed = "my turn to guess\nboard\nlight\n?\nOcean!\n\nabc\ngive up\nyes\nno\n"
    code, out = play(cli, typed, "--transcript", path)
    assert code == 0 and "Your guesses\n 1 LIGHT" in out and out.endswith(f"(The transcript is in '{path}'.)\n")
    text = path.read_text(encoding="utf-8")
    assert "\nYOU  (silence)\n" in text and "\nYOU  Ocean!\n" in text and "YOU  board" not in text
    assert text.split("\n\n")[-1].startswith("Jotto with NAO: I did not find NAO's word in 2 guesses.\n")
    code, out, _ = cli("replay", path)
    assert code == 0 and "as in the transcript." in out
    path.write_text(text.replace("\nNAO  ", "\nNAO  Hm. ", 1), encoding="utf-8")
    code, out, _ = cli("replay", path)
    assert code == 1 and "Sentence 1 of NAO differs:\nin the transcript: Hm. " in out


def test_a_transcript_of_a_continued_game(tmp_path, cli):
    path = tmp_path / "game.txt"
    play(cli, "ready\nno\n")
    play(cli, "yes\nno\n", "--transcript", path)
    kept = [one.read_bytes() for one in sorted((tmp_path / "share").rglob("*.*"))]
    assert cli("replay", path)[0] == 0
    assert [one.read_bytes() for one in sorted((tmp_path / "share").rglob("*.*"))] == kept


def test_a_transcript_with_a_list_of_the_user(tmp_path, cli):
    path, own = tmp_path / "game.txt", tmp_path / "own.txt"
    own.write_text("ocean\nlight\nbread\nhotel\ntable\n")
    play(cli, "ready\nno\n", "--words", own, "--transcript", path)
    said = cli.refusal("replay", path)
    assert "list of words is '" in said and "name it with --words LIST" in said
    assert cli("replay", path, "--words", own)[0] == 0


def test_phrases_and_touches_of_a_real_robot_are_replayed(tmp_path, cli):
    path = tmp_path / "game.txt"
    assert "cannot be written (it is a folder)" in cli.refusal("play", "--transcript", ".")
    play(cli, "ready\ntouch back\n", "--transcript", path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("YOU  ready", "YOU  ready (0.90)").replace("YOU  touch back", "YOU  (touches back)"))
    code, out, _ = cli("replay", path)
    assert code == 0, out


def test_a_file_that_is_not_a_transcript(tmp_path, cli):
    # The second line of a file, and the error.
    for second, sentence in [
        ("", "is not a transcript"),
        ("# " + "[" * 100_000, "is not a transcript"),
        ('# {"version": 99}', "was written by a newer nao-jotto"),
        ('# {"version": 1, "settings": 3}', "is not a transcript"),
        ('# {"version": 1, "settings": {}, "words": 3}', "is not a transcript"),
        ('# {"version": 1, "settings": {}, "without": [3]}', "is not a transcript"),
        ('# {"version": 1, "settings": {}, "further": 3}', "is not a transcript"),
        ('# {"version": 1, "settings": {}, "checksum": "sum"}', "name it with --words LIST"),
    ]:
        (tmp_path / "game.txt").write_text(f"# Jotto\n{second}\nYOU  ready\n", encoding="utf-8")
        assert sentence in cli.refusal("replay", "game.txt")


def test_a_transcript_is_read_as_it_was_written(tmp_path):
    good = TranscriptHeader({"seed": 4}, "en", "sum")
    said = Transcript()
    said.lines = ["NAO  Is it OCEAN?", "YOU  (silence)", "     (a remark)", "YOU  1 2"]
    path = tmp_path / "game.txt"
    path.write_text(table.write_transcript(good._replace(without=["ALDialog"]), said, []), encoding="utf-8")
    found = table.read_transcript(str(path))
    assert found.header == good._replace(without=["ALDialog"])
    assert (found.typed, found.said[0]) == (["", "1 2"], ("NAO", "Is it OCEAN?"))
