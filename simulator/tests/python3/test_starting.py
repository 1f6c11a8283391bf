"""`naosim new` and `naosim check`: a project as a new user makes it, the lint and the talks of folders, CI."""

import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml
from far_robots import environment
from interpreters import ROOT
from processes import ALONE, process

from naosim.__main__ import main
from naosim.errors import WrongUse
from naosim_robots.talks import check, starting

README = (ROOT / "simulator/README.md").read_text(encoding="utf-8")


def test_the_readme_makes_runs_tests_lints_and_records_a_behaviour(tmp_path):
    """Takes seconds: it types every command of one screen, with pytest."""
    (typed,) = re.findall(r"<!-- screen: start -->\n```console\n(.*?)```", README, re.DOTALL)
    assert len(typed.splitlines()) <= 24
    folder, commands = tmp_path, [part.split("\n", 1) for part in typed.split("$ ")[1:]]
    for line, shown in commands:
        words = line.partition("#")[0].split()
        if words[0] == "cd":
            folder = folder / words[1]
            continue
        program = words[0]
        more = ALONE if program == "pytest" else ()
        ended = process(sys.executable, "-m", program, *words[1:], *more, cwd=folder, env=environment())
        said = ended.stdout + ended.stderr
        assert ended.returncode == 0, said
        for part in shown.splitlines():
            pattern = re.escape(part.strip()).replace(r"\.\.\.", ".*")
            assert re.search(pattern, said), (line, part, said)
    assert {line.split()[1] for line, _ in commands if line.startswith("naosim")} >= {"new", "check", "talk"}
    assert any("--record" in line for line, _ in commands) and any("pytest" in line for line, _ in commands)


def test_a_new_project_is_the_greeting_of_the_pages_under_another_name():
    made = starting.list_files("greeting")
    greeting = ROOT / "docs" / "greeting"
    pages = {path.relative_to(greeting).as_posix(): path for path in greeting.rglob("*") if path.is_file()}
    assert {place: made[place] for place in pages if "__pycache__" not in place} == {
        place: path.read_text(encoding="utf-8") for place, path in pages.items() if "__pycache__" not in place
    }
    other = starting.list_files("dance_1")
    assert "greeting" not in "".join([*other, *other.values()]).lower()


@pytest.mark.parametrize("name", ["Dance", "1", "a-b", "", "a" * 41, "../x/Y", "é"])
def test_wrong_names_and_folders_are_refused(tmp_path, name):
    with pytest.raises(WrongUse, match="is not a name for a project"):
        starting.write_project(tmp_path / "in" / name if name else Path())
    starting.write_project(tmp_path / "dance")
    with pytest.raises(WrongUse, match="is there already: give another name"):
        starting.write_project(tmp_path / "dance")


def test_check_finds_what_is_wrong_in_behaviours_and_talks(tmp_path, capsys):
    assert main(["check", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("there is no .xar and no .talk.yaml to check")
    starting.write_project(tmp_path / "dance")
    assert check.main([str(tmp_path)]) == 0
    assert "Behaviours: 1. Errors: 0." in capsys.readouterr().out
    talk = tmp_path / "dance" / "dance.talk.yaml"
    talk.write_text(talk.read_text().replace("Hello to you", "Good bye"))
    assert check.main([str(talk)]) == 1 and "NAO must say" in capsys.readouterr().out
    xar = tmp_path / "dance" / "behavior_1" / "behavior.xar"
    xar.write_text(xar.read_text().replace("import", "imprt").replace("def on_word", "df on_word"))
    assert check.main([str(xar)]) == 1 and "Errors: 1." in capsys.readouterr().out
    xar.write_text("<ChoregrapheProject>")
    assert check.main([str(xar)]) == 1 and str(xar) in capsys.readouterr().out
    hidden = tmp_path / ".git" / "old.xar"
    hidden.parent.mkdir()
    shutil.copy(xar, hidden)
    shutil.rmtree(tmp_path / "dance")
    assert main(["check", str(tmp_path)]) == 2


def test_check_takes_names_with_a_dash_and_each_file_once(tmp_path, monkeypatch, capsys):
    starting.write_project(tmp_path / "dance")
    (tmp_path / "dance" / "dance.talk.yaml").rename(tmp_path / "dance" / "-x.talk.yaml")
    monkeypatch.chdir(tmp_path / "dance")
    assert check.main([".", "behavior_1"]) == 0
    told = capsys.readouterr().out
    assert "Behaviours: 1. Errors: 0." in told and told.endswith("2 of 2 talks passed.\n")


def test_the_action_the_hook_and_the_workflow_are_small_and_run_check():
    action, hooks = ROOT / "action.yml", ROOT / ".pre-commit-hooks.yaml"
    steps = yaml.safe_load(action.read_text())["runs"]["steps"]
    assert any(step.get("run", "").startswith("naosim check") for step in steps)
    (hook,) = yaml.safe_load(hooks.read_text())
    assert hook["entry"] == "naosim check" and all(re.search(hook["files"], name) for name in ("a.xar", "a.talk.yaml"))
    workflow = starting.list_files("dance")[".github/workflows/nao.yml"]
    assert yaml.safe_load(workflow)["jobs"]["check"]["steps"][1]["uses"].endswith("/REPOSITORY@main")
    for path in (action, hooks):
        assert len([line for line in path.read_text().splitlines() if not line.startswith("#")]) <= 12
