"""What a claim may mean: units, steps of epochs, samplings, adjacencies."""

from fractions import Fraction
from typing import Any

import pytest

from pldverify.errors import InvalidInput
from pldverify.mechanisms import Gaussian, ShuffledBatches
from pldverify.rulings.cases import cases
from tests.unit.claims.claims import claim, noise


def meanings(*phases: dict[str, Any], **changes: Any) -> list[tuple[str, str]]:
    return [(case.assumes, str(case.composition)) for case in cases(claim(*phases, **changes))]


@pytest.mark.parametrize(
    ("phase", "means"),
    [
        (noise(), "100 * poisson(gaussian(sigma=1), q=0.01)"),
        (noise(q="1%"), "100 * poisson(gaussian(sigma=1), q=0.01)"),
        (noise(q=1), "100 * gaussian(sigma=1)"),
        (
            noise(noise_multiplier=None, standard_deviation=6, sensitivity=2, sampling="none", q=None),
            "100 * gaussian(sigma=6, sensitivity=2)",
        ),
        (
            noise(q=None, batch_size=240, dataset_size=60_000, steps=None, epochs=45),
            "11250 * poisson(gaussian(sigma=1), q=0.004)",
        ),
        (
            noise(steps=None, epochs=3, batches_per_epoch=90),
            "270 * poisson(gaussian(sigma=1), q=0.01)",
        ),
        (
            noise(sampling="none", q=None, steps=None, epochs=7),
            "7 * gaussian(sigma=1)",
        ),
        (
            {"mechanism": "laplace", "scale": "2", "sensitivity": 1, "sampling": "none", "steps": 3},
            "3 * laplace(b=2)",
        ),
        (
            noise(sampling="truncated-poisson", q=None, batch_size=10, dataset_size=1000, max_batch=30),
            "100 * truncated_poisson(gaussian(sigma=1), q=0.01, dataset_size=1000, max_batch=30)",
        ),
        (
            noise(sampling="balls-and-bins", steps=None, epochs=3),
            "3 * balls_and_bins(gaussian(sigma=1), batches=100)",
        ),
        (
            noise(sampling="balls-and-bins", steps=None, epochs=3, q="0.0107", batches_per_epoch=94),
            "3 * balls_and_bins(gaussian(sigma=1), batches=94)",
        ),
        (
            noise(sampling="allocation", q=None, participations=2),
            "2 * balls_and_bins(gaussian(sigma=1), batches=50, participations=2, steps=100)",
        ),
        (
            noise(sampling="cyclic-poisson", cycle_length=7, q="0.1"),
            "15 * poisson(gaussian(sigma=1), q=0.1)",
        ),
        (
            noise(
                sampling="cyclic-poisson",
                cycle_length=4,
                q=None,
                batch_size=10,
                dataset_size=1000,
                steps=None,
                epochs=1,
            ),
            "25 * poisson(gaussian(sigma=1), q=0.04)",
        ),
        (noise(steps=0), "pure_dp(epsilon=0)"),
        (noise(steps=None, epochs="0.001", steps_rule="floor"), "pure_dp(epsilon=0)"),
        (noise(steps=None, epochs="0.001", steps_rule="ceil"), "poisson(gaussian(sigma=1), q=0.01)"),
        (noise(q=0), "pure_dp(epsilon=0)"),
        (noise(q=0, steps=None, epochs=2), "pure_dp(epsilon=0)"),
        (noise(q=0, noise_multiplier=0), "pure_dp(epsilon=0)"),
        (noise(steps=None, epochs=0, sampling="balls-and-bins"), "pure_dp(epsilon=0)"),
        (noise(noise_multiplier=0), "100 * poisson(approximate_dp(epsilon=0, delta=1), q=0.01)"),
        (
            noise(noise_multiplier=0, sampling="balls-and-bins", steps=None, epochs=2),
            "2 * approximate_dp(epsilon=0, delta=1)",
        ),
        ({"mechanism": "expression", "expression": "2 * binomial(n=10, p=1/2)"}, "2 * binomial(n=10, p=0.5)"),
        ({"mechanism": "pure_dp", "epsilon": "0.11", "times": 4}, "4 * pure_dp(epsilon=0.11)"),
        ({"mechanism": "gdp", "mu": "0.376"}, "gdp(mu=0.376)"),
        (
            {"mechanism": "pure_dp", "epsilon": 1, "times": 9, "sampling": "poisson", "q": "0.5"},
            "9 * poisson(pure_dp(epsilon=1), q=0.5)",
        ),
        ({"mechanism": "pure_dp", "epsilon": 1, "sampling": "poisson", "q": 1}, "pure_dp(epsilon=1)"),
    ],
)
def test_one_meaning(phase: dict[str, Any], means: str) -> None:
    assert meanings(phase) == [("", means)]


