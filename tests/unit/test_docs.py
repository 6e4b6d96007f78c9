"""What docs/ says is so: paths and names exist, examples run, arrows are the imports of the code."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Container, Iterator, Mapping, Set
from functools import cache
from pathlib import Path

import pytest

from pldverify import mechanisms
from pldverify.mechanisms.mechanism import Mechanism
from tests.unit.importing import importing

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PACKAGE = ROOT / "pldverify"
PAGES = sorted(DOCS.glob("*.md"))
EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
EVERYWHERE = {"boundary", "errors", "foreign", "late_names", "numbers", "version", "web_page"}
"""Rooms that every room may import; they are not drawn."""
DOORS = "doors"
"""Files beside the rooms of pldverify/symbolic."""
BEGIN, END = "<!-- trusted lines: python benchmarks/trusted_lines.py --markdown -->", "<!-- end -->"


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def prose(text: str) -> str:
    """``text`` without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


# --- paths and names ---


def paths(text: str) -> list[str]:
    """Every path in backticks: what has a slash, or ends like a file; with its test after ``::``, if one."""
    inline = re.findall(r"`([^`\n]+)`", prose(text))
    return [
        word
        for word in inline
        if re.fullmatch(r"\.?[\w<>-]+(/[\w<>.-]+)+(::\w+)?|[\w-]+\.(py|md|toml)", word)
    ]


def missing(text: str) -> list[str]:
    """Paths that do not exist; ``<name>`` stands for some name, and at least one must be there."""
    return [path for path in paths(text) if not exists(path)]


def exists(path: str) -> bool:
    name, _, test = path.partition("::")
    found = list(ROOT.glob(re.sub(r"<\w+>", "*", name)))
    return bool(found) and (not test or test in defined(found[0]))


def defined(path: Path) -> set[str]:
    """Functions and classes at the top of a file."""
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def steps(text: str) -> list[tuple[str, str]]:
    """(file, name) of every row of a table that ends with a file and what it defines."""
    return re.findall(r"\| `(pldverify/[\w/]+\.py)` \| `(\w+)` \|$", text, re.MULTILINE)


@EACH_PAGE
def test_every_path_exists(page: Path) -> None:
    assert missing(page.read_text("utf-8")) == []


def broken(text: str) -> list[str]:
    """Links to pages that are not there, and to code, which no site has."""
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose(text))
    return [link for link in links if not (DOCS / link).exists() or link.startswith("../pldverify")]


@EACH_PAGE
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    assert broken(page.read_text("utf-8")) == []


def test_a_broken_link_would_be_seen() -> None:
    text = "[a](trust.md#a-verdict), [b](nowhere.md), [c](https://example.org)\n```mermaid\na([x](y))\n```\n"
    assert broken(text) == ["nowhere.md"]
    assert broken("[a](../pldverify/errors.py)") == ["../pldverify/errors.py"]


@EACH_PAGE
def test_every_step_is_defined_where_it_is_said(page: Path) -> None:
    found = steps(page.read_text("utf-8"))
    assert [(path, name) for path, name in found if name not in defined(ROOT / path)] == []


def test_a_path_that_is_not_there_would_be_seen() -> None:
    assert missing("`pldverify/balls/wall.py` and `pldverify/balls/ball.py`") == ["pldverify/balls/wall.py"]
    assert missing("`tests/unit/test_docs.py::test_nothing`") == ["tests/unit/test_docs.py::test_nothing"]
    assert missing("`pldverify/reference/<room>/nothing.py`") == ["pldverify/reference/<room>/nothing.py"]
    assert missing("`pldverify/reference/<room>/contour.py`, `pv.delta`, `a/b` and\n```\n`x/y.py`\n```") == [
        "a/b"
    ]
    assert steps("| the door | `pldverify/balls/ball.py` | `wall` |") == [("pldverify/balls/ball.py", "wall")]
    assert "wall" not in defined(PACKAGE / "balls/ball.py")


def test_the_way_of_a_question_is_told() -> None:
    assert len(steps((DOCS / "architecture.md").read_text("utf-8"))) > 25


