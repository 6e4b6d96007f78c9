"""What a mechanism and a composition are: names for dominating pairs, and nothing that computes.

A mechanism's file is all that there is of it here: its class names the expression that the command line reads
(``class Gaussian(Mechanism, expression="gaussian")``), and its fields are the parameters of that expression.
One line in ``pldverify/mechanisms/__init__.py`` makes it public.

A constructor takes any number and holds exact ones, set by ``vars(self).update(…)``, as the class is frozen.

Order does not matter in a composition, and cost must not grow with counts: it is a multiset.

A parameter that is no fraction (σ = √2) is kept as an :class:`Irrational` where the pair is *ordered* in it:
where the pair of one value is a post-processing of the pair of a larger value, or of a smaller one. A file
that says so proves it. Post-processing each factor of a product post-processes the product, so in such a
parameter δ(ε), ε(δ), every Rényi divergence and the trade-off function of a composition are monotone: the
values at both :meth:`Composition.ends` enclose them. Elsewhere such a parameter is refused.
"""

from abc import ABC
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

from pldverify.errors import InvalidInput
from pldverify.mechanisms.relations import (
    RELATIONS,
    Adjacency,
    Direction,
    Relation,
    directions,
    relation,
)
from pldverify.numbers.exact import brief, count, show
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.markup import html

Standing = Literal["exact", "upper bound", "lower bound", "neither"]
"""What the pairs' δ is of the worst δ that the mechanisms have on neighbours."""

_REPR = 200
"""Characters of an expression that ``repr`` shows."""
STANDINGS: dict[Standing, str] = {
    "exact": "true",
    "upper bound": "upper bound on the true",
    "lower bound": "lower bound on the true",
    "neither": "neither bound on the true",
}
"""What a value of the dominating pairs is called."""


class Mechanism(ABC):
    """Base of all mechanisms: hashable, comparable, composed with ``+``, ``sum`` and ``count * mechanism``.

    Attributes:
        expression: name in an expression, of mechanisms that have one.
        expressions: {name: class}, of all of them.
        rises, falls: the parameters that may be irrational, as δ rises or falls with them.
    """

    expression: ClassVar[str]
    expressions: ClassVar[dict[str, type["Mechanism"]]] = {}
    rises: ClassVar[tuple[str, ...]] = ()
    falls: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(
        cls,
        *,
        expression: str | None = None,
        rises: tuple[str, ...] = (),
        falls: tuple[str, ...] = (),
        **rest: object,
    ) -> None:
        super().__init_subclass__(**rest)
        cls.rises, cls.falls = rises, falls
        if expression is not None:
            Mechanism.expressions[expression] = cls
            cls.expression = expression

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The relations under which the mechanism has a pair."""
        return RELATIONS

    @property
    def tight_steps(self) -> int | None:
        """Steps for which the pair's δ is attained (None: any number); beyond, it only bounds the truth."""
        return None

    @property
    def tight_rates(self) -> bool:
        """Whether its trade-off function is attained for as many steps, too. It isn't where each δ(ε) is
        attained by some neighbours, and a level between their tests by none.
        """
        return True

    @property
    def dominates(self) -> bool:
        """Whether the pair bounds every pair of neighbours; some in print do not, and stay as printed."""
        return True

    @property
    def is_exact(self) -> bool:
        """Whether every parameter is a rational number."""
        return not any(
            isinstance(value, Irrational)
            or (isinstance(value, Mechanism | Composition) and not value.is_exact)
            for value in vars(self).values()
        )

    def ends(self) -> tuple[Self, Self]:
        """Mechanisms with rational parameters, one with a smaller δ and one with a greater one; this one
        twice, where it is exact.

        >>> less, more = pv.Gaussian(sigma="sqrt(2)").ends()
        >>> pv.delta(less, epsilon=1).lower < pv.delta(more, epsilon=1).upper
        True
        >>> pv.Gaussian(sigma=2).ends() == (pv.Gaussian(sigma=2), pv.Gaussian(sigma=2))
        True
        """
        return (
            self._with(lambda name, x: x.upper if name in self.falls else x.lower, 0),
            self._with(lambda name, x: x.lower if name in self.falls else x.upper, 1),
        )

    def middle(self) -> Self:
        """A mechanism with rational parameters next to these, for estimates.

        >>> float(pv.Gaussian(sigma="sqrt(2)").middle().sigma)
        1.4142135623730951
        """
        return self._with(lambda name, x: x.middle, None)

    def _with(self, pick: Callable[[str, Irrational], Fraction], end: int | None) -> Self:
        if self.is_exact:
            return self
        changed: dict[str, object] = {}
        for name, value in vars(self).items():
            if isinstance(value, Irrational):
                changed[name] = pick(name, value)
            elif isinstance(value, Mechanism | Composition):
                changed[name] = value.middle() if end is None else value.ends()[end]
        return replace(self, **changed)  # type: ignore[type-var]  # mechanisms are dataclasses

    def __str__(self) -> str:
        """The expression that the command line reads back as this mechanism: what isn't at its default."""
        rows = [(field, getattr(self, field.name)) for field in parameters(self)]
        told = (_told(field.name, value) for field, value in rows if value != field.default)
        return f"{self.expression}({', '.join(told)})"

    def __rmul__(self, count: int) -> "Composition":
        return Composition.of((self, count))

    __mul__ = __rmul__

    def __add__(self, other: "Mechanism | Composition") -> "Composition":
        return Composition.of((self, 1)) + other

    def __radd__(self, nothing: object) -> "Composition":
        return composed(self).__radd__(nothing)


