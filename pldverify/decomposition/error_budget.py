r"""Split an FFT accountant's error into terms, each observed exactly and held against its theorem.

A decomposition goes from the true δ(ε) to the printed number. Each step replaces one problem by the next, so
that the signed changes add up to the whole error. Which steps there are is written in the file of each
accountant: :mod:`~pldverify.decomposition.fourier`, :mod:`~pldverify.decomposition.heterogeneous_fourier`,
:mod:`~pldverify.decomposition.prv`; another one is one more file and one more line in ``_DECOMPOSITIONS``.
Other people's are in :mod:`~pldverify.decomposition.fourier_accountant`,
:mod:`~pldverify.decomposition.prv_accountant` and :mod:`~pldverify.decomposition.dp_accounting`, which read
the grid from the library's own objects and code; the lines are in ``_LIBRARIES``.

The discretised problem is evaluated without rounding: the accountant's own grid masses, convolved in balls.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.adapters.dp_accounting import PLD
from pldverify.accountants.adapters.dp_accounting_functions import Functions
from pldverify.accountants.adapters.fourier_accountant import FourierAccountant
from pldverify.accountants.adapters.prv_accountant import PRV
from pldverify.accountants.ask import flaw
from pldverify.accountants.fourier import Fourier
from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierUpper
from pldverify.accountants.printed import Printed
from pldverify.accountants.prv import PRVUpper
from pldverify.balls.ball import working
from pldverify.decomposition import (
    dp_accounting,
    fourier,
    fourier_accountant,
    heterogeneous_fourier,
    prv,
    prv_accountant,
)
from pldverify.decomposition.grid import PREC
from pldverify.decomposition.reading import Reading
from pldverify.decomposition.result import ErrorBudget
from pldverify.decomposition.term import Term
from pldverify.decomposition.truth import Truth
from pldverify.errors import InvalidInput, NotSupported, PldverifyError, SubjectFailure
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Direction
from pldverify.named import one_line
from pldverify.numbers.claim import Claim

_DECOMPOSITIONS: dict[type, Callable[..., list[Term]]] = {
    Fourier: fourier.decompose,
    HeterogeneousFourierUpper: heterogeneous_fourier.decompose,
    PRVUpper: prv.decompose,
}
"""(accountant, truth of one direction, claim) ↦ terms, of one of our own, for a class and those below it."""

_LIBRARIES: dict[type, Callable[..., Reading]] = {
    FourierAccountant: fourier_accountant.read,
    Functions: dp_accounting.read,
    PLD: dp_accounting.read,
    PRV: prv_accountant.read,
}
"""(accountant, query) ↦ reading, of other people's."""


def error_budget(accountant: Accountant, query: Query) -> ErrorBudget:
    """Where the error of an accountant's δ(ε) comes from: signed terms that add up to it, each proved.

    Args:
        accountant: an in-house ``Fourier``, ``HeterogeneousFourier…`` or ``PRV…`` accountant with its grid,
            or other people's: fourier-accountant, prv-accountant, or dp-accounting's privacy loss
            distributions, at the grid, the period and the truncation that they choose themselves.
        query: asks for δ at an ε. Under add-or-remove the budget is of the direction that decided the answer;
            fourier-accountant and prv-accountant know ``remove`` alone.

    Returns an :class:`~pldverify.decomposition.result.ErrorBudget`: ``.terms``, each with ``.name``,
    ``.observed`` (an Enclosure), the promise ``.low`` and ``.high``, ``.verdict`` (INSIDE, OUTSIDE, UNDECIDED
    or NO BOUND) and ``.theorem``; ``.dominant`` names the largest, ``.broken`` those outside of their
    promise; ``.table()``, ``.plot()`` and ``.to_json()`` show it.

    Raises InvalidInput for a query without ε, NotSupported for another accountant or a query that it refuses,
    SubjectFailure where it raises or prints no number, NoConvergence where the reference or the exact
    convolution would take too long.

    >>> from pldverify.accountants.fourier import Fourier
    >>> training = 100 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.01")
    >>> budget = pv.error_budget(Fourier(n=2_000, L=6.0), pv.Query(training, epsilon="0.5"))
    >>> budget.dominant, budget.broken
    ('discretisation', ())
    >>> [term.name for term in budget.terms]
    ['tail', 'truncation', 'periodisation', 'discretisation', 'rounding']
    >>> budget.sum.overlaps(budget.total)
    True

    Of a library, by the name that ``pldverify check`` knows it by:

    >>> from pldverify.accountants.registry import accountant
    >>> theirs = pv.error_budget(accountant("prv-accountant/upper"), pv.Query(training, epsilon="0.5"))
    >>> theirs.dominant, [term.name for term in theirs.terms]
    ('margin', ['discretisation', 'periodisation', 'rounding', 'margin'])
    """
    read = _reader(accountant)
    if query.epsilon is None:
        raise InvalidInput("a budget needs a query with epsilon")
    if not query.is_exact:
        raise InvalidInput(f"a budget needs a query in rational numbers, got {query}")
    refusal = accountant.supports(query)
    if refusal is not None:
        raise NotSupported(f"{accountant.name} does not support {query}: {refusal}")
    with _raised_by(accountant):
        found = read(accountant, query)
    _require_number(found.claim, accountant, query)
    with working(PREC):
        truth = Truth(query.composition, found.direction, query.epsilon)
        terms = tuple(found.terms(truth))
    return ErrorBudget(
        query, accountant.name, found.direction, Fraction(found.claim.value), truth.delta, terms
    )


@contextmanager
def _raised_by(accountant: Accountant) -> Iterator[None]:
    """A library may raise anything: that is its failure."""
    try:
        yield
    except PldverifyError:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {one_line(error)}"
        raise SubjectFailure(f"{accountant.name} raised {said}", "RAISED") from error


def _reader(accountant: Accountant) -> Callable[..., Reading]:
    """Who reads this accountant's answers. Raises NotSupported."""
    for kind in type(accountant).__mro__:
        if kind in _LIBRARIES:
            return _LIBRARIES[kind]
        if kind in _DECOMPOSITIONS:
            return partial(_read, _DECOMPOSITIONS[kind])
    raise NotSupported(f"a budget needs an FFT accountant that it knows, got {accountant.name}")


def _read(decompose: Callable[..., list[Term]], accountant: Printed, query: Query) -> Reading:
    """One of our own: the direction whose answer is the greatest."""
    answers = _answers(accountant, query)
    for claim, _ in answers:
        _require_number(claim, accountant, query)
    claim, direction = max(answers, key=lambda answer: answer[0].value)
    return Reading(claim, direction, lambda truth: decompose(accountant, truth, claim))


def _require_number(claim: Claim, accountant: Accountant, query: Query) -> None:
    wrong = flaw(claim)
    if wrong is not None or claim.value == math.inf:
        raise SubjectFailure(f"{accountant.name} printed {wrong or 'inf'} for {query}")


def _answers(accountant: Printed, query: Query) -> list[tuple[Claim, Direction]]:
    """What is printed for each direction by itself."""
    ordered = query.composition.directions(query.adjacency)
    if "replace" in ordered:
        return [(accountant.claim(query), "replace")]
    composition, epsilon = query.composition, query.epsilon
    return [
        (accountant.claim(Query(composition, epsilon=epsilon, adjacency=side)), side)
        for side in ordered
        if side == "add" or side == "remove"
    ]
