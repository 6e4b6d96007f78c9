"""Standalone: runs beside somebody else's library or program, and needs the standard library only.

    python standalone.py MEMORY ADAPTER.py        the accountants of an adapter answer
    python standalone.py MEMORY -- PROGRAM ARG…   a program answers, which speaks the protocol itself

Questions come on standard input and answers go to standard output, a JSON object a line; what they mean is
written in ``docs/accountant_protocol.md``. Either way the process ends with the one that started it, within
MEMORY bytes of address space, and the seconds of processor time that the environment's variable PROCESSOR
says, where the system has such limits. Nothing of pldverify is imported here: this
file runs under the Python (3.10 or later) of another environment.

An adapter is a Python file that imports its library inside of functions only:

    LIBRARY = "autodp"     the distribution, which has the version
    MODULE = "autodp"      what is imported of it before the clock starts

    class RDP:
        name = "autodp/rdp"
        direction = "upper"
        quantities = ("epsilon",)                 what it is asked for; ε and δ unless said
        adjacencies = ("add-or-remove",)          those that have an equal in the library; all unless said
        most_mechanisms, most_steps = 1, 10**4    of a composition, at most; any number unless said
        def refusal(self, question): ...          None, or why the query has none; may be left out
        def call(self, question, mechanism): ...  the library's call for one mechanism: question.call(…)
        def answer(self, question, steps): ...    (number, settings, promise); steps are (call, count) pairs

``refusal`` and ``call`` run without the library, and refuse by NotImplementedError. A number may be what
``question.script()`` prints: then a bug report shows these lines. A promise is None, or the pair (ε, δ) of
the errors that an estimate promises.
"""

import contextlib
import functools
import json
import logging
import math
import operator
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from importlib import import_module, metadata, util
from types import ModuleType
from typing import IO, Any

MAX_LINE = 2**20
"""Cap on the bytes of one line, of a question or an answer."""

PROCESSOR = "PLDVERIFY_PROCESSOR_SECONDS"
"""Environment variable: whole seconds of processor time, after which SIGXCPU ends the process."""

Message = dict[str, Any]
Say = Callable[[Message], None]

_MAX_TEXT = 3000
"""Cap on the characters of a message or a warning."""
_MAX_WARNINGS = 5
"""Cap on the warnings that are handed on."""
_NUMBER = re.compile(r"-?\d+(/\d+)?")


_GIVEN = {"epsilon": "delta", "delta": "epsilon", "rdp": "order", "tail": "loss", "trade-off": "alpha"}
"""By what is asked for, what is given."""


class TooLarge(ValueError):
    """A message that is longer than a line may be."""


def encode(message: Message) -> bytes:
    """The line of a message. Raises TooLarge, before anything of that size is made."""
    if _characters(message) > MAX_LINE:
        raise TooLarge(f"more than the {MAX_LINE} bytes of a line")
    text = json.dumps(message, allow_nan=False).encode()
    if len(text) > MAX_LINE:
        raise TooLarge(f"{len(text)} bytes, more than the {MAX_LINE} of a line")
    return text + b"\n"


def _characters(value: object) -> int:
    """Characters of all strings, and one for every value, so that empty ones count too."""
    if isinstance(value, str):
        return len(value) + 1
    if isinstance(value, list):
        return 1 + sum(map(_characters, value))
    if isinstance(value, dict):
        return 1 + sum(len(key) + _characters(item) for key, item in value.items())
    return 1


