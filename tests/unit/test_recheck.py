"""The independent checker: alone, small, right in its functions, and patient with nobody's files."""

import ast
import hashlib
import itertools
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import mpmath
import pytest

import pldverify as pv
from benchmarks.trusted_lines import code_lines
from pldverify import recheck
from pldverify.certificate.document import digest

FILE = Path(recheck.__file__)
STORED = Path(__file__).parents[1] / "data" / "certificates"
TRAINING = re.sub(r"# --- queries .*?(?=# --- what runs it )", "", FILE.read_text("utf-8"), flags=re.DOTALL)
"""The file without its last section."""
ALLOWED = {"__future__", "base64", "hashlib", "json", "math", "os", "re", "stat", "sys"} | {
    "collections",
    "dataclasses",
    "decimal",
    "fractions",
    "functools",
    "itertools",
    "typing",
}


def stored(name: str) -> dict[str, Any]:
    return dict(json.loads((STORED / f"{name}.json").read_text("utf-8")))


def signed(document: dict[str, Any]) -> bytes:
    """With its own digest."""
    return json.dumps(document | {"sha256": digest(document)}).encode()


# --- alone and small ---


def test_it_is_small_and_imports_the_standard_library_alone() -> None:
    source = FILE.read_text("utf-8")
    assert code_lines(TRAINING) <= 1000 and code_lines(source) <= 1340
    nodes = list(ast.walk(ast.parse(source)))
    found = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    found |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in found} <= ALLOWED <= set(sys.stdlib_module_names)
    calls = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    assert not calls & {"eval", "exec", "__import__", "compile", "import_module"}


def test_what_trains_needs_no_section_on_queries() -> None:
    """Without it the file says the same of all else, and of these that they are beyond it."""
    core = ModuleType("core")
    exec(compile(TRAINING, "core", "exec"), core.__dict__)
    queries = {*recheck.QUERIES, *recheck.WHOLE, *recheck.INSIDE}
    found = {True: 0, False: 0}
    for path in sorted(STORED.glob("[a-t]*.json"))[::2]:
        document = json.loads(path.read_text("utf-8"))
        asks = any(f'"{name}"' in json.dumps(document["composition"]) for name in queries)
        said = core.recheck(document, cells=50)
        found[asks] += 1
        if asks:
            assert said[1][0].startswith("UNDECIDED: beyond this checker: "), (path.name, said)
        else:
            assert said == recheck.recheck(document, cells=50), path.name
    assert min(found.values()) >= 5


