"""Samples of what is not DP-SGD: Laplace and discrete noise, responses; batches of a fixed size."""

from pldverify.sweeps.families.sized import sized

FAMILIES = sized("""
samples (8, 200): {k} * poisson({law}, q={q})
    | law laplace(b=0.7); laplace(b=2); laplace(b=10); discrete_gaussian(sigma=1); discrete_gaussian(sigma=3);
      discrete_gaussian(sigma=20); discrete_laplace(b=1); discrete_laplace(b=5); randomized_response(p=0.75);
      randomized_response(p=0.9, categories=10); binomial(n=1000, p=0.5)
    | q 1e-4 0.01 0.1 0.5 0.99 | k 1 2 30 1000 | adjacency add-or-remove add remove
    | delta 1e-3 1e-5 1e-8 1e-10 1e-15 | epsilon 0.05 0.5 1 3
batches without replacement (3, 60): {k} * sampled_without_replacement(gaussian(sigma={sigma}), q={q})
    | sigma 0.7 1 2 8 | q 1e-3 0.01 0.1 0.5 1 | k 1 10 1000
    | delta 1e-3 1e-5 1e-8 1e-10 1e-15 | epsilon 0.05 0.5 1 3
batches with replacement (2, 30): {k} * sampled_with_replacement(gaussian(sigma={sigma}), m={m}, n={n})
    | sigma 1 2 8 | m 1 10 100 | n 100 10000 | k 1 10 1000 | delta 1e-5 1e-10
""")
