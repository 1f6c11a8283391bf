"""QiChat by its documentation: what is heard, what is answered, and what cannot be read, as tables."""

from __future__ import absolute_import, division, print_function

import re

import pytest
from robot_fixtures import read_sections

from naosim import qichat, topics
from naosim.compat import native, unescape
from naosim.robot import Robot

HAI, HAO = native(unescape(r"\u306f\u3044")), native(unescape(r"\u597d\u7684"))  # "yes" in Japanese and Chinese
HEADER = "topic: ~tea()\nlanguage: enu\n"


class Talk(object):
    """A robot with one topic that talks, and what it says."""

    def __init__(self, robot, text, header=HEADER):
        self.robot = robot
        self.dialog = robot.service("ALDialog")
        self.dialog.activateTopic(self.dialog.loadTopicContent(header + text))
        if not self.dialog.is_open:
            self.dialog.subscribe("test")

    def says(self, sentence):
        """Say a sentence, or raise an event written "e:Name=value"; return what NAO says, in one text."""
        before = len(self.robot.trace.of("say"))
        if sentence.startswith("e:"):
            name, _, value = sentence[2:].partition("=")
            self.robot.memory.raiseEvent(name, int(value or 1))
        else:
            self.dialog.hear_phrase(sentence, 1.0)
        self.robot.clock.run(seconds=60.0)
        return " ".join(event.fields["plain"] for event in self.robot.trace.of("say")[before:])


@pytest.fixture
def robot():
    made = Robot()
    yield made
    assert [event.fields["message"] for event in made.trace.errors] == []
    made.close()


DOCUMENTED, UNSPACED = read_sections("qichat.txt"), read_sections("qichat_unspaced.txt")


@pytest.mark.parametrize("section", DOCUMENTED, ids=lambda section: section.split("\n")[0])
def test_a_talk_as_documented(robot, section):
    topic, turns = re.match("(?s).*?\n(.*?)\n((?:> .*?(?:\n|$))+)", section).groups()
    talk = Talk(robot, topic)
    for said, answer in re.findall("(?m)^> ?(.*?) =(.*)$", turns):
        assert talk.says(said) == answer.strip(), said


@pytest.mark.parametrize("section", UNSPACED, ids=lambda section: section.split("\n")[0])
def test_a_talk_without_blanks_between_words(section):
    topic, turns = re.match("(?s).*?\n(.*?)\n((?:> .*?(?:\n|$))+)", section).groups()
    turns = re.findall("(?m)^> ?(.*?) =(.*)$", turns)
    with Robot(languages=["Japanese", "Chinese"]) as made:
        talk = Talk(made, topic, "topic: ~tea()\n")
        for said, answer in turns:
            assert talk.says(said) == answer, said
        # The phrases that a page offers have blanks only around a star.
        assert not [each for each in talk.dialog.vocabulary if " " in each.replace(" ... ", "")]


def test_each_language_has_a_small_lexicon():
    words = [
        ("enu", "sure"),
        ("frf", "oui"),
        ("ged", "klar"),
        ("iti", "certo"),
        ("spe", "vale"),
        ("jpj", HAI),
        ("mnc", HAO),
    ]
    with Robot(languages=[topics.LANGUAGES[code] for code, _ in words]) as made:
        for code, word in words:
            header = "topic: ~%s()\nlanguage: %s\ninclude: lexicon_%s.top\n" % (code, code, code)
            assert Talk(made, "u:(~confirmation) ~thanks\n", header).says(word), code
            made.service("ALDialog").deactivateTopic(code)


def test_a_script_in_an_answer_is_left_out_with_a_warning(robot):
    talk = Talk(robot, "u:(sum) It is\n%script\nu:(1) # of Python\nprint 1 + 2\n%script\nu:(tea) Yes\n")
    assert [talk.says(each) for each in ("sum", "1", "tea")] == ["It is", "", "Yes"]
    (warning,) = robot.trace.of("warning")
    assert warning.fields["message"].startswith("line 3 of the topic tea: the robot would run the code")


