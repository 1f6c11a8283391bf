"""Talks as files: what is read and what is refused, what differs and how it is shown, persons, reports and robots."""

import errno
import json
import os
import random
import re
import shutil
import sys
from pathlib import Path
from unittest.mock import Mock
from xml.etree import ElementTree

import behaviours
import jsonschema
import pytest
import talks_page
from interpreters import ROOT, python27
from processes import ALONE, process

from naosim.__main__ import main
from naosim_robots import serve_robot
from naosim_robots.talks import command, reader, schema
from naosim_robots.talks.format import PERSONS
from naosim_robots.talks.running import open_far, open_on_python, repeat_talk, run_talk
from naosim_robots.talks.talk import read_talks

STORY = "behaviour: old_story.xar\n"
PAGE = (ROOT / "docs/talks.md").read_text(encoding="utf-8")
#: Our own files of talks.
TALKS = [path for folder in ("tests", "simulator/tests") for path in (ROOT / folder).glob("**/*.talk.yaml")]


@pytest.fixture
def folder(tmp_path):
    """Provide a folder with a behaviour that asks yes or no, and then for a touch of the head."""
    shutil.copy(Path(behaviours.FOLDER, "old_story.xar"), tmp_path)
    return tmp_path


def write(folder, text, name="story.talk.yaml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(folder, text):
    return read_talks(write(folder, text))


def run(folder, steps, more=""):
    """Return the outcome of the only talk, whose steps are lines of YAML."""
    lines = "".join(f"    - {step}\n" for step in steps)
    (talk,) = read(folder, f"{STORY}{more}talks:\n  a talk:\n{lines}")
    return run_talk(talk)


# Every row: a file, and the sentence about it after the name of the file.
WRONG = """
 -> 1:1: the file is empty: write a behaviour and its talks.
behaviour: old_story.xar -> 1:1: "talks" is missing here: the talks by name
behavior: x -> 1:1: "behavior" is not known here: do you mean "behaviour"?
[a, b] -> 1:1: ["a", "b"] is not a mapping with behaviour
B\\ntalks: [] -> 2:8: "talks" is a mapping: write the name of each talk
behaviour:\\ntalks: {a: [{said: yes}]} -> 1:11: nothing is here: write a text.
B\\ntalks:\\na: [{said: yes}] -> 3:1: "a" is not known here: if it belongs to "talks", indent it.
B\\ntalks: {a: []} -> 2:12: a talk is a list of steps
B\\ntalks: {a: [{sayd: yes}]} -> 2:14: "sayd" is not known here: do you mean "says"?
B\\ntalks: {a: [{said: 5}]} -> 2:20: 5 is not a text: put it in quotes.
B\\ntalks: {a: [{said: true}]} -> 2:20: true is not a text: put it in quotes.
B\\ntalks: {a: [{said: yes, touched: front}]} -> 2:25: a step has one act, and "said" is one
B\\ntalks: {a: [{touched: nose}]} -> 2:23: no robot has a sensor "nose"
B\\ntalks: {a: [{touched: front*99}]} -> 2:23: "front*99" repeats more than 50 times
B\\ntalks: {a: [{says: yes, within: soon}]} -> 2:33: "soon" is not a duration such as 2 s, 500 ms or 1 min
B\\ntalks: {a: [{said: yes, within: 2 s}]} -> 2:25: "within" needs what NAO says, does or lights then
B\\ntalks: {a: [{touched: front, confidence: 0.5}]} -> 2:30: "confidence" belongs to "said"
B\\ntalks: {a: [{said: yes, confidence: 2}]} -> 2:37: 2 is not a number from 0 to 1
B\\ntalks: {a: [{says: "/(/"}]} -> 2:20: "/(/" is not a regular expression
B\\ntalks: {a: [{says: "/(a+)+b/"}]} -> 2:20: the pattern "/(a+)+b/" can take too long
B\\ntalks: {a: [{line: hello}]} -> 2:20: the line "hello" is in no file
B\\nlines: none.json\\ntalks: {a: [{said: yes}]} -> 2:8: cannot read
B\\nlines: /dev/zero\\ntalks: {a: [{said: yes}]} -> 2:8: /dev/zero is not a plain file: name a JSON file.
B\\ntalks: {a: [{person: impatient}]} -> 2:22: there is no person "impatient": do you mean "patient"?
B\\nrobot: {body: R2}\\ntalks: {a: [{said: yes}]} -> 2:15: there is no body "R2": use Nao, Pepper, Romeo.
B\\nrobot: {naoqi: 2.8}\\ntalks: {a: [{said: yes}]} -> 2:16: 2.8 is not a text: put it in quotes.
B\\nrobot: {without: ALDoor}\\ntalks: {a: [{said: yes}]} -> 2:18: there is no service "ALDoor"
B\\nrobot: {language: Klingon}\\ntalks: {a: [{said: yes}]} -> 2:19: there is no language "Klingon"
B\\ntalks: {a: {steps: [{said: yes}], examples: x}} -> 2:45: examples are a list of mappings
B\\ntalks: {a: [{says: ""}]} -> 2:20: a text to look for is not empty
B\\nrobot: {faults: {raising: {say: no}}}\\ntalks: {a: [{said: yes}]} -> 2:28: "say" is not a method that fails
B\\nmemory: {a: 1e999}\\ntalks: {a: [{said: yes}]} -> 2:13: this number is too large
B\\ntalks: {a: [{said: []}]} -> 2:14: "said" is empty
B\\ntalks: {a: [{said: yes}], a: [{said: no}]} -> 2:27: "a" is here twice, also in line 2: remove one.
B\\ntalks: &x {a: [{said: yes}]} -> 2:8: the anchor &x is not allowed in talks: remove it.
B\\ntalks: *x -> 2:8: the alias *x is not allowed in talks
B\\ntalks: !!python/object/apply:os.system [ls] -> 2:8: the tag
B\\ntalks: {a: [{? [b] : c}]} -> 2:16: a key is a text, not a list or a mapping
B\\ntalks: {a: -> 2:11: this is not YAML
B\\ntalks: \\x07 -> this is not YAML
B\\ntalks:\\n  a:\\n    - said: yes\\n     says: Hi -> 5:6: the indentation does not fit the lines above
B\\ntalks:\\n  a:\\n  - said: yes\\n    - says: Hi -> 5:5: this list begins in another column than the one above
B\\ntalks:\\n  a:\\n    - says: "Hi" you -> 4:18: this is not YAML
B\\ntalks:\\n\\ta: [] -> 3:1: a tab cannot indent: use spaces.
B\\ntalks: {a: [{says: /[ab]/}]} -> 2:21: a text with this character needs quotes
B\\ntalks: {a: [{says: /(?i)a/}]} -> 2:22: a text with this character needs quotes
B\\ntalks: {a: [{says: yes} -> 2:24: the file ends before a bracket or a brace is closed
B\\ntalks: {a: [{says: Hello: you}]} -> 2:25: this colon makes no sense here
B\\ntalks:\\n  a:\\n    - says: Hello: you -> 4:18: this colon makes no sense here: put a text with a colon in quotes.
B\\ntalks: {a: [{said: <word>}]} -> 2:20: "<word>" has no value: write one in each row of the examples.
B\\ntalks: {a: {examples: [{word: yes}], steps: [{says: "a <wrd>"}]}} -> 2:53: "<wrd>" has no value
B\\ntalks: {a: {never: {says: []}, steps: [said: yes]}} -> 2:21: "says" forbids nothing
B\\ntalks: {a: [{said: yes, not: {listens: []}}]} -> 2:31: "listens" forbids nothing
B\\n--- \\ntalks: {} -> 2:1: a second document begins here
"""


@pytest.mark.parametrize("row", WRONG.split("\n")[1:-1])
def test_what_is_wrong_is_a_sentence_with_its_place(row, folder):
    text, _, sentence = row.rpartition(" -> ")
    text = text.replace("\\n", "\n").replace("\\x07", "\x07").replace("\\t", "\t").replace("B\n", STORY).strip(" ")
    with pytest.raises(reader.WrongTalk) as told:
        read(folder, text)
    assert sentence in str(told.value) and str(told.value).startswith(f"{folder / 'story.talk.yaml'}:")
    assert "\n" not in str(told.value)


#: Makers of hostile texts, by what they are.
HOSTILE = {
    "ten megabytes": lambda: "a: " + "x" * 10_000_000,
    "deep lists": lambda: "a: " + "[" * 100_000,
    "deep mappings": lambda: "{a: " * 60_000,
    "deep blocks": lambda: "\n".join(" " * depth + "a:" for depth in range(600)),
    "a bomb": lambda: "a: &a [x]\n" + "\n".join(f"b{n}: &b{n} [*a, *a, *a, *a]" for n in range(100)),
    "merge keys": lambda: "a: &a {x: y}\nb: {<<: *a}",
    "many values": lambda: "a: [" + "x, " * 80_000 + "]",
    "a long key": lambda: "x" * 200_000 + ": y",
    "a long number": lambda: f"{STORY}robot: {{seed: {'9' * 100_000}}}",
    "no text": lambda: "\ufffe\x00\x01" * 20_000,
    "many documents": lambda: "--- a\n" * 40_000,
    "a directive": lambda: "%YAML 9.9\n--- a",
    "a tag": lambda: "!!python/name:os.system a",
    "a quote without an end": lambda: 'a: "' + "x\n" * 100_000,
    "a long comment": lambda: "#" * 250_000,
    "many comments": lambda: "#\n" * 120_000,
    "indicators": lambda: "? : - " * 40_000,
}
READ_ALL = """
import pathlib, resource, sys
from naosim_robots.talks.reader import WrongTalk
from naosim_robots.talks.talk import read_talks

for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    try:
        read_talks(path)
    except WrongTalk as error:
        print(str(error).replace(chr(10), "|"))
status = pathlib.Path("/proc/self/status")
# On Linux, getrusage also counts the process that started this one.
lines = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")] if status.exists() else []
print(int(lines[0].split()[1]) // 1024 if lines else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 // 1024)
"""


def test_hostile_files_are_a_sentence_each_in_little_memory(tmp_path):
    for name, make in HOSTILE.items():
        write(tmp_path, make(), f"{name}.talk.yaml")
    output = process(sys.executable, "-c", READ_ALL, str(tmp_path))
    *sentences, megabytes = output.stdout.splitlines()
    assert (output.returncode, output.stderr, len(sentences)) == (0, "", len(HOSTILE))
    assert all(len(sentence) < 600 and ".talk.yaml" in sentence for sentence in sentences)
    assert int(megabytes) < 300


def test_a_missing_library_and_an_old_python_are_sentences(folder, monkeypatch):
    path = write(folder, STORY)
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(
        reader.WrongTalk, match=r"story.talk.yaml is read by PyYAML, which is not installed: pip install "
    ):
        read_talks(path)
    done = process(python27(), "-m", "naosim", f"--talk={path}", env={**os.environ, "PYTHONPATH": ROOT / "simulator"})
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("naosim --talk needs Python 3.10 or newer: ")


def test_damaged_files_are_read_or_refused(folder):
    whole, draw = re.search(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)[1], random.Random(50)
    for _ in range(300):
        text = list(whole)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(text))
            text[at : at + draw.randint(0, 6)] = draw.choice(
                ["", "[", "{", "*a ", "&a ", ": ", "- ", "\t", '"', "\x00", "\u2028"]
            )
        try:
            read(folder, "".join(text))
        except reader.WrongTalk as error:
            assert "\n" not in str(error)