@pytest.mark.parametrize(("name", "code"), [("laplace-certified", 0), ("dp-sgd-refuted", 0)])
def test_it_runs_without_an_installation(name: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "recheck.py").write_bytes(FILE.read_bytes())
    (tmp_path / "c.json").write_bytes((STORED / f"{name}.json").read_bytes())
    command = [sys.executable, "-I", "-S", "recheck.py", "c.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={})
    assert done.returncode == code, done.stdout + done.stderr
    assert done.stdout.startswith("CONFIRMED: ")


def script(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The checker as a script in a folder, on a stored certificate there."""
    (folder / "recheck.py").write_bytes(FILE.read_bytes())
    (folder / "c.json").write_bytes((STORED / "laplace-certified.json").read_bytes())
    command = [sys.executable, *arguments, "recheck.py", "c.json"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("name", ["json", "numbers", "fractions"])
def test_a_module_beside_it_is_not_imported(name: str, tmp_path: Path) -> None:
    """``python pldverify/recheck.py`` took the package's numbers for the standard one, and a file beside
    a copy could confirm anything."""
    (tmp_path / f"{name}.py").write_text("print('CONFIRMED: CERTIFIED'); raise SystemExit(0)")
    done = script(tmp_path)
    assert done.stdout.count("CONFIRMED") == 1 and "found: CERTIFIED" in done.stdout


def test_it_runs_where_it_lies_in_the_package() -> None:
    command = [sys.executable, str(FILE), str(STORED / "laplace-certified.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_prints_where_greek_letters_can_not_be_shown(tmp_path: Path) -> None:
    """The error ended in exit code 1, CONTRADICTED."""
    done = script(tmp_path, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")


class _Annotations(ast.NodeTransformer):
    """Those that no version of Python evaluates here are left out."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return self.generic_visit(ast.Assign([node.target], node.value) if node.value else ast.Pass())

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def newer_than_3_8(source: str) -> list[str]:
    """What Python 3.8 does not run, as far as this file could use it; and what 3.7 can't even read, which
    then ends with 1 before a line of it is run."""
    tree = _Annotations().visit(ast.parse(source, feature_version=(3, 8)))
    found = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.NamedExpr | ast.Match)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("dict", "list", "set", "tuple"):
            found.append(ast.unparse(node))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            names = [side.id for side in (node.left, node.right) if isinstance(side, ast.Name)]
            found += [ast.unparse(node)] if any(map(str.istitle, names)) else []
        if isinstance(node, ast.keyword) and node.arg in ("strict", "slots", "kw_only"):
            found.append(str(node.arg))
        name = getattr(node, "attr", getattr(node, "name", ""))
        found += [name] if name in ("removeprefix", "removesuffix", "pairwise", "lcm", "safe_path") else []
    return found


def test_it_needs_python_3_8_and_no_later_one() -> None:
    """Python 3.10 and before ended with 1, CONTRADICTED."""
    source = FILE.read_text("utf-8")
    assert newer_than_3_8(source) == [] and "from __future__ import annotations" in source


@pytest.mark.parametrize(
    "source",
    ["A = tuple[int, int]", "A = Pair | Atoms", "zip(a, b, strict=1)", "if a := 1: pass", "math.lcm(1)"],
)
def test_a_later_python_would_be_seen(source: str) -> None:
    assert newer_than_3_8(source)


@pytest.mark.slow
def test_it_runs_on_the_pythons_that_are_here() -> None:
    for name in filter(shutil.which, (f"python3.{minor}" for minor in range(8, 20))):
        if subprocess.run([name, "-c", ""], capture_output=True).returncode == 0:
            command = [name, str(FILE), str(STORED / "laplace-certified.json")]
            done = subprocess.run(command, capture_output=True, text=True)
            assert (done.returncode, done.stdout[:9]) == (0, "CONFIRMED"), done.stderr


@pytest.mark.sample(1)
@pytest.mark.parametrize("bad", ["", "nothing.json"])
@pytest.mark.parametrize("where", [">&-", ">&- 2>&-", "> /dev/full", "> /dev/full 2> /dev/full", ""])
def test_what_can_not_be_said_is_no_contradiction(where: str, bad: str, tmp_path: Path) -> None:
    """A closed output, a full disk, a reader that left: all ended with 1."""
    script(tmp_path)
    reader, nobody_reads = os.pipe()
    os.close(reader)
    command = f'"{sys.executable}" recheck.py {bad or "c.json"} {where}'
    done = subprocess.run(command, shell=True, cwd=tmp_path, stdout=nobody_reads, stderr=subprocess.PIPE)
    os.close(nobody_reads)
    assert done.returncode == recheck.CODES["UNWRITTEN"] == 74, done.stderr


def test_the_page_has_every_exit_code() -> None:
    page = (FILE.parents[1] / "docs" / "certificates.md").read_text("utf-8")
    rows = [line.split("|")[1:3] for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    told = {int(code): word.strip() for code, word in rows}
    assert told == {**{code: word for word, code in recheck.CODES.items()}, 74: "", 130: ""}


def test_the_page_names_this_very_file() -> None:
    """Its SHA-256 and its lines: whoever copies it can compare."""
    page = (FILE.parents[1] / "docs" / "certificates.md").read_text("utf-8")
    source = FILE.read_text("utf-8")
    told = f"It has {len(source.splitlines()):,} lines, of which {code_lines(source):,} are\ncode"
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() in page and told in page


def test_what_the_standard_library_lacks_is_no_contradiction(tmp_path: Path) -> None:
    (tmp_path / "lacking").mkdir()
    (tmp_path / "lacking" / "base64.py").write_text("import no_such_module")
    done = script(tmp_path, PYTHONPATH=str(tmp_path / "lacking"))
    assert done.returncode == recheck.CODES["FAILED"] and "no_such_module" in done.stderr


def test_an_interrupt_is_no_contradiction(tmp_path: Path) -> None:
    (tmp_path / "early").mkdir()
    (tmp_path / "early" / "base64.py").write_text("raise KeyboardInterrupt")
    assert script(tmp_path, PYTHONPATH=str(tmp_path / "early")).returncode == 130


def test_no_word_of_a_certificate_steers_the_terminal(tmp_path: Path) -> None:
    one = stored("laplace-certified")
    strange = signed(put(one, "gaussian\x1b[2J\u202e", "composition", 0, "mechanism", "name"))
    (tmp_path / "strange.json").write_bytes(strange)
    done = subprocess.run([sys.executable, str(FILE), "x\x1b[2J"], capture_output=True, text=True)
    assert done.returncode == 2 and "\x1b" not in done.stdout
    done = subprocess.run(
        [sys.executable, str(FILE), str(tmp_path / "strange.json")], capture_output=True, text=True
    )
    assert not {"\x1b", "\u202e"} & set(done.stdout), done.stdout


def test_an_error_of_its_own_is_no_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck, "decide", lambda claim: 1 // 0)
    assert recheck.main([str(STORED / "laplace-certified.json")]) == recheck.CODES["FAILED"] == 70


# --- functions ---


@pytest.mark.parametrize("bits", [80, 150, 400])
def test_functions_enclose_what_mpmath_says(bits: int) -> None:
    fixed, rng = recheck.Fixed(bits), random.Random(bits)
    with mpmath.workprec(bits + 250):
        scale = mpmath.mpf(2) ** bits
        for _ in range(60):
            x = Fraction(rng.randint(-12 * 10**6, 12 * 10**6), 10**6 * rng.choice([1, 3, 7, 10**4]))
            exact = mpmath.mpf(x.numerator) / x.denominator
            cases = {fixed.exp(x): mpmath.exp(exact), fixed.normal(x): mpmath.ncdf(exact)}
            for (low, high), value in cases.items():
                assert low <= value * scale <= high
                assert high - low <= 2000 + value * 2000
        assert fixed.ln2 <= mpmath.log(2) * scale <= fixed.ln2 + 2
        assert fixed.norm[0] <= scale / mpmath.sqrt(2 * mpmath.pi) <= fixed.norm[1] <= fixed.norm[0] + 3


def test_packed_products_are_those_of_polynomials() -> None:
    rng = random.Random(1)
    for sizes in ((1, 1), (3, 7), (40, 5)):
        a, b = ([rng.randrange(10**20) * rng.randrange(2) for _ in range(size)] for size in sizes)
        found = recheck.Setting(Fraction(1), 10, 10**20, recheck.Fixed(64), [0]).convolve(a, b)
        plain = [0] * (len(a) + len(b) - 1)
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                plain[i + j] += x * y
        assert found == plain


# --- bounds ---


def exact_delta(rows: list[tuple[Fraction, Fraction]], count: int, epsilon: Fraction) -> Any:
    """δ of ``count`` steps whose outcomes have these masses (P, Q): every multiset of outcomes."""
    total, growth = mpmath.mpf(0), mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
    for outcomes in itertools.combinations_with_replacement(range(len(rows)), count):
        ways = math.factorial(count) // math.prod(math.factorial(outcomes.count(i)) for i in set(outcomes))
        p, q = (math.prod((rows[i][side] for i in outcomes), start=Fraction(ways)) for side in (0, 1))
        total += max(mpmath.mpf(p.numerator) / p.denominator - growth * q.numerator / q.denominator, 0)
    return total


def some_law(rng: random.Random, remove: bool, count: int, epsilon: Fraction) -> tuple[recheck.Law, Any]:
    """A law and the true δ of ``count`` steps of it."""
    if rng.random() < 0.3:
        mu = Fraction(rng.randint(10, 200), 100)
        total = mpmath.sqrt(count) * mu.numerator / mu.denominator
        at = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        truth = mpmath.ncdf(total / 2 - at / total) - mpmath.exp(at) * mpmath.ncdf(-total / 2 - at / total)
        return recheck.shifted(recheck.Gaussian, mu), truth
    p, k, q = Fraction(rng.randint(10, 98), 100), rng.choice([2, 3]), Fraction(rng.randint(5, 100), 100)
    other = (1 - p) / (k - 1)
    pairs = [(p, other), (other, p), ((k - 2) * other, (k - 2) * other)][:k]
    rows = [((1 - q) * base + q * shifted, base) for shifted, base in pairs]
    rows = rows if remove else [(b, a) for a, b in rows]
    return recheck.response(q, p, Fraction(k)), exact_delta(rows, count, epsilon)


@pytest.mark.parametrize("seed", range(4))
def test_bounds_hold_with_few_digits_and_cells(seed: int) -> None:
    """Where a unit of the last place is much, it shows which way each is rounded."""
    rng, near = random.Random(seed), 0
    for _ in range(150):
        count, remove, epsilon = (
            rng.choice([1, 2, 3, 5]),
            rng.random() < 0.5,
            Fraction(rng.randint(0, 300), 100),
        )
        with mpmath.workdps(40):
            law, truth = some_law(rng, remove, count, epsilon)
        fixed, cut = recheck.Fixed(rng.randint(16, 30)), Fraction(1, 10 ** rng.randint(2, 6))
        width, size = Fraction(rng.randint(5, 60), 100), rng.choice([6, 12, 40])
        setting = recheck.Setting(width, size, 10 ** rng.randint(1, 6), fixed, [0])
        try:
            step = law.step(width, remove, fixed, rng.choice([3.0, 8.0, 20.0]))
            upper = recheck.power(recheck.Upper.of(step, setting, 0), count, cut).delta(epsilon)
            lower = recheck.power(recheck.Lower.of(step, setting, 0), count, cut).delta(epsilon)
        except recheck.Beyond:
            continue
        assert float(lower) * (1 - 1e-12) <= truth <= float(upper) * (1 + 1e-12)
        near += upper - lower < Fraction(1, 5)
    assert near > 50


def wide_cells(
    rng: random.Random, h: Fraction, fixed: recheck.Fixed
) -> tuple[list[recheck.Cell], list[tuple[Fraction, Fraction]]]:
    """Cells of several widths with three outcomes in each, and the masses (P, Q) of these, but for scale."""
    cells, rows, at = [], [], rng.randint(-9, 0)
    for _ in range(rng.randint(1, 3)):
        width = rng.choice([1, 2, 3, 7])
        inside = []
        for _ in range(3):
            loss = h * at + h * width * Fraction(rng.randint(1, 99), 100)
            p = Fraction(rng.randint(1, 60), 1000)
            inside.append((p, p * Fraction(math.exp(-float(loss)))))
        p, q = (fixed.of(sum((row[side] for row in inside), Fraction(0))) for side in (0, 1))
        cells.append(recheck.Cell(at, p, fixed.times(q, fixed.exp(at * h)), width=width))
        at, rows = at + width, rows + inside
    return cells, rows


def test_wide_cells_bound_what_is_in_them() -> None:
    """A cell of n indices goes to both its ends above, and to one index below."""
    rng, near = random.Random(38), 0
    for _ in range(60):
        h, fixed = Fraction(rng.randint(3, 30), 100), recheck.Fixed(60)
        count, epsilon = rng.choice([1, 1, 2]), Fraction(rng.randint(0, 200), 100)
        cells, rows = wide_cells(rng, h, fixed)
        setting = recheck.Setting(h, 1000, 10**12, fixed, [0])
        with mpmath.workdps(40):
            truth = exact_delta(rows, count, epsilon)
        upper, lower = (
            recheck.power(kind.of(cells, setting, 0), count, Fraction(0)).delta(epsilon)
            for kind in (recheck.Upper, recheck.Lower)
        )
        assert float(lower) <= truth * (1 + 1e-9) + 1e-11 and truth <= float(upper) * (1 + 1e-9) + 1e-11
        near += truth > 0 and float(upper - lower) < truth
    assert near > 10


def test_batches_are_cut_at_a_loss_of_0(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell on both sides of 0 would be counted as if its losses were at most 0."""
    batch, fixed = (
        recheck.Batch(recheck.shifted(recheck.Gaussian, Fraction(1), Fraction(1, 3))),
        recheck.Fixed(150),
    )
    marks, h = recheck.Pair.marks, Fraction(1, 64)
    assert batch.step(h, True, fixed, 20.0)
    without = lambda *asked: [row for row in marks(*asked) if row[0]]  # noqa: E731
    monkeypatch.setattr(recheck.Pair, "marks", without)
    with pytest.raises(recheck.Beyond, match="no outcomes"):
        batch.step(h, True, fixed, 20.0)


def test_grids_of_many_factors_are_coarser_and_those_of_sums_are_not() -> None:
    """n factors have a grid n^(4/10) times as coarse."""
    setting = recheck.Setting(Fraction(1, 100), 1000, 10**12, recheck.Fixed(60), [0])
    one = recheck.Upper(setting, 0, 0, [10**12 // 2, 10**12 // 2], 0)
    assert [recheck.power(one, n, Fraction(0)).level for n in (1, 2, 6, 64, 100)] == [0, 0, 1, 2, 2]
    assert recheck.power(one, 100, Fraction(0), 0).level == 0


@pytest.mark.parametrize("bits", range(14, 40, 5))
def test_constants_of_coarser_grids_are_upper_bounds(bits: int) -> None:
    for h in (Fraction(1, 7), Fraction(1, 1000), Fraction(3, 2)):
        setting = recheck.Setting(h, 10, 10**20, recheck.Fixed(bits), [0])
        for level in range(4):
            with mpmath.workprec(200):
                g = mpmath.mpf(h.numerator) / h.denominator * 2**level
                truths = 1 / (1 + mpmath.exp(-g)), mpmath.exp(g / 2), mpmath.exp(-g / 2)
                one = 10**20
                found = [recheck.Upper(setting, level, 0, [0, one], 0).coarser().mass[1]]
                for q in ([one, 0], [0, one]):
                    found += recheck.Lower(setting, level, 0, [0, 0], 0, q=q).coarser().q[:1]
                for each, truth in zip(found, truths, strict=True):
                    assert 0 <= each / mpmath.mpf(one) - truth <= (1000 + 1000 * truth) / 2**bits


# --- what it refuses ---

BAD_FILES = {
    "empty": b"",
    "no JSON": b"{",
    "not UTF-8": b"\xff\xfe{}",
    "a list": b"[]",
    "a number": b"1",
    "keys twice": b'{"schema": 1, "schema": 2}',
    "NaN": b'{"schema": NaN}',
    "infinity": b'{"schema": -Infinity}',
    "a float": b'{"schema": 1.5}',
    "a huge integer": b'{"schema": ' + b"9" * 1_000_000 + b"}",
    "nested": b'{"schema":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}",
    "nested objects": b'{"a":' * 400_000 + b"1" + b"}" * 400_000,
    "a lone surrogate": b'{"schema": "\\ud800"}',
    "nested a little too deep": b'{"schema":' + b"[" * 70 + b"]" * 70 + b"}",
    "quotes that don't end": b'"' + b'\\"' * 1_999_000,
    "too long": b" " * (recheck.MAX_BYTES + 1),
}


@pytest.mark.parametrize("data", BAD_FILES.values(), ids=BAD_FILES)
def test_what_is_no_certificate_is_rejected(data: bytes) -> None:
    with pytest.raises(recheck.Rejected):
        recheck.parse(data)


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "nothing", tmp_path / "pipe", "/dev/zero", "a\0b"):
        with pytest.raises(recheck.Rejected):
            recheck.read(str(path))


def test_a_grid_that_is_too_coarse_is_not_the_last() -> None:
    """An error on the first grid ended all."""
    parts = ((recheck.shifted(recheck.Gaussian, Fraction(1, 2), Fraction(1)), 2),)
    claim = recheck.Claim("<=", Fraction(3), Fraction(1, 10**4), parts, (True,))
    assert recheck.decide(claim)[0] == "CERTIFIED"
    real, sizes = recheck.bound, list[int]()

    def bound(claim: recheck.Claim, remove: bool, kind: Any, size: int, work: list[int]) -> Fraction:
        sizes.append(size)
        if size == recheck.SIZES[0]:
            raise recheck.Beyond("too coarse")
        return real(claim, remove, kind, size, work)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recheck, "bound", bound)
        assert recheck.decide(claim)[0] == "CERTIFIED"
    assert sizes[-1] == recheck.SIZES[1]


def test_that_side_is_bounded_first_which_can_decide() -> None:
    """The other one cost three quarters of the work, and claims with a slack of a thousandth stayed open."""
    parts = ((recheck.shifted(recheck.Gaussian, Fraction(1, 4), Fraction(3, 10)), 20),)
    claim = recheck.Claim("<=", Fraction(3, 2), Fraction(1, 10**5), parts, (True, False))
    real, kinds = recheck.bound, list[str]()

    def bound(claim: recheck.Claim, remove: bool, kind: Any, size: int, work: list[int]) -> Fraction:
        kinds.append(kind.__name__)
        return real(claim, remove, kind, size, work)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recheck, "bound", bound)
        found, _ = recheck.decide(claim)
    assert kinds == {"REFUTED": ["Lower"], "CERTIFIED": ["Lower", "Lower", "Upper", "Upper"]}[found]


@pytest.mark.parametrize("p", [0, 1])
@pytest.mark.parametrize("q", [Fraction(1, 2), Fraction(1, 1000)])
def test_a_sampled_certain_answer_has_few_cells(p: int, q: Fraction) -> None:
    """Its grid was of 1e-11 once: gigabytes of cells. δ ≥ q at every ε."""
    law = recheck.response(q, Fraction(p), Fraction(2))
    for delta, verdict in ((q * Fraction(999, 1000), "REFUTED"), (q + Fraction(1, 1000), "CERTIFIED")):
        claim = recheck.Claim("<=", Fraction(1, 10), delta, ((law, 1),), (True, False))
        assert recheck.decide(claim)[0] == verdict


def test_cells_far_from_each_other_are_refused() -> None:
    cells = [recheck.Cell(index, (0, 1), (0, 1)) for index in (0, 10**9)]
    setting = recheck.Setting(Fraction(1), 10, 10**20, recheck.Fixed(64), [0])
    with pytest.raises(recheck.Beyond, match="too far"):
        recheck.Upper.of(cells, setting, 0)


def test_work_ends_where_it_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = ((recheck.shifted(recheck.Gaussian, Fraction(1, 2), Fraction(1)), 64),)
    claim = recheck.Claim("<=", Fraction(30), Fraction(1, 10**4), parts, (True,))
    assert recheck.decide(claim)[0] == "CERTIFIED"
    monkeypatch.setattr(recheck, "WORK", 10_000)
    found, why = recheck.decide(claim)
    assert found == "UNDECIDED" and "more work than is allowed" in why


def test_many_kinds_of_mechanism_are_beyond_it() -> None:
    one = stored("laplace-certified")
    for kinds, beyond in ((recheck.MAX_PARTS, False), (recheck.MAX_PARTS + 1, True)):
        document = recheck.parse(signed(one | {"composition": one["composition"] * kinds, "enclosure": None}))
        if beyond:
            with pytest.raises(recheck.Beyond, match="kinds only"):
                recheck.claim_of(document)
        else:
            assert len(recheck.claim_of(document).parts) == kinds


def test_an_enclosure_need_not_decide_where_a_reason_says_what_does() -> None:
    """Such as δ at the claimed ε. Without one it has to."""
    wide = stored("laplace-certified") | {"enclosure": {"lower": "0", "upper": "100"}}
    with pytest.raises(recheck.Rejected, match="does not follow"):
        recheck.recheck(recheck.parse(signed(wide)))
    told = wide | {"reason": "decided by δ at the claimed ε"}
    assert recheck.recheck(recheck.parse(signed(told)))[0] == "CONFIRMED"


def test_too_much_to_do_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended in a ValueError, for numbers of more digits than Python prints."""
    monkeypatch.setattr(recheck, "WORK", recheck.WORK // 20)
    noise = recheck.shifted(recheck.Gaussian, Fraction(3), Fraction(1, 2))
    other = recheck.discrete_gaussian(Fraction(1, 2), Fraction(1500), Fraction(1000))
    parts = ((noise, 10**12), (other, 10**12))
    claim = recheck.Claim("<=", Fraction(10**7), Fraction(1, 10**60), parts, (True, False))
    assert recheck.decide(claim)[0] == "UNDECIDED"


def put(document: dict[str, Any], value: Any, *where: Any) -> dict[str, Any]:
    """A copy with another value there."""
    copy = deepcopy(document)
    target: Any = copy
    for key in where[:-1]:
        target = target[key]
    target[where[-1]] = value
    return copy


STEP = ("composition", 0)
NOISE = ("composition", 0, "mechanism", "base", "parameters")
CHOICE = ("composition", 0, "mechanism", "parameters")
HOSTILE: dict[str, tuple[Any, ...]] = {
    "10^12 steps": (10**12, *STEP, "count"),
    "10^15 steps": (10**15, *STEP, "count"),
    "no steps": (0, *STEP, "count"),
    "steps in a string": ("10000", *STEP, "count"),
    "steps as a boolean": (True, *STEP, "count"),
    "a long number": ("1" * 401, *NOISE, "sigma"),
    "a large exponent": ("1e999", *NOISE, "sigma"),
    "another exponent": ("1e-999", *NOISE, "sigma"),
    "exponent and fraction": ("1e-300/" + "9" * 300, *NOISE, "sigma"),
    "no noise": ("0", *NOISE, "sigma"),
    "negative noise": ("-1", *NOISE, "sigma"),
    "NaN": ("NaN", *NOISE, "sigma"),
    "other digits": ("١", *NOISE, "sigma"),
    "little noise": ("1e-9", *NOISE, "sigma"),
    "much noise": ("1e12", *NOISE, "sigma"),
    "a tiny q": ("1e-290", *STEP, "mechanism", "parameters", "q"),
    "q above 1": ("1.01", *STEP, "mechanism", "parameters", "q"),
    "a path": ("../../etc/passwd", *STEP, "mechanism", "name"),
    "a nested base": (
        {"name": "poisson", "parameters": {"q": "0.1"}, "base": None},
        *STEP,
        "mechanism",
        "base",
    ),
    "a tiny delta": ("1e-290", "claim", "delta"),
    "delta above 1": ("2", "claim", "delta"),
    "a large epsilon": ("1e290", "claim", "epsilon"),
    "many kinds": ([{"count": 1, "mechanism": {}}] * 10_000, "composition"),
    "an enclosure of 10^30000": ({"lower": "0", "upper": "1*2^99999"}, "enclosure"),
}


LITTLE = 50_000_000
"""Digits of work that decide the certificates below; what is undecided would go on to the limit."""


@pytest.mark.parametrize("case", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_certificate_confirms_nothing_false(case: tuple[Any, ...]) -> None:
    """It says CERTIFIED, so only what is true may be confirmed: none of these is, but for more noise."""
    value, *where = case
    document = recheck.parse(signed(put(stored("dp-sgd-certified"), value, *where)))
    try:
        outcome, _ = recheck.recheck(document, work=LITTLE)
    except recheck.Rejected:
        return
    assert outcome != "CONFIRMED" or value in ("1e12", "1e-290", "1e290")


FORGERIES: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "verdict turned": ("dp-sgd-refuted", [("CERTIFIED", "verdict")]),
    "verdict turned, enclosure hidden": ("dp-sgd-refuted", [("CERTIFIED", "verdict"), (None, "enclosure")]),
    "verdict turned, enclosure forged": (
        "dp-sgd-refuted",
        [("CERTIFIED", "verdict"), ({"lower": "6", "upper": "1759*2^-8"}, "enclosure")],
    ),
    "verdict turned, a reason made up": (
        "dp-sgd-refuted",
        [("CERTIFIED", "verdict"), ("true of every mechanism", "reason")],
    ),
    "the other verdict turned": ("dp-sgd-certified", [("REFUTED", "verdict"), (None, "enclosure")]),
    "a smaller epsilon": ("dp-sgd-certified", [("6.9", "claim", "epsilon"), (None, "enclosure")]),
    "a smaller delta": ("dp-sgd-certified", [("1e-7", "claim", "delta")]),
    "relation turned": ("dp-sgd-certified", [(">=", "claim", "relation"), (None, "enclosure")]),
    "equality": ("dp-sgd-certified", [("=", "claim", "relation"), (None, "enclosure")]),
    "only the easy direction": ("dp-sgd-refuted", [("add", "adjacency"), (None, "enclosure")]),
    "q in per cent": ("dp-sgd-certified", [("1", *STEP, "mechanism", "parameters", "q")]),
    "q doubled": ("dp-sgd-certified", [("0.02", *STEP, "mechanism", "parameters", "q")]),
    "sampling dropped": (
        "dp-sgd-certified",
        [
            (
                {"name": "gaussian", "parameters": {"sigma": "1", "sensitivity": "1"}, "base": None},
                *STEP,
                "mechanism",
            )
        ],
    ),
    "sigma scaled": ("dp-sgd-certified", [("0.99", *NOISE, "sigma")]),
    "sensitivity scaled": ("dp-sgd-certified", [("1.01", *NOISE, "sensitivity")]),
    "more steps": ("dp-sgd-certified", [(11_000, *STEP, "count")]),
    "an assumption stripped": ("dp-sgd-certified", [([], "assumptions")]),
    "an assumption softened": ("dp-sgd-certified", [("most of the time", "assumptions", 2, "text")]),
    "replace-one": ("laplace-certified", [("replace-one", "adjacency")]),
    "one step more": ("laplace-certified", [(101, *STEP, "count"), ("4.69268", "claim", "epsilon")]),
    "an empty enclosure": ("laplace-certified", [({"lower": "9", "upper": "0"}, "enclosure")]),
    "an enclosure of a weaker claim": ("laplace-certified", [({"lower": "5", "upper": "6"}, "enclosure")]),
    "fewer batches": ("balls-and-bins-certified", [("2", *STEP, "mechanism", "parameters", "batches")]),
    "more batches": ("balls-and-bins-refuted", [("90", *STEP, "mechanism", "parameters", "batches")]),
    "noise of drawn batches": ("balls-and-bins-certified", [("2", *NOISE, "sigma")]),
    "more epochs": ("balls-and-bins-certified", [(30, *STEP, "count")]),
    "a sample that is attained": ("sampled-zcdp-certified", [("exact", "standing")]),
    "a larger sample": ("sampled-zcdp-certified", [("0.9", *STEP, "mechanism", "parameters", "q")]),
    "more rho": ("sampled-zcdp-certified", [("0.9", *NOISE, "rho")]),
    "less rho": ("sampled-zcdp-refuted", [("0.005", *NOISE, "rho")]),
    "larger groups": ("groups-certified", [("6", *STEP, "mechanism", "parameters", "m")]),
    "smaller groups": ("groups-refuted", [("4", *STEP, "mechanism", "parameters", "m")]),
    "more is lost": ("groups-certified", [("1e-6", *STEP, "mechanism", "parameters", "delta")]),
    "a largest batch of one": (
        "truncated-poisson-refuted",
        [("1", *STEP, "mechanism", "parameters", "max_batch")],
    ),
    "cut batches that are attained": ("truncated-poisson-certified", [("exact", "standing")]),
    "noise of cut batches": ("truncated-poisson-certified", [("0.2", *NOISE, "sigma")]),
    "noise of no cut batches": ("truncated-poisson-refuted", [("40", *NOISE, "sigma")]),
    "more draws": ("with-replacement-certified", [("50", *STEP, "mechanism", "parameters", "m")]),
    "fewer draws": ("with-replacement-refuted", [("1", *STEP, "mechanism", "parameters", "m")]),
    "draws that are attained": ("with-replacement-refuted", [("exact", "standing")]),
    "draws of more records": ("with-replacement-refuted", [("2000", *STEP, "mechanism", "parameters", "n")]),
    "draws of fewer records": ("with-replacement-certified", [("2", *STEP, "mechanism", "parameters", "n")]),
    "more epsilon of a choice": ("exponential-certified", [("5", *CHOICE, "epsilon")]),
    "less epsilon of a choice": ("one-exponential-refuted", [("0.5", *CHOICE, "epsilon")]),
    "larger divergences": ("renyi-certified", [(["2", "9"], *CHOICE, "divergences")]),
    "divergences that are attained": ("renyi-certified", [("exact", "standing")]),
    "smaller divergences": (
        "renyi-refuted",
        [(["2", "40"], *CHOICE, "orders"), (["0.001", "0.01"], *CHOICE, "divergences")],
    ),
    "choices that are attained": ("exponential-certified", [("exact", "standing")]),
    "fewer users": ("shuffle-model-certified", [("50", *CHOICE, "n")]),
    "more users": ("shuffle-model-refuted", [("20000", *CHOICE, "n")]),
    "users who say more": ("shuffle-model-certified", [("2", *NOISE, "epsilon")]),
    "reports that are attained": ("shuffle-model-certified", [("exact", "standing")]),
    "responses that tell more": ("shuffled-responses-certified", [("0.9", *NOISE, "p")]),
    "responses that tell less": ("shuffled-responses-refuted", [("0.55", *NOISE, "p")]),
    "more runs": ("selected-zcdp-certified", [("300", *CHOICE, "mean")]),
    "fewer runs": ("selected-zcdp-refuted", [("1", *CHOICE, "mean")]),
    "runs of more": ("selected-zcdp-certified", [("zcdp(rho=0.2)", *CHOICE, "base")]),
    "runs of less": ("selected-pure-refuted", [("pure_dp(epsilon=0.01)", *CHOICE, "base")]),
    "a best run that is attained": ("selected-zcdp-certified", [("exact", "standing")]),
    "whole batches of less noise": ("whole-batches-certified", [("1.9", *NOISE, "sigma")]),
}


@pytest.mark.parametrize(("name", "changes"), FORGERIES.values(), ids=FORGERIES)
def test_a_forgery_is_not_confirmed(name: str, changes: list[tuple[Any, ...]]) -> None:
    forged = stored(name)
    for value, *where in changes:
        forged = put(forged, value, *where)
    with pytest.raises(recheck.Rejected, match="digest"):  # a stale hash
        recheck.parse(json.dumps(forged).encode())
    document = recheck.parse(signed(forged))
    try:
        outcome, lines = recheck.recheck(document)
    except recheck.Rejected:
        return
    assert outcome == "CONTRADICTED", lines


@pytest.mark.parametrize(
    ("name", "standing", "code"),
    [
        ("laplace-certified", "upper bound", 0),
        ("laplace-certified", "lower bound", 3),
        ("laplace-certified", "neither", 3),
        ("dp-sgd-refuted", "upper bound", 3),
        ("dp-sgd-refuted", "lower bound", 0),
        ("dp-sgd-refuted", "neither", 3),
        ("dp-sgd-refuted", "both", 2),
        ("dp-sgd-refuted", "", 2),
    ],
)
def test_a_bound_proves_one_side_and_is_accused_of_nothing(
    name: str, standing: str, code: int, tmp_path: Path
) -> None:
    """A certificate may say less of its pairs than is known; then that is what counts."""
    path = tmp_path / "bound.json"
    path.write_bytes(signed(put(stored(name), standing, "standing")))
    assert recheck.main(["--work", str(LITTLE), str(path)]) == code


def leaves(value: Any, where: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        rows = value.items() if isinstance(value, dict) else enumerate(value)
        return [leaf for key, item in rows for leaf in leaves(item, (*where, key))]
    return [where]


def mutated(document: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """One field is another: a digit, a word of the same kind, a sign, nothing."""
    where = rng.choice([leaf for leaf in leaves(document) if leaf != ("sha256",)])
    old: Any = document
    for key in where:
        old = old[key]
    if isinstance(old, int) and not isinstance(old, bool):
        new: Any = old + rng.choice([-1, 1, 10 * old])
    elif isinstance(old, str) and any(c.isdecimal() for c in old):
        at = rng.choice([i for i, c in enumerate(old) if c.isdecimal()])
        new = old[:at] + str((int(old[at]) + rng.randint(1, 9)) % 10) + old[at + 1 :]
    else:
        words = ["CERTIFIED", "REFUTED", "<=", ">=", "=", "add", "remove", None, "", "x"]
        new = rng.choice([word for word in words if word != old])
    return put(document, new, *where)


MANY = pytest.mark.parametrize("count", [150, pytest.param(1000, marks=pytest.mark.slow)])
FEW = pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])


@MANY
def test_a_mutation_with_a_stale_digest_is_rejected(count: int) -> None:
    rng = random.Random(16)
    for _ in range(count):
        changed = mutated(stored(rng.choice(["laplace-certified", "dp-sgd-refuted"])), rng)
        with pytest.raises(recheck.Rejected):
            recheck.parse(json.dumps(changed).encode())


@MANY
def test_a_part_of_a_file_is_rejected(count: int) -> None:
    text, rng = (STORED / "laplace-certified.json").read_bytes(), random.Random(17)
    other = (STORED / "dp-sgd-refuted.json").read_bytes()
    whole = stored("laplace-certified"), stored("dp-sgd-refuted")
    for _ in range(count):
        cut = rng.randrange(len(text) - 1)
        for data in (text[:cut], text[:cut] + other[cut:], text[:cut] + text[cut + rng.randint(1, 40) :]):
            try:
                assert recheck.parse(data) in whole  # nothing but spaces went
            except recheck.Rejected:
                continue


@pytest.mark.slow
@FEW
def test_of_mutations_with_a_new_digest_none_that_is_false_is_confirmed(count: int) -> None:
    """The truth is asked of the reference."""
    rng, confirmed, rejected = random.Random(18), 0, 0
    for _ in range(count):
        changed = mutated(stored("laplace-certified"), rng)
        try:
            document = recheck.parse(signed(changed))
            outcome, _ = recheck.recheck(document)
        except recheck.Rejected:
            rejected += 1
            continue
        if outcome == "CONFIRMED":
            confirmed += 1
            assert true_verdict(document) == document["verdict"]
    assert confirmed >= count / 12 and rejected >= count / 12


def true_verdict(document: dict[str, Any]) -> str:
    claim, steps = document["claim"], document["composition"]
    parts = [(pv.Laplace(**step["mechanism"]["parameters"]), step["count"]) for step in steps]
    query = pv.Query(pv.Composition.of(*parts), delta=claim["delta"], adjacency=document["adjacency"])
    return str(pv.certify(query, claim["epsilon"], relation=claim["relation"]).verdict)
