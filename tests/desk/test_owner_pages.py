"""The pages for owners: headings that `jotto robot doctor` names, and each command, typed for a simulated robot."""

import contextlib
import re

import pages
import pytest
import readme_shells
from directory_clients import client
from far_robots import listening, refuse, speak_http
from pages import ROOT

from jotto_desk.cli import options, robot_doctor
from jotto_desk.rehearsal.robots import RobotAddress
from naosim_robots import serve_robot
from naosim_robots.far import connection

PAGE = pages.read(ROOT / robot_doctor.PAGE)
#: Commands that no test types: a login of NAOqi 2.9, those that change the reader's files, and an installation.
NOT_HERE = {
    ". .venv/bin/activate",
    "make play",
    "pip install -e '.[robot]'",
    "jotto robot doctor --robot nao.local --user nao --password-file password.txt",
    "rm -r ~/.local/share/nao-jotto ~/.cache/nao-jotto ~/.cache/naosim",
    "jotto robot stage",
}


def test_it_has_many_symptoms_each_with_a_remedy():
    symptoms = re.findall(r"^### (.+)\n+(.+)", PAGE, re.MULTILINE)
    assert len(symptoms) >= 40 and len({name for name, _ in symptoms}) == len(symptoms)
    assert [name for name, text in symptoms if text.startswith("#")] == []


def test_every_check_of_doctor_has_its_heading():
    with serve_robot() as directory, options.open_connection(RobotAddress(directory.url)) as far:
        names = {finding.name for finding in robot_doctor.Examination(far, directory.url).check_all()}
    # The keys in the memory are always fine.
    assert names - {"memory keys"} == set(robot_doctor.HEADINGS)
    for heading in robot_doctor.HEADINGS.values():
        assert f"\n### {heading}\n" in PAGE


#: A message as the page quotes it, and a part of it in the code that prints it.
QUOTED = [
    ("Nothing answers at tcp://nao.local:9559", "Nothing answers at {where.url}"),
    (
        'There is no computer named "nao.local" in this network',
        "There is no computer named {quote(where.host)} in this network",
    ),
    ("The program at ... is not NAOqi", "The program at {where.url} is not NAOqi"),
    ("Port 9559 of 127.0.0.1 is taken", "Port {address.port} of {address.host} is taken"),
    ("has no game in it", "has no game in it"),
    ("ears free: SomeOtherApp listens too", "{', '.join(users[:5])} listens too"),
    ("package: the robot cannot install packages", "the robot cannot install packages"),
    ("package: nao-jotto is not installed", " is not installed"),
    ("motors: at rest", 'self._ask("ALMotion", "robotIsWakeUp") else "at rest"'),
    ("head: no ALTouch", "no ALTouch"),
    ('A grammar named "modifiable_grammar" already exists', 'A grammar named "modifiable_grammar" already exists'),
    ("no ALSpeechRecognition", 'return f"no {service}"'),
    ("no sensor at the front of the head", "no sensor at the front of the head"),
    ('nobody hears "hello"', "nobody hears"),
    ("No behaviour is loaded", "No behaviour is loaded."),
    ("No sound from ...", "No sound from {name}"),
    ("Module 'Ask' is still subscribed to ALSpeechRecognition", " is still subscribed to "),
]


