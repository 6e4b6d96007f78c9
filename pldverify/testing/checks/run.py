"""Run: the checks on an accountant, as results, as an assertion, and as tests of pytest."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from pldverify.accountants.accountant import Accountant, Function
from pldverify.accountants.registry import accountant as accountant_of
from pldverify.errors import InvalidInput
from pldverify.mechanisms.query import Query
from pldverify.named import one_line
from pldverify.numbers.arithmetic import suggestion
from pldverify.numbers.exact import Number, brief, nonnegative
from pldverify.rulings.check import finding
from pldverify.testing.checks import adaptive, curves, oracle, relations, renyi, state
from pldverify.testing.checks.check import Check, Result
from pldverify.testing.checks.subject import Level, Subject
from pldverify.testing.record import note, recording

if TYPE_CHECKING:
    from pytest import MarkDecorator

__tracebackhide__ = True

ROOMS = (oracle, relations, curves, state, renyi, adaptive)
CHECKS: dict[str, Check] = {check.name: check for room in ROOMS for check in room.CHECKS}
"""All checks by name."""


def check_names() -> list[str]:
    """Names of all checks.

    >>> from pldverify.testing import check_names
    >>> check_names()[:3]
    ['answers', 'one-step', 'decimals']
    """
    return list(CHECKS)


def run_checks(
    accountant: object,
    *,
    level: Level = "quick",
    tightness: Number | None = None,
    checks: Iterable[str] | None = None,
) -> list[Result]:
    """Run the checks, or the named ones; nothing is raised for an accountant that breaks them.

    Args:
        accountant: an object, a class, or a name, as ``pv.check`` takes it.
        level: ``quick``, or ``standard``, which asks more.
        tightness: what a claim may give away, in ε (nats). With it the check ``tight`` asks, and relations
            allow for it; without it relations are asked as of exact answers.

    Raises InvalidInput for what is no accountant, level or check.

    >>> import pldverify as pv
    >>> from pldverify.testing import run_checks
    >>> half = pv.Accountant.of(lambda query: 0.5, direction="upper", name="half")
    >>> (result,) = run_checks(half, checks=["one-step"])
    >>> result.outcome, result.breaks[0].fault
    ('failed', 'UNSOUND')
    """
    allowed = _allowed(level, tightness)
    made = accountant_of(accountant)
    named = [_check(name) for name in (CHECKS if checks is None else checks)]
    subject = Subject(made, level, allowed)
    return [run(check, subject, _expression(accountant)) for check in named]


def check_accountant(
    accountant: object,
    *,
    level: Level = "quick",
    tightness: Number | None = None,
    expected_failures: Mapping[str, str] | None = None,
) -> list[Result]:
    """Run every check, and raise AssertionError, with all breaks, if one fails, or if there was nothing that
    they could look at.

    Args:
        expected_failures: {name of a check: why it fails}. Strict: one that passes raises too.

    The other arguments and errors as of :func:`run_checks`.

    >>> import pldverify as pv
    >>> from pldverify.testing import check_accountant
    >>> sure = pv.Accountant.of(lambda query: float("inf"), direction="upper", name="sure")
    >>> len(check_accountant(sure, expected_failures={"answers": "its δ is infinite too"})) > 30
    True
    """
    expected = dict(expected_failures or {})
    for name in expected:
        _check(name)
    results = run_checks(accountant, level=level, tightness=tightness)
    wrong = [text for result in results if (text := _complaint(result, expected))]
    if not any(result.compared or result.breaks for result in results):
        wrong.append(f"nothing was checked: {results[0].why_skipped}")
    if wrong:
        raise AssertionError("\n\n".join(wrong))
    return results


def parametrize_with_checks(
    accountants: Sequence[object],
    *,
    level: Level = "quick",
    tightness: Number | None = None,
    expected_failures: Mapping[str, str] | None = None,
) -> "MarkDecorator":
    """Every check of every accountant as a test of pytest with an id of its own.

    The decorated function takes ``accountant`` and ``check``, and says ``check(accountant)``. Checks that
    have nothing to compare are skipped, as where every question is refused; those in ``expected_failures``
    are strict ``xfail``, and must not be skipped. Arguments as of :func:`check_accountant`. Raises
    InvalidInput as :func:`run_checks`, and for no accountants.

    >>> from pldverify.testing import parametrize_with_checks
    >>> @parametrize_with_checks(["rdp"], tightness="0.5")
    ... def test_accountant(accountant, check):
    ...     check(accountant)
    """
    import pytest

    expected = dict(expected_failures or {})
    for name in expected:
        _check(name)
    allowed = _allowed(level, tightness)
    if isinstance(accountants, str) or not isinstance(accountants, Iterable) or not (given := [*accountants]):
        raise InvalidInput(f"accountants must be a list of one or more, got {brief(accountants)}")
    rows = []
    for each in given:
        made = accountant_of(each)
        shared = _Shared(made, level, allowed)
        for check in CHECKS.values():
            if check.name == "tight" and allowed is None and check.name not in expected:
                continue
            marks = (
                [pytest.mark.xfail(reason=expected[check.name], strict=True, raises=AssertionError)]
                if check.name in expected
                else []
            )
            one = CheckTest(check, shared, _expression(each), expected.get(check.name))
            rows.append(
                pytest.param(made, one, id=f"{_same_everywhere(made.name)}-{check.name}", marks=marks)
            )
    return pytest.mark.parametrize(("accountant", "check"), rows)


class _Shared:
    """The subject of all checks of one accountant, made when it is first asked."""

    def __init__(self, accountant: Accountant, level: Level, tightness: Fraction | None) -> None:
        self.accountant, self.level, self.tightness = accountant, level, tightness

    @cached_property
    def subject(self) -> Subject:
        return Subject(self.accountant, self.level, self.tightness)


class CheckTest:
    """A check as a function of an accountant; those of one accountant share its answers. With ``expected``,
    why it fails, it must not be skipped.
    """

    def __init__(self, check: Check, shared: _Shared, expression: str, expected: str | None = None) -> None:
        self.check, self._shared, self._expression, self._expected = check, shared, expression, expected

    def ask_at(self, level: Level) -> None:
        """Ask as much as this, whatever the test says; before anything was asked."""
        self._shared.level = level

    def __call__(self, accountant: object) -> Result:
        __tracebackhide__ = True
        subject = self._shared.subject
        if subject.accountant is not accountant:
            subject = Subject(accountant_of(accountant), subject.level, subject.tightness)
        before = len(subject.claimed)
        result = run(self.check, subject, self._expression)
        if recording():
            _note(result, subject, subject.claimed[before:])
        if result.outcome == "skipped":
            import pytest

            if self._expected is not None:
                pytest.fail(_not_failed(result, self._expected))
            pytest.skip(result.why_skipped)
        if result.outcome == "failed":
            raise AssertionError(str(result))
        return result

    def __repr__(self) -> str:
        return f"check {self.check.name}"


def run(check: Check, subject: Subject, expression: str, most: int = 10) -> Result:
    """One check; it ends at the tenth break, or as said."""
    before, compared = len(subject.claimed), subject.compared
    subject.reason = ""
    breaks = tuple(islice(check.run(subject), most))
    asked, compared = len(subject.claimed) - before, subject.compared - compared
    return Result(check, expression, asked, compared, breaks, subject.version, subject.reason)


def _note(result: Result, subject: Subject, queries: Iterable[Query]) -> None:
    """The result for a report; of an oracle check the findings too."""
    note(result)
    if result.check.kind == "oracle":
        for query in dict.fromkeys(queries):
            note(finding(subject.accountant.name, query, subject.answer(query)))


def _same_everywhere(name: str) -> str:
    """A name without the addresses of a default ``repr``, which differ between processes."""
    return re.sub(r"( at)? 0x[0-9A-Fa-f]+", "", name)


def _complaint(result: Result, expected: Mapping[str, str]) -> str:
    name = result.check.name
    if name not in expected:
        return str(result) if result.outcome == "failed" else ""
    if result.outcome == "failed":
        return ""
    return _not_failed(result, expected[name])


def _not_failed(result: Result, reason: str) -> str:
    why = f": {result.why_skipped}" if result.why_skipped else ""
    said = "was skipped" if why else result.outcome
    return f"{result.check.name}: expected to fail, as {reason!r}, but it {said}{why}"


def _allowed(level: str, tightness: Number | None) -> Fraction | None:
    """The tightness, exactly. Raises InvalidInput for one that is none, or no level."""
    if level not in ("quick", "standard"):
        raise InvalidInput(f"level must be quick or standard, got {brief(level)}")
    return None if tightness is None else nonnegative(tightness, "tightness")


def _check(name: str) -> Check:
    if name not in CHECKS:
        meant = suggestion(str(name), list(CHECKS))
        raise InvalidInput(f"got check={brief(name)}{meant}: check must be one of {', '.join(CHECKS)}")
    return CHECKS[name]


def _expression(accountant: object) -> str:
    """Python that names the accountant; of a dataclass with its settings."""
    if isinstance(accountant, str):
        return f'"{accountant}"'
    if is_dataclass(accountant) and not isinstance(accountant, type | Function):
        return one_line(repr(accountant))
    if isinstance(accountant, type):
        return accountant.__qualname__
    return str(getattr(accountant, "name", type(accountant).__name__))
