"""The content of the game's page: whole games with `game` and `tap`, its other requests, and wrong fields."""

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings, strategies as st

from jotto_behaviour import memory, mind
from jotto_behaviour.settings import LANGUAGE_CODES
from jotto_desk.play.page import GamePage, RobotHere, RobotOverClient, WrongPageRequest, load_text_table, moments
from jotto_desk.play.page.boards import KEYBOARDS
from jotto_desk.play.page.game_page import _VIEWS, INSIDE_PATIENCE_S, PATIENCE_S
from jotto_desk.play.page.shared import SharedPage
from jotto_desk.rehearsal.robots import find_behaviour_file, list_spoken_languages
from naosim import scripting, xar
from naosim.robot import Robot
from naosim_robots.hosting import HostedRobot

PROJECT = xar.parse(str(find_behaviour_file()))
#: Libraries of the desk that a browser's worker does not have.
BLOCKED = ("nicegui", "numpy", "pydantic", "requests", "typer", "anyio", "fastapi", "starlette", "rich", "uvicorn")
#: The most turns of a test's game; none comes near it.
MOST_TURNS = 60


class Stage:
    """A robot with the game and its page; requests run as tasks of the robot's clock."""

    def __init__(self, language="en", **options):
        self.language = language
        self.robot = Robot(strict=True, languages=list_spoken_languages(language))
        self.robot.load(PROJECT)
        self.page = GamePage(RobotHere(self.robot), {"folder": "", **options})

    def ask(self, name, **fields):
        """Return the answer to a request, as it arrives in a browser."""
        done = []

        def task():
            try:
                done.append((self.page.answer_request(name, {"lang": self.language, **fields}), None))
            except RuntimeError as error:
                done.append((None, error))

        self.robot.clock.call_soon(task)
        with scripting.run_as_robot(self.robot.world):
            self.robot.clock.run(lambda: done, 60)
        value, error = done[0]
        if error is not None:
            raise error
        return json.loads(json.dumps(value))

    def wait(self, seconds):
        with scripting.run_as_robot(self.robot.world):
            self.robot.clock.run(seconds=seconds)

    def asked(self):
        """Return the next moment with a question, or the one after NAO has left."""
        for _ in range(100):
            game = self.ask("game")
            if game["question"]["kind"] != "none":
                return game
            self.wait(0.2)
        raise AssertionError(game)

    def tap(self, game, **answer):
        return self.ask("tap", moment=game["moment"], **answer)

    def begin(self, **options):
        self.ask("start_options", seed=5, **options)
        assert self.ask("tap", moment=[], meaning="again") == {"started": True}
        return self.asked()

    def secret(self):
        """Return NAO's word, which only the robot's memory has."""
        return json.loads(self.robot.get(memory.GAME_KEY))["riddle"]["secret"]


@pytest.fixture
def open_stage():
    stages = []

    def open_it(*arguments, **options):
        stages.append(Stage(*arguments, **options))
        return stages[-1]

    yield open_it
    for stage in stages:
        assert stage.robot.trace.errors == []
        stage.robot.close()


def answer_guess(stage, game, rules, secret):
    """Answer NAO's question about its guess as somebody who has this word."""
    asked = game["question"]
    guess = asked["guess"].lower()
    if asked["kind"] == "two-numbers":
        score = list(rules.score(guess, secret))
        assert score in asked["pairs"]
        return stage.tap(game, score=score)
    if asked["kind"] == "one-number":
        exact, misplaced = rules.score(guess, secret)
        return stage.tap(game, number=exact if game["moment"][0] == "exact" else misplaced)
    return stage.tap(game, meaning="yes" if guess == secret else "no")


