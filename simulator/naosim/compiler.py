"""The compiler of box scripts; on request, it rewrites Python 2 as Python 3, line by line.

`compile_script` compiles the script of a box. `OLD_MODULES_FINDER` rewrites modules next to a behaviour when they are
imported. `OLD_NAMES` and `mutex` replace what Python 3 no longer has.
"""

from __future__ import absolute_import, division, print_function

import ast
import functools
import importlib
import os
import pkgutil
import re
import sys
import warnings
from collections import deque
from email import message_from_string
from email.message import Message
from xml.sax.saxutils import escape

from naosim.clock import present_clock
from naosim.compat import PY2, SourceLoader, decoded_source, import_machinery, quote
from naosim.errors import ScriptRefused

MYPY = False
if MYPY:
    from types import CodeType
    from typing import IO, Any, Callable, Iterable, Mapping, Match, Sequence

# Built-in functions of Python 2.

_MAX_LISTED_RANGE = 1000000  # the longest `range` that becomes a list; longer lists would fill the memory


def _range(*bounds):  # type: (*int) -> Sequence[int]
    found = range(*bounds)
    is_short = all(abs(bound) < 1e9 for bound in bounds) and len(found) <= _MAX_LISTED_RANGE
    return list(found) if is_short else found


def _open(*arguments):  # type: (*Any) -> object
    # The built-in function of the moment: inside a robot, it is another one.
    return open(*arguments)


def _return_list(function):  # type: (Callable[..., Iterable[object]]) -> object
    return lambda *arguments: list(function(*arguments))


#: Python 2's built-in functions by name; `range`, `map` and others return lists, which scripts change or sort.
OLD_NAMES = (
    {}
    if PY2
    else {
        "range": _range,
        "xrange": range,
        "map": _return_list(map),
        "filter": _return_list(filter),
        "zip": _return_list(zip),
        "unicode": str,
        "basestring": str,
        "long": int,
        "unichr": chr,
        "cmp": lambda one, other: int(one > other) - int(one < other),
        "reduce": functools.reduce,
        "reload": getattr(importlib, "reload", None),
        "file": _open,
    }
)  # type: dict[str, object]


# Imports and methods of Python 2.

#: The new names of modules that are similar enough for scripts.
_RENAMED_MODULES = """
    thread _thread, urllib2 urllib.request, urlparse urllib.parse, ConfigParser configparser, Queue queue, StringIO io,
    cStringIO io, cPickle pickle, httplib http.client, HTMLParser html.parser, SocketServer socketserver,
    BaseHTTPServer http.server, SimpleHTTPServer http.server, xmlrpclib xmlrpc.client, Cookie http.cookies,
    commands subprocess
"""
_NEW_MODULES = dict(pair.split() for pair in _RENAMED_MODULES.split(","))
_MODULE_AS = r"[\w.]+(?:[ \t]+as[ \t]+\w+)?"
_IMPORT_LINE = r"^([ \t]*)import[ \t]+(%(module)s(?:[ \t]*,[ \t]*%(module)s)*)(?=[ \t]*(?:[;#\r\n]|$))"
_OLD_IMPORT = re.compile(_IMPORT_LINE % {"module": _MODULE_AS}, re.M)
_OLD_FROM_IMPORT = re.compile(r"^([ \t]*from[ \t]+)(\w+)(?=[ \t]+import\b)", re.M)
#: The new names of methods of dictionaries.
_OLD_METHODS = {"has_key": "__contains__", "iteritems": "items", "itervalues": "values", "iterkeys": "keys"}
_METHOD = re.compile(r"\.(%s)(?=\()" % "|".join(sorted(_OLD_METHODS)))
#: An encoding whose result is searched for text: Python 3 cannot search bytes for text.
_ENCODED = re.compile(
    r"""\.encode\([ \t]*["']utf-?8["'][ \t]*\)"""
    r"""(?=\.(?:split|replace|startswith|endswith|find|index|count|l?strip|rstrip)\([ \t]*["'])""",
    re.I,
)
_STAR = re.compile(r"^([ \t]+)from[ \t]+([\w.]+)[ \t]+import[ \t]*\*", re.M)


def _rewrite_imports(script):  # type: (str) -> str
    r"""Rewrite imports of renamed modules, renamed methods, and `import *` inside a function.

    The latter then defines global names.

    >>> print(_rewrite_imports("import os, thread\nfrom urllib2 import urlopen"))
    import os, _thread as thread
    from urllib.request import urlopen
    """
    script = _OLD_IMPORT.sub(_new_import, script)
    script = _OLD_FROM_IMPORT.sub(lambda part: part.group(1) + _NEW_MODULES.get(part.group(2), part.group(2)), script)
    script = _METHOD.sub(lambda found: "." + _OLD_METHODS[found.group(1)], script)
    return _STAR.sub(_new_star_import, _ENCODED.sub("", script))


