"""`jotto expert`: an assistant that explains its reasoning: as a service, or here on the command line."""

import contextlib
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from jotto_desk import files
from jotto_desk.cli import options, shell
from jotto_desk.cli.shell import CommandLine, Json, examples, option, print_json, print_while_read
from jotto_desk.errors import DeskError
from jotto_desk.games.advice import GAME_RULES
from jotto_desk.terminal import wait_for_end

app = CommandLine(
    no_args_is_help=True,
    epilog=examples("jotto expert serve", "jotto expert explain --turn '0011 1 2'", "jotto expert show"),
)


def _demand() -> None:
    options.require_modules("clingo", "fastapi", "fastapi_offline", "uvicorn", extra="expert")


@app.declare(
    "jotto expert serve",
    "jotto expert serve --port 8080 --state games.sqlite",
    "curl 'http://127.0.0.1:8080/AbcDatalogREST' --json '{\"kb\": \"after(ann, bob). before(X, Y) :- after(Y, X).\"}'",
)
def serve(
    port: Annotated[int, shell.port_option()] = 8080,
    host: Annotated[str, option("The address to listen on.", metavar="ADDRESS")] = "127.0.0.1",
    insecure: options.OpenPort = False,
    state: Annotated[Path | None, option("File for the saved games.", metavar="FILE")] = None,
    forget: Annotated[bool, option("Save nothing across restarts.", "--forget")] = False,
) -> None:
    """Serve games, suggestions and reasons over REST, and any Datalog knowledge base; Ctrl-C ends it."""
    _demand()
    from jotto_desk.expert.knowledge_base import find_default_store
    from jotto_desk.expert.service import serve_expert

    if forget and state is not None:
        raise DeskError(f"--forget does not save the games, and --state {state} saves them; remove one of the two.")
    file = "" if forget else str(state or find_default_store())
    with serve_expert(host=host, port=port, state=file, insecure=insecure) as url, wait_for_end() as ended:
        print_while_read(f"The expert system is at {url}; what it can do is listed at {url}/docs. Ctrl-C ends it.")
        print_while_read(f"Games are saved in {file}." if file else "Nothing is kept.")
        if insecure:
            print_while_read("Anyone who can reach this port can change any game.")
        ended.wait()


@app.declare("jotto expert show", "jotto expert show > mine.dl")
def show() -> None:
    """Print the knowledge base: the rules of Mastermind, with notes for players."""
    from jotto_desk.expert import datalog

    typer.echo(datalog.load_knowledge_text(), nl=False)


@app.declare(
    "jotto expert ask 'before(X, Y)' --kb family.dl",
    "jotto expert ask 'at_most(Few, 3)' --fact 'next(0,1). next(1,2). next(2,3).'    (of the game's knowledge)",
)
def ask(
    query: Annotated[str, typer.Argument(help="One atom, such as before(X, bob).")],
    kb: Annotated[list[Path] | None, option("Replace Mastermind's facts and rules.", metavar="FILE")] = None,
    fact: Annotated[list[str] | None, option("More facts and rules.", metavar="TEXT")] = None,
    as_json: Json = False,
) -> None:
    """Query a knowledge base without a service: one answer per line."""
    _demand()
    from jotto_desk.expert import datalog
    from jotto_desk.expert.datalog import MAX_TEXT_LENGTH
    from jotto_desk.expert.knowledge_base import Evaluator, KnowledgeBase, Store

    worker = Evaluator()
    with contextlib.closing(worker), contextlib.closing(Store()) as store:
        base = KnowledgeBase(worker, store)
        texts = [
            (str(path), _text(files.read_bounded(path, MAX_TEXT_LENGTH, "knowledge base"), path)) for path in kb or []
        ]
        texts = texts or [(datalog.KNOWLEDGE_FILE.name, datalog.load_knowledge_text())]
        for name, text in texts + [("--fact", text) for text in fact or []]:
            try:
                base.append(text)
            except DeskError as error:
                raise DeskError(f"{name}: {error}") from error
        try:
            answers = base.ask(query)
        except DeskError as error:
            raise DeskError(f"'{query[:60]}': {error}") from error
    if as_json:
        print_json({"query": query, "answers": answers})
    else:
        typer.echo("\n".join(answers) or "Nothing follows that would answer this.")


def _text(raw: bytes, path: Path) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DeskError(f"'{path}' is not UTF-8 text; save it as such.") from error


@app.declare(
    'jotto expert explain --turn "0001 b" --turn "0555 w" --turn "5421 bw" --why-not 0555',
    'jotto expert explain --rules classic --turn "0011 1 0" --why 1431',
    'jotto expert explain --rules wordle --turn "crane GBBYB" --json',
)
def explain(
    rules: Annotated[
        str,
        option(
            "exact, classic, or the name of another game.",
            metavar="NAME",
            autocompletion=shell.complete_choices(lambda: ("exact", "classic", *GAME_RULES)),
        ),
    ] = "exact",
    turn: Annotated[list[str] | None, option("A guess and its answer.", metavar="TURN")] = None,
    why: Annotated[str, option("Rate this guess.", metavar="GUESS")] = "",
    why_not: Annotated[str, option("Name the turns that exclude this code.", metavar="CODE")] = "",
    as_json: Json = False,
) -> None:
    """Enter the turns of one game; get the codes left after each, the next guess with its reason, or a clash."""
    _demand()
    from jotto_desk.expert.knowledge_base import Store

    from ..expert.games import Games

    with contextlib.closing(Store()) as store, contextlib.closing(Games(store)) as games:
        name = games.create({"name": rules}, 1)
        for typed in turn or []:
            games.take(name, *_turn(typed))
        found: dict[str, Any] = {"state": games.get_state(name)}
        if found["state"]["left"]:
            found["suggest"] = games.suggest(name)
        if why:
            found["why"] = games.why(name, why)
        if why_not:
            found["why_not"] = games.why_not(name, why_not)
    typer.echo(json.dumps(found) if as_json else _format_state(found))


def _turn(typed: str) -> tuple[str, Any]:
    guess, *answer = typed.split()[:4] or [""]
    if len(answer) == 1:
        return guess, int(answer[0][:3]) if answer[0].isdecimal() and answer[0].isascii() else answer[0]
    if len(answer) == 2 and all(part.isascii() and part.isdecimal() for part in answer):
        return guess, [int(part[:3]) for part in answer]
    raise DeskError(f"'{typed[:60]}' is not a guess and its answer; write it as '0011 1 2', or '0011 bww'.")


def _format_state(found: dict[str, Any]) -> str:
    state = found["state"]
    lines = [
        "Codes left: " + " > ".join(f"{count:,}" for count in state["funnel"]) + ("" if state["is_all"] else " or more")
    ]
    if state["clash"]:
        lines += [state["clash"]["text"], *state["slips"]]
    if "suggest" in found:
        lines.append(f"Guess {found['suggest']['guess'].upper()}: {found['suggest']['reason']}")
    lines += [found[key]["text"] for key in ("why", "why_not") if key in found]
    return "\n".join(lines)
