"""`jotto site`: the static site on which NAO plays in any browser, written into a folder or offered to a class."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from jotto_desk.cli.shell import OUTPUT, PAGE, CommandLine, option, port_option
from jotto_desk.errors import DeskError, MissingExtra, as_desk_errors

if TYPE_CHECKING:
    from naosim_page.access import Access

#: The port of a site that is offered to a class.
PORT = 9581
_NEEDS_HTTPS = (
    "Without HTTPS, browsers allow neither the microphone nor use without a network, except on this computer: "
    "add --tls."
)
#: The name of the authority's certificate in the address of the site.
_AUTHORITY = "nao.crt"
_OWN_CERTIFICATE = """\
This computer made the certificate itself, so each browser warns once that the connection is not private.
- To play and to speak: press Advanced (Safari: Show Details), then continue to the page.
- To play without a network, too: open {authority} and install it as a trusted certificate.
  It is only for this computer: its authority can sign nothing else."""

app = CommandLine()


@app.declare(
    "jotto site                       (the folder dist/site, for any web server)",
    "jotto site --serve               (try it on this computer)",
    "jotto site --serve --tls --host 0.0.0.0    (a class opens the printed address)",
)
def site(
    out: Annotated[Path, option("The folder to write.", panel=OUTPUT, metavar="FOLDER")] = Path("dist/site"),
    docs: Annotated[
        Path | None, option("Pages to read, for the site's folder docs.", panel=OUTPUT, metavar="FOLDER")
    ] = None,
    without_voice: Annotated[
        bool,
        option("Leave out speech recognition, which 'jotto voice model' fetches.", "--without-voice", panel=OUTPUT),
    ] = False,
    serve: Annotated[bool, option("Offer the site until Ctrl-C.", "--serve", panel=PAGE)] = False,
    host: Annotated[
        str,
        option("The site's address: 127.0.0.1, or 0.0.0.0 for other computers, too.", panel=PAGE, metavar="ADDRESS"),
    ] = "127.0.0.1",
    port: Annotated[int, port_option(panel=PAGE)] = PORT,
    tls: Annotated[
        bool,
        option(
            "Use HTTPS with a certificate made here: browsers warn once, then allow the microphone.",
            "--tls",
            panel=PAGE,
        ),
    ] = False,
    certificate: Annotated[
        Path | None, option("Use HTTPS with your certificate (PEM).", "--tls-cert", panel=PAGE, metavar="FILE")
    ] = None,
    key: Annotated[Path | None, option("The certificate's key (PEM).", "--tls-key", panel=PAGE, metavar="FILE")] = None,
) -> None:
    """Write the site on which NAO plays Jotto in the visitor's browser: no installation and no program behind it.

    Copy the folder to any web server. Visitors play with NAO, look inside it, and run their own behaviours. Other files
    in the folder stay; --serve offers a site of this version as it is.
    """
    if not serve and (tls or certificate or key):
        raise DeskError("--tls, --tls-cert and --tls-key are for a site that is offered: give --serve, too.")
    offered = _open_access(host, port, tls, certificate, key) if serve else None
    if serve and docs is None and _is_current(out, with_voice=not without_voice):
        typer.echo(f"{out} has the site of this version.")
    else:
        size, hearing = write_jotto_site(out, docs, with_voice=not without_voice)
        typer.echo(f"{out} has the site ({size / 1e6:.1f} MB).")
        if hearing:
            speech = f"Visitors who speak fetch speech recognition once ({hearing / 1e6:.1f} MB)"
            typer.echo(f"{speech}; no sound leaves them.")
        elif not without_voice:
            typer.echo("Speech recognition is not in it: 'jotto voice model' fetches its model.")
    if offered is not None:
        _serve(out, offered)


def _compute_version(*, has_voice: bool) -> str:
    from jotto_desk.play.page.site import GAME_FILES, find_site_examples, find_site_folders
    from naosim_page.site import compute_version

    return compute_version(find_site_folders(), GAME_FILES.folder, find_site_examples(), "voice" if has_voice else "")


def _is_current(out: Path, *, with_voice: bool) -> bool:
    """Return whether a folder has Jotto's site of this version, with speech recognition if it can be there."""
    from naosim_page.site import is_site_current
    from naosim_voice.model import find_model

    try:
        return is_site_current(out, _compute_version(has_voice=with_voice and find_model() is not None))
    except OSError:
        # Writing the site names what cannot be read.
        return False