def _told(name: str, value: object) -> str:
    """A parameter in an expression."""
    if isinstance(value, Mechanism | Composition):
        return str(value)
    if isinstance(value, tuple):
        return f"{name}=[{', '.join(map(show, value))}]"
    return f"{name}={show(value) if isinstance(value, Fraction | Irrational) else value}"


def parameters(mechanism: Mechanism) -> tuple[Field[Any], ...]:
    """The fields that say which mechanism it is."""
    return fields(mechanism)  # type: ignore[arg-type]  # mechanisms are dataclasses


@dataclass(frozen=True)
class Composition:
    """Non-adaptive or adaptive composition of independent mechanisms; the dominating pairs multiply.

    Attributes:
        parts: distinct mechanisms with their counts (1 to 10**12), in a canonical order.
        records: the size of the groups of which :func:`pldverify.group` made it, for words: each of the parts
            takes such a group for one record.

    Equal mechanisms merge. Raises InvalidInput for no mechanism, a count that is no integer from 1 to 10**12,
    and mechanisms without a common relation.

    >>> whole = 500 * pv.Gaussian(sigma=4) + 20 * pv.Laplace(b=10) + pv.Gaussian(sigma=4)
    >>> print(whole)
    501 * gaussian(sigma=4) + 20 * laplace(b=10)
    >>> whole.steps, whole.adjacency, whole.standing
    (521, 'add-or-remove', 'exact')
    >>> whole == sum([pv.Laplace(b=10)] * 20) + 501 * pv.Gaussian(sigma=4)
    True
    """

    parts: tuple[tuple[Mechanism, int], ...]
    records: int = field(default=1, repr=False, compare=False)
    _texts: list[str] = field(init=False, repr=False, compare=False)
    _common: set[Relation] = field(init=False, repr=False, compare=False)
    _hash: int | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        counts: dict[Mechanism, int] = {}
        for mechanism, times in _pairs(self.parts):
            counts[mechanism] = counts.get(mechanism, 0) + count(times, "count")
        for times in (*counts.values(), self.records):
            count(times, "count")
        if not counts:
            raise InvalidInput("composition must have at least one mechanism, got none")
        rows = sorted(((str(part[0]), part) for part in counts.items()), key=lambda row: row[0])
        common = {name for name in RELATIONS if all(name in mechanism.relations for mechanism in counts)}
        self._settle([part for _, part in rows], [key for key, _ in rows], common)

    def _settle(self, parts: list[tuple[Mechanism, int]], texts: list[str], common: set[Relation]) -> None:
        """Distinct ``parts`` in the order of their ``texts`` are the composition. Raises InvalidInput unless
        they have a ``common`` relation.
        """
        vars(self).update(parts=tuple(parts), _texts=texts, _common=common, _hash=None)
        if not common:
            raise InvalidInput(
                "composition must have one neighbouring relation, got mechanisms of add-or-remove only ("
                f"{self.without('replace-one')}) and of replace-one only ({self.without('add-or-remove')})"
            )

    def __repr__(self) -> str:
        """As an expression, the beginning of a long one."""
        text = str(self)
        return f"Composition({text if len(text) <= _REPR else text[:_REPR] + '…'!r})"

    def _repr_html_(self) -> str:
        return html(
            [[f"{times:,}", str(mechanism)] for mechanism, times in self.parts], ["times", "mechanism"]
        )

    def __hash__(self) -> int:
        """Taken once, when it is asked for: it takes long for a thousand mechanisms."""
        if self._hash is None:
            vars(self).update(_hash=hash(self.parts))
        return hash(self._hash)

    def __reduce__(self) -> tuple[object, ...]:
        """Another process hashes texts otherwise."""
        return Composition, (self.parts, self.records)

    @staticmethod
    def of(*parts: tuple[Mechanism, object]) -> "Composition":
        """Of (mechanism, count) pairs, counts any exact number. Raises InvalidInput.

        >>> print(pv.Composition.of((pv.Gaussian(sigma=1), 2), (pv.Laplace(b=3), "1e3")))
        2 * gaussian(sigma=1) + 1000 * laplace(b=3)
        """
        return Composition(parts)  # type: ignore[arg-type]  # counts become integers there

    @staticmethod
    def together(wholes: "Sequence[Composition]") -> "Composition":
        """All parts of some compositions; of groups, if all are of one size. Raises InvalidInput.

        >>> whole = pv.Composition.together([pv.group(pv.Gaussian(sigma=1), 2), pv.group(pv.Laplace(b=1), 2)])
        >>> whole.steps, whole.records
        (2, 2)
        """
        sizes = {whole.records for whole in wholes}
        parts = tuple(part for whole in wholes for part in whole.parts)
        return Composition(parts, sizes.pop() if len(sizes) == 1 else 1)

    @property
    def counts(self) -> Mapping[Mechanism, int]:
        """{mechanism: count}."""
        return dict(self.parts)

    @property
    def steps(self) -> int:
        """Number of mechanisms, with multiplicity."""
        return sum(times for _, times in self.parts)

    def without(self, name: str) -> Mechanism | None:
        """A mechanism that has no pair under the relation ``name``, if there is one.

        >>> whole = pv.Gaussian(sigma=1) + pv.SampledWithoutReplacement(pv.Gaussian(sigma=1), q="0.1")
        >>> print(whole.without("add-or-remove"), whole.without("replace-one"))
        sampled_without_replacement(gaussian(sigma=1), q=0.1) None
        """
        return next((m for m, _ in self.parts if name not in m.relations), None)

    def has(self, name: str) -> bool:
        """Whether every mechanism has a pair under the relation ``name``.

        >>> whole = 3 * pv.SampledWithoutReplacement(pv.Gaussian(sigma=1), q="0.1")
        >>> whole.has("add-or-remove"), whole.has("replace-one")
        (False, True)
        """
        return name in self._common

    @property
    def adjacency(self) -> Adjacency:
        """The default: the first of ``add-or-remove``, ``zero-out`` and ``replace-one`` that is defined."""
        preferred: tuple[Relation, ...] = ("add-or-remove", "zero-out", "replace-one")
        return next(name for name in preferred if name in self._common)

    def directions(self, adjacency: str | None = None) -> tuple[Direction, ...]:
        """The ordered pairs to maximise over; None for :attr:`adjacency`.

        Raises InvalidInput for an unknown adjacency, or one under which a mechanism has no pair.

        >>> whole = 3 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.1")
        >>> whole.directions(), whole.directions("remove")
        (('remove', 'add'), ('remove',))
        """
        asked = self.adjacency if adjacency is None else adjacency
        ordered = directions(asked)
        stranger = self.without(relation(asked))
        if stranger is not None:
            raise InvalidInput(
                f"adjacency must be {' or '.join(stranger.relations)} for {stranger}, got adjacency={asked!r}"
            )
        return ordered

    @property
    def tight(self) -> bool:
        """Whether the pairs' δ is attained: some neighbours have it."""
        limits = [m.tight_steps for m, _ in self.parts if m.tight_steps is not None]
        return all(self.steps <= limit for limit in limits)

    @property
    def attained(self) -> bool:
        """Whether some neighbours have the whole pairs. That fails, though :attr:`tight` holds, for one batch
        of a fixed size: its pair is put together from two that different neighbours have, so that every
        δ(ε) is attained, and a Rényi divergence or a tail is only bounded.
        """
        return all(m.tight_steps is None for m, _ in self.parts)

    @property
    def tight_rates(self) -> bool:
        """Whether the pairs' trade-off function is attained where their δ is."""
        return all(m.tight_rates for m, _ in self.parts)

    @property
    def dominates(self) -> bool:
        """Whether the pairs bound all neighbours: none have a greater δ."""
        return all(m.dominates for m, _ in self.parts)

    @property
    def standing(self) -> Standing:
        """What the pairs' δ and ε are of the true ones."""
        if self.dominates:
            return "exact" if self.tight else "upper bound"
        return "lower bound" if self.tight else "neither"

    @property
    def is_exact(self) -> bool:
        """Whether every parameter of every mechanism is a rational number."""
        return all(mechanism.is_exact for mechanism, _ in self.parts)

    def ends(self) -> tuple["Composition", "Composition"]:
        """Compositions with rational parameters, one with a smaller δ and one with a greater one; this one
        twice, where it is exact.

        >>> less, more = (10 * pv.Gaussian(sigma="sqrt(2)")).ends()
        >>> less.steps, more.steps, less == more
        (10, 10, False)
        """
        if self.is_exact:
            return self, self
        ends = [(mechanism.ends(), k) for mechanism, k in self.parts]
        least, greatest = (Composition.of(*((pair[i], k) for pair, k in ends)) for i in (0, 1))
        return least, greatest

    def middle(self) -> "Composition":
        """A composition with rational parameters next to these, for estimates.

        >>> whole = 10 * pv.Gaussian(sigma="sqrt(2)")
        >>> whole.middle() == whole, whole.middle().middle() == whole.middle()
        (False, True)
        """
        return self if self.is_exact else Composition.of(*((m.middle(), k) for m, k in self.parts))

    def __rmul__(self, times: object) -> "Composition":
        factor = count(times, "count")
        return Composition(tuple((m, k * factor) for m, k in self.parts), self.records)

    __mul__ = __rmul__

    def __add__(self, other: "Mechanism | Composition") -> "Composition":
        """The parts of the smaller one take their places among those of the other: a long sum stays cheap."""
        more = composed(other)
        large, small = (more, self) if len(more.parts) > len(self.parts) else (self, more)
        parts, texts = list(large.parts), list(large._texts)
        for text, (mechanism, times) in zip(small._texts, small.parts, strict=True):
            at = bisect_left(texts, text)
            while at < len(texts) and texts[at] == text and parts[at][0] != mechanism:
                at += 1
            if at < len(texts) and texts[at] == text:
                parts[at] = (mechanism, count(parts[at][1] + times, "count"))
            else:
                parts.insert(at, (mechanism, times))
                texts.insert(at, text)
        whole = object.__new__(Composition)
        whole._settle(parts, texts, large._common & small._common)
        if self.records == more.records:  # else there is no one size
            vars(whole).update(records=self.records)
        return whole

    def __radd__(self, nothing: object) -> "Composition":
        """``sum`` starts with 0."""
        if isinstance(nothing, bool) or nothing != 0:
            raise InvalidInput(f"composition must be a mechanism or a composition, got {brief(nothing)}")
        return self

    def __str__(self) -> str:
        return " + ".join(f"{k} * {m}" if k > 1 else str(m) for m, k in self.parts)


def composed(value: object) -> Composition:
    """A mechanism alone is a composition of one. Raises InvalidInput for anything else; for what may be an
    expression too there is ``as_composition.py``.
    """
    if isinstance(value, Composition):
        return value
    if isinstance(value, Mechanism):
        return Composition.of((value, 1))
    raise InvalidInput(f"composition must be a mechanism or a composition, got {brief(value)}")


def _pairs(parts: object) -> list[tuple[Mechanism, object]]:
    """``parts`` as (mechanism, count) pairs. Raises InvalidInput."""
    pairs: list[Any] = list(parts) if isinstance(parts, tuple | list) else [parts]
    for pair in pairs:
        if not (isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[0], Mechanism)):
            raise InvalidInput(f"parts must be pairs of a mechanism and a count, got {brief(pair)}")
    return [(pair[0], pair[1]) for pair in pairs]
