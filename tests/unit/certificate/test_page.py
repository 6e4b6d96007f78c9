"""The page of a certificate: its drawing is true, its words are the ruling's, the checker alone runs."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import mpmath
import pytest

import pldverify as pv
from pldverify import recheck
from pldverify.certificate import figure, words
from pldverify.certificate.curve import points, reach
from pldverify.certificate.gap import gap
from pldverify.certificate.html_page import html
from pldverify.certificate.issue import document
from pldverify.certificate.markdown_page import markdown
from pldverify.certificate.plain import Told, training
from pldverify.mechanisms.relations import Adjacency
from pldverify.rulings.certify import Certificate
from tests.teeth.planted import planted
from tests.unit.certificate.drawn import between_steps

SHUFFLED = pv.ShuffledBatches(pv.Gaussian(1), batches=100)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brackets cost a tenth of a second each."""
    monkeypatch.setattr("pldverify.certificate.curve.COARSE", 4)


def certified(composition: Any, epsilon: Any, delta: Any = "1e-6", **more: Any) -> Certificate:
    return pv.certify(pv.Query(composition, delta=delta), epsilon, **more)


# --- the drawing ---


def gaussian_delta(epsilon: Fraction) -> Fraction:
    """δ(ε) of N(1, 1) against N(0, 1): Balle and Wang 2018, Theorem 8."""
    with mpmath.workdps(30):
        e = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        found = mpmath.ncdf(mpmath.mpf(1) / 2 - e) - mpmath.exp(e) * mpmath.ncdf(-mpmath.mpf(1) / 2 - e)
        return Fraction(mpmath.nstr(found, 20))


def outside(module: ModuleType) -> list[Fraction]:
    """The ε at which the true δ of a Gaussian is not where the drawing says that it is."""
    axes = module.frame(Fraction(4), Fraction(1, 10**3))
    rows = points(pv.Query(pv.Gaussian(1), delta="1e-3"), Fraction(4))[::8]
    found = module.curve([(point.epsilon, point.delta) for point in rows], axes)
    asked = (Fraction(i, 50) for i in range(200))
    return [e for e in asked if not between_steps(found.boxes, axes.across(e), axes.up(gaussian_delta(e)))]


def test_the_true_profile_is_inside_of_the_drawing_everywhere() -> None:
    assert outside(figure) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("zip(highs, xs[1:], strict=False)", "zip(highs[1:], xs[1:], strict=True)"),
        ("zip(lows[:0:-1], xs[-2::-1], strict=True)", "zip(lows[-2::-1], xs[-2::-1], strict=True)"),
        ("highs = [axes.up(value.upper)", "highs = [axes.up(value.upper / 2)"),
    ],
)
def test_a_drawing_that_is_wrong_between_the_points_would_be_seen(old: str, new: str) -> None:
    assert outside(planted(figure, (old, new)))


@pytest.mark.parametrize(
    ("composition", "delta", "epsilon"),
    [
        (pv.Gaussian(1), "1e-4", "1e400"),
        (pv.Gaussian(1), "1e-400", 5),
        (pv.Gaussian(1), 1, 0),
        (pv.Laplace(1), 0, 1),
        (pv.ApproximateDP("0.1", "1e-5"), "1e-6", 5),
        (pv.ApproximateDP("0.1", "1e-5"), "1e-6", "1e400"),
        (pv.Gaussian("1e-9"), "1e-4", 10),
        (pv.GDP("sqrt(2)/10"), "1e-4", "ln(2)"),
        (pv.ZCDP("0.1"), "1e-4", 1),
        (SHUFFLED, 0, 5),
    ],
)
def test_every_place_of_a_drawing_is_on_it(composition: Any, delta: Any, epsilon: Any) -> None:
    certificate = certified(composition, epsilon, delta)
    page = html(certificate)
    places = re.findall(r' d="M([\d.]+) ([\d.]+)[HLVhl]', page)
    assert len(places) == page.count(' d="M') > 5
    assert all(0 <= float(x) <= figure.BOX.width and 0 <= float(y) <= figure.BOX.height for x, y in places)


def test_where_the_true_epsilon_is_infinite_the_drawing_ends_with_delta() -> None:
    """Points at which δ is 1e-300000 took minutes."""
    top = reach(certified(pv.Gaussian(1), 1000, delta=0))
    assert 1e-200 < gaussian_delta(top) < 1e-12


def test_the_numbers_are_round_and_proved() -> None:
    certificate = certified(pv.Gaussian(1), 5)
    found = points(certificate.query, reach(certificate))
    for point in found:
        epsilon, low, high = words.row(point)
        assert len(epsilon) <= 8
        assert Fraction(low) <= gaussian_delta(point.epsilon) <= Fraction(high)


# --- the words ---


