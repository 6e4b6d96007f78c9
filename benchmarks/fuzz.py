"""Random malformed and extreme questions: each must end in an answer or in a PldverifyError.

    python benchmarks/fuzz.py [--first SEED] [--count N] [--budget S] [--limit S] [--workers W]

A question is a line of Python, made from its seed alone, so that a finding can be pasted and a run can be
gone on with: ``--first`` is the seed to start from. Questions are answered in worker processes. One is *bad*
if it

* raises anything but a PldverifyError, or an OracleDisagreement: two proved routes exclude each other,
* answers NaN, a probability outside of [0, 1], an ε or a divergence below 0, or what can't be printed,
* kills the interpreter, as FLINT does where it can't allocate, or wants more than 3 GiB,
* takes more than ``--limit`` seconds of processor time, where the library allows itself ``--budget`` seconds.

The exit code is 1 if any was bad. So that a hundred thousand questions are feasible, the budget is 0.15 s
here, and 20 s in the library. ``--seeds`` asks some questions again: a hang at so small a budget counts only
if ``--seeds 17 4711 --budget 20 --limit 30`` confirms it, because nothing looks at the clock inside of one
call of FLINT.
"""

import argparse
import faulthandler
import math
import multiprocessing
import os
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from multiprocessing.connection import Connection, wait

import numpy
from click.testing import CliRunner
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

import pldverify as pv
from pldverify.balls.clock import clock
from pldverify.cli import main as command
from pldverify.cli.exits import Exit
from pldverify.errors import PldverifyError
from pldverify.mechanisms.expression import MECHANISMS, parse

BUDGET, LIMIT = 0.15, 2.0
CHUNK = 250
"""Questions of one process: caches and memory start anew after them."""
BYTES = 3 * 2**30
BAD = ("exception", "nonsense", "OracleDisagreement", "crash", "hang")

MALFORMED = (
    "None", "''", "'abc'", "' '", "'nan'", "'inf'", "'-inf'", "math.nan", "math.inf", "-math.inf",
    "'1e999999'", "'1e-999999'", "'1e9999'", "'1/0'", "'0/0'", "'0x10'", "'1_000'", "' 1 '", "'1e'", "'٣'",
    "'−1'", "'1' * 9001", "-1", "0", "'-0'", "-0.0", "True", "False", "10**400", "-10**400", "10**5000",
    "Fraction(7**9999, 3**9999)", "Fraction(1, 10**9999)", "Decimal('sNaN')", "Decimal('1e-99999')",
    "Decimal('1e99999')", "Decimal('Infinity')", "b'1'", "[1]", "[]", "()", "{}", "{1: 2}", "1j",
    "object()", "int", "len", "pv.Gaussian", "pv.Gaussian(1)", "10 * pv.Gaussian(1)",
    "numpy.float64('nan')", "numpy.int64(3)", "numpy.array([1.0, 2.0])", "'\\x00'", "'1\\n'", "'\\ud800'",
    "'1' + '0' * 4300", "5e-324", "1.7976931348623157e308", "-1e300",
)  # fmt: skip
TINY_TO_HUGE = ("'1e-4000'", "'1e-300'", "'1e-100'", "'1e-30'", "'1e30'", "'1e100'", "'1e300'", "'1e4000'")
NOISE = (("'1'", "2", "0.5", "'0.2'", "5", "'50'", "1.1"), (*TINY_TO_HUGE, "'1e-5'", "'0.01'", "'1e5'"))
SAMPLING = (
    ("'0.01'", "0.01", "'1e-3'", "'0.5'", "1", "'1/3'"),
    (
        "'1e-5'",
        "'1e-30'",
        "'1e-300'",
        "1 - Fraction(1, 10**30)",
        "1 - Fraction(1, 2**53)",
        "'1e-4000'",
        "0.999",
    ),
)
CHANCE = (("'0.5'", "'0.75'", "'1/3'", "0.9"), (*SAMPLING[1], "0", "1", "'1/2'", "5e-324"))
STEPS = (("1", "1", "2", "10", "1000", "10**4"), ("10**6", "10**9", "10**12", "(10**12 + 1)", "7", "10**15"))
EPSILON = (
    ("0", "1", "'0.5'", "2.5", "-1", "10"),
    (*TINY_TO_HUGE, "10**6", "-10**6", "'-1e-300'", "'-1e300'", "'1e-6'", "1000", "-1000", "'709.79'"),
)
DELTA = (
    ("'1e-5'", "1e-6", "'1e-10'", "'0.1'"),
    ("0", "1", "'1e-30'", "'1e-300'", "'1e-4000'", "5e-324", "1 - Fraction(1, 10**30)", "'0.999999'"),
)
ORDER = (
    ("2", "'1.5'", "8", "32"),
    (*TINY_TO_HUGE, "1 + Fraction(1, 10**30)", "'1e4'", "10**9", "-3", "1", "0", "'-0.5'"),
)
DIGITS = (("1", "3", "5", "8"), ("15", "30", "50", "200", "1000", "1001"))
SMALL_COUNT = (("1", "2", "3", "10"), ("10**3", "10**5", "10**5 + 1", "10**9", "10**12"))
ADJACENCY = (("None", "'add-or-remove'"), ("'add'", "'remove'", "'replace-one'"))
ENGINE = (("None",), ("'threshold'", "'contour'", "'lattice'", "'grid'", "'atoms'", "'residues'"))
RULE = (("'canonne-2020'",), ("'mironov-2017'", "'balle-2020'", "'asoodeh-2020'"))
LISTS = (
    ("['0.6', '0.3', '0.1']", "['0.1', '0.3', '0.6']", "['1/3'] * 3"),
    (
        "['1e-300', 1 - Fraction(1, 10**300), 0]",
        "[0, 0, 1]",
        "[0.1] * 10",
        "['1/1000'] * 1000",
        "'111'",
        "[1, [0]]",
    ),
)
Pool = tuple[tuple[str, ...], tuple[str, ...]]
"""Ordinary values and extreme ones."""

