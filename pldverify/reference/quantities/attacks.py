r"""How well an adversary tells two neighbours apart: advantage, true positive rate, Bayes risk.

With T the trade-off function, the least type II error of a test, and the worst direction throughout:

* A **true positive rate** at a false positive rate α is at most 1 − T(α).
* The **advantage**, the largest difference of both, is :math:`\sup_\alpha 1 - \alpha - T(\alpha) = \delta(0)`
  (Dong, Roth, Su 2022, Proposition 2.12, at ε = 0): the total variation distance.
* The **Bayes risk** for a prior π of the alternative is the least probability of error, :math:`\inf_\alpha
  (1 - \pi) \alpha + \pi T(\alpha) = \pi (1 - \delta(\ln((1 - \pi)/\pi)))`, by the same proposition:
  :math:`1 - \delta(\varepsilon) = \inf_\alpha T(\alpha) + e^\varepsilon \alpha`.
* **Reconstruction**: a guess of a secret, in a sense of right that may be partial, succeeds with at most the
  probability :math:`1 - T(\kappa)`, where κ is the best success without the output (Kulynych and others
  2025). Proof. Let the secret Z be drawn, and the output come from the data with Z, or from a neighbour that
  does not depend on Z. "The guess is right" is an event of Z and output. In the second case the output tells
  nothing of Z: its probability is at most κ. Given Z = z, let it have the probabilities :math:`a_z` in the
  first case and :math:`b_z` in the second one: :math:`a_z \le 1 - T(b_z)`. Take the mean over z: 1 − T is
  concave, and it rises. ∎
"""

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import overload

from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import Number, count, probability
from pldverify.reference.engines.conclude import conclude
from pldverify.reference.engines.derived.complement import Complement
from pldverify.reference.quantities.bracket import bracket
from pldverify.reference.quantities.directions import MAX_DIGITS
from pldverify.reference.quantities.looks import LOOK
from pldverify.reference.quantities.questions import Many, delta, trade_off


def advantage(composition: Composed, *, adjacency: Adjacency | None = None, digits: int = 10) -> Enclosure:
    """The largest TPR − FPR of an attack that tells neighbours apart: δ(0).

    Arguments and errors as of :func:`pldverify.delta`.

    >>> import pldverify as pv
    >>> print(pv.advantage("gaussian(1)", digits=6))  # erf(1/√8)
    0.382924... ± ...
    """
    return delta(composition, epsilon=0, adjacency=adjacency, digits=digits)


@overload
def tpr(  # type: ignore[overload-overlap]  # a string is no list
    composition: Composed, *, fpr: Number, adjacency: Adjacency | None = ..., digits: int = ...
) -> Enclosure: ...
@overload
def tpr(
    composition: Composed, *, fpr: Many, adjacency: Adjacency | None = ..., digits: int = ...
) -> list[Enclosure]: ...
def tpr(
    composition: Composed, *, fpr: object, adjacency: Adjacency | None = None, digits: int = 10
) -> Enclosure | list[Enclosure]:
    """The largest true positive rate of an attack with a false positive rate ``fpr``, one or many, in [0, 1].

    It bounds reconstruction as well: where a guess without the output succeeds with a probability of at most
    ``fpr``, no attack that sees the output succeeds more often than this (Kulynych and others 2025).

    Other arguments and errors as of :func:`pldverify.trade_off`.

    >>> import pldverify as pv
    >>> run = "1000 * poisson(gaussian(1), q=0.01)"
    >>> [f"{float(found):.4g}" for found in pv.tpr(run, fpr=["1e-5", "1%"], digits=6)]
    ['7.207e-05', '0.02914']
    >>> float(pv.tpr("gaussian(1)", fpr="5%"))  # Φ(Φ⁻¹(0.05) + 1)
    0.259511022...
    """

    def ask(more: int) -> Enclosure | list[Enclosure]:
        return trade_off(composition, alpha=fpr, adjacency=adjacency, digits=more)  # type: ignore[call-overload,no-any-return]

    many, found = _complements(ask, Fraction(1), digits)
    return found if many else found[0]


def bayes_risk(
    composition: Composed, *, prior: object, adjacency: Adjacency | None = None, digits: int = 10
) -> Enclosure:
    """The least probability of error of an attack that knows how probable each neighbour is beforehand.

    Args:
        composition: as for :func:`pldverify.delta`.
        prior: the probability of one neighbour, a rational number > 0 and < 1; the other one has the rest.
            Where the adjacency has both directions, either may have the record: the worse one counts.
        adjacency: as for :func:`pldverify.delta`.
        digits: 1 to 1000.

    Raises as :func:`pldverify.delta`.

    >>> import pldverify as pv
    >>> print(pv.bayes_risk("gaussian(1)", prior="1/2", digits=6))  # Φ(−1/2)
    0.308537... ± ...
    >>> float(pv.bayes_risk("laplace(b=1)", prior="1/10"))  # less than 1/(1 + e): the output is of no use
    0.1
    """
    share = probability(prior, "prior", zero=False, one=False)
    epsilon, whole = f"ln({(1 - share) / share})", as_composition(composition)
    wanted = count(digits, "digits", cap=MAX_DIGITS)
    if share < Fraction(1, 2) and whole.tight:  # of a δ that is tiny no digit is needed
        rough = bracket(whole, epsilon=epsilon, adjacency=adjacency, seconds=LOOK, digits=1)
        soon = _complement(rough, share)
        if soon.digits >= wanted:
            return soon

    def ask(more: int) -> Enclosure:
        return delta(whole, epsilon=epsilon, adjacency=adjacency, digits=more)

    return _complements(ask, share, wanted)[1][0]


def _complements(
    ask: Callable[[int], Enclosure | list[Enclosure]], share: Fraction, digits: int
) -> tuple[bool, list[Enclosure]]:
    """Whether many are asked for, and the complements, each of ``digits`` digits.

    A value near 1 is asked with more digits; where its engine has no more, its complement has fewer.
    """
    wanted = goal = count(digits, "digits", cap=MAX_DIGITS)
    while True:
        answer = ask(goal)
        many = isinstance(answer, list)
        found = answer if isinstance(answer, list) else [answer]
        made = [_complement(each, share) for each in found]
        missing = max((wanted - each.digits for each in made if each.upper), default=0)
        if missing <= 0 or goal == MAX_DIGITS or any(each.digits < goal for each in found):
            return many, made
        goal = min(goal + ceil(missing), MAX_DIGITS)


def _complement(found: Enclosure, share: Fraction) -> Enclosure:
    assert found.witness is not None  # a quantity concludes a statement
    return conclude(Complement(found.witness.statement, share), dict(found.provenance))
