"""A game at the terminal: NAO's words go to the screen, the person's lines to NAO, and both into a transcript."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rich.text import Text

from jotto.rules import JottoError
from jotto_behaviour import conversation, memory
from jotto_behaviour.files import Notebook
from jotto_behaviour.lines import list_typed_forms
from jotto_behaviour.settings import DEFAULT_LANGUAGE, find_code
from jotto_behaviour.talk import list_vain_commands
from jotto_desk import files
from jotto_desk.conversation.answers import PRIVATE, Typed, explain_misfit, parse_typed_line, split_line, understood
from jotto_desk.conversation.game_record import OVER, FinishedGames, Transcript, list_boards, load_lines, load_talk
from jotto_desk.errors import DeskError
from jotto_desk.history import KeptGame, Translated, share_game
from jotto_desk.play.page.texts import translate_into
from jotto_desk.play.terminal import GameScreen, PipedLines

# Transcripts as text files.

_TRANSCRIPT_VERSION = 1
_MAX_TRANSCRIPT_BYTES = 4 << 20
_TRANSCRIPT_TITLE = "# Jotto with NAO. To see it played again: jotto replay FILE"
_SILENCE_LINE = "(silence)"
#: A line of NAO or of the person.
_SAID = re.compile(r"^(NAO|YOU)  (.*)$")


class TranscriptHeader(NamedTuple):
    """Everything that is needed to play a game again."""

    settings: dict[str, Any]
    #: The name of the word list.
    words: str = ""
    #: The checksum of the word list.
    checksum: str = ""
    #: The unfinished game that NAO continued; "" for a new game.
    unfinished: str = ""
    #: Services that the robot did not have.
    without: Sequence[str] = ()

    def __str__(self) -> str:
        plain = json.dumps({"version": _TRANSCRIPT_VERSION, **self._asdict()}, sort_keys=True)
        return f"{_TRANSCRIPT_TITLE}\n# {plain}\n"


class RecordedGame(NamedTuple):
    """A transcript from a file: its header, and pairs of the speaker (`NAO` or `YOU`) and the text."""

    header: TranscriptHeader
    said: list[tuple[str, str]]

    @property
    def typed(self) -> list[str]:
        """Return the person's lines."""
        return ["" if text == _SILENCE_LINE else text for who, text in self.said if who == "YOU"]


def write_transcript(header: TranscriptHeader, transcript: Transcript, finished: Sequence[KeptGame]) -> str:
    """Return the text of a transcript file, with the games to share at the end."""
    return "\n".join([str(header), *transcript.lines, *(f"\n{share_game(one)}" for one in finished), ""])


def read_transcript(path: str) -> RecordedGame:
    """Read a transcript; raises `DeskError` for another file or a newer version."""
    lines = files.read_bounded(path, _MAX_TRANSCRIPT_BYTES, "transcript").decode("utf-8", "replace").splitlines()
    header = _parse_header(path, lines)
    found = [match.groups() for match in map(_SAID.match, lines) if match]
    return RecordedGame(header, [(str(who), str(text)) for who, text in found])


