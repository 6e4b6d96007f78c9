"""MTZ19: Mironov, Talwar, Zhang, Rényi DP of the Sampled Gaussian Mechanism, arXiv 1908.10530.

The text that was read lost its formulas. Those that are restated here are known from elsewhere: Theorem 11,
the sums of section 3.3 and Corollary 7; where a formula is lost the record says so.
μ₀ = N(0, σ²), μ₁ = N(1, σ²), μ = (1 − q)μ₀ + qμ₁, A_α = E_{μ₀}[(μ/μ₀)^α], B_α = E_μ[(μ₀/μ)^α].
"""

from pldverify.theorems.attacks import moments, reductions
from pldverify.theorems.evidence import (
    attacked,
    conditional,
    corrected,
    decided,
    not_checkable,
    written,
)
from pldverify.theorems.obligations import SAMPLED, obliged
from pldverify.theorems.record import Kind, Record, Verdict

_LOST = "the formulas are lost in the text that was read"


def _lost(id: str, line: int, kind: Kind, statement: str, why: str = _LOST) -> Record:
    return Record(id, line, statement, Verdict.NOT_CHECKABLE, not_checkable(why), sort=kind)


_RESTATED = "the text lost the formula: restated as it is known"
_MIXED = attacked(moments.mixed_moments)
_POINTWISE = written(
    "Let a ≤ b, d = X − a = b − Y ≥ 0, φ(r) = r^α − r^{1−α}: the difference of the sides is aφ(1 + d/a) − "
    "Yφ(1 + d/Y). "
    "φ is convex on [1, ∞) as α ≥ 1, and φ(1) = 0, so yφ(1 + d/y) falls in y; and a ≤ Y.",
    attacked(moments.pointwise),
)

