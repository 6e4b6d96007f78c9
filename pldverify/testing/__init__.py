"""Testing: strategies, assertions and checks for those who write accountants.

Every name loads its module when it is first used: the checks need no Hypothesis, the strategies no pytest.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pldverify.testing.adaptive import attack_filter as attack_filter
    from pldverify.testing.assertions import assert_rdp_sound as assert_rdp_sound
    from pldverify.testing.assertions import assert_sound_lower as assert_sound_lower
    from pldverify.testing.assertions import assert_sound_upper as assert_sound_upper
    from pldverify.testing.assertions import assert_trade_off_sound as assert_trade_off_sound
    from pldverify.testing.assertions import assert_within as assert_within
    from pldverify.testing.checks.run import check_accountant as check_accountant
    from pldverify.testing.checks.run import check_names as check_names
    from pldverify.testing.checks.run import parametrize_with_checks as parametrize_with_checks
    from pldverify.testing.checks.run import run_checks as run_checks
    from pldverify.testing.oracle import Oracle as Oracle
    from pldverify.testing.strategies import compositions as compositions
    from pldverify.testing.strategies import deltas as deltas
    from pldverify.testing.strategies import epsilons as epsilons
    from pldverify.testing.strategies import mechanisms as mechanisms
    from pldverify.testing.strategies import queries as queries

_ROOMS = {
    "adaptive": "attack_filter",
    "oracle": "Oracle",
    "checks.run": "check_accountant check_names parametrize_with_checks run_checks",
    "assertions": "assert_rdp_sound assert_sound_lower assert_sound_upper assert_trade_off_sound "
    "assert_within",
    "strategies": "compositions deltas epsilons mechanisms queries",
}
_HOMES = {name: room for room, names in _ROOMS.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name == "__all__":
        return sorted(_HOMES)
    if name not in _HOMES:
        raise AttributeError(f"module 'pldverify.testing' has no attribute {name!r}")
    value: object = getattr(import_module(f"pldverify.testing.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOMES)
