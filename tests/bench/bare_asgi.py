"""The base: a bare Uvicorn broadcast. What a socket sends is sent to all sockets, one awaited send after the other."""

from typing import Any

sockets: set[Any] = set()


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    sockets.add(send)
    try:
        while (message := await receive())["type"] == "websocket.receive":
            for each in tuple(sockets):
                await each({"type": "websocket.send", "text": message["text"]})
    finally:
        sockets.discard(send)
