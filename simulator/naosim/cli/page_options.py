"""The options of `--page`: where the page is, who may come in, and whether every visitor has a robot of its own."""

from __future__ import absolute_import, division, print_function

import argparse

from naosim.compat import native

MYPY = False
if MYPY:
    from typing import Any

#: Where the page is, and the last port there is.
HOST, PORT, LAST_PORT = "127.0.0.1", 9580, 65535
#: The most visitors that one computer is to have robots for.
MOST_VISITORS = 200
LONGEST_SHOWN = 60


def add(parser):  # type: (argparse.ArgumentParser) -> None
    """Add the options, as a group of their own."""
    group = parser.add_argument_group("a page in the browser")
    group.add_argument("--page", action="store_true", help="show NAO in the browser, and talk to it there")
    group.add_argument(
        "--port",
        type=_number(0, LAST_PORT, "port"),
        default=PORT,
        metavar="N",
        help="where the page is on this computer (default %d, 0 any free one)" % PORT,
    )
    group.add_argument(
        "--visitors",
        type=_number(1, MOST_VISITORS, "number of visitors"),
        default=1,
        metavar="N",
        help="a robot of its own for every browser, for N at most (default 1: all share one)",
    )
    group.add_argument(
        "--host",
        type=native,
        default=HOST,
        metavar="ADDRESS",
        help="let other computers in at this address, or 0.0.0.0 for all; needs TLS, or --insecure",
    )
    group.add_argument("--tls-cert", type=native, default="", metavar="FILE", help="the certificate of the page (PEM)")
    group.add_argument("--tls-key", type=native, default="", metavar="FILE", help="the certificate's key (PEM)")
    group.add_argument(
        "--token",
        type=native,
        default="",
        metavar="TEXT",
        help="what the address has to bring; drawn and printed where other computers come in by TLS",
    )
    group.add_argument("--insecure", action="store_true", help="let other computers in without TLS and token")


def given_without_page(parser, options):  # type: (argparse.ArgumentParser, argparse.Namespace) -> list[str]
    """List the options that were given though there is no page."""
    names = ("visitors", "host", "tls_cert", "tls_key", "token", "insecure")
    return [
        "--" + name.replace("_", "-")
        for name in names
        if not options.page and getattr(options, name) != parser.get_default(name)
    ]


def wrong_recording(options):  # type: (argparse.Namespace) -> str
    """Say what is wrong with the file, --record and --replay together, "" for nothing."""
    shows = options.page and options.replay
    if not options.file and not shows:
        return "name the file of a behaviour, or a recording to be shown: --replay FILE --page"
    if shows and (options.file or options.record or options.visitors > 1):
        return "--replay FILE --page shows a recording alone: leave the behaviour, --record and --visitors out"
    if options.page and options.record and options.visitors > 1:
        return "--record keeps one robot: leave --visitors out"
    return ""


def _number(least, most, what):  # type: (int, int, str) -> Any
    def parsed(text):  # type: (str) -> int
        if not text.isdigit() or len(text) > LONGEST_SHOWN or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError("%s is no %s from %d to %d" % (text[:LONGEST_SHOWN], what, least, most))
        return int(text)

    return parsed
