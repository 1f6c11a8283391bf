"""The interface at `/AbcDatalogREST`: post a knowledge base, query it, as clients of the original service do."""

import json
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from ..datalog.knowledge_base import KnowledgeBase, Version
from .responses import AsciiJson, elapsed_ms, refusal

PATH = "/AbcDatalogREST"
USE = "learnmore"
#: What clients of the original add to every query, so that nothing on the way answers from memory. They read JSON from
#: every answer, so one with this parameter is never without a body.
CACHE_BREAKER = "tm"
NOT_HERE = "this address takes POST (add facts and rules), GET (ask, or status) and DELETE."

_SAID = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Told"}}}}
_TOLD: dict[str, Any] = {
    "type": "object",
    "required": ["ret_msg", "elapsed_ms"],
    "properties": {
        "ret_msg": {"type": "string"},
        "elapsed_ms": {"type": "integer"},
        "uc": {"type": "string"},
        "KB size": {"type": "integer"},
        "qs": {"type": "string"},
        "ans_sz": {"type": "integer"},
        "ans": {"type": "array", "items": {"type": "string"}},
        "ans_kb_text_sz": {"type": "integer"},
        "ans_kb_sz": {"type": "integer"},
        "ans_kb_load_epoch": {"type": "integer"},
    },
}
_REFUSED: dict[int | str, dict[str, Any]] = {
    status: {"description": text, **_SAID}
    for status, text in (
        (400, "not understood, or refused"),
        (403, "not from here"),
        (408, "too slow"),
        (413, "too large"),
        (503, "busy"),
        (507, "cannot be kept"),
    )
}
_POSTED = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["kb"],
                    "properties": {"kb": {"type": "string", "minLength": 1}},
                }
            }
        },
    }
}


def schemas() -> dict[str, Any]:
    """Return the schemas its answers have, for the OpenAPI page."""
    return {"Told": _TOLD}


def router(base: KnowledgeBase) -> APIRouter:
    """Make the routes."""
    made = APIRouter(prefix=PATH, tags=["Datalog"])

    @made.post(
        "", status_code=201, openapi_extra=_POSTED, responses={201: {"description": "joined", **_SAID}, **_REFUSED}
    )
    async def post(request: Request) -> Response:
        """Join facts and rules to the knowledge base; with any error it stays as it was."""
        return await run_in_threadpool(_posted, base, request, await request.body())

    @made.get(
        "",
        responses={
            200: {"description": "the answers, or how the base stands", **_SAID},
            204: {"description": "no answer, or no base; never for a request with tm"},
            404: {"description": "nothing was loaded yet", **_SAID},
            **_REFUSED,
        },
    )
    def get(request: Request, rule: str | None = None, tm: str | None = None) -> Response:
        """Answer a query, such as `before(X, bob)?`; without one, say how the base stands.

        `tm` may be anything; with it, where nothing follows, the answer is an empty `ans` in place of 204.
        """
        return _asked(base, request, rule, tm is not None)

    @made.delete("", responses={200: {"description": "empty", **_SAID}, **_REFUSED})
    def delete(request: Request) -> Response:
        """Empty the knowledge base."""
        base.clear()
        return _said(request, 200, "KB deleted", {"KB size": 0, "uc": USE})

    @made.api_route("", methods=["PUT", "PATCH"], include_in_schema=False)
    def refuse(request: Request) -> Response:
        return refusal(request, 405, NOT_HERE, {"Allow": "POST, GET, DELETE"})

    return made


def _posted(base: KnowledgeBase, request: Request, body: bytes) -> Response:
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        return refusal(request, 400, 'the request is not JSON; send {"kb": "facts and rules"}.')
    text = sent.get("kb") if isinstance(sent, dict) else None
    if not isinstance(text, str) or not text.strip():
        return refusal(request, 400, 'there is no "kb" with facts and rules in the request.')
    version = base.append(text)
    return _said(request, 201, "KB loaded", {"KB size": len(version.text), "uc": USE})


def _asked(base: KnowledgeBase, request: Request, rule: str | None, wants_body: bool) -> Response:
    given = [name for name, _ in request.query_params.multi_items() if name != CACHE_BREAKER]
    if given not in ([], ["rule"]):
        return refusal(
            request,
            400,
            "only one parameter is known, 'rule', such as ?rule=before(X,bob)? (and 'tm', which may be anything).",
        )
    if rule is None:
        return _status(base.version, request, wants_body)
    answers = base.ask(rule)
    if not (answers or wants_body):
        return _empty(request)
    query = rule.strip()
    query = query if query.endswith("?") else query + "?"
    return _said(request, 200, "query executed.", {"ans": answers, "ans_sz": len(answers), "qs": query, "uc": USE})


def _status(version: Version | None, request: Request, wants_body: bool) -> Response:
    if version is not None:
        return _said(
            request,
            200,
            "valid KB.",
            {"ans_kb_text_sz": len(version.text), "ans_kb_sz": version.count, "ans_kb_load_epoch": version.epoch},
        )
    if wants_body:
        return _said(request, 200, "no KB was loaded.", {"ans_kb_text_sz": 0, "ans_kb_sz": 0})
    return _empty(request)


def _empty(request: Request) -> Response:
    """Answer without a body, which leaves the time to a header."""
    return Response(status_code=204, headers={"Server-Timing": f"datalog;dur={elapsed_ms(request.scope)}"})


def _said(request: Request, status: int, message: str, found: Mapping[str, Any] | None = None) -> Response:
    return AsciiJson({**(found or {}), "ret_msg": message, "elapsed_ms": elapsed_ms(request.scope)}, status)