def _new_import(found):  # type: (Match[str]) -> str
    parts = []
    for part in found.group(2).split(","):
        name, _, given = part.strip().partition(" as ")
        new = _NEW_MODULES.get(name.strip())
        parts.append(part.strip() if new is None else "%s as %s" % (new, given.strip() or name.strip()))
    return "%simport %s" % (found.group(1), ", ".join(parts))


def _new_star_import(found):  # type: (Match[str]) -> str
    return (
        "%sglobals().update((_name, _each) for _name, _each in vars(__import__(%r, fromlist=['*'])).items() "
        "if not _name.startswith('_'))" % (found.group(1), str(found.group(2)))
    )


# The module `mutex` of Python 2.


class mutex(object):
    """A flag that one caller holds, and a queue of calls that wait for it.

    >>> flag, seen = mutex(), []
    >>> flag.lock(seen.append, 1), flag.lock(seen.append, 2), seen
    (None, None, [1])
    >>> flag.unlock(), seen, flag.test()
    (None, [1, 2], True)
    """

    def __init__(self):  # type: () -> None
        self.locked = False
        self.queue = deque()  # type: deque[tuple[Callable[[object], object], object]]

    def test(self):  # type: () -> bool
        """Return whether the flag is held."""
        return self.locked

    def testandset(self):  # type: () -> bool
        """Take the flag and return True; return False if it is held."""
        taken, self.locked = not self.locked, True
        return taken

    def lock(self, function, argument):  # type: (Callable[[object], object], object) -> None
        """Take the flag and call the function now if the flag is free, else queue the call."""
        if self.testandset():
            function(argument)
        else:
            self.queue.append((function, argument))

    def unlock(self):  # type: () -> None
        """Make the next call of the queue, or release the flag if none exists."""
        if self.queue:
            function, argument = self.queue.popleft()
            function(argument)
        else:
            self.locked = False


# The module `cgi`, which Python 3.13 no longer has.


def _parse_header(line):  # type: (str) -> tuple[str, dict[str, str]]
    """Return the value of a header and its parameters.

    >>> _parse_header('text/html; charset="utf-8"')
    ('text/html', {'charset': 'utf-8'})
    """
    header = Message()
    header["Content-Type"] = line
    pairs = header.get_params() or [("", "")]
    return pairs[0][0], dict(pairs[1:])


class _FieldStorage(dict):  # type: ignore[type-arg]
    """The fields of a form that a browser has posted, or of the query in `environ`, by name."""

    def __init__(self, fp=None, headers=None, environ=None, **_options):
        # type: (IO[bytes] | None, Mapping[str, str] | None, Mapping[str, str] | None, **object) -> None
        sent, given = headers or {}, environ or {}
        kind = sent.get("content-type") or given.get("CONTENT_TYPE") or ""
        size = int(sent.get("content-length") or given.get("CONTENT_LENGTH") or 0)
        body = fp.read(size).decode("latin-1") if fp is not None and size else ""
        if kind.startswith("multipart/"):
            parts = message_from_string("Content-Type: %s\r\n\r\n%s" % (kind, body)).get_payload()  # type: Any
            pairs = [(part.get_param("name", "", "content-disposition"), part.get_payload()) for part in parts]
        else:
            parse = importlib.import_module("urllib.parse")  # type: Any
            pairs = parse.parse_qsl(body or given.get("QUERY_STRING", ""), encoding="latin-1")
        for name, value in pairs:
            self.setdefault(name, []).append(value.encode("latin-1", "ignore").decode("utf-8", "replace"))

    def getlist(self, name):  # type: (str) -> list[str]
        return list(self.get(name, ()))

    def getvalue(self, name, default=None):  # type: (str, object) -> object
        """Return the value of a field, a list if it has several."""
        found = self.getlist(name)
        return found if len(found) > 1 else self.getfirst(name, default)

    def getfirst(self, name, default=None):  # type: (str, object) -> object
        found = self.getlist(name)
        return found[0] if found else default

    def __getitem__(self, name):  # type: (str) -> object
        values = [_Field(name, value) for value in dict.__getitem__(self, name)]
        return values if len(values) > 1 else values[0]


class _Field(object):
    """One field of a form."""

    def __init__(self, name, value):  # type: (str, str) -> None
        self.name, self.value = name, value


CGI_NAMES = {"FieldStorage": _FieldStorage, "escape": escape, "parse_header": _parse_header}  # type: dict[str, object]


# Scripts.

