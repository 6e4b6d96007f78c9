"""Certificates and pages of rulings, as files."""

from pathlib import Path

from pldverify.certificate.html_page import html
from pldverify.certificate.issue import document
from pldverify.claims.certificates import certificates
from pldverify.claims.many import page
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import brief
from pldverify.rulings.certify import Certificate
from pldverify.rulings.ruling import Ruling


def save(ruling: Certificate | Ruling, folder: str | Path) -> list[Path]:
    """Write a ruling's certificates, which ``pldverify recheck`` decides again, and their pages.

    Args:
        ruling: of :func:`pldverify.certify`, whose files are ``certificate.json`` and ``certificate.html``;
            or of :func:`pldverify.certify_file`, whose files have the claim's id, and a number a reading.
        folder: is made where it is missing; files of these names are replaced.

    Returns the files. It takes seconds: each page's profile is proved anew. Raises InvalidInput for what is
    no ruling, and OSError.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     files = pv.save(pv.certify(pv.Laplace(b=1), epsilon=1, delta=0), folder)
    >>> [file.name for file in files]
    ['certificate.json', 'certificate.html']
    """
    place = Path(folder)
    if isinstance(ruling, Certificate):
        rows = [("certificate", ruling, html(ruling))]
    elif isinstance(ruling, Ruling):
        rows = [(each.name, each.certificate, page(each)) for each in certificates([ruling])]
    else:
        raise InvalidInput(f"ruling must be one of certify or certify_file, got {brief(ruling)}")
    place.mkdir(parents=True, exist_ok=True)
    written = []
    for name, certificate, shown in rows:
        for ending, text in (("json", document(certificate).text()), ("html", shown)):
            written.append(place / f"{name}.{ending}")
            written[-1].write_text(text, "utf-8")
    return written
