"""Options that several commands share: a cluster, the role, rehearsals, files for a robot, a robot, and a page."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jotto import strategies
from jotto.rules import JOTTO, LETTERS, JottoError
from jotto.tree import HARD_TREES, MAX_TREE_BYTES, TREE_SUFFIX, USUAL_TREES, parse_tree
from jotto.words import WordList
from jotto_behaviour import mind
from jotto_behaviour.riddle import BREAKER, MAKER, RACE
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_CODES, LEVELS
from jotto_desk import files
from jotto_desk.cli import shell
from jotto_desk.cli.shell import ADVANCED, GAME, PAGE, PERSON, ROBOT, choice_option, option, words_option
from jotto_desk.errors import DeskError, MissingExtra, as_desk_errors
from jotto_desk.rehearsal.robots import RobotAddress, convert_robot_errors
from jotto_desk.words import lists
from naosim_page import PAGE_HOST, PAGE_PORT
from naosim_voice.names import RECOGNISERS

if TYPE_CHECKING:
    from jotto_desk.cluster import Cluster
    from naosim_page.access import Access
    from naosim_robots.far.connection import Connection

# What a command needs before it begins.


def require_modules(*modules: str, extra: str = "solve") -> None:
    """Raise `MissingExtra` if a module of the extra is missing."""
    # numpy would start a thread per core for products of matrices, which no command needs.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise MissingExtra(f"This needs {module}", extra) from error


def require_picture(picture: Path, *modules: str) -> None:
    """Raise `DeskError` if a picture cannot be drawn or written here, before the work whose results it will show."""
    require_modules(*modules)
    from jotto_desk import plots

    plots.check_picture_kind(picture)
    shell.check_outputs(picture)


def is_for_a_subcommand(context: typer.Context) -> bool:
    """Return whether a sub-command was called; raises `DeskError` for options before its name."""
    if context.invoked_subcommand is None:
        return False
    given = [name for name in context.params if str(context.get_parameter_source(name)).endswith("COMMANDLINE")]
    if given:
        raise DeskError(
            f"Options go after '{context.invoked_subcommand}', not before it: "
            f"jotto {context.info_name} {context.invoked_subcommand} --help lists them."
        )
    return True


# The options of a cluster, which `jotto solve`, `jotto bench` and `jotto rehearse` share.

_TRUST = (
    "Dask has no login and exchanges pickles, which can run anything: keep such a cluster among machines and "
    "people you trust, or use tls:// with --cluster-tls."
)


@dataclass(frozen=True)
class ClusterOptions:
    """The options that let the workers of a Dask cluster do the work."""

    cluster: Annotated[
        str,
        option(
            "A Dask scheduler whose workers do the work. Dask has no login and exchanges pickles: use only trusted "
            "machines, or TLS.",
            panel=ADVANCED,
            metavar="tcp://HOST:PORT",
        ),
    ] = ""
    cluster_tls: Annotated[
        Path | None,
        option(
            "Use TLS with a cluster at tls://HOST:PORT; the folder has ca.pem, cert.pem and key.pem.",
            panel=ADVANCED,
            metavar="FOLDER",
        ),
    ] = None

    @contextlib.contextmanager
    def open_cluster(self, remark: Callable[[str], object] = lists.print_remark) -> Iterator[Cluster | None]:
        """Connect to the cluster, if there is one; `remark` gets notes, also about lost workers. Raises `DeskError`."""
        if self.cluster_tls and not self.cluster:
            raise DeskError(f"--cluster-tls '{self.cluster_tls}' is for a cluster; give --cluster tls://HOST:PORT too.")
        if not self.cluster:
            yield None
            return
        if not self.cluster.startswith("tls:"):
            remark(_TRUST)
        from jotto_desk.cluster import connect_cluster

        with connect_cluster(self.cluster, self.cluster_tls, remark) as cluster:
            yield cluster


# The option --role, which also takes the names that NAO's role has in the code.

NAO_GUESSES = "nao-guesses"
_I_GUESS = "i-guess"
REHEARSED_ROLES = (NAO_GUESSES, _I_GUESS)
ALL = (*REHEARSED_ROLES, RACE)


def role_option(help: str, panel: str | None = None, roles: Sequence[str] = ALL) -> Any:
    """Declare --role; the command gets NAO's role: `breaker`, `maker` or `race`."""
    names = f"You can also name NAO's role: {BREAKER} guesses, {MAKER} thinks of a word."
    values = {NAO_GUESSES: BREAKER, _I_GUESS: MAKER}
    return choice_option("--role", roles, f"{help} {names}", panel=panel, stands_for=values)


