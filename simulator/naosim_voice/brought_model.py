"""A model of Moonshine in another language, which a user brings.

Moonshine's makers offer these models only on their own server, some of them not for commercial use. So nothing is
downloaded here: the user gets the files, and accepts their licence.
"""

import shutil
import tempfile
from pathlib import Path

from .model import NETWORK_FILES, model_folder
from .moonshine import OnnxNetwork
from .names import BROUGHT_LANGUAGES
from .recogniser import VoiceError

#: The largest file in bytes; a decoder of the size "base" has about 105 MB.
_MAX_BYTES = 250_000_000
#: Characters of the first line of a licence that are shown.
_MAX_LINE = 100
#: A file of Moonshine's streaming models: five networks, which work differently.
_STREAMING = "streaming_config.json"


def bring_model(language: str, source: Path) -> str:
    """Check the model in a folder by running it, and keep a copy for a language.

    Return the first line of its licence, "" if it came without one. Raises VoiceError if the folder has no such model,
    or if it cannot be kept.
    """
    if language not in BROUGHT_LANGUAGES:
        raise VoiceError(f"The language {language!r} is not one of {', '.join(BROUGHT_LANGUAGES)}.")
    licence = _check_files(source)
    OnnxNetwork(source, "Get its files again, or another model.")
    folder = model_folder(language)
    if source.resolve() == folder.resolve():
        raise VoiceError(f"The folder '{source}' is the place of this model already: there is nothing to copy.")
    try:
        content = (source / licence).read_bytes() if licence else b""
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as place:
            whole = Path(place) / folder.name
            whole.mkdir()
            for name in NETWORK_FILES:
                shutil.copyfile(source / name, whole / name)
            if content:
                (whole / "LICENSE").write_bytes(content)
            if folder.exists():
                folder.rename(Path(place) / "before")
            whole.rename(folder)
    except OSError as error:
        raise VoiceError(f"The model cannot be saved in '{folder}': {error.strerror or error}.") from error
    lines = content.decode("utf-8", "replace").strip().splitlines()
    return lines[0].strip()[:_MAX_LINE] if lines else ""


def _check_files(source: Path) -> str:
    """Return the name of a model's licence, "" if it lacks one; raises VoiceError for a folder without a model."""
    try:
        sizes = {path.name: path.stat().st_size for path in source.iterdir() if path.is_file()}
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise VoiceError(f"The folder '{error.filename or source}' cannot be read ({reason}).") from error
    wanted = " and ".join((", ".join(NETWORK_FILES[:-1]), NETWORK_FILES[-1]))
    lacking = next((name for name in NETWORK_FILES if name not in sizes), "")
    if lacking:
        streaming = ". It has a streaming model, which NAO cannot run" if _STREAMING in sizes else ""
        raise VoiceError(f"The folder '{source}' lacks {lacking}{streaming}: bring a model of Moonshine with {wanted}.")
    licence = next((name for name in sorted(sizes) if name.upper().startswith(("LICENSE", "LICENCE"))), "")
    for name in filter(None, (*NETWORK_FILES, licence)):
        if sizes[name] > _MAX_BYTES:
            raise VoiceError(
                f"The file '{source / name}' has {sizes[name] // 1_000_000:,} MB; the limit is "
                f"{_MAX_BYTES // 1_000_000} MB: bring a model of the size tiny or base."
            )
    return licence