def play_on(stage, game, secret="", is_maker_fast=True):
    """Play with the answers of the page until the game is over; return its last moment."""
    rules = mind.load_mind("", "", (), stage.language).rules
    for _ in range(MOST_TURNS):
        if game["over"]:
            return game
        asked = game["question"]
        meanings = [answer["meaning"] for answer in asked["answers"]]
        if asked["kind"] == "word":
            told = stage.tap(game, word=stage.secret() if is_maker_fast else "ocean")
        elif "ready" in meanings:
            told = stage.tap(game, meaning="ready")
        elif asked["guess"] and game["moment"][0] != "your word?":
            told = answer_guess(stage, game, rules, secret)
        else:
            told = stage.tap(game, meaning="yes")
        assert told["said"] and "late" not in told, (game, told)
        game = stage.asked()
    raise AssertionError(game)


#: Language -> a word of the player.
WORDS = {"en": "crate", "de": "stirn", "es": "carne", "fr": "crane"}


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize(("role", "won"), [("nao-guesses", "nao"), ("i-guess", "you"), ("race", "you")])
def test_a_whole_game_by_tapping(open_stage, language, role, won):
    stage = open_stage(language)
    first = stage.begin(role=role, level="easy")
    table = load_text_table(language)
    names = {"nao-guesses": "NAO guesses my word", "i-guess": "I guess NAO's word", "race": "Race"}
    assert first["role_text"] == table.get(names[role], names[role]) and first["language"] == language
    assert (first["level"], first["won"], first["secret"], first["over"]) == ("easy", "", "", False)
    assert first["keyboard"] == list(KEYBOARDS.get(language, first["keyboard"]))
    last = play_on(stage, first, WORDS[language])
    assert (last["won"], last["runs"], last["role"]) == (won, True, first["role"])
    main = [answer for answer in last["question"]["answers"] if answer["main"]]
    assert [answer["meaning"] for answer in main] == ["again"]
    assert [answer["meaning"] for answer in last["question"]["answers"]] == ["again", "no", "other role"]
    assert {"you guess", "I guess", "race"} <= {command["meaning"] for command in last["question"]["commands"]}
    assert last["boards"] and last["boards"][0]["rows"][-1]["score"] == table.get("the word!", "the word!")
    assert last["secret"] == "".join(tile["symbol"] for tile in last["boards"][0]["rows"][-1]["tiles"])
    assert stage.tap(last, meaning="again")["said"]
    again = stage.asked()
    assert again["role"] == first["role"] and not again["over"] and again["secret"] == ""


def test_the_first_question_names_the_roles(open_stage):
    game = open_stage().begin()
    assert (game["role"], game["role_text"]) == ("undecided", "")
    found = game["question"]["answers"]
    assert [(answer["label"], answer["note"]) for answer in found if answer["main"]] == [
        ("You guess", "NAO guesses my word"),
        ("My turn to guess", "I guess NAO's word"),
        ("Race", "We take turns, and the fastest wins."),
    ]
    # The buttons have the words that NAO asks for.
    assert all(label in game["question"]["text"] for label in ("you guess", "my turn to guess"))
    assert "Ready" not in [answer["label"] for answer in found]


@pytest.mark.parametrize("language", WORDS)
def test_the_first_question_shows_which_level_and_language_are_on(open_stage, language):
    stage = open_stage(language)

    def settings(game):
        return [(answer["meaning"], answer["is_on"]) for answer in game["question"]["answers"] if answer["group"] != ""]

    game = stage.begin()
    levels = [("easy", False), ("normal", True), ("hard", False)]
    assert settings(game) == levels + [(f"language {code}", code == language) for code in moments.OWN_NAMES]
    hard = next(answer["phrase"] for answer in game["question"]["answers"] if answer["meaning"] == "hard")
    assert stage.tap(game, phrase=hard)["said"] == [hard]
    assert settings(stage.asked())[:3] == [("easy", False), ("normal", False), ("hard", True)]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("I was thinking of sauce.", "I was thinking of SAUCE."),
        ("Is it tapes?", "Is it TAPES?"),
        ("How many letters of place are in the right place?", "How many letters of PLACE are in the right place?"),
        ("Hi there! Jotto time!", "Hi there! Jotto time!"),
    ],
)
def test_what_nao_says_has_its_words_in_capitals(open_stage, said, shown):
    stage = open_stage()
    stage.begin()
    assert stage.ask("capitals", text=said) == {"text": shown}


