"""Replies: JSON in plain ASCII, which any text survives, and one form for every error."""

import json
import time
from collections.abc import Mapping, MutableMapping
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ...errors import DeskError
from ..datalog.evaluation import Busy
from ..datalog.knowledge_base import NothingLoaded
from ..datalog.parser import shown
from ..games import NoSuchGame, TooManyGames
from ..store import NotKept

ACCIDENT = "Something went wrong here; the request was not carried out."
_SAID = {
    400: "The request could not be read.",
    404: "There is nothing at this address; /docs lists what there is.",
    405: "This address takes another method; /docs lists them.",
}
_STATUS = {NoSuchGame: 404, NothingLoaded: 404, TooManyGames: 409, Busy: 503, NotKept: 507}
#: Seconds after which to ask again where there was too much to do.
_RETRY = {"retry-after": "1"}


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


def refusal(request: Request, status: int, reason: str, headers: Mapping[str, str] | None = None) -> AsciiJson:
    """Say why something is not done."""
    return AsciiJson(
        _reasons(reason, elapsed_ms(request.scope)),
        status,
        headers={**(headers or {}), **(_RETRY if status == 503 else {})},
    )


def raw_refusal(status: int, reason: str, milliseconds: int = 0) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return the headers and the body of an answer that says why something is not done; the connection ends with it."""
    raw = json.dumps(_reasons(reason, milliseconds)).encode("ascii")
    headers = [("content-type", "application/json"), ("content-length", str(len(raw))), ("connection", "close")]
    headers += _RETRY.items() if status == 503 else ()
    return [(name.encode("ascii"), value.encode("ascii")) for name, value in headers], raw


def _reasons(reason: str, milliseconds: int) -> dict[str, Any]:
    """Return the one form of every error."""
    return {"error": reason, "ret_msg": reason, "elapsed_ms": milliseconds}


def of_desk(request: Request, error: Exception) -> AsciiJson:
    """Answer what the rules of the game refuse, and what cannot be done now."""
    status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400)
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
    return refusal(request, error.status_code, _SAID.get(error.status_code, str(error.detail)), error.headers)


def of_accident(request: Request, _error: Exception) -> AsciiJson:
    """Answer where something went wrong here; what, is for the server's own log."""
    return refusal(request, 500, ACCIDENT)


HANDLERS: dict[Any, Any] = {
    DeskError: of_desk,
    RequestValidationError: of_shape,
    HTTPException: of_web,
    Exception: of_accident,
}
