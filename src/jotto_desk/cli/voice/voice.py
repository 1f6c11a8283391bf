"""`jotto voice`: what NAO's ears mix up, and from which confidence on NAO believes them."""

from ..shell.commands import CommandLine
from ..shell.commands import examples as lines
from . import check, learn

app = CommandLine(no_args_is_help=True, epilog=lines("jotto voice check", "jotto voice learn heard.jsonl"),
                  help="What NAO's ears mix up, and from which confidence on NAO believes them.")

app.command(epilog=lines("jotto voice check", "jotto voice check --question both --top 10",
                         "jotto voice check --confusions ears.json --json"))(check.check)
app.command(epilog=lines("jotto voice learn heard.jsonl", "jotto voice learn heard.jsonl --json"))(learn.learn)
