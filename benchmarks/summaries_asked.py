"""What other libraries say of μ, true positive rates, the advantage and the Bayes risk of DP-SGD.

    PYTHON summaries_asked.py dp-accounting | gdpnum | riskcal < runs.jsonl > answers.jsonl

Runs beside the library alone, without pldverify: a line ``{"sigma", "q", "steps", "fprs", "prior"}`` in, a
line ``{"answers": {name: number}, "failed": text}`` out. A run has 30 s of processor time.
"""

import json
import signal
import sys

PATIENCE = 30
"""Processor seconds for one run."""
DELTAS = 60
"""The δ by which dp-accounting bounds rates, beside 0: its default of 3,000 takes minutes a run."""


def gdpnum(run):
    from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism
    from gdpnum import PLDConverter

    found = PLDConverter(_pld(from_gaussian_mechanism, run))
    rates = {f"tpr {fpr}": 1 - float(found.get_beta(float(fpr))) for fpr in run["fprs"]}
    return {"mu": float(found.get_mu()), "advantage": float(found.get_advantage()), **rates}


def dp_accounting(run):
    import dp_accounting as library
    import numpy

    gaussian = library.GaussianDpEvent(run["sigma"])
    step = library.PoissonSampledDpEvent(run["q"], gaussian)
    found = library.pld.PLDAccountant().compose(step, run["steps"])
    deltas = numpy.array([0.0, *numpy.logspace(-13, 0, DELTAS)])
    rates = found.get_true_positive_rates(numpy.array([float(fpr) for fpr in run["fprs"]]), deltas)
    tprs = {f"tpr {fpr}": float(rate) for fpr, rate in zip(run["fprs"], rates, strict=True)}
    return {"mu": float(found.get_gdp_parameter_estimate(deltas=deltas)), **tprs}


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
    ask = {"dp-accounting": dp_accounting, "gdpnum": gdpnum, "riskcal": riskcal}[sys.argv[1]]
    signal.signal(signal.SIGPROF, _late)
    for line in sys.stdin:
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            answer = {"answers": ask(json.loads(line))}
        except Exception as error:  # whatever a library raises is what it answers
            answer = {"failed": f"{type(error).__name__}: {error}"[:200]}
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(answer), flush=True)
