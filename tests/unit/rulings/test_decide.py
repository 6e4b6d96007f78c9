"""Decisions on claims about one Laplace step with b = 1, whose truth is known in closed form.

δ(ε) = 1 − e^{(ε−1)/2} for 0 <= ε <= 1 and 0 beyond (Dwork, Roth 2014), so ε(δ) = 1 + 2 log(1 − δ).
The stub reference encloses it to the digits that it is asked for, by rational bounds.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from pldverify.errors import NoConvergence, NotSupported, OracleDisagreement
from pldverify.mechanisms import (
    Gaussian,
    KJH19Substitute,
    Laplace,
    Query,
    SampledWithoutReplacement,
)
from pldverify.numbers import Claim, Enclosure, Promise
from pldverify.rulings.decide import decide, look_up
from pldverify.values.verdict import holds

DELTA = Fraction(1, 10)
QUERY = Query(Laplace(1), delta=DELTA)
EPSILON = 1 + 2 * Fraction(math.log1p(-0.1))  # an ulp or so from the true value


def around(value: Fraction, digits: int) -> Enclosure:
    radius = Fraction(1, 10**digits)
    return Enclosure(max(value - radius, Fraction(0)), value + radius, "stub")


class Reference:
    """The stub, which remembers what it was asked; ``fails`` says for which quantities it gives up."""

    def __init__(self, fails: dict[str, Exception] | None = None, most_digits: int = 12) -> None:
        self.asked: list[tuple[Query, int]] = []
        self._fails = fails or {}
        self._most_digits = most_digits

    def __call__(self, query: Query, digits: int) -> Enclosure:
        self.asked.append((query, digits))
        if query.quantity in self._fails:
            raise self._fails[query.quantity]
        reached = min(digits, self._most_digits)
        if query.epsilon is not None:
            if query.epsilon >= 1:
                return Enclosure(Fraction(0), Fraction(0), "stub")
            return around(Fraction(-math.expm1((float(query.epsilon) - 1) / 2)), reached)
        assert query.delta is not None
        if query.delta == 0:
            return Enclosure(Fraction(1), Fraction(1), "stub")
        return around(1 + 2 * Fraction(math.log1p(-float(query.delta))), reached)


GIVES_UP = {"epsilon": NoConvergence("more than 10 nodes needed")}


def upper(value: object) -> Claim:
    return Claim(Fraction(value) if value != math.inf else math.inf, "upper", "test")  # type: ignore[arg-type]


def lower(value: object) -> Claim:
    return Claim(Fraction(value), "lower", "test")  # type: ignore[arg-type]


def test_one_question_decides_where_the_claim_is_far_from_the_truth() -> None:
    for claim, verdict in [
        (upper("0.8"), "SOUND"),
        (upper("0.78"), "UNSOUND"),
        (lower("0.78"), "SOUND"),
        (lower("0.8"), "UNSOUND"),
    ]:
        reference = Reference()
        decision = decide(claim, QUERY, reference)
        assert decision.verdict == verdict
        assert decision.reason == ""
        assert decision.digits == 15
        assert reference.asked == [(QUERY, 15)]
        assert decision.truth is not None and EPSILON in decision.truth


def test_more_digits_are_asked_for_until_it_is_decided() -> None:
    claim = Claim(Fraction(1, 3) + Fraction(1, 10**20), "upper", "test")
    query = Query(Laplace(1), epsilon="0.5")
    decision = decide(claim, query, lambda query, digits: around(Fraction(1, 3), digits))
    assert (decision.verdict, decision.digits) == ("SOUND", 30)
    assert decision.truth == around(Fraction(1, 3), 30)


def test_a_reference_that_reaches_fewer_digits_is_not_asked_for_more() -> None:
    asked = []

    def reference(query: Query, digits: int) -> Enclosure:
        asked.append(digits)
        return around(Fraction(1, 3), 5)

    claim = Claim(Fraction(1, 3) + Fraction(1, 10**6), "upper", "test")
    decision = decide(claim, Query(Laplace(1), epsilon="0.5"), reference)
    assert decision.verdict == "UNDECIDED" and asked == [15]
    assert decision.truth == around(Fraction(1, 3), 5)
    assert decision.reason == f"the reference reached 4 digits: {around(Fraction(1, 3), 5)}"


def test_no_number_of_digits_decides_equality_and_that_is_said() -> None:
    claim = Claim(Fraction(1, 3), "upper", "test")
    query = Query(Laplace(1), epsilon="0.5")
    decision = decide(claim, query, lambda query, digits: around(Fraction(1, 3), digits))
    assert decision.verdict == "UNDECIDED"
    assert decision.reason == "not decided to 60 digits"
    assert decision.truth == around(Fraction(1, 3), 60)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (upper("0.8"), "SOUND"),
        (upper("0.78"), "UNSOUND"),
        (lower("0.78"), "SOUND"),
        (lower("0.8"), "UNSOUND"),
    ],
)
def test_a_claimed_epsilon_is_decided_by_its_delta_where_epsilon_is_out_of_reach(claim, verdict) -> None:
    reference = Reference(GIVES_UP)
    decision = decide(claim, QUERY, reference)
    assert decision.verdict == verdict
    assert decision.truth is None
    assert decision.reason.startswith("decided by δ = 0.")
    assert reference.asked[:2] == [(QUERY, 15), (Query(Laplace(1), epsilon=claim.value), 15)]
    assert decision.severity == ("material" if verdict == "UNSOUND" else None)
    at, exceeds = Fraction(claim.value), claim.value == Fraction("0.78")
    assert decision.value.ends == ((at, None) if exceeds else (None, at))
    assert holds(">=" if exceeds else "<=", at, decision.value)


@pytest.mark.parametrize(
    ("claim", "query", "strict"),
    [
        (upper(1), Query(Laplace(1), delta=0), False),  # δ(1) = 0 = δ, and ε(0) = 1
        (upper("0.78"), QUERY, True),
        (lower("0.78"), QUERY, True),
        (lower("0.8"), QUERY, True),
    ],
)
def test_only_an_epsilon_whose_delta_is_not_met_is_not_reached(claim, query: Query, strict: bool) -> None:
    """δ(1) ≤ δ says ε ≤ 1, and does not refute ε = 1."""
    value = decide(claim, query, Reference(GIVES_UP)).value
    (end,) = (end for end in (value.lower, value.upper) if end is not None)
    assert end.strict is strict


@pytest.mark.parametrize("failure", [NoConvergence("more than 10 nodes"), NotSupported("no engine for it")])
def test_a_reference_that_gives_up_leaves_it_undecided_with_its_message(failure: Exception) -> None:
    reference = Reference({"epsilon": failure, "delta": failure})
    decision = decide(upper("0.8"), QUERY, reference)
    assert (decision.verdict, decision.truth, decision.reason) == ("UNDECIDED", None, str(failure))
    assert len(reference.asked) == 2  # giving up at few digits, it is not asked for more


def test_an_earlier_enclosure_is_kept_when_more_digits_fail() -> None:
    def reference(query: Query, digits: int) -> Enclosure:
        if digits > 15:
            raise NoConvergence("30 digits are too many")
        return around(Fraction(1, 2), digits)

    decision = decide(Claim(Fraction(1, 2), "upper", "test"), Query(Laplace(1), epsilon="0.5"), reference)
    assert decision.verdict == "UNDECIDED"
    assert decision.truth == around(Fraction(1, 2), 15)
    assert decision.reason == f"proved: {around(Fraction(1, 2), 15)}; 30 digits are too many"


def test_a_disagreement_of_the_oracles_is_never_hidden() -> None:
    with pytest.raises(OracleDisagreement):
        decide(upper("0.8"), QUERY, Reference({"epsilon": OracleDisagreement("engines exclude each other")}))


def test_where_delta_is_flat_a_lower_claim_is_not_taken_for_true() -> None:
    """δ(5) = 0 = δ, but ε(0) = 1: 5 is not a lower bound."""
    decision = decide(lower(5), Query(Laplace(1), delta=0), Reference(GIVES_UP))
    assert decision.verdict == "UNDECIDED"


@pytest.mark.parametrize(
    ("claim", "query"),
    [
        (upper(math.inf), QUERY),
        (lower(0), QUERY),
        (lower("-0.05"), QUERY),
        (upper(1), Query(Laplace(1), epsilon="0.5")),
        (lower("-1e-9"), Query(Laplace(1), epsilon="0.5")),
    ],
)
def test_what_is_true_of_every_mechanism_needs_no_reference(claim: Claim, query: Query) -> None:
    fails = {"epsilon": NoConvergence("no"), "delta": NoConvergence("no")}
    assert decide(claim, query, Reference(fails)).verdict == "SOUND"


@pytest.mark.parametrize(
    ("claim", "query"),
    [
        (upper(-1), Query(Laplace(1), delta="0.99")),  # δ(−1) <= 0.99, but ε is at least 0 by definition
        (upper("-1e-9"), Query(Laplace(1), epsilon="0.5")),
        (lower("1.001"), Query(Laplace(1), epsilon="0.5")),
        (upper(-1), Query(2 * SampledWithoutReplacement(Gaussian(1), "0.5"), epsilon=1)),
    ],
)
def test_what_is_false_of_every_mechanism_needs_no_reference(claim: Claim, query: Query) -> None:
    fails = {"epsilon": NoConvergence("no"), "delta": NoConvergence("no")}
    decision = decide(claim, query, Reference(fails))
    assert (decision.verdict, decision.reason) == ("UNSOUND", "false of every mechanism")
    exact = Enclosure(Fraction(0), Fraction(0), "stub")
    decision = decide(claim, query, lambda query, digits: exact)
    shown = "" if query.composition.tight else "false of every mechanism"  # a bound on it doesn't show it
    assert (decision.verdict, decision.reason) == ("UNSOUND", shown)


@pytest.mark.parametrize("direction", ["upper", "lower"])
def test_no_delta_is_infinite(direction) -> None:
    claim = Claim(math.inf, direction, "test")
    decision = decide(claim, Query(Laplace(1), epsilon="0.5"), Reference())
    assert (decision.verdict, decision.cause) == ("UNDECIDED", "INVALID")
    assert decide(claim, QUERY, Reference()).cause is None


def promised(value: Fraction, epsilon: str, delta: str) -> Claim:
    return Claim(value, "estimate", "test", promise=Promise(Fraction(epsilon), Fraction(delta)))


def test_an_estimate_without_a_promise_is_shown_beside_the_truth_only() -> None:
    decision = decide(Claim(EPSILON, "estimate", "test"), QUERY, Reference())
    assert decision.verdict == "UNDECIDED"
    assert decision.truth is not None and EPSILON in decision.truth
    assert decision.reason == "an estimate without a promised error is neither sound nor unsound"


@pytest.mark.parametrize(("shift", "verdict"), [("0.001", "SOUND"), ("-0.001", "UNSOUND")])
def test_an_estimate_without_a_promise_says_what_it_is_as_an_upper_bound(shift: str, verdict: str) -> None:
    decision = decide(Claim(EPSILON + Fraction(shift), "estimate", "test"), QUERY, Reference())
    assert decision.verdict == "UNDECIDED"
    assert decision.reason.endswith(f"; reported as an upper bound it is {verdict}")


@pytest.mark.parametrize(
    ("shift", "verdict"),
    [("0", "SOUND"), ("0.05", "SOUND"), ("-0.05", "SOUND"), ("0.2", "UNSOUND"), ("-0.2", "UNSOUND")],
)
def test_an_estimate_of_epsilon_is_held_to_its_promise(shift: str, verdict: str) -> None:
    """Shifting δ by 0.01 moves ε by about 0.02: ±0.05 is kept, ±0.2 is not."""
    reference = Reference()
    decision = decide(promised(EPSILON + Fraction(shift), "0.1", "0.01"), QUERY, reference)
    assert decision.verdict == verdict
    asked = {query.delta for query, _ in reference.asked}
    assert asked == {DELTA, DELTA + Fraction("0.01"), DELTA - Fraction("0.01")}


@pytest.mark.parametrize(
    ("shift", "verdict"),
    [("0.04", "SOUND"), ("-0.04", "SOUND"), ("0.06", "UNSOUND"), ("-0.06", "UNSOUND")],
)
def test_an_estimate_of_delta_is_held_to_its_promise(shift: str, verdict: str) -> None:
    """At ε = 1/2, δ = 1 − e^{−1/4} = 0.2212 and its slope is −0.39: shifting ε by 0.1 allows ±0.039 more."""
    query = Query(Laplace(1), epsilon="0.5")
    delta = Fraction(-math.expm1(-0.25))
    decision = decide(promised(delta + Fraction(shift), "0.1", "0.01"), query, Reference())
    assert decision.verdict == verdict


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("0.89", "UNSOUND"),  # below 1 − 0.1, wherever the smallest true value is
        ("0.9", "UNDECIDED"),
        ("0.95", "UNDECIDED"),
        ("1", "SOUND"),  # at least 1.1 − 0.1
        ("2.5", "SOUND"),
        ("3.1", "SOUND"),  # at most 3 + 0.1
        ("3.15", "UNDECIDED"),
        ("3.2", "UNDECIDED"),
        ("3.21", "UNSOUND"),
    ],
)
def test_a_promise_is_kept_between_both_ends(value: str, verdict: str) -> None:
    """The smallest allowed true value lies in [1, 1.1], the largest in [3, 3.1], the tolerance is 1/10."""
    enclosures = {
        Fraction("0.09"): Enclosure(Fraction(3), Fraction("3.1"), "stub"),
        Fraction("0.1"): Enclosure(Fraction(2), Fraction("2.1"), "stub"),
        Fraction("0.11"): Enclosure(Fraction(1), Fraction("1.1"), "stub"),
    }

    def reference(query: Query, digits: int) -> Enclosure:
        if query.delta is None:
            raise NoConvergence("only ε is known")
        return enclosures[query.delta]

    decision = decide(promised(Fraction(value), "0.1", "0.01"), Query(Laplace(1), delta="0.1"), reference)
    assert decision.verdict == verdict
    assert decision.truth == enclosures[Fraction("0.1")]
    assert (decision.reason == "") == (verdict != "UNDECIDED")


@pytest.mark.parametrize(("shift", "verdict"), [("0.05", "SOUND"), ("-0.2", "UNSOUND"), ("0.2", "UNSOUND")])
def test_a_promise_about_epsilon_is_decided_by_delta_where_epsilon_is_out_of_reach(shift, verdict) -> None:
    decision = decide(promised(EPSILON + Fraction(shift), "0.1", "0.01"), QUERY, Reference(GIVES_UP))
    assert (decision.verdict, decision.truth) == (verdict, None)


def test_an_infinite_estimate_breaks_a_finite_promise() -> None:
    claim = Claim(math.inf, "estimate", "test", promise=Promise(Fraction(1, 10), Fraction(1, 100)))
    assert decide(claim, QUERY, Reference()).verdict == "UNSOUND"
    infinite = Enclosure(math.inf, math.inf, "stub")
    assert decide(claim, QUERY, lambda query, digits: infinite).verdict == "SOUND"


def test_a_promise_beyond_the_ends_of_delta() -> None:
    """δ − 0.2 < 0 allows any ε above; δ + 1 is cut at 1, where ε = 0."""
    query = Query(Laplace(1), delta="0.1")
    assert decide(promised(Fraction(50), "0.01", "0.2"), query, Reference()).verdict == "SOUND"
    reference = Reference()

    def zero_at_one(query: Query, digits: int) -> Enclosure:
        if query.delta == 1:
            return Enclosure(Fraction(0), Fraction(0), "stub")
        return reference(query, digits)

    assert decide(promised(Fraction("-0.005"), "0.01", "1"), query, zero_at_one).verdict == "SOUND"
    assert decide(promised(Fraction("-0.02"), "0.01", "1"), query, zero_at_one).verdict == "UNSOUND"


EXACT = Query(2 * Gaussian(1), epsilon=1, adjacency="replace-one")
BOUNDED = Query(2 * SampledWithoutReplacement(Gaussian("sqrt(2)"), "0.5"), epsilon=1, adjacency="replace-one")
PRINTED = Query(2 * KJH19Substitute(Gaussian(1), "0.5"), epsilon=1)
NEITHER = Query(BOUNDED.composition + PRINTED.composition, epsilon=1)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (upper("0.6"), "SOUND"),
        (upper("0.4"), "UNSOUND"),
        (lower("0.4"), "SOUND"),
        (lower("0.6"), "UNSOUND"),
        (upper("0.5"), "UNDECIDED"),
    ],
)
@pytest.mark.parametrize(
    "query", [EXACT, BOUNDED, PRINTED, NEITHER], ids=["exact", "upper", "lower", "neither"]
)
def test_pairs_decide_only_what_they_are_of_the_truth(claim: Claim, verdict: str, query: Query) -> None:
    """The pairs' δ is 1/2: an upper bound of the truth, a lower one, both or neither."""
    decision = decide(claim, query, lambda query, digits: around(Fraction(1, 2), digits))
    above, below = query in (EXACT, BOUNDED), query in (EXACT, PRINTED)
    needs = {"0.6": above, "0.4": below, "0.5": False}[str(float(claim.value))]
    assert decision.verdict == (verdict if needs else "UNDECIDED")
    withheld = "UPPER BOUND ONLY" if query is BOUNDED else "PRINTED PAIR"
    cause = "TOO WIDE" if claim.value == Fraction(1, 2) else withheld
    assert decision.cause == (None if needs else cause)
    assert (decision.reason == "") == needs
    assert decision.truth is not None


