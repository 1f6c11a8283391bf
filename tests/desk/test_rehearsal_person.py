"""The simulated person: follows what NAO says, counts honestly except for planned slips, and answers."""

from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_desk.rehearsal.person import PersonAnswer, PersonView, SimulatedPerson, Trouble, false_claims

LINES = mind.load_lines()


def view(state, guess="ocean", score="", says=(), vocabulary=("yes", "no")):
    return PersonView(state, guess, score, list(says), tuple(vocabulary))


def person(secret="canoe", **trouble):
    return SimulatedPerson(secret, 1, LINES, Trouble(**trouble))


def test_answers_to_every_question():
    for name, seen, said in [
        ("ready", view("ready"), "ready"),
        ("unfinished", view("unfinished"), "yes"),
        ("stopping", view("stopping"), "no"),
        ("not the word", view("word"), "no"),
        ("the word", view("word", "canoe"), "yes"),
        ("in place", view("exact", "candy"), "three"),
        ("elsewhere", view("misplaced", "ocean"), "five"),
        (
            "first number misquoted",
            view("misplaced", "ocean", says=["Three in place. And in the wrong place?"]),
            "take it back",
        ),
        ("noted right", view("doubtful", "ocean", "0 5"), "yes"),
        ("noted wrong", view("doubtful", "ocean", "1 2"), "no"),
        ("first letter", view("spell", says=["Okay, let's spell it again. What's the first letter?"]), "charlie"),
        ("read back right", view("spelled", says=["Is your word CANOE?"]), "yes"),
        ("read back wrong", view("spelled", says=["Is your word canon?"]), "no"),
        ("over", view("again", "canoe"), "no"),
        ("a wrong win", view("again", "ocean"), "I made a mistake"),
        ("over, unknown word", view("again", ""), "no"),
    ]:
        answer = person().answer(seen)
        assert (answer.phrase, answer.meant) == (said, said), name


def test_answers_when_nao_asks_to_confirm():
    for said_before, quoted, said in (
        ("no", "I heard no. Is that right?", "yes"),
        ("no", "Did you say no?", "yes"),
        ("no", "I heard stop. Is that right?", "no"),
        ("no", "If you said no, say yes. If not, say no.", "yes"),
        ("no", "If you said give up, say yes. If not, say no.", "no"),
        # A guess is in capitals.
        ("coals", "I heard COALS. Is that right?", "yes"),
        ("coals", "Did you say COALS?", "yes"),
        ("coals", "Did you say FOALS?", "no"),
    ):
        someone = person()
        assert someone.answer(view("word")).meant == "no"
        someone.said = said_before
        assert someone.answer(view("asking back", says=[quoted])).meant == said, quoted


def test_spelling_follows_what_nao_repeats():
    someone = person()
    said = [
        someone.answer(view("spell", says=[text])).meant
        for text in (
            "Okay, let's spell it again. What's the first letter?",
            "Charlie.",
            "Tango.",
            "Okay, one back. What's letter two?",
            "Alpha.",
        )
    ]
    assert said == ["charlie", "alpha", "back one", "alpha", "november"]


def test_a_slip_is_a_possible_score_and_is_counted_once():
    someone = person(mistake=0.9)
    for guess in ("ocean", "trick", "blast", "vigor"):
        first = someone.answer(view("exact", guess)).meant
        assert someone.answer(view("exact", guess)).meant == first
    assert someone.slips >= 2
    wrong = [guess for guess, claim in someone.claims.items() if claim != JOTTO.score(guess, "canoe")]
    assert len(wrong) == someone.slips and all(claim in JOTTO.possible() for claim in someone.claims.values())
    # A person who is asked again counts correctly.
    someone = person(mistake=0.9)
    someone.answer(view("exact", "ocean"))
    said = someone.answer(view("doubtful", "ocean", "9 9")).meant
    assert said == "no" and someone.claims["ocean"] == JOTTO.score("ocean", "canoe")


def test_misheard_phrases_come_from_the_vocabulary_with_little_confidence_and_silence_is_as_frequent_as_planned():
    vocabulary, wrong = ("yes", "no", "stop", "repeat"), []
    secrets = mind.load_mind("", "consistent", ()).wordlist.words[:400]
    answers = [person(secret, silence=0.5).answer(view("word")).phrase for secret in secrets]
    assert 120 < answers.count(None) < 280
    for secret in secrets:
        answer = person(secret, mishear=0.5).answer(view("word", vocabulary=vocabulary))
        assert answer.phrase in vocabulary
        if answer.phrase != answer.meant:
            wrong.append(answer.confidence)
    assert 120 < len(wrong) < 280 and max(wrong) < 0.6
    assert 0.05 < sum(confidence >= LINES.certainty["sure"] for confidence in wrong) / len(wrong) < 0.25


def test_a_person_who_never_gives_up_goes_back_to_the_game():
    """A silent person has heard it, too; where the word is asked for otherwise, it is told."""
    for given_up in LINES.variants("given up"):
        someone = person(silence=0.9)
        assert someone.answer(view("tell", says=[f"{given_up} Will you tell me your word?"])).phrase is None
        someone.trouble = Trouble()
        assert someone.answer(view("tell", says=["Will you tell me your word?"])).meant == "take it back"
        assert someone.answer(view("spell", says=["What's letter one?"])).meant == "take it back"
        assert someone.answer(view("word", "ocean", says=["Okay, on we go. Is it ocean?"])).meant == "no"
        assert someone.answer(view("tell", says=["Then your word isn't on my list."])).meant == "yes"


def test_false_claims_about_the_game_and_the_answers_are_found():
    one = "For OCEAN, I'd say zero and five, not one and two. Easy to miss!"
    game_ = {"outcome": "solved", "guess": "canoe", "turns": [["ocean", [0, 5]]]}
    slips = {**game_, "turns": [["ocean", [1, 2]], ["brick", [1, 0]]]}
    slip = {**game_, "turns": [["ocean", [1, 2]], ["brick", [0, 1]]]}
    for game, says, phrase, objects in (
        (game_, ["Yes! It was CANOE."], "yes it is", False),
        (game_, ["Yes! It was CANOE."], "all five", False),
        (game_, ["Yes! It was CANOE."], "two", True),
        (game_, ["Yes! It was CANOE."], None, True),
        (game_, [one], "yes", True),
        (slip, [one], "yes", False),
        (slip, ["Yes! It was CANOE."], "yes", True),
        (slip, [one.replace("five", "four")], "yes", True),
        (slip, [one.replace("OCEAN", "BRICK")], "yes", True),
        (slips, ["I'd have counted two of your answers differently."], "yes", False),
        (slips, [one], "yes", True),
        ({**slip, "outcome": "given up"}, [], "two", False),
    ):
        found = bool(false_claims(game, says, PersonAnswer(phrase, 0.9, ""), LINES))
        assert found is objects, (game, says, phrase)
