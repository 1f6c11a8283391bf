"""Imports and methods of Python 2 in a box script, written anew for Python 3, line by line."""

from __future__ import absolute_import, division, print_function

import re

MYPY = False
if MYPY:
    from typing import Any

#: The modules that Python 3 calls otherwise and that offer there what scripts use of them.
RENAMED = {
    "thread": "_thread",
    "urllib2": "urllib.request",
    "urlparse": "urllib.parse",
    "ConfigParser": "configparser",
    "Queue": "queue",
    "StringIO": "io",
    "cStringIO": "io",
    "cPickle": "pickle",
    "httplib": "http.client",
    "HTMLParser": "html.parser",
    "SocketServer": "socketserver",
    "BaseHTTPServer": "http.server",
    "SimpleHTTPServer": "http.server",
    "xmlrpclib": "xmlrpc.client",
    "Cookie": "http.cookies",
    "commands": "subprocess",
}
_MODULE = r"[\w.]+(?:[ \t]+as[ \t]+\w+)?"
_IMPORT = re.compile(
    r"^([ \t]*)import[ \t]+(%s(?:[ \t]*,[ \t]*%s)*)(?=[ \t]*(?:[;#\r\n]|$))" % (_MODULE, _MODULE), re.M
)
_FROM = re.compile(r"^([ \t]*from[ \t]+)(\w+)(?=[ \t]+import\b)", re.M)
#: The methods of dictionaries that Python 3 calls otherwise.
METHODS = {"has_key": "__contains__", "iteritems": "items", "itervalues": "values", "iterkeys": "keys"}
_METHOD = re.compile(r"\.(%s)(?=\()" % "|".join(sorted(METHODS)))
#: Bytes that are searched for a text, which Python 3 never does.
_ENCODED = re.compile(
    r"""\.encode\([ \t]*["']utf-?8["'][ \t]*\)"""
    r"""(?=\.(?:split|replace|startswith|endswith|find|index|count|l?strip|rstrip)\([ \t]*["'])""",
    re.I,
)
_STAR = re.compile(r"^([ \t]+)from[ \t]+([\w.]+)[ \t]+import[ \t]*\*", re.M)


def renewed(script):  # type: (str) -> str
    r"""Rewrite the imports of renamed modules, methods that dictionaries had, and `import *` inside a function.

    The last brings global names then.

    >>> print(renewed("import os, thread\nfrom urllib2 import urlopen"))
    import os, _thread as thread
    from urllib.request import urlopen
    """
    script = _IMPORT.sub(_import, script)
    script = _FROM.sub(lambda found: found.group(1) + RENAMED.get(found.group(2), found.group(2)), script)
    script = _METHOD.sub(lambda found: "." + METHODS[found.group(1)], script)
    return _STAR.sub(_star, _ENCODED.sub("", script))


def _import(found):  # type: (Any) -> str
    parts = []
    for part in found.group(2).split(","):
        name, _, given = part.strip().partition(" as ")
        new = RENAMED.get(name.strip())
        parts.append(part.strip() if new is None else "%s as %s" % (new, given.strip() or name.strip()))
    return "%simport %s" % (found.group(1), ", ".join(parts))


def _star(found):  # type: (Any) -> str
    return (
        "%sglobals().update((_name, _each) for _name, _each in vars(__import__(%r, fromlist=['*'])).items() "
        "if not _name.startswith('_'))" % (found.group(1), str(found.group(2)))
    )
