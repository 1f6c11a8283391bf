"""`jotto robot ...` as a person types it."""

import shutil

import pytest
from kit_sources import FLOW, Choregraphe, make_checkout, xar_of

from jotto_desk.robot_kit.sources import read_sources


@pytest.fixture
def checkout(tmp_path):
    """Make the small project."""
    return make_checkout(tmp_path / "checkout")


@pytest.fixture
def jotto(checkout, cli):
    """Return a function that runs `jotto robot` on the small project."""
    return lambda *arguments: cli("robot", *arguments, "--root", checkout)


def test_build_and_check(jotto, checkout):
    xar = "choregraphe_project/behavior_1/behavior.xar"
    code, out, _ = jotto("check")
    assert code == 1 and f"{xar} is missing\n" in out
    assert "Run 'jotto robot build', after 'jotto robot pull' where the project was edited" in out
    code, out, _ = jotto("build")
    assert code == 0
    assert out.splitlines() == [
        f"Wrote {place}."
        for place in (
            xar,
            "choregraphe_project/small-talk.pml",
            "choregraphe_project/manifest.xml",
            "choregraphe_project/small_answers/small_answers.dlg",
            "choregraphe_project/small_answers/small_answers_enu.top",
            "docs/diagram.svg",
        )
    ]
    assert jotto("build") == (0, "Everything is built already; nothing was written.\n", "")
    assert jotto("picture", "--out", "flow.svg") == (0, "Wrote flow.svg.\n", "")
    assert (checkout.parent / "flow.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert jotto("check") == (0, "The Choregraphe project is what robot_boxes says, and in order.\n", "")
    stranger = checkout / "choregraphe_project/notes.txt"
    stranger.write_text("")
    assert jotto("check") == (1, "choregraphe_project/notes.txt does not belong there; move it out.\n", "")
    stranger.unlink()
    script = checkout / "robot_boxes/bye.py"
    script.write_text(script.read_text().replace("self.done()", "self.finished()"))
    jotto("build")
    code, out, _ = jotto("check")
    assert code == 1 and "finished" in out


def test_stage_refresh_and_remove(jotto, checkout, tmp_path):
    jotto("build")
    assert jotto("stage")[1].endswith("listed lib in small-talk.pml\nchoregraphe_project/lib is ready.\n")
    assert jotto("check")[0] == 0
    assert jotto("stage") == (0, "choregraphe_project/lib was ready; nothing was written.\n", "")
    (checkout / "src/jotto/rules.py").write_text("RULES = 6\n")
    assert "Refreshed choregraphe_project/lib.\n" in jotto("build")[1]
    assert jotto("stage", "--remove") == (0, "Removed choregraphe_project/lib.\n", "")
    assert jotto("stage", "--remove") == (0, "There is no choregraphe_project/lib; nothing was removed.\n", "")
    assert jotto("build")[1] == "Everything is built already; nothing was written.\n"
    code, _, err = jotto("stage", "--remove", "--to", tmp_path / "robot")
    assert code == 2 and "not out of a copy of it" in err and not (tmp_path / "robot").exists()
    code, out, _ = jotto("stage", "--to", tmp_path / "robot")
    assert code == 0 and out.endswith(f"{tmp_path / 'robot'} is ready.\n")
    assert (tmp_path / "robot/lib/jotto/rules.py").is_file()
    # A lib that a person deletes is missing in the project file.
    jotto("stage")
    shutil.rmtree(checkout / "choregraphe_project/lib")
    code, out, _ = jotto("check")
    assert code == 1 and "small-talk.pml as the sources say" in out and "Run 'jotto robot build'" in out
    assert jotto("build")[1] == "Wrote choregraphe_project/small-talk.pml.\n"


def test_pull_in_two_steps(jotto, checkout, tmp_path):
    jotto("build")
    editor = Choregraphe(xar_of(checkout))
    editor.move("Ask", 250, 120)
    (tmp_path / "edited.xar").write_bytes(editor.saved())
    code, out, _ = jotto("pull", "--dry-run", "--xar", tmp_path / "edited.xar")
    assert (code, out) == (0, 'box "Ask" moves from 200, 100 to 250, 120\n')
    assert read_sources(checkout).flow == FLOW
    code, out, _ = jotto("pull", "--xar", tmp_path / "edited.xar")
    assert code == 0 and out.endswith("Wrote robot_boxes/flow.json; now run 'jotto robot build'.\n")
    assert jotto("check")[0] == 1
    jotto("build")
    assert jotto("check")[0] == 0
    assert jotto("pull")[1].startswith("Nothing differs between ")


def test_wrong_files_and_folders(cli, checkout, tmp_path):
    editor = Choregraphe(xar_of(checkout))
    editor.delete("Bye")
    for content, sentence in (
        (editor.saved(), 'nothing reaches "root.onStopped"'),
        (b"", "is empty"),
        (b"<a/>", "starts with <a>"),
        (b"PK", "zip archive"),
        (b"<!DOCTYPE a><a/>", "document type"),
    ):
        (tmp_path / "edited.xar").write_bytes(content)
        code, _, err = cli("robot", "pull", "--xar", "edited.xar", "--root", checkout)
        assert code == 2 and sentence in err
    assert read_sources(checkout).flow == FLOW
    assert "gone.xar" in cli.refusal("robot", "pull", "--xar", "gone.xar", "--root", checkout)
    said = cli.refusal("robot", "build", "--root", tmp_path)
    assert "has no folder robot_boxes; name the project's checkout with --root DIR." in said
