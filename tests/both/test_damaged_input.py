"""Parsers of the robot and of the simulated robot read damaged input, or refuse it with a sentence of their own."""

from __future__ import absolute_import, division, print_function

import io
import os
import zipfile

from damage import GOOD_BYTES, find_fault
from hypothesis import given, settings, strategies as st

from jotto import rules, tree, words
from jotto.rules import JottoError
from jotto_behaviour import files as notebook, hearing, lines, memory
from naosim import compiler, packages, recording, remote, speech_texts, xar
from naosim.compat import native, to_unicode
from naosim.errors import NaosimError
from naosim.lint import judge
from naosim.robot import Robot
from naosim.services import animations

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(TESTS)
REQUEST = b'{"do": "insert", "key": "a", "value": [1, {"dict": {"b": {"bytes": "YWI="}}}], "seconds": 1.5}'
SPEECH = b"^start(animations/Stand/Gestures/Hey_1) Hello \\pau=500\\ $ok=1 you ^wait(animations/Stand/Gestures/Hey_1)"
SCRIPT = (
    b"class MyClass(GeneratedClass):\n    def onLoad(self):\n        print 'a'\n"
    b"    except ValueError, e:\n        raise A, b\n"
)
TS = (
    b'<!DOCTYPE TS><TS version="1.1" language="de_DE"><context><name>behavior_1/behavior.xar:/Say</name><message>'
    b"<source>Hello</source><comment>Text</comment><translation>Hallo</translation></message></context></TS>"
)
RECORDING = (
    b'{"recording": 1, "options": {"seed": 1}}\n{"time": 0.0, "act": "start", "said": [], "engine": "", '
    b'"ended": false}\n{"time": 1.0, "act": "hear", "phrase": "yes", "confidence": 0.5, "said": ["a"], '
    b'"engine": "", "ended": false}\n{"time": 2.0, "act": "end", "status": 0, "events": 3, "digest": "x", '
    b'"said": [], "engine": "", "ended": true}\n'
)
NOTES = b'{"version": 4, "game": {"turns": [["ocean", [1, 2]]]}, "riddle": null, "race": false, "state": "first score"}'


BLOCKED = words.BlockList(frozenset([words.hash_blocked_word("drat")]))


class _Files(object):
    """Files in a folder of the attack's own."""

    def __init__(self, folder):
        self.folder = folder

    def put(self, name, raw):
        path = os.path.join(self.folder, *name.split("/"))
        if not os.path.isdir(os.path.dirname(path)):
            os.makedirs(os.path.dirname(path))
        with io.open(path, "wb") as file:
            file.write(raw)
        return path


def _good(path, size=GOOD_BYTES):
    # A whole path stays what it is.
    with io.open(os.path.join(ROOT, path), "rb") as file:
        return file.read()[:size]


def _package(files, method):
    path = os.path.join(files.folder, "good.pkg")
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr(
            "manifest.xml",
            b'<package uuid="hello-1" version="1.0.0"><contents><behaviorContent path="hello"/></contents></package>',
        )
        archive.writestr("hello/behavior.xar", _good("simulator/tests/behaviours/new_story.xar"))
    return _good(path, None)


