"""The hostile sweep: extreme and poor questions whose answers are checked by what any true one satisfies.

    python -m benchmarks.hostile --questions 200000 --seed 1 --store FILE [--workers 2] [--only 1234]

Three kinds of question, each made from its number alone:

* **law**: a mechanism next to the end of its range (probabilities 10^−k and 1 − 10^−k to k = 300, scales from
  1e-300 to 1e300, up to 10^12 steps, sensitivities, counts), one direction, δ(ε) or P(S ≥ ε). It is asked to
  few digits, to many, and of one engine by name; answers, and what undecided ones proved, lie in [0, 1] and
  overlap.
* **finite**: random pairs of finitely many outcomes, subsampled or not, composed by exact convolution of
  rationals, with e^ε between two rationals. What brute force gives lies in the answer.
* **poor**: every number in the parameters that a search hands to an engine is spoilt at random. Poor values
  may cost an answer its width, or the answer; what is answered overlaps the answer of good ones.

Questions are asked in child processes within a small budget by the package's own clock. An exception other
than InvalidInput, NotSupported and NoConvergence is a failure; so are NaN, a crash, and a child that uses
``LIMIT`` seconds of processor time. A failure is printed as Python that reproduces it. A run that was stopped
goes on from its file. The exit code is 1 if anything failed.
"""

import argparse
import dataclasses
import faulthandler
import importlib
import itertools
import json
import math
import multiprocessing
import pkgutil
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TypeVar

import pldverify as pv
from benchmarks.regimes import OTHERS
from pldverify.balls.clock import clock
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.mechanisms.expression import parse
from pldverify.mechanisms.relations import relation
from pldverify.questions import draw
from pldverify.questions.kinds import KINDS as GRAMMAR
from pldverify.questions.numbers import OUTCOMES, Numbers
from pldverify.reference.choice import ENGINES

T = TypeVar("T")

SECONDS = 0.1
"""Processor time of one answer, by the package's own clock."""
LIMIT = 10.0
"""Processor time after which a child is killed: nothing looks at the clock inside of one call of FLINT."""
BYTES = 3 * 2**30
CHUNK = 50
"""Questions of one line of the file."""
FEW, MANY = 3, 15
"""Digits of the two precisions that are compared."""
_POOR = 5
"""Sets of spoilt parameters of one question."""
_PARAMETERS = ("Parameters", "Plan", "Shape")
"""Names of the classes that hand numbers from a search to an engine."""
_TERMS = 4000
"""Most terms of a brute-force convolution."""


class Failed(Exception):
    """An answer that can't be true; the text reproduces it."""


@dataclass
class Outcome:
    """What became of one question: answers and comparisons that were made, and what failed."""

    number: int
    kind: str
    answers: int = 0
    compared: int = 0
    failure: str = ""


# random numbers, as text that pv takes exactly


def extreme_probability(pick: random.Random) -> str:
    """A probability, mostly next to 0 or 1."""
    power = pick.choice((pick.randint(1, 9), pick.randint(10, 40), pick.randint(41, 300)))
    return pick.choice(
        (
            f"1e-{power}",
            f"{pick.randint(1, 9)}e-{power}",
            "0." + "9" * power,
            str(1 - Fraction(1, 2**power)),
            str(Fraction(pick.randint(1, 98), 99)),
            pick.choice(("0.5", "1", "0.01", "0.9")),
        )
    )


def extreme_scale(pick: random.Random) -> str:
    """A σ or b, half of them ordinary."""
    power = pick.choice((pick.uniform(-1, 2), pick.uniform(-4, 6), pick.uniform(-300, 300)))
    return f"{10 ** (power % 1):.3f}e{math.floor(power)}"


def steps(pick: random.Random) -> int:
    return pick.choice((1, 1, 2, 3, pick.randint(4, 50), round(10 ** pick.uniform(1, 12)), 10**12))


def small(pick: random.Random) -> int:
    return pick.choice((1, 1, 2, 3, pick.randint(1, 20), round(10 ** pick.uniform(0, 4))))


def epsilon(pick: random.Random) -> str:
    power = pick.choice((pick.uniform(-3, 1), pick.uniform(-2, 3), pick.uniform(-300, 300)))
    sign = pick.choice(("", "", "", "", "-"))
    return pick.choice((f"{sign}{10 ** (power % 1):.3f}e{math.floor(power)}",) * 6 + ("0",))


