"""The simulated person of rehearsals, who answers or guesses: checks, seconds, and what is misheard."""

import json
import random
import re
from collections import Counter

import pytest
from command_line import jotto

from jotto.index import Index
from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_behaviour.states import STATES
from jotto_desk.conversation import confidence
from jotto_desk.conversation.confidence import Confusions, Misheard, Saying
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.batch import RobotChoice, play_games
from jotto_desk.rehearsal.game import GameRecord, RehearsalSettings, RiddleRehearsal, _find_wrong_score
from jotto_desk.rehearsal.person import Guesser, PersonAnswer, PersonView, SimulatedPerson, Trouble, list_false_claims
from naosim.robot import Robot

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
            view("misplaced", "ocean", says=["Three in the right place. And in the wrong place?"]),
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
        ("that's my word", "Did I get it?", "yes"),
        ("nothing at all", "Did I get it?", "no"),
        ("no letters", "No letters at all. Is that right?", "yes"),
        ("bravo", "Was that B as in bravo?", "yes"),
        ("delta", "If it was B as in bravo, say yes. If not, say no.", "no"),
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
    assert len(wrong) == someone.slips and all(claim in JOTTO.list_feedback() for claim in someone.claims.values())
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
    for given_up in LINES.list_wordings("given up"):
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
        found = bool(list_false_claims(game, says, PersonAnswer(phrase, 0.9, ""), LINES))
        assert found is objects, (game, says, phrase)


FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse", "hotel")


def guesser(**fields):
    return Guesser("1", 1, LINES, index=Index(FEW, JOTTO), **fields)


def guesser_view(state="your guess", guess="", score="", *says):
    return PersonView(state, guess, score, list(says), (*FEW, *LINES.list_phrases(LINES.letters)))


def said(person, *seen):
    return person.answer(guesser_view(*seen)).meant


def test_every_guess_fits_what_nao_has_said():
    person = guesser()
    person.wanted = "ocean"
    first = said(person, "your guess", "ocean", "0 2")
    assert person.noted == [("ocean", (0, 2))]
    assert person.wanted and JOTTO.score("ocean", person.wanted) == (0, 2)
    assert first in (person.wanted, LINES.letters[person.wanted[0]])


def test_a_wrong_guess_is_taken_back_and_a_lost_one_is_made_again():
    person = guesser(noted=[("light", (0, 1)), ("mouse", (1, 0))], wanted="table")
    assert said(person, "your guess", "zebra", "1 1") == LINES.list_phrases(["mistake"])[0]
    assert person.wanted == "table" and len(person.noted) == 2
    said(person, "your guess", "light", "0 1")
    assert person.noted == [("light", (0, 1))]
    said(person, "your guess", "", "")
    assert person.noted == []


def test_letters_follow_what_nao_repeats():
    for text, letters, answer in (
        ("What's your guess?", 3, "b"),
        ("Bravo.", 0, "r"),
        ("Delta.", 0, "back one"),
        ("I've got bravo and romeo. What's letter three?", 0, "e"),
        ("Take your time.", 2, "e"),
    ):
        person = guesser(wanted="bread", spells=True, letters=letters)
        assert said(person, "your guess", "", "", text) == LINES.list_phrases([answer])[0], text


def test_letters_start_again_when_nao_has_forgotten_them_and_go_back_when_none_is_left():
    # NAO took a word misheard for the guess, and asked again while the person was silent.
    person = guesser(wanted="bread", spells=True, letters=2, trouble=Trouble(silence=1.0))
    assert (
        person.answer(guesser_view("your guess", "", "", "Okay, bread doesn't count. What's your guess?")).phrase
        is None
    )
    person.trouble = Trouble()
    assert said(person, "your guess", "", "", "Okay, once more. Say the word, or spell it.") == "bravo"
    person = guesser(wanted="bread", spells=True, letters=4)
    assert said(person, "your guess", "", "", "Delta.") == LINES.list_phrases(["back one"])[0]
    assert said(person, "your guess", "", "", "So far: echo, alpha. What's letter three?") == "echo"


def test_games_that_once_failed():
    """Takes a second: games at noise, and what went wrong there though NAO was right."""
    for what, game, seed, trouble in (
        ("the person ran out of letters", "299", 1, Trouble(0.1, 0.05, 0.05)),
        ("two phrases at the same time", "44", 5, Trouble(0.3, 0.2, 0.2)),
        ("ready is a word, too", "127", 5, Trouble(0.3, 0.2, 0.2)),
    ):
        settings = RehearsalSettings(strategy="belief", seed=seed, trouble=trouble, role="maker")
        (record,) = play_games([game], settings, RobotChoice())
        assert (record.over, record.failures) == (True, []), what


