"""KH21: Koskela, Honkela, Computing Differential Privacy Guarantees for Heterogeneous Compositions Using FFT.

arXiv 2102.12412. The paper numbers its statements anew in each appendix; ids have the section. Its “Theorem 7
of the main text” is Theorem 1 of section 5, Theorem 8 is Theorem 2; Lemmas 5, 6, 10, 11 are 1, 2, 4, 5.
"""

from functools import partial

from pldverify.theorems.attacks import (
    accountants,
    algebra,
    clipping,
    densities,
    grids,
    moments,
    pairs,
    prv,
    recursions,
    reductions,
    transforms,
)
from pldverify.theorems.evidence import (
    attacked,
    conditional,
    corrected,
    decided,
    necessary,
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
    error_of,
    numbered,
    plancherel,
    tables,
)


def _delta(table: int, id: str, number: int, row: Row) -> Record:
    at = str(row.get("epsilon", 1))
    return Record(
        id,
        278 + 6 * (table - 1) + number,
        rf"\varepsilon={at},\ n={row.get('n', 10**7)}:\ \delta(\varepsilon)={row['delta']}",
        Verdict.CORRECTED,
        Rounded(row["delta"], partial(binomial, at), _TRUE_BINOMIAL[at]),
        reading="the printed number is δ to its digits; an upper bound by the right grid, in floats",
        correction=rf"\delta={_TRUE_BINOMIAL[at]}",
        slow=True,
    )


def _bound(table: int, id: str, number: int, row: Row) -> Record:
    at = str(row.get("epsilon", 1))
    return Record(
        id,
        278 + 6 * (table - 1) + number,
        rf"\varepsilon={at},\ n={row.get('n', 10**7)}:\ \text{{error bound (5.7)}}={row['bound']}",
        Verdict.PROVED,
        at_most(error_of(row["delta"], partial(binomial, at)), row["bound"]),
        reading="the printed δ is within the printed bound of the truth",
        depends=("KH21/eq-5.7",),
        slow=True,
    )


