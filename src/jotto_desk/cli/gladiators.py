"""`jotto gladiators`: the challenge of gladiators and weapons: play it, or practise on a fake server."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from jotto_desk.cli import options, shell
from jotto_desk.cli.shell import CommandLine, Json, examples, option, print_while_read
from jotto_desk.errors import DeskError
from jotto_desk.terminal import wait_for_end

if TYPE_CHECKING:
    from jotto_desk.games.gladiators import Level
    from jotto_desk.games.gladiators_strategy import Strategist

EMAIL = "JOTTO_GLADIATORS_EMAIL"
_MOST_GAMES = 10_000

app = CommandLine(
    no_args_is_help=True,
    epilog=examples(
        "jotto gladiators serve --port 8000",
        "jotto gladiators play --url http://127.0.0.1:8000 --email me@mail.example",
    ),
)

Seed = Annotated[int, shell.seed_option()]
Think = Annotated[float, option("Longest time to compute a guess, in seconds.", min=0.1, max=9, metavar="S")]
Tree = Annotated[bool, option("Use the tree that comes with the game, if it fits.", "--tree/--no-tree")]


@app.declare(
    "jotto gladiators play --url https://server.example --email me@mail.example",
    "JOTTO_GLADIATORS_EMAIL=me@mail.example jotto gladiators play --url https://server.example --json",
    "jotto gladiators serve --port 8000     (and in another terminal:)",
    "jotto gladiators play --url http://127.0.0.1:8000 --email me@mail.example",
)
def play(
    url: Annotated[str, option("The address of the challenge, without /level.", metavar="URL")],
    email: Annotated[
        str, option("Your e-mail address in the challenge; it is never shown.", metavar="ADDRESS", envvar=EMAIL)
    ] = "",
    seed: Seed = 0,
    think: Think = 2.0,
    tree: Tree = True,
    pace: Annotated[
        float | None, option("Seconds between requests; 0.2, or 0 on localhost.", min=0, max=60, metavar="S")
    ] = None,
    patience: Annotated[float, option("Seconds to wait for an answer.", min=0.1, max=300, metavar="S")] = 20,
    tries: Annotated[int, option("Number of times to send a request.", min=1, max=100)] = 5,
    attempts: Annotated[int, option("Number of times to start a level.", min=1, max=1000)] = 30,
    reset: Annotated[bool, option("Go back to level 1 first.", "--reset")] = False,
    as_json: Json = False,
) -> None:
    """Win the challenge: play all levels from your progress on the server, then print the hash.

    After an error the level starts over. If you stop, the same command continues at the level reached.
    """
    if not email.strip():
        raise DeskError(f"Whose challenge is it? Give your e-mail address with --email, or in {EMAIL}.")
    options.require_modules("numpy")
    from jotto_desk.games.gladiators import Challenge, RequestPolicy
    from jotto_desk.games.gladiators_campaign import Campaign, CampaignDisplay

    started, screen = time.monotonic(), CampaignDisplay(quiet=as_json)
    manners = RequestPolicy(pace, patience, tries)
    with Challenge(url, email, manners, remark=screen.remark) as challenge, screen:
        campaign = Campaign(challenge, _prepare_strategists(seed, think, tree, screen.remark), screen.tell, attempts)
        challenge.sign_in()
        if reset:
            challenge.reset()
        mark = campaign.play()
    scores, seconds = [score.plain() for score in campaign.scores.values()], round(time.monotonic() - started, 3)
    told = {"hash": mark, "levels": scores, "requests": challenge.requests, "seconds": seconds}
    typer.echo(json.dumps(told) if as_json else mark)


def _prepare_strategists(
    seed: int, think: float, tree: bool, remark: Callable[[str], None]
) -> Callable[[Level], Strategist]:
    """Return the function that makes the strategist of a level."""
    from jotto_desk.games import gladiators_strategy
    from jotto_desk.games.gladiators_strategy import Strategist
    from jotto_desk.solver import cores

    engine, drawn = cores.choose_best_core(), shell.draw_seed(seed)

    def make_strategist(level: Level) -> Strategist:
        found = None
        if tree:
            try:
                found = gladiators_strategy.load_shipped_tree(level)
            except DeskError as error:
                remark(f"{error} Guesses are worked out instead.")
        return Strategist(level, engine, drawn, think, found)

    return make_strategist


@app.declare(
    "jotto gladiators serve --port 8000 --seed 7",
    "jotto gladiators serve --level 4=6/25/12/1 --level 6=5/10/6/10",
    "jotto gladiators serve --deadline 2 --latency 0.5 --error-status 400 --trouble 0.05",
)
def serve(
    port: Annotated[int, shell.port_option()] = 0,
    seed: Seed = 0,
    level: Annotated[
        list[str] | None, option("Gladiators, weapons, guesses, rounds of level N.", metavar="N=G/W/G/R")
    ] = None,
    deadline: Annotated[float, option("Seconds per guess; 0: no limit.", min=0, max=3600, metavar="S")] = 10,
    late_error: Annotated[
        bool, option("Answer the last guess; 'Too many guesses' comes after it.", "--late-error")
    ] = False,
    error_status: Annotated[int, option("HTTP status of the game's errors.", min=200, max=599)] = 200,
    latency: Annotated[float, option("Seconds before every answer.", min=0, max=120, metavar="S")] = 0.0,
    trouble: Annotated[
        float, option("Share of requests with an error page, half an answer or no answer.", min=0, max=0.9)
    ] = 0.0,
) -> None:
    """Serve a fake challenge for any solver; Ctrl-C ends it.

    Every challenger has separate progress, as long as the server runs. The server prints no e-mail addresses, tokens
    or hashes. Options set the details of the challenge's own server that are not known.
    """
    from jotto_desk.games.gladiators_server import ServerBehaviour, serve_challenge

    behaviour = ServerBehaviour(_choose_levels(level or []), deadline, not late_error, error_status, latency, trouble)
    seed = shell.draw_seed(seed)
    with serve_challenge(behaviour, seed=seed, port=port, tell=print_while_read) as url, wait_for_end() as ended:
        print_while_read(f"The challenge is at {url} (seed {seed}); Ctrl-C ends it.")
        ended.wait()


def _choose_levels(given: list[str]) -> dict[int, Level]:
    from jotto_desk.games import gladiators

    found = dict(gladiators.LEVELS)
    for text in given:
        number, _, rest = text.partition("=")
        if not (number.isascii() and number.isdigit() and 1 <= len(number) <= 2 and int(number)):
            raise DeskError(f"'{text[:60]}' is not a level and its numbers; write them like 6=5/10/7/10.")
        found[int(number)] = gladiators.parse_levels(rest)
    missing = set(range(1, max(found) + 1)) - set(found)
    if missing:
        raise DeskError(f"There is no level {min(missing)} below level {max(found)}; give it with --level too.")
    return found