def test_an_alphabet_word_is_the_guess_or_a_letter_as_it_was_meant():
    assert said(guesser(wanted="hotel"), "your guess", "", "", "What's your guess?") == "hotel"
    for wanted, spells, asked, answer in (
        ("hotel", False, "Hotel: is that your guess?", "yes"),
        ("hotel", True, "Hotel: is that your guess?", "oscar"),
        ("heart", True, "Sorry? Is hotel your guess?", "echo"),
        ("ocean", False, "Delta: is that your guess?", "cancel"),
        ("", False, "Delta: is that your guess?", "cancel"),
    ):
        person = guesser(wanted=wanted, spells=spells)
        assert said(person, "word or letter?", "", "", asked) == answer, (wanted, asked)
        assert person.letters == (1 if spells else 0), (wanted, asked)


def test_answers_to_other_questions():
    for state, text, answer in (
        ("your word?", "Is your guess bread?", "yes"),
        ("your word?", "If your guess is BREAD, say yes. If it isn't, say no.", "yes"),
        ("your word?", "Is your guess broad?", "no"),
        ("again", "", "no"),
        ("giving up", "", "no"),
        ("stopping", "", "no"),
        ("paused", "", "go on"),
        ("role", "", "I guess"),
        ("word", "", "give up"),
        ("tell", "", "no"),
    ):
        assert said(guesser(wanted="bread"), state, "", "", text) == LINES.list_phrases([answer])[0], (state, text)


def test_a_wrong_score_is_found_in_the_game_on_the_display_and_in_speech():
    for feedback, guess, score, text, count in (
        ([1, 1], "canoe", "1 1", "Canoe: one in the right place, one in the wrong place.", 3),
        ([0, 5], "canoe", "0 5", "Canoe: none in the right place, five in the wrong place. What's your guess?", 0),
        ([0, 5], "canoe", "0 4", "Canoe: none in the right place, five in the wrong place.", 1),
        ([0, 5], "mouse", "0 5", "Canoe: none in the right place, five in the wrong place.", 1),
        ([0, 5], "canoe", "0 5", "Canoe: one in the right place, five in the wrong place.", 1),
        ([0, 5], "canoe", "0 5", "What's your guess?", 1),
    ):
        found = _find_wrong_score(["canoe", feedback], "ocean", guesser_view("your guess", guess, score, text), LINES)
        assert len(found) == count, (feedback, guess, score, text)


@pytest.mark.parametrize(
    "trouble",
    ["", "--mishear 0.2 --silence 0.05", "--mishear quiet", "--touch --without ALSpeechRecognition --without ALDialog"],
)
def test_games_are_played_to_their_end_and_nothing_is_wrong(trouble, cli):
    games = ("--jobs", "1", "--role", "maker", "--sample", "4", "--seed", "3")
    found = cli.json("rehearse", *games, *trouble.split())
    assert (found["role"], found["games"], found["found"], found["failures"]) == ("maker", 4, 4, [])
    assert found["scores"] >= sum(int(attempts) * count for attempts, count in found["histogram"].items())


def test_wrong_options(cli):
    for role, more, words in (
        ("king", "--sample 1", "'king'"),
        ("maker", "--secret ocean", "--sample N"),
        ("maker", "--all", "--sample N"),
        ("maker", "", "--sample N"),
    ):
        assert words in cli.refusal("rehearse", "--role", role, *more.split()), more


def test_a_found_word_stays_found_when_a_new_game_starts_by_mistake(monkeypatch):
    setting, record = RehearsalSettings(role="maker", touch_only=True), GameRecord("ocean")
    rehearsal = RiddleRehearsal(Robot(), None, setting, LINES)
    games = ((7, "solved", "Ocean, on your first guess!"), (8, "given up", "My word was ocean."))
    for seed, outcome, said_now in games:
        kept = json.dumps({"riddle": {"game": {"outcome": outcome}}, "game": {"seed": seed}})
        monkeypatch.setattr(rehearsal, "_get", lambda _key, kept=kept: kept)
        rehearsal._note_end(None, record, guesser_view("again", "ocean", "", said_now))
    assert record.found and record.over and record.failures == []


