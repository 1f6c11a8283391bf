"""Words and phrases that plain technical English avoids, found in the pages that people read.

`python tests/prose.py` lists every hit in the Markdown pages, and exits with 1 if there is one.
`python tests/prose.py --code` also lists the hits in docstrings, comments and the texts that users see.
"""

import ast
import functools
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
#: The folders with pages, next to those at the top.
FOLDERS = ("benchmarks", "changes", "docs", "simulator", "tests", "wordlists")
CODE = ("src", "behaviour", "simulator", "robot_boxes")
#: The fewest spaces in a string that the gate reads as a text.
LEAST_SPACES = 3
_VERBS = "answers|comes|does|gives|has|is|looks|mumbles|plays|reaches|says|speaks|stumbles|types|uses|wants|wins"
#: A pattern that no page may contain, and the plain words to write instead.
AVOIDED = {
    r"(?<![\"“*?] )(?<![\"“*])\b[Ss]hall\b(?! (?:we|I)\b)": "will, should",
    r"\b(?:[Nn]o sentence|[Aa] list|figures?|it|that|which|what|well|all|rest"
    r"|the (?:game|key|state|table|talk|text))\s+stands? (?!still|out|for|up|ready|by)"
    r"|\bstands? (?:in|on|at|below|beneath|there|beside)\b": "is in, see",
    rf"(?:(?<=[.;:,] )|(?<=^)|(?<=\| ))[Ww]ho (?!(?:is|are)\b.*\?)(?:{_VERBS})\b(?![^.]*\?)": "a player who, if you",
    r"\b(?!(?:[Ll]eft|[Ll]eave|[Ll]et|[Ss]tands?|[Aa]ll|[Ee]nter|live) )[\w`*]+ alone\b(?=[.,;:)\s]|$)": "only",
    r"\banew\b|\bafresh\b": "again, from the start",
    r"\b(?:asks?|asked|says?|said|answers?|put) shortly\b|, shortly\b": "briefly",
    r"\b(?:how |un)?surely\b": "the confidence, certainly",
    r"\bask(?:s|ed|ing)? (?:it |that |them |you |one |a \w+ )?back\b|\bquestions? back\b": "confirm",
    r"\b(?:looks?|behaves?|does|do|is|plays?|sounds?) otherwise\b": "differently, different",
    r"\bin place of\b": "instead of",
    r"\btelephones?\b": "phone",
    r"\bma(?:de|kes?|king) (?:\w+ )?ready\b": "set up, prepare",
    r"\b[Ww]ho(?:so)?ever\b|\b[Ww]hatever (?:broke|is|was|the|it|a|you|else|moves)\b": "anyone who, everything that",
    r"(?<!there )(?<!There )\b(?:is|are|was|were) no"
    r" (?!(?:(?:bett|earli|fast|lat|low|slow|wid|wors)er?|different|doubt|less|longer|matter|more|need|one|other|point"
    r"|or|reason|such|use|way)\b)[a-z]+": "is not a",
    r"\bholds? (?:at most|more than)\b|\bmust hold (?:a|at|the|\d)\b": "contains, has",
    r"\bpresent (?:game|guess|language|list|moment|position|question|speed|state|talk|time|values?)\b": "current",
    r"\bby (?:its|their) names?\b": "by name",
    r"\bso (?:many|much) (?:bytes|characters|lines|seconds|times?|turns|words)\b(?! (?:as|that))": "the number",
    r"\bif (?:it has|there is) none\b": "if none exists",
    r"\bseldom\b": "rarely",
    r"\bbut for\b|\bsave for\b|\bnot so much as\b|\bnought\b|\bthe same holds\b|\bfor want of\b": "except, without",
}
_RULES = [(re.compile(pattern), instead) for pattern, instead in AVOIDED.items()]


class Hit(NamedTuple):
    """A phrase to avoid: its place as file:line, the phrase, and what to write instead."""

    place: str
    phrase: str
    instead: str


