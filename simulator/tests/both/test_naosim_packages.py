"""Packages on the robot: installed, run, removed or refused; and the activities that autonomous life starts."""

from __future__ import absolute_import, division, print_function

import hashlib
import os
import random
import struct
import zipfile

import naosim_xar_writer as w
import package_files as kit
import pytest
from robot_fixtures import list_fields

from naosim import Faults, NotABehaviour, Robot, WrongUse, formats, packages as manifest

SPEAK = w.on_start('ALProxy("ALTextToSpeech").say("%s")\nself.onStopped()')
WAIT = w.script("""
    def onInput_onStart(self):
        pass
    def onUnload(self):
        ALProxy("ALTextToSpeech").say("Good-bye.")
""")


def run(name):
    """Make the script of a minimal Run Behavior box."""
    return w.script(
        """
    def onLoad(self):
        self.behaviours = ALProxy("ALBehaviorManager")
        self.stays = True
    def onUnload(self):
        self.stays = False
        if self.behaviours.isBehaviorRunning("{0}"):
            self.behaviours.stopBehavior("{0}")
    def onInput_onStart(self):
        self.behaviours.runBehavior("{0}")
        if self.stays:
            ALProxy("ALTextToSpeech").say("It is over.")
            self.onStopped()
""".format(name)
    )


@pytest.fixture
def robot(tmpdir):
    with Robot(home=str(tmpdir.mkdir("apps"))) as made:
        yield made


@pytest.fixture
def packages(robot):
    return robot.service("PackageManager")


@pytest.fixture
def manager(robot):
    return robot.service("ALBehaviorManager")


def install(robot, tmpdir, uuid="hello-1", version="1.0.0", more="", **scripts):
    """Install a package of one-box behaviours."""
    held = {name: w.one_box(script) for name, script in scripts.items()}
    path = kit.package(tmpdir.join("%s.pkg" % uuid), uuid, version, held, more)
    return robot.service("PackageManager").install(path)


def do(robot, call, *args):
    """Run a call as a task up to the end of everything it begins; return its result."""
    results = []
    robot.clock.call_soon(lambda: results.append(call(*args)))
    robot.advance()
    return results[0] if results else None


def news(robot, *signals):
    heard = []

    def listen(name):
        robot.memory.link(name, lambda *values: heard.append((name.rpartition("/")[2],) + values))

    for signal in signals:
        listen(signal)
    return heard



def test_a_package_is_installed_listed_and_removed(robot, packages, manager, tmpdir):
    signals = ["PackageManager/packageInstalled", "PackageManager/packageRemoved"]
    heard = news(robot, *signals + ["ALBehaviorManager/behaviorsAdded", "ALBehaviorManager/behaviorsRemoved"])
    held = {"hello": kit.xar("new_story.xar"), "games/old": kit.xar("old_story.xar")}
    path = kit.package(tmpdir.join("any name.pkg"), behaviours=held, more="<author>Ann</author>")
    assert not packages.hasPackage("hello-1")
    assert packages.install(path) is True
    assert packages.hasPackage("hello-1")
    found = packages.package("hello-1")
    assert (found["uuid"], found["version"], found["author"]) == ("hello-1", "1.0.0", "Ann")
    assert found["langToName"] == {"en_US": "Hello"} and found["path"] == os.path.join(robot.world.home, "hello-1")
    assert [(row["path"], row["nature"], row["userRequestable"]) for row in found["behaviors"]] == [
        ("games/old", "interactive", True),
        ("hello", "interactive", True),
    ]
    assert found in packages.packages() == packages.getPackages()
    assert packages.package2("hello-1") in packages.packages2()
    assert packages.package2("hello-1")["elems"]["contents"]["behaviors"] == found["behaviors"]
    assert sorted(os.listdir(os.path.join(robot.world.home, "hello-1"))) == ["games", "hello", "manifest.xml"]
    ids = ["hello-1/games/old", "hello-1/hello"]
    assert manager.getUserBehaviorNames() == ["User/" + each for each in ids]
    assert manager.getInstalledBehaviors()[:2] == ids
    assert set(manager.getBehaviorNames()) == set(manager.getUserBehaviorNames() + manager.getSystemBehaviorNames())
    packages.removePkg("hello-1")
    robot.advance()
    assert os.listdir(robot.world.home) == [] and found not in packages.packages()
    assert manager.getUserBehaviorNames() == []
    assert heard == [
        ("behaviorsAdded", ids),
        ("packageInstalled", "hello-1"),
        ("behaviorsRemoved", ids),
        ("packageRemoved", "hello-1"),
    ]
    for method in ("removePkg", "remove", "package", "package2", "getPackage", "packageIcon"):
        with pytest.raises(RuntimeError, match="PackageManager::%s\n\tPackage hello-1 is not installed" % method):
            packages.call(method, ["hello-1"])


