"""A hook of mkdocs: the pages that stand beside the code belong to the site too, and links lead from page to page.

The class `Examples` is an extension of griffe, which reads the docstrings for the pages of the API.
"""

import os
import posixpath
import re
from pathlib import Path
from typing import Any

import griffe
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
#: Pages outside docs/, and their names in the site.
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "license.md",
    "SUPPORT.md": "support.md",
    "simulator/README.md": "simulator.md",
    "simulator/CHANGELOG.md": "simulator-changelog.md",
    "benchmarks/README.md": "measurements.md",
    "wordlists/SOURCES.md": "word-list-sources.md",
}
_PLACES = {page: place for place, page in OUTSIDE.items()}
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s#]+)(#[^)]*)?\)")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_DIAGRAM = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_RUN = re.compile(r"^<!-- run: ([a-z]+) -->$", re.MULTILINE)
_EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^.+\n?)*)(?:\n(?=>>> ))?", re.MULTILINE)


class Examples(griffe.Extension):
    """Doctests in docstrings become code on the page."""

    def on_instance(self, *, obj: griffe.Object, **_others: Any) -> None:
        """Fence the doctests of a docstring."""
        if obj.docstring is not None:
            text = obj.docstring.value
            obj.docstring.value = _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that stand outside docs/."""
    for place, page in OUTSIDE.items():
        text = (ROOT / place).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=f"# Licence\n\n{text}" if place == "LICENSE" else text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let links lead to pages of the site, and name files that are not in it; fold up what only GitHub draws."""
    place = _PLACES.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    markdown = _DIAGRAM.sub(_folded, markdown)
    markdown = _RUN.sub(lambda found: _run_link(found[1], page.file.dest_uri), markdown)
    # Code keeps what looks like a link.
    kept: list[str] = []
    hidden = _FENCE.sub(lambda found: f"\0{kept.append(found[0]) or len(kept) - 1}\0", markdown)
    hidden = _LINK.sub(lambda found: _link(found, place, page.file.src_uri), hidden)
    return re.sub("\0(\\d+)\0", lambda found: kept[int(found[1])], hidden)


def _link(found: re.Match[str], place: str, page: str) -> str:
    """Point a link at the site's page of a file; a file outside the site is only named; raises FileNotFoundError."""
    mark, text, target, anchor = found.groups()
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
    there = OUTSIDE.get(wanted, wanted.removeprefix("docs/") if wanted.startswith("docs/") else None)
    if there is None:
        if not (ROOT / wanted).exists():
            raise FileNotFoundError(f"{place} links to {wanted}, which is gone.")
        return f"{text} (`{wanted}`)" if text.strip("`") not in wanted else f"`{wanted}`"
    return f"{mark}[{text}]({posixpath.relpath(there, posixpath.dirname(page) or '.')}{anchor or ''})"


def _run_link(example: str, page: str) -> str:
    """Link to the site's page that runs an example; nothing if the pages are built without the site around them."""
    if not os.environ.get("RUN_IT_HERE"):
        return ""
    top = "../" * (page.count("/") + 1)
    return f'<p><a class="md-button" href="{top}index.html#inside?example={example}">Run it here</a></p>'


def _folded(found: re.Match[str]) -> str:
    lines = "".join(f"    {line}\n" for line in found[1].splitlines())
    return f"<details><summary>The picture as text (GitHub draws it)</summary>\n\n{lines}\n</details>"
