"""What the pages tell people to type, and what they show; `make samples` writes the samples.

In a block of the kind `sh` every line is a command, ready to copy. In a block of the kind `console` every line that
begins with "$ " is a command, and what follows it is its output, where "..." means any text. A comment
`<!-- sample: COMMAND -->` above a block says that the block is the output of that command.
"""

import difflib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from processes import process

from jotto import tree

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(
    r"(?:^<!-- sample: (?P<sample>[^\n]+?) -->\n)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
FIGURES = re.compile(r"(<!-- figures: [^\n]+ -->\n)(.*?)(<!-- end of figures -->)", re.DOTALL)
#: What begins a command, by the kind of its block.
PROMPTS = {"console": r"^\$ ", "sh": r"^(?=.)"}
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
ACTIVATE = ". .venv/bin/activate"
#: What a fresh shell has, beside the folder of programs that the page tells how to reach.
PLAIN = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb", "COLUMNS": "80"}
PLAIN["QI_LOG_LEVEL"] = "error"
#: What the shell of somebody who has installed this project has beyond that.
INSTALLED = {"PATH": f"{Path(sys.executable).parent}:{PLAIN['PATH']}", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}


class Block(NamedTuple):
    """A fenced block: its kind, its text, and the command whose output it is, if it says so."""

    kind: str
    text: str
    sample: str


class Command(NamedTuple):
    """A command in a block, without its remark, and the output that is shown below it."""

    line: str
    output: str


def pages():
    """List the pages people read, README first."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "simulator/README.md"]


def read(page):
    return page.read_text(encoding="utf-8")


def blocks(text):
    return [Block(found["kind"], found["body"], found["sample"] or "") for found in FENCE.finditer(text)]


def commands(block):
    """List the commands of a block to copy, or of a console block with their outputs.

    >>> commands(Block("sh", "jotto play   # greets\\n", ""))
    [Command(line='jotto play', output='')]

    >>> commands(Block("console", "$ jotto play   # greets\\n$ ls\\na\\nb\\n", ""))
    [Command(line='jotto play', output=''), Command(line='ls', output='a\\nb\\n')]
    """
    if block.kind not in PROMPTS:
        return []
    parts = re.split(PROMPTS[block.kind], block.text, flags=re.MULTILINE)[1:]
    return [Command(re.sub(r"\s+# .*", "", part.partition("\n")[0]).strip(), part.partition("\n")[2]) for part in parts]


def every_command(text):
    """List every command a page names: in its blocks, above its samples and between backquotes."""
    found = [command.line for block in blocks(text) for command in commands(block)]
    found += [block.sample for block in blocks(text) if block.sample]
    return found + CODE.findall(FENCE.sub("", text))


def arguments(line):
    """Return what a command line hands to `jotto`; None where it runs something else.

    >>> arguments("printf 'no' | KEY=1 jotto play --seed 7 &")
    ['play', '--seed', '7']
    """
    words = shlex.split(line)
    while words and ("jotto" in words[1:]) and (words[0] in ("printf", "|") or "=" in words[0] or "|" in words):
        words = words[1:]
    return [word for word in words[1:] if word != "&"] if words[:1] == ["jotto"] else None


def fits(shown, real):
    """Tell whether an output is what the page shows, "..." being anything.

    >>> fits("Made ... bytes.\\n", "Made a.pkg, 12 bytes.\\n"), fits("a\\n...\\n", "a\\nb\\nc\\n"), fits("a\\n", "b\\n")
    (True, True, False)
    """
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("..."))
    return re.fullmatch(pattern, real.strip(), re.DOTALL) is not None


def run(script, folder, home, **environ):
    """Run a script in a fresh shell; give exit code, output and errors."""
    environ = {**PLAIN, "HOME": str(home), **environ}
    ended = process("bash", "-c", script, cwd=folder, env=environ, stdin=subprocess.DEVNULL)
    return ended.returncode, ended.stdout, ended.stderr


def output(line):
    """Run one command of a page in a fresh shell and a home of its own; give what it prints."""
    with tempfile.TemporaryDirectory() as home:
        code, out, err = run(line, ROOT, home, PATH=INSTALLED["PATH"])
    if code != 0:
        raise AssertionError(f"'{line}' ended with {code}: {out}{err}")
    return re.sub(r"[ \t]+$", "", out, flags=re.MULTILINE)


#: The trees of which the seed draws one.
DRAWN = ("en", "en-2", "en-3", "en-4")


def certificate(file):
    """Return what a tree says of itself; tests of the trees replay it."""
    return tree.parse_tree((ROOT / "wordlists" / f"{file}.tree").read_bytes()).certificate


def figures():
    """Return the table of README's averages: trees by their certificates, strategies by `jotto bench`."""
    trees = {"NAO": DRAWN, "NAO, never more than six": ("en-within-6",), "the best there is, proven": ("en-proven",)}
    rows = []
    for name, files in trees.items():
        found = [certificate(file) for file in files]
        rows.append((name, sum(each["mean"] for each in found) / len(found), str(max(each["max"] for each in found))))
    bench = json.loads(output("jotto bench --strategies robot,consistent --json"))
    played = {each["strategy"]: each for each in bench["strategies"]}
    for name, strategy in (("NAO without its tree", "robot"), ("the article's: any word that fits", "consistent")):
        low, high = (played[strategy][key] for key in ("least_maximum", "maximum"))
        rows.append((name, played[strategy]["mean"], f"{low} to {high}" if low != high else str(high)))
    lines = ["| player | average | at most |", "|---|---:|---:|"]
    return "\n".join(lines + [f"| {name} | {mean:.2f} | {most} |" for name, mean, most in rows]) + "\n"


def renewed(text):
    """Return a page with every sample as its command prints it now, and the figures as they are."""
    text = FIGURES.sub(lambda found: found[1] + figures() + found[3], text)

    def fresh(found):
        if not found["sample"]:
            return found[0]
        whole = output(found["sample"]).strip("\n")
        return found[0].replace(f"```{found['kind']}\n{found['body']}```", f"```{found['kind']}\n{whole}\n```")

    return FENCE.sub(fresh, text)


def main():
    """Write the samples of all pages again, or say where they differ."""
    stale = 0
    for page in pages():
        old = read(page)
        new = renewed(old)
        stale += old != new
        if "--write" in sys.argv[1:] and old != new:
            page.write_text(new, encoding="utf-8")
            print(f"Wrote {page.relative_to(ROOT)}.")
        elif old != new:
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(page), "now"))
    print("Every sample is what its command prints." if not stale else "", end="\n" if not stale else "")
    return 0 if "--write" in sys.argv[1:] else min(stale, 1)


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    sys.exit(main())
