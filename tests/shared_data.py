"""Lists and corpora that lie beside the project where it is built, and are never copied into it."""

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WORD_LISTS = DATA / "wordlists"
NLTK = DATA / "nltk"
#: Marks a test of these; where they do not lie, such as beside a stranger's clone, `conftest.py` leaves it out.
needs_shared_data = pytest.mark.shared_data