def test_plain_words_of_yaml_1_1_are_words(folder):
    node = reader.read_text("[yes, no, on, off, y, 1, 1.5, 1e3, true, null, ~, 0x1, 12:30, 2026-11-29]", folder / "x")
    assert node.to_plain() == [
        *("yes", "no", "on", "off", "y", 1, 1.5, 1000.0, True, None, None, "0x1", "12:30", "2026-11-29")
    ]


# Every row: steps, then what the report begins with; "" for a talk that passes.
DIFFERENCES = {
    "all is as wanted": (
        ["says: Do you want", "{said: yes, says: [Great, 'head'], within: 3 s, not: {says: bye}}"],
        "",
    ),
    "another word": (["{said: yes, says: Well done}"], '4: NAO must say "Well done", but says "Great.'),
    "too late": (
        ["said: yes", "{touched: front, says: bye, within: 3 s}"],
        '5: NAO must say "bye" within 3 s, but it takes 3.4 s.',
    ),
    "another order": (["{said: yes, says: [head, Great]}"], '4: NAO must say "Great" after that, but'),
    "nothing": (["{said: yes, says: []}"], "4: NAO must say nothing, but"),
    "what it must not say": (["{said: yes, not: {says: /gr.at/}}"], ""),
    "what it must not say, said": (["{said: yes, not: {says: /Gr.at/}}"], '4: NAO must not say "/Gr.at/".'),
    "not listening": (["{said: yes, listens: [yes]}"], '4: NAO must listen for "yes", but listens to nothing'),
    "listening": (["listens: []"], "4: NAO must not listen, but listens for yes, no"),
    "deaf": (
        ["said: yes", "said: no"],
        '5: nobody hears "no": the robot does not listen; it waits for FrontTactilTouched',
    ),
    "not ended": (["{said: yes, ended: true}"], "4: the behaviour must have ended, but waits for the person."),
    "ended": (["{said: no, ended: false}"], "4: the behaviour must go on, but has ended."),
    "memory": (["memory: {No/Key: 3}"], "4: No/Key must be 3, but is null."),
    "stored": (["{stored: {A: {b: [1, x]}}, memory: {A: {b: [1, /^x$/]}}}"], ""),
    "stored otherwise": (["{stored: {A: {b: 1}}, memory: {A: {b: true}}}"], "4: A b must be true, but is 1."),
    "an impossible event": (["raised: {FaceDetectd: true}"], '3: the robot has no event "FaceDetectd"'),
    "no value of a robot": (["stored: {A: [{b: 1}]}"], "3: "),
    "stopped": (["{stopped: true, ended: true}", "{started: true, says: Do you want}"], ""),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_difference_is_a_sentence_with_its_line(name, folder):
    steps, report = DIFFERENCES[name]
    outcome = run(folder, steps)
    if report:
        assert outcome.report.startswith(f"{folder / 'story.talk.yaml'}:{report}"), outcome.report
    else:
        assert outcome.difference is None, outcome.report


def test_the_transcript_marks_the_line_that_differs(folder):
    outcome = run(folder, ["{said: yes, says: Well done}"])
    marked = [line for line in outcome.transcript if line.startswith(">")]
    assert [line.split()[-1] for line in marked] == ["begin.", "done"] and "wanted" in marked[1]
    missing = run(folder, ["{silence: 1 s, says: Hello}"])
    assert [line.split() for line in missing.transcript if line.startswith(">")] == [[">", "wanted", "Hello"]]


def test_a_behaviour_that_is_not_there_fails_its_talks(folder):
    (talk,) = read(folder, "behaviour: none.xar\ntalks:\n  a talk:\n    - said: yes\n")
    assert run_talk(talk).report.startswith(f"{folder / 'story.talk.yaml'}:3: cannot read")


def test_failures_and_leaks_fail_a_talk_unless_they_are_allowed(folder):
    faults = "robot: {faults: {raising: {ALTextToSpeech.getLanguage: no voice is installed}}}\n"
    assert "failure: " in run(folder, ["silence: 1 s"], faults).report
    assert "no voice" in run(folder, ["silence: 1 s"], faults + "allow: {failures: no sound}\n").report
    for allowed in ("true", "no voice"):
        assert run(folder, ["silence: 1 s"], f"{faults}allow: {{failures: {allowed}}}\n").difference is None


def test_an_interruption_is_said_while_nao_speaks(folder):
    step = "{said: yes, interrupted: [{after: 1 s, said: no}, {after: 1.5 s, touched: front}], says: Great}"
    outcome = run(folder, [step])
    assert outcome.difference is None and any("is deaf" in line for line in outcome.transcript)


def test_examples_fill_a_talk_and_repeats_have_the_next_seeds(folder):
    talks = read(
        folder,
        STORY + "talks:\n  t:\n    repeat: 3\n    examples: [{said: yes, ended: false}, {said: no, ended: true}]\n"
        "    steps:\n      - {said: <said>, ended: <ended>}\n",
    )
    assert [talk.name for talk in talks] == ["t [yes, False]", "t [no, True]"]
    outcomes = [each for talk in talks for each in repeat_talk(talk)]
    assert [(each.seed, each.difference) for each in outcomes] == [(0, None), (1, None), (2, None)] * 2


PERSON = """answers: [{says: play, said: yes}, {says: Touch, touched: front}]
talks:
  a talk:
    - {person: KIND, turns: 30, ended: true}
"""


@pytest.mark.parametrize("kind", PERSONS)
def test_each_person_comes_to_the_end_in_its_way(kind, folder):
    (talk,) = read(folder, STORY + PERSON.replace("KIND", kind))
    outcomes = list(repeat_talk(talk._replace(repeat=8)))
    assert [each.report for each in outcomes if each.difference] == []
    transcripts = {"\n".join(each.transcript) for each in outcomes}
    assert (len(transcripts) == 1) == (kind == "patient")
    again = [each.transcript for each in repeat_talk(talk._replace(repeat=2))]
    assert again == [each.transcript for each in outcomes[:2]]


def test_a_person_who_does_not_reach_the_goal_is_named(folder):
    (talk,) = read(folder, STORY + PERSON.replace("KIND", "patient, goal: {says: Hooray}"))
    assert (
        "the patient person with the seed 0 did not reach the goal: the behaviour ended before" in run_talk(talk).report
    )


def test_five_faults_in_a_behaviour_are_found_with_their_lines(folder):
    whole = (folder / "old_story.xar").read_text(encoding="utf-8")
    (page,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
    talks = page.replace("behavior.xar", "old_story.xar").replace("repeat: 20", "repeat: 6")
    found = []
    for before, after in (
        ("Great.", "Grand."),
        ("Please say", "Say"),
        ("Here we go", "There we go"),
        ("FrontTactilTouched", "RearTactilTouched"),
        ("yes;no", "yes"),
    ):
        (folder / "old_story.xar").write_text(whole.replace(before, after), encoding="utf-8")
        assert before in whole, before
        outcomes = [each for talk in read(folder, talks) for each in repeat_talk(talk)]
        found.append([str(each.difference) for each in outcomes if each.difference is not None])
    assert [bool(each) for each in found] == [True] * 5
    assert all(re.search(r"story\.talk\.yaml:\d+: ", each) for sentences in found for each in sentences)


# Robots.


def test_the_same_talk_on_both_pythons_and_on_a_served_robot(folder, capsys):
    (page,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
    talks = read(folder, page.replace("behavior.xar", "old_story.xar"))[:3]
    here = [run_talk(talk) for talk in talks]
    there = [run_talk(talk, open_on_python(python27())) for talk in talks]
    assert [each.report for each in (*here, *there)] == [""] * 6
    assert [each.transcript for each in here] == [each.transcript for each in there]
    raised = "talks:\n  raised:\n    - {raised: {WordRecognized: [yes, 0.9]}, says: Great}\n"
    others = (
        "  lacking:\n    robot: {without: ALLeds}\n    steps: [says: Hello]\n"
        "  interrupting: [{said: yes, interrupted: [{after: 1 s, said: no}]}]\n  looking: [{said: yes, does: plays}]\n"
        "  ending:\n    end: {does: plays}\n    steps: [said: yes]\n"
    )
    path = write(folder, STORY + raised + others, "raised.talk.yaml")
    with serve_robot(speed=50) as robot:
        far = [run_talk(talk, open_far(robot.url)) for talk in (talks[0], read_talks(path)[0])]
        assert command.main(["--talk", str(path), "--robot", robot.url]) == 0
        told = capsys.readouterr().out
        assert main(["--talk", str(path), "--robot", robot.url, "--only", "lack"]) == 2
    assert [each.report for each in far] == [""] * 2
    assert capsys.readouterr().err == "no talk can run on this robot: run them without --robot.\n"
    assert re.findall("left out  (\\w+): it (\\w+)", told) == [
        *(("lacking", "chooses"), ("interrupting", "interrupts"), ("looking", "looks"), ("ending", "looks"))
    ]
    assert told.endswith("1 of 1 talks passed.\n")


# Reports and the command.


def test_the_command_and_junit(folder, capsys, monkeypatch):
    path = write(folder, STORY + "talks:\n  good:\n    - said: no\n  bad:\n    - says: Hi there\n")
    assert command.main(["--talk", str(path), "--junit", str(folder / "report.xml")]) == 1
    output = capsys.readouterr().out
    assert "passed  good (" in output and "FAILED  bad (" in output and output.endswith("1 of 2 talks passed.\n")
    (suite,) = ElementTree.parse(folder / "report.xml").getroot()
    assert {name: suite.get(name) for name in ("tests", "failures")} == {"tests": "2", "failures": "1"}
    good, bad = suite
    assert good.find("failure") is None and "says" in good.findtext("system-out")
    assert (bad.get("line"), bad.get("classname")) == ("6", "story.talk.yaml")
    assert 'NAO must say "Hi there"' in bad.find("failure").get("message")
    assert command.main(["--talk", str(folder), "--only", "good"]) == 0
    for wrong in (["--talk", str(folder), "--only", "none"], ["--talk", str(folder / "no.talk.yaml")]):
        assert main(wrong) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1, error
    with monkeypatch.context() as patch:
        patch.setattr(command, "print", Mock(side_effect=OSError(errno.ENOSPC, "full")), raising=False)
        assert main(["--talk", str(path)]) == 2
        assert capsys.readouterr().err == "the output cannot be written: no space is left on the device\n"
    (folder / "empty").mkdir()
    assert main(["--talk", str(folder / "empty")]) == 2


def test_names_that_a_terminal_or_xml_lacks(folder):
    name = os.fsdecode(b"\xff.talk.yaml") if sys.platform == "linux" else "story.talk.yaml"
    write(folder, STORY + "talks:\n  gr\u00f6\u00dfe:\n    - {said: no, says: \u00dcber}\n", name)
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    options = ("--talk", str(folder), "--junit", "report.xml")
    done = process(sys.executable, "-m", "naosim", *options, cwd=folder, env=environment)
    assert (done.returncode, done.stderr) == (1, "") and "FAILED  gr??e" in done.stdout
    assert ElementTree.parse(folder / "report.xml").find(".//testcase").get("name") == "gr\u00f6\u00dfe"


def test_each_talk_is_a_test_of_pytest(folder):
    write(folder, STORY + "talks:\n  good:\n    - said: no\n  bad:\n    - {said: yes, says: Hello}\n")
    write(folder, "behaviour: x\ntalk: {}\n", "wrong.talk.yaml")
    options = (*ALONE, "-q", "--continue-on-collection-errors", "--junit-xml=report.xml")
    done = process(sys.executable, "-m", "pytest", *options, cwd=folder)
    assert "1 failed, 1 passed, 1 error" in done.stdout
    assert 'story.talk.yaml:6: NAO must say "Hello", but says "Great.' in done.stdout
    assert 'wrong.talk.yaml:2:1: "talk" is not known here: do you mean "talks"?' in done.stdout
    assert "Traceback" not in done.stdout and "running.py" not in done.stdout
    assert len(ElementTree.parse(folder / "report.xml").findall(".//testcase/failure")) == 1


# The format for editors, and the page.


def test_the_schema_is_that_of_the_table_and_fits_our_talks(folder):
    assert schema.PATH.read_text(encoding="ascii") == schema.write_schema()
    checker = jsonschema.Draft202012Validator(json.loads(schema.write_schema()))
    checker.check_schema(checker.schema)
    (page,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
    files = [page, *(path.read_text(encoding="utf-8") for path in TALKS)]
    assert len(TALKS) > 3
    for text in files:
        assert list(checker.iter_errors(reader.read_text(text, folder / "x").to_plain())) == []
    for wrong in ("{said: 5}", "{touched: nose}", "{within: soon}", "{sayd: yes}", "{person: mean}", "{confidence: 2}"):
        found = reader.read_text(f"{STORY}talks: {{a: [{wrong}]}}", folder / "x").to_plain()
        assert list(checker.iter_errors(found)), wrong


def test_the_page_runs_as_it_stands(folder):
    """Takes seconds: twenty persons."""
    assert talks_page.fill(PAGE) == PAGE
    (text,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
    (folder / "old_story.xar").rename(folder / "behavior.xar")
    write(folder, text)
    done = process(sys.executable, "-m", "naosim", "--talk", "story.talk.yaml", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "23 of 23 talks passed." and "23 of 23 talks passed." in PAGE
    write(folder, text.replace("says: Great", "says: Well done"))
    done = process(sys.executable, "-m", "naosim", "--talk", "story.talk.yaml", "--only", "yes", cwd=folder)
    shown = re.search(r"<!-- difference -->\n```text\n(.*?)```", PAGE, re.S)[1]
    assert shown in done.stdout.partition("\n")[2]