# Options that `jotto rehearse` shares with other commands.

STRATEGIES = """NAO's strategy: tree (entropy if the list has no tree), entropy or consistent; belief is tree, but NAO
plays on if an answer may be wrong."""
_LEVEL = """easy: NAO picks words that a child knows, gives hints and guesses like a person; normal: common words; hard:
rarer words, and NAO expects any word of yours."""
_LANGUAGE = "Language of NAO's speech and of the words; default: the robot's own."
_TREE = "A tree file for the list; default: the .tree file next to the list, or the game's own."
Language = Annotated[str, choice_option("--language", LANGUAGE_CODES, _LANGUAGE, panel=GAME)]
Level = Annotated[str, choice_option("--level", LEVELS, _LEVEL, panel=GAME)]
Strategy = Annotated[str, choice_option("--strategy", tuple(strategies.STRATEGIES), STRATEGIES, panel=GAME)]
PlayedList = Annotated[str, words_option("A word list: file, URL or name.", "--words", panel=GAME)]
TreeFile = Annotated[str, option(_TREE, "--tree", panel=ADVANCED, metavar="FILE")]
RecogniserName = Annotated[
    str,
    choice_option(
        "--recogniser",
        tuple(RECOGNISERS),
        "Speech recogniser; default: moonshine if it is installed, else pocketsphinx; in rehearsals pocketsphinx.",
        panel=ADVANCED,
        show_default=False,
    ),
]
Seed = Annotated[int, shell.seed_option("The same seed plays the same games.", panel=ADVANCED)]
Noise = Annotated[
    str,
    option(
        "Noise around the voice: quiet (none), or white, babble, echo, talker, music or fan with :DB; the voice is DB "
        "decibels louder.",
        "--noise",
        panel=PERSON,
        metavar="NOISE",
    ),
]

# Options of simulated robots and of services for other programs.

Interpreter = Annotated[
    str, option("The Python interpreter that runs behaviours.", "--python", panel=ADVANCED, metavar="PATH")
]
Missing = Annotated[
    list[str] | None,
    option(
        "A service that NAO lacks.",
        "--without",
        panel=ADVANCED,
        metavar="SERVICE",
        autocompletion=shell.complete_services,
    ),
]
OpenPort = Annotated[
    bool,
    option(
        "Listen for other computers too. There is no login: anyone who can reach the port can do anything.",
        "--insecure",
    ),
]


# The list of a game and its trees, in files for the robot.


@contextlib.contextmanager
def load_playable_list(source: str, tree: str = "", language: str = DEFAULT_LANGUAGE) -> Iterator[tuple[WordList, str]]:
    """Load a list for a game; yield the words and the path of a file for the robot, "" for the robot's own list.

    Without a source it is the list of the language.

    The tree of --tree, or the trees next to the list, are next to that file. Raises `DeskError` if something cannot be
    read, or if the tree of --tree is not for this list.
    """
    wordlist = lists.load_list(source, JOTTO) if source else _load_own_list(language)
    plain = _load_own_list(language, own=False)
    walked = (
        {USUAL_TREES + TREE_SUFFIX: _read_given_tree(tree, wordlist, language)} if tree else _read_trees_beside(source)
    )
    if wordlist.checksum == plain.checksum and not walked:
        yield wordlist, ""
        return
    with tempfile.TemporaryDirectory(prefix="jotto-") as folder:
        path = Path(folder) / (Path(wordlist.name).stem[:60] + ".tsv")
        files.write_whole(path, _format_list(wordlist))
        for ending, content in walked.items():
            files.write_whole(f"{path.with_suffix('')}{ending}", content)
        yield wordlist, str(path)


