# -*- coding: utf-8 -*-
"""Other people's folders: projects, translations, dialogs and packages; and the faults that the lint finds."""

from __future__ import absolute_import, division, print_function

import ast
import os
import sys
import tarfile
import zipfile
import zlib

import behaviours
import naosim_xar_writer as w
import pytest
from damage import limit_time

from naosim import judge, packages, parse, xar
from naosim.__main__ import main
from naosim.clock import PreemptiveClock
from naosim.compat import native
from naosim.errors import NotABehaviour, Overrun, WrongUse
from naosim.lint import migrate_file
from naosim.robot import Robot


@pytest.fixture
def folder(tmpdir):
    return behaviours.write_project(str(tmpdir.mkdir("guide")))


@pytest.fixture
def package(tmpdir):
    installed = behaviours.write_installed(str(tmpdir.mkdir("museum-guide")))
    return behaviours.write_package(str(tmpdir.join("museum-guide-1.0.2.pkg")), installed)


def output_of(capsys):
    """Return what the robot said on the command line, and the error output."""
    out, errors = capsys.readouterr()
    return [line.split("says ", 1)[1].strip() for line in out.splitlines() if " says " in line], errors


def test_a_behaviour_is_named_by_folder_last_part_or_id_and_without_a_name_all_are_listed(folder, capsys):
    where = os.path.join(folder, "museum.pml")
    for path in (folder, where):
        assert main([path, "--rewrite"]) == 2, path
        said = "%s has 3 behaviours: say which one is meant (--behaviour): menu, rooms/statues, talk\n" % where
        assert capsys.readouterr()[1] == said, path
        assert main([path, "--behaviour", "garden"]) == 2, path
        said = '%s has no behaviour "garden": it has menu, rooms/statues, talk\n' % where
        assert capsys.readouterr()[1] == said, path
    for name in ["rooms/statues", "statues", "museum-guide/rooms/statues", "/rooms/statues/"]:
        assert main([folder, "--rewrite", "--behaviour", name]) == 0, name
        assert output_of(capsys) == (["This one has no arms."], ""), name
    assert main([os.path.join(folder, "menu", "behavior.xar"), "--behaviour", "menu"]) == 2
    assert 'is a single behaviour: leave the name "menu" out' in capsys.readouterr()[1]
    behaviours.write_into(folder, "._museum.pml", "\0\5\26\7")  # The notes of a Mac are not a project.
    assert main([folder, "--lint"]) == 2
    assert "museum.pml has 3 behaviours" in capsys.readouterr()[1]


def test_a_project_an_installed_package_and_a_pkg_run_the_same_and_nothing_of_a_pkg_stays(
    tmpdir, folder, package, capsys
):
    for source in (folder, str(tmpdir.join("museum-guide")), package):
        for answer, texts in [("no", []), ("yes", ["This one has no arms."])]:
            assert main([source, "--rewrite", "--behaviour", "menu", "--say", answer]) == 0
            assert output_of(capsys) == (["Welcome.", "Shall we begin?"] + texts + ["Good bye."], "")
    with Robot() as robot:
        unpacked = robot.load(package, True, behaviour="menu").folder
        assert os.path.isfile(os.path.join(unpacked, "behavior.xar"))
    assert not os.path.exists(unpacked)


def test_ids_come_from_the_manifest_wherever_the_behaviour_is_loaded_from(folder, robot):
    for source, name in ((folder, "statues"), (os.path.join(folder, "rooms", "statues"), "")):
        behaviour = robot.load(source, True, behaviour=name)
        assert (behaviour.package, behaviour.relative) == ("museum-guide", os.path.join("rooms", "statues"))
        assert behaviour.id == "museum-guide/rooms/statues"
    statues = behaviours.read_file("museum/rooms/statues/behavior.xar")
    alone = behaviours.write_into(folder, "attic/behavior.xar", statues)
    assert packages.find_package_around(alone) is None  # It is not part of the project around it.
    assert robot.load(alone, True).id == "guide/attic"