# A record is a paragraph.
# fmt: off
RECORDS = (
    Record("MTZ19/sec-1/quadratic", 3, r"\text{the privacy cost of a single evaluation diminishes "
        r"quadratically with the sampling rate}",
        Verdict.CONDITIONAL, conditional(decided(moments.quadratic_in_q),
        attacked(moments.quadratic_in_range)), reading="D_α at q/2 is about a quarter of D_α at q, for the "
        "same α and σ", needed="orders in the range of Theorem 11; at σ = 1 and α = 100 halving q changes "
        "D_α by less than 2 %", depends=("MTZ19/thm-11",),
        consequence="at large orders, which small δ asks for, subsampling hardly helps"),
    _lost("MTZ19/def-1", 13, Kind.DEFINITION, r"D_\alpha(P\|Q)=\tfrac1{\alpha-1}\log E_Q[(P/Q)^\alpha]"),
    _lost("MTZ19/def-2", 17, Kind.DEFINITION, r"D_\alpha(f(D)\|f(D'))\le\varepsilon"),
    Record("MTZ19/def-3", 20, r"\text{each element is sampled independently at random with probability }q"
        r"\text{ “without replacement”}",
        Verdict.PROVED, written("“Independently”: given the other records both are shifted alike.",
        attacked(reductions.half_lines)), reading="Poisson sampling; “without replacement” means that no "
        "element is taken twice", consequence="a batch of fixed size, at which “without replacement” may "
        "be taken to point, is another mechanism: KJH19/sec-5.1/remove-add"),
    _lost("MTZ19/tab-1", 24, Kind.ENTRY, r"\text{conditions and bounds of Abadi et al., Bun et al., this "
        r"work}"),
    Record("MTZ19/thm-4", 33, r"D_\alpha(\mu\|\mu_0)\le\varepsilon\text{ and }D_\alpha(\mu_0\|\mu)\le"
        r"\varepsilon\Rightarrow SG_{q,\sigma}\text{ is }(\alpha,\varepsilon)\text{-RDP}",
        Verdict.PROVED, written("Quasi-convexity over the other records, then rotation, then data "
        "processing from norm c to 1.", attacked(reductions.half_lines), attacked(reductions.scaling)),
        stated="sensitivity 1, add or remove",
        reading=f"{_RESTATED}; attacked as hockey-stick divergences, which order as post-processing does",
        used=("pldverify.mechanisms.poisson_subsampled",)),
    Record("MTZ19/thm-4/quasi-convex", 40, r"D_\alpha(\textstyle\sum_Tp_TP_T\|\sum_Tp_TQ_T)\le\max_TD_"
        r"\alpha(P_T\|Q_T)",
        Verdict.PROVED, written("(p, q) ↦ p^α q^{1−α} is jointly convex for α > 1.", _MIXED), sort=Kind.STEP,
        reading=_RESTATED),
    Record("MTZ19/thm-4/products", 41, r"D_\alpha(P_1\times P_2\|Q_1\times Q_2)=D_\alpha(P_1\|Q_1)+D_"
        r"\alpha(P_2\|Q_2)",
        Verdict.PROVED, written("The sum over pairs is a product of sums.", _MIXED), sort=Kind.STEP,
        reading=_RESTATED),
    Record("MTZ19/thm-4/processing", 42, r"D_\alpha\text{ does not rise when }\mathcal N(0,(1-c^2)\sigma^2)"
        r"\text{ is added to both}",
        Verdict.PROVED, written("Joint convexity, and homogeneity, of p^α q^{1−α}.", _MIXED,
        attacked(reductions.scaling)), sort=Kind.STEP, reading=_RESTATED),
    Record("MTZ19/thm-5", 54, r"\nu(Q)=P,\ \nu(P)=Q\Rightarrow D_\alpha((1-q)P+qQ\|P)\ge D_\alpha(P"
        r"\|(1-q)P+qQ)",
        Verdict.PROVED, written("Lemma 6 at x and ν(x), integrated.", attacked(moments.add_below_remove)),
        stated="α ≥ 1", reading=f"{_RESTATED}; attacked where ν(x) = 1 − x", depends=("MTZ19/lem-6",)),
    Record("MTZ19/lem-6", 65, r"X^\alpha a^{1-\alpha}+Y^\alpha b^{1-\alpha}\ge a^\alpha X^{1-\alpha}+b^"
        r"\alpha Y^{1-\alpha},\quad X=(1-q)a+qb,\ Y=(1-q)b+qa",
        Verdict.PROVED, _POINTWISE, stated="α ≥ 1, 0 ≤ q ≤ 1",
        reading="the text lost the formula: “pointwise domination” of the integrands at x and ν(x), with "
        "another proof"),
    Record("MTZ19/cor-7", 76, r"A_\alpha\ge B_\alpha,\quad\alpha\ge1",
        Verdict.PROVED, written("MTZ19/lem-6, integrated, with ν(x) = 1 − x.",
        attacked(moments.add_below_remove)), depends=("MTZ19/lem-6", "MTZ19/cor-7/mapping"),
        used=("pldverify.accountants.rdp",), reading=_RESTATED),
    _lost("MTZ19/lem-8", 86, Kind.LEMMA, r"\text{bound of the two halves of an integral}"),
    _lost("MTZ19/lem-8/bun", 89, Kind.STEP, r"\text{Lemma 15 of Bun et al. 2018}",
        "quoted without its formula; not looked up"),
    _lost("MTZ19/eq-3", 93, Kind.EQUATION, r"\text{non-negativity of the terms of Lemma 8}"),
    _lost("MTZ19/lem-9", 96, Kind.LEMMA, r"\text{the integral left of }z_0\text{, unconditional}"),
    _lost("MTZ19/lem-9/tight", 101, Kind.CLAIM, r"\text{non-tight by a factor close to 2}"),
    _lost("MTZ19/lem-10", 102, Kind.LEMMA, r"\text{the integral right of }z_0\text{ under (4), (5)}"),
    _lost("MTZ19/eq-10", 123, Kind.STEP, r"\text{the second summand is larger than }\dots\text{, by direct "
        r"computation}"),
    Record("MTZ19/cor-7/mapping", 80, r"\nu(x)=1-x:\ \nu(\mu_0)=\mu_1,\ \nu(\mu_1)=\mu_0",
        Verdict.PROVED, written("(1 − x)² = (x − 1)².", attacked(moments.mirrored)), sort=Kind.STEP,
        reading=_RESTATED),
    Record("MTZ19/thm-11", 135, r"q\le\tfrac15,\ \sigma\ge4,\ \alpha\le\tfrac{\sigma^2\ell}2-2\ln\sigma,\ "
        r"\alpha\le\frac{\sigma^2\ell^2/2-\ln5-2\ln\sigma}{\ell+\ln(q\alpha)+1/2\sigma^2}\Rightarrow"
        r"\varepsilon=2q^2\alpha/\sigma^2",
        Verdict.SUPPORTED, attacked(moments.theorem_11),
        reading=f"{_RESTATED}; ℓ = ln(1 + 1/(q(α − 1))); 1/2σ² is 1/(2σ²); the divisor is positive",
        stated="sensitivity 1", used=("pldverify.accountants.rdp:closed_form",
        "pldverify.bounds.sampled_gaussian_moment:printed_log_moment"),
        consequence="nothing in the package rests on it"),
    Record("MTZ19/sec-3.3/integer", 144, r"A_\alpha=\sum_{j=0}^\alpha\binom\alpha j(1-q)^{"
        r"\alpha-j}q^je^{(j^2-j)/2\sigma^2}",
        Verdict.PROVED, obliged(SAMPLED, "A_α = Σ_j", source="MTZ19"), sort=Kind.EQUATION,
        stated="integer α", used=("pldverify.accountants.rdp:renyi_divergence",), reading=_RESTATED),
    Record("MTZ19/sec-3.3/moment", 146, r"E_{\mu_0}[(\mu_1/\mu_0)^j]=e^{(j^2-j)/2\sigma^2}",
        Verdict.PROVED, obliged(SAMPLED, "∫ μ₀ e^(j(2t−1)/(2σ²)) dt"), sort=Kind.EQUATION, reading=_RESTATED),
    Record("MTZ19/sec-3.3/inflection", 149, r"z_1=\sigma^2\ln(1/q-1)+\tfrac12:\ (1-q)\mu_0(z_1)=q\mu_1(z_1)",
        Verdict.CONDITIONAL, conditional(decided(moments.whole_batch),
        written("μ₁/μ₀ = e^{(2z − 1)/2σ²}, which is 1/q − 1 at z₁.", attacked(moments.inflection))),
        sort=Kind.EQUATION, needed="q < 1: at q = 1 it is ln 0", reading=_RESTATED),
    Record("MTZ19/eq-12", 151, r"A_\alpha=\sum_{j\ge0}\binom\alpha j\left[(1-q)^{\alpha-j}q^je^{(j^2-j)/2"
        r"\sigma^2}\tfrac12\mathrm{erfc}\tfrac{j-z_1}{\sqrt2\sigma}+\dots\right]",
        Verdict.SUPPORTED, attacked(moments.fractional_series), stated="fractional α",
        needed="q < 1; the terms alternate and fall like C(α, j), so “to convergence” needs a bound of the "
        "rest", used=("pldverify.accountants.rdp:renyi_divergence",), reading=_RESTATED),
    _lost("MTZ19/eq-14", 163, Kind.EQUATION, r"\text{the moment generating function and the Rényi "
        r"divergence}"),
    _lost("MTZ19/def-12", 165, Kind.DEFINITION, r"\text{CDP, zCDP, tCDP, RDP by moments of the loss}"),
    Record("MTZ19/sec-4/no-zcdp", 171, r"\text{SGM is an important mechanism that does not satisfy zCDP}",
        Verdict.CORRECTED, corrected(moments.does_not_satisfy_zcdp, decided(moments.least_rho)),
        correction=r"\text{it satisfies }\tfrac1{2\sigma^2}\text{-zCDP, as without sampling, and no }\rho"
        r"\text{ of order }q^2\text{: }D_\alpha/\alpha\to1/2\sigma^2",
        used=("pldverify.bounds.sampled_gaussian_moment:log_moment",),
        consequence="zCDP accounting of the sampled mechanism is sound, without amplification"),
)
