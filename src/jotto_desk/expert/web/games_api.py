"""The interface at `/api/v1`: games, turns, suggestions and reasons."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from ..games import MOST_SHOWN, STRATEGIES, STRONGEST, Games
from ..reasoning import knowledge
from . import schemas
from .responses import AsciiJson
from .schemas import ErrorReply

PREFIX = "/api/v1"
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorReply, "description": text}
    for status, text in (
        (400, "refused by the rules"),
        (403, "not from here"),
        (404, "no such game or turn"),
        (408, "too slow"),
        (409, "too many games"),
        (413, "too large"),
        (422, "not understood"),
        (503, "busy"),
        (507, "cannot be kept"),
    )
}
Id = Annotated[str, Path(max_length=40, description="The id of a game.")]
TurnNumber = Annotated[int, Path(ge=1, le=1000, description="The number of a turn, from 1.")]
Code = Annotated[str, Path(max_length=64)]
Limit = Annotated[int, Query(ge=0, le=MOST_SHOWN, description="Codes shown at most.")]
Strategy = Literal[STRATEGIES]  # type: ignore[valid-type]


def router(games: Games) -> APIRouter:
    """Make the routes."""
    made = APIRouter(prefix=PREFIX, default_response_class=AsciiJson, responses=_PROBLEMS)
    _add_games(made, games)
    _add_turns(made, games)
    _add_reasons(made, games)
    return made


def _add_games(made: APIRouter, games: Games) -> None:
    @made.get("/knowledge", tags=["Knowledge"], responses={200: {"content": {"text/plain": {}}}})
    def read_knowledge() -> Response:
        """Read the knowledge base that games of codes are played by."""
        return Response(knowledge.text(), media_type="text/plain; charset=utf-8")

    @made.post("/games", status_code=201, tags=["Games"])
    def begin(wanted: schemas.NewGame) -> schemas.GameState:
        """Begin a game."""
        asked = {"name": wanted.rules, "holes": wanted.holes, "colours": wanted.colours, "repeats": wanted.repeats}
        return _state(games.state(games.create(asked, wanted.seed)))

    @made.get("/games", tags=["Games"])
    def list_games() -> list[schemas.GameListed]:
        """List the games, the oldest first."""
        return [schemas.GameListed(**one) for one in games.listed()]

    @made.get("/games/{game_id}", tags=["Games"])
    def look(game_id: Id) -> schemas.GameState:
        """Say how a game stands; where nothing fits, which turns clash and what was likely meant."""
        return _state(games.state(game_id))

    @made.delete("/games/{game_id}", status_code=204, tags=["Games"])
    def end(game_id: Id) -> Response:
        """Forget a game."""
        games.delete(game_id)
        return Response(status_code=204)


def _add_turns(made: APIRouter, games: Games) -> None:
    @made.post("/games/{game_id}/turns", status_code=201, tags=["Turns"])
    def take(game_id: Id, turn: schemas.NewTurn) -> schemas.GameState:
        """Tell a guess and the answer it got."""
        return _state(games.take(game_id, turn.guess, turn.answer))

    @made.put("/games/{game_id}/turns/{number}", tags=["Turns"])
    def change(game_id: Id, number: TurnNumber, turn: schemas.NewTurn) -> schemas.GameState:
        """Put a turn right; the others stay."""
        return _state(games.change(game_id, number, turn.guess, turn.answer))

    @made.delete("/games/{game_id}/turns/{number}", tags=["Turns"])
    def take_back(game_id: Id, number: TurnNumber) -> schemas.GameState:
        """Take one turn back; the others stay."""
        return _state(games.undo(game_id, number))

    @made.post("/games/{game_id}/undo", tags=["Turns"])
    def undo(game_id: Id) -> schemas.GameState:
        """Take the last turn back."""
        return _state(games.undo(game_id))

    @made.post("/games/{game_id}/what-if", tags=["Reasons"])
    def suppose(game_id: Id, turn: schemas.NewTurn, limit: Limit = 20) -> schemas.Supposed:
        """Say what would fit after one more turn; the game stays as it is."""
        return schemas.Supposed(**games.suppose(game_id, turn.guess, turn.answer, limit))


def _add_reasons(made: APIRouter, games: Games) -> None:
    @made.get("/games/{game_id}/codes", tags=["Reasons"])
    def codes(game_id: Id, limit: Limit = 100) -> schemas.Codes:
        """List what fits."""
        return schemas.Codes(**games.codes(game_id, limit))

    @made.get("/games/{game_id}/suggest", tags=["Reasons"])
    def suggest(game_id: Id, strategy: Strategy = STRONGEST) -> schemas.Suggestion:
        """Suggest a guess, and say why."""
        return schemas.Suggestion(**games.suggest(game_id, str(strategy)))

    @made.get("/games/{game_id}/why/{guess}", tags=["Reasons"])
    def why(game_id: Id, guess: Code) -> schemas.Why:
        """Say how good a guess is: how many would remain, in the mean and at worst."""
        return schemas.Why(**games.why(game_id, guess))

    @made.get("/games/{game_id}/why-not/{code}", tags=["Reasons"])
    def why_not(game_id: Id, code: Code) -> schemas.WhyNot:
        """Say which turns speak against a code."""
        return schemas.WhyNot(**games.why_not(game_id, code))

    @made.get("/games/{game_id}/clash", tags=["Reasons"])
    def clash(game_id: Id) -> schemas.Clash:
        """Name the smallest set of turns that cannot all be true."""
        return schemas.Clash(**games.clash(game_id))


def _state(found: dict[str, Any]) -> schemas.GameState:
    return schemas.GameState(**found)
