"""A certificate in Markdown, to be pasted into a report or an issue: the page without its drawing."""

from fractions import Fraction

from pldverify.certificate import words
from pldverify.certificate.curve import Point, points, reach
from pldverify.certificate.gap import gap
from pldverify.certificate.issue import document
from pldverify.certificate.odds import odds
from pldverify.certificate.plain import NOTHING, Told, steps
from pldverify.foreign import code
from pldverify.foreign import markdown as safe
from pldverify.rulings.certify import Certificate
from pldverify.values.verdict import ends

_EVERY = 8
"""Of so many points one stands in the table."""


def markdown(certificate: Certificate, told: Told = NOTHING) -> str:
    """Claim, ruling, what the words mean, the proved profile as a table, and for batches that hide a record
    the gap to the Poisson account. It takes seconds: the profile is proved anew.

    >>> from pldverify.certificate.markdown_page import markdown
    >>> print(markdown(pv.certify(pv.Query(pv.Laplace(b=1), delta=0), epsilon=1)).splitlines()[0])
    # CERTIFIED: ε ≤ 1 at δ = 0
    """
    query, issued = certificate.query, document(certificate)
    claimed = Fraction(ends(certificate.epsilon)[1])
    all_points = points(query, reach(certificate), claimed, truth=certificate.truth)
    found = [point for i, point in enumerate(all_points) if i % _EVERY == 0 or point.epsilon == claimed]
    missing = gap(query, certificate.truth)
    sections = {
        "": [words.ruled(certificate), *words.found(certificate, told), *words.warnings(certificate, told)],
        words.run(told): [*filter(None, [told.run]), _steps(certificate), *words.stated(told)],
        "What is promised": [
            *words.meaning(certificate, told),
            *odds(all_points, certificate),
        ],
        "What is assumed": [
            "\n".join(f"- {each.text}" for each in issued.assumptions),
            *words.if_one_fails(certificate),
        ],
        "The proved privacy profile": [
            *filter(None, [words.of_pairs(certificate)]),
            *words.rests_on(found, certificate),
            _table(found, claimed),
        ]
        if found
        else [],
        "The gap to the Poisson account": [] if missing is None else missing.sentences(told.ran),
        "To check it": [
            f"{code(f'{words.command(certificate)} --out {told.file}')}{words.by_hand(certificate)} makes "
            "the ruling again, and "
            f"{code(f'pldverify recheck {told.file}')} decides it once more, by another method, as far as "
            "that reaches.",
            f"The certificate's SHA-256, by which two copies are known to be the same, is `{issued.sha256}`.",
        ],
    }
    parts = [f"# {certificate.verdict}: {safe(words.claim(certificate))}"]
    for heading, said in sections.items():
        parts += [f"## {heading}"] if heading and said else []
        parts += said
    return "\n\n".join(parts) + "\n"


def _steps(certificate: Certificate) -> str:
    rows = steps(certificate.query.composition)
    parts = ((said.replace("*", "\\*"), code(mechanism)) for said, mechanism in rows)
    return "\n".join(f"- {' '.join(filter(None, part))}" for part in parts)


def _table(found: list[Point], claimed: Fraction) -> str:
    heads = ["| ε | δ is at least | δ is at most |", "|---|---|---|"]
    return "\n".join([*heads, *(f"| {' | '.join(words.row(point, claimed))} |" for point in found)])