@pytest.mark.parametrize(
    ("older", "word"),
    [("fixed_without_replacement", "fixed"), ("fixed_with_replacement", "fixed-with-replacement")],
)
def test_the_words_of_older_files(older: str, word: str) -> None:
    found = [
        meanings(noise(sampling=name, q=None, batch_size=1, dataset_size=100), adjacency="replace-one")
        for name in (older, word)
    ]
    assert found[0] == found[1] and "sampled_with" in found[0][0][1]


def test_balls_and_bins_accounted_for_as_poisson() -> None:
    found = meanings(noise(sampling="balls-and-bins", accounted_as="poisson", steps=None, epochs=1))
    assert found == [
        ("balls-and-bins batches", "balls_and_bins(gaussian(sigma=1), batches=100)"),
        ("Poisson batches", "100 * poisson(gaussian(sigma=1), q=0.01)"),
    ]


def test_what_is_not_said_of_the_batches_names_the_phase() -> None:
    wrong = {
        "phase.0: an epoch must have a whole number of batches": noise(
            sampling="balls-and-bins", q="0.3", steps=None, epochs=1, steps_rule="ceil"
        ),
        "phase.0: batches_per_epoch must be dataset_size / batch_size": noise(
            sampling="balls-and-bins", q="0.1", steps=None, epochs=1, batches_per_epoch=2
        ),
        "phase.0: steps must be whole epochs": noise(sampling="balls-and-bins", steps=150),
        "phase.0: cycle_length must divide": noise(
            sampling="cyclic-poisson", cycle_length=3, q=None, batch_size=10, dataset_size=1000
        ),
    }
    for message, phase in wrong.items():
        with pytest.raises(InvalidInput, match=message):
            cases(claim(phase))


def test_nothing_that_ran_says_nothing_beside_others() -> None:
    ((_, whole),) = meanings(noise(steps=0), noise())
    assert whole == "100 * poisson(gaussian(sigma=1), q=0.01)"


def test_phases_compose() -> None:
    ((_, whole),) = meanings(noise(), noise(), {"mechanism": "pure_dp", "epsilon": 1})
    assert whole == "200 * poisson(gaussian(sigma=1), q=0.01) + pure_dp(epsilon=1)"


EPOCHS = noise(q=None, batch_size=256, dataset_size=60_000, steps=None, epochs=15)  # 3515.625 batches


@pytest.mark.parametrize(("rule", "steps"), [("ceil", 3516), ("floor", 3515)])
def test_the_rule_of_steps(rule: str, steps: int) -> None:
    ((_, whole),) = meanings({**EPOCHS, "steps_rule": rule})
    assert whole.startswith(f"{steps} * ")


def test_without_a_rule_both_are_meant() -> None:
    found = meanings(EPOCHS)
    assert [whole.split(" ")[0] for _, whole in found] == ["3516", "3515"]
    assert all("of epochs times batches" in assumes for assumes, _ in found)


def test_exact_steps_must_be_so() -> None:
    with pytest.raises(InvalidInput, match=r"phase\.0: epochs times batches .* got 3515.625"):
        meanings({**EPOCHS, "steps_rule": "exact"})


