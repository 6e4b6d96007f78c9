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


RECORDS = (
    Record(
        "MTZ19/sec-1/quadratic",
        3,
        r"\text{the privacy cost of a single evaluation diminishes quadratically with the "
        r"sampling rate}",
        Verdict.CONDITIONAL,
        conditional(decided(moments.quadratic_in_q), attacked(moments.quadratic_in_range)),
        reading="D_α at q/2 is about a quarter of D_α at q, for the same α and σ",
        needed="orders in the range of Theorem 11; at σ = 1 and α = 100 halving q changes D_α by less than "
        "2 %",
        depends=("MTZ19/thm-11",),
        consequence="at large orders, which small δ asks for, subsampling hardly helps",
    ),
    _lost("MTZ19/def-1", 13, Kind.DEFINITION, r"D_\alpha(P\|Q)=\tfrac1{\alpha-1}\log E_Q[(P/Q)^\alpha]"),
    _lost("MTZ19/def-2", 17, Kind.DEFINITION, r"D_\alpha(f(D)\|f(D'))\le\varepsilon"),
    Record(
        "MTZ19/def-3",
        20,
        r"\text{each element is sampled independently at random with probability }q\text{ "
        r"“without replacement”}",
        Verdict.PROVED,
        written(
            "“Independently”: given the other records both are shifted alike.",
            attacked(reductions.half_lines),
        ),
        reading="Poisson sampling; “without replacement” means that no element is taken twice",
        consequence="a batch of fixed size, at which “without replacement” may be taken to point, is another "
        "mechanism: KJH19/sec-5.1/remove-add",
    ),
    _lost(
        "MTZ19/tab-1",
        24,
        Kind.ENTRY,
        r"\text{conditions and bounds of Abadi et al., Bun et al., this work}",
    ),
    Record(
        "MTZ19/thm-4",
        33,
        r"D_\alpha(\mu\|\mu_0)\le\varepsilon\text{ and }D_\alpha(\mu_0\|\mu)\le\varepsilon"
        r"\Rightarrow SG_{q,\sigma}\text{ is }(\alpha,\varepsilon)\text{-RDP}",
        Verdict.PROVED,
        written(
            "Quasi-convexity over the other records, then rotation, then data processing from norm c to 1.",
            attacked(reductions.half_lines),
            attacked(reductions.scaling),
        ),
        stated="sensitivity 1, add or remove",
        reading="attacked as hockey-stick divergences, which order pairs as Rényi divergences of a "
        "post-processing do",
        used=("pldverify.mechanisms.poisson_subsampled",),
    ),
    _lost(
        "MTZ19/thm-5",
        54,
        Kind.THEOREM,
        r"\nu(Q)=P,\ \nu(P)=Q\Rightarrow D_\alpha((1-q)P+qQ\|P)\ge D_"
        r"\alpha(P\|(1-q)P+qQ)",
    ),
    _lost("MTZ19/lem-6", 65, Kind.LEMMA, r"\text{pointwise domination of the integrands}"),
    Record(
        "MTZ19/cor-7",
        76,
        r"A_\alpha\ge B_\alpha,\quad\alpha\ge1",
        Verdict.SUPPORTED,
        attacked(moments.add_below_remove),
        used=("pldverify.accountants.rdp",),
        reading="the proof rests on Lemma 6, whose formulas are lost",
    ),
    _lost("MTZ19/lem-8", 86, Kind.LEMMA, r"\text{bound of the two halves of an integral}"),
    _lost(
        "MTZ19/lem-8/bun",
        89,
        Kind.STEP,
        r"\text{Lemma 15 of Bun et al. 2018}",
        "quoted without its formula; not looked up",
    ),
    _lost("MTZ19/eq-3", 93, Kind.EQUATION, r"\text{non-negativity of the terms of Lemma 8}"),
    _lost("MTZ19/lem-9", 96, Kind.LEMMA, r"\text{the integral left of }z_0\text{, unconditional}"),
    _lost("MTZ19/lem-9/tight", 101, Kind.CLAIM, r"\text{non-tight by a factor close to 2}"),
    _lost("MTZ19/lem-10", 102, Kind.LEMMA, r"\text{the integral right of }z_0\text{ under (4), (5)}"),
    _lost(
        "MTZ19/eq-10",
        123,
        Kind.STEP,
        r"\text{the second summand is larger than }\dots\text{, by direct "
        r"computation}",
    ),
    Record(
        "MTZ19/thm-11",
        135,
        r"q\le\tfrac15,\ \sigma\ge4,\ \alpha\le\tfrac{\sigma^2\ell}2-2\ln\sigma,\ \alpha\le\frac{"
        r"\sigma^2\ell^2/2-\ln5-2\ln\sigma}{\ell+\ln(q\alpha)+1/2\sigma^2}\Rightarrow\varepsilon=2q^2"
        r"\alpha/\sigma^2",
        Verdict.SUPPORTED,
        attacked(moments.theorem_11),
        reading="ℓ = ln(1 + 1/(q(α − 1))); 1/2σ² is 1/(2σ²); the divisor is positive",
        stated="sensitivity 1",
        used=(
            "pldverify.accountants.rdp:closed_form",
            "pldverify.bounds.sampled_gaussian_moment:printed_log_moment",
        ),
        consequence="nothing in the package rests on it",
    ),
    Record(
        "MTZ19/sec-3.3/integer",
        144,
        r"A_\alpha=\sum_{j=0}^\alpha\binom\alpha j(1-q)^{\alpha-j}q^je^{(j^2-j)/2\sigma^2}",
        Verdict.PROVED,
        obliged(SAMPLED, "A_α = Σ_j", source="MTZ19"),
        sort=Kind.EQUATION,
        stated="integer α",
        used=("pldverify.accountants.rdp:renyi_divergence",),
    ),
    Record(
        "MTZ19/sec-3.3/moment",
        146,
        r"E_{\mu_0}[(\mu_1/\mu_0)^j]=e^{(j^2-j)/2\sigma^2}",
        Verdict.PROVED,
        obliged(SAMPLED, "∫ μ₀ e^(j(2t−1)/(2σ²)) dt"),
        sort=Kind.EQUATION,
    ),
    Record(
        "MTZ19/sec-3.3/inflection",
        149,
        r"z_1=\sigma^2\ln(1/q-1)+\tfrac12:\ (1-q)\mu_0(z_1)=q\mu_1(z_1)",
        Verdict.CONDITIONAL,
        conditional(
            decided(moments.whole_batch),
            written("μ₁/μ₀ = e^{(2z − 1)/2σ²}, which is 1/q − 1 at z₁.", attacked(moments.inflection)),
        ),
        sort=Kind.EQUATION,
        needed="q < 1: at q = 1 it is ln 0",
    ),
    Record(
        "MTZ19/eq-12",
        151,
        r"A_\alpha=\sum_{j\ge0}\binom\alpha j\left[(1-q)^{\alpha-j}q^je^{(j^2-j)/2\sigma^2}"
        r"\tfrac12\mathrm{erfc}\tfrac{j-z_1}{\sqrt2\sigma}+\dots\right]",
        Verdict.SUPPORTED,
        attacked(moments.fractional_series),
        stated="fractional α",
        needed="q < 1; the terms alternate and fall like C(α, j), so “to convergence” needs a bound of the "
        "rest",
        used=("pldverify.accountants.rdp:renyi_divergence",),
    ),
    _lost(
        "MTZ19/eq-14",
        163,
        Kind.EQUATION,
        r"\text{the moment generating function and the Rényi "
        r"divergence}",
    ),
    _lost("MTZ19/def-12", 165, Kind.DEFINITION, r"\text{CDP, zCDP, tCDP, RDP by moments of the loss}"),
    Record(
        "MTZ19/sec-4/no-zcdp",
        171,
        r"\text{SGM is an important mechanism that does not satisfy zCDP}",
        Verdict.CORRECTED,
        corrected(moments.does_not_satisfy_zcdp, decided(moments.least_rho)),
        correction=r"\text{it satisfies }\tfrac1{2\sigma^2}\text{-zCDP, as without sampling, and no }\rho"
        r"\text{ of order }q^2\text{: }D_\alpha/\alpha\to1/2\sigma^2",
        used=("pldverify.bounds.sampled_gaussian_moment:log_moment",),
        consequence="zCDP accounting of the sampled mechanism is sound, without amplification",
    ),
)
