"""Audit ≤ truth ≤ reported, of one run: every end with its kind, and what a contradiction can mean.

The kinds stay apart. A claim is judged by what is proved, as everywhere. An audit is judged by nothing: it is
true with its confidence, if what it assumes is true. Where it contradicts a proved or a reported number, the
sentences say what can be the case, and decide nothing.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from pldverify.accountants.ask import flaw
from pldverify.audit.confidence import Confidence, GaussianConfidence
from pldverify.errors import InvalidInput, NotSupported
from pldverify.foreign import html as escaped
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import Number, brief, probability, show
from pldverify.numbers.markup import html
from pldverify.numbers.presentation import number
from pldverify.numbers.scientific import outward
from pldverify.numbers.word import Soundness
from pldverify.overviews.page import page
from pldverify.overviews.plot import Drawing, Line, plot
from pldverify.rulings.decide import decide
from pldverify.rulings.soundness import RELATIONS, judge, word
from pldverify.values.least import mu
from pldverify.values.truth import bracket, truth
from pldverify.values.value import UNKNOWN, Value, narrower, of_pairs
from pldverify.values.verdict import SIGNS, Relation, all_hold, holds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Audit = Confidence | GaussianConfidence
HEADINGS = ("kind", "by", "number", "what it is")
_DIGITS = 5
"""Significant digits of the truth that are shown, where they are to be had soon."""
_SECONDS = 1.0
"""Processor seconds for them."""
_SHOWN = 6
"""Digits of an audit's bound, rounded down."""
_NOTHING = "unknown"
_REPORT = (
    "It may be meant of another run (steps, noise, batches) or of other neighbours, be an estimate that was "
    "taken for a bound, or be rounded."
)
_PROMISE = "It misses the error that it promises."
_OTHER_RUN = "what ran is not what the report is of, for of that it is proved"
_FALSE = "the report is false of what ran"


@dataclass(frozen=True)
class Reported:
    """A claim, and what the proved value says of it."""

    claim: Claim
    verdict: Soundness

    @property
    def relation(self) -> Relation:
        """How the true number is said to stand to the claimed one."""
        return RELATIONS.get(self.claim.direction, "=")

    @property
    def text(self) -> str:
        """The number, with the sign of what is claimed of the true one."""
        sign = SIGNS[self.relation] if self.claim.direction in RELATIONS else "≈"
        return f"{sign} {number(self.claim.value)}"


