"""What other libraries say of μ, true positive rates, the advantage and the Bayes risk of DP-SGD.

    PYTHON summaries_asked.py gdpnum | riskcal < runs.jsonl > answers.jsonl

Runs beside the library alone, without pldverify: a line ``{"sigma", "q", "steps", "fprs", "prior"}`` in, a
line ``{"answers": {name: number}, "failed": text}`` out. A run has 20 s of processor time.
"""

import json
import signal
import sys

PATIENCE = 20
"""Processor seconds for one run."""


def gdpnum(run):
    from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism
    from gdpnum import PLDConverter

    found = PLDConverter(_pld(from_gaussian_mechanism, run))
    rates = {f"tpr {fpr}": 1 - float(found.get_beta(float(fpr))) for fpr in run["fprs"]}
    return {"mu": float(found.get_mu()), "advantage": float(found.get_advantage()), **rates}


def riskcal(run):
    from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism
    from riskcal.analysis import get_advantage_from_pld, get_bayes_risk_from_pld, get_beta_from_pld

    pld = _pld(from_gaussian_mechanism, run)
    rates = {f"tpr {fpr}": 1 - float(get_beta_from_pld(pld, alpha=float(fpr))) for fpr in run["fprs"]}
    risk = float(get_bayes_risk_from_pld(pld, prior=float(run["prior"])))
    return {"advantage": float(get_advantage_from_pld(pld)), "bayes risk": risk, **rates}


def _pld(make, run):
    """As both libraries make it of a run."""
    return make(
        standard_deviation=run["sigma"],
        sampling_prob=run["q"],
        use_connect_dots=True,
        value_discretization_interval=1e-4,
    ).self_compose(run["steps"])


def _late(*_):
    raise TimeoutError(f"no answer within {PATIENCE} s of processor time")


if __name__ == "__main__":
    ask = {"gdpnum": gdpnum, "riskcal": riskcal}[sys.argv[1]]
    signal.signal(signal.SIGPROF, _late)
    for line in sys.stdin:
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            answer = {"answers": ask(json.loads(line))}
        except Exception as error:  # whatever a library raises is what it answers
            answer = {"failed": f"{type(error).__name__}: {error}"[:200]}
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(answer), flush=True)
