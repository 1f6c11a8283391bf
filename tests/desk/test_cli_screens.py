"""The look of `jotto play`: lines at any width, the board, arrow keys, and output while a line is typed.

`PYTHONPATH=tests:simulator/tests python tests/desk/test_cli_screens.py` writes the screens in tests/desk/screens.
"""

import io
import os
import re
import select
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from far_robots import Served
from programs import need_program
from rich.cells import cell_len
from rich.console import Console

from jotto import explain, game as games
from jotto.rules import JOTTO
from jotto_desk.history import make_game_board, make_riddle_board
from jotto_desk.play import terminal
from jotto_desk.play.table import KEYBOARD, KEYS, UNDERSTOOD, WELCOME
from jotto_desk.play.terminal import GameScreen, draw_board

SCREENS = Path(__file__).resolve().parent / "screens"
WIDTHS = (40, 60, 80, 120)
JOTTO_PLAY = [sys.executable, "-m", "jotto_desk", "play", "--seed", "4"]
WHITE = "#ffffff"


def riddle_of(secret, *guesses, hints=0):
    found = games.Riddle(games.start_game(JOTTO, "en", "", 1), secret, hints)
    for guess in guesses:
        found = found.guess(guess)
    return found


def game_of(*turns, guess=None):
    game = games.start_game(JOTTO, "en", "", 1)
    for word, feedback in turns:
        game = game.ask(word).answer(feedback)
    return game.ask(guess) if guess else game


GIVEN_UP = riddle_of("hotel", "light", "ocean", "bread")._replace(hints=1)
BOARDS = [
    [make_game_board(game_of(("pares", (0, 1)), ("groin", (1, 1)), guess="ocean"), 37)],
    [make_riddle_board(riddle_of("table", "light", "fjord", "bread", hints=1), 12)],
    [
        make_riddle_board(riddle_of("table", "light", "fjord")),
        make_game_board(game_of(("pares", (0, 0)), guess="ocean")),
    ],
    [make_riddle_board(GIVEN_UP._replace(game=GIVEN_UP.game.end(games.GIVEN_UP)))],
    [make_riddle_board(riddle_of("table", "cable", "table"))],
    [make_game_board(game_of(("ocean", (0, 0)), ("canoe", (0, 5))), 0)],
]
#: Phrases as long as NAO's.
GROUPS = [
    ("answers", "yes, no, that is what I thought of"),
    ("words", "any of 2914 words NAO knows"),
    ("help", ", ".join(["please help me out", "say that once more", "tell me what the score was"] * 2)),
    ("languages", ", ".join(f"let us speak {name}" for name in ("German", "Spanish", "French"))),
    (KEYBOARD, KEYS),
]
SAYINGS = [
    "Hello! Let us play a game in which one of us thinks of a word with five letters, and the other finds it.",
    "Is it OCEAN? O, C, E, A, N.",
    "A word that is as long as antidisestablishmentarianism is no word of this game; and there are pneumonoultra"
    "microscopicsilicovolcanoconiosis, \u65e5\u672c\u8a9e\u306e\u5358\u8a9e, and stra\u00dfe.",
]


def shown(width, encoding="utf-8"):
    """Return everything that a game prints, in a terminal of a width."""
    raw = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="replace")
    screen = GameScreen(Console(file=raw, width=width, color_system=None, highlight=False), wraps=True)
    screen.print_markup(WELCOME)
    screen.print_groups(UNDERSTOOD, GROUPS)
    for text in SAYINGS:
        screen.print_nao(text, WHITE)
        screen.print_person(text[:60].lower(), WHITE)
    screen.remark("(You left; NAO keeps the game.)")
    for boards in BOARDS:
        screen.print_boards(boards)
    raw.flush()
    return raw.buffer.getvalue().decode(encoding)


def screen_file(width):
    return SCREENS / f"play-{width}.txt"


def screen(width, wraps=True, **console):
    raw = io.StringIO()
    plain = {"file": raw, "width": width, "color_system": None, "highlight": False, **console}
    return GameScreen(Console(**plain), wraps=wraps), raw


def test_the_screens_are_the_saved_ones():
    for width in WIDTHS:
        assert shown(width).rstrip("\n") + "\n" == screen_file(width).read_text(encoding="utf-8")


def test_no_word_is_broken_and_no_line_is_too_long():
    said = set(re.findall(r"[\w']+", " ".join(SAYINGS)))
    for width in (*range(40, 64), 80, 120, 300):
        lines = shown(width).splitlines()
        assert max(map(cell_len, lines)) <= width
        # On the narrowest screens there is no line for the longest word.
        words = {word for word in said if cell_len(word) <= 33 - 2}
        assert words <= set(re.findall(r"[\w']+", "\n".join(lines)))
    narrow, raw = screen(20)
    narrow.print_nao("Is it OCEAN? O, C, E, A, N.", WHITE)
    assert raw.getvalue() == "\u25cf NAO  Is it OCEAN?\nO, C, E, A, N.\n"