def test_only_2_8_refuses_a_manifest_without_the_mode_of_a_plain_file(tmpdir):
    manifest = zipfile.ZipInfo("manifest.xml")
    manifest.external_attr = 0o600 << 16
    path = kit.write(tmpdir.join("bare.pkg"), [(manifest, kit.manifest("bare", behaviours=()))])
    for naoqi, is_taken in (("2.1", True), ("2.5", True), ("2.8", False)):
        with Robot(naoqi=naoqi) as robot:
            try:
                robot.service("PackageManager").install(path)
                said = ""
            except RuntimeError as error:
                said = str(error)
            assert robot.service("PackageManager").hasPackage("bare") is is_taken
            assert is_taken or "Invalid manifest" in said


def test_the_makers_packages_come_back_at_the_next_start(tmpdir):
    home, hey = str(tmpdir.mkdir("apps")), "animations/Stand/Gestures/Hey_1"
    with Robot(home=home) as robot:
        packages, behaviours = robot.service("PackageManager"), robot.service("ALBehaviorManager")
        assert packages.hasPackage("animations") and behaviours.isBehaviorInstalled(hey)
        packages.removePkg("animations")
        assert not packages.hasPackage("animations") and not behaviours.isBehaviorInstalled(hey)
        with pytest.raises(RuntimeError, match="Wrong path format"):
            robot.service("ALAnimationPlayer").run(hey)
    with Robot(home=home) as robot:
        assert robot.service("PackageManager").hasPackage("animations")
        assert robot.service("ALBehaviorManager").isBehaviorInstalled(hey)


def test_each_robot_has_its_own_manifests_of_the_makers_packages(packages):
    before = repr(packages.package("animations"))
    packages.package("animations")["langToName"]["en_US"] = "Mine"
    assert repr(packages.package("animations")) != before
    with Robot() as other:
        assert repr(other.service("PackageManager").package("animations")) == before


def test_a_home_keeps_its_packages_and_without_one_they_go_with_the_robot(tmpdir):
    home = tmpdir.mkdir("apps")
    with Robot(home=str(home)) as robot, Robot() as other:
        for each in (robot, other):
            install(each, tmpdir, Say=SPEAK % "Hello")
        folder = other.service("PackageManager").package("hello-1")["path"]
        assert os.path.isdir(folder)
    assert not os.path.exists(folder)
    home.mkdir("other").join("manifest.xml").write(kit.manifest("another-name"))
    home.mkdir("broken").join("manifest.xml").write("<package")
    home.join("file").write("no folder")
    with Robot(home=str(home)) as robot:
        assert sorted(robot.world.packages) == ["hello-1"] and robot.service("PackageManager").hasPackage("hello-1")
        do(robot, robot.service("ALBehaviorManager").runBehavior, "hello-1")
        assert list_fields(robot, "say") == ["Hello"]


def test_a_second_version_replaces_the_first_and_stops_it(robot, packages, manager, tmpdir):
    install(robot, tmpdir, Wait=WAIT, Old=SPEAK % "old")
    do(robot, manager.startBehavior, "hello-1/Wait")
    heard = news(robot, *["ALBehaviorManager/behavior" + name for name in ("sAdded", "sRemoved", "Stopped")])
    install(robot, tmpdir, version="1.1.0", Wait=WAIT, New=SPEAK % "new")
    robot.advance()
    assert manager.getRunningBehaviors() == [] and list_fields(robot, "say") == ["Good-bye."]
    assert packages.package("hello-1")["version"] == "1.1.0"
    assert sorted(os.listdir(os.path.join(robot.world.home, "hello-1"))) == ["New", "Wait", "manifest.xml"]
    assert heard == [
        ("behaviorStopped", "hello-1/Wait"),
        ("behaviorsRemoved", ["hello-1/Old"]),
        ("behaviorsAdded", ["hello-1/New", "hello-1/Wait"]),
    ]
    assert os.listdir(robot.world.home) == ["hello-1"]