@pytest.mark.parametrize(
    ("claimed", "verdict", "asked"),
    [
        (Fraction("0.3"), "UNSOUND", [15]),
        (Fraction(1, 3) - Fraction(1, 10**20), "UNSOUND", [15, 30]),
        (Fraction("0.4"), "UNDECIDED", [15]),
    ],
)
def test_what_is_attained_is_asked_for_digits_while_they_may_help(
    claimed: Fraction, verdict: str, asked: list[int]
) -> None:
    """The pairs' δ is 1/2, that of some neighbours 1/3."""
    query, seen = Query(2 * SampledWithoutReplacement(Gaussian(1), "0.5"), epsilon=1), []

    def reference(other: Query, digits: int) -> Enclosure:
        if other == query:
            return around(Fraction(1, 2), digits)
        seen.append(digits)
        return around(Fraction(1, 3), digits)

    assert decide(upper(claimed), query, reference).verdict == verdict
    assert sorted(set(seen)) == asked


@pytest.mark.parametrize("query", [BOUNDED, PRINTED, NEITHER], ids=["upper", "lower", "neither"])
def test_what_is_true_of_every_mechanism_needs_no_pairs(query: Query) -> None:
    for claim in (upper(1), lower(0)):
        decision = decide(claim, query, lambda query, digits: around(Fraction(1, 2), digits))
        assert (decision.verdict, decision.cause) == ("SOUND", None)


