"""The claims file: its schema ``pldverify-claims/1``, as pydantic models at this boundary.

Numbers are decimals, fractions, percentages or expressions in strings, or integers; a TOML or JSON float is
read by its text, so 0.01 is 1/100. The JSON Schema is ``schema()``; a copy is
``pldverify/claims/claims-1.schema.json``.
"""

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from pldverify.boundary import Closed
from pldverify.mechanisms.batches import EXTRA, Sampling, wrong

SCHEMA = "pldverify-claims/1"
MOST = 10_000
"""Claims of a file."""

_LARGEST = 2**53 - 1
"""Largest integer accepted as a JSON number: larger ones may not be exact as doubles (RFC 7493, 2.2)."""
Text = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
Number = (
    Annotated[str, StringConstraints(min_length=1, max_length=1_000)] | Annotated[int, Field(le=_LARGEST)]
)
"""An exact number: ``"0.01"``, ``"1%"``, ``"256/60000"``, ``"sqrt(2)"``, ``15``."""
_OLDER = {"fixed_without_replacement": "fixed", "fixed_with_replacement": "fixed-with-replacement"}
"""Words of older files."""
Drawn = Annotated[
    Literal["none", Sampling],
    BeforeValidator(
        lambda said: _OLDER.get(said, said) if isinstance(said, str) else said,
        json_schema_input_type=Literal[
            "none", Sampling, "fixed_without_replacement", "fixed_with_replacement"
        ],
    ),
]
"""How batches are drawn: the words of run flags, and ``none``."""
Rule = Literal["ceil", "floor", "exact"]
Relation = Literal["<=", "=", ">="]
QUANTITIES = ("epsilon", "rho", "mu", "rdp", "tpr", "advantage")
"""The fields of a claim of which one is claimed."""
Adjacency = Literal["add", "remove", "add-or-remove", "replace-one", "zero-out"]


