"""``--budgets N``: where the error of an FFT accountant comes from, added to findings in JSON form."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pldverify.errors import PldverifyError

if TYPE_CHECKING:
    from pldverify.accountants.accountant import Accountant

Document = dict[str, object]
_FIRST = "UNSOUND"
"""The verdict whose findings get a budget first."""


def with_budgets(
    documents: Sequence[Document], subjects: Sequence["Accountant"], most: int
) -> list[Document]:
    """The findings in their order, at most so many with a key ``error_budget``, UNSOUND ones first.

    Questions of δ at an ε have one, of accountants that ``pv.error_budget`` knows. It asks them again, in
    this process and without limits. What has no budget stays as it is.
    """
    found = [dict(document) for document in documents]
    by_name = {subject.name: subject for subject in subjects}
    for document in sorted(found, key=lambda each: each["verdict"] != _FIRST):
        if most <= 0:
            break
        budget = _budget(document, by_name)
        if budget is not None:
            document["error_budget"] = budget
            most -= 1
    return found


def _budget(document: Document, subjects: dict[str, "Accountant"]) -> Document | None:
    """None where there is none."""
    if document["quantity"] != "delta" or document["claim"] is None:
        return None
    from pldverify.decomposition.error_budget import error_budget
    from pldverify.mechanisms.query import Query

    try:
        query = Query(
            str(document["composition"]),
            epsilon=str(document["epsilon"]),
            adjacency=document["adjacency"],  # type: ignore[arg-type]  # what a query has said
        )
        return error_budget(subjects[str(document["accountant"])], query).to_json()
    except PldverifyError:  # another accountant, a refusal, more time than there is
        return None
