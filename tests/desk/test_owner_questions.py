"""Questions of owners: each has a section that answers it, at most two links from README."""

import posixpath
import re
from typing import NamedTuple

import pytest
from pages import FENCE, ROOT, read

#: Links from README to the page of an answer.
FARTHEST = 2
LINK = re.compile(r"\]\(([^)\s#:]+\.md)(?:#[^)]*)?\)")
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)


class Question(NamedTuple):
    """A row of owner_questions.txt."""

    text: str
    page: str
    heading: str
    words: list[str]


def read_questions():
    """Read the table of questions."""
    found = []
    for line in read(ROOT / "tests/desk/owner_questions.txt").splitlines():
        if line and not line.startswith("#"):
            text, place, words, asked_by = (cell.strip() for cell in line.split(" | "))
            page, _, heading = place.partition(" # ")
            assert asked_by, line
            found.append(Question(text, page, heading, words.split(", ")))
    return found


def find_section(page, heading):
    """Return the text below a heading up to the next one of its level or above; None without that heading."""
    text = read(ROOT / page)
    # A comment in a block of commands is not a heading.
    headings = [found for found in HEADING.finditer(text) if not is_code(text, found.start())]
    for number, found in enumerate(headings):
        if found[2] == heading:
            after = [each for each in headings[number + 1 :] if len(each[1]) <= len(found[1])]
            return text[found.end() : after[0].start() if after else len(text)]
    return None


def is_code(text, place):
    """Return whether a place is in a fenced block."""
    return any(found.start() < place < found.end() for found in FENCE.finditer(text))


def find_reached():
    """Map pages to the number of links that lead to them from README."""
    reached, new = {"README.md": 0}, ["README.md"]
    while new:
        page = new.pop(0)
        for link in LINK.findall(read(ROOT / page)):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
            if target not in reached and (ROOT / target).is_file():
                reached[target] = reached[page] + 1
                new.append(target)
    return reached


QUESTIONS = read_questions()
REACHED = find_reached()


def test_there_are_forty_questions():
    assert len(QUESTIONS) >= 40
    assert len({question.text for question in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.text)
def test_a_section_near_the_readme_answers(question):
    section = find_section(question.page, question.heading)
    assert section is not None, f"{question.page} has no heading '{question.heading}'"
    flat = " ".join(section.split()).lower()
    assert [word for word in question.words if word.lower() not in flat] == []
    assert REACHED.get(question.page, FARTHEST + 1) <= FARTHEST