def test_the_sum_of_a_file_is_checked_and_its_icon_given_as_bytes(packages, tmpdir):
    packages.install(kit.package(tmpdir.join("b.pkg")))
    assert packages.packageIcon("hello-1") == bytearray()
    path = kit.write(tmpdir.join("a.pkg"), [("manifest.xml", kit.manifest(behaviours=())), ("icon.png", b"\x89PNG")])
    right = hashlib.md5(tmpdir.join("a.pkg").read_binary()).hexdigest()
    with pytest.raises(RuntimeError, match="a different MD5 sum"):
        packages.installCheckMd5(path, "0" * 32)
    assert packages.installCheckMd5(path, right.upper()) is True
    assert packages.install(path, right, "hello-1") is True
    assert packages.packageIcon("hello-1") == packages.getPackageIcon("hello-1") == bytearray(b"\x89PNG")
    with pytest.raises(RuntimeError, match='it is "hello-1" and not "other"'):
        packages.install(path, right, "other")


#: A file of a package that is a symbolic link.
LINK = zipfile.ZipInfo("hello/behavior.xar")
LINK.external_attr = 0o120777 << 16
GOOD = [("manifest.xml", kit.manifest()), ("hello/behavior.xar", kit.xar("new_story.xar"))]
NEEDS = "<requirements><%s/></requirements>"


@pytest.mark.parametrize(
    "fields, reason",
    [
        ({"uuid": "Hello"}, 'uuid "Hello"'),
        ({"uuid": "a" * 51}, "1 to 50"),
        ({"uuid": ""}, 'uuid ""'),
        ({"uuid": ".."}, 'uuid ".."'),
        ({"uuid": "a&#10;"}, "1 to 50"),
        ({"version": "one"}, 'version "one"'),
        ({"more": " " * 1100000}, "larger than 1024 kB"),
        ({"behaviours": ("hello", "gone")}, '"gone"'),
        ({"behaviours": ("../x",)}, "leads out"),
        ({"more": NEEDS % 'naoqiRequirement minVersion="2.9"'}, "needs NAOqi 2.9"),
        ({"more": NEEDS % 'naoqiRequirement minVersion="2.1" maxVersion="2.5"'}, "up to 2.5"),
        ({"more": NEEDS % 'robotRequirement model="JULIETTE_Y20"'}, "made for JULIETTE_Y20, and this robot is a Nao"),
    ],
)
def test_a_package_with_a_bad_manifest_is_refused(robot, packages, tmpdir, fields, reason):
    check_refusal(robot, packages, tmpdir, [("manifest.xml", kit.manifest(**fields))] + GOOD[1:], reason)


@pytest.mark.parametrize(
    "files, reason",
    [
        ([("hello/behavior.xar", "x")], "no manifest.xml"),
        ([("manifest.xml", "<package")], "manifest.xml is broken"),
        ([("manifest.xml", '<!DOCTYPE package [<!ENTITY a "a">]><package/>')], "document type"),
        ([("manifest.xml", "<Package/>")], "uuid"),
        ([("p/manifest.xml", kit.manifest()), ("p/hello/behavior.xar", "x")], "no manifest.xml"),
        (GOOD + [("../out.txt", "x")], '"../out.txt", which leads out'),
        (GOOD + [("a/../../out.txt", "x")], "leads out"),
        (GOOD + [("..\\out.txt", "x")], "leads out"),
        (GOOD + [("/tmp/out.txt", "x")], "leads out"),
        (GOOD + [("c:/out.txt", "x")], "leads out"),
        (GOOD[:1] + [(LINK, "/etc/passwd")], "leads out"),
        (GOOD + [("a", "x"), ("a/b", "x")], "not installed"),
        (GOOD + [("f%d" % number, "") for number in range(2000)], "more than 2000 files"),
    ],
)
def test_a_package_with_bad_files_is_refused(robot, packages, tmpdir, files, reason):
    check_refusal(robot, packages, tmpdir, files, reason)


# A row of a table would take the memory in every process that collects the tests.
@pytest.mark.only_python_3
def test_a_package_with_too_many_bytes_is_refused(robot, packages, tmpdir):
    check_refusal(robot, packages, tmpdir, GOOD + [("zeros", b"\0" * (200 * 2**20 + 1))], "200 MB")


