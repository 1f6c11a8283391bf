"""The Choregraphe project: `build` writes it from its sources, `describe_differences` compares it with them.

`stage` copies engine, conversation and word lists into its `lib`: all of them or none.
"""

import difflib
import functools
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from jotto_desk.files import read_bounded, write_whole
from jotto_desk.robot_kit.diagram import draw_diagram
from jotto_desk.robot_kit.flow import (
    INPUT_NATURES,
    ON_LOAD,
    OUTPUT_NATURES,
    PARAMETER_TYPES,
    PORT_TYPES,
    ROOT,
    ROOT_PORTS,
    Box,
    End,
    Flow,
    FlowLink,
    Parameter,
    Port,
    StageRefused,
    Value,
    format_attributes,
    format_tag,
    number_ports,
)
from jotto_desk.robot_kit.sources import (
    ICON,
    LIBRARY,
    MANIFEST,
    PROJECT,
    Sources,
    find_uuid,
    format_dialogs,
    format_listing,
    format_project,
    list_library,
    stamp_version,
)

# Writing behavior.xar as text: XML libraries lose CDATA, the order of attributes and the first two lines.

#: The namespace that Choregraphe 1.x to 2.5 and the maker's converter write, and that later releases read. The later
#: namespace (ald.softbankrobotics.com) goes with .pml files of format 5, which 2.1 cannot read.
_NAMESPACE = "http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" ?>'
_LOCALIZATION = "8"
_ROOT_ICON = "media/images/box/root.png"
_BOX_ICON = "media/images/box/box-python-script.png"
_ON_LOAD_TIP = "Fires when the diagram around this box is loaded."


def format_xar(flow: Flow, scripts: Mapping[str, str]) -> str:
    """Return the text of the file; `scripts` maps each script file to its text in the xar, with the preamble."""
    head = f'<ChoregrapheProject xmlns="{_NAMESPACE}" xar_version="3">'
    return "\n".join([_DECLARATION, head, *_format_root(flow, scripts), "</ChoregrapheProject>"]) + "\n"


def _format_root(flow: Flow, scripts: Mapping[str, str]) -> Iterator[str]:
    head = _list_box_attributes(ROOT, -1, "The whole behaviour.", 0, 0)
    ports = [
        _format_port("Input", Port("onStart", "bang", "onStart", "Starts the behaviour."), 2),
        _format_port("Input", Port("onStop", "bang", "onStop", "Stops the behaviour."), 3),
        _format_port("Output", Port("onStopped", "bang", "stopped", "The end."), 4),
    ]
    yield f"  <Box {head}>"
    yield from _indent_lines(_format_head(_ROOT_ICON, "") + ports, 4)
    yield '    <Timeline enable="0">'
    yield '      <BehaviorLayer name="behavior_layer1">'
    yield '        <BehaviorKeyframe name="keyframe1" index="1">'
    yield '          <Diagram scale="100">'
    for number, box in enumerate(flow.boxes, start=1):
        yield from _format_box(box, number, scripts[box.script])
    yield from _indent_lines(_format_links(flow), 12)
    yield "          </Diagram>"
    yield "        </BehaviorKeyframe>"
    yield "      </BehaviorLayer>"
    yield "    </Timeline>"
    yield "  </Box>"


def _format_box(box: Box, number: int, script: str) -> Iterator[str]:
    ids = number_ports(box)
    lines = _format_head(_BOX_ICON, script)
    lines += [_format_port("Input", port, ids[port.name]) for port in box.inputs]
    lines += [_format_port("Output", port, ids[port.name]) for port in box.outputs]
    for parameter in box.parameters:
        lines += _format_parameter(parameter, ids[parameter.name])
    lines += [format_tag("Resource", name=name, type="Lock", timeout=0) for name in box.resources]
    yield f"            <Box {_list_box_attributes(box.name, number, box.tooltip, box.x, box.y)}>"
    yield from _indent_lines(lines, 14)
    yield "            </Box>"


def _list_box_attributes(name: str, number: int, tooltip: str, x: int, y: int) -> str:
    return format_attributes(name=name, id=number, localization=_LOCALIZATION, tooltip=tooltip, x=x, y=y)


def _format_head(icon: str, script: str) -> list[str]:
    return [
        f"<bitmap>{icon}</bitmap>",
        '<script language="4">',
        "  <content>",
        f"    <![CDATA[{script}]]>",
        "  </content>",
        "</script>",
        format_tag("Input", name="onLoad", type=1, type_size=1, nature=0, inner=1, tooltip=_ON_LOAD_TIP, id=ON_LOAD),
    ]


def _format_port(element: str, port: Port, number: int) -> str:
    kinds = {"type": PORT_TYPES[port.type], "type_size": 1}
    nature = {**INPUT_NATURES, **OUTPUT_NATURES}[port.nature]
    return format_tag(element, name=port.name, **kinds, nature=nature, inner=0, tooltip=port.tooltip, id=number)


