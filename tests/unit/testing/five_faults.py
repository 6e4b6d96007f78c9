"""Five faults of other people's code, written as they stood there, as a user has them in a file."""

import math

import pldverify as pv


class Own(pv.Accountant):
    direction = "upper"


class Sums(Own):
    """Noise is scaled by the sensitivity when it is added, and counted as of sensitivity 1."""

    def claim(self, query: pv.Query) -> float:
        if query.delta != 0:
            raise NotImplementedError("ε at δ = 0")
        return sum(count / _b(mechanism) for mechanism, count in query.composition.parts)


class Parallel(Own):
    """At δ = 0, mechanisms are taken to be run on different records; with a δ, by advanced composition."""

    def claim(self, query: pv.Query) -> float:
        ((mechanism, count), *others) = query.composition.parts
        if others or query.delta is None:
            raise NotImplementedError("ε of one mechanism")
        epsilon = 1 / _b(mechanism)
        if query.delta == 0:
            return epsilon
        root = math.sqrt(2 * count * -math.log(query.delta))
        return min(count * epsilon, epsilon * root + count * epsilon * math.expm1(epsilon))


class Odometer(Own):
    """δ of k steps is composed, and then multiplied by 1 − δ again."""

    def claim(self, query: pv.Query) -> float:
        ((mechanism, count), *others) = query.composition.parts
        if others or query.delta is None or not isinstance(mechanism, pv.ApproximateDP):
            raise NotImplementedError("ε of one (ε, δ)-mechanism")
        epsilon = float(mechanism.epsilon)
        delta = 1 - (1 - float(mechanism.delta)) ** count
        left = float(query.delta) - delta * (1 - delta)
        if left <= 0:
            return math.inf
        drift = count * epsilon * math.expm1(epsilon) / (math.exp(epsilon) + 1)
        return min(count * epsilon, drift + epsilon * math.sqrt(2 * count * -math.log(left)))


class Inverted(Own):
    """The scale of Laplace noise is passed for its inverse."""

    def claim(self, query: pv.Query) -> float:
        if query.delta is None:
            raise NotImplementedError("ε")
        return sum(count * _b(mechanism) for mechanism, count in query.composition.parts)


class Converted(Own):
    """Canonne, Kamath, Steinke 2020, Proposition 12, over a grid of orders, never cut at 0."""

    def claim(self, query: pv.Query) -> float:
        if not query.delta or query.adjacency == "replace-one":
            raise NotImplementedError("ε at δ > 0")
        rho = 0.0
        for mechanism, count in query.composition.parts:
            if not isinstance(mechanism, pv.Gaussian):
                raise NotImplementedError("Gaussian mechanisms")
            rho += count / (2 * float(mechanism.noise_multiplier) ** 2)
        log_delta = math.log(query.delta)
        return min(
            rho * alpha + math.log1p(-1 / alpha) - (log_delta + math.log(alpha)) / (alpha - 1)
            for alpha in (1.5, 2, 3, 4, 8, 16, 32, 64, 256, 1024)
        )


def _b(mechanism: object) -> float:
    if not isinstance(mechanism, pv.Laplace):
        raise NotImplementedError("Laplace mechanisms")
    return float(mechanism.b)