def check_refusal(robot, packages, tmpdir, files, reason):
    """Check that a package, given as files or as bytes, is refused in a sentence and leaves nothing."""
    install(robot, tmpdir, Say=SPEAK % "Hello")
    path = tmpdir.join("bad.pkg")
    if isinstance(files, bytes):
        path.write_binary(files)
    elif files:
        kit.write(path, files)
    with pytest.raises(RuntimeError) as caught:
        packages.install(str(path))
    sentence = str(caught.value)
    assert reason in sentence, sentence
    assert str(tmpdir) not in sentence and robot.world.home not in sentence
    assert sentence.count("\n") == 1 and "Traceback" not in sentence
    assert os.listdir(robot.world.home) == ["hello-1"] and packages.hasPackage("hello-1")
    assert not os.path.exists(os.path.join(robot.world.home, "..", "out.txt"))


def test_broken_files_are_refused(robot, packages, tmpdir):
    kit.package(tmpdir.join("good.pkg"))
    content = tmpdir.join("good.pkg").read_binary()
    lying = content.replace(struct.pack("<I", len(kit.xar("new_story.xar"))), b"\x10\0\0\0")
    assert lying != content
    for bad in (b"", b"PK", b"no zip at all", content[:-30], content[:200], lying):
        check_refusal(robot, packages, tmpdir, bad, "not a package")
    tmpdir.join("bad.pkg").remove()
    check_refusal(robot, packages, tmpdir, None, 'there is no file "bad.pkg"')
    tmpdir.mkdir("bad.pkg")
    check_refusal(robot, packages, tmpdir, None, "there is no file")


def read_manifest_of(path, _folder=None):
    manifest.read_manifest(formats.read_archived_file(path, manifest.MANIFEST_NAME, manifest.MAX_MANIFEST_BYTES))


def test_damaged_packages_are_refused_in_a_sentence(tmpdir):
    def damage_bytes(content, chance):
        """Change, cut or drop some bytes, often those of the directory or of the first entry's head."""
        raw = bytearray(content)
        start, end = chance.choice([(0, len(raw)), (max(0, len(raw) - 300), len(raw)), (0, 80)])
        for _ in range(chance.randrange(1, 5)):
            raw[chance.randrange(start, end)] = chance.randrange(256)
        if chance.random() < 0.3:
            begin = chance.randrange(len(raw))
            del raw[begin : begin + chance.randrange(1, 60)]
        return bytes(raw)

    kinds = [getattr(zipfile, name) for name in ("ZIP_DEFLATED", "ZIP_BZIP2", "ZIP_LZMA") if hasattr(zipfile, name)]
    for method in kinds:
        chance, path = random.Random(method), tmpdir.join("any.pkg")
        with zipfile.ZipFile(str(path), "w", method) as archive:
            for name, content in GOOD + [(u"h\xe9llo.txt", "x")]:
                archive.writestr(name, content)
        content, refusals = path.read_binary(), 0
        for _ in range(40):
            path.write_binary(damage_bytes(content, chance))
            for read in (read_manifest_of, formats.unpack_archive):
                try:
                    read(str(path), str(tmpdir))
                except NotABehaviour as error:
                    refusals += 1
                    assert "\n" not in str(error)
        assert refusals > 20, method


def test_little_is_read_of_a_large_or_lying_package(tmpdir):
    path = kit.write(tmpdir.join("bomb.pkg"), [("manifest.xml", b" " * (8 << 20))])
    with pytest.raises(NotABehaviour, match=r"manifest\.xml is larger than 1024 kB"):
        read_manifest_of(path)
    lying = tmpdir.join("bomb.pkg").read_binary().replace(struct.pack("<I", 8 << 20), struct.pack("<I", 100))
    tmpdir.join("bomb.pkg").write_binary(lying)
    with pytest.raises(NotABehaviour, match="not a package"):
        read_manifest_of(path)
    path = kit.write(tmpdir.join("many.pkg"), [("%0200d" % number, b"") for number in range(9000)])
    with pytest.raises(NotABehaviour, match="not a package"):
        read_manifest_of(path)


