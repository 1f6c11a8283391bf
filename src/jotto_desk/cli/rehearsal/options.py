"""The options of `jotto rehearse`, and those that `jotto play` shares with it."""

from pathlib import Path
from typing import Annotated

import typer

from jotto import strategies
from jotto_behaviour.settings import LANGUAGE_CODES, LEVELS
from naosim_live.voice.names import RECOGNISERS

from ..role_option import I_GUESS, NAO_GUESSES, role_option
from ..shell import ADVANCED, GAME, OUTPUT, PERSON, choices

MOST_GAMES = 100_000
#: An answer later than NAO waits, 8 s and more, meets a reminder; after three reminders the game would be paused.
LONGEST_ANSWER = 20.0
ROLE = "nao-guesses: NAO guesses the person's word; i-guess: the person guesses NAO's."
STRATEGIES = """NAO's strategy: tree (entropy if the list has no tree), entropy or consistent; belief is tree, but NAO
plays on if an answer may be wrong."""
LEVEL = """easy: NAO picks words that a child knows, gives hints and guesses like a person; normal: common words; hard:
rarer words, and NAO expects any word of yours."""
TREE = "A tree file for the list; default: the .tree file next to the list, or the game's own."
LANGUAGE = "Language of NAO's speech and of the words; default: the robot's own."
Language = Annotated[
    str, choices.chosen("--language", options=LANGUAGE_CODES, what="language", help=LANGUAGE, panel=GAME)
]
Strategy = Annotated[
    str,
    choices.chosen("--strategy", options=tuple(strategies.STRATEGIES), what="strategy", help=STRATEGIES, panel=GAME),
]
Words = Annotated[
    str,
    typer.Option(
        "--words",
        metavar="LIST",
        rich_help_panel=GAME,
        autocompletion=choices.word_lists,
        help="A word list: file, URL or name.",
    ),
]
TreeFile = Annotated[str, typer.Option("--tree", metavar="FILE", rich_help_panel=ADVANCED, help=TREE)]
Without = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        metavar="SERVICE",
        rich_help_panel=ADVANCED,
        autocompletion=choices.services,
        help="Pretend that the robot has no SERVICE.",
    ),
]
Secret = Annotated[
    str, typer.Option(metavar="WORD", rich_help_panel=GAME, help="Play one game with this word and print what is said.")
]
All = Annotated[bool, typer.Option("--all", rich_help_panel=GAME, help="Play every word of the list.")]
Sample = Annotated[
    int, typer.Option(min=0, max=MOST_GAMES, rich_help_panel=GAME, help="Play this many words of the list.")
]
Role = Annotated[str, role_option(ROLE, GAME, (NAO_GUESSES, I_GUESS))]
Level = Annotated[str, choices.chosen("--level", options=LEVELS, what="level", help=LEVEL, panel=GAME)]
Mishear = Annotated[
    str,
    typer.Option(
        metavar="RATE|FILE",
        rich_help_panel=PERSON,
        help="Chance that NAO hears a wrong answer; or measured confusions: quiet, babble:20, babble:10, or a file of "
        "--write-confusions.",
    ),
]
Silence = Annotated[float, typer.Option(min=0, max=0.9, rich_help_panel=PERSON, help="Chance of no answer.")]
Mistake = Annotated[float, typer.Option(min=0, max=0.9, rich_help_panel=PERSON, help="Chance of a wrong score.")]
AnswerSeconds = Annotated[
    float,
    typer.Option(
        metavar="S",
        min=0,
        max=LONGEST_ANSWER,
        rich_help_panel=PERSON,
        help="Simulated seconds that the person takes for each answer.",
    ),
]
Touch = Annotated[bool, typer.Option("--touch", rich_help_panel=PERSON, help="Answer only by touching the head.")]
Voice = Annotated[
    bool,
    typer.Option(
        "--voice", rich_help_panel=PERSON, help="Answer by sound: ten voices of espeak-ng, heard by a real recogniser."
    ),
]
NoiseAround = Annotated[
    str,
    typer.Option(
        "--noise",
        metavar="NOISE",
        rich_help_panel=PERSON,
        help="With --voice: quiet, white:DB, babble:DB or echo:DB; the voice is DB decibels louder.",
    ),
]
RecogniserName = Annotated[
    str,
    choices.chosen(
        "--recogniser", options=tuple(RECOGNISERS), what="recogniser", help="Recogniser for --voice.", panel=ADVANCED
    ),
]
Model = Annotated[
    str,
    typer.Option(
        "--model", metavar="DIR", rich_help_panel=ADVANCED, help="Folder of the model, if the recogniser brings none."
    ),
]
Recordings = Annotated[
    Path | None,
    typer.Option(
        "--recordings",
        metavar="DIR",
        rich_help_panel=PERSON,
        help="With --voice: play recordings of people, one folder per phrase; espeak-ng says the other phrases.",
    ),
]
Save = Annotated[
    str,
    typer.Option(
        "--save", metavar="DIR", rich_help_panel=OUTPUT, help="With --voice: save the sounds that were not understood."
    ),
]
WriteConfusions = Annotated[
    Path | None,
    typer.Option(
        "--write-confusions",
        metavar="FILE",
        rich_help_panel=OUTPUT,
        help="With --voice: write which phrases were heard for which, for --mishear FILE and jotto voice check.",
    ),
]
Python = Annotated[
    str, typer.Option(metavar="PATH", rich_help_panel=ADVANCED, help="Run the behaviour in this interpreter.")
]
BehaviourFile = Annotated[
    str, typer.Option(metavar="FILE", rich_help_panel=ADVANCED, help="Play another behavior.xar.")
]
Seed = Annotated[
    int, typer.Option(min=0, max=2**31 - 1, rich_help_panel=ADVANCED, help="The same seed plays the same games.")
]
Jobs = Annotated[int, typer.Option(min=0, max=256, rich_help_panel=ADVANCED, help="Processes; 0 is one per core.")]
Transcripts = Annotated[
    Path | None,
    typer.Option(metavar="FILE", rich_help_panel=OUTPUT, help="Write the conversation of every game to this file."),
]