def _format_parameter(parameter: Parameter, number: int) -> list[str]:
    text = _format_value(parameter.type, parameter.value)
    attributes: dict[str, object] = {"name": parameter.name, "inherits_from_parent": int(parameter.inherits)}
    attributes |= {"content_type": PARAMETER_TYPES[parameter.type], "value": text, "default_value": text}
    if parameter.minimum is not None and parameter.maximum is not None:
        attributes["min"] = _format_value(parameter.type, parameter.minimum)
        attributes["max"] = _format_value(parameter.type, parameter.maximum)
    elif parameter.type == "string":
        attributes["custom_choice"] = int(parameter.custom)
    attributes |= {"tooltip": parameter.tooltip, "id": number}
    if not parameter.choices:
        return [format_tag("Parameter", **attributes)]
    choices = ["  " + format_tag("Choice", value=choice) for choice in parameter.choices]
    return [f"<Parameter {format_attributes(**attributes)}>", *choices, "</Parameter>"]


def _format_value(kind: str, value: Value) -> str:
    """Return the text of a parameter's value in the xar.

    >>> _format_value("bool", True), _format_value("int", 8), _format_value("double", 8)
    ('1', '8', '8.0')
    """
    if kind == "string":
        return str(value)
    return repr(float(value)) if kind == "double" else str(int(value))


def _format_links(flow: Flow) -> list[str]:
    owners = {box.name: number for number, box in enumerate(flow.boxes, start=1)}
    ports = {box.name: number_ports(box) for box in flow.boxes}

    def ids(end: End) -> tuple[int, int]:
        if end.box == ROOT:
            return 0, ROOT_PORTS[end.port]
        return owners[end.box], ports[end.box][end.port]

    def format_link(link: FlowLink) -> str:
        (receiver, entry), (emitter, exit_) = ids(link.receiver), ids(link.emitter)
        return format_tag("Link", inputowner=receiver, indexofinput=entry, outputowner=emitter, indexofoutput=exit_)

    return [format_link(link) for link in flow.links]


def _indent_lines(lines: list[str], depth: int) -> Iterator[str]:
    for line in lines:
        # A script is one item with its line ends: only its first line is indented.
        yield " " * depth + line


# Building the project from its sources, and comparing it with them.

#: The place of the picture in the checkout.
DIAGRAM = "docs/diagram.svg"
#: The most lines of a diff that are shown.
_MAX_DIFF_LINES = 12

#: Drawing takes a second, and one process often needs the picture several times.
_drawn = functools.lru_cache(maxsize=2)(draw_diagram)


def generate_files(sources: Sources) -> dict[str, str]:
    """Return the text of every generated file by its place in the checkout."""
    return {**generate_project(sources), DIAGRAM: _drawn(sources.flow)}


def generate_project(sources: Sources) -> dict[str, str]:
    """Return the texts of the generated files in the project's folder by their places in the checkout.

    The `.pml` lists lib only if there is one, so that Choregraphe misses no file in a fresh clone.
    """
    name = find_uuid(sources.manifest)
    behaviour = sources.flow.behaviour
    listed = format_project(name, behaviour, sources.topics, ["icon.png"])
    texts = {
        f"{PROJECT}/{behaviour}/behavior.xar": format_xar(sources.flow, sources.assemble_scripts()),
        f"{PROJECT}/{name}.pml": format_listing(listed, sources.library if sources.is_staged else ()),
        MANIFEST: stamp_version(sources.manifest, sources.version),
    }
    texts |= {f"{PROJECT}/{place}": text for place, text in format_dialogs(sources.topics).items()}
    texts |= {f"{PROJECT}/{topic.topic_path}": topic.text for topic in sources.topics}
    return texts


def build(root: Path, texts: Mapping[str, str]) -> list[str]:
    """Write what differs from the generated texts, and return the places written."""
    stale = list_differing(root, texts)
    for place in stale:
        write_whole(root / place, texts[place])
    return stale


def list_differing(root: Path, texts: Mapping[str, str]) -> list[str]:
    """Return the places whose file is missing or differs from the generated text."""
    return [place for place, text in texts.items() if _load_committed(root / place) != text.encode("utf-8")]


def describe_differences(root: Path, texts: Mapping[str, str]) -> list[str]:
    """Return a short unified diff, from the file to the generated text, for each file that differs."""
    return [
        _describe_difference(place, _load_committed(root / place), texts[place])
        for place in list_differing(root, texts)
    ]


def list_unknown_files(root: Path, texts: Mapping[str, str]) -> list[str]:
    """List files in the project folder that the build does not write: Choregraphe would copy them to the robot."""
    known = {*texts, ICON}
    found = (path.relative_to(root).as_posix() for path in sorted((root / PROJECT).rglob("*")) if path.is_file())
    return [place for place in found if place not in known and not place.startswith(f"{LIBRARY}/")]


