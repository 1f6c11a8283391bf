"""The preamble of every box script: a new upload is played at once, though NAO keeps modules while it is on."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import os
import sys

import pytest
from story import ROOT, write

from jotto.compat import as_native


class Box(object):
    """A box of a behaviour in a folder; an old robot knows the folder only by its frame manager."""

    behaviorId = "id"

    def __init__(self, folder, is_old=False):
        self.folder, self.is_old = as_native("%s" % folder.join("behavior_1")), is_old

    def behaviorAbsolutePath(self):
        """Return the folder."""
        if self.is_old:
            raise RuntimeError("no such method")
        return self.folder

    def getBehaviorPath(self, _behaviour):
        """Return the folder, as the frame manager gives it."""
        return self.folder


@pytest.fixture
def preamble():
    """Return the functions of the preamble, with the interpreter as it was afterwards."""
    kept = {name: module for name, module in sys.modules.items() if name.split(".")[0] in ("jotto", "jotto_behaviour")}
    path, quiet = list(sys.path), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    found = {"ALProxy": lambda _name: Box.proxy}
    with io.open(os.path.join(ROOT, "robot_boxes", "preamble.py"), encoding="utf-8") as source:
        exec(compile(source.read(), str("preamble.py"), str("exec")), found)
    yield found
    sys.path[:], sys.dont_write_bytecode = path, quiet
    for name in [name for name in sys.modules if name.split(".")[0] in ("jotto", "jotto_behaviour")]:
        del sys.modules[name]
    sys.modules.update(kept)


def upload(folder, version):
    """Put a game of a version into a project, in place of what is there."""
    folder.join("behavior_1").ensure(dir=True)
    folder.join("manifest.xml").ensure()
    for package in ("jotto", "jotto_behaviour"):
        lib = folder.join("lib", package).ensure(dir=True)
        write(lib, "__init__.py", [])
    write(folder.join("lib", "jotto_behaviour"), "box_controller.py", ["VERSION = '%s'" % version])
    return folder


def played(preamble, box):
    """Return the version that a box plays, and the folder it found."""
    root = preamble["jotto_root"](box)
    from jotto_behaviour import box_controller

    return box_controller.VERSION, root


def test_another_upload_to_the_same_place(preamble, tmpdir):
    box = Box(upload(tmpdir, "1"))
    assert played(preamble, box) == ("1", as_native("%s" % tmpdir))
    first = sys.modules["jotto_behaviour.box_controller"]
    assert played(preamble, box)[0] == "1" and sys.modules["jotto_behaviour.box_controller"] is first
    upload(tmpdir, "version 2")
    assert played(preamble, box)[0] == "version 2"


def test_two_projects_take_turns(preamble, tmpdir):
    one, two = [Box(upload(tmpdir.mkdir(name), name)) for name in ("one", "two")]
    for _ in range(2):
        assert (played(preamble, one)[0], played(preamble, two)[0]) == ("one", "two")
    before = len(sys.path)
    for box in (one, two, two):
        preamble["jotto_leave"](os.path.dirname(box.folder))
    assert len(sys.path) == before - 2


def test_an_old_robot(preamble, tmpdir):
    Box.proxy = box = Box(upload(tmpdir, "1"), is_old=True)
    assert played(preamble, box)[0] == "1"


def test_a_project_that_was_not_staged(preamble, tmpdir):
    tmpdir.join("behavior_1").ensure(dir=True)
    tmpdir.join("manifest.xml").ensure()
    for name in [name for name in sys.modules if name.split(".")[0] in ("jotto", "jotto_behaviour")]:
        del sys.modules[name]
    sys.path[:] = [place for place in sys.path if not os.path.isdir(os.path.join(place or ".", "jotto_behaviour"))]
    sys.meta_path[:], finders = [each for each in sys.meta_path if "editable" not in repr(each)], list(sys.meta_path)
    try:
        with pytest.raises(ImportError, match="jotto robot stage"):
            preamble["jotto_root"](Box(tmpdir))
    finally:
        sys.meta_path[:] = finders