def test_an_answer_leaves_its_topic_for_another_one(robot):
    """`^topicRandom` jumps to a proposal of any active topic; `^releaseFocus` gives the focus back."""
    dialog = robot.service("ALDialog")
    for text in (
        "topic: ~old()\nproposal: Cake?\n",
        "topic: ~new()\nu:(go) Well, ^topicRandom\nu:(bye) Bye ^releaseFocus\n",
    ):
        dialog.activateTopic(dialog.loadTopicContent(text))
    talk = Talk(robot, "u:(tea) Yes\n")
    assert [talk.says("go"), talk.says("go"), dialog.getFocus()] == ["Well, Cake?", "Well,", "new"]
    assert [talk.says("bye"), dialog.getFocus(), talk.says("bye")] == ["Bye", "tea", "Bye"]


def test_properties_of_topics(robot):
    dialog = robot.service("ALDialog")
    for text in (
        "topic: ~stays ()\nu:(stay) Here\n",
        "topic: ~passes ^noStay ^noPick ()\nu:(pass) Passing\n",
        "topic: ~first ^fallback ()\nu:(* one *) Fallback\n",
        "topic: ~second ()\nu:(i have one) Ordinary\n",
        "topic: ~deaf ^notInEmbeddedASR()\nu:(silent) Yes\n",
        "topic: ~offers ^resetOnFocus ()\nu:(offer) ^nextProposal\nproposal: Tea?\n",
    ):
        dialog.activateTopic(dialog.loadTopicContent(text))
    dialog.subscribe("test")
    talk = Talk(robot, "u:(hi) Hello")
    assert [talk.says(each) for each in ("stay", "pass", "i have one", "the one here")] == [
        "Here", "Passing", "Ordinary", "Fallback"
    ]  # fmt: skip
    assert talk.says("stay") and dialog.getFocus() == "stays" and talk.says("pass") and dialog.getFocus() == "stays"
    assert "silent" not in dialog.vocabulary and "stay" in dialog.vocabulary
    assert [talk.says(each) for each in ("offer", "offer", "stay", "offer")] == ["Tea?", "", "Here", "Tea?"]


def test_a_talk_knows_which_robot_it_is():
    for robot_type, name, kind in [("Nao", "nao", "nao"), ("Pepper", "pepper", "juliette")]:
        with Robot(robot_type=robot_type) as made:
            talk = Talk(made, "u:(name) $Dialog/RobotName $Dialog/RobotModel")
            assert talk.says("name") == "%s %s" % (name, kind)