def test_a_tap_cuts_nao_short(open_stage):
    stage = open_stage()
    game = stage.begin(role="nao-guesses")
    begun = stage.robot.now()
    assert stage.robot.service("ALTextToSpeech").is_speaking
    assert stage.tap(game, meaning="ready") == {"said": ["ready"]}
    # The sentence of this question takes seconds.
    assert stage.robot.now() - begun < 0.5


def test_a_question_is_answered_at_most_once(open_stage):
    stage = open_stage()
    game = stage.begin(role="nao-guesses")
    assert stage.tap(game, meaning="ready") == {"said": ["ready"]}
    assert stage.tap(game, meaning="ready") == {"late": True}
    asked = stage.asked()
    assert stage.tap(game, meaning="ready") == {"late": True}
    assert stage.ask("tap", moment=["word"], meaning="no") == {"late": True}
    assert stage.tap(asked, meaning="no") == {"said": ["no"]}
    assert stage.tap(asked, meaning="yes") == {"late": True}
    assert stage.asked()["question"]["kind"] == "two-numbers"


def test_two_taps_at_the_same_time_are_one_answer(open_stage):
    stage = open_stage()
    game, told = stage.begin(role="nao-guesses"), []
    fields = {"moment": game["moment"], "meaning": "ready"}
    for _ in range(2):
        stage.robot.clock.call_soon(lambda: told.append(stage.page.answer_request("tap", fields)))
    stage.wait(1.0)
    assert sorted(map(str, told)) == ["{'late': True}", "{'said': ['ready']}"]


def test_a_word_that_is_not_on_the_list_is_explained_or_spelled(open_stage):
    stage = open_stage()
    game = stage.begin(role="i-guess", level="hard")
    told = stage.tap(game, word="hello")
    assert told["said"] == [] and "L twice" in told["remark"]
    assert stage.tap(game, word="oce")["remark"].startswith("A guess has five letters")
    assert stage.tap(game, phrase="o c e")["said"] == ["O", "C", "E"]
    spelled = stage.asked()
    assert spelled["spelled"] == "OCE" and "cancel" in [each["meaning"] for each in spelled["question"]["answers"]]
    assert stage.tap(spelled, meaning="back one")["said"]
    assert stage.asked()["spelled"] == "OC"


def test_nao_waits_for_minutes_while_somebody_looks(open_stage):
    stage = open_stage()
    assert stage.ask("patience", waiting=True) == {"seconds": PATIENCE_S}
    game = stage.begin(role="nao-guesses")
    stage.wait(150)
    assert stage.ask("game")["moment"] == game["moment"] and stage.tap(game, meaning="ready")["said"]
    assert stage.ask("patience", waiting=False) == {"seconds": 0.0}


def test_nao_keeps_a_game_for_a_lesson_while_somebody_looks_inside(open_stage):
    stage = open_stage()
    assert stage.ask("patience", waiting=True, inside=True) == {"seconds": INSIDE_PATIENCE_S}
    game = stage.begin(role="nao-guesses")
    stage.wait(45 * 60)
    assert stage.ask("game")["moment"] == game["moment"] and stage.tap(game, meaning="ready")["said"]


def test_the_most_patient_browser_decides_how_long_nao_waits(open_stage):
    shared = SharedPage(open_stage().page)
    steps = [
        (1, {"waiting": True}, PATIENCE_S),
        (2, {"waiting": True, "inside": True}, INSIDE_PATIENCE_S),
        (1, {"waiting": True, "inside": False}, INSIDE_PATIENCE_S),
        (2, {"waiting": False}, PATIENCE_S),
        (1, {"waiting": False}, 0.0),
    ]
    for browser, fields, seconds in steps:
        assert shared.answer(browser, {"view": "patience", **fields}) == {"seconds": seconds}
    shared.answer(3, {"view": "patience", "waiting": True, "inside": True})
    shared.leave(3)
    assert shared.answer(1, {"view": "patience", "waiting": True}) == {"seconds": PATIENCE_S}


