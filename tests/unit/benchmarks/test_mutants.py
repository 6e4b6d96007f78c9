"""Every operator of mutation produces exactly the expected sources."""

import ast

import pytest

from benchmarks.covering import ROOT, room_files
from benchmarks.mutants import OPERATORS, mutants


def made(source: str, operator: str) -> set[str]:
    return {m.applied(source) for m in mutants(source, "a.py") if m.operator == operator}


@pytest.mark.parametrize(
    ("operator", "source", "expected"),
    [
        ("comparison", "x = a < b", {"x = (a <= b)", "x = (a > b)"}),
        ("comparison", "x = a <= b", {"x = (a < b)", "x = (a >= b)"}),
        ("comparison", "x = a > b", {"x = (a >= b)", "x = (a < b)"}),
        ("comparison", "x = a >= b", {"x = (a > b)", "x = (a <= b)"}),
        ("comparison", "x = a == b", {"x = (a != b)"}),
        ("comparison", "x = a is None", {"x = (a is not None)"}),
        (
            "comparison",
            "x = 0 < a <= b",
            {"x = (0 <= a <= b)", "x = (0 > a <= b)", "x = (0 < a < b)", "x = (0 < a >= b)"},
        ),
        ("sign", "x = a + b * c", {"x = (a - b * c)"}),
        ("sign", "x = a - b", {"x = (a + b)"}),
        ("sign", "x = -a", {"x = (a)"}),
        ("sign", "x += a", {"x -= a"}),
        ("factor", "x = a * b", {"x = (a / b)"}),
        ("factor", "x = a / b", {"x = (a * b)"}),
        ("factor", "x *= a", {"x /= a"}),
        ("constant", "x = a + 2", {"x = a + (3)", "x = a + (1)"}),
        ("constant", "x = 0.5", {"x = (0.5625)", "x = (0.4375)"}),
        ("constant", "x = 0.0", {"x = (1.0)"}),
        ("constant", "x = arb('0.21724')", {"x = (arb('0.21725'))", "x = (arb('0.21723'))"}),
        ("constant", "x = Fraction('1e-5')", {"x = (Fraction('2e-5'))", "x = (Fraction('0e-5'))"}),
        ("constant", "x = True", set()),
        ("constant", "x = 'text 2'", set()),
        ("rounding", "x = a.upper()", {"x = (a.lower())"}),
        ("rounding", "x = lower(a)", {"x = (upper(a))"}),
        ("rounding", "x = math.floor(a)", {"x = (math.ceil(a))"}),
        ("rounding", "f(a, way='up')", {"f(a, way=('down'))"}),
        ("extreme", "x = a.min(b)", {"x = (a.max(b))"}),
        ("extreme", "x = max(a, b)", {"x = (min(a, b))"}),
        ("extreme", "x = accumulate(a, min)", {"x = (accumulate(a, max))"}),
        ("dropped", "x = a + b", {"x = (a)", "x = (b)"}),
        ("dropped", "x = a * b", {"x = (a)", "x = (b)"}),
        ("dropped", "x = a - b", {"x = (a)"}),
        ("dropped", "x = a / b", {"x = (a)"}),
        ("dropped", "x += a", {"pass"}),
        ("logic", "x = not a", {"x = (a)"}),
        ("logic", "x = a and b", {"x = (a or b)", "x = (a)", "x = (b)"}),
        ("logic", "x = a or b", {"x = (a and b)", "x = (a)", "x = (b)"}),
        ("guard", "if a < 0:\n    raise E", {"if (False):\n    raise E", "if a < 0:\n    pass"}),
        (
            "guard",
            "def f():\n    if a:\n        return None",
            {"def f():\n    if (False):\n        return None"},
        ),
        (
            "guard",
            "def f():\n    if a:\n        return arb.pos_inf()",
            {"def f():\n    if (False):\n        return arb.pos_inf()"},
        ),
        ("guard", "def f():\n    if a:\n        return 1", set()),
        ("guard", "if a:\n    raise E\nelse:\n    b()", {"if a:\n    pass\nelse:\n    b()"}),
    ],
)
def test_an_operator_makes_these_sources(operator: str, source: str, expected: set[str]) -> None:
    assert made(source, operator) == expected


@pytest.mark.parametrize(
    "source",
    [
        "'''1 + 1 < 2'''",
        "X = a\n'''What X is: 1 + 1.'''",
        "def f(a: 'int | 2' = b) -> Literal[1]:\n    '''1 + 1'''\n    pass",
        "x: Literal[1] = a",
        "@lru_cache(maxsize=16)\ndef f():\n    pass",
        "x = f'{a + 1}'",
        "if TYPE_CHECKING:\n    x = 1 + 1",
        "import a",
    ],
)
def test_what_does_not_run_or_only_speaks_is_left_alone(source: str) -> None:
    assert list(mutants(source, "a.py")) == []


def test_a_message_is_left_alone_but_its_raise_may_go() -> None:
    found = list(mutants("raise E(f'{a + 1}', 1 + 1)", "a.py"))
    assert [m.operator for m in found] == ["guard"]


def test_lines_keep_their_numbers() -> None:
    source = "x = (\n    a\n    + b\n)\ny = (\n    -c\n)\n"
    for mutant in mutants(source, "a.py"):
        changed = mutant.applied(source)
        assert len(changed.splitlines()) == len(source.splitlines())
        ast.parse(changed)


def test_text_beyond_ascii_is_cut_at_the_right_place() -> None:
    assert made("x = 'σ²' + f('δ', a) + b  # ε", "sign") == {
        "x = ('σ²' + f('δ', a) - b)  # ε",
        "x = ('σ²' - f('δ', a)) + b  # ε",
    }


def test_a_mutant_knows_where_it_stands() -> None:
    source = "class A:\n    X = 1\n\n    def f(self):\n        return -self.X\n"
    found = {m.before: m for m in mutants(source, "a.py")}
    assert found["1"].top_level and found["1"].function == "A" and found["1"].at == 2
    assert not found["-self.X"].top_level and found["-self.X"].function == "A.f"
    assert found["-self.X"].mutation == "-self.X → self.X"
    defaults = mutants("def f(x=1):\n    return x\n", "a.py")
    assert defaults and all(m.top_level and m.before == "1" for m in defaults)
    assert found["-self.X"].line == "return -self.X"
    assert found["-self.X"].mutated_line(source) == "return (self.X)"


def test_equal_errors_in_equal_lines_have_names_of_their_own() -> None:
    source = "def f():\n    a(-b)\n    a(-b)\n"
    assert len({m.name for m in mutants(source, "a.py")}) == 2


def test_a_name_holds_when_code_above_grows() -> None:
    source = "def f():\n    return a < b\n"
    before, after = ({m.name for m in mutants(text, "a.py")} for text in (source, f"import c\n\n\n{source}"))
    assert before == after


@pytest.mark.slow
def test_every_room_has_mutants_and_all_are_programs() -> None:
    for path in room_files():
        source = (ROOT / path).read_text("utf-8")
        for mutant in list(mutants(source, path))[::50]:
            ast.parse(mutant.applied(source))


def test_every_operator_is_tested_here() -> None:
    mark = next(m for m in test_an_operator_makes_these_sources.pytestmark if m.name == "parametrize")
    assert {case[0] for case in mark.args[1]} == set(OPERATORS)
