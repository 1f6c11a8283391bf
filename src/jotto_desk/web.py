"""What comes from web servers, within bounds: no redirect followed unasked, no body unpacked or read without an end."""

import threading
import zlib
from collections.abc import Callable, Iterator

import requests
from urllib3.exceptions import HTTPError, ReadTimeoutError

REDIRECTS = (301, 302, 303, 307, 308)
_CHUNK = 1 << 14
#: zlib's own bytes in front, or gzip's: it tells which.
_EITHER = zlib.MAX_WBITS | 32
#: Told the bytes that have come, and how many there will be if the server says so.
Seen = Callable[[int, int | None], None]


class TooLarge(Exception):
    """A body has more bytes than are wanted."""


class Session(requests.Session):
    """A session that follows no redirects: the library would read any body and carry a token anywhere."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Name no target."""


def body(
    answer: requests.Response,
    most: int,
    seen: Seen = lambda count, total: None,
    given_up: threading.Event | None = None,
) -> bytes:
    """Read the body of an answer that is being streamed, unpacked.

    Raises `TooLarge` beyond `most` bytes, and the library's own errors.
    """
    packed = answer.headers.get("Content-Encoding", "identity").strip().lower()
    declared = answer.headers.get("Content-Length", "")
    total = int(declared) if declared.isdigit() and len(declared) < 16 and packed == "identity" else None
    if (total or 0) > most:
        raise TooLarge
    content = bytearray()
    for piece in _unpacked(_raw(answer), packed, most):
        content += piece
        seen(len(content), total)
        if len(content) > most:
            raise TooLarge
        if given_up is not None and given_up.is_set():
            break
    return bytes(content)


def _raw(answer: requests.Response) -> Iterator[bytes]:
    """Read the bytes as they come: the library would unpack all that a piece holds, packed several times over too."""
    try:
        while piece := answer.raw.read(_CHUNK, decode_content=False):
            yield piece
    except ReadTimeoutError as error:
        raise requests.ReadTimeout(error) from error
    except HTTPError as error:
        raise requests.ConnectionError(error) from error


def _unpacked(pieces: Iterator[bytes], packed: str, most: int) -> Iterator[bytes]:
    if packed == "identity":
        yield from pieces
        return
    if packed not in ("gzip", "x-gzip", "deflate"):
        raise requests.exceptions.ContentDecodingError(f"The body is packed as '{packed[:20]}'.")
    unpacking = zlib.decompressobj(_EITHER)
    came = 0
    try:
        for piece in pieces:
            came += len(piece)
            # Empty blocks unpack to nothing, without an end.
            if came > most:
                raise TooLarge
            yield unpacking.decompress(piece, most + 1)
            if unpacking.unconsumed_tail:
                raise TooLarge
    except zlib.error as error:
        raise requests.exceptions.ContentDecodingError("The packed body is damaged.") from error
    if came and (not unpacking.eof or unpacking.unused_data):
        raise requests.exceptions.ContentDecodingError("The packed body is cut off.")
