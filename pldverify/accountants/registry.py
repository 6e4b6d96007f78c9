"""Registry: accountants by name. A new accountant is one line in ``_ACCOUNTANTS``.

Names are ``library/variant`` for third-party libraries, ``method/variant`` or ``method`` for pldverify's own.
The first variant is the headline: what people mean when they say only what stands before the slash.
"""

from importlib import import_module
from typing import cast

from pldverify.accountants.accountant import Accountant
from pldverify.errors import InvalidInput

_ACCOUNTANTS = {
    "dp-accounting/pld": "pldverify.accountants.adapters.dp_accounting:PLD",
    "dp-accounting/pld-optimistic": "pldverify.accountants.adapters.dp_accounting_functions:Optimistic",
    "dp-accounting/rdp": "pldverify.accountants.adapters.dp_accounting:RDP",
    "dp-accounting/pld-nested": "pldverify.accountants.adapters.dp_accounting:PLDNested",
    "dp-accounting/pld-integers": "pldverify.accountants.adapters.dp_accounting:PLDIntegers",
    "dp-accounting/pld-mixture": "pldverify.accountants.adapters.dp_accounting:PLDMixture",
    "dp-accounting/functions": "pldverify.accountants.adapters.dp_accounting_functions:Functions",
    "dp-accounting/functions-buckets": "pldverify.accountants.adapters.dp_accounting_functions:Buckets",
    "dp-accounting/functions-dots": "pldverify.accountants.adapters.dp_accounting_functions:Dots",
    "dp-accounting/functions-vector": "pldverify.accountants.adapters.dp_accounting_functions:Vector",
    "dp-accounting/functions-composed": "pldverify.accountants.adapters.dp_accounting_functions:Composed",
    "dp-accounting/rdp-nested": "pldverify.accountants.adapters.dp_accounting:RDPNested",
    "dp-accounting/rdp-integers": "pldverify.accountants.adapters.dp_accounting:RDPIntegers",
    "dp-accounting/rdp-integer-orders": "pldverify.accountants.adapters.dp_accounting:RDPIntegerOrders",
    "dp-accounting/rdp-wide-orders": "pldverify.accountants.adapters.dp_accounting:RDPWideOrders",
    "prv-accountant/upper": "pldverify.accountants.adapters.prv_accountant:Upper",
    "prv-accountant/estimate": "pldverify.accountants.adapters.prv_accountant:Estimate",
    "prv-accountant/lower": "pldverify.accountants.adapters.prv_accountant:Lower",
    "fourier/estimate": "pldverify.accountants.fourier:Fourier",
    "fourier/upper": "pldverify.accountants.fourier:FourierUpper",
    "heterogeneous-fourier/upper": "pldverify.accountants.heterogeneous_fourier:HeterogeneousFourierUpper",
    "heterogeneous-fourier/lower": "pldverify.accountants.heterogeneous_fourier:HeterogeneousFourierLower",
    "prv/upper": "pldverify.accountants.prv:PRVUpper",
    "prv/estimate": "pldverify.accountants.prv:PRVEstimate",
    "prv/lower": "pldverify.accountants.prv:PRVLower",
    "rdp/canonne-2020": "pldverify.accountants.rdp:RDP",
    "rdp/mironov-2017": "pldverify.accountants.rdp:RDPMironov",
    "rdp/asoodeh-2020": "pldverify.accountants.rdp:RDPAsoodeh",
    "moments": "pldverify.accountants.moments:Moments",
    "gdp/upper": "pldverify.accountants.gdp:GDPUpper",
    "gdp/estimate": "pldverify.accountants.gdp:GDP",
    "basic-composition": "pldverify.accountants.basic_composition:BasicComposition",
    "advanced-composition": "pldverify.accountants.advanced_composition:AdvancedComposition",
    "kairouz-oh-viswanath": "pldverify.accountants.kairouz_oh_viswanath:KairouzOhViswanath",
}


def names() -> list[str]:
    """All registered names, headlines first, whether their library is installed or not."""
    return list(_ACCOUNTANTS)


def accountant(name: str) -> Accountant:
    """The accountant of that name, or the headline accountant of that library or method.

    Raises InvalidInput for an unknown name, MissingLibrary where its library is not installed.
    """
    return _load(_matching(name)[0])


def accountants(name: str) -> list[Accountant]:
    """All accountants of a library or method, headline first, or the one of that name.

    Raises as :func:`accountant`.
    """
    return [_load(match) for match in _matching(name)]


def _matching(name: str) -> list[str]:
    if name in _ACCOUNTANTS:
        return [name]
    matches = [known for known in _ACCOUNTANTS if known.split("/")[0] == name]
    if not matches:
        allowed = ", ".join(_ACCOUNTANTS)
        raise InvalidInput(
            f"accountant must be one of {allowed}, or what stands before a slash, got accountant={name!r}"
        )
    return matches


def _load(name: str) -> Accountant:
    module, _, attribute = _ACCOUNTANTS[name].partition(":")
    return cast(Accountant, getattr(import_module(module), attribute)())
