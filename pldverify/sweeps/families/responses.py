"""Responses, and mechanisms of which only epsilon and delta are known, composed."""

from pldverify.sweeps.families.sized import sized

FAMILIES = sized("""
randomised response (8, 300): {k} * randomized_response(p={p}, categories={n})
    | p 0.501 0.55 0.75 0.9 0.999 | n 2 3 100 | k 1 2 3 10 30 100 1000
    | adjacency add-or-remove replace-one
    | delta 1e-3 1e-5 1e-7 1e-10 1e-12 1e-15 | epsilon 0 0.1 0.5 1 3 10
pure DP (8, 420): {k} * pure_dp(epsilon={loss})
    | loss 0.001 0.01 0.1 0.5 1 3 5 | k 1 2 3 10 30 100 1000
    | delta 1e-3 1e-5 1e-7 1e-10 1e-12 1e-15 | epsilon 0 0.1 0.5 1 3 10
approximate DP (8, 300): {k} * approximate_dp(epsilon={loss}, delta={d})
    | loss 0.001 0.1 0.5 1 4 | d 0 1e-12 1e-8 1e-5 1e-3 | k 1 2 3 10 30 100 1000
    | delta 1e-2 1e-3 1e-5 1e-7 1e-10 1e-12 1e-15 | epsilon 0 0.1 0.5 1 3 10
""")
