"""The requests of the game's page: plain fields in, JSON out. `GamePage` answers them next to one robot."""

import functools
import json
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jotto.rules import JOTTO, MASTERMIND, JottoError
from jotto_behaviour import memory, mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE, GIVEN, LANGUAGE_CODES, LEVELS, TYPED
from jotto_desk import history
from jotto_desk.conversation import answers, game_record
from jotto_desk.conversation.game_record import OVER, GuessReasons
from jotto_desk.errors import DeskError, did_you_mean
from jotto_desk.games import mastermind, wordle

from . import moments
from .boards import KEYBOARD
from .robots import PageRobot
from .tables import CodeTable, GuessingTable, WordleTable
from .texts import translate_into, translate_said

#: Seconds that NAO waits for an answer while somebody looks at the page, who may read, count letters and type.
PATIENCE_S = 180.0
#: The same while somebody looks inside NAO, such as a teacher who shows the diagram: longer than a lesson.
INSIDE_PATIENCE_S = 3600.0
#: Seconds between two looks at a robot that does not listen yet, and the most looks.
_LOOK_INTERVAL_S, _MAX_LOOKS = 0.02, 500
#: Characters of a typed text, and those that an error quotes.
_MAX_TEXT_LENGTH, _MAX_QUOTED_LENGTH = 100, 40
#: Characters that NAO says in one text.
_MAX_SENTENCE_LENGTH = 2000
_MAX_SEED = 2**31 - 1
#: The roles as the page and `jotto play --role` name them; "" lets NAO ask.
_ROLES = {
    "": "",
    "nao-guesses": history.BREAKER,
    "i-guess": history.MAKER,
    history.RACE: history.RACE,
    history.BREAKER: history.BREAKER,
    history.MAKER: history.MAKER,
}
NONE_KEPT, NOT_KEPT = "No finished games yet.", "NAO isn't saving games."

Fields = Mapping[str, Any]


class WrongPageRequest(DeskError, RuntimeError):
    """A request that cannot be answered: one sentence that quotes the input."""


