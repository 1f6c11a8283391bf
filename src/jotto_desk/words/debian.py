"""Pinned packages of Debian: from a file, the project's copy, or the system's package service; and what is in them."""

import contextlib
import hashlib
import io
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .. import files, places
from ..errors import DeskError

_MOST_BYTES = 16 << 20
#: No file in a package is larger once unpacked.
_MOST_UNPACKED = 64 << 20
_SECONDS = 120
_MAGIC = b"!<arch>\n"


@dataclass(frozen=True)
class DebianPackage:
    """One version of a package for every machine, known by its SHA-256."""

    name: str
    version: str
    sha256: str

    @property
    def file_name(self) -> str:
        """Name the package's file as the package service does."""
        return f"{self.name}_{self.version.replace(':', '%3a')}_all.deb"

    def check(self, content: bytes) -> None:
        """Raise `DeskError` for another package than the pinned one."""
        found = hashlib.sha256(content).hexdigest()
        if found != self.sha256:
            raise DeskError(
                f"The package has the SHA-256 '{found}', not the '{self.sha256}' of {self.file_name}; get that version."
            )

    def get(self, file: Path | None, cache: Path | None = None) -> bytes:
        """Get the package: the file named, the project's copy of it, or a fresh one from the system's package service.

        Raises `DeskError` when none of these has it.
        """
        if file is not None:
            return files.read_bounded(file, _MOST_BYTES, "package")
        root = places.checkout()
        copy = (cache or (root / ".cache" if root else places.cache_folder())) / self.file_name
        if copy.is_file():
            return files.read_bounded(copy, _MOST_BYTES, "package")
        content = self._download()
        files.write_whole(copy, content)
        return content

    def _download(self) -> bytes:
        advice = f"give the file with --from {self.file_name}."
        return _downloaded(f"{self.name}={self.version}", f"{self.name} {self.version}", advice)[1]


def newest(name: str) -> tuple[DebianPackage, bytes]:
    """Get the newest version of a package from the system's package service, to be pinned; raises `DeskError`."""
    file_name, content = _downloaded(name, name, "get it on a Debian or Ubuntu.")
    version = file_name.removesuffix(".deb").split("_")[1].replace("%3a", ":")
    return DebianPackage(name, version, hashlib.sha256(content).hexdigest()), content


def _downloaded(wanted: str, said: str, advice: str) -> tuple[str, bytes]:
    """Have `apt-get` fetch a package: the name of its file and its bytes."""
    if shutil.which("apt-get") is None:
        raise DeskError(f"The package {said} is needed and 'apt-get' is not there to get it; {advice}")
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run(
                ["apt-get", "--quiet", "download", wanted],
                cwd=folder,
                check=True,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise DeskError(f"'apt-get' did not finish within {_SECONDS} seconds; {advice}") from error
        except (OSError, subprocess.CalledProcessError) as error:
            raise DeskError(f"'apt-get' could not get {said}; {advice}") from error
        found = next(Path(folder).glob("*.deb"), Path(folder, "package.deb"))
        return found.name, files.read_bounded(found, _MOST_BYTES, "package")


def names(package: bytes) -> list[str]:
    """List the places of the files in a package, links left out; raises `DeskError`."""
    with _opened(package) as tar:
        return [member.name for member in tar if member.isfile()]


def unpacked(package: bytes, wanted: set[str]) -> dict[str, bytes]:
    """Read files of a package by their places in it, such as `./usr/share/dict/words`.

    Raises `DeskError` when one is missing, or too large.
    """
    found: dict[str, bytes] = {}
    with _opened(package) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() and member.name in wanted else None
            if file is not None and member.size <= _MOST_UNPACKED:
                found[member.name] = file.read()
    if wanted - set(found):
        raise DeskError(f"The package has no file '{min(wanted - set(found))}'; get the version that is pinned.")
    return found


@contextlib.contextmanager
def _opened(package: bytes) -> Iterator[tarfile.TarFile]:
    """Open what a package installs; raises `DeskError` for one without, or damaged."""
    archive = next((content for name, content in members(package) if name.startswith("data.tar")), None)
    if archive is None:
        raise DeskError("The package holds no files; get it again.")
    try:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            yield tar
    except (tarfile.TarError, OSError, EOFError) as error:
        raise DeskError(f"The package cannot be unpacked ({error}); get it again.") from error


def members(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Take an `ar` archive, which a Debian package is, apart into names and contents.

    Raises `DeskError` when it is none.
    """
    if not archive.startswith(_MAGIC):
        raise DeskError("This is not a Debian package (no 'ar' archive); give the file that ends in '_all.deb'.")
    at = len(_MAGIC)
    while at + 60 <= len(archive):
        head = archive[at : at + 60]
        size = head[48:58].decode("ascii", "replace").strip()
        if head[58:] != b"`\n" or not size.isdigit():
            raise DeskError(f"The package is damaged at byte {at}; get it again.")
        yield head[:16].decode("ascii", "replace").strip().rstrip("/"), archive[at + 60 : at + 60 + int(size)]
        at += 60 + int(size) + int(size) % 2
