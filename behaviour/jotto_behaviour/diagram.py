"""The table of states as a diagram: `python -m jotto_behaviour.diagram` prints it for Mermaid."""
from __future__ import absolute_import, division, print_function, unicode_literals

from .states import COMMANDS, HERE, STATES

MYPY = False
if MYPY:
    from typing import Dict, List, Tuple


def mermaid():
    # type: () -> str
    """Draw states and moves as a Mermaid state diagram, moves to the same state joined."""
    rows = ["stateDiagram-v2"]
    boxes = {}  # type: Dict[str, List[str]]
    for name in sorted(STATES):
        boxes.setdefault(STATES[name].box or "at any moment", []).append(name)
    for box in sorted(boxes):
        rows.append('    state "%s" as %s {' % (box, _identifier("box " + box)))
        rows.extend('        state "%s" as %s' % (name, _identifier(name)) for name in boxes[box])
        rows.append("    }")
    rows.extend("    %s --> %s: %s" % link for link in _links())
    return "\n".join(rows) + "\n"


def table():
    # type: () -> List[Tuple[str, str, str, str]]
    """List every move: state, meaning, action, states it may end in; commands last."""
    rows = [(name, meaning, move.action, ", ".join(move.to))
            for name in sorted(STATES) for meaning, move in sorted(STATES[name].moves.items())]
    return rows + [("(any)", meaning, move.action, ", ".join(move.to)) for meaning, move in sorted(COMMANDS.items())]


def _links():
    # type: () -> List[Tuple[str, str, str]]
    joined = {}  # type: Dict[Tuple[str, str], List[str]]
    for name in sorted(STATES):
        for meaning, move in sorted(STATES[name].moves.items()):
            for to in move.to:
                if to != HERE:
                    joined.setdefault((_identifier(name), _identifier(to)), []).append(meaning or move.action)
    return [(start, end, _short(said)) for (start, end), said in sorted(joined.items())]


def _short(said):
    # type: (List[str]) -> str
    return ", ".join(said) if len(said) < 4 else "%s ... %s" % (said[0], said[-1])


def _identifier(name):
    # type: (str) -> str
    return "".join(letter if letter.isalnum() else "_" for letter in name)


if __name__ == "__main__":
    print(mermaid(), end="")
