"""The table of states as a picture and a page: `python -m jotto_behaviour.diagram` prints docs/conversation.md."""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools

from jotto_behaviour.states import COMMANDS, SAME_STATE, STATES, Move

MYPY = False
if MYPY:
    from typing import Dict, List, Tuple

_PAGE = """# The conversation, state by state

This page lists every state of the conversation, the player's possible answers, and NAO's reactions. In the picture each
frame is a box of the behaviour's diagram.

- The first table lists the answers in each state. The commands that work in every state are at its end, as `(any)`.
- The second table lists the effects of "go back", "I made a mistake" and a long silence in each state.

`python -m jotto_behaviour.diagram` generates the page from `behaviour/jotto_behaviour/states.py`; a test compares them.

```mermaid
%s```

| state | the player says | NAO's action | next state |
|---|---|---|---|
%s

| state | go back | I made a mistake | after silence | can be given up |
|---|---|---|---|---|
%s
"""


def mermaid():  # type: () -> str
    """Return states and moves as a Mermaid state diagram, moves to the same state joined."""
    rows = ["stateDiagram-v2"]
    boxes = {}  # type: Dict[str, List[str]]
    for name in sorted(STATES):
        boxes.setdefault(STATES[name].box or "at any moment", []).append(name)
    for box in sorted(boxes):
        rows.append('    state "%s" as %s {' % (box, _make_identifier("box " + box)))
        rows.extend('        state "%s" as %s' % (name, _make_identifier(name)) for name in boxes[box])
        rows.append("    }")
    rows.extend("    %s --> %s: %s" % link for link in _list_links())
    return "\n".join(rows) + "\n"


def list_moves():  # type: () -> List[Tuple[str, str, str, str]]
    """List every move: state, meaning, action, states it may end in; commands last."""
    rows = [
        (name, meaning, move.action, ", ".join(move.to))
        for name in sorted(STATES)
        for meaning, move in sorted(STATES[name].moves.items())
    ]
    return rows + [("(any)", meaning, move.action, ", ".join(move.to)) for meaning, move in sorted(COMMANDS.items())]


def list_ways_back():  # type: () -> List[Tuple[str, str, str, str, str]]
    """List every listening state: where back and mistake lead, how silence ends, whether the player can give up."""
    return [
        (name, _step(state.back), _step(state.mistake), state.on_silence, "yes" if state.can_give_up else "")
        for name, state in sorted(STATES.items())
        if state.listens
    ]


def _step(move):  # type: (Move) -> str
    return "%s: %s" % (move.action, ", ".join(move.to))


def format_page():  # type: () -> str
    """Return the page docs/conversation.md: the picture, every move, and the ways back, as tables."""
    rows = []
    by_move = sorted(list_moves(), key=lambda row: (row[0] == "(any)", row[0], row[2], row[3], row[1]))
    for (state, action, to), moves in itertools.groupby(by_move, key=lambda row: (row[0], row[2], row[3])):
        said = _shorten([meaning or "(alone)" for _, meaning, _, _ in moves])
        rows.append("| %s | %s | %s | %s |" % (state, said, action, to))
    back = ["| %s |" % " | ".join(row) for row in list_ways_back()]
    return _PAGE % (mermaid(), "\n".join(rows), "\n".join(back))


def _list_links():  # type: () -> List[Tuple[str, str, str]]
    joined = {}  # type: Dict[Tuple[str, str], List[str]]
    for name in sorted(STATES):
        for meaning, move in sorted(STATES[name].moves.items()):
            for to in move.to:
                if to != SAME_STATE:
                    joined.setdefault((_make_identifier(name), _make_identifier(to)), []).append(meaning or move.action)
    return [(start, end, _shorten(said)) for (start, end), said in sorted(joined.items())]


def _shorten(said):  # type: (List[str]) -> str
    return ", ".join(said) if len(said) < 4 else "%s ... %s" % (said[0], said[-1])


def _make_identifier(name):  # type: (str) -> str
    return "".join(letter if letter.isalnum() else "_" for letter in name)


if __name__ == "__main__":
    print(format_page(), end="")