def vector(pick: random.Random, length: int, zero: bool) -> list[Fraction]:
    """Probabilities of sum 1, tiny and zero ones among them."""
    weights = [
        pick.choice(
            (
                Fraction(pick.randint(1, 20)),
                Fraction(pick.randint(1, 9), 10 ** pick.randint(1, 300)),
                Fraction(pick.randint(1, 9), 10 ** pick.randint(1, 25)),
                Fraction(0 if zero else 1),
            )
        )
        for _ in range(length - 1)
    ]
    total = max(Fraction(1), sum(weights, Fraction(0)) * Fraction(pick.randint(11, 30), 10))
    entries = [weight / total for weight in weights]
    entries.append(1 - sum(entries, Fraction(0)))
    pick.shuffle(entries)
    return entries


def finite_pair(pick: random.Random) -> tuple[list[Fraction], list[Fraction]]:
    length = pick.randint(2, 5)
    p = vector(pick, length, zero=True)
    if pick.random() < 0.3:  # hardly different from p
        shift = min(entry for entry in p if entry) / 10 ** pick.randint(1, 40)
        i, j = pick.sample([i for i, entry in enumerate(p) if entry] * 2, 2)
        q = list(p)
        q[i] += shift
        q[j] -= shift
        return p, q
    return p, vector(pick, length, zero=True)


def listed(values: list[Fraction]) -> str:
    return "[" + ", ".join(map(str, values)) + "]"


# mechanisms


class Extreme:
    """A source of numbers next to the ends of what they may be, and of edges; vectors stay short."""

    def __init__(self, pick: random.Random) -> None:
        self.pick = pick

    def number(self, numbers: Numbers) -> Fraction:
        if numbers == OUTCOMES or self.pick.random() < 0.1:
            return self.pick.choice(numbers.edges)
        if numbers.nature == "whole":
            return numbers.low - 1 + small(self.pick)
        return Fraction((extreme_probability if numbers.nature == "share" else extreme_scale)(self.pick))

    def choice(self, options: Sequence[T]) -> T:
        return self.pick.choice(options)


ORDINARY = (
    "poisson(gaussian(sigma=1), q=0.01)",
    "poisson(gaussian(sigma=0.3), q=0.001)",
    "poisson(gaussian(sigma=5), q=0.2)",
    "gaussian(sigma=4)",
    *OTHERS.splitlines(),
)
"""Mechanisms of which every engine answers some composition."""


def composition(pick: random.Random) -> str:
    return " + ".join(f"{steps(pick)} * {mechanism(pick)}" for _ in range(pick.choice((1, 1, 1, 2))))


def mechanism(pick: random.Random) -> str:
    """Of any kind; what is none is drawn again."""
    while True:
        try:
            return str(draw.mechanism(Extreme(pick), pick.choice(list(GRAMMAR))))
        except InvalidInput:
            continue


def direction(pick: random.Random, what: str) -> str:
    """A direction that the mechanisms of this text have; any, where they have none together."""
    ways = ("add", "remove", "add", "remove", "replace-one", "zero-out")
    try:
        whole = parse(what)
    except InvalidInput:
        return pick.choice(ways)
    return pick.choice([way for way in ways if whole.has(relation(way))])


# asking


def called(quantity: str, what: str, **asked: object) -> str:
    arguments = ", ".join(f"{name}={value!r}" for name, value in asked.items())
    return f"pv.{quantity}({what!r}, {arguments})"


def answered(line: str, outcome: Outcome, seconds: float) -> pv.Enclosure | None:
    """The answer to a line of Python, checked, or what is proved if undecided; None where it is refused."""
    try:
        with clock(seconds):
            answer = eval(line, {"pv": pv})
    except (InvalidInput, NotSupported):
        return None
    except NoConvergence as failure:
        answer = failure.bracket
        if answer is None:
            return None
    except Exception as error:
        raise Failed(f"{line}\n  {type(error).__name__}: {str(error)[:500]}") from error
    if not 0 <= answer.lower <= answer.upper <= 1:
        raise Failed(f"{line}\n  no probability: [{answer.lower}, {answer.upper}]")
    outcome.answers += 1
    return answer