def test_folders_of_choregraphe_1_have_no_description(tmpdir):
    statues = behaviours.read_file("museum/rooms/statues/behavior.xar")
    for name in ("hello", "bye"):
        behaviours.write_into(str(tmpdir), name + "/behavior.xar", statues)
    assert [place.name for place in packages.read_package(str(tmpdir)).behaviours] == ["bye", "hello"]
    with pytest.raises(NotABehaviour, match="2 behaviours"):
        packages.find_behaviour_file(str(tmpdir))


WELCOME = native(u"Bienvenue \u00e0 tous.")


@pytest.mark.parametrize("is_installed", [False, True])
def test_texts_come_in_the_language_of_the_robot_which_may_change(folder, tmpdir, package, is_installed):
    source = str(tmpdir.join("museum-guide")) if is_installed else folder
    for languages, welcome in [(("French", "English"), WELCOME), (("English", "French"), "Welcome.")]:
        with Robot(languages=languages) as robot:
            robot.load(source, True, behaviour="menu")
            robot.start()
            robot.advance()
            robot.service("ALTextToSpeech").setLanguage("French")
            robot.hear("no")
            assert robot.advance().ended
            said = [event.fields["plain"] for event in robot.trace.of("say")]
            assert said == [welcome, "Shall we begin?", "Au revoir."]


def test_the_command_line_speaks_a_language(folder, capsys):
    assert main([folder, "--rewrite", "--behaviour", "statues", "--language", "French"]) == 0
    assert output_of(capsys) == (["Celle-ci n'a pas de bras."], "")
    assert main([folder, "--rewrite", "--behaviour", "statues", "--language", "German"]) == 0
    assert output_of(capsys) == (["This one has no arms."], "")
    with pytest.raises(SystemExit):
        main([folder, "--language", "Klingon"])
    assert "the robot does not speak Klingon" in capsys.readouterr()[1]


def test_a_compiled_file_says_what_its_source_says_and_none_does_harm(folder, tmpdir):
    whole, refused = behaviours.read_file("museum_translation_fr_FR.qm"), 0
    source = os.path.join(folder, "translations", "translation_fr_FR.ts")
    path = behaviours.write_into(str(tmpdir), "t.qm", whole)
    assert xar.read_translations(path) == xar.read_translations(source)
    for size in range(16, len(whole), 5):
        behaviours.write_into(str(tmpdir), "t.qm", whole[:size])
        try:
            assert len(xar.read_translations(path)) <= 3
        except NotABehaviour as error:
            refused += "damaged .qm" in str(error)
    assert refused > 50
    # Two messages, of which one has a context, compiled by GNU gettext's msgfmt --qt.
    other = bytearray.fromhex(
        u"3cb86418caef9c95cd211cbf60a1bddd4200000010000049f50000004b0c2a66ae00000000690000007d0300000022004200"
        u"690065006e00760065006e00750065002000e000200074006f00750073002e080000000100060000000957656c636f6d652e"
        u"0007000000055465787400050c2a66ae010300000012004100750020007200650076006f0069007208000000010006000000"
        u"044279650007000000010005000049f501"
    )
    behaviours.write_into(str(tmpdir), "t.qm", bytes(other))
    assert xar.read_translations(path) == {("Text", "Welcome.", ""): WELCOME, ("", "Bye", ""): "Au revoir"}


def test_a_damaged_translation_is_one_sentence(folder, capsys):
    for content, sentence in [
        (b"<TS", "broken in line 1"),
        (b"<a/>", "starts with <a>, not with <TS>"),
        (b"<!DOCTYPE TS [<!ENTITY a 'b'>]><TS/>", "declares a document type"),
        (behaviours.read_file("museum_translation_fr_FR.qm")[:120], "damaged .qm"),
    ]:
        behaviours.write_into(folder, "translations/translation_fr_FR.ts", content)
        main([folder, "--rewrite", "--behaviour", "statues", "--language", "French"])
        assert sentence in capsys.readouterr()[1], content



