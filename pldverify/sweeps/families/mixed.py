"""Different mechanisms composed: phases of a training, releases beside it, pure with approximate DP."""

from pldverify.sweeps.families.sized import sized

FAMILIES = sized("""
training in two phases (4, 80): {k} * poisson(gaussian(sigma={sigma}), q={q})
    + {j} * poisson(gaussian(sigma={tau}), q={q})
    | k 1 100 5000 | sigma 0.8 1 2 5 | q 0.001 0.01 0.1 | j 10 1000 | tau 0.7 1.5 10
    | adjacency add-or-remove add | delta 1e-4 1e-5 1e-7 1e-10 1e-12
growing batches (2, 30): 100 * poisson(gaussian({sigma}), q={q}/8)
    + 100 * poisson(gaussian({sigma}), q={q}/4)
    + 100 * poisson(gaussian({sigma}), q={q}/2) + 100 * poisson(gaussian({sigma}), q={q})
    | sigma 0.8 1 2 | q 0.01 0.1 0.5 | delta 1e-4 1e-5 1e-7 1e-10 1e-12 | epsilon 0.5 1 2 5
training and a release (5, 100): {k} * poisson(gaussian(sigma={sigma}), q={q}) + {release}
    | k 1 100 5000 | sigma 0.8 1 2 5 | q 0.001 0.01 0.1
    | release gaussian(sigma=5); laplace(b=4); 10 * laplace(b=50); discrete_laplace(b=5);
      discrete_gaussian(sigma=8); randomized_response(p=0.6); pure_dp(epsilon=0.1);
      approximate_dp(epsilon=0.1, delta=1e-8)
    | delta 1e-4 1e-5 1e-7 1e-10 1e-12 | epsilon 0.5 1 2 5
Gaussians of different noise (3, 60): {j} * gaussian(sigma={sigma}) + {k} * gaussian(sigma={tau})
    | sigma 0.5 4 30 | tau 7 100 | j 1 10 | k 1 50 2000 | adjacency add-or-remove replace-one
    | delta 1e-4 1e-5 1e-7 1e-10 1e-12 | epsilon 0.5 1 2 5
queries of different laws (3, 60): {j} * {first} + {k} * {second}
    | first laplace(b=3) discrete_gaussian(sigma=10) gaussian(sigma=6)
    | second discrete_laplace(b=20) randomized_response(p=0.55) laplace(b=40) | j 1 7 | k 1 30
    | delta 1e-4 1e-5 1e-7 1e-10 1e-12 | epsilon 0.5 1 2 5
pure and approximate DP (4, 100): {j} * pure_dp(epsilon={a}) + {k} * approximate_dp(epsilon={b}, delta={d})
    | a 0.01 0.3 1 | b 0.05 0.5 2 | d 1e-9 1e-6 | j 1 20 | k 1 5 50
    | delta 1e-3 1e-4 1e-5 1e-7 1e-10 1e-12 | epsilon 0.5 1 2 5
""")