class GamePage:
    """The game's page of one robot.

    `settings` are the game's as in `Jotto/Settings`, such as `folder` (of the notebook) and `words` (the path of the
    list; "" for NAO's own). They are given here, because every program can write to the robot's memory.
    """

    def __init__(
        self,
        robot: PageRobot,
        settings: Fields | None = None,
        *,
        codes: CodeTable | None = None,
        words: WordleTable | None = None,
    ) -> None:
        """`codes` and `words` are the games of Mastermind and Wordle to begin with; others are begun when asked for."""
        self._robot = robot
        self._settings = dict(settings or {})
        folder = self._settings.get("folder")
        self._folder = Path(str(folder)) if folder else None
        self._reasons = GuessReasons(str(self._settings.get("words") or ""), self._folder)
        self._taps = _Taps(robot, self._get_talk_view)
        self._seen: tuple[object, str, moments.GameView | None] = (None, "", None)
        self._codes, self._words = codes, words

    def answer_request(self, name: str, fields: Fields) -> Any:
        """Return the JSON value that answers a request; raises RuntimeError with a sentence."""
        view = _VIEWS.get(name) if isinstance(name, str) else None
        if view is None:
            typed = _quote(name)
            raise WrongPageRequest(f"The page has no view {typed}.{did_you_mean(typed, _VIEWS)}")
        try:
            return view(self, fields)
        except (DeskError, JottoError) as error:
            if isinstance(error, WrongPageRequest):
                raise
            raise WrongPageRequest(str(error)) from error

    # The game with NAO

    def _show_game(self, fields: Fields) -> dict[str, Any]:
        language = _parse_language(fields)
        texts = translate_into(language)
        return moments.describe_game(self._get_view(language), self._robot.runs(), language, texts)

    def _tap(self, fields: Fields) -> dict[str, Any]:
        return self._taps.tap(fields, translate_into(_parse_language(fields)))

    def _capitalise(self, fields: Fields) -> dict[str, Any]:
        """Return a sentence of NAO with guesses and secrets in capitals, as on the board."""
        view, text = self._get_talk_view(), _parse_text(fields, "text", limit=_MAX_SENTENCE_LENGTH)
        return {"text": text if view is None else game_record.capitalise_words(text, str(view.talk.language))}

    def _why(self, fields: Fields) -> dict[str, Any]:
        view, texts = self._get_talk_view(), translate_into(_parse_language(fields))
        if view is None or not game_record.has_reason(view.talk):
            return {"text": ""}
        unknown = texts("NAO plays with a list of words that this page does not have.")
        return {"text": self._reasons.explain_guess(view.talk) or unknown}

    def _object(self, fields: Fields) -> dict[str, Any]:
        word, board = _parse_text(fields, "word"), _parse_number(fields, "board", 0, 1, 0)
        view = self._get_talk_view()
        turns, rules = (moments.list_board_turns(view.talk, board), view.talk.game.rules) if view else ((), JOTTO)
        return {"text": translate_said(moments.find_objections(word, turns, rules), _parse_language(fields))}

    def _count_games(self, fields: Fields) -> dict[str, Any]:
        language = _parse_language(fields)
        texts = translate_into(language)
        if self._folder is None:
            return {"groups": [], "text": texts(NOT_KEPT)}
        groups = history.group_by_role_and_level(game_record.read_games(game_record.find_file(self._folder)).games)
        return {
            "groups": [_describe_statistics(group, language) for group in groups],
            "text": "" if groups else texts(NONE_KEPT),
        }

    def _wait(self, fields: Fields) -> dict[str, Any]:
        patience = INSIDE_PATIENCE_S if _parse_flag(fields, "inside", False) else PATIENCE_S
        seconds = patience if _parse_flag(fields, "waiting") else 0.0
        self._robot.call("ALMemory", "insertData", memory.PATIENCE_KEY, seconds)
        return {"seconds": seconds}

    def _set_options(self, fields: Fields) -> dict[str, Any]:
        """Write the settings of the next game."""
        language = _parse_language(fields, "")
        level = _parse_choice(fields, "level", ("", *LEVELS))
        role = _ROLES[_parse_choice(fields, "role", tuple(_ROLES))]
        seed = _parse_number(fields, "seed", 0, _MAX_SEED, 0) or secrets.randbelow(_MAX_SEED) + 1
        settings = {"strategy": mind.DEFAULT_STRATEGY, "words": "", "folder": "", TYPED: True, **self._settings}
        settings |= {"seed": seed, "role": role, "level": level}
        settings |= {"language": language} if language else {}
        # NAO offers any unfinished game, as these options might be older than it.
        settings.pop(GIVEN, None)
        self._robot.call("ALMemory", "insertData", memory.SETTINGS_KEY, json.dumps(settings, sort_keys=True))
        return {"language": language, "level": level, "role": role, "seed": seed}

    def _get_talk_view(self) -> moments.GameView | None:
        return self._get_view(DEFAULT_LANGUAGE)

    def _get_view(self, language: str) -> moments.GameView | None:
        # A list, as a key that was never written is not an error then.
        found = self._robot.call("ALMemory", "getListData", [memory.GAME_KEY])
        text = found[0] if isinstance(found, list) and found else None
        if self._seen[:2] != (text, language):
            self._seen = (text, language, moments.parse_view(text, translate_into(language)))
        return self._seen[2]

    # Mastermind and Wordle

    def _play_codes(self, fields: Fields) -> Any:
        table, act = self._codes, _parse_choice(fields, "act", ("", *_CODE_ACTS))
        if table is None or act == "new":
            table = self._codes = _begin_codes(fields, table)
        more = _CODE_ACTS[act](table, fields) if act and act != "new" else {}
        if table.is_first:
            table.think()
        told = {
            **_describe_table(table),
            "symbols": [tile._asdict() for tile in table.list_symbols()],
            "is_flipped": table.is_flipped,
            "guess": table.guess.upper(),
            "pairs": [list(pair) for pair in table.rules.list_feedback()],
            "length": table.rules.length,
            "result": "",
            **(more or {}),
        }
        return _translate_table(told, _parse_language(fields))

    def _play_words(self, fields: Fields) -> Any:
        table, act = self._words, _parse_choice(fields, "act", ("", *_WORD_ACTS))
        if table is None or act == "new":
            table = self._words = _begin_words(fields, table)
        more = _WORD_ACTS[act](table, fields) if act and act != "new" else {}
        told = {
            **_describe_table(table),
            "keyboard": list(KEYBOARD),
            "rounds": wordle.GAME_ROUNDS,
            "length": len(table.game.secret),
            "won": table.game.solved,
            "result": table.share_game(),
            **(more or {}),
        }
        return _translate_table(told, _parse_language(fields))


