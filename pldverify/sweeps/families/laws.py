"""Noise without sampling: Gaussian, Laplace, their discrete forms, binomial; GDP and zCDP."""

import math

from pldverify.sweeps.families.sized import sized

_NOISE = "0.1 0.3 0.5 1 2 3 10 40 100 1000"
_STEPS = (1, 2, 10, 100, 1_000, 10_000, 1_000_000)
"""Numbers of steps k."""
_ROWS = [
    {"noise": noise, "k": k}
    for noise in _NOISE.split()
    for k in _STEPS
    if 0.003 < math.sqrt(k) / float(noise) < 25
]
"""Noise and steps, without combinations whose ε is near 0 or in the thousands."""

FAMILIES = (
    *sized(
        """
Gaussian (3, 160): {k} * gaussian(sigma={noise})
    | adjacency add-or-remove replace-one | delta 1e-3 1e-5 1e-7 1e-10 1e-12 1e-15
Gaussian at epsilon (3, 160): {k} * gaussian(sigma={noise})
    | adjacency add-or-remove replace-one | epsilon 0 0.01 0.1 0.5 1 2 4 8 20
Laplace (3, 260): {k} * laplace(b={noise})
    | adjacency add-or-remove replace-one | delta 1e-3 1e-5 1e-7 1e-10 1e-12 1e-15
Laplace at epsilon (3, 260): {k} * laplace(b={noise})
    | adjacency add-or-remove replace-one | epsilon 0 0.01 0.1 0.5 1 2 4 8 20
discrete Gaussian (3, 80): {k} * discrete_gaussian(sigma={noise})
    | adjacency add-or-remove replace-one | delta 1e-3 1e-5 1e-7 1e-10 1e-12 1e-15
discrete Gaussian at epsilon (3, 80): {k} * discrete_gaussian(sigma={noise})
    | adjacency add-or-remove replace-one | epsilon 0 0.01 0.1 0.5 1 2 4 8 20
discrete Laplace (3, 260): {k} * discrete_laplace(b={noise})
    | adjacency add-or-remove replace-one | delta 1e-3 1e-5 1e-7 1e-10 1e-12 1e-15
discrete Laplace at epsilon (3, 260): {k} * discrete_laplace(b={noise})
    | adjacency add-or-remove replace-one | epsilon 0 0.01 0.1 0.5 1 2 4 8 20
""",
        rows=_ROWS,
    ),
    *sized("""
sensitivity (4, 40): {k} * {law}={noise}, sensitivity={s})
    | law gaussian(sigma laplace(b discrete_gaussian(sigma discrete_laplace(b
    | noise 2 7 50 | s 2 3 10 | k 1 100 | adjacency add-or-remove replace-one | delta 1e-6
one Gaussian (4, 480): gaussian(sigma={sigma}, sensitivity={s})
    | sigma 0.1 0.3 0.5 1 2 3 10 40 100 1000 | s 1 2 0.37 | adjacency add-or-remove replace-one
    | delta 1e-3 1e-6 1e-9 1e-12 1e-15 | epsilon 0 0.01 0.1 0.5 1 2 4 8 20
one step (8, 200): {law}={noise})
    | law gaussian(sigma laplace(b discrete_gaussian(sigma discrete_laplace(b
    | noise 0.1 0.3 0.5 1 2 3 10 40 100 1000
    | delta 1e-3 1e-6 1e-9 1e-12 1e-15 | epsilon 0 0.01 0.1 0.5 1 2 4 8 20
binomial (2, 30): {k} * binomial(n={n}, p={p})
    | n 10 1000 100000 | p 0.5 0.1 | k 1 10 100 | delta 1e-3 1e-6 1e-10 | epsilon 0.5 2
GDP (2, 20): {k} * gdp(mu={mu}) | mu 0.01 0.3 1 4 | k 1 20 | delta 1e-3 1e-5 1e-7 1e-10 1e-12 1e-15
zCDP (2, 20): zcdp(rho={rho}) | rho 1e-4 0.07 0.5 2.63 50 | delta 1e-3 1e-5 1e-7 1e-10 1e-12 1e-15
"""),
)
