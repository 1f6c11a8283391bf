"""QiChat by its documentation: what is heard, what is answered, and what cannot be read, as tables."""

from __future__ import absolute_import, division, print_function

import pytest

from naosim import qichat, topics
from naosim.robot import Robot

HEADER = "topic: ~tea()\nlanguage: enu\n"


class Talk(object):
    """A robot with one topic that talks, and what it says."""

    def __init__(self, robot, text):
        self.robot = robot
        self.dialog = robot.service("ALDialog")
        self.dialog.activateTopic(self.dialog.loadTopicContent(HEADER + text))
        if not self.dialog.is_open:
            self.dialog.subscribe("test")

    def says(self, sentence):
        """Say a sentence, or raise an event written "e:Name=value"; return what NAO says, in one text."""
        before = len(self.robot.trace.of("say"))
        if sentence.startswith("e:"):
            name, _, value = sentence[2:].partition("=")
            self.robot.memory.raiseEvent(name, int(value or 1))
        else:
            self.dialog.heard(sentence, 1.0)
        self.robot.clock.run(seconds=60.0)
        return " ".join(event.fields["plain"] for event in self.robot.trace.of("say")[before:])


@pytest.fixture
def robot():
    made = Robot()
    yield made
    assert [event.fields["message"] for event in made.trace.errors] == []
    made.close()