def test_an_adjacency_that_is_not_stated() -> None:
    assert [assumes for assumes, _ in meanings(noise(), adjacency=None)] == ["add-or-remove", "replace-one"]
    assert meanings({"mechanism": "pure_dp", "epsilon": 1}, adjacency=None)[0][0] == ""
    fixed = noise(sampling="fixed_without_replacement")
    assert [(case.adjacency, case.has_pairs) for case in cases(claim(fixed, adjacency=None))] == [
        ("replace-one", True),
        ("add-or-remove", False),
    ]


def test_what_was_run_stands_before_what_was_accounted() -> None:
    found = cases(claim(noise(sampling="shuffled", accounted_as="poisson")))
    assert [(case.role, case.adjacency, case.has_pairs) for case in found] == [
        ("assumed", "zero-out", True),
        ("run", "add-or-remove", False),
        ("accounted", "add-or-remove", True),
    ]
    assert [case.assumes for case in found] == [
        "shuffled batches, zero-out",
        "shuffled batches, add-or-remove",
        "Poisson batches",
    ]


def test_what_was_accounted_differs_in_the_phases_that_say_so() -> None:
    ran, other = noise(sampling="shuffled", accounted_as="poisson"), noise(q="0.5", noise_multiplier=3)
    accounted = cases(claim(ran, other, adjacency="zero-out"))[-1]
    assert accounted.role == "accounted"
    assert str(accounted.composition) == (
        "100 * poisson(gaussian(sigma=1), q=0.01) + 100 * poisson(gaussian(sigma=3), q=0.5)"
    )


def test_zero_out_is_assumed_where_all_phases_know_it() -> None:
    for other, assumed in (("poisson", True), ("fixed_without_replacement", False)):
        found = cases(claim(noise(sampling="shuffled"), noise(sampling=other)))
        rows = [("zero-out", True)] * assumed + [("add-or-remove", False)]
        assert [(case.adjacency, case.has_pairs) for case in found] == rows


@pytest.mark.parametrize(
    ("changes", "known"),
    [({}, False), ({"steps": 0}, True), ({"noise_multiplier": 0, "q": "0.25"}, True)],
)
def test_shuffled_batches_of_nothing_or_without_noise_are_what_was_run(
    changes: dict[str, Any], known: bool
) -> None:
    """Of three batches of 0.3 and a rest it is not known whether the rest is left out."""
    (case,) = cases(claim(noise(sampling="shuffled", **{"q": "0.3", **changes}), adjacency="zero-out"))
    assert case.is_run is known


@pytest.mark.parametrize(("changes", "epochs"), [({"steps": 3}, 1), ({"steps": 9}, 3), ({"steps": 10}, 4)])
def test_a_shuffled_record_takes_part_once_an_epoch(changes: dict[str, Any], epochs: int) -> None:
    """Three batches of 0.3 and a rest that may be left out: the tenth batch may begin a fourth epoch."""
    ((_, whole),) = meanings(noise(sampling="shuffled", q="0.3", **changes), adjacency="zero-out")
    assert whole == ("gaussian(sigma=1)" if epochs == 1 else f"{epochs} * gaussian(sigma=1)")


@pytest.mark.parametrize(
    ("changes", "run"),
    [
        ({"steps": 99}, "shuffled(gaussian(sigma=1), batches=99, dropped=0.01)"),
        (
            {"steps": 201},
            "shuffled(gaussian(sigma=1), batches=1, dropped=0.99) + "
            "2 * shuffled(gaussian(sigma=1), batches=100)",
        ),
        (
            {"q": "0.3", "batches_per_epoch": 3, "steps": 3},
            "shuffled(gaussian(sigma=1), batches=3, dropped=0.1)",
        ),
        (
            {"q": "0.3", "batches_per_epoch": 4, "steps": 5},
            "shuffled(gaussian(sigma=1), batches=1, dropped=0.7) + shuffled(gaussian(sigma=1), batches=4)",
        ),
    ],
)
def test_what_an_epoch_leaves_over_is_known(changes: dict[str, Any], run: str) -> None:
    """Where the number of its batches is."""
    (case,) = cases(claim(noise(sampling="shuffled", **changes), adjacency="zero-out"))
    assert case.is_run and str(case.composition) == run


