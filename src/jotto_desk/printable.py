"""Text of somebody else's, such as the name of a folder, without what a terminal would obey."""


def printable(text: str) -> str:
    r"""Return a text with a sign in place of everything that cannot be shown, such as escapes; line breaks too.

    >>> printable("ye\x1b[31ms") == "ye\N{REPLACEMENT CHARACTER}[31ms"
    True
    """
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
