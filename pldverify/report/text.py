"""Text that others wrote, made visible and short. Escaping for a format is that format's own business."""


def visible(text: str) -> str:
    r"""Control characters, bidirectional overrides and lone surrogates as escapes; line ends stay.

    >>> from pldverify.report.text import visible
    >>> visible("a\x1b[31mb\u202e")
    'a\\x1b[31mb\\u202e'
    """
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def brief(text: str, most: int) -> str:
    """One line of at most so many characters, and how many there were.

    >>> from pldverify.report.text import brief
    >>> brief("line one,\\nline two", 12)
    'line one, li… (18 characters)'
    """
    line = " ".join(visible(text[: 4 * most]).split())
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[:most]}… ({len(text)} characters)"


def passage(text: str, most: int) -> str:
    """The same with its lines."""
    shown = visible(text[:most]).strip()
    return shown if len(text) <= most else f"{shown}… ({len(text)} characters)"
