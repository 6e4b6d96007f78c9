"""The site is built without a warning, leads nowhere else, and can be used in a browser, narrow and dark."""

import fcntl
import functools
import http.server
import io
import os
import re
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pldverify.theorems import records
from tests.browser import site as checks
from tests.browser.test_report import CONTRAST

ROOT = Path(__file__).parents[2]
Visit = Callable[..., Any]
BUILT = pytest.mark.slow
"""The site takes half a minute to build; ``tests/unit/test_docs.py`` follows links as they are written."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once, also where several processes run the tests."""
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "site"
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
            command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)]
            built = subprocess.run(
                command,
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": path, "NO_MKDOCS_2_WARNING": "1"},
                capture_output=True,
                text=True,
            )
            folder.with_suffix(".log").write_text(built.stdout + built.stderr, "utf-8")
    said = folder.with_suffix(".log").read_text("utf-8")
    assert not said, said
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Visit]:
    """``open_page("errata.html", width=400)``: the page, and a list of all that went wrong on it."""
    contexts = []

    def open_page(path: str, *, width: int = 1300, scheme: str = "light") -> tuple[Any, list[str]]:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        context.set_default_timeout(int(os.environ.get("PATIENCE", 600_000)))
        contexts.append(context)
        page, wrong = context.new_page(), []
        page.on("console", lambda said: wrong.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("request", lambda asked: asked.url.startswith(address) or wrong.append(asked.url))
        page.on(
            "response", lambda got: wrong.append(f"{got.status}: {got.url}") if got.status >= 400 else None
        )
        page.goto(address + path)
        return page, wrong

    yield open_page
    for context in contexts:
        context.close()


@BUILT
def test_every_link_leads_somewhere(site: Path) -> None:
    assert checks.broken(site) == []
    assert len(checks.pages(site)) > 50


@BUILT
def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert checks.foreign(site) == []


@BUILT
def test_every_record_has_its_place(site: Path) -> None:
    found = {
        path.stem: page.anchors for path, page in checks.pages(site).items() if path.parent.name == "ledger"
    }
    for each in records():
        assert each.id.partition("/")[2].replace("/", "-") in found[each.paper.lower()], each.id


@BUILT
def test_no_formula_and_no_role_is_left_as_it_was_written(site: Path) -> None:
    pages = checks.pages(site)
    assert [path for path in pages if 'class="arithmatex"' in path.read_text("utf-8")] == []
    shown = {path: path.read_text("utf-8") for path in pages if path.parent.name == "api"}
    assert [path for path, text in shown.items() if ":math:" in text or ":func:" in text] == []
    assert any("<math" in text for text in shown.values())


@BUILT
def test_no_page_scrolls_sideways_or_complains(open_page: Visit, site: Path, address: str) -> None:
    page, wrong = open_page("index.html", width=400)
    for path in checks.pages(site):
        name = path.relative_to(site).as_posix()
        page.goto(address + name)
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, name
        assert wrong == [], name


@BUILT
def test_what_goes_wrong_would_be_seen(open_page: Visit) -> None:
    page, wrong = open_page("index.html", width=400)
    page.evaluate("document.querySelector('h1').style.width = '900px'")
    assert page.evaluate("document.documentElement.scrollWidth") > 400
    page.evaluate("fetch('https://example.invalid/font').catch(() => console.error('no'))")
    page.wait_for_function("performance.getEntriesByType('resource').length > 0")
    assert "https://example.invalid/font" in wrong


@BUILT
@pytest.mark.parametrize("width", [400, 1300])
def test_search(open_page: Visit, width: int) -> None:
    page, wrong = open_page("index.html", width=width)
    if width == 400:
        page.locator("label.md-header__button[for=__search]").click()
    page.get_by_role("textbox", name="Search").press_sequentially("moments accountant")
    first = page.locator(".md-search-result__link").first
    first.wait_for()
    first.click()
    page.wait_for_url("**/*.html?h=*")
    assert "moments" in page.locator(".md-content").inner_text().lower() and wrong == []


@BUILT
def test_a_search_finds_the_name_before_its_plural(open_page: Visit) -> None:
    page, wrong = open_page("index.html")
    page.get_by_role("textbox", name="Search").press_sequentially("epsilon")
    names = page.locator(".md-search-result__article h1, .md-search-result__article h2")
    names.filter(has_text=re.compile("^epsilons?$")).first.wait_for()
    told = [name for name in names.all_inner_texts() if name in ("epsilon", "epsilons")]
    assert told[0] == "epsilon" and wrong == []


@BUILT
def test_the_matrix_fits_without_bars_and_is_sorted(open_page: Visit) -> None:
    page, wrong = open_page("accountants.html")
    assert page.locator(".md-sidebar:visible").count() == 0
    table = page.locator("table[data-sortable]")
    assert table.bounding_box()["x"] + table.bounding_box()["width"] <= 1300
    in_all = "table[data-sortable] tbody td:first-of-type"
    before = page.locator(in_all).all_inner_texts()
    table.get_by_role("button", name="in all").click()
    assert table.locator("th[aria-sort=descending]").inner_text() == "in all"
    colours = [set(each.split()) for each in page.locator(f"{in_all} > .verdict").evaluate_all(CLASSES)]
    order = [next(i for i, name in enumerate(("bad", "fair", "open", "good")) if name in c) for c in colours]
    assert order == sorted(order) and order[0] < order[-1]
    table.get_by_role("button", name="accountant", exact=True).click()
    names = table.locator("tbody th").all_inner_texts()
    assert names == sorted(names, key=str.casefold)
    assert sorted(page.locator(in_all).all_inner_texts()) == sorted(before) and wrong == []


CLASSES = "all => all.map(each => each.className)"


@BUILT
def test_a_wide_table_says_that_it_scrolls_and_keeps_its_first_column(open_page: Visit) -> None:
    page, _ = open_page("accountants.html", width=400)
    wrap = page.locator(".md-typeset__scrollwrap").first
    page.locator(".md-typeset__scrollwrap.scrolls").first.wait_for()
    assert "scrolls" in wrap.evaluate("each => getComputedStyle(each, '::before').content")
    assert wrap.get_attribute("tabindex") == "0"
    first, second = wrap.locator("tbody th").first, wrap.locator("tbody td").first
    before = second.bounding_box()["x"]
    wrap.evaluate("each => { each.scrollLeft = 300 }")
    assert second.bounding_box()["x"] < before - 250 and first.bounding_box()["x"] >= 0
    page, _ = open_page("install.html")
    assert page.locator(".md-typeset__scrollwrap.scrolls").count() == 0


@BUILT
@pytest.mark.parametrize(
    ("width", "scheme"), [(1300, "light"), (1300, "dark"), (400, "light"), (400, "dark")]
)
def test_verdicts_are_seen_at_once(
    open_page: Visit, site: Path, address: str, width: int, scheme: str
) -> None:
    page, _ = open_page("index.html", width=width, scheme=scheme)
    names = [path.relative_to(site).as_posix() for path in checks.pages(site)]
    seen = 0
    for name in names:
        if "notebooks/" in name or "api/" in name:
            continue
        page.goto(address + name)
        page.wait_for_load_state("load")
        found, outside, overlapping = page.evaluate(VERDICTS)
        assert (outside, overlapping) == ([], []), name
        seen += found
    assert seen > 300


VERDICTS = """() => {
  const words = /^(CERTIFIED|REFUTED|CONDITIONAL|UNDECIDED|PROVED|CORRECTED)$/;
  const verdicts = [...document.querySelectorAll(".verdict, td")]
    .filter((e) => e.checkVisibility() && (e.matches(".verdict") || words.test(e.textContent.trim())));
  const rows = new Map();
  verdicts.forEach((e) => { const row = e.closest("tr") ?? e; if (!rows.has(row)) rows.set(row, e); });
  const box = (e) => e.getBoundingClientRect();
  const outside = [...rows.values()].filter((e) => box(e).left < 0 || box(e).right > innerWidth);
  const covers = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const overlapping = [...document.querySelectorAll("tbody tr")].filter((row) => {
    const cells = [...row.cells].map(box);
    return cells.some((one, i) => i > 0 && covers(cells[i - 1], one));
  });
  const told = (all) => all.map((e) => e.outerHTML.slice(0, 120));
  return [rows.size, told(outside), told(overlapping)];
}"""
"""How many rows and records have a verdict; verdicts that are not seen; rows whose cells lie on another."""


@BUILT
def test_a_verdict_that_is_not_seen_would_be_told(open_page: Visit) -> None:
    page, _ = open_page("accountants.html", width=400)
    page.evaluate("document.querySelector('tbody td').style.paddingLeft = '500px'")
    assert page.evaluate(VERDICTS)[1]
    page, _ = open_page("accountants.html", width=400)
    page.evaluate("document.querySelector('tbody td').style.cssText = 'position: relative; left: -60px'")
    assert page.evaluate(VERDICTS)[2]


@BUILT
def test_formulas_on_lines_of_their_own(open_page: Visit) -> None:
    page, _ = open_page("notebooks/your_own_mechanism.html")
    tops = (
        page.locator("math mtable")
        .first.locator("mtr")
        .evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    )
    assert len(tops) >= 5 and tops == sorted(set(tops))
    assert "&" not in "".join(page.locator("math").all_text_contents())


@BUILT
def test_signatures_and_their_inventory(open_page: Visit, site: Path) -> None:
    page, _ = open_page("api/mechanisms.html")
    signatures = " ".join(" ".join(page.locator(".doc-signature").all_inner_texts()).split())
    assert "Gaussian( sigma: Number | None = None, sensitivity: Number = 1, *, standard_dev" in signatures
    listed = zlib.decompress((site / "objects.inv").read_bytes().split(b"\n", 4)[4]).decode()
    assert "pldverify.mechanisms.gaussian.Gaussian py:class 1 api/mechanisms.html#" in listed


@BUILT
def test_the_gallery(open_page: Visit, site: Path) -> None:
    page, wrong = open_page("notebooks/index.html")
    drawn = page.locator(".gallery img").evaluate_all(
        "all => Promise.all(all.map(e => e.decode().then(() => e.naturalWidth)))"
    )
    assert len(drawn) >= 10 and all(width > 100 for width in drawn) and wrong == []
    for path in sorted((ROOT / "proofs_notebooks").glob("*.ipynb")):
        assert page.locator(f".gallery a[href='{path.name}']").count() == 1
        assert (site / "notebooks" / path.name).read_bytes() == path.read_bytes()


@BUILT
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_are_as_dark_as_the_page(open_page: Visit, scheme: str) -> None:
    image = pytest.importorskip("matplotlib.image")
    page, _ = open_page("notebooks/kjh19.html", scheme=scheme)
    pixels = image.imread(io.BytesIO(page.locator(".md-content img").first.screenshot()))
    assert (pixels[..., :3].mean() < 0.4) == (scheme == "dark")


@BUILT
def test_the_ledger_is_filtered(open_page: Visit) -> None:
    page, wrong = open_page("ledger/kjh20s.html")
    count = sum(each.paper == "KJH20s" and each.verdict.value == "REFUTED" for each in records())
    button = page.get_by_role("button", name="REFUTED", exact=True)
    button.click()
    assert page.locator(".record:visible").count() == count > 0
    assert page.locator(".filter [role=status]").inner_text() == f"{count} shown"
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    assert page.locator(".record:visible").count() == sum(each.paper == "KJH20s" for each in records())
    assert wrong == []


@BUILT
def test_from_paper_to_code_and_back(open_page: Visit) -> None:
    page, _ = open_page("ledger/kh21.html")
    page.locator("#eq-5\\.5").scroll_into_view_if_needed()
    page.locator(".record:has(#eq-5\\.5) a[href^='code.html']").first.click()
    page.wait_for_url("**/code.html#*")
    page.locator("a[href='kh21.html#eq-5.5']").first.click()
    page.wait_for_url("**/kh21.html#eq-5.5")


@BUILT
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    [
        "index.html",
        "install.html",
        "accountants.html",
        "notebooks/index.html",
        "ledger/kh21.html",
        "ledger/graph.html",
        "api/reference.html",
    ],
)
def test_text_can_be_read(open_page: Visit, path: str, scheme: str) -> None:
    page, _ = open_page(path, scheme=scheme)
    least, where = page.evaluate(CONTRAST.replace("'body *'", "'.md-content article *'"))
    assert least >= 4.5, where


@BUILT
def test_dark_is_dark(open_page: Visit) -> None:
    backs = [
        open_page("index.html", scheme=scheme)[0].evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert backs[0] == "rgb(255, 255, 255)" and sum(map(int, backs[1][4:-1].split(","))) < 150


# --- teeth ---


def test_a_broken_link_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#x"></a><a href="#y"></a><a href="c.html"></a><p id="z">', "utf-8"
    )
    (tmp_path / "b.html").write_text(
        '<p id="x"><a href="a.html#z"></a><img src="https://example.org/i.png">', "utf-8"
    )
    assert checks.broken(tmp_path) == ["a.html: #y", "a.html: c.html"]
    assert checks.foreign(tmp_path) == ["https://example.org/i.png"]
    (tmp_path / "s.css").write_text(
        "@import 'https://example.org/s.css'; p { background: url(https://example.org/b) }"
    )
    assert len(checks.foreign(tmp_path)) == 3