@pytest.mark.parametrize(
    "claim",
    [
        Claim(math.nan, "upper", "test"),
        Claim(math.nan, "lower", "test"),
        Claim(-math.inf, "upper", "test"),
        Claim(None, "upper", "test"),  # type: ignore[arg-type]
        Claim(True, "upper", "test"),
        Claim(Fraction(1), "sideways", "test"),  # type: ignore[arg-type]
        Claim(Fraction(1), "estimate", "test", promise=Promise(math.nan, Fraction(0))),  # type: ignore[arg-type]
        Claim(Fraction(1), "estimate", "test", promise=Promise(Fraction(0), Fraction(-1))),
    ],
)
def test_what_is_no_number_is_invalid(claim: Claim) -> None:
    reference = Reference()
    decision = decide(claim, QUERY, reference)
    assert (decision.verdict, decision.cause) == ("UNDECIDED", "INVALID")
    assert decision.reason.endswith("which is not a claim")
    assert decision.truth is not None and len(reference.asked) == 1


def test_a_promise_in_doubles_is_not_rounded() -> None:
    """1/2 − 2⁻⁶⁰ + 1/4 is no double: the nearest one is just the bound."""
    promise = Promise(0.25, 0.0)  # type: ignore[arg-type]
    truth = Enclosure(Fraction(3, 4), Fraction(3, 4), "stub")
    claim = Claim(Fraction(1, 2) - Fraction(1, 2**60), "estimate", "test", promise=promise)
    assert decide(claim, QUERY, lambda query, digits: truth).verdict == "UNSOUND"


