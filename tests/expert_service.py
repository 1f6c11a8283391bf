"""The expert service for tests, on a free port and with an empty knowledge base."""

import contextlib

import requests

from jotto_desk.expert import ExpertSystem
from jotto_desk.expert.service import serve_expert

PATH = "/AbcDatalogREST"


@contextlib.contextmanager
def talking(**options):
    """Serve, and yield a client and a function that sends any request."""
    with serve_expert(**options) as url, ExpertSystem(url) as expert, requests.Session() as session:
        session.trust_env = False

        def ask(method, path="", **sent):
            return session.request(method, url + (path or PATH), timeout=30, **sent)

        yield expert, ask
