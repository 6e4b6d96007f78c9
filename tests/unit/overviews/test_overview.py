"""Audit ≤ truth ≤ reported against closed forms, and what is said where they contradict each other."""

import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from scipy.special import ndtr

import pldverify as pv
from pldverify.audit import one_run, one_run_gdp
from pldverify.errors import InvalidInput, MissingLibrary
from pldverify.numbers.claim import Promise
from pldverify.values.value import UNKNOWN

DELTA = float(ndtr(0.5 - 1) - math.e * ndtr(-0.5 - 1))
"""δ(1) of Gaussian noise of σ = 1."""


def claim(value: Any, direction: Any = "upper", source: str = "card") -> pv.Claim:
    return pv.Claim(value, direction, source)


def test_claims_are_judged_by_the_proved_number() -> None:
    """ε = 1 at the δ of the closed form, but for rounding of the double."""
    claims = [
        claim(Fraction("0.999")),
        claim(Fraction("1.001")),
        claim(Fraction("1.001"), "lower"),
        claim(1, "estimate"),
    ]
    found = pv.overview("gaussian(1)", delta=DELTA, claims=[*claims, claim(math.inf)])
    assert [str(one.verdict) for one in found.reported] == [
        "UNSOUND",
        "SOUND",
        "UNSOUND",
        "UNDECIDED",
        "SOUND",
    ]
    lower, upper = found.proved.ends
    assert lower is not None and upper is not None and Fraction("0.999") < lower <= upper < Fraction("1.001")
    assert [row[2] for row in found.rows()][1:] == ["≤ 0.999", "≤ 1.001", "≥ 1.001", "≈ 1", "≤ inf"]
    assert len(found.contradictions) == 2 and all("is false of gaussian" in x for x in found.contradictions)


def test_without_delta_all_is_about_mu() -> None:
    found = pv.overview("4 * gaussian(2)", claims=[claim(1), claim(Fraction(999, 1000)), claim(1, "lower")])
    assert found.proved.ends == (1, 1) and found.symbol == "μ"
    assert [str(one.verdict) for one in found.reported] == ["SOUND", "UNSOUND", "SOUND"]


def test_a_claim_next_to_mu_is_decided_as_a_claims_file_decides_it() -> None:
    """Of Laplace noise only what is asked is decided: μ of one step is 2 Φ⁻¹ of its power at the median."""
    found = pv.overview("laplace(1)", claims=[claim(Fraction("1.2")), claim(Fraction("0.9"))])
    lower, upper = pv.gdp("laplace(1)").ends
    assert lower is not None and upper is not None and Fraction("0.9") < lower <= upper < Fraction("1.2")
    assert [str(one.verdict) for one in found.reported] == ["SOUND", "UNSOUND"]


def test_an_audit_above_the_proved_number_says_what_can_be_the_case() -> None:
    audits = [one_run(900, 1000, delta="1e-9"), one_run(60, 100, delta="1e-9")]  # ε ≥ 2 and less than 1
    found = pv.overview("gaussian(5)", delta="1e-9", claims=[claim(2), claim(1)], audits=audits)
    above, of_two, of_one = found.contradictions[1:]
    assert above.startswith("ε ≥ 2.0") and "that is proved" in above and "share of 0.05" in above
    assert all(text in above for text in audits[0].assumes)
    assert "what ran is not gaussian(sigma=5) under add-or-remove" in above
    assert "of that it is proved" in of_two and "the report is false of what ran" in of_one
    assert [row[0] for row in found.rows()] == ["audit", "audit", "truth", "reported", "reported"]


def test_what_agrees_is_not_called_a_contradiction() -> None:
    found = pv.overview(
        "gaussian(1)", delta="1e-5", claims=[claim(5)], audits=[one_run(60, 100, delta="1e-5")]
    )
    assert found.contradictions == ()


def test_a_bound_at_a_larger_delta_holds_and_one_at_a_smaller_is_refused() -> None:
    pv.overview("gaussian(1)", delta="1e-5", audits=[one_run(60, 100, delta="1e-4")])
    with pytest.raises(InvalidInput, match="delta must be at most that of every audit, got delta=1e-5"):
        pv.overview("gaussian(1)", delta="1e-5", audits=[one_run(60, 100)])
    with pytest.raises(InvalidInput, match=r"delta must be given, as audits\[0\]"):
        pv.overview("gaussian(1)", audits=[one_run(60, 100)])


@pytest.mark.parametrize(
    ("value", "error", "delta", "verdict"),
    [
        ("1.1", "0.01", 0, "UNSOUND"),
        ("1.1", "0.1", 0, "SOUND"),
        ("0.05", "3", 0, "SOUND"),
        ("0.9", "0.09", 0, "UNSOUND"),
        ("1", "0.1", "0.1", "UNDECIDED"),
    ],
)
def test_an_estimate_of_mu_is_judged_by_its_promise(value: str, error: str, delta: Any, verdict: str) -> None:
    """It was UNDECIDED. A promise in δ says nothing of μ."""
    promise = Promise(Fraction(error), Fraction(delta))
    claim = pv.Claim(Fraction(value), "estimate", "e", {}, promise)
    assert pv.overview("gaussian(1)", claims=[claim]).reported[0].verdict == verdict


