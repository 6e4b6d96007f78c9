"""A certificate as one HTML page that needs nothing else: no network, everything escaped, and no script but
the checker, which decides the certificate again.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from pldverify.certificate import figure, plain, words
from pldverify.certificate.again import FOLDER, inert, scripts
from pldverify.certificate.curve import Point, end, kept, points, reach
from pldverify.certificate.gap import gap
from pldverify.certificate.issue import document
from pldverify.certificate.odds import odds
from pldverify.certificate.plain import NOTHING, Told
from pldverify.certificate.proof import proof
from pldverify.certificate.rates import rates
from pldverify.rulings.certify import Certificate
from pldverify.values.verdict import ends
from pldverify.web_page import environment


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
    return environment(FOLDER).get_template("page.html").render(_context(certificate, about, told))


def _context(certificate: Certificate, about: Sequence[str], told: Told) -> dict[str, Any]:
    query, top, content = certificate.query, reach(certificate), document(certificate)
    claimed = Fraction(ends(certificate.epsilon)[1])
    known = kept(query)
    found = points(query, top, claimed, known=known, truth=certificate.truth)
    what = "This reading" if about else "The claim"
    return {
        **scripts(),
        "certificate": certificate,
        "document": content,
        "json": inert(content.text()),
        "claim": words.claim(certificate),
        "ruled": words.ruled(certificate, what),
        "about": about,
        "found": words.found(certificate, told),
        "told": told,
        "run": words.run(told),
        "warnings": words.warnings(certificate, told),
        "steps": plain.steps(query.composition),
        "meaning": words.meaning(certificate, told),
        "odds": odds(found, certificate),
        "if_one_fails": words.if_one_fails(certificate, what),
        "stated": words.stated(told),
        "rests_on": words.rests_on(found, certificate),
        "neighbours": words.NEIGHBOURS[query.adjacency],
        "proved_ends": words.decimals(certificate),
        "proof": partial(proof, adjacency=query.adjacency),
        "today": words.today(),
        "of_pairs": words.of_pairs(certificate),
        "whose": words.whose(certificate),
        "command": words.command(certificate),
        "by_hand": words.by_hand(certificate),
        "rates": rates(certificate, known),
        **_profile(certificate, top, found, told.ran),
    }


def _profile(certificate: Certificate, top: Fraction, found: list[Point], ran: bool) -> dict[str, Any]:
    """The drawing, its numbers, and the gap to the Poisson account."""
    query, truth = certificate.query, certificate.truth
    delta = query.delta or Fraction(0)
    axes = figure.frame(top, delta)
    missing = gap(query, certificate.truth)
    other = [] if missing is None else points(missing.account, end(missing.account, axes.top, axes.floor))
    epsilon = ends(certificate.epsilon)[1]
    return {
        "box": figure.BOX,
        "axes": axes,
        "profile": figure.curve(found, axes) if found else None,
        "account": figure.curve(other, axes) if other else None,
        "claimed": (axes.across(epsilon), axes.up(ends(delta)[1])),
        "beyond": epsilon > axes.top,
        "proved": None if truth is None else figure.span(truth, axes),
        "rows": [words.row(point, epsilon) for point in found],
        "gap": [] if missing is None else missing.sentences(ran),
    }