SHAPES: tuple[tuple[str, tuple[Pool, ...]], ...] = (
    ("pv.Gaussian({}, {})", (NOISE, NOISE)),
    ("pv.Laplace({}, {})", (NOISE, NOISE)),
    ("pv.Gaussian({})", (NOISE,)),
    ("pv.PoissonSubsampled(pv.Gaussian({}), {})", (NOISE, SAMPLING)),
    ("pv.PoissonSubsampled(pv.Gaussian({}), {})", (NOISE, SAMPLING)),
    ("pv.PoissonSubsampled(pv.Laplace({}), {})", (NOISE, SAMPLING)),
    ("pv.PoissonSubsampled(pv.RandomizedResponse({}), {})", (CHANCE, SAMPLING)),
    ("pv.PoissonSubsampled(pv.DiscreteGaussian({}), {})", (NOISE, SAMPLING)),
    ("pv.PoissonSubsampled({}, {})", (((), ()), SAMPLING)),
    ("pv.RandomizedResponse({}, {})", (CHANCE, SMALL_COUNT)),
    ("pv.DiscreteGaussian({}, {})", (NOISE, SMALL_COUNT)),
    ("pv.DiscreteLaplace({}, {})", (NOISE, SMALL_COUNT)),
    ("pv.Binomial({}, {}, {})", (SMALL_COUNT, CHANCE, SMALL_COUNT)),
    ("pv.PureDP({})", (EPSILON,)),
    ("pv.ApproximateDP({}, {})", (EPSILON, DELTA)),
    ("pv.GDP({})", (NOISE,)),
    ("pv.ZCDP({})", (NOISE,)),
    ("pv.FinitePair({}, {})", (LISTS, LISTS)),
    ("pv.SampledWithoutReplacement(pv.Gaussian({}), {})", (NOISE, SAMPLING)),
    ("pv.SampledWithReplacement(pv.Gaussian({}), {}, {})", (NOISE, SMALL_COUNT, SMALL_COUNT)),
    ("pv.KJH19Substitute(pv.Gaussian({}), {})", (NOISE, SAMPLING)),
    ("pv.KJH20WithReplacement(pv.Gaussian({}), {}, {})", (NOISE, SMALL_COUNT, SMALL_COUNT)),
)
COMMON = {"adjacency": ADJACENCY, "digits": DIGITS}
FUNCTIONS: dict[str, dict[str, Pool]] = {
    "delta": {"epsilon": EPSILON, **COMMON, "engine": ENGINE},
    "epsilon": {"delta": DELTA, **COMMON, "engine": ENGINE},
    "tail": {"epsilon": EPSILON, **COMMON, "engine": ENGINE},
    "rdp": {"order": ORDER, **COMMON},
    "mgf": {"order": ORDER, **COMMON},
    "moments": COMMON,
    "privacy_loss_cdf": {"epsilon": EPSILON, **COMMON},
    "trade_off": {"alpha": DELTA, **COMMON},
}
CONVERSIONS: dict[str, tuple[Pool, ...]] = {
    "delta_from_rdp": (ORDER, NOISE, EPSILON, RULE),
    "epsilon_from_rdp": (ORDER, NOISE, DELTA, RULE),
    "zcdp_delta": (NOISE, EPSILON),
    "zcdp_epsilon": (NOISE, DELTA),
}
COMMANDS: dict[str, tuple[str, Pool]] = {
    "delta": ("--epsilon", EPSILON),
    "epsilon": ("--delta", DELTA),
    "tail": ("--epsilon", EPSILON),
    "rdp": ("--order", ORDER),
    "trade-off": ("--alpha", DELTA),
}
EXPRESSIONS = (
    "10_000 * poisson(gaussian(sigma=1), q=1/100) + 5 * laplace(b=2)",
    "3 * randomized_response(p=0.75, categories=4) + pure_dp(0.5) + approximate_dp(epsilon=1, delta=1e-6)",
    "2 * (gaussian(2**-3) + 10**2 * discrete_gaussian(sigma=5, sensitivity=2))",
    "finite_pair(p=[0.6, 0.3, 0.1], q=[0.1, 0.3, 0.6]) + binomial(n=100, p=1/4)",
    "sampled_with_replacement(gaussian(sigma=4), m=2, n=100)",
)
TOKENS = (
    *MECHANISMS,
    *"+-*/(),=[]._ \n\t\x00é",
    "**",
    "1",
    "0.5",
    "1e9",
    "1e-9999",
    "9" * 50,
    "sigma=",
    "q=",
    "nan",
    "inf",
)