#: Python's errors for too many nested brackets; TypeError is that of 2.7 for zero bytes.
_COMPILER_ERRORS = (MemoryError, OverflowError, RuntimeError, TypeError)
_ASYNC = re.compile(r"\bqi\.async\b")
# Each of these patterns begins in one line: searching across many blank lines would take quadratic time.
_EXCEPT = re.compile(r"^([ \t]*except(?:[ \t]+[\w.]+|[ \t]*\([^()]*\)))[ \t]*,[ \t]*(\w+)[ \t]*:", re.M)
_RAISE = re.compile(r"^([ \t]*raise[ \t]+[\w.]+)[ \t]*,[ \t]*([^,\n]+)$", re.M)
_PRINT = re.compile(r"^((?:.*:)?[ \t]*)print(?:[ \t]+([^\n(=].*)|[ \t]*)$", re.M)
_PRINT_PARENTHESIS = re.compile(r"^([ \t]*)print[ \t]+(\(.*)$", re.M)
#: A string or comment (unchanged); an octal, hexadecimal or long integer; the operator <>; the prefix of a raw string.
_OLD_TOKEN = re.compile(
    r"(\"{3}.*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?|#[^\n]*)"
    r"|(?<![\w.])(?:0+([1-7][0-7]*)|(0[xX][0-9a-fA-F]+|[0-9]+))([lL]?)(?![\w.])|(<>)"
    r"|(?<!\w)[uU]([rR])(?=[\"'])",
    re.S,
)
_PRINT_TO = re.compile(r"^>>\s*([\w.]+)\s*(?:,\s*(.*))?$")


def compile_script(script, place, rewrite=False):  # type: (str, str, bool) -> CodeType
    """Compile a script to a code object; raises ScriptRefused with the box, the line number and the line."""
    if rewrite and not PY2:
        script = _rewrite_imports(script)
    try:
        return _compile(script, place)  # type: ignore[no-any-return]
    except _COMPILER_ERRORS + (SyntaxError, ValueError) as error:
        first = error
    if rewrite and not PY2:
        try:
            return _compile(rewrite_as_python3(script), place)  # type: ignore[no-any-return]
        except _COMPILER_ERRORS + (SyntaxError, ValueError) as error:
            raise ScriptRefused(_refusal(error, script, place, "even after rewriting it; run it with Python 2.7"))
    advice = "correct the script" if PY2 else "run it with Python 2.7 or ask for rewriting"
    raise ScriptRefused(_refusal(first, script, place, advice))


def parse_script(script, place):  # type: (str, str) -> ast.Module
    """Parse a script into its syntax tree; raises SyntaxError or ValueError."""
    try:
        return _compile(script, place, ast.PyCF_ONLY_AST)  # type: ignore[no-any-return]
    except _COMPILER_ERRORS:
        raise SyntaxError("brackets or signs are nested too deeply")


def rewrite_as_python3(script):  # type: (str) -> str
    """Rewrite imports, `qi.async`, `except X, e:`, `raise X, y`, old numbers and simple print statements as Python 3.

    >>> print(rewrite_as_python3("print 'a', b"))
    print('a', b)
    >>> print(rewrite_as_python3("except ValueError, e:"))
    except ValueError as e:
    """
    script = _rewrite_imports(script)
    script = _ASYNC.sub("qi.runAsync", script)
    script = _EXCEPT.sub(r"\1 as \2:", script)
    script = _RAISE.sub(r"\1(\2)", script)
    script = _PRINT_PARENTHESIS.sub(_print_parenthesis, script)
    script = _PRINT.sub(_print_call, script)
    script = _OLD_TOKEN.sub(_new_token, script)
    return "\n".join(_expand_tabs(line) for line in script.split("\n"))


def _compile(script, place, flags=0):  # type: (str, str, int) -> Any
    with warnings.catch_warnings():
        # Library boxes contain "\RSPD=100\"; the robot's Python does not warn of such escapes.
        warnings.simplefilter("ignore")
        return compile(script, place, "exec", flags, True)


def _print_call(found):  # type: (Match[str]) -> str
    before, what = found.group(1), (found.group(2) or "").rstrip()
    if before.lstrip().startswith("#") or (before.strip() and not before.rstrip().endswith(":")):
        return str(found.group(0))
    target = _PRINT_TO.match(what)
    ending = ""
    if target:
        ending, what = ", file=" + target.group(1), (target.group(2) or "")
    if what.endswith(","):
        what, ending = what[:-1], ', end=" "' + ending
    return "%sprint(%s)" % (before, (what + ending).lstrip(", ") if not what else what + ending)


def _print_parenthesis(found):  # type: (Match[str]) -> str
    """Rewrite `print (a), b` as a call: Python 2 prints two values, Python 3 would make a tuple."""
    what = found.group(2).rstrip()
    return "%sprint(%s)" % (found.group(1), what) if not what.endswith(",") else str(found.group(0))


def _new_token(found):  # type: (Match[str]) -> str
    kept, octal, number, _, unlike, raw = found.groups()
    if kept is not None:
        return str(kept)
    return "!=" if unlike else "0o" + octal if octal else str(raw or number)


