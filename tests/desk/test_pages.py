"""README and the pages: their length, links, commands, samples and Python; and the site made of them."""

import ast
import doctest
import html.parser
import json
import os
import re
import shlex
import sys
from importlib import metadata
from xml.etree import ElementTree

import facts_page
import pages
import pytest
import readme_shells
import typer
from interpreters import load_script
from packaging.utils import canonicalize_name
from pages import ROOT, arguments, blocks, every_command, read
from processes import process

from jotto.rules import JOTTO, WORDLE
from jotto_behaviour import diagram
from jotto_desk.cli import COMMANDS, app
from jotto_desk.errors import DeskError
from jotto_desk.words import load_default_list
from naosim import cli

README = read(ROOT / "README.md")
CHANGELOG = ROOT / "CHANGELOG.md"
DOORS = ("I have a NAO", "I want to play", "I write NAO behaviours", "I like puzzles")


def test_the_readme_is_short_with_four_doors_at_its_first_screen():
    assert len(README.split()) <= 800
    first = README.partition("\n## ")[0]
    assert len(first.splitlines()) < 40
    for door in DOORS:
        assert f"[{door}](#{door.lower().replace(' ', '-')})" in first
        assert f"\n## {door}\n" in README
    assert "](docs/page-game.webp)" in first and "**The rules.**" in first
    assert [line for _, line, _ in readme_shells.sessions()["nao-jotto"]] == ["make page", "make play", "make test"]
    assert set(DOORS) < set(readme_shells.sessions())


def test_owners_of_a_robot_first_read_what_was_not_tried_on_one():
    unseen = "Not yet seen on a real robot"
    for text in (README.partition("## I have a NAO\n")[2], read(ROOT / "docs/on-a-robot.md")):
        assert unseen in text[:700] and text.index(unseen) < text.index("```")


def test_the_readme_counts_the_facts_that_hold():
    hold, rows = facts_page.count_holding(facts_page.read_facts(), facts_page.read_differing())["all"]
    counted = f"compared with {rows} published facts about robots: [{hold} hold](docs/facts.md)"
    assert counted in README.replace("\n", " ")


def test_the_moving_picture_of_the_readme_is_small():
    picture = ROOT / "docs/page-game.webp"
    assert b"ANIM" in picture.read_bytes()[:100] and picture.stat().st_size < 1_000_000


def test_the_page_on_robots_names_every_parameter_of_the_start():
    boxes = json.loads(read(ROOT / "robot_boxes/flow.json"))["boxes"]
    names = [each["name"] for box in boxes if box["name"] == "Start game" for each in box["parameters"]]
    page = read(ROOT / "docs/on-a-robot.md")
    assert names and [name for name in names if f"**{name}**" not in page] == []


def test_the_rules_say_what_the_tree_needs():
    means = [pages.certificate(file)["mean"] for file in pages.DRAWN]
    mean = sum(means) / len(means)
    assert f"NAO needs {mean:.1f} on average" in README.replace("\n", " ")


def test_no_page_quotes_the_bytes_of_the_package():
    """The number changes with every sentence that NAO learns."""
    for page in [*pages.pages(), ROOT / "CONTRIBUTING.md"]:
        assert not re.search(r"\.pkg\W+[\d,]+ bytes", read(page)), page.name


def test_the_five_lines_are_the_example():
    shown = next(block.text for block in blocks(README) if "def test" in block.text)
    assert shown == read(ROOT / "docs/greeting/test_greeting.py") and len(shown.splitlines()) <= 5


def test_every_command_exists():
    def parsed(line):
        command, rest, context = typer.main.get_command(app), arguments(line), None
        while True:
            context = command.make_context("jotto", list(rest), parent=context)
            if not hasattr(command, "commands") and not hasattr(command, "resolve_command"):
                return
            rest = [*context._protected_args, *context.args]
            if not rest:
                return
            _, command, rest = command.resolve_command(context, rest)

    for page in [*pages.pages(), CHANGELOG]:
        text = read(page)
        whole = {command.line for block in blocks(text) for command in pages.commands(block)}
        for line in every_command(text):
            # Completion would be installed while the line is parsed; tests/desk/test_cli_help.py has it.
            if "..." in line or "-completion" in line or not arguments(line):
                continue
            try:
                parsed(line)
            except (typer.TyperException, DeskError) as error:
                # The text also names commands without everything that they need.
                if line not in whole and re.search("Missing|requires an argument|^Usage: ", str(error)):
                    continue
                pytest.fail(f"{page.name}: {line}: {error}")


