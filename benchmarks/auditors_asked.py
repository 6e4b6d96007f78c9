"""What the auditors of jax-privacy say of scores.

    PYTHON auditors_asked.py AUDITOR < scores.jsonl > bounds.jsonl

Runs beside the library alone, without pldverify: a line ``{"in", "out", "significance", "delta"}`` in, with
the scores of canaries in the data and out of it, a line with a bound on ε, or null, out. A fixed threshold is
1/2. An auditor that raises an error says nothing.
"""

import json
import sys

from jax_privacy.auditing import CanaryScoreAuditor, Explicit

FIXED = {"threshold_strategy": Explicit(0.5)}
AUDITORS = {
    "clopper_pearson, fixed": lambda of, s, d: of.epsilon_clopper_pearson(s, d, one_sided=False, **FIXED),
    "clopper_pearson": lambda of, s, d: of.epsilon_clopper_pearson(s, d, one_sided=False),
    "from_gdp": lambda of, s, d: of.epsilon_from_gdp(s, d),
    "raw_counts, min_count 1": lambda of, s, d: of.epsilon_raw_counts(1, d),
    "one_run, fixed": lambda of, s, d: of.epsilon_one_run(s, d, **FIXED),
    "one_run": lambda of, s, d: of.epsilon_one_run(s, d),
    "one_run_fdp, fixed": lambda of, s, d: of.epsilon_one_run_fdp(s, d, **FIXED),
    "one_run_fdp": lambda of, s, d: of.epsilon_one_run_fdp(s, d),
}

if __name__ == "__main__":
    ask = AUDITORS[sys.argv[1]]
    for line in sys.stdin:
        row = json.loads(line)
        try:
            bound = float(ask(CanaryScoreAuditor(row["in"], row["out"]), row["significance"], row["delta"]))
        except Exception:  # whatever a library raises, it says nothing
            bound = None
        print(json.dumps(bound), flush=True)