def test_bounds_on_mu_stand_beside_mu() -> None:
    audits = [one_run_gdp(19_900, 20_000), one_run_gdp(60, 100)]  # μ above 1 and below
    found = pv.overview("gaussian(1)", audits=audits)
    assert len(found.contradictions) == 1 and found.contradictions[0].startswith("μ ≥ 1.")
    with pytest.raises(InvalidInput, match=r"delta must be left out, as audits\[0\] is one of μ"):
        pv.overview("gaussian(1)", delta="1e-5", audits=audits)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"audits": [0.5]}, r"audits\[0\] must be a bound of pldverify.audit"),
        ({"claims": [0.5]}, r"claims\[0\] must be a pv.Claim"),
        ({"claims": [claim(math.nan)]}, r"claims\[0\] must be a pv.Claim"),
        ({"delta": 2}, "delta must be in"),
        ({"adjacency": "near"}, "adjacency must be one of"),
    ],
)
def test_what_is_no_claim_or_audit_is_refused(arguments: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        pv.overview("gaussian(1)", **{"delta": "1e-5", **arguments})


def test_where_one_end_is_proved_only_that_is_said() -> None:
    found = pv.overview("discrete_gaussian(2)", claims=[claim(1), claim(Fraction("0.4"))])
    assert found.rows()[0][2].startswith("≥ 0.505") and found.proved.upper is None
    assert [str(one.verdict) for one in found.reported] == ["UNDECIDED", "UNSOUND"]
    nothing = replace(found, proved=UNKNOWN, reported=())
    assert nothing.rows() == [("truth", "", "unknown", "")]


def test_a_page_of_a_notebook_escapes_what_others_wrote() -> None:
    found = pv.overview("gaussian(1)", delta="1e-5", claims=[claim(Fraction(1), source="<script>")])
    assert "<script>" not in found._repr_html_() and "&lt;script&gt;: ε ≤ 1 is false" in found._repr_html_()
    assert "ε ≤ 1 is false" in str(found) and "truth" in repr(found)


@pytest.mark.parametrize(
    "ends", [("gaussian(1)", "1e-5"), ("gaussian(1)", 0), ("discrete_gaussian(2)", None)]
)
def test_the_plot_has_a_line_for_each_number(ends: Any) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    run, delta = ends
    audits = [one_run(90, 100, delta=delta)] if delta is not None else []
    found = pv.overview(
        run, delta=delta, claims=[claim(3), claim(math.inf), claim(2, "estimate")], audits=audits
    )
    axes = found.plot()
    assert len(axes.get_yticklabels()) == len(found.rows())
    assert found.symbol in axes.get_xlabel()
    again = pyplot.subplots()[1]
    assert found.plot(again) is again
    pyplot.close("all")


def test_without_matplotlib_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingLibrary, match="plots need matplotlib"):
        pv.overview("gaussian(1)", delta="1e-5").plot()


# --- the page ---


def drawn(page: str, kind: str) -> list[str]:
    """Paths of the marks of a kind."""
    return re.findall(rf'<g class="{kind}">.*?<path class="mark[ a-z]*" d="([^"]+)"', page, re.DOTALL)


def tick(page: str, label: str) -> float:
    """Where a number stands on the axis."""
    (found,) = re.findall(rf'<text class="x" x="([\d.]+)" y="\d+">{label}</text>', page)
    return float(found)


def test_a_page_draws_each_number_where_it_is() -> None:
    """The tips of arrows, and the proved μ = 1, on an axis with labels at 0 and 1."""
    claims = [claim(Fraction("1.5")), claim(Fraction("0.5")), claim(2, "lower")]
    page = pv.overview("4 * gaussian(2)", claims=claims, audits=[one_run_gdp(90, 100)]).html()
    zero, unit = tick(page, "0"), tick(page, "1") - tick(page, "0")
    tips = [
        float(path.split("L")[1].split()[0]) for kind in ("sound", "unsound") for path in drawn(page, kind)
    ]
    assert [(x - zero) / unit for x in tips] == pytest.approx([1.5, 0.5, 2], rel=1e-3, abs=0)
    (bar,), (audit,) = drawn(page, "truth"), drawn(page, "audit")
    assert [float(x) for x in re.findall(r"[MH]([\d.]+)", bar)] == pytest.approx(
        [zero + unit] * 2, rel=1e-3, abs=0
    )
    assert float(audit.split("L")[1].split()[0]) - zero == pytest.approx(
        unit * float(one_run_gdp(90, 100).mu), rel=1e-3, abs=0
    )
    assert float(audit[1:].split()[0]) < float(audit.split("L")[1].split()[0])  # it points to the right
    assert all(sentence.split(":")[0] in page for sentence in ("card: μ", "What an audit shows"))


def test_what_others_wrote_is_text_on_a_page(tmp_path: Path) -> None:
    found = pv.overview("gaussian(1)", delta=DELTA, claims=[claim(9, source="<script>\x1b\u202e")])
    file = found.save(tmp_path / "page.html")
    page = file.read_text("utf-8")
    assert page == found.html() and "<script" not in page and "&lt;script&gt;\\x1b\\u202e" in page
    assert "default-src 'none'" in page and "<script" not in found._repr_html_()


def test_ends_that_are_not_there_and_numbers_beyond_doubles_have_their_place() -> None:
    found = pv.overview(
        "gaussian(1)", delta=DELTA, claims=[claim(math.inf), claim(Fraction(10**400)), claim(2)]
    )
    nothing = replace(found, proved=UNKNOWN).html()
    tips = [path.split("L")[1].split()[0] for path in drawn(nothing, "sound")]
    assert tips == ["616.0", "616.0", str(round(16 + 600 / 1.15, 2))]
    assert re.findall(r"[MH]([\d.]+)", drawn(nothing, "truth")[0]) == ["16.0", "616.0"]
    assert "nothing is proved of it here" in nothing and "nothing is proved of it here" not in found.html()
    assert found.plot().get_xlim()[1] == pytest.approx(2.3, rel=1e-9, abs=0)
