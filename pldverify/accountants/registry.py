"""Registry: accountants by name. A new one of ours is one line in ``_ACCOUNTANTS``, another package's is an
entry point of the group ``pldverify.accountants``, and any other is named by its module, file or command.

Names are ``library/variant`` for third-party libraries, ``method/variant`` or ``method`` for pldverify's own.
The first variant is the headline: what people mean when they say only what stands before the slash.
"""

import sys
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING

from pldverify import named
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.command import PREFIX, command
from pldverify.accountants.library import Library
from pldverify.accountants.made import made
from pldverify.errors import InvalidInput, MissingLibrary
from pldverify.numbers.claim import Direction
from pldverify.numbers.exact import Number

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "pldverify.accountants"
"""Of entry points."""

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
    "dp-accounting/rdp-curve": "pldverify.accountants.adapters.dp_accounting:RDPCurve",
    "dp-accounting/calibrate-pld": "pldverify.accountants.adapters.calibration:DPAccountingPLD",
    "dp-accounting/calibrate-rdp": "pldverify.accountants.adapters.calibration:DPAccountingRDP",
    "dp-accounting/smallest-gaussian": "pldverify.accountants.adapters.calibration:DPAccountingGaussian",
    "dp-accounting/smallest-laplace": "pldverify.accountants.adapters.calibration:DPAccountingLaplace",
    "dp-accounting/sigma-gaussian": "pldverify.accountants.adapters.calibration:DPAccountingSigma",
    "prv-accountant/upper": "pldverify.accountants.adapters.prv_accountant:Upper",
    "prv-accountant/estimate": "pldverify.accountants.adapters.prv_accountant:Estimate",
    "prv-accountant/lower": "pldverify.accountants.adapters.prv_accountant:Lower",
    "prv-accountant/upper-coarse": "pldverify.accountants.adapters.prv_accountant:Coarse",
    "prv-accountant/upper-fine": "pldverify.accountants.adapters.prv_accountant:Fine",
    "prv-accountant/upper-reserved": "pldverify.accountants.adapters.prv_accountant:Reserved",
    "prv-accountant/rdp-curve": "pldverify.accountants.adapters.prv_accountant:RDPCurve",
    "opacus/rdp": "pldverify.accountants.adapters.plain.opacus:RDP",
    "opacus/prv": "pldverify.accountants.adapters.plain.opacus:PRV",
    "opacus/gdp": "pldverify.accountants.adapters.plain.opacus:GDP",
    "opacus/rdp-integer-orders": "pldverify.accountants.adapters.plain.opacus:RDPIntegerOrders",
    "opacus/rdp-wide-orders": "pldverify.accountants.adapters.plain.opacus:RDPWideOrders",
    "opacus/rdp-curve": "pldverify.accountants.adapters.plain.opacus:RDPCurve",
    "opacus/calibrate-rdp": "pldverify.accountants.adapters.calibration:OpacusRDP",
    "opacus/calibrate-prv": "pldverify.accountants.adapters.calibration:OpacusPRV",
    "autodp/rdp": "pldverify.accountants.adapters.plain.autodp:RDP",
    "autodp/fourier": "pldverify.accountants.adapters.plain.autodp:Fourier",
    "autodp/zoo": "pldverify.accountants.adapters.plain.autodp:Zoo",
    "autodp/eps": "pldverify.accountants.adapters.plain.autodp:Eps",
    "autodp/single": "pldverify.accountants.adapters.plain.autodp:Single",
    "autodp/exact": "pldverify.accountants.adapters.plain.autodp:Exact",
    "autodp/rdp-curve": "pldverify.accountants.adapters.plain.autodp:RDPCurve",
    "autodp/ana-gaussian-calibrator": "pldverify.accountants.adapters.calibration:AutoDP",
    "fourier-accountant": "pldverify.accountants.adapters.fourier_accountant:FourierAccountant",
    "riskcal": "pldverify.accountants.adapters.plain.riskcal:RiskCal",
    "riskcal/trade-off": "pldverify.accountants.adapters.plain.riskcal:TradeOff",
    "pld-accounting/upper": "pldverify.accountants.adapters.plain.pld_accounting:Upper",
    "pld-accounting/lower": "pldverify.accountants.adapters.plain.pld_accounting:Lower",
    "random-allocation/rdp": "pldverify.accountants.adapters.plain.random_allocation:RDP",
    "random-allocation/decomposition": "pldverify.accountants.adapters.plain.random_allocation:Decomposition",
    "random-allocation/recursive": "pldverify.accountants.adapters.plain.random_allocation:Recursive",
    "opake-accounting/pld": "pldverify.accountants.adapters.plain.opake_accounting:PLD",
    "gdpnum/ctd": "pldverify.accountants.adapters.plain.gdpnum:CTD",
    "flwr/rdp": "pldverify.accountants.adapters.plain.flwr:RDP",
    "tmlt-core/pure": "pldverify.accountants.adapters.plain.tmlt_core:Pure",
    "tensorflow-privacy/rdp": "pldverify.accountants.adapters.plain.tensorflow_privacy:RDP",
    "tensorflow-privacy/gdp": "pldverify.accountants.adapters.plain.tensorflow_privacy:GDP",
    "jax-privacy/pld": "pldverify.accountants.adapters.plain.jax_privacy:PLD",
    "jax-privacy/rdp": "pldverify.accountants.adapters.plain.jax_privacy:RDP",
    "opendp/zcdp": "pldverify.accountants.adapters.plain.opendp:ZCDP",
    "opendp/pure": "pldverify.accountants.adapters.plain.opendp:Pure",
    "diffprivlib": "pldverify.accountants.adapters.plain.diffprivlib:DiffPrivLib",
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