@pytest.mark.parametrize(
    "text, reason",
    # The first line after the header is line 3.
    [
        ("u:(yes _) x", "line 3: nothing follows"),
        ("u:(* a * b * c * d *) x", "more than 4 stars"),
        ("u:(tea", "line 3: a parenthesis is not closed"),
        ("u:([tea) x", "line 3: ']' is missing at the end"),
        ("u:(tea) [a b", "line 3: ']' is missing"),
        ("u:(tea) a]", "line 3: ']' closes nothing"),
        ('u:(tea) "a', "line 3: '\"' is missing"),
        ("u:(tea) {a", "line 3: '}' is missing"),
        ("u1:(tea) x", "has no rule one level above"),
        ("c1:(tea) x", "has no rule one level above"),
        ("u:(tea) ^fly(away)", "line 3: ^fly is not a function of an answer"),
        ("u:(tea) ^ go", "^go is not a function"),
        ("u:(tea) a ^", "no function follows '^'"),
        ("u:(tea) ~ x", "no concept follows '~'"),
        ("u:(tea) ^goto()", "^goto takes 1 or 2 arguments, not 0"),
        ("u:(tea) ^nextProposal(2)", "takes 0 arguments"),
        ("u:(tea) ^start", "^start needs a name in parentheses"),
        ("u:(tea) ^call(tea)", "take Service.method(arguments)"),
        ("u:(tea) ^addKnowledge(a, b, c)", "needs ALKnowledge"),
        ("u:(tea) ^enumerate(milk)", "takes a ~concept and a number"),
        ("u:(tea) ^size(milk)", "^size takes a ~concept in"),
        ("u:(tea) ^size(~)", "^size takes a ~concept in"),
        ("u:(tea) ^addToConcept(~two words, soy)", "^addToConcept takes a ~concept in"),
        ("u:(tea) ^rand(milk)", "^rand takes [choices] or a ~concept in"),
        ("u:(tea) ^firstOptional", "^firstOptional takes [choices] or a ~concept in"),
        ("u:(tea) ^concatenate()", "^concatenate takes words in"),
        ("u:(tea) So\n%script\nprint 1", "line 4: no second line %script ends the script"),
        ("u:(tea) $N=$N+1", "QiChat does not calculate"),
        ("u:(tea) $1=x", "cannot be set"),
        ("u:(tea) $a=", "nothing follows $a="),
        ("u:(tea) \\pau=100", "no closing backslash"),
        ("u:(^goto(x)) y", "^goto cannot be in a person's sentence"),
        ("u:(^rand) y", "nothing follows ^rand"),
        ("s:(hello) hi", "a skin takes ^addword"),
        ("u:^often(tea) x", "a rule is written u:(what is heard) answer"),
        ("concept:milk [soy]", "a concept is written"),
        ("dynamic: two words", "a dynamic concept is one name"),
        ("include: no_such.top", "the included file no_such.top is not in"),
        ("def: f x", "a function is written"),
        ("def:f($a) x\nu:(tea) ^f(1, 2)", "line 4: ^f takes 1 arguments, not 2"),
        ("tea and cake", "line 3: cannot read"),
        ("def:f($a) " + "$a" * 5000 + "\nu:(tea) " + "^f(" + "x" * 200 + ") ", "expand to more than 500000 characters"),
        ("u:(tea) " + "[" * 21 + "]" * 21, "nested too deeply"),
        ("\n\nu: x", "line 5: cannot read"),
    ],
)
def test_a_topic_that_cannot_be_read_is_refused_when_it_is_loaded(robot, text, reason):
    with pytest.raises(RuntimeError) as caught:
        robot.service("ALDialog").loadTopicContent(HEADER + text)
    assert reason in str(caught.value)
    assert str(caught.value).startswith("\tALDialog::loadTopicContent\n\tSyntax error: line ")


def test_the_header_and_the_number_of_rules_of_a_topic(monkeypatch):
    for header in ["topic: tea", "topic: ~tea ( ) ^noStay"]:
        assert topics.parse_topic(header).name == "tea"
    for header in ["topic: ~tea() ^often", "topic:", "u:(tea) x"]:
        with pytest.raises(qichat.BadTopic, match="line 1: a topic begins with"):
            topics.parse_topic(header)
    monkeypatch.setattr(topics, "MAX_RULES", 2)
    assert len(topics.parse_topic(HEADER + "u:(a) b\nu:(b) c").rules) == 2
    with pytest.raises(qichat.BadTopic, match="line 5: more than 2 rules"):
        topics.parse_topic(HEADER + "u:(a) b\nu:(b) c\nproposal: d")


def test_chance_is_seeded_and_an_optional_part_is_left_out_at_times():
    def talk(seed):
        with Robot(seed=seed) as robot:
            made = Talk(robot, "u:(tea) ^rand[one two three] {more}")
            return [made.says("tea") for _ in range(12)]

    first = talk(1)
    assert first == talk(1) != talk(2)
    assert {text.split()[0] for text in first} == {"one", "two", "three"}
    assert {"more" in text for text in first} == {True, False}