def _load_committed(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _describe_difference(place: str, committed: bytes | None, wanted: str) -> str:
    if committed is None:
        return f"{place} is missing"
    before = committed.decode("utf-8", "replace").splitlines()
    after = f"{place} as the sources say"
    lines = list(difflib.unified_diff(before, wanted.splitlines(), place, after, lineterm="", n=1))
    if not lines:
        return f"{place} differs in its line ends or its last line only"
    rest = [f"... and {len(lines) - _MAX_DIFF_LINES} lines more"] if len(lines) > _MAX_DIFF_LINES else []
    return "\n".join([*(line[:200] for line in lines[:_MAX_DIFF_LINES]), *rest])


# Copying engine, conversation and word lists into the project's `lib`.

_CACHES = "__pycache__"
#: The largest `.pml` that is read.
_MAX_PML_BYTES = 1_000_000

#: Place in a folder -> the file to copy there, or its content.
Files = Mapping[str, "Path | bytes"]


@dataclass(frozen=True)
class Staged:
    """The changes of a staging: places in the staged folder, and in `listed` the changed `.pml` files."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    listed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.listed)


def stage(root: Path) -> Staged:
    """Make `lib` match the checkout, and list it in the `.pml`; write nothing if both are up to date."""
    files = list_library(root)
    return replace(_replace_folder(root / LIBRARY, files), listed=_list(root / PROJECT, files))


def unstage(root: Path) -> bool:
    """Remove `lib` and its list in the `.pml`; return whether there was either."""
    listed, folder = _list(root / PROJECT, ()), root / LIBRARY
    if not folder.is_dir():
        return bool(listed)
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise StageRefused(f"'{folder}' cannot be removed ({error.strerror}).") from error
    return True


def refresh(root: Path) -> bool:
    """Stage again if a `lib` exists and differs; return whether it did."""
    return (root / LIBRARY).is_dir() and bool(stage(root))


def is_stale(root: Path) -> bool:
    """Return whether a `lib` exists and differs from the checkout."""
    return (root / LIBRARY).is_dir() and bool(_compare_library(root / LIBRARY, list_library(root)))


def stage_to(root: Path, target: Path) -> Staged:
    """Copy the project with a fresh `lib` to another folder, which must be absent, empty or an earlier copy."""
    is_copy = (target / "manifest.xml").is_file() and any(target.glob("*.pml"))
    if target.exists() and not (is_copy or (target.is_dir() and not any(target.iterdir()))):
        raise StageRefused(f"'{target}' has other files; name a folder that is absent, empty or an earlier copy.")
    project = (root / PROJECT).resolve()
    if project in (target.resolve(), *target.resolve().parents):
        raise StageRefused(f"'{target}' is inside the project; name a folder outside {PROJECT}.")
    held = list_library(root)
    files: dict[str, Path | bytes] = {f"lib/{place}": path for place, path in held.items()}
    for path in sorted(project.rglob("*")):
        place = path.relative_to(project).as_posix()
        if path.is_file() and not place.startswith("lib/"):
            files[place] = _format_listing(path, held).encode("utf-8") if place.endswith(".pml") else path
    return _replace_folder(target, files)


def _list(project: Path, places: Iterable[str]) -> tuple[str, ...]:
    """Make the `.pml` list these files of lib; return its name if that changed it."""
    changed = []
    for path in sorted(project.glob("*.pml")):
        text = _format_listing(path, places)
        if text.encode("utf-8") != path.read_bytes():
            changed.append(write_whole(path, text).name)
    return tuple(changed)


def _format_listing(path: Path, places: Iterable[str]) -> str:
    try:
        return format_listing(read_bounded(path, _MAX_PML_BYTES, "project file").decode("utf-8"), places)
    except UnicodeDecodeError as error:
        raise StageRefused(f"'{path}' is not UTF-8; run 'jotto robot build'.") from error


def _replace_folder(folder: Path, files: Files) -> Staged:
    difference = _compare_library(folder, files)
    if not difference and folder.is_dir():
        return difference
    mark = secrets.token_hex(4)
    fresh, old = (folder.with_name(f".{folder.name}.{mark}.{word}") for word in ("new", "old"))
    try:
        for place, source in files.items():
            (fresh / place).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(source, bytes):
                (fresh / place).write_bytes(source)
            else:
                shutil.copyfile(source, fresh / place)
        _exchange(fresh, folder, old)
    except OSError as error:
        raise StageRefused(f"'{folder}' cannot be written ({error.strerror}); nothing was changed.") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return difference


def _exchange(fresh: Path, folder: Path, old: Path) -> None:
    if not folder.exists():
        fresh.rename(folder)
        return
    folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        old.rename(folder)
        raise


def _compare_library(folder: Path, files: Files) -> Staged:
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    there = {place: path for place, path in there.items() if _CACHES not in Path(place).parts}
    return Staged(
        added=tuple(sorted(files.keys() - there.keys())),
        changed=tuple(place for place in sorted(files.keys() & there.keys()) if _differ(files[place], there[place])),
        removed=tuple(sorted(there.keys() - files.keys())),
    )


def _differ(one: Path | bytes, other: Path) -> bool:
    return (one if isinstance(one, bytes) else one.read_bytes()) != other.read_bytes()
