"""The errors of the robot kit, by what the person at the desk was doing."""

from __future__ import annotations

from collections.abc import Sequence

from jotto_desk.errors import DeskError


class KitError(DeskError):
    """Anything the robot kit refuses; several findings are listed one below the other."""

    def __init__(self, title: str, findings: Sequence[str] = ()) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join([title, *(f"  - {finding}" for finding in findings)]))


class FlowRefused(KitError):
    """The flow or a box script contradicts itself."""


class PullRefused(KitError):
    """Something was done in Choregraphe that the sources cannot hold."""


class StageRefused(KitError):
    """The library folder of the Choregraphe project cannot be made."""


class PackageRefused(KitError):
    """The project cannot become a package, or a package cannot go onto a robot."""
