"""`jotto robot package`, `deploy` and `remove` as a person types them, on the real game and a simulated robot."""

import json
import os
import stat
import zipfile
from pathlib import Path

import pytest
import web_lists
from directory_clients import until
from interpreters import ROOT, python27
from programs import find_command

from jotto.words import MAX_LIST_BYTES
from jotto_desk.errors import DeskError
from jotto_desk.robot_kit import packaging
from jotto_desk.robot_kit.packaging import Shell
from naosim_robots import serve_robot


@pytest.fixture(scope="module")
def robot():
    """Provide a simulated robot on the robot's Python, behind a libqi directory."""
    with serve_robot(python27(), speed=20) as directory:
        yield directory


@pytest.fixture(scope="module")
def parcel(tmp_path_factory):
    from jotto_desk.cli import robot

    made = robot.make_package(ROOT)
    path = tmp_path_factory.mktemp("parcel") / made.name
    path.write_bytes(made.content)
    return path


def made_of(parcel):
    """Return the parcel as it was made."""
    return packaging.Package(parcel.name, "nao-jotto", "0.1.0", parcel.read_bytes(), {}, (), "2.7")


def with_version(parcel, target, version, uuid="nao-jotto"):
    files = packaging.unzip_files(parcel.read_bytes())
    manifest = files["manifest.xml"].decode().replace('version="0.1.0"', f'version="{version}"')
    files["manifest.xml"] = manifest.replace("nao-jotto", uuid).encode()
    target.write_bytes(packaging.zip_files(files))
    return target


def test_a_package_is_made_and_reported(cli, tmp_path):
    """Takes seconds: two packages are made, which must be the same to the byte."""
    code, out, err = cli("robot", "package", "--out", tmp_path / "dist")
    assert (code, err) == (0, "")
    made = tmp_path / "dist/jotto-0.1.0.pkg"
    lines = out.splitlines()
    assert lines[0].startswith(f"Made {made}: nao-jotto 0.1.0, {made.stat().st_size:,} bytes, ")
    parts = "behavior_1 icon.png jotto_answers lib/jotto lib/jotto_behaviour lib/wordlists manifest.xml"
    assert " ".join(line.split()[-1] for line in lines if " bytes  " in line) == parts
    checker = "2.7." if find_command("python2.7") else "3."
    assert lines[-1].startswith(f"Checked: scripts and imports (Python {checker}")
    again = json.loads(cli("robot", "package", "--out", tmp_path / "again", "--json")[1])
    assert (tmp_path / "again/jotto-0.1.0.pkg").read_bytes() == made.read_bytes()
    assert again["bytes"] == made.stat().st_size
    assert sorted(again["files"]) == sorted(zipfile.ZipFile(made).namelist())


def test_a_place_that_takes_no_package(cli, tmp_path):
    (tmp_path / "a file").write_text("")
    for place, said in (("a file", "is not a folder"), ("/proc/nowhere", "cannot be written")):
        sentence = cli.refusal("robot", "package", "--out", place)
        assert said in sentence and place in sentence


def output_of(cli, robot, *arguments):
    code, out, err = cli("robot", *arguments, "--robot", robot.url)
    assert (code, err) == (0, "")
    return out.splitlines()


def test_a_package_is_deployed_started_replaced_and_removed(cli, robot, parcel, tmp_path):
    """Takes seconds: a real package on a robot that runs the robot's Python, through its whole life."""
    said = []
    robot.robot.watch(lambda event: said.append(event.fields["text"]) if event.kind == "say" else None)
    lines = output_of(cli, robot, "deploy", "--start")
    assert lines[0].startswith("Made jotto-0.1.0.pkg, ")
    assert lines[1:] == ["Installed nao-jotto 0.1.0.", "Started nao-jotto/behavior_1."]
    assert robot.robot.person("state").result(30)["running"] == ["nao-jotto/behavior_1"]
    newer = with_version(parcel, tmp_path / "newer.pkg", "0.2.0")
    assert output_of(cli, robot, "deploy", newer) == [
        "Stopped nao-jotto/behavior_1.",
        "Installed nao-jotto 0.2.0, which replaces 0.1.0.",
        "To start it, say one of its sentences to the robot, or give --start.",
    ]
    assert output_of(cli, robot, "remove") == ["Removed nao-jotto 0.2.0."]
    assert output_of(cli, robot, "remove") == ["There is no nao-jotto on the robot; nothing was removed."]
    state = robot.robot.person("state").result(30)
    assert (state["running"], state["failures"], state["leaks"]) == ([], [], [])
    left = robot.robot.call("PackageManager", "packages", []).result(30)
    assert "nao-jotto" not in [each["uuid"] for each in left]


