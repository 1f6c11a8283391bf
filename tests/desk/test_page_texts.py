"""The page in other languages: complete tables, words in texts, and the boards of the game."""

import re
from pathlib import Path

import pytest

import naosim_page
from jotto import game
from jotto.rules import JOTTO
from jotto.words import capitalise_word
from jotto_behaviour import mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_CODES, LANGUAGE_NAMES, LEVELS, Settings
from jotto_behaviour.talk import Talk
from jotto_desk import cli, conversation as asked, play
from jotto_desk.conversation import answers
from jotto_desk.games.mastermind import Board, make_rules
from jotto_desk.history import ROLE_NAMES
from jotto_desk.play import robot_tables, table
from jotto_desk.play.page import GamePage, NoRobot, boards, game_page, load_text_table, moments, translate_into
from jotto_desk.play.page.texts import translate_said
from jotto_desk.words import lists
from naosim_page import ears, figure

OTHERS = [code for code in LANGUAGE_CODES if code != DEFAULT_LANGUAGE]
#: A text as a literal, or one of two.
GIVEN = re.compile(r'(?<!page_)texts\(\s*f?"([^"{]*(?:\{\w+\}[^"{]*)*)"(?: if [^"]*? else "([^"]*)")?')
#: Texts that the page makes of parts.
MADE = """in the word|not in the word|in the right place|in the wrong place
1 in the right place|{count} in the right place|1 in the wrong place|{count} in the wrong place|none
the word!|waiting|Your guesses|NAO's guesses|Number|Guess|Score|NAO plays Jotto|Your answer|Game
A guess has five different letters; '{word}' has {letter} twice."""


def constants() -> set[str]:
    """Collect the texts that are constants."""
    found = {game_page.NONE_KEPT, game_page.NOT_KEPT, answers.TWICE}
    found |= {table.UNDERSTOOD, table.KEYBOARD, table.KEYS, moments.UNDECIDED}
    found |= {ears.FOREIGN, ears.SILENT, ears.SPELLED, ears.TOO_MANY, *LANGUAGE_NAMES.values(), *LEVELS}
    for texts in (moments.ROLES_SAID, moments.ROLE_LABELS, ROLE_NAMES, figure.ZONES):
        found |= set(texts.values())
    found |= {*answers.GROUPS, *table.WELCOME.splitlines(), *robot_tables.ROBOT_WELCOME.splitlines()}
    found |= set(table.KEYBOARD_NAMES)
    return found | set(re.split(r"[|\n]", MADE))


def given() -> set[str]:
    """Collect the texts that are translated, from Python code and the scripts for the browser."""
    found = constants()
    for folder in (Path(package.__file__).parent for package in (cli, play, asked, naosim_page)):
        for path in folder.rglob("*.py"):
            for one in GIVEN.finditer(path.read_text(encoding="utf-8")):
                found |= {text for text in one.groups() if text and "{where}" not in text}
        for path in folder.rglob("*.js"):
            script = path.read_text(encoding="utf-8")
            found |= set(re.findall('"([A-Z][^"]* [^"]*[.])"', script)) | set(re.findall(r'\bt\("([^"]+)"', script))
    return found - {"NAO"}


def test_a_table_has_every_text_of_the_page():
    for code in OTHERS:
        table = load_text_table(code)
        assert sorted(text for text in given() if text not in table) == []
        for english, text in table.items():
            assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", text)), english
            assert text.strip() == text != ""


@pytest.mark.parametrize(
    ("code", "role", "score", "asked"),
    [
        ("fr", "Tu devines le mot de NAO", "1 bien placée, 2 mal placées", "Tu essaies quel mot\u202f?"),
        ("de", "Du errätst NAOs Wort", "1 am richtigen Platz, 2 am falschen Platz", "Was rätst du?"),
        ("es", "Tú adivinas la palabra de NAO", "1 en su sitio, 2 en otro sitio", "¿Qué palabra pruebas?"),
        ("", "You guess NAO's word", "1 in the right place, 2 in the wrong place", "What's your guess?"),
    ],
)
def test_a_game_is_shown_in_its_language(code, role, score, asked):
    new = game.start_game(JOTTO, code or "en", "", 1)
    secret = game.Riddle(new, "crate", 0).guess("court")
    settings = Settings(language=code or None)
    now = Talk(new, secret, state="your guess", settings=settings).say("your guess, shortly")
    view = moments.make_view(now, translate_into(code))
    assert (view.role, view.boards[0].rows[0].score) == (role, score)
    said = {moments.make_view(now._replace(beat=beat, misses=beat), translate_into(code)).asked for beat in range(3)}
    assert asked in said
    commands = [choice.phrase for choice in view.question.commands]
    assert ("help me please" in commands) == (code == "")


