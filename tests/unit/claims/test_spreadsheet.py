"""Claims in CSV: the same claims as in TOML, and clear words for what is no such table."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.claims.read import BadClaim, read
from pldverify.claims.spreadsheet import claims_of as claims_of_rows
from pldverify.claims.spreadsheet import csv_rows, workbook_rows
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import real
from pldverify.rulings.model import Claim

CLAIMS = [
    {
        "id": "two-phases",
        "epsilon": "8.0",
        "delta": "1e-5",
        "relation": "=",
        "exact": True,
        "unit": "a user, of one day",
        "source": {"url": "https://example.org"},
        "phase": [
            {
                "mechanism": "gaussian",
                "noise_multiplier": "1.1",
                "sampling": "poisson",
                "q": "1%",
                "steps": "9",
            },
            {"mechanism": "pure_dp", "epsilon": "0.1"},
        ],
    },
    {
        "id": "curve",
        "rdp": {"order": "2", "divergence": "0.5"},
        "phase": [{"mechanism": "zcdp", "rho": "1/4"}],
    },
    {"id": "nothing-run", "rho": "1"},
]


def claims_of(text: str) -> list[dict[str, Any]]:
    return [claim for _, claim in claims_of_rows(csv_rows(text))]


def table(claims: list[dict[str, object]]) -> str:
    """Written here with the standard library, a row for each phase."""
    rows = []
    for claim in claims:
        said = {k: v for k, v in claim.items() if k not in ("phase", "rdp", "source")}
        for name in ("rdp", "source"):
            inner = claim.get(name, {})
            assert isinstance(inner, dict)
            said |= {f"{name}.{k}": v for k, v in inner.items()}
        phases = claim.get("phase", [{}])
        assert isinstance(phases, list)
        for i, phase in enumerate(phases):
            rows.append(
                (said if i == 0 else {"id": claim["id"]}) | {f"phase.{k}": v for k, v in phase.items()}
            )
    text = io.StringIO()
    writer = csv.DictWriter(text, sorted({name for row in rows for name in row}))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_table_says_what_a_file_says(tmp_path: Path, mark: str) -> None:
    (tmp_path / "c.csv").write_text(mark + table(CLAIMS), "utf-8")
    (tmp_path / "c.json").write_text(json.dumps({"schema": "pldverify-claims/1", "claim": CLAIMS}), "utf-8")
    found = read(tmp_path / "c.csv")
    assert found == read(tmp_path / "c.json") and all(isinstance(each, Claim) for each in found)


def test_a_quote_that_a_spreadsheet_needs_is_no_part_of_a_cell() -> None:
    (claim,) = claims_of("id,relation,exact\na,'=,TRUE\n\n,,\n")
    assert claim == {"id": "a", "relation": "=", "exact": True}


def test_a_wrong_claim_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("id,epsilon,delta,mechanism\n,1,0,\na,1,0,gaussian\nb,1,0,\n", "utf-8")
    first, second, third = read(tmp_path / "c.csv")
    assert isinstance(first, BadClaim) and first.claim == "number 1"
    assert isinstance(second, BadClaim) and "sampling" in second.reason and isinstance(third, Claim)


def test_what_is_empty_at_the_end_says_nothing() -> None:
    plain = claims_of("id,rho,note\na,1,'tis a note\n")
    assert plain == [{"id": "a", "rho": "1", "note": "'tis a note"}]
    assert claims_of("\n,,\nid,rho,note,\n\na,1,'tis a note,,\n,,,,,\n") == plain


def test_a_further_phase_may_repeat_what_its_claim_says() -> None:
    (claim,) = claims_of("id,rdp.order,rdp.divergence,mechanism,phase.rho\na,2,1,zcdp,1\na,2,,zcdp,2\n")
    assert claim["rdp"] == {"order": "2", "divergence": "1"} and len(claim["phase"]) == 2


def test_the_same_id_further_down_is_another_claim(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("id,rho\na,1\nb,1\na,1\n", "utf-8")
    assert [type(each) for each in read(tmp_path / "c.csv")] == [BadClaim, Claim, BadClaim]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "got an empty file"),
        (",,\n", "got an empty file"),
        ("id,rho\n,\n", "a row must follow the first line"),
        ("epsilon\n1\n", "id among them, got epsilon"),
        ("id,id\na,b\n", "once each"),
        ("id,phase.q,q\na,1,1\n", "once each"),
        ("id,sgima\na,1\n", "got 'sgima'"),
        ("id,phase.id\na,1\n", "got 'phase.id'"),
        ("id:epsilon\na:1\n", "got 'id:epsilon'"),
        ("id;epsilo\na;1\n", r"got 'epsilo' \(did you mean epsilon\?\)"),
        ("id,rho\na,1,2\n", "line 2 must have at most 2 cells, got 3"),
        (
            "id,rho,mechanism\na,1,zcdp\na,2,zcdp\n",
            "line 3: rho of a further phase must be as above, '1', or ",
        ),
        ("id,rdp.order,mechanism\na,1,zcdp\na,2,zcdp\n", "line 3: rdp.order of a further phase"),
        ("id,rho\na,1\na,1\n", "line 3: a further phase of a claim must have cells of that phase"),
        ("id,rho,mechanism\na,1,zcdp\n,,zcdp\n", "line 3: a further phase of a claim must repeat its id"),
        ('id,rho\n"a,1\n', "line 2"),
    ],
)
def test_what_is_no_table_is_told(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "c.csv").write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=says) as error:
        read(tmp_path / "c.csv")
    assert "c.csv" in str(error.value)


def test_other_names_and_signs_between_cells_say_the_same() -> None:
    plain = claims_of("id,epsilon,delta,mechanism,sigma,q\na,1,0.1,gaussian,2,1%\n")
    for text in (
        "Name;EPS;δ;Mechanism;σ;Sampling rate\na;1;0.1;gaussian;2;1%\n",
        "name\tε\tdelta\tmechanism\tsigma\tsample_rate\na\t1\t0.1\tgaussian\t2\t1%\n",
    ):
        assert claims_of(text) == plain


def test_the_sigma_of_gaussian_noise_is_that_of_an_expression(tmp_path: Path) -> None:
    head = "id,epsilon,delta,adjacency,mechanism,sampling,steps,"
    rows = "a,1,0.1,add,gaussian,none,1,"
    (tmp_path / "a.csv").write_text(f"{head}sigma\n{rows}2\n", "utf-8")
    (tmp_path / "b.csv").write_text(f"{head}sigma,sensitivity\n{rows}2,3\n", "utf-8")
    (tmp_path / "c.csv").write_text(f"{head}sigma,noise_multiplier\n{rows}2,3\n", "utf-8")
    (one,), (two,), (three,) = (read(tmp_path / f"{name}.csv") for name in "abc")
    assert isinstance(one, Claim) and isinstance(two, Claim) and isinstance(three, BadClaim)
    assert one.phase[0].noise_multiplier == "2" and two.phase[0].standard_deviation == "2"
    assert "gaussian noise must have" in three.reason


def test_a_decimal_comma_is_refused_with_a_word_and_its_line(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("id;rho\na;1\nb;0,5\n", "utf-8")
    _, wrong = read(tmp_path / "c.csv")
    assert isinstance(wrong, Claim)
    with pytest.raises(InvalidInput, match=r"write 0\.5"):
        real(wrong.rho, "rho")


def test_a_wrong_row_is_told_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("id,rho\n\na,1\nb,\n", "utf-8")
    _, wrong = read(tmp_path / "c.csv")
    assert isinstance(wrong, BadClaim) and str(wrong).startswith(f"{tmp_path / 'c.csv'}, line 4: claim b: ")


@pytest.mark.parametrize(
    ("head", "row", "told"),
    [
        ("id,eps,delta,sigma,steps", "a,1,1e-5,1,10", "mechanism must be given, one of gaussian, "),
        ("id,eps,delta,mechanism,sigma", "a,1,1e-5,gausian,1", "got 'gausian' (did you mean gaussian?)"),
        ("id,eps,delta,mechanism,sigma,steps", "a,1,1e-5,gaussian,1,10", "a: sampling: must be given"),
    ],
)
def test_a_row_is_refused_in_the_words_of_its_table(tmp_path: Path, head: str, row: str, told: str) -> None:
    """They spoke of a discriminator, and of "phase.0", which a table doesn't have."""
    path = tmp_path / "claims.csv"
    path.write_text(f"{head}\n{row}\n", "utf-8")
    (found,) = read(path)
    assert told in str(found) and "line 2" in str(found) and "phase" not in str(found)