def test_the_quoted_messages_are_those_of_the_programs():
    folders = (
        "src/jotto_desk",
        "simulator/naosim",
        "simulator/naosim_robots",
        "simulator/naosim_page/static",
        "robot_boxes",
    )
    files = [path for folder in folders for kind in ("*.py", "*.js") for path in (ROOT / folder).rglob(kind)]
    # Long sentences are split between two lines of code.
    code = re.sub(r'"\s+f?"', "", "\n".join(pages.read(path) for path in files))
    assert [quoted for quoted, _ in QUOTED if quoted not in " ".join(PAGE.split())] == []
    assert [part for _, part in QUOTED if part not in code] == []


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (None, connection.NoAnswer),
        (speak_http, connection.NotNaoqi),
        (refuse([]), connection.LoginRefused),
        (lambda line: None, connection.NotReached),
    ],
)
def test_doctor_names_the_heading_about_a_robot_that_is_not_reached(answer, kind, cli):
    heading = robot_doctor.UNREACHED_HEADINGS[kind.__name__]
    with listening(answer) if answer else contextlib.nullcontext(1) as port:
        code, _, err = cli("robot", "doctor", "--robot", f"tcp://127.0.0.1:{port}")
    assert code == 2 and err.endswith(f" See '{heading}' in docs/troubleshooting.md.\n")


def test_doctor_names_no_heading_about_an_address_that_is_none(cli):
    code, _, err = cli("robot", "doctor", "--robot", "tcp://127.0.0.1:port")
    assert code == 2 and "port" in err and " See '" not in err


def test_the_headings_about_robots_that_are_not_reached_are_there_for_every_error():
    kinds = {each for each in vars(connection).values() if isinstance(each, type)}
    kinds = {each.__name__ for each in kinds if issubclass(each, connection.NotReached)}
    assert kinds == set(robot_doctor.UNREACHED_HEADINGS)
    assert [each for each in robot_doctor.UNREACHED_HEADINGS.values() if f"\n### {each}\n" not in PAGE] == []


@pytest.fixture(scope="module")
def robot(tmp_path_factory):
    """Provide the address of a robot on which the game is installed, and another program listens."""
    with readme_shells.simulated_robot() as url:
        with client(url) as session:
            session.service("ALSpeechRecognition").subscribe("SomeOtherApp")
        type_command("jotto robot deploy --robot nao.local", url, tmp_path_factory.mktemp("deploy"))
        yield url


def type_command(line, url, folder, output=""):
    """Type a command of a page in a fresh shell, for a simulated robot instead of nao.local."""
    place, _, port = url.removeprefix("tcp://").rpartition(":")
    line = line.replace('"nao.local", 9559', f'"{place}", {port}')
    readme_shells.typed("", line, output, folder, url, **pages.INSTALLED)


def list_commands(page):
    """List the commands in the blocks of a page that a test can type."""
    found = [command for block in pages.blocks(pages.read(ROOT / page)) for command in pages.commands(block)]
    return [command for command in found if command.line not in NOT_HERE]


def test_every_command_that_is_left_out_is_on_a_page():
    text = PAGE + pages.read(ROOT / "docs/first-hour.md")
    assert [line for line in NOT_HERE if f"\n{line}" not in text and f"\n$ {line}" not in text] == []


def test_every_remedy_works(robot, tmp_path):
    """Takes seconds: each command runs in its own shell."""
    for command in list_commands(robot_doctor.PAGE):
        type_command(command.line, robot, tmp_path, command.output)
    with client(robot) as session:
        assert session.service("ALAudioDevice").getOutputVolume() == 60
        assert session.service("ALAutonomousLife").getState() == "disabled"
        assert session.service("ALSpeechRecognition").getSubscribersInfo() == []


def test_the_first_hour_works(robot, tmp_path):
    """Takes seconds: each command runs in its own shell; NAO's player says nothing."""
    commands = list_commands("docs/first-hour.md")
    assert len(commands) == 5
    for command in commands:
        type_command(command.line, robot, tmp_path, command.output)


@pytest.mark.parametrize(
    ("options", "first_line"), [({"naoqi": "2.1"}, "2.1"), ({"robot_type": "Pepper", "naoqi": "2.5"}, "2.5")]
)
def test_doctor_names_other_versions_as_the_first_hour_says(cli, options, first_line):
    with serve_robot(**options) as directory:
        code, out, _ = cli("robot", "doctor", "--robot", directory.url)
    assert code == 0 and out.startswith(f"ok           NAOqi: {first_line}.")
