"""Compiling box scripts and, on request, rewriting the common Python 2 idioms as Python 3, line by line."""

from __future__ import absolute_import, division, print_function

import ast
import re
import sys
import warnings

from naosim.compat import PY2, quoted
from naosim.errors import ScriptRefused
from naosim.scripting.old_imports import renewed

MYPY = False
if MYPY:
    from typing import Any

#: What Python raises for a script of more brackets inside each other than it compiles; 2.7 a TypeError for zero bytes.
TOO_MUCH = (MemoryError, OverflowError, RuntimeError, TypeError)
_ASYNC = re.compile(r"\bqi\.async\b")
# None of them looks beyond its line for its beginning: with many blank lines that would be done from each of them.
_EXCEPT = re.compile(r"^([ \t]*except(?:[ \t]+[\w.]+|[ \t]*\([^()]*\)))[ \t]*,[ \t]*(\w+)[ \t]*:", re.M)
_RAISE = re.compile(r"^([ \t]*raise[ \t]+[\w.]+)[ \t]*,[ \t]*([^,\n]+)$", re.M)
_PRINT = re.compile(r"^((?:.*:)?[ \t]*)print(?:[ \t]+([^\n(=].*)|[ \t]*)$", re.M)
_PRINT_PARENTHESIS = re.compile(r"^([ \t]*)print[ \t]+(\(.*)$", re.M)
#: A text or a comment, which stays; an octal number; a long one; Python 2's other sign for "unlike"; a raw text's sign.
_OLD_TOKEN = re.compile(
    r"(\"{3}.*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?|#[^\n]*)"
    r"|(?<![\w.])(?:0+([1-7][0-7]*)|(0[xX][0-9a-fA-F]+|[0-9]+))([lL]?)(?![\w.])|(<>)"
    r"|(?<!\w)[uU]([rR])(?=[\"'])",
    re.S,
)
_PRINT_TO = re.compile(r"^>>\s*([\w.]+)\s*(?:,\s*(.*))?$")


def compiled(script, place, rewrite=False):  # type: (str, str, bool) -> Any
    """Compile a script to a code object; raises ScriptRefused with the box, the line number and the line."""
    if rewrite and not PY2:
        script = renewed(script)
    try:
        return _compile(script, place)
    except TOO_MUCH + (SyntaxError, ValueError) as error:
        first = error
    if rewrite and not PY2:
        try:
            return _compile(modernised(script), place)
        except TOO_MUCH + (SyntaxError, ValueError) as error:
            raise ScriptRefused(_refusal(error, script, place, "even after rewriting it; run it with Python 2.7"))
    advice = "correct the script" if PY2 else "run it with Python 2.7 or ask for rewriting"
    raise ScriptRefused(_refusal(first, script, place, advice))


def tree(script, place):  # type: (str, str) -> Any
    """Parse a script into its syntax tree; raises SyntaxError or ValueError."""
    try:
        return _compile(script, place, ast.PyCF_ONLY_AST)
    except TOO_MUCH:
        raise SyntaxError("too many brackets or signs inside each other")


def modernised(script):  # type: (str) -> str
    """Rewrite imports, `qi.async`, `except X, e:`, `raise X, y`, old numbers and simple print statements as Python 3.

    >>> print(modernised("print 'a', b"))
    print('a', b)
    >>> print(modernised("except ValueError, e:"))
    except ValueError as e:
    """
    script = renewed(script)
    script = _ASYNC.sub("qi.runAsync", script)
    script = _EXCEPT.sub(r"\1 as \2:", script)
    script = _RAISE.sub(r"\1(\2)", script)
    script = _PRINT_PARENTHESIS.sub(_print_parenthesis, script)
    script = _PRINT.sub(_print_call, script)
    script = _OLD_TOKEN.sub(_new_token, script)
    return "\n".join(_without_tabs(line) for line in script.split("\n"))


def _compile(script, place, flags=0):  # type: (str, str, int) -> Any
    with warnings.catch_warnings():
        # Library boxes hold "\RSPD=100\"; the robot's Python says nothing about such escapes.
        warnings.simplefilter("ignore")
        return compile(script, place, "exec", flags, True)


def _print_call(found):  # type: (Any) -> str
    before, what = found.group(1), (found.group(2) or "").rstrip()
    if before.strip() and not before.rstrip().endswith(":"):
        return str(found.group(0))
    if before.lstrip().startswith("#"):
        return str(found.group(0))
    target = _PRINT_TO.match(what)
    ending = ""
    if target:
        ending, what = ", file=" + target.group(1), (target.group(2) or "")
    if what.endswith(","):
        what, ending = what[:-1], ', end=" "' + ending
    return "%sprint(%s)" % (before, (what + ending).lstrip(", ") if not what else what + ending)


def _print_parenthesis(found):  # type: (Any) -> str
    """Rewrite `print (a), b` as a call: it prints two things on Python 2 and would make a tuple on Python 3."""
    what = found.group(2).rstrip()
    return "%sprint(%s)" % (found.group(1), what) if not what.endswith(",") else str(found.group(0))


def _new_token(found):  # type: (Any) -> str
    kept, octal, number, _, unlike, raw = found.groups()
    if kept is not None:
        return str(kept)
    return "!=" if unlike else "0o" + octal if octal else str(raw or number)


def _without_tabs(line):  # type: (str) -> str
    """Expand the tabs of an indentation to multiples of eight, as Python 2 does; Python 3 refuses the mixture."""
    margin = line[: len(line) - len(line.lstrip())]
    return margin.expandtabs(8) + line[len(margin) :] if "\t" in margin else line


def complaint(error, script):  # type: (Exception, str) -> str
    """Say why Python does not compile a script: version, line number, the line itself and the reason."""
    line = getattr(error, "lineno", None) or 1
    lines = script.split("\n")
    text = lines[line - 1].strip() if line <= len(lines) else ""
    return "The script does not compile on Python %d.%d, line %d: %s (%s)" % (
        sys.version_info[0],
        sys.version_info[1],
        line,
        quoted(text),
        getattr(error, "msg", None) or error,
    )


def _refusal(error, script, place, advice):  # type: (Exception, str, str, str) -> str
    return "box %s: %s; %s" % (quoted(place), complaint(error, script), advice)
