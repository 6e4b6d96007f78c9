"""Citations of the five papers in a text, as ids of the ledger."""

import re

from pldverify.theorems.ledger import PAPERS, records

KINDS = {
    "Algorithm": "alg",
    "Corollary": "cor",
    "Definition": "def",
    "Lemma": "lem",
    "Proposition": "prop",
    "Remark": "rem",
    "Table": "tab",
    "Theorem": "thm",
    "equation": "eq",
    "section": "sec",
}
"""Words of a citation, and how the id of a record abbreviates them."""
_CITED = re.compile(
    rf"\b({'|'.join(PAPERS)}) (?:({'|'.join(KINDS)}) \(?([\dA-F][\d.]*\d|\d)\)?|\(([A-F]?\.?\d[\d.]*)\))"
)
"""A paper's key, then a word with a number, or an equation's number in parentheses."""


def cited(text: str) -> set[str]:
    """Ids of what is cited in ``text``.

    >>> sorted(cited("Source: KH21 Lemma 5 and GLW21 equation (6)."))
    ['GLW21/eq-6', 'KH21/lem-5']
    """
    return {
        f"{key}/{KINDS[word]}-{number}" if word else f"{key}/eq-{equation}"
        for key, word, number, equation in _CITED.findall(text)
    }


def meant(id: str) -> tuple[str, ...]:
    """Ids of the records that a citation means: the record, its parts, the equations of that section."""
    starts = (id + "/", id + ".", id.replace("/sec-", "/eq-") + ".")
    return tuple(each.id for each in records() if each.id == id or each.id.startswith(starts))