# Taps.


class _Taps:
    """Answers that are tapped or typed: each is said once NAO listens to its question, at most once per question."""

    def __init__(self, robot: PageRobot, look: Callable[[], moments.GameView | None]) -> None:
        self._robot, self._look = robot, look
        self._is_busy = False
        #: The question that was answered last; it changes if NAO asks again.
        self._answered: object = None

    def tap(self, fields: Fields, texts: history.Translated) -> dict[str, Any]:
        """Say an answer; return `said`, or `late`, `remark`, `started` or `waits`."""
        if self._is_busy:
            return {"late": True}
        self._is_busy = True
        try:
            return self._tap(fields, texts)
        finally:
            self._is_busy = False

    def _tap(self, fields: Fields, texts: history.Translated) -> dict[str, Any]:
        moment, meaning = _parse_moment(fields), _parse_text(fields, "meaning", "")
        if meaning == moments.AGAIN and not self._robot.runs():
            self._robot.start()
            # Until it runs, another tap would start it twice.
            for _ in range(_MAX_LOOKS):
                if self._robot.runs():
                    break
                self._robot.sleep(_LOOK_INTERVAL_S)
            return {"started": True}
        view = self._look()
        if (
            view is None
            or not self._robot.runs()
            or moments.list_moment(view) != moment
            or view.question.kind == answers.NO_ANSWER
        ):
            return {"late": True}
        if self._answered == _identify_question(view):
            return {"late": True}
        return self._say(_choose_line(view, fields), view, texts)

    def _say(self, line: str, view: moments.GameView, texts: history.Translated) -> dict[str, Any]:
        """Say the answers in a line one after the other; only letters of a word are several."""
        said: list[str] = []
        waiting, asked = [line], moments.list_moment(view)
        while waiting and len(said) < answers.MAX_WAITING_ANSWERS:
            listening = self._await_ears(asked, is_next=bool(said))
            if listening is None:
                return {"said": said, "late": True} if said else {"late": True}
            now, ears = listening
            if ears.engine is None:
                return {
                    "waits": True,
                    "said": said,
                    "remark": texts("Waiting for NAO to listen: {answers}", answers=line),
                }
            lines = mind.load_lines(now.talk.language)
            part = answers.choose_phrase(waiting.pop(0), now.talk.state, ears.vocabulary, lines, texts)
            if part.remark:
                return {"said": said, "remark": part.remark}
            asked, self._answered = moments.list_moment(now), _identify_question(now)
            self._robot.hear(part.phrase, answers.TYPED_CONFIDENCE)
            said.append(part.phrase)
            waiting[:0] = part.rest
        return {"said": said}

    def _await_ears(self, asked: list[Any], is_next: bool) -> tuple[moments.GameView, answers.Ears] | None:
        """Cut NAO's talk short and wait until it listens; None if the question has passed.

        After a letter (`is_next`), wait for the question about the next one.
        """
        found: tuple[moments.GameView, answers.Ears] | None = None
        for _ in range(_MAX_LOOKS):
            view = self._look()
            if view is None or not self._robot.runs():
                return None
            has_moved = moments.list_moment(view) != asked
            if has_moved and not is_next:
                return None
            if has_moved and view.question.kind != answers.NO_ANSWER and view.talk.state not in answers.SPELLING_STATES:
                return None
            if has_moved == is_next:
                found = view, answers.parse_ears(self._robot.ears())
                if found[1].engine is not None and view.question.kind != answers.NO_ANSWER:
                    return found
                self._robot.stop_talking()
            self._robot.sleep(_LOOK_INTERVAL_S)
        return found and (found[0], found[1]._replace(engine=None))


def _identify_question(view: moments.GameView) -> object:
    """Return a value that changes whenever NAO asks, also if it asks the same again."""
    return (*moments.list_moment(view), view.talk.misses, view.talk.silences)