def question(pick: random.Random) -> str:
    """A random line of Python whose names are those of :data:`NAMES`."""
    kind = pick.random()
    if kind < 0.6:
        name = pick.choice(list(FUNCTIONS))
        asked = ", ".join(f"{key}={value(pick, pool)}" for key, pool in FUNCTIONS[name].items())
        return f"pv.{name}({composition(pick)}, {asked})"
    if kind < 0.7:
        return composition(pick)
    if kind < 0.8:
        return f"parse({text(pick)!r})"
    if kind < 0.87:
        name = pick.choice(list(CONVERSIONS))
        return f"pv.{name}({', '.join(value(pick, pool) for pool in CONVERSIONS[name])})"
    if kind < 0.91:
        query = (
            f"pv.Query({composition(pick)}, delta={value(pick, DELTA)}, adjacency={value(pick, ADJACENCY)})"
        )
        return f"pv.certify({query}, {value(pick, EPSILON)})"
    return calibration(pick) if kind < 0.93 else command_line(pick)


def value(pick: random.Random, pool: Pool) -> str:
    """Malformed, extreme, or ordinary."""
    kind = pick.random()
    ordinary, extreme = pool
    if kind < 0.04 or not ordinary:
        return pick.choice(MALFORMED)
    return pick.choice(extreme if kind < 0.35 else ordinary)


def composition(pick: random.Random) -> str:
    """Up to three mechanisms with counts."""
    parts = []
    for _ in range(pick.choice((1, 1, 1, 2, 3))):
        shape, pools = pick.choice(SHAPES)
        mechanism = shape.format(*(value(pick, pool) for pool in pools))
        times = value(pick, STEPS)
        # what two objects without a product do is Python's business
        whole = f"pv.Composition.of(({mechanism}, {times}))" if "pv." in times else f"{times} * {mechanism}"
        parts.append(mechanism if pick.random() < 0.3 else whole)
    return pick.choice(MALFORMED) if pick.random() < 0.01 else " + ".join(parts)


