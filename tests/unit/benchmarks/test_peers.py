"""dp-accounting's side: the search for the interval, on planted costs and errors, and its real answers."""

from collections.abc import Callable
from fractions import Fraction

import pytest

import pldverify as pv
from benchmarks import peers
from benchmarks.peers import COARSEST, DEFAULT, Attempt, attempt, attempts, error, refused
from benchmarks.questions import FAMILIES, Name, Question, question

TRUTH = Fraction(1), Fraction(1)
NAME = Name("dp-sgd", 1, 0)
ASKED = Question(NAME, 30 * pv.PoissonSubsampled(pv.Gaussian("1"), "0.1"), "1e-5")


def planted(monkeypatch: pytest.MonkeyPatch, of: Callable[[float], float | None]) -> list[float]:
    """Intervals that the search tries where the error is that of ``of``; None: out of time."""

    def fake(asked: Question, truth: peers.Truth, interval: float) -> Attempt:
        return Attempt("dp-sgd", 1, 0, interval, error=of(interval))

    monkeypatch.setattr(peers, "attempt", fake)
    return [one.interval / DEFAULT for one in attempts(ASKED, TRUTH)]


def test_the_interval_is_halved_until_it_is_within(monkeypatch: pytest.MonkeyPatch) -> None:
    assert planted(monkeypatch, lambda h: 16e-6 * (h / DEFAULT) ** 2) == [1, 1 / 2, 1 / 4]


def test_the_interval_is_doubled_while_it_is_within(monkeypatch: pytest.MonkeyPatch) -> None:
    assert planted(monkeypatch, lambda h: 1e-6 / 17 * (h / DEFAULT) ** 2) == [1, 2, 4, 8]
    coarse = planted(monkeypatch, lambda h: 0.0)
    assert COARSEST / DEFAULT / 2 < coarse[-1] <= COARSEST / DEFAULT


def test_the_search_ends_at_a_limit_and_where_nothing_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    assert planted(monkeypatch, lambda h: 1e-3 if h > DEFAULT / 3 else None) == [1, 1 / 2, 1 / 4]
    assert planted(monkeypatch, lambda h: None) == [1]
    assert planted(monkeypatch, lambda h: 1e-3 / h) == [1, 1 / 2, 1 / 4, 1 / 8]
    assert len(planted(monkeypatch, lambda h: 1e-3 + h if h > DEFAULT / 100 else 1e-3)) == 11


def test_an_error_is_counted_from_the_enclosure() -> None:
    truth = Fraction(2), Fraction(21, 10)
    assert [error(Fraction(x), truth) for x in ("1.75", "2", "2.1", "2.6")] == [0.125, 0, 0, 0.25]
    tiny = Fraction(0), Fraction(0)
    assert error(Fraction("1e-9"), tiny) == 1e-6


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("composition", "adjacency"),
    [
        (30 * pv.PoissonSubsampled(pv.Gaussian("1"), "0.1"), None),
        (30 * pv.PoissonSubsampled(pv.Gaussian("2", "2"), "0.1"), "replace-one"),
        (9 * pv.Gaussian("3"), None),
        (9 * pv.Laplace("6", "2") + 3 * pv.PoissonSubsampled(pv.Laplace(1), "0.1"), None),
        (9 * pv.DiscreteGaussian("6", 2), None),
        (9 * pv.PoissonSubsampled(pv.DiscreteGaussian("3"), "0.1"), None),
        (9 * pv.DiscreteLaplace("3", 2), None),
        (9 * pv.RandomizedResponse("0.6", 4) + 2 * pv.PureDP("0.1"), None),
    ],
    ids=str,
)
def test_it_is_asked_the_same_question(composition: pv.Composition, adjacency: str | None) -> None:
    """What it answers is pessimistic, and close to the truth."""
    pytest.importorskip("dp_accounting")
    truth = pv.epsilon(composition, delta="1e-5", adjacency=adjacency, digits=4)
    asked = Question(NAME, composition, "1e-5", adjacency)
    found = attempt(asked, (Fraction(truth.lower), Fraction(truth.upper)), 4 * DEFAULT)
    assert found.reason == "" and found.error < 2e-3
    assert float(found.value) > truth.lower * Fraction(9999, 10000)


def test_what_it_does_not_know_is_refused() -> None:
    assert refused(pv.SampledWithoutReplacement(pv.Gaussian(1), "0.1") + pv.Gaussian(1), "replace-one")
    assert refused(1 * pv.Laplace(1) + pv.Gaussian(1), "replace-one")
    asked = question(Name("federated-fixed", 1, 0))
    (only,) = attempts(asked, TRUTH)
    assert only.refused and not only.within and "sampled_without_replacement" in only.reason


def test_most_families_have_a_peer() -> None:
    asked = {family: question(Name(family, 1, 0)) for family in FAMILIES}
    without = {name for name, one in asked.items() if refused(one.composition, one.query.adjacency)}
    assert without == {"federated-fixed", "replace-fixed"}