def _load_own_list(language: str, own: bool = True) -> WordList:
    """Return the game's list of a language, in English with the user's own words. Raises `DeskError`."""
    if language == DEFAULT_LANGUAGE:
        return lists.load_default_list(JOTTO, own=own)
    if not mind.has_words(language):
        raise DeskError(f"There is no word list '{language}.tsv' yet; give one with --words LIST.")
    wordlist: WordList = lists.parse_list(lists.find(language), JOTTO, mind.load_block_list(language)).wordlist
    return wordlist


def _read_given_tree(tree: str, wordlist: WordList, language: str) -> bytes:
    """Read the tree of --tree; raises `DeskError` if the robot would ignore it."""
    content = files.read_bounded(tree, MAX_TREE_BYTES, "tree file")
    blocked, shipped = mind.load_block_list(language), mind.get_default_list(language)
    try:
        mind.bind_tree(parse_tree(content), wordlist, lambda word: not blocked.blocks(word), shipped)
    except JottoError as error:
        raise DeskError(f"The tree '{tree}' cannot be played with list {wordlist.name}: {error}") from error
    return content


def _format_list(wordlist: WordList) -> str:
    """Return a list as text for the robot: its letters if they are not a to z, and words with their accents."""
    head = "" if wordlist.letters == LETTERS else f"# Letters: {wordlist.letters}\n"
    written = ((wordlist.write_word(word), band) for word, band in zip(wordlist.words, wordlist.bands, strict=True))
    return head + "".join(f"{word}\t{band}\n" if band else f"{word}\n" for word, band in written)


def _read_trees_beside(source: str) -> dict[str, bytes]:
    """Read the trees next to a list file, by the ends of their names; a too long one by one byte more than allowed."""
    found: dict[str, bytes] = {}
    if not source or source in lists.list_names() or not Path(source).is_file():
        return found
    stem = os.path.splitext(source)[0]
    for place in (path for kind in (USUAL_TREES, HARD_TREES) for path in mind.list_tree_paths(source, kind)):
        with contextlib.suppress(OSError), open(place, "rb") as file:
            found[place.removeprefix(stem)] = file.read(MAX_TREE_BYTES + 1)
    return found


# Options for a robot on the network.

#: Environment variables of the robot's user and password.
USER = "JOTTO_ROBOT_USER"
PASSWORD = "JOTTO_ROBOT_PASSWORD"
_robot_option = functools.partial(option, panel=ROBOT)
Url = Annotated[
    str,
    _robot_option(
        "A robot, real or simulated: nao.local, 192.168.1.5:9559, tcp://127.0.0.1:9559.", "--robot", metavar="URL"
    ),
]
User = Annotated[str, _robot_option("User name, if the robot asks for one (NAOqi 2.9).", metavar="NAME", envvar=USER)]
PasswordFile = Annotated[
    Path | None, _robot_option(f"A file with the user's password; default: the variable {PASSWORD}.", metavar="FILE")
]
Patience = Annotated[
    float, _robot_option("Seconds to wait if the robot is lost during a game.", metavar="SECONDS", min=1, max=3600)
]


def robot_address(
    url: str, user: str = "", password_file: Path | None = None, patience: float = 60.0
) -> RobotAddress | None:
    """Return the address that the options give, None without a robot. Raises `DeskError` for a contradiction."""
    if not url:
        if password_file is not None:
            raise DeskError("--password-file is for a robot: name it with --robot URL.")
        return None
    password = os.environ.get(PASSWORD, "")
    if password_file is not None:
        if not user:
            raise DeskError("A password needs a user; name the user with --user NAME.")
        with convert_robot_errors():
            from naosim_robots.addresses import read_password

            password = read_password(password_file)
    return RobotAddress(url, user, password, patience)


def require_robot(url: str, user: str, password_file: Path | None) -> RobotAddress:
    """Return the address that the options give; raises `DeskError` without one."""
    far = robot_address(url, user, password_file)
    if far is None:
        raise DeskError("Name the robot with --robot URL, such as --robot nao.local.")
    return far


