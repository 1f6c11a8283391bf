"""The notebook: executed from top to bottom, its pictures drawn, committed without outputs; and its functions."""

import base64
import itertools
import warnings

import pytest
from interpreters import ROOT

from jotto_desk import plots
from jotto_desk.expert import ExpertSystem
from jotto_desk.expert.service import serve_expert

NOTEBOOK = ROOT / "notebooks/tour.ipynb"


def test_it_is_committed_without_outputs_and_runs_from_top_to_bottom_with_the_published_figures(tmp_path):
    """Run it in a kernel of this Python; takes seconds, as for its readers."""
    with warnings.catch_warnings():
        # jupyter_client looks for folders of old versions, and says so.
        warnings.simplefilter("ignore")
        import nbformat
        from nbclient import NotebookClient
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.outputs for cell in code if cell.outputs or cell.execution_count] == []
    assert NOTEBOOK.stat().st_size < 20_000
    # It has no logic.
    lines = "\n".join(cell.source for cell in code).split("\n")
    assert [line for line in lines if line.startswith(("def ", "class ", "while ", "if ", "try:", "for "))] == []
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        for variable in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
            patch.setenv(variable, str(tmp_path / variable))
        resources = {"metadata": {"path": str(NOTEBOOK.parent)}}
        # A cell may take 240 seconds; all of them take about 30 on two busy cores.
        NotebookClient(notebook, timeout=240, kernel_name="python3", resources=resources).execute()
    outputs = [output for cell in code for output in cell.outputs]
    assert not [one for one in outputs if one.output_type == "error" or one.get("name") == "stderr"]
    shown = [output.get("data", {"text/plain": output.get("text", "")}) for output in outputs]
    text = "\n".join(str(data.get("text/plain", "")) for data in shown)
    parts = "256|Turns 2 and 4 cannot both be true|'4241'|above(ada, cleo)|Mastermind, all 1,296 secrets"
    for part in (*parts.split("|"), "5.0363", "4.5679", "4.5471", "5.1543", "72 secrets, drawn"):
        assert part in text
    pictures = [base64.b64decode(data["image/png"]) for data in shown if "image/png" in data]
    assert len(pictures) == 3
    assert all(picture.startswith(b"\x89PNG") and len(picture) > 10_000 for picture in pictures)


def test_games_are_played_through_the_service_and_timed():
    ticks = itertools.count()
    with serve_expert() as url, ExpertSystem(url) as expert:
        for secret, rules, funnel in [
            ("3024", "exact", [1296, 317, 70, 10, 1, 1]),
            ("3024", "classic", [1296, 500, 176, 40, 3, 1]),
            ("4241", "exact", [1296, 256, 42, 11, 1, 1, 1]),
            ("4241", "classic", [1296, 500, 144, 55, 16, 5, 1]),
        ]:
            turns = plots.TOUR_GAMES[secret]
            course = plots.time_turns(expert, turns, rules, clock=lambda: next(ticks) / 4)
            assert course == plots.Course(funnel, [250.0] * len(turns))
        assert expert.list_games() == []


def test_pictures_of_the_tour():
    courses = {"exact": plots.Course([1296, 256, 1], [12.0, 7.0]), "classic": plots.Course([1296, 500, 5], [9.0, 8.0])}
    drawn = plots.draw_funnels({"4241": courses})
    assert [line.get_ydata().tolist() for line in drawn.axes[0].lines] == [[1296, 256, 1], [1296, 500, 5]]
    assert [text.get_text() for text in drawn.axes[0].texts] == ["256", "1", "500", "5"]
    games = {"first": [5.0, 5.0, 6.0, 9.0], "random": [4.0, 5.0, 5.0, 5.0]}
    boxes = plots.draw_boxes({"all": games, "72 drawn": games})
    assert [label.get_text() for label in boxes.axes[0].get_yticklabels()] == ["first", "random"]
    for panel in boxes.axes:
        means = [line.get_xdata()[0] for line in panel.lines if line.get_marker() == "D"]
        assert means == [6.25, 4.75] and panel.yaxis_inverted()
    timed = plots.draw_times(courses)
    assert [line.get_ydata().tolist() for line in timed.axes[0].lines] == [[12, 7], [9, 8]]