def write_jotto_site(out: Path, docs: Path | None = None, *, with_voice: bool = False) -> tuple[int, int]:
    """Write Jotto's site whole or not at all, with a folder of pages to read. Raises `DeskError`.

    Without `docs`, the pages to read that are there stay, as do files that are not the site's.
    Return the bytes of a first visit, and those of speech recognition: 0 without it. It needs the model of
    `jotto voice model`.
    """
    from jotto_desk.play.page.site import BEHAVIOUR, GAME_FILES, MODULE, find_site_examples, find_site_folders
    from naosim.errors import NaosimError
    from naosim_page.site import (
        describe_hearing,
        find_libraries,
        find_program,
        find_recognition_library,
        replace_site,
        write_hearing,
        write_site,
    )
    from naosim_voice.model import find_model

    target = Path(os.path.realpath(out))
    if target.exists() and (not target.is_dir() or (any(target.iterdir()) and not (target / "home.json").is_file())):
        raise DeskError(f"'{out}' exists and is not a site; choose another folder with --out.")
    if docs is not None and not (docs / "index.html").is_file():
        raise DeskError(f"'{docs}' has no index.html: 'make docs' writes the pages into dist/docs.")
    if not find_program("node"):
        raise MissingExtra("The site needs Node.js, to compile its Python once", "site")
    model = find_model() if with_voice else None
    try:
        libraries, version = find_libraries(), _compute_version(has_voice=model is not None)
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as beside:
            hearing = Path(beside) / "hearing" if model is not None else None
            if model is not None and hearing is not None:
                write_hearing(hearing, find_recognition_library(), model)
            size = write_site(
                Path(beside) / "site",
                libraries,
                find_site_folders(),
                behaviour=BEHAVIOUR,
                module=MODULE,
                game=GAME_FILES,
                examples=find_site_examples(),
                docs=docs,
                has_docs=(target / "docs" / "index.html").is_file(),
                title="NAO plays Jotto",
                hearing=hearing,
            )
            fetched = sum(each["bytes"] for each in describe_hearing(hearing)) if hearing is not None else 0
            replace_site(Path(beside) / "site", target, version)
    except NaosimError as error:
        hint = " Or leave out speech recognition with --without-voice." if model is not None else ""
        raise DeskError(f"{error}{hint}") from error
    except OSError as error:
        raise DeskError(f"'{out}' cannot be written ({error.strerror or error}); choose another folder.") from error
    return size, fetched


def _open_access(host: str, port: int, tls: bool, certificate: Path | None, key: Path | None) -> "Access":
    """Return the access of the site. Raises `DeskError`."""
    from naosim.errors import NaosimError
    from naosim_page.access import check_access

    with as_desk_errors(NaosimError):
        # The site has nothing secret: TLS is for the browsers' sake, and needs no token.
        files = {"certificate": str(certificate or ""), "key": str(key or "")}
        return check_access(host, port, insecure=True, tls=tls, **files)


def _serve(folder: Path, access: "Access") -> None:
    """Offer a folder until Ctrl-C; raises `DeskError`."""
    from naosim_page.file_server import FileServer

    more = {_AUTHORITY: access.authority} if access.authority else {}
    try:
        server = FileServer(folder, access.host, access.port, tls=access.tls(), more=more)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise DeskError(
            f"The site cannot listen at port {access.port} of {access.host}: {why}; choose another --port."
        ) from error
    address = replace(access, port=server.server_port).address()
    console = Console(highlight=False)
    console.print(f"NAO is at {address} until Ctrl-C.", markup=False)
    if access.is_public:
        _print_qr_code(address)
    if access.authority:
        console.print(_OWN_CERTIFICATE.format(authority=address + _AUTHORITY), markup=False, soft_wrap=True)
    elif access.is_public and not access.certificate:
        console.print(_NEEDS_HTTPS, markup=False, soft_wrap=True)
    with server:
        server.serve_forever()


def _print_qr_code(address: str) -> None:
    try:
        import segno
    except ImportError:
        return
    segno.make(address, micro=False).terminal(compact=True)