def test_an_unknown_concept_is_reported_and_not_said():
    with Robot() as robot:
        assert Talk(robot, "u:(tea) With ~milk").says("tea") == "With"
        assert [event.fields["message"] for event in robot.trace.errors] == [
            "tea, line 3: no loaded topic of this language defines the concept ~milk."
        ]


def test_concepts_are_shared_by_the_topics_of_one_language():
    with Robot(languages=["English", "German"]) as robot:
        for name, language, milk in (("a", "enu", "oat"), ("b", "ged", "Hafer")):
            robot.service("ALDialog").loadTopicContent(
                "topic: ~%s()\nlanguage: %s\nconcept:(milk) [%s]" % (name, language, milk)
            )
        talk = Talk(robot, "u:(_~milk) $1 is ~milk")
        assert (talk.says("oat"), talk.says("Hafer")) == ("oat is oat", "")


def test_the_focus_and_who_may_not_take_it(robot):
    other = Talk(robot, "u:(cake) Cake\nu:(hi) Tea says hi\nu:^private(more) More cake")
    dialog = other.dialog
    dialog.activateTopic(dialog.loadTopicContent("topic: ~b()\nu:(pie) Pie\nu:(hi) B says hi"))
    dialog.activateTopic(dialog.loadTopicContent("topic: ~shy() ^noStay\nu:(shy) Yes?\nu:(hi) Shy says hi"))
    said = [other.says(text) for text in ("hi", "cake", "hi", "more", "shy", "hi", "pie", "more", "hi")]
    assert said == ["Shy says hi", "Cake", "Tea says hi", "More cake", "Yes?", "Tea says hi", "Pie", "", "B says hi"]
    assert robot.memory.getData("Dialog/Focus") == dialog.getFocus() == "b"


def test_jumps_to_another_topic(robot):
    talk = Talk(robot, "u:(b) ^topicTag(b, x)\nu:(again) ^topicTagReactivate(b, x)")
    talk.dialog.activateTopic(talk.dialog.loadTopicContent("topic: ~b()\nproposal: %x From b\n u1:(ok) Fine"))
    assert [talk.says(text) for text in ("b", "ok", "b", "again", "ok")] == ["From b", "Fine", "", "From b", "Fine"]


def test_jumps_and_concepts_in_a_circle_end(robot):
    with Robot() as other:
        assert Talk(other, "u:(go) %a Round ^goto(a)").says("go").count("Round") == 11
        assert "more than 10 jumps" in other.trace.errors[0].fields["message"]
    with Robot() as other:
        assert Talk(other, "u:(go) %a Round ^goto(a) ^goto(a) ^goto(a)").says("go").count("Round") == 11
    talk = Talk(robot, "concept:(a) [~b ~b]\nconcept:(b) [~a ~a]\nu:(go) Round ~a and ^rand[~b ~b]\nu:(~a) x")
    assert (talk.says("go"), talk.says("hm")) == ("Round and", "")


@pytest.mark.parametrize(
    "rules",
    [
        # Each concept stands for two of the next one, and each assignment makes a value twice as long.
        "".join("concept:(c%d) ~c%d ~c%d\n" % (n, n + 1, n + 1) for n in range(28)) + "concept:(c28) ha\nu:(go) ~c0",
        "u:(go) $x=ha " + '$x="$x$x" ' * 40 + "$x",
    ],
    ids=["concepts", "values"],
)
def test_an_answer_that_grows_without_end_is_cut(robot, rules):
    said = Talk(robot, rules).says("go")
    assert said.startswith("ha") and 1000 < len(said) <= 20000


def test_a_list_takes_only_so_many_phrases_from_answers():
    with Robot() as robot:
        talk = Talk(robot, "dynamic: milk\nu:(go) ^addToConcept(~milk, soy) ^addToConcept(~milk, oat) ^size(~milk)")
        talk.dialog.setConcept("milk", "English", ["cow"] * 9999)
        assert talk.says("go") == "10000"
        assert "at most 10000 are stored" in robot.trace.errors[0].fields["message"]
        assert talk.dialog.getConcept("milk", "English")[9998:] == ["cow", "soy"]