_ON_DEMAND = frozenset(
    f"{library}/{variant}"
    for library, variants in {
        "dp-accounting": "pld-optimistic pld-nested pld-integers pld-mixture functions functions-buckets "
        "functions-dots functions-vector functions-composed rdp-nested rdp-integers rdp-integer-orders "
        "rdp-wide-orders rdp-curve calibrate-pld calibrate-rdp smallest-gaussian smallest-laplace "
        "sigma-gaussian",
        "prv-accountant": "upper-coarse upper-fine upper-reserved rdp-curve",
        "opacus": "rdp-integer-orders rdp-wide-orders rdp-curve calibrate-rdp calibrate-prv",
        "autodp": "single exact rdp-curve ana-gaussian-calibrator",
    }.items()
    for variant in variants.split()
)
"""A public accountant in other words or with other settings, a function below it, a curve, a calibration."""

_PLAIN = "pldverify.accountants.adapters.plain."
"""Adapters that import nothing of ours."""


def accountant_names() -> list[str]:
    """Names of all accountants, ours and those that installed packages register, whether their library is
    installed or not; headlines first.

    >>> import pldverify as pv
    >>> pv.accountant_names()[0]
    'dp-accounting/pld'
    """
    return list(dict.fromkeys([*_ACCOUNTANTS, *(point.name for point in _entry_points())]))


def beside(library: str) -> list[str]:
    """Names of the accountants that can run in the library's own environment.

    >>> from pldverify.accountants.registry import beside
    >>> beside("riskcal")
    ['riskcal', 'riskcal/trade-off']
    """
    plain = (name for name, reference in _ACCOUNTANTS.items() if reference.startswith(_PLAIN))
    return [name for name in plain if name.partition("/")[0] == library]


def accountant(thing: object, direction: Direction | None = None, error: Number | None = None) -> Accountant:
    """The accountant that is meant: by a name, by ``module:Class`` or ``file.py:Class``, by
    ``command:program arguments``, as an object, as a class, or as a function of a query with ``direction``.

    A library's name means its headline accountant. ``error`` is what a function that estimates is wrong by at
    most. Raises InvalidInput for what is none of these, and for a ``direction`` of what has its own;
    MissingLibrary where a library is not installed.

    >>> from pldverify.accountants.registry import accountant
    >>> accountant("rdp").name, accountant("pldverify.accountants.rdp:RDP").name
    ('rdp/canonne-2020', 'rdp/canonne-2020')
    """
    return variants(thing, direction, error)[0] if isinstance(thing, str) else made(thing, direction, error)


