"""``kernel/`` and the claims that are written for it: what holds is accepted, and no planted error.

Built once, in a copy: some minutes. Skipped where Coq is not installed; the nightly run installs it.
"""

import itertools
import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.certificate.coq import claim
from pldverify.errors import InvalidInput

KERNEL = Path(__file__).parents[3] / "kernel"
VECTORS = Path(__file__).parents[2] / "data" / "certificates"
REGISTRY = Path(__file__).parents[3] / "examples" / "claims" / "opendp_registry.toml"
TIES = {
    said["id"]: said
    for said in tomllib.loads(REGISTRY.read_text("utf-8"))["claim"]
    if said.get("delta") == "0"
}
"""The published claims of pure DP alone."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed (Debian: coq)"),
]
Coqc = Callable[[str], "subprocess.CompletedProcess[str]"]
PAIR = pv.FinitePair(p=["0.5", "0.3", "0.2"], q=["0.4", "0.35", "0.25"])
SAMPLED = pv.PoissonSubsampled(pv.Gaussian(sigma="1.1"), q="0.01")
LEAKY = pv.FinitePair(p=["0.5", "0.49", "0.01"], q=["0.4", "0.6", "0"])


def run(*command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("kernel") / "kernel"
    shutil.copytree(KERNEL, copy)  # with what is built already, which make sees by its times
    done = run("make", folder=copy)
    assert done.returncode == 0, done.stdout + done.stderr
    return copy


@pytest.fixture
def coqc(kernel: Path, tmp_path: Path) -> Coqc:
    def compile(text: str) -> "subprocess.CompletedProcess[str]":
        (tmp_path / "claim.v").write_text(text)
        return run("coqc", "-Q", str(kernel / "theories"), "Kernel", "claim.v", folder=tmp_path)

    return compile


def certified(composition: object, delta: str, epsilon: str, adjacency: str = "add-or-remove") -> str:
    query = pv.Query(composition, delta=delta, adjacency=adjacency)  # type: ignore[arg-type]
    return claim(pv.certify(query, epsilon=epsilon))


def replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, text
    return text.replace(old, new)


def test_nothing_is_admitted_and_the_axioms_are_known(kernel: Path) -> None:
    done = run("./check.sh", folder=kernel)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("composition", "delta", "epsilon"),
    [
        (pv.PureDP(1), "0", "1"),
        (10 * pv.PureDP("1/2"), "0", "5"),
        (3 * pv.PureDP("1/3") + 2 * pv.PureDP("1/4"), "0", "3/2"),
        (10 * pv.PureDP("1/2"), "0", "4.999999"),
        (20 * pv.RandomizedResponse(p="0.75"), "1e-5", "21.9692"),
        (20 * pv.RandomizedResponse(p="0.75"), "1e-5", "21.969"),
        (pv.RandomizedResponse(p="0.75", categories=4), "0", "2.19723"),
        (2 * pv.RandomizedResponse(p="0.75") + 3 * pv.PureDP("1/2"), "1e-3", "3.6"),
        (4 * LEAKY, "0.03", "5"),
        (50 * PAIR, "1e-3", "4"),
        (10 * pv.ApproximateDP("1/10", "1e-6"), "1e-4", "0.95"),
        (10 * pv.ApproximateDP("1/10", "1e-6"), "1e-4", "0.94"),
        (3 * pv.ApproximateDP("1/2", "0.01"), "0.0298", "1.5"),
        (pv.Laplace(b=1), "0", "1"),
        (pv.Laplace(b=1), "0.1", "0.8"),
        (pv.Laplace(b=1), "0.1", "0.78"),
        (100 * pv.Laplace(b=10), "1e-6", "4.74"),
        (100 * pv.Laplace(b=10), "1e-6", "4.65"),
        (2 * pv.Laplace(b=3) + pv.PureDP("1/2") + LEAKY, "0.1", "1.5"),
        (pv.Gaussian(sigma=1), "1e-5", "4.42095"),  # ε = 4.37717..., Balle and Wang 2018, Theorem 8
        (pv.Gaussian(sigma=1), "1e-5", "4.33341"),
        (50 * pv.Gaussian(sigma=10), "1e-5", "2.97266"),  # ε = 2.94322...
        (50 * pv.Gaussian(sigma=10), "1e-5", "2.91379"),
        (2 * pv.PoissonSubsampled(pv.Laplace(b=1), q="0.5") + pv.Gaussian(sigma=3), "0.1", "1"),
        (pv.PoissonSubsampled(LEAKY, q="0.5"), "0.03", "1"),
        (1000 * SAMPLED, "1e-5", "1.6153"),  # ε = 1.51536...
        (1000 * SAMPLED, "1e-5", "1.4154"),
        (10000 * SAMPLED, "1e-5", "5.69258"),  # ε = 5.19258...
        (10000 * SAMPLED, "1e-5", "4.69258"),
    ],
    ids=str,
)
def test_claims_are_accepted(coqc: Coqc, composition: object, delta: str, epsilon: str) -> None:
    done = coqc(certified(composition, delta, epsilon))
    assert done.returncode == 0, done.stderr
    axioms = re.findall(r"^([\w.]+)\s*:", done.stdout, re.MULTILINE)  # Uint63: the machine's integers
    assert {name.split(".")[0] for name in axioms} <= {
        "Axioms",
        "ClassicalDedekindReals",
        "FunctionalExtensionality",
        "Classical_Prop",
        "PrimInt63",
        "Uint63",
    }


@pytest.mark.parametrize("name", TIES)
def test_published_sums_of_pure_dp_are_theorems(coqc: Coqc, name: str) -> None:
    """As printed, and a millionth below the sum, which one of them exceeds, is refuted."""
    rows = [(Fraction(phase["epsilon"]), int(phase.get("times", 1))) for phase in TIES[name]["phase"]]
    composition = pv.Composition.of(*((pv.PureDP(epsilon), times) for epsilon, times in rows))
    less = sum(epsilon * times for epsilon, times in rows) - Fraction(1, 10**6)
    for epsilon, verdict in ((Fraction(TIES[name]["epsilon"]), "CERTIFIED"), (less, "REFUTED")):
        text = claim(pv.certify(pv.Query(composition, delta=0), epsilon=epsilon))
        assert verdict in text and coqc(text).returncode == 0


STATED = ["dp-sgd-certified", "dp-sgd-refuted", "laplace-certified", "mixed-refuted"]
"""The vectors that the kernel has a statement of."""


def written(mechanism: dict[str, Any]) -> str:
    of = [written(mechanism["base"])] if mechanism["base"] else []
    return f"{mechanism['name']}({', '.join(of + [f'{k}={x}' for k, x in mechanism['parameters'].items()])})"


def stated(name: str) -> str:
    document = json.loads((VECTORS / f"{name}.json").read_text())
    steps = " + ".join(f"{part['count']} * {written(part['mechanism'])}" for part in document["composition"])
    found = certified(steps, document["claim"]["delta"], document["claim"]["epsilon"], document["adjacency"])
    assert ("Theorem claim : ~ " in found) == (document["verdict"] == "REFUTED")
    return found


@pytest.mark.parametrize("name", STATED)
def test_the_kernel_agrees_with_the_checkers_vectors(coqc: Coqc, name: str) -> None:
    done = coqc(stated(name))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", sorted({path.stem for path in VECTORS.glob("*.json")} - {*STATED}))
def test_it_has_no_statement_of_the_other_vectors(name: str) -> None:
    with pytest.raises(InvalidInput, match="--coq must be of"):
        stated(name)


@pytest.mark.parametrize("pair", [PAIR, LEAKY], ids=["PAIR", "LEAKY"])
@pytest.mark.parametrize("side", ["above", "below"])
def test_the_kernel_agrees_with_brute_force(coqc: Coqc, pair: pv.FinitePair, side: str) -> None:
    """δ(1/2) of three steps by all events' best, in exact masses; the claims lie 1e-4 to each side of it."""
    rows = list(zip(pair.p, pair.q, strict=True))
    with mpmath.workdps(40):
        truth = mpmath.mpf(0)
        for outcomes in itertools.product(rows, repeat=3):
            p, q = Fraction(1), Fraction(1)
            for a, b in outcomes:
                p, q = p * a, q * b
            truth += max(
                mpmath.mpf(p.numerator) / p.denominator - mpmath.exp(0.5) * q.numerator / q.denominator, 0
            )
        delta = mpmath.nstr(truth + (mpmath.mpf("1e-4") if side == "above" else -mpmath.mpf("1e-4")), 20)
    text = certified(3 * pair, delta, "0.5", "remove")
    assert ("Theorem claim : ~ " in text) == (side == "below")
    done = coqc(text)
    assert done.returncode == 0, done.stderr