def test_a_robot_takes_what_is_made_for_it_and_may_lack_its_behaviour_manager(tmpdir):
    models = 'robotRequirement model="NAO"/><robotRequirement model="JULIETTE_Y20"'
    more = NEEDS % ('naoqiRequirement minVersion="2.1" maxVersion="2.8"/><' + models)
    for robot_type, called in (("Nao", "Nao"), ("Pepper", "Juliette"), ("Juliette", "Juliette")):
        with Robot(robot_type=robot_type) as robot:
            assert robot.service("ALRobotModel").getRobotType() == called
            assert install(robot, tmpdir, more=more, Say=SPEAK % "Hello")
    with pytest.raises(WrongUse, match='no robot "R2D2"'):
        Robot(robot_type="R2D2")
    with Robot(faults=Faults(without=["ALBehaviorManager"])) as robot:
        assert install(robot, tmpdir, A=SPEAK % "A")
        robot.service("PackageManager").removePkg("hello-1")



def test_a_real_behaviour_runs_from_its_package(robot, packages, manager, tmpdir):
    heard = news(robot, *["ALBehaviorManager/" + signal for signal in manager.signals] + ["BehaviorsRun"])
    packages.install(kit.package(tmpdir.join("a.pkg"), "dances", behaviours={"dance": kit.xar("dance.xar")}))
    do(robot, manager.runBehavior, "dances/dance")
    assert list_fields(robot, "say", "plain") == ["One.", "Two.", "That was my dance."]
    assert heard == [
        ("behaviorsAdded", ["dances/dance"]),
        ("behaviorLoaded", "dances/dance"),
        ("behaviorStarted", "dances/dance"),
        ("BehaviorsRun", ["dances/dance"]),
        ("behaviorStopped", "dances/dance"),
        ("BehaviorsRun", []),
    ]
    assert manager.watch.noted == [] and robot.list_left_open()[0:1] == [
        "1 callback(s) are still connected to event 'ALBehaviorManager/behaviorFailed'."
    ]
    assert robot.trace.errors == []


def test_names_of_behaviours(robot, packages, manager, tmpdir):
    held = {path: w.one_box(SPEAK % path) for path in ("one", "a/two")}
    packages.install(kit.package(tmpdir.join("a.pkg"), "many", behaviours=held))
    packages.install(kit.package(tmpdir.join("b.pkg"), "root", behaviours={".": w.one_box(SPEAK % "root")}))
    packages.install(kit.package(tmpdir.join("c.pkg"), "single", behaviours={"one": w.one_box(SPEAK % "single")}))
    names = {"many/one": "many/one", "User/many/a/two": "many/a/two", "a/two": "many/a/two", "root": "root"}
    names.update({"root/.": "root", "single": "single/one", "nothing": "", "many/nothing": "", "": ""})
    for name, found in names.items():
        assert manager.resolveBehaviorName(name) == found
        assert manager.isBehaviorInstalled(name) is manager.isBehaviorPresent(name) is bool(found)
    for name in ("one", "many"):
        with pytest.raises(RuntimeError, match="%s is the name of several behaviors: many/" % name):
            manager.startBehavior(name)
    for name in ("root", "single"):
        do(robot, manager.runBehavior, name)
    assert list_fields(robot, "say") == ["root", "single"]
    assert manager.getBehaviorTags("many/one") == ["one"] and manager.getTagList() == [".", "a/two", "one"]
    assert manager.getBehaviorsByTag("one") == ["many/one", "single/one"]
    assert manager.getBehaviorNature("root") == "interactive"


def test_behaviours_run_side_by_side_and_are_stopped(robot, manager, tmpdir):
    install(robot, tmpdir, A=WAIT, B=WAIT, C=SPEAK % "Hello")
    for name in ("hello-1/A", "B", "C"):
        do(robot, manager.startBehavior, name)
    assert manager.getRunningBehaviors() == ["hello-1/A", "hello-1/B"]
    assert manager.isBehaviorRunning("A") and not manager.isBehaviorRunning("C")
    assert robot.list_left_open() == ["Behavior hello-1/A is still running.", "Behavior hello-1/B is still running."]
    with pytest.raises(RuntimeError, match="Behavior A is already running"):
        manager.startBehavior("A")
    do(robot, manager.stopBehavior, "A")
    assert manager.getRunningBehaviors() == ["hello-1/B"] and list_fields(robot, "say") == ["Hello", "Good-bye."]
    with pytest.raises(RuntimeError, match="Behavior A is not running"):
        manager.stopBehavior("A")
    do(robot, manager.stopAllBehaviors)
    assert manager.getRunningBehaviors() == manager.watch.noted == robot.list_left_open() == []


