"""Recognisers of free speech: they write down what was said, and the phrase that sounds most like it is heard."""

__all__ = ["transcript"]
