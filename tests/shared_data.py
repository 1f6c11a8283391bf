"""Word lists and corpora in a folder next to the checkout; they are not part of the project."""

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WORD_LISTS = DATA / "wordlists"
NLTK = DATA / "nltk"
#: Marks a test that needs them; `conftest.py` deselects it if the folder is missing.
needs_shared_data = pytest.mark.shared_data
