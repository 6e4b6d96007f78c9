"""Parts of ``benchmarks.random_claims``: claims, what is true of them, and whether what is said agrees."""