def test_damaged_input_is_read_or_refused(tmpdir_factory):
    def _compiled():
        """Return a `.qm` file of one message."""

        def field(tag, text):
            return bytes(bytearray([tag, 0, 0, 0, len(text)])) + text

        block = (
            field(xar.QM_TRANSLATION, "Hallo".encode("utf-16-be"))
            + field(xar.QM_SOURCE, b"Hello")
            + field(xar.QM_CONTEXT, b"Say")
            + bytes(bytearray([xar.QM_END]))
        )
        return xar.QM_MAGIC + field(xar.QM_MESSAGES, block)

    def _install(files, raw):
        home = os.path.join(files.folder, "home")
        if not os.path.isdir(home):
            os.makedirs(home)
        packages.NewPackage(files.put("attack.pkg", raw), home).clear()

    def _native(raw):
        """Return the text as NAOqi passes it: bytes on 2.7."""
        return native(to_unicode(raw))

    def _topic(raw):
        with Robot() as robot:
            dialog = robot.service("ALDialog")
            dialog.activateTopic(dialog.loadTopicContent(_native(raw)))
            dialog.subscribe("attack")
            for sentence in dialog.vocabulary[:5] + ("yes my name is ann",):
                dialog.hear_phrase(sentence, 1.0)
                robot.clock.run(seconds=60.0)

    def _text(raw):
        return raw.decode("utf-8", "replace")

    def _hear(raw, spoken):
        for value in (raw, _text(raw)):
            phrase, confidence = hearing.find_best_phrase([value, 0.9])
            hearing.understand_phrase(phrase, confidence, ["yes", "no", "go back"], spoken)

    def _notebook(files, raw):
        for name in (notebook.LEARNED_FILE, notebook.FINISHED_FILE, notebook.UNFINISHED_FILE):
            files.put("notes/" + name, raw)
        book = notebook.Notebook(os.path.join(files.folder, "notes"))
        book.list_learned_words()
        book.load_unfinished()

    # Python 2.7 has no other methods.
    zip_methods = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED] + [
        getattr(zipfile, name) for name in ("ZIP_BZIP2", "ZIP_LZMA") if hasattr(zipfile, name)
    ]
    quiet = ()
    conversation = os.path.dirname(os.path.abspath(lines.__file__))
    folder = str(tmpdir_factory.mktemp("parsers"))
    spoken = lines.read_lines(conversation)
    written = _Files(folder)
    behaviours, longest = "simulator/tests/behaviours/", xar.MAX_SCRIPT_BYTES
    manifest = _good("choregraphe_project/manifest.xml", None)
    # Name, parser, errors that it may raise, good input.
    parsers = [
        ("word list", lambda raw: words.parse_word_list(raw, rules.JOTTO, "x"), JottoError, _good("wordlists/en.tsv")),
        ("any letters", lambda raw: words.parse_word_list(raw, rules.WORDLE, "x"), JottoError, b"ocean\t10\n"),
        ("block list", words.parse_block_list, JottoError, _good("wordlists/blocked.sha256")),
        ("block list at work", lambda raw: BLOCKED.clean(_text(raw), "beep"), quiet, b"Oh drat, hydrate!"),
        ("tree", tree.parse_tree, JottoError, _good("wordlists/en.tree", None)),
        ("talk", lambda raw: memory.parse_talk_text(_text(raw)[: memory.MAX_TALK_LENGTH]), JottoError, NOTES),
        ("notebook", lambda raw: _notebook(written, raw), quiet, b"# mine\nocean\ncanoe\n"),
        ("heard phrase", lambda raw: _hear(raw, spoken), quiet, b" <...> go back <...>"),
        ("xar", xar.parse, NaosimError, _good("choregraphe_project/behavior_1/behavior.xar", None)),
        ("lint", lambda raw: list(judge(xar.parse(raw))), NaosimError, _good(behaviours + "new_story.xar", None)),
        ("script", lambda raw: compiler.compile_script(_native(raw)[:longest], "attack", True), NaosimError, SCRIPT),
        ("manifest", packages.read_manifest, NaosimError, manifest),
        (
            "project",
            lambda raw: packages.read_package(written.put("game.pml", raw)),
            NaosimError,
            _good("choregraphe_project/nao-jotto.pml", None),
        ),
        (
            "installed project",
            lambda raw: packages.read_package(os.path.dirname(written.put("app/manifest.xml", raw))),
            NaosimError,
            manifest,
        ),
        ("translation", lambda raw: xar.read_translations(written.put("a_de.ts", raw)), NaosimError, TS),
        ("compiled", lambda raw: xar.read_translations(written.put("a_de.qm", raw)), NaosimError, _compiled()),
        ("topic", _topic, RuntimeError, _good(behaviours + "SmallTalk/SmallTalk_enu.top", None)),
        ("recording", lambda raw: recording.load_recording(written.put("a.rec", raw)), NaosimError, RECORDING),
        (
            "request",
            lambda raw: remote.unpack_value(remote.parse_request(raw).get("value")),
            (NaosimError, ValueError),
            REQUEST,
        ),
        ("annotations", lambda raw: animations.split_annotations(_native(raw)), animations.BadAnnotation, SPEECH),
        ("speech", lambda raw: speech_texts.parse_speech(_native(raw)), (), SPEECH),
    ] + [
        ("package", lambda raw: _install(written, raw), packages.PackageRefused, _package(written, method))
        for method in zip_methods
    ]

    @settings(max_examples=5 * settings.default.max_examples)
    @given(seed=st.integers(0, 2**32))
    def read_damaged(seed):
        assert find_fault(parsers, seed) == ""

    read_damaged()
