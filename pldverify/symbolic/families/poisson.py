r"""Poisson subsampling of any pair: (1−q) Q + q P against Q; also the Gaussian base under replace-one."""

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from pldverify.errors import NotSupported
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.families import poisson_gaussian, substitute
from pldverify.symbolic.families.family import Family, moves
from pldverify.symbolic.families.gaussian import NOTE
from pldverify.symbolic.families.normal import Q
from pldverify.symbolic.model.densities import Densities
from pldverify.symbolic.model.domain import Domain


def poisson(
    mechanism: PoissonSubsampled, direction: Direction, base: Callable[[Mechanism, Direction], Family]
) -> Family:
    """``base`` gives the family of the base mechanism. Raises NotSupported where there is no pair."""
    if mechanism.q == 1:
        return base(mechanism.base, direction)
    if isinstance(mechanism.base, Gaussian):
        values = {"sigma": mechanism.base.noise_multiplier, "q": mechanism.q}
        if moves(direction) == 2:
            return Family("substitute", substitute.DENSITIES, values, (substitute.NOTE,), substitute.printed)
        return Family(
            "poisson-gaussian", poisson_gaussian.DENSITIES, values, (NOTE,), poisson_gaussian.printed
        )
    if moves(direction) == 2:
        raise NotSupported(f"there is no pair for {mechanism} under replace-one")
    family = base(mechanism.base, "remove")
    return Family(
        f"poisson-{family.key}",
        subsampled(family.densities),
        {**family.values, "q": mechanism.q},
        family.notes,
    )


def subsampled(densities: Densities) -> Densities:
    """(1 − q) Q + q P against Q."""
    regions = tuple(
        replace(
            r, p=sp.expand((1 - Q) * r.q) + Q * r.p, ratio=None if r.ratio is None else 1 - Q + Q * r.ratio
        )
        for r in densities.regions
    )
    domain = densities.domain
    intervals = {**domain.intervals, Q: (sp.Integer(0), sp.Integer(1))}
    return replace(
        densities,
        title=f"Poisson sample with probability q of: {densities.title}",
        regions=regions,
        domain=Domain.of(intervals, domain.box),
    )
