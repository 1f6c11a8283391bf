"""Options that several commands share: the game, its list and trees, the role, rehearsals, a robot, and a page."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jotto import strategies
from jotto.feedback import MARKS
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import JOTTO, LETTERS, JottoError, Rules
from jotto.tree import HARD_TREES, MAX_TREE_BYTES, TREE_SUFFIX, USUAL_TREES, parse_tree
from jotto.words import BlockList, WordList
from jotto_behaviour import mind
from jotto_behaviour.riddle import BREAKER, MAKER, RACE
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_CODES, LEVELS
from jotto_desk import files
from jotto_desk.addresses import hide_login
from jotto_desk.cli import shell
from jotto_desk.cli.shell import ADVANCED, DEFAULT_LIST, GAME, PAGE, PERSON, ROBOT, choice_option, option, words_option
from jotto_desk.errors import DeskError, MissingExtra, as_desk_errors
from jotto_desk.games.advice import GAME_RULES, SYMBOLS, describe_answer, make_rules
from jotto_desk.rehearsal.robots import RobotAddress, convert_robot_errors
from jotto_desk.words import lists
from naosim_page import PAGE_HOST, PAGE_PORT
from naosim_voice.names import RECOGNISERS

if TYPE_CHECKING:
    from jotto_desk.solver.problem import Problem
    from naosim_page.access import Access
    from naosim_robots.far.connection import Connection

# Options of `jotto solve`, `jotto bench` and `jotto explain` that choose a game.

_WEIGHTS = ("uniform", "bands")
_UNKNOWN_BAND = 1 << 20

_option = functools.partial(option, panel=GAME)

ListName = Annotated[
    str, words_option("The secrets: a file, URL or name; default: en.", "--words", panel=GAME, show_default=False)
]
Hard = Annotated[bool, _option("Green letters stay, yellow ones must be used again, grey ones may return.", "--hard")]
WithBlocked = Annotated[bool, _option("Also use the words of the block list, which NAO never says.", "--with-blocked")]


@dataclass(frozen=True)
class GameOptions:
    """The options that choose a game and its secrets."""

    rules: Annotated[str, choice_option("--rules", tuple(GAME_RULES), "The game.", panel=GAME)] = "jotto"
    words: ListName = DEFAULT_LIST
    length: Annotated[int | None, _option("Letters of a word or places of a code.", min=1, max=15)] = None
    symbols: Annotated[int | None, _option("Symbols of a code game.", min=2, max=len(SYMBOLS))] = None
    repeats: Annotated[
        bool | None, _option("Whether a letter may occur twice in a word or code.", "--repeats/--no-repeats")
    ] = None

    def choose(self) -> ChosenProblem:
        """Return the problem that the options choose; raises `DeskError` as `choose_problem` does."""
        return choose_problem(**vars(self))


@dataclass(frozen=True)
class ProblemOptions(GameOptions):
    """The options that choose a game, its secrets, their weights, and more guesses."""

    wider: Annotated[str, words_option("More words to guess, which are never secrets.", panel=GAME)] = ""
    weights: Annotated[
        str,
        choice_option(
            "--weights",
            _WEIGHTS,
            "uniform: all secrets are equally likely; bands: common words are likelier (16:8:3:1:1/2).",
            panel=GAME,
        ),
    ] = "uniform"
    with_blocked: WithBlocked = False


@dataclass(frozen=True)
class ChosenProblem:
    """A problem and the list of its secrets; `wordlist` is None if every code is a secret.

    `bands` has the commonness of each secret, in the order of the problem. After `turns`, only the words that fit are
    secrets; all others can still be asked.
    """

    problem: Problem
    wordlist: WordList | None
    bands: tuple[int | None, ...] = ()
    turns: tuple[Turn, ...] = ()

    def set_hard_mode(self) -> ChosenProblem:
        """Return the problem in Wordle's hard mode; raises `DeskError` for a game without marks."""
        if self.problem.rules.kind != MARKS:
            raise DeskError(f"'{self.problem.rules.name}' has no hard mode; leave --hard out, or give --rules wordle.")
        return replace(self, problem=replace(self.problem, is_hard=True))

    def add_turns(self, typed: Sequence[str]) -> ChosenProblem:
        """Return the problem after these turns; raises `DeskError` if one cannot be read, or no word fits them."""
        from jotto_desk.games.assist import parse_turn
        from jotto_desk.games.wordle import find_unused_hint

        whole = self.problem
        turns = tuple(parse_turn(turn, whole.rules) for turn in typed)
        for number, turn in enumerate(turns if whole.is_hard else ()):
            if unused := find_unused_hint(turn.guess, turns[:number]):
                raise DeskError(f"{unused} Hard mode forbids it; correct --after, or leave --hard out.")
        index = Index(whole.secrets, whole.rules)
        fitting = set(index.list_words(index.find_candidates(turns)))
        kept = [number for number, word in enumerate(whole.secrets) if word in fitting]
        if not kept:
            raise DeskError(
                f"No word fits all answers of --after; check them: jotto assist --rules {whole.rules.name} "
                "names the answer that is most likely wrong."
            )
        bands = tuple(self.bands[number] for number in kept) if self.bands else ()
        left = whole.keep_secrets(kept)
        if whole.is_hard:
            left = replace(left, guesses=tuple(word for word in left.guesses if not find_unused_hint(word, turns)))
        return replace(self, problem=left, bands=bands, turns=turns)

    @property
    def title(self) -> str:
        """Return the game in a few words with its list; every average needs it."""
        rules, count = self.problem.rules, len(self.problem.weights)
        after = f" after {', '.join(self.list_turns()).upper()}" if self.turns else ""
        if self.wordlist is None:
            repeats = "repeats" if rules.repeats else "no repeats"
            places = f"{rules.length} places of {len(rules.alphabet)} symbols"
            return f"{rules.name}, {places}, {repeats}{after}: {count:,} codes"
        wider = len(self.problem.guesses) - count
        more = f", {wider:,} further guesses" if wider else ""
        weighted = ", common words weigh more" if not self.problem.is_uniform else ""
        hard = " in hard mode" if self.problem.is_hard else ""
        return f"{rules.name}{hard}, list {self.wordlist.name}{after}: {count:,} words{more}{weighted}"

    def list_turns(self) -> list[str]:
        """Return the turns as `--after` reads them."""
        return [f"{turn.guess} {describe_answer(turn.feedback, self.problem.rules)}" for turn in self.turns]

    def plain(self) -> dict[str, Any]:
        """Return the choice as a dict for JSON."""
        rules, listed = self.problem.rules, self.wordlist
        plain = {"rules": rules.name, "length": rules.length, "symbols": len(rules.alphabet), "repeats": rules.repeats}
        more: dict[str, Any] = {"hard": True} if self.problem.is_hard else {}
        more |= {"after": self.list_turns()} if self.turns else {}
        return plain | {"list": listed and listed.name, "checksum": listed and listed.checksum} | more


