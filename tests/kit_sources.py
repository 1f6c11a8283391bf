"""A small robot project of four boxes, and an editor that changes and saves its xar as Choregraphe does."""

import random
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from jotto_desk import robot_kit
from jotto_desk.robot_kit.flow import Box, End, Flow, FlowLink, Parameter, Port
from naosim import formats, xar

NEW_NAMESPACE = "http://www.ald.softbankrobotics.com/schema/choregraphe/project.xsd"
PREAMBLE = "import os\n\n\ndef begin(box):\n    return box.getName()\n"
SCRIPT = """class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onInput_onStart(self):
        self.{0}()

    def onInput_onStop(self):
        pass
"""
SCRIPTS = {"begin.py": SCRIPT.format("done"), "ask.py": SCRIPT.format("yes"), "bye.py": SCRIPT.format("done")}
MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<package uuid="small-talk" version="0.0.1">
  <contents>
    <behaviorContent path="behavior_1">
      <nature>interactive</nature>
    </behaviorContent>
  </contents>
</package>
"""
TOPIC = "topic: ~small_answers()\nlanguage: enu\n\nu:(hello) hello\n"

START, STOP = Port("onStart", "bang", "onStart", "Starts it."), Port("onStop", "bang", "onStop")
YES, NO = Port("yes", "bang", "stopped", 'The <answer> "yes" & more'), Port("no", "bang", "stopped")
DONE = Port("done", "bang", "stopped")
WAIT = Parameter("Wait (s)", "int", 8, "How long.", minimum=1, maximum=60)

FLOW = Flow(
    behaviour="behavior_1",
    preamble="preamble.py",
    boxes=(
        Box(
            "Begin",
            "begin.py",
            "The first.",
            40,
            100,
            (START, STOP),
            (DONE,),
            (Parameter("Mood", "string", "calm", choices=("calm", "merry")),),
        ),
        Box("Ask", "ask.py", "Asks.\nListens.", 200, 100, (START, STOP), (YES, NO), (WAIT,)),
        Box("Ask again", "ask.py", "Asks once more.", 360, 100, (START, STOP), (YES, NO), (WAIT,), ("Speech",)),
        Box("Bye", "bye.py", "Ends.", 520, 100, (START, STOP), (DONE,)),
    ),
    links=(
        FlowLink(End("root", "onStart"), End("Begin", "onStart")),
        FlowLink(End("Begin", "done"), End("Ask", "onStart")),
        FlowLink(End("Ask", "yes"), End("Bye", "onStart")),
        FlowLink(End("Ask", "no"), End("Ask again", "onStart")),
        FlowLink(End("Ask again", "yes"), End("Bye", "onStart")),
        FlowLink(End("Ask again", "no"), End("Bye", "onStart")),
        FlowLink(End("Bye", "done"), End("root", "onStopped")),
    ),
)
ASK_LINKS = tuple(link for link in FLOW.links if "Ask again" not in (link.emitter.box, link.receiver.box))


def make_checkout(root: Path, flow: Flow = FLOW) -> Path:
    """Write the small project's sources below a folder."""
    texts = {
        "src/jotto/__init__.py": '__version__ = "1.2.3"\n',
        "src/jotto/rules.py": "RULES = 5\n",
        "src/jotto/py.typed": "",
        "behaviour/jotto_behaviour/__init__.py": "",
        "behaviour/jotto_behaviour/lines_en.json": "{}\n",
        "wordlists/en.tsv": "ocean\t10\n",
        "wordlists/en.tree": "A tree.\n",
        "wordlists/blocked.sha256": "\n",
        "wordlists/SOURCES.md": "Not for the robot.\n",
        "robot_boxes/flow.json": robot_kit.flow.format_flow(flow),
        "robot_boxes/preamble.py": PREAMBLE,
        "robot_boxes/small_answers.top": TOPIC,
        "choregraphe_project/manifest.xml": MANIFEST,
        "choregraphe_project/icon.png": "",
        **{f"robot_boxes/{name}": text for name, text in SCRIPTS.items()},
    }
    for place, text in texts.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text, encoding="utf-8", newline="\n")
    return root