NAMED = [
    (page, line)
    for page in [*pages.pages(), ROOT / "CONTRIBUTING.md", ROOT / "benchmarks/README.md", CHANGELOG]
    for line in every_command(read(page))
]


def test_the_changelog_says_whose_options_it_names():
    """Options without a command would not be parsed above."""
    assert not [line for line in every_command(read(CHANGELOG)) if line.startswith("-")]


def test_every_make_task_and_extra_exists():
    tasks = set(re.findall(r"^([a-z-]+):", read(ROOT / "Makefile"), re.MULTILINE))
    named = {word for _, line in NAMED for word in re.findall(r"^make (?:\w+=\S+ )?([a-z-]+)", line)}
    assert {"play", "test", "package", "docs", "samples"} <= named <= tasks
    table = read(ROOT / "pyproject.toml").partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    extras = set(re.findall(r"^(\w+) = \[", table, re.MULTILINE))
    installs = [re.findall(r"pip install -e (?:\./simulator -e )?'?\.\[([\w,]+)\]", line) for _, line in NAMED]
    named = {extra for found in installs for names in found for extra in names.split(",")}
    assert {"solve", "robot", "expert"} <= named <= extras
    # The project is on no package index, so pip installs a checkout.
    assert not [line for _, line in NAMED if re.search("pip install .*nao-jotto", line)]


def test_the_extras_for_puzzles_have_the_packages_that_are_imported():
    """Check the one `pip install` of README that no test runs."""
    (extras,) = {found for _, line in NAMED for found in re.findall(r"\.\[(solve,expert)\]", line)}
    installed = set(readme_shells.required([f"nao-jotto[{extras}]"]))
    packages = metadata.packages_distributions()
    texts = [read(path) for folder in ("solver", "expert") for path in (ROOT / "src/jotto_desk" / folder).rglob("*.py")]
    # A cluster is another extra.
    for name in set(re.findall(r"^ *(?:import|from) (\w+)", "\n".join(texts), re.MULTILINE)) - {"dask", "distributed"}:
        known = {canonicalize_name(each) for each in packages.get(name, ())} - {"nao-jotto"}
        assert not known or known & installed, name


def test_the_readme_names_the_programs_that_voice_needs():
    told = [part for part in README.split("\n\n") if "--voice" in part]
    assert told and all("espeak-ng" in part and "libportaudio2" in part for part in told)


def test_every_command_of_naosim_exists():
    lines = [line for _, line in NAMED if line.startswith("python -m naosim ")]
    assert len(lines) > 10
    for line in lines:
        given = cli.parse_options(shlex.split(line)[3:])
        assert given.file or given.replay


def test_pages_with_commands_say_how_to_install_jotto():
    for page in pages.pages():
        text = read(page)
        if any(line.startswith("jotto ") for block in blocks(text) for line in (c.line for c in pages.commands(block))):
            assert pages.ACTIVATE in text or "install.md" in text, page.name


@pytest.mark.parametrize(
    "page", [page for page in pages.pages() if "<!-- sample:" in read(page)], ids=lambda page: page.stem
)
def test_every_sample_is_the_output_of_its_command(page):
    """Takes seconds: each sample and each figure is made again. `make samples` writes them."""
    assert pages.renewed(read(page)) == read(page)


def test_a_new_user_types_the_readmes_commands(tmp_path):
    """Takes seconds: a clone gets only the packages that README's blocks of commands install.

    Each command has its own shell. `test_wheel.py` runs the other blocks.
    """
    user = readme_shells.NewUser(tmp_path)
    with readme_shells.simulated_robot() as url:
        for heading in readme_shells.NEW_USER:
            for first, line, output in readme_shells.sessions()[heading]:
                # `make test` runs this test; `make page` would fetch libraries, and runs until Ctrl-C.
                if line not in (*user.typed, "make test", "make page"):
                    user.type(first, line, output, url)
            # The next block does not install it.
            user.lose("pytest")
    assert [path.suffix for path in (user.clone / "dist").iterdir()] == [".pkg"]


def test_the_python_on_the_pages_runs_and_the_page_of_the_conversation_is_the_table_of_states():
    assert read(ROOT / "docs/conversation.md") == diagram.format_page()
    for page, least in (("README.md", 2), ("docs/api/engine.md", 5)):
        failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
        assert (failed, tried >= least) == (0, True)


