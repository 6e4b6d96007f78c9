"""The report in a browser: filter, sort, open a cell; by keyboard; narrow and wide, light and dark."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pldverify import report
from tests.unit.report.findings import finding

Visit = Callable[..., Any]


def test_it_opens_without_a_word_on_the_console_and_loads_nothing(visit: Visit) -> None:
    seen = visit()
    seen.page.wait_for_load_state("networkidle")
    assert seen.console == []
    assert seen.page.get_by_role("status").inner_text() == "8 cells"
    assert seen.rows() == [str(number) for number in range(1, 9)]


def test_a_script_that_gets_in_does_not_run(visit: Visit, file: Path, tmp_path: Path) -> None:
    planted = tmp_path / "planted.html"
    text = file.read_text("utf-8")
    planted.write_text(
        text.replace("</main>", "<script>alert(1)</script><img src=x onerror=alert(2)></main>")
    )
    seen = visit(planted)
    assert seen.page.get_by_role("status").inner_text() == "8 cells", "its own script does"
    assert not [said for said in seen.console if said.startswith("dialog")]
    assert any("Content Security Policy" in said for said in seen.console), "and the console would be heard"


def test_filters(visit: Visit) -> None:
    seen = visit()
    page = seen.page
    page.get_by_role("combobox", name="Verdict", exact=True).select_option("UNSOUND")
    assert page.get_by_role("status").inner_text() == "2 of 8 cells"
    page.get_by_role("combobox", name="Accountant", exact=True).select_option("slow")
    assert len(seen.rows()) == 1
    page.get_by_role("button", name="Show all").click()
    page.locator("#shown:text-is('8 cells')").wait_for()  # the page's policy allows no script of a string
    page.get_by_label("Search").fill("LAPLACE unsound")
    assert page.get_by_role("status").inner_text() == "1 of 8 cells"
    page.get_by_label("Search").fill("")
    page.get_by_role("combobox", name="Mechanism", exact=True).select_option("poisson(gaussian)")
    assert len(seen.rows()) == 6
    page.get_by_label("Search").fill("no such cell")
    assert page.get_by_role("status").inner_text() == "0 of 8 cells"
    assert seen.console == []


def test_a_cell_of_the_matrix_shows_its_cells(visit: Visit) -> None:
    seen = visit()
    seen.page.locator(".matrix tr", has_text="slow").get_by_role("link").click()
    seen.page.locator("#shown:text-is('2 of 8 cells')").wait_for()
    assert seen.page.get_by_role("combobox", name="Accountant", exact=True).input_value() == "slow"
    assert (
        seen.page.get_by_role("combobox", name="Mechanism", exact=True).input_value() == "poisson(gaussian)"
    )


def test_sorting(visit: Visit) -> None:
    seen = visit()
    heading = seen.page.get_by_role("columnheader", name="seconds", exact=True)
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    ascending = [float(text) for text in seen.column("seconds")]
    assert ascending == sorted(ascending) and ascending[-1] == 12.5
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert seen.column("seconds")[0] == "12.50"
    assert seen.page.locator('th[aria-sort="ascending"], th[aria-sort="descending"]').count() == 1


@pytest.mark.parametrize("times", [1, 2])
def test_what_has_no_number_is_last_either_way(visit: Visit, times: int) -> None:
    seen = visit()
    for _ in range(times):
        seen.page.get_by_role("button", name="claim", exact=True).click()
    claims = seen.column("claim")
    assert claims[-2:] == ["–", "–"] and "–" not in claims[:-2]


def test_names_are_sorted_by_their_letters(visit: Visit) -> None:
    seen = visit()
    seen.page.get_by_role("button", name="accountant", exact=True).click()
    names = seen.page.locator("#table tbody tr .accountant").all_inner_texts()
    assert [names[1], names[-1]] == ["fft", "slow"]


def test_opening_a_cell(visit: Visit) -> None:
    seen = visit()
    row = seen.page.locator("#cell-1")
    assert not row.get_by_text("import pldverify as pv").is_visible()
    row.locator("summary").click()
    assert row.get_by_text("import pldverify as pv").is_visible()
    assert row.get_by_text("pldverify check slow").is_visible()
    seen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    row.get_by_role("button", name="Copy the Python of cell 1").click()
    row.get_by_text("Copied").wait_for()
    assert seen.page.evaluate("navigator.clipboard.readText()").startswith("import pldverify as pv\nquery = ")


def test_a_snippet_that_cannot_be_copied_is_selected(visit: Visit) -> None:
    seen = visit()
    seen.page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject(new Error('no')))")
    seen.page.locator("#cell-1 summary").click()
    seen.page.locator("#cell-1 .copy").first.click()
    seen.page.locator("#cell-1").get_by_text("Selected").wait_for()
    assert seen.page.evaluate("getSelection().toString()").startswith("import pldverify as pv")


def test_a_worst_cell_is_linked_to_its_row(visit: Visit) -> None:
    seen = visit()
    seen.page.get_by_role("combobox", name="Verdict", exact=True).select_option("SOUND")
    seen.page.locator("#h-violations ~ ol a").first.click()
    seen.page.locator("#cell-1 details[open]").wait_for()
    assert seen.page.locator("#cell-1").is_visible(), "also where it was filtered away"


def test_figures_of_one_accountant(visit: Visit) -> None:
    seen = visit()
    drawn = "[...document.querySelectorAll('figure [data-a]')].filter((e) => e.checkVisibility()).length"
    everyone = seen.page.evaluate(drawn)
    seen.page.get_by_role("combobox", name="Show in the figures").select_option("slow")
    assert 0 < seen.page.evaluate(drawn) < everyone


def test_by_keyboard(visit: Visit) -> None:
    seen = visit()
    page = seen.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the table of cells"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "f-text"
    page.keyboard.type("laplace")
    assert page.get_by_role("status").inner_text() == "1 of 8 cells"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('thead button')"):
            break
    page.keyboard.press("Space")
    assert page.locator('th[aria-sort="descending"]').inner_text().startswith("rank")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('summary')"):
            break
    page.keyboard.press("Enter")
    assert page.locator("#table details[open]").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Copy the Python")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid", "where the focus is can be seen"


def test_what_a_screen_reader_is_told(visit: Visit) -> None:
    page = visit().page
    table = page.get_by_role("table", name=re.compile("Cells, the worst first"))
    assert table.count() == 1
    assert table.get_by_role("columnheader").count() == 8
    assert table.get_by_role("row").count() == 9
    assert table.get_by_role("row").nth(1).get_by_role("cell").count() == 8
    for name in ("Verdicts by accountant and mechanism", "Accountants", "Cells"):
        assert page.get_by_role("region", name=name, exact=True).count() >= 1, name
    assert page.get_by_role("table", name="Verdicts by accountant and mechanism").count() == 1
    assert page.get_by_role("rowheader", name="slow").count() == 2
    assert page.get_by_role("search", name="Filter the cells").count() == 1
    assert page.get_by_role("img", name=re.compile("Slack and violation against")).count() >= 1
    assert page.evaluate("document.documentElement.lang") == "en"
    unnamed = """[...document.querySelectorAll('button, input, select')].filter(
        e => !(e.textContent.trim() || e.labels?.length || e.getAttribute('aria-label'))).length"""
    assert page.evaluate(unnamed) == 0


@pytest.mark.parametrize("width", [320, 400, 768, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_never_scrolls_sideways(visit: Visit, width: int, scheme: str) -> None:
    page = visit(width=width, scheme=scheme).page
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_page_that_scrolls_sideways_would_be_seen(visit: Visit) -> None:
    page = visit(width=400).page
    page.evaluate("document.querySelector('h1').style.width = '900px'")
    assert page.evaluate("document.documentElement.scrollWidth") > 400


CONTRAST = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((x) => (x /= 255) <= .03928 ? x / 12.92
      : ((x + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const says = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  const texts = [...document.querySelectorAll('body *')].filter(
    (e) => !(e instanceof SVGElement) && e.checkVisibility() && says(e));
  return texts.map((e) => {
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
    return [(a + .05) / (b + .05), e.outerHTML.slice(0, 80)];
  }).sort((x, y) => x[0] - y[0])[0];
}"""
"""The least contrast of a text with what is behind it, by WCAG 2."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read(visit: Visit, scheme: str) -> None:
    least, where = visit(scheme=scheme).page.evaluate(CONTRAST)
    assert least >= 4.5, where


def test_the_schemes_differ(visit: Visit) -> None:
    backs = {
        scheme: visit(scheme=scheme).page.evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    }
    assert backs["light"] == "rgb(255, 255, 255)" != backs["dark"]


def test_without_its_script_it_can_be_read(visit: Visit) -> None:
    page = visit(script=False).page
    assert page.locator("#table tbody tr").count() == 8
    page.locator("#cell-1 summary").click()
    assert page.locator("#cell-1 pre").first.is_visible()


def test_ten_thousand_findings_are_usable(visit: Visit, tmp_path: Path) -> None:
    documents = [finding(accountant=f"a{i % 12}", seconds=i * 1e-3) for i in range(10_000)]
    path = tmp_path / "many.html"
    path.write_text(report.html(documents), "utf-8")
    seen = visit(path)
    assert seen.page.get_by_role("status").inner_text() == "2,000 cells"
    assert seen.page.get_by_text("The 2,000 worst of 10,000 cells are listed").is_visible()
    seen.page.get_by_role("combobox", name="Accountant", exact=True).select_option("a3")
    assert seen.page.get_by_role("status").inner_text().endswith("of 2,000 cells")
    seen.page.get_by_role("button", name="seconds", exact=True).click()
    shown = [float(text) for text in seen.column("seconds")]
    assert shown == sorted(shown)
    assert seen.console == []
