"""What a box script sees: proxies, sessions, futures, threads and the modules it may import."""
