"""A real browser, without a window: Chromium as the system has it, driven by Playwright."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pldverify import report
from tests.unit.report.findings import SCRIPT, decomposition, failed, finding, unsound

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 600_000
"""Milliseconds: it only ends what hangs."""
Visit = Callable[..., "Visited"]


class Visited:
    """A page that is open, and what its console said."""

    def __init__(self, page, console: list[str]) -> None:  # type: ignore[no-untyped-def]
        self.page, self.console = page, console

    def rows(self) -> list[str]:
        """Numbers of the cells that are seen, in their order."""
        return self.page.locator("#table tbody tr:visible .rank").all_inner_texts()

    def column(self, name: str) -> list[str]:
        """What the cells that are seen say in a column."""
        return self.page.locator(f'#table tbody tr:visible td[data-label="{name}"]').all_inner_texts()


def executable() -> str:
    """The browser. Skips the test where there is none, and fails it in CI."""
    found = os.environ.get("PLDVERIFY_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and "CI" in os.environ:
        pytest.fail(f"no browser: none of {', '.join(NAMES)} is installed (Debian's package is chromium)")
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed, nor PLDVERIFY_BROWSER set")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api")
    path = executable()
    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=path)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on findings of every verdict, with a hostile one among them."""
    documents = [
        finding(),
        finding(accountant="slow", seconds=12.5, slack_float=1.5, tightness_float=1.5),
        finding(
            composition="100 * poisson(gaussian(sigma=4), q=0.01)",
            query="ε at δ=1e-6 of 100 * poisson(gaussian(sigma=4), q=0.01) [add-or-remove]",
        ),
        unsound(0.5, accountant="slow"),
        unsound(0.25, composition="laplace(b=2)", query="δ at ε=1 of laplace(b=2) [add-or-remove]"),
        failed(reason=SCRIPT, accountant=SCRIPT),
        failed("REFUSED", "x" * 1_000_000, composition="y" * 300, query="z" * 300),
        finding(accountant="fft", error_budget=decomposition()),
    ]
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report.html(documents), "utf-8")
    return path


class Window:
    """A page for many tests, one after the other: a new one costs more than what most of them do in it."""

    def __init__(self, browser, script: bool) -> None:  # type: ignore[no-untyped-def]
        context = browser.new_context(java_script_enabled=script)
        context.set_default_timeout(PATIENCE)
        self.page, self.console = context.new_page(), []
        self.page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.console.append(f"error: {error}"))
        own = ("file:", "blob:", "about:blank")
        self.page.on("request", lambda asked: asked.url.startswith(own) or self.console.append(asked.url))
        self.page.on("dialog", self.dismissed)

    def dismissed(self, dialog) -> None:  # type: ignore[no-untyped-def]
        self.console.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def visit(self, path: Path, width: int, scheme: str) -> Visited:
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=scheme)
        self.console = []
        self.page.goto(path.as_uri())
        return Visited(self.page, self.console)

    def leave(self) -> None:
        """Nothing of the last document goes on, and nothing is allowed to the next."""
        self.page.goto("about:blank")
        self.page.context.clear_permissions()


@pytest.fixture(scope="session")
def windows(browser) -> dict[bool, Window]:  # type: ignore[no-untyped-def]
    """By whether scripts run; those that were asked for."""
    return {}


@pytest.fixture
def visit(browser, windows: dict[bool, Window], file: Path) -> Iterator[Visit]:  # type: ignore[no-untyped-def]
    """``visit(width=400, scheme="dark")``: the report, where the page that was visited before has been."""

    def visit(path: Path = file, *, width: int = 1200, scheme: str = "light", script: bool = True) -> Visited:
        if script not in windows:
            windows[script] = Window(browser, script)
        return windows[script].visit(path, width, scheme)

    yield visit
    for window in windows.values():
        window.leave()
