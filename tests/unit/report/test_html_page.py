"""The page: what it says, what it leaves out, and that nothing that a subject said is ever markup."""

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pldverify import report
from pldverify.errors import InvalidInput
from pldverify.report import html_page
from tests.unit.report.findings import (
    HOSTILE_FIELDS,
    LONG,
    SCRIPT,
    decomposition,
    failed,
    finding,
    mixed,
    unsound,
)


class Page(HTMLParser):
    """Tags, attributes and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.ids: Counter[str] = Counter()
        self.text = ""
        self._silent = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self._silent = tag in ("script", "style")
        self.attributes += [(tag, name, value or "") for name, value in attributes]
        self.ids.update(value for name, value in attributes if name == "id" and value)

    def handle_endtag(self, tag: str) -> None:
        self._silent = False

    def handle_data(self, data: str) -> None:
        self.text += "" if self._silent else data


def page(*documents: dict[str, Any]) -> Page:
    return Page(report.html(documents))


def test_every_part_is_there() -> None:
    seen = page(*mixed(), finding(error_budget=decomposition()))
    for heading in (
        "Verdicts by accountant and mechanism", "Accountants", "Worst violations", "Loosest sound bounds",
        "Slack and violation over each parameter", "Tightness against time",
        "Where the error of an FFT accountant comes from", "Cells", "How to read this", "Versions",
    ):  # fmt: skip
        assert heading in seen.text
    assert seen.text.count("import pldverify as pv") == seen.text.count("pldverify check ") == 9
    for said in (
        "it fell asleep",
        "poisson(gaussian)",
        "planted/upper 1.0",
        "KH21 (5.3)",
        "2 UNSOUND",
        "9 cells",
    ):
        assert said in seen.text


def test_ids_are_unique_and_links_lead_somewhere() -> None:
    seen = page(*mixed())
    assert set(seen.ids.values()) == {1}
    targets = {value[1:] for _, name, value in seen.attributes if name == "href"}
    labels = {value for _, name, value in seen.attributes if name == "aria-labelledby"}
    assert (targets | labels) - set(seen.ids) == set()


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = report.html(mixed())
    seen = Page(text)
    assert not [a for a in seen.attributes if a[1] in ("src", "srcset", "style", "action")]
    assert all(value.startswith("#") for _, name, value in seen.attributes if name == "href")
    assert not re.search(r"https?:|@import|url\(|//[a-z]", text)


def test_no_finding_is_a_page_too() -> None:
    assert "0 findings" in page().text


@pytest.mark.parametrize("field", HOSTILE_FIELDS)
def test_a_planted_script_is_text(field: str) -> None:
    seen, plain = (
        page(finding(**{field: f"{SCRIPT}</style>'\"><img src=x onerror=alert(1)>"})),
        page(finding()),
    )
    assert "script>alert(1)" in seen.text
    assert seen.tags["script"] == plain.tags["script"] == 1
    assert seen.tags["img"] == 0


MARKUP = [
    "<",
    ">",
    "&",
    '"',
    "'",
    "/",
    "script",
    "onload=",
    "{{",
    "}}",
    "{%",
    "]]>",
    "--",
    "=",
    "`",
    "a",
    "\\",
]
ALPHABET = st.sampled_from([*MARKUP, " ", "\n", "\x00", "\u202e", "\ud800"])
HOSTILE = st.lists(ALPHABET, min_size=1, max_size=12).map("".join).filter(lambda text: text.strip())
ANYWHERE = st.fixed_dictionaries(
    {name: HOSTILE for name in HOSTILE_FIELDS}
    | {"parameters": st.dictionaries(HOSTILE, HOSTILE, max_size=2)}
    | {"promise": st.dictionaries(HOSTILE, HOSTILE, max_size=2), "delta": HOSTILE}
)


@settings(max_examples=30)
@given(ANYWHERE)
def test_no_text_adds_markup(texts: dict[str, Any]) -> None:
    text = report.html([finding(**texts, error_budget=_hostile_budget(texts["reason"]))])
    text.encode("utf-8")
    assert strange(Page(text)) == []


def strange(seen: Page) -> list[object]:
    """Tags and attributes that the page has nowhere by itself."""
    own = page(*mixed(), finding(error_budget=decomposition(), promise={"a": "b"}, parameters={"a": "b"}))
    known = {(tag, name) for tag, name, _ in own.attributes}
    return [
        *(tag for tag in seen.tags if tag not in own.tags),
        *(pair for pair in {(tag, name) for tag, name, _ in seen.attributes} if pair not in known),
        *(["more than one script"] if seen.tags["script"] > 1 else []),
    ]


def _hostile_budget(text: str) -> dict[str, Any]:
    budget = decomposition() | {"dominant": text}
    budget["terms"][0] |= {"name": text, "theorem": text}
    return budget


def test_a_page_that_does_not_escape_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    careless = html_page._environment().overlay(autoescape=False, cache_size=0)
    monkeypatch.setattr(html_page, "_environment", lambda: careless)
    assert strange(page(finding(reason="<img src=x>"))) != []


def test_no_other_script_may_run() -> None:
    (policy,) = [value for tag, _, value in page().attributes if tag == "meta" and "default-src" in value]
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    assert policy.count("sha256-") == 2


@pytest.mark.parametrize("field", HOSTILE_FIELDS)
def test_a_message_of_a_megabyte_is_cut(field: str) -> None:
    text = report.html([finding(**{field: LONG})])
    assert len(text) < 100_000
    assert re.search(r"\(10000\d\d characters\)", text)


@pytest.mark.slow
def test_ten_thousand_findings() -> None:
    documents = [
        finding(accountant=f"a{i % 12}", seconds=i * 1e-3, tightness_float=1 + i * 1e-4) for i in range(9_990)
    ]
    text = report.html([*documents, *(unsound(i / 16) for i in range(1, 11))])
    seen = Page(text)
    assert len(text) < 6_000_000
    assert "The 2,000 worst of 10,000 cells are listed" in seen.text
    assert seen.ids["cell-2000"] == 1 and seen.ids["cell-2001"] == 0
    assert "9,990 SOUND" in " ".join(seen.text.split()), "all are counted"
    first = re.search(r'<tr role="row" id="cell-1" .*?data-verdict="(\w+)".*?data-margin="([^"]+)"', text)
    assert first is not None and first.groups() == ("UNSOUND", "-0.625"), "none that is wrong is left out"


def test_what_has_no_figure_or_decomposition_has_no_heading() -> None:
    seen = page(failed())
    for heading in ("Slack and violation", "Tightness against time", "FFT accountant"):
        assert heading not in seen.text


def test_a_figure_has_words() -> None:
    labels = [value for tag, name, value in page(*mixed()).attributes if (tag, name) == ("svg", "aria-label")]
    assert labels and all(label.startswith("Slack and violation against ") for label in labels)


BREAK = {"fault": "INCONSISTENT", "message": "<script>alert(1)</script>", "queries": ["pv.Query(…)"]}
CHECKED = {"check": "monotone-in-steps", "kind": "relation", "accountant": "mine", "asked": 3}


def test_checks_of_the_kit_stand_in_it_failed_ones_first() -> None:
    passed = {**CHECKED, "check": "convex", "outcome": "passed"}
    failed = {**CHECKED, "outcome": "failed", "breaks": [BREAK, BREAK]}
    text = report.html([], [passed, failed])
    assert "1 failed, 0 skipped, 1 passed" in text
    assert text.index("monotone-in-steps") < text.index("convex")
    assert "<script>alert" not in text and "&lt;script&gt;alert(1)&lt;/script&gt; (and 1 more)" in text
    assert "h-checks" not in report.html([finding()])


def test_what_is_no_result_is_refused() -> None:
    with pytest.raises(InvalidInput, match="a result of a check"):
        report.html([finding()], [{**CHECKED, "outcome": "perfect"}])
