"""An ASGI application that keeps every socket open, for tests of limits on sockets."""

import asyncio


class OpenSockets:
    """Asks applications for sockets; `opened` lists the types of their answers."""

    def __init__(self):
        self.opened = []
        self._over = asyncio.Event()
        self._tasks = []

    async def stay(self, _scope, _receive, send):
        """Accept a socket and keep it open until `close`."""
        await send({"type": "websocket.accept"})
        await self._over.wait()

    async def ask(self, app, headers):
        """Ask an application for a socket; return when it has answered."""
        scope = {"type": "websocket", "path": "/", "headers": headers}
        self._tasks.append(asyncio.ensure_future(app(scope, self._receive, self._send)))
        await asyncio.sleep(0)

    async def close(self):
        """Close all sockets."""
        self._over.set()
        await asyncio.gather(*self._tasks)

    async def _send(self, message):
        self.opened.append(message["type"])

    async def _receive(self):
        return {"type": "websocket.connect"}