def test_only_the_new_phrases_of_a_list_are_parsed(robot, monkeypatch):
    dialog, parsed = robot.service("ALDialog"), []
    dialog.setConcept("milk", "English", ["soy", "oat"])
    monkeypatch.setattr(qichat, "parse_answer", parsed.append)
    dialog.addToConcept("milk", "English", ["cow"])
    assert (parsed, dialog.getConcept("milk", "English")) == (["cow"], ["soy", "oat", "cow"])


def test_silence(robot):
    talk = Talk(robot, "u:(tea) Milk?\nu:(e:Dialog/NotSpeaking5) Well?\nu:(e:Dialog/NotSpeaking20) Good-bye.")
    talk.dialog.hear_phrase("tea", 1.0)
    robot.clock.run(seconds=3.0)
    assert [event.fields["plain"] for event in robot.trace.of("say")] == ["Milk?"]
    robot.clock.run(seconds=60.0)
    assert [event.fields["plain"] for event in robot.trace.of("say")] == ["Milk?", "Well?", "Good-bye."]


def test_events_of_the_dialogue(robot):
    raised = []
    for event in (
        "Dialog/Tag",
        "Dialog/ActivateTopic",
        "Dialog/NotUnderstood2",
        "Dialog/NothingToSay",
        "Dialog/DeactivateTopic",
    ):
        robot.memory.link(event, lambda value, event=event: raised.append((event[7:], value)))
    talk = Talk(robot, "u:(tea) %here Tea ^nextProposal")
    for text in ("tea", "hm", "hmm", "hmmm"):
        talk.says(text)
    talk.dialog.deactivateTopic("tea")
    robot.clock.run()
    assert raised == [
        ("ActivateTopic", "tea"),
        ("Tag", "here"),
        ("NothingToSay", "tea"),
        ("NotUnderstood2", "hmm"),
        ("DeactivateTopic", "tea"),
    ]


def test_tags_and_concepts_through_the_service(robot):
    talk = Talk(robot, "dynamic: milk\nu:(tea) %x With ~milk")
    talk.dialog.setConcept("milk", "English", ["soy", "oat"])
    assert talk.dialog.getConcept("milk", "English") == ["soy", "oat"]
    assert [talk.says("tea") for _ in range(3)] == ["With soy", "With oat", "With soy"]
    talk.dialog.deactivateTag("x", "tea")
    assert talk.says("tea") == ""
    talk.dialog.activateTag("x", "tea")
    assert talk.says("tea") == "With oat"
    with pytest.raises(RuntimeError, match="has no tag y"):
        talk.dialog.activateTag("y", "tea")


def test_included_files_lie_beside_the_topic(robot, tmpdir):
    tmpdir.join("more.top").write("topic: ~more()\nlanguage: frf\nconcept:(milk) [soy]\nu:(cake) Yes\n")
    tmpdir.join("bad.top").write("topic: ~bad()\nu:(\n")
    main = tmpdir.join("tea.top")
    main.write(HEADER + "include: more.top\nu:(~milk) Soy it is")
    dialog = robot.service("ALDialog")
    assert dialog.loadTopic(str(main)) == "tea"
    assert dialog.getLoadedTopics("English") == ["tea"]
    for included, reason in (
        ("bad.top", "line 3: bad.top, line 2: a"),
        ("../tea.top", "is not in the folder of the topic"),
    ):
        main.write("topic: ~b()\n\ninclude: %s\n" % included)
        with pytest.raises(RuntimeError) as caught:
            dialog.loadTopic(str(main))
        assert reason in str(caught.value)


def test_nodes_of_patterns_and_answers_are_values():
    assert qichat.parse_pattern("_~milk") == qichat.parse_pattern(" _ ~milk ")
    assert qichat.list_tags(qichat.parse_answer('%a ["%b x" y] {%c}')) == ["a", "b", "c"]
