"""`jotto voice`: what NAO's ears mix up, how well they hear people, and when NAO believes them."""

from ..shell.commands import CommandLine
from ..shell.commands import examples as lines
from . import check, hear, learn

app = CommandLine(
    no_args_is_help=True,
    epilog=lines("jotto voice check", "jotto voice hear recordings", "jotto voice learn heard.jsonl"),
    help="Measure and tune speech recognition: similar phrases, recordings of people, and NAO's confidence thresholds.",
)

app.command(
    epilog=lines(
        "jotto voice check",
        "jotto voice check --question both --top 10",
        "jotto voice check --confusions ears.json --json",
    )
)(check.check)
app.command(
    epilog=lines(
        "jotto voice hear recordings",
        "jotto voice hear recordings --recogniser moonshine --sample 50",
        "jotto voice hear recordings --noise babble:10 --json",
    )
)(hear.hear)
app.command(epilog=lines("jotto voice learn heard.jsonl", "jotto voice learn heard.jsonl --json"))(learn.learn)
