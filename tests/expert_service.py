"""The expert service under test: on a port of its own, with an empty knowledge base."""

import contextlib

import requests

from jotto_desk.expert import ExpertSystem
from jotto_desk.expert.service import serve_expert

PATH = "/AbcDatalogREST"


@contextlib.contextmanager
def talking(**options):
    """Serve, and provide a client and a plain function that sends any request."""
    with serve_expert(**options) as url, ExpertSystem(url) as expert, requests.Session() as session:
        session.trust_env = False

        def ask(method, path="", **sent):
            return session.request(method, url + (path or PATH), timeout=30, **sent)

        yield expert, ask
