"""Where speech begins and ends in a stream of sound: louder than the room, and like a voice.

If people talk in the room most of the time, such as those of a television, only a voice that is clearly louder than
theirs is speech, and it is cut out closely: a recogniser takes their words around it for a part of its sentence.
"""

import copy
import math
from array import array
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

#: Samples a second of all sound here, and bytes of a sample.
RATE, WIDTH = 16_000, 2
#: Seconds of sound judged at a time.
_FRAME = 0.03
_FRAME_BYTES = int(RATE * _FRAME) * WIDTH
#: Decibels above the room at which speech begins, at the sensitivities 0 and 1.
_DEAFEST, _KEENEST = 11.0, 5.0
#: Speech has ended so many decibels below its loudest frames.
_FADED = 18.0
#: Nothing quieter is speech: decibels below full scale.
_SILENT = -62.0
#: Seconds: of speech before it counts, of silence that ends it, of sound kept before and after it, of the longest one.
_BEGINS_AFTER, _ENDS_AFTER, _BEFORE, _AFTER, _LONGEST = 0.09, 0.45, 0.3, 0.25, 8.0
#: The same for somebody who can be spelling, with pauses between the letters.
_SPELLING_ENDS_AFTER, _LONGEST_SPELLING = 0.9, 15.0
#: Frames that are kept before speech is noticed, and of silence after it.
_KEPT_BEFORE, _KEPT_AFTER = int((_BEFORE + _BEGINS_AFTER + 2 * _FRAME) / _FRAME), int(_AFTER / _FRAME)
#: Seconds without speech over which the loudness of the room is the median, and those it takes to know it.
_ROOM, _KNOWN_AFTER = 3.0, 0.24
#: Seconds of the room before speech that are stored, and the last of them, which can be speech already.
_HEARD_BEFORE, _FAINT = 1.0, 0.18
#: Seconds over which the loudness of the talkers in the room is known, and the least of them.
_TALKERS, _TALKERS_AFTER = 10.0, 5.0
#: People talk in a room whose quietest tenth is so many decibels fainter than this share of the frames.
_TALK_RANGE, _TALK_SHARE = 8.0, 0.5
#: The share of frames that are fainter than the loudness of the talkers, and decibels above it at which a near voice
#: begins and ends.
_FAINTER, _NEAR_BEGINS, _NEAR_ENDS = 0.9, 4.0, 1.0
#: Seconds of the longest answer that is not spelled: longer speech can be that of talkers in the room.
_LONGEST_ANSWER = 3.0
#: Frames that are kept before and after a near voice: of 108 numbers of three people, next to a talker 10 dB fainter,
#: NAO understood 49 immediately and none wrongly, and 25 and 3 with five frames before and seven after it.
_KEPT_AROUND = 1
#: A frame as loud as speech takes back so many quiet ones: in babble some are louder than the room.
_TAKES_BACK = 2


class Stretch(NamedTuple):
    """Sound with speech in it, and when the speech began and ended, in seconds since the stream began.

    `room` is the sound before it. `is_near` says that it was cut out of the words of people who talk in the room.
    """

    pcm: bytes
    began: float
    ended: float
    room: bytes = b""
    is_near: bool = False


def level(frame: bytes) -> float:
    """Return the loudness of a frame, in decibels below full scale."""
    samples = array("h", frame)
    power = math.hypot(*samples) ** 2 / max(1, len(samples))
    return 10 * math.log10(power / 32768**2 + 1e-10)


#: Decibels between the loudest and the quietest fifth of a segment: of speech in a loud room, and in a quiet one.
_LOUD_ROOM, _QUIET_ROOM = 15.0, 35.0
_FIFTH = 5


