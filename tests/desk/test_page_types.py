"""The page's JavaScript under TypeScript's checker, with the types of its comments."""

import json
import shutil
import subprocess

import pytest
from filelock import FileLock
from interpreters import ROOT
from programs import need_program

from naosim_page.site import find_program

PAGE = ROOT / "simulator" / "naosim_page"
#: Workers and worklets have other names than a page.
ELSEWHERE = ("worker.js", "service_worker.js", "blocks.js", "python.js")
OPTIONS = {
    "allowJs": True,
    "checkJs": True,
    "noEmit": True,
    "strict": True,
    "target": "ES2024",
    "module": "ESNext",
    "moduleResolution": "bundler",
    "lib": ["ESNext", "DOM", "DOM.Iterable"],
    "skipLibCheck": True,
    "types": [],
}
NPM_TIMEOUT_S = 300


def install_checker():
    """Return the folder of the pinned libraries with TypeScript, which npm installs on first use."""
    need_program("node")
    place = ROOT / ".cache" / "page-types"
    place.mkdir(parents=True, exist_ok=True)
    with FileLock(place.with_suffix(".lock"), timeout=NPM_TIMEOUT_S):
        pins = [PAGE / "package.json", PAGE / "package-lock.json"]
        # npm writes this file last.
        installed = place / "node_modules" / ".package-lock.json"
        if any(not (place / pin.name).is_file() or (place / pin.name).read_bytes() != pin.read_bytes() for pin in pins):
            installed.unlink(missing_ok=True)
            for pin in pins:
                shutil.copy(pin, place)
        if not installed.is_file():
            command = [*find_program("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional"]
            subprocess.run(command, cwd=place, check=True, capture_output=True, timeout=NPM_TIMEOUT_S)
    return place / "node_modules"


@pytest.mark.timeout(NPM_TIMEOUT_S + 120)
def test_the_types_of_the_page_fit(tmp_path):
    modules = install_checker()
    shutil.copytree(PAGE / "static", tmp_path, dirs_exist_ok=True)
    shutil.copytree(ROOT / "src" / "jotto_desk" / "play" / "page" / "static", tmp_path / "game")
    (tmp_path / "node_modules").symlink_to(modules)
    shutil.copytree(modules / "lit-html", tmp_path / "lib" / "lit-html")
    (tmp_path / "lib" / "three").mkdir()
    (tmp_path / "lib" / "three" / "three.module.min.d.ts").write_text('export * from "three";\n', encoding="utf-8")
    project = {"compilerOptions": OPTIONS, "include": ["*.js", "game/*.js"], "exclude": ELSEWHERE}
    (tmp_path / "tsconfig.json").write_text(json.dumps(project), encoding="utf-8")
    command = [*find_program("node"), str(modules / "typescript" / "bin" / "tsc"), "-p", str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=NPM_TIMEOUT_S, check=False)
    assert (found.stdout, found.returncode) == ("", 0)
