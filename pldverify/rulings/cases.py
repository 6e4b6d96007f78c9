r"""Cases: what a claim may mean, each a composition with its adjacency.

One where everything is stated. Where batches were sampled in one way and accounted for in another, one for
each; where adjacency or the rule of steps is not stated, one for each that it may be, those of which nothing
is proved included. For ρ-zCDP, which fixes no mechanism, one for what it implies, one for the Gaussian of
that ρ.

**Shuffled batches** are ``ShuffledBatches`` where the number of batches of an epoch is known: it is stated,
or they are all of one size. Records that are in none of them are left over, and a last epoch that is not
whole leaves over those of the batches that it lacks. Else only a bound from above is known: conditioned on
the order of the records and on all other batches, a record takes part once an epoch, so by joint convexity of
:math:`\int (p - \alpha q)_+` no event tells the neighbours apart better than the composition of one unsampled
step an epoch does. Where the last batch of an epoch may be left out there are more epochs: that is counted.
Both are of records that are replaced, or zeroed out; of one that is added or removed nothing is known: a
claim for it has a case of which nothing is proved, and one that assumes zero-out, so it is at best
CONDITIONAL.

**Sampling of what is only guaranteed.** ``PoissonSubsampled`` of the guarantee's pair, which is attained.
(ln(1 + q(e^ε − 1)), qδ)-DP (Balle, Barthe and Gaboardi 2018, Theorem 8) is one point of it, from which
compositions would lose. Of GDP it is the sampled Gaussian, of zCDP two ends are known. Where a record is
replaced none of this holds: of the sample without it nothing is known.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal, TypeVar

from pldverify.errors import InvalidInput
from pldverify.mechanisms import (
    GDP,
    ZCDP,
    ApproximateDP,
    Composition,
    DiscreteGaussian,
    Gaussian,
    GroupDP,
    Laplace,
    PoissonSubsampled,
    PureDP,
    RenyiDP,
    SampledWithoutReplacement,
    ShuffledBatches,
    ShuffleModel,
)
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.batches import BARE, EXTRA, NOTHING, SCHEMES, Batches, Sampling
from pldverify.mechanisms.hidden_batch import hides
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.sampled_without_replacement import rests_on_zcdp
from pldverify.numbers.exact import count, nonnegative, positive, probability, rational, real
from pldverify.numbers.irrational import Irrational
from pldverify.rulings.model import GUARANTEED, Claim, Expression, Guarantee, Noise, Phase, Rule
from pldverify.rulings.steps import (
    RULES,
    batches_of_an_epoch,
    draws_nothing,
    epochs,
    fraction,
    possible_steps,
)

Made = TypeVar("Made")
Role = Literal["run", "accounted", "assumed", "possible"]
"""What was run, as claimed; what its accountant assumed; what is assumed here, as nothing is proved of
what is claimed; what may be meant, where it is not stated."""
Subject = Literal["true", "implied"]
"""Whose value is proved: the mechanism's, or the worst one's that has the stated guarantees."""

MOST = 32
"""Cap on the cases of a claim."""
_GUARANTEES = (PureDP, ApproximateDP, GroupDP, ZCDP, GDP, RenyiDP)
"""Mechanisms that state what is guaranteed of some mechanism; the relation is the guarantee's own."""


@dataclass(frozen=True)
class Case:
    """One meaning of a claim.

    Attributes:
        assumes: what this case takes for granted beyond what is stated, in words; empty for nothing.
        role: how it stands to what was run.
        subject: whose value is proved.
        is_run: whether the composition is what was run; else it only bounds that from above.
        has_pairs: whether anything is proved of this adjacency.
        is_stated: whether the composition is what is stated; else one that has the stated guarantees.
    """

    composition: Composition
    adjacency: Adjacency
    assumes: str = ""
    role: Role = "run"
    subject: Subject = "true"
    is_run: bool = True
    has_pairs: bool = True
    is_stated: bool = True


