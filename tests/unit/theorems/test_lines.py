"""Lines of records, against the texts: where each of these is printed (counted there)."""

import pytest

from pldverify.theorems import record

LINES = {
    "KJH19/sec-5.1/unitary": 257,
    "KJH19/sec-10.4/variables": 648,
    "KJH19/eq-A.6": 747,
    "KJH20s/sec-B.1/rotation": 188,
    "KJH20s/sec-B.2.1/mass": 250,
    "KJH20s/sec-C.3/points": 604,
    "KH21/eq-D.4": 756,
    "KH21/eq-D.5": 760,
    "KH21/thm-F.3/other-order": 1221,
    "KH21/thm-F.7/lipschitz": 1369,
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
