"""Strategies: what they shrink to, which edges they reach, and what registers them."""

import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import find as search
from hypothesis import strategies as st

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.questions.kinds import KINDS, of_kind
from pldverify.questions.numbers import NOISE, RATE, STEPS
from pldverify.testing import compositions, deltas, epsilons, mechanisms, queries, strategies
from pldverify.testing.hypothesis_plugin import _kinds, register
from pldverify.testing.numbers import strategy

ROOT = Path(__file__).parents[3]
CLASSES = list(dict.fromkeys(map(of_kind, KINDS)))
FEW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def find(drawn, wanted, most: int = 100):
    """The simplest drawn thing that is wanted; the same one every time."""
    fast = settings(max_examples=most, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    return search(drawn, wanted, settings=fast, random=random.Random(1))


def anything(drawn: object) -> bool:
    return True


@pytest.mark.slow
def test_they_shrink_to_what_is_simplest() -> None:
    assert find(mechanisms(), anything) == pv.Gaussian(1)
    assert find(compositions(), anything) == 1 * pv.Gaussian(1)
    assert find(queries(), anything) == pv.Query(pv.Gaussian(1), epsilon=1)
    assert (find(epsilons(), anything), find(deltas(), anything)) == (1, Fraction(1, 10**5))
    assert [find(strategy(numbers), anything) for numbers in (NOISE, RATE, STEPS)] == [1, 1, 1]


def test_an_atom_is_not_simpler_than_a_number() -> None:
    """From random draws, not from the simplest one."""
    fast = settings(max_examples=50, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    found = search(queries(pv.Gaussian, pv.PureDP), anything, settings=fast, random=random.Random(0))
    assert found == pv.Query(pv.Gaussian(1), epsilon=1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: mechanisms([pv.Gaussian]),
        lambda: queries("gaussian"),
        lambda: compositions(max_steps=0),
        lambda: queries(max_parts=0),
        lambda: queries(max_steps="ten"),
    ],
)
def test_what_can_not_be_drawn_is_bad_input(call) -> None:
    with pytest.raises(InvalidInput):
        call()


def test_a_failure_shrinks_to_a_simple_query() -> None:
    found = find(queries(), lambda query: query.composition.steps > 10 and query.delta is not None)
    assert str(found.composition).endswith("* gaussian(sigma=1)") and found.delta == Fraction(1, 10**5)


@pytest.mark.parametrize(
    ("drawn", "edge"),
    [
        (epsilons(), lambda x: x == 0),
        (epsilons(0, 1000), lambda x: x >= 700),
        (deltas(), lambda x: 0 < x < Fraction(1, 10**80)),
        (deltas(), lambda x: x in (0, 1)),
        (strategy(RATE), lambda x: Fraction(999_999, 1_000_000) < x < 1),
        (strategy(RATE), lambda x: x == Fraction(1, 2)),
        (strategy(NOISE), lambda x: x < Fraction(1, 10)),
        (strategy(NOISE), lambda x: x.denominator > 2**40),
        (compositions(), lambda x: x.steps == 1 and x.parts[0][0].is_exact),
        (compositions(), lambda x: len(x.parts) == 2),
    ],
)
def test_the_edges_are_reached(drawn, edge) -> None:
    find(drawn, edge, 2000)


def test_atoms_of_the_loss_are_asked_for() -> None:
    atom = find(
        queries(pv.Laplace),
        lambda query: (
            query.epsilon is not None
            and query.epsilon == query.composition.steps / query.composition.parts[0][0].noise_multiplier
            and query.epsilon.denominator > 50
        ),
        5000,
    )
    assert pv.delta(atom.composition, epsilon=atom.epsilon, adjacency=atom.adjacency).upper == 0


@given(queries(*CLASSES))
@FEW
def test_every_drawn_query_can_be_printed_and_read_again(query: pv.Query) -> None:
    assert pv.Query(str(query.composition), query.epsilon, query.delta, query.adjacency) == query


@given(st.data())
@FEW
def test_bounds_are_kept(data: st.DataObject) -> None:
    low, high = sorted([data.draw(epsilons()), data.draw(epsilons())])
    assert low <= data.draw(epsilons(low, high)) <= high


@pytest.mark.parametrize("make", [lambda: epsilons(2, 1), lambda: deltas(-1), lambda: mechanisms(int)])
def test_what_can_not_be_drawn_is_refused(make) -> None:
    with pytest.raises(InvalidInput):
        make()


def test_every_public_mechanism_has_a_strategy() -> None:
    assert set(_kinds()) == set(CLASSES)


def test_every_kind_is_drawn_where_its_class_is_named() -> None:
    assert set(strategies._kinds(tuple(CLASSES))) == set(KINDS) > set(strategies.DEFAULT)


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_strategy_draws_its_mechanism(kind: type[Mechanism]) -> None:
    assert isinstance(find(mechanisms(kind), anything), kind)


@pytest.mark.slow
def test_types_are_registered() -> None:
    register()
    assert find(st.from_type(pv.Composition), anything) == 1 * pv.Gaussian(1)
    assert find(st.from_type(pv.Gaussian), anything) == pv.Gaussian(1)
    assert find(st.from_type(Mechanism), anything) == pv.Gaussian(1)
    assert find(st.from_type(pv.Query), anything) == pv.Query(pv.Gaussian(1), epsilon=1)


def test_hypothesis_finds_them_by_the_entry_point(tmp_path: Path) -> None:
    written = (ROOT / "pyproject.toml").read_text("utf-8")
    line = 'pldverify = "pldverify.testing.hypothesis_plugin:register"'
    assert f"[project.entry-points.hypothesis]\n{line}" in written
    info = tmp_path / "kit-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kit\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[hypothesis]\n{line.replace(chr(34), '')}\n")
    source = (
        "import sys, hypothesis.strategies as st\n"
        "assert not {'numpy', 'flint', 'pldverify.testing.strategies'} & set(sys.modules)\n"
        "import pldverify as pv, hypothesis\n"
        "print(hypothesis.find(st.from_type(pv.Gaussian), lambda m: True))\n"
    )
    path = os.pathsep.join([str(ROOT), str(tmp_path)])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", source], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "gaussian(sigma=1)\n", done.stderr
