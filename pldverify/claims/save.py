"""Certificates and pages of rulings, as files; audits of what was run have a page beside."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pldverify.certificate.html_page import html
from pldverify.certificate.issue import document
from pldverify.certificate.plain import NOTHING
from pldverify.claims.certificates import certificates
from pldverify.errors import InvalidInput
from pldverify.numbers.claim import Claim
from pldverify.numbers.exact import brief
from pldverify.overviews.overview import Audit, Overview, overview
from pldverify.rulings.certify import CLAIMS, Certificate
from pldverify.rulings.ruling import Ruling
from pldverify.values.verdict import ends


def save(ruling: Certificate | Ruling, folder: str | Path, audits: Iterable[Audit] = ()) -> list[Path]:
    """Write a ruling's certificates, which ``pldverify recheck`` decides again, and their pages.

    Args:
        ruling: of :func:`pldverify.certify`, whose files are ``certificate.json`` and ``certificate.html``;
            or of :func:`pldverify.certify_file`, whose files have the claim's id, and a number a reading.
        folder: is made where it is missing; files of these names are replaced.
        audits: bounds on ε of :mod:`pldverify.audit`, of what was run. Each page then links to an overview
            beside it, ``certificate~audits.html``; the certificate is the same, as it proves and they don't.

    Returns the files. It takes seconds: each page's profile is proved anew. Raises InvalidInput for what is
    no ruling, and for an audit that says nothing of its ε, as :func:`pldverify.overview`, as none does where
    δ is no fraction; and OSError.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     files = pv.save(pv.certify(pv.Laplace(b=1), epsilon=1, delta=0), folder)
    >>> [file.name for file in files]
    ['certificate.json', 'certificate.html']
    """
    if isinstance(ruling, Certificate):
        rows = [("certificate", ruling, list[str](), NOTHING)]
    elif isinstance(ruling, Ruling):
        rows = [(each.name, each.certificate, each.about(), each.told()) for each in certificates([ruling])]
    else:
        raise InvalidInput(f"ruling must be one of certify or certify_file, got {brief(ruling)}")
    shown, texts = tuple(audits), dict[str, str]()
    for name, certificate, about, told in rows:
        beside = f"{name}~audits.html" if shown else ""  # ~: in no id of a claim
        texts[f"{name}.json"] = document(certificate).text()
        texts[f"{name}.html"] = html(certificate, about, replace(told, audits=beside))
        if beside:
            texts[beside] = _audited(certificate, shown).html()
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        (place / file).write_text(text, "utf-8")
    return [place / file for file in texts]


def _audited(certificate: Certificate, audits: tuple[Audit, ...]) -> Overview:
    """What audits show beside what is proved, and claimed: a little less of it where ε is no fraction."""
    query, (low, high) = certificate.query, ends(certificate.epsilon)
    said = [
        Claim(high if direction == "upper" else low, direction, "claim")
        for direction in CLAIMS[certificate.relation]
    ]
    run, way = query.composition, query.adjacency
    return overview(run, delta=query.delta, claims=said, audits=audits, adjacency=way)
