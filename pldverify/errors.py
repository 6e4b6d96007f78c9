"""Every exception that pldverify raises on purpose.

One root, :class:`PldverifyError`; each leaf also inherits the builtin that a caller would expect.
Messages name the argument, the value and what is allowed: ``sigma must be > 0, got sigma=-1``.

>>> try:
...     pv.Gaussian(sigma=-1)
... except pv.errors.InvalidInput as error:
...     print(error, isinstance(error, ValueError))
sigma must be > 0, got sigma=-1 True
"""

from typing import Any, Literal

FailureKind = Literal[
    "REFUSED", "RAISED", "INVALID", "CRASHED", "TIMED OUT", "OUT OF PROCESSOR TIME", "OUT OF MEMORY"
]
"""How an accountant gave no claim: it does not take the query, it raised, what it returned is no claim, its
process ended; or a limit of ours stopped it, on the clock, of processor time, or of memory."""


class PldverifyError(Exception):
    """Root of all errors raised by pldverify."""


class InvalidInput(PldverifyError, ValueError):
    """An argument is outside what is allowed."""


class NotSupported(PldverifyError, NotImplementedError):
    """The question is well posed, but this engine or accountant does not answer it."""


class Undecided(PldverifyError, ValueError):
    """A comparison of intervals that holds for some of their numbers only."""


class NoTruthValue(PldverifyError, TypeError):
    """``bool()`` of a verdict, or of what holds one; the message says what to write instead."""


class MissingLibrary(PldverifyError, ImportError):
    """An optional library is not installed; the message names the pip extra that brings it."""


class NoConvergence(PldverifyError, ArithmeticError):
    """A bounded computation hit its cap; the message says goal, cap and what was reached.

    Attributes: bracket: an ``Enclosure`` of what was asked, of several the one that the message names, as
        narrow as was proved; None if nothing was.
    """

    def __init__(self, message: str = "", bracket: Any = None) -> None:
        super().__init__(message)
        self.bracket = bracket


class SubjectFailure(PldverifyError, RuntimeError):
    """An accountant under test raised, returned no number, or exceeded its time or memory limit.

    Attributes: kind: which of these, for programs; the message is for people.
    """

    def __init__(self, message: str, kind: FailureKind = "INVALID") -> None:
        super().__init__(message)
        self.kind: FailureKind = kind


class OracleDisagreement(PldverifyError, RuntimeError):
    """Two routes to the same true value exclude each other: a bug in pldverify, never to be hidden.

    Attributes: routes, values: what both routes are called and what they say, where there are two to name.
    """

    def __init__(self, message: str, routes: tuple[str, ...] = (), values: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.routes = routes
        self.values = values