def agree(lines: list[str], answers: list[pv.Enclosure | None], outcome: Outcome) -> None:
    """Answers to one question overlap."""
    given = [(line, answer) for line, answer in zip(lines, answers, strict=True) if answer is not None]
    for at, (line, answer) in enumerate(given):
        for other_line, other in given[:at]:
            outcome.compared += 1
            if not answer.overlaps(other):
                raise Failed(f"{other_line}\n{line}\n  do not overlap: {other!r}, {answer!r}")


def ask_law(pick: random.Random, outcome: Outcome, seconds: float) -> None:
    """Few digits, many, one engine by name."""
    what, eps = composition(pick), epsilon(pick)
    quantity, way = pick.choice(("delta", "delta", "tail")), direction(pick, what)
    asked = {"epsilon": eps, "adjacency": way}
    lines = [called(quantity, what, **asked, digits=digits) for digits in (FEW, MANY)]
    engine = pick.choice(list(ENGINES))
    lines.append(called(quantity, what, **asked, digits=FEW, engine=engine))
    agree(lines, [answered(line, outcome, seconds) for line in lines], outcome)


# brute force


def exact_pair(pick: random.Random) -> tuple[str, list[Fraction], list[Fraction]]:
    """A mechanism with finitely many outcomes and rational masses, and its pair in direction ``remove``."""
    kind = pick.random()
    if kind < 0.55:
        p, q = finite_pair(pick)
        text = f"finite_pair(p={listed(p)}, q={listed(q)})"
    elif kind < 0.75:
        chance, categories = Fraction(extreme_probability(pick)), pick.randint(2, 6)
        other = (1 - chance) / (categories - 1)
        rest = [other] * (categories - 2)
        text = f"randomized_response(p={chance}, categories={categories})"
        p, q = [chance, other, *rest], [other, chance, *rest]
    else:
        n = pick.randint(1, 8)
        chance, shift = Fraction(pick.choice(("1/2", extreme_probability(pick)))), pick.randint(1, n)
        chance = min(max(chance, Fraction(1, 10**300)), 1 - Fraction(1, 10**300))
        masses = [math.comb(n, i) * chance**i * (1 - chance) ** (n - i) for i in range(n + 1)]
        text = f"binomial(n={n}, p={chance}, sensitivity={shift})"
        p, q = [Fraction(0)] * shift + masses, masses + [Fraction(0)] * shift
    if pick.random() < 0.4:
        rate = Fraction(extreme_probability(pick))
        text = f"poisson({text}, q={rate})"
        p = [(1 - rate) * b + rate * a for a, b in zip(p, q, strict=True)]
    return text, p, q


@dataclass(frozen=True)
class Masses:
    """Outcomes that both measures see: masses times a common denominator. No fraction is ever shortened."""

    rows: tuple[tuple[int, int], ...]
    denominator: int


def masses(p: list[Fraction], q: list[Fraction]) -> Masses:
    denominator = math.lcm(*(entry.denominator for entry in (*p, *q)))
    rows = ((int(a * denominator), int(b * denominator)) for a, b in zip(p, q, strict=True))
    return Masses(tuple((a, b) for a, b in rows if a and b), denominator)


def convolved(first: Masses, second: Masses) -> Masses:
    """Masses of both together. Raises OverflowError for too many."""
    if len(first.rows) * len(second.rows) > _TERMS:
        raise OverflowError
    rows = tuple((a * c, b * d) for a, b in first.rows for c, d in second.rows)
    return Masses(rows, first.denominator * second.denominator)


def power(one: Masses, k: int) -> Masses:
    """Masses of k together, by how often each outcome comes. Raises OverflowError for too many."""
    if math.comb(len(one.rows) + k - 1, k) > _TERMS:
        raise OverflowError
    rows = []
    for chosen in itertools.combinations_with_replacement(range(len(one.rows)), k):
        ways = math.factorial(k)
        for times in Counter(chosen).values():
            ways //= math.factorial(times)
        rows.append(tuple(ways * math.prod(one.rows[i][side] for i in chosen) for side in (0, 1)))
    return Masses(tuple(rows), one.denominator**k)


