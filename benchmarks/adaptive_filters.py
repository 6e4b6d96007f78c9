"""Filters of other people, judged: by an adversary that chooses by what it saw, and at the edge of a budget.

    PYTHONPATH=. python benchmarks/adaptive_filters.py [flwr] [opendp] [tmlt]

in an environment with those libraries and python-flint. The adversary plays within an (ε, δ); a budget of ε
or ρ is filled by random queries until nothing more is admitted, and what was admitted is summed up exactly:
losses of Laplace noise and ρ of Gaussian noise add up, and are attained, so a larger sum refutes the filter.
"""

import random
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction

import pldverify as pv
from pldverify.mechanisms.mechanism import Composition
from pldverify.testing.adaptive import Taken, attack_filter

RUNS = 20
"""Random fillings of each budget."""
Row = tuple[str, str, str]
"""Who, what was asked, what came of it."""


def flwr() -> Iterator[Row]:
    """``would_exceed`` at its default orders, of Poisson samples of 10,000 clients."""
    from flwr.supercore import privacy_accounting as accounting
    from flwr.supercore.privacy_accounting.rdp_accountant import RdpAccountant

    def admits(delta: float, epsilon: float) -> Callable[[Taken, Composition], bool]:
        config = accounting.PrivacyConfig(
            delta, 10_000, accounting.NeighboringRelation.ADD_OR_REMOVE_ONE, accounting.SamplingMethod.POISSON
        )

        def event(query: Composition) -> object:
            ((mechanism, _),) = query.parts
            clients = int(mechanism.q * 10_000)
            return accounting.GaussianPrivacyEvent(float(mechanism.base.sigma), clients, 10_000)

        def admitted(taken: Taken, asked: Composition) -> bool:
            accountant = RdpAccountant(config)
            for query in taken:
                accountant.compose(event(query), 1)
            return not accountant.would_exceed(event(asked), epsilon)

        return admitted

    queries = [
        f"poisson(gaussian({sigma}), q={q})"
        for sigma, q in (("0.5", "0.001"), ("0.6", "0.01"), ("1", "0.1"), ("1", "0.5"), ("2", "0.9"))
    ]
    for epsilon, delta in ((1.0, 1e-2), (2.0, 1e-3), (4.0, 1e-5)):
        found = attack_filter(admits(delta, epsilon), queries, epsilon=epsilon, delta=delta, depth=2)
        told = "REFUTED" if found.refutes else "not refuted"
        yield "flwr would_exceed", f"ε={epsilon}, δ={delta}", f"{told}: δ ≥ {float(found.delta):.3g}"


def opendp() -> Iterator[Row]:
    """``make_privacy_filter`` of ``make_fully_adaptive_composition``."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    kinds = {
        "zCDP": (dp.zero_concentrated_divergence(), dp.m.make_gaussian, lambda s: 1 / (2 * s**2)),
        "pure DP": (dp.max_divergence(), dp.m.make_laplace, lambda s: 1 / s),
    }
    for name, (measure, noise, cost) in kinds.items():

        def begin(budget: float, measure: object = measure) -> Callable[[object], object]:
            odometer = dp.c.make_fully_adaptive_composition(*space, measure)
            return dp.c.make_privacy_filter(odometer, d_in=1.0, d_out=budget)(0.0)

        yield filled("opendp make_privacy_filter", name, begin, lambda s, noise=noise: noise(*space, s), cost)


def tmlt() -> Iterator[Row]:
    """``SequentialComposition``, whose budgets are exact numbers."""
    import sympy
    from tmlt.core.domains.numpy_domains import NumpyFloatDomain
    from tmlt.core.measurements.interactive_measurements import (
        MakeInteractive,
        MeasurementQuery,
        SequentialComposition,
    )
    from tmlt.core.measurements.noise_mechanisms import AddLaplaceNoise
    from tmlt.core.measures import PureDP
    from tmlt.core.metrics import AbsoluteDifference

    def begin(budget: float) -> Callable[[object], object]:
        exact = sympy.Rational(*Fraction(budget).as_integer_ratio())
        whole = SequentialComposition(NumpyFloatDomain(), AbsoluteDifference(), PureDP(), 1, exact)
        return whole(0.0)

    def noise(scale: float) -> object:
        exact = sympy.Rational(*Fraction(scale).as_integer_ratio())
        noisy = MakeInteractive(AddLaplaceNoise(NumpyFloatDomain(), exact))
        return MeasurementQuery(noisy, d_out=1 / exact)

    yield filled("tmlt SequentialComposition", "pure DP", begin, noise, lambda s: 1 / s)


def filled(
    who: str,
    what: str,
    begin: Callable[[float], Callable[[object], object]],
    query: Callable[[float], object],
    cost: Callable[[Fraction], Fraction],
) -> Row:
    """Random budgets, filled by random noise."""
    draw, exceeded, most = random.Random(1), 0, Fraction(0)
    for _ in range(RUNS):
        budget = draw.uniform(0.1, 2)
        run, spent = begin(budget), Fraction(0)
        for scale in (round(draw.uniform(1, 12), 2) for _ in range(25)):
            try:
                run(query(scale))
            except Exception:  # refused; each library has a class of its own
                continue
            spent += cost(Fraction(scale))
        exceeded += spent > Fraction(budget)
        most = max(most, spent / Fraction(budget))
    told = f"{RUNS - exceeded} of {RUNS} kept, the fullest {float(most):.6f}"
    return who, what, f"{'REFUTED' if exceeded else 'not refuted'}: {told}"


def ours() -> Iterator[Row]:
    """``pv.Filter``, by the same."""

    def begin(budget: float) -> Callable[[object], object]:
        kept = pv.Filter(rho=budget)

        def ask(query: object) -> None:
            if not kept.admit(query):
                raise ValueError("refused")

        return ask

    yield filled("pv.Filter", "zCDP", begin, lambda s: pv.Gaussian(s), lambda s: 1 / (2 * s**2))


if __name__ == "__main__":
    known = {"ours": ours, "flwr": flwr, "opendp": opendp, "tmlt": tmlt}
    for name in sys.argv[1:] or known:
        for row in known[name]():
            print(" | ".join(row), flush=True)
