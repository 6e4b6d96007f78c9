"""KJH20s: supplement of Koskela, Jälkö, Honkela, Computing Tight DP Guarantees Using FFT, AISTATS 2020.

What it repeats of KJH19 is a statement of its own here, with its own number. The main text was not read: its
“Lemma 9” and “(7.3)” are taken to be Lemma C.2 and Corollary C.4.
"""

from fractions import Fraction as F
from functools import partial

from pldverify.theorems.attacks import (
    algebra,
    densities,
    grids,
    moments,
    newton,
    pairs,
    recursions,
    reductions,
    wrapped,
)
from pldverify.theorems.attacks.periods import printed_c21, printed_lemma_c6, proved_lemma_c6
from pldverify.theorems.evidence import (
    attacked,
    conditional,
    corrected,
    decided,
    necessary,
    not_checkable,
    refuting,
    written,
)
from pldverify.theorems.obligations import SAMPLED, SUBSTITUTE, WITH_REPLACEMENT, obliged
from pldverify.theorems.record import Aside, Kind, Record, Verdict
from pldverify.theorems.tables import (
    Rounded,
    Row,
    at_most,
    error_of,
    numbered,
    supplement,
    tables,
    tail_at,
)

_ABSOLUTE = (
    r"I_2=\int_\varepsilon^L\left|(\omega*^k\omega)-(\widetilde\omega\circledast^k\widetilde\omega)\right|"
    r"\text{, which C.2 then bounds}"
)
_TRUE = "0.0496014103148258"
_FOUND = "σ = 1.5, q = 0.01, k = 10⁴, ε = 1, which print does not give and a search found"
_DECREASING = obliged(SAMPLED, "dL⁻¹_Y/X/ds ≥ 0", source="KJH20s proof of Lemma A.4")
_BACKWARD = written(
    "Change of variables t = L⁻¹(s), dt = |dL⁻¹/ds| ds.",
    obliged(SAMPLED, "ω(s) = p(L⁻¹(s)) |dL⁻¹/ds|", "δ(ε) = P(L > ε)", direction="add"),
)
_BY_LOSSES = written(
    "(f_X − e^ε f_Y)₊ = f_X(1 − e^{ε−L})₊, integrated by the law of L.",
    obliged(SAMPLED, "δ(ε) = ∫_ε^∞ (1 − e^(ε−s))", source="KJH20s Corollary A.6"),
    attacked(pairs.tails),
)
_REVERSED = written(
    "f_Y/|L'| = e^{−L} f_X/|L'|.", obliged(SAMPLED, "ω_P‖Q(s) = e^s ω_Q‖P(−s)"), attacked(pairs.loss_laws)
)
_OFTEN = attacked(reductions.replaced_often)


def _delta(line: int, id: str, number: int, row: Row) -> Record:
    where = rf"n={row['n']}" if "n" in row else rf"L={row['L']}"
    return Record(
        id,
        line + number,
        rf"{where}:\ \delta(\varepsilon)={row['delta']}",
        Verdict.CORRECTED,
        Rounded(row["delta"], supplement, _TRUE),
        reading=f"the printed number is δ to its digits; {_FOUND}",
        correction=rf"\delta={_TRUE}",
    )


def _err(id: str, number: int, row: Row) -> Record:
    return Record(
        id,
        804 + number,
        rf"n={row['n']}:\ err(L,n)={row['err']}",
        Verdict.PROVED,
        at_most(error_of(row["delta"], supplement), row["err"]),
        reading=f"the printed δ is within err(L, n) of the truth; {_FOUND}",
    )


def _tail(id: str, number: int, row: Row) -> Record:
    return Record(
        id,
        815 + number,
        rf"L={row['L']}:\ \text{{estimate (7.3)}}={row['tail']}",
        Verdict.PROVED,
        at_most(tail_at(str(row["L"])), row["tail"]),
        reading=f"Pr[S_k ≥ L] is at most the estimate; {_FOUND}",
        consequence="σ = 1.5 is outside of the hypotheses of Lemma C.2: the estimate is no instance of "
        "Corollary C.4",
    )