def text(pick: random.Random) -> str:
    """An expression: a correct one with some characters or tokens changed, or a soup of tokens."""
    if pick.random() < 0.3:
        return "".join(pick.choice(TOKENS) for _ in range(pick.randrange(40)))
    whole = pick.choice(EXPRESSIONS)
    for _ in range(pick.randrange(4)):
        at = pick.randrange(len(whole) + 1)
        whole = whole[:at] + pick.choice((*TOKENS, "")) + whole[at + pick.randrange(3) :]
    return whole * pick.choice((50, 500)) if pick.random() < 0.02 else whole


def calibration(pick: random.Random) -> str:
    parameter, build, pool = pick.choice(
        (
            ("sigma", "lambda x: pv.Gaussian(x)", NOISE),
            ("q", "lambda x: 100 * pv.PoissonSubsampled(pv.Gaussian(2), x)", SAMPLING),
            ("steps", "lambda x: x * pv.PoissonSubsampled(pv.Gaussian(2), '0.01')", STEPS),
        )
    )
    target = f"epsilon={value(pick, EPSILON)}, delta={value(pick, DELTA)}"
    span = f"low={value(pick, pool)}, high={value(pick, pool)}, resolution={value(pick, pool)}"
    return f"pv.calibrate({build}, parameter={parameter!r}, {target}, {span})"


def command_line(pick: random.Random) -> str:
    name = pick.choice(list(COMMANDS))
    option, pool = COMMANDS[name]
    extra = pick.choice(("", ", '--json'", ", '--explain'", ", '--adjacency', 'add'", ", '--nonsense'"))
    spelled, asked, wanted = text(pick), value(pick, pool), value(pick, DIGITS)
    return f"cli({name!r}, {spelled!r}, {option!r}, {asked}, '--digits', {wanted}{extra})"