def test_a_behaviour_runs_another_and_stops_it_or_itself(robot, manager, tmpdir):
    install(robot, tmpdir, Main=run("hello-1/Part"), Part=SPEAK % "Part", Long=WAIT, Endless=run("hello-1/Long"))
    do(robot, manager.runBehavior, "Main")
    assert list_fields(robot, "say") == ["Part", "It is over."]
    do(robot, manager.startBehavior, "Endless")
    assert manager.getRunningBehaviors() == ["hello-1/Endless", "hello-1/Long"]
    do(robot, manager.stopBehavior, "Endless")
    assert manager.getRunningBehaviors() == [] and list_fields(robot, "say")[2:3] == ["Good-bye."]
    assert robot.trace.errors == []
    code = 'ALProxy("ALBehaviorManager").stopBehavior(self.behaviorId)\nALProxy("ALMemory").insertData("Came", "back")'
    install(robot, tmpdir, Self=w.on_start(code))
    do(robot, manager.runBehavior, "Self")
    assert manager.getRunningBehaviors() == manager.watch.noted == [] and robot.get("Came") == "back"


@pytest.mark.parametrize("part", ["desk/Part", ".lastUploadedChoregrapheBehavior/Part"])
def test_a_project_on_the_desk_runs_its_other_behaviours(tmpdir, part):
    project = tmpdir.mkdir("project")
    project.join("manifest.xml").write(kit.manifest("desk", behaviours=("Main", "Part")))
    for name, script in (("Main", run(part)), ("Part", SPEAK % "Part")):
        project.mkdir(name).join("behavior.xar").write_binary(w.one_box(script))
    with Robot() as robot:
        loaded = robot.load(str(project.join("Main", "behavior.xar")))
        robot.start()
        assert robot.advance().ended
        assert list_fields(robot, "say") == ["Part", "It is over."] and loaded.failures == [] and robot.leaks() == []


def test_a_behaviour_knows_where_it_lies(robot, packages, manager, tmpdir):
    where = w.on_start("""
        memory = ALProxy("ALMemory")
        memory.insertData("Where", [self.packageUid(), self.behaviorRelativePath(), self.behaviorId])
        with open(self.behaviorAbsolutePath() + "/../words.txt") as file:
            memory.insertData("Words", file.read())
        memory.insertData("Path", ALProxy("ALFrameManager").getBehaviorPath(self.behaviorId))
        self.onStopped()
    """)
    files = [("manifest.xml", kit.manifest("here", behaviours=("main",))), ("words.txt", "crane")]
    path = kit.write(tmpdir.join("a.pkg"), files + [("main/behavior.xar", w.one_box(where))])
    packages.install(path)
    do(robot, manager.runBehavior, "here")
    assert robot.get("Where") == ["here", "main", "here/main"] and robot.get("Words") == "crane"
    assert robot.get("Path") == os.path.join(robot.world.home, "here", "main")


def test_a_project_that_choregraphe_uploads_is_installed(robot, packages, manager, tmpdir):
    """Its uuid and the path of its behaviour are those of a Pepper: pepperhacking/robot-jumpstarter, issue 3."""
    uploaded = ".lastUploadedChoregrapheBehavior"
    where = w.on_start("""
        path = ALProxy("ALFrameManager").getBehaviorPath(self.behaviorId)
        ALProxy("ALMemory").insertData("Where", [self.packageUid(), path])
        self.onStopped()
    """)
    files = [("manifest.xml", kit.manifest(uploaded, behaviours=(".",))), ("behavior.xar", w.one_box(where))]
    packages.install(kit.write(tmpdir.join("a.pkg"), files))
    do(robot, manager.runBehavior, uploaded + "/.")
    assert robot.get("Where") == [uploaded, os.path.join(robot.world.home, uploaded) + "/."]
    place = robot.world.file_path("/home/nao/.local/share/PackageManager/apps/%s/manifest.xml" % uploaded)
    assert place == os.path.join(robot.world.home, uploaded, "manifest.xml")
    for uuid in (".other", uploaded + "s", uploaded.lower()):
        changed = [("manifest.xml", kit.manifest(uuid, behaviours=(".",)))] + files[1:]
        with pytest.raises(RuntimeError, match="is not 1 to 50 of the signs"):
            packages.install(kit.write(tmpdir.join("b.pkg"), changed))
    packages.removePkg(uploaded)
    assert uploaded not in [each["uuid"] for each in packages.packages()]


