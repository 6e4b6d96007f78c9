"""The count of trusted lines, on a planted package."""

from pathlib import Path

import pytest

from benchmarks.trusted_lines import PACKAGE, ROOT, Row, code_lines, rows, table

PLANTED = {
    "__init__.py": "from pldverify.other import unused\n",
    "errors.py": "class Wrong(Exception):\n    '''Three\n    lines.'''\n",
    "balls/__init__.py": "'''The door.'''\n",
    "balls/ball.py": "from ..errors import Wrong\n\n# a comment\nA = 1\n",
    "numbers/exact.py": "X = 1\nY = (\n    2,\n)\n",
    "numbers/unused.py": "X = 1\n",
    "reference/lemmas/chernoff.py": "import pldverify.balls.ball\nfrom ...numbers import exact\n",
    "reference/laws/law.py": "def f():\n    from pldverify.symbolic.pair import P\n    return P\n",
    "reference/laws/typed.py": "if TYPE_CHECKING:\n    from pldverify.other import unused\n",
    "reference/laws/hints/law.py": "H = 1\n",
    "reference/engines/closed/e.py": "from pldverify.reference.search.s import S\n",
    "reference/search/s.py": "from pldverify.other import unused\nS = 1\n",
    "reference/again.py": "import pldverify.helper\ndef prove_again():\n    return 1\n",
    "helper.py": "H = 1\n",
    "mechanisms/m.py": "M = 1\n",
    "rulings/decide.py": "D = 1\nE = 2\n",
    "values/least.py": "L = 1\n",
    "compare/grid.py": "G = 1\n",
    "symbolic/pair.py": "P = 1\n",
    "symbolic/check/proof.py": "C = 1\n",
    "other.py": "unused = 1\n",
}  # fmt: skip


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    for name, source in PLANTED.items():
        path = tmp_path / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, "utf-8")
    return tmp_path / PACKAGE


def test_what_a_proof_imports_is_believed_and_nothing_else(planted: Path) -> None:
    assert [(row.room, row.lines) for row in rows(planted)] == [
        ("(top level)", 2),  # the class without its docstring, and the helper of prove_again
        ("balls", 2),
        ("numbers", 4),
        ("reference", 3),
        ("reference/engines", 1),
        ("reference/laws", 6),
        ("reference/lemmas", 2),
        ("to be believed", 20),
        ("symbolic, inside of functions", 1),
        ("to be believed with all of these", 21),
        ("hints, counted above", 1),
        ("reference/fast", 0),
        ("reference/search", 2),
        ("mechanisms", 1),
        ("values", 1),
        ("rulings", 2),
        ("summaries and audits", 1),
        ("choices", 0),
        ("symbolic/check", 1),
    ]


def test_lines_moved_to_a_room_of_any_name_are_still_counted(planted: Path) -> None:
    before = {row.room: row.lines for row in rows(planted)}
    (planted / "numbers/exact.py").write_text("from pldverify.attic.moved import X\n", "utf-8")
    (planted / "attic").mkdir()
    (planted / "attic/moved.py").write_text(PLANTED["numbers/exact.py"], "utf-8")
    after = {row.room: row.lines for row in rows(planted)}
    assert after["attic"] == 4
    assert after["to be believed"] == before["to be believed"] + 1


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("", 0),
        ("'''Docstring.'''\n\n# comment\n", 0),
        ("x = 1  # comment\n", 1),
        ("x = '''two\nlines'''\n", 2),
        ("def f():\n    r'''Two\n    lines.'''\n    return (\n        1\n    )\n", 4),
        ("X = 1\n'''What X is.'''\n", 1),
        ("if a:\n    b\nelse:\n\n    c\n", 4),
    ],
)
def test_code_is_no_blank_comment_or_docstring(source: str, lines: int) -> None:
    assert code_lines(source) == lines


@pytest.mark.slow
def test_this_package_is_counted_without_its_searches() -> None:
    found = {row.room: row for row in rows(ROOT / PACKAGE)}
    assert {"balls", "reference/lemmas", "reference/laws", "reference/engines"} <= set(found)
    believed = found["to be believed"]
    assert believed.lines > 1000
    assert not any("search/" in name for name in believed.files)


def test_the_table_is_markdown_on_demand() -> None:
    shown = list(
        table([Row("balls", ("a.py",), 1234), Row("all", ("a.py",), 1234, True)], markdown=True, files=False)
    )
    assert shown[2:] == ["| balls | 1 | 1,234 |", "| **all** | **1** | **1,234** |"]
