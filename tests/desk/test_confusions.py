"""What was heard of what was said: kept as a file, drawn from again, and listed beside what sounds alike."""

import json
import random
from collections import Counter

import pytest
from command_line import jotto

from jotto_behaviour import mind
from jotto_desk.conversation import confidence
from jotto_desk.conversation.confidence import Confusions, Misheard, Saying
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.person import PersonView, SimulatedPerson, Trouble

LINES = mind.load_lines()
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
    file.write_text(MEASURED.text())
    read = confidence.read_confusions(file)
    assert read == MEASURED and read.text() == MEASURED.text()
    assert read.mixed_up() == [("both", "2 0", "3 0", 30, 30, 100), ("word", "no", "2 0", 1, 0, 100)]


def test_the_shipped_measurements_name_their_source():
    for noise in confidence.MEASURED:
        found = confidence.measured(noise)
        assert f"noise {noise}," in found.source and "300 games" in found.source and "no people" in found.source
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


def test_a_person_is_heard_as_measured():
    view = PersonView("both", "ocean", "", [], tuple(LINES.phrases(["2 0", "3 0"])))
    heard = Counter()
    for seed in range(200):
        answer = SimulatedPerson("ochry", seed, LINES, Trouble(measured=MEASURED)).answer(view)
        assert answer.meant == "two and zero"
        heard[answer.phrase, answer.confidence] += 1
    assert 100 < heard["two and zero", 0.925] < 140 and 40 < heard["three and zero", 0.775] < 80
    assert set(heard) <= {("two and zero", 0.925), ("three and zero", 0.775), ("", 0.0), (None, 0.0)}


WRONG = [
    b"",
    b"[]",
    b"no json",
    b"[" * 5000,
    json.dumps({"format": "jotto confusions 1"}).encode(),
    MEASURED.text().replace("confusions 1", "confusions 9").encode(),
    MEASURED.text().replace(", 60]", ", -1]").encode(),
    MEASURED.text().replace(", 60]", ", true]").encode(),
    MEASURED.text().replace("0.75", "7.5").encode(),
    MEASURED.text().replace('"2 0", 18', "[], 18").encode(),
    json.dumps({"format": confidence.FORMAT, "source": "x", "certainty": [0, 1], "steps": 20, "rows": []}).encode(),
]


def test_wrong_files_of_confusions(tmp_path):
    file = tmp_path / "ears.json"
    for content in WRONG:
        file.write_bytes(content)
        with pytest.raises(DeskError, match=r"ears.json' is no file of confusions"):
            confidence.read_confusions(file)
            raise AssertionError(content)


def test_wrong_values_of_mishear(capsys):
    for value, sentence in (
        ("nan", "'nan'"),
        ("-1", "'-1'"),
        ("often", "'often' is neither a rate"),
        ("babble:15", "nor one of quiet, babble:20, babble:10"),
        (".", "folder"),
    ):
        code, _, complaint = jotto(capsys, "rehearse", "--secret", "ocean", f"--mishear={value}")
        assert code == 2 and sentence in complaint and complaint.count("\n") <= 2, value


def test_a_game_is_misheard_and_checked(capsys, tmp_path):
    """One game with a file, and both tables: the dictionary's and the measured one."""
    file = tmp_path / "ears.json"
    file.write_text(MEASURED.text())
    code, out, _ = jotto(capsys, "rehearse", "--secret", "octal", "--mishear", str(file), "--json")
    told = json.loads(out)
    assert (code, told["found"], told["misheard_as"]) == (0, 1, "a measurement")
    code, out, _ = jotto(capsys, "rehearse", "--secret", "octal", "--mishear", "babble:10", "--json")
    assert (code, json.loads(out)["misheard_as"]) == (0, confidence.measured("babble:10").source)
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
