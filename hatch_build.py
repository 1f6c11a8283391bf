"""Packaging hook: it compiles the solver's C part, into the wheel or, for an editable install, next to its sources.

It packs the Choregraphe project as it is committed, even if somebody staged its lib.
"""

import importlib.util
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

# The description is made as that of naosim.
sys.path.insert(0, str(Path(__file__).parent / "simulator"))
from naosim_build import DescriptionHook  # noqa: F401

NATIVE = "jotto_desk/solver/native"
PROJECT = "choregraphe_project"
SHIPPED = f"jotto_desk/shipped/{PROJECT}"
#: A line of the project file for a file of lib.
IN_LIB = re.compile(r'.* src="lib/.*\n')
#: Shared libraries that every Linux of a manylinux tag has.
EVERYWHERE = {"libc.so.6", "libm.so.6"}
#: The oldest C library of such a tag, glibc 2.17 of 2012.
OLDEST = 17


class PackagingHook(BuildHookInterface[BuilderConfig]):
    """Builds the library; without a compiler, or with JOTTO_NATIVE=0, the wheel is for every platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build into the checkout for an editable install, else into a temporary folder, for the wheel."""
        self._scratch = tempfile.TemporaryDirectory(prefix="jotto-")
        if version != "editable":
            build_data["force_include"] |= self._project()
        if self.target_name != "wheel":
            return
        core = _build_module(Path(self.root, "src", NATIVE, "build.py"))
        folder = core.FOLDER if version == "editable" else Path(self._scratch.name)
        library = folder / core.name_library()
        try:
            core.find_compiler(os.environ)
            if version != "editable" or core.is_stale(library):
                core.build(library, os.environ)
        except core.NotBuilt as reason:
            self.app.display_warning(core.describe_absence(reason))
            return
        if version != "editable":
            build_data["force_include"][str(library)] = f"{NATIVE}/{library.name}"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{_platform(library.read_bytes(), os.environ)}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        self._scratch.cleanup()

    def _project(self) -> dict[str, str]:
        """Map files to their places: for a wheel the whole project, for an sdist only the changed `.pml`."""
        found, project = {}, Path(self.root, PROJECT)
        for path in sorted(path for path in project.rglob("*") if path.is_file()):
            place = path.relative_to(project)
            if place.suffix == ".pml":
                plain = Path(self._scratch.name, place.name)
                plain.write_bytes(IN_LIB.sub("", path.read_bytes().decode("utf-8")).encode("utf-8"))
                found[str(plain)] = f"{SHIPPED if self.target_name == 'wheel' else PROJECT}/{place.name}"
            elif self.target_name == "wheel" and place.parts[0] != "lib":
                found[str(path)] = f"{SHIPPED}/{place.as_posix()}"
        return found


def _build_module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("jotto_native_build", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"'{path}' is missing.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _platform(library: bytes, environ: Mapping[str, str]) -> str:
    """Return the platform tag: on Linux that of every Linux whose C library is new enough for this library.

    The library contains the names of the libraries and of the versions of the C library that it needs. If it needs
    others, or is compiled for one kind of processor, it gets the tag of this computer, which package indexes refuse.
    """
    tags = list(platform_tags())
    plain = next(tag for tag in tags if "manylinux" not in tag and "musllinux" not in tag)
    needed = {name.decode() for name in re.findall(rb"\0(lib[\w+.-]+\.so[\d.]*)(?=\0)", library)}
    versions = re.findall(rb"\0GLIBC_([\w.]+)", library)
    is_special = re.search(r"(^|\s)-m", f"{environ.get('CC', '')} {environ.get('CFLAGS', '')}") is not None
    if (
        not any("manylinux" in tag for tag in tags)
        or not needed <= EVERYWHERE
        or is_special
        or not all(version.startswith(b"2.") for version in versions)
    ):
        return plain
    newest = max([OLDEST, *(int(version.split(b".")[1]) for version in versions)])
    return f"manylinux_2_{newest}_{plain.removeprefix('linux_')}"