class Written:
    """An expression of Python that asks a library: how it is written, and what finds its value.

    Its attributes, items, calls, sums and products are written too, so an adapter says its question once, in
    the library's own words; nothing is imported before :func:`evaluate`, and no text is ever run.

    >>> power = Script().load("math").pow(2.0, 5)
    >>> str(power), evaluate(power)
    ('math.pow(2.0, 5)', 32.0)
    """

    def __init__(self, text: str, find: Callable[[], Any], *, joined: bool = False) -> None:
        self._text, self._find, self._joined = text, find, joined

    def __str__(self) -> str:
        return self._text

    def __getattr__(self, name: str) -> "Written":
        if name.startswith("__"):
            raise AttributeError(name)
        return Written(f"{_operand(self)}.{name}", lambda: getattr(self._find(), name))

    def __getitem__(self, key: object) -> "Written":
        return Written(f"{_operand(self)}[{source(key)}]", lambda: self._find()[evaluate(key)])

    def __call__(self, *given: object, **named: object) -> "Written":
        listed = [*map(source, given), *(f"{name}={source(value)}" for name, value in named.items())]
        text = f"{_operand(self)}({', '.join(listed)})"
        return Written(text, lambda: self._find()(*evaluate(given), **evaluate(named)))

    __iter__ = None  # it would never end: any item can be written

    def __bool__(self) -> bool:
        raise TypeError(f"what is only written is neither true nor false: {self}")

    def __add__(self, other: object) -> "Written":
        return _join(self, "+", operator.add, other)

    def __mul__(self, other: object) -> "Written":
        return _join(self, "*", operator.mul, other)

    def __or__(self, other: object) -> "Written":
        return _join(self, "|", operator.or_, other)

    def __le__(self, other: object) -> "Written":
        return _join(self, "<=", operator.le, other)


def _join(one: Written, sign: str, join: Callable[[Any, Any], Any], other: object) -> Written:
    text = f"{_operand(one)} {sign} {_operand(other)}"
    return Written(text, lambda: join(evaluate(one), evaluate(other)), joined=True)


def _operand(value: object) -> str:
    """A value as Python, as it stands beside an operator."""
    return f"({value})" if isinstance(value, Written) and value._joined else source(value)


def evaluate(value: Any) -> Any:
    """What is written in a value, found."""
    if isinstance(value, Written):
        return value._find()
    if isinstance(value, dict):
        return {name: evaluate(item) for name, item in value.items()}
    return type(value)(map(evaluate, value)) if isinstance(value, (list, tuple)) else value


def source(value: object) -> str:
    """A value as Python."""
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(source, value)) + ("," if isinstance(value, tuple) and len(value) == 1 else "")
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{source(name)}: {source(item)}" for name, item in value.items()) + "}"
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    return str(value) if isinstance(value, Written) else repr(value)


class Script:
    """Lines of Python that ask a library alone: written down first, then run, or printed."""

    def __init__(self) -> None:
        self._imports: dict[str, None] = {}
        self._lines: list[str] = []
        self._deeds: list[Callable[[], object]] = []

    def load(self, module: str, name: str = "", alias: str = "") -> Any:
        """What ``import module`` or ``from module import name`` gives."""
        said = f"from {module} import {name}" if name else f"import {module}"
        self._imports[f"{said} as {alias}" if alias else said] = None
        return Written(alias or name or module, lambda: _loaded(module, name))

    def let(self, name: str, value: object) -> Any:
        """A value under a name; it is found once."""
        found = functools.cache(lambda: evaluate(value))
        self._note(f"{name} = {source(value)}", found)
        return Written(name, found)

    def set(self, owner: Any, attribute: str, value: object) -> None:
        """Assign to an attribute of what is written."""
        line = f"{owner}.{attribute} = {source(value)}"
        self._note(line, lambda: setattr(evaluate(owner), attribute, evaluate(value)))

    @staticmethod
    def repeated(items: "list[tuple[Any, int]]") -> Any:
        """A list of all items, each made as often as is counted."""
        lists = [f"[{source(item)} for _ in range({count})]" for item, count in items]
        return Written(
            " + ".join(lists) or "[]",
            lambda: [evaluate(item) for item, count in items for _ in range(count)],
            joined=len(lists) > 1,
        )

    @staticmethod
    def function(name: str, body: Callable[[Any], Any]) -> Any:
        """``lambda name: body``; the body is written of the name, and found of its value."""

        def unknown() -> Any:
            raise NameError(name)

        text = f"lambda {name}: {body(Written(name, unknown))}"
        return Written(text, lambda: lambda value: evaluate(body(value)), joined=True)

    def do(self, call: Any) -> None:
        """Make a call for what it does."""
        self._note(str(call), call._find)

    def prints(self, value: Any) -> Written:
        """The whole: lines that print a value, which is found after all that stands above."""

        def find() -> Any:
            for deed in self._deeds:
                deed()
            return evaluate(value)

        return Written("\n".join([*self._imports, *self._lines, f"print({value})"]), find)

    def _note(self, line: str, deed: Callable[[], object]) -> None:
        self._lines.append(line)
        self._deeds.append(deed)