def _choose_line(view: moments.GameView, fields: Fields) -> str:
    """Return the answer of a tap as a line; raises WrongPageRequest if there is not exactly one, or it does not fit."""
    given = [name for name in ("phrase", "meaning", "score", "number", "word") if name in fields]
    if len(given) != 1:
        names = ", ".join(given) or "nothing"
        raise WrongPageRequest(f"A tap has one of phrase, meaning, score, number and word, not '{names}'.")
    name, question, language = given[0], view.question, str(view.talk.language)
    if name == "score":
        _check_kind(name, question.kind, answers.TWO_NUMBERS)
        exact, misplaced = _parse_score(fields["score"])
        view.talk.game.rules.parse_feedback((exact, misplaced))
        return answers.find_score_phrase(exact, misplaced, view.talk.game.rules.length, language)
    if name == "number":
        _check_kind(name, question.kind, answers.ONE_NUMBER)
        return answers.find_number_phrase(_parse_number(fields, "number", 0, view.talk.game.rules.length), language)
    if name == "word":
        _check_kind(name, question.kind, answers.WORD)
        return _parse_text(fields, "word")
    if name == "phrase":
        return _parse_text(fields, "phrase")
    meaning = _parse_text(fields, "meaning")
    if meaning == moments.AGAIN and view.talk.about.name == OVER:
        meaning = "yes"
    for choice in (*question.answers, *question.commands):
        if choice.meaning == meaning:
            return choice.phrase
    raise WrongPageRequest(f"NAO's question has no answer {_quote(meaning)}.")


def _check_kind(name: str, kind: str, wanted: str) -> None:
    if kind != wanted:
        asks = {
            answers.CHOICE: "a choice",
            answers.TWO_NUMBERS: "two numbers",
            answers.ONE_NUMBER: "one number",
            answers.WORD: "a word",
        }
        raise WrongPageRequest(f"NAO asks for {asks[kind]}, so a {name} does not answer it.")


# Statistics.


def _describe_statistics(group: history.GroupStatistics, language: str) -> dict[str, Any]:
    texts = translate_into(language)
    return {
        **group.plain(),
        "role_text": texts(moments.ROLE_LABELS[group.role]),
        "level_text": texts(group.level),
        "sentences": [translate_said(sentence, language) for sentence in history.describe_group(group)],
        "bars": [
            {"label": texts("1 guess" if number == 1 else "{number} guesses", number=number), "count": count}
            for number, count in group.distribution.items()
        ],
    }


# Mastermind and Wordle.

_Act = Callable[[Any, Fields], dict[str, Any] | None]


def _describe_table(table: CodeTable | WordleTable) -> dict[str, Any]:
    return {
        "title": table.title,
        "board": moments.describe_board(table.make_board()),
        "open": [tile._asdict() for tile in table.open_tiles()],
        "said": table.said,
        "fault": table.fault,
        "is_over": table.is_over,
        "seed": table.seed,
    }


#: The fields of a table that have the game's sentences.
_SAID = frozenset(("said", "fault", "title", "score", "text", "objections"))


def _translate_table(told: Any, language: str) -> Any:
    """Return a table's view with its sentences in a language."""
    if isinstance(told, list):
        return [_translate_table(each, language) for each in told]
    if not isinstance(told, dict):
        return told
    return {
        name: translate_said(value, language)
        if name in _SAID and isinstance(value, str)
        else _translate_table(value, language)
        for name, value in told.items()
    }


def _begin_codes(fields: Fields, before: CodeTable | None) -> CodeTable:
    length = _parse_number(fields, "length", 1, mastermind.MAX_CODE_LENGTH, before.rules.length if before else 4)
    letters = _parse_text(fields, "letters", before.rules.alphabet if before else "") or MASTERMIND.alphabet
    rules = mastermind.make_rules(length, letters)
    way = _parse_choice(fields, "way", mastermind.BREAKER_WAYS, before.way if before else mastermind.CONSISTENT_WAY)
    is_flipped = _parse_flag(fields, "flip", bool(before and before.is_flipped))
    return CodeTable(rules, _parse_seed(fields), "", way, is_flipped)


def _begin_words(fields: Fields, before: WordleTable | None) -> WordleTable:
    if before is not None and not {"hard", "seed"} & fields.keys():
        before.begin_game()
        return before
    known, is_hard = _load_vocabulary(), _parse_flag(fields, "hard", False)
    every = frozenset(known.words)

    def begin(seed: int) -> wordle.Wordle:
        return wordle.Wordle(wordle.draw_common_secret(known, seed), every, is_hard)

    return WordleTable(begin, known, _parse_seed(fields))


@functools.cache
def _load_vocabulary() -> wordle.Vocabulary:
    return wordle.load_vocabulary(wordle.OUR_LIST)


def _list_fitting(table: GuessingTable, _fields: Fields) -> dict[str, Any]:
    text, named = table.describe_fitting()
    return {"fitting": {"text": text, "named": list(named)}}


