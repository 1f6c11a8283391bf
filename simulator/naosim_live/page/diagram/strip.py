"""The strip of a timeline as SVG: keyframes by layer, the keys of every joint, seconds, and a playhead."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

#: Width of the names at the left, of the frames and of the room at the right; the height of a row and of the seconds.
NAMES, _FRAMES, _MARGIN, _ROW, HEAD = 100.0, 800.0, 24.0, 16.0, 18.0
#: Seconds between two marks: the first of these that leaves room for their numbers.
_STEPS, _ROOM = (1, 2, 5, 10, 30, 60, 300, 1800), 40.0
#: Letters of a name at the left, and of a keyframe's for each unit of its width.
LETTERS, _EACH_LETTER = 14, 6.5


def strip(told: dict[str, Any]) -> str:
    """Return the SVG of a diagram's timeline, "" where there is none; keyframes bear `data-place`."""
    timeline = told["timeline"]
    if timeline is None:
        return ""
    layers = sorted({row[2] for row in told["keyframes"]})
    curves = timeline["curves"]
    height = HEAD + _ROW * (len(layers) + len(curves)) + 4
    place = _Scale(timeline)
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" class="diagram-strip" '
        f'viewBox="0 0 {NAMES + _FRAMES + _MARGIN:g} {height:g}" '
        f'role="group" aria-label="Timeline" data-start="{timeline["start"]}" data-frame="{place.each:.6g}" '
        f'data-left="{NAMES:g}">',
        *_seconds(timeline, place, height),
    ]
    for at, layer in enumerate(layers):
        lines += _layer(told, layer, HEAD + _ROW * at, place)
    for at, (actuator, is_mute, keys) in enumerate(curves):
        lines += _joint(actuator, is_mute, keys, HEAD + _ROW * (len(layers) + at), place)
    lines += [f'<path class="diagram-playhead" d="M{NAMES:g} 0V{height:g}" aria-hidden="true"/>', "</svg>"]
    return "\n".join(lines)


class _Scale:
    """Where a frame stands."""

    def __init__(self, timeline: dict[str, Any]) -> None:
        self._start: int = timeline["start"]
        self.last: int = timeline["end"]
        self.each: float = _FRAMES / max(1, timeline["end"] - timeline["start"])

    def __call__(self, frame: float) -> float:
        """Return the place of a frame, inside the strip."""
        return NAMES + max(0.0, min(_FRAMES, (frame - self._start) * self.each))


def _seconds(timeline: dict[str, Any], place: _Scale, height: float) -> Iterator[str]:
    second = timeline["fps"] * place.each
    step = next((step for step in _STEPS if step * second >= _ROOM), _STEPS[-1])
    for number in range(0, min(200 * step, int((place.last - timeline["start"]) / timeline["fps"]) + 1), step):
        x = place(timeline["start"] + number * timeline["fps"])
        yield f'<path class="diagram-tick" d="M{x:g} {HEAD - 3:g}V{height:g}"/>'
        yield f'<text class="diagram-second" x="{x:g}" y="{HEAD - 6:g}">{number} s</text>'


def _layer(told: dict[str, Any], layer: int, top: float, place: _Scale) -> Iterator[str]:
    names = told["timeline"]["layers"]
    yield _name(names[layer] if layer < len(names) else "", top)
    inside = [(at, row) for at, row in enumerate(told["keyframes"]) if row[2] == layer]
    for (at, (frame, name, _, boxes)), following in zip(inside, [*inside[1:], None], strict=True):
        left = place(frame)
        width = max(4.0, place(following[1][0] if following else place.last) - left - 1)
        label = f"Keyframe {name or at + 1} at frame {frame}, {boxes} box{'' if boxes == 1 else 'es'}"
        yield (
            f'<g class="diagram-keyframe" role="button" tabindex="0" data-place="{at}" '
            f'aria-label="{escape(label)}" aria-pressed="{str(at == told["place"]).lower()}">'
            f"<title>{escape(label)}</title>"
            f'<rect x="{left:g}" y="{top + 1:g}" width="{width:g}" height="{_ROW - 2:g}" rx="3"/>'
        )
        if width > _EACH_LETTER * 3:
            short = name[: int(width / _EACH_LETTER)]
            yield f'<text x="{left + 4:g}" y="{top + 12:g}" aria-hidden="true">{escape(short)}</text>'
        yield "</g>"


def _joint(actuator: str, is_mute: bool, keys: list[int], top: float, place: _Scale) -> Iterator[str]:
    yield _name(actuator, top, " mute" if is_mute else "")
    if keys:
        middle = top + _ROW / 2
        yield (
            f'<path class="diagram-motion{" mute" if is_mute else ""}" '
            f'd="M{place(min(keys)):g} {middle:g}H{place(max(keys)):g}"/>'
        )
        marks = "".join(f"M{place(key):g} {middle - 4:g}l4 4-4 4-4-4z" for key in keys)
        yield f'<path class="diagram-key{" mute" if is_mute else ""}" d="{marks}"/>'


def _name(name: str, top: float, more: str = "") -> str:
    short = name if len(name) <= LETTERS else name[: LETTERS - 1] + "…"
    return f'<text class="diagram-row{more}" x="{NAMES - 6:g}" y="{top + 12:g}">{escape(short)}</text>'