def test_what_ended_behaviours_leave_behind_is_noted(robot, manager, tmpdir):
    leak = """
        ALProxy("ALMemory").subscribeToEvent("FrontTactilTouched", self.getName(), "onTouch")
        self.onStopped()
    """
    install(robot, tmpdir, Leak=w.on_start(leak) + "    def onTouch(self, *event):\n        pass\n", Long=WAIT)
    do(robot, manager.startBehavior, "Long")
    do(robot, manager.runBehavior, "Leak")
    assert manager.watch.noted == []  # It may belong to the other behaviour, which still runs.
    do(robot, manager.stopBehavior, "Long")
    assert manager.watch.noted == [
        "hello-1/Leak or hello-1/Long: Module 'ALFrameManager__hello-1_Leak__root__1' is still subscribed to event "
        "'FrontTactilTouched'."
    ]
    assert [event.fields["behaviour"] for event in robot.trace.of("leak")] == ["hello-1/Leak or hello-1/Long"]
    do(robot, manager.startBehavior, "Long")
    do(robot, manager.stopBehavior, "Long")
    assert len(manager.watch.noted) == 1  # What was there before does not count.


def test_what_fails_is_in_the_trace_and_reported(robot, packages, manager, tmpdir):
    heard = news(robot, "ALBehaviorManager/behaviorFailed")
    held = {"fail": w.one_box(w.on_start('raise ValueError("no")')), "script": w.one_box("class MyClass(:\n")}
    held["broken"] = b"<ChoregrapheProject"
    packages.install(kit.package(tmpdir.join("a.pkg"), behaviours=held))
    do(robot, manager.startBehavior, "fail")
    assert [event.fields["where"] for event in robot.trace.errors] == ["root/One.onInput_onStart"]
    for name, reason in (("broken", "behavior.xar is broken"), ("script", "root/One")):
        with pytest.raises(RuntimeError) as caught:
            manager.startBehavior(name)
        assert reason in str(caught.value) and robot.world.home not in str(caught.value)
    robot.advance()
    assert [row[1:3] for row in heard] == [("hello-1/broken", ""), ("hello-1/script", "")]
    assert manager.getRunningBehaviors() == ["hello-1/fail"]


def test_a_behaviour_may_be_loaded_beforehand_or_be_a_default_one(robot, packages, manager, tmpdir):
    install(robot, tmpdir, Wait=WAIT)
    assert do(robot, manager.preloadBehavior, "Wait") is True
    assert manager.isBehaviorLoaded("Wait") and not manager.isBehaviorRunning("Wait")
    assert do(robot, manager.preloadBehavior, "Wait") is False
    do(robot, manager.startBehavior, "Wait")
    assert manager.getLoadedBehaviors() == manager.getRunningBehaviors() == ["hello-1/Wait"]
    do(robot, manager.stopBehavior, "Wait")
    assert do(robot, manager.preloadBehavior, "Wait") is True
    do(robot, packages.removePkg, "hello-1")
    assert manager.getLoadedBehaviors() == manager.watch.noted == [] and list_fields(robot, "say") == ["Good-bye."] * 2
    install(robot, tmpdir, A=SPEAK % "A", B=SPEAK % "B")
    for name in ("A", "B", "A"):
        manager.addDefaultBehavior(name)
    manager.removeDefaultBehavior("B")
    assert manager.getDefaultBehaviors() == ["hello-1/A"]
    do(robot, manager.playDefaultProject)
    assert list_fields(robot, "say")[2:] == ["A"]
    do(robot, packages.removePkg, "hello-1")
    assert manager.getDefaultBehaviors() == []


GAME, LAMP, TOOL = "hello-1/game", "hello-1/lamp", "hello-1/tool"
ENDLESS = w.on_start('ALProxy("ALTextToSpeech").say("%s")')
BRIEF = w.on_start('ALProxy("ALTextToSpeech").say("%s")\nself.onStopped()')
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


def try_call(robot, call, *args):
    """Run a call as a task up to where the robot waits, and return the error it raised, "" for none."""
    told = []

    def task():
        try:
            call(*args)
        except RuntimeError as error:
            told.append(str(error))

    robot.clock.call_soon(task)
    robot.clock.run(seconds=10)
    return told[0] if told else ""




