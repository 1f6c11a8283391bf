"""Which unfinished requests a server gives up."""

import pytest

from jotto_desk.addresses import is_loopback, names_loopback
from naosim_live import connections
from naosim_live.connections import MAX_PER_ADDRESS, MAX_UNFINISHED, REQUEST_TIMEOUT_S, YOUNG_REQUEST_S, Unfinished


def waiting(*begun):
    """Make requests from (address, when)s; their keys are their numbers."""
    made = Unfinished()
    for number, (address, when) in enumerate(begun):
        made.begin(number, address, when)
    return made


@pytest.mark.parametrize(
    "begun, now, given_up",
    [
        ([], 0, []),
        ([("a", 0)], REQUEST_TIMEOUT_S, []),
        ([("a", 0), ("b", 1)], REQUEST_TIMEOUT_S + 0.5, [0]),
        ([("a", 0)] * MAX_PER_ADDRESS, 10, []),
        ([("a", 0)] * (MAX_PER_ADDRESS + 2), YOUNG_REQUEST_S, []),
        ([("a", 0)] * (MAX_PER_ADDRESS + 2), YOUNG_REQUEST_S + 0.1, [0, 1]),
        ([("a", 0)] * MAX_PER_ADDRESS + [("b", 0)] * MAX_PER_ADDRESS, 10, []),
        ([("b", 0)] + [("a", 0)] * (MAX_PER_ADDRESS + 1), 10, [1]),
        ([(str(number), 0) for number in range(MAX_UNFINISHED + 3)], 10, [0, 1, 2]),
        ([("a", 0)] * 3 + [("a", 9.5)] * MAX_PER_ADDRESS, 10, [0, 1, 2]),
    ],
)
def test_which_are_given_up(begun, now, given_up):
    assert waiting(*begun).given_up(now) == given_up


def test_one_that_is_whole_waits_no_more():
    requests = waiting(("a", 0), ("b", 1))
    requests.begin(0, "a", 5)
    assert (requests.oldest(), len(requests), 1 in requests) == (0, 2, True)
    assert [requests.end(0), requests.end(0), requests.oldest()] == [True, False, 1]
    assert requests.end(1) and requests.oldest() is None and connections.MAX_PER_ADDRESS < connections.MAX_UNFINISHED


@pytest.mark.parametrize(
    "host, is_here",
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("", False),
        ("0.0.0.0", False),
        ("localhost.example", False),
        ("127.0.0.1.example", False),
        ("::", False),
        ("[", False),
    ],
)
def test_what_is_this_computer(host, is_here):
    shown = f"[{host}]" if ":" in host else host
    assert is_loopback(host) == is_here and names_loopback(f"//{shown}:80") == is_here
