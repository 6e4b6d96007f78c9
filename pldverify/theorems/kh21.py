"""KH21: Koskela, Honkela, Computing Differential Privacy Guarantees for Heterogeneous Compositions Using FFT.

arXiv 2102.12412. The paper numbers its statements anew in each appendix; ids have the section. Its “Theorem 7
of the main text” is Theorem 1 of section 5, Theorem 8 is Theorem 2; Lemmas 5, 6, 10, 11 are 1, 2, 4, 5.
"""

from functools import partial

from pldverify.theorems.attacks import (
    accountants,
    clipping,
    densities,
    grids,
    moments,
    pairs,
    recursions,
    reductions,
    transforms,
)
from pldverify.theorems.evidence import (
    attacked,
    conditional,
    corrected,
    decided,
    not_checkable,
    written,
)
from pldverify.theorems.obligations import GAUSSIAN, RESPONSE, SAMPLED, obliged
from pldverify.theorems.record import Aside, Kind, Record, Verdict
from pldverify.theorems.tables import (
    Rounded,
    Row,
    at_most,
    below,
    binomial,
    entry,
    error_of,
    numbered,
    plancherel,
    tables,
)


def _delta(table: int, id: str, number: int, row: Row) -> Record:
    at = str(row.get("epsilon", 1))
    return entry(
        id,
        278 + 6 * (table - 1) + number,
        rf"\varepsilon={at},\ n={row.get('n', 10**7)}:\ \delta(\varepsilon)={row['delta']}",
        Rounded(row["delta"], partial(binomial, at), _TRUE_BINOMIAL[at]),
        Verdict.CORRECTED,
        reading="the printed number is δ to its digits; an upper bound by the right grid, in floats",
        correction=rf"\delta={_TRUE_BINOMIAL[at]}",
        slow=True,
    )


def _bound(table: int, id: str, number: int, row: Row) -> Record:
    at = str(row.get("epsilon", 1))
    return entry(
        id,
        278 + 6 * (table - 1) + number,
        rf"\varepsilon={at},\ n={row.get('n', 10**7)}:\ \text{{error bound (5.7)}}={row['bound']}",
        at_most(error_of(row["delta"], partial(binomial, at)), row["bound"]),
        Verdict.PROVED,
        reading="the printed δ is within the printed bound of the truth",
        depends=("KH21/eq-5.7",),
        slow=True,
    )


def _plancherel(id: str, number: int, row: Row) -> Record:
    right = number == 4
    return entry(
        id,
        323 + number,
        rf"n={row['n']}:\ \delta(\varepsilon)={row['delta']}",
        Rounded(row["delta"], plancherel, "2.84694077982593e-6"),
        Verdict.PROVED if right else Verdict.CORRECTED,
        reading="the printed number is δ to its digits; k = 500, q = 0.02, σ = 2, ε = 1",
        correction="" if right else r"\delta=2.84694077982593\cdot10^{-6}",
    )


_TRUE_BINOMIAL = {
    "1": "2.35008e-5",
    "0.7": "8.62508e-4",
    "1.1": "5.66045e-6",
    "1.5": "6.03465e-9",
    "1.9": "9.8259551e-13",
}