def test_the_game_starts_again_after_nao_has_left(open_stage):
    stage = open_stage()
    game = stage.begin(role="i-guess")
    last = play_on(stage, game)
    assert stage.tap(last, meaning="no")["said"]
    stage.wait(30)
    gone = stage.asked()
    assert (gone["runs"], gone["over"], gone["won"]) == (False, True, "you")
    (again,) = gone["question"]["answers"]
    assert (again["label"], again["meaning"], again["main"]) == ("Play again", "again", True)
    assert stage.tap(gone, meaning="yes") == {"late": True}
    assert stage.tap(gone, meaning="again") == {"started": True}
    assert not stage.asked()["over"]


def test_reasons_objections_and_statistics(open_stage, tmp_path):
    stage = open_stage(folder=str(tmp_path))
    assert stage.ask("why") == {"text": ""} and "'l' more than once" in stage.ask("objections", word="hello")["text"]
    assert stage.ask("statistics") == {"groups": [], "text": "No finished games yet."}
    game = stage.begin(role="nao-guesses")
    assert stage.tap(game, meaning="ready")["said"]
    asked = stage.asked()
    reason = stage.ask("why")["text"]
    assert asked["has_reason"] and "CARES" in reason
    kept = stage.robot.get(memory.GAME_KEY)
    stage.robot.set(memory.GAME_KEY, kept.replace('"list": "en"', '"list": "another"'))
    assert stage.ask("why")["text"] == "NAO plays with a list of words that this page does not have."
    stage.robot.set(memory.GAME_KEY, kept)
    last = play_on(stage, asked, "crate")
    stage.tap(last, meaning="no")
    stage.wait(30)
    (group,) = stage.ask("statistics")["groups"]
    assert (group["role"], group["games"], group["found"]) == ("breaker", 1, 1)
    assert group["bars"] == [{"label": f"{group['best']} guesses", "count": 1}]
    assert "ORDER" in stage.ask("objections", word="order")["text"].upper()
    assert open_stage().ask("statistics")["text"] == "NAO isn't saving games."


def test_mastermind(open_stage):
    stage = open_stage()
    table = stage.ask("mastermind", act="new", seed=1)
    assert (table["is_over"], table["is_flipped"], len(table["open"])) == (False, False, 4)
    assert [tile["look"] for tile in table["symbols"]][:2] == ["red", "orange"]
    stage.ask("mastermind", act="press", value="r")
    assert stage.ask("mastermind", act="press", value="V")["open"][1]["look"] == "violet"
    assert stage.ask("mastermind", act="delete")["open"][1]["look"] == "empty"
    assert len(stage.ask("mastermind", act="judge", value="rroo")["board"]["rows"]) == 1
    assert stage.ask("mastermind", act="fitting")["fitting"]["text"].endswith("fit.")
    assert stage.ask("mastermind", act="objections", value="rroo")["objections"]
    assert stage.ask("mastermind", act="reveal")["said"].startswith("The code was ")
    table = stage.ask("mastermind", act="flip")
    while not table["is_over"]:
        table = stage.ask("mastermind", act="answer", value=score_code(table["guess"], "VVYG"))
    assert table["said"].startswith("I have found your code")
    assert stage.ask("mastermind", act="take_back")["guess"]
    with pytest.raises(WrongPageRequest, match="in mind"):
        stage.ask("mastermind", act="new", flip=True, length=12)


def score_code(guess, code):
    """Return the numbers in place and elsewhere."""
    exact = sum(one == other for one, other in zip(guess, code))
    return [exact, sum(min(guess.count(symbol), code.count(symbol)) for symbol in set(code)) - exact]


