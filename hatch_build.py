"""Packaging hook: a wheel carries the solver's C part compiled, an editable install has it beside its sources."""

import importlib.util
import os
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

NATIVE = "jotto_desk/solver/native"


class NativeHook(BuildHookInterface[BuilderConfig]):
    """Builds the library; without a compiler, or with JOTTO_NATIVE=0, the wheel is one for every platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build into the checkout for an editable install, else into a folder of its own that goes into the wheel."""
        core = _build_module(Path(self.root, "src", NATIVE, "build.py"))
        self._scratch = tempfile.TemporaryDirectory(prefix="jotto-")
        folder = core.FOLDER if version == "editable" else Path(self._scratch.name)
        library = folder / core.library_name()
        try:
            core.find_compiler(os.environ)
            if version != "editable" or core.is_stale(library):
                core.build(library, os.environ)
        except core.NotBuilt as reason:
            self.app.display_warning(core.without(reason))
            return
        if version != "editable":
            build_data["force_include"][str(library)] = f"{NATIVE}/{library.name}"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{_platform()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove that folder."""
        self._scratch.cleanup()


def _build_module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("jotto_native_build", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"'{path}' is missing.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _platform() -> str:
    """Return this computer's plain platform tag: the library was not checked against other Linuxes."""
    return next(tag for tag in platform_tags() if "manylinux" not in tag and "musllinux" not in tag)
