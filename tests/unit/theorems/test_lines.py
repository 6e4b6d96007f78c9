"""Lines of records, against the texts: where each of these is printed (counted there)."""

import pytest

from pldverify.theorems import record

LINES = {
    "KJH19/tab-1/1": 459,  # L = 2.5; the header is the line before
    "KJH19/tab-1/20": 463,
    "KJH19/eq-10.14": 630,
    "KJH19/eq-10.16": 660,
    "KJH20s/eq-D.11/middle": 764,
    "KJH20s/eq-D.17/first": 790,
    "KJH20s/eq-D.17/fourth": 790,
    "KJH20s/tab-1/delta/1": 805,
    "KJH20s/tab-2/delta/6": 821,
    "KH21/tab-1/delta/1": 279,
    "KH21/tab-2/delta/4": 288,
    "KH21/tab-3/delta/4": 327,
    "GLW21/lem-5.4": 251,
    "GLW21/thm-5.5": 257,
    "GLW21/rem-5.6": 273,
    "GLW21/eq-10": 295,
    "MTZ19/def-3": 20,
    "MTZ19/thm-4": 33,
    "MTZ19/cor-7": 76,
    "MTZ19/lem-10": 102,
    "MTZ19/thm-11": 135,
    "MTZ19/eq-12": 151,
}


@pytest.mark.parametrize(("id", "line"), LINES.items())
def test_a_record_names_the_line_of_its_statement(id: str, line: int) -> None:
    assert record(id).line == line
