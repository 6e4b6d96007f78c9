"""What saves itself: a ruling with the method that writes its files."""

from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from pldverify.overviews.overview import Audit


class Saves:
    """Beside a frozen dataclass of rulings, which knows nothing of files."""

    def save(self, folder: str | Path, audits: Iterable["Audit"] = ()) -> list[Path]:
        """Write the certificate and its page into a folder: :func:`pldverify.save`, with ``audits`` beside.

        >>> from tempfile import TemporaryDirectory
        >>> ruling = pv.certify("laplace(1)", epsilon=1, delta=0)
        >>> with TemporaryDirectory() as folder:
        ...     [file.name for file in ruling.save(folder)]
        ['certificate.json', 'certificate.html']
        """
        from pldverify.claims.save import save

        return save(self, folder, audits)  # type: ignore[arg-type]  # which tells what it can't write

    @classmethod
    def of(cls, ruling: Any) -> Self:
        """The same ruling.

        >>> from pldverify.claims.certify import Certificate
        >>> from pldverify.rulings.certify import certify
        >>> Certificate.of(certify("laplace(1)", epsilon=1, delta=0)).verdict
        'CERTIFIED'
        """
        return cls(**{field.name: getattr(ruling, field.name) for field in fields(ruling)})