def variants(
    name: str, direction: Direction | None = None, error: Number | None = None, *, every: bool = True
) -> list[Accountant]:
    """All accountants of a library or method, headline first, or the one of that name; without ``every``
    those that a library offers for use. One that lacks what others of its library do not need, such as an
    environment of its own, is left out.

    Raises as :func:`accountant`.

    >>> from pldverify.accountants.registry import variants
    >>> [each.name for each in variants("rdp")]
    ['rdp/canonne-2020', 'rdp/mironov-2017', 'rdp/asoodeh-2020']
    """
    if name.startswith(PREFIX):
        return [command(name, direction or "upper")]
    names = [] if named.is_reference(name) else _matching(name)
    asked = [each for each in names if every or each == name or each not in _ON_DEMAND]
    references = [_reference(each) for each in asked] or [name]
    there, missing = [], []
    for reference in references:
        try:
            there.append(made(_found(reference), direction, error))
        except MissingLibrary as reason:
            missing.append(reason)
    if not there:
        raise missing[0]
    return there


def described(name: str) -> list[tuple[str, str, bool]]:
    """All accountants of a library or method, or what a file ``mine.py`` defines: each with a sentence on
    what it asks, and whether it is one of its :func:`variants` without ``every``. Raises InvalidInput for an
    unknown name.

    >>> from pldverify.accountants.registry import described
    >>> described("prv-accountant")[3]
    ('prv-accountant/upper-coarse', 'The upper bound of PRVAccountant with eps_error=1.', False)
    """
    if name.endswith(".py"):
        return [(f"{name}:{each}", _sentence(doc), True) for each, doc in named.defined(name).items()]
    return [
        (each, _sentence(named.find(_reference(each)).__doc__), each == name or each not in _ON_DEMAND)
        for each in _matching(name)
    ]


def _sentence(docstring: str | None) -> str:
    """The beginning of a docstring, as plain text."""
    return " ".join((docstring or "").partition("\n\n")[0].replace("``", "").split())


def _found(reference: str) -> object:
    """What a reference names; of an adapter that knows no class of ours, what asks it."""
    module, _, kind = reference.partition(":")
    return Library(module, kind) if module.startswith(_PLAIN) else named.find(reference)


def _matching(name: str) -> list[str]:
    known = accountant_names()
    matches = [each for each in known if each == name or each.startswith(f"{name}/")]
    if not matches and name.endswith(".py"):
        inside = ", ".join(f"{name}:{each}" for each in named.defined(name)) or f"{name}:Class"
        raise InvalidInput(f"got accountant={name!r}: accountant must be something that it defines: {inside}")
    if not matches:
        libraries = list(dict.fromkeys(each.split("/")[0] for each in known))
        near = get_close_matches(name, [*known, *libraries], n=1)
        meant = f" (did you mean {near[0]}?)" if near else ""
        raise InvalidInput(
            f"got accountant={name!r}{meant}: accountant must be one of {', '.join(libraries)}, or a variant "
            "of one of them, or module:Class, or file.py:Class, or command:program"
        )
    return matches


def _reference(name: str) -> str:
    """Where the accountant of that name stands. Raises InvalidInput for a name that is taken twice."""
    places = [(_ACCOUNTANTS[name], "pldverify")] if name in _ACCOUNTANTS else []
    places += [(point.value, point.dist.name if point.dist else "?") for point in _entry_points(name)]
    if len(places) > 1:
        listed = " and ".join(f"{package} ({reference})" for reference, package in places)
        raise InvalidInput(
            f"accountant {name} is a name that is taken twice, by {listed}: name one of them by module:Class"
        )
    return places[0][0]


def _entry_points(name: str | None = None) -> "list[EntryPoint]":
    return [point for point in _registered(tuple(sys.path)) if name is None or point.name == name]


@cache
def _registered(path: tuple[str, ...]) -> "list[EntryPoint]":
    """What the packages on the path register: to read their metadata takes a tenth of a second."""
    from importlib.metadata import entry_points

    return sorted(set(entry_points(group=GROUP)), key=lambda point: (point.name, point.value))
