"""Attacks on finite pairs, by hand: every test of them is a set of outcomes."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.reference.engines.derived.complement import Complement

Q = Fraction
Row = tuple[Fraction, ...]


def pairs(count: int) -> Iterator[tuple[Row, Row]]:
    draw = random.Random(7)
    for _ in range(count):
        n = draw.randint(2, 5)
        weights = [[draw.choice((0, 1, 2, 5, 30)) for _ in range(n)] for _ in range(2)]
        rows = [[w + (not any(row)) for w in row] for row in weights]
        p, q = (tuple(Q(w, sum(row)) for w in row) for row in rows)
        yield p, q


def best(p: Row, q: Row, fpr: Fraction) -> Fraction:
    """The power of the best randomised test of size ``fpr``: outcomes by p/q, the last one in part."""
    order = sorted(range(len(p)), key=lambda i: p[i] / (p[i] + q[i]) if p[i] + q[i] else Q(0), reverse=True)
    left, power = fpr, Q(0)
    for i in order:
        share = Q(1) if q[i] <= left else left / q[i]
        left, power = left - share * q[i], power + share * p[i]
    return power


@pytest.mark.parametrize("pair", list(pairs(25)))
@pytest.mark.parametrize("fpr", ["0", "1e-6", "0.05", "1/3", "1"])
def test_the_true_positive_rate(pair: tuple[Row, Row], fpr: str) -> None:
    p, q = pair
    found = pv.tpr(pv.FinitePair(p, q), fpr=fpr, digits=8)
    assert max(best(p, q, Q(fpr)), best(q, p, Q(fpr))) in found
    assert found.digits >= 8


@pytest.mark.parametrize("pair", list(pairs(25)))
@pytest.mark.parametrize("prior", ["1/1000", "0.3", "1/2", "0.99"])
def test_the_bayes_risk(pair: tuple[Row, Row], prior: str) -> None:
    p, q = pair
    share = Q(prior)
    truth = min(
        sum((min(share * x, (1 - share) * y) for x, y in zip(a, b, strict=True)), Q(0))
        for a, b in ((p, q), (q, p))
    )
    assert truth in pv.bayes_risk(pv.FinitePair(p, q), prior=prior)


def test_of_a_tiny_delta_the_bayes_risk_needs_no_digit() -> None:
    """δ(ln 9) is at most that of Gaussian noise without sampling, Φ(−21.9), and has no digit within 20 s."""
    found = pv.bayes_risk("100 * poisson(gaussian(100), q=0.1)", prior="0.1", digits=12)
    assert 0 <= Q(1, 10) - found.upper <= Q(1, 10) - found.lower < Q(1, 10**100)
    assert found.digits >= 12 and pv.prove_again(found) == found


@pytest.mark.parametrize("pair", list(pairs(25)))
def test_the_advantage(pair: tuple[Row, Row]) -> None:
    p, q = pair
    assert sum((max(Q(0), x - y) for x, y in zip(p, q, strict=True)), Q(0)) in pv.advantage(
        pv.FinitePair(p, q)
    )


def test_many_rates_are_answered_as_one() -> None:
    run = 1000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
    rates = ["1e-8", "1e-4", "0.5"]
    many = pv.tpr(run, fpr=rates, digits=6)
    assert all(one.overlaps(pv.tpr(run, fpr=rate, digits=6)) for one, rate in zip(many, rates, strict=True))
    assert all(low.upper < high.lower for low, high in pairwise(many))
    assert all(pv.prove_again(one) == one for one in many)
    assert pv.tpr(run, fpr=[]) == []


def test_a_small_rate_has_digits_of_its_own() -> None:
    """Φ(Φ⁻¹(1e-12) + 1) = 7.9736e-10, and f(α) is as near to 1."""
    found = pv.tpr(pv.Gaussian(1), fpr="1e-12", digits=12)
    assert found.digits >= 12 and Q("7.9735e-10") < found.lower and found.upper < Q("7.9737e-10")


@pytest.mark.parametrize("prior", ["0", "1", "-0.1", "2"])
def test_a_prior_leaves_something_open(prior: str) -> None:
    with pytest.raises(InvalidInput, match="prior must be"):
        pv.bayes_risk(pv.Gaussian(1), prior=prior)


def test_a_complement_is_one_of_a_probability() -> None:
    """A planted error: ε is none."""
    statement = pv.epsilon(pv.Gaussian(1), delta="1e-9").witness
    assert statement is not None
    with pytest.raises(NoConvergence, match="complement"):
        Complement(statement.statement, Q(1)).prove()
    inner = pv.delta(pv.Gaussian(1), epsilon=1).witness
    assert inner is not None
    with pytest.raises(NoConvergence, match="complement"):
        Complement(inner.statement, Q(-1)).prove()
