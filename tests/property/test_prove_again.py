"""Every enclosure is proved again from its witness alone; and the same question has the same answer anywhere.

The witnesses go to a process of their own, which proves them without a search and without scipy, mpmath or
sympy. Threads, processes, the order of the questions and what is remembered change no end.
"""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import flint
import pytest
import sympy

import pldverify as pv
from pldverify.balls.memory import forget
from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import as_composition
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.witness import Witness
from pldverify.reference.choice import ENGINES
from pldverify.reference.engines.conclude import prove_again
from pldverify.reference.engines.derived.evaluated import Evaluated
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.bracket import Narrowing

Ask = Callable[[], Enclosure]
STEP = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
PAIR = pv.FinitePair(["1/2", "1/3", "1/6"], ["1/5", "2/5", "2/5"])
OPEN = pv.ApproximateDP(1, "0.1")
SCHEDULE = pv.Composition.of(
    *((pv.PoissonSubsampled(pv.Gaussian(f"{1 + i / 40}"), f"{(10 + i) / 1000}"), 9) for i in range(48))
)
WITHOUT = pv.SampledWithoutReplacement(pv.Gaussian(2), q="0.1")


def delta(composition: Any, epsilon: str, adjacency: str = "remove", digits: int = 8, **rest: Any) -> Ask:
    return lambda: pv.delta(composition, epsilon=epsilon, adjacency=adjacency, digits=digits, **rest)


def tail(composition: Any, epsilon: str, adjacency: str = "remove", digits: int = 8, **rest: Any) -> Ask:
    return lambda: pv.tail(composition, epsilon=epsilon, adjacency=adjacency, digits=digits, **rest)


def epsilon(composition: Any, target: str, adjacency: str = "remove", digits: int = 6, **rest: Any) -> Ask:
    return lambda: pv.epsilon(composition, delta=target, adjacency=adjacency, digits=digits, **rest)


BY_ENGINE: dict[str, list[Ask]] = {
    "threshold": [
        delta(STEP, "0.3"),
        delta(STEP, "-0.005", "add"),
        tail(pv.Gaussian(1), "0"),
        delta(OPEN, "0.5"),
        lambda: pv.delta(pv.Gaussian("sqrt(2)"), epsilon="ln(2)", adjacency="remove", digits=8),  # both ends
    ],
    "residues": [
        delta(3 * pv.Laplace(1), "0.5"),
        delta(3 * pv.Laplace(1), "-2"),
        tail(3 * pv.Laplace(1), "1"),
    ],
    "atoms": [delta(6 * PAIR, "1", "add"), tail(6 * PAIR, "0.5"), delta(5 * OPEN, "-1")],
    "parts": [
        delta(pv.Laplace(1) + pv.RandomizedResponse("0.7"), "0.5"),
        tail(3 * pv.PureDP(1) + pv.Gaussian(2), "-1"),
        delta(2 * pv.Laplace(1) + 3 * pv.PureDP(1), "0.25"),
        delta(2 * STEP, "0.01", "add", digits=3),
        delta(2 * WITHOUT, "0.2", "replace-one", digits=3),
    ],
    "lattice": [
        delta(5 * pv.DiscreteGaussian(3), "1"),
        tail(5 * pv.DiscreteGaussian(3), "-1"),
        delta(5 * pv.DiscreteGaussian("0.6"), "9"),
        delta(pv.DiscreteGaussian(10**6, 10**6), "2"),
    ],
    "contour": [
        delta(1000 * STEP, "1", "add-or-remove"),
        delta(1000 * STEP, "-1"),
        tail(1000 * STEP, "0.5", "add"),
        delta(5 * pv.Gaussian(2) + 2 * pv.Laplace(1), "3"),
    ],
    "truncated": [
        delta(50 * STEP, "1"),
        delta(10 * pv.PoissonSubsampled(pv.Gaussian(5), "1e-5"), "2e-5"),
        delta(10 * pv.PoissonSubsampled(pv.Gaussian(5), "1e-5"), "2e-5", "replace-one"),
        delta(79 * pv.SampledWithoutReplacement(pv.Gaussian("2.59"), "2e-4"), "0.01", "replace-one"),
    ],
    "smoothing": [
        delta(12 * PAIR, "2", digits=3),
        delta(12 * PAIR, "0.1", "add", digits=3),
        delta(2000 * pv.Laplace(900), "0.1", digits=6),
        delta(9 * pv.DiscreteGaussian(7) + 9 * pv.DiscreteGaussian(9) + pv.PureDP("0.1"), "2", digits=6),
    ],
    "contour slope": [tail(2000 * pv.Laplace(10), "12", digits=3)],
    "truncated slope": [tail(20 * STEP, "0.2", digits=3, engine="truncated slope")],
    "grid": [
        delta(3 * pv.PoissonSubsampled(pv.Laplace(1), "0.2"), "0.2", way, digits=3)
        for way in ("add", "remove")
    ],
    "grid slope": [tail(2 * pv.PoissonSubsampled(pv.Laplace(1), "0.2"), "0.5")],
}