def test_outputs_of_a_dialog_are_fired_in_order_with_the_other_answers(folder, capsys):
    os.remove(os.path.join(folder, "Visitors", "Visitors_enu.top"))
    command = [folder, "--rewrite", "--behaviour", "talk"]
    assert main(command) == 1
    assert "Visitors_enu.top" in capsys.readouterr()[1]
    for box, output, sentence in [
        ("Visitors", "age", 'no output "age": it has onStopped, visitor'),
        ("Repeat", "onStopped", "is not a Dialog box"),
        ("Nobody", "x", 'no box "root/Nobody"'),
    ]:
        assert main(command + ["--dialog", "%s.%s=1" % (box, output)]) == 2, box
        assert sentence in capsys.readouterr()[1], box
    answers = ["Visitors.visitor=Ada", "Visitors.visitor=Alan", "Visitors.onStopped="]
    assert main(command + [part for answer in answers for part in ("--dialog", answer)]) == 0
    assert output_of(capsys) == (["Ada", "Alan"], "")


def test_a_dialog_follows_the_language_and_is_not_answered_by_hand_while_its_topic_does(folder):
    with Robot(languages=("French", "English")) as robot:
        behaviour = robot.load(folder, True, behaviour="talk")
        robot.start()
        assert robot.advance().ears.vocabulary == ("au revoir",)
        with pytest.raises(WrongUse, match="answered by its topic"):
            behaviour.answer("Visitors", "visitor", "Ada")
        behaviour = robot.load(folder, True, behaviour="talk", dialogs=["Visitors"])
        with pytest.raises(WrongUse, match="is not running"):
            behaviour.answer("root/Visitors", "visitor", "Ada")



def test_a_bad_project_is_one_sentence(folder, capsys):
    pml = behaviours.read_file("museum/museum.pml")
    outside = pml.replace(b'src="menu"', b'src="../../menu"')
    for name, content, sentence in [
        ("museum.pml", "", "museum.pml is empty"),
        ("museum.pml", "<Package", "museum.pml is broken in line 1"),
        ("museum.pml", "<ChoregrapheProject/>", "museum.pml starts with <ChoregrapheProject>, not with <Package>"),
        ("museum.pml", outside, 'museum.pml names "../../menu", which is outside of it'),
        ("museum.pml", "<Package/>", "has no behaviour"),
        ("other.pml", pml, "has 2 project files: give one of museum.pml, other.pml"),
    ]:
        behaviours.write_into(folder, name, content)
        assert main([folder]) == 2, name
        errors = capsys.readouterr()[1]
        assert sentence in errors, name
        assert errors.count("\n") == 1, name


def test_an_empty_folder_and_a_missing_dialog_are_named(tmpdir, folder, capsys):
    assert main([str(tmpdir.mkdir("empty"))]) == 2
    assert "has no behavior.xar, no project file (.pml) and no manifest.xml" in capsys.readouterr()[1]
    os.remove(os.path.join(folder, "Visitors", "Visitors.dlg"))
    arguments = [folder, "--lint", "--behaviour", "statues"]
    assert (main(arguments), main(arguments + ["--strict"])) == (0, 1)
    assert "The file Visitors/Visitors.dlg is listed and is not there." in capsys.readouterr()[0]


def test_a_damaged_pkg_or_one_that_leads_out_is_one_sentence(package, capsys):
    with open(package, "rb") as file:
        whole = file.read()
    for raw in (b"", b"PK", whole[:300], whole[:60] + b"\xff" * 40 + whole[100:]):
        with open(package, "wb") as file:
            file.write(raw)
        assert main([package, "--behaviour", "menu"]) == 2, raw
        assert capsys.readouterr()[1].count("\n") == 1, raw
    with open(package, "wb") as file:
        file.write(whole)
    with zipfile.ZipFile(package, "a") as archive:
        archive.writestr("a/../../evil", b"x")
    assert main([package, "--behaviour", "menu"]) == 2
    assert "leads out of the package" in capsys.readouterr()[1]


