"""False alarms of the testing kit: random questions to the truth as an accountant, and to correct ones.

    python benchmarks/false_alarms.py --examples 10000 --seed 1

An UNSOUND verdict on the truth is a false alarm of the kit; their count is the exit code. On the others it is
a proved finding, such as a δ that underflows to 0, and is printed to be looked at.
"""

import argparse
import warnings
from collections import Counter

from hypothesis import HealthCheck, Phase, given, seed, settings

from pldverify.mechanisms.query import Query
from pldverify.testing import Oracle, queries
from pldverify.testing.checks.subject import Subject, judged
from pldverify.testing.zoo.formulas import HONEST

CORRECT = {"rdp/canonne-2020", "rdp/mironov-2017", "kairouz-oh-viswanath", "basic-composition"}
"""In-house bounds that are right but for rounding."""


def subjects() -> list[Subject]:
    """Who is asked."""
    from pldverify.accountants.registry import accountant

    known = [accountant(name) for name in sorted(CORRECT)]
    return [Subject(each) for each in (Oracle("upper"), Oracle("lower"), *HONEST, *known)]


def asked(subject: Subject, query: Query) -> str:
    """What came of one question."""
    answer = subject.ask_again(query)
    if answer.claim is None:
        return "REFUSED" if answer.failure is not None and answer.failure.kind == "REFUSED" else "FAILED"
    decision = judged(answer.claim, query)
    allowed = subject.accountant.name in CORRECT and decision.severity == "rounding-level"
    return "ROUNDING" if allowed else str(decision.verdict)


def false_alarms(examples: int, start: int) -> Counter[tuple[str, str]]:
    """{(accountant, outcome): how often}."""
    found: Counter[tuple[str, str]] = Counter()
    everyone = subjects()

    @seed(start)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(queries())
    def ask(query: Query) -> None:
        for subject in everyone:
            outcome = asked(subject, query)
            found[subject.accountant.name, outcome] += 1
            if outcome == "UNSOUND":
                kind = "false alarm" if isinstance(subject.accountant, Oracle) else "finding"
                print(f"{kind}: {subject.accountant.name}, {query}")

    ask()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    found = false_alarms(options.examples, options.seed)
    for (name, outcome), times in sorted(found.items()):
        print(f"{name:24} {outcome:10} {times}")
    alarms = sum(found[f"oracle/{direction}", "UNSOUND"] for direction in ("upper", "lower"))
    return min(255, alarms)


if __name__ == "__main__":
    raise SystemExit(main())
