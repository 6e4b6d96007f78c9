"""The page of a certificate in a browser: quiet, seen as a drawing with a name, and narrow enough."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pldverify as pv
from pldverify.certificate.html_page import html
from pldverify.claims.page import html as claims
from tests.browser.test_report import CONTRAST
from tests.unit.claims.test_tables import of_hostile, of_shuffled

Visit = Callable[..., Any]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a refuted claim."""
    path = tmp_path_factory.mktemp("certificate") / "page.html"
    query = pv.Query(100 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), delta="1e-6")
    path.write_text(html(pv.certify(query, "0.9")), "utf-8")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (360, "dark")])
def test_it_is_quiet_drawn_and_narrow_enough(visit: Visit, page: Path, width: int, scheme: str) -> None:
    seen = visit(page, width=width, scheme=scheme)
    assert seen.console == []
    drawing = seen.page.get_by_role("img", name="with the claim ε ≤ 0.9 at δ = 1e-6 on it: REFUTED")
    assert drawing.bounding_box()["width"] > 300
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    painted = "getComputedStyle(document.querySelector('.profile.box')).fill !== 'rgb(0, 0, 0)'"
    assert seen.page.evaluate(painted), "the style is let in"


@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (400, "dark")])
def test_verdicts_of_claims_are_seen(visit: Visit, tmp_path: Path, width: int, scheme: str) -> None:
    path = tmp_path / "claims.html"
    path.write_text(claims([of_shuffled(), of_hostile()]), "utf-8")
    seen = visit(path, width=width, scheme=scheme)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    verdicts = seen.page.locator("td:not(:empty)[data-label=literally]")
    boxes = [each.bounding_box() for each in verdicts.all()]
    assert len(boxes) >= 2 and all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    told = seen.page.locator(".wide").evaluate("each => each.scrollWidth <= each.clientWidth")
    assert told and seen.console == []
    assert seen.page.evaluate(CONTRAST)[0] >= 4.5


def test_the_numbers_open(visit: Visit, page: Path) -> None:
    seen = visit(page)
    rows = seen.page.locator("tbody tr")
    assert not rows.first.is_visible()
    seen.page.get_by_text("The numbers").click()
    assert rows.count() == 65 and rows.first.is_visible()