def _parse_header(path: str, lines: Sequence[str]) -> TranscriptHeader:
    fault = DeskError(f"'{path}' is not a transcript of a game; write one with: jotto play --transcript FILE")
    try:
        plain = json.loads(lines[1].removeprefix("# "))
        version = plain.pop("version")
        if isinstance(version, int) and version > _TRANSCRIPT_VERSION:
            raise DeskError(f"'{path}' was written by a newer nao-jotto; install that to replay it.")
        header = TranscriptHeader(**plain)
    except (IndexError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise fault from error
    if not isinstance(header.settings, dict) or not isinstance(header.without, list | tuple):
        raise fault
    if not all(isinstance(text, str) for text in (header.words, header.checksum, header.unfinished, *header.without)):
        raise fault
    return header


# The game.

WELCOME = """NAO guesses your word, or you guess NAO's. Type your answer and press Enter ([b]2[/b] works for "two").
Press Enter with nothing typed to stay silent. Type [b]touch front[/b] or [b]touch back[/b] to touch NAO's head.
[b]board[/b]: what is known so far. [b]?[/b]: what NAO understands.
"""
UNDERSTOOD = "NAO understands these now; other wordings may work, too."
#: The heading of the last group of `?`, the commands that NAO does not hear.
KEYBOARD = "keyboard"
KEYS = """board (what is known so far), touch front, touch middle, touch back (NAO's head), Enter (silence), \
Ctrl-D (leave)"""


#: Characters of a typed command at most.
_MAX_COMMAND_LENGTH = 40
#: Commands and touches that are typed; each language also has its own names for them.
KEYBOARD_NAMES = ("board", "touch front", "touch middle", "touch back")


class GameTable:
    """A game of a person at the terminal with a robot."""

    welcome = WELCOME

    def __init__(self, robot: Any, screen: GameScreen, typed: PipedLines, forgets: bool) -> None:
        self.robot = robot
        self.screen = screen
        self.typed = typed
        self.forgets = forgets
        self.eyes = "#ffffff"
        self.heard: list[str] = []
        self.warned: set[str] = set()
        self.transcript = Transcript()
        self.finished = FinishedGames()
        #: The unfinished game that NAO offers to continue, as it is saved; "" for a new game.
        self.unfinished = ""
        #: The code of the language that NAO begins with; "" before it speaks.
        self.language = ""

    @property
    def texts(self) -> Translated:
        """Return the texts of the screen in the language of the game."""
        return self.screen.texts

    def play(self, behaviour: Any) -> None:
        """Play until NAO or the person ends it."""
        if self.typed.is_terminal:
            self.screen.print_markup("\n".join(map(self.texts, self.welcome.splitlines())))
        self.robot.start(behaviour)
        ended = False
        try:
            ended = self._take_turns()
        finally:
            # NAO saves the game when it is stopped, even after an error.
            self.robot.stop(behaviour)
            kept = self._show(self.robot.pause().events) and not self.forgets and self._is_kept()
            if not ended:
                self.screen.print_blank()
                self.screen.remark(f"({self._say_farewell(kept)})")
        for failure in self._list_failures(behaviour):
            self.screen.remark(f"(Something went wrong in NAO: {failure})", "red")

    def _is_kept(self) -> bool:
        try:
            kept = memory.parse_talk_text(Notebook(str(files.find_data_folder())).load_unfinished())
        except JottoError:
            return False
        talk = load_talk(self.robot)
        return conversation.has_unfinished_game(kept) and (talk is None or talk.game.seed == kept.game.seed)

    def _list_failures(self, behaviour: Any) -> list[str]:
        return list(behaviour.failures)

    def _say_farewell(self, kept: bool) -> str:
        return self.texts("You left; NAO has saved the game." if kept else "You left.")

    def _take_turns(self) -> bool:
        """Take turns until the end; return whether NAO ended the game, and not the person."""
        pause = self.robot.advance()
        while True:
            self._show(pause.events)
            if pause.ended:
                return True
            self._show_end()
            typed = self._take_answer(pause.ears)
            if typed is None:
                return False
            pause = self._act(typed)

    def _show(self, events: list[Any]) -> bool:
        """Show NAO's words and its warnings; return False if there was a warning."""
        calm = True
        if any(event.kind == "say" for event in events):
            self.transcript.language = find_code(load_lines(self.robot).language) or DEFAULT_LANGUAGE
            if not self.language:
                self.language = self.transcript.language
                self.unfinished = str(self.robot.get(memory.GAME_KEY)) if self._get_state() == "unfinished" else ""
            self.screen.texts = translate_into(self.transcript.language)
        for event in events:
            if event.kind == "eyes":
                self.eyes = event.fields.get("colour", self.eyes)
                self.typed.refresh()
            elif event.kind == "log" and event.fields["level"] == "warning":
                calm = False
                # With a full disk, the same warning comes after every answer.
                if event.fields["text"] not in self.warned:
                    self.screen.remark(f"({event.fields['text']})", "yellow")
                self.warned.add(event.fields["text"])
            for text in self.transcript.add_nao([event]):
                self.screen.print_nao(text, self.eyes)
        return calm

    def _show_end(self) -> None:
        talk = load_talk(self.robot) if self._get_state() == OVER else None
        if talk is not None and self.finished.note(talk):
            self.screen.print_boards(list_boards(talk))

    def _take_answer(self, ears: Any) -> Typed | None:
        """Return the next answer, from the rest of an earlier line or from a new line; None at the end of the input."""
        while True:
            line = self.heard.pop(0) if self.heard else self._take_line(ears)
            if line is None:
                return None
            if not self._warn_of_misfit(line, ears):
                first, *rest = self._split_line(line, ears)
                self.heard[:0] = rest
                return self._understand(first, ears)

    def _take_line(self, ears: Any) -> str | None:
        """Return the next line for NAO; None at the end of the input."""
        line = self.typed.line(self._prompt)
        while line is not None and self._run_desk_command(line, ears):
            line = self.typed.line(self._prompt)
        if line is not None:
            self._say(line)
        return line

    def _split_line(self, line: str, ears: Any) -> list[str]:
        return list(split_line(self._name_command(line), self._get_state(), load_lines(self.robot), ears.vocabulary))

    def _understand(self, text: str, ears: Any) -> Typed:
        return parse_typed_line(text, self._get_state(), load_lines(self.robot), ears.vocabulary)

    def _get_state(self) -> str:
        return str(self.robot.get(memory.STATE_KEY))

    def _run_desk_command(self, line: str, ears: Any) -> bool:
        """Carry out a command that NAO does not hear; return whether the line is one."""
        command = self._list_commands().get(self._name_command(line))
        if command is not None:
            self._echo(line)
            command(ears)
        return command is not None

    def _name_command(self, line: str) -> str:
        """Return the English name of a command that is typed in the language of the game, else the line."""
        if len(line) > _MAX_COMMAND_LENGTH:
            return line
        typed = list_typed_forms(" ".join(line.split()))
        names = ((name, text) for name in KEYBOARD_NAMES for text in (name, self.texts(name)))
        named = (name for name, text in names if list_typed_forms(text)[0] in typed)
        return next(named, line.strip())

    def _list_commands(self) -> dict[str, Callable[[Any], None]]:
        return {"?": self._tell_vocabulary, "board": self._show_board}

    def _show_board(self, ears: Any) -> None:
        talk = load_talk(self.robot)
        found = [] if talk is None else list_boards(talk)
        if found:
            self.screen.print_boards(found)
        else:
            said = self.texts("The board is empty: no word has been guessed yet.")
            self.screen.remark(f"({said})")
        if "board" in map(str.lower, ears.vocabulary):
            self.screen.remark("(To guess the word BOARD, type its letters: b o a r d.)")

    def _tell_vocabulary(self, ears: Any) -> None:
        talk = load_talk(self.robot)
        vain = set() if talk is None else list_vain_commands(talk)
        known = understood(self._get_state(), load_lines(self.robot), ears.vocabulary, self.texts, vain)
        self.screen.print_groups(self.texts(UNDERSTOOD), [*known, (self.texts(KEYBOARD), self.texts(KEYS))])

    def _warn_of_misfit(self, line: str, ears: Any) -> bool:
        """Warn if a line is not a word of the game; NAO does not hear it then."""
        wrong = explain_misfit(line, self._get_state(), ears.vocabulary, load_lines(self.robot), self.texts)
        if wrong:
            self.screen.remark(f"({wrong})", "yellow")
        return bool(wrong)

    def _prompt(self) -> Text:
        return self.screen.prompt(self.eyes)

    def _say(self, line: str) -> None:
        """Note a line of the person, and show it if the terminal has not."""
        self._echo(line)
        self.transcript.add_person(line[:200] if line.strip() else _SILENCE_LINE)
        if self._get_state() not in PRIVATE:
            self.typed.remember(line)

    def _echo(self, line: str) -> None:
        if not self.typed.is_echoed:
            self.screen.print_person(line[:200], self.eyes)

    def _act(self, typed: Typed) -> Any:
        if typed.sensor:
            self.robot.touch(typed.sensor)
            return self.robot.advance()
        if typed.phrase is None:
            return self.robot.stay_silent()
        self.robot.hear(typed.phrase, typed.confidence)
        return self.robot.advance()
