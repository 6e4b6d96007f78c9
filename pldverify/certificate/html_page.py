"""A certificate as one HTML page that needs nothing else: no network, everything escaped, and no script but
the checker, which decides the certificate again.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from pldverify.certificate import figure, plain, words
from pldverify.certificate.again import inert, scripts
from pldverify.certificate.curve import Point, end, kept, points, reach
from pldverify.certificate.gap import Gap, gap
from pldverify.certificate.issue import document
from pldverify.certificate.odds import odds
from pldverify.certificate.plain import NOTHING, Told
from pldverify.certificate.proof import proof
from pldverify.certificate.rates import rates
from pldverify.rulings.certify import Certificate
from pldverify.values.verdict import ends
from pldverify.web_page import filled


def html(certificate: Certificate, about: Sequence[str] = (), told: Told = NOTHING) -> str:
    """The whole page: claim, ruling, what the words mean, the proved profile with the claim on it, and for
    batches that hide a record the gap to the Poisson account. It takes seconds: the profile is proved anew.

    Args:
        about: sentences that say which reading of a claim this is, where it is not the claim as it stands.
        told: what is known of the run beside its composition.

    >>> from pldverify.certificate.html_page import html
    >>> page = html(pv.certify(pv.Query(pv.Laplace(b=1), delta=0), epsilon=1))
    >>> page.startswith("<!doctype html>"), "The claim is true." in page, page.count("<script")
    (True, True, 3)
    """
    return filled(__file__, "page.html", **_context(certificate, about, told))


def sentences(
    certificate: Certificate, told: Told, missing: Gap | None, what: str = "The claim"
) -> dict[str, Any]:
    """What a page says but of the profile, of HTML or in Markdown; ``what`` is ruled on."""
    return {
        "certificate": certificate,
        "document": document(certificate),
        "claim": words.claim(certificate),
        "ruled": words.ruled(certificate, what),
        "found": words.found(certificate, told),
        "told": told,
        "run": words.run(told),
        "warnings": words.warnings(certificate, told),
        "steps": plain.steps(certificate.query.composition),
        "meaning": words.meaning(certificate, told),
        "if_one_fails": words.if_one_fails(certificate, what),
        "stated": words.stated(told),
        "of_pairs": words.of_pairs(certificate),
        "command": words.command(certificate),
        "by_hand": words.by_hand(certificate),
        "gap": [] if missing is None else missing.sentences(told.ran),
    }


def _context(certificate: Certificate, about: Sequence[str], told: Told) -> dict[str, Any]:
    query, top = certificate.query, reach(certificate)
    known, missing = kept(query), gap(query, certificate.truth)
    epsilon = ends(certificate.epsilon)[1]
    found = points(query, top, Fraction(epsilon), known=known, truth=certificate.truth)
    said = sentences(certificate, told, missing, "This reading" if about else "The claim")
    return {
        **scripts(),
        **said,
        "json": inert(said["document"].text()),
        "about": about,
        "odds": odds(found, certificate),
        "rests_on": words.rests_on(found, certificate),
        "neighbours": words.NEIGHBOURS[query.adjacency],
        "proved_ends": words.decimals(certificate),
        "proof": partial(proof, adjacency=query.adjacency),
        "today": words.today(),
        "whose": words.whose(certificate),
        "rates": rates(certificate, known),
        "rows": [words.row(point, epsilon) for point in found],
        **_drawing(certificate, top, found, missing),
    }


def _drawing(
    certificate: Certificate, top: Fraction, found: list[Point], missing: Gap | None
) -> dict[str, Any]:
    """The profile, the claim, and the Poisson account."""
    epsilon, truth = ends(certificate.epsilon)[1], certificate.truth
    delta = certificate.query.delta or Fraction(0)
    axes = figure.frame(top, delta)
    other = [] if missing is None else points(missing.account, end(missing.account, axes.top, axes.floor))
    return {
        "box": figure.BOX,
        "axes": axes,
        "profile": figure.curve(found, axes) if found else None,
        "account": figure.curve(other, axes) if other else None,
        "claimed": (axes.across(epsilon), axes.up(ends(delta)[1])),
        "beyond": epsilon > axes.top,
        "proved": None if truth is None else figure.span(truth, axes),
    }
