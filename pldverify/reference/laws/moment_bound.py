"""Base of what has no law: only upper bounds of M(λ), λ > 0, are known, as of Rényi divergences."""

from abc import ABC, abstractmethod
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.errors import NoConvergence
from pldverify.reference.laws.law import Decay


class MomentBound(ABC):
    """What :meth:`log_moment` bounds."""

    infinite_mass = Fraction(0)

    @property
    def largest_finite_loss(self) -> Fraction | None:
        """None: losses are without bounds, as far as is known."""
        return None

    @abstractmethod
    def log_moment(self, lam: Fraction) -> arb:
        """Upper bound of log M(``lam``), ``lam`` > 0. Raises NoConvergence where none is known."""

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        """An upper bound of M at a real ``theta`` > 0. Raises NoConvergence elsewhere."""
        if count or theta <= 0:
            raise NoConvergence(f"{type(self).__name__}: moments of positive order alone are bounded")
        return [acb(self.log_moment(theta).exp())]

    def decay(self, theta: Fraction) -> Decay:
        """Nothing is known."""
        return Decay()