LOOP = w.script("""
    def onLoad(self):
        self.goes_on = True
    def onInput_onStart(self):
        self.rounds = 0
        while self.goes_on:
            self.rounds += 1
    def onInput_onStop(self):
        self.goes_on = False
        self.onStopped()
""")


def test_a_loop_without_sleep_lets_the_others_go_on_in_the_same_way_every_time(tmpdir, capsys):
    """Without an end of its own: the loop is stopped when the other box has spoken."""
    speak = w.on_start('ALProxy("ALTextToSpeech").say("Nobody can stop me.")\nself.onStopped()')
    links = [("root.onStart", "Loop.onStart"), ("root.onStart", "Say.onStart")]
    links += [("Say.onStopped", "Loop.onStop"), ("Loop.onStopped", "root.onStopped")]
    busy = w.behaviour([w.box("Loop", LOOP), w.box("Say", speak)], links)
    outputs = []
    for _ in range(2):
        assert main([w.save(tmpdir, busy), "--threads"]) == 0
        outputs.append(capsys.readouterr()[0])
    assert "says      Nobody can stop me." in outputs[0] and "ends" in outputs[0]
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("more", [[], ["--threads", "--seconds", "100000"]])
def test_real_time_is_bounded(tmpdir, capsys, more):
    assert main([w.save(tmpdir, w.one_box(LOOP)), "--max-time", "0.2"] + more) == 1
    assert capsys.readouterr()[1] == "the run has taken more than 0.2 seconds of real time (--max-time)\n"


def test_a_loop_with_sleep_is_bounded_too():
    script = LOOP.replace("self.rounds += 1", "import time; time.sleep(0.001)")
    with Robot(clock=PreemptiveClock(share=False, max_time=0.2)) as robot:
        robot.load(w.one_box(script))
        robot.start()
        with pytest.raises(Overrun, match="real time"):
            robot.advance(1e6)


PASS_ON = w.on_start("self.onStopped()") + "    def onInput_onStop(self):\n        pass\n"
STOPPED, WORD = w.port("onStopped", nature="stopped"), w.port("word", "string", "punctual")


def findings(content, *severities):
    wanted = severities or ("error", "warning")
    return [(each.rule, each.box, each.sentence) for each in judge(parse(content)) if each.severity in wanted]


@pytest.mark.parametrize(
    "script, rule, sentence",
    [
        (w.on_start("self.onStopped()", "self, a, b"), "handler", "needs 2 arguments"),
        (w.on_start("self.onStoped()"), "output", "Line 5 calls self.onStoped()"),
        (w.on_start("self.getParameter('No')"), "parameter", 'asks for the parameter "No"'),
        (w.on_start("self.word()"), "output", 'fires the output "word" without a value'),
        (w.on_start("self.word(1, 2)"), "output", "with 2 values"),
        (w.on_start("self.c()\nself.onStopped()") + "    def onLoad(self):\n        self.c = len\n", None, ""),
        (w.on_start("self.aid()\nself.onStopped()") + "    def aid(self):\n        pass\n", None, ""),
        (w.on_start("self.getName()\nself.onStopped()", "self, p=None"), None, ""),
        (w.on_start("self.onStopped()", "self, a=1, b=2"), None, ""),
    ],
)
def test_scripts_against_their_ports(script, rule, sentence):
    found = findings(w.one_box(script, "A", outputs=[STOPPED, WORD]))
    assert [each[0] for each in found if each[0] != "end"] == [rule] * (rule is not None)
    assert rule is None or sentence in found[0][2]


