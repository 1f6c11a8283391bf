"""The moving picture of docs/play.md: `python docs/moving_picture.py` plays a game and writes docs/game.svg.

The simulated NAO runs the real behaviour and a simulated person answers it; the picture shows what was said, the colour
of NAO's eyes and the guesses, at the times of that game.
"""

import re
import textwrap
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_desk import files
from jotto_desk.cli.options import load_playable_list
from jotto_desk.rehearsal.game import Rehearsal, RehearsalSettings
from jotto_desk.rehearsal.robots import open_simulated_robot

PICTURE = Path(__file__).resolve().with_name("game.svg")
#: The game shown is the first of these secrets and seeds that takes so many guesses.
SECRETS, SEEDS, GUESSES = ("ocean", "piano", "house", "lemon", "tiger", "music", "dream", "heart"), (1, 2, 3), 3
#: How many times as fast as the game the picture is, as its caption says; seconds to think, and for the end.
SPEED, THINKS, STAYS = 2, 1.0, 4.0
WIDTH, HEIGHT, MOST_LINES, CHARACTERS = 480, 386, 6, 35
GREEN, YELLOW, GREY = "#1a7f37", "#bf8700", "#6e7781"

STYLE = """text{font-family:"Segoe UI",system-ui,-apple-system,"Helvetica Neue",Arial,sans-serif}
text{font-size:17px;fill:#1f2328}
.small{font-size:14px;fill:#57606a}
.tile{font-weight:700;fill:#fff;text-anchor:middle}
.you{fill:#fff;text-anchor:end}
.bubble{fill:#fff;stroke:#d0d7de}
.nao{fill:#fff;stroke:#6e7781;stroke-width:2}
@media (prefers-reduced-motion:reduce){g{animation:none!important}}"""


class Moment(NamedTuple):
    """Something that happened: `say`, `hear` or `eyes`, with the words or the colour, and the guess NAO is at."""

    time: float
    kind: str
    text: str
    guess: str


class Shown(NamedTuple):
    """A part of the picture, from when to when it is there; without an end it stays."""

    start: float
    end: float | None
    drawing: str


class Game(NamedTuple):
    """A game as it is shown: times are the picture's."""

    secret: str
    guesses: list[str]
    moments: list[Moment]


def played() -> Game:
    """Play until a game is as long as it should be."""
    lines = mind.load_lines()
    with load_playable_list("", "") as (_, path), open_simulated_robot() as (robot, behaviour):
        for secret in SECRETS:
            for seed in SEEDS:
                moments: list[Moment] = []
                robot.trace.listeners[:] = [Notes(robot, moments)]
                settings = RehearsalSettings(words=path, strategy=mind.DEFAULT_STRATEGY, seed=seed)
                Rehearsal(robot, behaviour, settings, lines).play(secret)
                guesses = list(dict.fromkeys(moment.guess for moment in moments if moment.guess))
                if len(guesses) == GUESSES and guesses[-1] == secret:
                    return Game(secret, guesses, list(_at_speed(moments, secret)))
    raise SystemExit(f"NAO finds none of {', '.join(SECRETS)} in {GUESSES} guesses; choose other secrets.")


class Notes:
    """Notes what is seen and heard of the robot, as it happens."""

    DETAILS = {"say": "plain", "hear": "phrase", "eyes": "colour"}

    def __init__(self, robot: Any, moments: list[Moment]) -> None:
        self.robot = robot
        self.moments = moments

    def __call__(self, event: Any) -> None:
        """Note an event of the trace."""
        text = event.fields.get(self.DETAILS.get(event.kind), "")
        if text:
            guess = str(self.robot.get("Jotto/Guess") or "") if self.moments else ""
            self.moments.append(Moment(event.time, event.kind, text, guess))


def _at_speed(moments: list[Moment], secret: str) -> Iterator[Moment]:
    """Let the person think before each answer, and leave out what comes after NAO has heard that the word is right."""
    began, thought, heard = moments[0].time, 0.0, False
    for moment in moments:
        thought += THINKS if moment.kind == "hear" else 0.0
        yield moment._replace(time=(moment.time - began + thought) / SPEED)
        if heard and moment.kind == "say":
            return
        heard = heard or (moment.guess == secret and moment.kind == "hear")


def parts(game: Game) -> Iterator[Shown]:
    """Turn what happened into the parts of the picture."""
    moments = game.moments
    for kind, draw in (("eyes", _eyes), ("say", lambda moment: _speech(moment, game.guesses))):
        own = [moment for moment in moments if moment.kind == kind]
        for moment, following in pairwise(own):
            if following.time - moment.time > 0.01:
                yield Shown(moment.time, following.time, draw(moment))
        yield Shown(own[-1].time, None, draw(own[-1]))
    for moment in moments:
        if moment.kind == "hear":
            # An answer stays while NAO begins to speak.
            until = next(each.time for each in moments if each.time >= moment.time and each.kind == "say")
            yield Shown(moment.time - THINKS / SPEED / 2, max(until, moment.time + 0.8), _answer(moment.text))
    yield from _board(game)


