"""Rulings as one HTML page: no network, no script, everything escaped."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pldverify.claims.tables import cells, sentence, source, summary
from pldverify.rulings.ruling import Ruling
from pldverify.web_page import digest, filled


def html(rulings: Sequence[Ruling], bad: Sequence[str] = (), pages: Mapping[int, str] | None = None) -> str:
    """The page. ``pages``: of a reading, by its ``id()``, a page of its own, to which its case is a link.

    >>> html([], ["<b>"]).count("&lt;b&gt;"), "<script" in html([])
    (1, False)
    """
    style = Path(__file__).with_name("page").joinpath("rulings.css").read_text("utf-8")
    return filled(
        __file__,
        "rulings.html",
        summary=summary(rulings),
        bad=bad,
        sections=[_section(ruling, pages or {}) for ruling in rulings],
        style=style,
        policy=digest(style),
    )


def _section(ruling: Ruling, pages: Mapping[int, str]) -> dict[str, Any]:
    """A row for each meaning, with its page, and what stands below the claim."""
    linked = [pages.get(id(reading)) for reading in ruling.readings if reading.kind == "literal"] or [None]
    about = [sentence(ruling), ruling.claim.note, source(ruling)]
    if ruling.not_stated:
        about.append(f"Not stated: {', '.join(ruling.not_stated)}.")
    return {"rows": list(zip(cells(ruling), linked, strict=True)), "about": list(filter(None, about))}