def xar_of(root: Path) -> bytes:
    sources = robot_kit.sources.read_sources(root)
    return robot_kit.project.format_xar(sources.flow, sources.assemble_scripts()).encode("utf-8")


def pull(root: Path, content: bytes) -> dict[str, "str | None"]:
    """Compute what a pull of the xar would change."""
    xar.parse(content)
    drawing = robot_kit.pull.parse_saved_diagram(formats.read_xml(content, "behavior.xar"))
    return robot_kit.pull.find_changes(robot_kit.sources.read_sources(root), drawing)


class Choregraphe:
    """A xar that a test edits, and that is saved as a later Choregraphe does."""

    def __init__(self, content: bytes) -> None:
        self.project = ElementTree.fromstring(content)
        for element in self.project.iter():
            element.tag = element.tag.rpartition("}")[2]
        root = self.project.find("Box")
        assert root is not None
        self.root = root
        diagram = root.find("Timeline/BehaviorLayer/BehaviorKeyframe/Diagram")
        assert diagram is not None
        self.diagram = diagram

    def box(self, name: str) -> ElementTree.Element:
        return next(box for box in self.diagram.findall("Box") if box.get("name") == name)

    def move(self, name: str, x: int, y: int) -> None:
        self.box(name).attrib.update(x=str(x), y=str(y))

    def edit(self, name: str, change: Callable[[str], str]) -> None:
        content = self.box(name).find("script/content")
        assert content is not None
        content.text = change(content.text or "")

    def rename(self, name: str, new: str) -> None:
        self.box(name).set("name", new)

    def delete(self, name: str) -> None:
        number = self.box(name).get("id")
        self.diagram.remove(self.box(name))
        for link in self.diagram.findall("Link"):
            if number in (link.get("inputowner"), link.get("outputowner")):
                self.diagram.remove(link)

    def add(self, name: str, like: str) -> ElementTree.Element:
        copy = ElementTree.fromstring(ElementTree.tostring(self.box(like)))
        free = max(int(box.get("id", "0")) for box in self.diagram.findall("Box")) + 1
        copy.attrib.update(name=name, id=str(free))
        self.diagram.insert(0, copy)
        return copy

    def link(self, emitter: tuple[str, str], receiver: tuple[str, str]) -> None:
        link = ElementTree.SubElement(self.diagram, "Link")
        for (box, port), side in ((emitter, "output"), (receiver, "input")):
            element = self.root if box == "root" else self.box(box)
            found = next(child for child in element if child.get("name") == port)
            link.set(f"{side}owner", element.get("id", "").replace("-1", "0"))
            link.set(f"indexof{side}", found.get("id", ""))

    def saved(self, seed: int = 0) -> bytes:
        """Return the file as Choregraphe saves it: with another namespace, indentation, ids and order."""
        chance = random.Random(seed)
        self._renumber(chance)
        boxes, links = self.diagram.findall("Box"), self.diagram.findall("Link")
        for box in boxes:
            box.set("localization", "0")
        chance.shuffle(boxes)
        chance.shuffle(links)
        self.diagram[:] = [*boxes, *links]
        for element in self.root.iter():
            rows = sorted(element.attrib.items())
            chance.shuffle(rows)
            element.attrib.clear()
            element.attrib.update(rows)
            if element.tag == "content":
                element.text = f"{(element.text or '').strip()}\n"
        ElementTree.indent(self.root, "    ")
        head = f'<?xml version="1.0" encoding="UTF-8" ?>\n<ChoregrapheProject xmlns="{NEW_NAMESPACE}" xar_version="3">'
        return f"{head}\n{ElementTree.tostring(self.root, 'unicode')}\n</ChoregrapheProject>\n".encode()

    def _renumber(self, chance: random.Random) -> None:
        boxes = self.diagram.findall("Box")
        numbers = chance.sample(range(1, 200), len(boxes))
        new = {box.get("id", ""): str(number) for box, number in zip(boxes, numbers, strict=True)} | {"0": "0"}
        for box in boxes:
            box.set("id", new[box.get("id", "")])
        for link in self.diagram.findall("Link"):
            for owner in ("inputowner", "outputowner"):
                link.set(owner, new[link.get(owner, "")])
