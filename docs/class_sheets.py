"""The sheets for a class: `python docs/class_sheets.py` writes docs/class-sheet-en.svg and the other languages.

Each is one page of A4 to print; lengths are in millimetres.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

from jotto_desk import files
from jotto_desk.play.page import load_text_table

FOLDER = Path(__file__).resolve().parent
WIDTH, HEIGHT, MARGIN = 210, 297, 15
#: Rows for NAO's guesses: at the usual level NAO needs at most eight.
GUESSES, LETTERS = 8, 5
#: Side of a box for a letter, and distance of two rows.
BOX, ROW = 8, 11
#: Lines to write on below each question, and their distance.
ANSWER_LINES, LINE = 2, 9


class Sheet(NamedTuple):
    """The texts of a language: the title, the names of the parts, and the questions."""

    title: str
    secret: str
    guess: str
    left: str
    questions: tuple[str, str, str, str]


SHEETS = {
    "en": Sheet(
        "NAO and I",
        "My secret word",
        "NAO's guess",
        "Words left?",
        (
            "NAO's most surprising guess, and why I think NAO asked it:",
            "The box that waits for me is called:",
            "My own sentence for NAO:",
            "I halve 1,000 numbers until one is left. How many times?",
        ),
    ),
    "fr": Sheet(
        "NAO et moi",
        "Mon mot secret",
        "Le mot de NAO",
        "Mots restants ?",
        (
            "Le mot le plus surprenant de NAO, et pourquoi, à mon avis :",
            "La boîte qui m'attend s'appelle :",
            "Ma phrase pour NAO :",
            "Je coupe 1 000 nombres en deux jusqu'à ce qu'il en reste un. Combien de fois ?",
        ),
    ),
    "de": Sheet(
        "NAO und ich",
        "Mein geheimes Wort",
        "NAOs Wort",
        "Wörter übrig?",
        (
            "Das überraschendste Wort von NAO, und warum NAO es wohl fragt:",
            "Die Box, die auf mich wartet, heißt:",
            "Mein Satz für NAO:",
            "Ich halbiere 1000 Zahlen, bis eine übrig ist. Wie oft?",
        ),
    ),
    "es": Sheet(
        "NAO y yo",
        "Mi palabra secreta",
        "La palabra de NAO",
        "¿Palabras que quedan?",
        (
            "La palabra más sorprendente de NAO, y por qué creo que la dice:",
            "La caja que me espera se llama:",
            "Mi frase para NAO:",
            "Divido 1000 números por la mitad hasta que queda uno. ¿Cuántas veces?",
        ),
    ),
}


def find_path(language: str) -> Path:
    """Return the path of a language's sheet."""
    return FOLDER / f"class-sheet-{language}.svg"


def draw_sheet(language: str) -> str:
    """Draw the sheet of a language as SVG."""
    sheet = SHEETS[language]
    table = load_text_table(language)
    right, wrong = (table.get(text, text) for text in ("In the right place", "In the wrong place"))
    columns = (MARGIN + 6, 80, 115, 150)
    parts = [_text(MARGIN, 24, sheet.title, 9), _text(MARGIN, 40, sheet.secret, 5), *_boxes(80, 33)]
    for x, name in zip(columns, (sheet.guess, right, wrong, sheet.left), strict=True):
        parts.append(_text(x, 56, name, 3.6))
    for row in range(GUESSES):
        top = 60 + ROW * row
        parts += [_text(MARGIN, top + 6, f"{row + 1}.", 4), *_boxes(columns[0], top)]
        parts += [_box(columns[1], top, 15), _box(columns[2], top, 15), _box(columns[3], top, 45)]
    top = 73 + ROW * GUESSES
    for question in sheet.questions:
        parts.append(_text(MARGIN, top, question, 4.4))
        lines = (top + LINE * (number + 1) for number in range(ANSWER_LINES))
        parts += [f'<path d="M{MARGIN} {y}H{WIDTH - MARGIN}"/>' for y in lines]
        top += LINE * ANSWER_LINES + 14
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{HEIGHT}mm" lang="{language}"'
            f' viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title">',
            f'<title id="title">{escape(sheet.title)}</title>',
            "<style>text{font-family:system-ui,sans-serif;fill:#000}rect,path{fill:none;stroke:#000;stroke-width:.3}</style>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" style="fill:#fff;stroke:none"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def _boxes(left: float, top: float) -> Iterator[str]:
    return (_box(left + (BOX + 2) * place, top, BOX) for place in range(LETTERS))


def _box(left: float, top: float, width: float) -> str:
    return f'<rect x="{left}" y="{top}" width="{width}" height="{BOX}" rx="1"/>'


def _text(left: float, bottom: float, text: str, size: float) -> str:
    return f'<text x="{left}" y="{bottom}" font-size="{size}">{escape(text, quote=False)}</text>'


if __name__ == "__main__":
    for name in SHEETS:
        files.write_whole(find_path(name), draw_sheet(name))
        print(f"Wrote {find_path(name).name}.")