class Noise(Closed):
    """Steps that add noise to a query, on all records or on a sample of them.

    The noise is ``noise_multiplier`` (standard deviation over sensitivity; Gaussian noise alone), or
    ``standard_deviation`` (Gaussian), ``sigma`` (discrete Gaussian: the parameter, which its standard
    deviation is smaller than) or ``scale`` (Laplace) with ``sensitivity``, which is how far one record's
    presence moves the query. Of Gaussian noise ``sigma`` is what it is in an expression: the standard
    deviation where there is a ``sensitivity``, else the noise multiplier.
    """

    mechanism: Literal["gaussian", "discrete_gaussian", "laplace"]
    noise_multiplier: Number | None = None
    standard_deviation: Number | None = None
    sigma: Number | None = None
    scale: Number | None = None
    sensitivity: Number | None = None
    sampling: Drawn
    accounted_as: Annotated[
        Drawn | None, Field(description="The sampling that was accounted for, where it is another one.")
    ] = None
    q: Annotated[
        Number | None,
        Field(description="Sampling probability (cyclic-poisson: in the group), or fraction of the records."),
    ] = None
    batch_size: Number | None = None
    dataset_size: Number | None = None
    max_batch: Annotated[Number | None, Field(description="Largest batch, of truncated-poisson.")] = None
    participations: Annotated[
        Number | None, Field(description="Steps that each record is in, of allocation.")
    ] = None
    cycle_length: Annotated[
        Number | None, Field(description="Groups of records that take turns, of cyclic-poisson.")
    ] = None
    steps: Number | None = None
    epochs: Number | None = None
    batches_per_epoch: Annotated[
        Number | None, Field(description="Batches of an epoch, where that is not dataset_size / batch_size.")
    ] = None
    steps_rule: Annotated[
        Rule | None, Field(description="How epochs times batches of an epoch become a number of steps.")
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _sigma(cls, said: Any) -> Any:
        if not isinstance(said, dict) or said.get("mechanism") != "gaussian" or "sigma" not in said:
            return said
        name = "standard_deviation" if "sensitivity" in said else "noise_multiplier"
        return said if name in said else {name if key == "sigma" else key: said[key] for key in said}

    @model_validator(mode="after")
    def _says_it_once(self) -> Self:
        given = self.model_fields_set
        spread = {"gaussian": "standard_deviation", "discrete_gaussian": "sigma"}.get(self.mechanism, "scale")
        drawn = sorted({self.sampling, self.accounted_as or self.sampling} - {"none"})
        faults = {
            f"{self.mechanism} noise must have {spread} and sensitivity"
            + _INSTEAD.get(self.mechanism, ""): not _noise_is_said(given, spread, self.mechanism),
            "accounted_as must not be none, for q would have no meaning": self.accounted_as == "none",
            "accounted_as must be left out where sampling is none, as q is": self.sampling == "none"
            and self.accounted_as is not None,
            "exactly one of steps and epochs must be given": ("steps" in given) == ("epochs" in given),
            "batches_per_epoch and steps_rule must stand with epochs": "steps" in given
            and bool(given & {"steps_rule"}),
            "batch_size and dataset_size, not q, must be given for cyclic-poisson and another sampling, as q "
            "is of a group": len(drawn) > 1 and "cyclic-poisson" in drawn and "q" in given,
        }
        fault = next((text for text, holds in faults.items() if holds), None) or _of_batches(given, drawn)
        if fault is not None:
            raise ValueError(fault)
        return self


def _of_batches(given: set[str], drawn: list[Any]) -> str | None:
    """What is wrong with what is said of batches that are drawn, or accounted for, so."""
    if drawn:
        names = given - {"q"} | ({"sampling_probability"} if "q" in given else set())
        return wrong(names, *drawn, say=lambda name: _CALLED.get(name, name))
    shares = ("q", "batch_size", "dataset_size", *EXTRA)
    return f"{', '.join(shares)} must be left out where nothing is sampled" if given & set(shares) else None


_CALLED = {"sampling_probability": "q", "sampling": "sampling or accounted_as"}
"""Arguments of a run that have another name here."""
_INSTEAD = {
    "gaussian": ", or noise_multiplier",
    "discrete_gaussian": "; sigma is the parameter, not the standard deviation, which is smaller",
}
"""What the message says besides."""


def _noise_is_said(given: set[str], spread: str, mechanism: str) -> bool:
    told = given & {"noise_multiplier", "standard_deviation", "sigma", "scale", "sensitivity"}
    return told == {spread, "sensitivity"} or (mechanism == "gaussian" and told == {"noise_multiplier"})


GUARANTEED = {
    "pure_dp": ("epsilon",),
    "approximate_dp": ("epsilon", "delta"),
    "zcdp": ("rho",),
    "gdp": ("mu",),
}
"""What a guarantee is stated by."""


class Guarantee(Closed):
    """A release of which a guarantee is stated, and no mechanism: pure or approximate DP, zCDP, GDP."""

    mechanism: Literal["pure_dp", "approximate_dp", "zcdp", "gdp"]
    epsilon: Number | None = None
    delta: Number | None = None
    rho: Number | None = None
    mu: Number | None = None
    times: Number = 1
    sampling: Literal["none", "poisson"] = "none"
    q: Number | None = None

    @model_validator(mode="after")
    def _has_its_parameters(self) -> Self:
        needs = GUARANTEED[self.mechanism]
        if self.model_fields_set & {"epsilon", "delta", "rho", "mu"} != set(needs):
            raise ValueError(f"{self.mechanism} must have {' and '.join(needs)}, and nothing else")
        if (self.sampling == "poisson") != (self.q is not None):
            raise ValueError("q must be given for sampling, and only then")
        return self


class Expression(Closed):
    """Any mechanism expression of the command line; it is parsed, and no code of yours is run."""

    mechanism: Literal["expression"]
    expression: Text


Phase = Annotated[Noise | Guarantee | Expression, Field(discriminator="mechanism")]
MECHANISMS: tuple[str, ...] = tuple(
    name
    for kind in (Noise, Guarantee, Expression)
    for name in get_args(kind.model_fields["mechanism"].annotation)
)
"""What a phase can be."""


class Renyi(Closed):
    """A claimed Rényi divergence of one order, in nats."""

    order: Number
    divergence: Number


class Rate(Closed):
    """A claimed true positive rate of attacks with a false positive rate."""

    fpr: Number
    tpr: Number


class Source(Closed):
    """Where the claim stands in print."""

    title: Text | None = None
    url: Text | None = None
    repository: Text | None = None
    commit: Text | None = None
    path: Text | None = None
    accessed: Text | None = None
    quotes: list[Text] = Field([])


class Claim(Closed):
    """One reported budget, and what was run.

    Exactly one of ``epsilon`` (with ``delta``), ``rho``, ``mu``, ``rdp``, ``tpr`` and ``advantage`` is
    claimed.
    """

    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
    title: Text | None = None
    epsilon: Annotated[Number | None, Field(description="Claimed ε in nats, as printed.")] = None
    delta: Number | None = None
    rho: Annotated[Number | None, Field(description="Claimed zCDP parameter.")] = None
    mu: Annotated[Number | None, Field(description="Claimed GDP parameter.")] = None
    regret: Annotated[
        Number | None, Field(description="By how much both errors of G_μ may be moved, of a claimed μ.")
    ] = None
    rdp: Renyi | None = None
    tpr: Rate | None = None
    advantage: Annotated[Number | None, Field(description="Claimed largest TPR − FPR of an attack.")] = None
    relation: Annotated[
        Relation, Field(description="How the true value stands to the claimed one; a guarantee claims <=.")
    ] = "<="
    exact: Annotated[
        bool, Field(description="Whether the printed number means itself, and no other that rounds to it.")
    ] = False
    phase: list[Phase] = Field(
        [], description="Phases and other releases; they compose. None: nothing is stated."
    )
    adjacency: Adjacency | None = None
    unit: Annotated[Text | None, Field(description="Unit of privacy: whose data a neighbour changes.")] = None
    trust_model: Annotated[Text | None, Field(description="Central, local, shuffle, federated.")] = None
    accountant: Text | None = None
    other_releases: Annotated[
        Text | None, Field(description="What else was released of the data, hyperparameter search included.")
    ] = None
    implementation: Annotated[
        Text | None, Field(description="How noise is sampled, and what was done about floating point.")
    ] = None
    note: Annotated[Text | None, Field(description="A sentence that stands beside the verdict.")] = None
    source: Source | None = None
    deployment: Annotated[
        dict[str, Any] | None, Field(description="Block ``basic`` of an OpenDP deployments registry entry.")
    ] = None

    @model_validator(mode="after")
    def _claims_one_thing(self) -> Self:
        claimed = [name for name in QUANTITIES if getattr(self, name) is not None]
        if len(claimed) != 1:
            allowed = f"{', '.join(QUANTITIES[:-1])} and {QUANTITIES[-1]}"
            raise ValueError(f"exactly one of {allowed} must be claimed, got {claimed or 'none'}")
        if self.regret is not None and self.mu is None:
            raise ValueError("regret must stand with mu, and only there")
        if (self.delta is not None) != (self.epsilon is not None):
            raise ValueError("delta must stand with epsilon, and only there; pure DP claims delta = 0")
        return self

    @property
    def quantity(self) -> str:
        """The field of what is claimed."""
        return next(name for name in QUANTITIES if getattr(self, name) is not None)

    @property
    def number(self) -> str | int:
        """The claimed number, as printed."""
        if self.rdp is not None:
            return self.rdp.divergence
        if self.tpr is not None:
            return self.tpr.tpr
        number: str | int = getattr(self, self.quantity)
        return number


class ClaimsFile(Closed):
    """Reported budgets to be judged."""

    schema_: Annotated[Literal["pldverify-claims/1"], Field(alias="schema")]
    claim: Annotated[list[Claim], Field(min_length=1, max_length=MOST)]


def schema() -> dict[str, Any]:
    """The JSON Schema of a claims file.

    >>> schema()["$id"], sorted(schema()["required"])
    ('pldverify-claims/1', ['claim', 'schema'])
    """
    made = ClaimsFile.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA, **made}
