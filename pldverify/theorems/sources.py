"""What the package takes from outside of the five papers, and whether the cited number was seen.

None of these papers was at hand. Where another program's source cites the same statement by the same number,
that is said; else the number is "not looked up".
"""

from typing import NamedTuple

NOT_LOOKED_UP = "not looked up"


class Source(NamedTuple):
    """A statement of an outside source: who, where, what we take, in which file, how its number is known."""

    name: str
    place: str
    taken: str
    file: str
    seen: str


SOURCES = (
    Source(
        "Balle, Barthe, Gaboardi 2018",
        "Theorem 9",
        "sampling without replacement",
        "pldverify/mechanisms/sampled_without_replacement.py",
        "second hand: a survey in a public repository names it so",
    ),
    Source(
        "Balle, Barthe, Gaboardi 2018",
        "Theorem 2",
        "advanced joint convexity",
        "pldverify/mechanisms/sampled_without_replacement.py",
        NOT_LOOKED_UP,
    ),
    Source(
        "Balle, Barthe, Gaboardi 2018",
        "Theorem 10",
        "sampling with replacement",
        "pldverify/mechanisms/sampled_with_replacement.py",
        "second hand: a survey in a public repository names it so",
    ),
    Source(
        "Zhu, Dong, Wang 2022",
        "Theorem 11",
        "dominating pairs of Poisson samples, both directions",
        "pldverify/mechanisms/poisson_subsampled.py",
        "second hand: autodp's phi_bank names it so",
    ),
    Source(
        "Zhu, Dong, Wang 2022",
        "Proposition 12",
        "dominance of the Laplace pair",
        "pldverify/mechanisms/laplace.py",
        NOT_LOOKED_UP,
    ),
    Source(
        "Lebeda, Regehr, Kamath, Steinke 2024",
        "no number",
        "neither direction bounds the other",
        "pldverify/mechanisms/poisson_subsampled.py",
        "the abstract says so; no number was looked up",
    ),
    Source(
        "Asoodeh et al. 2020",
        "Theorem 2",
        "the best conversion of one Rényi order",
        "pldverify/accountants/rdp_to_dp.py",
        NOT_LOOKED_UP,
    ),
    Source(
        "Canonne, Kamath, Steinke 2020",
        "Proposition 12",
        "conversion of a Rényi order",
        "pldverify/accountants/rdp_to_dp.py",
        "second hand: dp-accounting's Rényi accountant names it so, in version 4",
    ),
    Source(
        "Balle et al. 2020",
        "Theorem 21",
        "the same conversion in another form",
        "pldverify/accountants/rdp_to_dp.py",
        "second hand: autodp's converter names it so",
    ),
    Source(
        "Kairouz, Oh, Viswanath 2017",
        "Theorem 3.3",
        "optimal composition of equal (ε, δ)",
        "pldverify/accountants/kairouz_oh_viswanath.py",
        "second hand: dp-accounting's PLD accountant names it so, in arXiv 1311.0776",
    ),
    Source(
        "Kairouz, Oh, Viswanath 2015",
        "Theorem 3.1",
        "the pair that dominates every (ε, δ)-DP mechanism",
        "pldverify/mechanisms/approximate_dp.py",
        NOT_LOOKED_UP,
    ),
    Source(
        "Higham",
        "Theorem 24.2",
        "rounding of an FFT, pass by pass",
        "pldverify/bounds/fft_rounding.py",
        NOT_LOOKED_UP,
    ),
    Source(
        "Murtagh and Vadhan 2016",
        "Theorem 1.5",
        "optimal composition of unequal (ε, δ)",
        "pldverify/reference/engines/closed/atoms.py",
        NOT_LOOKED_UP,
    ),
)


def table() -> str:
    """All, as Markdown.

    >>> print(table().splitlines()[0])
    | source | place | what is taken | where | the number |
    """
    rows = [f"| {s.name} | {s.place} | {s.taken} | `{s.file}` | {s.seen} |" for s in SOURCES]
    return "\n".join(
        ["| source | place | what is taken | where | the number |", "|---|---|---|---|---|", *rows]
    )
