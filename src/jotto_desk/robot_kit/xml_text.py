"""Text inside XML that is written as text: behavior.xar, the `.pml` and the SVG."""

ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#x0A;"}


def escaped(text: str) -> str:
    """Return the text as it may stand between double quotes in XML.

    >>> escaped('5 < "6"')
    '5 &lt; &quot;6&quot;'
    """
    return "".join(ESCAPES.get(character, character) for character in text)