def test_a_workbook_is_a_table(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in csv.reader(io.StringIO(table(CLAIMS))):
        book.active.append([float(cell) if cell in ("0.5", "0.1") else cell or None for cell in row])
    book.save(tmp_path / "c.xlsx")
    (tmp_path / "c.csv").write_text(table(CLAIMS), "utf-8")
    assert read(tmp_path / "c.xlsx") == read(tmp_path / "c.csv")


def test_a_formula_without_a_value_is_no_empty_cell(tmp_path: Path) -> None:
    """ε ≥ 1 was judged as ε ≤ 1, as nobody had computed the relation; so are files that scripts write."""
    book = openpyxl.Workbook()
    book.active.append(["id", "epsilon", "delta", "relation", "mechanism", "phase.epsilon"])
    book.active.append(["one", 1, 0, '=">="', "pure_dp", 1])
    book.save(tmp_path / "c.xlsx")
    with pytest.raises(InvalidInput, match=r"c\.xlsx: line 2: a formula must have a value, got '=\">=\"'"):
        read(tmp_path / "c.xlsx")


@pytest.mark.parametrize("content", [b"", b"id,rho\n", b"PK\x03\x04 and nothing else"])
def test_what_is_no_workbook_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c.xlsx").write_bytes(content)
    with pytest.raises(InvalidInput, match=r"c\.xlsx: it must be a workbook"):
        read(tmp_path / "c.xlsx")


def test_a_workbook_that_grows_is_refused(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "c.xlsx", "w", ZIP_DEFLATED) as file:
        file.writestr("xl/worksheets/sheet1.xml", b"0" * 60_000_000)
    with pytest.raises(InvalidInput, match="unpacked"):
        read(tmp_path / "c.xlsx")


@given(st.text(alphabet="id,rho\n\"'1é\x00;.", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = claims_of("id,rho\n" + text)
    except InvalidInput:
        return
    assert all(isinstance(claim, dict) for claim in found)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_number_that_a_ruling_finds_wrong_is_told_with_its_line(tmp_path: Path, jobs: int) -> None:
    """Reading does not see it; the row was not told."""
    file = tmp_path / "c.csv"
    file.write_text(
        "id,epsilon,delta,mechanism,sigma,sampling,q,steps\n"
        "a,9,1e-5,gaussian,1,poisson,0.01,10\n"
        "b,9,1e-5,gaussian,-1,poisson,0.01,10\n"
        "c,9,2,gaussian,1,poisson,0.01,10\n"
    )
    with pytest.raises(InvalidInput) as told:
        pv.certify_file(file, jobs=jobs)
    assert str(told.value).split("; ") == [
        f"{file}, line 3: claim b: sigma must be >= 0, got sigma=-1",
        f"{file}, line 4: claim c: delta must be in [0, 1], got delta=2",
    ]


@pytest.mark.parametrize(
    ("head", "row", "told"),
    [
        ("sigma,q", "-1,0.1", "sigma must be >= 0, got sigma=-1"),
        ("σ,q", "-1,0.1", "σ must be >= 0, got σ=-1"),
        ("noise_multiplier,q", "-1,0.1", "noise_multiplier must be >= 0, got noise_multiplier=-1"),
        ("sigma,sensitivity,q", "-1,2,0.1", "sigma must be >= 0, got sigma=-1"),
        ("standard_deviation,sensitivity,q", "-1,2,0.1", "standard_deviation must be >= 0, got stan"),
        ("standard_deviation,sensitivity,q", "1,-2,0.1", "sensitivity must be > 0, got sensitivity=-2"),
        ("sigma,sample_rate", "1,2", "sample_rate must be in [0, 1], got sample_rate=2"),
        ("sigma,Sampling Rate", "1,2", "Sampling Rate must be in [0, 1], got Sampling Rate=2"),
    ],
)
def test_a_number_is_told_by_the_name_of_its_column(tmp_path: Path, head: str, row: str, told: str) -> None:
    """ "sigma must be > 0" stood where the table has no such column."""
    file = tmp_path / "c.csv"
    file.write_text(
        f"name,eps,delta,mechanism,sampling,steps,{head}\na,1,1e-5,gaussian,poisson,9,{row}\n", "utf-8"
    )
    with pytest.raises(InvalidInput) as error:
        pv.certify_file(file)
    assert f"line 2: claim a: {told}" in str(error.value)


def test_a_claim_is_told_by_the_names_of_its_columns(tmp_path: Path) -> None:
    file = tmp_path / "c.csv"
    file.write_text(
        "Name,eps,delta,rho,phase.rho,mechanism\na,-1,0,,1,zcdp\nb,,,-1,1,zcdp\nb2,,,1,-1,zcdp\n", "utf-8"
    )
    with pytest.raises(InvalidInput) as error:
        pv.certify_file(file)
    said = str(error.value).split("; ")
    assert "claim a: eps must be >= 0, got eps=-1" in said[0]
    assert "claim b: rho must be >= 0, got rho=-1" in said[1]
    assert "claim b2: rho must be" in said[2]


@pytest.mark.parametrize(
    ("number", "places", "text"),
    [
        (4.0, "0.00", "4.00"),
        (4, "0.0", "4.0"),
        (4.377, "0.00", "4.377"),
        (4.0, "General", "4"),
        (1e-5, "0.00", "1e-05"),
    ],
)
def test_a_cell_of_a_workbook_has_the_zeros_that_it_shows(
    number: float, places: str, text: str, tmp_path: Path
) -> None:
    """4.00 was read as 4, to which 4.377 rounds."""
    book = openpyxl.Workbook()
    book.active.append(["epsilon"])
    book.active.append([number])
    book.active["A2"].number_format = places
    book.save(tmp_path / "c.xlsx")
    assert list(workbook_rows(tmp_path / "c.xlsx")) == [(1, ["epsilon"]), (2, [text])]
