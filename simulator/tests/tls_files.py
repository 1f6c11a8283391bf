"""A certificate and its key for a test, signed by itself."""

import subprocess

from programs import need_program


def tls_files(folder, name="page"):
    """Make them for a server of this name in a folder, and return their paths."""
    openssl = need_program("openssl")
    certificate, key = str(folder / "cert.pem"), str(folder / "key.pem")
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    files = ["-subj", f"/CN={name}", "-keyout", key, "-out", certificate]
    subprocess.run([openssl, "req", *kind, *files], check=True, capture_output=True)
    return certificate, key
