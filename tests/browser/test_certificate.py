"""The page of a certificate in a browser: quiet, seen as a drawing with a name, narrow enough, checked."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pldverify as pv
from pldverify.certificate.again import page as recheck_page
from pldverify.certificate.html_page import html
from pldverify.claims.page import html as claims
from tests.browser.test_report import CONTRAST
from tests.unit.claims.test_tables import of_hostile, of_shuffled
from tests.unit.test_recheck import STORED

Visit = Callable[..., Any]
DROP = """([name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


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


LAID_OUT = """() => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  const box = (e) => e.getBoundingClientRect();
  const scrolls = (e) => e && (["auto", "scroll"].includes(getComputedStyle(e).overflowX)
    || scrolls(e.parentElement));
  const says = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  const seen = [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && says(e));
  const outside = seen.filter((e) => (box(e).left < -0.5 || box(e).right > innerWidth + 0.5) && !scrolls(e));
  const covers = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const apart = (all) => all.filter((e, i) => all.slice(0, i).some((f) => covers(box(e), box(f))));
  const blocks = "h1, h2, p, ul, ol, dl, table, svg, pre, button";
  const flow = [...document.querySelectorAll(blocks)].filter(
    (e) => e.checkVisibility() && !e.parentElement.closest(blocks) && !scrolls(e.parentElement));
  const over = [...apart(flow), ...apart([...document.querySelectorAll("svg text")])];
  const told = (all) => all.map((e) => e.outerHTML.slice(0, 120));
  const verdict = box(document.querySelector("h1 span"));
  return [verdict.left >= 0 && verdict.right <= innerWidth && verdict.bottom <= innerHeight,
    told(outside), told(over)];
}"""
"""Whether the verdict is seen at once; texts beyond the sides; blocks, and labels of a drawing, on others."""
PLANTED = (
    ("h1 span", "position: absolute; left: -400px", 0),
    ("main p", "width: 3000px; display: block", 1),
    ("main h2", "margin-bottom: -60px; padding-bottom: 30px", 2),
    ("svg text", "font-size: 80px", 2),
)


@pytest.fixture(scope="module")
def long_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of doubles, whose expressions have 52 digits."""
    path = tmp_path_factory.mktemp("long") / "page.html"
    run = pv.from_opacus_history([(1.1, 1 / 60, 180), (0.9, 1 / 70, 7)])
    path.write_text(html(pv.certify(run, 1.3, delta=1e-5)), "utf-8")
    return path


@pytest.mark.sample(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 400])
@pytest.mark.parametrize("which", ["page", "long_page"])
def test_it_is_laid_out(
    visit: Visit, request: pytest.FixtureRequest, which: str, width: int, scheme: str
) -> None:
    seen = visit(request.getfixturevalue(which), width=width, scheme=scheme).page
    assert seen.evaluate(LAID_OUT) == [True, [], []]
    assert seen.evaluate("document.documentElement.scrollWidth") <= width
    least, where = seen.evaluate(CONTRAST)
    assert least >= 4.5, where


@pytest.mark.parametrize(("selector", "style", "place"), PLANTED)
def test_what_is_laid_out_badly_is_told(
    visit: Visit, page: Path, selector: str, style: str, place: int
) -> None:
    seen = visit(page, width=400).page
    every = f"document.querySelectorAll('{selector}')"
    seen.evaluate(f"for (const each of {every}) each.style.cssText = '{style}'")
    found = seen.evaluate(LAID_OUT)[place]
    assert found is False or (place > 0 and found)


def test_the_numbers_open(visit: Visit, page: Path) -> None:
    seen = visit(page)
    rows = seen.page.locator("tbody tr")
    assert not rows.first.is_visible()
    seen.page.get_by_text("The numbers").click()
    assert rows.count() > 60 and rows.first.is_visible()


# --- the page checks itself ---


def test_it_is_decided_again_as_it_opens_and_when_asked(visit: Visit, page: Path) -> None:
    seen = visit(page)
    told = seen.page.locator("#told")
    told.wait_for()
    assert told.inner_text().startswith("CONFIRMED: REFUTED\nclaim: ε <= 0.9 at δ = 1e-6, add-or-remove\n")
    said = seen.page.get_by_role("status").inner_text()
    pattern = (
        r"This certificate, decided again in this browser: CONFIRMED, δ\(ε\) is in \[[^]]+\], [\d.]+ s\."
    )
    assert re.fullmatch(pattern, said), said
    seen.page.get_by_role("button", name="Decide it again").click()
    told.wait_for()
    assert seen.page.get_by_role("status").inner_text().startswith("This certificate, decided again")
    assert seen.console == []


def test_without_a_script_it_says_how_to_check_it(visit: Visit, page: Path) -> None:
    seen = visit(page, script=False)
    assert "No script runs here: the commands above check it." in seen.page.inner_text("main")
    assert not seen.page.get_by_role("button").is_visible()


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        (
            'holds ? "CERTIFIED"',
            'true ? "CERTIFIED"',
            "The checker in this page was changed, and does not run.",
        ),
        ('"epsilon": "0.9"', '"epsilon": "0.8"', "REJECTED: its digest is not that of its content"),
        ('<p id="said"', '<script>alert(1)</script><p id="said"', "CONFIRMED, δ(ε) is in"),
    ],
)
def test_what_was_changed_is_told(
    visit: Visit, page: Path, tmp_path: Path, old: str, new: str, answer: str
) -> None:
    text, planted = page.read_text("utf-8"), tmp_path / "planted.html"
    assert text.count(old) == 1
    planted.write_text(text.replace(old, new), "utf-8")
    seen = visit(planted)
    said = seen.page.get_by_role("status").filter(has_text=answer)
    said.wait_for()
    assert not [each for each in seen.console if each.startswith("dialog")]
    assert any("Content Security Policy" in each for each in seen.console) == (
        "script" in new or "true" in new
    )


@pytest.mark.parametrize("dropped", [True, False])
def test_any_certificate_is_decided_by_a_page_of_its_own(visit: Visit, tmp_path: Path, dropped: bool) -> None:
    path = tmp_path / "recheck.html"
    path.write_text(recheck_page(), "utf-8")
    seen = visit(path)
    for name, answer in (("laplace-certified", "CONFIRMED, δ(ε) is in"), ("forged", "REJECTED: its digest")):
        text = (STORED / "laplace-certified.json").read_text("utf-8")
        data = text if name != "forged" else text.replace('"4.7"', '"4.5"')
        if dropped:
            seen.page.evaluate(DROP, [f"{name}.json", data])
        else:
            file = tmp_path / f"{name}.json"
            file.write_text(data, "utf-8")
            seen.page.get_by_label("A certificate").set_input_files(file)
        said = seen.page.get_by_role("status").filter(has_text=answer)
        said.wait_for()
        assert said.inner_text().startswith(f"'{name}.json', decided again in this browser: {answer}")
    assert seen.console == []
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 1200


@pytest.fixture
def confirmed(visit: Visit, tmp_path: Path) -> tuple[Any, Path]:
    """The page for any certificate that has confirmed one, and its file."""
    path, file = tmp_path / "recheck.html", tmp_path / "one.json"
    path.write_text(recheck_page(), "utf-8")
    file.write_bytes((STORED / "laplace-certified.json").read_bytes())
    seen = visit(path).page
    seen.get_by_label("A certificate").set_input_files(file)
    seen.get_by_text("CONFIRMED: CERTIFIED").wait_for()
    return seen, file


NO_WORKER = "() => { Worker = function () { throw Error('none'); }; }"
BAD_WORKER = """() => { Worker = function () {
  setTimeout(() => this.onerror());
  return Object.assign(this, { postMessage() {}, terminate() {} });
}; }"""
LATE = """() => {
  const read = Blob.prototype.arrayBuffer;
  Blob.prototype.arrayBuffer = function () {
    if (this.size !== 4) return read.call(this);
    return new Promise((done) => { late = () => done(new ArrayBuffer(4)); });
  };
  workers = 0;
  Worker = class extends Worker {
    constructor(url) {
      super(url);
      workers++;
    }
  };
}"""
"""Files of four bytes are read when ``late()`` is called, and workers are counted."""


@pytest.mark.parametrize(
    "spoiled", [None, NO_WORKER, BAD_WORKER], ids=["a file that is gone", "no worker", "a worker that fails"]
)
def test_of_an_earlier_file_nothing_stays(confirmed: tuple[Any, Path], spoiled: str | None) -> None:
    seen, file = confirmed
    if spoiled:
        seen.evaluate(spoiled)
    else:
        file.unlink()
    seen.get_by_label("A certificate").dispatch_event("change")
    seen.get_by_role("status").filter(
        has_text=re.compile("not decided: |FAILED, which says nothing")
    ).wait_for()
    assert "CONFIRMED" not in seen.inner_text("#said") + seen.text_content("#told")
    assert not seen.locator("#told").is_visible() and not seen.locator("#share").is_visible()


def test_a_file_that_is_read_late_does_not_push_out_a_later_one(confirmed: tuple[Any, Path]) -> None:
    seen, _ = confirmed
    seen.evaluate(LATE)
    seen.evaluate(DROP, ["slow.json", "slow"])
    seen.evaluate(DROP, ["quick.json", "{}"])
    said = seen.get_by_role("status").filter(has_text="'quick.json', decided again in this browser: REJECTED")
    said.wait_for()
    workers = "async () => { late(); await new Promise((done) => setTimeout(done)); return workers; }"
    assert seen.evaluate(workers) == 1


def test_a_name_can_not_pass_for_an_answer(confirmed: tuple[Any, Path]) -> None:
    seen, _ = confirmed
    name = "\u202ex.json: CONFIRMED, δ(ε) is in [0, 1], 0.1 s.\n" + 80 * " "
    seen.evaluate(DROP, [name, "{}"])
    said = seen.get_by_role("status").filter(has_text="REJECTED")
    said.wait_for()
    assert said.text_content().startswith(rf"'\u202e{name[1:40]}', decided again in this browser: REJECTED: ")


def test_a_chosen_file_can_be_chosen_again(confirmed: tuple[Any, Path]) -> None:
    """A browser tells of no choice that changes nothing, though the file may be another by now."""
    seen, _ = confirmed
    with seen.expect_file_chooser():
        seen.get_by_label("A certificate").click()
    assert seen.get_by_label("A certificate").input_value() == ""
