"""Any request the OpenAPI page allows, and many it does not, gets an answer it announces, never a server error."""

import json

import pytest
from expert_service import talking
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable

#: Where a request is a bare address.
BARE = ("/AbcDatalogREST", "/api/v1/knowledge", "/api/v1/games")
#: Requests per operation and mode.
EXAMPLES = 10


@pytest.fixture(scope="module")
def service():
    with talking() as (expert, _):
        yield expert


@pytest.fixture(scope="module")
def schema(service):
    import schemathesis  # Half a second, and only here.

    return schemathesis.openapi.from_url(service.url + "/openapi.json")


def checks():
    """List what every answer has to be."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks as openapi

    return [
        not_a_server_error,
        openapi.status_code_conformance,
        openapi.content_type_conformance,
        openapi.response_schema_conformance,
    ]


@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_no_request_breaks_the_service(service, schema, mode):
    """Takes seconds: requests generated from the schema find what hand-written ones miss."""
    from schemathesis.generation import GenerationMode

    met, mode = set(), GenerationMode(mode)
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy(generation_mode=mode))
        def ask(case):
            # A made-up id is never a real one: most requests are for an existing game.
            if "game_id" in (case.path_parameters or {}) and len(str(case.path_parameters["game_id"])) % 4:
                case.path_parameters["game_id"] = a_game(service)
            answer = case.call(timeout=30)
            case.validate_response(answer, checks=checks())
            met.add((case.method, answer.status_code))

        try:
            ask()
        except Unsatisfiable:
            # An empty request cannot be wrong.
            assert mode == GenerationMode.NEGATIVE and operation.path in BARE
    assert {status for _, status in met} & {200, 201, 400, 404, 422}
    assert service.new_game().turn("0011", "bw")["left"] == 208


def a_game(service):
    """Make a game with a turn, and return its id."""
    games = service.games()
    if not games or not games[0]["turns"]:
        game = service.new_game()
        game.turn("0011", "bw")
        return game.id
    return games[0]["id"]


def test_every_operation_says_what_it_does(schema):
    described = json.loads(json.dumps(schema.raw_schema))
    operations = [operation for path in described["paths"].values() for operation in path.values()]
    assert len(operations) == 18 and all(operation.get("description") for operation in operations)