@pytest.mark.parametrize("games", [("--sample", "4"), ("--role", "maker", "--sample", "4")])
def test_a_person_who_thinks_takes_that_long_and_changes_nothing_else(cli, games):
    command = ("rehearse", "--jobs", "1", "--seed", "2", *games)
    at_once, later = cli.json(*command), cli.json(*command, "--answer-seconds", "2.5")
    times = {"robot_seconds", "person_seconds", "game_seconds", "person_share", "answer_seconds", "seconds"}
    assert at_once["failures"] == [] and set(at_once) == set(later)
    assert {key for key in at_once if at_once[key] != later[key]} <= times
    assert at_once["robot_seconds"] == later["robot_seconds"] == at_once["game_seconds"]
    assert at_once["person_seconds"] == {"median": 0, "p90": 0} and at_once["person_share"] == 0
    whole = at_once["robot_seconds"]["median"] * 4
    assert later["person_share"] == pytest.approx(2.5 * later["answers"] / (whole + 2.5 * later["answers"]), abs=0.05)


def test_times_of_nao_and_of_the_person(cli):
    def transcript(*arguments):
        """Rehearse one game; return its lines, and NAO's seconds and the person's."""
        code, out, _ = cli("rehearse", "--secret", "ocean", *arguments)
        *lines, times = out.splitlines()
        assert code == 0
        robot, person = re.fullmatch(r" {5}\(.* s, NAO (.*) s, the person (.*) s\)", times).groups()
        return lines, float(robot), float(person)

    at_once, later = transcript(), transcript("--answer-seconds", "3")
    answers = [line for line in at_once[0] if line.startswith("YOU")]
    assert later == (at_once[0], at_once[1], 3 * len(answers))
    # Answers that come after NAO's reminders.
    lines, robot, late = transcript("--answer-seconds", "20")
    late_answers = [line for line in lines if line.startswith("YOU")]
    assert answers[: len(late_answers)] == late_answers and len(late_answers) > 5
    assert len(lines) > len(at_once[0]) and robot > at_once[1] and late > 8 * len(late_answers)
    # A touch takes a tenth of a second; silence is time of the person.
    lines, robot, touched = transcript("--touch")
    touches = sum(line.count(",") + 1 for line in lines if line.startswith("YOU"))
    assert robot > touched == pytest.approx(touches / 10)
    lines, _, silent = transcript("--silence", "0.3")
    silences = sum(line == "YOU  (silence)" for line in lines)
    waits = sorted(state.seconds for state in STATES.values() if state.listens)
    assert silences and silences * waits[0] <= silent <= silences * waits[-1]


def test_wrong_answer_seconds(cli):
    for value, words in (("20.5", "20"), ("-1", "0"), ("2 --robot tcp://127.0.0.1:9", "clock")):
        said = cli.refusal("rehearse", "--sample", "1", "--answer-seconds", *value.split())
        assert "--answer-seconds" in said and words in said


MEASURED = Confusions(
    "a measurement",
    (0.2, 0.75),
    {
        Saying("both", "2 0", "2 0", 18): 60,
        Saying("both", "2 0", "3 0", 15): 30,
        Saying("both", "2 0", "", 0): 8,
        Saying("both", "2 0", None, 0): 2,
        Saying("word", "no", "no", 17): 99,
        Saying("word", "no", "2 0", 5): 1,
    },
)


def test_a_file_holds_all_that_was_counted(tmp_path):
    file = tmp_path / "ears.json"
    file.write_text(MEASURED.format_text())
    read = confidence.read_confusions(file)
    assert read == MEASURED and read.format_text() == MEASURED.format_text()
    assert read.list_mixed_up() == [("both", "2 0", "3 0", 30, 30, 100), ("word", "no", "2 0", 1, 0, 100)]


def test_the_shipped_measurements_name_their_source():
    for noise in confidence.MEASURED:
        found = confidence.load_measured(noise)
        assert f"noise {noise}," in found.source and "300 games" in found.source and "not people" in found.source
        right = sum(times for saying, times in found.counts.items() if saying.heard == saying.said)
        assert sum(found.counts.values()) > 3000 and right > 0.85 * sum(found.counts.values())


def test_answers_are_misheard_as_often_as_measured():
    below = random.Random(3).randrange
    drawn = Counter(MEASURED.draw("both", "2 0", below).heard for _ in range(1000))
    assert [round(drawn[heard], -2) for heard in ("2 0", "3 0", "")] == [600, 300, 100] and 5 < drawn[None] < 50
    # What was never measured goes as all answers together.
    seldom = [MEASURED.draw("exact", "2", below) for _ in range(1000)]
    assert 700 < sum(found == Misheard("2", found.confidence) for found in seldom) < 880
    assert 90 < sum(found.is_other for found in seldom) < 230