RECORDS = (
    Record(
        id="KH21/def-3.1.1",
        line=61,
        kind=Kind.DEFINITION,
        statement=r"\omega_{X/Y}(s)=\sum_{t_{X,i}=t_{Y,j}}a_{X,i}\delta_{s_i}(s),\quad s_i="
        r"\log(a_{X,i}/a_{Y,j})",
        stated="a ≥ 0",
        needed="a > 0 in the sum: with a_X = 0 or a_Y = 0 at a common place the loss is −∞ or +∞",
        verdict=Verdict.PROVED,
        evidence=written("The law of the loss where both masses are positive.", attacked(pairs.tails)),
    ),
    Record(
        id="KH21/thm-2",
        line=77,
        kind=Kind.THEOREM,
        statement=r"\delta_{X/Y}(\varepsilon)=1-\prod(1-\delta_{X/Y,\ell}(\infty))+\int_\varepsilon^"
        r"\infty(1-e^{\varepsilon-s})"
        r"(\omega_1*\cdots*\omega_k)(s)ds",
        reading="of the given X and Y; over all neighbours the supremum",
        verdict=Verdict.PROVED,
        evidence=written(
            "Losses of independent outcomes add up, +∞ if one is +∞; then outcome by outcome.",
            attacked(pairs.sums),
        ),
    ),
    Record(
        id="KH21/eq-3.3",
        line=84,
        kind=Kind.EQUATION,
        statement=r"\delta_{X/Y,\ell}(\infty)=\sum_{\mathbb P(\mathcal M_\ell(Y)=t_i)=0}\mathbb P(\mathcal "
        r"M_\ell(X)=t_i)",
        verdict=Verdict.PROVED,
        evidence=obliged("binomial(n=100, p=1/2)", "δ_∞ = P(q = 0)"),
    ),
    Record(
        id="KH21/eq-4.1",
        line=102,
        kind=Kind.DEFINITION,
        statement=r"\mathcal F,\ \mathcal F^{-1}",
        verdict=Verdict.PROVED,
        evidence=written(
            "Σ_k e^{2πik(j−m)/n} is n where j = m and 0 elsewhere.", attacked(transforms.inverse)
        ),
    ),
    Record(
        id="KH21/sec-4.1/convolution",
        line=106,
        kind=Kind.EQUATION,
        statement=r"\sum v_iw_{k-i}=\mathcal F^{-1}(\mathcal Fv\odot\mathcal Fw)",
        verdict=Verdict.PROVED,
        evidence=written(
            "Exponentials turn sums of indices into products.", attacked(transforms.convolution_theorem)
        ),
    ),
    Record(
        id="KH21/lem-1",
        line=132,
        kind=Kind.LEMMA,
        statement=r"\delta^L(\varepsilon)\le\delta(\varepsilon)\le\delta^R(\varepsilon)",
        stated="−L ≤ s_i ≤ L − Δx, ε > 0",
        verdict=Verdict.PROVED,
        evidence=written("(1 − e^{ε−s})₊ rises with s; masses at +∞ do not move.", attacked(grids.ordered)),
        used=("pldverify.accountants.heterogeneous_fourier",),
    ),
    Record(
        id="KH21/lem-2",
        line=164,
        kind=Kind.LEMMA,
        statement=r"c_i=[D\mathcal F^{-1}(\mathcal F(Da)\odot\mathcal F(Db))]_i",
        stated="n even",
        verdict=Verdict.PROVED,
        evidence=written(
            "Masses at −L + jΔx and −L + mΔx meet at j + m = i + n/2 modulo n.", attacked(transforms.by_swaps)
        ),
        aside=Aside.STEP_FALSE,
        used=("pldverify.accountants.fft_grid:compose",),
    ),
    Record(
        id="KH21/alg-1",
        line=174,
        kind=Kind.ALGORITHM,
        statement=r"b=D\mathcal F^{-1}(\mathcal F(Da^1)^{\odot k_1}\odot\cdots),\quad\delta\approx\dots+"
        r"\sum_{-L+\ell\Delta x>\varepsilon}(1-e^{\varepsilon-(-L+\ell\Delta x)})b_\ell",
        verdict=Verdict.PROVED,
        evidence=written("It is the sum modulo 2L, in exact arithmetic.", attacked(transforms.powers)),
        used=("pldverify.accountants.heterogeneous_fourier",),
    ),
    Record(
        id="KH21/sec-4.4",
        line=188,
        kind=Kind.CLAIM,
        statement=r"\text{By adding this error to the approximation given by Algorithm 1 we obtain a "
        r"strict upper bound}",
        verdict=Verdict.CONDITIONAL,
        evidence=conditional(below("9.82392e-13", partial(binomial, "1.9")), attacked(recursions.one_period)),
        reading="of Table 2, whose δ is Algorithm 1 with or without this error: it is below 1e-60 there",
        needed="exact arithmetic: FFT rounding is in no term, and Table 2 prints a δ below the truth at ε "
        "= 1.9",
        depends=("KH21/thm-1",),
        used=("pldverify.bounds.fft_rounding:convolution_rounding",),
        consequence="below δ ≈ 1e-12 a Fourier accountant in doubles bounds nothing",
        slow=True,
    ),
    Record(
        id="KH21/eq-5.2",
        line=217,
        kind=Kind.EQUATION,
        statement=r"E[e^{\lambda\omega_{X/Y}}]=\sum(a_{X,i}/a_{Y,i})^\lambda a_{X,i}",
        stated="a_X, a_Y > 0",
        verdict=Verdict.PROVED,
        evidence=written("By definition of ω.", attacked(moments.renyi)),
    ),
    Record(
        id="KH21/eq-5.3",
        line=221,
        kind=Kind.EQUATION,
        statement=r"\mathbb P[S_k\ge L]\le\prod E[e^{\lambda\omega_i}]e^{-\lambda L}\le e^{\sum\alpha_i("
        r"\lambda)}e^{-\lambda L}",
        reading="the second ≤ is an equality",
        verdict=Verdict.PROVED,
        evidence=written("pldverify.bounds.chernoff:chernoff_tail", attacked(grids.chernoff)),
        used=("pldverify.bounds.chernoff:chernoff_tail",),
    ),
    Record(
        id="KH21/thm-1",
        line=239,
        kind=Kind.THEOREM,
        statement=r"|\delta-\widetilde\delta|\le(e^{\alpha^+(\lambda)}+e^{\alpha^-(\lambda)})\frac{e^{-L"
        r"\lambda}}{1-e^{-2L\lambda}}",
        stated="s_j ∈ [−L, L − Δx], λ > 0",
        verdict=Verdict.PROVED,
        evidence=written("pldverify.bounds.periodisation:periodisation", attacked(recursions.one_period)),
        aside=Aside.STEP_FALSE,
        used=("pldverify.bounds.periodisation:periodisation",),
        consequence="the factor 1/(1 − e^{−2Lλ}) is not needed",
    ),
    Record(
        id="KH21/eq-5.5",
        line=259,
        kind=Kind.THEOREM,
        statement=r"\delta^R(\varepsilon)-\delta(\varepsilon)\le k\Delta x(\mathbb P(\omega_1+\cdots+"
        r"\omega_k\ge\varepsilon)-\delta(\varepsilon))",
        reading="Theorem 2 of section 5, Theorem 8 of the proofs",
        verdict=Verdict.CORRECTED,
        evidence=corrected(
            decided(grids.printed_discretisation),
            written("pldverify.bounds.right_grid:right_grid", attacked(grids.discretisation)),
        ),
        correction=r"(1-e^{-k\Delta x})(\mathbb P(S>\varepsilon-k\Delta x)-\delta(\varepsilon))",
        used=("pldverify.bounds.right_grid:right_grid", "pldverify.accountants.heterogeneous_fourier"),
        consequence="a lower end made as δ^R minus the printed bound can lie above the truth",
    ),
    Record(
        id="KH21/eq-5.6",
        line=264,
        kind=Kind.REMARK,
        statement=r"\delta^R(\varepsilon)-\delta(\varepsilon)\le k\Delta x(1-\delta(\varepsilon))\le k"
        r"\Delta x",
        verdict=Verdict.PROVED,
        evidence=written("pldverify.bounds.right_grid:right_grid", attacked(grids.one_step_a_loss)),
        aside=Aside.STEP_FALSE,
        depends=("KH21/eq-5.5",),
    ),
    Record(
        id="KH21/eq-5.7",
        line=268,
        kind=Kind.REMARK,
        statement=r"\delta^R(\varepsilon)-\delta(\varepsilon)\le k\Delta x\,e^{\sum\alpha_i(\lambda)}e^{-"
        r"\lambda\varepsilon}",
        verdict=Verdict.CORRECTED,
        evidence=corrected(
            decided(grids.printed_discretisation_by_chernoff),
            written(
                "pldverify.bounds.right_grid:right_grid_chernoff", attacked(grids.discretisation_by_chernoff)
            ),
        ),
        correction=r"(1-e^{-k\Delta x})e^{\sum\alpha_i(\lambda)-\lambda(\varepsilon-k\Delta x)}",
        depends=("KH21/eq-5.5",),
        used=("pldverify.bounds.right_grid:right_grid_chernoff",),
    ),
    Record(
        id="KH21/sec-5.3/tilts",
        line=276,
        kind=Kind.CLAIM,
        statement=r"\text{the minimum over }\lambda\in\{0.5L,1.0L,2.0L,3.0L,4.0L\}",
        reading="of Table 1, n = 10⁵",
        verdict=Verdict.CORRECTED,
        evidence=corrected(decided(grids.named_tilts), decided(grids.integer_tilts)),
        correction=r"\lambda=12\text{, the best integer, gives the print: over the five the least is }7.40"
        r"\cdot10^{-6}",
    ),
    *numbered("KH21/tab-1/delta", tables()["KH21-T1"]["rows"], partial(_delta, 1)),
    *numbered("KH21/tab-1/bound", tables()["KH21-T1"]["rows"], partial(_bound, 1)),
    *numbered("KH21/tab-2/delta", tables()["KH21-T2"]["rows"], partial(_delta, 2)),
    *numbered("KH21/tab-2/bound", tables()["KH21-T2"]["rows"], partial(_bound, 2)),
    Record(
        id="KH21/sec-5.4/no-polynomial-algorithm",
        line=293,
        kind=Kind.COMPLEXITY,
        statement=r"\text{there is no algorithm for computing tight bounds that would have polynomial "
        r"complexity in }k",
        verdict=Verdict.NOT_CHECKABLE,
        evidence=not_checkable(
            "quotes Murtagh and Vadhan 2018, not looked up; #P-hardness, as GLW21 quotes it, excludes one "
            "unless FP = #P"
        ),
    ),
    Record(
        id="KH21/lem-4",
        line=297,
        kind=Kind.COMPLEXITY,
        statement=r"O\left(\frac{2mk^2C_k}\eta\log\frac{k^2C_k}\eta\right)",
        reading="what the proof gives: n = 2Lk/η with L of (D.13), k ≥ log(1/η)",
        verdict=Verdict.CONDITIONAL,
        evidence=conditional(decided(accountants.points_at_small_losses), decided(accountants.points_enough)),
        needed="k C_k ≥ 1 + log(1/η), or C_k bounded below with the k ≥ log(1/η) of the proof: it gives "
        "n = 2k(kC_k + 1 + log(1/η))/η; and losses within [−L, L]",
        consequence="for k mechanisms with ε_i ~ 1/k the printed order lacks a factor 1 + log(1/η), up to k",
    ),
    Record(
        id="KH21/lem-5",
        line=317,
        kind=Kind.LEMMA,
        statement=r"\widetilde\delta(\varepsilon)=\tfrac1n\langle\mathcal F(Dw_\varepsilon),\mathcal "
        r"F(Da)^{\odot k}\rangle",
        reading="the inner product conjugates one factor; the sum is real",
        verdict=Verdict.PROVED,
        evidence=written("Parseval, and D is symmetric.", attacked(transforms.plancherel)),
        used=("pldverify.bounds.fft_rounding:convolution_rounding",),
    ),
    *numbered("KH21/tab-3/delta", tables()["KH21-T3"]["rows"], _plancherel),
    Record(
        id="KH21/tab-3/speed-up",
        line=328,
        kind=Kind.CAPTION,
        statement=r"\text{using Lemma 5 we can speed up the update more than 20-fold}",
        reading="by the printed times",
        verdict=Verdict.PROVED,
        evidence=decided(transforms.speed_up),
    ),
    Record(
        id="KH21/sec-6.1/randomised-response",
        line=342,
        kind=Kind.EQUATION,
        statement=r"\omega_R=p\,\delta_{c_p}+(1-p)\delta_{-c_p},\quad c_p=\log\tfrac p{1-p}",
        verdict=Verdict.PROVED,
        evidence=obliged(RESPONSE, "ω_R has mass", source="KH21 section 6.1"),
    ),
    Record(
        id="KH21/sec-6.1/gaussian",
        line=344,
        kind=Kind.EQUATION,
        statement=r"\omega_G\sim\mathcal N(\tfrac1{2\sigma^2},\tfrac1{\sigma^2})",
        stated="sensitivity 1",
        verdict=Verdict.PROVED,
        evidence=obliged(GAUSSIAN, "ω_G = N(", source="KH21 section 6.1"),
    ),
    Record(
        id="KH21/eq-6.1",
        line=346,
        kind=Kind.DEFINITION,
        statement=r"\omega_{G,max}=\sum c_i^+\delta_{s_i},\quad c_i^+=\Delta x\max_{[s_{i-1},s_i]}\omega_G:"
        r"\quad\delta\le\delta_{max}",
        reading="on the infinite grid, one loss; its masses add up to more than 1",
        verdict=Verdict.SUPPORTED,
        evidence=attacked(densities.majorant),
    ),
    Record(
        id="KH21/sec-6.1/rdp-of-response",
        line=350,
        kind=Kind.EQUATION,
        statement=r"\tfrac1{\alpha-1}\log(p^\alpha(1-p)^{1-\alpha}+(1-p)^\alpha p^{1-\alpha})",
        verdict=Verdict.PROVED,
        evidence=obliged(RESPONSE, "α-RDP is", source="KH21 section 6.1"),
        used=("pldverify.accountants.rdp",),
    ),
    Record(
        id="KH21/sec-6.1/rdp-of-gaussian",
        line=352,
        kind=Kind.EQUATION,
        statement=r"\alpha/2\sigma^2",
        reading="α/(2σ²)",
        verdict=Verdict.PROVED,
        evidence=obliged(GAUSSIAN, "α-RDP is α/(2σ²)"),
    ),
    Record(
        id="KH21/fig-1/points",
        line=355,
        kind=Kind.CAPTION,
        statement=r"\text{already }n=5\cdot10^{-3}\text{ gives accurate results}",
        verdict=Verdict.CORRECTED,
        evidence=corrected(decided(clipping.number_of_points), decided(clipping.meant_number_of_points)),
        correction=r"n=5\cdot10^3",
    ),
    Record(
        id="KH21/fig-1/times",
        line=355,
        kind=Kind.CAPTION,
        statement=r"\text{FA allows approximately 1.5 times as many compositions as TF MA}",
        verdict=Verdict.NOT_CHECKABLE,
        evidence=not_checkable("read off a figure that is not part of the text, against a library of 2021"),
    ),
    Record(
        id="KH21/sec-6.2",
        line=364,
        kind=Kind.EQUATION,
        statement=r"\omega(s)=f(g(s))g'(s),\ s>\log(1-q)",
        verdict=Verdict.PROVED,
        evidence=obliged(SAMPLED, "ω(s) = f(g(s))", source="KH21 section 6.2"),
    ),
    Record(
        id="KH21/eq-A.1",
        line=456,
        kind=Kind.EQUATION,
        statement=r"\delta(\varepsilon)=\inf_{\alpha>1}e^{-(\alpha-1)(\varepsilon-\gamma(\alpha)T)}",
        reading="an upper bound, not the δ of the mechanism",
        verdict=Verdict.PROVED,
        evidence=written(
            "Markov's inequality for e^{(α−1)S}: Pr[S > ε] ≥ δ(ε).", attacked(moments.conversion)
        ),
        used=("pldverify.accountants.rdp_to_dp",),
    ),
    Record(
        id="KH21/sec-A.2/gaussian",
        line=446,
        kind=Kind.EQUATION,
        statement=r"\omega_G^k\sim\mathcal N(\tfrac k{2\sigma^2},\tfrac k{\sigma^2})",
        verdict=Verdict.PROVED,
        evidence=obliged(GAUSSIAN, "ω_G = N(", source="KH21 section 6.1"),
        depends=("KH21/sec-6.1/gaussian",),
    ),
    Record(
        id="KH21/sec-A.3/gdp",
        line=465,
        kind=Kind.CLAIM,
        statement=r"\text{for several tens of thousands of compositions the GDP approximates are accurate; "
        r"}p\sqrt{k(e^{1/\sigma^2}-1)}",
        verdict=Verdict.NOT_CHECKABLE,
        evidence=not_checkable(
            "names no tolerance; GLW21/sec-1/gdp-underestimates has a case 10 % below the truth"
        ),
        depends=("GLW21/sec-1/gdp-underestimates",),
    ),
    Record(
        id="KH21/eq-B.3",
        line=524,
        kind=Kind.STEP,
        statement=r"\widetilde\omega_{X/Y}(s)=\sum\mathbb P(\mathcal M_1(X)=t_i)\mathbb P(\mathcal "
        r"M_2(X)=t_i')\delta_{s_i+s_i'}(s)",
        verdict=Verdict.PROVED,
        evidence=written("Independence, and the logarithm of a product.", attacked(pairs.sums)),
    ),
    Record(
        id="KH21/eq-C.8",
        line=636,
        kind=Kind.STEP,
        statement=r"c_i=\sum_{j=n/2}^{3n/2-1}a_jb_{i-j}\text{ (indices modulo }n)",
        verdict=Verdict.CORRECTED,
        evidence=corrected(attacked(transforms.printed_indices), attacked(transforms.by_swaps)),
        correction=r"c_i=\sum_ja_jb_{i+n/2-j}\text{ on the grid }s_i=-L+i\Delta x",
        reading="the indices of (4.5), s_i = iΔx, and those of the lemma are mixed",
    ),
    Record(
        id="KH21/eq-C.9",
        line=644,
        kind=Kind.STEP,
        statement=r"c_{i+n/2}=[\mathcal F^{-1}(\mathcal F(Da)\odot\mathcal F(Db))]_i",
        verdict=Verdict.PROVED,
        evidence=written("Both factors are shifted by n/2.", attacked(transforms.shifted_indices)),
    ),
    Record(
        id="KH21/sec-D.1/lower-limit",
        line=660,
        kind=Kind.STEP,
        statement=r"\delta(\varepsilon)\approx\delta^R(\varepsilon)\text{ corresponds to }\int_L^"
        r"\infty(1-e^{\varepsilon-s})\dots",
        verdict=Verdict.CORRECTED,
        evidence=corrected(
            decided(grids.integrals_from_l), written("δ is ∫_ε^∞ by Theorem 2.", attacked(pairs.tails))
        ),
        correction=r"\int_\varepsilon^\infty",
    ),
    Record(
        id="KH21/sec-D.1/triangle",
        line=671,
        kind=Kind.EQUATION,
        statement=r"|\delta-\widetilde{\delta^R}|\le|\delta-\delta^R|+|\delta^R-\widetilde{\delta^R}|",
        verdict=Verdict.PROVED,
        evidence=written("Triangle inequality.", attacked(grids.triangle_of_errors)),
    ),
    Record(
        id="KH21/sec-D.1/grid-moments",
        line=676,
        kind=Kind.LEMMA,
        statement=r"E[e^{-\lambda\omega^R}]\le E[e^{-\lambda\omega}],\quad E[e^{\lambda\omega^R}]\le"
        r"\tfrac1{1-\lambda\Delta x}E[e^{\lambda\omega}]",
        stated="0 < λ < 1/Δx",
        reading="Lemma 7 of Koskela et al. 2021, as quoted",
        verdict=Verdict.PROVED,
        evidence=written("pldverify.bounds.grid_moment:grid_log_moment", attacked(grids.rounded_moments)),
        used=("pldverify.bounds.grid_moment:grid_log_moment",),
        consequence="e^{λΔx} in the place of 1/(1 − λΔx) is smaller and needs no λ < 1/Δx",
    ),
    Record(
        id="KH21/rem-D.3.1",
        line=721,
        kind=Kind.REMARK,
        statement=r"s_j\in[-L,L]\Rightarrow\omega_1\circledast\cdots\circledast\omega_k=\omega_1*\cdots*"
        r"\omega_k",
        verdict=Verdict.CORRECTED,
        evidence=corrected(
            attacked(recursions.ends_of_the_interval), attacked(recursions.inside_of_the_interval)
        ),
        correction=r"s_j\in[-L,L)\text{: the sums take }-L\le s_j<L",
    ),
    Record(
        id="KH21/eq-D.6",
        line=767,
        kind=Kind.STEP,
        statement=r"\sum_{j_1}a^1_{j_1}\cdots\sum_i\hat a^k_{i-j_1-\ldots}=\sum_{n\ne0}\mathbb P((2n-1)L\le"
        r"\omega_1*\cdots*\omega_k<(2n+1)L)",
        verdict=Verdict.CORRECTED,
        evidence=corrected(decided(recursions.periods_add_up), attacked(recursions.one_period)),
        correction=r"i\text{ over one period, }\varepsilon\le s_i<L\text{: over all }i\in\mathbb Z\text{ "
        r"the left side is infinite}",
        reading="(D.5) bounds ∫_ε^L by ∫_ℝ of a periodic measure",
    ),
    Record(
        id="KH21/eq-D.7",
        line=809,
        kind=Kind.EQUATION,
        statement=r"\omega_1*\cdots*\omega_k-\omega_1\circledast\cdots\circledast\omega_k=\dots+(\omega_1*"
        r"\cdots*\omega_{k-1}-\omega_1\circledast\cdots\circledast\omega_{k-1})\circledast\omega_k",
        reading="⊛ from the left: partial sums are kept in [−L, L)",
        verdict=Verdict.PROVED,
        evidence=written("The middle terms cancel.", attacked(recursions.truncation_recursion)),
    ),
    Record(
        id="KH21/thm-D.4.3",
        line=801,
        kind=Kind.THEOREM,
        statement=r"I_2(L)\le\left(\frac{e^{k\max\alpha_i^+}-e^{\max\alpha_i^+}}{e^{\max\alpha_i^+}-1}+"
        r"\frac{e^{k\max\alpha_i^-}-e^{\max\alpha_i^-}}{e^{\max\alpha_i^-}-1}\right)e^{-L\lambda}",
        verdict=Verdict.CORRECTED,
        evidence=corrected(
            decided(recursions.closed_geometric_sum),
            written("KH21 (D.7) to (D.10), and Chernoff.", attacked(recursions.truncated_partial_sums)),
        ),
        correction=r"\sum_{\ell=1}^{k-1}e^{\ell\alpha}\text{: the closed form is }0/0\text{ at }\alpha=0"
        r"\text{, as at }\lambda=1\text{ wherever }P,Q\text{ have one support}",
        depends=("KH21/eq-D.7",),
        used=("pldverify.bounds.truncation:printed_truncation",),
        consequence="it bounds the I₂ of partial sums; what the accountants drop, single losses, is "
        "another quantity",
    ),
    Record(
        id="KH21/sec-D.5/proof",
        line=891,
        kind=Kind.STEP,
        statement=r"\delta^R-\delta=\sum_{s_{i_1}+\ldots+s_{i_k}\ge\varepsilon}a\cdots(e^{"
        r"\varepsilon-s}-e^{\varepsilon-s^R})",
        verdict=Verdict.CORRECTED,
        evidence=corrected(
            decided(grids.printed_discretisation),
            written("pldverify.bounds.right_grid:right_grid", attacked(grids.discretisation)),
        ),
        correction=r"\text{plus }\sum_{s<\varepsilon<s^R}a\cdots(1-e^{\varepsilon-s^R})",
    ),
    Record(
        id="KH21/sec-D.5/exponential",
        line=887,
        kind=Kind.STEP,
        statement=r"a\le b\Rightarrow e^b-e^a\le e^b(b-a)",
        verdict=Verdict.PROVED,
        evidence=written("Mean value theorem.", attacked(grids.exponentials)),
    ),
    Record(
        id="KH21/eq-D.12",
        line=929,
        kind=Kind.STEP,
        statement=r"\frac{e^{-L\lambda}}{1-e^{-2L\lambda}}\le\frac e2e^{-L\lambda}",
        stated="L ≥ 1, λ ≥ 1",
        verdict=Verdict.PROVED,
        evidence=decided(moments.factor_e_half),
    ),
    Record(
        id="KH21/sec-D.6/renyi",
        line=936,
        kind=Kind.STEP,
        statement=r"\log E[e^{\lambda\omega}]=\lambda\cdot\tfrac1\lambda\sum(a_X/a_Y)^\lambda a_X=\lambda "
        r"D_{\lambda+1}",
        verdict=Verdict.CORRECTED,
        evidence=corrected(decided(moments.identity_of_moments), attacked(moments.renyi)),
        correction=r"\lambda\cdot\tfrac1\lambda\log\sum(a_X/a_Y)^\lambda a_X",
    ),
    Record(
        id="KH21/sec-D.6/minus",
        line=951,
        kind=Kind.STEP,
        statement=r"\alpha^+(\lambda)\le\lambda\sum D_\infty(f_X\|f_Y),\quad\alpha^-(\lambda)\le(\lambda-1)"
        r"\sum D_\infty(f_Y\|f_X)",
        needed="λ ≥ 1 in the second",
        verdict=Verdict.PROVED,
        evidence=written(
            "E[e^{−λω}] = Σ (a_Y/a_X)^{λ−1} a_Y, and each ratio is at most e^{D_∞}.", attacked(moments.renyi)
        ),
    ),
    Record(
        id="KH21/rem-D.6.6",
        line=985,
        kind=Kind.REMARK,
        statement=r"L\ge\frac{\log\eta^{-1}+\max\{\alpha^-,\alpha^+\}+1}\lambda",
        verdict=Verdict.PROVED,
        evidence=written("(D.12) solved for L.", attacked(moments.enough_L)),
        depends=("KH21/eq-D.12",),
    ),
    Record(
        id="KH21/eq-D.17",
        line=1028,
        kind=Kind.EQUATION,
        statement=r"\langle x,y\rangle=\tfrac1n\langle\mathcal Fx,\mathcal Fy\rangle",
        verdict=Verdict.PROVED,
        evidence=written(
            "Σ_k e^{2πik(j−m)/n} is n where j = m and 0 elsewhere.", attacked(transforms.plancherel)
        ),
    ),
    Record(
        id="KH21/eq-E.3",
        line=1077,
        kind=Kind.LEMMA,
        statement=r"err(\lambda,L,\sigma)=e^{3\lambda/2\sigma^2}(\mathbb P[Z<-L]+\mathbb P[Z>L-\Delta x]),"
        r"\ Z\sim\mathcal N(\tfrac{1+2\lambda}{2\sigma^2},\tfrac1{\sigma^2})",
        reading="Lemma 1 of E.1",
        stated="0 < λ ≤ L, σ ≥ 1, Δx ≤ cL",
        verdict=Verdict.CORRECTED,
        evidence=corrected(
            attacked(densities.printed_omega_max),
            written(
                "pldverify.bounds.omega_max_moment:omega_max_rest", attacked(densities.omega_max_outside)
            ),
        ),
        correction=r"e^{\lambda(\lambda+1)/2\sigma^2}(e^{2\lambda\Delta x}\mathbb P[Z>L-2\Delta x]+\mathbb "
        r"P[Z<-L])",
        used=("pldverify.bounds.omega_max_moment:omega_max_rest",),
        consequence="too small already at λ = 2, where the printed factor is right",
    ),
    Record(
        id="KH21/eq-E.3/factor",
        line=1087,
        kind=Kind.STEP,
        statement=r"\int_{-\infty}^{-L}e^{\lambda s}\omega_G=e^{3\lambda/2\sigma^2}\int_{-\infty}^{-L}"
        r"\widetilde\omega",
        verdict=Verdict.CORRECTED,
        evidence=corrected(
            obliged(GAUSSIAN, "e^(λs) ω_G(s) = exp(3λ", source="KH21 proof of Lemma 1"),
            attacked(densities.omega_max_outside),
        ),
        correction=r"e^{\lambda(\lambda+1)/2\sigma^2}",
    ),
    Record(
        id="KH21/eq-E.4",
        line=1082,
        kind=Kind.STEP,
        statement=r"E[e^{\lambda\omega^\infty_{max}}]\le E[e^{\lambda\omega_{max}}]+\int_{-\infty}^{-L}e^{"
        r"\lambda s}\omega_G+\int_{L-\Delta x}^\infty e^{\lambda s}\omega_G",
        verdict=Verdict.CORRECTED,
        evidence=corrected(decided(densities.printed_split), attacked(densities.omega_max_outside)),
        correction=r"\text{right of the grid }e^{2\lambda\Delta x}\int_{L-2\Delta x}^\infty e^{\lambda s}"
        r"\omega_G",
        reading="a cell's greatest density times its right end's e^{λs} exceeds the cell's integral",
    ),
    Record(
        id="KH21/cor-E.2",
        line=1093,
        kind=Kind.COROLLARY,
        statement=r"E[e^{-\lambda\omega^\infty_{max}}]\le E[e^{-\lambda\omega_{max}}]+err(\lambda,L,\sigma)",
        verdict=Verdict.CORRECTED,
        evidence=corrected(
            attacked(densities.printed_omega_max_below),
            written(
                "pldverify.bounds.omega_max_moment:omega_max_rest", attacked(densities.omega_max_outside)
            ),
        ),
        correction=r"e^{\lambda(\lambda-1)/2\sigma^2}(\mathbb P[Z>L-2\Delta x]+e^{\lambda\Delta x}\mathbb "
        r"P[Z<-L]),\ Z\sim\mathcal N(\tfrac{1-2\lambda}{2\sigma^2},\tfrac1{\sigma^2})",
        used=("pldverify.bounds.omega_max_moment:omega_max_rest",),
    ),
    Record(
        id="KH21/eq-E.1/grid",
        line=1051,
        kind=Kind.DEFINITION,
        statement=r"\omega_{max}=\sum_{i=0}^{n-1}c_i^+\delta_{s_i},\quad s_i=i\Delta x",
        verdict=Verdict.CORRECTED,
        evidence=corrected(decided(clipping.grid_without_negative_losses), attacked(densities.majorant)),
        correction=r"s_i=-L+i\Delta x\text{, as in (6.1)}",
    ),
    Record(
        id="KH21/rem-E.3",
        line=1103,
        kind=Kind.REMARK,
        statement=r"\text{the error term }err(\lambda,L,\sigma)\text{ was found to be negligible}",
        verdict=Verdict.NOT_CHECKABLE,
        evidence=not_checkable("no number is printed"),
    ),
    Record(
        id="KH21/lem-F.1",
        line=1121,
        kind=Kind.LEMMA,
        statement=r"\mathrm{clip}_c(h)=h/\max\{1,\|h\|_2/c\}\text{ is }L\text{-Lipschitz where }h\text{ is}",
        verdict=Verdict.PROVED,
        evidence=written(
            "Clipping is the projection on a ball, which is convex.", attacked(clipping.projection)
        ),
    ),
    Record(
        id="KH21/thm-F.3",
        line=1153,
        kind=Kind.THEOREM,
        statement=r"\mathcal N(0,\sigma^2)\simeq(1-q)\mathcal N(0,\sigma^2)+q\mathcal N(1,\sigma^2)"
        r"\Rightarrow\text{ the multivariate Poisson subsampled mechanism is }(\varepsilon,\delta)\text{-DP}",
        stated="‖g‖ = 1, sums, Poisson sampling",
        needed="a fixed query; ‖g‖ ≤ 1 by KH21/sec-F.3.3",
        verdict=Verdict.PROVED,
        evidence=written(
            "Given the other records both laws are shifted alike; P ≤ e^ε Q + δ survives mixing.",
            attacked(reductions.half_lines),
        ),
        used=("pldverify.mechanisms.poisson_subsampled",),
    ),
    Record(
        id="KH21/thm-F.7",
        line=1283,
        kind=Kind.THEOREM,
        statement=r"\widetilde\omega(S,\theta)=\omega(S)\text{ for the adaptive Gaussian composition with }"
        r"\|g\|_2=1",
        reading="F₁ subtracts the sum over X, not the random output M₁(X, θ)",
        verdict=Verdict.NOT_CHECKABLE,
        evidence=not_checkable(
            "true by conditioning on earlier outputs, with measurable U; that Ũ(θ) “clearly” can be "
            "continuous is a "
            "question of topology which the print does not answer, and nothing here checks it"
        ),
    ),
    Record(
        id="KH21/sec-F.3.3",
        line=1373,
        kind=Kind.CLAIM,
        statement=r"\|g(x',\theta)\|_2\le1\text{ is bounded by the case }\|g(x',\theta)\|_2=1",
        reading="(F.11) with c = 0 is a constant: no noise is needed there",
        verdict=Verdict.PROVED,
        evidence=written(
            "Post-processing: scale by c and add N(0, (1 − c²)σ²).", attacked(reductions.scaling)
        ),
    ),
    Record(
        id="KH21/sec-F.3.4",
        line=1395,
        kind=Kind.CLAIM,
        statement=r"\text{adaptive composition of subsampled Gaussian mechanisms: combine Theorems 3 and 7}",
        verdict=Verdict.NOT_CHECKABLE,
        evidence=not_checkable(
            "a sketch: Theorem 3 gives indistinguishability, not one loss distribution, so Theorem 7 does "
            "not apply "
            "to mixtures as it stands; domination composes by Zhu, Dong, Wang 2022, not looked up here"
        ),
    ),
)