def cases(claim: Claim) -> list[Case]:
    """All that the claim may mean; what was run stands first. Raises InvalidInput, which names the field.

    >>> from pldverify.rulings.model import Claim
    >>> row = {"mechanism": "gaussian", "noise_multiplier": 1, "sampling": "shuffled", "q": "0.01"}
    >>> phase = {**row, "epochs": 2, "accounted_as": "poisson"}
    >>> claim = Claim.model_validate({"id": "a", "rho": 1, "phase": [phase], "adjacency": "zero-out"})
    >>> for case in cases(claim):
    ...     print(case.assumes, "|", case.composition)  # of zero-out, as it is claimed
    shuffled batches | 2 * shuffled(gaussian(sigma=1), batches=100)
    Poisson batches | 200 * poisson(gaussian(sigma=1), q=0.01)
    """
    if not claim.phase:
        return []
    found = [
        case
        for accounted in _samplings(claim)
        for rule in _rules(claim)
        for case in _of(claim, accounted, rule)
    ]
    if len(found) > MOST:
        raise InvalidInput(
            f"claim must have at most {MOST} meanings, got {len(found)}: state adjacency and rules"
        )
    return found


def _samplings(claim: Claim) -> tuple[bool, ...]:
    """Whether the sampling that was accounted for is looked at, beside the one that was run."""
    other = any(isinstance(p, Noise) and p.accounted_as not in (None, p.sampling) for p in claim.phase)
    return (False, True) if other else (False,)


def _rules(claim: Claim) -> tuple[Rule | None, ...]:
    """Rules that may be meant where it matters; the same one in every phase."""
    for i, phase in enumerate(claim.phase):
        if isinstance(phase, Noise) and len(_named(i, partial(possible_steps, phase))) > 1:
            return RULES
    return (None,)


def _of(claim: Claim, accounted: bool, rule: Rule | None) -> Iterator[Case]:
    parts = [_named(i, partial(_part, p, accounted, rule)) for i, p in enumerate(claim.phase)]
    each = [([part for part in whole.parts if part[0] != NOTHING], whole.records) for whole in parts]
    ran = [Composition(tuple(steps), records) for steps, records in each if steps]
    kept = [m for whole in ran for m, _ in whole.parts if isinstance(m, ShuffledBatches) and m.persistent]
    if len(set(kept)) < len(kept):
        raise InvalidInput("phase must not have one persistent order twice: two phases draw two")
    whole = Composition.together(ran) if ran else Composition.of((NOTHING, 1))
    mixed = [hides(part) for part in parts]
    in_order = [
        drawn(phase, accounted) == "shuffled" and part.parts[0][0] != NOTHING
        for phase, part in zip(claim.phase, parts, strict=True)
    ]
    shuffled = any(mixed) or any(in_order)
    open_ended = any(
        so and not known and part.parts[0][0] != BARE
        for so, known, part in zip(in_order, mixed, parts, strict=True)
    )
    stated = (part for phase, part in zip(claim.phase, parts, strict=True) if not isinstance(phase, Noise))
    promised = any(_is_guarantee(m) for part in stated for m, _ in part.parts)
    subject: Subject = "implied" if promised else "true"
    told = [SCHEMES[s].said for s in _told(claim, accounted)] + (
        [f"{rule} of epochs times batches"] if rule else []
    )
    role: Role = "accounted" if accounted else "possible" if rule else "run"
    base = Case(whole, whole.adjacency, role=role, subject=subject, is_run=not open_ended)
    for adjacency, unsaid, has_pairs in _adjacencies(claim, whole, shuffled):
        case = replace(base, adjacency=adjacency, has_pairs=has_pairs)
        named = [adjacency] if unsaid or not has_pairs else []
        case = replace(case, assumes=", ".join([*told, *named]))
        if unsaid and role == "run":
            case = replace(case, role="possible" if claim.adjacency is None else "assumed")
        yield from _with_gaussian(case)


