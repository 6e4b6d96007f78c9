"""Choices by noisy scores, sparse vectors, votes, keys above a threshold, and the best of several runs."""

from pldverify.sweeps.families.sized import sized

FAMILIES = sized("""
exponential mechanism (8, 120): {k} * exponential(epsilon={loss}, monotone={way})
    | loss 0.001 0.1 0.5 1 4 | way False True | k 1 2 10 100 1000 | delta 1e-2 1e-5 1e-10 | epsilon 0.1 1 5
permute and flip (8, 120): {k} * permute_and_flip(epsilon={loss}, monotone={way})
    | loss 0.001 0.1 0.5 1 2 4 | way False True | k 1 2 10 100 1000 | delta 1e-2 1e-5 1e-10 | epsilon 0.1 1 5
noisy max (8, 60): {k} * noisy_max(b={b})
    | b 0.5 2 10 100 | k 1 2 10 100 | delta 1e-2 1e-5 1e-10 | epsilon 0.1 1
sparse vectors (8, 120): {k} * above_threshold(b={b}, query_b={c}, monotone={way})
    | b 1 4 20 | c 1 4 20 | way False True | k 1 2 10 100 | delta 1e-2 1e-5 1e-10 | epsilon 0.1 1 5
Gaussian sparse vectors (4, 40): {k} * gaussian_above_threshold(sigma={s}, query_sigma={t}, queries={n})
    | s 1 10 | t 2 20 | n 1 10 1000 | k 1 10 | delta 1e-5 1e-10
votes (4, 40): {k} * gnmax(sigma={s}) | s 1 10 100 | k 1 10 1000 | delta 1e-5 1e-10 | epsilon 1
histograms with thresholds (8, 80): {k} * thresholded_histogram({noise}, threshold={t})
    | noise laplace(1) laplace(4) gaussian(1) gaussian(4) | t 5 20 100 | k 1 3 10 | delta 1e-3 1e-5 1e-10
best of several runs (8, 120): repeat_and_select({run}, mean={m}, shape={h})
    | run gaussian(0.5) gaussian(2) laplace(1) 100*poisson(gaussian(1),q=0.01) zcdp(0.01) | m 1 2 10 1000
    | h 0 1 2 inf | delta 1e-3 1e-5 1e-10
""")
