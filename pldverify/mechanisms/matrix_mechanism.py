r"""Matrix mechanisms and tree aggregation: Gaussian noise on Cx, row by row, as one Gaussian.

Step j contributes :math:`x_j`, a vector; a record may move it by :math:`u_j` with :math:`|u_j| \le s`, in the
steps of a *participation pattern* alone. Cx + z with independent noise of σ in every entry is released, and
any function of it (Denisov et al. 2022, arXiv 2202.08312; Choquette-Choo et al. 2023, arXiv 2211.06530).

**Sensitivity.** :math:`|Cu|^2 = \sum_{i,j} G_{ij} \langle u_i, u_j\rangle \le s^2 \sum_{i,j \in \pi} G_{ij}`
with :math:`G = C^T C`, where no :math:`G_{ij}` of two steps of the pattern π is negative, with equality at
equal :math:`u_j` of norm s. So the largest sum over the patterns is the exact squared sensitivity, and the
pair is that of one Gaussian. With negative entries it would be a bound only: refused.

**Patterns.** Once: one step. ``participations`` = k at a fixed ``stride`` b: steps r, r + b, …, at most k of
them, for any start r; as all counted G are ≥ 0, a record that skips some is covered.

**Adaptivity.** x_j may depend on the rows released before step j, if a row is released after its last step.
Given the past, row t then has a shift of known norm μ_t, with :math:`\sum_t \mu_t^2 \le \Delta^2/\sigma^2`
whatever the u_j: adaptively chosen Gaussians of bounded total are dominated by one (Smith and Thakurta 2022,
arXiv 2210.17520, fully adaptive composition of Gaussian differential privacy).

**Tree aggregation.** Rows are the sums over the dyadic intervals :math:`[a 2^h, (a+1) 2^h)` within the steps.
A step lies in at most :math:`\lfloor\log_2 n\rfloor + 1` of them, as the first one does; of a pattern,
:math:`\sum_{i,j} G_{ij}` is the sum over the intervals of the squares of the steps within.
"""

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.vector import is_list
from pldverify.numbers.exact import Number, brief, count, rational, real, show
from pldverify.numbers.irrational import Irrational

MAX_COLUMNS = 2000
"""Cap on the columns of a strategy matrix, one a step."""
MAX_PRODUCTS = 5 * 10**7
"""Cap on the products of entries of columns of one pattern: some ten seconds."""
MAX_LEAVES = 10**5
"""Cap on the leaves of a tree, one a step."""


def matrix_mechanism(
    sigma: Number,
    strategy: Iterable[Iterable[Number]],
    participations: Number = 1,
    stride: Number | None = None,
    sensitivity: Number = 1,
) -> Gaussian:
    """Gaussian noise of standard deviation ``sigma`` on every entry of C x, as one Gaussian.

    Args:
        sigma: in the unit of the query.
        strategy: the rows of C, rational numbers; a column is a step.
        participations: how often a record may take part; more than once, ``stride`` steps apart.
        sensitivity: how far one record's presence moves one step's contribution.

    Raises InvalidInput; NotSupported where the exact sensitivity isn't known: columns of one pattern have a
    negative inner product.

    Two prefix sums, by the matrix of ones:

    >>> print(pv.matrix_mechanism(sigma=3, strategy=[[1, 0], [1, 1]]))
    gaussian(sigma=3, sensitivity=sqrt(2))
    """
    width, entries = _entries(strategy)
    whole = math.lcm(*(x.denominator for _, _, x in entries))
    columns: list[dict[int, int]] = [{} for _ in range(width)]
    for i, j, x in entries:
        columns[j][i] = int(x * whole)
    times, apart = _pattern(participations, stride)
    return gaussian(sigma, Fraction(_largest(columns, times, apart), whole**2), sensitivity)


def tree_aggregation(
    sigma: Number,
    steps: Number,
    participations: Number = 1,
    stride: Number | None = None,
    sensitivity: Number = 1,
) -> Gaussian:
    """Gaussian noise of standard deviation ``sigma`` on the sums over dyadic intervals of ``steps`` steps.

    Arguments and errors as of :func:`matrix_mechanism`. A tree that starts anew is composed: ``3 * …``.

    >>> print(pv.tree_aggregation(sigma=10, steps=8))
    gaussian(sigma=10, sensitivity=2)
    """
    leaves = count(steps, "steps", cap=MAX_LEAVES)
    if count(participations, "participations") == 1 and stride is None:
        return gaussian(sigma, Fraction(leaves.bit_length()), sensitivity)
    patterns = _patterns(leaves, participations, stride)
    return gaussian(sigma, max(_of_tree(leaves, pattern) for pattern in patterns), sensitivity)


