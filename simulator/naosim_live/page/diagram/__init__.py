"""The diagram of a behaviour on the page: boxes and links as Choregraphe lays them out, and what runs in them."""

__all__ = ["panel"]
