"""Lines of a game as people read them: guesses and secrets in capitals, wherever they stand, and nothing else."""

from jotto_behaviour import mind
from jotto_behaviour.lines import Line
from jotto_desk.conversation.game_record import Transcript, capitals
from naosim.world import Event

LINES = mind.load_lines()
#: Words for every slot; the guess is a word that stands in many lines.
WORDS = {
    "guess": "place",
    "word": "count",
    "spelling": "",
    "letter": "c",
    "number": 1,
    "exact": 1,
    "misplaced": 2,
    "old_exact": 0,
    "old_misplaced": 3,
    "attempts": 4,
    "count": 5,
    "rest": 2,
    "worst": 3,
    "phrase": "three",
    "list": "mine",
    "strategy": "luck",
    "language": "fr",
    "slowly": "ocean",
    "letters": "ab",
    "clearly": "c",
    "turns": [["place", [1, 2]], ["count", [0, 1]]],
}


def shown(text):
    return Transcript.said([Event(0.0, "say", {"plain": text})])


def test_guesses_are_in_capitals():
    for text, expected in (
        ("Is it ocean? O, C, E, A, N.", "Is it OCEAN? O, C, E, A, N."),
        ("My word was heavy. H, E, A, V, Y. Once more?", "My word was HEAVY. H, E, A, V, Y. Once more?"),
        ("H, O, U, S, E. Is your word house?", "H, O, U, S, E. Is your word HOUSE?"),
        (
            "You told me: pares with one and two and hotel with zero and one.",
            "You told me: PARES with one and two and HOTEL with zero and one.",
        ),
        ("How many letters of place are in the wrong place?", "How many letters of PLACE are in the wrong place?"),
        ("Light: no letters at all. What's your guess?", "LIGHT: no letters at all. What's your guess?"),
        ("I heard ocean. Is that right?", "I heard OCEAN. Is that right?"),
        ("I heard three. Is that right?", "I heard three. Is that right?"),
        ("Hotel.", "Hotel."),
        (
            "Hotel: is that your guess? Say yes, or keep spelling.",
            "HOTEL: is that your guess? Say yes, or keep spelling.",
        ),
        ("Oops, my mistake. Is place your word?", "Oops, my mistake. Is PLACE your word?"),
    ):
        assert shown(text) == [expected]


def test_guesses_of_other_languages_are_in_capitals():
    for language, said, word in (
        ("de", "Danke. Dann hat %s einen am richtigen Platz und zwei am falschen.", "w\u00fcste"),
        ("fr", "Oui\u202f! Mon mot, c'est %s. Tu l'as trouv\u00e9 en 3 essais\u202f!", "c\u0153ur"),
        ("es", "Has probado %s con una en su sitio y cero en otro.", "ni\u00f1as"),
    ):
        assert capitals(said % word, language) == said % word.upper(), language


def test_every_line_has_its_guesses_in_capitals():
    loud = {name: word.upper() if name in ("guess", "word") else word for name, word in WORDS.items()}
    loud["turns"] = [[guess.upper(), score] for guess, score in WORDS["turns"]]
    for key in LINES.keys():  # noqa: SIM118
        for beat in range(len(LINES.variants(key))):
            plain = LINES.speak(Line(key, WORDS), 1, beat).text
            assert shown(plain) == [LINES.speak(Line(key, loud), 1, beat).text], key
