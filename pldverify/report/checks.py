"""CheckRecord: what came of a check of the testing kit, as JSON tells it, validated."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from pldverify.boundary import Open
from pldverify.errors import InvalidInput
from pldverify.report.record import Word


class BreakRecord(Open):
    """``Break.to_json()``: what it shows, in words; Python of what was asked."""

    fault: Word
    message: str
    queries: Annotated[tuple[str, ...], Field(strict=False)] = ()


class CheckRecord(Open):
    """``Result.to_json()``, and the ``test`` that ran it."""

    check: str
    kind: Word
    accountant: str
    outcome: Literal["failed", "skipped", "passed"]
    asked: Annotated[int, Field(ge=0)]
    why_skipped: str = ""
    breaks: Annotated[tuple[BreakRecord, ...], Field(strict=False)] = ()
    test: str = ""

    @property
    def told(self) -> str:
        """The first break, why nothing was compared, or how much was asked."""
        if self.breaks:
            first, more = self.breaks[0], len(self.breaks) - 1
            others = f" (and {more} more)" if more else ""
            return f"{first.fault}: {first.message}{others}"
        return self.why_skipped or f"{self.asked} claims"


def checks(results: Iterable[Mapping[str, Any]]) -> list[CheckRecord]:
    """Failed ones first, then skipped ones. Raises InvalidInput for what is no result."""
    try:
        found = [CheckRecord.model_validate(each) for each in results]
    except ValidationError as wrong:
        raise InvalidInput(f"a result of a check: {wrong.errors(include_url=False)[0]['msg']}") from None
    order = ("failed", "skipped", "passed")
    return sorted(found, key=lambda each: order.index(each.outcome))
