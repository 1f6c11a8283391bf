"""Moonshine's two networks by ONNX Runtime: one listens to a sound, the other tells how likely each next token is."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import VoiceError
from .tokens import BEGIN, Tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy

    Array = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

#: The files of a model, as the package moonshine-voice and Moonshine's own downloads name them.
ENCODER, DECODER, TOKENS = "encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin"
#: Where the package has its small model of English.
_PACKAGE, _INSIDE = "moonshine_voice", ("assets", "tiny-en")
_INSTALLED_BY = "pip install 'nao-jotto[moonshine]'"


class Writing(NamedTuple):
    """Some beginnings of texts for one sound, and what the network keeps of each: rows are beginnings.

    `odds` are the logarithms of the probabilities of every next token.
    """

    odds: Array
    kept: dict[str, Array]


class Network:
    """One model; raises VoiceError for a folder without it, and for files that are none."""

    def __init__(self, folder: Path) -> None:
        runtime = _runtime()
        for name in (ENCODER, DECODER, TOKENS):
            if not (folder / name).is_file():
                raise VoiceError(f"The folder {str(folder)!r} holds no model of Moonshine: it lacks {name}.")
        options = runtime.SessionOptions()
        # Answers are short: one core is enough, and others have work to do.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        # Memory that is kept for the next sound is more than the models themselves.
        options.enable_cpu_mem_arena = False
        try:
            self._encoder, self._decoder = (
                runtime.InferenceSession(str(folder / name), options, providers=["CPUExecutionProvider"])
                for name in (ENCODER, DECODER)
            )
            self._wanted = [each.name for each in self._decoder.get_inputs()]
            self._past = {each.name: each.shape for each in self._decoder.get_inputs() if each.name.startswith("past")}
            self._given = [each.name for each in self._decoder.get_outputs()]
            size = self._probe()
        except Exception as error:
            # The library's errors have no base of their own, and another model fails in ways of its own.
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")
            raise VoiceError(f"The model of Moonshine in {str(folder)!r} cannot be read: {reason}.") from error
        self.tokens = Tokens((folder / TOKENS).read_bytes())
        if len(self.tokens) != size:
            raise VoiceError(
                f"The model of Moonshine in {str(folder)!r} has {size} tokens, and its {TOKENS} "
                f"{len(self.tokens)}: they are not of one model."
            )

    def begin(self, samples: Array) -> Writing:
        """Listen to a sound, numbers from -1 to 1 at 16 kHz; return the writing that has only just begun."""
        import numpy

        sound = {"input_values": samples[None], "attention_mask": numpy.ones((1, len(samples)), numpy.int64)}
        heard = self._encoder.run(None, {each.name: sound[each.name] for each in self._encoder.get_inputs()})[0]
        nothing = {name: numpy.zeros((1, shape[1], 0, shape[3]), numpy.float32) for name, shape in self._past.items()}
        return self._run([BEGIN], nothing | {"encoder_hidden_states": heard}, is_first=True)

    def follow(self, writing: Writing, rows: Sequence[int], tokens: Sequence[int]) -> Writing:
        """Go on writing: some of the beginnings, each with one more token."""
        chosen = list(rows)
        return self._run(tokens, {name: value[chosen] for name, value in writing.kept.items()}, is_first=False)

    def _probe(self) -> int:
        """Write a token after a tenth of a second of silence; return how many tokens there are."""
        import numpy

        begun = self.begin(numpy.zeros(1600, numpy.float32))
        return int(self.follow(begun, [0], [BEGIN]).odds.shape[1])

    def _run(self, tokens: Sequence[int], kept: dict[str, Array], is_first: bool) -> Writing:
        import numpy

        heard = kept["encoder_hidden_states"]
        given: dict[str, Any] = {
            **kept,
            "input_ids": numpy.array(tokens, numpy.int64)[:, None],
            "use_cache_branch": numpy.array([not is_first]),
            "encoder_attention_mask": numpy.ones(heard.shape[:2], numpy.int64),
        }
        found = dict(
            zip(self._given, self._decoder.run(None, {name: given[name] for name in self._wanted}), strict=True)
        )
        logits = found["logits"][:, -1].astype(numpy.float32)
        most = logits.max(axis=1, keepdims=True)
        odds = logits - most - numpy.log(numpy.exp(logits - most).sum(axis=1, keepdims=True))
        # What was heard is worked into the cache by the first token, and stays.
        now = {
            name: found[name.replace("past_key_values", "present")] if is_first or ".decoder." in name else kept[name]
            for name in self._past
        }
        return Writing(odds, {**now, "encoder_hidden_states": heard})


def installed() -> Path | None:
    """Return the folder of the model that the package moonshine-voice brings; None where it is not there."""
    found = importlib.util.find_spec(_PACKAGE)
    for place in found.submodule_search_locations or () if found is not None else ():
        if (Path(place, *_INSIDE) / ENCODER).is_file():
            return Path(place, *_INSIDE)
    return None


@functools.lru_cache(maxsize=1)
def network(model: str = "") -> Network:
    """Return the model in a folder, or the installed one; read once. Raises VoiceError where there is none."""
    _runtime()
    if model and not Path(model).is_dir():
        raise VoiceError(f"There is no folder {model!r} with a model of Moonshine.")
    folder = Path(model) if model else installed()
    if folder is None:
        raise VoiceError(
            f"The recogniser 'moonshine' lacks its model: {_INSTALLED_BY}, or give a folder with --model DIR."
        )
    return Network(folder)


def _runtime() -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise VoiceError(f"The recogniser 'moonshine' is not installed: {_INSTALLED_BY}.") from error
    return onnxruntime