def _loaded(module: str, name: str) -> Any:
    found = import_module(module)
    if not name:
        return found
    return getattr(found, name) if hasattr(found, name) else import_module(f"{module}.{name}")


@dataclass(frozen=True)
class Name:
    """What a module calls by a dotted name, such as a member of an enumeration."""

    dotted: str

    def make(self, module: Any) -> Any:
        """What it stands for in ``module``."""
        return operator.attrgetter(self.dotted)(module)

    def __str__(self) -> str:
        return self.dotted

    __repr__ = __str__


@dataclass(frozen=True)
class Call:
    """``function(**arguments)`` of a module that is named when the call is made; nested calls go first.

    ``function`` may have dots.

    >>> step = Call("PoissonSampledDpEvent", {"q": 0.5, "event": Call("GaussianDpEvent", {"sigma": 1})})
    >>> print(step.make(Script().load("dp_event")))
    dp_event.PoissonSampledDpEvent(q=0.5, event=dp_event.GaussianDpEvent(sigma=1))
    """

    function: str
    arguments: Mapping[str, Any]

    def make(self, module: Any) -> Any:
        """The call on ``module``: made at once, or written if the module is :class:`Written`."""
        made = {name: _made(value, module) for name, value in self.arguments.items()}
        return operator.attrgetter(self.function)(module)(**made)

    def __str__(self) -> str:
        listed = ", ".join(f"{name}={value}" for name, value in self.arguments.items())
        return f"{self.function}({listed})"

    __repr__ = __str__


def _made(value: Any, module: Any) -> Any:
    if isinstance(value, (Call, Name)):
        return value.make(module)
    return [_made(item, module) for item in value] if isinstance(value, list) else value


Steps = list[tuple[Call, int]]
Said = tuple[Any, dict[str, Any], "tuple[Any, Any] | None"]
"""A library's number, its settings, and the errors (ε, δ) that an estimate promises, if it does; all but the
last may be written, to be found later."""


class Doubles:
    """Rounds exact parameters to the doubles that a library takes.

    Attributes:
        integers: whether a whole number is passed as the ``int`` that a user may write: some libraries go
            another way for it.
        rounded: the parameters that are no doubles, with the double that stands in for each.
    """

    def __init__(self, *, integers: bool = False) -> None:
        self.integers = integers
        self.rounded: dict[str, float] = {}

    def double(self, value: Fraction, name: str) -> float:
        """The double nearest to ``value``. Refuses overflow, and underflow to zero."""
        try:
            number = float(value)
        except OverflowError:
            raise NotImplementedError(f"{name}={_size(value)} is beyond the largest double") from None
        if number == 0 != value:
            raise NotImplementedError(f"{name}={_size(value)} is below the smallest double")
        if Fraction(number) != value:
            self.rounded[name] = number
        return int(number) if self.integers and value.denominator == 1 else number


class Question(Doubles):
    """A query as an adapter reads it.

    Attributes:
        quantity: what is asked for, "epsilon" or "delta", or what else the accountant has in ``quantities``.
        given: what is given, "delta", "epsilon", "order", "loss" or "alpha".
        target: its value, in double precision.
        adjacency: the neighbouring relation, or one direction of it.
        parts: (mechanism, count) pairs; a mechanism is a dictionary, its numbers are exact Fractions.
    """

    def __init__(self, query: Message) -> None:
        super().__init__()
        self.quantity: str = query["quantity"]
        if self.quantity not in _GIVEN:
            raise NotImplementedError(f"no {self.quantity} is known here")
        self.given = _GIVEN[self.quantity]
        self.adjacency: str = query["adjacency"]
        self.parts = [(_exact(part["mechanism"]), int(part["count"])) for part in query["composition"]]
        target = _exact(query["target"])
        self.target = float(target) if target == "inf" else self.double(target, self.given)

    @staticmethod
    def dp_sgd(mechanism: Any) -> "tuple[Fraction, Fraction]":
        """σ per unit of sensitivity, and q, of a Gaussian mechanism, sampled or not. Refuses others."""
        match mechanism:
            case {"kind": "gaussian"}:
                return mechanism["sigma"] / mechanism["sensitivity"], Fraction(1)
            case {"kind": "poisson_subsampled", "base": {"kind": "gaussian"} as base, "q": q}:
                return base["sigma"] / base["sensitivity"], q
        kind = mechanism["kind"]
        raise NotImplementedError(f"it knows the Gaussian mechanism alone, sampled or not, not {kind}")

    def allocation(self, mechanism: Any) -> Call:
        """The call of Gaussian noise on random allocation, one step of each epoch. Refuses others."""
        match mechanism:
            case {"kind": "balls_and_bins", "base": base, "batches": batches, "participations": 1}:
                noise = self.double(base["sigma"] / base["sensitivity"], "sigma")
                return self.call("allocation", sigma=noise, num_steps=int(batches))
        raise NotImplementedError(f"it is asked for random allocation, not {mechanism['kind']}")

    def step(self, mechanism: Any) -> Call:
        """The call of a Gaussian mechanism, sampled or not. Refuses others."""
        noise, q = self.dp_sgd(mechanism)
        return self.call(
            "step", noise_multiplier=self.double(noise, "noise_multiplier"), q=self.double(q, "q")
        )

    @staticmethod
    def call(function: str, /, **arguments: Any) -> Call:
        """A call of the library, to be made later; ``function`` may have dots."""
        return Call(function, arguments)

    @staticmethod
    def script() -> Script:
        """Lines that ask the library, to be written."""
        return Script()


