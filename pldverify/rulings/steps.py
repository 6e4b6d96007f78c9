"""From epochs to steps: by the rule that is stated, or by each that could be meant."""

import math
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.batches import share
from pldverify.numbers.exact import count, nonnegative, show
from pldverify.rulings.model import Noise, Rule

RULES: tuple[Rule, ...] = ("ceil", "floor")
"""What may be meant where no rule is stated."""


def fraction(phase: Noise) -> Fraction:
    """The fraction of the records that is in a batch, on average; 0 also where nothing says it.

    Raises InvalidInput.
    """
    return share(phase.batch_size, phase.dataset_size, phase.q, phase.cycle_length, "q")


def draws_nothing(phase: Noise) -> bool:
    """Whether a share of 0 is stated, so that no record is in any batch. Raises InvalidInput where an epoch
    takes each record, which a share of 0, perhaps a rounded one, contradicts.
    """
    nothing = phase.q is not None and fraction(phase) == 0
    if nothing and {phase.sampling, phase.accounted_as} & {"shuffled", "balls-and-bins"}:
        raise InvalidInput("q must be in (0, 1] where each record is in a batch of every epoch, got q=0")
    return nothing


def possible_steps(phase: Noise) -> dict[Rule | None, int]:
    """Numbers of steps by the rule that gives them; one where that is stated, or where no rule is needed.

    Raises InvalidInput.
    """
    if phase.steps is not None:
        return {None: count(str(phase.steps), "steps", least=0)}
    passes = nonnegative(str(phase.epochs), "epochs")
    if passes == 0 or draws_nothing(phase):
        return {None: 0}
    batches = Fraction(1) if phase.sampling == "none" else 1 / fraction(phase)
    if phase.batches_per_epoch is not None:
        batches = Fraction(count(str(phase.batches_per_epoch), "batches_per_epoch"))
    whole = passes * batches
    if whole.denominator == 1:
        return {None: count(whole, "epochs * batches of an epoch")}
    if phase.steps_rule == "exact":
        raise InvalidInput(
            f"epochs times batches of an epoch must be an integer by steps_rule=exact, got {show(whole)}"
        )
    rules = RULES if phase.steps_rule is None else (phase.steps_rule,)
    return {rule: math.ceil(whole) if rule == "ceil" else math.floor(whole) for rule in rules}


def epochs(phase: Noise, steps: int) -> int:
    """Epochs of shuffled batches that have begun, at most: a record takes part at most once in each."""
    return math.ceil(Fraction(steps) / batches_of_an_epoch(phase))


def batches_of_an_epoch(phase: Noise) -> int:
    """Batches that an epoch is divided into, without a last one that is smaller. Raises InvalidInput."""
    if phase.batches_per_epoch is not None:
        return count(str(phase.batches_per_epoch), "batches_per_epoch")
    return math.floor(1 / fraction(phase))
