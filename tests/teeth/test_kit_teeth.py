"""The testing kit finds every faulty accountant of the zoo by the check that names its cause."""

import json

import pytest
from click.testing import CliRunner

from pldverify.cli import main
from pldverify.testing.checks.run import CHECKS
from pldverify.testing.teeth import KillMatrix, chosen, kill_matrix, kills
from pldverify.testing.zoo.mutants import MUTANTS


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """The zoo plants nothing in pldverify, so that its truths may be shared."""


def test_the_zoo_is_large_and_each_has_a_name_of_its_own() -> None:
    assert len(MUTANTS) >= 60
    assert all(name == mutant.name for name, mutant in MUTANTS.items())


def idle(matrix: KillMatrix) -> set[str]:
    """Checks that killed nothing."""
    return set(CHECKS).difference(*matrix.killed.values())


def redundant(matrix: KillMatrix) -> set[str]:
    """Relations without a mutant that no other relation kills."""
    relations = {name for name, check in CHECKS.items() if check.kind == "relation"}
    found = [relations.intersection(checks) for checks in matrix.killed.values()]
    return relations.difference(*(checks for checks in found if len(checks) == 1))


@pytest.mark.sample(29)
@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_every_mutant_is_killed_by_the_check_that_names_its_cause(mutant) -> None:
    assert kills(mutant, mutant.killer)


@pytest.mark.slow
def test_every_check_kills_and_every_relation_kills_alone() -> None:
    matrix = kill_matrix()
    assert (matrix.survivors, idle(matrix), redundant(matrix)) == ([], set(), set())


@pytest.mark.slow
def test_a_relation_that_kills_nothing_alone_would_be_seen() -> None:
    matrix = kill_matrix(chosen(["overflow-of-exp", "epsilon-on-a-grid"]))
    assert matrix.survivors == []
    assert {"range", "dual"} <= redundant(matrix) and "convex" not in redundant(matrix)
    assert "renyi" in idle(matrix) and "falls-with-target" not in idle(matrix)


@pytest.mark.slow
def test_the_matrix_is_printed() -> None:
    done = CliRunner().invoke(main, ["teeth", "directions-swapped"])
    assert done.exit_code == 0
    assert "directions-swapped: found by direction-remove" in done.stdout
    assert done.stdout.endswith("1 of 1 are found by the check for their cause\n")
    killed = json.loads(CliRunner().invoke(main, ["teeth", "directions-swapped", "--json"]).stdout)["killed"]
    assert "direction-remove" in killed["directions-swapped"]


@pytest.mark.slow
def test_a_survivor_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    mutant = MUTANTS["directions-swapped"]
    monkeypatch.setitem(MUTANTS, mutant.name, replace(mutant, killer="renyi"))
    done = CliRunner().invoke(main, ["teeth", mutant.name])
    assert (done.exit_code, "NOT FOUND by renyi" in done.stdout) == (1, True)


def test_the_list_names_a_fault_and_a_check_each() -> None:
    done = CliRunner(env={"COLUMNS": "400"}).invoke(main, ["teeth", "--list"])
    assert len(done.stdout.splitlines()) == len(MUTANTS)
    assert all(mutant.killer in CHECKS for mutant in MUTANTS.values())


def test_an_unknown_mutant_is_bad_input() -> None:
    done = CliRunner().invoke(main, ["teeth", "directions-swaped"])
    assert done.exit_code == 2 and "did you mean directions-swapped?" in done.stderr
