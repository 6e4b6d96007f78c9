"""A reviewer who trusts nobody asks, and ``--explain`` answers."""

import re
from fractions import Fraction

import pytest

from tests.journeys.installed import Installed

pytestmark = [pytest.mark.wheel, pytest.mark.slow]

TRAINING = "10000 * poisson(gaussian(sigma=1), q=0.01)"
BATCHES = "100 * sampled_without_replacement(gaussian(sigma=4), q=0.01)"


@pytest.fixture(scope="module")
def training(installed: Installed) -> str:
    return installed.pldverify("delta", TRAINING, "--epsilon", "6.90735948", "--explain")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Of which mechanism, and who are neighbours?", rf"^of {re.escape(TRAINING)}, add-or-remove$"),
        ("What exactly is proved?", r"^δ\(ε=6\.90735948\) = 1\.00008374339481\d*e-6 ± \S+$"),
        ("How many digits?", r"^\d+ proved digits, engine: contour"),
        ("How large are all errors together?", r"^all errors together: at most ±\S+$"),
        ("Which direction decides?", r"^direction: remove$"),
        ("Why not the other one?", r"^why not add: smaller: \[0, 2\.57\d*e-7\]$"),
        ("Why this engine?", r"^why contour: "),
        ("Why not the closed form?", r"^why not threshold: 10000 losses are not one$"),
        ("Why not the one for lattices?", r"^why not lattice: the losses .* do not lie on one lattice$"),
        ("Where is the line?", r"^theta: \S+$"),
        ("How many nodes, how far apart?", r"^step: \S+\nnodes: \d+$"),
        ("What does cutting the sum cost?", r"^cut: \d\S*$"),
        ("What does the trapezoidal rule cost?", r"^alias: \d\S*$"),
        ("What does rounding cost?", r"^transform and rounding: \d\S*$"),
    ],
)
def test_a_question_is_answered(training: str, question: str, answer: str) -> None:
    assert re.search(answer, training, re.MULTILINE), question


def test_the_errors_add_up_to_what_is_said(training: str) -> None:
    whole = Fraction(re.findall(r"at most ±(\S+)", training)[0])
    terms = [Fraction(value) for value in re.findall(r"^(?:cut|alias|transform.*): (\S+)$", training, re.M)]
    shown = Fraction(re.findall(r"± (\S+)$", training, re.MULTILINE)[0])
    assert len(terms) == 3
    assert whole <= shown
    assert whole / 4 <= sum(terms) <= 4 * whole


def test_every_engine_is_accounted_for(installed: Installed, training: str) -> None:
    code = "from pldverify.reference import choice, engines; engines.load(); print(*choice.ENGINES, sep=',')"
    known = set(installed.python(code).strip().split(","))
    assert set(re.findall(r"^why (?:not )?([a-z ]+): ", training, re.MULTILINE)) - {"add"} == known


def test_is_the_bound_attained(installed: Installed) -> None:
    asked = ("--epsilon", "1", "--digits", "6", "--adjacency", "replace-one")
    printed = installed.pldverify("delta", BATCHES, *asked)
    assert "of the dominating pairs, which are not attained: privacy is at least that good" in printed


def test_what_do_others_say(installed: Installed) -> None:
    printed = installed.pldverify("delta", "laplace(b=1)", "--epsilon", "0.5", "--second-opinion")
    assert re.search(r"^second opinion: agrees: 0\.221199\d* to \d+ digits, mpmath", printed, re.MULTILINE)
    assert printed.startswith("δ(ε=0.5) = 0.22119921692859")  # 1 − e^(−1/4)


def test_may_i_prove_it_myself(installed: Installed) -> None:
    code = (
        "import pickle, pldverify as pv; "
        "found = pv.delta(10_000 * pv.PoissonSubsampled(pv.Gaussian(1), '0.01'), epsilon=7); "
        "print(pv.prove_again(pickle.loads(pickle.dumps(found))) == found)"
    )
    assert installed.python(code).strip() == "True"


def test_a_claim_that_is_wrong_is_refuted_with_the_truth(installed: Installed) -> None:
    run = ["certify", "--sigma", "1", "--q", "0.01", "--steps", "10000", "--delta", "1e-6"]
    printed = installed.pldverify(*run, "--epsilon", "6.9", code=1)
    assert re.search(r"^REFUTED: ε ≤ 6\.9 at δ = 1e-6$", printed, re.MULTILINE)
    assert re.search(r"^true ε = 6\.907", printed, re.MULTILINE)
