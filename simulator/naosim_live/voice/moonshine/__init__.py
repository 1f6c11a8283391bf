"""The recogniser Moonshine: a neural network that was trained with people, asked about the vocabulary's phrases."""

__all__ = ["network"]