def test_a_trigger_sentence_starts_the_activity_and_its_end_returns_life_to_solitary(robot, tmpdir):
    life = living(robot, tmpdir, game=BRIEF % "What is your word?")
    robot.advance()
    assert robot.ears() == ("ALAutonomousLife", ("break", "let us play"), False, ())
    robot.hear("Let us play!")
    robot.advance()
    assert list_fields(robot, "say") == ["What is your word?"]
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
    assert list_fields(robot, "say") == robot.trace.errors == []
    assert (life.focusedActivity(), life.getState()) == ("", state)


def test_a_program_that_listens_comes_first_and_interactive_life_says_a_loading_response(robot, tmpdir):
    living(robot, tmpdir, state="interactive")
    ears = robot.service("ALSpeechRecognition")
    ears.setVocabulary(["yes"], False)
    ears.subscribe("Test")
    assert robot.ears().engine == "ALSpeechRecognition"
    ears.unsubscribe("Test")
    robot.hear("let us play")
    robot.clock.run(seconds=5)
    assert list_fields(robot, "say") == ["Wait.", "What is your word?"]


@pytest.mark.parametrize("flags, after", [(0, ("", "solitary")), (1, (GAME, "interactive"))])
def test_stop_focus_ends_the_activity_and_another_one_may_be_stacked_on_it(robot, tmpdir, flags, after):
    life = living(robot, tmpdir)
    assert (life.getActivityNature(GAME), life.getActivityNature("lamp")) == ("interactive", "solitary")
    assert try_call(robot, life.switchFocus, GAME) == ""
    assert (life.focusedActivity(), life.getState(), life.is_open) == (GAME, "interactive", False)
    assert try_call(robot, life.switchFocus, GAME) == ""  # It has the focus already.
    assert try_call(robot, life.switchFocus, "lamp", flags) == ""
    assert (life.focusedActivity(), life.getState()) == (LAMP, "solitary")
    assert try_call(robot, life.stopFocus) == ""
    assert (life.focusedActivity(), life.getState()) == after
    try_call(robot, life.stopAll)
    assert (life.focusedActivity(), life.getState()) == ("", "solitary")
    assert robot.service("ALBehaviorManager").getRunningBehaviors() == []
    assert try_call(robot, life.stopFocus) == ""


def test_an_activity_hands_over_and_disabled_life_stops_it(robot, tmpdir):
    hands_over = w.on_start('ALProxy("ALAutonomousLife").switchFocus("hello-1/lamp")') + (
        '    def onUnload(self):\n        ALProxy("ALTextToSpeech").say("Over to you.")\n'
    )
    life = living(robot, tmpdir, game=hands_over)
    try_call(robot, life.switchFocus, GAME)
    assert (life.focusedActivity(), list_fields(robot, "say")[:2]) == (LAMP, ["Over to you.", "Bright."])
    assert try_call(robot, life.setState, "disabled") == ""
    assert (life.focusedActivity(), life.getState()) == ("", "disabled")


@pytest.mark.parametrize(
    ("given", "state", "reason"),
    [
        (("nothing", 0), "solitary", "Activity nothing is not installed."),
        ((TOOL, 0), "solitary", "Behavior hello-1/tool is not an activity: its nature is 'no nature'"),
        (("animations/Stand/Gestures/Hey_1", 0), "solitary", "is not an activity"),
        ((GAME, 2), "solitary", "Unknown flags: 2. Known: 0, 1."),
        ((GAME, 0), "disabled", "Autonomous Life is disabled: no activity can be started."),
        (("hello-1/broken", 0), "solitary", "cannot be loaded"),
    ],
)
def test_refusals(robot, tmpdir, given, state, reason):
    life = living(robot, tmpdir, state=state)
    assert reason in try_call(robot, life.switchFocus, *given)
    assert (life.focusedActivity(), life.getState()) == ("", state)


def test_states_a_program_cannot_set(robot, tmpdir):
    life = living(robot, tmpdir, state="interactive")
    for state in ("solitary", "asleep"):
        with pytest.raises(RuntimeError):
            life.setState(state)
    for state in ("disabled", "solitary", "interactive", "safeguard", "disabled"):
        life.setState(state)
    with pytest.raises(RuntimeError, match="cannot be safeguard"):
        life.setState("safeguard")


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