@pytest.mark.parametrize(
    ("claim", "fails", "cause"),
    [
        (upper("0.8"), {"epsilon": NoConvergence("x"), "delta": NotSupported("y")}, "NO TRUTH"),
        (Claim(EPSILON, "estimate", "test"), {}, "NO PROMISE"),
        (upper("0.8"), {}, None),
    ],
)
def test_an_undecided_verdict_has_a_cause(claim: Claim, fails, cause: str | None) -> None:
    assert decide(claim, QUERY, Reference(fails)).cause == cause


def test_look_up_gives_none_where_the_reference_gives_up() -> None:
    assert look_up(QUERY, Reference(GIVES_UP)) is None
    found = look_up(QUERY, Reference())
    assert found is not None and EPSILON in found


class Brackets:
    """A bracket that narrows, and counts how far it had to; ``asked`` are the questions."""

    def __init__(self, *ends: tuple[str, str]) -> None:
        self.ends, self.asked, self.turns = ends, [], 0

    def __call__(self, query: Query, enough: Callable[[Enclosure], bool]) -> Enclosure:
        self.asked.append(query)
        for low, high in self.ends:
            self.turns += 1
            found = Enclosure(Fraction(low), Fraction(high), "bracket")
            if enough(found):
                break
        return found


NARROWING = ("0.1", "5"), ("0.6", "1"), ("0.78", "0.8")


