"""The colours of Python in scripts, by the page's own JavaScript."""

import json
import subprocess

import pytest
from hypothesis import given, strategies as st
from programs import miss_program

from naosim_page.site import STATIC, find_program

RUN = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(splitPython(JSON.parse(line))));
"""


@pytest.fixture(scope="module")
def split():
    """Provide a function that splits a script."""
    node = find_program("node")
    if not node:
        miss_program("node")
    source = (STATIC / "colours.js").read_text(encoding="utf-8") + RUN
    command = [*node, "--input-type=module", "--eval", source]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:

        def ask(script):
            process.stdin.write(json.dumps(script) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield ask
        process.stdin.close()


@pytest.mark.parametrize(
    "script, coloured",
    [
        ("class MyClass(GeneratedClass):", [["class", "keyword"], ["MyClass", "name"]]),
        ("def onLoad(self): pass", [["def", "keyword"], ["onLoad", "name"], ["self", "self"], ["pass", "keyword"]]),
        ("x = 1 # it's", [["1", "number"], ["# it's", "comment"]]),
        ('\'#\' + u"a\\"b" # c', [["'#'", "text"], ['u"a\\"b"', "text"], ["# c", "comment"]]),
        ('"""one\n"two" # no """ + 2', [['"""one\n"two" # no """', "text"], ["2", "number"]]),
        ("'open\nprint 0x1F, 3.5", [["'open", "text"], ["print", "keyword"], ["0x1F", "number"], ["3.5", "number"]]),
        ("'''never\nclass", [["'''never\nclass", "text"]]),
        ("classy = printed1 + selfish", []),
        ("sub'x' + ub'y'", [["'x'", "text"], ["ub'y'", "text"]]),
        ("", []),
    ],
)
def test_each_part_of_a_script_has_its_colour(split, script, coloured):
    assert [piece for piece in split(script) if piece[1]] == coloured


@given(st.text(st.sampled_from("\"'\\#\n def1.xué\U0001f600"), max_size=60))
def test_the_pieces_are_the_script_whatever_it_is(split, script):
    assert "".join(text for text, _ in split(script)) == script


def test_a_script_of_quotes_is_split_at_once(split):
    for odd in ('"""' * 7000 + "\\", "'" * 20000, '"\\' * 10000, "0x" * 10000, "bu" * 10000):
        assert "".join(text for text, _ in split(odd)) == odd
