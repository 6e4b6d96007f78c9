"""KJH19: Koskela, Jälkö, Honkela, Computing Exact Guarantees for Differential Privacy, arXiv 1906.03049v1.

ω is the density of the loss log(f_X/f_Y) under f_X; X/Y is ``remove`` where X has the record. ω *^k ω is the
k-fold convolution of ω. The text that was read is a transcription: a sign or “<” in it may be its slip.
"""

from fractions import Fraction as F
from functools import partial

from pldverify.theorems.attacks import (
    accountants,
    densities,
    grids,
    newton,
    pairs,
    recursions,
    reductions,
    transforms,
)
from pldverify.theorems.evidence import (
    all_of,
    attacked,
    conditional,
    corrected,
    decided,
    necessary,
    not_checkable,
    refuting,
    written,
)
from pldverify.theorems.obligations import SAMPLED, SUBSTITUTE, obliged
from pldverify.theorems.record import Aside, Kind, Record, Verdict
from pldverify.theorems.tables import Rounded, Row, epsilon, numbered, tables

_TRUE = {"1": "6.90738449504508", "2": "2.44673394448373"}
_DECREASING = obliged(SAMPLED, "dL⁻¹_Y/X/ds ≥ 0", source="KJH19 proof of Lemma 8")
_BACKWARD = written(
    "Change of variables t = L⁻¹(y), dt = |dL⁻¹/dy| dy.",
    obliged(SAMPLED, "ω(s) = p(L⁻¹(s)) |dL⁻¹/ds|", "δ(ε) = P(L > ε)", direction="add"),
)
_SLOPE = written(
    "δ(ε) = ∫_ε^∞ g − e^ε ∫_ε^∞ e^{−s}g: where g is continuous the ends cancel.",
    obliged(SAMPLED, "δ′(ε) = −e^ε Q(L > ε)"),
    attacked(newton.slopes),
)
_BY_LOSSES = written(
    "(f_X − e^ε f_Y)₊ = f_X(1 − e^{ε−L})₊, integrated by the law of L.",
    obliged(SAMPLED, "δ(ε) = ∫_ε^∞ (1 − e^(ε−s))", source="KJH19 Corollary 9"),
    attacked(pairs.tails),
)


def _row(id: str, number: int, row: Row) -> Record:
    sigma = row["sigma"]
    return Record(
        id,
        459 + (number - 1) % 5,
        rf"\sigma={sigma},\ L={row['L']},\ n={row['n']}:\ \varepsilon(\delta)={row['epsilon']}",
        Verdict.CORRECTED,
        Rounded(row["epsilon"], partial(epsilon, sigma), _TRUE[sigma]),
        reading="the printed number is ε(δ) to its digits; k = 10⁴, q = 0.01, δ = 10⁻⁶, remove or add",
        correction=rf"\varepsilon={_TRUE[sigma]}",
        consequence="tests/oracle/test_paper_tables.py has the three details of the code that give the print",
    )