def test_a_plain_terminal_has_its_own_width_and_a_pipe_keeps_every_sentence_on_one_line(monkeypatch):
    monkeypatch.setenv("COLUMNS", "42")
    plain, raw = screen(None, force_terminal=True, _environ={"TERM": "dumb"})
    plain.print_nao("one two three four five six seven eight nine ten", WHITE)
    assert [line.split()[-1] for line in raw.getvalue().splitlines()] == ["seven", "ten"]
    pipe, raw = screen(40, wraps=False)
    for text in SAYINGS:
        pipe.print_nao(text, WHITE)
    assert raw.getvalue().splitlines() == [f"\u25cf NAO  {text}" for text in SAYINGS]


def test_sentences_have_the_terminals_own_colour():
    """White letters were invisible on white."""
    coloured, raw = screen(40, force_terminal=True, color_system="truecolor")
    coloured.print_nao("Hello.", WHITE)
    assert raw.getvalue().endswith("\x1b[0m\x1b[1mNAO  \x1b[0mHello.\n")
    coloured.print_person("odd \x1b[2J \x07", WHITE)
    assert "\x1b[2J" not in raw.getvalue()


def test_the_board_is_readable_without_colours_and_without_unicode():
    lines = shown(80, "ascii").splitlines()
    assert " 1 PARES  o....  1 in the wrong place" in lines
    assert " 2 GROIN  Xo...  1 in the right place, 1 in the wrong place" in lines
    empty = [head.plain + body.plain for head, body in draw_board([make_game_board(game_of())])]
    assert empty[:2] == ["NAO's guesses", "   none yet"]


def test_letters_are_sorted_by_what_is_certain():
    for board, letters in (
        (BOARDS[0][0], ("", "", "abcdefghijklmnopqrstuvwxyz", "")),
        (make_riddle_board(riddle_of("table", "bleat", "tango")), ("abelt", "cdfghijkmnopqrsuvwxyz", "", "ta___")),
        (BOARDS[4][0], None),
        (BOARDS[5][0], None),
    ):
        assert (board.letters if board.letters is None else tuple(board.letters)) == letters
    found, known = BOARDS[3][0].letters, explain.deduce_riddle_letters(GIVEN_UP)
    assert (found.inside, found.outside) == ("".join(known.inside), "".join(known.outside))
    assert sorted(found.inside + found.outside + found.open) == sorted(JOTTO.alphabet)


def test_the_steps_of_a_board_end_with_the_board():
    board = BOARDS[3][0]
    steps = list(board.steps())
    assert [len(step.rows) for step in steps] == [0, 1, 2, 3] and steps[-1] == board
    assert [step.word for step in steps] == ["", "", "", "hotel"]
    assert list(make_game_board(game_of()).steps()) == [make_game_board(game_of())] * 2


# Lines


@pytest.fixture
def keyboard(monkeypatch):
    """Return an input that takes key presses for a terminal without a screen."""
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    monkeypatch.setattr("sys.stdin", Terminal())
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


class Terminal(io.StringIO):
    def isatty(self):
        return True


def screen_of(kind="xterm"):
    return Console(file=io.StringIO(), force_terminal=True, _environ={"TERM": kind})


def typed(keyboard, history, *presses):
    """Return the lines that key presses make, and remember them."""
    found = []
    with terminal.open_line_input(screen_of(), history) as lines:
        for press in presses:
            keyboard.send_text(press)
            found.append(lines.line(lambda: GameScreen(screen_of(), True).prompt(WHITE)))
            lines.remember(found[-1] or "")
    return found


UP, LEFT, END = "\x1b[A", "\x1b[D", "\x04"


def test_arrow_keys_and_history(keyboard, tmp_path):
    history = tmp_path / "deep" / "typed.txt"
    presses = ("ready\r", f"ye{LEFT}{LEFT}b\r", f"{UP}{UP}\r", END)
    assert typed(keyboard, history, *presses) == ["ready", "bye", "ready", None]
    assert history.read_text() == "ready\nbye\nready\n"
    assert typed(keyboard, history, f"{UP}{UP}\r", f"{UP}{UP}\r") == ["bye", "ready"]
    assert typed(keyboard, None, f"{UP}\r") == [""]