# --- examples ---


TEACHING = [page for page in PAGES if fenced(page.read_text("utf-8"), "python")]


def run(blocks: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """The blocks of one page, in order, in a process of its own: what they register ends with it.

    A block that begins with the name of a file, ``# mine.py``, is that file for those that follow.
    """
    for block in blocks:
        if file := re.match(r"# (\w+\.py)\n", block):
            (folder / file[1]).write_text(block, "utf-8")
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "PLDVERIFY_CACHE_DIR": str(folder)}
    command = [sys.executable, "-c", "\n".join(blocks)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


def test_every_page_that_teaches_python_has_examples() -> None:
    others = {
        "architecture",
        "command_line",
        "errata",
        "install",
        "kernel",
        "notation",
        "regimes",
        "reported_budgets",
        "security",
        "speed",
    }
    assert {page.stem for page in PAGES} - {page.stem for page in TEACHING} == others


@pytest.mark.sample(2)
@pytest.mark.parametrize("page", TEACHING, ids=lambda page: page.stem)
def test_every_example_runs(page: Path, tmp_path: Path) -> None:
    blocks = fenced(page.read_text("utf-8"), "python")
    assert "assert " in "".join(blocks)
    result = run(blocks, tmp_path)
    assert result.returncode == 0, result.stderr


def test_an_example_that_fails_would_be_seen(tmp_path: Path) -> None:
    (block,) = fenced("```python\nimport pldverify\nassert pldverify.Gaussian(1) is None\n```\n", "python")
    assert "AssertionError" in run([block], tmp_path).stderr


# --- the map ---


@cache
def modules() -> Mapping[str, str]:
    """{dotted name: source} of the package; a folder by its own name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text("utf-8")
    return found


@cache
def named(source: str) -> tuple[tuple[str, str, bool], ...]:
    """(module, name of it or "", whether it loads with the importing module) for every import."""
    found = []
    for node, eager in importing(source):
        if isinstance(node, ast.Import):
            found += [(alias.name, "", eager) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "the map reads absolute imports"
            found += [(str(node.module), alias.name, eager) for alias in node.names]
    return tuple(found)


def imported(source: str, known: Container[str]) -> Iterator[tuple[str, bool]]:
    """(module, whether it loads with the importing one) for every import of ours."""
    for module, name, at_once in named(source):
        whole = f"{module}.{name}" if f"{module}.{name}" in known else module
        if whole in known:
            yield whole, at_once


def room(module: str, whole: str) -> str | None:
    """The room of ``whole`` (dotted) that a module stands in; None outside, and for ``whole`` itself."""
    if not module.startswith(whole + "."):
        return None
    first, *rest = module.removeprefix(whole + ".").split(".")
    is_folder = bool(rest) or (ROOT / whole.replace(".", "/") / first).is_dir()
    return first if is_folder or whole != "pldverify.symbolic" else DOORS


def imports_between_rooms(whole: str, sources: Mapping[str, str]) -> set[tuple[str, str, str]]:
    """(room, arrow, room): ``-->`` where one of the imports loads at once, else ``-.->``."""
    eager: dict[tuple[str, str], bool] = {}
    for module, source in sources.items():
        start = room(module, whole)
        for name, at_once in imported(source, sources):
            end = room(name, whole)
            if start is not None and end is not None and start != end:
                eager[start, end] = eager.get((start, end), False) or at_once
    left_out = EVERYWHERE | {"__main__"} if whole == "pldverify" else set()
    return {
        (start, "-->" if at_once else "-.->", end)
        for (start, end), at_once in eager.items()
        if not {start, end} & left_out
    }


ARROW = re.compile(r" +(\w+) (-->|-\.->) (\w+)")


def drawn(text: str) -> dict[str, set[tuple[str, ...]]]:
    """{dotted name of what is drawn: its arrows}. Every line of a map but the first two is an arrow."""
    found = {}
    for block in fenced(text, "mermaid"):
        title, _, *lines = block.rstrip("\n").split("\n")
        if title.startswith("%% rooms of "):
            arrows = [ARROW.fullmatch(line) for line in lines]
            found[title.removeprefix("%% rooms of ").replace("/", ".")] = {
                arrow.groups() if arrow else (line,) for arrow, line in zip(arrows, lines, strict=True)
            }
    return found


def architecture() -> str:
    return (DOCS / "architecture.md").read_text("utf-8")


WHOLES = ("pldverify", "pldverify.reference", "pldverify.symbolic")


def test_three_maps_are_drawn() -> None:
    assert set(drawn(architecture())) == set(WHOLES)


@pytest.mark.parametrize("whole", WHOLES)
def test_every_arrow_is_an_import_and_every_import_an_arrow(whole: str) -> None:
    arrows, found = drawn(architecture())[whole], imports_between_rooms(whole, modules())
    assert {"not an import": arrows - found, "not drawn": found - arrows} == {
        "not an import": set(),
        "not drawn": set(),
    }


@pytest.mark.parametrize(
    ("whole", "module", "source", "arrow"),
    [
        (
            "pldverify",
            "bounds.chernoff",
            "from pldverify.reference import delta",
            ("bounds", "-->", "reference"),
        ),
        (
            "pldverify",
            "accountants.prv",
            "def f():\n    import pldverify.rulings",
            ("accountants", "-.->", "rulings"),
        ),
        (
            "pldverify.reference",
            "reference.engines.closed.atoms",
            "from pldverify.reference import choice",
            ("engines", "-->", "choice"),
        ),
        (
            "pldverify.symbolic",
            "symbolic.check.delta",
            "if TYPE_CHECKING:\n    from pldverify.symbolic.build.builder import derive_formulas",
            ("check", "-.->", "build"),
        ),
        (
            "pldverify.symbolic",
            "symbolic.model.domain",
            "from pldverify.symbolic.derive import derive",
            ("model", "-->", "doors"),
        ),
    ],
)
def test_a_planted_import_would_be_seen(
    whole: str, module: str, source: str, arrow: tuple[str, str, str]
) -> None:
    sources = dict(modules())
    sources[f"pldverify.{module}"] += f"\n{source}\n"
    assert imports_between_rooms(whole, sources) - imports_between_rooms(whole, modules()) == {arrow}
    assert arrow not in drawn(architecture())[whole]


def test_an_arrow_without_an_import_would_be_seen() -> None:
    sources = {name: source for name, source in modules().items() if not name.startswith("pldverify.rulings")}
    gone = drawn(architecture())["pldverify"] - imports_between_rooms("pldverify", sources)
    assert ("certificate", "-->", "rulings") in gone


def rooms() -> list[str]:
    """Rooms and files beside them, of the package and of its two houses."""
    houses = [PACKAGE, PACKAGE / "reference", PACKAGE / "symbolic"]
    plain = {"__init__.py", "__main__.py"}  # they hand on names
    return [
        path.relative_to(ROOT).as_posix()
        for house in houses
        for path in sorted(house.iterdir())
        if (path.is_dir() and path.name != "__pycache__") or (path.suffix == ".py" and path.name not in plain)
    ]


def unnamed(text: str) -> list[str]:
    return [name for name in rooms() if name not in paths(text)]


def test_every_room_is_named() -> None:
    assert {"pldverify/errors.py", "pldverify/reference/choice.py", "pldverify/symbolic/check"} <= set(
        rooms()
    )
    assert unnamed(architecture()) == []


def test_a_room_that_is_not_named_would_be_seen() -> None:
    assert unnamed(architecture().replace("`pldverify/quadrature`", "")) == ["pldverify/quadrature"]


# --- what the pages about additions promise ---


def unlisted(kinds: Set[object], *tables: Set[object]) -> list[Set[object]]:
    """What each table lacks, or has beyond ``kinds``."""
    return [kinds ^ table for table in tables]


def evaluators() -> set[str]:
    """Engine files as ``reference/engines/__init__.py`` names them: where an Evaluator has a name."""
    folder = PACKAGE / "reference" / "engines"
    return {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in folder.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
        and {"Evaluator", "InversionSum"} & set(map(ast.unparse, node.bases))
        and any(ast.unparse(line).startswith("engine = ") for line in node.body)
    }


def test_no_row_is_forgotten() -> None:
    from pldverify.mechanisms.few_draws import FewDraws
    from pldverify.mechanisms.halting import Halting
    from pldverify.mechanisms.ranked import Ranked
    from pldverify.mechanisms.truncated_geometric import TruncatedGeometric
    from pldverify.mechanisms.winning import Winning
    from pldverify.reference import choice, engines
    from pldverify.reference.engines import evaluator
    from pldverify.reference.laws import composed_loss
    from pldverify.symbolic.families import table

    public = {
        kind for kind in vars(mechanisms).values() if isinstance(kind, type) and issubclass(kind, Mechanism)
    }
    kinds = public - {Mechanism} | {TruncatedGeometric}  # which a function makes
    laws = set(composed_loss._LAWS) - {
        FewDraws,
        Halting,
        Ranked,
        Winning,
    }  # parts of bounds, that nobody asks for
    no_pair = {  # on a line
        mechanisms.BallsAndBins,
        mechanisms.GaussianAboveThreshold,
        mechanisms.GNMax,
        mechanisms.RenyiDP,
        mechanisms.RepeatAndSelect,
        mechanisms.ShuffledBatches,
        mechanisms.ShuffleModel,
        mechanisms.ZCDP,
    }
    families = {
        *table.FAMILIES,
        *no_pair,
        mechanisms.TruncatedPoisson,
        mechanisms.ThresholdedHistogram,  # of two pairs, as the one before
        mechanisms.AboveThreshold,
        mechanisms.NoisyMax,  # blunted Laplace noise, as the one before
    }
    assert unlisted(kinds, laws, families) == [set(), set()]
    assert evaluators() == set(engines._FILES)
    engines.load()
    slopes = {name for name in choice.ENGINES if name.endswith(" slope")}  # one engine, of several others
    assert (set(choice.ENGINES) - slopes) | {"slope"} == set(evaluator.ENGINES)


def test_a_forgotten_row_would_be_seen() -> None:
    assert unlisted({"a", "b"}, {"a"}, {"a", "b", "c"}) == [{"b"}, {"c"}]


def untested(bounds: set[str], tests: str) -> set[str]:
    """Functions that no test calls."""
    return {name for name in bounds if not re.search(rf"\b{name}\(", tests)}


def test_every_bound_is_attacked() -> None:
    folders = [ROOT / "tests" / "unit" / "bounds", ROOT / "tests" / "property"]
    tests = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("test_bounds*.py"))
    files = [path for path in (PACKAGE / "bounds").glob("*.py") if path.name != "balls.py"]
    bounds = {name for path in files for name in defined(path) if name.islower() and name[0] != "_"}
    assert len(bounds) > 20
    assert untested(bounds, tests) == set()


def test_a_bound_that_nobody_attacks_would_be_seen() -> None:
    assert untested({"tail", "loss_tail"}, "from b import tail, loss_tail\nassert loss_tail(1) > 0") == {
        "tail"
    }


# --- trusted lines ---


def test_no_file_holds_both_sides_of_a_merge() -> None:
    rooms = [path for path in ROOT.iterdir() if path.is_dir() and path.name[0] != "."]
    paths = [*ROOT.glob("*.*"), *(path for room in rooms for path in room.rglob("*.*"))]
    texts = {path: path.read_bytes() for path in paths if path.suffix in {".md", ".py", ".toml", ".yml"}}
    assert not [path for path, text in texts.items() if re.search(rb"(?m)^(<{7}|>{7}) ", text)]


def test_the_trusted_lines_are_what_the_script_prints() -> None:
    script = ROOT / "benchmarks" / "trusted_lines.py"
    command = [sys.executable, str(script), "--markdown"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    quoted = (DOCS / "trust.md").read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    assert quoted.strip() == printed.strip()
