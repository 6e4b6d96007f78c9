"""A record of the ledger: one statement, our verdict, and the evidence that runs again."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from typing import NamedTuple


class Verdict(Enum):
    """Our verdict on a statement; :data:`MEANINGS` says when it is given."""

    PROVED = "PROVED"
    ON_A_BOX = "PROVED ON A BOX"
    SUPPORTED = "SUPPORTED"
    CORRECTED = "CORRECTED"
    REFUTED = "REFUTED"
    CONDITIONAL = "CONDITIONAL"
    NOT_CHECKABLE = "NOT CHECKABLE"


MEANINGS = {
    Verdict.PROVED: "by algebra, in balls, or by a written proof that was attacked without success",
    Verdict.ON_A_BOX: "in ball arithmetic, for parameters in a stated box",
    Verdict.SUPPORTED: "not proved; 20 cases or more found no violation",
    Verdict.CORRECTED: "false or ill-formed as printed, by a proved counterexample; the fix is checked",
    Verdict.REFUTED: "false, by a proved counterexample; there is no simple fix",
    Verdict.CONDITIONAL: "false without a hypothesis that print does not state; with it proved, or no "
    "violation found",
    Verdict.NOT_CHECKABLE: "says nothing that can be checked here, or nothing that we could; the record "
    "says why",
}
"""When a statement gets which verdict."""


class Kind(Enum):
    """The sort of a statement."""

    DEFINITION = "definition"
    PROPOSITION = "proposition"
    LEMMA = "lemma"
    THEOREM = "theorem"
    COROLLARY = "corollary"
    REMARK = "remark"
    EQUATION = "equation"
    STEP = "step of a proof"
    ALGORITHM = "algorithm"
    EXAMPLE = "example"
    ENTRY = "table entry"
    CAPTION = "caption"
    CLAIM = "claim of the text"
    COMPLEXITY = "complexity claim"


class Aside(Enum):
    """A remark that a verdict alone does not make."""

    STEP_FALSE = "proof step false, statement true"
    VACUOUS = "vacuous"


class Outcome(NamedTuple):
    """Result of running evidence: a verdict, and in one or two lines what was computed."""

    verdict: Verdict
    witness: str


Run = Callable[[], Outcome]
"""Evidence: a function that proves, searches or compares."""


@dataclass(frozen=True)
class Record:
    """One statement: a row of the paper's file, with its evidence put together.

    Attributes:
        id: key of the paper, a slash, and the place: ``KJH19/cor-11``, ``KH21/eq-5.5``.
        statement: as printed, in LaTeX, shortened.
        verdict: what :attr:`evidence` gives; a run that gives another one fails.
        evidence: proves, searches or compares; takes nothing.
        kind: what sort of statement it is: :func:`usual_kind`, unless its row says otherwise.
        line: line of the paper's text file where the statement begins; None for this package's own.
        reading: how we read the print where it is ambiguous.
        stated: the hypotheses in print.
        needed: hypotheses that print does not state and that turn out to be needed.
        correction: what holds instead.
        aside: what else must be said.
        depends: ids of statements that this one rests on.
        used: where the package uses it, ``module:name``.
        consequence: what follows for a user.
        slow: whether the evidence takes more than a few seconds.
    """

    id: str
    statement: str
    verdict: Verdict
    evidence: Run
    _: KW_ONLY
    kind: Kind
    line: int | None = None
    reading: str = ""
    stated: str = ""
    needed: str = ""
    correction: str = ""
    aside: Aside | None = None
    depends: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    consequence: str = ""
    slow: bool = False

    @property
    def paper(self) -> str:
        """The paper's key."""
        return self.id.partition("/")[0]

    @property
    def place(self) -> str:
        """Where in the paper, as a person cites it.

        >>> from pldverify.theorems.ledger import record
        >>> record("KH21/eq-5.7").place
        '(5.7)'
        >>> record("KJH20s/lem-C.6").place
        'Lemma C.6'
        """
        number, *rest = self.id.partition("/")[2].split("/")
        kind, _, name = number.partition("-")
        shown = _PLACES[kind].shown.format(name)
        return ", ".join([shown, *(part.replace("-", " ") for part in rest)])


class _Place(NamedTuple):
    """How a place is cited, and what usually stands there."""

    shown: str
    kind: Kind


_PLACES = {
    "alg": _Place("Algorithm {}", Kind.ALGORITHM),
    "cor": _Place("Corollary {}", Kind.COROLLARY),
    "def": _Place("Definition {}", Kind.DEFINITION),
    "eq": _Place("({})", Kind.EQUATION),
    "ex": _Place("Example {}", Kind.EXAMPLE),
    "fig": _Place("Figure {}", Kind.CAPTION),
    "lem": _Place("Lemma {}", Kind.LEMMA),
    "prop": _Place("Proposition {}", Kind.PROPOSITION),
    "rem": _Place("Remark {}", Kind.REMARK),
    "sec": _Place("section {}", Kind.CLAIM),
    "tab": _Place("Table {}", Kind.ENTRY),
    "thm": _Place("Theorem {}", Kind.THEOREM),
}
"""Abbreviations with which the place in an id begins."""


def usual_kind(id: str) -> Kind:
    """The sort of statement that the place in an id implies.

    >>> from pldverify.theorems.record import usual_kind
    >>> usual_kind("KH21/lem-5").value, usual_kind("KJH19/lem-8/proof").value
    ('lemma', 'step of a proof')
    """
    number, *rest = id.partition("/")[2].split("/")
    return Kind.STEP if rest == ["proof"] else _PLACES[number.partition("-")[0]].kind
