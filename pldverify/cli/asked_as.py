"""What makes an accountant again, added to findings in JSON form where its name alone does not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pldverify.accountants.accountant import Accountant

Document = dict[str, object]


def with_references(documents: Sequence[Document], subjects: Sequence["Accountant"]) -> list[Document]:
    """The findings, with a key ``asked_as`` where ``mine.py:half`` or a direction is to be stated."""
    from pldverify.accountants.reference import reference

    found = {subject.name: reference(subject) for subject in subjects}
    told = {
        name: {"name": named[0], "direction": named[1] or None}
        for name, named in found.items()
        if named not in (None, (name, ""))
    }
    return [
        {**document, "asked_as": told[name]} if (name := str(document["accountant"])) in told else document
        for document in documents
    ]