# A record is a paragraph.
# fmt: off
RECORDS = (
    Record("KJH20s/def-A.1", 11, r"\int_Sf_X\le e^\varepsilon\int_Sf_Y+\delta\text{ and }\int_Sf_Y\le e^"
        r"\varepsilon\int_Sf_X+\delta",
        Verdict.PROVED, written("Σ(p − e^ε q)₊ is attained at {p > e^ε q}, in both orders.",
        attacked(pairs.events))),
    Record("KJH20s/lem-A.2", 19, r"\delta(\varepsilon)=\max_{X\sim Y}\{\int\max\{f_X-e^\varepsilon f_Y,0\},"
        r"\int\max\{f_Y-e^\varepsilon f_X,0\}\}",
        Verdict.PROVED, written("The event {f_X > e^ε f_Y} attains it.", attacked(pairs.events)),
        reading="of one pair; the maximum over neighbours is KJH20s/lem-A.2/maximum"),
    Record("KJH20s/lem-A.2/maximum", 21, r"\max_{X\sim Y}",
        Verdict.CORRECTED, corrected(refuting(decided(reductions.maximum_over_neighbours),
        "δ rises to a value that no data set has"), written("A supremum exists in [0, 1].",
        attacked(pairs.events))), sort=Kind.CLAIM, correction=r"\sup_{X\sim Y}\text{, as in "
        r"KJH19/lem-7/maximum}"),
    *(
        Record(
            f"KJH20s/eq-A.{number}",
            line,
            rf"\int_S({f}-e^\varepsilon {g})=\int\max({f}-e^\varepsilon {g},0),\ S=\{{\dots\ge0\}}",
            Verdict.PROVED,
            written(
                "The integrand is its positive part on S, which is 0 elsewhere.", attacked(pairs.level_sets)
            ),
            sort=Kind.STEP,
        )
        for number, line, f, g in ((2, 37, "f_X", "f_Y"), (3, 45, "f_Y", "f_X"))
    ),
    Record("KJH20s/def-A.3", 55, r"\mathcal L_{X/Y}(t)=\log\frac{f_X(t)}{f_Y(t)}",
        Verdict.PROVED, obliged(SAMPLED, "e^L(t) = p(t)/q(t)")),
    Record("KJH20s/lem-A.4", 59, r"\delta_{Y/X}(\varepsilon)=\int_{\mathcal L_{Y/X}(\mathbb R)\cap["
        r"\varepsilon,\infty)}(1-e^{\varepsilon-s})f_Y(\mathcal L_{Y/X}^{-1}(s))\frac{d\mathcal "
        r"L_{Y/X}^{-1}(s)}{ds}ds",
        Verdict.CORRECTED, corrected(_DECREASING, _BACKWARD), correction=r"|d\mathcal L_{Y/X}^{-1}/ds|"),
    Record("KJH20s/eq-A.4", 69, r"\max\{f_X-e^\varepsilon f_Y,0\}=(1-e^{\varepsilon-s})f_X\text{ if }s>"
        r"\varepsilon,\text{ else }0",
        Verdict.PROVED, written("f_Y = e^{−s} f_X.", attacked(pairs.tails))),
    Record("KJH20s/lem-A.4/proof", 75, r"\text{since }\frac{d\mathcal L_{X/Y}^{-1}(s)}{ds}\ge0.\text{ "
        r"Analogously}",
        Verdict.CORRECTED, corrected(_DECREASING, _BACKWARD),
        correction=r"\mathcal L_{Y/X}\text{ decreases where }\mathcal L_{X/Y}\text{ increases}"),
    Record("KJH20s/def-A.5", 81, r"\omega_{X/Y}(s)=f_X(\mathcal L_{X/Y}^{-1}(s))\frac{d\mathcal "
        r"L_{X/Y}^{-1}(s)}{ds}",
        Verdict.CORRECTED, corrected(_DECREASING, _BACKWARD),
        correction=r"|d\mathcal L_{X/Y}^{-1}/ds|\text{: as printed }\omega_{Y/X}<0"),
    Record("KJH20s/cor-A.6", 87, r"\delta_{X/Y}(\varepsilon)=\int_\varepsilon^\infty(1-e^{\varepsilon-s})"
        r"\omega_{X/Y}(s)ds",
        Verdict.PROVED, _BY_LOSSES),
    Record("KJH20s/thm-A.7", 99, r"\omega^c_{X/Y}(s)=\int\omega_{X/Y}(t)\omega_{X'/Y'}(s-t)dt",
        Verdict.CONDITIONAL, conditional(attacked(pairs.copied),
        written("The loss of independent outcomes is a sum.", attacked(pairs.sums))),
        needed="independent mechanisms, which KJH19 Theorem 10 states"),
    Record("KJH20s/eq-A.6", 105, r"\mathcal L^c_{X/Y}(t_1,t_2)=\mathcal L_{X/Y}(t_1)+\mathcal "
        r"L_{X'/Y'}(t_2)",
        Verdict.PROVED, written("The logarithm of a product of densities.", attacked(pairs.sums)),
        reading="the densities are multiplied: independent outputs"),
    Record("KJH20s/thm-A.7/proof", 115, r"\int\omega_{X/Y}(s_1)\,\omega_{X'/Y'}(t-y_1)\,ds_1",
        Verdict.CORRECTED, corrected(attacked(recursions.free_variable), written("The law of a sum.",
        attacked(pairs.sums))), correction=r"t-s_1"),
    Record("KJH20s/cor-A.8", 122, r"\delta_{X/Y}(\varepsilon)=\int_\varepsilon^\infty(1-e^{-s})("
        r"\omega_{X/Y}*^k\omega_{X/Y})(s)ds",
        Verdict.CORRECTED, corrected(obliged(SAMPLED, "δ(ε) = ∫_ε^∞ (1 − e^(−s))",
        source="KJH20s Corollary A.8"), _BY_LOSSES), correction=r"1-e^{\varepsilon-s}",
        depends=("KJH20s/cor-A.6", "KJH20s/thm-A.7")),
    Record("KJH20s/cor-A.8/times", 130, r"\text{obtained by convolving }\omega_{X/Y}\text{ by itself }k"
        r"\text{ times}",
        Verdict.CORRECTED, corrected(attacked(recursions.convolved_k_times),
        written("k factors, as in (C.7).", attacked(pairs.sums))), correction=r"k-1\text{ times}",
        sort=Kind.CLAIM),
    Record("KJH20s/lem-A.9/range", 134, r"\mathcal L_{Y/X}(\mathbb R)=\{t:-t\in\mathcal L_{X/Y}(\mathbb R)"
        r"\}",
        Verdict.PROVED, written("L_{Y/X} = −L_{X/Y}.", attacked(pairs.negated)), sort=Kind.CLAIM),
    Record("KJH20s/eq-A.7", 144, r"\mathcal L_{Y/X}^{-1}(s)=\mathcal L_{X/Y}^{-1}(-s)\text{ for all }s\in"
        r"\mathcal L_{X/Y}(\mathbb R)",
        Verdict.CORRECTED, corrected(decided(densities.outside_of_the_range), written("L_{Y/X} = −L_{X/Y}.",
        attacked(pairs.negated))), reading="“for all y”, which stands for s",
        correction=r"s\in\mathcal L_{Y/X}(\mathbb R)"),
    Record("KJH20s/lem-A.9", 134, r"\omega_{X/Y}(s)=e^s\omega_{Y/X}(-s)",
        Verdict.CORRECTED, corrected(obliged(SAMPLED, "ω_X/Y(s) = e^s ω_Y/X(−s), with",
        source="KJH20s Lemma A.9"), _REVERSED), reading="with ω of Definition A.5 as printed it is false "
        "by a sign", correction=r"\text{with }|d\mathcal L^{-1}/ds|\text{ in Definition A.5 it holds as it "
        r"stands}", depends=("KJH20s/def-A.5",), used=("pldverify.symbolic.check.reversal",)),
    Record("KJH20s/lem-A.9/proof", 152, r"\frac{f_X}{\mathcal L'_{X/Y}}=e^{\mathcal L_{X/Y}}\frac{f_Y}{"
        r"\mathcal L'_{Y/X}}",
        Verdict.CORRECTED, corrected(obliged(SAMPLED, "f_X/L′_X/Y = e^(L_X/Y) f_Y/L′_Y/X",
        source="KJH20s proof of Lemma A.9"), _REVERSED),
        correction=r"-e^{\mathcal L_{X/Y}}f_Y/\mathcal L'_{Y/X}"),
    Record("KJH20s/cor-A.10", 158, r"(\omega_{X/Y}*^k\omega_{X/Y})(s)=e^s(\omega_{Y/X}*^k\omega_{Y/X})(-s)",
        Verdict.PROVED, written("Exponents add up under convolution.", obliged(SAMPLED,
        "ω_P‖Q(s) = e^s ω_Q‖P(−s)", "M_Q‖P(λ) = M_P‖Q(−1−λ)"), attacked(pairs.products))),
    Record("KJH20s/sec-B.1/rotation", 188, r"U=[f(x')\ \widetilde U],\ \widetilde U^Tf(x')=0,\ U\text{ "
        r"unitary}:\ Uf(x')=e_1",
        Verdict.CORRECTED, corrected(decided(reductions.rotation),
        written("The columns of U are orthonormal.", attacked(reductions.transposed_rotation))),
        correction=r"U^Tf(x')=e_1\text{, as KH21 F.2 has it}"),
    Record("KJH20s/eq-B.5", 200, r"(B.4)\Leftrightarrow(B.5):\ \mathcal N(e_1,\sigma^2I_d)\text{ and }"
        r"\mathcal N(0,\sigma^2I_d)\text{ by }\mathcal N(1,\sigma^2)\text{ and }\mathcal N(0,\sigma^2)",
        Verdict.PROVED, written("Independent coordinates of one law drop out of the likelihood ratio.",
        attacked(pairs.common))),
    Record("KJH20s/sec-B.1/poisson", 204, r"q\mathcal N(1,\sigma^2)+(1-q)\mathcal N(0,\sigma^2)\text{ and }"
        r"\mathcal N(0,\sigma^2)",
        Verdict.PROVED, written("Given the other records both are shifted alike; averages keep P ≤ e^ε Q + "
        "δ.", attacked(reductions.half_lines)), stated="Poisson sampling, ~R",
        reading="“equivalent”: (B.1) for all neighbours is implied by (B.5), and implied back for the "
        "empty other records"),
    Record("KJH20s/sec-B.1/substitute", 216, r"q\mathcal N(1,\sigma^2)+(1-q)\mathcal N(0,\sigma^2)\text{ "
        r"and }q\mathcal N(-1,\sigma^2)+(1-q)\mathcal N(0,\sigma^2)\text{ for }\sim_S",
        Verdict.PROVED, written("pldverify.mechanisms.poisson_subsampled",
        attacked(reductions.poisson_replacement)), stated="Poisson sampling",
        used=("pldverify.mechanisms.kjh19_substitute",)),
    Record("KJH20s/sec-B.1/norm", 224, r"\|f(x')\|_2=1\text{ gives the worst case}",
        Verdict.PROVED, written("Post-processing: scale by c and add N(0, (1 − c²)σ²).",
        attacked(reductions.scaling))),
    Record("KJH20s/sec-B.1/scaling", 224, r"\text{shown rigorously by scaling the parameter }\sigma",
        Verdict.PROVED, written("Divide outputs by c: norm c with noise σ is norm 1 with noise σ/c ≥ σ.",
        attacked(reductions.one_norm))),
    Record("KJH20s/sec-B.2.1/loss", 236, r"\mathcal L_{X/Y}(t)=\log(qe^{(2t-1)/2\sigma^2}+(1-q))",
        Verdict.PROVED, obliged(SAMPLED, "L(t) = log(q e", source="KJH20s B.2.1"), sort=Kind.EQUATION),
    Record("KJH20s/sec-B.2.1/range", 238, r"\mathcal L_{X/Y}(\mathbb R)=(\log(1-q),\infty)",
        Verdict.PROVED, obliged(SAMPLED, "L(ℝ) =", source="KJH20s B.2.1")),
    Record("KJH20s/sec-B.2.1/inverse", 240, r"\mathcal L_{X/Y}^{-1}(s)=\sigma^2\log\frac{e^s-(1-q)}q+"
        r"\tfrac12,\quad\frac d{ds}\mathcal L_{X/Y}^{-1}(s)=\frac{\sigma^2e^s}{e^s-(1-q)}",
        Verdict.PROVED, obliged(SAMPLED, "L⁻¹(s) = σ² log", "dL⁻¹/ds = σ²", source="KJH20s B.2.1"),
        sort=Kind.EQUATION),
    Record("KJH20s/sec-B.2.1/mass", 250, r"\omega_{X/Y}\text{ has its mass mostly on the positive real "
        r"axis}",
        Verdict.REFUTED, attacked(densities.mass_above_zero),
        reading="more than half; at q = 1/100, σ = 1 less than a third",
        consequence="for small q most losses are slightly below 0, and few are large"),
    Record("KJH20s/sec-B.2.1/reversed-mass", 250, r"\omega_{Y/X}\text{ has its mass mostly on the negative "
        r"real axis}",
        Verdict.REFUTED, attacked(densities.mass_below_zero),
        reading="more than half; it is less for all σ and q",
        consequence="E[ω_{Y/X}] ≥ 0, as of every privacy loss: no argument for δ = δ_{X/Y}"),
    Record("KJH20s/sec-B.2.1/which-direction", 250, r"\text{the representation (A.5) supports the "
        r"numerical observation that generally }\delta=\delta_{X/Y}",
        Verdict.SUPPORTED, attacked(reductions.remove_dominates),
        consequence="an observation: compute both directions"),
    Record("KJH20s/sec-B.3/pair", 254, r"\text{sampling without replacement, }\sim_S\text{: without loss "
        r"of generality }q\mathcal N(\pm1)+(1-q)\mathcal N(0)",
        Verdict.REFUTED, decided(reductions.without_replacement),
        used=("pldverify.mechanisms.kjh19_substitute", "pldverify.mechanisms.sampled_without_replacement"),
        consequence="a fixed batch's other records move too: the printed pair understates δ by a factor of "
        "60 at one step"),
    Record("KJH20s/sec-B.3/loss", 262, r"\mathcal L_{X/Y}(t)=\log\frac{qe^{(2t-1)/2"
        r"\sigma^2}+1-q}{qe^{-(2t-1)/2\sigma^2}+1-q}",
        Verdict.CORRECTED, corrected(obliged(SUBSTITUTE, "L(t) = log((q e^((2t−1)/(2σ²)) + 1 − q)/(q "
        "e^(−(2t", source="KJH20s B.3"), obliged(SUBSTITUTE, "L(t) = log((q e^((2t−1)/(2σ²)) + 1 − q)/(q "
        "e^((−2t", source="KJH19 section 5.3")), sort=Kind.EQUATION,
        correction=r"e^{(-2t-1)/2\sigma^2}\text{ below}"),
    Record("KJH20s/sec-B.3/inverse", 270, r"cx^2+(1-q)(1-e^s)x-ce^s=0,\quad\mathcal L^{-1}_{X/Y}(s)="
        r"\sigma^2\log x\text{, and its derivative}",
        Verdict.PROVED, obliged(SUBSTITUTE, "c x² +", "L⁻¹(s) = σ² log x(s)", "dL⁻¹/ds",
        source="KJH20s B.3"), sort=Kind.EQUATION),
    Record("KJH20s/sec-B.3/symmetric", 280, r"f_Y(-t)=f_X(t),\ \mathcal L(-t)=-\mathcal L(t)\Rightarrow"
        r"\omega_{X/Y}=\omega_{Y/X},\ \delta=\delta_{Y/X}=\delta_{X/Y}",
        Verdict.PROVED, obliged(SUBSTITUTE, "L(−t) = −L(t)", "f_Y(−t) = f_X(t)", "ω_X/Y(s) = ω_Y/X(s)",
        source="KJH20s B.3")),
    Record("KJH20s/sec-B.3/poisson", 286, r"\text{Poisson subsampling with }\gamma\text{ is equivalent to "
        r"sampling with replacement with }q=\gamma",
        Verdict.CORRECTED, corrected(decided(reductions.inclusion_with_replacement),
        decided(reductions.inclusion_without_replacement)), sort=Kind.REMARK,
        correction=r"\text{sampling without replacement, for the printed pair (B.7) only; the mechanisms "
        r"themselves differ, see KJH20s/sec-B.3/pair}", depends=("KJH20s/sec-B.3/pair",)),
    Record("KJH20s/sec-B.4/binomial", 290, r"(\tfrac1n)^\ell(\tfrac1n)^{m-\ell}\tbinom m\ell",
        Verdict.CORRECTED, corrected(obliged(WITH_REPLACEMENT, "(1/n)^ℓ (1/n)^(m−ℓ)",
        source="text above (B.8)"), obliged(WITH_REPLACEMENT, "q^ℓ (1 − q)^(m−ℓ)", source="KJH20s (B.8)")),
        sort=Kind.EQUATION, correction=r"(\tfrac1n)^\ell(1-\tfrac1n)^{m-\ell}\tbinom m\ell"),
    Record("KJH20s/eq-B.8", 294, r"\text{without loss of generality }f_X=\sum q^\ell(1-q)^{m-\ell}\tbinom m"
        r"\ell\mathcal N(\ell,\sigma^2),\ f_Y=\dots\mathcal N(-\ell,\sigma^2)",
        Verdict.REFUTED, decided(reductions.with_replacement), sort=Kind.CLAIM,
        used=("pldverify.mechanisms.kjh20_with_replacement", "pldverify.mechanisms.sampled_with_replacemen"
        "t"), consequence="the other records of the batch move too; the pair understates δ by a factor of "
        "40 at one step"),
    Record("KJH20s/eq-B.9", 298, r"\mathcal L_{X/Y}(t)=\log\frac{\sum c_\ell x^\ell}{\sum c_\ell x^{-"
        r"\ell}},\quad c_\ell=q^\ell(1-q)^{m-\ell}\tbinom m\ell e^{-\ell^2/2\sigma^2}",
        Verdict.PROVED, written("e^{−(t ∓ ℓ)²/2σ²} = e^{−t²/2σ²} e^{−ℓ²/2σ²} x^{±ℓ}.",
        obliged(WITH_REPLACEMENT, "L(t) = log(Σ c_ℓ", source="KJH20s (B.9)"), _OFTEN)),
    Record("KJH20s/sec-B.4/limits", 306, r"\frac{\sum c_\ell x^\ell}{\sum c_\ell x^{-\ell}}\to0\text{ as }t"
        r"\to-\infty,\ \to\infty\text{ as }t\to\infty",
        Verdict.PROVED, written("It is of the order of x^{±m}, m ≥ 1.", _OFTEN)),
    Record("KJH20s/sec-B.4/monotone", 308, r"\mathcal L_{X/Y}(\mathbb R)=\mathbb R\text{, strictly "
        r"increasing}",
        Verdict.PROVED, written("As c_ℓ > 0 and m ≥ 1 the numerator rises in t and the divisor falls.",
        obliged(WITH_REPLACEMENT, "L is strictly increasing", "range of L"), _OFTEN), stated="q < 1"),
    Record("KJH20s/sec-B.4/root", 308, r"\text{find the single real root of a polynomial of order }2m",
        Verdict.CORRECTED, corrected(obliged(WITH_REPLACEMENT, "L⁻¹(s) is", source="KJH20s B.4"),
        written("x > 0 is e^{t/σ²} of one t, by KJH20s/sec-B.4/monotone.", _OFTEN)),
        reading="refuted at m = 2", correction=r"\text{the single positive root; there is a negative one "
        r"too}", consequence="a root finder on the whole line may return the negative root"),
    Record("KJH20s/eq-C.1", 316, r"\omega(s)=f(g(s))g'(s),\ s>\log(1-q)",
        Verdict.PROVED, obliged(SAMPLED, "ω(s) = f(g(s))", source="KJH20s (C.1)")),
    Record("KJH20s/thm-C.1", 324, r"|\delta-\Delta x\sum\dots|\le I_1+I_2+I_3,\quad I_2=\left|\int_"
        r"\varepsilon^L(\omega*^k\omega)(s)-(\widetilde\omega\circledast^k\widetilde\omega)(s)\,ds\right|",
        Verdict.CORRECTED, corrected(refuting(decided(wrapped.facts), "for all n from some n on"),
        written("Triangle inequality, and 0 ≤ 1 − e^{ε−s} ≤ 1.",
        attacked(recursions.three_terms_corrected))), reading="with the points of KJH20s/thm-C.1/grid, so "
        "that I₃ → 0 as n → ∞", correction=_ABSOLUTE,
        consequence="C.2 of the supplement bounds ∫_ε^L |…|, with which the theorem holds"),
    Record("KJH20s/eq-C.2", 343, r"\left|\int_\varepsilon^L(1-e^{\varepsilon-s})(\omega*^k\omega-\widetilde"
        r"\omega\circledast^k\widetilde\omega)(s)ds\right|\le\left|\int_\varepsilon^L(\omega*^k\omega)(s)-("
        r"\widetilde\omega\circledast^k\widetilde\omega)(s)\,ds\right|",
        Verdict.CORRECTED, corrected(refuting(decided(wrapped.facts),
        "the left side is larger by as much as the error exceeds I₁ + I₂"), written("0 ≤ 1 − e^{ε−s} ≤ 1.",
        attacked(recursions.three_terms_corrected))), sort=Kind.STEP, correction=_ABSOLUTE),
    Record("KJH20s/thm-C.1/grid", 326, r"\Delta x\sum_{\ell=0}^{n-1}(1-e^{\varepsilon-(\ell\Delta x)})C_"
        r"\ell^k",
        Verdict.CORRECTED, corrected(decided(grids.shifted_grid), attacked(grids.grid_of_both_signs)),
        sort=Kind.STEP, correction=r"\sum_{-L+\ell\Delta x>\varepsilon}(1-e^{\varepsilon-(-L+\ell\Delta "
        r"x)})C_\ell^k"),
    Record("KJH20s/eq-C.3", 355, r"|\int_\varepsilon^\infty-\int_\varepsilon^L|\le\int_L^\infty(\omega*^k"
        r"\omega)(s)ds",
        Verdict.PROVED, written("0 ≤ 1 − e^{ε−s} ≤ 1 for s ≥ L ≥ ε.", attacked(densities.positive_tail))),
    Record("KJH20s/eq-C.4", 361, r"\mathbb P[X\ge t]\le E[e^{\lambda X}]/e^{\lambda t}",
        Verdict.PROVED, written("pldverify.bounds.chernoff:chernoff_tail", attacked(grids.chernoff)),
        stated="λ > 0", used=("pldverify.bounds.chernoff:chernoff_tail",)),
    Record("KJH20s/lem-C.2", 365, r"E[e^{\lambda\omega}]\le1+\frac{2q^2(\lambda+1)\lambda}{\sigma^2}",
        Verdict.SUPPORTED, attacked(moments.lemma_c2), stated="q ≤ 1/5, σ ≥ 4, λ ≤ σ²c/2 − 2 log σ, λ ≤ "
        "(σ²c/2 − log 5 − 2 log σ)/(c + log(qλ) + 1/2σ²), c = log(1 + 1/(q(λ − 1)))",
        reading="the conditions are MTZ19's with λ for α = λ + 1 and without the square of c; 1/2σ² is "
        "1/(2σ²)", depends=("MTZ19/thm-11",), used=("pldverify.bounds.sampled_gaussian_moment:printed_log_mo"
        "ment",), consequence="the source does not give it under these conditions; nothing in the package "
        "rests on it"),
    Record("KJH20s/eq-C.5", 379, r"E[e^{\lambda\omega}]=\int(\tfrac{f_X}{f_Y})^{\lambda+1}f_Y=\int((1-q)+q"
        r"\tfrac{\mu_1}{\mu_0})^{\lambda+1}\mu_0",
        Verdict.PROVED, written("Change of variables s = L(t).", obliged(SAMPLED, "A_α = Σ_j",
        "e^L(t) = p(t)/q(t)"), attacked(moments.renyi))),
    Record("KJH20s/thm-C.3", 383, r"\mathbb P(S_k\ge L)\le\left(1+\frac{2q^2(\lambda+1)\lambda}{\sigma^2}"
        r"\right)^ke^{-L\lambda}",
        Verdict.SUPPORTED, attacked(moments.tails), depends=("KJH20s/lem-C.2", "KJH20s/eq-C.4"),
        used=("pldverify.bounds.sampled_gaussian_moment:tail",)),
    Record("KJH20s/thm-C.3/minimiser", 399, r"\text{The }\lambda\text{ that minimises }\lambda^2e^{-L"
        r"\lambda}\text{ is given by }\lambda=\tfrac L2",
        Verdict.REFUTED, refuting(decided(moments.minimiser), "λ = 3 is better than L/2 = 2"),
        sort=Kind.CLAIM, reading="λ = 2/L is where it is greatest; it has no minimum, and falls to 0 as λ "
        "→ ∞", consequence="L/2 is a choice, and not the best in Theorem C.3 either: to leading order that "
        "is Lσ²/(4kq²); minimise over λ"),
    Record("KJH20s/cor-C.4", 401, r"\mathbb P(S_k\ge L)\le\left(1+\frac{2q^2(\frac L2+1)\frac L2}{\sigma^2}"
        r"\right)^ke^{-L^2/2}",
        Verdict.SUPPORTED, attacked(moments.tails_at_half), depends=("KJH20s/thm-C.3",)),
    Record("KJH20s/ex-1", 409, r"q=0.01,\ \sigma=4.0:\text{ the conditions hold up to }\lambda\approx14.3",
        Verdict.PROVED, written("For λ ≤ 1.01, c ≥ 9.2, and both right sides are above 8 as log(qλ) + "
        "1/2σ² is below 0; from there on cells of λ.", decided(moments.example_1)),
        reading="14.25 satisfies them, 14.35 does not: the first condition stops it, in both forms of the "
        "second"),
    Record("KJH20s/ex-1/corollary", 409, r"\text{Corollary 4 holds up to }L\approx28.6",
        Verdict.PROVED, written("L = 2λ, and 14.3 is KJH20s/ex-1.", decided(moments.example_1)),
        sort=Kind.CLAIM, depends=("KJH20s/ex-1",)),
    Record("KJH20s/ex-2", 411, r"q=0.01,\ \sigma=2.0:\text{ the conditions hold for }\lambda\text{ up to }"
        r"\approx9.5",
        Verdict.NOT_CHECKABLE, not_checkable("of Lemma 9 of the main article, which was not read; were it "
        "Lemma C.2, which gives the 14.3 of Example 1, then σ ≥ 4 would fail, and the first condition stop "
        "at 5.08"), consequence="if it is Lemma C.2, Figure 2 shows a bound outside of its hypotheses"),
    Record("KJH20s/eq-C.6", 427, r"|\int-\int|\le\int_\varepsilon^L|\omega*^k\omega-\omega\circledast^k"
        r"\omega|+\int_\varepsilon^L|\omega\circledast^k\omega-\widetilde\omega\circledast^k\widetilde"
        r"\omega|",
        Verdict.PROVED, written("0 ≤ 1 − e^{ε−s} ≤ 1, and the triangle inequality.",
        attacked(recursions.three_terms_corrected))),
    Record("KJH20s/lem-C.5", 433, r"|(\omega*^k\omega-\omega\circledast^k\omega)(x)|\le k\sigma e^{-"
        r"\frac{-(\sigma^2L+C)^2}{2\sigma^2}}",
        Verdict.PROVED, written("The left side is at most (k − 1) sup_{s ≥ 1} ω ≤ (k − 1)σ√(2/π), and the "
        "exponent is ≥ 0.", attacked(densities.truncation_as_printed(1, densities.twice))),
        stated="σ > 0, 0 < q < 1/2, L ≥ 1", reading="with both minus signs, which both papers have; one "
        "may be the transcription's", aside=Aside.VACUOUS, depends=("KJH20s/eq-C.7",),
        consequence="as printed it falls with no L; what is meant is KJH20s/lem-C.5/meant"),
    Record("KJH20s/lem-C.5/meant", 433, r"|(\omega*^k\omega-\omega\circledast^k\omega)(x)|\le k\sigma e^{-("
        r"\sigma^2L+C)^2/2\sigma^2}",
        Verdict.CONDITIONAL, conditional(attacked(densities.truncation_without_hypothesis(1,
        densities.twice)), written("pldverify.bounds.pointwise_truncation:pointwise_truncation",
        attacked(densities.truncation_with_hypothesis))), reading="one minus sign", needed="σ²L + C ≥ 0",
        used=("pldverify.bounds.pointwise_truncation:pointwise_truncation",)),
    Record("KJH20s/eq-C.7", 441, r"\omega*^k\omega-\omega\circledast^k\omega=\omega\circledast("
        r"\omega*^{k-1}\omega-\omega\circledast^{k-1}\omega)+\omega\circledast(\omega\circledast^{k-1}"
        r"\omega)-\omega*(\omega\circledast^{k-1}\omega)",
        Verdict.CORRECTED, corrected(attacked(recursions.printed_recursion), attacked(recursions.recursion)),
        sort=Kind.STEP, correction=r"\dots+\omega*(\omega*^{k-1}\omega)-\omega\circledast(\omega*^{k-1}"
        r"\omega)", used=("pldverify.bounds.pointwise_truncation:pointwise_truncation",)),
    Record("KJH20s/eq-C.7/difference", 445, r"\omega\circledast(\omega*^{k-1}\omega)-\omega*(\omega"
        r"\circledast^{k-1}\omega)=-\int_L^\infty\omega(t)(\omega\circledast^{k-1}\omega)(x-t)dt",
        Verdict.CORRECTED, corrected(attacked(recursions.printed_difference),
        attacked(recursions.difference)), sort=Kind.STEP,
        correction=r"\text{one and the same }\omega*^{k-1}\omega\text{ (or }\omega\circledast^{k-1}\omega)"
        r"\text{ in all three places}"),
    Record("KJH20s/eq-C.8", 453, r"\max_{s\ge L}\omega(s)\le\sigma e^{-\frac{-(\sigma^2L+C)^2}{2\sigma^2}}",
        Verdict.CONDITIONAL, conditional(attacked(densities.truncation_without_hypothesis(1,
        densities.once)), written("pldverify.bounds.pointwise_truncation:pointwise_truncation",
        attacked(densities.truncation_with_hypothesis))), sort=Kind.STEP,
        reading="one minus sign in the exponent", needed="σ²L + C ≥ 0: the bound of Lemma D.3 falls from "
        "there on only", depends=("KJH20s/lem-D.3/meant",)),
    Record("KJH20s/eq-C.9", 458, r"(\omega*\omega-\omega\circledast\omega)(x)=\int_L^\infty\omega(t)"
        r"\omega(x-t)dt",
        Verdict.PROVED, written("What the first factor loses lies at t ≥ L.",
        attacked(recursions.difference)), sort=Kind.STEP, stated="−L < log(1 − q)"),
    Record("KJH20s/lem-C.6", 478, r"\int_\varepsilon^L|\omega\circledast^k\omega-\widetilde\omega"
        r"\circledast^k\widetilde\omega|\le e^{\alpha(L/2)}e^{-L^2/2}+2\sum_{n\ge1}e^{k"
        r"\alpha(nL)}e^{-2(nL)^2}",
        Verdict.CORRECTED, corrected(attacked(printed_lemma_c6),
        written("pldverify.bounds.kjh20_periodisation:kjh20_periodisation", attacked(proved_lemma_c6))),
        correction=r"e^{\alpha(L/2)-L^2/2}+\sum_n(e^{k\alpha(nL)-2n^2L^2}+e^{k\alpha(nL)-(nL+1)(2n-1)L})",
        used=("pldverify.bounds.kjh20_periodisation:kjh20_periodisation",),
        consequence="for k > 4σ² the series diverges; KH21 Theorem 1 with one λ is simpler and true"),
    Record("KJH20s/eq-C.12", 490, r"\widetilde\omega(t)-\omega(t)=\sum_{n\ne0}\hat\omega_n(t)-r(t)",
        Verdict.CONDITIONAL, conditional(decided(recursions.loss_below),
        written("Copies in the other periods, minus ω beyond L.",
        attacked(recursions.difference_of_c1_and_c2))), sort=Kind.STEP,
        needed="−L < log(1 − q), which C.5 has and C.6 does not state"),
    Record("KJH20s/eq-C.11", 484, r"\widetilde\omega\circledast^k\widetilde\omega(x)=\int_{-L}^L\omega(t_1)"
        r"\dots\int_{-L}^L\omega(t_{k-1})\,\widetilde\omega(x-\textstyle\sum t_i)",
        Verdict.PROVED, written("ω = ω̃ in [−L, L).", attacked(recursions.integrals)),
        consequence="KJH19 10.4 has an integral less"),
    Record("KJH20s/eq-C.13", 502, r"(\widetilde\omega\circledast^k\widetilde\omega-\omega\circledast^k"
        r"\omega)(x)=C_1(x)+C_2(x)",
        Verdict.CORRECTED, corrected(decided(recursions.sign_of_c2),
        attacked(recursions.difference_of_c1_and_c2)), sort=Kind.STEP,
        correction=r"C_1(x)-C_2(x)\text{; the bound of the absolute value does not change}"),
    Record("KJH20s/eq-C.15", 523, r"\sum_n\int_{\varepsilon+2nL}^\infty\le\sum_n\int_{2nL}^\infty\le"
        r"\sum_ne^{k\alpha(nL)}e^{-2(nL)^2}",
        Verdict.PROVED, written("Chernoff at λ = nL and threshold 2nL.", attacked(grids.chernoff)),
        sort=Kind.STEP, reading="ε ≥ 0", depends=("KJH20s/eq-C.4",)),
    Record("KJH20s/eq-C.16", 533, r"\mathbb P(\omega\le-L)\le E[e^{-\lambda\omega}]/e^{\lambda L}",
        Verdict.PROVED, written("Chernoff for −ω.", attacked(grids.chernoff)), sort=Kind.STEP),
    Record("KJH20s/eq-C.18", 543, r"\lambda\ge1:\ \int(f_Y/f_X)^\lambda f_X\le\int(f_X/f_Y)^\lambda f_Y",
        Verdict.PROVED, written("MTZ19 Corollary 7.", attacked(moments.add_below_remove)), sort=Kind.STEP,
        depends=("MTZ19/cor-7",)),
    Record("KJH20s/eq-C.19", 547, r"E[e^{-\lambda\omega}]\le E[e^{(\lambda-1)\omega}]=e^{\alpha(\lambda-1)}",
        Verdict.PROVED, written("MTZ19 Corollary 7 at α = λ.", attacked(moments.add_below_remove)),
        sort=Kind.STEP, stated="λ ≥ 1, direction remove", depends=("MTZ19/cor-7",),
        used=("pldverify.bounds.kjh20_periodisation:kjh20_periodisation",)),
    Record("KJH20s/eq-C.20", 551, r"\int_{-\infty}^{-(2n-1)L}(\omega*^k\omega)\le e^{k"
        r"\alpha(nL)}e^{-2(nL)^2}\text{ by Chernoff with }\lambda=nL+1",
        Verdict.CORRECTED, corrected(decided(recursions.periodisation_term),
        written("(C.19), and (nL + 1)(2n − 1)L − 2(nL)² = L(2n − 1 − nL).",
        attacked(recursions.periodisation_term_at_small_l))), sort=Kind.STEP,
        correction=r"e^{k\alpha(nL)}e^{-(nL+1)(2n-1)L}\text{, which is smaller only for }L\le(2n-1)/n"),
    Record("KJH20s/eq-C.21", 559, r"\int_\varepsilon^L|C_1|\le2\sum_{n\ge1}e^{k\alpha(nL)}e^{-2(nL)^2}",
        Verdict.CORRECTED, corrected(attacked(printed_c21),
        written("pldverify.bounds.kjh20_periodisation:kjh20_periodisation", attacked(proved_lemma_c6))),
        sort=Kind.STEP, correction=r"\sum_n(e^{k\alpha(nL)-2n^2L^2}+e^{k\alpha(nL)-(nL+1)(2n-1)L})",
        depends=("KJH20s/eq-C.20", "KJH20s/eq-C.23")),
    Record("KJH20s/eq-C.23", 570, r"\int_\varepsilon^L|C_2|\le\int_L^\infty\omega\le e^{"
        r"\alpha(L/2)}e^{-L^2/2}",
        Verdict.PROVED, written("Chernoff at λ = L/2; the other factors have mass at most 1.",
        attacked(grids.chernoff)), sort=Kind.STEP),
    Record("KJH20s/sec-C.3/points", 604, r"\widehat C_i=\Delta x\sum_{j=0}^{n-1}\omega(j\Delta x)\,\omega(i"
        r"\Delta x-j\Delta x)\approx(\omega\circledast\omega)(-L+i\Delta x)",
        Verdict.CORRECTED, corrected(decided(grids.points_from_zero), attacked(grids.points_from_below)),
        sort=Kind.STEP, correction=r"\Delta x\sum_j\omega(-L+j\Delta x)\,\omega((i-j)\Delta x)",
        consequence="without periods the points are those of [0, 2L): losses below 0 are left out"),
    Record("KJH20s/eq-C.24", 586, r"\int_\varepsilon^L\dots-\Delta x\sum\dots=K\Delta x+O((\Delta x)^2)",
        Verdict.NOT_CHECKABLE, not_checkable("“we omit details here”: the kink at ε and the jump at L are "
        "named but not treated, and no constant is given"), sort=Kind.CLAIM,
        used=("pldverify.bounds.lattice_discretisation:lattice_discretisation",),
        consequence="err(L, n) is an estimate; lattice_discretisation is a proved bound of second order"),
    Record("KJH20s/lem-C.7", 592, r"\dots+(\Delta x)^{2m+2}\frac{B_{2m+2}}{(2m+2)!}f^{(2m+2)}(\eta)",
        Verdict.CORRECTED, corrected(decided(grids.printed_euler_maclaurin), decided(grids.euler_maclaurin)),
        reading="the Euler-Maclaurin formula", correction=r"(b-a)(\Delta x)^{2m+2}"
        r"\frac{B_{2m+2}}{(2m+2)!}f^{(2m+2)}(\eta)"),
    Record("KJH20s/lem-D.1", 622, r"f'(\varepsilon)=-\int_\varepsilon^\infty e^{\varepsilon-s}g(s)ds",
        Verdict.PROVED, written("∫_ε^∞ g − e^ε ∫_ε^∞ e^{−s}g: the ends cancel.", obliged(SAMPLED,
        "δ′(ε) = −e^ε Q(L > ε)"), attacked(newton.slopes)), reading="g integrable, and continuous at ε",
        used=("pldverify.accountants.fourier:newton",)),
    Record("KJH20s/lem-D.2", 652, r"\omega(s)\le\frac\sigma{q\sqrt{2\pi}}e^{1/\sigma^2}",
        Verdict.PROVED, written("pldverify.bounds.density:density_supremum", attacked(densities.supremum)),
        used=("pldverify.bounds.density:density_supremum",)),
    *(
        Record(
            f"KJH20s/eq-D.{number}",
            line,
            statement,
            Verdict.PROVED,
            written("q ≤ 1, e^s ≤ 1, and φ₁ ≤ φ₀ left of 1/2.", attacked(densities.below_zero)),
            sort=Kind.STEP,
            stated="log(1 − q) < s ≤ 0",
        )
        for number, line, statement in (
            (3, 662, r"f(g(s))\le\tfrac1{\sqrt{2\pi\sigma^2}}e^{-g(s)^2/2\sigma^2}"),
            (4, 666, r"g'(s)\le\sigma^2/(e^s-(1-q))"),
            (
                5,
                670,
                r"\omega(s)\le\tfrac\sigma{\sqrt{2\pi}}e^{-g(s)^2/2"
                r"\sigma^2}/(e^s-(1-q))\text{, where KJH19 (A.5) has a }q\text{ too many}",
            ),
        )
    ),
    Record("KJH20s/lem-D.2/above", 688, r"s>0\Rightarrow\omega(s)\le\frac\sigma{q\sqrt{2\pi}}",
        Verdict.PROVED, written("f ≤ 1/√(2πσ²), g' ≤ σ²/q.", attacked(densities.supremum_above_zero)),
        sort=Kind.STEP),
    Record("KJH20s/lem-D.3", 692, r"s\ge1,\ q\le\tfrac12\Rightarrow\omega(s)\le\sigma e^{-\frac{-("
        r"\sigma^2s+C)^2}{2\sigma^2}}",
        Verdict.PROVED, written("ω ≤ σ√(2/π) < σ for s ≥ 1, and the exponent is ≥ 0.",
        attacked(densities.right_side_is_large)), reading="with both minus signs, which both papers have; "
        "one may be the transcription's", aside=Aside.VACUOUS,
        used=("pldverify.bounds.density_tail:density_tail",)),
    Record("KJH20s/lem-D.3/meant", 716, r"s\ge1,\ q\le\tfrac12\Rightarrow\omega(s)\le\sigma\sqrt{2/\pi}"
        r"\,e^{-(\sigma^2s+C)^2/2\sigma^2}",
        Verdict.PROVED, written("pldverify.bounds.density_tail:density_tail",
        attacked(densities.far_as_meant(1, densities.RATES[:3], True))),
        reading="the last display of the proof, with C₂ = C", aside=Aside.STEP_FALSE,
        used=("pldverify.bounds.density_tail:density_tail",)),
    Record("KJH20s/lem-D.3/proof", 706, r"C\ge\tfrac12\text{; then also }f(g(s))\le\tfrac1{\sqrt{2\pi"
        r"\sigma^2}}e^{-(\sigma^2s+C)^2/2\sigma^2}",
        Verdict.CORRECTED, corrected(attacked(densities.bound_of_f(1, densities.RATES[:3], half=F(1, 2))),
        written("With u = 1 − (1 − q)e^{−s}, t₀ = σ²s + C ≥ 1/2 and t = g(s) ≥ t₀: f(t) is q/u times the "
        "density φ of N(1, σ²), and φ(t)/φ(t₀) = (2u)^{(2 − t₀ − t)/2} ≤ √(2u) as 2u ≥ 1. So f(t)/φ(t₀) ≤ "
        "q√(2/u) ≤ 1 for q ≤ 1/2, s ≥ 1.", attacked(densities.bound_of_f(1, densities.RATES[:3])))),
        reading="C is σ² log(1/2q) + 1/2, as in the line above it; the lemma has −1/2",
        correction=r"C_2=C-1\text{ in the exponent, as in the last display and the lemma}",
        depends=("KJH20s/lem-D.3/meant",)),
    Record("KJH20s/lem-D.3/inverse", 700, r"e^s-(1-q)\ge\tfrac12e^s,\quad g(s)\ge\sigma^2s+C,\quad g'(s)"
        r"\le2\sigma^2",
        Verdict.PROVED, written("e^s/2 ≥ 1 ≥ 1 − q from s = log 2 on; the others follow.",
        attacked(densities.inverse_from_one_on)), sort=Kind.STEP, stated="s ≥ 1",
        reading="C = σ² log(1/2q) + 1/2"),
    Record("KJH20s/lem-D.4/first", 722, r"|\omega'(s)|\le4e^{3/\sigma^2}\sigma^3/q^2",
        Verdict.PROVED, written("pldverify.bounds.density_derivatives:first_derivative",
        attacked(densities.first_derivatives)), stated="σ ≥ 1",
        used=("pldverify.bounds.density_derivatives:first_derivative",)),
    Record("KJH20s/lem-D.4/second", 728, r"|\omega''(s)|\le11e^{9/2\sigma^2}\sigma^3/q^3",
        Verdict.PROVED, written("pldverify.bounds.density_derivatives:second_derivative",
        attacked(densities.second_derivatives)), stated="σ ≥ 1", aside=Aside.STEP_FALSE,
        depends=("KJH20s/lem-D.4/hypothesis",), used=("pldverify.bounds.density_derivatives:second_derivativ"
        "e",), consequence="three of the terms of the proof exceed their bounds; the sum does not, as they "
        "cancel"),
    Record("KJH20s/lem-D.4/hypothesis", 722, r"\text{Suppose }\sigma\ge1",
        Verdict.PROVED, necessary(attacked(densities.derivative_below_sigma_one)), sort=Kind.CLAIM,
        reading="a hypothesis that is needed: without it the second bound is false"),
    Record("KJH20s/eq-D.8", 748, r"\omega'=f'(g)g'^2+f(g)g'',\quad\omega''=f''(g)g'^3+3f'(g)g''g'+f(g)g'''",
        Verdict.PROVED, algebra.chain_rule),
    Record("KJH20s/eq-D.9", 752, r"g'=\tfrac{\sigma^2e^s}{e^s-(1-q)},\ g''=-\tfrac{"
        r"\sigma^2(1-q)e^s}{(e^s-(1-q))^2},\ g'''=\tfrac{\sigma^2(1-q)e^s(e^s+(1-q))}{(e^s-(1-q))^3}",
        Verdict.PROVED, algebra.derivatives_of_g),
    Record("KJH20s/eq-D.10", 760, r"s\ge0:\ |g'|\le\sigma^2/q,\ |g''|\le\sigma^2/q^2,\ |g'''|\le2"
        r"\sigma^2/q^3",
        Verdict.PROVED, written("e^s/(e^s − (1 − q)) ≤ 1/q, 1/(e^s − (1 − q)) ≤ 1/q and e^s + 1 − q ≤ 2e^s.",
        attacked(densities.inner_bounds)), sort=Kind.STEP),
    Record("KJH20s/eq-D.11", 764, r"t\ge\tfrac12,\ \sigma\ge1:\ f\le\tfrac1\sigma,\ f'\le\tfrac1\sigma,\ "
        r"f''\le\tfrac2{\sigma^3}",
        Verdict.PROVED, written("f ≤ 1/√(2πσ²). As φ₀ ≤ φ₁ and |t − 1| ≤ t, |f'| ≤ tφ₁/σ² ≤ (1 + "
        "σe^{−1/2})/(√(2π)σ³) ≤ 1/σ. |v² − 1|e^{−v²/2} ≤ 1, so |f″| ≤ 1/(√(2π)σ³).",
        attacked(densities.bounds_of_f)), sort=Kind.STEP, aside=Aside.STEP_FALSE),
    Record("KJH20s/eq-D.11/middle", 764, r"\tfrac1{\sqrt{2\pi\sigma^2}}\left(\tfrac{t^2}{\sigma^2}+\tfrac1{"
        r"\sigma^2}\right)e^{-(t-1)^2/2\sigma^2}\le\tfrac2{\sigma^3}",
        Verdict.CORRECTED, corrected(decided(densities.second_derivative_of_f),
        attacked(densities.bounds_of_f)), sort=Kind.STEP,
        correction=r"\tfrac1{\sigma^2}\left(\tfrac{t^2}{\sigma^2}+1\right)\text{ in the middle; the end "
        r"stands}"),
    Record("KJH20s/eq-D.12", 768, r"s\ge0:\ |\omega'|\le2\sigma^3/q^2,\ |\omega''|\le7\sigma^3/q^3",
        Verdict.PROVED, written("σ³ + σ ≤ 2σ³ and 2σ³ + 3σ³ + 2σ ≤ 7σ³.",
        attacked(densities.derivatives_above_zero)), sort=Kind.STEP, stated="σ ≥ 1",
        depends=("KJH20s/eq-D.10", "KJH20s/eq-D.11")),
    Record("KJH20s/eq-D.13", 774, r"s<0:\ |g'|\le\tfrac{\sigma^2}{e^s-(1-q)},\ |g''|\le\tfrac{"
        r"\sigma^2}{(e^s-(1-q))^2},\ |g'''|\le\tfrac{2\sigma^2}{(e^s-(1-q))^3}",
        Verdict.PROVED, written("e^s < 1 and 1 − q < 1.", attacked(densities.inner_bounds_below_zero)),
        sort=Kind.STEP),
    Record("KJH20s/eq-D.14", 778, r"f(g(s))g''(s)\le f(g(s))\,\sigma^2/(e^s-(1-q))^2",
        Verdict.PROVED, written("The left side is not above 0.", attacked(densities.below_zero)),
        sort=Kind.STEP, reading="and so of |g″|, which is meant", depends=("KJH20s/eq-D.13",)),
    Record("KJH20s/eq-D.15", 782, r"\frac1{e^s-(1-q)}=q^{-1}e^{(-2x+1)/2\sigma^2},\ x=g(s)",
        Verdict.PROVED, written("(D.6) solved for e^s.", attacked(densities.change_of_variables))),
    Record("KJH20s/eq-D.16", 786, r"f(g(s))g''(s)\le\tfrac1{\sqrt{2\pi}}e^{3/\sigma^2}\tfrac\sigma{q^2}",
        Verdict.PROVED, written("φ₀(x)e^{(−4x+2)/2σ²} = e^{3/σ²}φ₋₂(x), φ at most its peak.",
        attacked(densities.terms_below_zero(": f g″"))), sort=Kind.STEP),
    Record("KJH20s/eq-D.17/first", 790, r"f'(g(s))(g'(s))^2\le3e^{3/\sigma^2}\sigma^3/q^2",
        Verdict.PROVED, written("|f'| ≤ (1 − x)φ₀/σ² and g' ≤ (σ²/q)e^{(−2x+1)/2σ²}, so with u = x + 2 at "
        "most (σ/√(2π))(3 + |u|)e^{3/σ² − u²/2σ²}/q² ≤ (σ/√(2π))(3 + 0.61σ)e^{3/σ²}/q².",
        attacked(densities.terms_below_zero(": f′ g′²"))), sort=Kind.STEP),
    *(
        Record(
            f"KJH20s/eq-D.17/{name}",
            790,
            statement,
            Verdict.CORRECTED,
            corrected(
                attacked(densities.terms_below_zero(label)),
                attacked(densities.terms_below_zero(label, six=True)),
            ),
            sort=Kind.STEP,
            correction=r"e^{6/\sigma^2}\text{ for }e^{9/2\sigma^2}\text{, as }-x^2-6x+3=-(x+3)^2+12"
            + (r"\text{; and a factor }2" if name == "fourth" else ""),
            reading="σ ≥ 1, s < 0",
        )
        for name, label, statement in (
            (
                "second",
                ": f″ g′³",
                r"f''(g(s))(g'(s))^3\le6e^{9/2\sigma^2}"
                r"\sigma^3/q^3",
            ),
            ("third", ": 3 f′ g″ g′", r"3f'(g(s))g''(s)g'(s)\le4e^{9/2\sigma^2}\sigma^3/q^3"),
            ("fourth", ": f g‴", r"f(g(s))g^{(3)}(s)\le\tfrac1{\sqrt{2\pi}}e^{9/2\sigma^2}\sigma/q^3"),
        )
    ),
    Record("KJH20s/eq-D.18", 794, r"s<0:\ |\omega'|\le4e^{3/\sigma^2}\sigma^3/q^2,\ |\omega''|\le11e^{9/2"
        r"\sigma^2}\sigma^3/q^3\text{, by (D.16) and (D.17)}",
        Verdict.PROVED, written("3 + 1/√2π ≤ 4 and 6 + 4 + 1/√2π ≤ 11, σ ≤ σ³.",
        decided(densities.sums_of_d_17)), sort=Kind.STEP, stated="σ ≥ 1",
        reading="that the sum follows from its terms; three of these are false", depends=("KJH20s/eq-D.16",
        "KJH20s/eq-D.17/first", "KJH20s/eq-D.17/second", "KJH20s/eq-D.17/third", "KJH20s/eq-D.17/fourth")),
    *numbered("KJH20s/tab-1/delta", tables()["KJH20s-T1"]["rows"], partial(_delta, 804)),
    *numbered("KJH20s/tab-1/err", tables()["KJH20s-T1"]["rows"], _err),
    *numbered("KJH20s/tab-2/delta", tables()["KJH20s-T2"]["rows"], partial(_delta, 815)),
    *numbered("KJH20s/tab-2/tail", tables()["KJH20s-T2"]["rows"], _tail),
    Record("KJH20s/tab-1/parameters", 813, r"\text{Convergence of }\delta(\varepsilon)\text{-approximation "
        r"with respect to }n\text{ (when }L=12)",
        Verdict.NOT_CHECKABLE,
        not_checkable(f"no mechanism is printed; {_FOUND}, gives every digit that rounding leaves"),
        sort=Kind.CAPTION),
)