def test_the_pages_have_the_sizes_of_the_lists():
    for page, rules in (("README.md", JOTTO), ("docs/word-lists.md", JOTTO), ("docs/word-lists.md", WORDLE)):
        assert f"{len(load_default_list(rules, own=False).words):,}" in read(ROOT / page)


def test_every_place_in_contributing_exists():
    text = read(ROOT / "CONTRIBUTING.md")
    found = re.findall(r"`((?:src|behaviour|simulator|robot_boxes|tests|docs|benchmarks)/[\w./]+)`", text)
    assert len(found) > 30
    assert [name for name in found if not (ROOT / name).exists()] == []
    steps = re.findall(r"`([\w/]+\.py)` `([\w.]+)`", text)
    assert len(steps) > 15
    for name, wanted in steps:
        scope = ast.parse(read(ROOT / name))
        for part in wanted.split("."):
            inside = {getattr(node, "name", None): node for node in scope.body}
            assert part in inside, f"{name} has no {wanted}"
            scope = inside[part]


def test_the_moving_picture_shows_the_game_as_it_is_played():
    film = load_script(ROOT / "docs/moving_picture.py")
    game = film.played()
    drawn = film.drawn(game)
    assert drawn == film.PICTURE.read_text(encoding="utf-8"), "run `make samples`"
    svg = ElementTree.fromstring(drawn)
    words = "".join(svg.itertext())
    assert game.secret.upper() in words and "href" not in drawn
    # The picture takes 10 to 45 seconds, and no bubble is cut off.
    assert 10 < game.moments[-1].time < 45
    said = [part.drawing for part in film.parts(game) if "bubble" in part.drawing]
    assert all(drawing.count("<text") < film.MOST_LINES for drawing in said)


def test_the_manual_page_has_the_help_of_every_command():
    manual = load_script(ROOT / "docs/man_page.py")
    page = manual.make_page()
    for name in ("jotto", *(f"jotto {command}" for command in COMMANDS), "jotto robot deploy", "jotto words check"):
        assert f'.SH "{name}"\n.nf\nUsage: {name} ' in page
    assert "\\-\\-language" in page and manual.escape("'a'\n.b\\") == "\\&'a'\n\\&.b\\e"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site without warnings, once for all tests, which takes seconds."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    ended = process(*command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "RUN_IT_HERE": "1"})
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder


def test_the_site_loads_nothing_from_elsewhere(site):
    loads, loaded = {"script": "src", "link": "href", "img": "src", "iframe": "src"}, []
    links = html.parser.HTMLParser()
    links.handle_starttag = lambda tag, attrs: loaded.extend(value for name, value in attrs if name == loads.get(tag))
    built = [path for path in site.rglob("*.html") if path.name != "404.html"]
    assert len(built) > 20
    for path in built:
        loaded.clear()
        links.feed(path.read_text(encoding="utf-8"))
        assert loaded
        for place in loaded:
            assert not re.match(r"(https?:)?//", place or ""), f"{path.name} loads {place}"
            assert (path.parent / place.partition("?")[0].partition("#")[0]).exists(), f"{path.name} lacks {place}"


def test_pages_run_examples_that_exist(site):
    listed = json.loads(read(ROOT / "simulator/naosim_page/static/examples/examples.json"))
    found = {}
    for path in site.rglob("*.html"):
        links = re.findall(r'href="([./]+index\.html)#inside\?example=(\w+)"', path.read_text(encoding="utf-8"))
        found.update({example: os.path.normpath(path.parent / place) for place, example in links})
    assert {"greeting", "quiz"} <= set(found) <= {example["id"] for example in listed}
    assert set(found.values()) == {str(site.parent / "index.html")}


def test_the_site_has_four_tabs_and_docstrings_with_their_examples(site):
    engine = (site / "api" / "engine.html").read_text(encoding="utf-8")
    assert "One game&#39;s rules" in engine or "One game's rules" in engine
    assert 'class="gp">&gt;&gt;&gt; ' in engine
    fixture = (site / "api" / "fixture.html").read_text(encoding="utf-8")
    assert 'id="naosim_robots.testing.Nao.hear"' in fixture
    # The tabs are the four doors.
    front = (site / "index.html").read_text(encoding="utf-8")
    tabs = re.findall(r'class="md-tabs__link">\s*(.*?)\s*</a>', front, re.DOTALL)
    assert [tab for tab in tabs if tab in DOORS] == list(DOORS)
