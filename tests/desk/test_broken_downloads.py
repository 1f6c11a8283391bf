"""A download that fails half way is named, and tried again the next time."""

import os
import shutil
import subprocess
import sys

import interpreters
import pytest
from command_line import jotto
from interpreters import ROOT

from naosim_page import site

#: An npm that ends well, and "installs" the files that are listed in the file `offer`.
NPM = """import pathlib, sys
for name in pathlib.Path(sys.argv[1]).read_text().split():
    path = pathlib.Path("node_modules", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("content")
"""


@pytest.fixture
def offer(tmp_path):
    """Provide the file with the names of the files that npm can fetch."""
    return tmp_path / "offer"


@pytest.fixture
def npm(tmp_path, offer):
    (tmp_path / "npm.py").write_text(NPM, encoding="utf-8")
    return [sys.executable, str(tmp_path / "npm.py"), str(offer)]


@pytest.mark.parametrize("library", ["onnxruntime-web", "pyodide"])
def test_a_library_that_npm_did_not_fetch_is_named_and_fetched_the_next_time(tmp_path, npm, offer, library):
    def needed_files():
        needed = {**site.LIBRARIES, site.RECOGNITION: site._RECOGNITION_FILES.values()}
        return [f"{name}/{file}" for name, files in needed.items() for file in files]

    every = needed_files()
    offer.write_text("\n".join(name for name in every if not name.startswith(library)), encoding="utf-8")
    cache = tmp_path / "cache"
    with pytest.raises(site.SiteError, match=f"library {library}: check the network, and try again"):
        site.install_libraries(cache, npm, with_recognition=True)
    offer.write_text("\n".join(every), encoding="utf-8")
    libraries = site.install_libraries(cache, npm, with_recognition=True)
    assert all((libraries / name).is_file() for name in every)
    # A folder of an older version, or of a full disk, can lack a file.
    (libraries / every[-1]).unlink()
    (libraries / every[0]).write_bytes(b"")
    assert site.install_libraries(cache, npm, with_recognition=True) == libraries
    assert all((libraries / name).stat().st_size for name in every)
    # Without npm, it is enough if all are there.
    assert site.install_libraries(cache, [], with_recognition=True) == libraries
    assert site.install_libraries(cache, []) == libraries


def test_the_output_folder_is_not_blamed_for_a_source_that_cannot_be_read(tmp_path, monkeypatch, capsys):
    def lose_library():
        libraries = tmp_path / "libraries"
        libraries.mkdir()
        return libraries

    monkeypatch.setattr(site, "find_libraries", lose_library)
    code, _, err = jotto(capsys, "site", "--out", str(tmp_path / "site"), "--without-voice")
    assert code == 2 and "lit-html" not in err and "choose another folder" not in err, err
    assert "three.module.min.js', which the site needs, cannot be read (No such file or directory)." in err
    assert not (tmp_path / "site").exists()


def test_python_27_s_packages_are_installed_again_if_that_was_interrupted(tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\n", encoding="utf-8")
    assert not interpreters._is_ready(python)


@pytest.fixture
def checkout(tmp_path):
    """Provide a folder with the Makefile, and a Python whose `venv` ends half way unless `whole` exists."""
    (tmp_path / "simulator").mkdir()
    for name in ("Makefile", "pyproject.toml", "simulator/pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    python = tmp_path / "python"
    python.write_text(
        '#!/bin/sh\n[ "$2" = venv ] || exit 0\nmkdir -p .venv/bin\ncp python .venv/bin/python\n[ -e whole ]\n',
        encoding="utf-8",
    )
    python.chmod(0o755)
    return tmp_path


def make(folder, *arguments):
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "PYTHON=./python", *arguments]
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=60, check=False)


def test_half_an_environment_is_made_again(checkout):
    """Debian's Python without python3-venv ends like this; every later `make` failed, because pip was missing."""
    assert make(checkout, ".venv/.ready").returncode != 0 and not (checkout / ".venv/.ready").exists()
    (checkout / "whole").touch()
    ended = make(checkout, ".venv/.ready")
    assert ended.returncode == 0 and "-m venv" in ended.stdout and (checkout / ".venv/.ready").exists()


def test_the_solver_is_compiled_as_soon_as_there_is_a_compiler(checkout):
    native = checkout / "src/jotto_desk/solver/native"
    native.mkdir(parents=True)
    (native / "build.py").touch()
    (checkout / "whole").touch()
    asked = [make(checkout, ".venv/.ready-native").returncode for _ in range(2)]
    assert asked == [0, 0] and not (checkout / ".venv/.ready-native").exists()
    (native / "_core.so").touch()
    make(checkout, ".venv/.ready-native")
    assert (checkout / ".venv/.ready-native").exists()
