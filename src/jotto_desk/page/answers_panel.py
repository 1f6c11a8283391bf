"""The panel with the answers to tap: yes and no, two numbers, a keyboard of letters, as NAO asks for them."""

from __future__ import annotations

from nicegui import ui

from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_behaviour.lines import Lines
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk.conversation.answers import (
    CHOICE,
    NO_ANSWER,
    ONE_NUMBER,
    TWO_NUMBERS,
    WORD,
    Choice,
    Ears,
    Moment,
    SpokenAnswers,
    number_phrase,
    read_ears,
    score_phrase,
)
from jotto_desk.play.page.boards import KEYBOARD, KEYBOARDS
from jotto_desk.play.page.moments import GameView
from naosim_live.page.acts import acted
from naosim_live.page.recorded.recorded_robot import RecordedRobot
from naosim_live.page.shown_robot import ShownRobot
from naosim_live.page.talk.panel import BEYOND_DOUBT

from .drawing import add_style, draw_keyboard, tagged
from .score_pad import ScorePad, draw_numbers
from .watched_game import WatchedGame

IDLE = "NAO isn't asking anything right now."
#: Answers that are large on the page, where they answer the question.
_LARGE = ("yes", "no", "ready", "you guess", "I guess", "race")
#: Answers about letters that were spelled: without any they mean nothing.
_ABOUT_LETTERS = ("back one", "cancel")


class AnswersPanel:
    """What can be answered now, for one browser; a tap is said to NAO as soon as it listens."""

    title, place = "Your answer", "talk"

    def __init__(self, shown: ShownRobot, game: WatchedGame) -> None:
        self._shown, self._game = shown, game
        self._answers = SpokenAnswers(self._hear, self._ears, self._moment, self._lines, shown.texts)
        self._texts = shown.texts
        self._drawn: object = None
        self._at: Moment | None = None
        self._field: ui.input | None = None

    def build(self) -> None:
        """Draw the frame."""
        add_style()
        self._game.come()
        ui.context.client.on_delete(self._game.leave)
        self._question = tagged("p", self._texts(IDLE), "question")
        self._taps = ui.element("div")
        self._status = tagged("p", classes="game-status", role="status")

    async def refresh(self) -> None:
        """Draw another question when NAO asks one, and say what was tapped."""
        await self._game.look()
        view = self._game.view
        await self._answers.go_on(None if view is None else view.moment)
        self._ask(view)
        # What NAO asks once more in other words keeps what was chosen already.
        drawn = (
            None if view is None else (self._game.runs, view.question, view.talk.subject, view.spelled, _letters(view))
        )
        if drawn != self._drawn:
            self._drawn = drawn
            self._draw(view)
        # A tap answers what was drawn when it came, though NAO may have gone on meanwhile.
        self._at = None if view is None else view.moment
        self._tell()

    async def _hear(self, phrase: str, _confidence: float) -> None:
        await self._shown.person("hear", phrase, BEYOND_DOUBT)

    async def _ears(self) -> Ears:
        return read_ears(await self._shown.person("ears"))

    async def _moment(self) -> Moment | None:
        await self._game.read()
        return None if self._game.view is None else self._game.view.moment

    def _tell(self) -> None:
        waiting = self._answers.waiting
        said = self._answers.remark
        if waiting:
            said = self._texts("Waiting for NAO to listen: {answers}", answers=" ".join(waiting))
        if self._status.text != said:
            self._status.set_text(said)

    def _ask(self, view: GameView | None) -> None:
        asked = self._texts(IDLE)
        if view is not None and self._game.runs and view.question.kind != NO_ANSWER:
            asked = view.asked or self._texts("Your answer?")
        if self._question.text != asked:
            self._question.set_text(asked)

    def _draw(self, view: GameView | None) -> None:
        kind = NO_ANSWER if view is None else view.question.kind
        self._taps.clear()
        self._field = None
        if view is not None and not self._game.runs and not isinstance(self._shown, RecordedRobot):
            with self._taps:
                tagged("button", self._texts("Play again"), "tap tap-main", type="button").on("click", self._play_again)
            return
        if view is None or kind == NO_ANSWER:
            return
        with self._taps:
            if kind == TWO_NUMBERS:
                ScorePad(JOTTO, self._say_score, self._texts).build()
            elif kind == ONE_NUMBER:
                draw_numbers("How many", JOTTO.length, self._say_number, self._texts)
            elif kind == WORD:
                self._draw_word(view)
            self._draw_answers(view)

    def _draw_answers(self, view: GameView) -> None:
        answers = [answer for answer in view.question.answers if answer.meaning not in _ABOUT_LETTERS or view.spelled]
        for is_large in (True, False):
            chosen = [answer for answer in answers if (answer.meaning in _LARGE) == is_large]
            if chosen:
                with tagged("div", classes="taps"):
                    for answer in chosen:
                        self._tap(answer, "tap-main" if is_large and view.question.kind == CHOICE else "")
        with tagged("details", classes="game-more"):
            tagged("summary", self._texts("What else you can say"))
            with tagged("div", classes="taps"):
                for command in view.question.commands:
                    self._tap(command, "tap-small")

    async def _play_again(self) -> None:
        await acted(self._shown.ask("start"))

    def _tap(self, choice: Choice, classes: str) -> None:
        button = tagged("button", choice.label, f"tap {classes}", type="button")
        button.on("click", lambda: self._say(choice.phrase))

    def _draw_word(self, view: GameView) -> None:
        if view.spelled:
            tagged("p", self._texts("So far: {letters}", letters=" ".join(view.spelled)), "board-places")
        with tagged("div", classes="spell"):
            self._field = (
                ui.input(self._texts("Your word"))
                .classes("spell-field")
                .props(
                    f'maxlength={JOTTO.length} autocomplete="off" autocapitalize="characters" spellcheck="false" '
                    "outlined dense"
                )
            )
            self._field.on("keydown.enter", self._guess)
            tagged("button", self._texts("Guess"), "tap tap-main", type="button").on("click", self._guess)
            tagged("button", "\u232b", "tap", type="button", aria_label=self._texts("Delete the last letter")).on(
                "click", self._delete
            )
        keyboard = KEYBOARDS.get(view.talk.language, KEYBOARD)
        draw_keyboard(_letters(view), self._press, self._texts, keyboard)

    def _press(self, letter: str) -> None:
        if self._field is not None and len(str(self._field.value or "")) < JOTTO.length:
            self._field.set_value(f"{self._field.value or ''}{letter}")

    def _delete(self) -> None:
        if self._field is not None:
            self._field.set_value(str(self._field.value or "")[:-1])

    def _guess(self) -> None:
        if self._field is not None and str(self._field.value or "").strip():
            self._say(str(self._field.value)[: JOTTO.length])
            self._field.set_value("")

    def _say_score(self, exact: int, misplaced: int) -> None:
        self._say(score_phrase(exact, misplaced, JOTTO.length, self._language))

    def _say_number(self, number: int) -> None:
        self._say(number_phrase(number, self._language))

    @property
    def _language(self) -> str:
        """Return the code of the language that NAO speaks at the moment."""
        view = self._game.view
        return DEFAULT_LANGUAGE if view is None else str(view.talk.language)

    def _lines(self) -> Lines:
        return mind.load_lines(self._language)

    def _say(self, line: str) -> None:
        if self._at is not None:
            self._answers.say(line, self._at)
            self._shown.tell()


def _letters(view: GameView) -> tuple[tuple[str, str], ...]:
    """Return what is certain of the letters of NAO's word."""
    is_yours = view.talk.riddle is not None and view.boards
    return view.boards[0].letters if is_yours else ()