def _with_gaussian(case: Case) -> Iterator[Case]:
    """What zCDP implies, then the Gaussian of the same ρ, N(√2ρ, 1) against N(0, 1): one that it holds of."""
    yield case
    whole = gaussian_of(case.composition)
    if whole != case.composition:
        assumes = ", ".join(filter(None, (case.assumes, "Gaussian noise of the stated ρ")))
        others = any(_is_guarantee(m) for m, _ in case.composition.parts if not rests_on_zcdp(m))
        subject: Subject = "implied" if others else "true"
        yield replace(
            case, composition=whole, assumes=assumes, role="possible", subject=subject, is_stated=False
        )


def gaussian_of(composition: Composition) -> Composition:
    """With Gaussian noise in the place of what is only known to be zCDP: one mechanism that is."""
    return Composition.of(*((_with_noise(m), k) for m, k in composition.parts))


def _with_noise(mechanism: Mechanism) -> Mechanism:
    match mechanism:
        case ZCDP(rho):
            return _gaussian(rho)
        case PoissonSubsampled(ZCDP(rho), q):
            return PoissonSubsampled(_gaussian(rho), q)
        case SampledWithoutReplacement(ZCDP(rho), q):
            return SampledWithoutReplacement(Gaussian(_number(f"sqrt(2/({rho}))", "sigma")), q)
    return mechanism


def _gaussian(rho: Fraction | Irrational) -> GDP:
    return GDP(_number(f"sqrt(2*({rho}))", "mu"))


def _is_guarantee(mechanism: Mechanism) -> bool:
    base = mechanism.base if isinstance(mechanism, PoissonSubsampled | ShuffleModel) else mechanism
    return isinstance(base, _GUARANTEES)


def _adjacencies(claim: Claim, whole: Composition, shuffled: bool) -> list[tuple[Adjacency, bool, bool]]:
    """(adjacency, whether it is assumed, whether it has pairs); what has pairs stands first.

    Of shuffled batches nothing is known where a record is added. Raises InvalidInput for an adjacency that is
    stated, and has no pairs.
    """
    rows: list[tuple[Adjacency, bool, bool]]
    if claim.adjacency is not None:
        if shuffled and claim.adjacency not in ("zero-out", "replace-one"):
            rows = [("zero-out", True, whole.has("zero-out")), (claim.adjacency, False, False)]
            return rows if rows[0][2] else rows[1:]
        whole.directions(claim.adjacency)
        return [(claim.adjacency, False, True)]
    if all(isinstance(mechanism, _GUARANTEES) for mechanism, _ in whole.parts):
        return [(whole.adjacency, False, True)]
    meant: tuple[Adjacency, ...] = ("add-or-remove", "replace-one")
    rows = [(name, True, whole.has(name)) for name in meant]
    if shuffled:
        rows = [("zero-out", True, whole.has("zero-out")), rows[1], ("add-or-remove", True, False)]
    return sorted(rows, key=lambda row: not row[2])


def _told(claim: Claim, accounted: bool) -> list[Sampling]:
    """The samplings that are named in a case: where two are looked at."""
    if len(_samplings(claim)) == 1 and not any(drawn(p, False) == "shuffled" for p in claim.phase):
        return []
    return sorted({s for p in claim.phase if (s := drawn(p, accounted)) is not None})


def drawn(phase: Phase, accounted: bool) -> Sampling | None:
    """How batches were drawn, or as which they were ``accounted`` for; None where none were."""
    if not isinstance(phase, Noise):
        return None
    said = phase.accounted_as if accounted and phase.accounted_as is not None else phase.sampling
    return None if said == "none" else said


def _part(phase: Phase, accounted: bool, rule: Rule | None) -> Composition:
    if isinstance(phase, Expression):
        return as_composition(phase.expression)
    if isinstance(phase, Guarantee):
        return Composition.of((_guaranteed(phase), count(str(phase.times), "times")))
    _read(phase)
    steps = possible_steps(phase)
    times = steps[rule] if rule in steps else next(iter(steps.values()))
    scheme, base = drawn(phase, accounted), _noise(phase)
    if not times or draws_nothing(phase):
        return Composition.of((NOTHING, 1))
    if scheme is None:
        return Composition.of((base, times))
    if scheme in ("shuffled", "balls-and-bins"):
        _fits(phase, scheme)
    if scheme == "shuffled" and base != BARE:
        return _shuffled(phase, base, times)
    said = ((name, getattr(phase, name)) for name in ("batch_size", "dataset_size", *EXTRA))
    known: dict[str, Any] = {name: str(value) for name, value in said if value is not None}
    each = None if phase.batches_per_epoch is None else batches_of_an_epoch(phase)
    return SCHEMES[scheme].of(base, Batches(fraction(phase), per_epoch=each, **known), times)


