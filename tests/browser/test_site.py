"""The site is built without a warning, leads nowhere else, and can be used in a browser, narrow and dark."""

import fcntl
import functools
import http.server
import os
import subprocess
import sys
import threading
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
    "path", ["index.html", "ledger/kh21.html", "ledger/graph.html", "api/reference.html"]
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