def _plancherel(id: str, number: int, row: Row) -> Record:
    right = number == 4
    return Record(
        id,
        323 + number,
        rf"n={row['n']}:\ \delta(\varepsilon)={row['delta']}",
        Verdict.PROVED if right else Verdict.CORRECTED,
        Rounded(row["delta"], plancherel, "2.84694077982593e-6"),
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

_MAJORANT = written(
    "A cell's mass is at most c⁺ and moves to its right end; (1 − e^{ε−s})₊ rises, of sums of losses too.",
    attacked(densities.majorant),
)
# A record is a paragraph.
# fmt: off
RECORDS = (
    Record("KH21/def-3.1.1", 61, r"\omega_{X/Y}(s)=\sum_{t_{X,i}=t_{Y,j}}a_{X,i}\delta_{s_i}(s),\quad s_i="
        r"\log(a_{X,i}/a_{Y,j})",
        Verdict.PROVED, written("The law of the loss where both masses are positive.",
        attacked(pairs.tails)), stated="a ≥ 0", reading="a > 0 in the sum: with a_X = 0 or a_Y = 0 at a "
        "common place the loss is −∞ or +∞"),
    Record("KH21/thm-2", 77, r"\delta_{X/Y}(\varepsilon)=1-\prod(1-\delta_{X/Y,\ell}(\infty))+\int_"
        r"\varepsilon^\infty(1-e^{\varepsilon-s})(\omega_1*\cdots*\omega_k)(s)ds",
        Verdict.PROVED, written("Losses of independent outcomes add up, +∞ if one is +∞; then outcome by "
        "outcome.", attacked(pairs.sums)), reading="of the given X and Y; over all neighbours the supremum"),
    Record("KH21/eq-3.3", 84, r"\delta_{X/Y,\ell}(\infty)=\sum_{\mathbb P(\mathcal M_\ell(Y)=t_i)=0}"
        r"\mathbb P(\mathcal M_\ell(X)=t_i)",
        Verdict.PROVED, written("The loss is +∞ there, and only there.", obliged("binomial(n=100, p=1/2)",
        "δ_∞ = P(q = 0)"), attacked(pairs.tails))),
    Record("KH21/eq-4.1", 102, r"\mathcal F,\ \mathcal F^{-1}",
        Verdict.PROVED, written("Σ_k e^{2πik(j−m)/n} is n where j = m and 0 elsewhere.",
        attacked(transforms.inverse)), sort=Kind.DEFINITION),
    Record("KH21/sec-4.1/convolution", 106, r"\sum v_iw_{k-i}=\mathcal F^{-1}(\mathcal Fv\odot\mathcal Fw)",
        Verdict.PROVED, written("Exponentials turn sums of indices into products.",
        attacked(transforms.convolution_theorem)), sort=Kind.EQUATION),
    Record("KH21/lem-1", 132, r"\delta^L(\varepsilon)\le\delta(\varepsilon)\le\delta^R(\varepsilon)",
        Verdict.PROVED, written("(1 − e^{ε−s})₊ rises with s; masses at +∞ do not move.",
        attacked(grids.ordered)), stated="−L ≤ s_i ≤ L − Δx, ε > 0",
        used=("pldverify.accountants.heterogeneous_fourier",)),
    Record("KH21/sec-4.3/extension", 152, r"\widetilde\omega_1=\sum_m\sum_ia_i\delta_{s_i+m\cdot2L}\text{ "
        r"is the }2L\text{-periodic extension from }[-L,L)",
        Verdict.CONDITIONAL, conditional(attacked(recursions.sums_of_all_copies),
        written("Copies do not overlap.", attacked(recursions.copies_of_what_is_inside))),
        sort=Kind.DEFINITION, needed="all s_i in [−L, L): else it sums what lies outside modulo 2L"),
    Record("KH21/lem-2", 164, r"c_i=[D\mathcal F^{-1}(\mathcal F(Da)\odot\mathcal F(Db))]_i",
        Verdict.PROVED, written("Masses at −L + jΔx and −L + mΔx meet at j + m = i + n/2 modulo n.",
        attacked(transforms.by_swaps)), stated="n even", aside=Aside.STEP_FALSE,
        used=("pldverify.accountants.fft_grid:compose",)),
    Record("KH21/alg-1", 174, r"b=D\mathcal F^{-1}(\mathcal F(Da^1)^{\odot k_1}\odot\cdots),\quad\delta"
        r"\approx\dots+\sum_{-L+\ell\Delta x>\varepsilon}(1-e^{\varepsilon-(-L+\ell\Delta x)})b_\ell",
        Verdict.PROVED, written("It is the sum modulo 2L, in exact arithmetic.",
        attacked(transforms.powers)), used=("pldverify.accountants.heterogeneous_fourier",)),
    Record("KH21/sec-4.4", 188, r"\text{By adding this error to the approximation given by Algorithm 1 we "
        r"obtain a strict upper bound}",
        Verdict.CONDITIONAL, conditional(below("9.82392e-13", partial(binomial, "1.9")),
        attacked(recursions.one_period)), reading="of Table 2, whose δ is Algorithm 1 with or without this "
        "error: it is below 1e-60 there", needed="exact arithmetic: FFT rounding is in no term, and Table "
        "2 prints a δ below the truth at ε = 1.9", depends=("KH21/thm-1",),
        used=("pldverify.bounds.fft_rounding:convolution_rounding",),
        consequence="below δ ≈ 1e-12 a Fourier accountant in doubles bounds nothing", slow=True),
    Record("KH21/eq-5.2", 217, r"E[e^{\lambda\omega_{X/Y}}]=\sum(a_{X,i}/a_{Y,i})^\lambda a_{X,i}",
        Verdict.PROVED, written("By definition of ω.", attacked(moments.renyi)), stated="a_X, a_Y > 0"),
    Record("KH21/eq-5.3", 221, r"\mathbb P[S_k\ge L]\le\prod E[e^{\lambda\omega_i}]e^{-\lambda L}\le e^{"
        r"\sum\alpha_i(\lambda)}e^{-\lambda L}",
        Verdict.PROVED, written("pldverify.bounds.chernoff:chernoff_tail", attacked(grids.chernoff)),
        reading="the second ≤ is an equality", used=("pldverify.bounds.chernoff:chernoff_tail",)),
    Record("KH21/thm-1", 239, r"|\delta-\widetilde\delta|\le(e^{\alpha^+(\lambda)}+e^{\alpha^-(\lambda)})"
        r"\frac{e^{-L\lambda}}{1-e^{-2L\lambda}}",
        Verdict.PROVED, written("pldverify.bounds.periodisation:periodisation",
        attacked(recursions.one_period)), stated="s_j ∈ [−L, L − Δx], λ > 0", aside=Aside.STEP_FALSE,
        used=("pldverify.bounds.periodisation:periodisation",),
        consequence="the factor 1/(1 − e^{−2Lλ}) is not needed"),
    Record("KH21/eq-5.5", 259, r"\delta^R(\varepsilon)-\delta(\varepsilon)\le k\Delta x(\mathbb P(\omega_1+"
        r"\cdots+\omega_k\ge\varepsilon)-\delta(\varepsilon))",
        Verdict.CORRECTED, corrected(decided(grids.printed_discretisation),
        written("pldverify.bounds.right_grid:right_grid", attacked(grids.discretisation))),
        sort=Kind.THEOREM, reading="Theorem 2 of section 5, Theorem 8 of the proofs",
        correction=r"(1-e^{-k\Delta x})(\mathbb P(S>\varepsilon-k\Delta x)-\delta(\varepsilon))",
        used=("pldverify.bounds.right_grid:right_grid", "pldverify.accountants.heterogeneous_fourier"),
        consequence="a lower end made as δ^R minus the printed bound can lie above the truth"),
    Record("KH21/eq-5.6", 264, r"\delta^R(\varepsilon)-\delta(\varepsilon)\le k\Delta x(1-\delta("
        r"\varepsilon))\le k\Delta x",
        Verdict.PROVED, written("pldverify.bounds.right_grid:right_grid", attacked(grids.one_step_a_loss)),
        sort=Kind.REMARK, aside=Aside.STEP_FALSE, depends=("KH21/eq-5.5",)),
    Record("KH21/eq-5.7", 268, r"\delta^R(\varepsilon)-\delta(\varepsilon)\le k\Delta x\,e^{\sum\alpha_i("
        r"\lambda)}e^{-\lambda\varepsilon}",
        Verdict.CORRECTED, corrected(decided(grids.printed_discretisation_by_chernoff),
        written("pldverify.bounds.right_grid:right_grid_chernoff",
        attacked(grids.discretisation_by_chernoff))), sort=Kind.REMARK,
        correction=r"(1-e^{-k\Delta x})e^{\sum\alpha_i(\lambda)-\lambda(\varepsilon-k\Delta x)}",
        depends=("KH21/eq-5.5",), used=("pldverify.bounds.right_grid:right_grid_chernoff",)),
    Record("KH21/tab-1/slope", 279, r"\text{the bound (5.7) of Table 1 is }6.31\cdot10^{-1}/n\text{, as }k"
        r"\Delta x=2Lk/n",
        Verdict.PROVED, decided(grids.bounds_fall_like_1_over_n), sort=Kind.CAPTION,
        reading="to the printed digits"),
    Record("KH21/tab-2/small", 289, r"\text{the bound (5.7) stays small in relation to }\delta(\varepsilon)"
        r"\text{ as }\delta\text{ decreases}",
        Verdict.PROVED, decided(grids.bounds_are_small), sort=Kind.CAPTION, reading="below 1 %"),
    Record("KH21/sec-5.3/tilts", 276, r"\text{the minimum over }\lambda\in\{0.5L,1.0L,2.0L,3.0L,4.0L\}",
        Verdict.CORRECTED, corrected(decided(grids.named_tilts), decided(grids.integer_tilts)),
        reading="of Table 1, n = 10⁵", correction=r"\lambda=12\text{, the best integer, gives the print: "
        r"over the five the least is }7.40\cdot10^{-6}"),
    *numbered("KH21/tab-1/delta", tables()["KH21-T1"]["rows"], partial(_delta, 1)),
    *numbered("KH21/tab-1/bound", tables()["KH21-T1"]["rows"], partial(_bound, 1)),
    *numbered("KH21/tab-2/delta", tables()["KH21-T2"]["rows"], partial(_delta, 2)),
    *numbered("KH21/tab-2/bound", tables()["KH21-T2"]["rows"], partial(_bound, 2)),
    Record("KH21/sec-5.4/no-polynomial-algorithm", 293, r"\text{there is no algorithm for computing tight "
        r"bounds that would have polynomial complexity in }k",
        Verdict.NOT_CHECKABLE, not_checkable("quotes Murtagh and Vadhan 2018, not looked up; #P-hardness, "
        "as GLW21 quotes it, excludes one unless FP = #P"), sort=Kind.COMPLEXITY),
    Record("KH21/lem-4", 297, r"O\left(\frac{2mk^2C_k}\eta\log\frac{k^2C_k}\eta\right)",
        Verdict.CONDITIONAL, conditional(decided(accountants.points_at_small_losses),
        written("n η/(k²C_k) = 2(1 + (1 + log(1/η))/(kC_k)).", decided(accountants.points_enough))),
        sort=Kind.COMPLEXITY, reading="what the proof gives: n = 2Lk/η with L of (D.13), k ≥ log(1/η)",
        needed="k C_k ≥ 1 + log(1/η), or C_k bounded below with the k ≥ log(1/η) of the proof: it gives n "
        "= 2k(kC_k + 1 + log(1/η))/η; and losses within [−L, L]",
        consequence="for k mechanisms with ε_i ~ 1/k the printed order lacks a factor 1 + log(1/η), up to k"),
    Record("KH21/lem-5", 317, r"\widetilde\delta(\varepsilon)=\tfrac1n\langle\mathcal F(Dw_\varepsilon),"
        r"\mathcal F(Da)^{\odot k}\rangle",
        Verdict.PROVED, written("Parseval, and D is symmetric.", attacked(transforms.plancherel)),
        reading="the inner product conjugates one factor; the sum is real",
        used=("pldverify.bounds.fft_rounding:convolution_rounding",)),
    *numbered("KH21/tab-3/delta", tables()["KH21-T3"]["rows"], _plancherel),
    Record("KH21/tab-3/speed-up", 328, r"\text{using Lemma 5 we can speed up the update more than 20-fold}",
        Verdict.PROVED, decided(transforms.speed_up), sort=Kind.CAPTION, reading="by the printed times"),
    Record("KH21/sec-6.1/randomised-response", 342, r"\omega_R=p\,\delta_{c_p}+(1-p)\delta_{-c_p},\quad "
        r"c_p=\log\tfrac p{1-p}",
        Verdict.PROVED, obliged(RESPONSE, "ω_R has mass", source="KH21 section 6.1"), sort=Kind.EQUATION),
    Record("KH21/sec-6.1/gaussian", 344, r"\omega_G\sim\mathcal N(\tfrac1{2\sigma^2},\tfrac1{\sigma^2})",
        Verdict.PROVED, obliged(GAUSSIAN, "ω_G = N(", source="KH21 section 6.1"), sort=Kind.EQUATION,
        stated="sensitivity 1"),
    Record("KH21/eq-6.1", 346, r"\omega_{G,max}=\sum c_i^+\delta_{s_i},\quad c_i^+=\Delta x"
        r"\max_{[s_{i-1},s_i]}\omega_G:\quad\delta\le\delta_{max}",
        Verdict.PROVED, _MAJORANT, sort=Kind.DEFINITION, reading="on the infinite grid; its masses add up "
        "to more than 1"),
    Record("KH21/eq-6.1/finite", 346, r"\text{“the infinitely extending counterpart”, and a bound for it}",
        Verdict.PROVED, necessary(decided(densities.finite_majorant)),
        reading="needed: the finite sum alone is no majorant", sort=Kind.CLAIM,
        consequence="a grid that ends at L proves nothing of losses beyond"),
    Record("KH21/sec-6.1/rdp-of-response", 350, r"\tfrac1{\alpha-1}\log(p^\alpha(1-p)^{1-\alpha}+(1-p)^"
        r"\alpha p^{1-\alpha})",
        Verdict.PROVED, obliged(RESPONSE, "α-RDP is", source="KH21 section 6.1"), sort=Kind.EQUATION,
        used=("pldverify.accountants.rdp",)),
    Record("KH21/sec-6.1/rdp-of-gaussian", 352, r"\alpha/2\sigma^2",
        Verdict.PROVED, obliged(GAUSSIAN, "α-RDP is α/(2σ²)"), sort=Kind.EQUATION, reading="α/(2σ²)"),
    Record("KH21/fig-1/points", 355, r"\text{already }n=5\cdot10^{-3}\text{ gives accurate results}",
        Verdict.CORRECTED, corrected(decided(clipping.number_of_points),
        decided(clipping.meant_number_of_points)), correction=r"n=5\cdot10^3"),
    Record("KH21/fig-1/times", 355, r"\text{FA allows approximately 1.5 times as many compositions as TF "
        r"MA}",
        Verdict.NOT_CHECKABLE, not_checkable("read off a figure that is not part of the text, against a "
        "library of 2021")),
    Record("KH21/sec-6.2", 364, r"\omega(s)=f(g(s))g'(s),\ s>\log(1-q)",
        Verdict.PROVED, obliged(SAMPLED, "ω(s) = f(g(s))", source="KH21 section 6.2"), sort=Kind.EQUATION),
    Record("KH21/sec-A.3/exact", 465, r"\text{GDP gives exact }(\varepsilon,\delta)\text{-bounds for "
        r"compositions of the Gaussian mechanism}",
        Verdict.PROVED, written("k losses N(μ²/2, μ²) add up to that of μ√k.", attacked(prv.gaussian_curve)),
        depends=("GLW21/eq-10",)),
    Record("KH21/eq-A.1", 456, r"\delta(\varepsilon)=\inf_{\alpha>1}e^{-(\alpha-1)(\varepsilon-\gamma("
        r"\alpha)T)}",
        Verdict.PROVED, written("Markov's inequality for e^{(α−1)S}: Pr[S > ε] ≥ δ(ε).",
        attacked(moments.conversion)), reading="an upper bound, not the δ of the mechanism",
        used=("pldverify.accountants.rdp_to_dp",)),
    Record("KH21/sec-A.2/gaussian", 446, r"\omega_G^k\sim\mathcal N(\tfrac k{2\sigma^2},\tfrac k{\sigma^2})",
        Verdict.PROVED, obliged(GAUSSIAN, "ω_G = N(", source="KH21 section 6.1"), sort=Kind.EQUATION,
        depends=("KH21/sec-6.1/gaussian",)),
    Record("KH21/sec-A.3/gdp", 465, r"\text{for several tens of thousands of compositions the GDP "
        r"approximates are accurate; }p\sqrt{k(e^{1/\sigma^2}-1)}",
        Verdict.NOT_CHECKABLE, not_checkable("names no tolerance; GLW21/sec-1/gdp-underestimates has a "
        "case 10 % below the truth"), depends=("GLW21/sec-1/gdp-underestimates",)),
    Record("KH21/eq-B.3", 524, r"\widetilde\omega_{X/Y}(s)=\sum\mathbb P(\mathcal M_1(X)=t_i)\mathbb P("
        r"\mathcal M_2(X)=t_i')\delta_{s_i+s_i'}(s)",
        Verdict.PROVED, written("Independence, and the logarithm of a product.", attacked(pairs.sums)),
        sort=Kind.STEP),
    Record("KH21/eq-C.5", 574, r"\omega_1*\cdots*\omega_k=\sum a^j_{i_1}\cdots a^j_{i_k}\delta_{s_{i_1}+"
        r"\dots+s_{i_k}}",
        Verdict.CORRECTED, corrected(attacked(recursions.one_superscript), written("The law of a sum.",
        attacked(recursions.superscripts))), sort=Kind.STEP, reading="(C.6) has the same j",
        correction=r"a^1_{i_1}\cdots a^k_{i_k}"),
    Record("KH21/eq-C.8", 636, r"c_i=\sum_{j=n/2}^{3n/2-1}a_jb_{i-j}\text{ (indices modulo }n)",
        Verdict.CORRECTED, corrected(attacked(transforms.printed_indices),
        written("−L + jΔx and −L + mΔx meet at j + m = i + n/2 modulo n.", attacked(transforms.by_swaps))),
        sort=Kind.STEP, correction=r"c_i=\sum_ja_jb_{i+n/2-j}\text{ on the grid }s_i=-L+i\Delta x",
        reading="the indices of (4.5), s_i = iΔx, and those of the lemma are mixed"),
    Record("KH21/eq-C.9", 644, r"c_{i+n/2}=[\mathcal F^{-1}(\mathcal F(Da)\odot\mathcal F(Db))]_i",
        Verdict.PROVED, written("Both factors are shifted by n/2.", attacked(transforms.shifted_indices)),
        sort=Kind.STEP),
    Record("KH21/sec-D.1/lower-limit", 660, r"\delta(\varepsilon)\approx\delta^R(\varepsilon)\text{ "
        r"corresponds to }\int_L^\infty(1-e^{\varepsilon-s})\dots",
        Verdict.CORRECTED, corrected(decided(grids.integrals_from_l), written("δ is ∫_ε^∞ by Theorem 2.",
        attacked(pairs.tails))), sort=Kind.STEP, correction=r"\int_\varepsilon^\infty"),
    Record("KH21/sec-D.1/triangle", 671, r"|\delta-\widetilde{\delta^R}|\le|\delta-\delta^R|+|\delta^R-"
        r"\widetilde{\delta^R}|",
        Verdict.PROVED, written("Triangle inequality.", attacked(grids.triangle_of_errors)),
        sort=Kind.EQUATION),
    Record("KH21/sec-D.1/grid-moments", 676, r"E[e^{-\lambda\omega^R}]\le E[e^{-\lambda\omega}],\quad E[e^{"
        r"\lambda\omega^R}]\le\tfrac1{1-\lambda\Delta x}E[e^{\lambda\omega}]",
        Verdict.PROVED, written("pldverify.bounds.grid_moment:grid_log_moment",
        attacked(grids.rounded_moments)), sort=Kind.LEMMA, stated="0 < λ < 1/Δx",
        reading="Lemma 7 of Koskela et al. 2021, as quoted",
        used=("pldverify.bounds.grid_moment:grid_log_moment",),
        consequence="e^{λΔx} in the place of 1/(1 − λΔx) is smaller and needs no λ < 1/Δx"),
    Record("KH21/eq-D.1", 692, r"\omega=\sum_{i=0}^{n-1}a_i\delta_{s_i}:\ E[e^{\lambda\omega}]="
        r"\sum_{i=1}^ne^{\lambda s_i}a_{X,i}",
        Verdict.CORRECTED, corrected(decided(grids.first_mass_left_out), written("By definition of ω.",
        attacked(moments.renyi))), correction=r"\sum_{i=0}^{n-1}"),
    Record("KH21/rem-D.3.1", 721, r"s_j\in[-L,L]\Rightarrow\omega_1\circledast\cdots\circledast\omega_k="
        r"\omega_1*\cdots*\omega_k",
        Verdict.CORRECTED, corrected(attacked(recursions.ends_of_the_interval),
        attacked(recursions.inside_of_the_interval)), correction=r"s_j\in[-L,L)\text{: the sums take }-L"
        r"\le s_j<L"),
    Record("KH21/eq-D.4", 756, r"\hat a^k_j=\widetilde a^k_j-a^k_j=a^k_{j\bmod n}\text{ where }s_j"
        r"\notin[-L,L)",
        Verdict.CORRECTED, corrected(decided(recursions.usual_residue),
        written("s_j and s_j − 2Lm are j and j − nm.", attacked(recursions.residues))), sort=Kind.STEP,
        reading="s_j = jΔx, residues from 0 to n − 1",
        correction=r"j\bmod n\in\{-\tfrac n2,\dots,\tfrac n2-1\}"),
    Record("KH21/eq-D.5", 760, r"=\sum_{j_1}a_{j_1}\sum_{j_1}a^1_{j_1}\sum_{j_2}a^2_{j_2}\cdots\sum_i\hat "
        r"a^k_{i-j_1-\dots}",
        Verdict.CORRECTED, corrected(decided(recursions.stray_sum), written("As the line before it.",
        attacked(recursions.one_period))), sort=Kind.STEP,
        reading="the last line; where the masses add up to 1 the stray sum is harmless",
        correction=r"\text{without the first sum}"),
    Record("KH21/eq-D.6", 767, r"\sum_{j_1}a^1_{j_1}\cdots\sum_i\hat a^k_{i-j_1-\ldots}=\sum_{n\ne0}"
        r"\mathbb P((2n-1)L\le\omega_1*\cdots*\omega_k<(2n+1)L)",
        Verdict.CORRECTED, corrected(decided(recursions.periods_add_up), attacked(recursions.one_period)),
        sort=Kind.STEP, correction=r"i\text{ over one period, }\varepsilon\le s_i<L\text{: over all }i\in"
        r"\mathbb Z\text{ the left side is infinite}", reading="(D.5) bounds ∫_ε^L by ∫_ℝ of a periodic "
        "measure"),
    Record("KH21/sec-D.3/reflection", 773, r"\sum_{n\in\mathbb Z^-}\mathbb P(S\le(2n+1)L)=\sum_{n\in"
        r"\mathbb Z^+}\mathbb P(-S\ge(2n-1)L)",
        Verdict.PROVED, written("n for −n.", attacked(recursions.reflected_tails)), sort=Kind.STEP),
    Record("KH21/sec-D.3/geometric", 788, r"\sum_{\ell\ge1}e^{-(2\ell-1)L\lambda}=\frac{e^{-L"
        r"\lambda}}{1-e^{-2L\lambda}}",
        Verdict.PROVED, written("A geometric series with ratio e^{−2Lλ} < 1.",
        attacked(moments.geometric_series)), sort=Kind.STEP, stated="λ > 0"),
    Record("KH21/eq-D.7", 809, r"\omega_1*\cdots*\omega_k-\omega_1\circledast\cdots\circledast\omega_k="
        r"\dots+(\omega_1*\cdots*\omega_{k-1}-\omega_1\circledast\cdots\circledast\omega_{k-1})\circledast"
        r"\omega_k",
        Verdict.PROVED, written("The middle terms cancel.", attacked(recursions.truncation_recursion)),
        reading="⊛ from the left: partial sums are kept in [−L, L)"),
    Record("KH21/eq-D.8", 829, r"\int(\dots*\omega_\ell-\dots\circledast\omega_\ell)=\mathbb P(\omega_1*"
        r"\cdots*\omega_{\ell-1}<-L)+\mathbb P(\dots\ge L)",
        Verdict.PROVED, written("What the first factor loses, times mass 1.",
        attacked(recursions.lost_by_one_step)), sort=Kind.STEP, stated="ω_ℓ of mass 1",
        reading="“s < −L, s ≥ L” is “or”"),
    Record("KH21/eq-D.9", 846, r"\int(\dots*\omega_{\ell-1}-\dots\circledast\omega_{\ell-1})\circledast"
        r"\omega_\ell\le\int(\dots*\omega_{\ell-1}-\dots\circledast\omega_{\ell-1})",
        Verdict.PROVED, written("⊛ keeps a part, and the difference is nowhere negative.",
        attacked(recursions.lost_by_one_step)), sort=Kind.STEP),
    Record("KH21/eq-D.10", 854, r"\int(\omega_1*\cdots*\omega_k-\omega_1\circledast\cdots\circledast"
        r"\omega_k)\le(e^{(k-1)\max\alpha^+}+e^{(k-1)\max\alpha^-})e^{-L\lambda}+\int(\text{the same of "
        r"}k-1)",
        Verdict.PROVED, written("(D.7), (D.8), (D.9), and Chernoff.", attacked(recursions.lost_by_one_step)),
        sort=Kind.STEP, depends=("KH21/eq-D.7", "KH21/eq-D.8", "KH21/eq-D.9"),
        reading="the last ω in print is a slip"),
    Record("KH21/thm-D.4.3", 801, r"I_2(L)\le\left(\frac{e^{k\max\alpha_i^+}-e^{\max\alpha_i^+}}{e^{\max"
        r"\alpha_i^+}-1}+\frac{e^{k\max\alpha_i^-}-e^{\max\alpha_i^-}}{e^{\max\alpha_i^-}-1}\right)e^{-L"
        r"\lambda}",
        Verdict.CORRECTED, corrected(decided(recursions.closed_geometric_sum),
        written("KH21 (D.7) to (D.10), and Chernoff.", attacked(recursions.truncated_partial_sums))),
        correction=r"\sum_{\ell=1}^{k-1}e^{\ell\alpha}\text{: the closed form is }0/0\text{ at }\alpha=0"
        r"\text{, as at }\lambda=1\text{ wherever }P,Q\text{ have one support}", depends=("KH21/eq-D.7",),
        used=("pldverify.bounds.truncation:printed_truncation",),
        consequence="it bounds the I₂ of partial sums; what the accountants drop, single losses, is "
        "another quantity"),
    Record("KH21/sec-D.5/proof", 891, r"\delta^R-\delta=\sum_{s_{i_1}+\ldots+s_{i_k}\ge\varepsilon}a"
        r"\cdots(e^{\varepsilon-s}-e^{\varepsilon-s^R})",
        Verdict.CORRECTED, corrected(decided(grids.printed_discretisation),
        written("pldverify.bounds.right_grid:right_grid", attacked(grids.discretisation))),
        correction=r"\text{plus }\sum_{s<\varepsilon<s^R}a\cdots(1-e^{\varepsilon-s^R})"),
    Record("KH21/sec-D.5/exponential", 887, r"a\le b\Rightarrow e^b-e^a\le e^b(b-a)",
        Verdict.PROVED, written("Mean value theorem.", attacked(grids.exponentials)), sort=Kind.STEP),
    Record("KH21/eq-D.12", 929, r"\frac{e^{-L\lambda}}{1-e^{-2L\lambda}}\le\frac e2e^{-L\lambda}",
        Verdict.PROVED, decided(moments.factor_e_half), sort=Kind.STEP, stated="L ≥ 1, λ ≥ 1"),
    Record("KH21/sec-D.6/renyi", 936, r"\log E[e^{\lambda\omega}]=\lambda\cdot\tfrac1\lambda\sum(a_X/a_Y)^"
        r"\lambda a_X=\lambda D_{\lambda+1}",
        Verdict.CORRECTED, corrected(decided(moments.identity_of_moments), attacked(moments.renyi)),
        sort=Kind.STEP, correction=r"\lambda\cdot\tfrac1\lambda\log\sum(a_X/a_Y)^\lambda a_X"),
    Record("KH21/sec-D.6/minus", 951, r"\alpha^+(\lambda)\le\lambda\sum D_\infty(f_X\|f_Y),\quad\alpha^-("
        r"\lambda)\le(\lambda-1)\sum D_\infty(f_Y\|f_X)",
        Verdict.PROVED, written("E[e^{−λω}] = Σ (a_Y/a_X)^{λ−1} a_Y, and each ratio is at most e^{D_∞}.",
        attacked(moments.renyi)), sort=Kind.STEP, stated="λ ≥ 1"),
    Record("KH21/sec-D.6/maximum", 953, r"\max\{\alpha^-(\lambda),\alpha^+(\lambda)\}\le k\lambda C_k",
        Verdict.PROVED, written("(λ − 1) ≤ λ, and D_∞ ≥ 0.", attacked(moments.renyi)), sort=Kind.STEP,
        stated="λ ≥ 1", depends=("KH21/sec-D.6/minus",)),
    Record("KH21/eq-D.13", 967, r"L\ge kC_k+1+\log\tfrac1\eta\Rightarrow e^{k\lambda C_k+1}e^{-L\lambda}\le"
        r"\eta\text{ at }\lambda=1",
        Verdict.PROVED, written("kC_k + 1 − L ≤ log η.", attacked(moments.enough_L)), sort=Kind.STEP),
    Record("KH21/rem-D.6.6", 985, r"L\ge\frac{\log\eta^{-1}+\max\{\alpha^-,\alpha^+\}+1}\lambda",
        Verdict.PROVED, written("(D.12) solved for L.", attacked(moments.enough_L)),
        depends=("KH21/eq-D.12",)),
    Record("KH21/sec-D.7/symmetric", 1034, r"\langle w_\varepsilon,D\mathcal F^{-1}(\cdot)\rangle=\langle "
        r"Dw_\varepsilon,\mathcal F^{-1}(\cdot)\rangle",
        Verdict.PROVED, written("D = Dᵀ.", attacked(transforms.symmetric_swap)), sort=Kind.STEP,
        stated="n even"),
    Record("KH21/eq-D.17", 1028, r"\langle x,y\rangle=\tfrac1n\langle\mathcal Fx,\mathcal Fy\rangle",
        Verdict.PROVED, written("Σ_k e^{2πik(j−m)/n} is n where j = m and 0 elsewhere.",
        attacked(transforms.plancherel))),
    Record("KH21/sec-E.1/majorant", 1061, r"\delta(\varepsilon)\le\delta^\infty_{max}(\varepsilon)",
        Verdict.PROVED, _MAJORANT, sort=Kind.CLAIM, reading="δ^∞ of compositions that involve ω^∞_max"),
    Record("KH21/eq-E.3", 1077, r"err(\lambda,L,\sigma)=e^{3\lambda/2\sigma^2}(\mathbb P[Z<-L]+\mathbb "
        r"P[Z>L-\Delta x]),\ Z\sim\mathcal N(\tfrac{1+2\lambda}{2\sigma^2},\tfrac1{\sigma^2})",
        Verdict.CORRECTED, corrected(attacked(densities.printed_omega_max),
        written("pldverify.bounds.omega_max_moment:omega_max_rest", attacked(densities.omega_max_outside))),
        sort=Kind.LEMMA, reading="Lemma 1 of E.1", stated="0 < λ ≤ L, σ ≥ 1, Δx ≤ cL",
        correction=r"e^{\lambda(\lambda+1)/2\sigma^2}(e^{2\lambda\Delta x}\mathbb P[Z>L-2\Delta x]+\mathbb "
        r"P[Z<-L])", used=("pldverify.bounds.omega_max_moment:omega_max_rest",),
        consequence="too small already at λ = 2, where the printed factor is right"),
    Record("KH21/eq-E.3/factor", 1087, r"\int_{-\infty}^{-L}e^{\lambda s}\omega_G=e^{3\lambda/2\sigma^2}"
        r"\int_{-\infty}^{-L}\widetilde\omega",
        Verdict.CORRECTED, corrected(obliged(GAUSSIAN, "e^(λs) ω_G(s) = exp(3λ",
        source="KH21 proof of Lemma 1"), written("λs − σ²(s − m)²/2 with m = 1/2σ², completed to a square.",
        attacked(densities.omega_max_outside))), sort=Kind.STEP,
        correction=r"e^{\lambda(\lambda+1)/2\sigma^2}"),
    Record("KH21/eq-E.4", 1082, r"E[e^{\lambda\omega^\infty_{max}}]\le E[e^{\lambda\omega_{max}}]+\int_{-"
        r"\infty}^{-L}e^{\lambda s}\omega_G+\int_{L-\Delta x}^\infty e^{\lambda s}\omega_G",
        Verdict.CORRECTED, corrected(decided(densities.printed_split),
        written("pldverify.bounds.omega_max_moment:omega_max_rest", attacked(densities.omega_max_outside))),
        sort=Kind.STEP, correction=r"\text{right of the grid }e^{2\lambda\Delta x}\int_{L-2\Delta x}^"
        r"\infty e^{\lambda s}\omega_G", reading="a cell's greatest density times its right end's e^{λs} "
        "exceeds the cell's integral"),
    Record("KH21/cor-E.2", 1093, r"E[e^{-\lambda\omega^\infty_{max}}]\le E[e^{-\lambda\omega_{max}}]+err("
        r"\lambda,L,\sigma)",
        Verdict.CORRECTED, corrected(attacked(densities.printed_omega_max_below),
        written("pldverify.bounds.omega_max_moment:omega_max_rest", attacked(densities.omega_max_outside))),
        correction=r"e^{\lambda(\lambda-1)/2\sigma^2}(\mathbb P[Z>L-2\Delta x]+e^{\lambda\Delta x}\mathbb "
        r"P[Z<-L]),\ Z\sim\mathcal N(\tfrac{1-2\lambda}{2\sigma^2},\tfrac1{\sigma^2})",
        used=("pldverify.bounds.omega_max_moment:omega_max_rest",)),
    Record("KH21/eq-E.1/grid", 1051, r"\omega_{max}=\sum_{i=0}^{n-1}c_i^+\delta_{s_i},\quad s_i=i\Delta x",
        Verdict.CORRECTED, corrected(decided(clipping.grid_without_negative_losses), _MAJORANT),
        sort=Kind.DEFINITION, correction=r"s_i=-L+i\Delta x\text{, as in (6.1)}"),
    Record("KH21/rem-E.3", 1103, r"\text{the error term }err(\lambda,L,\sigma)\text{ was found to be "
        r"negligible}",
        Verdict.NOT_CHECKABLE, not_checkable("no number is printed")),
    Record("KH21/lem-F.1", 1121, r"\mathrm{clip}_c(h)=h/\max\{1,\|h\|_2/c\}\text{ is }L\text{-Lipschitz "
        r"where }h\text{ is}",
        Verdict.PROVED, written("Clipping is the projection on a ball, which is convex.",
        attacked(clipping.projection))),
    Record("KH21/thm-F.3", 1153, r"\mathcal N(0,\sigma^2)\simeq(1-q)\mathcal N(0,\sigma^2)+q\mathcal N(1,"
        r"\sigma^2)\Rightarrow\text{ the multivariate Poisson subsampled mechanism is }(\varepsilon,\delta)"
        r"\text{-DP}",
        Verdict.PROVED, written("Given the other records both laws are shifted alike; P ≤ e^ε Q + δ "
        "survives mixing.", attacked(reductions.half_lines)), stated="‖g‖ = 1, sums, Poisson sampling",
        reading="of a fixed query; ‖g‖ ≤ 1 by KH21/sec-F.3.3",
        used=("pldverify.mechanisms.poisson_subsampled",)),
    Record("KH21/thm-F.3/size", 1171, r"X\in\mathcal X^N,\ X'\in\mathcal X^N,\ X'=X\cup\{x'\}",
        Verdict.CORRECTED, corrected(decided(reductions.sizes), written("One record more.",
        attacked(pairs.events))), sort=Kind.STEP, correction=r"X'\in\mathcal X^{N+1}"),
    Record("KH21/thm-F.3/rotation", 1185, r"U=[g(x')\ \widetilde U]:\ U^Tg(x')=e_1",
        Verdict.PROVED, written("The columns of U are orthonormal.",
        attacked(reductions.transposed_rotation)), sort=Kind.STEP,
        reading="print has it of Δ, which is not defined, and of g(x') below (F.3)"),
    Record("KH21/eq-F.4", 1201, r"(F.3)\Leftrightarrow(F.4)",
        Verdict.PROVED, written("Independent coordinates of one law drop out of the likelihood ratio.",
        attacked(pairs.common)), sort=Kind.STEP),
    Record("KH21/thm-F.3/other-order", 1221, r"e^\varepsilon\mathbb P(U^T\mathcal M(X)\in S)\le\mathbb "
        r"P(U^T\mathcal M(X')\in S)+\delta",
        Verdict.CORRECTED, corrected(decided(reductions.whole_space),
        written("As the order before it, with (F.2) read backwards.", attacked(reductions.half_lines))),
        sort=Kind.STEP, correction=r"\mathbb P(U^T\mathcal M(X)\in S)\le e^\varepsilon\mathbb P(U^T"
        r"\mathcal M(X')\in S)+\delta", reading="“⊂ S” is “∈ S”; as printed it fails for S = ℝ^d wherever "
        "e^ε > 1 + δ"),
    Record("KH21/lem-F.5", 1251, r"\delta(\varepsilon)=\max\{\int\max\{f_X-e^\varepsilon f_{X'},0\},\int"
        r"\max\{f_{X'}-e^\varepsilon f_X,0\}\}",
        Verdict.PROVED, written("The event {f_X > e^ε f_{X'}} attains it, in both orders.",
        attacked(pairs.level_sets)), reading="of the given X and X'"),
    Record("KH21/lem-F.6", 1259, r"\delta(\varepsilon)=\max\{E_{\omega_{X/X'}}[(1-e^{\varepsilon-s})_+],E_{"
        r"\omega_{X'/X}}[(1-e^{\varepsilon-s})_+]\}",
        Verdict.PROVED, written("(f_X − e^ε f_{X'})₊ = f_X(1 − e^{ε−s})₊, also where s = ∞.",
        attacked(pairs.tails)), depends=("KH21/lem-F.5",)),
    Record("KH21/thm-F.7", 1283, r"\widetilde\omega(S,\theta)=\omega(S)\text{ for the adaptive Gaussian "
        r"composition with }\|g\|_2=1",
        Verdict.PROVED, written("Given the outputs before, one step is a Gaussian at distance 1, so its "
        "loss is N(1/2σ², 1/σ²) whatever they were: the losses are independent. A measurable U is enough.",
        attacked(pairs.relabelled)), aside=Aside.STEP_FALSE,
        reading="F₁ subtracts the sum over X, not the random output M₁(X, θ)"),
    Record("KH21/thm-F.7/translation", 1301, r"F_1^{-1}(s)=(s_1+\mathcal M_1(X,\theta),\,s_2+\mathcal "
        r"M_2(X,s_1+\mathcal M_1(X,\theta))),\ \det\partial F_1^{-1}=1",
        Verdict.PROVED, algebra.translation, sort=Kind.STEP,
        reading="M(X, ·) is the sum F(X, ·), in one dimension; in d the blocks are I_d"),
    Record("KH21/thm-F.7/jacobian", 1335, r"F_2^{-1}(s)=(U_1s_1,\,U_2(U_1s_1)s_2),\ |\det\partial "
        r"F_2^{-1}|=1",
        Verdict.PROVED, algebra.rotation, sort=Kind.STEP,
        reading="d = 2 by algebra; in general a block-triangular matrix with orthogonal blocks"),
    Record("KH21/thm-F.7/lipschitz", 1369, r"\text{as }g\text{ is Lipschitz-continuous, so is }F_2",
        Verdict.CORRECTED, corrected(decided(reductions.lipschitz),
        written("On bounded sets a product of bounded Lipschitz functions is one.",
        attacked(reductions.transposed_rotation))), sort=Kind.STEP,
        correction=r"\text{locally, which is enough: }U_2(t_1)^Tt_2\text{ grows with }t_2"),
    Record("KH21/sec-F.3.3", 1373, r"\|g(x',\theta)\|_2\le1\text{ is bounded by the case }\|g(x',\theta)"
        r"\|_2=1",
        Verdict.PROVED, written("Post-processing: scale by c and add N(0, (1 − c²)σ²).",
        attacked(reductions.scaling)), reading="(F.11) with c = 0 is a constant: no noise is needed there"),
    Record("KH21/sec-F.3.4", 1395, r"\text{adaptive composition of subsampled Gaussian mechanisms: combine "
        r"Theorems 3 and 7}",
        Verdict.NOT_CHECKABLE, not_checkable("a sketch: Theorem 3 gives indistinguishability, not one loss "
        "distribution, so Theorem 7 does not apply to mixtures as it stands; domination composes by Zhu, "
        "Dong, Wang 2022, not looked up here")),
)