def test_a_history_is_bounded_and_a_damaged_one_is_replaced(keyboard, tmp_path):
    history = tmp_path / "typed.txt"
    history.write_bytes(b"\xff\xfe\n" * 1000 + b"x" * 5000 + b"\n")
    assert typed(keyboard, history, "no\r") == ["no"]
    kept = history.read_text(encoding="utf-8").splitlines()
    assert len(kept) == terminal.MAX_REMEMBERED_LINES and max(map(len, kept)) == terminal.MAX_REMEMBERED_LENGTH
    history.unlink()
    history.mkdir()
    assert typed(keyboard, history, "no\r") == ["no"]


def test_ctrl_c_at_the_prompt_saves_the_typed_lines(keyboard, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        typed(keyboard, tmp_path / "typed.txt", "ready\r", "x\x03")
    assert (tmp_path / "typed.txt").read_text() == "ready\n"


def test_a_terminal_without_an_editor(monkeypatch):
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    for kind in ("dumb", "xterm"):
        monkeypatch.setattr("sys.stdin", Terminal("ready\n"))
        with terminal.open_line_input(screen_of(kind), None) as lines:
            assert type(lines) is terminal.TerminalLines
            typed = [lines.line(lambda: GameScreen(screen_of(), True).prompt(WHITE)) for _ in range(2)]
            assert typed == ["ready", None]


# In a terminal


#: Makes the terminal the controlling one: without that, Ctrl-C between two prompts is no signal.
OWNS_TERMINAL = """import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])"""


class Window:
    def __init__(self, command, width, folder):
        need_program("pty")
        import pty

        self._ours, theirs = pty.openpty()
        self.resize(width)
        environ = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
        environ |= {"XDG_DATA_HOME": str(folder), "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
        ends = {"stdin": theirs, "stdout": theirs, "stderr": theirs, "start_new_session": True}
        self.child = subprocess.Popen([sys.executable, "-c", OWNS_TERMINAL, *command], env=environ, **ends)
        os.close(theirs)
        self.raw = ""

    def resize(self, width):
        import fcntl
        import termios

        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))

    def press(self, keys):
        os.write(self._ours, keys.encode())

    def until(self, text):
        """Read until a text is shown after all that was waited for before."""
        limit = time.monotonic() + 60
        start = self.raw
        while text not in self.raw[len(start) :] and time.monotonic() < limit:
            if select.select([self._ours], [], [], 0.5)[0]:
                try:
                    self.raw += os.read(self._ours, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        assert text in self.raw[len(start) :], self.raw

    def lines(self):
        """Return the lines shown, without what moves the cursor and colours; the lines being edited among them."""
        return re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", self.raw).replace("\r", "").split("\n")

    def end(self):
        code = self.child.wait(60)
        os.close(self._ours)
        return code


def test_a_window_that_becomes_wider_arrows_and_ctrl_d(tmp_path):
    window = Window(JOTTO_PLAY, 40, tmp_path)
    window.until("you  ")
    assert max(map(cell_len, window.lines())) <= 40
    window.press("you guess\r")
    window.until("you  ")
    window.resize(120)
    window.press("board\r")
    window.until("(The board is empty: no word has been guessed yet.)")
    window.press(UP + UP + LEFT)
    window.until("you guess")
    window.press("\x05\x15" + END)
    window.until("(You left")
    assert window.end() == 0


def test_the_other_games_break_no_word(tmp_path):
    """Takes seconds: games twice in a real terminal, which broke their lines wherever the window ended."""

    def window_of(command, width, folder):
        window = Window([sys.executable, "-m", "jotto_desk", *command], width, folder)
        window.until("> ")
        lines = window.lines()
        window.press(END)
        assert window.end() == 0
        return lines

    for command in (["mastermind", "--mode", "flip", "--length", "4", "--seed", "1"], ["assist", "--rules", "jotto"]):
        whole = window_of(command, 300, tmp_path)
        narrow = window_of(command, 40, tmp_path)
        assert max(map(cell_len, narrow)) <= 40 and len(narrow) > len(whole)
        assert " ".join(narrow).split() == " ".join(whole).split()


def test_ctrl_c_while_a_real_nao_speaks(tmp_path):
    """A line is typed on one thread while another one shows what NAO says."""
    with Served(speed=20, options=["real"]) as far:
        window = Window([*JOTTO_PLAY, "--robot", far.url], 60, tmp_path)
        window.until("NAO  ")
        window.press("ready\r")
        window.until("Is it")
        window.press("boa")
        window.until("boa")
        window.press("\x03")
        window.until("(You left")
        assert window.end() == 130
    assert (tmp_path / "nao-jotto" / "unfinished.json").is_file()


if __name__ == "__main__":
    for each in WIDTHS:
        screen_file(each).write_text(shown(each).rstrip("\n") + "\n", encoding="utf-8")
