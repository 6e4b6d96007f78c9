"""Reference: what makes an accountant again, to write down beside what it said."""

from pathlib import Path

from pldverify.accountants.accountant import Accountant, Function
from pldverify.accountants.command import Command
from pldverify.accountants.registry import accountant, accountant_names
from pldverify.accountants.worker import objects
from pldverify.errors import InvalidInput, MissingLibrary


def reference(subject: Accountant) -> tuple[str, str] | None:
    """What ``pv.check`` takes for an accountant, and the direction that is to be stated, or ""; None for an
    object that no name makes again.

    >>> from pldverify.accountants.registry import accountant
    >>> from pldverify.accountants.reference import reference
    >>> reference(accountant("rdp"))
    ('rdp/canonne-2020', '')
    """
    if isinstance(subject, Command):
        return subject.name, "" if subject.direction == "upper" else subject.direction
    if subject.name in accountant_names():
        return subject.name, ""
    try:
        is_function = isinstance(subject, Function)
        ((kind, address),) = objects.write(subject.function if is_function else type(subject)).items()  # type: ignore[union-attr, attr-defined]
        direction = subject.direction if is_function and kind == "import" else ""
        named = _near(str(address))
        again = accountant(named, subject.direction if direction else None)
        return (named, direction) if objects.write(again) == objects.write(subject) else None
    except (InvalidInput, MissingLibrary):
        return None


def _near(address: str) -> str:
    """The address with its file as it is called from here."""
    place, _, name = address.rpartition(":")
    path = Path(place)
    inside = path.is_absolute() and path.is_relative_to(Path.cwd())
    return f"{path.relative_to(Path.cwd())}:{name}" if inside else address
