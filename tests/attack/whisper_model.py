"""Make a model of Whisper with weights by chance, which writes down nonsense: python whisper_model.py DIR.

It shows that the library is asked as it wants to be. A model that understands something would be a large download.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy

#: How wide a layer is, pitches of the sound, places of the encoder and of the decoder.
WIDTH, PITCHES, HEARD, WRITTEN = 64, 80, 1500, 448
SPECIAL = (
    "<|endoftext|>",
    "<|startoftranscript|>",
    "<|en|>",
    "<|translate|>",
    "<|transcribe|>",
    "<|startoflm|>",
    "<|startofprev|>",
    "<|nospeech|>",
    "<|notimestamps|>",
    *(f"<|{step / 50:.2f}|>" for step in range(1501)),
)
#: The letters of the nonsense, and how unlikely all else is.
LETTERS, NEVER = "esy", -90.0


def tokenizer() -> Any:
    """Make a tokenizer of single letters."""
    # Installed for this attack alone.
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(name, special=True) for name in SPECIAL])
    return made


class Weights:
    """Weights by chance."""

    def __init__(self, seed: int) -> None:
        self._chance = numpy.random.default_rng(seed)

    def some(self, *shape: int) -> Any:
        """Return small numbers."""
        return self._chance.standard_normal(shape).astype("float32") / 10

    def fill(self, layer: Any, *shape: int) -> None:
        """Give a layer its weights."""
        layer.weight, layer.bias = self.some(*shape), numpy.zeros(shape[0], "float32")


def level(layer: Any) -> None:
    """Have a layer keep the size of its numbers."""
    layer.gamma, layer.beta = numpy.ones(WIDTH, "float32"), numpy.zeros(WIDTH, "float32")


def write(folder: Path, seed: int) -> None:
    """Write a model with one layer on each side."""
    from ctranslate2.specs import WhisperSpec

    weights, tokens, spec = Weights(seed), tokenizer(), WhisperSpec(1, 2, 1, 2)
    names = [tokens.id_to_token(number) for number in range(tokens.get_vocab_size())]
    weights.fill(spec.encoder.conv1, WIDTH, PITCHES, 3)
    weights.fill(spec.encoder.conv2, WIDTH, WIDTH, 3)
    for side, places in ((spec.encoder, HEARD), (spec.decoder, WRITTEN)):
        side.position_encodings.encodings = weights.some(places, WIDTH)
        level(side.layer_norm)
    for layer in (*spec.encoder.layer, *spec.decoder.layer):
        for linear, wide in zip(layer.self_attention.linear, (3, 1), strict=True):
            weights.fill(linear, wide * WIDTH, WIDTH)
        weights.fill(layer.ffn.linear_0, 4 * WIDTH, WIDTH)
        weights.fill(layer.ffn.linear_1, WIDTH, 4 * WIDTH)
        level(layer.self_attention.layer_norm)
        level(layer.ffn.layer_norm)
    [layer] = spec.decoder.layer
    for linear, wide in zip(layer.attention.linear, (1, 2, 1), strict=True):
        weights.fill(linear, wide * WIDTH, WIDTH)
    level(layer.attention.layer_norm)
    spec.decoder.embeddings.weight = spec.decoder.projection.weight = weights.some(len(names), WIDTH)
    spec.decoder.projection.bias = numpy.array([0.0 if name in LETTERS else NEVER for name in names], "float32")
    spec.register_vocabulary(names)
    for name in ("suppress_ids", "suppress_ids_begin", "lang_ids"):
        setattr(spec.config, name, [])
    spec.config.alignment_heads = [[0, 0]]
    spec.validate()
    spec.save(str(folder))
    tokens.save(str(folder / "tokenizer.json"))


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True)
    write(Path(sys.argv[1]), seed=1)
