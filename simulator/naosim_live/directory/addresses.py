"""Where a directory may listen: on this computer, and elsewhere only when somebody insists."""

import ipaddress
import re
from typing import NamedTuple

from naosim.compat import quoted
from naosim.errors import NaosimError

#: The port at which every NAO listens.
NAO_PORT = 9559
WHY = ("a libqi directory has no login, so whoever reaches the port can do everything with it; "
       "give --insecure if that is what you want")


class Address(NamedTuple):
    """A host and a port; port 0 is any free one."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The address as libqi writes it."""
        return f"tcp://[{self.host}]:{self.port}" if ":" in self.host else f"tcp://{self.host}:{self.port}"


def listening_address(text: str, insecure: bool = False) -> Address:
    """Reads `tcp://HOST:PORT`; raises NaosimError for what is none, and for other computers unless `insecure`.

    >>> listening_address("tcp://localhost:9559").url
    'tcp://127.0.0.1:9559'
    """
    found = re.fullmatch(r"tcp://(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9A-Za-z.-]{1,253}))(?::(\d{1,5}))?", text[:400])
    port = int(found[3] or NAO_PORT) if found else 65536
    if found is None or port > 65535:
        raise NaosimError(f"{quoted(text[:100])} is no address to listen at: write tcp://127.0.0.1:{NAO_PORT}, "
                          "or port 0 for any free one.")
    host = "127.0.0.1" if found[2] == "localhost" else found[1] or found[2]
    if not (insecure or _is_loopback(host)):
        raise NaosimError(f"{quoted(text)} can be reached from other computers: {WHY}.")
    return Address(host, port)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