def test_wordle(open_stage):
    stage = open_stage()
    table = stage.ask("wordle", act="new", seed=3)
    assert (table["is_over"], len(table["open"]), table["rounds"]) == (False, 5, 6)
    for letter in "arose":
        table = stage.ask("wordle", act="press", value=letter)
    assert [tile["symbol"] for tile in table["open"]] == list("AROSE")
    table = stage.ask("wordle", act="judge")
    looks = {tile["symbol"]: tile["look"] for tile in table["board"]["rows"][0]["tiles"]}
    keys = dict(table["board"]["letters"])
    assert {letter: keys[letter] for letter in "AROSE"} == looks and keys["Z"] == "open"
    assert "not in the list" in stage.ask("wordle", act="judge", value="zzzzz")["fault"]
    for _ in range(5):
        table = stage.ask("wordle", act="judge", value="arose")
    assert table["is_over"] and table["result"].startswith("Wordle X/6")
    assert not stage.ask("wordle", act="new", hard=True)["is_over"]


def test_options(open_stage):
    stage = open_stage("de")
    written = stage.ask("start_options", level="hard", role="i-guess", seed=7)
    assert written == {"language": "de", "level": "hard", "role": "maker", "seed": 7}
    kept = json.loads(stage.robot.get(memory.SETTINGS_KEY))
    assert (kept["language"], kept["level"], kept["role"], kept["seed"]) == ("de", "hard", "maker", 7)


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [
        ("gaem", {}, "The page has no view 'gaem'. Did you mean 'game'?"),
        ("game", {"lang": "xx"}, f"lang must be one of {', '.join((*LANGUAGE_CODES, 'en'))}, not 'xx'."),
        ("tap", {"meaning": "yes"}, "moment must be the one that game gave, not nothing."),
        ("tap", {"moment": "x" * 99, "meaning": "yes"}, f"moment must be the one that game gave, not '{'x' * 40}...'."),
        ("objections", {"word": 5}, "word must be a text of 1 to 100 characters, not '5'."),
        ("patience", {"waiting": 1}, "waiting must be true or false, not '1'."),
        ("start_options", {"level": "wild"}, "level must be one of easy, normal, hard, not 'wild'."),
        ("mastermind", {"act": "cheat"}, "not 'cheat'."),
        ("mastermind", {"act": "answer", "value": [1]}, "A score is a list of two numbers, not '[1]'."),
        ("mastermind", {"act": "new", "letters": "rr"}, "'rr' are not different letters"),
        ("wordle", {"seed": -1}, "seed must be a whole number from 0 to 2147483647, not '-1'."),
    ],
)
def test_wrong_fields_are_answered_with_a_sentence(open_stage, name, fields, sentence):
    with pytest.raises(WrongPageRequest) as raised:
        open_stage().page.answer_request(name, fields)
    assert sentence in str(raised.value)


def test_taps_that_do_not_fit_the_question(open_stage):
    stage = open_stage()
    game = stage.begin(role="nao-guesses")
    for answer, sentence in [
        ({}, "not 'nothing'"),
        ({"phrase": "yes", "word": "ocean"}, "not 'phrase, word'"),
        ({"score": [1, 2]}, "NAO asks for a choice, so a score does not answer it."),
        ({"number": 2}, "NAO asks for a choice"),
        ({"meaning": "fly"}, "NAO's question has no answer 'fly'."),
    ]:
        with pytest.raises(WrongPageRequest) as raised:
            stage.tap(game, **answer)
        assert sentence in str(raised.value)
    stage.tap(game, meaning="ready")
    stage.tap(stage.asked(), meaning="no")
    asked = stage.asked()
    with pytest.raises(WrongPageRequest, match="4"):
        stage.tap(asked, score=[4, 1])
    assert stage.tap(asked, score=[4, 0])["said"] == ["four and zero"]


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=200),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = ("lang", "moment", "phrase", "meaning", "score", "number", "word", "waiting", "act", "value", "seed", "length")
ACTS = ("new", "press", "judge", "answer", "flip", "objections", "fitting", "take_back", "reveal", "delete")


