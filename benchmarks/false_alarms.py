"""False alarms of the testing kit: random questions to the truth as an accountant, and to correct ones.

    nice python benchmarks/false_alarms.py --examples 10000 --record alarms.jsonl
    nice python benchmarks/false_alarms.py --relations --examples 1000 --record relations.jsonl

Without ``--relations`` claims are judged by the truth. An UNSOUND verdict on the truth is a false alarm of
the kit; their count is the exit code. On the others it is a proved finding, such as a δ that underflows to 0,
and is printed to be looked at. With ``--relations`` each question is what every relation starts from, and
each break on the truth is a false alarm.

Questions come in parts of a hundred, each with a seed of its own. Every part that is done is a line of the
record, with what was printed of it: Hypothesis draws other questions from the same seed on another day. The
same command goes on where it was interrupted.
"""

import argparse
import json
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

import pldverify as pv
from pldverify.mechanisms.query import Query
from pldverify.testing import Oracle, compositions, deltas, epsilons, queries
from pldverify.testing.checks.run import CHECKS
from pldverify.testing.checks.subject import Subject
from pldverify.testing.judged import judged
from pldverify.testing.reproduction import expression
from pldverify.testing.zoo.formulas import HONEST

CORRECT = {"rdp/canonne-2020", "rdp/mironov-2017", "kairouz-oh-viswanath", "basic-composition"}
"""In-house bounds that are right but for rounding."""
PART = 100
RELATIONS = [check for check in CHECKS.values() if check.kind == "relation" and "renyi" not in check.name]
"""Those that start from seeds."""

TOLD: list[str] = []
"""What was printed of the part that is asked."""

Found = Counter[str]
"""``accountant outcome``: how often."""


@cache
def subjects() -> list[Subject]:
    """Who is asked."""
    from pldverify.accountants.registry import accountant

    known = [accountant(name) for name in sorted(CORRECT)]
    return [Subject(each) for each in (Oracle("upper"), Oracle("lower"), *HONEST, *known)]


def outcome(subject: Subject, query: Query) -> str:
    """What came of one question."""
    answer = subject.ask_again(query)
    if answer.claim is None:
        return "REFUSED" if answer.failure is not None and answer.failure.kind == "REFUSED" else "FAILED"
    decision = judged(answer.claim, query)
    allowed = subject.accountant.name in CORRECT and decision.severity == "rounding-level"
    return "ROUNDING" if allowed else str(decision.verdict)


def by_truth(query: Query, found: Found) -> None:
    """The question to everyone, judged by the truth."""
    for subject in subjects():
        said = outcome(subject, query)
        found[f"{subject.accountant.name} {said}"] += 1
        if said == "UNSOUND":
            kind = "false alarm" if isinstance(subject.accountant, Oracle) else "finding"
            tell(f"{kind}: {subject.accountant.name}, {expression(query)}")


def by_relations(query: Query, found: Found) -> None:
    """Every relation from this question, of both ends of the truth."""
    for direction in ("upper", "lower"):
        for check in RELATIONS:
            subject = Subject(Oracle(direction), seeds=[query])
            broken = next(check.run(subject), None)
            said = "BROKEN" if broken else "HELD" if subject.claimed else "REFUSED"
            found[f"oracle/{direction} {check.name} {said}"] += 1
            if broken:
                tell("\n".join(["false alarm:", *broken.lines("Oracle()")]))


def tell(text: str) -> None:
    """To the screen now, and to the record with its part."""
    print(text, flush=True)
    TOLD.append(text)


def starts() -> SearchStrategy[Query]:
    """Questions that relations may start from: where 1e-9 in a claim is not less than the steps that the
    relations take in σ and e^ε.
    """
    wholes = compositions(max_steps=100).filter(_is_moderate)
    at_epsilon = wholes.flatmap(lambda whole: epsilons(0, 5).map(lambda e: pv.Query(whole, epsilon=e)))
    at_delta = wholes.flatmap(lambda whole: deltas("1e-12", "0.009").map(lambda d: pv.Query(whole, delta=d)))
    return at_epsilon | at_delta


def _is_moderate(whole: pv.Composition) -> bool:
    noises = [getattr(getattr(m, "base", m), "noise_multiplier", 1) for m, _ in whole.parts]
    return all(noise >= 0.3 for noise in noises)


def part(strategy: SearchStrategy[Query], judge: Callable[[Query, Found], None], start: int) -> Found:
    """A hundred questions of one seed."""
    found: Found = Counter()

    @seed(start)
    @settings(
        max_examples=PART,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def ask(query: Query) -> None:
        found["questions"] += 1
        judge(query, found)

    ask()
    return found


def done(record: Path | None) -> dict[int, Found]:
    """What the record has, by seed."""
    lines = record.read_text("utf-8").splitlines() if record is not None and record.exists() else []
    return {row["seed"]: Counter(row["found"]) for row in map(json.loads, lines)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=300)
    parser.add_argument("--relations", action="store_true")
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    strategy, judge = (starts(), by_relations) if options.relations else (queries(), by_truth)
    known = done(options.record)
    for start in range(-(-options.examples // PART)):
        if start in known:
            continue
        TOLD.clear()
        known[start] = part(strategy, judge, start)
        if options.record is not None:
            with options.record.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"seed": start, "found": known[start], "told": TOLD}) + "\n")
    found: Found = sum(known.values(), Counter())
    for name, times in sorted(found.items()):
        print(f"{name:44} {times}")
    alarms = sum(
        times
        for name, times in found.items()
        if name.startswith("oracle/") and name.endswith(("UNSOUND", "BROKEN"))
    )
    return min(255, alarms)


if __name__ == "__main__":
    raise SystemExit(main())