#: A topic, then what a person says and NAO answers, in turn.
TALKS = {
    "quotes are no part of what is said": ('u:(hi) "Good day" to you', [("hi", "Good day to you")]),
    "a choice in an answer goes in order": (
        'u:(hi) [one "number two" three]',
        [("hi", "one"), ("hi", "number two"), ("hi", "three"), ("hi", "one")],
    ),
    "a concept in an answer is one of its members": (
        'concept:(hello) [hi "good day"]\nu:(hey) ~hello, you.',
        [("hey", "hi, you."), ("hey", "good day, you.")],
    ),
    "a concept inside a concept gives its members one by one": (
        "concept:(milk) [soy oat] milk\nconcept:(drink) [tea ~milk]\nu:(thirst) A ~drink?",
        [("thirst", "A tea?"), ("thirst", "A soy milk?"), ("thirst", "A oat milk?"), ("thirst", "A tea?")],
    ),
    "a dynamic concept that was never set says nothing": (
        "dynamic:cake\nu:(hi) Some ~cake then",
        [("hi", "Some then")],
    ),
    "a list is said whole": (
        "concept:(milk) [soy oat cow]\nu:(which) I have ^enumerate(~milk). Or ^enumerate(~milk, 2)?",
        [("which", "I have soy, oat, cow. Or soy, oat?")],
    ),
    "a person may leave out what is optional": (
        "u:({please} {some more} tea) Yes",
        [("tea", "Yes"), ("please tea", "Yes"), ("please some more tea", "Yes"), ("more tea", "Yes"), ("the tea", "")],
    ),
    "a star takes any words": (
        "u:(give me * tea) Soon\nu:(my name is _*) Hello $1",
        [("give me some of your tea", "Soon"), ("give me tea", "Soon"), ("my name is Ada Byron", "Hello ada byron")],
    ),
    "a forbidden word": (
        "u:(i ![never not] want tea) Fine\nu:(i * tea) No?",
        [("i want tea", "Fine"), ("i not want tea", "No?")],
    ),
    "words in any combination": (
        "u:(with ^repeat[milk sugar and]) Mixed",
        [("with milk", "Mixed"), ("with sugar and milk", "Mixed"), ("with", ""), ("with lemon", "")],
    ),
    "what is stored is said": (
        "concept:(milk) [soy oat]\nu:(tea with _~milk and _[sugar honey]) $2 and $1 $Kept=$1\nu:(what) $Kept it was",
        [("tea with oat and honey", "honey and oat"), ("what", "oat it was")],
    ),
    "a nested phrase": (
        'concept:(want) ["[i we] [want wish] {to}" "would {"very much"} like"]\nu:(~want go) Go',
        [("we wish to go", "Go"), ("would very much like go", "Go"), ("i go", "")],
    ),
    "a sentence that a variable holds": (
        'u:(three) $Word="one two" Set\nu:($Word) Right',
        [("one two", ""), ("three", "Set"), ("one two", "Right")],
    ),
    "sub-rules follow their rule, and their own follow them": (
        "u:(tea) Milk?\n  u1:(yes) Soy?\n    u2:(yes) Soy it is.\n  u1:(no) Black.\nu:(yes) What?",
        [
            ("yes", "What?"),
            ("tea", "Milk?"),
            ("yes", "Soy?"),
            ("yes", "Soy it is."),
            ("yes", "What?"),
            ("tea", "Milk?"),
            ("no", "Black."),
        ],
    ),
    "a rule that keeps the scope open": (
        "u:(tea) Milk?\n u1:(wait) Well ^stayInScope\n u1:(yes) Good",
        [("tea", "Milk?"), ("wait", "Well"), ("wait", "Well"), ("yes", "Good"), ("yes", "")],
    ),
    "several rules on one line": ("u:(tea) Milk? u1:(yes) Good u1:(no) Bad", [("tea", "Milk?"), ("no", "Bad")]),
    "lines that go on": ("u:(tea)\n   Milk\n   or lemon? # which\n", [("tea", "Milk or lemon?")]),
    "an event": ("u:(e:Bell) Coming", [("e:Bell", "Coming")]),
    "one of several events, or a word": (
        "u:([e:Bell e:Horn hello]) Coming",
        [("e:Horn", "Coming"), ("hello", "Coming"), ("e:Bell", "Coming")],
    ),
    "a sensor that is let go": (
        "u:(e:Head $Head==0) Gone\nu:(e:Head) There\nu:(e:Foot) Foot",
        [("e:Head=1", "There"), ("e:Head=0", "Gone"), ("e:Foot=1", "Foot"), ("e:Foot=0", "")],
    ),
    "the value of an event": (
        "u:(e:Bell) It rings $Bell times, $1\nu:(again) e:Bell",
        [("e:Bell=3", "It rings 3 times, 3"), ("again", "3")],
    ),
    "an event with a condition": (
        'u:(e:Bell $Bell==1) Once\nu:("e:Bell $Bell>1 $Bell<9") Often',
        [("e:Bell=1", "Once"), ("e:Bell=4", "Often"), ("e:Bell=9", "")],
    ),
    "an event below a proposal": (
        "u:(go) ^goto(ask)\nproposal: %ask Ready?\n u1:(e:Bell) It rang\n u1:(yes) Good",
        [("e:Bell", ""), ("go", "Ready?"), ("e:Bell", "It rang"), ("e:Bell", "")],
    ),
    "a star is no event": ("u:(_*) You said $1\nu:(e:Bell) It rings", [("e:Bell", "It rings"), ("hm", "You said hm")]),
    "a condition in what is heard": (
        "u:(set) $Pot=full\nu:($Pot==full tea) Here\nu:($Pot<>full tea) None\nu:(tea) Pot?",
        [("tea", "Pot?"), ("set", ""), ("tea", "Here")],
    ),
    "a choice by condition": (
        'u:(full) $Pot=Full\nu:(empty) $Pot=no\nu:(tea) ["$Pot==full Here" "$Pot==no None" "Pot?"]',
        [("tea", "Pot?"), ("full", ""), ("tea", "Here"), ("tea", "Pot?"), ("empty", ""), ("tea", "None")],
    ),
    "the first that can be said": (
        'u:(i am _*) Hello $Name=$1\nu:(who am i) ^first["You are $Name" "I do not know"]\n'
        "u:(forget) ^clear(Name) Done",
        [
            ("who am i", "I do not know"),
            ("i am ada", "Hello"),
            ("who am i", "You are ada"),
            ("forget", "Done"),
            ("who am i", "I do not know"),
        ],
    ),
    "numbers are compared as numbers": (
        'u:(_*) $N=$1 ^first["$N<=9.5 few" "$N>=100 many" some]',
        [("9", "few"), ("10", "some"), ("100", "many")],
    ),
    "an answer under a condition": ("u:(on) $On=1\nu:(tea) $On==1 Here", [("tea", ""), ("on", ""), ("tea", "Here")]),
    "a concept sets a variable": (
        'concept:(day) ["[monday mon] $Day=1" "[tuesday tue] $Day=2"]\nu:(on ~day) Day $Day',
        [("on tue", "Day 2"), ("on monday", "Day 1")],
    ),
    "a text with variables is kept": ('u:(_[a b] and _[c d]) $Both="$1 + $2" Kept $Both', [("a and d", "Kept a + d")]),
    "a proposal with sub-rules": (
        "u:(talk) ^nextProposal\nproposal: Tea?\n u1:(yes) Good\nproposal: Cake?\n u1:(yes) Great",
        [("talk", "Tea?"), ("yes", "Good"), ("talk", "Cake?"), ("yes", "Great"), ("talk", "")],
    ),
    "the same and the previous proposal": (
        "u:(talk) ^nextProposal\nu:(what) I say ^sameProposal\nu:(back) ^previousProposal\n"
        "proposal: Tea?\nproposal: Cake?",
        [
            ("what", "I say"),
            ("talk", "Tea?"),
            ("back", ""),
            ("talk", "Cake?"),
            ("what", "I say Cake?"),
            ("back", "Tea?"),
        ],
    ),
    "a proposal is made once": (
        "u:(a) ^goto(ask)\nu:(b) ^gotoReactivate(ask)\nproposal: %ask Tea?",
        [("a", "Tea?"), ("a", ""), ("b", "Tea?"), ("b", "Tea?"), ("a", "")],
    ),
    "to a rule with a tag": (
        "u:(tea) %here Tea is here.\nu:(where) Look: ^goto(here)",
        [("where", "Look: Tea is here.")],
    ),
    "to one of several by chance": (
        "u:(go) ^gotoRandom(x)\nproposal: %x Tea\nproposal: %x Tea",
        [("go", "Tea"), ("go", "Tea"), ("go", "")],
    ),
    "tags are switched off and on": (
        "u:(off) ^deactivate(x) Off\nu:(on) ^activate(x) On\nu:(tea) %x Here\nu:(once) Once ^disableThis",
        [("tea", "Here"), ("off", "Off"), ("tea", ""), ("on", "On"), ("tea", "Here"), ("once", "Once"), ("once", "")],
    ),
    "an answer ends early": ("u:(tea) Here ^break and there", [("tea", "Here")]),
    "no answer": ("u:(tea) noanswer\nu:(cake) ^empty\nu:(pie)", [("tea", ""), ("cake", ""), ("pie", "")]),
    "a tag is never said": ("u:(tea) %script Here 50% off %end", [("tea", "Here 50% off")]),
    "voice tags are kept from what is heard": (r"u:(tea) \rspd=90\ Here \pau=100\ you are", [("tea", "Here you are")]),
    "what a call returns": (
        "u:(tea) So, ^call(ALDialog.getFocus())\n  c1:(_*) the topic is $1\n",
        [("tea", "So, the topic is tea")],
    ),
    "what a call returns, by cases": (
        'u:(_*) ^call(ALMemory.insertData("N", $1)) ^call(ALMemory.getType(N))\n'
        " c1:(data) It is kept: $N\n c1:(event) An event",
        [("5", "It is kept: 5")],
    ),
    "a call beside the answer": (
        'u:(tea) ^pCall(ALMemory.raiseEvent("Kettle", 1)) Soon\nu:(e:Kettle) It boils',
        [("tea", "Soon It boils")],
    ),
    "private, recovering and falling back": (
        "u:^fallback(* tea) Fallback\nu:^private(green tea) Green\nu:(black tea) Black\nrecover:\nu:(red tea) Red\n"
        "u:(black tea) Never",
        [("red tea", "Red"), ("my tea", "Fallback"), ("black tea", "Black"), ("green tea", "Green")],
    ),
    "not understood": (
        "u:(e:Dialog/NotUnderstood) What? ^stayInScope\nu:(tea) Milk?\n u1:(yes) Good",
        [("tea", "Milk?"), ("hm", "What?"), ("yes", "Good")],
    ),
    "falling back on nothing": ("u:(e:Dialog/Fallback) What?", [("hm", "What?")]),
    "nothing said": ("u:(^empty) Say something", [("", "Say something")]),
    "what was said last": (
        "u:(tea) Here\nu:(what) I said: $Dialog/Answered\nu:(echo me) $Dialog/LastInput",
        [("tea", "Here"), ("what", "I said: Here"), ("echo me", "echo me")],
    ),
    "a function of one's own": (
        'def:greet($who, $how) $how, dear $who!\nu:(hi) ^greet(guest, "Good day")',
        [("hi", "Good day, dear guest!")],
    ),
    "the robot's lexicon": (
        "include: lexicon_enu.top\nu:(tea) Milk?\n u1:(~yes) Good\n u1:(~no) Black",
        [("tea", "Milk?"), ("of course", "Good"), ("tea", "Milk?"), ("no thank you", "Black")],
    ),
    "the hour and the robot": ("u:(hour) It is $Dialog/Hour\nu:(name) $Dialog/RobotName", [("name", "nao")]),
    "names of functions in any case": ("u:(hi) ^gotoreactivate(t)\nproposal: %t Tea?", [("hi", "Tea?")]),
    "blanks and case": (
        "u : ( Green  TEA ! ) Here you are!\nconcept : (milk) [Soy]\nu:(~milk) Soy",
        [("green tea", "Here you are!"), ("soy", "Soy")],
    ),
}