@pytest.mark.parametrize(
    ("claim", "verdict", "turns"),
    [
        (upper(6), "SOUND", 1),
        (upper(5), "SOUND", 1),
        (upper("0.05"), "UNSOUND", 1),
        (upper(2), "SOUND", 2),
        (upper("0.5"), "UNSOUND", 2),
        (lower("0.7"), "SOUND", 3),
        (lower("0.9"), "UNSOUND", 3),
    ],
)
def test_a_bracket_that_excludes_the_claim_decides_and_no_digit_is_asked_for(
    claim: Claim, verdict: str, turns: int
) -> None:
    reference, brackets = Reference(), Brackets(*NARROWING)
    decision = decide(claim, QUERY, reference, brackets)
    assert (decision.verdict, decision.digits, decision.cause) == (verdict, 0, None)
    assert (reference.asked, brackets.asked, brackets.turns) == ([], [QUERY], turns)
    assert decision.truth is not None and decision.truth.upper == Fraction(NARROWING[turns - 1][1])


@pytest.mark.parametrize(("claim", "verdict"), [("0.7894", "SOUND"), ("0.7892", "UNSOUND")])
def test_digits_are_asked_for_where_the_bracket_leaves_the_claim_in(claim: str, verdict: str) -> None:
    reference, brackets = Reference(), Brackets(*NARROWING)
    decision = decide(upper(claim), QUERY, reference, brackets)
    assert (decision.verdict, decision.digits) == (verdict, 15)
    assert reference.asked == [(QUERY, 15)] and brackets.turns == 3


