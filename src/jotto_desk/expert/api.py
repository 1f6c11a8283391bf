"""The service's two interfaces as routes, `/api/v1` for games and `/AbcDatalogREST` for Datalog, and their replies."""

import json
import time
from collections.abc import Mapping, MutableMapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr
from starlette.exceptions import HTTPException

from jotto_desk.errors import DeskError
from jotto_desk.expert import datalog
from jotto_desk.expert.datalog import shorten_text
from jotto_desk.expert.games import MAX_SHOWN, STRATEGY_NAMES, STRONGEST, Games, NoSuchGame, TooManyGames
from jotto_desk.expert.knowledge_base import Busy, KnowledgeBase, NothingLoaded, NotKept, Version
from jotto_desk.expert.reasoning import GAME_NAMES, MAX_COLOURS, MAX_HOLES

# Replies and errors.

ACCIDENT = "Something went wrong here; the request was not carried out."
_REFUSAL_SENTENCES = {
    400: "The request could not be read.",
    404: "There is nothing at this address; /docs lists what there is.",
    405: "This address takes another method; /docs lists them.",
}
_STATUS = {NoSuchGame: 404, NothingLoaded: 404, TooManyGames: 409, Busy: 503, NotKept: 507}
#: The header of a busy service: seconds after which a client may ask again.
_RETRY = {"retry-after": "1"}


class AsciiJson(JSONResponse):
    """JSON in ASCII, which can contain even half of a surrogate pair."""

    def render(self, content: Any) -> bytes:
        """Return the content as JSON."""
        return json.dumps(content, separators=(",", ":")).encode("ascii")


def begin_request(scope: MutableMapping[str, Any]) -> None:
    """Note the time of a request, for `get_elapsed_ms`."""
    scope.setdefault("state", {})["began"] = time.monotonic()


def get_elapsed_ms(scope: MutableMapping[str, Any]) -> int:
    """Return the milliseconds since `begin_request`."""
    now = time.monotonic()
    began: float = scope.get("state", {}).get("began", now)
    return round((now - began) * 1000)


def make_refusal(request: Request, status: int, reason: str, headers: Mapping[str, str] | None = None) -> AsciiJson:
    """Make the answer for an error."""
    both = {**(headers or {}), **(_RETRY if status == 503 else {})}
    return AsciiJson(_reasons(reason, get_elapsed_ms(request.scope)), status, both)