@pytest.mark.parametrize("name", sorted(TALKS))
def test_a_talk_as_documented(robot, name):
    text, turns = TALKS[name]
    talk = Talk(robot, text)
    assert [(said, talk.says(said)) for said, _ in turns] == turns


def test_a_talk_knows_which_robot_it_is():
    for robot_type, name, kind in [("Nao", "nao", "nao"), ("Pepper", "pepper", "juliette")]:
        with Robot(robot_type=robot_type) as made:
            talk = Talk(made, "u:(name) $Dialog/RobotName $Dialog/RobotModel")
            assert talk.says("name") == "%s %s" % (name, kind)


#: What cannot be read or done, and what the error says; the first line after the header is line 3.
REFUSED = [
    ("u:(tea", "line 3: a parenthesis is not closed"),
    ("u:([tea) x", "line 3: ']' is missing at the end"),
    ("u:(tea) [a b", "line 3: ']' is missing"),
    ("u:(tea) a]", "line 3: ']' closes nothing"),
    ('u:(tea) "a', "line 3: '\"' is missing"),
    ("u:(tea) {a", "line 3: '}' is missing"),
    ("u1:(tea) x", "has no rule one level above"),
    ("c1:(tea) x", "has no rule one level above"),
    ("u:(tea) ^fly(away)", "line 3: ^fly is no function of an answer"),
    ("u:(tea) ^ go", "^go is no function"),
    ("u:(tea) a ^", "no function follows '^'"),
    ("u:(tea) ~ x", "no concept follows '~'"),
    ("u:(tea) ^goto()", "^goto takes 1 or 2 arguments, not 0"),
    ("u:(tea) ^nextProposal(2)", "takes 0 arguments"),
    ("u:(tea) ^start", "^start needs a name in parentheses"),
    ("u:(tea) ^call(tea)", "take Service.method(arguments)"),
    ("u:(tea) ^addKnowledge(a, b, c)", "needs ALKnowledge"),
    ("u:(tea) ^enumerate(milk)", "takes a ~concept"),
    ("u:(tea) $N=$N+1", "QiChat does not calculate"),
    ("u:(tea) $1=x", "cannot be set"),
    ("u:(tea) $a=", "nothing follows $a="),
    ("u:(tea) \\pau=100", "no closing backslash"),
    ("u:(^goto(x)) y", "^goto cannot stand in what a person says"),
    ("u:(^rand) y", "nothing follows ^rand"),
    ("s:(hello) hi", "the rules of a skin"),
    ("u:^often(tea) x", "a rule is written u:(what is heard) answer"),
    ("concept:milk [soy]", "a concept is written"),
    ("dynamic: two words", "a dynamic concept is one name"),
    ("include: no_such.top", "the included file no_such.top does not exist"),
    ("def: f x", "a function is written"),
    ("def:f($a) x\nu:(tea) ^f(1, 2)", "line 4: ^f takes 1 arguments, not 2"),
    ("tea and cake", "line 3: cannot read"),
    ("def:f($a) " + "$a" * 5000 + "\nu:(tea) " + "^f(" + "x" * 200 + ") ", "stand for more than 500000 characters"),
    ("u:(tea) " + "[" * 21 + "]" * 21, "too many brackets"),
    ("\n\nu:() x", "line 5: a rule without words"),
]