@pytest.mark.parametrize(
    "old, new, rule, sentence",
    [
        (b'indexofoutput="4"', b'indexofoutput="7"', "link", 'comes from port 7, which is not an output of box "A"'),
        (b'inputowner="1" indexofinput="2"', b'inputowner="1" indexofinput="1"', "link", "only its inside can see"),
        (b'inputowner="1"', b'inputowner="6"', "link", "names box 6"),
        (b'name="A" id="1"', b'name="A" id="0"', "ids", "it must be above 0"),
        (b'tooltip="" id="3" />', b'tooltip="" id="2" />', "ports", "are not 1 to 4"),
        (b'<?xml version="1.0" encoding="UTF-8" ?>\n', b"", "head", "no XML declaration"),
    ],
)
def test_ids_ports_and_links(old, new, rule, sentence):
    found = findings(w.one_box(PASS_ON, "A").replace(old, new))
    assert [each for each in found if each[0] == rule and sentence in each[2]]


@pytest.mark.parametrize(
    "old, new, count",
    [
        (b"?>\n<", b"?> <", 0),
        (b"?>\n<", b"?><", 0),
        (b"?>\n<", b"?>\n\n<", 1),
        (b" xar_version", b"\n\nxar_version", 1),
        (b" xar_version", b"\nxar_version", 1),
    ],
)
def test_the_version_stands_in_the_first_two_lines(old, new, count):
    """Choregraphe's converter joins lines 1 and 2."""
    content = w.one_box(PASS_ON, "A").replace(old, new, 1)
    assert len([rule for rule, _, _ in findings(content) if rule == "head"]) == count


def test_two_boxes_with_one_id_and_two_ports_with_one_name():
    box = w.box("A", PASS_ON, outputs=[STOPPED, w.port("onStart")])
    content = w.behaviour([box, w.box("B", PASS_ON)], w.chain("A")).replace(b'name="B" id="2"', b'name="B" id="1"')
    assert {each[0] for each in findings(content)} == {"ids", "names"}


@pytest.mark.parametrize(
    "links, ends",
    [
        (w.chain("A"), True),
        (w.chain("A")[:1], False),
        (w.chain("A")[1:], False),
        (w.chain("Inside"), True),
        (w.chain("Dead end"), False),
    ],
)
def test_something_must_reach_the_end(links, ends):
    inner = [w.box("Inner", PASS_ON)]
    boxes = [w.box("A", PASS_ON), w.box("Inside", boxes=inner, links=w.chain("Inner"))]
    boxes.append(w.box("Dead end", boxes=inner, links=[("self.onStart", "Inner.onStart")]))
    assert ("end" not in [each[0] for each in findings(w.behaviour(boxes, links))]) is ends


def test_warnings_and_remarks():
    script = "import os\nos.getcwd()\n" + w.script(
        '    def onLoad(self):\n        while 1:\n            time.sleep(1)\n        return "Grüße"\n'
    )
    box = w.box("A", script, outputs=[STOPPED, WORD])
    content = w.behaviour([box], [("root.onStart", "A.onStart")])
    content = content if isinstance(content, bytes) else content.encode("utf-8")
    rules = {(each.severity, each.rule) for each in judge(parse(content)) if each.severity != "error"}
    remarks = {("remark", "top"), ("remark", "loop"), ("remark", "unused")}
    assert rules == remarks | {("warning", "coding"), ("warning", "handler"), ("warning", "end")}
    (finding,) = findings(w.one_box(PASS_ON.replace("onInput_onStop", "onInput_go"), "A"), "warning")
    assert finding == ("uncalled", "root/A", 'Method onInput_go has no input "go", so nothing ever calls it.')


def test_a_script_of_the_other_python_gets_one_finding():
    other = w.one_box(w.on_start("print 'x'\nself.onStopped()"), "A")
    assert [rule for rule, _, _ in findings(other, "warning")] == (["syntax"] if sys.version_info[0] > 2 else [])
    ((_, _, sentence),) = [each for each in findings(w.one_box(w.script("    def x(self:\n"))) if each[0] == "syntax"]
    assert "line 4" in sentence