SAMPLE = (2 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.25"), "0.01", "1.15")
NOT_SAMPLE = (2 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.25"), "0.01", "1")
TIE = 10 * pv.PureDP("1/2")
NOISE = pv.Laplace(b=1)
CERTIFIED = (2 * PAIR, "0.02", "0.4", "remove")
REFUTED = (2 * PAIR, "0.01", "0.4", "remove")


@pytest.mark.parametrize(
    ("of", "old", "new"),
    [
        ((TIE, "0", "5"), "(5, 1)%Z", "(4999999999999, 1000000000000)%Z"),
        ((TIE, "0", "5"), "10%positive", "11%positive"),
        ((TIE, "0", "5"), "Private (1, 2)%Z", "Private (2, 3)%Z"),
        ((TIE, "0", "5"), "(0, 1)%Z, 10%positive", "(1, 1000)%Z, 10%positive"),
        ((NOISE, "0.1", "0.8"), "Noisy Laplace (1, 1)%Z", "Noisy Laplace (11, 10)%Z"),
        ((NOISE, "0.1", "0.8"), "delta : Z * Z := (1, 10)%Z", "delta : Z * Z := (9, 100)%Z"),
        (SAMPLE, "Sampled Gaussian (1, 1)%Z (1, 4)%Z", "Sampled Gaussian (1, 1)%Z (1, 3)%Z"),
        (SAMPLE, "Sampled Gaussian (1, 1)%Z (1, 4)%Z", "Noisy Gaussian (1, 1)%Z"),
        (SAMPLE, "2%positive", "4%positive"),
        (NOT_SAMPLE, "Sampled Gaussian (1, 1)%Z (1, 4)%Z", "Sampled Gaussian (1, 1)%Z (1, 8)%Z"),
        ((NOISE, "0.1", "0.75"), "epsilon : Z * Z := (3, 4)%Z", "epsilon : Z * Z := (4, 5)%Z"),
        ((TIE, "0", "4.9"), "~ both_claim", "both_claim"),
        ((TIE, "0", "4.9"), "epsilon : Z * Z := (49, 10)%Z", "epsilon : Z * Z := (5, 1)%Z"),
        (CERTIFIED, "delta : Z * Z := (1, 50)%Z", "delta : Z * Z := (1, 100)%Z"),
        (CERTIFIED, "(10, 8); (6, 7)", "(11, 8); (6, 7)"),
        (CERTIFIED, "(10, 8); (6, 7)", "(11, 8); (5, 7)"),
        (CERTIFIED, "Pair 20", "Pair 21"),
        (REFUTED, "epsilon : Z * Z := (2, 5)%Z", "epsilon : Z * Z := (3, 5)%Z"),
        (REFUTED, "delta : Z * Z := (1, 100)%Z", "delta : Z * Z := (1, 10)%Z"),
    ],
)
def test_no_changed_claim_is_accepted(coqc: Coqc, of: tuple[object, ...], old: str, new: str) -> None:
    assert coqc(replaced(certified(*of), old, new)).returncode != 0  # type: ignore[arg-type]


@pytest.mark.parametrize(("field", "change"), [(0, -1), (1, -1), (1, 2**130), (2, -1)])
def test_no_wrong_hint_is_accepted(coqc: Coqc, field: int, change: int) -> None:
    """Of the first outcome: a cell of lower losses, less P-mass than it has, more Q-mass."""
    text = certified(*CERTIFIED)
    found = re.search(r"\((-?\d+), \((\d+), (\d+)\)\)", text)
    assert found is not None
    numbers = [int(x) for x in found.groups()]
    numbers[field] += change
    c, u, v = numbers
    assert coqc(replaced(text, found[0], f"({c}, ({u}, {v}))")).returncode != 0


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("Rounding", "if up then rounded_quotient true (one", "if up then rounded_quotient false (one"),
        ("Rounding", "if up then (- floor (- n) d)%Z else floor n d", "floor n d"),
        ("Rounding", "if up then BigN.succ x else x", "x"),
        ("Rounding", "BigN.shiftr (BigN.mul x y) big_bits", "BigN.shiftr (BigN.mul x x) big_bits"),
        ("Rounding", "Eval vm_compute in big bits", "Eval vm_compute in big (bits + 1)"),
        ("Rounding", "squares up rest (big_product up a a)", "squares up rest (big_product (negb up) a a)"),
        ("Rounding", "BigZ.div (BigZ.of_Z n)", "BigZ.quot (BigZ.of_Z n)"),
        ("Bell", "let next := big_quotient up (big", "let next := big_quotient false (big"),
        ("Bell", "(BigN.succ (BigN.succ k)) next in", "(BigN.succ k) next in"),
        ("Dots", "rounded_quotient true x one) A", "rounded_quotient false x one) A"),
        ("Dots", " && (p * one <=? (u + v) * whole)", ""),
        ("Upper", "(en * hd <=? first * hn * ed)", "true"),
        ("Dots", "start := start X + start Y;", "start := start X;"),
        ("Lower", "(rounded_quotient false (fst x) one,", "(rounded_quotient true (fst x) one,"),
        ("Lower", "lost := rounded_quotient false (lost X", "lost := rounded_quotient true (lost X"),
        ("Powers", "&& (fold_right Z.add 0 (map fst rows) =? whole)", ""),
        (
            "Mechanisms",
            "dominated L (pair m) /\\ dominated (swap L) (swap (pair m))\n  | Private",
            "True\n  | Private",
        ),
        ("Dots", "then ((t + m)%Z, []) else (t, [m])", "then (t, []) else (t, [m])"),
        ("Dots", "(s, (acc + m)%Z :: rest)", "(s, m :: rest)"),
        ("Noise", "rounded_quotient up (2 * one - x) 2", "rounded_quotient up (2 * one + x) 2"),
        ("Upper", "Laplace => 2 * last points 0 * snd s <=? - (fst s * d)", "Laplace => true"),
        ("Upper", "&& (snd (fst e) - fst (fst e') <=? u + v)", ""),
        ("Upper", "(fst (snd e) - snd (snd e')) * one", "(snd (snd e) - snd (snd e')) * one"),
        ("Intervals", "Gaussian => (- (fst s * n), snd s * d)", "Gaussian => (fst s * n, snd s * d)"),
        ("Intervals", "(y * (a * r' + (whole - a) * one)", "(y * (a * r + (whole - a) * one)"),
        ("Intervals", "(a =? whole) && (b =? 0) && ", ""),
        ("Intervals", "(a * x + (whole - a) * y) whole", "(a * y + (whole - a) * x) whole"),
        ("Mechanisms", "Mixed kind s whole (whole - b) (whole - a)", "Mixed kind s whole a b"),
        ("Products", "BigN.eqb c c' && ", ""),
        ("Products", "let w := Z.log2 most + 1 in", "let w := Z.log2 most in"),
        ("Products", " && forallb (fun x => (0 <=? x) && (x <? 2 ^ w)) C", ""),
        (
            "Bell",
            "Some (rounded_quotient true (e * sum) (one - rest))",
            "Some (rounded_quotient true (e * sum) one)",
        ),
        ("Bell", "Definition half_up : Z := (area_up + rest_up)%Z", "Definition half_up : Z := area_up"),
        ("Noise", "let half := if up then half_down else half_up in", "let half := half_down in"),
        ("Upper", "lost := if greatest then 0 else left;", "lost := 0;"),
        ("Upper", "let right := (one - fst (fst e))%Z in", "let right := (one - snd (fst e))%Z in"),
        ("Upper", "masses := add_at 0%Z Z.add O right (if", "masses := (if"),
        (
            "Lower",
            "then drop_low cut (acc + fst x) rest else A",
            "then drop_low cut (acc + fst x) rest else x :: A",
        ),
        ("Densities", "RInt (fun x => Rmax 0 (f x - e * g x)) (- T) T + eta.", "1."),
        ("Cells", "((1 - delta) * (1 / (1 + t)), (1 - delta) * (t / (1 + t))); (0, delta)]", "(0, delta)]"),
        (
            "Composition",
            "valid (first_step A) /\\ dominated (first_step A) D /\\",
            "valid (first_step A) /\\",
        ),
        ("Cells", "gain a b o <= low_part x y o * Rmax 0", "gain a b o <= high_part x y o * Rmax 0"),
    ],
)
def test_no_wrong_lemma_is_proved(kernel: Path, tmp_path: Path, file: str, old: str, new: str) -> None:
    """Each change makes a definition or a statement wrong, and its proof fails."""
    folder = tmp_path / "theories"
    shutil.copytree(kernel / "theories", folder)
    source = folder / f"{file}.v"
    source.write_text(replaced(source.read_text(), old, new))
    done = run("coqc", "-Q", str(folder), "Kernel", str(source), folder=tmp_path)
    assert done.returncode != 0
    assert "Syntax error" not in done.stderr


@pytest.mark.parametrize(
    "planted", ["Lemma x : False. Admitted.", "Axiom x : False.", "Lemma x : False. admit. Admitted."]
)
def test_the_check_finds_what_is_assumed(kernel: Path, tmp_path: Path, planted: str) -> None:
    folder = tmp_path / "kernel"
    shutil.copytree(kernel, folder)
    with (folder / "theories" / "Cells.v").open("a") as source:
        source.write(planted + "\n")
    done = run("./check.sh", folder=folder)
    assert done.returncode == 1
    assert "something is assumed" in done.stderr
