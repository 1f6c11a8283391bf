"""Packaging hooks: the page's libraries of npm in the wheel, and a description whose links work outside a checkout.

Another distribution of this repository uses the second one, too.
"""

import json
import os
import posixpath
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: Prints the files of the page's libraries and their places, and installs them with npm if they are not in the cache.
LIST_LIBRARIES = "import json; from naosim_page.site import list_shipped_files as f; print(json.dumps(f()))"
#: A link or picture in Markdown to a place in the checkout.
_RELATIVE_LINK = re.compile(r"(!?)\[([^][]*)\]\((?![a-z]+:|#)([^()\s]+)\)")


class LibrariesHook(BuildHookInterface[BuilderConfig]):
    """Packs the page's libraries; without npm, or with NAOSIM_PAGE=0, the first `--page` fetches them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the libraries to a wheel; an editable install has none."""
        if version == "editable" or os.environ.get("NAOSIM_PAGE") == "0":
            return
        environ = {**os.environ, "PYTHONPATH": self.root}
        command = [sys.executable, "-c", LIST_LIBRARIES]
        ended = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
        if ended.returncode == 0:
            build_data["force_include"] |= json.loads(ended.stdout)
        else:
            why = (ended.stderr.strip().splitlines() or [""])[-1].partition(": ")[2]
            self.app.display_warning(f"The first --page will fetch the page's libraries: {why}")


class DescriptionHook(MetadataHookInterface):
    """Takes the description from README.md, and the project's addresses from GitHub's variables, if they are set."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add `readme` and `urls`; the option `folder` is the place of README.md in the repository."""
        address = read_address(os.environ)
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = write_description(text, address, self.config.get("folder", ""))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = {"Source": address, "Issues": f"{address}/issues"} if address else {}


def read_address(environ: Mapping[str, str]) -> str:
    """Return the address of the repository in which one of GitHub's workflows runs, "" outside of them."""
    if not environ.get("GITHUB_REPOSITORY"):
        return ""
    return f"{environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{environ['GITHUB_REPOSITORY']}"


def write_description(text: str, address: str, folder: str) -> str:
    """Make a page's links absolute; without an address of the repository, leave their texts and no pictures.

    >>> write_description("See ![NAO](a.png) [the docs](../docs/a.md#b).", "https://host/nao", "simulator")
    'See ![NAO](https://host/nao/raw/HEAD/simulator/a.png) [the docs](https://host/nao/blob/HEAD/docs/a.md#b).'
    >>> write_description("See ![NAO](a.png) [the docs](../docs/a.md#b).", "", "simulator")
    'See  the docs.'
    """

    def replace(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if not address:
            return "" if picture else words
        place = posixpath.normpath(posixpath.join(folder, target))
        return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/HEAD/{place})"

    return _RELATIVE_LINK.sub(replace, text)