def answer(adapter: ModuleType, message: Message, say: Say) -> None:
    """Let an accountant of an adapter answer a question: it says the version, and a claim or a failure."""
    accountant = _accountants(adapter)[message["accountant"]]
    try:
        question = Question(message["query"])
        calls = steps(accountant, question)
    except NotImplementedError as error:
        return say(_failure("REFUSED", _text(error)))
    try:
        import_module(adapter.MODULE)
        say({"kind": "loaded", "version": metadata.version(adapter.LIBRARY)})
        start = time.process_time()
        value, parameters, promise = claimed(accountant, question, calls)
        seconds = repr(time.process_time() - start)
    except Exception as error:  # a library may raise anything, and that is what it said
        kind = "OUT OF MEMORY" if isinstance(error, MemoryError) else "RAISED"
        return say(_failure(kind, f"{type(error).__name__}: {_text(error)}"))
    try:
        said: Message = {
            "kind": "claim",
            "value": _number(value),
            "direction": accountant.direction,
            "parameters": {name: _text(text) for name, text in parameters.items()},
            "seconds": seconds,
        }
        if promise is not None:
            said["promise"] = dict(zip(("epsilon", "delta"), map(_number, promise), strict=True))
    except (TypeError, ValueError) as error:
        said = _failure("INVALID", f"a {type(value).__name__}, which is no number: {_text(error)}")
    say(said)


def claimed(accountant: Any, question: Any, calls: Steps) -> Said:
    """What the library answers, what was passed to it and how it is set, and what it promises."""
    with Warned() as warned:
        value, settings, promise = accountant.answer(question, calls)
        value, settings = evaluate(value), evaluate(settings)
    parameters = {
        "composition": " + ".join(f"{count} * {call}" for call, count in calls),
        question.given: repr(question.target),
        "rounded": ", ".join(f"{name}={number!r}" for name, number in question.rounded.items()) or "none",
        **settings,
        **({"warnings": str(warned)} if warned.said else {}),
    }
    return value, parameters, promise


def steps(accountant: Any, question: Any) -> Steps:
    """The library's calls with their counts. Raises NotImplementedError: the accountant refuses."""
    if question.quantity not in getattr(accountant, "quantities", ("epsilon", "delta")):
        given = f"{'a' if question.given in ('delta', 'loss') else 'an'} {question.given}"
        raise NotImplementedError(f"{accountant.name} has no {question.quantity} at {given}")
    adjacencies = getattr(accountant, "adjacencies", (question.adjacency,))
    if question.adjacency not in adjacencies:
        asked = " and ".join(adjacencies)
        raise NotImplementedError(f"{accountant.name} is asked for {asked}, got {question.adjacency!r}")
    sizes = {"mechanisms": len(question.parts), "steps": sum(count for _, count in question.parts)}
    for what, number in sizes.items():
        most = getattr(accountant, f"most_{what}", number)
        if number > most:
            told = f"the number of {what} must be at most {most} for {accountant.name}, got {number}"
            raise NotImplementedError(told)
    refusal = getattr(accountant, "refusal", lambda question: None)(question)
    if refusal is not None:
        raise NotImplementedError(refusal)
    return [(accountant.call(question, mechanism), count) for mechanism, count in question.parts]


