"""The items of pytest: each talk of a `*.talk.yaml` file is one, on each Python that it names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from naosim.errors import NaosimError, WrongUse

from .reader import WrongTalk
from .running import TalkOutcome, choose_opener, repeat_talk
from .talk import Talk, read_talks

_MOST_FAILED = 3  # runs of a repeated talk that a report shows


class TalkFile(pytest.File):
    """A file of talks."""

    def collect(self) -> Iterable[TalkItem]:
        """Return an item for each talk and Python; raises CollectError with the sentence of a wrong file."""
        try:
            talks = read_talks(self.path)
        except WrongTalk as error:
            raise self.CollectError(str(error)) from None
        return [
            TalkItem.from_parent(self, name=_name_item(talk, python), talk=talk, python=python)
            for talk in talks
            for python in talk.setup.pythons
        ]


def _name_item(talk: Talk, python: str) -> str:
    return talk.name if talk.setup.pythons == ["3"] else f"{talk.name} (Python {python})"


class TalkItem(pytest.Item):
    """One talk on one Python."""

    def __init__(self, *, talk: Talk, python: str, **options: Any) -> None:
        super().__init__(**options)
        self.talk, self.python = talk, python

    def runtest(self) -> None:
        """Run the talk, as often as it says."""
        try:
            opener = choose_opener(self.python)
        except WrongUse as error:
            pytest.skip(str(error))
        outcomes = list(repeat_talk(self.talk, opener))
        if any(each.difference is not None for each in outcomes):
            raise TalkFailed(outcomes)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the report of a talk without the calls inside."""
        if isinstance(excinfo.value, TalkFailed | NaosimError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the line counted from 0, and the name."""
        return self.path, self.talk.place.line - 1, self.name


class TalkFailed(Exception):
    """A talk was not as wanted; the text has each sentence with its transcript."""

    def __init__(self, outcomes: list[TalkOutcome]) -> None:
        failed = [each for each in outcomes if each.difference is not None]
        lines = [f"{len(failed)} of {len(outcomes)} runs differ:"] if len(outcomes) > 1 else []
        for each in failed[:_MOST_FAILED]:
            lines += [f"the seed {each.seed}:"] if len(outcomes) > 1 else []
            lines.append(each.report)
        super().__init__("\n".join(lines))