@dataclass(frozen=True, repr=False)
class Overview:
    """What is shown, proved and reported of one number of one run.

    Attributes:
        composition, adjacency: what was run.
        delta: at which ε is meant; None for μ of Gaussian DP.
        proved: the true number, from both ends.
        reported: the claims, each with its verdict: SOUND, UNSOUND or UNDECIDED.
        audits: lower bounds with a confidence.
    """

    composition: Composition
    adjacency: Adjacency
    delta: Fraction | None
    proved: Value
    reported: tuple[Reported, ...]
    audits: tuple[Audit, ...]

    @property
    def symbol(self) -> str:
        """Of the number."""
        return "μ" if self.delta is None else "ε"

    @property
    def name(self) -> str:
        """The symbol, and the δ."""
        return self.symbol if self.delta is None else f"{self.symbol} at δ = {show(self.delta)}"

    @property
    def title(self) -> str:
        """Which number, of what."""
        return f"{self.name} of {self.composition}, {self.adjacency}"

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Texts to read, under the headings kind, by, number, what it is: audits, truth, reports.

        >>> pv.overview(pv.Gaussian(sigma=1), delta="1e-6").rows()[0][0]
        'truth'
        """
        found = [
            (
                "audit",
                one.method,
                f"≥ {outward(one.bound, _SHOWN, -1)}",
                f"confidence {show(one.confidence)}",
            )
            for one in self.audits
        ]
        found.append(("truth", _by(self.proved), self.truth, "proved" if self.truth != _NOTHING else ""))
        found += [("reported", one.claim.source, one.text, str(one.verdict)) for one in self.reported]
        return found

    @property
    def truth(self) -> str:
        """What is proved, as text that supports the verdicts."""
        claimed = (value for one in self.reported for value in _told(one.claim))
        return " ".join(self.proved.shown(*((value, value) for value in claimed))).strip() or _NOTHING

    @property
    def contradictions(self) -> tuple[str, ...]:
        """For each number that another one excludes, a sentence that says what can be the case."""
        return tuple(_contradictions(self))

    def __str__(self) -> str:
        rows = [HEADINGS, *self.rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        return "\n".join([self.title, *lines, *self.contradictions])

    def __repr__(self) -> str:
        return f"Overview({self.title}: {'; '.join(f'{kind} {text}' for kind, _, text, _ in self.rows())})"

    def _repr_html_(self) -> str:
        said = "".join(f"\n<p>{escaped(sentence)}</p>" for sentence in self.contradictions)
        return f"<p>{escaped(self.title)}</p>\n{html(self.rows(), HEADINGS)}{said}"

    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """One line for each number: an arrow for a bound, a bar for what is proved; needs matplotlib.

        Raises MissingLibrary without it.

        >>> found = pv.overview("gaussian(1)", delta="1e-5", claims=[pv.Claim(5, "upper", "model card")])
        >>> found.plot().get_xlabel()
        'ε at δ = 1e-5'
        """
        return plot(f"{self.composition}, {self.adjacency}", self._drawing(), axes)

    def html(self) -> str:
        """A page that needs nothing else: the same drawing, the table, and the sentences.

        It is a page of its own, to which that of a certificate links (:func:`pldverify.save`): what a
        certificate's digest covers is proved, and audits are not.

        >>> page = pv.overview("gaussian(1)", delta="1e-5", claims=[pv.Claim(5, "upper", "card")]).html()
        >>> page.startswith("<!doctype html>"), "<script" in page
        (True, False)
        """
        return page(self.title, self._drawing(), HEADINGS, self.rows(), self.contradictions)

    def save(self, file: str | Path) -> Path:
        """Write :meth:`html` to a file, which is replaced. Returns its path. Raises OSError.

        >>> from tempfile import mkdtemp
        >>> pv.overview("gaussian(1)", delta="1e-5").save(f"{mkdtemp()}/page.html").name
        'page.html'
        """
        place = Path(file)
        place.write_text(self.html(), "utf-8")
        return place

    def _drawing(self) -> Drawing:
        labels = [f"{kind if kind == 'truth' else by} {text}" for kind, by, text, _ in self.rows()]
        audits = [Line(one.bound, ">=") for one in self.audits]
        reports = [Line(one.claim.value, one.relation, str(one.verdict)) for one in self.reported]
        return Drawing(self.name, list(zip(labels, [*audits, None, *reports], strict=True)), self.proved.ends)


def overview(
    composition: Composed,
    *,
    delta: Number | None = None,
    claims: Iterable[Claim] = (),
    audits: Iterable[Audit] = (),
    adjacency: Adjacency | None = None,
) -> Overview:
    """What audits show, what is proved, and what is reported of one run: audit ≤ truth ≤ reported.

    Args:
        composition: what was run: a composition, a mechanism, or an expression of them in a string.
        delta: at which ε is meant, in [0, 1]; left out, all is about the least μ of Gaussian DP.
        claims: of that number, such as ``pv.Claim(3, "upper", "model card")``, or the ``claim`` of a finding.
        audits: of :mod:`pldverify.audit`. A bound on ε at a larger δ holds at ``delta`` too; one at a smaller
            δ says nothing there, and is refused; so is one on μ beside a δ, or one on ε without.
        adjacency: as for :func:`pldverify.delta`.

    Raises InvalidInput.

    >>> from fractions import Fraction
    >>> from pldverify import audit
    >>> run = "100 * poisson(gaussian(1), q=0.01)"
    >>> claims = [pv.Claim(Fraction("0.9"), "upper", "card"), pv.Claim(1, "upper", "opacus")]
    >>> found = pv.overview(run, delta="1e-6", claims=claims, audits=[audit.one_run(60, 100, delta="1e-6")])
    >>> [(kind, number, what) for kind, _, number, what in found.rows()]  # doctest: +NORMALIZE_WHITESPACE
    [('audit', '≥ 0.0517...', 'confidence 0.95'), ('truth', '= 0.9542...', 'proved'),
    ('reported', '≤ 0.9', 'UNSOUND'), ('reported', '≤ 1', 'SOUND')]
    >>> print(*found.contradictions)
    card: ε ≤ 0.9 is false of 100 * poisson(gaussian(sigma=1), q=0.01) under ...
    """
    whole, shown = as_composition(composition), tuple(audits)
    asked = None if delta is None else probability(delta, "delta")
    way = Query(whole, delta=asked or 0, adjacency=adjacency).adjacency
    said = [_claim(one, i) for i, one in enumerate(claims)]
    for i, one in enumerate(shown):
        _fits(one, i, asked)
    proved, verdicts = _of_mu(whole, way, said) if asked is None else _of_epsilon(whole, asked, way, said)
    reported = tuple(Reported(one, Soundness(word)) for one, word in zip(said, verdicts, strict=True))
    return Overview(whole, way, asked, proved, reported, shown)


def _claim(said: object, i: int) -> Claim:
    """With an exact number. Raises InvalidInput."""
    wrong = flaw(said)
    if wrong is not None or not isinstance(said, Claim):
        raise InvalidInput(f"claims[{i}] must be a pv.Claim of a number, got {wrong}")
    return said.exact


def _fits(audit: object, i: int, delta: Fraction | None) -> None:
    """Raises InvalidInput for an audit that says nothing of the number: ε falls in δ."""
    if not isinstance(audit, Confidence | GaussianConfidence):
        raise InvalidInput(f"audits[{i}] must be a bound of pldverify.audit, got {brief(audit)}")
    if isinstance(audit, GaussianConfidence):
        if delta is not None:
            raise InvalidInput(f"delta must be left out, as audits[{i}] is one of μ")
        return
    at = f"audits[{i}] is one of ε at δ = {show(audit.delta)}"
    if delta is None:
        raise InvalidInput(f"delta must be given, as {at}")
    if audit.delta < delta:
        raise InvalidInput(f"delta must be at most that of every audit, got delta={show(delta)}, and {at}")


def _of_epsilon(
    whole: Composition, delta: Fraction, way: Adjacency, claims: Sequence[Claim]
) -> tuple[Value, list[str]]:
    """What is proved of ε, and of each claim."""
    query = Query(whole, delta=delta, adjacency=way)
    made = [decide(claim, query, truth, bracket) for claim in claims]
    value = reduce(narrower, (each.value for each in made), UNKNOWN)
    with suppress(NotSupported):
        found = bracket(query, lambda found: found.digits >= _DIGITS, _SECONDS)
        value = narrower(value, of_pairs(query, found))
    words = [judge(claim, value) for claim in claims]
    return value, [
        each.verdict if word == "UNDECIDED" else word for each, word in zip(made, words, strict=True)
    ]


def _of_mu(whole: Composition, way: Adjacency, claims: Sequence[Claim]) -> tuple[Value, list[str]]:
    """The same of μ, with the numbers that are claimed."""
    said, related = [_of_true_mu(claim) for claim in claims], relation(way)
    asked = [(sign, Fraction(at)) for each in said for sign, at in each if at != math.inf]
    value = reduce(narrower, (mu(whole, related, (each,)) for each in asked), mu(whole, related, ()))
    answers = (
        all_hold(holds(*each, value) for each in statements) if statements else None for statements in said
    )
    return value, [word(answer) for answer in answers]


def _of_true_mu(claim: Claim) -> tuple[tuple[Relation, Bound], ...]:
    """What a claim says of it; of an estimate its promise, if that is one of μ alone."""
    if claim.direction in RELATIONS:
        return ((RELATIONS[claim.direction], claim.value),)
    if claim.promise is None or claim.promise.delta or claim.value == math.inf:
        return ()
    low, high = _told(claim)
    return (">=", low), ("<=", high)


def _told(claim: Claim) -> tuple[Bound, ...]:
    """The numbers that decide of a claim: the ends of a promise."""
    if claim.promise is None or claim.value == math.inf:
        return (claim.value,)
    return claim.value - claim.promise.epsilon, claim.value + claim.promise.epsilon


def _by(value: Value) -> str:
    """What proves both ends, each once."""
    return "; ".join(dict.fromkeys(end.by for end in (value.lower, value.upper) if end is not None))


def _contradictions(found: Overview) -> Iterator[str]:
    run = f"{found.composition} under {found.adjacency}"
    for one in found.reported:
        if one.verdict == "UNSOUND":
            yield (
                f"{one.claim.source}: {found.symbol} {one.text} is false of {run}, as {found.symbol} "
                f"{found.truth} is proved. {_PROMISE if one.claim.direction == 'estimate' else _REPORT}"
            )
    for audit in found.audits:
        yield from _of_audit(audit, found, run)


def _of_audit(audit: Audit, found: Overview, run: str) -> Iterator[str]:
    """What an audit may mean that is above what is proved, or reported."""
    upper = found.proved.upper
    above = [one for one in found.reported if one.relation == "<=" and one.claim.value < audit.bound]
    miss = (
        f"it is a miss, of which there are at most a share of {show(1 - audit.confidence)}; or something "
        f"that it assumes is false ({'; '.join(audit.assumes)})"
    )
    if upper is not None and audit.bound > upper.at:
        yield (
            f"{audit} is above the {found.symbol} {found.truth} that is proved. One of these is the case: "
            f"{miss}; or what ran is not {run}: other noise, other batches, more that was released."
        )
    for one in above:
        other = _OTHER_RUN if one.verdict == "SOUND" else _FALSE
        yield (
            f"{audit} is above the {found.symbol} {one.text} of {one.claim.source}. One of these is the "
            f"case: {miss}; or {other}."
        )
