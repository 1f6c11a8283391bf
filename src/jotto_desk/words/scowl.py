"""The English list: built from one pinned package of SCOWL, the same bytes every time."""

import hashlib
import io
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from jotto.blocklist import BlockList

from .. import files, places
from ..errors import DeskError

PACKAGE, VERSION = "scowl", "2020.12.07-2"
FILE_NAME = f"{PACKAGE}_{VERSION}_all.deb"
SHA256 = "de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718"
BANDS = (10, 20, 35, 40, 50)
VARIETIES = ("english", "american")
FOLDER = "./usr/share/dict/scowl"
HEADER = (
    "# English words of five letters, the commonest first: word, tab, size of the smallest SCOWL list that has it.\n"
    "# Made by 'jotto words build'. Sources, licences and checksums: SOURCES.md\n"
)
_MOST_BYTES = 16 << 20
_SECONDS = 120
_MAGIC = b"!<arch>\n"
_FIVE = re.compile("[a-z]{5}")
#: Words of any length.
PLAIN = re.compile("[a-z]+")


def build(package: bytes, blocked: BlockList) -> str:
    """Write the English list from the package's bytes, blocked words left out.

    Raises `DeskError` when the package is another than the pinned one.
    """
    check(package)
    bands = words_by_band(package)
    order = sorted((band, word) for word, band in bands.items() if not blocked.blocks(word))
    return HEADER + "".join(f"{word}\t{band}\n" for band, word in order)


def check(package: bytes) -> None:
    """Raise `DeskError` for another package than the pinned one."""
    found = hashlib.sha256(package).hexdigest()
    if found != SHA256:
        raise DeskError(f"The package has the SHA-256 '{found}', not the '{SHA256}' of {FILE_NAME}; get that version.")


def words_by_band(package: bytes, form: re.Pattern[str] = _FIVE) -> dict[str, int]:
    """Give each plain word of this form in the package, five letters if not given, the smallest size it occurs in."""
    bands: dict[str, int] = {}
    archive = next(content for name, content in members(package) if name.startswith("data.tar"))
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        texts = {member.name: member for member in tar if member.isfile()}
        for band in BANDS:
            for variety in VARIETIES:
                file = tar.extractfile(texts[f"{FOLDER}/{variety}-words.{band}"])
                assert file is not None  # isfile() was true
                for line in file.read().decode("latin-1").splitlines():
                    if form.fullmatch(line):
                        bands.setdefault(line, band)
    return bands


def members(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Take an `ar` archive, which a Debian package is, apart into names and contents.

    Raises `DeskError` when it is none.
    """
    if not archive.startswith(_MAGIC):
        raise DeskError("This is not a Debian package (no 'ar' archive); give the file " + FILE_NAME + ".")
    at = len(_MAGIC)
    while at + 60 <= len(archive):
        head = archive[at : at + 60]
        size = head[48:58].decode("ascii", "replace").strip()
        if head[58:] != b"`\n" or not size.isdigit():
            raise DeskError(f"The package is damaged at byte {at}; get it again.")
        yield head[:16].decode("ascii", "replace").strip().rstrip("/"), archive[at + 60 : at + 60 + int(size)]
        at += 60 + int(size) + int(size) % 2


def package(file: Path | None, cache: Path | None = None) -> bytes:
    """Get the package: the file named, the project's copy of it, or a fresh one from the system's package service.

    Raises `DeskError` when none of these has it.
    """
    if file is not None:
        return files.read_bounded(file, _MOST_BYTES, "package")
    root = places.checkout()
    copy = (cache or (root / ".cache" if root else places.cache_folder())) / FILE_NAME
    if copy.is_file():
        return files.read_bounded(copy, _MOST_BYTES, "package")
    content = _download()
    files.write_whole(copy, content)
    return content


def _download() -> bytes:
    advice = f"give the file with --from {FILE_NAME}."
    if shutil.which("apt-get") is None:
        raise DeskError(f"The package {PACKAGE} {VERSION} is needed and 'apt-get' is not there to get it; {advice}")
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run(
                ["apt-get", "--quiet", "download", f"{PACKAGE}={VERSION}"],
                cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise DeskError(f"'apt-get' did not finish within {_SECONDS} seconds; {advice}") from error
        except (OSError, subprocess.CalledProcessError) as error:
            raise DeskError(f"'apt-get' could not get {PACKAGE} {VERSION}; {advice}") from error
        return files.read_bounded(next(Path(folder).glob("*.deb"), Path(folder, FILE_NAME)), _MOST_BYTES, "package")
