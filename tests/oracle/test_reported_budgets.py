"""Sixty-one published budgets, from examples/claims/, judged; docs/reported_budgets.md has what was found.

Verdicts are not compared with what the code said, but with what each file's figures say by other means: a
budget of an upper bound that its own test suite or paper accounts for must hold for what was accounted.
"""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from pldverify.claims.certify_file import rows, sure
from pldverify.claims.many import judged
from pldverify.claims.tables import cells
from pldverify.rulings.model import Claim
from pldverify.rulings.ruling import Ruling

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "examples" / "claims").glob("*.toml"))
TABLE = ROOT / "docs" / "reported_budgets.md"


DEAR = {f"opacus-mnist-readme-2020-{epsilon}" for epsilon in ("7.10", "3.01", "1.19")}
"""Shuffled runs as that of the log: two seconds each."""


@pytest.fixture(scope="module", params=["gate", pytest.param("all", marks=pytest.mark.slow)])
def rulings(request: pytest.FixtureRequest) -> list[Ruling]:
    asked = [row for path in FILES for row in rows(path)]
    if request.param == "gate":
        asked = [row for row in asked if getattr(row[1], "id", "") not in DEAR]
    return sure(dict(judged(asked)))


def row(cells: dict[str, str], first: bool) -> tuple[str, ...]:
    name, says = (f"`{cells['id']}`", cells["claim"]) if first else ("", "")
    return (name, cells["literally"], cells["rounded"] or "—", cells["case"], says)


def test_every_budget_is_there_with_its_source() -> None:
    claims = [claim for path in FILES for _, claim, _ in rows(path)]
    assert len(claims) == len({claim.id for claim in claims if isinstance(claim, Claim)}) == 61
    for claim in claims:
        source = claim.source  # type: ignore[union-attr]  # each is a claim
        assert source is not None and source.repository and source.commit and source.path and source.quotes


def test_the_table_in_docs_is_what_is_found(rulings: list[Ruling]) -> None:
    told, name = defaultdict(list), ""
    for line in [line for line in TABLE.read_text("utf-8").splitlines() if line.startswith("| ")][1:]:
        cut = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:6])
        name = cut[0].strip("`") or name
        told[name].append(cut)
    found = {r.claim.id: [row(each, i == 0) for i, each in enumerate(cells(r))] for r in rulings}
    assert [told[name] for name in told if name in found or name not in DEAR] == [*found.values()]


def test_each_that_is_not_certified_is_explained(rulings: list[Ruling]) -> None:
    text = TABLE.read_text("utf-8")
    for ruling in rulings:
        assert (f"- `{ruling.claim.id}`: {ruling.verdict}: " in text) == (ruling.verdict != "CERTIFIED")
        assert ruling.explanation


def test_sums_of_pure_dp_are_exact(rulings: list[Ruling]) -> None:
    """ε adds up: the printed totals are right, but for one whose parts add up to half of it."""
    for ruling in rulings:
        claim = ruling.claim
        if claim.delta == "0":
            total = sum(float(p.epsilon) * float(p.times) for p in claim.phase)  # type: ignore[union-attr,arg-type]
            equal = abs(total - float(str(claim.epsilon))) < 1e-9
            assert (ruling.verdict == "CERTIFIED") == equal
            assert equal == (claim.id != "registry-google-symptoms-normalization")


def test_shuffled_runs_are_judged_twice(rulings: list[Ruling]) -> None:
    shuffled = [r for r in rulings if any(getattr(p, "sampling", "") == "shuffled" for p in r.claim.phase)]
    assert len(shuffled) == (8 if {ruling.claim.id for ruling in rulings} >= DEAR else 5)
    for ruling in shuffled:
        by_case = {each["case"]: each["literally"] for each in cells(ruling)}
        assert by_case["Poisson batches"] == "CERTIFIED"
        known = ruling.claim.id.startswith("opacus")  # 240 batches of 250, in whole epochs
        assert by_case["shuffled batches, zero-out"] == ("REFUTED" if known else "UNDECIDED")
        assert ruling.verdict == "CONDITIONAL"


def test_a_wrong_lemma_is_refuted(rulings: list[Ruling]) -> None:
    (found,) = [r for r in rulings if r.claim.id == "registry-recurve-original-wrong"]
    assert found.verdict == "REFUTED" and found.readings[0].proved.lower.at > 4.7
