"""docs/class.md: the buttons and phrases that it prints in four languages are the game's."""

import json
from xml.etree import ElementTree

import pytest
from interpreters import load_script
from pages import ROOT, read

from jotto_behaviour.settings import LANGUAGE_CODES

#: The phrases in the rows of the table, by what they mean in `lines_en.json`.
PHRASES = {"ready": "ready", "help": "help", "why?": "why", "stop": "stop"}
BUTTONS = (
    "NAO guesses",
    "the child guesses",
    "the reason",
    "the diagram",
    "the example",
    "values of the boxes",
    "use them",
)


def read_rows():
    """Return the table of languages: the cells of each row, by the row's name."""
    table = read(ROOT / "docs/class.md").partition("## In four languages\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]
    return {name: cells for name, *cells in rows}


@pytest.mark.parametrize(("column", "code"), list(enumerate(("en", "fr", "de", "es"))))
def test_the_table_has_the_words_of_the_game(column, code):
    rows = read_rows()
    words = json.loads(read(ROOT / f"behaviour/jotto_behaviour/lines_{code}.json"))["words"]
    for name, meaning in PHRASES.items():
        assert rows[name][column].strip("*") in words[meaning]
    texts = json.loads(read(ROOT / f"src/jotto_desk/play/page/texts_{code if code != 'en' else 'fr'}.json"))
    for name in BUTTONS:
        english = rows[name][0]
        assert english in texts
        assert rows[name][column] == (english if code == "en" else texts[english])
    assert rows["end of the address"][column] == f"`#play?lang={code}`"


def test_the_sheets_are_as_their_program_draws_them():
    sheets = load_script(ROOT / "docs/class_sheets.py")
    assert set(sheets.SHEETS) == set(LANGUAGE_CODES)
    for language in sheets.SHEETS:
        drawn = sheets.draw_sheet(language)
        assert drawn == sheets.find_path(language).read_text(encoding="utf-8"), "run `make samples`"
        places = [
            float(each.get("y")) for each in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")
        ]
        assert max(places) < sheets.HEIGHT - 2 * sheets.LINE
