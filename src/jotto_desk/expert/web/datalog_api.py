"""The interface at `/AbcDatalogREST`: post a knowledge base, query it, as clients of the original service do."""

import json
import time
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from ...errors import DeskError
from ..datalog.knowledge_base import Busy, KnowledgeBase, NothingLoaded, Version
from .responses import AsciiJson

PATH = "/AbcDatalogREST"
USE = "learnmore"
NOT_HERE = "this address takes POST (add facts and rules), GET (ask, or status) and DELETE."

_SAID = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Told"}}}}
_TOLD: dict[str, Any] = {
    "type": "object",
    "required": ["ret_msg"],
    "properties": {"ret_msg": {"type": "string"}, "elapsed_ms": {"type": "integer"}, "uc": {"type": "string"},
                   "KB size": {"type": "integer"}, "qs": {"type": "string"}, "ans_sz": {"type": "integer"},
                   "ans": {"type": "array", "items": {"type": "string"}}, "ans_kb_text_sz": {"type": "integer"},
                   "ans_kb_sz": {"type": "integer"}, "ans_kb_load_epoch": {"type": "integer"}},
}
_REFUSED: dict[int | str, dict[str, Any]] = {
    status: {"description": text, **_SAID}
    for status, text in ((400, "not understood, or refused"), (403, "not from here"), (408, "too slow"),
                         (413, "too large"), (503, "busy"))
}
_POSTED = {"requestBody": {"required": True, "content": {"application/json": {"schema": {
    "type": "object", "required": ["kb"], "properties": {"kb": {"type": "string", "minLength": 1}}}}}}}


def schemas() -> dict[str, Any]:
    """Return the schemas its answers have, for the OpenAPI page."""
    return {"Told": _TOLD}


def router(base: KnowledgeBase) -> APIRouter:
    """Make the routes."""
    made = APIRouter(prefix=PATH, tags=["Datalog"])

    @made.post("", status_code=201, openapi_extra=_POSTED, responses={201: {"description": "joined", **_SAID},
                                                                      **_REFUSED})
    async def post(request: Request) -> Response:
        """Join facts and rules to the knowledge base; with any error it stays as it was."""
        return await run_in_threadpool(_posted, base, await request.body())

    @made.get("", responses={
        200: {"description": "the answers, or how the base stands", **_SAID},
        204: {"description": "no answer, or no base"},
        404: {"description": "nothing was loaded yet", **_SAID}, **_REFUSED})
    def get(request: Request, rule: str | None = None) -> Response:
        """Answer a query, such as `before(X, bob)?`; without one, say how the base stands."""
        return _asked(base, request.query_params.multi_items(), rule)

    @made.delete("", responses={200: {"description": "empty", **_SAID}, **_REFUSED})
    def delete() -> Response:
        """Empty the knowledge base."""
        began = time.monotonic()
        base.clear()
        return _said(200, "KB deleted", {"KB size": 0}, began)

    @made.api_route("", methods=["PUT", "PATCH"], include_in_schema=False)
    def refuse() -> Response:
        return AsciiJson({"ret_msg": NOT_HERE}, 405, headers={"Allow": "POST, GET, DELETE"})

    return made


def _posted(base: KnowledgeBase, body: bytes) -> Response:
    began = time.monotonic()
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        return AsciiJson({"ret_msg": 'the request is not JSON; send {"kb": "facts and rules"}.'}, 400)
    text = sent.get("kb") if isinstance(sent, dict) else None
    if not isinstance(text, str) or not text.strip():
        return AsciiJson({"ret_msg": 'there is no "kb" with facts and rules in the request.'}, 400)
    try:
        version = base.append(text)
    except Busy as error:
        return AsciiJson({"ret_msg": str(error)}, 503)
    except DeskError as error:
        return AsciiJson({"ret_msg": str(error)}, 400)
    return _said(201, "KB loaded", {"KB size": len(version.text)}, began)


def _asked(base: KnowledgeBase, given: list[tuple[str, str]], rule: str | None) -> Response:
    began = time.monotonic()
    other = [name for name, _ in given if name != "rule"]
    if other or len(given) > 1:
        return AsciiJson({"ret_msg": "only one parameter is known, 'rule', such as ?rule=before(X,bob)?"}, 400)
    if rule is None:
        return _status(base.version)
    try:
        answers = base.ask(rule)
    except NothingLoaded as error:
        return AsciiJson({"ret_msg": str(error)}, 404)
    except DeskError as error:
        return AsciiJson({"ret_msg": str(error)}, 400)
    if not answers:
        return Response(status_code=204)
    query = rule.strip()
    found = {"ans": answers, "ans_sz": len(answers), "qs": query if query.endswith("?") else query + "?"}
    return _said(200, "query executed.", found, began)


def _status(version: Version | None) -> Response:
    if version is None:
        return Response(status_code=204)
    return AsciiJson({"ans_kb_text_sz": len(version.text), "ans_kb_sz": version.count,
                      "ans_kb_load_epoch": version.epoch, "ret_msg": "valid KB."})


def _said(status: int, message: str, found: dict[str, Any], began: float) -> Response:
    return AsciiJson({**found, "ret_msg": message, "uc": USE,
                      "elapsed_ms": round((time.monotonic() - began) * 1000)}, status)
