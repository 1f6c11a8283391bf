"""`jotto voice`: what NAO's ears mix up, and from which confidence on NAO believes them."""

from ..shell.commands import CommandLine
from ..shell.commands import examples as lines
from . import learn

app = CommandLine(no_args_is_help=True, epilog=lines("jotto voice learn heard.jsonl"),
                  help="What NAO's ears mix up, and from which confidence on NAO believes them.")

app.command(epilog=lines("jotto voice learn heard.jsonl", "jotto voice learn heard.jsonl --json"))(learn.learn)


@app.callback()
def _group() -> None:
    """Keep the command's name, as long as there is one command."""
