"""KJH19: Koskela, Jälkö, Honkela, Computing Exact Guarantees for Differential Privacy, arXiv 1906.03049v1.

ω is the density of the loss log(f_X/f_Y) under f_X; X/Y is ``remove`` where X has the record. ω *^k ω is the
k-fold convolution of ω. The text that was read is a transcription: a sign or “<” in it may be its slip.
"""

from fractions import Fraction as F
from functools import partial

from pldverify.theorems.attacks import densities, grids, newton, pairs, recursions, reductions, transforms
from pldverify.theorems.evidence import (
    attacked,
    conditional,
    corrected,
    decided,
    not_checkable,
    refuting,
    written,
)
from pldverify.theorems.obligations import SAMPLED, SUBSTITUTE, obliged
from pldverify.theorems.record import Aside, Kind, Record, Verdict
from pldverify.theorems.tables import Rounded, Row, epsilon, numbered, tables

_TRUE = {"1": "6.90738449504508", "2": "2.44673394448373"}
_DECREASING = obliged(SAMPLED, "dL⁻¹_Y/X/ds ≥ 0", source="KJH19 proof of Lemma 8")
_BACKWARD = obliged(SAMPLED, "ω(s) = p(L⁻¹(s)) |dL⁻¹/ds|", "δ(ε) = P(L > ε)", direction="add")


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


