"""Debian packages for tests."""


def archive_entry(name, content):
    """Write a file of an `ar` archive, which a Debian package is."""
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n"
    return head.encode("ascii") + content + b"\n" * (len(content) % 2)
