"""Replies: JSON in plain ASCII, which any text survives, and one form for every error."""

import json
import time
from collections.abc import MutableMapping
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ...errors import DeskError
from ..datalog.knowledge_base import Busy
from ..datalog.parser import shown
from ..games import NoSuchGame, TooManyGames

_SAID = {400: "The request could not be read.",
         404: "There is nothing at this address; /docs lists what there is.",
         405: "This address takes another method; /docs lists them."}


class AsciiJson(JSONResponse):
    """JSON whose text is escaped: half a character pair can be told too."""

    def render(self, content: Any) -> bytes:
        """Write the JSON."""
        return json.dumps(content, separators=(",", ":")).encode("ascii")


def begin(scope: MutableMapping[str, Any]) -> None:
    """Note when a request came, for `elapsed_ms`."""
    scope.setdefault("state", {})["began"] = time.monotonic()


def elapsed_ms(scope: MutableMapping[str, Any]) -> int:
    """Return the milliseconds since a request came."""
    now = time.monotonic()
    began: float = scope.get("state", {}).get("began", now)
    return round((now - began) * 1000)


def refusal(request: Request, status: int, reason: str) -> AsciiJson:
    """Say why something is not done."""
    return AsciiJson(reasons(reason, elapsed_ms(request.scope)), status)


def reasons(reason: str, milliseconds: int) -> dict[str, Any]:
    """Return the one form of every error."""
    return {"error": reason, "ret_msg": reason, "elapsed_ms": milliseconds}


def of_desk(request: Request, error: Exception) -> AsciiJson:
    """Answer what the rules of the game refuse."""
    status = next((number for kind, number in ((NoSuchGame, 404), (TooManyGames, 409), (Busy, 503))
                   if isinstance(error, kind)), 400)
    return refusal(request, status, str(error))


def of_shape(request: Request, error: Exception) -> AsciiJson:
    """Answer a request that has not the shape it should have."""
    assert isinstance(error, RequestValidationError)
    told = []
    for one in error.errors()[:5]:
        where = ".".join(str(part) for part in one.get("loc", ()))
        told.append(f"{shown(where)}: {one.get('msg', 'not understood')}")
    return refusal(request, 422, "; ".join(told) + ".")


def of_web(request: Request, error: Exception) -> AsciiJson:
    """Answer an address or a method there is not."""
    assert isinstance(error, HTTPException)
    answer = refusal(request, error.status_code, _SAID.get(error.status_code, str(error.detail)))
    answer.headers.update(error.headers or {})
    return answer


def of_accident(request: Request, _error: Exception) -> AsciiJson:
    """Answer where something went wrong here; what, is for the server's own log."""
    return refusal(request, 500, "Something went wrong here; the request was not carried out.")


HANDLERS: dict[Any, Any] = {DeskError: of_desk, RequestValidationError: of_shape, HTTPException: of_web,
                            Exception: of_accident}
