"""GLW21: Gopi, Lee, Wutschitz, Numerical Composition of Differential Privacy, NeurIPS 2021.

Their δ(X‖Y) is sup P(Y ∈ S) − e^ε P(X ∈ S): Y is the loss under the first law of KJH19, X under the second.
The supplement with the proofs (Lemma D.5, Theorem 5.5) is not part of the text that was read.
"""

from pldverify.theorems.attacks import accountants, newton, pairs, prv
from pldverify.theorems.evidence import (
    all_of,
    attacked,
    conditional,
    corrected,
    decided,
    necessary,
    not_checkable,
    written,
)
from pldverify.theorems.obligations import GAUSSIAN, SAMPLED, obliged
from pldverify.theorems.record import Aside, Kind, Record, Verdict

# A record is a paragraph.
# fmt: off
RECORDS = (
    Record("GLW21/def-1.1", 13, r"\Pr[\mathcal M(D)\in S] \le e^\varepsilon\Pr[\mathcal M(D')\in S]+\delta",
        Verdict.PROVED, written("Σ(p − e^ε q)₊ is attained at S = {p > e^ε q}.", attacked(pairs.events)),
        reading="any two neighbouring databases, in both orders",
        consequence="both orders of a pair are part of the definition: an accountant that computes one is "
        "short"),
    Record("GLW21/prop-1.2", 19, r"(\varepsilon_1,\delta_1)\text{ and }(\varepsilon_2,\delta_2)\text{-DP "
        r"compose to }(\varepsilon_1+\varepsilon_2,\delta_1+\delta_2)\text{-DP}",
        Verdict.PROVED, written("P₁P₂(S) ≤ Σ p₁ (e^ε₂ Q₂(S) ∧ 1 + δ₂) and p₁ ≤ e^ε₁ q₁ + (p₁ − e^ε₁ q₁)₊, "
        "summed over outcomes.", attacked(pairs.simple_composition)),
        used=("pldverify.accountants.basic_composition",)),
    Record("GLW21/prop-1.3", 21, r"\varepsilon'=\varepsilon\sqrt{2k\log(1/\delta')}+k\varepsilon(e^"
        r"\varepsilon-1),\quad(\varepsilon',k\delta+\delta')\text{-DP}",
        Verdict.SUPPORTED, attacked(pairs.advanced_composition),
        reading="Dwork, Rothblum, Vadhan 2010; the proof is not repeated here",
        used=("pldverify.accountants.advanced_composition",)),
    Record("GLW21/eq-1", 31, r"\tilde O(k^3\bar\varepsilon(1+\bar\varepsilon)/\eta)\text{ for [MV16]}",
        Verdict.NOT_CHECKABLE, not_checkable("quotes Murtagh and Vadhan 2016, which was not looked up"),
        sort=Kind.COMPLEXITY),
    Record("GLW21/sec-1/gaussian-curve", 39, r"\delta(\varepsilon)=\Phi(-\varepsilon\sigma+1/2\sigma)-e^"
        r"\varepsilon\Phi(-\varepsilon\sigma-1/2\sigma)",
        Verdict.PROVED, obliged(GAUSSIAN, "δ(ε) = Φ(", source="GLW21 section 1"), sort=Kind.EQUATION,
        reading="1/2σ is 1/(2σ); read as σ/2 the formula is another one",
        used=("pldverify.symbolic.families.gaussian",)),
    Record("GLW21/eq-1/roots", 33, r"\varepsilon_i\approx1/\sqrt k:\ k^3\bar\varepsilon(1+\bar\varepsilon)/"
        r"\eta\text{ is of order }k^{2.5}/\eta",
        Verdict.PROVED, written("k³ k^{−1/2}(1 + k^{−1/2}) is k^{2.5} to 2k^{2.5}.",
        attacked(accountants.orders_at_roots)), sort=Kind.COMPLEXITY),
    Record("GLW21/def-1.4", 37, r"\delta:\mathbb R\to[0,1]\text{ is a privacy curve if }M\text{ is }("
        r"\varepsilon,\delta(\varepsilon))\text{-DP for every }\varepsilon",
        Verdict.NOT_CHECKABLE, not_checkable("a definition; by it a curve is any upper bound (δ = 1 is "
        "one), later it means the least one"), consequence="composition of upper bounds is an upper bound, "
        "never the tight curve"),
    Record("GLW21/eq-2", 43, r"\tilde O(k^3\bar\varepsilon/\delta_{error})\text{ for [KH21]}",
        Verdict.CONDITIONAL, conditional(decided(accountants.points_at_tiny_losses),
        written("n δ/(k²ε̄) = 2(1 + (1 + log(1/δ))/(kε̄)).", decided(accountants.points_up_to_logarithms))),
        sort=Kind.COMPLEXITY, reading="k FFTs of the n = 2Lk/δ_error points of KH21 Lemma 4; Õ leaves out "
        "powers of logarithms", needed="k ε̄ bounded below: the proof of KH21 Lemma 4 gives k²(k ε̄ + 1 + "
        "log(1/δ_error))", depends=("KH21/lem-4",)),
    Record("GLW21/eq-2/roots", 45, r"\varepsilon_i\approx1/\sqrt k:\ k^3\bar\varepsilon/\delta_{error}"
        r"\text{ is }k^{2.5}/\delta_{error}\text{, and }k^2\bar\varepsilon/\delta_{error}\text{ is "
        r"}k^{1.5}/\delta_{error}",
        Verdict.PROVED, written("k³ k^{−1/2} and k² k^{−1/2}.", attacked(accountants.orders_at_roots)),
        sort=Kind.COMPLEXITY),
    Record("GLW21/sec-1/gdp-underestimates", 59, r"\text{GDP accountant can significantly underreport the "
        r"true epsilon value}",
        Verdict.PROVED, decided(accountants.gdp_underreports),
        reading="there is a run where it does: σ = 0.8, q = 0.001, δ = 1e-7 of Figure 1, k = 1000",
        used=("pldverify.accountants.gdp",), consequence="a GDP number by the central limit theorem is no "
        "upper bound"),
    Record("GLW21/sec-1/rdp-overestimates", 87, r"\text{RDP Accountant significantly overestimates the "
        r"true }\varepsilon",
        Verdict.PROVED, decided(accountants.rdp_overestimates),
        reading="at Figure 1's parameters, k = 1000, by 20 % or more", used=("pldverify.accountants.rdp",)),
    Record("GLW21/thm-1.5", 67, r"O(\varepsilon_{upper}k^{1.5}\log k\sqrt{\log(1/\delta_{error})}/"
        r"\varepsilon_{error})",
        Verdict.CONDITIONAL, conditional(decided(accountants.one_mechanism),
        written("log(12/δ) ≤ 5 log(1/δ) for δ ≤ 1/2.", decided(accountants.many_mechanisms))),
        sort=Kind.COMPLEXITY, reading="b (L/h) log(L/h) of Theorem 5.5, L = ε_upper",
        needed="k ≥ 2, and log(L/h) = O(log k): it is log k/2 + log(L/ε_error) + ½ log log(12/δ_error)",
        depends=("GLW21/thm-5.5",)),
    Record("GLW21/thm-1.6", 77, r"O(\varepsilon_{upper}k^{1/2}\log k\sqrt{\log(1/\delta_{error})}/"
        r"\varepsilon_{error})",
        Verdict.CONDITIONAL, conditional(decided(accountants.one_mechanism),
        written("log(12/δ) ≤ 5 log(1/δ) for δ ≤ 1/2.", decided(accountants.many_mechanisms))),
        sort=Kind.COMPLEXITY, reading="b (L/h) log(L/h) of Theorem 5.5, L = ε_upper",
        needed="k ≥ 2, and log(L/h) = O(log k): it is log k/2 + log(L/ε_error) + ½ log log(12/δ_error)",
        depends=("GLW21/thm-5.5",)),
    Record("GLW21/def-2.1", 108, r"\delta(X\|Y)(\varepsilon)=\sup_{S}\Pr[Y\in S]-e^\varepsilon\Pr[X\in S]",
        Verdict.PROVED, written("Σ(p − e^ε q)₊ is attained at S = {p > e^ε q}.", attacked(pairs.events)),
        reading="the second argument is the first law of KJH19 and KH21"),
    Record("GLW21/rem-2.2", 114, r"\text{not all functions }\mathbb R\to[0,1]\text{ are privacy curves}",
        Verdict.PROVED, necessary(decided(pairs.rising_curve))),
    Record("GLW21/def-2.3/well-defined", 122, r"\delta(X_i\|Y_i)\equiv\delta(X_i'\|Y_i')\Rightarrow"
        r"\delta((X_1,X_2)\|(Y_1,Y_2))=\delta((X_1',X_2')\|(Y_1',Y_2'))",
        Verdict.SUPPORTED, attacked(pairs.same_curve), sort=Kind.CLAIM,
        reading="by Dong, Roth, Su 2019; tried on pairs that differ by splitting an outcome"),
    Record("GLW21/def-2.3/commutative", 126, r"\otimes\text{ is a commutative and associative operation}",
        Verdict.PROVED, written("Products of laws are.", attacked(pairs.products)), sort=Kind.CLAIM),
    Record("GLW21/thm-2.4", 130, r"\text{the privacy curve of }M_k\circ\dots\circ M_1\text{ is }\delta_1"
        r"\otimes\dots\otimes\delta_k",
        Verdict.SUPPORTED, attacked(pairs.adaptive), reading="a privacy curve, that is an upper bound; δᵢ "
        "is the curve of one pair, which dominates", needed="δᵢ is the curve of a pair in the order that "
        "is asked for", consequence="the maximum of the two directions is to be taken after composition, "
        "not before"),
    Record("GLW21/def-3.1", 138, r"Y(t)=e^tX(t),\quad Y(-\infty)=0,\ X(\infty)=0",
        Verdict.PROVED, written("By definition, Y being the law of the loss under the first law.",
        obliged(SAMPLED, "Y(t) = e^t X(t)", source="GLW21 Definition 3.1"), obliged(GAUSSIAN,
        "Y(t) = e^t X(t)", source="GLW21 Definition 3.1"), attacked(pairs.loss_laws)),
        used=("pldverify.symbolic.families.statements:loss_random_variables",)),
    Record("GLW21/def-3.1/test-functions", 147, r"E_Y[\phi(Y)]=E_X[\phi(X)e^X],\quad\phi(\pm\infty)=0",
        Verdict.PROVED, written("Σ p φ = Σ q (p/q) φ where p, q > 0.", attacked(pairs.tilts)),
        sort=Kind.CLAIM),
    Record("GLW21/thm-3.2", 151, r"X=\log(Q/P)(\omega),\ \omega\sim P;\qquad Y=\log(Q/P)(\omega),\ \omega"
        r"\sim Q",
        Verdict.PROVED, written("The likelihood ratio of the loss is that of the outcome.", obliged(SAMPLED,
        "e^L(t) = p(t)/q(t)", "∫ω = 1", "∫e^(−s) ω(s) ds"), attacked(pairs.loss_laws)),
        reading="P, Q here are Q, P of KJH19; footnote 5: Q(ω)/P(ω) is a Radon-Nikodym derivative"),
    Record("GLW21/thm-3.3", 157, r"\delta(\varepsilon)=\Pr[Y>\varepsilon]-e^\varepsilon\Pr[X>"
        r"\varepsilon]=E[(1-e^{\varepsilon-Y})_+]",
        Verdict.PROVED, written("(p − e^ε q)₊ = p (1 − e^{ε−L})₊, outcome by outcome.",
        attacked(pairs.tails)), used=("pldverify.reference.quantities.delta",)),
    Record("GLW21/eq-5/exponential", 159, r"\delta(\varepsilon)=\Pr[Y\ge\varepsilon+Z],\ Z\text{ an "
        r"exponential random variable}",
        Verdict.PROVED, written("Pr[Z ≤ x] = 1 − e^{−x} at x = Y − ε ≥ 0.", attacked(pairs.exponential)),
        reading="of rate 1 and independent of Y; Y = ∞ counts",
        used=("pldverify.bounds.coupling:coupling_band",)),
    Record("GLW21/eq-6/Y", 164, r"Y(t)=\delta''(t)-\delta'(t)",
        Verdict.PROVED, written("δ′ = −e^t ∫_t^∞ e^{−s}Y, differentiated once more.", obliged(SAMPLED,
        "Y(t) = δ″(t)", source="GLW21 equation (6)"), attacked(newton.slopes)),
        reading="Y has a density; at atoms the derivatives are those of measures"),
    Record("GLW21/eq-6/X", 164, r"X(t)=e^t(\delta''(t)-\delta'(t))",
        Verdict.CORRECTED, corrected(obliged(SAMPLED, "X(t) = e^t", source="GLW21 equation (6)"),
        obliged(SAMPLED, "Y(t) = e^t X(t)", "Y(t) = δ″(t)")),
        correction=r"X(t)=e^{-t}(\delta''(t)-\delta'(t))", depends=("GLW21/def-3.1", "GLW21/eq-6/Y"),
        consequence="X computed as printed has total mass E[e^Y] = E[e^{2X}], not 1"),
    Record("GLW21/rem-3.4", 167, r"X,Y\text{ do not depend on the }P,Q\text{ that represent the curve}",
        Verdict.PROVED, written("The measure δ″ − δ′ is Y, and Y fixes X on ℝ.", attacked(pairs.loss_laws)),
        depends=("GLW21/eq-6/Y",)),
    Record("GLW21/thm-3.5", 171, r"\delta_1\otimes\delta_2=\delta(X_1+X_2\|Y_1+Y_2)",
        Verdict.PROVED, written("The likelihood ratio of independent outcomes is a product; X is never +∞ "
        "and Y never −∞, so the sums are defined.", attacked(pairs.sums))),
    Record("GLW21/thm-3.5/proof", 177, r"X=\log\frac{(Y_1,Y_2)(t_1,t_2)}{(X_1,X_2)(t_1,t_2)}="
        r"\log(e^{t_1}e^{t_2})=t_1+t_2",
        Verdict.PROVED, written("Yᵢ(t) = e^t Xᵢ(t), and products.", attacked(pairs.sums))),
    Record("GLW21/alg-1/period", 200, r"\text{FFT on }h\mathbb Z\cap[-L,L]\text{ adds modulo }2L",
        Verdict.PROVED, written("It has 2n + 1 points, and (2n + 1)h = 2L.",
        attacked(prv.cells_of_the_interval)), sort=Kind.CLAIM, stated="L ∈ h/2 + hℤ_{>0}"),
    Record("GLW21/alg-2/cells", 206, r"n=(L-\tfrac h2)/h:\text{ the cells }|i|\le n\text{ cover }[-L,L]",
        Verdict.PROVED, written("From −nh − h/2 = −L to nh + h/2 = L.", attacked(prv.cells_of_the_interval)),
        reading="but for −L itself, see GLW21/alg-2/lower-end"),
    Record("GLW21/alg-2/mean", 202, r"E[\widetilde Y]=E[Y^L]",
        Verdict.PROVED, written("μ is the difference.", attacked(prv.means)), sort=Kind.CLAIM),
    Record("GLW21/alg-1/support", 198, r"\widetilde Y\text{ is supported on }\mu+(h\mathbb Z\cap[-L,L])"
        r"\text{ for some }\mu\in[0,h/2]",
        Verdict.CORRECTED, corrected(decided(prv.shift_of_randomised_response),
        attacked(prv.shifts_are_half_a_cell)), correction=r"\mu\in[-h/2,h/2]\text{ for one variable, and "
        r"the sum of the shifts for }k", used=("pldverify.accountants.prv:discretize",),
        consequence="code that clips μ at 0, or takes its size as h/2 after composition, is wrong"),
    Record("GLW21/alg-2/coupling", 236, r"|\widetilde Y-Y^L|\le_0 h",
        Verdict.CONDITIONAL, conditional(decided(prv.atom_at_the_lower_end),
        written("|Y^L − ih| ≤ h/2 in a cell, and |μ| ≤ h/2 as a mean of such differences.",
        attacked(prv.cells_are_coupled))), sort=Kind.LEMMA, reading="Lemma D.5 of the supplement, as quoted",
        needed="no atom at −L, see GLW21/alg-2/lower-end", used=("pldverify.accountants.prv:discretize",)),
    Record("GLW21/alg-2/lower-end", 206, r"q_i=\mathrm{CDF}(ih+h/2)-\mathrm{CDF}(ih-h/2),\quad Y^L=Y|_{|Y|"
        r"\le L}",
        Verdict.CONDITIONAL, conditional(decided(prv.atom_at_the_lower_end),
        attacked(prv.cells_are_coupled)), needed="Pr[Y = −L] = 0: the cells are half-open and miss −L, "
        "which the conditioning keeps", consequence="for discrete losses L is to be chosen off the atoms"),
    Record("GLW21/sec-4/infinite-mass", 210, r"\Pr[Y_1+\dots+Y_k=\infty]=1-(1-\delta_1)\cdots(1-\delta_k)",
        Verdict.PROVED, written("Independence of the events Yᵢ < ∞.", attacked(prv.infinite_mass)),
        sort=Kind.EQUATION),
    Record("GLW21/lem-5.2", 222, r"\delta_{\widetilde Y}(\varepsilon+h)-\eta\le\delta_Y(\varepsilon)\le"
        r"\delta_{\widetilde Y}(\varepsilon-h)+\eta",
        Verdict.PROVED, written("pldverify.bounds.coupling:coupling_band", attacked(prv.coupled_curves)),
        aside=Aside.STEP_FALSE, used=("pldverify.bounds.coupling:coupling_band",)),
    Record("GLW21/lem-5.2/proof", 228, r"\delta_Y(\varepsilon)\le\Pr[Y-\widetilde Y\ge h]+\dots\le\eta+"
        r"\dots",
        Verdict.CORRECTED, corrected(decided(prv.differences_at_the_bound), attacked(prv.coupled_curves)),
        correction=r"\Pr[Y-\widetilde Y>h]+\Pr[\widetilde Y\ge\varepsilon-h+Z]",
        reading="“by Theorem 3.2” is Theorem 3.3, and Y − Y + Y is Y − Ỹ + Ỹ"),
    Record("GLW21/lem-5.3", 240, r"\left|\sum Y_i-\sum\widetilde Y_i\right|\le_\eta h\sqrt{2k\log(2/\eta)}",
        Verdict.PROVED, written("pldverify.bounds.coupling:coupling_shift", attacked(prv.coupled_curves)),
        used=("pldverify.bounds.coupling:coupling_shift",)),
    Record("GLW21/lem-5.3/proof", 244, r"2\exp\left(-\frac{2t^2}{k(2h)^2}\right)=\eta\text{ at }t=h\sqrt{2k"
        r"\log\tfrac2\eta}",
        Verdict.PROVED, written("2t²/4kh² = log(2/η).", attacked(prv.hoeffding))),
    Record("GLW21/lem-5.4", 251, r"\Pr[|Y|\ge\varepsilon+t]\le\delta(1+e^{-\varepsilon-t})/(1-e^{-t})",
        Verdict.PROVED, written("pldverify.bounds.loss_tail:loss_tail", attacked(pairs.loss_tails)),
        reading="δ bounds the curves of both orders, as “(ε, δ)-DP algorithm” says",
        stated="t ≥ 0; at t = 0 the right side is infinite", used=("pldverify.bounds.loss_tail:loss_tail",)),
    Record("GLW21/lem-5.4/both-orders", 251, r"\text{“}(\varepsilon,\delta)\text{-DP algorithm”: both "
        r"orders of the pair}",
        Verdict.PROVED, necessary(decided(pairs.one_sided_loss_tail)), sort=Kind.CLAIM,
        reading="a hypothesis that is needed: δ of one order does not do", depends=("GLW21/lem-5.4",),
        consequence="δ of one direction (add or remove alone) does not bound |Y|"),
    Record("GLW21/lem-5.4/four-thirds", 255, r"\Pr[|Y|\ge\varepsilon+2]\le\tfrac43\delta",
        Verdict.PROVED, decided(prv.four_thirds), sort=Kind.CLAIM, stated="ε ≥ 0",
        depends=("GLW21/lem-5.4",)),
    Record("GLW21/sec-5/truncation-costs-delta", 255, r"L=2+\varepsilon\text{ only introduces an additive }"
        r"\delta\text{ error}",
        Verdict.CORRECTED, corrected(decided(prv.truncation_costs_delta), decided(prv.four_thirds)),
        reading="the mass that is cut is at most δ", correction=r"\text{at most }\tfrac43\delta"),
    Record("GLW21/thm-5.5", 257, r"h=\varepsilon_{error}/\sqrt{\tfrac k2\log\tfrac{12}{\delta_{error}}}"
        r"\Rightarrow\delta_{\widetilde Y}(\varepsilon+\varepsilon_{error})-\delta_{error}\le\delta_Y("
        r"\varepsilon)\le\delta_{\widetilde Y}(\varepsilon-\varepsilon_{error})+\delta_{error}",
        Verdict.SUPPORTED, all_of(written("Lemma 5.3 at η = δ_err/6 with cells of width h.",
        attacked(prv.mesh_is_enough)), attacked(accountants.prv_sandwich)),
        needed="exact arithmetic; no atom at −L", reading="the proof is in the supplement; tried with "
        "Lemma 5.3 for cells of width h, and in floats", depends=("GLW21/lem-5.2", "GLW21/lem-5.3",
        "GLW21/lem-5.4"), used=("pldverify.accountants.prv:mesh", "pldverify.accountants.prv:PRVUpper")),
    Record("GLW21/thm-5.5/time", 271, r"O(b\tfrac Lh\log\tfrac Lh)\text{ time}",
        Verdict.NOT_CHECKABLE, not_checkable("the cost of FFTs of length 2L/h, without constants; powers "
        "by squaring add log k"), sort=Kind.COMPLEXITY),
    Record("GLW21/rem-5.6", 273, r"L\ge2+\max\{\varepsilon_{error}+\varepsilon_{\mathcal M}("
        r"\delta_{error}/4),\max_i\varepsilon_{\mathcal M_i}(\delta_{error}/8k)\}\Rightarrow(7)",
        Verdict.PROVED, written("Curves do not rise: Σδ_{Mᵢ}(L − 2) ≤ k · δ_err/8k, and δ_M(L − 2 − ε_err) "
        "≤ δ_err/4.", attacked(accountants.truncation_condition)),
        used=("pldverify.accountants.prv:truncation",)),
    Record("GLW21/sec-6/sampling", 284, r"\text{the algorithm selects a }p\text{ fraction of training "
        r"examples uniformly at random; its PRVs depend only on }p,\sigma",
        Verdict.CONDITIONAL, conditional(decided(accountants.fixed_size_is_not_poisson),
        attacked(accountants.prv_sandwich)), needed="Poisson sampling and add or remove; for a fixed "
        "fraction p and replacement δ is larger", consequence="ε of a Poisson accountant says nothing of "
        "shuffled or fixed-size batches"),
    Record("GLW21/eq-10", 295, r"\delta(\varepsilon)=\Phi(-\tfrac\varepsilon\mu+\tfrac\mu2)-e^\varepsilon"
        r"\Phi(-\tfrac\varepsilon\mu-\tfrac\mu2),\quad\mu=\sqrt k/\sigma",
        Verdict.PROVED, written("k Gaussian losses add up to N(μ²/2, μ²), the loss of one with σ = 1/μ, "
        "GLW21/sec-1/gaussian-curve.", attacked(prv.gaussian_curve)), depends=("GLW21/sec-1/gaussian-curve",
        "GLW21/thm-3.5")),
    Record("GLW21/sec-6/floating-point", 300, r"\text{floating point errors are negligible for the range "
        r"of }\delta\text{ we are interested in}",
        Verdict.NOT_CHECKABLE, not_checkable("names no range; pldverify/bounds/fft_rounding.py bounds what "
        "rounding can do"), used=("pldverify.bounds.fft_rounding:convolution_rounding",)),
    Record("GLW21/fig-3/speed", 306, r"\text{significant reduction in runtime; [KJPH21] unstable beyond "
        r"2,000 steps}",
        Verdict.NOT_CHECKABLE, not_checkable("timings on the authors' machine; the figures are not part of "
        "the text")),
)