def require_modules(*modules: str, extra: str = "solve") -> None:
    """Raise `MissingExtra` if a module of the extra is missing."""
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


def choose_problem(
    rules: str = "jotto",
    words: str = DEFAULT_LIST,
    *,
    length: int | None = None,
    symbols: int | None = None,
    repeats: bool | None = None,
    wider: str = "",
    weights: str = "uniform",
    with_blocked: bool = False,
) -> ChosenProblem:
    """Return the problem that the options choose; its words are in the list's order, common ones first.

    Raises `DeskError` for options that contradict each other, or a list that cannot be read.
    """
    require_modules("numpy")
    played = make_rules(rules, length, symbols, repeats)
    if played.alphabet != LETTERS:
        _refuse_words(played, words, wider, weights)
        from jotto_desk.solver.problem import make_symbol_problem

        return ChosenProblem(make_symbol_problem(played), None)
    if symbols is not None:
        raise DeskError(f"'{rules}' is played with words, not with {symbols} symbols; leave --symbols out.")
    wordlist = _load_list(words, played, with_blocked)
    played = wordlist.adapt_rules(played)
    return make_word_problem(played, wordlist, _load_list(wider, played, with_blocked).words if wider else (), weights)


def _refuse_words(game: Rules, words: str, wider: str, weights: str) -> None:
    if words != DEFAULT_LIST or wider:
        given = wider or words
        raise DeskError(
            f"'{game.name}' is played with codes, not with the words of '{hide_login(given)}'; leave them out."
        )
    if weights != "uniform":
        raise DeskError(f"The codes of '{game.name}' are all alike; leave --weights {weights} out.")


def make_word_problem(game: Rules, wordlist: WordList, more: Iterable[str], weights: str) -> ChosenProblem:
    """Return the problem of a list; `more` are further guesses. Raises `DeskError`."""
    from jotto_desk.solver import problem

    pairs = zip(wordlist.bands, wordlist.words, strict=True)
    by_band = sorted(pairs, key=lambda pair: _UNKNOWN_BAND if pair[0] is None else pair[0])
    ordered = [word for _, word in by_band]
    if weights == "uniform":
        return ChosenProblem(
            problem.make_list_problem(ordered, game, more), wordlist, tuple(band for band, _ in by_band)
        )
    if not any(wordlist.bands):
        raise DeskError(f"The list '{wordlist.name}' does not say how common its words are; leave --weights out.")
    heavy = problem.make_list_problem(ordered, game, more, problem.weigh_by_band(band for band, _ in by_band), weights)
    known = dict(zip(wordlist.words, wordlist.bands, strict=True))
    return ChosenProblem(heavy, wordlist, tuple(known[word] for word in heavy.secrets))


def _load_list(source: str, rules: Rules, with_blocked: bool = False) -> WordList:
    """Read a list for these rules, without the user's own words; raises `DeskError`."""
    from jotto_desk.solver.problem import MAX_WORDS

    listed = lists.find("en" if source == DEFAULT_LIST else source)
    hidden = BlockList(frozenset())
    if not with_blocked:
        hidden = lists.load_block_list(language=lists.find_language(listed.name))
    with as_desk_errors(JottoError):
        if lists.has_more_words(listed, rules, MAX_WORDS + len(hidden.hashes)):
            raise DeskError(f"The solver takes 2 to {MAX_WORDS} words; '{listed.name}' has more. Give a shorter list.")
        found = lists.parse_list(listed, rules, hidden)
    wordlist: WordList = found.wordlist
    return wordlist


def complete_strategies(incomplete: str) -> list[str]:
    """Complete the last name of a list of strategies with commas."""
    try:
        from jotto_desk.solver.strategies import ARTICLE_STRATEGIES, MEASURES
    except ImportError:
        return []
    known = ["all", "article", *ARTICLE_STRATEGIES.values(), "robot", *(measure.name for measure in MEASURES)]
    return shell.complete_choices(lambda: known)(incomplete)


def split_names(names: str) -> list[str]:
    """Split a list of names such as `entropy,minimax`."""
    return [name for name in map(str.strip, names.split(",")) if name]


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
        "decibels louder. A recording of a talker or music: talker:DB:FILE.wav.",
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
