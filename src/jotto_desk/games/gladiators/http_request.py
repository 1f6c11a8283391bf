"""One HTTP request to the challenge: bounded in time and size, and never to another server."""

import contextlib
import queue
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import requests

from ... import web
from ...addresses import names_loopback, origin
from ...deadline import within
from ...errors import DeskError
from . import protocol

MOST_REDIRECTS = 5


class Unanswered(Exception):
    """No answer that can be used came back: the sentence says why. `was_sent` is False where nothing was sent."""

    def __init__(self, sentence: str, was_sent: bool = True) -> None:
        super().__init__(sentence)
        self.was_sent = was_sent


class ReplyBody(NamedTuple):
    """What came back: the status, the bytes, and the seconds the server asks to wait."""

    status: int
    raw: bytes
    wait: float = 0.0


class HttpRequester:
    """Requests to one server through one session; `patience` is what an answer may take in all, in seconds."""

    def __init__(self, url: str, patience: float) -> None:
        self.base, self.patience = _checked(url), patience
        self._session: requests.Session | None = None

    def ask(self, method: str, path: str, headers: dict[str, str], body: dict[str, object]) -> ReplyBody:
        """Send a request and follow redirects within the server; the body may have `data` or `json`.

        Raises `Unanswered`, and `DeskError` where asking again is of no use.
        """
        address = self.base + path
        for _ in range(MOST_REDIRECTS + 1):
            found, further = self._once(method, address, headers, body)
            if not further:
                return found
            address = self._further(address, further)
        raise DeskError(f"'{self.base}' sends us round in a circle; check the address.")

    def close(self) -> None:
        """Let the session go."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _further(self, address: str, location: str) -> str:
        try:
            further = urljoin(address, location)
        except ValueError:
            further = ""
        if origin(further) != origin(self.base):
            raise DeskError(
                f"'{self.base}' sends us on to '{protocol.shown(origin(further))}'; give that as --url if you trust it."
            )
        return further

    def _once(self, method: str, address: str, headers: dict[str, str], body: dict[str, Any]) -> tuple[ReplyBody, str]:
        session = self._kept()
        try:
            return within(
                self.patience, lambda given_up: self._sent(session, method, address, headers, body), "ask the challenge"
            )
        except queue.Empty:
            # The old session still waits for its answer; it cannot be used again.
            self._session = None
            raise self._late() from None
        except web.TooLarge as error:
            raise Unanswered("The server's answer is far too long.") from error
        except requests.exceptions.SSLError as error:
            raise DeskError(f"The certificate of '{self.base}' is not to be trusted; check the address.") from error
        except requests.exceptions.ConnectTimeout as error:
            raise Unanswered("The server cannot be reached.", was_sent=False) from error
        except requests.exceptions.ReadTimeout as error:
            raise self._late() from error
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, UnicodeError) as error:
            raise DeskError(f"'{self.base}' is no web address; it begins with http:// or https://.") from error
        except requests.RequestException as error:
            if "ReadTimeoutError" in repr(error):
                raise self._late() from error
            nothing = "NewConnectionError" in repr(error) or "NameResolutionError" in repr(error)
            said = "The server cannot be reached." if nothing else "The server broke off."
            raise Unanswered(said, was_sent=not nothing) from error

    def _late(self) -> Unanswered:
        return Unanswered(f"The server did not answer within {self.patience:g} seconds.")

    def _kept(self) -> requests.Session:
        if self._session is None:
            self._session = web.Session()
            # A proxy of the environment knows nothing of this machine; .netrc has no business here.
            self._session.trust_env = not names_loopback(self.base)
        return self._session

    def _sent(
        self, session: requests.Session, method: str, address: str, headers: dict[str, str], body: dict[str, Any]
    ) -> tuple[ReplyBody, str]:
        asked = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "nao-jotto", **headers}
        with session.request(
            method, address, headers=asked, timeout=self.patience, stream=True, allow_redirects=False, **body
        ) as answer:
            raw = web.body(answer, protocol.MOST_BYTES)
            location = answer.headers.get("Location", "") if answer.status_code in web.REDIRECTS else ""
            return ReplyBody(answer.status_code, raw, _wait(answer.headers.get("Retry-After", ""))), location


def _checked(url: str) -> str:
    with contextlib.suppress(ValueError):
        parts = urlsplit(url)
        plain = url.isascii() and url.isprintable() and " " not in url and not parts.username
        right = parts.scheme.lower() in ("http", "https") and parts.hostname and not parts.query and not parts.fragment
        # A port that is none raises.
        if plain and right and parts.port != 0:
            return url.rstrip("/")
    shown = protocol.shown(url.rpartition("@")[2])
    raise DeskError(f"'{shown}' is no address of the challenge; it is like https://server.example, without a query.")


def _wait(text: str) -> float:
    return float(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0.0
