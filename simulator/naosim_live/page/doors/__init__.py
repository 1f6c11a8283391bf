"""Who is let in to a page: this computer alone, or others through an entrance with a token and TLS."""

__all__ = ["asgi", "entrance", "socket_events", "token_lock"]
