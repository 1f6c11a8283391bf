"""The project's `lib`: complete, fresh, and nothing in it that the robot does not need."""

import pytest
from kit_sources import make_checkout

from jotto_desk import robot_kit

LIBRARY = [
    "jotto/__init__.py",
    "jotto/rules.py",
    "jotto_behaviour/__init__.py",
    "jotto_behaviour/lines_en.json",
    "wordlists/blocked.sha256",
    "wordlists/en.tree",
    "wordlists/en.tsv",
]


@pytest.fixture
def checkout(tmp_path):
    """Make the small project."""
    root = make_checkout(tmp_path / "checkout")
    (root / "src/jotto/__pycache__").mkdir()
    (root / "src/jotto/__pycache__/rules.cpython-311.pyc").write_bytes(b"")
    (root / "src/jotto/tests").mkdir()
    (root / "src/jotto/tests/test_rules.py").write_text("")
    return root


def places(folder):
    """List every file below a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_the_first_staging(checkout):
    staged = robot_kit.stage(checkout)
    assert staged == robot_kit.Staged(added=tuple(LIBRARY), changed=(), removed=())
    assert places(checkout / robot_kit.LIBRARY) == LIBRARY
    assert sorted(path.name for path in (checkout / "choregraphe_project").iterdir()) == [
        "icon.png",
        "lib",
        "manifest.xml",
    ]


def test_the_second_staging_moves_nothing(checkout):
    robot_kit.stage(checkout)
    before = (checkout / robot_kit.LIBRARY).stat().st_ino
    assert not robot_kit.stage(checkout)
    assert (checkout / robot_kit.LIBRARY).stat().st_ino == before


def test_changes_and_stale_files(checkout):
    robot_kit.stage(checkout)
    lib = checkout / robot_kit.LIBRARY
    (checkout / "src/jotto/rules.py").write_text("RULES = 6\n")
    (checkout / "src/jotto/game.py").write_text("")
    (lib / "jotto/old.py").write_text("")
    (lib / "jotto/__pycache__").mkdir()
    (lib / "jotto/__pycache__/rules.pyc").write_bytes(b"")
    staged = robot_kit.stage(checkout)
    assert staged == robot_kit.Staged(("jotto/game.py",), ("jotto/rules.py",), ("jotto/old.py",))
    assert places(lib) == sorted([*LIBRARY, "jotto/game.py"])


def test_refresh_only_where_a_lib_is(checkout):
    assert not robot_kit.refresh(checkout)
    assert not (checkout / robot_kit.LIBRARY).exists()
    robot_kit.stage(checkout)
    assert not robot_kit.refresh(checkout)
    (checkout / "wordlists/en.tsv").write_text("opera\t10\n")
    assert robot_kit.refresh(checkout)
    assert (checkout / robot_kit.LIBRARY / "wordlists/en.tsv").read_text() == "opera\t10\n"


def test_lib_is_taken_out_again(checkout):
    robot_kit.build(checkout, robot_kit.generated(robot_kit.read_sources(checkout)))
    before = {place: (checkout / place).read_bytes() for place in places(checkout)}
    assert robot_kit.stage(checkout).listed == ("small-talk.pml",)
    assert robot_kit.unstage(checkout)
    assert {place: (checkout / place).read_bytes() for place in places(checkout)} == before
    assert not (checkout / robot_kit.LIBRARY).exists() and not robot_kit.unstage(checkout)


def test_a_new_module_is_listed_too(checkout):
    robot_kit.build(checkout, robot_kit.generated(robot_kit.read_sources(checkout)))
    robot_kit.stage(checkout)
    (checkout / "src/jotto/game.py").write_text("")
    assert robot_kit.refresh(checkout)
    assert "lib/jotto/game.py" in (checkout / "choregraphe_project/small-talk.pml").read_text()
    assert robot_kit.build(checkout, robot_kit.generated(robot_kit.read_sources(checkout))) == []


@pytest.mark.parametrize("is_staged", [False, True])
def test_a_copy_lists_its_lib(checkout, tmp_path, is_staged):
    robot_kit.build(checkout, robot_kit.generated(robot_kit.read_sources(checkout)))
    if is_staged:
        robot_kit.stage(checkout)
    robot_kit.stage_to(checkout, tmp_path / "robot")
    text = (tmp_path / "robot/small-talk.pml").read_text()
    assert all(f'src="lib/{place}"' in text for place in LIBRARY)
    assert not robot_kit.stage_to(checkout, tmp_path / "robot")


def test_a_copy_elsewhere_stands_alone(checkout, tmp_path):
    target = tmp_path / "robot"
    assert robot_kit.stage_to(checkout, target)
    assert places(target) == sorted([*(f"lib/{place}" for place in LIBRARY), "icon.png", "manifest.xml"])
    assert not (checkout / robot_kit.LIBRARY).exists()


def test_a_stale_lib_does_not_travel(checkout, tmp_path):
    robot_kit.stage(checkout)
    (checkout / "src/jotto/rules.py").write_text("RULES = 6\n")
    robot_kit.stage_to(checkout, tmp_path / "robot")
    assert (tmp_path / "robot/lib/jotto/rules.py").read_text() == "RULES = 6\n"


def test_an_earlier_copy_is_renewed(checkout, tmp_path):
    robot_kit.build(checkout, robot_kit.generated(robot_kit.read_sources(checkout)))
    robot_kit.stage_to(checkout, tmp_path / "robot")
    (tmp_path / "robot/notes.txt").write_text("")
    assert robot_kit.stage_to(checkout, tmp_path / "robot").removed == ("notes.txt",)


def test_a_folder_with_something_else_is_left_alone(checkout, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("dear")
    with pytest.raises(robot_kit.StageRefused, match="holds something else; name a folder that is absent"):
        robot_kit.stage_to(checkout, tmp_path / "mine")
    assert places(tmp_path / "mine") == ["letter.txt"]


@pytest.mark.parametrize("place", ["choregraphe_project", "choregraphe_project/copy"])
def test_a_folder_inside_the_project_is_refused(checkout, place):
    robot_kit.build(checkout, robot_kit.generated(robot_kit.read_sources(checkout)))
    with pytest.raises(robot_kit.StageRefused, match="lies inside the project"):
        robot_kit.stage_to(checkout, checkout / place)


def test_a_missing_parent_that_is_a_file(checkout, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(robot_kit.StageRefused, match="cannot be written"):
        robot_kit.stage_to(checkout, tmp_path / "file/robot")
