"""The visitors of a page, each known by a cookie, and what each of them sees for itself."""

__all__ = ["known_browser", "visits", "waiting"]