def test_what_cannot_be_done_is_refused_when_the_topic_is_loaded(robot):
    for text, reason in REFUSED:
        with pytest.raises(RuntimeError) as caught:
            robot.service("ALDialog").loadTopicContent(HEADER + text)
        assert reason in str(caught.value), text
        assert str(caught.value).startswith("\tALDialog::loadTopicContent\n\tSyntax error: line "), text


def test_headers():
    for header, reason in [
        ("topic: tea", ""),
        ("topic: ~tea ( ) ^noStay", ""),
        ("topic: ~tea() ^often", "a topic begins with"),
        ("topic:", "a topic begins with"),
        ("u:(tea) x", "line 1: a topic begins with"),
    ]:
        try:
            assert topics.parse_topic(header).name == "tea"
            assert not reason
        except qichat.BadTopic as error:
            assert reason and reason in str(error)


def test_the_rules_of_a_topic_are_counted(monkeypatch):
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
            "tea, line 3: the concept ~milk is defined in no loaded topic of this language."
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


def test_jumps_in_a_circle_end():
    with Robot() as robot:
        assert Talk(robot, "u:(go) %a Round ^goto(a)").says("go").count("Round") == 11
        assert "more than 10 jumps" in robot.trace.errors[0].fields["message"]


def test_concepts_in_a_circle_end(robot):
    talk = Talk(robot, "concept:(a) [~b ~b]\nconcept:(b) [~a ~a]\nu:(go) Round ~a and ^rand[~b ~b]\nu:(~a) x")
    assert (talk.says("go"), talk.says("hm")) == ("Round and", "")


def test_silence(robot):
    talk = Talk(robot, "u:(tea) Milk?\nu:(e:Dialog/NotSpeaking5) Well?\nu:(e:Dialog/NotSpeaking20) Good-bye.")
    talk.dialog.heard("tea", 1.0)
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
        ("../tea.top", "does not exist beside the topic"),
    ):
        main.write("topic: ~b()\n\ninclude: %s\n" % included)
        with pytest.raises(RuntimeError) as caught:
            dialog.loadTopic(str(main))
        assert reason in str(caught.value)


def test_nodes_of_patterns_and_answers_are_values():
    assert qichat.parse_pattern("_~milk") == qichat.parse_pattern(" _ ~milk ")
    assert qichat.list_tags(qichat.parse_answer('%a ["%b x" y] {%c}')) == ["a", "b", "c"]
