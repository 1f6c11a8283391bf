"""The page in other languages: complete tables, words in texts, and the panels of the game."""

import asyncio
import re
from pathlib import Path

import naosim_page
import pytest

from jotto import game
from jotto.rules import JOTTO
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_CODES, LEVELS, Settings
from jotto_behaviour.talk import Talk
from jotto_desk import cli, play
from jotto_desk import conversation as asked
from jotto_desk.conversation import answers
from jotto_desk.history import ROLE_NAMES
from jotto_desk.page import answers_panel, board_panel, score_pad, wonder
from jotto_desk.page import page_texts as panel_texts
from jotto_desk.page.page_texts import page_texts
from jotto_desk.play import robot_tables, table
from jotto_desk.play.page import boards, game_page, moments
from naosim_live.hosting import HostedRobot
from naosim_live.page import figure, panels, recorded, speech, talk, time
from naosim_live.page.figure.zones import ZONES
from naosim_live.page.live_robot import LiveRobot
from naosim_live.page.recorded import recorded_robot
from naosim_live.page.speech import listener, microphones, panel
from naosim_live.page.talk import conversation
from naosim_live.page.visitors import visits, waiting
from naosim_live.voice.names import OWN_LANGUAGE

OTHERS = [code for code in LANGUAGE_CODES if code != DEFAULT_LANGUAGE]
#: A text as a literal, or one of two.
GIVEN = re.compile(r'(?<!page_)texts\(\s*f?"([^"{]*(?:\{\w+\}[^"{]*)*)"(?: if [^"]*? else "([^"]*)")?')
#: Texts that panels make of parts.
MADE = """How many|in the right place|in the wrong place|1 in place|{count} in place|1 elsewhere|{count} elsewhere|none
the word!|to be answered|Your guesses|NAO's guesses|Number|Guess|Score|NAO plays Jotto|Your answer|Game
A guess has five different letters; '{word}' has {letter} twice."""


def constants() -> set[str]:
    """Collect the texts that panels get from constants."""
    found = {answers_panel.IDLE, game_page.NONE_KEPT, game_page.NOT_KEPT, board_panel.NOT_RECORDED, wonder.EMPTY}
    found |= {panel.LISTENS, panel.SPEAKS, panel.DEAF, panel.PREPARES, panel.HEARS, panel.UNKNOWN, panel.VOICELESS}
    found |= {conversation.UNDERSTOOD, conversation.NOTHING, conversation.DEAF, conversation.BROKEN}
    found |= {conversation.UNCLEAR, answers.TWICE, score_pad.IN_PLACE, score_pad.ELSEWHERE, recorded_robot.REFUSAL}
    found |= {panel.RECORDING, table.UNDERSTOOD, table.KEYBOARD, table.KEYS, waiting.WAITS, waiting.FAILED}
    found |= {moments.UNDECIDED, listener.FOREIGN, OWN_LANGUAGE, microphones.TOO_MANY, visits.FULL, *LEVELS}
    for texts in (moments.ROLES_SAID, moments.ROLE_LABELS, ROLE_NAMES, ZONES, boards.LETTERS_SAID):
        found |= set(texts.values())
    found |= {*answers.GROUPS, *table.WELCOME.splitlines(), *robot_tables.ROBOT_WELCOME.splitlines()}
    return found | set(re.split(r"[|\n]", MADE))


def given() -> set[str]:
    """Collect the texts that panels translate, from their code, their scripts for the browser and their titles."""
    found, packages = constants(), (figure, speech, talk, time, recorded, cli, play, asked, naosim_page)
    for folder in [Path(panel_texts.__file__).parent, *(Path(package.__file__).parent for package in packages)]:
        for path in folder.rglob("*.py"):
            for one in GIVEN.finditer(path.read_text(encoding="utf-8")):
                found |= {text for text in one.groups() if text and "{where}" not in text}
        for path in folder.rglob("*.js"):
            script = path.read_text(encoding="utf-8")
            found |= {one[1] for one in re.findall(r"""\bsay\((["'])(.+?)\1""", script)}
            found |= set(re.findall('"([A-Z][^"]* [^"]*[.])"', script)) | set(re.findall(r'\bt\("([^"]+)"', script))
    made = [getattr(panel, "func", panel) for panel in panels.panels(microphones.Microphones())]
    return found | {getattr(panel, "title", "Time") for panel in made} - {"NAO"}


def test_a_table_has_every_text_of_the_page():
    for code in OTHERS:
        texts = page_texts(code)
        assert texts.language == code
        table = texts.table
        assert sorted(text for text in given() if text not in table) == []
        for english, text in table.items():
            assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", text)), english
            assert text.strip() == text != ""


@pytest.mark.parametrize(
    ("code", "role", "score", "asked"),
    [
        ("fr", "Tu devines le mot de NAO", "1 bien placée, 2 mal placées", "Tu essaies quel mot\u202f?"),
        ("de", "Du errätst NAOs Wort", "1 am richtigen Platz, 2 woanders", "Was rätst du?"),
        ("es", "Tú adivinas la palabra de NAO", "1 en su sitio, 2 en otro sitio", "¿Qué palabra pruebas?"),
        ("", "You guess NAO's word", "1 in place, 2 elsewhere", "What's your guess?"),
    ],
)
def test_a_game_is_shown_in_its_language(code, role, score, asked):
    new = game.start_game(JOTTO, code or "en", "", 1)
    secret = game.Riddle(new, "crate", 0).guess("court")
    settings = Settings(language=code or None)
    now = Talk(new, secret, state="your guess", settings=settings).say("your guess, shortly")
    view = moments.make_view(now, page_texts(code))
    assert (view.role, view.boards[0].rows[0].score) == (role, score)
    said = {moments.make_view(now._replace(beat=beat, misses=beat), page_texts(code)).asked for beat in range(3)}
    assert asked in said
    commands = [choice.phrase for choice in view.question.commands]
    assert ("help me please" in commands) == (code == "")


def test_french_texts_have_thin_spaces():
    for text in page_texts("fr").table.values():
        assert not re.search("[^\u202f][!?;]|[^\u00a0][:\u00bb]|\u00ab[^\u00a0]", text.replace("[b]?[/b]", "")), text


def test_a_recogniser_of_another_language_hears_nothing():
    async def story(robot):
        live = LiveRobot(robot)
        await live.open()
        live.texts = page_texts("fr")
        ears = listener.Listener(live, OWN_LANGUAGE)
        await live.call(listener.ENGINE, "setVocabulary", ["oui", "non"], False)
        await live.call(listener.ENGINE, "subscribe", "test")
        await ears._look()
        assert "ne comprend que l'anglais" in ears.trouble and not ears.listens
        await live.call(listener.ENGINE, "unsubscribe", "test")
        await live.call(listener.ENGINE, "setLanguage", "English")
        assert await ears._knows(("yes", "no"))
        # A model given by its folder may be for any language.
        assert await listener.Listener(live)._knows(("oui", "non"))

    with HostedRobot(languages=("French", "English")) as robot:
        asyncio.run(asyncio.wait_for(story(robot), 60.0))


def test_keyboards_have_every_letter_of_their_language():
    from jotto.words import capitalise_word
    from jotto_behaviour import mind

    for code in OTHERS:
        rows = "".join(boards.KEYBOARDS[code])
        assert sorted(rows) == sorted(capitalise_word(letter) for letter in mind.load_lines(code).alphabet)
