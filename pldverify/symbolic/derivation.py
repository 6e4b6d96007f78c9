"""A derivation: the formulas of one pair with their proofs, and what can be done with them."""

from dataclasses import dataclass, fields, replace

from pldverify.mechanisms.density_pair import DensityPair
from pldverify.symbolic import render
from pldverify.symbolic.families.density_pair import mechanism_of
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.parameters import checked_values
from pldverify.symbolic.model.serial import dumps


@dataclass(frozen=True, repr=False)
class Derivation(Formulas):
    """The formulas of a pair in one direction, and how they are shown, kept and made a mechanism."""

    @staticmethod
    def of(formulas: Formulas) -> "Derivation":
        """The derivation that holds these formulas.

        >>> from pldverify.symbolic.derivation import Derivation
        >>> derived = pv.derive(pv.Gaussian(sigma=1))
        >>> Derivation.of(derived) == derived
        True
        """
        return Derivation(**{f.name: getattr(formulas, f.name) for f in fields(Formulas)})

    def at(self, **values: object) -> "Derivation":
        """The same derivation with parameter values attached, by name. Raises InvalidInput.

        >>> derived = pv.derive(pv.Gaussian(sigma=1)).at(sigma="0.5")
        >>> derived.values
        {sigma: Fraction(1, 2)}
        """
        return replace(self, values={**self.values, **checked_values(self.densities.domain, values)})

    def mechanism(self, **values: object) -> DensityPair:
        """The pair with numbers for all parameters, as a mechanism that composes. Raises InvalidInput.

        >>> pair = pv.derive(pv.Laplace(b=1)).mechanism(b=4)
        >>> float(pv.epsilon(pair, delta=0))
        0.25
        """
        return mechanism_of(self.densities, self.at(**values).values)

    def latex(self) -> str:
        """The derivation as LaTeX, an ``aligned`` block for each part.

        >>> r"\\begin{aligned}" in pv.derive(pv.Gaussian(sigma=1)).latex()
        True
        """
        return render.latex(self)

    def __str__(self) -> str:
        """What a terminal shows, as text of 100 columns."""
        return render.plain(self)

    def __repr__(self) -> str:
        return f"Derivation({self.family}, {self.direction}: {render.summary(self)})"

    def _repr_latex_(self) -> str:
        return self.latex()

    def __rich__(self) -> object:
        return render.terminal(self)

    def to_json(self) -> str:
        """The derivation as JSON, expressions in sympy's ``srepr``.

        >>> import json
        >>> json.loads(pv.derive(pv.Gaussian(sigma=1)).to_json())["class"]
        'Derivation'
        """
        return dumps(self)
