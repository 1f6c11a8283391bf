"""Box scripts: the shared preamble in front of each, and what must hold before Python 2.7 and 3 may run them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence

from ..errors import PullRefused

LONGEST_SCRIPT = 100_000
BEGINS = "# ---- the same first lines in every box: {name} ----"
ENDS = "# ---- this box ----"

#: Run by Python 2.7: reads {name: script} and answers {name: error or null}.
COMPILE_ALL = """
import json, sys
answers = {}
for name, text in json.loads(sys.stdin.read()).items():
    try:
        compile(text.encode("ascii", "replace"), name.encode("ascii", "replace"), "exec")
    except SyntaxError as error:
        answers[name] = "%s, line %s" % (error.msg, error.lineno)
sys.stdout.write(json.dumps(answers))
"""


def tidy(script: str) -> str:
    r"""Return a script as NAOqi takes it: blanks cut off at both ends, plain line ends, one at the end.

    >>> tidy("\n  pass \r\n\n")
    'pass\n'
    """
    body = script.replace("\r\n", "\n").strip(" \t\r\n")
    return body + "\n" if body else ""


def with_preamble(script: str, name: str | None, preamble: str) -> str:
    """Return the script as it stands in the xar: preamble between two marker lines, then the script."""
    if name is None:
        return tidy(script)
    return f"{BEGINS.format(name=name)}\n{tidy(preamble)}{ENDS}\n{tidy(script)}"


def without_preamble(content: str, name: str | None, box: str) -> tuple[str | None, str]:
    """Preamble (None where the content has none) and script of a box; refuses half a pair of marker lines."""
    content = tidy(content)
    if name is None:
        return None, content
    lines = content.splitlines(keepends=True)
    begins, ends = (
        [at for at, line in enumerate(lines) if line.strip() == marker] for marker in (BEGINS.format(name=name), ENDS)
    )
    if not begins and not ends:
        return None, content
    if begins != [0] or len(ends) != 1:
        raise PullRefused(
            f'box "{box}" has lost or moved one of its two marker lines; put "{BEGINS.format(name=name)}" '
            f'first and "{ENDS}" between {name} and the box\'s own script.'
        )
    return tidy("".join(lines[1 : ends[0]])), tidy("".join(lines[ends[0] + 1 :]))


def script_findings(scripts: Mapping[str, str], python27: Sequence[str] | None = None) -> list[str]:
    """Everything wrong with the scripts by file name; `python27` is the command of an interpreter to ask as well."""
    found = [finding for name, text in scripts.items() for finding in _findings(name, text)]
    if python27 and not found:
        found = [
            f"{name} does not compile on Python 2.7 ({error}); write what 2.7 and 3 both read."
            for name, error in sorted(_refused_by_27(scripts, python27).items())
        ]
    return found


def _findings(name: str, text: str) -> Iterator[str]:
    if len(text) > LONGEST_SCRIPT:
        yield f"{name} has {len(text)} characters; move code into jotto_behaviour until it has {LONGEST_SCRIPT}."
        return
    for number, line in enumerate(text.splitlines(), start=1):
        odd = sorted({character for character in line if character not in "\t" and not " " <= character <= "~"})
        if odd:
            yield f"{name}, line {number} holds {odd[0]!r}; box scripts are plain ASCII."
        if "]]>" in line:
            yield f'{name}, line {number} holds "]]>", which would end the script inside the xar; write it apart.'
        if line.strip() == ENDS or line.strip() == BEGINS.format(name=name):
            yield f"{name}, line {number} is one of the kit's own marker lines; remove it."
    try:
        compile(text, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, OverflowError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        yield f"{name} does not compile on Python 3 ({getattr(error, 'msg', error)}{where}); correct it."


def _refused_by_27(scripts: Mapping[str, str], python27: Sequence[str]) -> dict[str, str]:
    answer = subprocess.run(
        [*python27, "-c", COMPILE_ALL],
        input=json.dumps(dict(scripts)).encode("ascii"),
        stdout=subprocess.PIPE,
        timeout=60,
        check=True,
    )
    errors: dict[str, str] = json.loads(answer.stdout)
    return errors