@pytest.mark.parametrize(
    ("composition", "epsilon", "verdict", "said"),
    [
        (
            pv.Gaussian(1),
            5,
            "CERTIFIED",
            ["The claim is true.", "smaller than the claimed one, by at least 0.1"],
        ),
        (
            pv.Gaussian(1),
            4,
            "REFUTED",
            ["The claim is false.", "greater than the claimed one, by at least 0.8"],
        ),
        (
            SHUFFLED,
            "4.8",
            "UNDECIDED",
            ["neither proved nor disproved", "lies between these two ends", "Poisson account"],
        ),
        (pv.KJH19Substitute(pv.Gaussian(2), "0.3"), 9, "CONDITIONAL", ["a paper prints"]),
    ],
)
def test_the_ruling_is_told(composition: Any, epsilon: Any, verdict: str, said: list[str]) -> None:
    certificate = certified(composition, epsilon)
    assert certificate.verdict == verdict
    for page in (html(certificate), markdown(certificate)):
        assert all(text in page for text in [verdict, words.claim(certificate), *said])
        assert "pv.bracket" not in page.partition("profile")[0], "who reads it knows no Python"
        assert document(certificate).sha256 in page and words.NEIGHBOURS[certificate.query.adjacency] in page
        assert ("Poisson account" in page) == (composition is SHUFFLED)


def test_every_adjacency_has_words() -> None:
    assert set(words.NEIGHBOURS) == set(get_args(Adjacency))


@pytest.mark.parametrize(
    ("composition", "standing", "whose", "true_to_the_right"),
    [
        (pv.Gaussian(1), "exact", "the mechanism", True),
        (pv.GDP(1), "exact", "the worst mechanism that has what is stated", True),
        (pv.SampledWithReplacement(pv.Gaussian(1), m=2, n=10), "upper bound", "the pairs", True),
        (pv.KJH19Substitute(pv.Gaussian(2), "0.3"), "lower bound", "the pairs", False),
    ],
)
def test_a_profile_of_the_pairs_is_not_called_the_mechanisms(
    composition: Any, standing: str, whose: str, true_to_the_right: bool
) -> None:
    certificate = certified(composition, 9)
    assert certificate.truth_is == standing
    page, text = html(certificate), markdown(certificate)
    said = words.of_pairs(certificate)
    assert bool(said) == (whose != "the mechanism")
    assert said.replace("'", "&#39;") in page and said in text
    assert f"where the δ of {whose} is proved" in page
    assert ("from end to end, the true ε" in page) == (whose == "the mechanism")
    assert ("true if its mark is to the right of all" in page) == true_to_the_right


