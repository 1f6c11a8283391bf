"""The tutorial docs/first-behaviour.md, done as a reader does it: its files, edits, commands and their output."""

import pages
import readme_shells
import tutorial
from processes import ALONE

#: Commands that the page shows but that need a network, or do not end.
NOT_HERE = ("pip install pytest", "python -m naosim behavior_1 --page")


def test_the_tutorial_leads_from_an_empty_folder_to_a_robot(tmp_path):
    """Takes seconds: it runs pytest four times, and a robot."""
    folder, typed = tmp_path, []
    environ = {**pages.INSTALLED, "PYTEST_ADDOPTS": " ".join(ALONE)}
    with readme_shells.simulated_robot() as url:
        for step in tutorial.read_steps():
            if step.order:
                tutorial.edit(step, folder)
            for command in pages.commands(pages.Block(step.kind, step.body, "")):
                typed.append(command.line)
                if command.line == f"cd ~/{tutorial.FOLDER}":
                    folder = folder / tutorial.FOLDER
                elif command.line not in NOT_HERE:
                    line = command.line.replace(readme_shells.ROBOT, url)
                    code, out, err = pages.run(line, folder, tmp_path, **environ)
                    assert pages.fits(command.output, out + err), f"{line} printed:\n{out}{err}"
                    assert code == int("1 failed" in command.output), line
    assert set(NOT_HERE) < set(typed)
    assert typed.count("pytest") == 4
