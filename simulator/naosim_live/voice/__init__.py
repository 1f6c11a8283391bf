"""Ears and a voice on this computer: recognisers, speech from text, sounds and the devices that carry them."""
