"""Modules beside a behaviour that are written for Python 2: rewritten on Python 3 when the behaviour is."""

from __future__ import absolute_import, division, print_function

import sys

import naosim_xar_writer as w
import pytest

from naosim import Robot
from naosim.__main__ import main
from naosim.compat import PY2

LINKS = [("root.onStart", "Only.onStart"), ("Only.onStopped", "root.onStopped")]
#: A module with what Python 3 has no more, and a package of which a module imports another.
WORDS = """
import re, urlparse
from pack.inner import told

def count(words):
    found = {}
    for word in words:
        if not found.has_key(word):
            found[word] = 0
        found[word] += 01
    try:
        raise ValueError, "counted"
    except ValueError, error:
        print "words:", error
    return sorted(found.iteritems(), cmp=None) if 1 <> 1 else sorted(found.items())

def host(url):
    assert re.sub(ur"\\d", "", url + "1") == url
    return told(unicode(urlparse.urlparse(url).netloc))
"""
SCRIPT = w.script("""    def onLoad(self):
        import os, sys
        self.folder = os.path.join(self.behaviorAbsolutePath(), "lib")
        sys.path.append(self.folder)
    def onUnload(self):
        import sys
        sys.path.remove(self.folder)
    def onInput_onStart(self):
        import words
        self.logger.info("%s %s" % (words.count(["a", "b", "a"]), words.host("http://nao.local/menu")))
        self.onStopped()
""")
SAID = "[('a', 2), ('b', 1)] at nao.local"


@pytest.fixture
def project(tmpdir):
    """Provide the path of a behaviour with a folder of modules."""
    inner = tmpdir.mkdir("lib").mkdir("pack")
    inner.join("__init__.py").write("print 'packed'\n")
    inner.join("inner.py").write(
        "import texts, os as system\nfrom signs import GAP\n"
        "def told(name):\n    return texts.AT + GAP + name + system.curdir[1:]\n"
    )
    inner.join("texts.py").write("AT = 'at'\n")
    inner.join("signs.py").write(
        "from __future__ import absolute_import\nimport pack\nGAP = ' ' * hasattr(pack, 'texts')\n"
    )
    tmpdir.join("lib", "words.py").write(WORDS)
    tmpdir.join("behavior.xar").write_binary(w.behaviour([w.box("Only", SCRIPT)], LINKS))
    return str(tmpdir.join("behavior.xar"))


def run(project, rewrite):
    with Robot() as robot:
        behaviour = robot.load(project, rewrite=rewrite)
        robot.start(behaviour)
        robot.advance()
        logs = [event.fields["text"] for event in robot.trace.of("log")]
        return behaviour.failures, logs, [event.fields["text"] for event in robot.trace.of("print")]


def test_modules_of_a_rewritten_behaviour_are_rewritten(project):
    for _ in range(2):
        assert run(project, rewrite=True) == ([], [SAID], ["packed", "words: counted"])
    assert "words" not in sys.modules and "pack" not in sys.modules


def test_modules_of_other_behaviours_stay_as_they_are(project):
    failures, logs, _ = run(project, rewrite=False)
    if PY2:
        assert (failures, logs) == ([], [SAID])  # Python 2.7 needs no rewriting.
    else:
        assert logs == [] and "SyntaxError" in failures[0]


def test_what_cannot_be_rewritten_is_a_syntax_error(project, tmpdir):
    tmpdir.join("lib", "words.py").write("def count(words:\n")
    failures, _, _ = run(project, rewrite=True)
    assert "SyntaxError" in failures[0] and "words.py, line 1" in failures[0]


def test_the_command_line_rewrites_them_too(project, capsys):
    assert main([project, "--rewrite"]) == 0
    assert SAID in capsys.readouterr()[0]
    assert not [finder for finder in sys.meta_path if "naosim" in type(finder).__module__]
