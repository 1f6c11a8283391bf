"""`jotto play --page`: the game on a page in the browser, with NAO, or every visitor's NAO, in a process of its own."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from jotto_behaviour import memory
from jotto_behaviour.settings import DEFAULT_LANGUAGE

from ...errors import DeskError
from ..page_options import PageOptions, paging
from ..simulated_robot import behaviour_file, checked_services, import_paths
from .voice_choice import UNASKED, VoiceChosen, played_in

if TYPE_CHECKING:
    from naosim_live.page.live_robot import LiveRobot
    from naosim_live.page.shown_robot import ShownRobot

TITLE = "NAO plays Jotto"


def play_on_page(
    settings: dict[str, Any],
    without: Sequence[str],
    forget: bool,
    page: PageOptions,
    draws_seeds: bool,
    voiced: VoiceChosen | None,
) -> None:
    """Serve the page of a game, or of a recorded one, until Ctrl-C; raises `DeskError`.

    With `draws_seeds` every visitor's game is another one. Unless `voiced` says how, a page hears where it can.
    """
    if page.replay is not None:
        _replay(page.replay, settings, page)
        return
    with paging(), contextlib.ExitStack() as stack:
        from jotto_desk.page.page_texts import page_texts
        from jotto_desk.page.panels import game_panels
        from naosim_live.page.behaviour import start
        from naosim_live.page.panels import panels
        from naosim_live.page.recording.recording_file import keeping
        from naosim_live.page.server import serve_page
        from naosim_live.page.speech.microphones import Microphones
        from naosim_live.page.visitors.visits import EachItsOwn

        checked_services(without)
        entrance = page.entrance()
        language = settings.get("language", "")
        texts = page_texts(language)
        microphones = Microphones() if voiced is None else voiced.microphones()
        # Ears that were not asked for know English alone.
        hears = not microphones.missing and (voiced is not None or language in ("", DEFAULT_LANGUAGE))
        hearing = UNASKED.settings() if hears else {}
        robots = VisitorsRobots(hearing | settings, without, forget, draws_seeds, voiced)
        shown: LiveRobot | EachItsOwn[LiveRobot]
        if page.visitors == 1:
            shown = stack.enter_context(robots.opened())
            stack.enter_context(keeping(shown.recording, str(page.record or "")))
        else:
            shown = EachItsOwn(robots.opened, page.visitors)
        serve_page(
            shown,
            (*panels(microphones), *game_panels(settings["words"], robots.folders.get)),
            port=page.port,
            title=texts(TITLE),
            greet=start,
            entrance=entrance,
            texts=texts,
            microphones=microphones,
        )


def _replay(file: Path, settings: dict[str, Any], page: PageOptions) -> None:
    """Serve the page of a recorded game until Ctrl-C; raises `DeskError`."""
    with paging():
        from jotto_desk.page.page_texts import page_texts
        from jotto_desk.page.panels import game_panels
        from naosim_live.page.panels import panels
        from naosim_live.page.recorded.recorded_robot import RecordedRobot
        from naosim_live.page.recording.recording_file import load
        from naosim_live.page.server import serve_page
        from naosim_live.page.speech.microphones import Microphones

        entrance, recording = page.entrance(), load(str(file))
        shown = RecordedRobot(recording, texts=page_texts(settings.get("language", "")))
        serve_page(
            shown,
            (*panels(Microphones()), *game_panels(settings["words"], lambda _: None)),
            port=page.port,
            title=recording.title,
            entrance=entrance,
            texts=shown.texts,
        )


class VisitorsRobots:
    """Robots with a game loaded; `folders` has where each keeps its notebook."""

    def __init__(
        self,
        settings: dict[str, Any],
        without: Sequence[str],
        forget: bool,
        draws_seeds: bool,
        voiced: VoiceChosen | None = None,
    ) -> None:
        self._settings, self._without, self._forget, self._draws_seeds = settings, without, forget, draws_seeds
        self._language = settings.get("language", "")
        self._languages = played_in(self._language, voiced)
        self.folders: WeakKeyDictionary[ShownRobot, Path] = WeakKeyDictionary()

    @contextlib.contextmanager
    def opened(self, visitor: str = "") -> Iterator[LiveRobot]:
        """Open a robot for a visitor, "" for everybody; raises NaosimError."""
        from jotto_desk.page.page_texts import page_texts
        from naosim_live.hosting import HostedRobot
        from naosim_live.page.behaviour import load
        from naosim_live.page.live_robot import LiveRobot

        settings = self._settings_for(visitor)
        with HostedRobot(without=self._without, languages=self._languages, import_paths=import_paths()) as robot:
            _store(robot, memory.SETTINGS_KEY, json.dumps(settings))
            if self._forget:
                _store(robot, memory.GAME_KEY, "")
            load(robot, str(behaviour_file()))
            shown = LiveRobot(robot)
            shown.recording.title, shown.texts = TITLE, page_texts(self._language)
            if settings["folder"]:
                self.folders[shown] = Path(settings["folder"])
            yield shown

    def _settings_for(self, visitor: str) -> dict[str, Any]:
        if not visitor:
            return self._settings
        from jotto_desk.page.notebooks import notebook

        folder, seed = self._settings["folder"], self._settings["seed"]
        return {
            **self._settings,
            "folder": str(notebook(Path(folder), visitor)) if folder else "",
            "seed": secrets.randbelow(2**31 - 1) + 1 if self._draws_seeds else seed,
        }


def _store(robot: Any, key: str, value: str) -> None:
    """Store a text in the robot's memory."""
    try:
        robot.call("ALMemory", "insertData", [key, value]).result()
    except RuntimeError as error:
        raise DeskError(str(error)) from error