RECORDS = (
    Record(
        "KJH19/def-2",
        42,
        r"\mathbb P(\mathcal M(X)\in E)<e^\varepsilon\mathbb P(\mathcal M(Y)\in E)+\delta",
        Verdict.CORRECTED,
        corrected(decided(reductions.empty_event), attacked(pairs.events)),
        reading="the “<” may be the transcription's",
        correction=r"\le,\text{ as Definition 6 has it: with }<\text{ and }E=\emptyset\text{ nothing is }("
        r"\varepsilon,0)\text{-DP}",
    ),
    Record(
        "KJH19/def-3",
        54,
        r"\mathcal L_{X/Y}(t)=\log\frac{f_X(t)}{f_Y(t)}",
        Verdict.PROVED,
        obliged(SAMPLED, "e^L(t) = p(t)/q(t)", "p(t) > 0", "q(t) > 0"),
        stated="f_X, f_Y > 0",
        used=("pldverify.symbolic.build.loss",),
    ),
    Record(
        "KJH19/def-4",
        58,
        r"\omega(S)=\int_{\{\mathcal L_{X/Y}(t)\in S\}}f_X(t)\,dt\text{ “is a random variable }"
        r"\omega:\Omega\to\mathbb R\text{”}",
        Verdict.PROVED,
        obliged(SAMPLED, "∫ω = 1"),
        reading="ω is a measure, the law of the loss; later ω is its density",
    ),
    Record(
        "KJH19/lem-5",
        66,
        r"\frac{d\omega}{dy}=f_X(\mathcal L_{X/Y}^{-1}(y))\frac{d\mathcal L_{X/Y}^{-1}(y)}{dy}",
        Verdict.CORRECTED,
        corrected(_DECREASING, _BACKWARD),
        stated="L is a continuously differentiable bijection",
        correction=r"\left|\frac{d\mathcal L^{-1}}{dy}\right|",
        used=("pldverify.symbolic.build.loss",),
        consequence="as printed the density of the direction add is negative",
    ),
    Record(
        "KJH19/sec-3.1/bijective",
        64,
        r"\text{differentiability and bijectivity hold for the subsampled Gaussian mechanism}",
        Verdict.PROVED,
        obliged(SAMPLED, "L is strictly increasing", "L(L⁻¹(s)) = s", "L⁻¹(L(t)) = t", "range of L"),
    ),
    Record(
        "KJH19/lem-7",
        90,
        r"\delta=\max_{X\simeq Y}\{\int\max\{f_X-e^\varepsilon f_Y,0\},\int\max\{f_Y-e^"
        r"\varepsilon f_X,0\}\}",
        Verdict.PROVED,
        written("The event {f_X > e^ε f_Y} attains it.", attacked(pairs.events)),
        reading="of one pair; the maximum over neighbours is KJH19/lem-7/maximum",
    ),
    Record(
        "KJH19/lem-7/maximum",
        92,
        r"\max_{X\simeq Y}",
        Verdict.CORRECTED,
        corrected(
            refuting(decided(reductions.maximum_over_neighbours), "δ rises to a value that no data set has"),
            written("A supremum exists in [0, 1].", attacked(pairs.events)),
        ),
        sort=Kind.CLAIM,
        correction=r"\sup_{X\simeq Y}",
        reading="norms 1 − 1/i of a Gaussian query: δ rises with the norm and is attained at none of them",
    ),
    Record(
        "KJH19/lem-8",
        131,
        r"\delta_{Y/X}=\int_{\mathcal L_{Y/X}(\mathbb R)\cap[\varepsilon,\infty)}(1-e^{"
        r"\varepsilon-y})"
        r"f_Y(\mathcal L_{Y/X}^{-1}(y))\frac{d\mathcal L_{Y/X}^{-1}(y)}{dy}dy",
        Verdict.CORRECTED,
        corrected(_DECREASING, _BACKWARD),
        correction=r"|d\mathcal L_{Y/X}^{-1}/dy|;\text{ the formula for }X/Y\text{ holds as it stands}",
    ),
    Record(
        "KJH19/lem-8/proof",
        156,
        r"\frac{d\mathcal L_{X/Y}^{-1}(y)}{dy}\ge0\text{ follows from Lemma 5 and }\omega(S)\ge0"
        r"\text{; analogously for }Y/X",
        Verdict.CORRECTED,
        corrected(_DECREASING, _BACKWARD),
        correction=r"\mathcal L_{Y/X}=-\mathcal L_{X/Y}\text{ decreases where }\mathcal L_{X/Y}\text{ "
        r"increases}",
        depends=("KJH19/lem-5",),
        reading="the argument is circular: Lemma 5 without the absolute value would make ω(S) negative",
    ),
    Record(
        "KJH19/eq-4.4",
        143,
        r"\max\{f_X-e^\varepsilon f_Y,0\}=(1-e^{\varepsilon-y})f_X\text{ if }y>\varepsilon,"
        r"\text{ else }0",
        Verdict.PROVED,
        written("f_Y = e^{−y} f_X.", attacked(pairs.tails)),
    ),
    Record(
        "KJH19/cor-9",
        164,
        r"\delta_{X/Y}=\int_\varepsilon^\infty(1-e^{\varepsilon-y})\frac{d\omega_{X/Y}}{dy}dy",
        Verdict.PROVED,
        obliged(SAMPLED, "δ(ε) = ∫_ε^∞ (1 − e^(ε−s)) ω(s) ds", source="KJH19 Corollary 9"),
        used=("pldverify.symbolic.families.statements:integral_representation",),
    ),
    Record(
        "KJH19/thm-10",
        178,
        r"\frac{d\omega^c_{X/Y}}{dy}(y)=\int\frac{d\omega_{X/Y}}{dy}(t)\frac{d"
        r"\omega_{X'/Y'}}{dy}(y-t)\,dt",
        Verdict.PROVED,
        written(
            "The loss of independent outcomes is a sum, and the law of a sum is a convolution.",
            attacked(pairs.sums),
        ),
        stated="independent mechanisms",
        reading="not adaptive; the last display has ∬_S for ∫_S",
    ),
    Record(
        "KJH19/cor-11",
        202,
        r"\delta_{X/Y}=\int_{-\infty}^\infty(1-e^{\varepsilon-y})(\tfrac{d\omega}{dy}*^k\tfrac{d"
        r"\omega}{dy})(y)\,dy",
        Verdict.CORRECTED,
        corrected(
            obliged(SAMPLED, "δ(ε) = ∫_−∞^∞", source="KJH19 Corollary 11"),
            obliged(SAMPLED, "δ(ε) = ∫_ε^∞ (1 − e^(ε−s))", source="KJH19 Corollary 9"),
        ),
        correction=r"\int_\varepsilon^\infty",
        depends=("KJH19/cor-9", "KJH19/thm-10"),
        consequence="as printed the value is 1 − e^ε for every mechanism",
    ),
    Record(
        "KJH19/alg-1",
        236,
        r"\mathcal M_\ell\leftarrow\tfrac1L(\sum_{i\in B}\hat f_\ell(x_i)+\mathcal N(0,"
        r"\sigma^2I_d)),\quad \|\hat f\|\le C",
        Verdict.CONDITIONAL,
        conditional(
            decided(reductions.clipping_constant),
            written("With noise Cσ it is C times the mechanism of C = 1.", attacked(reductions.scaling)),
        ),
        needed="C = 1; for other C the noise is C²σ²: the analysis of section 5.1 has ‖f‖ ≤ 1",
        consequence="DP-SGD run as printed with C > 1 has less privacy than computed",
    ),
    Record(
        "KJH19/sec-5.1/remove-add",
        248,
        r"B\text{ a random subset of size }L,\ q=L/N:\ q\mathcal N(x',\sigma^2)+(1-q)\mathcal "
        r"N(0,\sigma^2)"
        r"\text{ against }\mathcal N(0,\sigma^2)",
        Verdict.CONDITIONAL,
        conditional(
            decided(reductions.fixed_size_add_or_remove),
            written(
                "Poisson: given the other records both are shifted alike; averages keep P ≤ e^ε Q + δ.",
                attacked(reductions.half_lines),
            ),
        ),
        needed="Poisson sampling: in a batch of fixed size x' displaces another record, and q is L/N or "
        "L/(N − 1)",
        used=("pldverify.mechanisms.poisson_subsampled",),
    ),
    Record(
        "KJH19/sec-5.1/norm",
        276,
        r"\|x'\|_2<1\text{ gives tighter }(\varepsilon,\delta)\text{; }\|x'\|_2=1\text{ is the "
        r"worst case}",
        Verdict.PROVED,
        written(
            "Scale by c = ‖x'‖ and add independent N(0, (1 − c²)σ²): a post-processing of the pair with "
            "norm 1.",
            attacked(reductions.scaling),
        ),
    ),
    Record(
        "KJH19/sec-5.1/substitute",
        278,
        r"\text{the worst case of }\simeq_S\text{ is }q\mathcal N(\pm x',\sigma^2)+(1-q)\mathcal "
        r"N(0,\sigma^2)",
        Verdict.CONDITIONAL,
        conditional(
            decided(reductions.without_replacement),
            written("pldverify.mechanisms.poisson_subsampled", attacked(reductions.poisson_replacement)),
        ),
        needed="Poisson sampling; with a fixed size the other records at −1 are worse, at one step already",
        used=("pldverify.mechanisms.kjh19_substitute", "pldverify.mechanisms.sampled_without_replacement"),
    ),
    Record(
        "KJH19/sec-5.2/loss",
        290,
        r"\mathcal L_{X/Y}(t)=\log(qe^{(2t-1)/2\sigma^2}+(1-q))",
        Verdict.PROVED,
        obliged(SAMPLED, "L(t) = log(q e", source="KJH19 section 5.2"),
        sort=Kind.EQUATION,
    ),
    Record(
        "KJH19/sec-5.2/range",
        292,
        r"\mathcal L_{X/Y}(\mathbb R)=(\log(1-q),\infty)\text{, increasing}",
        Verdict.PROVED,
        obliged(SAMPLED, "L(ℝ) = ", "L is strictly increasing"),
    ),
    Record(
        "KJH19/sec-5.2/density",
        302,
        r"\frac{d\omega_{X/Y}}{dy}=f_X(\mathcal L^{-1}(y))\frac d{dy}\mathcal L^{-1}(y),\ y>"
        r"\log(1-q)",
        Verdict.PROVED,
        obliged(SAMPLED, "ω(s) = p(L⁻¹(s))", "∫ω = 1"),
        sort=Kind.EQUATION,
    ),
    Record(
        "KJH19/sec-5.2/reversal",
        304,
        r"\frac{d\omega_{Y/X}}{dy}(y)=e^y\frac{d\omega_{X/Y}}{dy}(-y)",
        Verdict.PROVED,
        obliged(SAMPLED, "ω_Y/X(y) = e^y ω_X/Y(−y)", source="KJH19 section 5.2"),
        sort=Kind.EQUATION,
        reading="ω_{Y/X} with the absolute value of Lemma 5",
    ),
    Record(
        "KJH19/sec-5.2/which-direction",
        304,
        r"\text{From this we can infer using Lemma 8 that }\delta=\delta_{X/Y}",
        Verdict.SUPPORTED,
        attacked(reductions.remove_dominates),
        reading="for every ε ≥ 0 and every number of steps",
        aside=Aside.STEP_FALSE,
        consequence="no proof is given for compositions: compute both directions, as the package does",
    ),
    Record(
        "KJH19/sec-5.2/inference",
        304,
        r"\mathrm{supp}\,\omega_{Y/X}=-\mathrm{supp}\,\omega_{X/Y},\ \omega_{Y/X}(y)=e^y"
        r"\omega_{X/Y}(-y)"
        r"\Rightarrow\delta_{Y/X}\le\delta_{X/Y}",
        Verdict.REFUTED,
        decided(reductions.exchange_of_names),
        sort=Kind.STEP,
        reading="both premises hold of every pair and with X and Y exchanged, so they cannot order δ_{X/Y} "
        "and δ_{Y/X}",
    ),
    Record(
        "KJH19/sec-5.3/loss",
        316,
        r"\mathcal L_{X/Y}(t)=\log\frac{qe^{(2t-1)/2\sigma^2}+1-q}{qe^{(-2t-1)/2\sigma^2}+1-q}",
        Verdict.PROVED,
        obliged(SUBSTITUTE, "L(t) = log((q e", source="KJH19 section 5.3"),
        sort=Kind.EQUATION,
    ),
    Record(
        "KJH19/sec-5.3/range",
        318,
        r"\mathcal L_{X/Y}(\mathbb R)=\mathbb R\text{, increasing}",
        Verdict.PROVED,
        obliged(SUBSTITUTE, "L(ℝ) = ℝ", "L is strictly increasing"),
    ),
    Record(
        "KJH19/sec-5.3/quadratic",
        325,
        r"cx^2+(1-q)(1-e^y)x-ce^y=0,\quad x=\frac{-(1-q)(1-e^y)+"
        r"\sqrt{(1-q)^2(1-e^y)^2+4c^2e^y}}{2c}",
        Verdict.PROVED,
        obliged(SUBSTITUTE, "c x² +", "(c x + 1 − q)"),
        sort=Kind.EQUATION,
    ),
    Record(
        "KJH19/sec-5.3/inverse",
        333,
        r"\mathcal L^{-1}_{X/Y}(y)=\sigma^2\log x",
        Verdict.PROVED,
        obliged(SUBSTITUTE, "L⁻¹(s) = σ² log x(s)"),
        sort=Kind.EQUATION,
    ),
    Record(
        "KJH19/sec-5.3/jacobian",
        337,
        r"\frac d{dy}\mathcal L^{-1}_{X/Y}(y)=\sigma^2\frac{\dots}{"
        r"\sqrt{4c^2e^y+(1-q)^2(1-e^y)^2}-(1-q)(1-e^y)}",
        Verdict.PROVED,
        obliged(SUBSTITUTE, "dL⁻¹/ds", source="KJH19 section 5.3"),
        sort=Kind.EQUATION,
    ),
    Record(
        "KJH19/sec-5.3/symmetric",
        339,
        r"\mathcal L(-t)=-\mathcal L(t),\ f_Y(-t)=f_X(t)\Rightarrow\delta=\delta_{Y/X}="
        r"\delta_{X/Y}",
        Verdict.PROVED,
        obliged(SUBSTITUTE, "L(−t) = −L(t)", "f_Y(−t) = f_X(t)", "ω_X/Y(s) = ω_Y/X(s)"),
    ),
    Record(
        "KJH19/sec-6/transform",
        345,
        r"(\mathcal Fx)_k=\sum x_je^{-i2\pi kj/n},\quad(\mathcal F^{-1}w)_k=\tfrac1n\sum w_je^{i2"
        r"\pi kj/n}",
        Verdict.PROVED,
        written("Σ_k e^{2πik(j−m)/n} is n where j = m and 0 elsewhere.", attacked(transforms.inverse)),
        sort=Kind.DEFINITION,
    ),
    Record(
        "KJH19/sec-6/convolution",
        355,
        r"v*w=\mathcal F^{-1}(\mathcal Fv\odot\mathcal Fw)",
        Verdict.PROVED,
        written("Exponentials turn sums of indices into products.", attacked(transforms.convolution_theorem)),
        sort=Kind.EQUATION,
    ),
    Record(
        "KJH19/sec-7.1/period",
        367,
        r"\widetilde\omega\text{ is }2\pi\text{-periodic},\ \widetilde\omega(t+n2\pi)=\omega(t)"
        r"\text{ for }t\in[-L,L)",
        Verdict.CORRECTED,
        corrected(decided(recursions.periods_of_two_pi), decided(recursions.periods_of_2l)),
        sort=Kind.DEFINITION,
        correction=r"2L\text{-periodic}",
    ),
    Record(
        "KJH19/eq-7.1",
        369,
        r"\int_{-L}^L\widetilde\omega(t)\widetilde\omega(x-t)dt=\int_0^{2L}\widetilde\omega(t)"
        r"\widetilde\omega(x-t)dt",
        Verdict.PROVED,
        written("A 2L-periodic integrand over one period.", attacked(recursions.periods_of_2l)),
        depends=("KJH19/sec-7.1/period",),
    ),
    Record(
        "KJH19/sec-7.2/swap",
        391,
        r"\widetilde\omega=D\omega,\quad D=\begin{bmatrix}0&I_{n/2}\\I_{n/2}&0\end{bmatrix}",
        Verdict.CONDITIONAL,
        conditional(
            decided(transforms.odd_length),
            written("ω̃(ℓΔx) = ω(−L + (ℓ + n/2 mod n)Δx).", attacked(transforms.by_swaps)),
        ),
        sort=Kind.EQUATION,
        needed="n even",
        used=("pldverify.accountants.fft_grid",),
    ),
    Record(
        "KJH19/sec-7.2/power",
        404,
        r"(\widetilde\omega\circledast^k\widetilde\omega)(-L+\ell\Delta x)\approx(\Delta x)^{-1}"
        r"[D\mathcal F^{-1}(\mathcal F(D\omega\Delta x)^{\odot k})]_\ell",
        Verdict.PROVED,
        written(
            "k − 1 sums, each with its Δx, and a shift by n/2 for each factor.", attacked(transforms.powers)
        ),
        sort=Kind.EQUATION,
        reading="equality with the k-fold sums over the grid",
        used=("pldverify.accountants.fft_grid:compose",),
    ),
    Record(
        "KJH19/eq-7.2",
        412,
        r"\delta(\varepsilon)\approx\Delta x\sum_{\ell=\ell_\varepsilon}^{n-1}(1-e^{"
        r"\varepsilon-(-L+\ell\Delta x)})C_\ell",
        Verdict.SUPPORTED,
        attacked(grids.grid_of_both_signs),
        used=("pldverify.accountants.fourier",),
    ),
    Record(
        "KJH19/sec-7.4",
        423,
        r"C=(\Delta x)^{-1}[D\mathcal F^{-1}(F_1\odot\dots\odot F_k)],\quad F_i=\mathcal F(D"
        r"\omega_i\Delta x)",
        Verdict.PROVED,
        written("As for equal factors: each has its own shift by n/2.", attacked(transforms.by_swaps)),
        sort=Kind.EQUATION,
        reading="varying mechanisms; the sums over the grid; “adaptive” in the heading is not shown",
        stated="n even, by the D of section 7.2",
        depends=("KJH19/sec-7.2/swap",),
        used=("pldverify.accountants.heterogeneous_fourier",),
    ),
    Record(
        "KJH19/eq-8.2",
        434,
        r"\frac{d\delta}{d\varepsilon}(\varepsilon)=-\int_\varepsilon^\infty e^{\varepsilon-y}("
        r"\omega*^k\omega)(y)\,dy",
        Verdict.PROVED,
        obliged(SAMPLED, "δ′(ε) = −e^ε Q(L > ε)"),
        reading="proved at k = 1; KJH20s Lemma D.1 is the same for any density",
    ),
    Record(
        "KJH19/sec-8/convexity",
        444,
        r"\delta\text{ is convex in }\varepsilon",
        Verdict.CORRECTED,
        corrected(
            attacked(newton.convex_in_epsilon),
            written(
                "δ = δ_∞ + E[(1 − xe^{−S})₊; S < ∞], a mean of convex functions.",
                attacked(newton.convex_in_x),
            ),
        ),
        reading="not printed; what convergence of Newton's method from the left would rest on",
        correction=r"\delta\text{ is convex in }x=e^\varepsilon",
    ),
    Record(
        "KJH19/sec-8/newton",
        444,
        r"\text{The iteration was found to converge with an initial value }\varepsilon_0=0",
        Verdict.CORRECTED,
        corrected(
            refuting(decided(newton.overshoots), "the first step passes ε*, the second leaves every grid"),
            written(
                "For δ(x_ℓ) ≥ δ̄ > δ_∞ the tangent lies below the convex δ and falls, so it meets δ̄ at "
                "x_{ℓ+1} in [x_ℓ, x*]. The x_ℓ rise to a limit y ≤ x*, and the steps (δ(x_ℓ) − δ̄)/|δ'(x_ℓ)| "
                "fall to 0 while |δ'| ≤ 1, so δ(y) ≤ δ̄: y = x*.",
                attacked(newton.in_x),
            ),
        ),
        reading="as a rule, for every δ̄ < δ(0); the experiments alone are KJH19/sec-8/newton/experiments",
        correction=r"\text{in }x=e^\varepsilon:\ x_{\ell+1}=x_\ell+(\delta-\bar\delta)\,/\,Q(S>\log x_\ell)"
        r"\text{ rises to }x^*\text{ from }x_0=1",
        depends=("KJH19/sec-8/convexity",),
        used=("pldverify.accountants.fourier:newton",),
        consequence="one Gaussian with σ = 1/4, δ̄ = 10⁻⁶: ε* = 26.4, ε₁ = 42.0, ε₂ < −10¹¹",
    ),
    Record(
        "KJH19/sec-8/newton/experiments",
        444,
        r"\text{The iteration was found to converge in all experiments with }\varepsilon_0=0",
        Verdict.SUPPORTED,
        attacked(newton.experiments),
        reading="of section 9: q = 0.01, δ̄ = 10⁻⁶, σ = 1, 2, 3, k up to 5·10⁴, in exact arithmetic",
        slow=True,
    ),
    Record(
        "KJH19/sec-8/stop",
        442,
        r"|\delta(\varepsilon_\ell)-\bar\delta|\le tol",
        Verdict.CONDITIONAL,
        conditional(
            decided(newton.stops_short),
            written("δ(ε_ℓ) ≤ δ̄ + tol is half of what the criterion says.", attacked(newton.convex_in_x)),
        ),
        sort=Kind.ALGORITHM,
        reading="the accepted ε_ℓ is reported as an upper bound of ε(δ̄)",
        needed="what is reported is (ε_ℓ, δ̄ + tol)-DP; for δ̄ itself δ(ε_ℓ) ≤ δ̄ is to be asked",
        consequence="an iterate from the left understates ε(δ̄); a relative tolerance is needed at least",
    ),
    *numbered("KJH19/tab-1", tables()["KJH19-T1"]["rows"], _row),
    Record(
        "KJH19/fig-1",
        468,
        r"\text{Figures 1 to 3: moments accountant, Rényi accountant and exact guarantee}",
        Verdict.NOT_CHECKABLE,
        not_checkable("the figures are not part of the text, and the captions print no number but δ = 10⁻⁶"),
    ),
    Record(
        "KJH19/eq-10.2",
        489,
        r"\mathcal L^{-1}(y)=\sigma^2\log\left(\frac{e^y-(1-q)}q\right)+\frac12",
        Verdict.PROVED,
        obliged(SAMPLED, "L⁻¹(s) = σ² log", source="KJH19 (10.2)"),
    ),
    Record(
        "KJH19/eq-10.3",
        494,
        r"\frac d{dy}\mathcal L^{-1}(y)=\frac{\sigma^2e^y}{e^y-(1-q)}",
        Verdict.PROVED,
        obliged(SAMPLED, "dL⁻¹/ds = σ²", source="KJH19 (10.3)"),
    ),
    Record(
        "KJH19/eq-10.4",
        499,
        r"|\delta-\Delta x\sum_{\ell=0}^{n-1}(1-e^{\varepsilon-\ell\Delta x})C_\ell|\le"
        r"\text{four terms}",
        Verdict.PROVED,
        written("Triangle inequality.", attacked(grids.triangle_of_errors)),
        reading="the second term has ⊛ in its second integral; a triangle inequality, whatever the sum is",
        depends=("KJH19/eq-10.14",),
    ),
    Record(
        "KJH19/eq-10.5",
        525,
        r"0\le err_1(L)<\int_L^\infty(\omega*^k\omega)(y)\,dy",
        Verdict.PROVED,
        written(
            "0 < 1 − e^{ε−y} < 1 for y > L ≥ ε, and ω *^k ω > 0 far out.", attacked(densities.positive_tail)
        ),
    ),
    Record(
        "KJH19/eq-10.6",
        538,
        r"\omega*^k\omega-\omega\circledast^k\omega=\omega\circledast(\omega*^{k-1}\omega-\omega"
        r"\circledast^{k-1}\omega)"
        r"+(\omega\circledast-\omega*)(\omega\circledast^{k-1}\omega)",
        Verdict.CORRECTED,
        corrected(attacked(recursions.printed_recursion), attacked(recursions.recursion)),
        correction=r"\dots+(\omega*-\omega\circledast)(\omega*^{k-1}\omega)",
        consequence="at k = 2 the printed right side is minus the left side; (10.9) survives by the "
        "corrected recursion",
        used=("pldverify.bounds.pointwise_truncation:pointwise_truncation",),
    ),
    Record(
        "KJH19/eq-10.7",
        547,
        r"\max_{y\ge L}\omega(y)\le\sigma\sqrt{2/\pi}\,e^{-\frac{-(\sigma^2y+C_2)^2}{2\sigma^2}}",
        Verdict.CONDITIONAL,
        conditional(
            attacked(densities.truncation_without_hypothesis(2, densities.root_two_over_pi)),
            written(
                "pldverify.bounds.pointwise_truncation:pointwise_truncation",
                attacked(densities.truncation_with_hypothesis),
            ),
        ),
        sort=Kind.STEP,
        reading="L for y, and the exponent with one minus sign",
        needed="σ²L + C₂ ≥ 0: the bound of Lemma 13 falls from there on only",
        depends=("KJH19/lem-13",),
    ),
    Record(
        "KJH19/eq-10.8",
        554,
        r"|(\omega*\omega-\omega\circledast\omega)(x)|\le\sigma\sqrt{2/\pi}\,e^{-("
        r"\sigma^2y+C_2)^2/2\sigma^2}",
        Verdict.CONDITIONAL,
        conditional(
            attacked(densities.truncation_without_hypothesis(2, densities.root_two_over_pi)),
            written(
                "pldverify.bounds.pointwise_truncation:pointwise_truncation",
                attacked(densities.truncation_with_hypothesis),
            ),
        ),
        reading="L for y",
        needed="σ²L + C₂ ≥ 0",
        used=("pldverify.bounds.pointwise_truncation:pointwise_truncation",),
    ),
    Record(
        "KJH19/eq-10.9",
        563,
        r"|(\omega*^k\omega-\omega\circledast^k\omega)(x)|\le2\sigma\sqrt{2/\pi}\,e^{-\frac{-("
        r"\sigma^2L+C_2)^2}{2\sigma^2}}"
        r"\left((L+1)\frac\sigma{q\sqrt{2\pi}}e^{1/\sigma^2}\right)^{k-2}",
        Verdict.PROVED,
        written(
            "The left side is at most (k − 1) sup_{s ≥ 2} ω ≤ (k − 1)σ√(2/π). The exponent is ≥ 0, and the "
            "last factor is at least (3√(2e)/√(2π))^{k−2} > 2^{k−2} ≥ (k − 1)/2, as σe^{1/σ²} ≥ √(2e).",
            attacked(densities.truncation_as_printed(2, densities.twice_root_two_over_pi)),
        ),
        stated="L ≥ 2, by Lemma 13",
        aside=Aside.VACUOUS,
        depends=("KJH19/eq-10.6",),
        consequence="it falls with no L; with one sign it needs σ²L + C₂ ≥ 0, and k − 1 in the place of "
        "the last factor will do",
        used=("pldverify.bounds.pointwise_truncation:pointwise_truncation",),
    ),
    Record(
        "KJH19/eq-10.11/middle",
        580,
        r"=(\omega-\widetilde\omega)\circledast(\omega\circledast^{k-1}\omega)-\widetilde\omega"
        r"\circledast"
        r"(\omega\circledast^{k-1}\omega-\widetilde\omega\circledast^{k-1}\widetilde\omega)",
        Verdict.CORRECTED,
        corrected(attacked(recursions.printed_middle_line), attacked(recursions.periodic_recursion)),
        sort=Kind.STEP,
        correction=r"+\widetilde\omega\circledast(\dots)\text{, as in the last line}",
    ),
    Record(
        "KJH19/eq-10.11",
        582,
        r"\omega\circledast^k\omega-\widetilde\omega\circledast^k\widetilde\omega=\widetilde"
        r"\omega\circledast"
        r"(\omega\circledast^{k-1}\omega-\widetilde\omega\circledast^{k-1}\widetilde\omega)",
        Verdict.PROVED,
        written(
            "⊛ is linear, and ω = ω̃ where its first factor counts.", attacked(recursions.periodic_recursion)
        ),
        aside=Aside.STEP_FALSE,
    ),
    Record(
        "KJH19/sec-10.3/zero",
        592,
        r"x<L+\log(1-q)\Rightarrow err_2(x)=0",
        Verdict.CONDITIONAL,
        conditional(
            decided(recursions.err_2_below_zero),
            written("Then |x − t| < L for all t in [log(1 − q), L).", attacked(recursions.err_2_in_range)),
        ),
        needed="x ≥ 0: for x < 0 sums that wrap from above are in ω̃ ⊛ ω̃",
    ),
    Record(
        "KJH19/eq-10.12/limit",
        594,
        r"err_2(x)=\int_{\log(1-q)}^{L-x}\omega(t)\omega(x-t)\,dt",
        Verdict.CORRECTED,
        corrected(decided(recursions.printed_err_2), attacked(recursions.err_2)),
        sort=Kind.STEP,
        correction=r"\int_{\log(1-q)}^{x-L}",
        consequence="(10.12) has room for it: the interval is at most −log(1 − q) long",
    ),
    Record(
        "KJH19/eq-10.12",
        604,
        r"err_2(x)\le\log\left(\tfrac1{(1-q)^2}\right)\tfrac\sigma{q\pi}e^{-(\sigma^2L+C_2)^2/2"
        r"\sigma^2+1/\sigma^2}",
        Verdict.PROVED,
        written(
            "err₂(x) ≤ sup_{y ≥ L} ω(y) Pr[ω < 0]. With A = σ²L + C₂ and −log(1 − q) ≥ q the right side is "
            "at least (2σ/π) e^{1/σ² − A²/2σ²}. If A ≥ 0 the supremum is at most σ√(2/π) e^{−A²/2σ²} by "
            "Lemma 13: enough where √(2/π) e^{1/σ²} ≥ 1, up to σ = 2.1, and beyond by "
            "Pr[ω < 0] ≤ Φ(1/2σ) ≤ √(2/π). If A < 0 then A > −1/2, σ² < 1/(4 − 2 log 2), the supremum "
            "is at most σ√(2/π), and e^{7/8σ²} is enough.",
            decided(densities.err_2_constants),
            attacked(densities.wrapped_once),
        ),
        reading="for L + log(1 − q) < x < L",
        needed="L ≥ 2, which Lemma 13 has",
        aside=Aside.STEP_FALSE,
        depends=("KJH19/lem-13/meant", "KJH19/eq-10.12/limit"),
        consequence="the proof's way does not give it: see KJH19/eq-10.12/product",
    ),
    Record(
        "KJH19/eq-10.12/product",
        602,
        r"\text{by Lemmas 12 and 13 }\omega(t)\omega(x-t)\le\tfrac\sigma{q\pi}e^{-("
        r"\sigma^2L+C_2)^2/2\sigma^2+1/\sigma^2}",
        Verdict.CORRECTED,
        corrected(
            decided(densities.product_of_lemmas),
            written(
                "σ/(q√2π) · σ√(2/π) = σ²/(qπ), for L ≥ 2 and σ²L + C₂ ≥ 0.", attacked(densities.supremum)
            ),
        ),
        sort=Kind.STEP,
        correction=r"\tfrac{\sigma^2}{q\pi}e^{\dots}\text{: a factor }\sigma\text{ is lost}",
        depends=("KJH19/lem-12", "KJH19/lem-13/meant"),
        consequence="for σ > 2 the factor 2 of (10.12) does not make up for it; the bound stands otherwise",
    ),
    Record(
        "KJH19/eq-10.13",
        611,
        r"|(\omega\circledast^k\omega-\widetilde\omega\circledast^k\widetilde\omega)(x)|\le"
        r"\left(\tfrac\sigma{q\sqrt{2\pi}}e^{1/\sigma^2}(L+1)^{k-2}\right)\log\left(\tfrac1{(1-q)^2}\right)"
        r"\tfrac\sigma{q\pi}"
        r"e^{-(\sigma^2L+C_2)^2/2\sigma^2+1/\sigma^2}",
        Verdict.REFUTED,
        attacked(densities.later_periods),
        reading="for 0 < x ≤ L, as the text says",
        consequence="the recursion needs err₂ outside of (0, L], where (10.12) does not hold; KH21 Theorem "
        "1 bounds δ",
    ),
    Record(
        "KJH19/eq-10.14",
        630,
        r"\int_\varepsilon^L(1-e^{\varepsilon-y})(\dots)(y)dy\approx\Delta x\sum_{\ell=k_"
        r"\varepsilon}^{n-1}(1-e^{\varepsilon-\ell\Delta x})C_\ell,\quad C_\ell=(\dots)(\ell\Delta x),\ k_"
        r"\varepsilon=\min\{k:-L+k\Delta x>\varepsilon\}",
        Verdict.CORRECTED,
        corrected(decided(grids.mixed_grids), attacked(grids.grid_of_both_signs)),
        correction=r"x_\ell=-L+\ell\Delta x\text{ for }\ell\Delta x\text{ in the weight and in }C_\ell"
        r"\text{, as }k_\varepsilon\text{ and (7.2) have it}",
        consequence="the printed sum counts losses below 0 with weight near 1 and does not converge to δ",
    ),
    Record(
        "KJH19/eq-10.15",
        636,
        r"\left|\int_\varepsilon^\infty h(y)dy-\Delta x\sum_{\ell=k_\varepsilon}^{n-1}\dots"
        r"\right|\le\max|h'|\frac{(L-\varepsilon)^2}{2n}",
        Verdict.CORRECTED,
        corrected(
            attacked(grids.printed_riemann),
            written("pldverify.bounds.density_discretisation:riemann_sum", attacked(grids.riemann)),
        ),
        reading="as ∫_ε^L, for ω̃ ⊛^k ω̃ is periodic and ∫_ε^∞ infinite; with the points of (7.2)",
        correction=r"\left|\int_\varepsilon^L\dots\right|\le\max|h'|\,L(L-\varepsilon)/n",
        used=("pldverify.bounds.density_discretisation:riemann_sum",),
    ),
    Record(
        "KJH19/sec-10.4/derivative",
        656,
        r"\omega'=f'(\mathcal L^{-1})(d\mathcal L^{-1}/dy)^2+f(\mathcal L^{-1})d^2\mathcal "
        r"L^{-1}/dy^2",
        Verdict.PROVED,
        obliged(SAMPLED, "ω′ = f′(L⁻¹)", source="KJH19 section 10.4"),
        sort=Kind.EQUATION,
    ),
    Record(
        "KJH19/sec-10.4/periodic-derivative",
        648,
        r"|\tfrac d{dy}(\widetilde\omega\circledast^k\widetilde\omega)|\le\max|\tfrac d{dy}"
        r"\widetilde\omega|",
        Verdict.NOT_CHECKABLE,
        not_checkable(
            "ω̃ jumps by ω(L) at L + 2Lℤ and has no derivative there; the constant that follows is not given"
        ),
        sort=Kind.STEP,
    ),
    Record(
        "KJH19/sec-10.4/constant",
        664,
        r"\left|\int_0^\infty(1-e^{\varepsilon-y})(\widetilde\omega\circledast^k\widetilde"
        r"\omega)(y)dy-\Delta x\sum_{\ell=0}^{n-1}(1-e^{\varepsilon-\ell\Delta x})C_\ell\right|\le C("
        r"\sigma,q)\frac{(L-\varepsilon)^2}{2n}",
        Verdict.NOT_CHECKABLE,
        not_checkable(
            "C(σ, q) is not given; ω̃ ⊛^k ω̃ is periodic, so ∫_0^∞ diverges, and the sum is not over [ε, L): "
            "with ∫_ε^L and the points of (7.2) it is (10.15)"
        ),
        depends=("KJH19/eq-10.15",),
    ),
    Record(
        "KJH19/eq-10.16",
        660,
        r"\max f'(\mathcal L^{-1}(y))\le\frac1{\sigma^2}\max\mathcal L^{-1}(y)f(\mathcal "
        r"L^{-1}(y))(d\mathcal L^{-1}/dy)^2",
        Verdict.REFUTED,
        decided(densities.slope_of_f),
        sort=Kind.STEP,
        reading="the factor (dL⁻¹/dy)² stands on one side only; with it on both a bound of this kind is "
        "KJH20s D.4",
        depends=("KJH20s/lem-D.4/first",),
    ),
    Record(
        "KJH19/sec-10.5",
        670,
        r"\text{the approximation converges as }L\to\infty\text{ and }n\to\infty",
        Verdict.NOT_CHECKABLE,
        not_checkable(
            "a limit without a rate; pldverify/bounds/density_discretisation.py and periodisation.py bound "
            "each step"
        ),
        reading="of (7.2), not of the sum in (10.4)",
        used=("pldverify.bounds.density_discretisation:density_discretisation",),
    ),
    Record(
        "KJH19/lem-12",
        698,
        r"\omega(y)\le\frac\sigma{q\sqrt{2\pi}}e^{1/\sigma^2}",
        Verdict.PROVED,
        written("pldverify.bounds.density:density_supremum", attacked(densities.supremum)),
        used=("pldverify.bounds.density:density_supremum",),
    ),
    Record(
        "KJH19/eq-A.7",
        755,
        r"y>0\Rightarrow\omega(y)\le\frac\sigma{q\sqrt{2\pi}}",
        Verdict.PROVED,
        written("f ≤ 1/√(2πσ²) and dL⁻¹/dy ≤ σ²/q for y ≥ 0.", attacked(densities.supremum_above_zero)),
        sort=Kind.STEP,
    ),
    Record(
        "KJH19/lem-13",
        759,
        r"y\ge2\Rightarrow\omega(y)\le\sigma\sqrt{2/\pi}\,e^{-\frac{-(\sigma^2y+C_2)^2}{2"
        r"\sigma^2}}",
        Verdict.PROVED,
        written(
            "f ≤ 1/√(2πσ²) and dL⁻¹/dy ≤ 2σ² give σ√(2/π), and the exponent is ≥ 0.",
            attacked(densities.far_as_printed(2, densities.RATES, True)),
        ),
        reading="with both minus signs, which both papers have; one may be the transcription's",
        aside=Aside.VACUOUS,
        consequence="as printed it bounds nothing that goes to 0; what is meant is KJH19/lem-13/meant",
    ),
    Record(
        "KJH19/lem-13/meant",
        759,
        r"y\ge2\Rightarrow\omega(y)\le\sigma\sqrt{2/\pi}\,e^{-(\sigma^2y+C_2)^2/2\sigma^2}",
        Verdict.PROVED,
        written(
            "pldverify.bounds.density_tail:density_tail",
            attacked(densities.far_as_meant(2, densities.RATES, True)),
        ),
        reading="one minus sign",
        aside=Aside.STEP_FALSE,
        used=("pldverify.bounds.density_tail:density_tail",),
    ),
    Record(
        "KJH19/lem-13/proof",
        775,
        r"\mathcal L^{-1}(y)\ge\sigma^2y+C\Rightarrow f(\mathcal L^{-1}(y))\le\tfrac1{\sqrt{2\pi"
        r"\sigma^2}}e^{-\frac{-(\sigma^2y+C_2)^2}{2\sigma^2}}",
        Verdict.CONDITIONAL,
        conditional(
            attacked(densities.bound_of_f(2, densities.RATES)),
            written(
                "Beyond its greater mode, 1, f falls. Else with u = 1 − (1 − q)e^{−y}, t₀ = σ²y + C ≥ 1/2 "
                "and t = L⁻¹(y): f(t) is q/u times the density φ of N(1, σ²), and φ(t)/φ(t₀) = "
                "(2u)^{(2 − t₀ − t)/2} ≤ √(2u), so f(t)/φ(t₀) ≤ q√(2/u), at most 1 for q ≤ 2/3 and y ≥ 2.",
                attacked(densities.bound_of_f(2, (*densities.RATES[:3], F(2, 3)))),
                attacked(densities.bound_of_f(2, densities.RATES, beyond=True)),
            ),
        ),
        reading="as f falls, with one minus sign",
        needed="q ≤ 2/3, or σ²y + C ≥ 1, the greater mode of f; else the factor g'(s) has to help, as in "
        "density_tail",
    ),
)