def make_raw_refusal(status: int, reason: str, milliseconds: int = 0) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return headers and body of the answer for an error that closes the connection."""
    raw = json.dumps(_reasons(reason, milliseconds)).encode("ascii")
    headers = [("content-type", "application/json"), ("content-length", str(len(raw))), ("connection", "close")]
    headers += _RETRY.items() if status == 503 else ()
    return [(name.encode("ascii"), value.encode("ascii")) for name, value in headers], raw


def _reasons(reason: str, milliseconds: int) -> dict[str, Any]:
    return {"error": reason, "ret_msg": reason, "elapsed_ms": milliseconds}


def _refuse(request: Request, error: Exception) -> AsciiJson:
    if isinstance(error, DeskError):
        status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400)
        return make_refusal(request, status, str(error))
    if isinstance(error, RequestValidationError):
        found = [(".".join(map(str, one["loc"])), one["msg"]) for one in error.errors()[:5]]
        return make_refusal(
            request, 422, "; ".join(f"{shorten_text(place)}: {message}" for place, message in found) + "."
        )
    if isinstance(error, HTTPException):
        sentence = _REFUSAL_SENTENCES.get(error.status_code, str(error.detail))
        return make_refusal(request, error.status_code, sentence, error.headers)
    # The error itself is only in the log.
    return make_refusal(request, 500, ACCIDENT)


HANDLERS: dict[Any, Any] = dict.fromkeys((DeskError, RequestValidationError, HTTPException, Exception), _refuse)


# The JSON bodies of `/api/v1`, for validation and for the OpenAPI page.

Guess = Annotated[StrictStr, Field(min_length=1, max_length=64, examples=["0011"])]
Number = Annotated[StrictInt, Field(ge=0, le=64)]
Answer = (
    Annotated[list[Number], Field(min_length=2, max_length=2)] | Number | Annotated[StrictStr, Field(max_length=64)]
)


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewGame(_Shape):
    """The game to play; holes, colours and repeats are only for codes."""

    rules: Annotated[StrictStr, Field(max_length=30, description=f"One of: {', '.join(GAME_NAMES)}.")] = "exact"
    holes: Annotated[StrictInt, Field(ge=1, le=MAX_HOLES)] | None = None
    colours: Annotated[StrictInt, Field(ge=2, le=MAX_COLOURS)] | None = None
    repeats: StrictBool | None = None
    seed: Annotated[StrictInt, Field(ge=0, le=2**31 - 1, description="0 draws one.")] = 0


class NewTurn(_Shape):
    """A guess and its answer: [blacks, whites], "bww", a number of letters in common, or marks such as "EPNNN"."""

    guess: Guess
    answer: Answer


class _ErrorReply(BaseModel):
    """The reason for a refusal, in a sentence."""

    error: str
    ret_msg: str
    elapsed_ms: int


class _TurnTaken(BaseModel):
    """A turn of a game."""

    turn: int
    guess: str
    answer: list[int] | int | str


class Clash(BaseModel):
    """The smallest set of turns that cannot all be true; empty if something fits."""

    fits: bool
    turns: list[_TurnTaken]
    is_smallest: bool
    text: str


class _GameState(BaseModel):
    """The state of a game; `funnel` has the number of codes that fitted after 0, 1, 2 ... turns."""

    id: str
    rules: str
    holes: int
    colours: int
    symbols: str
    repeats: bool
    answers: str
    seed: int
    turns: list[_TurnTaken]
    left: int
    is_all: bool
    funnel: list[int]
    solved: str | None
    clash: Clash | None
    slips: list[str]


class _GameListed(BaseModel):
    """A game in a list."""

    id: str
    rules: str
    turns: int


class Codes(BaseModel):
    """The first codes that fit; `is_all` is false if more may fit than `left` counts."""

    left: int
    is_all: bool
    codes: list[str]


class _SupposedAnswer(Codes):
    """The codes that would fit after one more turn."""

    guess: str
    answer: list[int] | int | str


class _PossibleAnswer(BaseModel):
    """A possible answer to a guess, its probability, and the number of codes that would remain."""

    answer: list[int] | int | str
    chance: float
    left: int


class Why(BaseModel):
    """The value of a guess: codes that would remain on average and at worst, groups and bits of its answer."""

    guess: str
    fits: bool
    left: int
    is_all: bool
    mean: float
    worst: int
    groups: int
    bits: float
    answers: list[_PossibleAnswer]
    text: str


class _Suggestion(Why):
    """A guess, the strategy that chose it, and the reason."""

    strategy: str
    reason: str


class _Reason(BaseModel):
    """A turn that speaks against a code: the answer it got, and the answer that the code would have given."""

    turn: int
    guess: str
    got: list[int] | int | str
    expected: list[int] | int | str


class _WhyNot(BaseModel):
    """The turns that speak against a code; empty if it fits."""

    code: str
    fits: bool
    reasons: list[_Reason]
    text: str


# The routes of `/api/v1`.

API_PREFIX = "/api/v1"
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": _ErrorReply, "description": text}
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
_TurnNumber = Annotated[int, Path(ge=1, le=1000, description="The number of a turn, from 1.")]
Code = Annotated[str, Path(max_length=64)]
_Limit = Annotated[int, Query(ge=0, le=MAX_SHOWN, description="The most codes to show.")]
Strategy = Literal[STRATEGY_NAMES]  # type: ignore[valid-type]


def make_games_router(games: Games) -> APIRouter:
    """Make the routes of `/api/v1`."""
    made = APIRouter(prefix=API_PREFIX, default_response_class=AsciiJson, responses=_PROBLEMS)
    _add_games(made, games)
    _add_turns(made, games)
    _add_reasons(made, games)
    return made


def _add_games(made: APIRouter, games: Games) -> None:
    @made.get("/knowledge", tags=["Knowledge"], responses={200: {"content": {"text/plain": {}}}})
    def read_knowledge() -> Response:
        """Read the knowledge base that games of codes are played by."""
        return Response(datalog.load_knowledge_text(), media_type="text/plain; charset=utf-8")

    @made.post("/games", status_code=201, tags=["Games"])
    def begin(wanted: NewGame) -> _GameState:
        """Begin a game."""
        asked = {"name": wanted.rules, "holes": wanted.holes, "colours": wanted.colours, "repeats": wanted.repeats}
        return _make_state(games.get_state(games.create(asked, wanted.seed)))

    @made.get("/games", tags=["Games"])
    def list_games() -> list[_GameListed]:
        """List the games, the oldest first."""
        return [_GameListed(**one) for one in games.list_games()]

    @made.get("/games/{game_id}", tags=["Games"])
    def look(game_id: Id) -> _GameState:
        """Get the state of a game; if no code fits, also the turns that clash and the likely slips."""
        return _make_state(games.get_state(game_id))

    @made.delete("/games/{game_id}", status_code=204, tags=["Games"])
    def end(game_id: Id) -> Response:
        """Forget a game."""
        games.delete(game_id)
        return Response(status_code=204)


def _add_turns(made: APIRouter, games: Games) -> None:
    @made.post("/games/{game_id}/turns", status_code=201, tags=["Turns"])
    def take(game_id: Id, turn: NewTurn) -> _GameState:
        """Add a guess and the answer it got."""
        return _make_state(games.take(game_id, turn.guess, turn.answer))

    @made.put("/games/{game_id}/turns/{number}", tags=["Turns"])
    def change(game_id: Id, number: _TurnNumber, turn: NewTurn) -> _GameState:
        """Correct a turn; the others stay."""
        return _make_state(games.change(game_id, number, turn.guess, turn.answer))

    @made.delete("/games/{game_id}/turns/{number}", tags=["Turns"])
    def take_back(game_id: Id, number: _TurnNumber) -> _GameState:
        """Take one turn back; the others stay."""
        return _make_state(games.undo(game_id, number))

    @made.post("/games/{game_id}/undo", tags=["Turns"])
    def undo(game_id: Id) -> _GameState:
        """Take the last turn back."""
        return _make_state(games.undo(game_id))

    @made.post("/games/{game_id}/what-if", tags=["Reasons"])
    def suppose(game_id: Id, turn: NewTurn, limit: _Limit = 20) -> _SupposedAnswer:
        """List what would fit after one more turn; the game does not change."""
        return _SupposedAnswer(**games.suppose(game_id, turn.guess, turn.answer, limit))


def _add_reasons(made: APIRouter, games: Games) -> None:
    @made.get("/games/{game_id}/codes", tags=["Reasons"])
    def list_codes(game_id: Id, limit: _Limit = 100) -> Codes:
        """List what fits."""
        return Codes(**games.list_codes(game_id, limit))

    @made.get("/games/{game_id}/suggest", tags=["Reasons"])
    def suggest(game_id: Id, strategy: Strategy = STRONGEST) -> _Suggestion:
        """Suggest a guess and explain it."""
        return _Suggestion(**games.suggest(game_id, str(strategy)))

    @made.get("/games/{game_id}/why/{guess}", tags=["Reasons"])
    def why(game_id: Id, guess: Code) -> Why:
        """Rate a guess by the number of codes that would remain, on average and at worst."""
        return Why(**games.why(game_id, guess))

    @made.get("/games/{game_id}/why-not/{code}", tags=["Reasons"])
    def why_not(game_id: Id, code: Code) -> _WhyNot:
        """List the turns that speak against a code."""
        return _WhyNot(**games.why_not(game_id, code))

    @made.get("/games/{game_id}/clash", tags=["Reasons"])
    def name_clash(game_id: Id) -> Clash:
        """Name the smallest set of turns that cannot all be true."""
        return Clash(**games.find_clash(game_id))


def _make_state(found: dict[str, Any]) -> _GameState:
    return _GameState(**found)


# The routes of `/AbcDatalogREST`, for clients of the original service.

DATALOG_PATH = "/AbcDatalogREST"
_DATALOG_USE = "learnmore"
#: A parameter that clients of the original add to every query, so that no cache answers it. They read JSON from every
#: answer, so an answer to a query with this parameter always has a body.
_CACHE_BREAKER = "tm"
_NOT_HERE = "this address takes POST (add facts and rules), GET (ask, or status) and DELETE."

_REFUSED: dict[int | str, dict[str, Any]] = {status: _PROBLEMS[status] for status in (400, 403, 408, 413, 503, 507)}


class Told(BaseModel):
    """An answer of the Datalog interface; each kind of answer has some of the fields."""

    ret_msg: str
    elapsed_ms: int
    uc: str = ""
    kb_size: int = Field(0, alias="KB size")
    qs: str = ""
    ans_sz: int = 0
    ans: list[str] = []
    ans_kb_text_sz: int = 0
    ans_kb_sz: int = 0
    ans_kb_load_epoch: int = 0


#: The body of a POST, as the OpenAPI page shows it.
_POST_SCHEMA = {"type": "object", "required": ["kb"], "properties": {"kb": {"type": "string", "minLength": 1}}}
_POST_BODY = {"required": True, "content": {"application/json": {"schema": _POST_SCHEMA}}}


def make_datalog_router(base: KnowledgeBase) -> APIRouter:
    """Make the routes of `/AbcDatalogREST`."""
    made = APIRouter(prefix=DATALOG_PATH, tags=["Datalog"])

    joined = {"model": Told, "description": "joined"}

    @made.post("", status_code=201, responses={201: joined, **_REFUSED}, openapi_extra={"requestBody": _POST_BODY})
    async def post(request: Request) -> Response:
        """Add facts and rules to the knowledge base; after an error it is unchanged."""
        return await run_in_threadpool(_add_knowledge, base, request, await request.body())

    @made.get(
        "",
        responses={
            200: {"model": Told, "description": "the answers, or the state of the base"},
            204: {"description": "no answer, or no base; never for a request with tm"},
            404: {"model": _ErrorReply, "description": "no rules are loaded yet"},
            **_REFUSED,
        },
    )
    def get(request: Request, rule: str | None = None, tm: str | None = None) -> Response:
        """Answer a query, such as `before(X, bob)?`; without one, describe the knowledge base.

        `tm` can be anything; with it, a query without results gets an empty `ans` instead of 204.
        """
        return _answer_question(base, request, rule, tm is not None)

    @made.delete("", responses={200: {"model": Told, "description": "empty"}, **_REFUSED})
    def delete(request: Request) -> Response:
        """Empty the knowledge base."""
        base.clear()
        return _reply(request, 200, "KB deleted", {"KB size": 0, "uc": _DATALOG_USE})

    @made.api_route("", methods=["PUT", "PATCH"], include_in_schema=False)
    def refuse(request: Request) -> Response:
        return make_refusal(request, 405, _NOT_HERE, {"Allow": "POST, GET, DELETE"})

    return made


def _add_knowledge(base: KnowledgeBase, request: Request, body: bytes) -> Response:
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        return make_refusal(request, 400, 'the request is not JSON; send {"kb": "facts and rules"}.')
    text = sent.get("kb") if isinstance(sent, dict) else None
    if not isinstance(text, str) or not text.strip():
        return make_refusal(request, 400, 'there is no "kb" with facts and rules in the request.')
    version = base.append(text)
    return _reply(request, 201, "KB loaded", {"KB size": len(version.text), "uc": _DATALOG_USE})


def _answer_question(base: KnowledgeBase, request: Request, rule: str | None, wants_body: bool) -> Response:
    given = [name for name, _ in request.query_params.multi_items() if name != _CACHE_BREAKER]
    if given not in ([], ["rule"]):
        known = "only one parameter is known, 'rule', such as ?rule=before(X,bob)? (and 'tm', which may be anything)."
        return make_refusal(request, 400, known)
    if rule is None:
        return _make_status(base.version, request, wants_body)
    answers = base.ask(rule)
    if not (answers or wants_body):
        return _make_empty_answer(request)
    query = rule.strip()
    query = query if query.endswith("?") else query + "?"
    found = {"ans": answers, "ans_sz": len(answers), "qs": query, "uc": _DATALOG_USE}
    return _reply(request, 200, "query executed.", found)


def _make_status(version: Version | None, request: Request, wants_body: bool) -> Response:
    if version is not None:
        sizes = {"ans_kb_text_sz": len(version.text), "ans_kb_sz": version.count, "ans_kb_load_epoch": version.epoch}
        return _reply(request, 200, "valid KB.", sizes)
    if wants_body:
        return _reply(request, 200, "no KB was loaded.", {"ans_kb_text_sz": 0, "ans_kb_sz": 0})
    return _make_empty_answer(request)


def _make_empty_answer(request: Request) -> Response:
    return Response(status_code=204, headers={"Server-Timing": f"datalog;dur={get_elapsed_ms(request.scope)}"})


def _reply(request: Request, status: int, message: str, found: Mapping[str, Any]) -> Response:
    return AsciiJson({**found, "ret_msg": message, "elapsed_ms": get_elapsed_ms(request.scope)}, status)
