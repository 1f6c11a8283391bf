"""The static site of Jotto: what of this project runs in the browser."""

from pathlib import Path

from jotto_desk.files import find_shipped_path
from naosim_page.site import GameFiles, WorkerContent

#: The modules of jotto_desk that the worker imports.
_DESK_MODULES = ("__init__.py", "addresses.py", "errors.py", "files.py", "history.py")
_DESK_PACKAGES = ("conversation", "play", "words")
#: Data of games that the page does not offer.
_UNUSED_TREES = "gladiators"
BEHAVIOUR = "/nao/jotto_desk/shipped/choregraphe_project/behavior_1/behavior.xar"
MODULE = "jotto_desk.play.page.worker"
GAME_FILES = GameFiles(
    Path(__file__).with_name("static"),
    "Jotto",
    "Play Jotto with a simulated NAO robot in your browser, or run your own behaviour.",
)


def find_site_examples() -> dict[str, Path]:
    """Return the projects of this checkout that are examples to start from, by name."""
    return {"greeting": find_shipped_path("docs/greeting")}


def find_site_folders() -> dict[str, Path]:
    """Return the packages and data that the worker needs besides naosim, by name in its archive."""
    import jotto
    import jotto_behaviour

    desk = Path(__file__).resolve().parents[2]
    folders = {"jotto": Path(jotto.__file__).parent, "jotto_behaviour": Path(jotto_behaviour.__file__).parent}
    folders |= {f"jotto_desk/{name}": desk / name for name in (*_DESK_MODULES, *_DESK_PACKAGES)}
    games = [path for path in (desk / "games").rglob("*") if path.is_file() and _UNUSED_TREES not in path.parts]
    folders |= {f"jotto_desk/{path.relative_to(desk).as_posix()}": path for path in games}
    folders |= {f"jotto_desk/shipped/{name}": find_shipped_path(name) for name in ("wordlists", "choregraphe_project")}
    return folders


def collect_worker_content() -> WorkerContent:
    """Return what the workers of the game's page can run."""
    return WorkerContent(find_site_folders(), BEHAVIOUR, find_site_examples())
