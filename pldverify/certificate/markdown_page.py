"""A certificate in Markdown, to be pasted into a report or an issue: the page without its drawing."""

from fractions import Fraction

from pldverify.certificate import words
from pldverify.certificate.curve import points, reach
from pldverify.certificate.gap import gap
from pldverify.certificate.html_page import sentences
from pldverify.certificate.odds import odds
from pldverify.certificate.plain import NOTHING, Told
from pldverify.rulings.certify import Certificate
from pldverify.values.verdict import ends
from pldverify.web_page import filled

_EVERY = 8
"""Of so many points one stands in the table."""


def markdown(certificate: Certificate, told: Told = NOTHING) -> str:
    """Claim, ruling, what the words mean, the proved profile as a table, and for batches that hide a record
    the gap to the Poisson account. It takes seconds: the profile is proved anew.

    >>> from pldverify.certificate.markdown_page import markdown
    >>> print(markdown(pv.certify(pv.Query(pv.Laplace(b=1), delta=0), epsilon=1)).splitlines()[0])
    # CERTIFIED: ε ≤ 1 at δ = 0
    """
    query, claimed = certificate.query, Fraction(ends(certificate.epsilon)[1])
    all_points = points(query, reach(certificate), claimed, truth=certificate.truth)
    found = [point for i, point in enumerate(all_points) if i % _EVERY == 0 or point.epsilon == claimed]
    return filled(
        __file__,
        "page.md",
        **sentences(certificate, told, gap(query, certificate.truth)),
        odds=odds(all_points, certificate),
        rests_on=words.rests_on(found, certificate),
        rows=[words.row(point, claimed) for point in found],
    )