def calibrated(end: str) -> Enclosure:
    found = pv.calibrate(
        lambda sigma: 5 * pv.Laplace(sigma),
        parameter="sigma", epsilon=1, delta="1e-5", low="0.5", high=20, resolution="0.1",
    )  # fmt: skip
    enclosure: Enclosure = getattr(found, end)
    return enclosure


def bracket(question: Any, stage: int, **asked: Any) -> Ask:
    """The enclosure of a bracket after so many improvements."""

    def ask() -> Enclosure:
        seen: list[Enclosure] = []
        return Narrowing(pv.Query(question, **asked)).until(
            lambda found: seen.append(found) or len(seen) > stage,
            20,  # type: ignore[func-returns-value]
        )

    return ask


OTHERS: dict[str, Ask] = {
    "bracket, nothing but rough": bracket(1000 * STEP, 1, delta="1e-6"),
    "bracket, rough δ": bracket(1000 * STEP, 1, epsilon="1"),
    "bracket, rough δ below 0": bracket(1000 * STEP, 1, epsilon="-1"),
    "bracket, points": bracket(1000 * STEP, 8, delta="1e-6"),
    "bracket, all": bracket(50 * pv.Laplace(3), 99, delta="1e-6"),
    "bracket of many laws, rough": bracket(SCHEDULE, 3, delta="1e-6"),
    "bracket of many laws, in groups": bracket(SCHEDULE, 11, delta="1e-6"),
    "bracket of zCDP": bracket(pv.ZCDP(1) + 3 * pv.Laplace(2), 0, delta="1e-6"),
    "bracket of zCDP, δ": bracket(pv.ZCDP(1) + 3 * pv.Laplace(2), 0, epsilon=9),
    "ε of a mixture": epsilon(1000 * STEP, "1e-5", "add-or-remove"),
    "ε by residues": epsilon(3 * pv.Laplace(1), "0.01"),
    "ε by a grid": epsilon(3 * pv.PoissonSubsampled(pv.Laplace(1), "0.2"), "0.01", digits=3),
    "ε next to the largest loss": epsilon(3 * pv.Laplace(1), "1e-40", digits=3),
    "ε is 0": epsilon(pv.Gaussian(1), "0.9"),
    "ε asks for nothing": epsilon(pv.Gaussian(1), "1"),
    "ε is infinite": epsilon(2 * OPEN, "0.05"),
    "ε at the infinite mass": epsilon(OPEN, "0.1"),
    "ε at the infinite mass of two": epsilon(2 * OPEN + pv.PureDP("0.3"), "0.19"),
    "ε of Gaussians at 0": epsilon(pv.Gaussian(1), "0"),
    "no finite loss above 0": epsilon(pv.FinitePair(["0.5", "0.5"], [0, 1]), "0.6"),
    "beyond the support": delta(2 * pv.Laplace(1), "2"),
    "beyond the support, infinite losses left": delta(3 * OPEN, "4"),
    "a tail beyond the support": tail(3 * pv.PureDP(1), "3.5"),
    "a tail below the support": tail(10 * STEP, "-1", "remove"),
    "nothing is lost": delta(pv.PureDP(0), "0"),
    "far below 0": delta(STEP, "-1000"),
    "Rényi": lambda: pv.rdp(10 * STEP, order="3.5"),
    "Rényi, infinite": lambda: pv.rdp(OPEN, order=2),
    "Rényi below order 1": lambda: pv.rdp(5 * OPEN, order="0.3"),
    "Kullback–Leibler": lambda: pv.rdp(10 * STEP, order=1),
    "Rényi of order 10^6": lambda: pv.rdp(10 * STEP, order=10**6),
    "largest loss": lambda: pv.rdp(3 * pv.Laplace(1) + 2 * PAIR, order="inf"),
    "largest loss, infinite": lambda: pv.rdp(pv.Gaussian(1), order="inf"),
    "distribution function of Gaussians": lambda: pv.privacy_loss_cdf(10**5 * pv.Gaussian(1), epsilon=49_000),
    "Rényi of order 1 and a bit": lambda: pv.rdp(10 * STEP, order="1.000001", adjacency="add"),
    "transform": lambda: pv.mgf(10 * STEP, order="-1.5"),
    "mean": lambda: pv.moments(10 * STEP).mean,
    "variance": lambda: pv.moments(2 * OPEN + pv.Gaussian(1), digits=8).variance,
    "trade-off": lambda: pv.trade_off(2 * STEP, alpha="0.1", digits=4),
    "trade-off of two directions": lambda: pv.trade_off(6 * PAIR, alpha="0.2", digits=4),
    "trade-off at 0": lambda: pv.trade_off(10 * STEP, alpha=0),
    "trade-off at 1": lambda: pv.trade_off(OPEN, alpha=1),
    "loss up to ε > 0": lambda: pv.privacy_loss_cdf(
        5 * pv.DiscreteGaussian(3), epsilon="1", adjacency="remove"
    ),
    "loss up to ε < 0": lambda: pv.privacy_loss_cdf(6 * PAIR, epsilon="-0.05", adjacency="add"),
    "loss below the support": lambda: pv.privacy_loss_cdf(3 * pv.PureDP(1), epsilon="-4", adjacency="add"),
    "loss at the largest": lambda: pv.privacy_loss_cdf(3 * OPEN, epsilon="3", adjacency="remove"),
    "calibrated, passes": lambda: calibrated("passes"),
    "calibrated, fails": lambda: calibrated("fails"),
}