def _pattern(participations: object, stride: object) -> tuple[int, int]:
    """How often, and how many steps apart. Raises InvalidInput."""
    times = count(participations, "participations")
    if (times > 1) != (stride is not None):
        raise InvalidInput("stride must be given for more than one participation, and only then")
    return times, 1 if stride is None else count(stride, "stride")


def _entries(strategy: Any) -> tuple[int, list[tuple[int, int, Fraction]]]:
    """The width, and (row, column, entry) of all that are not 0. Raises InvalidInput."""
    widths, entries = set(), []
    for i, row in _listed(strategy):
        numbers = [x for _, x in _listed(row)]
        widths.add(len(numbers))
        for j, x in enumerate(numbers):
            if x != 0 and (exact := rational(x, f"strategy[{i}][{j}]")):
                entries.append((i, j, exact))
    if len(widths) != 1 or not 1 <= max(widths) <= MAX_COLUMNS:
        raise InvalidInput(f"strategy must have rows of one length from 1 to {MAX_COLUMNS}")
    return widths.pop(), entries


def _largest(columns: list[dict[int, int]], times: int, apart: int) -> int:
    """The largest Σ G_ij of a pattern: each from the one that begins a stride later, by the step that it has
    more and the one that it has not.

    Raises NotSupported where a G_ij is negative, InvalidInput for too many products.
    """
    spans = [(min(column, default=0), max(column, default=-1)) for column in columns]
    known: dict[tuple[int, int], int] = {}
    left = MAX_PRODUCTS

    def product(i: int, j: int) -> int:
        nonlocal left
        if spans[i][1] < spans[j][0] or spans[j][1] < spans[i][0]:
            return 0
        if (i, j) not in known:
            short, long = sorted((columns[i], columns[j]), key=len)
            left -= len(short)
            if left < 0:
                raise InvalidInput(
                    f"strategy must have at most {MAX_PRODUCTS} products of entries of columns of one pattern"
                )
            known[i, j] = sum(x * long[row] for row, x in short.items() if row in long)
            if known[i, j] < 0:
                raise NotSupported("columns of one participation pattern must have inner products >= 0")
        return known[i, j]

    sums = [0] * (len(columns) + apart)
    for start in reversed(range(len(columns))):
        later = range(start + apart, min(len(columns), start + times * apart), apart)
        sums[start] = sums[start + apart] + product(start, start) + 2 * sum(product(start, j) for j in later)
        if (last := start + times * apart) < len(columns):
            sums[start] -= product(last, last) + 2 * sum(product(j, last) for j in later)
    return max(sums)


def _patterns(steps: int, participations: object, stride: object) -> list[range]:
    """The steps of a record, for every start. Raises InvalidInput."""
    times, apart = _pattern(participations, stride)
    return [range(start, min(steps, start + times * apart), apart) for start in range(steps)]


def _of_tree(leaves: int, pattern: range) -> Fraction:
    """The sum of squares over all intervals within the steps."""
    total = 0
    for height in range(leaves.bit_length()):
        inside = Counter(step >> height for step in pattern)
        total += sum(hits**2 for node, hits in inside.items() if (node + 1) << height <= leaves)
    return Fraction(total)


def gaussian(sigma: Any, square: Fraction, sensitivity: Any) -> Gaussian:
    """Whose sensitivity is the root of ``square``, times ``sensitivity``. Raises InvalidInput."""
    if not square:
        raise InvalidInput("strategy must have a column that is not zero")
    scale = real(sensitivity, "sensitivity")
    text = scale.text if isinstance(scale, Irrational) else show(scale)
    root = f"sqrt({show(square)})"
    return Gaussian(sigma, real(root if scale == 1 else f"({text})*{root}", "sensitivity"))


def _listed(values: object) -> "enumerate[Any]":
    if not is_list(values):
        raise InvalidInput(f"strategy must be a list of rows of numbers, got {brief(values)}")
    return enumerate(values)