def cli(*arguments: object) -> int:
    """The exit code of the command line. Raises what a crash raised."""
    result = CliRunner().invoke(command, [typed(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in (Exit.SOUND, Exit.REFUTED, Exit.BAD_INPUT, Exit.UNDECIDED):
        raise RuntimeError(f"exit code {result.exit_code}: {result.output[-500:]}")
    return int(result.exit_code)


def typed(argument: object) -> str:
    try:
        return str(argument)
    except ValueError:  # Python writes no integer of more than 4300 digits
        return "9" * 5000


NAMES = {
    "pv": pv,
    "parse": parse,
    "cli": cli,
    "math": math,
    "numpy": numpy,
    "Fraction": Fraction,
    "Decimal": Decimal,
}


@dataclass(frozen=True)
class Outcome:
    """How a question ended: the kind of answer, the class of error, or one of :data:`BAD`."""

    seed: int
    question: str
    ending: str
    seconds: float
    detail: str = ""


def ask(seed: int, line: str, seconds: float) -> Outcome:
    """Evaluate one question within a budget."""
    start, detail = time.process_time(), ""
    try:
        with clock(seconds):
            answer = eval(line, NAMES)
        detail = nonsense(line, answer)
        ending = "nonsense" if detail else type(answer).__name__
    except PldverifyError as error:
        ending = type(error).__name__
        detail = str(error)[:500]
    except Exception as error:
        ending, detail = "exception", f"{type(error).__name__}: {error}"[:500]
    return Outcome(seed, line, ending, time.process_time() - start, detail)


def nonsense(line: str, answer: object) -> str:
    """What is wrong with an answer, by what any true one satisfies; empty if nothing."""
    if line.startswith("pv.") and isinstance(answer, float) and math.isnan(answer):
        return "NaN"
    if not isinstance(answer, pv.Enclosure):
        parts = (getattr(answer, name, None) for name in ("mean", "variance", "passes", "fails", "truth"))
        return next(
            filter(None, (nonsense("", part) for part in parts if isinstance(part, pv.Enclosure))), ""
        )
    answer.explain(), str(answer), repr(answer)
    if any(end != end for end in (float(answer), answer.lower, answer.upper)):
        return "NaN"
    name = line.removeprefix("pv.").partition("(")[0]
    least, most = (-math.inf, math.inf) if name in ("", *NAMES) else (0, math.inf)
    if name in ("delta", "tail", "trade_off", "privacy_loss_cdf"):
        most = 1
    return "" if least <= answer.lower <= answer.upper <= most else f"out of range: {answer!r}"


def work(
    seeds: list[int], make: Callable[[int], str], seconds: float, limit: float, answers: Connection
) -> None:
    """Say each question before it is asked, then how it ended."""
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.disable()
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # the command line's tracebacks
    os.dup2(sys.stderr.fileno(), 2)  # and FLINT's last words
    for seed in seeds:
        line = make(seed)
        answers.send((seed, line))
        # its signal, left alone, kills the process even inside of FLINT
        signal.setitimer(signal.ITIMER_PROF, limit)
        answers.send(ask(seed, line, seconds))
    signal.setitimer(signal.ITIMER_PROF, 0)


def made(seed: int) -> str:
    return question(random.Random(seed))


def outcomes(
    seeds: list[int],
    *,
    make: Callable[[int], str] = made,
    seconds: float = BUDGET,
    limit: float = LIMIT,
    workers: int = 2,
) -> Iterator[Outcome]:
    """Outcomes as they come; a process that dies costs the question that it was asked, and no other."""
    chunks = [seeds[at : at + CHUNK] for at in range(0, len(seeds), CHUNK)][::-1]
    running: dict[Connection, tuple[multiprocessing.process.BaseProcess, list[int], tuple[int, str]]] = {}
    context = multiprocessing.get_context("fork")
    try:
        while chunks or running:
            while chunks and len(running) < workers:
                chunk = chunks.pop()
                here, there = context.Pipe(duplex=False)
                process = context.Process(target=work, args=(chunk, make, seconds, limit, there))
                process.start()
                there.close()
                running[here] = process, chunk, (chunk[0], "nothing")
            for connection in wait(list(running)):
                process, rest, asked = running[connection]  # type: ignore[index]
                try:
                    said = connection.recv()  # type: ignore[union-attr]
                except EOFError:
                    del running[connection]  # type: ignore[arg-type]
                    process.join()
                    if rest:
                        ending = "hang" if process.exitcode == -signal.SIGPROF else "crash"
                        yield Outcome(*asked, ending, limit, f"exit code {process.exitcode}")
                        chunks += [rest[1:]] if rest[1:] else []
                    continue
                if isinstance(said, Outcome):
                    rest = rest[1:]
                    yield said
                running[connection] = process, rest, asked if isinstance(said, Outcome) else said  # type: ignore[index]
    finally:
        for process, *_ in running.values():
            process.terminate()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seeds", type=int, nargs="+", help="these seeds alone")
    parser.add_argument("--budget", type=float, default=BUDGET, help="processor seconds of a call")
    parser.add_argument("--limit", type=float, default=LIMIT, help="processor seconds that count as a hang")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    seeds = options.seeds or list(range(options.first, options.first + options.count))
    for name in pv.__all__:
        getattr(pv, name)  # loaded once, before the workers are forked
    endings: Counter[str] = Counter()
    overran, slowest, bad = 0, 0.0, 0
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    answers = outcomes(seeds, seconds=options.budget, limit=options.limit, workers=options.workers)
    try:
        with Progress(*columns, console=console) as progress:
            for one in progress.track(answers, total=len(seeds), description="questions"):
                endings[one.ending] += 1
                overran += one.seconds > 2 * options.budget
                slowest = max(slowest, one.seconds)
                if one.ending in BAD:
                    bad += 1
                    print(
                        f"{one.ending}: seed {one.seed}: {one.question[:1000]}\n    {one.detail}", flush=True
                    )
    except KeyboardInterrupt:
        print(f"stopped after {endings.total()} questions", file=sys.stderr)
    for ending, times in endings.most_common():
        print(f"{times:8d}  {ending}")
    late = f"{overran} took more than twice the budget; slowest {slowest:.2f} s"
    print(f"{endings.total():8d}  in all; {bad} bad; {late}")
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())
