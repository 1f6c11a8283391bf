"""What is said of a wrong command line: one sentence that quotes what was typed and says what to do."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

import typer

from jotto_desk.errors import did_you_mean, printable

from ...addresses import shown

#: More of what was typed is not repeated.
QUOTED = 60
#: Numbers from here on are no limit a person meets.
ENDLESS = 2**31 - 1


def quoted(typed: object) -> str:
    """Quote what was typed, shortened, on one line, without a login."""
    text = printable(shown(str(typed)))
    return f"'{text[:QUOTED]}...'" if len(text) > QUOTED else f"'{text}'"


def of(command: Any, context: Any) -> str:
    """Write how a command is called: `jotto explain [OPTIONS] WORD`."""
    return re.sub(r"[{}]", "", str(command.get_usage(context)).partition(": ")[2])


def takes(param: Any) -> str:
    """Say what an option or argument takes.

    >>> from types import SimpleNamespace as Fake
    >>> takes(Fake(type_descriptor=Fake(annotation=int), min=0, max=9999))
    'a whole number from 0 to 9,999'
    """
    annotation = str(getattr(getattr(param, "type_descriptor", None), "annotation", str))
    what = "a whole number" if "int" in annotation else "a number" if "float" in annotation else "a value"
    return what + (f" {span}" if (span := allowed(param)) else "")


def allowed(param: Any) -> str:
    """Say which numbers an option takes; empty where that is not said."""
    least, most = getattr(param, "min", None), getattr(param, "max", None)
    if least is None and most is None:
        return ""
    if most is None or (least is not None and most >= ENDLESS):
        return f"of at least {least:,}"
    return f"of at most {most:,}" if least is None else f"from {least:,} to {most:,}"


def no_command(typed: str, context: Any, known: Sequence[str]) -> str:
    """Say that there is no such command."""
    return (
        f"There is no command {quoted(typed)}.{did_you_mean(typed, known)} '{context.command_path} --help' lists them."
    )


def sentence(error: Exception, command: Any, context: Any, given: Sequence[str]) -> str:
    """Put an error of use into a sentence; empty for what is none, such as the page shown instead of a command."""
    path = context.command_path
    if isinstance(error, typer.BadParameter):
        return _parameter(error, command, context, given)
    typed = getattr(error, "option_name", "")
    if typed and hasattr(error, "possibilities"):
        known = [name for param in command.get_params(context) for name in (*param.opts, *param.secondary_opts)]
        names = [name for name in known if name.startswith("-")]
        return f"There is no option {quoted(typed)} here.{did_you_mean(typed, names, '-')} '{path} --help' lists them."
    if typed:
        param = next((one for one in command.get_params(context) if typed in (*one.opts, *one.secondary_opts)), None)
        if param is None or getattr(param, "is_flag", False):
            return f"{typed} takes no value; write {typed} alone."
        return f"{typed} takes {takes(param)}, and none is given; '{path} --help' tells more."
    rest = _parsed(command, context, given)[1]
    return f"{quoted(' '.join(rest))} is more than '{path}' takes; '{path} --help' shows how to use it." if rest else ""


def _parameter(error: Any, command: Any, context: Any, given: Sequence[str]) -> str:
    """Say what is wrong with the value of an option or argument, or that there is none."""
    param, path = error.param, context.command_path
    if param is None:
        return f"{error.message} '{path} --help' tells more."
    name = param.opts[0] if param.param_type_name == "option" else param.display_name_raw
    if hasattr(error, "param_type"):
        return f"{name} is missing: {' '.join(of(command, context).split())}; '{path} --help' tells more."
    values = _parsed(command, context, given)[0].get(param.name) or os.environ.get(str(param.envvar), "")
    value = values[-1] if isinstance(values, list | tuple) and values else values
    return f"{name} takes {takes(param)}, not {quoted(value)}."


def _parsed(command: Any, context: Any, given: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Take a command line apart once more: values by parameter, and what is left over."""
    values, rest, _ = command.make_parser(context).parse_args(args=list(given))
    takers = [param for param in command.get_params(context) if param.param_type_name == "argument"]
    return values, [] if any(param.nargs == -1 for param in takers) else list(rest)