def pages() -> list[Path]:
    """List the Markdown pages of the project."""
    return [*sorted(ROOT.glob("*.md")), *(page for name in FOLDERS for page in sorted((ROOT / name).rglob("*.md")))]


def hits(place: str, lines: Iterator[tuple[int, str]]) -> list[Hit]:
    """List the phrases to avoid in numbered lines.

    >>> hits("a.md", iter([(3, "Press the button anew.")]))
    [Hit(place='a.md:3', phrase='anew', instead='again, from the start')]
    """
    return [
        Hit(f"{place}:{number}", found.group(), instead)
        for number, line in lines
        for pattern, instead in _RULES
        for found in pattern.finditer(line)
    ]


def page_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a page without code, quotations, comments and addresses."""
    in_code = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code and not line.startswith(("<!--", ">")):
            yield number, re.sub(r"`[^`]*`", "`x`", re.sub(r"\]\([^)]*\)", "]", line))


def is_test(path: Path) -> bool:
    """Return whether a file of the simulator is one of its tests."""
    return path.is_relative_to(ROOT / "simulator" / "tests")


@functools.cache
def parse_code(root: Path) -> dict[str, ast.Module]:
    """Map the modules of the packages and the box scripts to their trees; they are parsed once for all checks."""
    paths = [path for folder in CODE for path in sorted((root / folder).rglob("*.py")) if not is_test(path)]
    return {path.relative_to(root).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@functools.cache
def nodes(tree: ast.Module) -> list[ast.AST]:
    """List all nodes of a tree, in the order of `ast.walk`."""
    return list(ast.walk(tree))


def code_lines(place: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a module's docstrings, and what is behind a # in its lines."""
    for number, line in enumerate((ROOT / place).read_text(encoding="utf-8").splitlines(), start=1):
        if "#" in line:
            yield number, line.partition("#")[2].lstrip(": ")
    for node in nodes(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node, clean=False) or ""
            yield from ((node.body[0].lineno + row, line) for row, line in enumerate(text.splitlines()))


def text_lines(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the numbered string literals with at least `LEAST_SPACES` spaces, such as helps and errors, no docstrings.

    >>> list(text_lines(ast.parse("'This is a docstring.'\\nprint('NAO has no home', 'two words')")))
    [(2, 'NAO has no home')]
    """
    statements = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}
    for node in nodes(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in statements:
            continue
        if node.value.count(" ") >= LEAST_SPACES:
            yield node.lineno, node.value.replace("\n", " ")


def c_comment_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of the comments between /* and */.

    >>> list(c_comment_lines("int n; /* how many\\n * members */ int m;"))
    [(1, ' how many'), (2, ' * members ')]
    """
    for comment in re.finditer(r"/\*(.*?)\*/", text, re.DOTALL):
        yield from enumerate(comment[1].split("\n"), start=text.count("\n", 0, comment.start()) + 1)


def found_in_pages() -> list[Hit]:
    return [
        hit
        for page in pages()
        for hit in hits(page.relative_to(ROOT).as_posix(), page_lines(page.read_text(encoding="utf-8")))
    ]


def found_in_code() -> list[Hit]:
    """List the phrases to avoid in the docstrings, comments and texts of the code."""
    in_python = [
        hit
        for place, tree in parse_code(ROOT).items()
        for lines in (code_lines(place, tree), text_lines(tree))
        for hit in hits(place, lines)
    ]
    c_files = [path for folder in CODE for path in sorted((ROOT / folder).rglob("*.[ch]"))]
    in_c = ((path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in c_files)
    return in_python + [hit for place, text in in_c for hit in hits(place, c_comment_lines(text))]


def main(options: list[str]) -> int:
    """Print every hit; return 1 if there is one."""
    found = found_in_pages() + (found_in_code() if "--code" in options else [])
    for hit in found:
        print(f"{hit.place}: {hit.phrase!r}: write {hit.instead}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
