"""The static site of Jotto: the parts of this project that run in the browser."""

from fnmatch import fnmatch
from pathlib import Path

from jotto_desk.files import find_shipped_path
from naosim_page.site import GameFiles, WorkerContent

#: The modules of jotto_desk that the worker imports.
_DESK_MODULES = ("__init__.py", "addresses.py", "errors.py", "files.py", "history.py")
#: Folders of which the worker gets only some files, by name in its archive.
_CHOSEN_FOLDERS = (
    *("jotto_desk/conversation", "jotto_desk/games", "jotto_desk/play", "jotto_desk/words"),
    "jotto_desk/shipped/wordlists",
)
#: Files in them that the page does not use: another game, dialogues of the terminal, results of recognisers, the
#: programs that make the site and lists, and trees for comparison.
_UNUSED_FILES = (
    "*gladiators*",
    "jotto_desk/conversation/confidence.py",
    "jotto_desk/conversation/heard/*",
    "jotto_desk/games/assist.py",
    "jotto_desk/games/wordle_dialogue.py",
    "jotto_desk/play/terminal.py",
    "jotto_desk/play/table.py",
    "jotto_desk/play/robot_tables.py",
    "jotto_desk/play/page/site.py",
    "jotto_desk/play/page/static/*",
    "*/__pycache__/*",
    "jotto_desk/words/building.py",
    "*/wordlists/*.json",
    "*/wordlists/SOURCES.md",
    "*/wordlists/*-left-out.txt",
    "*/wordlists/en-proven.tree",
    "*/wordlists/en-sharpest.tree",
    "*/wordlists/en-within-6.tree",
)
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
    """Return the packages and data that the worker needs in addition to naosim, by name in its archive."""
    import jotto
    import jotto_behaviour

    desk = Path(__file__).resolve().parents[2]
    folders = {"jotto": Path(jotto.__file__).parent, "jotto_behaviour": Path(jotto_behaviour.__file__).parent}
    folders |= {f"jotto_desk/{name}": desk / name for name in _DESK_MODULES}
    folders["jotto_desk/shipped/choregraphe_project"] = find_shipped_path("choregraphe_project")
    for name in _CHOSEN_FOLDERS:
        place = find_shipped_path("wordlists") if name.endswith("wordlists") else desk.parent / name
        files = {f"{name}/{path.relative_to(place).as_posix()}": path for path in place.rglob("*") if path.is_file()}
        folders |= {file: path for file, path in files.items() if not any(fnmatch(file, one) for one in _UNUSED_FILES)}
    return folders


def collect_worker_content() -> WorkerContent:
    """Return the content of the workers of the game's page."""
    return WorkerContent(find_site_folders(), BEHAVIOUR, find_site_examples())