#: Other words for the places of letters. NAO, the board and the page use one pair of names in each language.
OTHER_PLACES = {
    "en": r"\b(?:elsewhere|in place|misplaced|out of place)\b",
    "fr": r"\b(?:ailleurs|(?:bonne|mauvaise) place)\b",
    "de": r"\b(?:woanders|Stellen?)\b",
    "es": r"\b(?:fuera de (?:su )?sitio|otro lugar|en su lugar|sitio correcto|mal colocadas?)\b",
}


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_speech_board_and_page_have_the_same_words_for_places(code):
    spoken = mind.load_lines(code)
    keys = spoken.list_keys()
    said = [wording for key in keys for wording in spoken.list_wordings(key)]
    # The English texts are the keys of every table.
    said += load_text_table(code).values() or load_text_table("de")
    assert [text for text in said if re.search(OTHER_PLACES[code], re.sub(r"\{[^}]*\}", "", text))] == []


def test_french_texts_have_thin_spaces():
    for text in load_text_table("fr").values():
        assert not re.search("[^\u202f][!?;]|[^\u00a0][:\u00bb]|\u00ab[^\u00a0]", text.replace("[b]?[/b]", "")), text


def test_examples_are_words_of_each_language_with_the_scores_that_are_shown():
    script = (Path(game_page.__file__).parent / "static" / "game.js").read_text(encoding="utf-8")
    found = re.findall(r'^  (\w\w): \["(\w+)", "(\w+)", "(\w+)"\],$', script, re.MULTILINE)
    assert sorted(code for code, *_ in found) == sorted(LANGUAGE_CODES)
    for code, *words in found:
        secret, first, second = (word.lower() for word in words)
        assert (JOTTO.score(first, secret), JOTTO.score(second, secret)) == ((0, 3), (3, 1)), code
        known = lists.load_list(code, JOTTO).words
        assert {secret, first, second} <= set(known), code


def test_keyboards_have_every_letter_of_their_language():
    for code in OTHERS:
        rows = "".join(boards.KEYBOARDS[code])
        assert sorted(rows) == sorted(capitalise_word(letter) for letter in mind.load_lines(code).alphabet)


def played_tables(language):
    """Play Mastermind and Wordle; yield the sentences that their pages show."""
    page = GamePage(NoRobot())
    acts = [
        ("mastermind", "new", "", {"seed": 1}),
        ("mastermind", "judge", "ro", {}),
        ("mastermind", "judge", "rroo", {}),
    ]
    acts += [
        ("mastermind", act, value, {})
        for act, value in (("objections", "rrrr"), ("objections", "rroo"), ("fitting", ""))
    ]
    acts += [("mastermind", act, "", {}) for act in ("reveal", "flip")]
    acts += [("mastermind", "answer", [0, 0], {}) for _ in range(4)]
    for number in range(2):
        acts += [("wordle", "new", "", {"seed": 3, "hard": bool(number)})]
        acts += [("wordle", "judge", word, {}) for word in ("crane", "zzzzz", "ab", "toils", "slate", "sugar", "built")]
        acts += [("wordle", "objections", word, {}) for word in ("zzzzz", "crane", "audio")] + [
            ("wordle", "fitting", "", {})
        ]
    for view, act, value, more in acts:
        given = {"value": value} if value else {}
        told = page.answer_request(view, {"view": view, "act": act, "lang": language, **given, **more})
        yield from (
            told["said"],
            told["fault"],
            told["board"]["title"],
            told.get("objections", ""),
            told.get("fitting", {}).get("text", ""),
        )
        yield from (row["score"] for row in told["board"]["rows"])
        yield from (tile["said"] for tile in told["open"] if len(tile["said"]) > 1)


@pytest.mark.parametrize("code", OTHERS)
def test_mastermind_and_wordle_speak_the_language_of_the_page(code):
    english, said = list(played_tables("en")), list(played_tables(code))
    assert len(english) == len(said) > 100
    same = {one for one, other in zip(english, said, strict=True) if one == other and one}
    assert same <= {"orange", "violet"}, same


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_of_a_win_and_of_a_code_of_one_symbol_is_translated(code):
    _, won = Board(make_rules(4), "vvyg").judge("vvyg")
    sentences = re.split(r"(?<=[.!]) ", won)
    sentences += [
        f"{said} 1 {thing}{end}"
        for said, end in (("The code has", "."), ("Choose", " first."))
        for thing in ("colour", "symbol")
    ]
    assert len(sentences) == 6
    assert [said for said in sentences if translate_said(said, code) == said] == []


def test_statistics_are_translated_with_their_numbers():
    sentence = "2 games, 1 found by NAO (50%)"
    assert translate_said(sentence, "de") == "2 Spiele, 1 von NAO gefunden (50%)"
    assert translate_said("3.50 guesses on average, 3 at best", "fr") == "3,50 essais en moyenne, 3 au mieux"
    assert translate_said("4,348 words fit.", "es") == "Aún encajan 4.348 palabras."
    assert translate_said("An unknown sentence.", "de") == "An unknown sentence."