def test_the_robot_plays_with_a_list_from_an_address(cli, robot):
    """Takes seconds: the real package, with another list, on a robot that runs the robot's Python."""
    said = []
    robot.robot.watch(lambda event: said.append(event.fields["text"]) if event.kind == "say" else None)
    with web_lists.serving() as server:
        server.pages["/animals.txt"] = "zebra\ntiger\nhorse\n"
        lines = output_of(cli, robot, "deploy", "--start", "--words", server.address("/animals.txt"))
        refused = cli.refusal("robot", "deploy", "--words", server.address("/trouble"), "--robot", robot.url)
    assert lines[0].startswith("NAO plays with 3 words of 'http://127.0.0.1:") and "503" in refused
    until(lambda: "ready" in robot.robot.person("ears").result(30)["vocabulary"])
    robot.robot.person("hear", "ready", 0.9).result(30)
    until(lambda: any(word in text.lower() for word in ("zebra", "tiger", "horse") for text in said))
    assert output_of(cli, robot, "remove")[-1] == "Removed nao-jotto 0.1.0."


def test_words_for_a_robot_that_cannot_be_had(cli, parcel, robot, tmp_path):
    large = tmp_path / "large.txt"
    large.write_bytes(b"ocean\n" * (MAX_LIST_BYTES // 6 + 1))
    for words, said in [
        ("no.txt", "There is no word list 'no.txt'"),
        ("ftp://127.0.0.1/words.txt", "ftp"),
        ("http://127.0.0.1:9/words.txt", "http://127.0.0.1:9/words.txt"),
        (str(large), "large.txt"),
    ]:
        assert said in cli.refusal("robot", "deploy", "--words", words, "--robot", robot.url)
    refused = cli.refusal("robot", "deploy", parcel, "--words", "en", "--robot", robot.url)
    assert refused.strip() == "--words is for a package that is built now: leave it or FILE.pkg out."
    with pytest.raises(packaging.PackageRefused, match="the limit is"):
        packaging.add_word_list(made_of(parcel), {".tsv": os.urandom(2_000_000)})
    chosen = packaging.add_word_list(made_of(parcel), {".tsv": b"ocean\nquilt\n"})
    with pytest.raises(packaging.PackageRefused, match="has 0 parameters 'Word list'"):
        packaging.add_word_list(chosen, {".tsv": b"ocean\nquilt\n"})


def test_another_package_is_installed_and_removed(cli, robot, parcel, tmp_path):
    other = with_version(parcel, tmp_path / "other.pkg", "7.0.1", "another_game")
    assert output_of(cli, robot, "deploy", other)[0] == "Installed another_game 7.0.1."
    assert output_of(cli, robot, "remove", "another_game") == ["Removed another_game 7.0.1."]
    assert "'No Name' is not the name of a package" in cli.refusal("robot", "remove", "No Name", "--robot", robot.url)


def test_a_file_that_is_not_a_package(cli, robot, parcel, tmp_path):
    manifests = ("<package", "<package/>", '<package uuid="A B" version="1"/>', '<package uuid="a" version="one"/>')
    packages = [packaging.zip_files({"manifest.xml": manifest.encode()}) for manifest in manifests]
    for content in (b"", b"PK\x03\x04", b"no zip", *packages):
        (tmp_path / "x.pkg").write_bytes(content)
        assert "'x.pkg'" in cli.refusal("robot", "deploy", "x.pkg", "--robot", robot.url)
    files = packaging.unzip_files(parcel.read_bytes())
    del files["behavior_1/behavior.xar"]
    (tmp_path / "x.pkg").write_bytes(packaging.zip_files(files))
    said = cli.refusal("robot", "deploy", "x.pkg", "--robot", robot.url)
    assert said.startswith("The robot refuses the package: The package is not installed: ")


def test_an_address_without_a_robot_is_refused(cli, parcel):
    said = cli.refusal("robot", "deploy", parcel, "--robot", "tcp://127.0.0.1:9")
    assert said.startswith("Nothing answers at tcp://127")
    assert "is not an address of a robot" in cli.refusal("robot", "remove", "--robot", "http://nao.local")
    assert "Name the robot with --robot URL" in cli.refusal("robot", "remove", "--robot", "")


# Copying over ssh: a stand-in answers as OpenSSH does, with its words and exit codes.

SSH = """#!/bin/sh
for each in "$@"; do printf '%s\\n' "$each" >> "$0.arguments"; done
BODY
"""
TAKES = 'cd "${0%/*}" && eval "$(for each in "$@"; do last="$each"; done; printf %s "$last")"'


def ssh(folder, monkeypatch, body):
    """Put a stand-in for ssh first on the path; return the file in which it notes its arguments."""
    folder.mkdir()
    path = folder / "ssh"
    path.write_text(SSH.replace("BODY", body))
    path.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder / "ssh.arguments"


def test_a_package_is_copied_and_deleted_again(tmp_path, monkeypatch, parcel):
    noted = ssh(tmp_path / "bin", monkeypatch, TAKES)
    shell = Shell("nao.local", "nao")
    assert shell.upload(parcel, "jotto 1.pkg") == f"{tmp_path / 'bin'}/jotto 1.pkg"
    assert (tmp_path / "bin/jotto 1.pkg").read_bytes() == parcel.read_bytes()
    shell.discard("jotto 1.pkg")
    assert not (tmp_path / "bin/jotto 1.pkg").exists()
    arguments = noted.read_text().split("\n")
    assert arguments[:4] == ["-p", "22", "-l", "nao"]
    assert "ConnectTimeout=10" in arguments and "BatchMode=yes" in arguments
    assert arguments[arguments.index("--") + 1] == "nao.local"


def test_ssh_gets_the_password_from_a_private_file(tmp_path, monkeypatch, parcel):
    body = '"$SSH_ASKPASS" > "$0.password"; ls -l "${SSH_ASKPASS%tell}kept" >&2; env > "$0.env"; cat > /dev/null; pwd'
    noted = ssh(tmp_path / "bin", monkeypatch, body)
    Shell("nao.local", "nao", "a secret 'word'").upload(parcel, "x.pkg")
    assert (tmp_path / "bin/ssh.password").read_text() == "a secret 'word'\n"
    assert "secret" not in noted.read_text() + (tmp_path / "bin/ssh.env").read_text()
    assert "BatchMode=no" in noted.read_text()
    assert "secret" not in repr(Shell("nao.local", "nao", "a secret 'word'"))


def test_a_robot_with_an_old_ssh_gets_its_old_algorithms(tmp_path, monkeypatch, parcel):
    body = (
        f'case "$*" in *+ssh-rsa*) {TAKES};; *) cat > /dev/null; '
        'echo "Unable to negotiate: no matching host key type found. Their offer: ssh-rsa" >&2; exit 255;; esac'
    )
    ssh(tmp_path / "bin", monkeypatch, body)
    assert Shell("nao.local").upload(parcel, "x.pkg").endswith("/x.pkg")
    assert (tmp_path / "bin/x.pkg").read_bytes() == parcel.read_bytes()


def test_why_ssh_did_not_copy(tmp_path, monkeypatch, parcel):
    # The last line of ssh, and the sentence about the robot.
    ssh_errors = [
        ("ssh: connect to host nao.local port 22: Connection refused", "takes no ssh connections"),
        ("ssh: connect to host nao.local port 22: Connection timed out", "does not answer"),
        ("ssh: connect to host nao.local port 22: No route to host", "cannot be reached"),
        ("ssh: Could not resolve hostname nao.local: Name or service not known", "is unknown here"),
        ("nao@nao.local: Permission denied (publickey,password).", "refuses this user with this password"),
        ("Host key verification failed.", "has an ssh key that is not yet trusted"),
        ("cat: write error: No space left on device", "has no room left"),
        ("Something nobody expects", "did not take the package: Something nobody expects"),
        ("", "did not take the package: no reason given"),
    ]
    for number, (said, sentence) in enumerate(ssh_errors):
        ssh(tmp_path / str(number), monkeypatch, f'cat > /dev/null; echo "{said}" >&2; exit 255')
        with pytest.raises(DeskError) as refusal:
            Shell("nao.local").upload(parcel, "x.pkg")
        assert str(refusal.value).startswith(f"The robot at nao.local {sentence}")


def test_no_ssh_and_no_user(tmp_path, monkeypatch, parcel):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeskError, match="There is no ssh on this computer"):
        Shell("nao.local").upload(parcel, "x.pkg")
    with pytest.raises(DeskError, match="'-oProxyCommand=x' is not a user of a robot"):
        Shell("nao.local", "-oProxyCommand=x").upload(parcel, "x.pkg")


def test_an_old_behaviour_is_changed_by_rules_and_the_rest_is_listed(cli, tmp_path):
    import naosim_xar_writer as w

    old = tmp_path / "old.xar"
    old.write_bytes(w.one_box(w.on_start("self.motion.walkTo(1, 0, 0)\nself.x.has_key(1)\nself.onStopped()")))
    code, out, err = cli("robot", "migrate", old, "--to", tmp_path / "new.xar")
    assert (code, err) == (0, "") and out.splitlines() == [
        f"Wrote {tmp_path / 'new.xar'}: 1 changes.",
        f"--- {old}",
        f"+++ {tmp_path / 'new.xar'}",
        "@@ -16 +16 @@",
        "-        self.motion.walkTo(1, 0, 0)",
        "+        self.motion.moveTo(1, 0, 0)",
        "root/One: Line 6: use `in` instead of has_key (change it by hand).",
        "1 changes are left.",
    ]
    assert b"self.motion.moveTo(1, 0, 0)" in (tmp_path / "new.xar").read_bytes() != old.read_bytes()
    assert cli("robot", "migrate", tmp_path / "new.xar")[1].splitlines()[0].startswith("root/One")
    assert cli("robot", "migrate", old)[0] == 0 and old.read_bytes() == (tmp_path / "new.xar").read_bytes()
    (tmp_path / "no.xar").write_text("no")
    assert cli("robot", "migrate", tmp_path / "no.xar")[0] == 2


def make_old(path, *lines):
    import naosim_xar_writer as w

    start = ["said, motion = ALProxy('ALTextToSpeech'), ALProxy('ALMotion')", *lines, "self.onStopped()"]
    path.write_bytes(w.one_box(w.on_start("\n".join(start))))
    return path


def test_a_migrated_behaviour_does_the_same_before_and_after(cli, tmp_path):
    lines = ["motion.walkTo(0.2, 0, 0)", "print 'there'", "said.say('There')"]
    old, new = make_old(tmp_path / "old.xar", *lines), tmp_path / "new.xar"
    code, out, _ = cli("robot", "migrate", old, "--to", new, "--check")
    assert code == 0 and out.splitlines()[-1] == (
        "Checked: NAO does the same on NAOqi 2.1 before and on 2.8 after, in 2 lines."
    )
    assert "+        motion.moveTo(0.2, 0, 0)" in out


def test_what_a_migrated_behaviour_does_differently_is_shown(cli, tmp_path):
    # The version is a difference that no rule can change.
    lines = ["said.say('NAOqi ' + ALProxy('ALSystem').systemVersion()[:3])", "said.say('Bye')"]
    old = make_old(tmp_path / "old.xar", *lines)
    code, out, _ = cli("robot", "migrate", old, "--to", tmp_path / "new.xar", "--check")
    assert code == 1 and out.splitlines()[-5:] == [
        "NAO does something else after the change (- before on NAOqi 2.1, + after on 2.8):",
        "  @@ -1,2 +1,2 @@",
        "  -says      NAOqi 2.1",
        "  +says      NAOqi 2.8",
        "   says      Bye",
    ]


def test_a_recording_of_the_old_behaviour_is_repeated_on_the_new_one(cli, tmp_path):
    from behaviours import FOLDER

    from naosim.__main__ import main

    story, run, new = Path(FOLDER, "old_story.xar"), tmp_path / "run.jsonl", tmp_path / "new.xar"
    touch = ["--say", "yes", "--touch", "FrontTactilTouched"]
    assert main([str(story), "--rewrite", *touch, "--record", str(run)]) == 0
    code, out, _ = cli("robot", "migrate", story, "--to", new, "--recording", run)
    assert code == 0 and "before and on 2.8 after, in 7 lines." in out
    other = tmp_path / "other.xar"
    other.write_bytes(new.read_bytes().replace(b"Great", b"Fine"))
    code, _, err = cli("robot", "migrate", other, "--to", tmp_path / "last.xar", "--recording", run)
    assert code == 2 and "The recording is of another behaviour: the recording no longer fits at act 3" in " ".join(
        err.split()
    )
    assert not (tmp_path / "last.xar").exists()
    run.write_text("no")
    assert cli("robot", "migrate", story, "--to", new, "--recording", run)[0] == 2