# Lint of scripts from Choregraphe's library, and of old behaviours.

def test_only_what_the_robot_reaches_is_judged_and_only_what_must_fail_is_an_error():
    library = w.script("""
    def onLoad(self):
        self.names = ["helper"]
    def onInput_onStart(self):
        try:
            self.missing()
        except AttributeError:
            self.word()
        getattr(self, "helper")()
        self.onStopped()
    def helper(self):
        self.alsoMissing()
    def onInput_unused(self):
        self.nowhere()
        self.more()
    def more(self):
        self.getParameter("No such parameter")
""")
    inputs = [w.port("onStart", nature="onStart"), w.port("unused")]
    content = w.one_box(library, "A", inputs=inputs, outputs=[STOPPED, WORD])
    assert [(rule, sentence.split("calls ")[-1]) for rule, _, sentence in findings(content, "error")] == [
        ("output", "self.alsoMissing(), which is neither an output nor a method.")
    ]
    warned = [sentence for _, _, sentence in findings(content, "warning")]
    assert len(warned) == 2 and "self.missing()" in warned[0] and "without a value" in warned[1]
    box = w.box("A", library, inputs=inputs, outputs=[STOPPED, WORD])
    linked = w.behaviour([box], w.chain("A") + [("root.onStart", "A.unused")])
    assert {rule for rule, _, _ in findings(linked, "error")} == {"output", "parameter"}


def test_the_lint_walks_through_a_script_no_more_often_with_more_findings(monkeypatch):
    walked, walk = [], ast.walk
    monkeypatch.setattr(ast, "walk", lambda node: walked.append(node) or walk(node))
    counts = []
    for count in (1, 50):
        del walked[:]
        script = w.on_start("try:\n" + "    self.missing()\n" * count + "except AttributeError:\n    pass")
        assert len([rule for rule, _, _ in findings(w.one_box(script), "warning") if rule == "output"]) == count
        counts.append(len(walked))
    assert counts[0] == counts[1]


NEW_HOST, OLD_HOST = b"www.ald.softbankrobotics.com", b"www.aldebaran-robotics.com"


def test_an_old_behaviour_is_told_its_changes_for_a_newer_robot(tmpdir, capsys):
    old_script = w.on_start("""
    try:
        self.motion.walkTo(0.1, 0, 0)
    except RuntimeError, error:
        print error
    if 0777 <> self.mode: pass
    print "a", self.x.has_key(1)
    self.tracker = ALProxy("ALRedBallTracker")
    # self.motion.stopWalk()
    self.onStopped()
""")
    content = w.one_box(old_script).replace(NEW_HOST, OLD_HOST)
    path = w.save(tmpdir, content)
    assert main([path, "--lint", "--target", "2.8"]) == 0
    lines = capsys.readouterr()[0].splitlines()
    told = [line.split("Line ")[1] for line in lines if "by hand)" in line or "a rule can" in line]
    assert [(each.split(":")[0], "by hand" in each) for each in told] == [
        ("6", False), ("7", False), ("8", False), ("9", False), ("9", False), ("10", True), ("10", True), ("11", True)
    ]  # fmt: skip
    assert any("namespace of Choregraphe 1" in line for line in lines)
    made = migrate_file(content)
    for part in (b"self.motion.moveTo(0.1", b"except RuntimeError as error:", b"print(error)", b"if 0o777 != self."):
        assert part in made, part
    assert b"# self.motion.stopWalk()" in made and NEW_HOST in made
    assert migrate_file(made) == made and len(made.splitlines()) == len(content.splitlines())
    with pytest.raises(SystemExit):
        main([path, "--target", "2.8"])


def tar_row(kind, size, content=b"", name="behavior.xar"):
    """Return a header of a tar archive and what follows it, filled up to whole blocks."""
    row = tarfile.TarInfo(name)
    row.type, row.size = kind, size
    return row.tobuf(tarfile.GNU_FORMAT) + content + b"\0" * (-len(content) % tarfile.BLOCKSIZE)