def _expand_tabs(line):  # type: (str) -> str
    """Expand tabs in an indentation to multiples of eight, as Python 2 does; Python 3 refuses tabs with spaces."""
    margin = line[: len(line) - len(line.lstrip())]
    return margin.expandtabs(8) + line[len(margin) :] if "\t" in margin else line


def describe_compile_error(error, script):  # type: (Exception, str) -> str
    """Return the reason why Python does not compile a script, with its version, the line number and the line."""
    line = getattr(error, "lineno", None) or 1
    lines = script.split("\n")
    text, reason = lines[line - 1].strip() if line <= len(lines) else "", getattr(error, "msg", None) or error
    place = "Python %d.%d, line %d" % (sys.version_info[0], sys.version_info[1], line)
    return "The script does not compile on %s: %s (%s)" % (place, quote(text), reason)


def _refusal(error, script, place, advice):  # type: (Exception, str, str, str) -> str
    return "box %s: %s; %s" % (quote(place), describe_compile_error(error, script), advice)


# Modules next to a behaviour, which are rewritten when they are imported.

_IMPORT = re.compile(_IMPORT_LINE % {"module": _MODULE_AS.replace(r"[\w.]+", r"\w+", 1)}, re.M)
#: With this line, imports in a module of Python 2 are absolute, as in Python 3.
_ABSOLUTE = re.compile(r"^from[ \t]+__future__[ \t]+import\b.*\babsolute_import\b", re.M)


class _OldModules(object):
    """A finder for `sys.meta_path` of the modules in a behaviour's own folders and in the robot's home folder."""

    @staticmethod
    def find_spec(name, path=None, target=None):  # type: (str, Sequence[str] | None, object) -> Any
        """Return the spec of a module of the running behaviour, with a loader that rewrites it; None for others."""
        world, given = _present_world(), list(sys.path if path is None else path)
        folders = given if world is None else [world.file_path(each) for each in given]
        if world is None or not (world.rewrites or folders != given):
            return None
        found = import_machinery.PathFinder.find_spec(name, folders, target)
        loader = found.loader if found is not None else None  # type: Any
        is_own = type(loader) is SourceLoader and world.interpreter.owns(loader.path)
        if is_own and world.rewrites:
            found.loader = _RewritingLoader(loader.name, loader.path)
        return found if is_own else None

    @staticmethod
    def find_module(name, path=None):  # type: (str, object) -> object
        """Return the loader, on Python 2.7, of a module in the robot's home folder; None for others."""
        world = _present_world()
        for folder in sys.path if world is not None and path is None else ():
            local = world.file_path(folder)
            found = pkgutil.ImpImporter(local).find_module(name) if local != folder else None  # type: ignore
            if found is not None:
                return found
        return None


def _present_world():  # type: () -> Any
    clock = present_clock()
    return clock.host if clock is not None else None


class _RewritingLoader(SourceLoader):  # type: ignore[misc]
    """A loader that rewrites a module as Python 3 and adds Python 2's built-in functions to its names."""

    def get_code(self, fullname):  # type: (str) -> object
        """Compile the module; raises SyntaxError if it is not Python 3 after rewriting."""
        source = decoded_source(self.get_data(self.path))
        in_package = "." in fullname or self.is_package(fullname)
        try:
            source = _fix_relative_imports(source, self.path) if in_package else source
            return compile_script(source, self.path, rewrite=True)
        except ScriptRefused:
            return compile(source, self.path, "exec")

    def exec_module(self, module):  # type: (object) -> None
        vars(module).update(OLD_NAMES)
        SourceLoader.exec_module(self, module)


OLD_MODULES_FINDER = _OldModules()


def _fix_relative_imports(source, path):  # type: (str, str) -> str
    """Rewrite the imports of modules in the same package, which Python 2 finds without a dot."""
    if _ABSOLUTE.search(source):
        return source
    folder = os.path.dirname(path)
    names = os.listdir(folder)
    neighbours = {os.path.splitext(name)[0] for name in names if name.endswith(".py")}
    neighbours.update(name for name in names if os.path.isfile(os.path.join(folder, name, "__init__.py")))

    def replace_import(found):  # type: (Match[str]) -> str
        parts = [part.strip() for part in found.group(2).split(",")]
        starts = ["from . import " if part.split()[0] in neighbours else "import " for part in parts]
        return str(found.group(1)) + "; ".join(start + part for start, part in zip(starts, parts))

    def replace_from_import(found):  # type: (Match[str]) -> str
        return "%s%s%s" % (found.group(1), "." * (found.group(2) in neighbours), found.group(2))

    return _OLD_FROM_IMPORT.sub(replace_from_import, _IMPORT.sub(replace_import, source))