def insisted(name: str, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Enclosure:
    """The answer with the engine that is named, whatever another one would cost."""
    for function in ("delta", "tail"):
        plain = getattr(pv, function)
        monkeypatch.setattr(
            pv, function, lambda *a, plain=plain, **k: plain(*a, **{"engine": name, **k}), raising=False
        )
    return ask()


NAMES = [*OTHERS, *(f"{name} {i}" for name, asks in BY_ENGINE.items() for i in range(len(asks)))]


@cache
def answered(name: str) -> Enclosure:
    """The answer of this name, by the engine that it begins with, if it does."""
    if name in OTHERS:
        return OTHERS[name]()
    engine, _, i = name.rpartition(" ")
    with pytest.MonkeyPatch.context() as patch:
        return insisted(engine, BY_ENGINE[engine][int(i)], patch)


CHILD = """
import pickle, sys
with open(sys.argv[1], "rb") as file:
    kept = pickle.load(file)
from pldverify.reference.engines.conclude import prove_again
again = {name: prove_again(enclosure) for name, enclosure in kept.items()}
loaded = [name for name in sys.modules if name.startswith("pldverify.reference.search")]
loaded += [name for name in ("scipy", "mpmath", "sympy") if name in sys.modules]
with open(sys.argv[2], "wb") as file:
    pickle.dump((again, loaded), file)
"""


def in_a_child(kept: dict[str, Enclosure], folder: Path) -> tuple[dict[str, Enclosure], list[str]]:
    """Proved again by another process, and what it has loaded of what it must not."""
    asked, told = folder / "asked", folder / "told"
    asked.write_bytes(pickle.dumps(kept))
    done = subprocess.run([sys.executable, "-c", CHILD, asked, told], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: tuple[dict[str, Enclosure], list[str]] = pickle.loads(told.read_bytes())
    return found


def same(one: Enclosure, two: Enclosure) -> bool:
    return (one.lower, one.upper, one.engine, one.witness) == (two.lower, two.upper, two.engine, two.witness)


def test_every_engine_is_asked() -> None:
    assert set(BY_ENGINE) == set(ENGINES)


def asked(name: str) -> Enclosure:
    """By the engine that it names, with a witness."""
    found = answered(name)
    assert name in OTHERS or found.engine == name.rpartition(" ")[0]
    assert found.witness is not None
    return found


@pytest.mark.slow
def test_another_process_proves_the_same_without_a_search(tmp_path: Path) -> None:
    kept = {name: asked(name) for name in NAMES}
    again, loaded = in_a_child(kept, tmp_path)
    others = [name for name in kept if not name.startswith("bracket")]
    assert [name for name in others if not same(kept[name], again[name])] == []
    brackets = [name for name in kept if name.startswith("bracket")]  # they carry no error terms
    assert brackets and all(kept[name] == again[name] for name in brackets)
    assert loaded == []


def test_a_witness_of_an_engine_that_is_gone_is_refused() -> None:
    found = pv.delta(pv.Gaussian(1), epsilon="0.5")
    work = Work("two steps of old", product(as_composition(pv.Gaussian(1)), "remove"), "delta", None)
    stale = replace(found, witness=Witness(Evaluated(work, Fraction(1, 2), 64)))
    with pytest.raises(InvalidInput, match=r"engine must be one of this version, .*two steps of old"):
        prove_again(stale)


@pytest.mark.slow
def test_users_densities_are_proved_again(tmp_path: Path) -> None:
    """Theirs are derived anew, which loads sympy; no search."""
    t = sympy.Symbol("t", real=True)
    first, second = (sympy.exp(-((t - m) ** 2) / 2) / sympy.sqrt(2 * sympy.pi) for m in (1, 0))
    pair = pv.derive_pair(first, second, t).mechanism()
    cut = pv.derive_pair(sympy.exp(-t) / (1 - sympy.exp(-1)), sympy.exp(t) / (sympy.E - 1), t, {t: (0, 1)})
    other = cut.mechanism()
    sampled = pv.PoissonSubsampled(other, "0.3")
    kept = {
        "δ": pv.delta(pair, epsilon="0.5", digits=5),
        "tail": pv.tail(pair, epsilon="0.5", digits=5),
        "a normal loss": pv.delta(100 * pair, epsilon="60", digits=5),
        "a line": pv.delta(200 * other, epsilon="30", digits=8, adjacency="remove"),
        "a grid": pv.delta(2 * other, epsilon="0.3", digits=3, adjacency="add"),
        "a sampled line": pv.delta(300 * sampled, epsilon="5", digits=8, adjacency="add"),
        "ε": pv.epsilon(200 * other, delta="1e-3", digits=5, adjacency="remove"),
        "Rényi": pv.rdp(3 * other, order=4, digits=10),
    }
    assert kept["a line"].engine == kept["a sampled line"].engine == "contour"
    again, loaded = in_a_child(kept, tmp_path)
    assert all(same(kept[name], again[name]) for name in kept)
    assert not any("search" in name for name in loaded)


@pytest.mark.sample(22)
@pytest.mark.parametrize("name", [*OTHERS, *(f"{name} 0" for name in BY_ENGINE)])
def test_enclosures_copy_pickle_and_compare(name: str) -> None:
    found = asked(name)
    for twin in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert twin == found and hash(twin) == hash(found)
        assert same(twin, found) and twin.provenance == found.provenance
        assert twin.explain() == found.explain()
    assert len({found, copy.deepcopy(found)}) == 1


def test_what_has_no_witness_is_not_proved_again() -> None:
    for nothing in (Enclosure(0, 1, "told"), None, "0.5"):  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="witness"):
            prove_again(nothing)  # type: ignore[arg-type]


QUESTIONS: list[tuple[str, Any, dict[str, Any]]] = [
    ("delta", pv.Gaussian(1), {"epsilon": 1, "digits": 120}),
    ("delta", 1000 * STEP, {"epsilon": 1, "digits": 15}),
    ("tail", 20 * pv.RandomizedResponse("0.7"), {"epsilon": "0.5", "digits": 120}),
    ("epsilon", 3 * pv.Laplace(1), {"delta": "0.01", "digits": 15}),
    ("rdp", 10 * STEP, {"order": "2.5", "digits": 120}),
    ("delta", 12 * PAIR, {"epsilon": 2, "digits": 3, "engine": "smoothing"}),
    ("delta", 3 * pv.PoissonSubsampled(pv.Laplace(1), "0.2"), {"epsilon": "0.5", "digits": 3}),
]


def answer(i: int) -> Enclosure:
    name, composition, arguments = QUESTIONS[i]
    found: Enclosure = getattr(pv, name)(composition, **arguments)
    return found


@cache
def alone() -> Sequence[Enclosure]:
    """By one thread, nothing remembered."""
    found = []
    for i in range(len(QUESTIONS)):
        forget()
        found.append(answer(i))
    return found


def test_threads_give_what_one_thread_gives() -> None:
    expected, before = alone(), flint.ctx.prec
    forget()
    order = [i for turn in range(2) for i in range(len(QUESTIONS))]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(answer, order))
    assert all(same(one, expected[i]) for one, i in zip(found, order, strict=True))
    assert flint.ctx.prec == before


@pytest.mark.slow
def test_processes_give_what_one_thread_gives() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(answer, range(len(QUESTIONS))))
    assert all(same(one, two) for one, two in zip(found, alone(), strict=True))


@pytest.mark.parametrize("order", ["twice", "backwards", "forgotten"])
def test_what_is_remembered_changes_no_end(order: str) -> None:
    expected, indices = alone(), list(range(len(QUESTIONS)))
    if order == "forgotten":
        forget()
    if order == "twice":
        indices += indices
    if order == "backwards":
        indices.reverse()
    assert all(same(answer(i), expected[i]) for i in indices)
