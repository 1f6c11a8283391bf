"""Autonomous life: which activity has the focus, what starts it, and what is left when it ends."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import package_files as kit
import pytest

from naosim import Robot

GAME, LAMP, TOOL = "hello-1/game", "hello-1/lamp", "hello-1/tool"
ENDLESS = w.on_start('ALProxy("ALTextToSpeech").say("%s")')
BRIEF = w.on_start('ALProxy("ALTextToSpeech").say("%s")\nself.onStopped()')
HANDS_OVER = w.on_start('ALProxy("ALAutonomousLife").switchFocus("hello-1/lamp")') + (
    '    def onUnload(self):\n        ALProxy("ALTextToSpeech").say("Over to you.")\n'
)


@pytest.fixture
def robot(tmpdir):
    with Robot(home=str(tmpdir.mkdir("apps"))) as made:
        yield made


def living(robot, tmpdir, game=ENDLESS % "What is your word?", lamp=ENDLESS % "Bright.", state="solitary"):
    """Install a package whose activities are given as scripts, and let the robot live."""
    files, contents = [], []
    for name, nature, sentence, asked, script in [
        ("game", "interactive", "let us play", "<userRequestable/>", game),
        ("lamp", "solitary", "light", "", lamp),
        ("tool", "no nature", "use the tool", "<userRequestable/>", BRIEF % "Done."),
        ("broken", "interactive", "break", "<userRequestable/>", w.script("    def onLoad(self:\n")),
    ]:
        files.append((name + "/behavior.xar", w.one_box(script)))
        contents.append(
            '<behaviorContent path="%s">%s<nature>%s</nature><triggerSentences><sentence lang="en_US">%s</sentence>'
            '<sentence lang="fr_FR">en route</sentence></triggerSentences><loadingResponses>'
            '<sentence lang="en_US">Wait.</sentence></loadingResponses></behaviorContent>'
            % (name, asked, nature, sentence)
        )
    text = kit.manifest(behaviours=()).replace("<contents>", "<contents>" + "".join(contents))
    path = kit.write(tmpdir.join("hello.pkg"), [("manifest.xml", text)] + files)
    robot.service("PackageManager").install(path)
    life = robot.service("ALAutonomousLife")
    if state != "disabled":
        life.setState(state)
    robot.heard = []
    for event in ("State", "FocusedActivity", "NextActivity", "CompletedActivity"):
        robot.memory.link("AutonomousLife/%s" % event, lambda value, event=event: robot.heard.append((event, value)))
    return life


def do(robot, call, *args):
    """Run a call as a task up to where the robot waits, and return the error it raised, "" for none."""
    told = []

    def task():
        try:
            call(*args)
        except RuntimeError as error:
            told.append(str(error))

    robot.clock.soon(task)
    robot.clock.run(seconds=10)
    return told[0] if told else ""


def said(robot):
    return [event.fields["text"] for event in robot.trace.of("say")]


def test_a_trigger_sentence_starts_the_activity_and_its_end_returns_life_to_solitary(robot, tmpdir):
    life = living(robot, tmpdir, game=BRIEF % "What is your word?")
    robot.advance()
    assert robot.ears() == ("ALAutonomousLife", ("break", "let us play"), False, ())
    robot.hear("Let us play!")
    robot.advance()
    assert said(robot) == ["What is your word?"]
    assert robot.heard == [
        ("NextActivity", GAME),
        ("State", "interactive"),
        ("FocusedActivity", GAME),
        ("CompletedActivity", GAME),
        ("FocusedActivity", ""),
        ("State", "solitary"),
    ]
    assert (life.getState(), life.focusedActivity(), life.getFocusHistory()) == ("solitary", "", [[GAME, 0]])
    assert [row[0] for row in life.getStateHistory()] == ["solitary", "interactive", "solitary"]
    assert life.getStateHistory(1)[0][0] == "solitary"
    assert robot.service("ALBehaviorManager").watch.noted == []


@pytest.mark.parametrize(
    ("sentence", "confidence", "state"),
    [
        ("let us dance", 0.9, "solitary"),  # unknown
        ("let us play", 0.4, "solitary"),  # unsure
        ("light", 0.9, "solitary"),  # no user may ask for it
        ("use the tool", 0.9, "solitary"),  # it has no nature
        ("en route", 0.9, "solitary"),  # another language
        ("let us play", 0.9, "disabled"),
    ],
)
def test_what_starts_nothing(robot, tmpdir, sentence, confidence, state):
    life = living(robot, tmpdir, state=state)
    robot.hear(sentence, confidence)
    robot.clock.run(seconds=5)
    assert (said(robot), life.focusedActivity(), life.getState(), robot.trace.errors) == ([], "", state, [])


def test_a_program_that_listens_comes_first_and_interactive_life_says_a_loading_response(robot, tmpdir):
    living(robot, tmpdir, state="interactive")
    ears = robot.service("ALSpeechRecognition")
    ears.setVocabulary(["yes"], False)
    ears.subscribe("Test")
    assert robot.ears().engine == "ALSpeechRecognition"
    ears.unsubscribe("Test")
    robot.hear("let us play")
    robot.clock.run(seconds=5)
    assert said(robot) == ["Wait.", "What is your word?"]


@pytest.mark.parametrize("flags, after", [(0, ("", "solitary")), (1, (GAME, "interactive"))])
def test_stop_focus_ends_the_activity_and_another_one_may_be_stacked_on_it(robot, tmpdir, flags, after):
    life = living(robot, tmpdir)
    assert (life.getActivityNature(GAME), life.getActivityNature("lamp")) == ("interactive", "solitary")
    assert do(robot, life.switchFocus, GAME) == ""
    assert (life.focusedActivity(), life.getState(), life.is_open) == (GAME, "interactive", False)
    assert do(robot, life.switchFocus, GAME) == ""  # It has the focus already.
    assert do(robot, life.switchFocus, "lamp", flags) == ""
    assert (life.focusedActivity(), life.getState()) == (LAMP, "solitary")
    assert do(robot, life.stopFocus) == ""
    assert (life.focusedActivity(), life.getState()) == after
    do(robot, life.stopAll)
    assert (life.focusedActivity(), life.getState()) == ("", "solitary")
    assert robot.service("ALBehaviorManager").getRunningBehaviors() == []
    assert do(robot, life.stopFocus) == ""


def test_an_activity_hands_over_and_disabled_life_stops_it(robot, tmpdir):
    life = living(robot, tmpdir, game=HANDS_OVER)
    do(robot, life.switchFocus, GAME)
    assert (life.focusedActivity(), said(robot)[:2]) == (LAMP, ["Over to you.", "Bright."])
    assert do(robot, life.setState, "disabled") == ""
    assert (life.focusedActivity(), life.getState()) == ("", "disabled")


@pytest.mark.parametrize(
    ("given", "state", "reason"),
    [
        (("nothing", 0), "solitary", "Activity nothing is not installed."),
        ((TOOL, 0), "solitary", "Behavior hello-1/tool is no activity: its nature is 'no nature'"),
        (("animations/Stand/Gestures/Hey_1", 0), "solitary", "is no activity"),
        ((GAME, 2), "solitary", "Unknown flags: 2. Known: 0, 1."),
        ((GAME, 0), "disabled", "Autonomous Life is disabled: no activity can be started."),
        (("hello-1/broken", 0), "solitary", "cannot be loaded"),
    ],
)
def test_refusals(robot, tmpdir, given, state, reason):
    life = living(robot, tmpdir, state=state)
    assert reason in do(robot, life.switchFocus, *given)
    assert (life.focusedActivity(), life.getState()) == ("", state)


def test_states_a_program_cannot_set(robot, tmpdir):
    life = living(robot, tmpdir, state="interactive")
    for state in ("solitary", "safeguard", "asleep"):
        with pytest.raises(RuntimeError):
            life.setState(state)
    for state in ("disabled", "solitary", "interactive"):
        life.setState(state)


def test_all_abilities_are_switched_at_once(robot):
    life = robot.service("ALAutonomousLife")
    life.setAutonomousAbilityEnabled("BasicAwareness", True)
    assert not life.getAutonomousAbilityEnabled("All")
    for wanted in (True, False):
        life.setAutonomousAbilityEnabled("All", wanted)
        assert life.getAutonomousAbilityEnabled("All") is wanted
        assert {enabled for _, enabled, _ in life.getAutonomousAbilitiesStatus()} == {wanted}
    with pytest.raises(RuntimeError, match="Unknown ability: 'Flying'"):
        life.setAutonomousAbilityEnabled("Flying", True)
