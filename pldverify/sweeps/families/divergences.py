"""Rényi divergences, at order 1 and next to it, whole, fractional and large."""

from pldverify.sweeps.families.sized import sized

_ORDERS = "1 1.0000001 1.001 1.01 1.1 1.5 2 2.5 3 4.7 8 16.5 32 63 64 128 256 512 1024 2048"

FAMILIES = sized(
    """
divergences of DP-SGD (10, 520): {k} * poisson(gaussian(sigma={sigma}), q={q})
    | sigma 0.5 1 2 10 | q 1e-4 0.01 0.2 0.5 0.99 | k 1 1000
divergences of laws (4, 120): {law}={noise})
    | law gaussian(sigma laplace(b discrete_gaussian(sigma discrete_laplace(b | noise 0.5 1 3 10 100
divergences of responses (3, 60): {law}
    | law randomized_response(p=0.55) randomized_response(p=0.75) randomized_response(p=0.999)
      pure_dp(epsilon=0.01) pure_dp(epsilon=1) pure_dp(epsilon=5)
""",
    order=_ORDERS.split(),
)
