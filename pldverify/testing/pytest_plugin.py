"""What pytest finds by its entry point: options, the fixture ``pldverify``, and failures in words.

pytest loads this in every run of everybody who has pldverify installed, so nothing else of ours is
loaded until an option is given, the fixture is used, or a comparison of one of our objects has failed.
"""

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pldverify.testing.kept_truths import KeptTruths

_OURS = ("pldverify.numbers.", "pldverify.rulings.")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--pldverify-level`` and its kin."""
    group = parser.getgroup("pldverify", "privacy accountants")
    group.addoption(
        "--pldverify-level",
        choices=("quick", "standard"),
        help="how much the checks of parametrize_with_checks ask, whatever the tests say",
    )
    group.addoption(
        "--pldverify-report",
        metavar="FILE",
        help="write the findings of checks, assertions and the fixture: a page (.html) or data (.json)",
    )
    group.addoption(
        "--pldverify-golden",
        metavar="FILE",
        action="append",
        default=[],
        help="test that an accountant answers as `pldverify freeze` has pinned it; may be repeated",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Loads what an option needs, and only then."""
    if any(config.getoption(f"pldverify_{name}") for name in ("level", "report", "golden")):
        from pldverify.testing.pytest_session import PytestSession

        config.pluginmanager.register(PytestSession(config), "pldverify-session")


@pytest.fixture(scope="session")
def pldverify(request: pytest.FixtureRequest) -> "KeptTruths":
    """The truth, proved once and kept in pytest's cache: ``pldverify.delta(…)`` and its kin."""
    from pldverify.testing.kept_truths import KeptTruths

    cache = getattr(request.config, "cache", None)
    return KeptTruths(None if cache is None else cache.mkdir("pldverify"))


def pytest_assertrepr_compare(op: str, left: Any, right: Any) -> list[str] | None:
    """Enclosures and findings of a comparison that failed, in words."""
    if any(type(side).__module__.startswith(_OURS) for side in (left, right)):
        from pldverify.testing.explanation import explanation

        return explanation(op, left, right)
    return None
