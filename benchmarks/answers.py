"""A fixed set of questions, up to four for every engine, and what a mutated package answers to them.

    python benchmarks/answers.py select FILE     choose questions that this package can answer
    python benchmarks/answers.py ask FILE        answer them, one JSON line each

A tree whose package is to be asked stands first on PYTHONPATH. :func:`compared` says how answers differ.
"""

import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path

CASES = (
    ("gaussian(sigma=2)", "1", "remove"),
    ("30 * gaussian(sigma=5)", "2", "remove"),
    ("poisson(gaussian(sigma=1), q=0.1)", "0.5", "remove"),
    ("poisson(gaussian(sigma=1), q=0.1)", "0.05", "add"),
    ("2 * poisson(gaussian(sigma=0.8), q=0.2)", "1", "remove"),
    ("2 * poisson(gaussian(sigma=0.8), q=0.2)", "0.3", "add"),
    ("10 * poisson(gaussian(sigma=0.3), q=0.001)", "3", "remove"),
    ("1000 * poisson(gaussian(sigma=1), q=0.01)", "1", "remove"),
    ("1000 * poisson(gaussian(sigma=1), q=0.01)", "1", "add"),
    ("1000000 * poisson(gaussian(sigma=5), q=0.001)", "1", "remove"),
    ("10 * poisson(gaussian(sigma=0.2), q=0.00001)", "2", "remove"),
    ("3 * laplace(b=2)", "0.7", "remove"),
    ("laplace(b=2)", "0.2", "remove"),
    ("10 * laplace(b=10) + 10 * laplace(b=7)", "1", "remove"),
    ("2 * poisson(laplace(b=1), q=0.01)", "0.01", "remove"),
    ("50 * poisson(laplace(b=1), q=0.1)", "0.5", "add"),
    ("1000 * poisson(laplace(b=0.3), q=0.2)", "600", "remove"),
    ("10 * discrete_gaussian(sigma=2)", "2", "remove"),
    ("20 * poisson(discrete_gaussian(sigma=3), q=0.05)", "0.1", "remove"),
    ("10 * discrete_laplace(b=2)", "1", "remove"),
    ("10 * binomial(n=100, p=1/4)", "1", "remove"),
    ("20 * randomized_response(p=0.75)", "3", "remove"),
    ("7 * randomized_response(p=0.3, categories=10)", "1", "remove"),
    ("20 * poisson(randomized_response(p=0.9), q=0.1)", "0.5", "remove"),
    ("10 * approximate_dp(epsilon=0.5, delta=1e-6)", "1", "remove"),
    ("5 * finite_pair(p=[0.6, 0.3, 0.1], q=[0.1, 0.3, 0.6])", "1", "remove"),
    ("gaussian(sigma=2) + 3 * randomized_response(p=0.75)", "1", "remove"),
    ("laplace(b=1) + 4 * randomized_response(p=0.6)", "0.5", "remove"),
    ("10 * sampled_without_replacement(gaussian(sigma=2), q=0.1)", "0.5", "replace-one"),
    ("10 * sampled_with_replacement(gaussian(sigma=4), m=2, n=100)", "0.05", "replace-one"),
    ("10 * kjh19_substitute(gaussian(sigma=2), q=0.05)", "0.3", "replace-one"),
    ("10 * kjh20_with_replacement(gaussian(sigma=4), m=2, n=100)", "0.1", "replace-one"),
)
"""Composition, ε and direction."""
_EACH = 4
"""Questions of one engine."""
_SECONDS = 1.5
"""Processor time that the package may take for an answer to be chosen; a mutant has ten times as much."""


Answer = tuple[str, str] | str
"""Both ends, or the name of an error."""


@dataclass(frozen=True)
class Question:
    """A question with an engine's answer, and the truth as well as all engines together know it."""

    composition: str
    epsilon: str
    adjacency: str
    quantity: str
    engine: str | None
    digits: int
    answer: tuple[str, str]
    truth: tuple[str, str]


