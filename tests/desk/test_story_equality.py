"""One long story on both Pythons: the robot does exactly the same, to the last event."""

import subprocess
import sys

from interpreters import ROOT, path27, python27

TELL = """
import sys
from naosim.world import event_as_line
from story import EASY, Story

with Story(sys.argv[1], words=EASY) as story:
    story.begins_anew()
    story.says("help", "ready", "what was the score", "no", "repeat")
    story.says("three", confidence=0.4)
    story.says("no", "zero", "go back", "one", "zero")
    story.plays("money", until="both")
    story.says("four", "one", confidence=0.9)
    story.keeps_silent()
    story.taps(6)
    story.says("zero", "zero", "no", "go back", "yes")
    story.habits["tell"] = "yes"
    story.plays("whole", until="again")
    story.says("yes", "ready", "give up", "yes", "no", "yes", "go on")
    for _ in range(4):
        story.keeps_silent()
    story.starts()
    story.says("yes")
    story.plays("money")
    story.says("no")
for event in story.robot.trace.events:
    print(event_as_line(event))
"""


def trace_of(python: str, folder: str) -> str:
    command = [python, "-c", TELL, folder]
    answer = subprocess.run(command, cwd=ROOT, env=path27(), capture_output=True, text=True, timeout=120, check=False)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_both_pythons_tell_the_same_story(tmp_path):
    ours, theirs = trace_of(sys.executable, str(tmp_path)), trace_of(python27(), str(tmp_path))
    assert ours.count("\n") > 500
    assert ours.splitlines() == theirs.splitlines()


def test_a_story_told_twice_is_the_same(tmp_path):
    assert trace_of(sys.executable, str(tmp_path)) == trace_of(sys.executable, str(tmp_path))