@pytest.mark.parametrize("changes", [{}, {"q": "0.3", "batches_per_epoch": 4}, {"q": "0.25"}])
def test_whole_epochs_of_a_known_number_of_batches(changes: dict[str, Any]) -> None:
    ((_, whole),) = meanings(noise(sampling="shuffled", **changes), adjacency="zero-out")
    batches = 4 if changes else 100
    assert whole.endswith(f"shuffled(gaussian(sigma=1), batches={batches})")


@pytest.mark.parametrize("batches", [1, 10, 99])
def test_records_that_are_left_out_are_left_over(batches: int) -> None:
    """ε = 4.4 of a batch of a thousandth was taken for true: a claim of 1 was REFUTED."""
    few = noise(sampling="shuffled", steps=None, epochs=2, batches_per_epoch=batches)
    (case,) = cases(claim(few, adjacency="zero-out"))
    left = Fraction(100 - batches, 100)
    assert case.composition == 2 * ShuffledBatches(Gaussian(1), batches, dropped=left)


def test_one_phase_that_is_bounded_from_above_bounds_the_whole() -> None:
    """A lower end of both was taken for proved, as one of them had one: claims were REFUTED."""
    whole, part = noise(sampling="shuffled"), noise(sampling="shuffled", q="0.3", steps=1)
    assert [case.is_run for case in cases(claim(whole, part, adjacency="zero-out"))] == [False]
    assert [case.is_run for case in cases(claim(whole, whole, adjacency="zero-out"))] == [True]


def test_no_shuffled_batches_are_known_under_every_relation() -> None:
    """Claims on them were UNDECIDED where a record is added or removed."""
    (case,) = cases(claim(noise(sampling="shuffled", steps=0), adjacency="remove"))
    assert (case.adjacency, case.has_pairs, case.is_run) == ("remove", True, True)
    assert {case.adjacency for case in cases(claim(noise(sampling="shuffled"), adjacency="remove"))} > {
        "remove"
    }


def test_an_expression_of_shuffled_batches_is_shuffled() -> None:
    """Where no adjacency was stated, what holds under zero-out was CERTIFIED of all."""
    phase = {"mechanism": "expression", "expression": "shuffled(gaussian(1), batches=100)"}
    found = cases(claim(phase, adjacency=None))
    assert [(case.adjacency, case.role, case.has_pairs) for case in found] == [
        ("zero-out", "possible", True),
        ("replace-one", "possible", True),
        ("add-or-remove", "possible", False),
    ]
    assert [(case.adjacency, case.role) for case in cases(claim(phase))] == [
        ("zero-out", "assumed"),
        ("add-or-remove", "run"),
    ]


@pytest.mark.parametrize("sampling", ["shuffled", "balls-and-bins"])
@pytest.mark.parametrize("changes", [{"steps": 100}, {"steps": None, "epochs": 1}])
def test_an_epoch_has_every_record_once(sampling: str, changes: dict[str, Any]) -> None:
    """A record in 50 of 100 batches was taken to be in one: claims were CERTIFIED."""
    with pytest.raises(InvalidInput, match="batches_per_epoch must be at most"):
        cases(claim(noise(sampling=sampling, q="0.5", batches_per_epoch=100, **changes)))


def test_two_persistent_orders_are_not_one() -> None:
    """Equal phases merged, and what one order kept for both tells was told of two that hide more."""
    run = {"mechanism": "expression", "expression": "3*shuffled(gaussian(1), batches=100, persistent=1)"}
    with pytest.raises(InvalidInput, match="phase must not have one persistent order twice"):
        cases(claim(run, run, adjacency="zero-out"))
    other = {**run, "expression": run["expression"].replace("100", "99")}
    (case,) = cases(claim(run, other, adjacency="zero-out"))
    assert case.composition.steps == 6