def _board(game: Game) -> Iterator[Shown]:
    """Show each guess from when it is asked, coloured from when both its numbers are known."""
    for row, word in enumerate(game.guesses):
        own = [moment for moment in game.moments if moment.guess == word]
        asked = next(moment.time for moment in own if moment.kind == "say")
        known = [moment.time for moment in own if moment.kind == "hear"][-1]
        yield Shown(asked, known, _tiles(word, row, ""))
        yield Shown(known, None, _tiles(word, row, game.secret) + _score(word, row, game.secret))


def _speech(moment: Moment, guesses: list[str]) -> str:
    text = re.sub(rf"\b({'|'.join(guesses)})\b", lambda found: found[0].upper(), moment.text, flags=re.IGNORECASE)
    lines = textwrap.wrap(text, CHARACTERS)[:MOST_LINES]
    words = "".join(f'<text x="146" y="{46 + 23 * row}">{escape(line)}</text>' for row, line in enumerate(lines))
    return (
        f'<rect class="bubble" x="130" y="20" width="334" height="{22 + 23 * len(lines)}" rx="12"/>'
        f'<path d="M131 42l-13 8 13 7z" fill="#fff"/><path class="bubble" d="M130 42l-12 8 12 7"/>{words}'
    )


def _answer(text: str) -> str:
    wide = 28 + 9 * len(text)
    return (
        f'<rect x="{464 - wide}" y="186" width="{wide}" height="34" rx="12" fill="#0969da"/>'
        f'<text class="you" x="450" y="209">{escape(text)}</text>'
    )


def _eyes(moment: Moment) -> str:
    colour = {"#ffffff": "#d0d7de"}.get(moment.text, moment.text)
    return "".join(f'<circle cx="{x}" cy="62" r="9" fill="{colour}"/>' for x in (48, 84))


def _tiles(word: str, row: int, secret: str) -> str:
    drawn = []
    for place, letter in enumerate(word):
        colour = GREY
        if secret:
            colour = GREEN if secret[place] == letter else YELLOW if letter in secret else GREY
        x, y = 130 + 37 * place, 232 + 37 * row
        drawn.append(
            f'<rect x="{x}" y="{y}" width="33" height="33" rx="5" fill="{colour}"/>'
            f'<text class="tile" x="{x + 16.5:g}" y="{y + 23}">{letter.upper()}</text>'
        )
    return "".join(drawn)


def _score(word: str, row: int, secret: str) -> str:
    score = JOTTO.score(word, secret)
    text = "found" if score.exact == JOTTO.length else f"{score.exact} and {score.misplaced}"
    return f'<text x="328" y="{255 + 37 * row}">{text}</text>'


NAO = """<g><path class="nao" d="M34 128q32-14 64 0l6 62q-38 14-76 0z"/>
<path class="nao" d="M32 134q-18 22-12 58M100 134q18 22 12 58" fill="none"/>
<rect class="nao" x="24" y="26" width="84" height="88" rx="36"/><circle class="nao" cx="22" cy="66" r="9"/>
<circle class="nao" cx="110" cy="66" r="9"/><circle class="nao" cx="48" cy="62" r="12"/>
<circle class="nao" cx="84" cy="62" r="12"/>
<path d="M58 92q8 6 16 0" fill="none" stroke="#6e7781" stroke-width="2"/></g>"""


def drawn(game: Game) -> str:
    """Draw the picture: every part has its own animation, and without animations the end of the game is seen."""
    length = game.moments[-1].time + STAYS
    body, motion = [], []
    for number, part in enumerate(parts(game)):
        start, end = (f"{100 * min(time, length) / length:.2f}%" for time in (part.start, part.end or length))
        after = f"{end}{{opacity:0}}" if part.end else ""
        motion.append(
            f"@keyframes p{number}{{0%{{opacity:0}}{start}{{opacity:1}}{after}}}"
            f"#p{number}{{opacity:{0 if part.end else 1};animation-name:p{number}}}"
        )
        body.append(f'<g id="p{number}">{part.drawing}</g>')
    caption = "A whole game of the simulated NAO, at double speed"
    rows = "\n".join([STYLE, f"[id^=p]{{animation:{length:.1f}s step-end infinite}}", *motion])
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
            ' role="img" aria-labelledby="title">',
            f'<title id="title">{caption}</title>',
            f"<style>\n{rows}\n</style>",
            f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="16" fill="#f6f8fa" stroke="#d0d7de"/>',
            NAO,
            f'<text x="130" y="209">Your word: {game.secret.upper()}</text>',
            *body,
            f'<text class="small" x="20" y="{HEIGHT - 14}">{caption}</text>',
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    files.write_whole(PICTURE, drawn(played()))
    print(f"Wrote {PICTURE.name}.")
