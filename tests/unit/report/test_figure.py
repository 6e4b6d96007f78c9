"""Figures: every point in its place, few enough to draw, and words for who does not see them."""

import re

from pldverify.report import records
from pldverify.report.figure import BOX, MOST_FIGURES, Figure, against_time, over_parameters
from tests.unit.report.findings import failed, finding, unsound

ORDER = {"planted/upper": 0, "other": 1}


def poisson(sigma: object, **changed: object) -> dict[str, object]:
    return finding(composition=f"10 * poisson(gaussian(sigma={sigma}), q=0.1)", **changed)


def figures(*documents: dict[str, object], unit: str = "ε") -> dict[str, Figure]:
    return {each.title: each for each in over_parameters(records(documents), ORDER, unit)}


def places(figure: Figure) -> list[tuple[float, float]]:
    found = [pair for mark in figure.marks for pair in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", mark.path)]
    return [(float(x), float(y)) for x, y in found]


def test_only_what_varies_is_drawn() -> None:
    assert list(figures(poisson(1), poisson(2))) == ["noise σ"]
    assert set(figures(poisson(1), poisson(2), poisson(2, delta="1e-5"))) == {"noise σ", "δ of the question"}


def test_points_stand_inside_and_in_order() -> None:
    figure = figures(*(poisson(s, tightness_float=t) for s, t in ((1, 1e-6), (2, 1e-3), (4, 1.0))))["noise σ"]
    points = sorted(places(figure))
    assert [x for x, _ in points] == sorted({x for x, _ in points}), "three places"
    assert [y for _, y in points] == sorted((y for _, y in points), reverse=True), "more slack is higher up"
    for x, y in points:
        assert BOX.left <= x <= BOX.end and BOX.top <= y <= BOX.floor
    assert [tick.label for tick in figure.xs] == ["1", "2", "4"]
    middle = points[1][0]
    assert abs(2 * middle - points[0][0] - points[2][0]) <= 4, "equal ratios are equal distances"


def test_a_violation_is_another_kind_of_point() -> None:
    figure = figures(poisson(1), unsound(composition="poisson(gaussian(sigma=2), q=0.1)"))["noise σ"]
    assert {mark.kind for mark in figure.marks} == {"slack", "violation"}
    assert figure.marks[-1].kind == "violation", "drawn above the others"
    assert "1 sound claims give away in ε" in figure.description
    assert "1 unsound claims are wrong in ε by 0.5 at most" in figure.description


def test_what_has_no_logarithm_is_counted() -> None:
    figure = figures(poisson(1), poisson(2, tightness_float=0.0), poisson(0), poisson(3))["noise σ"]
    assert figure.left_out == 2


def test_points_on_the_same_spot_are_one() -> None:
    many = [poisson(1 + i % 2, tightness_float=0.1 + i * 1e-9) for i in range(4_000)]
    assert len(places(figures(*many)["noise σ"])) <= 2 * (1 + BOX.height // 2)


def test_the_number_of_figures_is_bounded() -> None:
    documents = [finding(composition=f"m({', '.join(f'p{j}={i + 1}' for j in range(40))})") for i in range(2)]
    assert len(figures(*documents)) == MOST_FIGURES


def test_margins_over_the_true_value() -> None:
    wrong = [unsound(quantity="delta", composition=f"gaussian(sigma={s})") for s in (1, 2)]
    assert figures(*wrong) == {}
    assert figures(*wrong, unit="relative")["noise σ"].unit == "relative"


def test_nothing_to_draw() -> None:
    assert figures() == figures(failed(), failed()) == {}
    assert against_time(records([failed()]), ORDER, "ε") is None


def test_medians_stand_where_half_is_faster() -> None:
    documents = [poisson(1, seconds=s, tightness_float=1.0) for s in (0.1, 1.0, 10.0)]
    figure = against_time(records(documents), ORDER, "ε")
    assert figure is not None
    (median,) = figure.medians
    assert sorted(x for x, _ in places(figure))[1] == 2 * round(median.x / 2)


def test_extreme_numbers() -> None:
    documents = [poisson(s, tightness_float=t) for s, t in ((1e-300, 5e-324), (1e300, 1e300), (1, 1e-17))]
    figure = figures(*documents)["noise σ"]
    assert len(places(figure)) == 3
    assert all("nan" not in mark.path and "inf" not in mark.path for mark in figure.marks)