@pytest.fixture(scope="module")
def asking_stage():
    """Return a robot in whose game any answers are tapped."""
    stage = Stage()
    stage.begin(role="i-guess")
    yield stage
    stage.robot.close()


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["phrase", "meaning", "score", "number", "word"]), ANY)
def test_any_answer_to_a_question_is_said_or_refused(asking_stage, name, answer):
    game = asking_stage.asked()
    try:
        told = asking_stage.tap(game, **{name: answer})
    except WrongPageRequest as error:
        assert 0 < len(str(error)) < 400
    else:
        assert told.get("said") or told.get("remark") or told.get("late") or told.get("started")
    assert asking_stage.robot.trace.errors == []


class StillRobot:
    """A robot without a game."""

    def call(self, service, method, *args):
        return [None] if method == "getListData" else None

    def runs(self):
        return True


def test_a_tap_waits_only_some_time_for_nao_to_listen(open_stage):
    stage = open_stage()
    game, slept = stage.begin(role="nao-guesses"), []
    text = stage.robot.get(memory.GAME_KEY)

    class DeafRobot(StillRobot):
        def call(self, service, method, *args):
            return [text]

        def ears(self):
            return {"engine": None, "vocabulary": []}

        def stop_talking(self):
            pass

        def sleep(self, seconds):
            slept.append(seconds)

    told = GamePage(DeafRobot()).answer_request("tap", {"moment": game["moment"], "meaning": "ready"})
    assert told == {"waits": True, "said": [], "remark": "Waiting for NAO to listen: ready"}
    assert 5 < sum(slept) < 20


@given(st.sampled_from(sorted(_VIEWS)), st.dictionaries(st.sampled_from(NAMES), ANY), st.sampled_from(ACTS))
def test_any_fields_are_answered_or_refused(name, fields, act):
    page = GamePage(StillRobot())
    for tried in (fields, {**fields, "act": act, "length": 3}):
        try:
            json.dumps(page.answer_request(name, tried))
        except WrongPageRequest as error:
            assert 0 < len(str(error)) < 400 and "\n" not in str(error)


def test_a_robot_in_another_process():
    with HostedRobot() as robot:
        robot.ask("load", file=str(find_behaviour_file())).result(20)
        page = GamePage(RobotOverClient(robot), {"folder": ""})
        page.answer_request("start_options", {"role": "nao-guesses"})
        robot.ask("start").result(20)
        far = page._robot
        for _ in range(100):
            game = page.answer_request("game", {})
            if game["question"]["kind"] == "choice" and game["moment"]:
                break
            far.sleep(0.05)
        assert page.answer_request("tap", {"moment": game["moment"], "meaning": "ready"}) == {"said": ["ready"]}
        assert page.answer_request("tap", {"moment": game["moment"], "meaning": "ready"}) == {"late": True}
        robot.ask("pace", speed=0.0).result(20)
        with pytest.raises(RuntimeError, match="paused"):
            far.sleep(0.05)


def test_the_content_uses_only_the_standard_library():
    program = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {BLOCKED!r}:
            raise ImportError(name)

sys.meta_path.insert(0, Blocked())
from jotto_desk.play.page import GamePage, RobotHere
own = ("jotto", "jotto_behaviour", "jotto_desk", "naosim", "almath", "motion", "vision_definitions", "__main__")
known = set(sys.stdlib_module_names) | set(own)
print(sorted({{name.partition(".")[0] for name in sys.modules}} - known - set(before)))
"""
    found = subprocess.run(
        [sys.executable, "-c", "import sys; before = [name.partition('.')[0] for name in sys.modules]\n" + program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.strip() == "[]"
