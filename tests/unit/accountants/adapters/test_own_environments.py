"""gdpnum, flwr, tmlt-core and opake: what is passed on, what is refused, and (slow) what they answer."""

from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.accountants import standalone
from pldverify.accountants.adapters.plain import flwr, gdpnum, opake_accounting, tmlt_core
from pldverify.accountants.standalone import Question
from pldverify.accountants.worker import plain
from pldverify.errors import MissingLibrary
from pldverify.mechanisms import (
    BallsAndBins,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    Query,
    SampledWithoutReplacement,
    TruncatedPoisson,
)

NOISE = Gaussian(6, sensitivity=2)
SAMPLED = PoissonSubsampled(NOISE, "1/4")
CUT = TruncatedPoisson(NOISE, q="1/4", dataset_size=100, max_batch=30)
EPOCH = BallsAndBins(NOISE, batches=10)
ONES = PoissonSubsampled(Gaussian(1), "0.01")


def question(composition: Any, **given: Any) -> Question:
    return Question(plain.query(Query(composition, **given or {"delta": "1e-5"})))


def calls(adapter: Any, asked: Question) -> list[tuple[str, int]]:
    found = standalone.steps(adapter, asked)
    compile(str(adapter.answer(asked, found)[0]), "script", "exec")
    return [(str(call), count) for call, count in found]


def test_what_gdpnum_is_given() -> None:
    assert calls(gdpnum.CTD(), question(3 * SAMPLED + 2 * NOISE)) == [
        ("step(noise_multiplier=3.0, q=1.0)", 2),
        ("step(noise_multiplier=3.0, q=0.25)", 3),
    ]


def test_clients_of_one_population() -> None:
    both = question(3 * SAMPLED + 2 * PoissonSubsampled(Gaussian(1), "1/6"))
    assert calls(flwr.RDP(), both) == [
        ("GaussianPrivacyEvent(noise_multiplier=1.0, sample_size=2, population_size=12)", 2),
        ("GaussianPrivacyEvent(noise_multiplier=3.0, sample_size=3, population_size=12)", 3),
    ]


@pytest.mark.parametrize(
    ("step", "relation", "sampling"),
    [
        (NOISE, "ADD_OR_REMOVE_ONE", "NO_AMPLIFICATION"),
        (SAMPLED, "ADD_OR_REMOVE_ONE", "POISSON"),
        (SampledWithoutReplacement(NOISE, "1/4"), "REPLACE_ONE", "WITHOUT_REPLACEMENT"),
    ],
)
def test_the_sampling_of_a_run(step: Any, relation: str, sampling: str) -> None:
    asked = question(step)
    script = str(flwr.RDP().answer(asked, standalone.steps(flwr.RDP(), asked))[0])
    assert f"NeighboringRelation.{relation}, pa.SamplingMethod.{sampling})" in script


def test_exact_scales_and_distances() -> None:
    parts = 2 * Laplace("1/3", sensitivity=2) + Laplace(5, sensitivity=2)
    for adjacency, moved in (("add-or-remove", 2), ("replace-one", 4)):
        found = calls(tmlt_core.Pure(), question(parts, delta="1e-5", adjacency=adjacency))
        assert found == [
            (f"AddLaplaceNoise(scale=1/3, d_in={moved})", 2),
            (f"AddLaplaceNoise(scale=5, d_in={moved})", 1),
        ]


def test_the_schemes_of_opake() -> None:
    inner = "gaussian(noise_multiplier=3.0)"
    found = dict(calls(opake_accounting.PLD(), question(NOISE + 2 * SAMPLED + 3 * CUT + 4 * EPOCH)))
    assert found == {
        inner: 1,
        f"poisson(inner={inner}, sample_rate=0.25)": 2,
        f"poisson(inner={inner}, sample_rate=0.25, truncated_batch_size=30, dataset_size=100)": 3,
        f"k_out_of_t(inner={inner}, k=1, t=10, allocation=block)": 4,
    }


@pytest.mark.parametrize(
    ("adapter", "composition", "given", "reason"),
    [
        (gdpnum.CTD, SAMPLED, {"epsilon": 1}, "no delta"),
        (gdpnum.CTD, SAMPLED, {"delta": "1e-5", "adjacency": "add"}, "got 'add'"),
        (gdpnum.CTD, Laplace(1), {"delta": "1e-5"}, "not laplace"),
        (flwr.RDP, SAMPLED + NOISE, {"delta": "1e-5"}, "one kind of sampling"),
        (flwr.RDP, SAMPLED, {"delta": "1e-5", "adjacency": "remove"}, "got 'remove'"),
        (flwr.RDP, NOISE, {"delta": "1e-5", "adjacency": "replace-one"}, "no gaussian under replace-one"),
        (flwr.RDP, PoissonSubsampled(Laplace(1), "1/4"), {"delta": "1e-5"}, "no poisson_subsampled"),
        (tmlt_core.Pure, NOISE, {"delta": "1e-5"}, "not gaussian"),
        (tmlt_core.Pure, Laplace(1), {"epsilon": 1}, "no delta"),
        (tmlt_core.Pure, 1001 * Laplace(1), {"delta": "1e-5"}, "steps must be at most 1000"),
        (tmlt_core.Pure, Laplace(1) + Laplace(1, sensitivity=2), {"delta": "1e-5"}, "one sensitivity"),
        (opake_accounting.PLD, SAMPLED, {"delta": "1e-5", "adjacency": "add"}, "got 'add'"),
        (opake_accounting.PLD, Laplace(1), {"delta": "1e-5"}, "no laplace"),
        (
            opake_accounting.PLD,
            BallsAndBins(NOISE, batches=4, participations=2, steps=8),
            {"delta": "1e-5"},
            "no balls_and_bins",
        ),
    ],
)
def test_refusals(adapter: Any, composition: Any, given: Any, reason: str) -> None:
    with pytest.raises(NotImplementedError, match=reason):
        standalone.steps(adapter(), question(composition, **given))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "query", "verdict"),
    [
        ("gdpnum", Query(1000 * ONES, delta="1e-5"), "SOUND"),
        ("flwr", Query(1000 * ONES, delta="1e-5"), "SOUND"),
        # a replaced value moves the sum by twice the clipping norm, and its backend counts it once
        ("flwr", Query(10 * SampledWithoutReplacement(Gaussian(4), "1/10"), delta="1e-5"), "UNSOUND"),
        ("tmlt-core", Query(7 * Laplace(3), delta=0), "SOUND"),
        ("opake-accounting", Query(1000 * ONES, delta="1e-5"), "SOUND"),
        ("opake-accounting", Query(2 * EPOCH, epsilon="1/2"), "SOUND"),
        ("opake-accounting", Query(CUT, epsilon="1/2"), "SOUND"),
        ("opake-accounting", Query(Gaussian(1), epsilon=1), "UNSOUND"),  # by 2e-9; 2.6e-7 on a finer grid
    ],
)
def test_the_library_in_its_environment(name: str, query: Any, verdict: str) -> None:
    """Needs ``pldverify env add NAME``."""
    try:
        found = pv.check(name, query, timeout=300, memory=16 * 2**30)
    except MissingLibrary as missing:
        pytest.skip(str(missing))
    assert found.verdict == verdict
    if name == "tmlt-core":
        assert found.claim is not None and found.claim.value == Fraction(7, 3)
