"""Outside sources: what is cited stands where it is said to stand, and every one that is cited is listed."""

import re
from pathlib import Path

import pytest

from website.sources import SOURCES, Source

ROOT = Path(__file__).parents[3]
NAMES = (
    "Asoodeh et al",
    "Higham",
    "Kairouz, Oh",
    "Lebeda",
    "Murtagh",
    "Zhu, Dong",
    "Barthe, Gaboardi",
    "Canonne",
)


def said(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def stands(source: Source) -> bool:
    text = said((ROOT / source.file).read_text("utf-8"))
    place = source.place.rpartition(" ")[2]
    return source.name.split(",")[0].split(" ")[0] in text and (source.place == "no number" or place in text)


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: f"{s.name} {s.place}")
def test_it_is_cited_there(source: Source) -> None:
    assert stands(source)


def test_a_number_that_is_not_there_would_be_seen() -> None:
    assert not stands(SOURCES[0]._replace(place="Theorem 777"))


@pytest.mark.parametrize("name", NAMES)
def test_every_one_of_them_is_listed(name: str) -> None:
    assert any(name in source.name for source in SOURCES)
