"""The programming interface of box scripts: proxies, sessions, futures, threads and the modules they may import."""
