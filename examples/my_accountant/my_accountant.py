"""A small accountant: zero-concentrated DP of Gaussian mechanisms (Bun and Steinke 2016, Proposition 1.3)."""

import math

import pldverify as pv


class ZCDP(pv.Accountant):
    """ρ = Σ k/2σ² and ε = ρ + 2√(ρ log(1/δ)), rounded up."""

    direction = "upper"

    def supports(self, query):
        if query.delta is None or not 0 < query.delta < 1:
            return "it has ε at a δ between 0 and 1"
        if query.adjacency == "replace-one":
            return "a replaced record moves the sum twice as far"
        for mechanism, _ in query.composition.parts:
            if not isinstance(mechanism, pv.Gaussian):
                return f"no ρ for {mechanism}"

    def claim(self, query):
        rho = sum(k / (2 * float(m.noise_multiplier) ** 2) for m, k in query.composition.parts)
        return (rho + 2 * math.sqrt(rho * -math.log(query.delta))) * (1 + 1e-12)