def _judge(table: CodeTable | WordleTable, fields: Fields) -> None:
    table.judge(_parse_text(fields, "value", ""))


_TABLE_ACTS: dict[str, _Act] = {
    "press": lambda table, fields: table.press(_parse_text(fields, "value", limit=1).lower()),
    "delete": lambda table, _fields: table.delete(),
    "judge": _judge,
    "objections": lambda table, fields: {"objections": table.explain_fit(_parse_text(fields, "value"))},
    "fitting": _list_fitting,
}
_CODE_ACTS: dict[str, _Act] = {
    **_TABLE_ACTS,
    "new": lambda _table, _fields: None,
    "flip": lambda table, _fields: table.begin_game(not table.is_flipped),
    "reveal": lambda table, _fields: table.reveal(),
    "answer": lambda table, fields: table.answer(*_parse_score(fields.get("value"))),
    "take_back": lambda table, _fields: table.take_back(),
}
_WORD_ACTS: dict[str, _Act] = {**_TABLE_ACTS, "new": lambda _table, _fields: None}

_VIEWS: dict[str, Callable[[GamePage, Fields], Any]] = {
    "game": GamePage._show_game,
    "tap": GamePage._tap,
    "why": GamePage._why,
    "capitals": GamePage._capitalise,
    "objections": GamePage._object,
    "statistics": GamePage._count_games,
    "patience": GamePage._wait,
    "mastermind": GamePage._play_codes,
    "wordle": GamePage._play_words,
    "start_options": GamePage._set_options,
}


# The fields of a request.

_REQUIRED = object()


def _quote(value: object) -> str:
    """Return a value in quotes, shortened, for an error."""
    text = value if isinstance(value, str) and value.isprintable() else repr(value)
    short = text if len(text) <= _MAX_QUOTED_LENGTH else f"{text[:_MAX_QUOTED_LENGTH]}..."
    return f"'{short}'"


def _parse_text(fields: Fields, name: str, default: Any = _REQUIRED, limit: int = _MAX_TEXT_LENGTH) -> str:
    value = fields.get(name, default)
    if value is default and default is not _REQUIRED:
        return str(default)
    if not isinstance(value, str) or len(value) > limit or not value.strip():
        shown = "nothing" if value is _REQUIRED else _quote(value)
        raise WrongPageRequest(f"{name} must be a text of 1 to {limit} characters, not {shown}.")
    return value


def _parse_number(fields: Fields, name: str, low: int, high: int, default: Any = _REQUIRED) -> int:
    value = fields.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        shown = "nothing" if value is _REQUIRED else _quote(value)
        raise WrongPageRequest(f"{name} must be a whole number from {low} to {high}, not {shown}.")
    return value


def _parse_seed(fields: Fields) -> int:
    return _parse_number(fields, "seed", 0, _MAX_SEED, 0) or secrets.randbelow(_MAX_SEED) + 1


def _parse_flag(fields: Fields, name: str, default: Any = _REQUIRED) -> bool:
    value = fields.get(name, default)
    if not isinstance(value, bool):
        shown = "nothing" if value is _REQUIRED else _quote(value)
        raise WrongPageRequest(f"{name} must be true or false, not {shown}.")
    return value


def _parse_choice(fields: Fields, name: str, choices: tuple[str, ...], default: str = "") -> str:
    value = fields.get(name, default)
    if not isinstance(value, str) or value not in choices:
        known = ", ".join(filter(None, choices))
        raise WrongPageRequest(f"{name} must be one of {known}, not {_quote(value)}.")
    return value


def _parse_language(fields: Fields, default: str = DEFAULT_LANGUAGE) -> str:
    return _parse_choice(fields, "lang", (*LANGUAGE_CODES, default), default)


def _parse_moment(fields: Fields) -> list[Any]:
    value = fields.get("moment", _REQUIRED)
    if not isinstance(value, list) or len(value) > 3:
        shown = "nothing" if value is _REQUIRED else _quote(value)
        raise WrongPageRequest(f"moment must be the one that game gave, not {shown}.")
    return value


def _parse_score(value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise WrongPageRequest(f"A score is a list of two numbers, not {_quote(value)}.")
    named = dict(zip(("exact", "misplaced"), value, strict=True))
    exact, misplaced = (_parse_number(named, name, 0, mastermind.MAX_CODE_LENGTH) for name in named)
    return exact, misplaced
