"""What a page needs to decide certificates again by itself: the checker in JavaScript, and a policy."""

import hashlib
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pldverify.web_page import digest, filled

_FOLDER = Path(__file__).with_name("page")
"""Style and scripts of pages of certificates."""


def scripts() -> dict[str, Any]:
    """The checker, ``pldverify/recheck.js`` as it stands; what runs it in a worker; the page's style; and the
    policy: no network, no other script.
    """
    files = _FOLDER.parents[1] / "recheck.js", _FOLDER / "again.js", _FOLDER / "page.css"
    checker, glue, style = (file.read_text("utf-8") for file in files)
    return {
        "checker": checker,
        "glue": glue,
        "style": style,
        "policy": f"default-src 'none'; base-uri 'none'; form-action 'none'; worker-src blob:; "
        f"script-src {digest(checker)} {digest(glue)}; style-src {digest(style)}",
    }


def inert(text: str) -> Markup:
    """JSON for an element of HTML: no character of it ends the element, or is markup.

    >>> from pldverify.certificate.again import inert
    >>> print(inert('{"reason": "</script>"}'))
    {"reason": "\\u003c/script\\u003e"}
    """
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def page() -> str:
    """A page for any certificate: it is dropped there, or chosen.

    >>> from pldverify.certificate.again import page
    >>> "default-src &#39;none&#39;" in page()
    True
    """
    found = scripts()
    name = hashlib.sha256(found["checker"].encode()).hexdigest()
    return filled(__file__, "recheck.html", **found, checker_digest=name)