# A record is a paragraph.
# fmt: off
RECORDS = (
    Record("KJH19/sec-2/size", 34, r"X=(x_1,\dots,x_N)\in\mathcal X^N,\quad\mathcal M:\mathcal X^N\to"
        r"\mathbb R,\quad X\simeq_RY",
        Verdict.CORRECTED, corrected(decided(reductions.sizes), written("Both sizes are in the union.",
        attacked(pairs.events))), correction=r"\mathcal M:\bigcup_N\mathcal X^N\to\mathbb R\text{, as "
        r"neighbours of }\simeq_R\text{ differ in size}"),
    Record("KJH19/def-2", 42, r"\mathbb P(\mathcal M(X)\in E)<e^\varepsilon\mathbb P(\mathcal M(Y)\in E)+"
        r"\delta",
        Verdict.CORRECTED, corrected(decided(reductions.empty_event), attacked(pairs.events)),
        reading="the “<” may be the transcription's", correction=r"\le,\text{ as Definition 6 has it: with "
        r"}<\text{ and }E=\emptyset\text{ nothing is }(\varepsilon,0)\text{-DP}"),
    Record("KJH19/def-3", 54, r"\mathcal L_{X/Y}(t)=\log\frac{f_X(t)}{f_Y(t)}",
        Verdict.PROVED, obliged(SAMPLED, "e^L(t) = p(t)/q(t)", "p(t) > 0", "q(t) > 0"),
        stated="f_X, f_Y > 0", used=("pldverify.symbolic.build.loss",)),
    Record("KJH19/def-4", 58, r"\omega(S)=\int_{\{\mathcal L_{X/Y}(t)\in S\}}f_X(t)\,dt\text{ “is a random "
        r"variable }\omega:\Omega\to\mathbb R\text{”}",
        Verdict.PROVED, written("The image of f_X dt under L.", obliged(SAMPLED, "∫ω = 1")),
        reading="ω is a measure, the law of the loss; later ω is its density"),
    Record("KJH19/lem-5", 66, r"\frac{d\omega}{dy}=f_X(\mathcal L_{X/Y}^{-1}(y))\frac{d\mathcal "
        r"L_{X/Y}^{-1}(y)}{dy}",
        Verdict.CORRECTED, corrected(_DECREASING, _BACKWARD),
        stated="L is a continuously differentiable bijection",
        correction=r"\left|\frac{d\mathcal L^{-1}}{dy}\right|", used=("pldverify.symbolic.build.loss",),
        consequence="as printed the density of the direction add is negative"),
    Record("KJH19/sec-3.1/bijective", 64, r"\text{differentiability and bijectivity hold for the "
        r"subsampled Gaussian mechanism}",
        Verdict.PROVED, obliged(SAMPLED, "L is strictly increasing", "L(L⁻¹(s)) = s", "L⁻¹(L(t)) = t",
        "range of L")),
    Record("KJH19/def-6", 82, r"\int_Sf_X\le e^\varepsilon\int_Sf_Y+\delta\text{ and }\int_Sf_Y\le e^"
        r"\varepsilon\int_Sf_X+\delta",
        Verdict.PROVED, written("Σ(p − e^ε q)₊ is attained at {p > e^ε q}, in both orders.",
        attacked(pairs.events))),
    Record("KJH19/lem-7", 90, r"\delta=\max_{X\simeq Y}\{\int\max\{f_X-e^\varepsilon f_Y,0\},\int\max"
        r"\{f_Y-e^\varepsilon f_X,0\}\}",
        Verdict.PROVED, written("The event {f_X > e^ε f_Y} attains it.", attacked(pairs.events)),
        reading="of one pair; the maximum over neighbours is KJH19/lem-7/maximum"),
    Record("KJH19/lem-7/maximum", 92, r"\max_{X\simeq Y}",
        Verdict.CORRECTED, corrected(refuting(decided(reductions.maximum_over_neighbours),
        "δ rises to a value that no data set has"), written("A supremum exists in [0, 1].",
        attacked(pairs.events))), sort=Kind.CLAIM, correction=r"\sup_{X\simeq Y}",
        reading="norms 1 − 1/i of a Gaussian query: δ rises with the norm and is attained at none of them"),
    *(
        Record(
            f"KJH19/eq-4.{number}",
            line,
            rf"\int_S({f}-e^\varepsilon {g})=\int\max({f}-e^\varepsilon {g},0),\ S=\{{\dots\ge0\}}",
            Verdict.PROVED,
            written(
                "The integrand is its positive part on S, which is 0 elsewhere.", attacked(pairs.level_sets)
            ),
            sort=Kind.STEP,
        )
        for number, line, f, g in ((2, 112, "f_X", "f_Y"), (3, 121, "f_Y", "f_X"))
    ),
    Record("KJH19/lem-8", 131, r"\delta_{Y/X}=\int_{\mathcal L_{Y/X}(\mathbb R)\cap[\varepsilon,"
        r"\infty)}(1-e^{\varepsilon-y})f_Y(\mathcal L_{Y/X}^{-1}(y))\frac{d\mathcal L_{Y/X}^{-1}(y)}{dy}dy",
        Verdict.CORRECTED, corrected(_DECREASING, _BACKWARD),
        correction=r"|d\mathcal L_{Y/X}^{-1}/dy|;\text{ the formula for }X/Y\text{ holds as it stands}"),
    Record("KJH19/lem-8/proof", 156, r"\frac{d\mathcal L_{X/Y}^{-1}(y)}{dy}\ge0\text{ follows from Lemma 5 "
        r"and }\omega(S)\ge0\text{; analogously for }Y/X",
        Verdict.CORRECTED, corrected(_DECREASING, _BACKWARD),
        correction=r"\mathcal L_{Y/X}=-\mathcal L_{X/Y}\text{ decreases where }\mathcal L_{X/Y}\text{ "
        r"increases}", depends=("KJH19/lem-5",), reading="the argument is circular: Lemma 5 without the "
        "absolute value would make ω(S) negative"),
    Record("KJH19/eq-4.4", 143, r"\max\{f_X-e^\varepsilon f_Y,0\}=(1-e^{\varepsilon-y})f_X\text{ if }y>"
        r"\varepsilon,\text{ else }0",
        Verdict.PROVED, written("f_Y = e^{−y} f_X.", attacked(pairs.tails))),
    Record("KJH19/cor-9", 164, r"\delta_{X/Y}=\int_\varepsilon^\infty(1-e^{\varepsilon-y})\frac{d"
        r"\omega_{X/Y}}{dy}dy",
        Verdict.PROVED, _BY_LOSSES, used=("pldverify.symbolic.families.statements:integral_representation",)),
    Record("KJH19/thm-10", 178, r"\frac{d\omega^c_{X/Y}}{dy}(y)=\int\frac{d\omega_{X/Y}}{dy}(t)\frac{d"
        r"\omega_{X'/Y'}}{dy}(y-t)\,dt",
        Verdict.PROVED, written("The loss of independent outcomes is a sum, and the law of a sum is a "
        "convolution.", attacked(pairs.sums)), stated="independent mechanisms",
        reading="not adaptive; the last display has ∬_S for ∫_S"),
    Record("KJH19/eq-4.6", 189, r"\mathcal L^c_{X/Y}(t_1,t_2)=\mathcal L_{X/Y}(t_1)+\mathcal L_{X'/Y'}(t_2)",
        Verdict.PROVED, written("The logarithm of a product of densities.", attacked(pairs.sums)),
        stated="independent mechanisms"),
    Record("KJH19/cor-11", 202, r"\delta_{X/Y}=\int_{-\infty}^\infty(1-e^{\varepsilon-y})(\tfrac{d"
        r"\omega}{dy}*^k\tfrac{d\omega}{dy})(y)\,dy",
        Verdict.CORRECTED, corrected(obliged(SAMPLED, "δ(ε) = ∫_−∞^∞", source="KJH19 Corollary 11"),
        _BY_LOSSES), correction=r"\int_\varepsilon^\infty", depends=("KJH19/cor-9", "KJH19/thm-10"),
        consequence="as printed the value is 1 − e^ε for every mechanism"),
    Record("KJH19/cor-11/times", 210, r"\text{obtained by convolving }\tfrac{d\omega}{dy}\text{ by itself "
        r"}k\text{ times}",
        Verdict.CORRECTED, corrected(attacked(recursions.convolved_k_times),
        written("k factors, as in (10.6).", attacked(pairs.sums))), correction=r"k-1\text{ times}",
        sort=Kind.CLAIM),
    Record("KJH19/alg-1", 236, r"\mathcal M_\ell\leftarrow\tfrac1L(\sum_{i\in B}\hat f_\ell(x_i)+\mathcal "
        r"N(0,\sigma^2I_d)),\quad \|\hat f\|\le C",
        Verdict.CONDITIONAL, conditional(decided(reductions.clipping_constant),
        written("With noise Cσ it is C times the mechanism of C = 1.", attacked(reductions.scaling))),
        needed="C = 1; for other C the noise is C²σ²: the analysis of section 5.1 has ‖f‖ ≤ 1",
        consequence="DP-SGD run as printed with C > 1 has less privacy than computed"),
    Record("KJH19/sec-5.1/remove-add", 248, r"B\text{ a random subset of size }L,\ q=L/N:\ q\mathcal N(x',"
        r"\sigma^2)+(1-q)\mathcal N(0,\sigma^2)\text{ against }\mathcal N(0,\sigma^2)",
        Verdict.CONDITIONAL, conditional(decided(reductions.fixed_size_add_or_remove),
        written("Poisson: given the other records both are shifted alike; averages keep P ≤ e^ε Q + δ.",
        attacked(reductions.half_lines))), needed="Poisson sampling: in a batch of fixed size x' displaces "
        "another record, and q is L/N or L/(N − 1)", used=("pldverify.mechanisms.poisson_subsampled",)),
    Record("KJH19/sec-5.1/unitary", 257, r"Ux'=e_1\text{ for a unitary }U",
        Verdict.CORRECTED, corrected(decided(reductions.record_for_query), written("U has the row f(x').",
        attacked(reductions.transposed_rotation))), stated="‖f(x')‖ = 1",
        correction=r"Uf(x')=e_1\text{, and }f(x')\text{ for }x'\text{ in (5.2) too}"),
    Record("KJH19/sec-5.1/one-dimension", 268, r"(5.3)\Leftrightarrow(5.4):\ \mathcal N(e_1,\sigma^2I_d)"
        r"\text{ and }\mathcal N(0,\sigma^2I_d)\text{ by }\mathcal N(1,\sigma^2)\text{ and }\mathcal N(0,"
        r"\sigma^2)",
        Verdict.PROVED, written("Independent coordinates of one law drop out of the likelihood ratio.",
        attacked(pairs.common))),
    Record("KJH19/sec-5.1/norm", 276, r"\|x'\|_2<1\text{ gives tighter }(\varepsilon,\delta)\text{; }\|x'"
        r"\|_2=1\text{ is the worst case}",
        Verdict.PROVED, written("Scale by c = ‖x'‖ and add independent N(0, (1 − c²)σ²): a post-processing "
        "of the pair with norm 1.", attacked(reductions.scaling))),
    Record("KJH19/sec-5.1/substitute", 278, r"\text{the worst case of }\simeq_S\text{ is }q\mathcal N(\pm "
        r"x',\sigma^2)+(1-q)\mathcal N(0,\sigma^2)",
        Verdict.CONDITIONAL, conditional(decided(reductions.without_replacement),
        written("pldverify.mechanisms.poisson_subsampled", attacked(reductions.poisson_replacement))),
        needed="Poisson sampling; with a fixed size the other records at −1 are worse, at one step already",
        used=("pldverify.mechanisms.kjh19_substitute", "pldverify.mechanisms.sampled_without_replacement")),
    Record("KJH19/sec-5.2/loss", 290, r"\mathcal L_{X/Y}(t)=\log(qe^{(2t-1)/2\sigma^2}+(1-q))",
        Verdict.PROVED, obliged(SAMPLED, "L(t) = log(q e", source="KJH19 section 5.2"), sort=Kind.EQUATION),
    Record("KJH19/sec-5.2/range", 292, r"\mathcal L_{X/Y}(\mathbb R)=(\log(1-q),\infty)\text{, increasing}",
        Verdict.PROVED, obliged(SAMPLED, "L(ℝ) = ", "L is strictly increasing")),
    Record("KJH19/sec-5.2/density", 302, r"\frac{d\omega_{X/Y}}{dy}=f_X(\mathcal L^{-1}(y))\frac d{dy}"
        r"\mathcal L^{-1}(y),\ y>\log(1-q)",
        Verdict.PROVED, obliged(SAMPLED, "ω(s) = p(L⁻¹(s))", "∫ω = 1"), sort=Kind.EQUATION),
    Record("KJH19/sec-5.2/support", 304, r"\mathrm{supp}\,\omega_{Y/X}=\{-y:y\in\mathrm{supp}\,\omega_{X/Y}"
        r"\}",
        Verdict.PROVED, written("L_{Y/X} = −L_{X/Y}, and f_X, f_Y > 0 have the same null sets.",
        attacked(pairs.negated))),
    Record("KJH19/sec-5.2/reversal", 304, r"\frac{d\omega_{Y/X}}{dy}(y)=e^y\frac{d\omega_{X/Y}}{dy}(-y)",
        Verdict.PROVED, obliged(SAMPLED, "ω_Y/X(y) = e^y ω_X/Y(−y)", source="KJH19 section 5.2"),
        sort=Kind.EQUATION, reading="ω_{Y/X} with the absolute value of Lemma 5"),
    Record("KJH19/sec-5.2/which-direction", 304, r"\text{From this we can infer using Lemma 8 that }\delta="
        r"\delta_{X/Y}",
        Verdict.SUPPORTED, attacked(reductions.remove_dominates),
        reading="for every ε ≥ 0 and every number of steps", aside=Aside.STEP_FALSE,
        consequence="no proof is given for compositions: compute both directions, as the package does"),
    Record("KJH19/sec-5.2/inference", 304, r"\mathrm{supp}\,\omega_{Y/X}=-\mathrm{supp}\,\omega_{X/Y},\ "
        r"\omega_{Y/X}(y)=e^y\omega_{X/Y}(-y)\Rightarrow\delta_{Y/X}\le\delta_{X/Y}",
        Verdict.REFUTED, decided(reductions.exchange_of_names), sort=Kind.STEP,
        reading="both premises hold of every pair and with X and Y exchanged, so they cannot order δ_{X/Y} "
        "and δ_{Y/X}"),
    Record("KJH19/sec-5.3/loss", 316, r"\mathcal L_{X/Y}(t)=\log\frac{qe^{(2t-1)/2"
        r"\sigma^2}+1-q}{qe^{(-2t-1)/2\sigma^2}+1-q}",
        Verdict.PROVED, obliged(SUBSTITUTE, "L(t) = log((q e", source="KJH19 section 5.3"),
        sort=Kind.EQUATION),
    Record("KJH19/sec-5.3/range", 318, r"\mathcal L_{X/Y}(\mathbb R)=\mathbb R\text{, increasing}",
        Verdict.PROVED, obliged(SUBSTITUTE, "L(ℝ) = ℝ", "L is strictly increasing")),
    Record("KJH19/sec-5.3/quadratic", 325, r"cx^2+(1-q)(1-e^y)x-ce^y=0,\quad x=\frac{-(1-q)(1-e^y)+"
        r"\sqrt{(1-q)^2(1-e^y)^2+4c^2e^y}}{2c}",
        Verdict.PROVED, obliged(SUBSTITUTE, "c x² +", "(c x + 1 − q)"), sort=Kind.EQUATION),
    Record("KJH19/sec-5.3/inverse", 333, r"\mathcal L^{-1}_{X/Y}(y)=\sigma^2\log x",
        Verdict.PROVED, obliged(SUBSTITUTE, "L⁻¹(s) = σ² log x(s)"), sort=Kind.EQUATION),
    Record("KJH19/sec-5.3/jacobian", 337, r"\frac d{dy}\mathcal L^{-1}_{X/Y}(y)=\sigma^2\frac{\dots}{"
        r"\sqrt{4c^2e^y+(1-q)^2(1-e^y)^2}-(1-q)(1-e^y)}",
        Verdict.PROVED, obliged(SUBSTITUTE, "dL⁻¹/ds", source="KJH19 section 5.3"), sort=Kind.EQUATION),
    Record("KJH19/sec-5.3/symmetric", 339, r"\mathcal L(-t)=-\mathcal L(t),\ f_Y(-t)=f_X(t)\Rightarrow"
        r"\delta=\delta_{Y/X}=\delta_{X/Y}",
        Verdict.PROVED, obliged(SUBSTITUTE, "L(−t) = −L(t)", "f_Y(−t) = f_X(t)", "ω_X/Y(s) = ω_Y/X(s)")),
    Record("KJH19/sec-6/transform", 345, r"(\mathcal Fx)_k=\sum x_je^{-i2\pi kj/n},\quad(\mathcal "
        r"F^{-1}w)_k=\tfrac1n\sum w_je^{i2\pi kj/n}",
        Verdict.PROVED, written("Σ_k e^{2πik(j−m)/n} is n where j = m and 0 elsewhere.",
        attacked(transforms.inverse)), sort=Kind.DEFINITION),
    Record("KJH19/sec-6/convolution", 355, r"v*w=\mathcal F^{-1}(\mathcal Fv\odot\mathcal Fw)",
        Verdict.PROVED, written("Exponentials turn sums of indices into products.",
        attacked(transforms.convolution_theorem)), sort=Kind.EQUATION),
    Record("KJH19/sec-7.1/period", 367, r"\widetilde\omega\text{ is }2\pi\text{-periodic},\ \widetilde"
        r"\omega(t+n2\pi)=\omega(t)\text{ for }t\in[-L,L)",
        Verdict.CORRECTED, corrected(decided(recursions.periods_of_two_pi),
        decided(recursions.periods_of_2l)), sort=Kind.DEFINITION, correction=r"2L\text{-periodic}"),
    Record("KJH19/eq-7.1", 369, r"\int_{-L}^L\widetilde\omega(t)\widetilde\omega(x-t)dt=\int_0^{2L}"
        r"\widetilde\omega(t)\widetilde\omega(x-t)dt",
        Verdict.PROVED, written("A 2L-periodic integrand over one period.",
        attacked(recursions.periods_of_2l)), depends=("KJH19/sec-7.1/period",)),
    Record("KJH19/sec-7.2/swap", 391, r"\widetilde\omega=D\omega,\quad D=\begin{bmatrix}0&I_{n/2}"
        r"\\I_{n/2}&0\end{bmatrix}",
        Verdict.CONDITIONAL, conditional(decided(transforms.odd_length),
        written("ω̃(ℓΔx) = ω(−L + (ℓ + n/2 mod n)Δx).", attacked(transforms.by_swaps))), sort=Kind.EQUATION,
        needed="n even", used=("pldverify.accountants.fft_grid",)),
    Record("KJH19/sec-7.2/trapezoid", 393, r"\int_0^{2L}\widetilde\omega(t)\widetilde\omega(\ell\Delta "
        r"x-t)dt\approx\Delta x\sum_{j=0}^{n-1}\widetilde\omega_j\widetilde\omega_{\ell-j}\text{ “using "
        r"trapezoidal rule”}",
        Verdict.PROVED, written("The two halves at the ends of a period are one point.",
        attacked(transforms.trapezoids)), reading="the sum is that of the trapezoidal rule"),
    Record("KJH19/sec-7.2/power", 404, r"(\widetilde\omega\circledast^k\widetilde\omega)(-L+\ell\Delta x)"
        r"\approx(\Delta x)^{-1}[D\mathcal F^{-1}(\mathcal F(D\omega\Delta x)^{\odot k})]_\ell",
        Verdict.PROVED, written("k − 1 sums, each with its Δx, and a shift by n/2 for each factor.",
        attacked(transforms.powers)), sort=Kind.EQUATION,
        reading="equality with the k-fold sums over the grid",
        used=("pldverify.accountants.fft_grid:compose",)),
    Record("KJH19/eq-7.2", 412, r"\delta(\varepsilon)\approx\Delta x\sum_{\ell=\ell_"
        r"\varepsilon}^{n-1}(1-e^{\varepsilon-(-L+\ell\Delta x)})C_\ell",
        Verdict.SUPPORTED, attacked(grids.grid_of_both_signs), used=("pldverify.accountants.fourier",)),
    Record("KJH19/sec-7.4", 423, r"C=(\Delta x)^{-1}[D\mathcal F^{-1}(F_1\odot\dots\odot F_k)],\quad F_i="
        r"\mathcal F(D\omega_i\Delta x)",
        Verdict.PROVED, written("As for equal factors: each has its own shift by n/2.",
        attacked(transforms.by_swaps)), sort=Kind.EQUATION,
        reading="varying mechanisms; the sums over the grid; “adaptive” in the heading is not shown",
        stated="n even, by the D of section 7.2", depends=("KJH19/sec-7.2/swap",),
        used=("pldverify.accountants.heterogeneous_fourier",)),
    Record("KJH19/eq-8.2", 434, r"\frac{d\delta}{d\varepsilon}(\varepsilon)=-\int_\varepsilon^\infty e^{"
        r"\varepsilon-y}(\omega*^k\omega)(y)\,dy",
        Verdict.PROVED, _SLOPE),
    Record("KJH19/sec-8/convexity", 438, r"\delta\text{ is convex in }x=e^\varepsilon\text{, and not in }"
        r"\varepsilon",
        Verdict.PROVED, all_of(written("δ = δ_∞ + E[(1 − xe^{−S})₊; S < ∞], a mean of convex functions.",
        attacked(newton.convex_in_x)), necessary(attacked(newton.convex_in_epsilon))), sort=Kind.CLAIM,
        reading="not printed: what convergence from the left rests on"),
    Record("KJH19/sec-8/newton", 438, r"\varepsilon_{\ell+1}=\varepsilon_\ell-\frac{\delta(\varepsilon_\ell)-"
        r"\bar\delta}{d\delta/d\varepsilon(\varepsilon_\ell)},\ \varepsilon_0=0\text{, “in order to find }"
        r"\varepsilon\text{ such that }\delta(\varepsilon)=\bar\delta\text{”}",
        Verdict.CORRECTED, corrected(refuting(decided(newton.overshoots),
        "the first step passes ε*, the second leaves every grid"),
        written("For δ(x_ℓ) ≥ δ̄ > δ_∞ the tangent lies below the convex δ and falls, so it meets δ̄ at "
        "x_{ℓ+1} in [x_ℓ, x*]. The x_ℓ rise to a limit y ≤ x*, and the steps (δ(x_ℓ) − δ̄)/|δ'(x_ℓ)| fall "
        "to 0 while |δ'| ≤ 1, so δ(y) ≤ δ̄: y = x*.", attacked(newton.in_x))),
        reading="as a method, for every δ̄ < δ(0); that it converged is said of the experiments alone, see "
        "KJH19/sec-8/newton/experiments", sort=Kind.ALGORITHM,
        correction=r"\text{in }x=e^\varepsilon:\ x_{\ell+1}=x_\ell+(\delta-\bar\delta)\,/\,Q(S>\log x_\ell)"
        r"\text{ rises to }x^*\text{ from }x_0=1", depends=("KJH19/sec-8/convexity",),
        used=("pldverify.accountants.fourier:newton",),
        consequence="one Gaussian with σ = 1/4, δ̄ = 10⁻⁶: ε* = 26.4, ε₁ = 42.0, ε₂ < −10¹¹"),
    Record("KJH19/sec-8/newton/experiments", 444, r"\text{The iteration was found to converge in all "
        r"experiments with }\varepsilon_0=0",
        Verdict.SUPPORTED, attacked(newton.experiments), reading="of section 9: q = 0.01, δ̄ = 10⁻⁶, σ = "
        "1, 2, 3, k up to 5·10⁴, in exact arithmetic", slow=True),
    Record("KJH19/sec-8/stop", 442, r"|\delta(\varepsilon_\ell)-\bar\delta|\le tol",
        Verdict.CONDITIONAL, conditional(decided(newton.stops_short),
        written("δ(ε_ℓ) ≤ δ̄ + tol is half of what the criterion says.", attacked(newton.convex_in_x))),
        sort=Kind.ALGORITHM, reading="the accepted ε_ℓ is reported as an upper bound of ε(δ̄)",
        needed="what is reported is (ε_ℓ, δ̄ + tol)-DP; for δ̄ itself δ(ε_ℓ) ≤ δ̄ is to be asked",
        consequence="an iterate from the left understates ε(δ̄); a relative tolerance is needed at least"),
    *numbered("KJH19/tab-1", tables()["KJH19-T1"]["rows"], _row),
    Record("KJH19/tab-1/convergence", 456, r"\text{Table 1 illustrates the convergence with respect to }L",
        Verdict.REFUTED, refuting(decided(accountants.errors_grow_with_L), "the error grows from L = 10 on"),
        sort=Kind.CAPTION, reading="of the printed numbers, against the true ε", depends=("KJH19/sec-10.5",),
        consequence="L is to grow with n: at n = 4·10⁶ kept, Δx = 2L/n coarsens"),
    Record("KJH19/tab-1/same-run", 465, r"\text{the rows }L=20\text{ (at }n=4\cdot10^6)\text{ and }n=4"
        r"\cdot10^6\text{ (at }L=20)\text{ are one}",
        Verdict.PROVED, decided(accountants.same_run), sort=Kind.CAPTION),
    Record("KJH19/fig-1", 468, r"\text{Figures 1 to 3: moments accountant, Rényi accountant and exact "
        r"guarantee}",
        Verdict.NOT_CHECKABLE, not_checkable("the figures are not part of the text, and the captions print "
        "no number but δ = 10⁻⁶")),
    Record("KJH19/eq-10.2", 489, r"\mathcal L^{-1}(y)=\sigma^2\log\left(\frac{e^y-(1-q)}q\right)+\frac12",
        Verdict.PROVED, obliged(SAMPLED, "L⁻¹(s) = σ² log", source="KJH19 (10.2)")),
    Record("KJH19/eq-10.3", 494, r"\frac d{dy}\mathcal L^{-1}(y)=\frac{\sigma^2e^y}{e^y-(1-q)}",
        Verdict.PROVED, obliged(SAMPLED, "dL⁻¹/ds = σ²", source="KJH19 (10.3)")),
    Record("KJH19/eq-10.4", 499, r"|\delta-\Delta x\sum_{\ell=0}^{n-1}(1-e^{\varepsilon-\ell\Delta x})C_"
        r"\ell|\le\text{four terms}",
        Verdict.PROVED, written("Triangle inequality.", attacked(grids.triangle_of_errors)),
        reading="the second term has ⊛ in its second integral; a triangle inequality, whatever the sum is",
        depends=("KJH19/eq-10.14",)),
    Record("KJH19/eq-10.4/grid", 499, r"\Delta x\sum_{\ell=0}^{n-1}(1-e^{\varepsilon-\ell\Delta x})C_\ell",
        Verdict.CORRECTED, corrected(decided(grids.shifted_grid), attacked(grids.grid_of_both_signs)),
        sort=Kind.STEP, correction=r"\sum_{-L+\ell\Delta x>\varepsilon}(1-e^{\varepsilon-(-L+\ell\Delta "
        r"x)})C_\ell", depends=("KJH19/eq-7.2",)),
    Record("KJH19/eq-10.5", 525, r"0\le err_1(L)<\int_L^\infty(\omega*^k\omega)(y)\,dy",
        Verdict.PROVED, written("0 < 1 − e^{ε−y} < 1 for y > L ≥ ε, and ω *^k ω > 0 far out.",
        attacked(densities.positive_tail))),
    Record("KJH19/sec-10.1/limit", 536, r"err_1(L)\to0\text{ as }L\to\infty",
        Verdict.PROVED, written("It is at most Pr[S ≥ L], of a finite S.",
        attacked(densities.positive_tail)), depends=("KJH19/eq-10.5",)),
    Record("KJH19/eq-10.6", 538, r"\omega*^k\omega-\omega\circledast^k\omega=\omega\circledast("
        r"\omega*^{k-1}\omega-\omega\circledast^{k-1}\omega)+(\omega\circledast-\omega*)(\omega"
        r"\circledast^{k-1}\omega)",
        Verdict.CORRECTED, corrected(attacked(recursions.printed_recursion), attacked(recursions.recursion)),
        correction=r"\dots+(\omega*-\omega\circledast)(\omega*^{k-1}\omega)",
        consequence="at k = 2 the printed right side is minus the left side; (10.9) survives by the "
        "corrected recursion", used=("pldverify.bounds.pointwise_truncation:pointwise_truncation",)),
    Record("KJH19/eq-10.7", 547, r"\max_{y\ge L}\omega(y)\le\sigma\sqrt{2/\pi}\,e^{-\frac{-("
        r"\sigma^2y+C_2)^2}{2\sigma^2}}",
        Verdict.CONDITIONAL, conditional(attacked(densities.truncation_without_hypothesis(2,
        densities.root_two_over_pi)), written("pldverify.bounds.pointwise_truncation:pointwise_truncation",
        attacked(densities.truncation_with_hypothesis))), sort=Kind.STEP,
        reading="L for y, and the exponent with one minus sign",
        needed="σ²L + C₂ ≥ 0: the bound of Lemma 13 falls from there on only", depends=("KJH19/lem-13",)),
    Record("KJH19/eq-10.8", 554, r"|(\omega*\omega-\omega\circledast\omega)(x)|\le\sigma\sqrt{2/\pi}\,e^{-("
        r"\sigma^2y+C_2)^2/2\sigma^2}",
        Verdict.CONDITIONAL, conditional(attacked(densities.truncation_without_hypothesis(2,
        densities.root_two_over_pi)), written("pldverify.bounds.pointwise_truncation:pointwise_truncation",
        attacked(densities.truncation_with_hypothesis))), reading="L for y", needed="σ²L + C₂ ≥ 0",
        used=("pldverify.bounds.pointwise_truncation:pointwise_truncation",)),
    Record("KJH19/eq-10.9", 563, r"|(\omega*^k\omega-\omega\circledast^k\omega)(x)|\le2\sigma\sqrt{2/\pi}"
        r"\,e^{-\frac{-(\sigma^2L+C_2)^2}{2\sigma^2}}\left((L+1)\frac\sigma{q\sqrt{2\pi}}e^{1/\sigma^2}"
        r"\right)^{k-2}",
        Verdict.PROVED, written("The left side is at most (k − 1) sup_{s ≥ 2} ω ≤ (k − 1)σ√(2/π). The "
        "exponent is ≥ 0, and the last factor is at least (3√(2e)/√(2π))^{k−2} > 2^{k−2} ≥ (k − 1)/2, as "
        "σe^{1/σ²} ≥ √(2e).", attacked(densities.truncation_as_printed(2,
        densities.twice_root_two_over_pi))), stated="L ≥ 2, by Lemma 13", aside=Aside.VACUOUS,
        depends=("KJH19/eq-10.6",), consequence="it falls with no L; with one sign it needs σ²L + C₂ ≥ 0, "
        "and k − 1 in the place of the last factor will do",
        used=("pldverify.bounds.pointwise_truncation:pointwise_truncation",)),
    Record("KJH19/sec-10.2/limit", 565, r"\text{for all fixed }k\text{ the second approximation goes to "
        r"zero as }L\to\infty",
        Verdict.PROVED, written("∫_ε^L |ω *ᵏ ω − ω ⊛ᵏ ω| ≤ (k − 1)Pr[ω ∉ [−L, L)].",
        attacked(recursions.kept_mass)), aside=Aside.STEP_FALSE,
        reading="“from (10.2)”: it does not follow from (10.9) with the double sign, which grows with L"),
    Record("KJH19/sec-10.3/linear", 576, r"\circledast\text{ is linear w.r.t. both operands}",
        Verdict.PROVED, written("An integral of a product.", attacked(recursions.linear))),
    Record("KJH19/eq-10.11/middle", 580, r"=(\omega-\widetilde\omega)\circledast(\omega\circledast^{k-1}"
        r"\omega)-\widetilde\omega\circledast(\omega\circledast^{k-1}\omega-\widetilde\omega"
        r"\circledast^{k-1}\widetilde\omega)",
        Verdict.CORRECTED, corrected(attacked(recursions.printed_middle_line),
        attacked(recursions.periodic_recursion)), sort=Kind.STEP,
        correction=r"+\widetilde\omega\circledast(\dots)\text{, as in the last line}"),
    Record("KJH19/eq-10.11", 582, r"\omega\circledast^k\omega-\widetilde\omega\circledast^k\widetilde"
        r"\omega=\widetilde\omega\circledast(\omega\circledast^{k-1}\omega-\widetilde\omega"
        r"\circledast^{k-1}\widetilde\omega)",
        Verdict.PROVED, written("⊛ is linear, and ω = ω̃ where its first factor counts.",
        attacked(recursions.periodic_recursion)), aside=Aside.STEP_FALSE),
    Record("KJH19/sec-10.3/zero", 592, r"x<L+\log(1-q)\Rightarrow err_2(x)=0",
        Verdict.CONDITIONAL, conditional(decided(recursions.err_2_below_zero),
        written("Then |x − t| < L for all t in [log(1 − q), L).", attacked(recursions.err_2_in_range))),
        needed="x ≥ 0: for x < 0 sums that wrap from above are in ω̃ ⊛ ω̃"),
    Record("KJH19/sec-10.3/next-period", 594, r"\int\omega(t)[\omega(x-t)-\widetilde\omega(x-t)]dt=\int"
        r"\omega(t)\omega(x-t)dt",
        Verdict.CONDITIONAL, conditional(decided(densities.next_period),
        written("x − t − 2L < −L − log(1 − q) ≤ log(1 − q).", attacked(recursions.err_2))), sort=Kind.STEP,
        reading="for L ≤ x − t, where ω̃(x − t) = ω(x − t − 2L) is to vanish", needed="L ≥ −2 log(1 − q)"),
    Record("KJH19/sec-10.3/interval", 596, r"\text{inside the integration interval }[\log(1-q),L-x]:\ x-t"
        r"\ge L",
        Verdict.CORRECTED, corrected(decided(recursions.interval_as_printed), written("t ≤ x − L.",
        attacked(recursions.err_2))), sort=Kind.STEP, correction=r"\text{inside }[\log(1-q),x-L]",
        depends=("KJH19/eq-10.12/limit",)),
    Record("KJH19/eq-10.12/limit", 594, r"err_2(x)=\int_{\log(1-q)}^{L-x}\omega(t)\omega(x-t)\,dt",
        Verdict.CORRECTED, corrected(decided(recursions.printed_err_2), attacked(recursions.err_2)),
        sort=Kind.STEP, correction=r"\int_{\log(1-q)}^{x-L}",
        consequence="(10.12) has room for it: the interval is at most −log(1 − q) long"),
    Record("KJH19/eq-10.12", 604, r"err_2(x)\le\log\left(\tfrac1{(1-q)^2}\right)\tfrac\sigma{q\pi}e^{-("
        r"\sigma^2L+C_2)^2/2\sigma^2+1/\sigma^2}",
        Verdict.PROVED, written("err₂(x) ≤ sup_{y ≥ L} ω(y) Pr[ω < 0]. With A = σ²L + C₂ and −log(1 − q) ≥ "
        "q the right side is at least (2σ/π) e^{1/σ² − A²/2σ²}. If A ≥ 0 the supremum is at most σ√(2/π) "
        "e^{−A²/2σ²} by Lemma 13: enough where √(2/π) e^{1/σ²} ≥ 1, up to σ = 2.1, and beyond by Pr[ω < 0] "
        "≤ Φ(1/2σ) ≤ √(2/π). If A < 0 then A > −1/2, σ² < 1/(4 − 2 log 2), the supremum is at most "
        "σ√(2/π), and e^{7/8σ²} is enough.", decided(densities.err_2_constants),
        attacked(densities.wrapped_once)), reading="for L + log(1 − q) < x < L", stated="L ≥ 2, by Lemma 13",
        aside=Aside.STEP_FALSE, depends=("KJH19/lem-13/meant", "KJH19/eq-10.12/limit"),
        consequence="the proof's way does not give it: see KJH19/eq-10.12/product"),
    Record("KJH19/eq-10.12/product", 602, r"\text{by Lemmas 12 and 13 }\omega(t)\omega(x-t)\le\tfrac"
        r"\sigma{q\pi}e^{-(\sigma^2L+C_2)^2/2\sigma^2+1/\sigma^2}",
        Verdict.CORRECTED, corrected(decided(densities.product_of_lemmas),
        written("σ/(q√2π) · σ√(2/π) = σ²/(qπ), for L ≥ 2 and σ²L + C₂ ≥ 0.", attacked(densities.supremum))),
        sort=Kind.STEP, correction=r"\tfrac{\sigma^2}{q\pi}e^{\dots}\text{: a factor }\sigma\text{ is lost}",
        depends=("KJH19/lem-12", "KJH19/lem-13/meant"),
        consequence="for σ > 2 the factor 2 of (10.12) does not make up for it; the bound stands otherwise"),
    Record("KJH19/eq-10.13", 611, r"|(\omega\circledast^k\omega-\widetilde\omega\circledast^k\widetilde"
        r"\omega)(x)|\le\left(\tfrac\sigma{q\sqrt{2\pi}}e^{1/\sigma^2}(L+1)^{k-2}\right)\log\left("
        r"\tfrac1{(1-q)^2}\right)\tfrac\sigma{q\pi}e^{-(\sigma^2L+C_2)^2/2\sigma^2+1/\sigma^2}",
        Verdict.REFUTED, attacked(densities.later_periods), reading="for 0 < x ≤ L, as the text says",
        consequence="the recursion needs err₂ outside of (0, L], where (10.12) does not hold; KH21 Theorem "
        "1 bounds δ"),
    Record("KJH19/sec-10.3/limit", 615, r"\text{the error by periodisation goes to zero for all }k\text{ "
        r"as }L\to\infty",
        Verdict.PROVED, written("∫_ε^L |ω ⊛ᵏ ω − ω̃ ⊛ᵏ ω̃| ≤ Pr[S ∉ [−L, L)] + 2kPr[ω ∉ [−L, L)].",
        attacked(recursions.wrapped_mass)), aside=Aside.STEP_FALSE, reading="“from (10.13)”, which is false",
        depends=("KJH19/eq-10.13",)),
    Record("KJH19/eq-10.14", 630, r"\int_\varepsilon^L(1-e^{\varepsilon-y})(\dots)(y)dy\approx\Delta x"
        r"\sum_{\ell=k_\varepsilon}^{n-1}(1-e^{\varepsilon-\ell\Delta x})C_\ell,\quad C_\ell=(\dots)(\ell"
        r"\Delta x),\ k_\varepsilon=\min\{k:-L+k\Delta x>\varepsilon\}",
        Verdict.CORRECTED, corrected(decided(grids.mixed_grids), attacked(grids.grid_of_both_signs)),
        correction=r"x_\ell=-L+\ell\Delta x\text{ for }\ell\Delta x\text{ in the weight and in }C_\ell"
        r"\text{, as }k_\varepsilon\text{ and (7.2) have it}",
        consequence="the printed sum counts losses below 0 with weight near 1 and does not converge to δ"),
    Record("KJH19/eq-10.15", 636, r"\left|\int_\varepsilon^\infty h(y)dy-\Delta x\sum_{\ell=k_"
        r"\varepsilon}^{n-1}\dots\right|\le\max|h'|\frac{(L-\varepsilon)^2}{2n}",
        Verdict.CORRECTED, corrected(attacked(grids.printed_riemann),
        written("pldverify.bounds.density_discretisation:riemann_sum", attacked(grids.riemann))),
        reading="as ∫_ε^L, for ω̃ ⊛^k ω̃ is periodic and ∫_ε^∞ infinite; with the points of (7.2)",
        correction=r"\left|\int_\varepsilon^L\dots\right|\le\max|h'|\,L(L-\varepsilon)/n",
        used=("pldverify.bounds.density_discretisation:riemann_sum",)),
    Record("KJH19/sec-10.4/supremum", 642, r"e^{\varepsilon-y}(\widetilde\omega\circledast^k\widetilde"
        r"\omega)(y)\le\frac\sigma{q\sqrt{2\pi}}e^{1/\sigma^2}",
        Verdict.PROVED, written("k − 1 factors of mass at most 1, and Lemma 12.",
        attacked(densities.periodic_supremum)), stated="y ≥ ε", sort=Kind.STEP, depends=("KJH19/lem-12",)),
    Record("KJH19/sec-10.4/variables", 648, r"(\widetilde\omega\circledast^k\widetilde\omega)(y)="
        r"\int_{-L}^L\widetilde\omega(t_1)\dots\int_{-L}^L\widetilde\omega(t_{k-2})\,\widetilde"
        r"\omega(y-t_1-\dots-t_{k-2})\,dt_{k-2}\dots dt_1",
        Verdict.CORRECTED, corrected(attacked(recursions.one_integral_less),
        written("k factors have k − 1 sums.", attacked(recursions.integrals))), sort=Kind.STEP,
        reading="before d/dy, which stands in the innermost integral", correction=r"t_1,\dots,t_{k-1}"),
    Record("KJH19/sec-10.4/derivative", 656, r"\omega'=f'(\mathcal L^{-1})(d\mathcal L^{-1}/dy)^2+f("
        r"\mathcal L^{-1})d^2\mathcal L^{-1}/dy^2",
        Verdict.PROVED, obliged(SAMPLED, "ω′ = f′(L⁻¹)", source="KJH19 section 10.4"), sort=Kind.EQUATION),
    Record("KJH19/sec-10.4/periodic-derivative", 648, r"\tfrac d{dy}(\widetilde\omega\circledast^k\widetilde"
        r"\omega)(y)=\int_{-L}^L\widetilde\omega(t_1)\dots\tfrac d{dy}\widetilde\omega(y-\textstyle\sum t_i)"
        r"\,dt",
        Verdict.CORRECTED, corrected(refuting(decided(grids.jump_at_the_end),
        "over a period the left side adds up to 0, the right side to mass times ω(L)"),
        written("ω̃ falls by ω(L) at L + 2Lℤ.", attacked(transforms.cyclic_differences))), sort=Kind.STEP,
        correction=r"\dots-\omega(L)(\widetilde\omega\circledast^{k-1}\widetilde\omega)(y-L)",
        consequence="the maximum of |ω̃′| alone bounds nothing here: ω(L) sup ω̃ is to be added"),
    Record("KJH19/sec-10.4/constant", 664, r"\left|\int_0^\infty(1-e^{\varepsilon-y})(\widetilde\omega"
        r"\circledast^k\widetilde\omega)(y)dy-\Delta x\sum_{\ell=0}^{n-1}(1-e^{\varepsilon-\ell\Delta x})C_"
        r"\ell\right|\le C(\sigma,q)\frac{(L-\varepsilon)^2}{2n}",
        Verdict.REFUTED, refuting(decided(recursions.periodic_integral),
        "every period adds as much, so ∫_0^∞ is infinite"),
        reading="with ∫_ε^L and the points of (7.2) it is (10.15); C(σ, q) is not given",
        depends=("KJH19/eq-10.15",)),
    Record("KJH19/eq-10.16", 660, r"\max f'(\mathcal L^{-1}(y))\le\frac1{\sigma^2}\max\mathcal L^{-1}(y)f("
        r"\mathcal L^{-1}(y))(d\mathcal L^{-1}/dy)^2",
        Verdict.REFUTED, decided(densities.slope_of_f), sort=Kind.STEP,
        reading="the factor (dL⁻¹/dy)² stands on one side only; with it on both a bound of this kind is "
        "KJH20s D.4", depends=("KJH20s/lem-D.4/first",)),
    Record("KJH19/sec-10.4/bounded", 662, r"xe^{-(\sigma^2x+\frac12)^2/2\sigma^2-2x}\text{ and }e^{-("
        r"\sigma^2x+\frac12)^2/2\sigma^2-2x}\text{ are bounded for }x<0",
        Verdict.PROVED, written("The exponent is 3/σ² − (σ²x + 5/2)²/2σ².",
        attacked(densities.bounded_factor))),
    Record("KJH19/sec-10.5", 670, r"\text{the approximation converges as }L\to\infty\text{ and }n\to\infty",
        Verdict.CONDITIONAL, conditional(decided(grids.wide_grid),
        written("Truncation and wrapping cost at most 2Pr[S ∉ [−L, L)] + 2kPr[ω ∉ [−L, L)]; what is left "
        "are Riemann sums of a piecewise continuous function.", attacked(grids.grid_of_both_signs))),
        reading="of (7.2), not of the sum in (10.4)", needed="n/L → ∞ fast enough, as n → ∞ for each L: "
        "for L → ∞ with n kept it does not", used=("pldverify.bounds.density_discretisation:density_discreti"
        "sation",)),
    Record("KJH19/lem-12", 698, r"\omega(y)\le\frac\sigma{q\sqrt{2\pi}}e^{1/\sigma^2}",
        Verdict.PROVED, written("pldverify.bounds.density:density_supremum", attacked(densities.supremum)),
        aside=Aside.STEP_FALSE, used=("pldverify.bounds.density:density_supremum",)),
    *(
        Record(
            f"KJH19/eq-A.{number}",
            line,
            statement,
            Verdict.PROVED,
            written("q ≤ 1, e^y ≤ 1, and φ₁ ≤ φ₀ left of 1/2.", attacked(densities.below_zero)),
            sort=Kind.STEP,
            stated="log(1 − q) < y ≤ 0",
        )
        for number, line, statement in (
            (1, 709, r"f(\mathcal L^{-1}(y))\le Ce^{-\mathcal L^{-1}(y)^2/2\sigma^2}"),
            (2, 713, r"\tfrac d{dy}\mathcal L^{-1}(y)\le\sigma^2/(e^y-(1-q))"),
            (3, 719, r"\omega(y)\le\tfrac\sigma{\sqrt{2\pi}}e^{-\mathcal L^{-1}(y)^2/2\sigma^2}/(e^y-(1-q))"),
        )
    ),
    Record("KJH19/eq-A.4", 726, r"qe^x=e^y-(1-q)",
        Verdict.PROVED, written("By definition of x.", attacked(densities.change_of_variables))),
    Record("KJH19/eq-A.5/maximum", 732, r"e^{-(\sigma^2x+\frac12)^2/2\sigma^2}/e^x\text{ is greatest at "
        r"}x=-\tfrac3{2\sigma^2}",
        Verdict.PROVED, written("The exponent's slope is −(σ²x + 1/2) − 1.",
        attacked(densities.greatest_below_zero)), sort=Kind.STEP),
    Record("KJH19/eq-A.6", 747, r"\text{substituting into (A.5): }\frac\sigma{q\sqrt{2\pi}}\cdot"
        r"\frac{e^{-1/2\sigma^2}}{qe^{-3/2\sigma^2}}=\frac\sigma{q\sqrt{2\pi}}e^{1/\sigma^2}",
        Verdict.CORRECTED, corrected(decided(densities.printed_substitution),
        attacked(densities.substitution)), sort=Kind.STEP,
        correction=r"\frac\sigma{\sqrt{2\pi}}\text{ in (A.5), whose }\tfrac1q\text{ counts }q\text{ twice}",
        reading="(A.5) is true, and larger than (A.6) by a factor 1/q"),
    Record("KJH19/eq-A.7", 755, r"y>0\Rightarrow\omega(y)\le\frac\sigma{q\sqrt{2\pi}}",
        Verdict.PROVED, written("f ≤ 1/√(2πσ²) and dL⁻¹/dy ≤ σ²/q for y ≥ 0.",
        attacked(densities.supremum_above_zero)), sort=Kind.STEP),
    Record("KJH19/lem-13", 759, r"y\ge2\Rightarrow\omega(y)\le\sigma\sqrt{2/\pi}\,e^{-\frac{-("
        r"\sigma^2y+C_2)^2}{2\sigma^2}}",
        Verdict.PROVED, written("f ≤ 1/√(2πσ²) and dL⁻¹/dy ≤ 2σ² give σ√(2/π), and the exponent is ≥ 0.",
        attacked(densities.far_as_printed(2, densities.RATES, True))),
        reading="with both minus signs, which both papers have; one may be the transcription's",
        aside=Aside.VACUOUS, consequence="as printed it bounds nothing that goes to 0; what is meant is "
        "KJH19/lem-13/meant"),
    Record("KJH19/lem-13/meant", 759, r"y\ge2\Rightarrow\omega(y)\le\sigma\sqrt{2/\pi}\,e^{-("
        r"\sigma^2y+C_2)^2/2\sigma^2}",
        Verdict.PROVED, written("pldverify.bounds.density_tail:density_tail",
        attacked(densities.far_as_meant(2, densities.RATES, True))), reading="one minus sign",
        aside=Aside.STEP_FALSE, used=("pldverify.bounds.density_tail:density_tail",)),
    Record("KJH19/lem-13/inverse", 767, r"e^y-(1-q)\ge\tfrac12e^y,\quad\mathcal L^{-1}(y)\ge\sigma^2y+C,"
        r"\quad\tfrac d{dy}\mathcal L^{-1}(y)\le2\sigma^2",
        Verdict.PROVED, written("e^y/2 ≥ 1 ≥ 1 − q from y = log 2 on; the others follow.",
        attacked(densities.inverse_from_one_on)), sort=Kind.STEP, stated="y > 2",
        reading="C = σ² log(1/2q) + 1/2"),
    Record("KJH19/lem-13/proof", 775, r"\mathcal L^{-1}(y)\ge\sigma^2y+C\Rightarrow f(\mathcal L^{-1}(y))"
        r"\le\tfrac1{\sqrt{2\pi\sigma^2}}e^{-\frac{-(\sigma^2y+C_2)^2}{2\sigma^2}}",
        Verdict.CONDITIONAL, conditional(attacked(densities.bound_of_f(2, densities.RATES)),
        written("Beyond its greater mode, 1, f falls. Else with u = 1 − (1 − q)e^{−y}, t₀ = σ²y + C ≥ 1/2 "
        "and t = L⁻¹(y): f(t) is q/u times the density φ of N(1, σ²), and φ(t)/φ(t₀) = (2u)^{(2 − t₀ − "
        "t)/2} ≤ √(2u), so f(t)/φ(t₀) ≤ q√(2/u), at most 1 for q ≤ 2/3 and y ≥ 2.",
        attacked(densities.bound_of_f(2, (*densities.RATES[:3], F(2, 3)))), attacked(densities.bound_of_f(2,
        densities.RATES, beyond=True)))), reading="as f falls, with one minus sign",
        needed="q ≤ 2/3, or σ²y + C ≥ 1, the greater mode of f; else the factor g'(s) has to help, as in "
        "density_tail"),
)