@pytest.mark.parametrize("batches", [3, 4])
def test_bins_may_be_as_many_as_the_batches_rounded(batches: int) -> None:
    run = noise(sampling="balls-and-bins", q="0.3", batches_per_epoch=batches, steps=None, epochs=1)
    assert meanings(run) == [("", f"balls_and_bins(gaussian(sigma=1), batches={batches})")]


def test_shuffled_batches_that_replace_a_record_need_no_zero() -> None:
    (case,) = cases(claim(noise(sampling="shuffled"), adjacency="replace-one"))
    assert (case.adjacency, case.role) == ("replace-one", "run")


def test_zcdp_has_a_gaussian_beside_it() -> None:
    implied, gaussian = cases(claim({"mechanism": "zcdp", "rho": "0.5"}))
    assert (implied.subject, gaussian.subject, gaussian.role) == ("implied", "true", "possible")
    assert str(gaussian.composition) == "gdp(mu=1)"


def test_gaussian_noise_beside_another_guarantee_is_not_the_mechanism() -> None:
    """Of ρ-zCDP alone Gaussian noise is one mechanism; beside pure DP the worst one is still meant."""
    rho = {"mechanism": "zcdp", "rho": "0.1"}
    assert [case.subject for case in cases(claim(rho))] == ["implied", "true"]
    both = cases(claim(rho, {"mechanism": "pure_dp", "epsilon": 1}))
    assert [case.subject for case in both] == ["implied", "implied"]


def test_a_batch_that_is_no_integer_is_named() -> None:
    sizes = {"q": None, "batch_size": "2.5", "dataset_size": 100}
    with pytest.raises(InvalidInput, match=r"phase\.0: batch_size must be an integer"):
        cases(claim(noise(sampling="fixed_with_replacement", **sizes), adjacency="replace-one"))


@pytest.mark.parametrize("scheme", ["shuffled", "balls-and-bins"])
@pytest.mark.parametrize("field", ["sampling", "accounted_as"])
def test_a_share_of_0_is_no_share_where_an_epoch_takes_each_record(scheme: str, field: str) -> None:
    """1e-9 is REFUTED at ε = 1e-4; rounded to 0 it was CERTIFIED."""
    said = noise(q=0, steps=None, epochs=3, **{"sampling": "poisson", field: scheme})
    with pytest.raises(InvalidInput, match=r"q must be in \(0, 1\]"):
        cases(claim(said))


NUMBERS: dict[str, dict[str, Any]] = {
    "q": {},
    "batch_size": {"q": None, "dataset_size": 1000},
    "dataset_size": {"q": None, "batch_size": 10},
    "max_batch": {"sampling": "truncated-poisson", "q": None, "batch_size": 10, "dataset_size": 1000},
    "participations": {"sampling": "allocation", "q": None},
    "cycle_length": {"sampling": "cyclic-poisson", "q": None, "batch_size": 10, "dataset_size": 1000},
    "batches_per_epoch": {"steps": None, "epochs": 0},
    "sensitivity": {"noise_multiplier": None, "standard_deviation": 1},
}


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("nothing", [{"steps": 0}, {"steps": 5}, "no noise"])
def test_a_number_that_decides_nothing_is_read(name: str, nothing: Any) -> None:
    """CERTIFIED stood beside q = "banana" and no steps, REFUTED beside a sensitivity of -1 and no noise."""
    stated = NUMBERS[name]
    changes: dict[str, Any] = {"noise_multiplier": 0} if nothing == "no noise" else nothing
    if name == "sensitivity" and nothing == "no noise":
        changes = {"standard_deviation": 0}
    if "epochs" in stated:
        changes = {key: value for key, value in changes.items() if key != "steps"}
    for wrong in ("banana", "-1"):
        phase = noise(**{**stated, **changes, name: wrong})
        with pytest.raises(InvalidInput, match=rf"^phase\.0: {name} must be"):
            cases(claim(phase))
