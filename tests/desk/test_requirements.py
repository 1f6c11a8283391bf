"""The releases that the project may be installed with."""

import re

import pytest
from interpreters import ROOT
from packaging.requirements import Requirement

#: The last release with a known vulnerability, as far as was known in November 2026.
VULNERABLE = {
    "requests": "2.32.5",
    "fastapi": "0.132.0",
    "starlette": "1.3.0",
    "virtualenv": "20.21.1",
    "filelock": "3.20.2",
    "nltk": "3.9.4",
    "jupyterlab": "4.6.1",
    "dask": "2025.12.0",
    "pytest": "9.0.2",
}


@pytest.fixture(scope="module")
def required():
    """List what pyproject.toml requires, the packages' versions in brackets aside."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.scripts]")[0]
    return [Requirement(line) for line in re.findall(r'"([\w.-]+(?:\[[\w,]+\])?[<>=~][^"]*)"', text)]


@pytest.mark.parametrize("name, version", VULNERABLE.items())
def test_no_release_with_a_known_vulnerability_is_admitted(required, name, version):
    """fastapi up to 0.132 takes no starlette without one."""
    admitting = [str(each) for each in required if each.name == name and each.specifier.contains(version)]
    pinned = re.findall(rf"(?m)^{name}==([\w.]+)", (ROOT / "constraints.txt").read_text(encoding="ascii"))
    assert admitting == [] and version not in pinned
    assert len(required) > 40