def asked(
    composition: str,
    epsilon: str,
    adjacency: str,
    quantity: str,
    engine: str | None,
    digits: int,
    seconds: float,
) -> Answer:
    """Ask this process's package."""
    import pldverify as pv
    from pldverify.balls.clock import clock
    from pldverify.mechanisms.expression import parse

    function = pv.delta if quantity == "delta" else pv.tail
    ask = {"epsilon": epsilon, "adjacency": adjacency, "digits": digits, "engine": engine}
    try:
        with clock(seconds):
            answer = function(parse(composition), **ask)
        return str(answer.lower), str(answer.upper)
    except Exception as error:
        return type(error).__name__


def select() -> list[Question]:
    """Up to four questions for each engine, the least asked compositions first; then those never asked."""
    from pldverify.reference.choice import ENGINES

    chosen: list[Question] = []
    for engine in [*ENGINES, None]:
        found, uses = 0, Counter(q.composition for q in chosen)
        cases = [case for case in CASES if engine or not uses[case[0]]]
        for case in sorted(cases, key=lambda case: uses[case[0]]):
            if engine and found == _EACH:
                break
            for quantity in ("delta", "tail"):
                start = time.process_time()
                digits = 4 if engine is None or ENGINES[engine].limit < math.inf else 12
                answer = asked(*case, quantity, engine, digits, _SECONDS)
                if isinstance(answer, str) or time.process_time() - start > _SECONDS:
                    continue
                best = asked(*case, quantity, None, 30, 20.0)
                truth = answer if isinstance(best, str) else best
                chosen.append(Question(*case, quantity, engine, digits, answer, truth))
                found += 1
                break
    return chosen


def settled(questions: list[Question], first: list[Answer], again: list[Answer]) -> list[Question]:
    """The questions that a package answers alike twice, with that answer."""
    rows = zip(questions, first, again, strict=True)
    return [replace(q, answer=a) for q, a, b in rows if a == b and not isinstance(a, str)]


def ask(questions: Iterable[Question]) -> None:
    """Print one answer a line."""
    for q in questions:
        answer = asked(q.composition, q.epsilon, q.adjacency, q.quantity, q.engine, q.digits, 10 * _SECONDS)
        print(json.dumps(answer), flush=True)


@dataclass(frozen=True)
class Effect:
    """What a mutation does to the answers.

    Attributes:
        wrong: questions whose answer excludes the truth, or ends in what is no refusal.
        lost: questions without an answer.
        widest: the largest width, relative to the unmutated one; ∞ where an answer is lost.
        narrowest: the smallest.
        changed: how many answers differ at all.
    """

    wrong: tuple[int, ...]
    lost: tuple[int, ...]
    widest: float
    narrowest: float
    changed: int


def compared(questions: list[Question], answers: list[Answer]) -> Effect:
    """How the answers of a mutated package differ; a process that died gives fewer answers than questions."""
    wrong, lost, ratios, changed = [], [], [1.0], 0
    for at, question in enumerate(questions):
        answer = answers[at] if at < len(answers) else "died"
        changed += isinstance(answer, str) or tuple(answer) != tuple(question.answer)
        if isinstance(answer, str):
            (lost if answer in ("NoConvergence", "NotSupported") else wrong).append(at)
            continue
        low, high = (_number(end) for end in answer)
        least, most = (_number(end) for end in question.truth)
        if not (low <= most and least <= high):
            wrong.append(at)
        ratios.append(_ratio((low, high), tuple(_number(end) for end in question.answer)))
    widest = math.inf if lost else max(ratios)
    return Effect(tuple(wrong), tuple(lost), widest, min(ratios), changed)


def _ratio(mutated: tuple[Fraction | float, ...], before: tuple[Fraction | float, ...]) -> float:
    """New width over old width, 1 where both are 0."""
    new, old = mutated[1] - mutated[0], before[1] - before[0]
    if new == old:
        return 1.0
    return float(new / old) if old else math.inf


def _number(text: str) -> Fraction | float:
    return float(text) if "inf" in text or "nan" in text else Fraction(text)


def write(path: Path, questions: list[Question]) -> None:
    path.write_text(json.dumps([asdict(q) for q in questions], indent=1), "utf-8")


def read(path: Path) -> list[Question]:
    rows: list[Mapping[str, object]] = json.loads(path.read_text("utf-8"))
    return [Question(**row) for row in rows]  # type: ignore[arg-type]


if __name__ == "__main__":
    verb, file = sys.argv[1], Path(sys.argv[2])
    if verb == "select":
        write(file, select())
    else:
        ask(read(file))