def measure_clarity(pcm: bytes) -> float:
    """Return the clarity of speech above the noise of its room, from 0 to 1."""
    frames = [pcm[at : at + _FRAME_BYTES] for at in range(0, len(pcm) - _FRAME_BYTES + 1, _FRAME_BYTES)]
    if len(frames) < _FIFTH:
        return 0.0
    levels, count = sorted(map(level, frames)), max(1, len(frames) // _FIFTH)
    above = (sum(levels[-count:]) - sum(levels[:count])) / count
    return min(1.0, max(0.0, (above - _LOUD_ROOM) / (_QUIET_ROOM - _LOUD_ROOM)))


class _Frame(NamedTuple):
    pcm: bytes
    loudness: float


class _Levels:
    """The loudnesses of the last frames, which are kept sorted."""

    def __init__(self, seconds: float) -> None:
        self._last: deque[float] = deque(maxlen=int(seconds / _FRAME))
        self._sorted: list[float] = []

    def __len__(self) -> int:
        return len(self._sorted)

    def extend(self, frames: Iterable[_Frame]) -> None:
        for frame in frames:
            if len(self._last) == self._last.maxlen:
                del self._sorted[bisect_left(self._sorted, self._last[0])]
            self._last.append(frame.loudness)
            insort(self._sorted, frame.loudness)

    def find(self, share: float) -> float:
        """Return the loudness that this share of the frames does not reach."""
        return self._sorted[int(len(self) * share)]

    def find_talkers(self) -> float:
        """Return how loud the talkers are, in decibels; minus infinity if people talk less than half of the time."""
        is_known = len(self) * _FRAME >= _TALKERS_AFTER
        is_talk = is_known and self.find(1 - _TALK_SHARE) > self.find(0.1) + _TALK_RANGE
        return self.find(_FAINTER) if is_talk else -math.inf


class Endpoints:
    """Finds the segments of speech in a stream; `is_voice` judges one frame, together with its loudness.

    `may_end` gets the segment that will be found if nothing more is said, before the silence is long enough to tell. If
    it says that this is a whole answer, a near voice has ended: people who talk in the room make no silence for it.
    `is_other_speech` says of a whole segment that it was not for NAO, so that it belongs to the room.
    """

    def __init__(
        self,
        is_voice: Callable[[bytes], bool],
        sensitivity: float = 0.5,
        may_end: Callable[[Stretch], object] = lambda stretch: False,
        is_other_speech: Callable[[Stretch], bool] = lambda stretch: False,
    ) -> None:
        self._is_voice, self._may_end, self._is_other_speech = is_voice, may_end, is_other_speech
        self._before: deque[_Frame] = deque(maxlen=_KEPT_BEFORE)
        self._quiet = 0
        self._loudest = self._room = _SILENT
        self._talkers = -math.inf
        self._began = 0.0
        self._starts = 0
        self.forget_room()
        self.restart(sensitivity)

    def restart(self, sensitivity: float, may_spell: bool = False) -> None:
        """Drop the unfinished speech and count seconds from the start; keep the level of the room's noise."""
        self._ends_after, self._longest = _ENDS_AFTER, _LONGEST
        if may_spell:
            self._ends_after, self._longest = _SPELLING_ENDS_AFTER, _LONGEST_SPELLING
        self._above = _DEAFEST + (_KEENEST - _DEAFEST) * sensitivity
        self._rest = b""
        self._speech: list[_Frame] = []
        self._long_levels: _Levels | None = None
        self._frames = self._loud = 0
        self._before.clear()

    def forget_room(self) -> None:
        """Forget the sound of the room."""
        self._levels, self._talk_levels = _Levels(_ROOM), _Levels(_TALKERS)
        self._heard: deque[_Frame] = deque(maxlen=int(_HEARD_BEFORE / _FRAME))

    @property
    def is_inside(self) -> bool:
        """Return whether somebody speaks."""
        return bool(self._speech)

    def feed(self, pcm: bytes) -> list[float | Stretch]:
        """Take in sound; return the beginnings of speech (seconds) and the whole segments that it holds."""
        self._rest += pcm
        found: list[float | Stretch] = []
        while len(self._rest) >= _FRAME_BYTES:
            pcm, self._rest = self._rest[:_FRAME_BYTES], self._rest[_FRAME_BYTES:]
            frame = _Frame(pcm, level(pcm))
            self._frames += 1
            event = self._inside(frame) if self._speech else self._outside(frame)
            if event is not None:
                found.append(event)
        return found

    def _outside(self, frame: _Frame) -> float | None:
        """Wait for frames that are louder than the room, in a row."""
        for each in (self._before, self._heard, self._levels, self._talk_levels):
            each.extend([frame])
        # The loudness of the room is the median of the last frames without speech.
        room, self._talkers = self._levels.find(0.5), self._talk_levels.find_talkers()
        bound = max(room + self._above, self._talkers + _NEAR_BEGINS, _SILENT)
        is_loud = len(self._levels) * _FRAME >= _KNOWN_AFTER and frame.loudness > bound
        is_speech = is_loud and self._is_voice(frame.pcm)
        self._loud = self._loud + 1 if is_speech else max(0, self._loud - 1)
        if self._loud * _FRAME < _BEGINS_AFTER:
            return None
        self._room = room
        for _ in range(min(len(self._heard), int(_FAINT / _FRAME))):
            self._heard.pop()
        return self._begin(list(self._before), frame.loudness)

    def _begin(self, speech: list[_Frame], loudness: float) -> float:
        """Begin a segment that has these frames so far."""
        self._speech, self._loudest, self._quiet = speech, loudness, 0
        self._began = max(0.0, self._frames * _FRAME - _BEGINS_AFTER)
        self._starts = max(0, len(speech) - self._loud)
        return self._began

    def _find_near(self, frame: _Frame) -> float | None:
        """Return where a near voice begins in long speech, which is then that of talkers in the room."""
        if self._long_levels is None:
            self._long_levels, self._loud = copy.deepcopy(self._talk_levels), 0
            self._long_levels.extend(self._speech[:-1])
        talkers = self._long_levels.find_talkers()
        self._long_levels.extend([frame])
        self._loud = self._loud + 1 if frame.loudness > talkers + _NEAR_BEGINS > -math.inf else max(0, self._loud - 1)
        if self._loud * _FRAME < _BEGINS_AFTER:
            return None
        self._talkers = talkers
        self._talk_levels.extend(self._speech[: -self._loud])
        return self._begin(self._speech[-_KEPT_BEFORE:], frame.loudness)

    def _inside(self, frame: _Frame) -> float | Stretch | None:
        """Wait for the silence that ends the speech, or for a near voice next to it."""
        self._speech.append(frame)
        if self._talkers == -math.inf and self._longest == _LONGEST and len(self._speech) * _FRAME > _LONGEST_ANSWER:
            began = self._find_near(frame)
            if began is not None:
                return began
        self._loudest = max(self._loudest, frame.loudness)
        # Half way from the room to where speech begins.
        bound = max(self._room + self._above / 2, self._loudest - _FADED, self._talkers + _NEAR_ENDS)
        is_quiet = frame.loudness < bound
        self._quiet = self._quiet + 1 if is_quiet else max(0, self._quiet - _TAKES_BACK)
        if len(self._speech) * _FRAME >= self._longest:
            # No voice but a louder room.
            louder, stretch = self._speech, self._end()
            for each in (self._levels, self._talk_levels, self._heard):
                each.extend(louder)
            return stretch
        may_end = is_quiet and self._quiet == _KEPT_AFTER
        is_whole = may_end and self._may_end(self._stretch()) and self._talkers > -math.inf
        if not is_whole and self._quiet * _FRAME < self._ends_after:
            return None
        speech, stretch = self._speech, self._end()
        if self._is_other_speech(stretch):
            self._talk_levels.extend(speech)
        return stretch

    def _stretch(self) -> Stretch:
        first, last = 0, len(self._speech) - max(0, self._quiet - _KEPT_AFTER)
        if self._talkers > -math.inf:
            first, last = self._starts - _KEPT_AROUND, len(self._speech) - max(0, self._quiet - _KEPT_AROUND)
        speech, room = (
            b"".join(frame.pcm for frame in frames) for frames in (self._speech[max(0, first) : last], self._heard)
        )
        return Stretch(speech, self._began, (self._frames - self._quiet) * _FRAME, room, self._talkers > -math.inf)

    def _end(self) -> Stretch:
        stretch = self._stretch()
        self._speech, self._long_levels, self._loud = [], None, 0
        self._before.clear()
        return stretch
