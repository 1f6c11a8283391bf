"""Word lists of any length for the measurements: the game's own list, the public one if present, and random words."""

from pathlib import Path

from jotto import compat
from jotto.rules import JOTTO
from jotto_desk.words import default_list

ROOT = Path(__file__).resolve().parents[1]
#: Where the public lists lie, beside the project; nothing of them is copied.
PUBLIC = ROOT.parent / "shared" / "data" / "wordlists" / "wordle-guesses-12972.txt"
LARGER = 8322


def own() -> list[str]:
    """List the words of the default list, the commonest first."""
    return list(default_list(JOTTO, own=False).words)


def isograms(count: int, seed: int = 1) -> list[str]:
    """List that many words: the default list, and after its end random words that look like it.

    Each letter of a drawn word stands where that letter stands in a word of the list, by a seeded draw.
    """
    words = own()[:count]
    pattern, known, tries = own(), set(words), 0
    while len(words) < count:
        word = "".join(compat.draw_item(pattern, seed, "word", tries, place)[place] for place in range(5))
        tries += 1
        if len(set(word)) == 5 and word not in known:
            known.add(word)
            words.append(word)
    return words


def larger() -> tuple[str, list[str]]:
    """Name and list the 8,322 isograms among the public Wordle guesses; random words where that list is missing."""
    if not PUBLIC.is_file():
        return f"{LARGER:,} drawn words", isograms(LARGER)
    found = [word for word in PUBLIC.read_text(encoding="ascii").split() if len(set(word)) == 5]
    return f"{len(found):,} isograms of the public Wordle guesses", found