def brute_force(quantity: str, found: Masses, weight: Fraction) -> Fraction:
    """δ or P(S ≥ ε) with e^ε = ``weight``, δ_∞ included; both fall with the weight."""
    n, d = weight.numerator, weight.denominator
    finite = sum(a for a, _ in found.rows)
    if quantity == "delta":
        above = sum(a * d - n * b for a, b in found.rows if a * d > n * b)
    else:
        above = d * sum(a for a, b in found.rows if a * d >= n * b)
    return Fraction(d * (found.denominator - finite) + above, d * found.denominator)


def exponential(x: Fraction, bits: int = 400) -> tuple[Fraction, Fraction]:
    """Rationals around e^x, from its series and nothing else."""
    if x < 0:
        low, high = exponential(-x, bits)
        return 1 / high, 1 / low
    halvings = max(0, math.ceil(x).bit_length() + 1)
    y, one = x / 2**halvings, 1 << (bits + 4 * halvings + 64)
    low, term, n = Fraction(0), Fraction(1), 0
    while term * one > 1:
        low += term
        n += 1
        term = Fraction(math.floor(term * y / n * one), one)
    # each rounding errs by 1/one, and the terms left out halve at least
    high = low + Fraction(n * (n + 1) + 4, one)
    for _ in range(halvings):
        low = Fraction(math.floor(low * low * one), one)
        high = Fraction(math.ceil(high * high * one), one)
    return low, high


def ask_finite(pick: random.Random, outcome: Outcome, seconds: float) -> None:
    """Brute force lies in the answer."""
    total = Masses(((1, 1),), 1)
    parts, direction = [], pick.choice(("add", "remove"))
    for _ in range(pick.choice((1, 1, 2))):
        text, p, q = exact_pair(pick)
        one = masses(p, q) if direction == "remove" else masses(q, p)
        k = pick.choice((1, 1, 2, 3, pick.randint(2, 12)))
        try:
            total = convolved(total, power(one, k))
        except OverflowError:
            continue
        parts.append(f"{k} * {text}")
    if not parts:
        return
    quantity = pick.choice(("delta", "delta", "tail"))
    eps = near(pick, total)
    low, high = exponential(eps)
    least, most = brute_force(quantity, total, high), brute_force(quantity, total, low)
    engine = pick.choice((None, None, pick.choice(list(ENGINES))))
    for digits in (FEW, MANY):
        asked = {"epsilon": str(eps), "adjacency": direction, "digits": digits, "engine": engine}
        line = called(quantity, " + ".join(parts), **asked)
        answer = answered(line, outcome, seconds)
        if answer is not None:
            outcome.compared += 1
            if not (answer.lower <= most and least <= answer.upper):
                raise Failed(f"{line}\n  brute force: {float(least)!r}, answer {answer!r}")


def near(pick: random.Random, found: Masses) -> Fraction:
    """An ε of some size, or close to a loss."""
    rows = [(a, b) for a, b in found.rows if a != b]
    if not rows or pick.random() < 0.3:
        return Fraction(f"{pick.choice((pick.uniform(-2, 6), pick.uniform(0, 0.01))):.6f}")
    a, b = pick.choice(rows)
    loss = math.log(a) - math.log(b)
    factor = pick.choice((1.0, 0.5, 1 + 1e-15, 1 - 1e-15, pick.uniform(0, 1.2)))
    return Fraction(pick.choice((f"{loss * factor:.3e}", f"{loss * factor:.17e}")))


# poor parameters


def parameter_classes() -> list[type]:
    """The classes whose instances carry numbers from a search to an engine, wherever they stand."""
    found: dict[str, type] = {}
    for package in ("pldverify.reference.engines", "pldverify.reference.search"):
        home = importlib.import_module(package)
        for info in pkgutil.walk_packages(home.__path__, f"{package}."):
            for value in vars(importlib.import_module(info.name)).values():
                if isinstance(value, type) and value.__name__ in _PARAMETERS and is_dataclass(value):
                    found[f"{value.__module__}.{value.__name__}"] = value
    return [found[name] for name in sorted(found)]


@contextmanager
def spoilt(pick: random.Random, classes: list[type]) -> Iterator[None]:
    """Let every instance that is made have its numbers spoilt."""
    before = [(kind, kind.__init__) for kind in classes]  # type: ignore[misc]
    for kind, init in before:
        kind.__init__ = spoiling(init, pick)  # type: ignore[misc]
    try:
        yield
    finally:
        for kind, init in before:
            kind.__init__ = init  # type: ignore[misc]


