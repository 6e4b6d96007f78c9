"""Certificates of rulings: one for each reading that has one, by the claim's id."""

from collections.abc import Iterator, Sequence

from pldverify.certificate.issue import document
from pldverify.claims.ruling import Ruling


def certificates(rulings: Sequence[Ruling]) -> Iterator[tuple[str, str]]:
    """(name of a file, its content). The first reading's is ``<id>.json``; of others ``<id>.2.json``, …

    A reading that rests on a conversion, or on two claims together, has none.
    """
    for ruling in rulings:
        made = [reading.certificate for reading in ruling.readings if reading.certificate is not None]
        for i, certificate in enumerate(made, 1):
            yield f"{ruling.claim.id}{'' if i == 1 else f'.{i}'}.json", document(certificate).text()