def test_a_letter_is_repeated_if_nao_is_silent_and_tapped_if_it_is_mistaken_twice():
    person = SimulatedPerson("ocean", 1, LINES)

    def answer(*says):
        view = PersonView("spell", "", "", list(says), tuple(LINES.list_phrases(LINES.letters)))
        meant = person.answer(view).meant
        return meant, person.prefers_touch(meant, view)

    assert answer("Spell it like pilots do: alpha for A, bravo for B. What's the first letter?") == ("oscar", False)
    assert [answer("Oscar."), answer("Oscar.")] == [("charlie", False)] * 2
    for is_tapped in (False, True):
        assert answer("Sierra.") == ("back one", False)
        assert answer("Okay, one back. What's letter 2?") == ("charlie", is_tapped)
    assert answer("Charlie.") == ("echo", False)
    assert answer("Tap my head instead: front once for A, twice for B, then the back. What's letter 3?") == (
        "echo",
        True,
    )


def test_a_person_is_heard_as_measured():
    view = PersonView("both", "ocean", "", [], tuple(LINES.list_phrases(["2 0", "3 0"])))
    heard = Counter()
    for seed in range(200):
        answer = SimulatedPerson("ochry", seed, LINES, Trouble(measured=MEASURED)).answer(view)
        assert answer.meant == "two and zero"
        heard[answer.phrase, answer.confidence] += 1
    assert 100 < heard["two and zero", 0.925] < 140 and 40 < heard["three and zero", 0.775] < 80
    assert set(heard) <= {("two and zero", 0.925), ("three and zero", 0.775), ("", 0.0), (None, 0.0)}


def test_wrong_files_of_confusions(tmp_path):
    wrong = [
        b"",
        b"[]",
        b"no json",
        b"[" * 5000,
        json.dumps({"format": "jotto confusions 1"}).encode(),
        MEASURED.format_text().replace("confusions 1", "confusions 9").encode(),
        MEASURED.format_text().replace(", 60]", ", -1]").encode(),
        MEASURED.format_text().replace(", 60]", ", true]").encode(),
        MEASURED.format_text().replace("0.75", "7.5").encode(),
        MEASURED.format_text().replace('"2 0", 18', "[], 18").encode(),
        json.dumps({"format": confidence.FORMAT, "source": "x", "certainty": [0, 1], "steps": 20, "rows": []}).encode(),
    ]
    file = tmp_path / "ears.json"
    for content in wrong:
        file.write_bytes(content)
        with pytest.raises(DeskError, match=r"ears.json' is not a file of confusions"):
            confidence.read_confusions(file)
            raise AssertionError(content)


def test_wrong_values_of_mishear(capsys):
    for value, sentence in (
        ("nan", "'nan'"),
        ("-1", "'-1'"),
        ("often", "'often' is neither a rate"),
        ("babble:15", "nor a measured one (quiet, babble:20, babble:10"),
        (".", "folder"),
    ):
        code, _, complaint = jotto(capsys, "rehearse", "--secret", "ocean", f"--mishear={value}")
        assert code == 2 and sentence in complaint and complaint.count("\n") <= 2, value


def test_a_game_is_misheard_and_checked(capsys, tmp_path):
    """One game with a file, and both tables: the dictionary's and the measured one."""
    file = tmp_path / "ears.json"
    file.write_text(MEASURED.format_text())
    code, out, _ = jotto(capsys, "rehearse", "--secret", "octal", "--mishear", str(file), "--json")
    told = json.loads(out)
    assert (code, told["found"], told["misheard_as"]) == (0, 1, "a measurement")
    code, out, _ = jotto(capsys, "rehearse", "--secret", "octal", "--mishear", "babble:10", "--json")
    assert (code, json.loads(out)["misheard_as"]) == (0, confidence.load_measured("babble:10").source)
    code, out, _ = jotto(capsys, "voice", "check", "--question", "both", "--confusions", str(file), "--json")
    told = json.loads(out)
    assert code == 0 and {(pair["one"], pair["other"]) for pair in told["pairs"]} and told["source"] == "a measurement"
    assert [pair["changes"] for pair in told["pairs"]] == sorted(pair["changes"] for pair in told["pairs"])
    assert told["mixed_up"] == [
        {"question": "both", "said": "2 0", "heard": "3 0", "times": 30, "believed": 30, "sayings": 100}
    ]
    code, out, _ = jotto(capsys, "voice", "check", "--confusions", str(file), "--top", "1")
    assert code == 0 and "three and zero" in out and "Measured by a measurement." in out
    assert jotto(capsys, "voice", "check", "--question", "whom")[0] == 2
