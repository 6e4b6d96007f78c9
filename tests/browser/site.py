"""The built site: where its links lead, and what it would load."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """Anchors, links and loaded files of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" or "src" in given:
            self.loaded.append(given.get("src", given.get("href", "")))


@cache
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}


def broken(site: Path) -> list[str]:
    """Links inside of the site that lead nowhere, and files that are not there."""
    found = pages(site)
    return [
        f"{path.relative_to(site)}: {link}"
        for path, page in found.items()
        for link in page.links + page.loaded
        if not _leads(path, link, found)
    ]


def _leads(path: Path, link: str, found: dict[Path, Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    target = target / "index.html" if target.is_dir() else target
    if not target.exists():
        return False
    return not parts.fragment or target not in found or unquote(parts.fragment) in found[target].anchors


def foreign(site: Path) -> list[str]:
    """What pages and style sheets would load from elsewhere."""
    loaded = [link for page in pages(site).values() for link in page.loaded if urlsplit(link).netloc]
    sheets = [sheet.read_text("utf-8") for sheet in site.rglob("*.css")]
    return loaded + [
        url for sheet in sheets for url in re.findall(r"(?:url\(|@import )['\"]?(https?:[^)'\"]+)", sheet)
    ]