def sparse_row():
    """Return the header of a file with holes whose list of holes continues."""
    row = bytearray(tar_row(tarfile.GNUTYPE_SPARSE, 0))
    row[482] = 1
    row[148:156] = b" " * 8
    row[148:156] = ("%06o\0 " % sum(row)).encode("ascii")
    return bytes(row)


def ar_row(name, content, size=None):
    head = name.ljust(16) + "0".ljust(32) + str(len(content) if size is None else size).ljust(10) + "`\n"
    return head.encode("ascii") + content + b"\n" * (len(content) % 2)


def crg(rows):
    """Return a package of Choregraphe 1 with the content of a tar archive."""
    packing = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = packing.compress(rows + bytes(bytearray(2 * tarfile.BLOCKSIZE))) + packing.flush()
    return b"!<arch>\n" + ar_row("debian-binary", b"2.0\n") + ar_row("data.tar.gz/", packed)


def test_a_package_of_choregraphe_1_is_unpacked(tmpdir, capsys):
    content = w.one_box(w.on_start("ALProxy('ALTextToSpeech').say('old')\nself.onStopped()"))
    long_name = tar_row(tarfile.GNUTYPE_LONGNAME, 200, b"n" * 200) + tar_row(tarfile.REGTYPE, 1, b"n")
    whole = crg(long_name + tar_row(tarfile.REGTYPE, len(content), content))
    path = tmpdir.join("Old dance.crg")
    path.write(whole, mode="wb")
    assert main([str(path)]) == 0 and "old" in capsys.readouterr()[0] and main([str(path), "--lint"]) == 0
    for damaged in (b"", b"!<arch>\n", whole[:100], whole[:-60], whole.replace(b"data.tar.gz", b"none.tar.gz")):
        path.write(damaged, mode="wb")
        capsys.readouterr()
        assert main([str(path)]) == 2
        assert "is a damaged package of Choregraphe 1" in capsys.readouterr()[1]


LONG = 1 << 20


@pytest.mark.parametrize(
    "content, sentence",
    [
        (crg(tar_row(tarfile.GNUTYPE_LONGNAME, LONG, b"n" * LONG)), "one of its files has more than 64 kB"),
        (crg(tar_row(tarfile.GNUTYPE_LONGNAME, 1, b"n") * 5000), "one of its files has more than 64 kB"),
        (crg(tar_row(tarfile.GNUTYPE_LONGNAME, 60000, b"n/" * 30000) + tar_row(tarfile.REGTYPE, 0)), "too large"),
        (crg(sparse_row() + b"\1" * LONG), ""),
        (crg(tar_row(tarfile.XHDTYPE, LONG, b"1" * LONG)), "a header that Choregraphe 1 does not write"),
        (crg(tar_row(tarfile.XGLTYPE, 8, b"0 a=b\n")), "a header that Choregraphe 1 does not write"),
        (crg(tar_row(tarfile.REGTYPE, 600 << 20)), "too large"),
        (crg(tar_row(tarfile.REGTYPE, 0) * 5001), "too large"),
        (b"!<arch>\n" + ar_row("debian-binary", b"", -60), "a file in it has -60 bytes"),
        (crg(tar_row(tarfile.REGTYPE, 0, name="../a")), "leads out of the package"),
        (crg(tar_row(tarfile.REGTYPE, 0, name="d/" * 40 + "a")), "a file in more than 30 folders"),
    ],
)  # fmt: skip
def test_little_is_read_of_a_bomb_in_a_package_of_choregraphe_1(content, sentence, tmpdir, capsys):
    tmpdir.join("a.crg").write(content, mode="wb")
    with limit_time():
        assert main([str(tmpdir.join("a.crg"))]) == 2
    said = capsys.readouterr()[1]
    assert sentence in said and said.count("\n") == 1