def _read(phase: Noise) -> None:
    """A look at the numbers that no steps, or no noise, would leave unread. Raises InvalidInput."""
    fraction(phase)
    if phase.sensitivity is not None:
        positive(str(phase.sensitivity), "sensitivity", real)
    for name in (*EXTRA, "batches_per_epoch"):
        if getattr(phase, name) is not None:
            count(str(getattr(phase, name)), name)


def _fits(phase: Noise, scheme: Sampling) -> None:
    """Raises InvalidInput for more batches than an epoch's records fill, and for fewer where none is left."""
    if (batches_of_an_epoch(phase) - 1) * fraction(phase) >= 1:
        raise InvalidInput(
            "batches_per_epoch must be at most dataset_size / batch_size, rounded up, as a record takes part "
            f"once an epoch, got {phase.batches_per_epoch}"
        )
    if scheme == "balls-and-bins" and (batches_of_an_epoch(phase) + 1) * fraction(phase) <= 1:
        raise InvalidInput(
            "batches_per_epoch must be dataset_size / batch_size, rounded down or up, as balls-and-bins puts "
            f"every record into one of them, got {phase.batches_per_epoch}"
        )


def _shuffled(phase: Noise, base: Any, steps: int) -> Composition:
    batches = batches_of_an_epoch(phase)
    taken = batches * fraction(phase)  # of an epoch's records; above 1 where the last batch is smaller
    if isinstance(base, Gaussian) and (taken == 1 or phase.batches_per_epoch is not None):
        whole, last = divmod(steps, batches)
        parts = ((batches, whole, max(Fraction(0), 1 - taken)), (last, 1, 1 - last * fraction(phase)))
        return Composition.of(
            *((ShuffledBatches(base, n, dropped=left), times) for n, times, left in parts if n * times)
        )
    return Composition.of((base, epochs(phase, steps)))


def _noise(phase: Noise) -> Any:
    """What one step does to the records that it sees; who samples it checks its kind."""
    names = ("noise_multiplier", "standard_deviation", "sigma", "scale")
    name = next(name for name in names if getattr(phase, name) is not None)
    noise = nonnegative(str(getattr(phase, name)), name, real)
    if noise == 0:
        return BARE
    if name == "noise_multiplier":
        return Gaussian(noise)
    kind = {"laplace": Laplace, "gaussian": Gaussian}.get(phase.mechanism, DiscreteGaussian)
    return kind(noise, _number(phase.sensitivity, "sensitivity"))


def _guaranteed(phase: Guarantee) -> Mechanism:
    kinds: dict[str, Any] = {"zcdp": ZCDP, "gdp": GDP, "pure_dp": PureDP, "approximate_dp": ApproximateDP}
    stated = (_number(getattr(phase, name), name) for name in GUARANTEED[phase.mechanism])
    base: PureDP | ApproximateDP | GDP | ZCDP = kinds[phase.mechanism](*stated)
    if phase.q is None:
        return base
    q = probability(rational(str(phase.q), "q"), "q", zero=False)
    return PoissonSubsampled(base, q) if q < 1 else base


def _number(value: object, name: str) -> Any:
    """Exact, or enclosed. Any: constructors say that they take fractions, and take both."""
    return real(str(value), name)


def _named(index: int, work: Callable[[], Made]) -> Made:
    """Errors say of which phase."""
    try:
        return work()
    except InvalidInput as error:
        raise InvalidInput(f"phase.{index}: {error}") from None
