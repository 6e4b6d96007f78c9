from fractions import Fraction

import pytest

from pldverify import reference
from pldverify.errors import NoConvergence, OracleDisagreement
from pldverify.mechanisms import Gaussian, Query
from pldverify.numbers import Enclosure
from pldverify.values.truth import truth

FOUND = Enclosure(Fraction(1), Fraction(2), "stub")


class Counted:
    """A stand-in for a function of the reference."""

    def __init__(self, outcome: Enclosure | Exception) -> None:
        self.calls: list[dict[str, object]] = []
        self._outcome = outcome

    def __call__(self, composition: object, **asked: object) -> Enclosure:
        self.calls.append({"composition": composition, **asked})
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


def test_epsilon_and_delta_are_asked_with_the_query_s_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    epsilon, delta = Counted(FOUND), Counted(FOUND)
    monkeypatch.setattr(reference, "epsilon", epsilon)
    monkeypatch.setattr(reference, "delta", delta)
    at_delta = Query(17 * Gaussian(3), delta="1e-5", adjacency="remove")
    at_epsilon = Query(17 * Gaussian(3), epsilon="0.7", adjacency="add")
    assert truth(at_delta, 15) is FOUND and truth(at_epsilon, 30) is FOUND
    assert epsilon.calls == [
        {
            "composition": at_delta.composition,
            "delta": Fraction(1, 10**5),
            "adjacency": "remove",
            "digits": 15,
            "engine": None,
        }
    ]
    assert delta.calls == [
        {
            "composition": at_epsilon.composition,
            "epsilon": Fraction(7, 10),
            "adjacency": "add",
            "digits": 30,
            "engine": None,
        }
    ]


def test_it_is_computed_once_for_each_number_of_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    epsilon = Counted(FOUND)
    monkeypatch.setattr(reference, "epsilon", epsilon)
    query = Query(18 * Gaussian(3), delta="1e-5")
    for _ in range(3):
        truth(query, 15)
        truth(Query(18 * Gaussian(3), delta="1e-5"), 30)
    assert [call["digits"] for call in epsilon.calls] == [15, 30]


def test_giving_up_is_remembered_too(monkeypatch: pytest.MonkeyPatch) -> None:
    epsilon = Counted(NoConvergence("more than 10 nodes needed"))
    monkeypatch.setattr(reference, "epsilon", epsilon)
    query = Query(19 * Gaussian(3), delta="1e-5")
    for _ in range(3):
        with pytest.raises(NoConvergence, match="more than 10 nodes needed"):
            truth(query, 15)
    assert len(epsilon.calls) == 1


def test_a_disagreement_is_raised_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    epsilon = Counted(OracleDisagreement("engines exclude each other"))
    monkeypatch.setattr(reference, "epsilon", epsilon)
    query = Query(20 * Gaussian(3), delta="1e-5")
    for _ in range(2):
        with pytest.raises(OracleDisagreement):
            truth(query, 15)
    assert len(epsilon.calls) == 2