@contextlib.contextmanager
def open_connection(far: RobotAddress, patience: float = 0.0) -> Iterator[Connection]:
    """Connect to a robot, which can be out of reach for `patience` seconds; raises `DeskError`."""
    with convert_robot_errors():
        # libqi is imported late, so that the other commands start fast.
        from naosim_robots.far.connection import Connection

        remark = functools.partial(print, file=sys.stderr)
        connection = Connection(far.url, far.user, far.password, patience=patience, tell=remark)
    try:
        yield connection
    finally:
        connection.close()


# Options of a page in the browser, and the pages of Mastermind and Wordle.

_page_option = functools.partial(option, panel=PAGE)


@dataclass(frozen=True)
class PageAddress:
    """The options of a page's address, TLS and token."""

    page: Annotated[bool, _page_option("Open a page in the browser; by default only for this computer.", "--page")] = (
        False
    )
    port: Annotated[int, shell.port_option(panel=PAGE)] = PAGE_PORT
    host: Annotated[
        str,
        _page_option(
            "Let other computers connect, with --tls: an address of this computer, or 0.0.0.0 for all of them.",
            metavar="ADDRESS",
        ),
    ] = PAGE_HOST
    tls: Annotated[
        bool,
        _page_option("Use TLS with a certificate made here: browsers warn once, then allow the microphone.", "--tls"),
    ] = False
    certificate: Annotated[
        Path | None, _page_option("The certificate of the page (PEM).", "--tls-cert", metavar="FILE")
    ] = None
    key: Annotated[Path | None, _page_option("The certificate's key (PEM).", "--tls-key", metavar="FILE")] = None
    token: Annotated[
        str, _page_option("Token in the page's URL; random by default if other computers can connect.", metavar="TEXT")
    ] = ""


@dataclass(frozen=True)
class PageOptions(PageAddress):
    """The options of a page."""

    insecure: Annotated[
        bool,
        _page_option(
            "Let other computers connect without TLS and token: anyone who can reach the port can use the page.",
            "--insecure",
        ),
    ] = False

    def open_access(self) -> Access:
        """Return the page's address, TLS and token. Raises NaosimError; call it within `convert_page_errors`."""
        from naosim_page.access import check_access

        files = {"certificate": str(self.certificate or ""), "key": str(self.key or "")}
        return check_access(self.host, self.port, insecure=self.insecure, token=self.token, tls=self.tls, **files)

    def check(self) -> None:
        """Raise `DeskError` for options that need a page if none exists."""
        names = {"certificate": "tls-cert", "key": "tls-key"}
        for one in () if self.page else fields(self):
            if getattr(self, one.name) != one.default:
                raise DeskError(f"--{names.get(one.name, one.name)} is for a page: give --page, too.")


@dataclass(frozen=True)
class RecordedPageOptions(PageOptions):
    """The options of a page that can be recorded, or show a recording."""

    record: Annotated[Path | None, _page_option("Record what you do, for --replay.", metavar="FILE")] = None
    replay: Annotated[
        Path | None, _page_option("Show a recording; you can go to any moment of it.", metavar="FILE")
    ] = None


@contextlib.contextmanager
def convert_page_errors() -> Iterator[None]:
    """Turn errors of a page into `DeskError`; also raises it if the page's libraries are missing."""
    # The simulator is imported late, so that the other commands start fast.
    from naosim.errors import NaosimError

    missing = [name for name in ("uvicorn", "websockets") if find_spec(name) is None]
    if missing:
        raise MissingExtra(f"The page needs {missing[0]}", "page")
    with as_desk_errors(NaosimError):
        yield


def serve_table(start: str, title: str, page: PageOptions, **tables: Any) -> None:
    """Serve a game without NAO until Ctrl-C; all browsers see the same. Raises `DeskError`.

    `start` is the page's first view, and `tables` are the games as in `GamePage`.
    """
    with convert_page_errors():
        from jotto_desk.play.page import GamePage, NoRobot, SharedPage
        from jotto_desk.play.page.site import GAME_FILES
        from naosim_page.server import PageContent, serve_page

        views = SharedPage(GamePage(NoRobot(), **tables))
        content = PageContent(title, start, DEFAULT_LANGUAGE, views, GAME_FILES)
        serve_page(None, content, page.open_access(), what=title)