def test_what_a_failure_carries_decides_too() -> None:
    proved = Enclosure(Fraction("0.7"), Fraction("0.9"), "stub")
    for claim, verdict in (("0.95", "SOUND"), ("0.6", "UNSOUND")):
        reference = Reference({"epsilon": NoConvergence("too dear", proved)})
        decision = decide(upper(claim), QUERY, reference)
        assert (decision.verdict, decision.truth) == (verdict, proved)
        assert reference.asked == [(QUERY, 15)]
        assert decide(upper(claim), QUERY, reference, Brackets(("0.1", "5"))).truth == proved  # the narrower


def test_an_undecided_claim_names_the_bracket() -> None:
    fails = {"epsilon": NoConvergence("too dear"), "delta": NoConvergence("too dear")}
    decision = decide(upper("0.79"), QUERY, Reference(fails), Brackets(("0.05", "1")))
    assert (decision.verdict, decision.cause) == ("UNDECIDED", "TOO WIDE")
    assert decision.truth is not None and decision.truth.upper == 1
    assert decision.reason == f"proved: {decision.truth}; too dear"


def test_a_bracket_of_delta_at_the_claimed_epsilon_decides() -> None:
    """The bracket of ε leaves the claim in, that of δ does not."""

    def brackets(query: Query, enough: Callable[[Enclosure], bool]) -> Enclosure:
        ends = ("0.1", "5") if query.quantity == "epsilon" else ("0.01", "0.05")
        return Enclosure(Fraction(ends[0]), Fraction(ends[1]), "bracket")

    fails = {"epsilon": NoConvergence("too dear"), "delta": NoConvergence("too dear")}
    reference = Reference(fails)
    decision = decide(upper("0.9"), QUERY, reference, brackets)
    assert (decision.verdict, decision.digits) == ("SOUND", 0)
    assert reference.asked == [(QUERY, 15)]  # digits of ε, none of δ


@pytest.mark.parametrize(
    ("composition", "value", "cause"),
    [
        (2 * SampledWithoutReplacement(Gaussian("sqrt(2)"), "0.5"), "0.05", None),
        (KJH19Substitute(Gaussian(1), "0.1"), "9", "PRINTED PAIR"),
    ],
)
def test_a_bracket_says_no_more_than_the_pairs_do(composition, value: str, cause: str | None) -> None:
    query = Query(composition, delta=DELTA)
    decision = decide(upper(value), query, Reference(), Brackets(*NARROWING))
    if cause is None:
        assert decision.verdict == ("UNSOUND" if query.composition.tight else "UNDECIDED")
    else:
        assert (decision.verdict, decision.cause) == ("UNDECIDED", cause)


def test_a_bracket_that_is_not_supported_leaves_it_to_the_digits() -> None:
    def brackets(query: Query, enough: Callable[[Enclosure], bool]) -> Enclosure:
        raise NotSupported("no law")

    decision = decide(upper("0.8"), QUERY, Reference(), brackets)
    assert (decision.verdict, decision.digits) == ("SOUND", 15)