def spoiling(init: Callable[..., None], pick: random.Random) -> Callable[..., None]:
    def spoilt_init(self: object, *args: object, **kwargs: object) -> None:
        init(self, *args, **kwargs)
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            if pick.random() < 0.5:
                value = getattr(self, field.name)
                object.__setattr__(self, field.name, worse(value, pick))

    return spoilt_init


def worse(value: object, pick: random.Random) -> object:
    """A number near or far from this one, of the same type."""
    if type(value) is int:
        return pick.choice((value + 1, max(1, value - 1), max(1, value // 2), value * 2, 1))
    if type(value) is float:
        return value * pick.uniform(0.5, 2)
    if isinstance(value, Fraction):
        factor = Fraction(pick.randint(1, 64), pick.choice((8, 16, 32, 64)))
        return pick.choice((value * factor, value * factor, value * factor, -value, value + factor))
    return value


def ask_poor(pick: random.Random, outcome: Outcome, seconds: float) -> None:
    """Answers from spoilt parameters overlap the one from good parameters."""
    what = f"{pick.choice((1, 2, 3, 10, 100, 1000, 10**5))} * {pick.choice(ORDINARY)}"
    if pick.random() < 0.2:
        what += f" + {pick.randint(1, 5)} * {pick.choice(ORDINARY)}"
    quantity, way = pick.choice(("delta", "delta", "tail")), direction(pick, what)
    asked = {"epsilon": f"{10 ** pick.uniform(-2, 1):.3f}", "adjacency": way}
    good_line = called(quantity, what, **asked, digits=MANY)
    good = answered(good_line, outcome, 10 * seconds)
    if good is None:
        return
    classes = parameter_classes()
    for _ in range(_POOR):
        engine, seed = pick.choice(list(ENGINES)), pick.getrandbits(32)
        engine = good.engine if good.engine in ENGINES and pick.random() < 0.5 else engine
        line = called(quantity, what, **asked, digits=pick.choice((FEW, MANY)), engine=engine)
        with spoilt(random.Random(seed), classes):
            try:
                poor = answered(line, outcome, seconds)
            except Failed as failure:
                raise Failed(f"with spoilt(random.Random({seed}), parameter_classes()):\n{failure}") from None
        if poor is not None:
            outcome.compared += 1
            if not poor.overlaps(good):
                with_poor = f"with spoilt(random.Random({seed}), parameter_classes()):\n    {line}"
                raise Failed(f"{good_line}\n{with_poor}\n  do not overlap: {good!r}, {poor!r}")


KINDS: dict[str, tuple[float, Callable[[random.Random, Outcome, float], None]]] = {
    "law": (0.6, ask_law),
    "finite": (0.3, ask_finite),
    "poor": (0.1, ask_poor),
}
"""Share and questioner of every kind."""


def question(seed: int, number: int, seconds: float = SECONDS) -> Outcome:
    """Ask one question in this process."""
    pick = random.Random(f"{seed} {number}")
    kind = pick.choices(list(KINDS), [share for share, _ in KINDS.values()])[0]
    outcome = Outcome(number, kind)
    try:
        KINDS[kind][1](pick, outcome, seconds)
    except Failed as failure:
        outcome.failure = str(failure)
    return outcome


# children

Ask = Callable[[int], Outcome]


def bounded() -> None:
    """Of this process: memory, and no dump of it."""
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def serve(ask: Ask, limit: float, pipe: Connection) -> None:
    """Answer numbers as they come; a question that takes too long kills the process, even inside of FLINT."""
    bounded()
    faulthandler.disable()
    while True:
        try:
            number = pipe.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, limit)
        pipe.send(ask(number))
        signal.setitimer(signal.ITIMER_PROF, 0)


class Child:
    """One process and the question that it was asked last."""

    def __init__(self, ask: Ask, limit: float) -> None:
        context = multiprocessing.get_context("fork")
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=serve, args=(ask, limit, there), daemon=True)
        self.process.start()
        there.close()
        self.number = -1
        self.since = 0.0

    def ask(self, number: int) -> None:
        self.number, self.since = number, time.monotonic()
        self.pipe.send(number)

    def end(self) -> str:
        """Kill it; how it ended."""
        self.process.join(1)
        self.process.kill()
        self.process.join()
        self.pipe.close()
        code = self.process.exitcode or 0
        return "no answer within the limit" if code == -signal.SIGPROF else f"died with exit code {code}"


def sweep(numbers: Iterator[int], ask: Ask, *, workers: int, limit: float = LIMIT) -> Iterator[Outcome]:
    """Outcomes as they come. A child that dies is replaced; the question that it was asked has failed."""
    idle, busy = [Child(ask, limit) for _ in range(workers)], dict[Connection, Child]()
    try:
        while True:
            while idle and (number := next(numbers, None)) is not None:
                child = idle.pop()
                child.ask(number)
                busy[child.pipe] = child
            if not busy:
                return
            ready = wait(list(busy), timeout=limit)
            late = [pipe for pipe, child in busy.items() if time.monotonic() - child.since > 60 + 20 * limit]
            for pipe in {*ready, *late}:
                child = busy.pop(pipe)  # type: ignore[arg-type]
                try:
                    if pipe not in ready:
                        raise EOFError
                    yield child.pipe.recv()
                    idle.append(child)
                except (EOFError, ConnectionError):
                    yield Outcome(child.number, "child", failure=f"question {child.number}: {child.end()}")
                    idle.append(Child(ask, limit))
    finally:
        for child in [*idle, *busy.values()]:
            child.process.kill()


# a run


@dataclass
class Tally:
    """What a whole run found."""

    counts: Counter[str] = dataclasses.field(default_factory=Counter)
    failures: dict[int, str] = dataclasses.field(default_factory=dict)
    done: set[int] = dataclasses.field(default_factory=set)

    def add(self, outcome: Outcome) -> None:
        self.done.add(outcome.number)
        self.counts.update({"questions": 1, outcome.kind: 1})
        self.counts.update({"answers": outcome.answers, "compared": outcome.compared})
        self.counts[f"{outcome.kind} compared"] += outcome.compared > 0
        if outcome.failure:
            self.failures[outcome.number] = outcome.failure


def read(store: Path, seed: int) -> Tally:
    """What earlier runs with this seed found; a torn last line is left out."""
    tally = Tally()
    for line in store.read_text("utf-8").splitlines() if store.exists() else []:
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        if row.pop("seed") == seed:
            tally.add(Outcome(**row))
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", type=Path, help="file of outcomes, to go on from")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="processor seconds of one answer")
    parser.add_argument("--only", type=int, nargs="+", help="ask these numbers in this process")
    options = parser.parse_args()
    if options.only:
        bounded()
        for number in options.only:
            print(question(options.seed, number, options.seconds))
        return 0
    tally = read(options.store, options.seed) if options.store else Tally()
    numbers = (number for number in range(options.questions) if number not in tally.done)
    load_everything()
    start, first = time.monotonic(), len(tally.done)
    out = options.store.open("a", encoding="utf-8") if options.store else None
    try:
        for outcome in sweep(
            numbers, lambda n: question(options.seed, n, options.seconds), workers=options.workers
        ):
            tally.add(outcome)
            if out:
                out.write(json.dumps({"seed": options.seed, **dataclasses.asdict(outcome)}) + "\n")
            if outcome.failure:
                print(f"\nquestion {outcome.number}: {outcome.failure}", flush=True)
            if len(tally.done) % CHUNK == 0:
                progress(tally, options.questions, time.monotonic() - start, first)
                if out:
                    out.flush()
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
    finally:
        if out:
            out.close()
    print()
    for name, count in sorted(tally.counts.items()):
        print(f"{count:9,}  {name}")
    print(f"{len(tally.failures):9,}  failures: {sorted(tally.failures)}")
    return int(bool(tally.failures))


def load_everything() -> None:
    """Import before children are forked."""
    parameter_classes()
    for name in pv.__all__:
        getattr(pv, name)


def progress(tally: Tally, questions: int, seconds: float, first: int) -> None:
    pace = (len(tally.done) - first) / max(seconds, 1e-9)
    left = (questions - len(tally.done)) / max(pace, 1e-9)
    print(
        f"\r{len(tally.done):,}/{questions:,} questions, {tally.counts['compared']:,} comparisons, "
        f"{len(tally.failures)} failures, {pace:.1f}/s, {left / 60:.0f} min left   ",
        end="",
        file=sys.stderr,
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