def _accountants(adapter: ModuleType) -> dict[str, Any]:
    kinds = [kind for kind in vars(adapter).values() if isinstance(kind, type)]
    return {kind.name: kind() for kind in kinds if hasattr(kind, "name") and hasattr(kind, "answer")}


def serve(memory: int, answer: Callable[[Message, Say], None]) -> None:
    """Answer questions on standard input, within ``memory`` bytes of address space, until its end of file."""
    questions, answers = _take_over_standard_streams()
    _stay_within(memory)

    def say(message: Message) -> None:
        rest = memoryview(encode({"id": question["id"], **message}))
        while rest:
            rest = rest[answers.write(rest) or 0 :]

    for line in questions:
        question = json.loads(line)
        try:
            answer(question, say)
        except (TooLarge, MemoryError) as error:
            say(_failure("INVALID", f"a claim of {_text(error)}"))


def run(memory: int, program: list[str]) -> int:
    """Let a program answer on our own standard streams. Returns its exit code; ends by its signal."""
    _stay_within(memory)
    try:
        process = subprocess.Popen(program)
    except OSError as error:
        sys.exit(f"{program[0]}: {error.strerror}")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)  # only the program holds the pipes now: it may close them
    os.dup2(null, 1)
    code = process.wait()
    if code < 0:
        with contextlib.suppress(OSError):  # SIGKILL can't be handled in the first place
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


class Warned(logging.Handler):
    """What is warned of inside of it, by ``warnings`` or ``logging``: a few are kept, none is shown."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: dict[str, None] = {}
        self._catcher = warnings.catch_warnings()

    def __enter__(self) -> "Warned":
        self._catcher.__enter__()
        warnings.simplefilter("always")
        warnings.showwarning = lambda text, kind, *rest: self._keep(kind.__name__, text)
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *raised: Any) -> None:
        logging.getLogger().removeHandler(self)
        self._catcher.__exit__(*raised)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what was logged."""
        self._keep(record.levelname, record.getMessage())

    def _keep(self, kind: str, text: object) -> None:
        if len(self.said) < _MAX_WARNINGS:
            self.said[f"{kind}: {_text(text)}"] = None

    def __str__(self) -> str:
        """The different warnings, each once."""
        return "; ".join(self.said)


def _failure(kind: str, text: str) -> Message:
    return {"kind": "failure", "failure": kind, "message": text}


def _exact(value: Any) -> Any:
    """JSON with its exact numbers, ``"7"`` and ``"1/3"``, as Fractions."""
    if isinstance(value, dict):
        return {name: item if name == "kind" else _exact(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_exact(item) for item in value]
    return Fraction(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value


def _number(value: Any) -> str:
    """The exact number that a library returned, in text; NaN and infinities too."""
    if isinstance(value, (int, Fraction)):
        return str(value)
    number = float(value)
    return str(Fraction(number)) if number - number == 0 else repr(number)


def _size(value: Fraction) -> str:
    """A number beyond all doubles, to a few digits."""
    return f"{(Decimal(value.numerator) / value.denominator).normalize():.6g}".replace("+", "")


def _text(said: object) -> str:
    """What was said, on one line of printable characters."""
    try:
        text = str(said)[:_MAX_TEXT]
    except Exception:  # its own __str__
        return f"a {type(said).__name__} without a text"
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(text.split()))


def _take_over_standard_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Private copies of standard input and output; the subject gets the null device for both."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    return questions, answers


def _stay_within(memory: int) -> None:
    """Limit address space and processor time, leave Ctrl-C to the parent, and end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash leaves no dump of that size
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        if seconds := os.environ.get(PROCESSOR):
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))


def _end_with_parent() -> None:
    """End when the parent is gone, even in the middle of a claim, with all that was started here."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1)
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def load(path: str) -> ModuleType:
    """The module of an adapter's file."""
    spec = util.spec_from_file_location("adapter", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"no adapter at {path}")
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(memory: str, first: str, *program: str) -> int:
    """See the top of this file."""
    if first == "--":
        return run(int(memory), list(program))
    adapter = load(first)
    serve(int(memory), lambda message, say: answer(adapter, message, say))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