def test_a_page_has_no_more_time_than_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points that take too long are fewer, in brackets: of one page they took over 100 s."""
    made = certified("20 * laplace(b=10)", 1)
    assert len(points(made.query, Fraction(2))) == 65
    monkeypatch.setattr("pldverify.certificate.curve._SECONDS", 0)
    assert len(points(made.query, Fraction(2))) == 5


def test_where_points_are_wide_it_says_why() -> None:
    made = certified("20 * laplace(b=10)", 1)
    narrow, hidden = (
        points(pv.Query(run, delta="1e-6"), Fraction(2)) for run in (made.query.composition, SHUFFLED)
    )
    wide = [point._replace(delta=replace(point.delta, lower=Fraction(0))) for point in narrow]
    said = words.rests_on(wide, made)[-1]
    assert "no more digits are proved" in said and not words.rests_on(narrow, made)
    assert not words.rests_on(hidden, made)  # both ends are apart for good, whatever the time


def test_no_gap_is_told_of_pairs_that_may_not_be_attained() -> None:
    """Their least ε was told as that of what was run; that of promises, too."""
    assert gap(pv.Query(SHUFFLED + pv.Gaussian(9), delta="1e-6")) is not None
    bounded = SHUFFLED + pv.SampledWithReplacement(pv.Gaussian(1), m=2, n=10)
    assert gap(pv.Query(bounded, delta="1e-6")) is None
    for stated in (pv.PureDP("0.5"), pv.FinitePair(p=["0.6", "0.4"], q=["0.4", "0.6"]), pv.GDP("0.5")):
        assert gap(pv.Query(SHUFFLED + stated, delta="1e-6", adjacency="zero-out")) is None


def test_the_gap_is_what_is_proved() -> None:
    """ε of the largest sum alone, 4.68091, and 0.95422: computed independently."""
    found = gap(pv.Query(SHUFFLED, delta="1e-6"))
    assert found is not None
    text = " ".join(found.sentences())
    assert "at most 0.9543" in text and "at least 4.68" in text
    claimed = Fraction(text.split("too small by at least ")[1].rstrip("."))
    assert claimed <= Fraction("4.6825") - Fraction("0.95421") < claimed + Fraction(1, 100)


def test_the_gap_of_an_account_is_not_that_of_what_was_run() -> None:
    """Poisson batches were run, and the account's ε was called the run's."""
    found = gap(pv.Query(SHUFFLED, delta="1e-6"))
    assert found is not None and "what was run" not in " ".join(found.sentences(ran=False))


@pytest.mark.slow
def test_the_page_of_an_account_does_not_say_that_poisson_batches_were_not_run() -> None:
    certificate = certified(SHUFFLED, 9)
    for ran in (True, False):
        page = html(certificate, told=Told(ran=ran))
        assert ("The ε of what was run is at least" in page) == ran == ("which were not run" in page)
        assert ("The ε of this composition is at least" in page) == (not ran)
        assert "the same for Poisson batches" in page


def test_no_gap_is_told_where_none_is_proved() -> None:
    found = gap(pv.Query(pv.ShuffledBatches(pv.Gaussian(9), batches=2), delta="1e-3"))
    assert found is not None and "No gap between the two is proved here." in found.sentences()
    assert gap(pv.Query(pv.Gaussian(9), delta="1e-3")) is None


def test_what_the_page_says_to_run_is_the_same_question() -> None:
    certificate = certified(3 * pv.Laplace("1/3"), "2.5", relation=">=")
    assert words.command(certificate) == (
        "pldverify certify '3 * laplace(b=1/3)' --delta 1e-6 --epsilon '>= 2.5' --adjacency add-or-remove"
    )


# --- alone and harmless ---


def test_it_loads_nothing_and_runs_the_checker_alone() -> None:
    certificate = replace(certified(pv.Laplace(1), 2), reason="</script><script>alert(1)</script><!--")
    page = html(certificate)
    assert "<script>alert" not in page and "&lt;script&gt;" in page and "<!--" not in page
    assert not re.search(r"""(src|href)=|url\(|@import|https?:""", page.split("<section")[0])
    (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    assert "@media print" in style
    (content, checker, glue) = re.findall("<script[^>]*>(.*?)</script>", page, re.DOTALL)
    assert content.startswith("{") and page.count('<script id="certificate" type="application/json">{') == 1
    assert json.loads(content) == json.loads(document(certificate).text())
    assert checker == Path(recheck.__file__).with_suffix(".js").read_text("utf-8")
    assert "default-src &#39;none&#39;" in page and "worker-src blob:; script-src &#39;sha256-" in page
    for text in (style, checker, glue):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert digest in page


# --- read by somebody who knows no privacy ---

RUN = pv.dp_sgd(noise_multiplier="1.1", batch_size=100, dataset_size=6000, epochs=3)
BATCHES = {"batch_size": Fraction(100), "dataset_size": Fraction(6000), "epochs": Fraction(3)}
READ = {
    "certified": (RUN, "<=", 3, training(RUN, **BATCHES), "180 * poisson", "is true", "is right on at most"),
    "refuted": (RUN, "<=", 1, training(RUN, **BATCHES), "3 epochs (180 steps)", "is false", "or more"),
    "shuffled": (SHUFFLED, "<=", "4.8", "", "random order of the records", "neither proved nor", "at most"),
    "group": (pv.GroupDP("0.1", "1e-7", 3), "<=", 1, "", "group_dp", "is true", "at most"),
    "guarantee": (pv.ZCDP("1/2"), "<=", 3, "", "zcdp", "do not imply it", "at most"),
    "no smaller": (
        pv.Laplace(1),
        ">=",
        2,
        "",
        "Laplace noise",
        "is false. That is proved, of what is stated",
        "at most",
    ),
}
"""A run, a claim of it, and words that answer: what was run, is it true, how sure."""


def section(page: str, name: str) -> str:
    """The text of a section, by the id of its heading."""
    (found,) = re.findall(rf'<section aria-labelledby="{name}">(.*?)</section>', page, re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found)).split())


@pytest.mark.parametrize("name", READ)
def test_five_questions_are_answered_by_the_page_alone(name: str) -> None:
    composition, relation, epsilon, run, ran, ruled, sure = READ[name]
    certificate = certified(composition, epsilon, relation=relation)
    page = html(certificate, told=Told(run, Fraction(6000) if run else None))
    assert ran in section(page, "h-run") and "So it was stated" in section(page, "h-run")
    assert run in section(page, "h-run")
    promised = section(page, "h-meaning")
    assert "The promise is:" in promised and words.NEIGHBOURS[certificate.query.adjacency] in promised
    assert sure in promised and "tossing a coin" in promised
    assert ruled in section(page, "h-ruling") and "Proved: true ε" in section(page, "h-ruling")
    assert f"{words.SIGNS[relation]} {epsilon}" in page.split("</h1>")[0]
    checks = section(page, "h-again")
    assert "pldverify recheck certificate.json" in checks and document(certificate).sha256 in checks
    assumed = section(page, "h-assumed")
    assert all(each.text in assumed for each in document(certificate).assumptions)
    said = "nothing is proved" in assumed or "that is not proved" in assumed
    assert said == (certificate.verdict != "UNDECIDED")
