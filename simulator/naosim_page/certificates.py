"""The certificate of a page that this computer makes itself, with openssl.

It names only this computer. The authority that signs it can sign for no other names, and its key is deleted
immediately: a phone that trusts this authority trusts only this certificate.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from naosim.errors import NaosimError

#: Days for which a certificate is valid: a school year. Apple's systems refuse more than 825 for authorities of users.
VALID_DAYS = 365
#: Seconds that a certificate must still be valid: one that ends sooner is made again.
_STILL_VALID_S = 24 * 3600
_OPENSSL_TIMEOUT_S = 60.0
_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
_MAX_NAMES = 20
_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256")
_SETTINGS = """\
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
nameConstraints = critical, {permitted}
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = {names}
"""


class CertificateError(NaosimError):
    """This computer cannot make a certificate."""


class Certificate(NamedTuple):
    """The paths of a certificate, of its key, and of the certificate of its authority, which phones can trust."""

    certificate: str
    key: str
    authority: str


def find_certificate_folder() -> Path:
    """Return the folder of this person's certificates."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if os.path.isabs(cache) else Path.home() / ".cache") / "naosim" / "tls"


def make_certificate(folder: Path, names: Sequence[str]) -> Certificate:
    """Return the certificate for this computer's names and addresses in a folder, made if none exists.

    One with the same names is used again until its last day, so that browsers ask once. Raises CertificateError.
    """
    wanted = sorted({name.strip("[]").lower() for name in names if _is_plain(name)})[:_MAX_NAMES]
    if not wanted:
        raise CertificateError("This computer has no name for a certificate: give --tls-cert and --tls-key.")
    place = folder / hashlib.sha256("\n".join(wanted).encode("ascii")).hexdigest()[:16]
    found = Certificate(*(str(place / name) for name in ("cert.pem", "key.pem", "authority.crt")))
    if all(map(os.path.isfile, found)) and _is_valid(found.certificate):
        return found
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as scratch:
            made = Path(scratch) / "made"
            made.mkdir(mode=0o700)
            _sign(Path(scratch), made, wanted)
            shutil.rmtree(place, ignore_errors=True)
            made.rename(place)
    except OSError as error:
        raise CertificateError(f"A certificate cannot be saved in '{folder}' ({error.strerror or error}).") from error
    return found


def _is_plain(name: str) -> bool:
    return _is_address(name) or bool(_NAME.fullmatch(name.lower()))


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _is_valid(certificate: str) -> bool:
    """Return whether a certificate is still valid for a day."""
    try:
        _run("x509", "-noout", "-in", certificate, "-checkend", str(_STILL_VALID_S))
    except CertificateError:
        return False
    return True


def _sign(scratch: Path, made: Path, names: Sequence[str]) -> None:
    """Write the three files into `made`; the authority's key stays in `scratch`."""
    settings, request = str(scratch / "settings"), str(scratch / "request")
    authority, authority_key = str(made / "authority.crt"), str(scratch / "authority.key")
    addresses = {name: ip_address(name) for name in names if _is_address(name)}
    told = [f"IP:{name}" if name in addresses else f"DNS:{name}" for name in names]
    masks = {4: "255.255.255.255", 6: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"}
    permitted = [
        f"{each}/{masks[addresses[name].version]}" if name in addresses else each
        for each, name in zip(told, names, strict=True)
    ]
    # A kind of name without a constraint would be free: each kind always has one.
    permitted = sorted({*permitted, "DNS:localhost", "IP:127.0.0.1/255.255.255.255"})
    text = _SETTINGS.format(names=", ".join(told), permitted=", ".join(f"permitted;{each}" for each in permitted))
    Path(settings).write_text(text, encoding="ascii")
    days = ("-days", str(VALID_DAYS))
    files = ("-config", settings, "-keyout", authority_key, "-out", authority)
    _run("req", "-x509", *_NEW_KEY, *days, *files, "-extensions", "authority", "-subj", "/CN=Authority of one NAO")
    files = ("-config", settings, "-keyout", str(made / "key.pem"), "-out", request)
    _run("req", "-new", *_NEW_KEY, *files, "-subj", "/CN=NAO on this computer")
    signer = ("-CA", authority, "-CAkey", authority_key, "-set_serial", str(int.from_bytes(os.urandom(8), "big")))
    extensions = ("-extfile", settings, "-extensions", "server")
    _run("x509", "-req", "-sha256", *days, *signer, *extensions, "-in", request, "-out", str(made / "cert.pem"))
    os.chmod(made / "key.pem", 0o600)


def _run(*arguments: str) -> None:
    """Run openssl; raises CertificateError."""
    program = shutil.which("openssl")
    if program is None:
        raise CertificateError(
            "Making a certificate needs the program openssl: install it, or give --tls-cert and --tls-key."
        )
    try:
        subprocess.run([program, *arguments], check=True, capture_output=True, text=True, timeout=_OPENSSL_TIMEOUT_S)
    except (OSError, subprocess.SubprocessError) as error:
        told = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        raise CertificateError(f"openssl cannot make a certificate: {told[-1][:300] if told else error}") from error
