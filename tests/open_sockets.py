"""An ASGI application that keeps every socket open, for tests of what bounds them."""

import asyncio


class OpenSockets:
    """Applications are asked for sockets by `ask`; what they answer is in `opened`, and `close` ends all of them."""

    def __init__(self):
        self.opened = []
        self._over = asyncio.Event()
        self._tasks = []

    async def stay(self, _scope, _receive, send):
        """Accept a socket, and keep it until `close`."""
        await send({"type": "websocket.accept"})
        await self._over.wait()

    async def ask(self, app, headers):
        """Ask an application for a socket, and go on once it has answered."""
        scope = {"type": "websocket", "path": "/", "headers": headers}
        self._tasks.append(asyncio.ensure_future(app(scope, self._receive, self._send)))
        await asyncio.sleep(0)

    async def close(self):
        """End all sockets."""
        self._over.set()
        await asyncio.gather(*self._tasks)

    async def _send(self, message):
        self.opened.append(message["type"])

    async def _receive(self):
        return {"type": "websocket.connect"}
