"""The lines that must be believed: code of what a proof imports, counted by room.

    python benchmarks/trusted_lines.py [--markdown] [--files]

A proof starts from balls, lemmas, laws and engines, and from the module that defines ``prove_again`` where
there is one. Whatever these import, at whatever depth, can make a result wrong: all of it is counted,
wherever it stands, so that moving lines to another room is no gain. What is imported only inside of
functions, as the formulas of users' own pairs are, comes next, and a second sum with it. Code is what is
neither blank, comment nor docstring. A search proves nothing, as what it finds is proved afterwards: it is
counted apart, and so are the rooms whose proofs stand beside: the dominance proofs of mechanisms, the
values and decisions of the judge, and the checker of derivations. Of the values those of μ and ρ are counted
once more, together with the bounds of audits; and so is all that is believed of choices, thresholds and the
shuffle model alone.
"""

import argparse
import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "pldverify"
STARTS = ("balls", "reference/lemmas", "reference/laws", "reference/engines")
"""Folders whose modules prove."""
ENTRY = "prove_again"
APART = ("reference/search", "mechanisms")
"""Rooms that are counted by themselves, though a proof may import them; one does not go on through them."""
BESIDE = {
    "hints, counted above": ("reference/laws/hints/", "reference/engines/convolution/hints.py"),
    "reference/fast": ("reference/fast/",),
    "reference/search": ("reference/search/",),
    "mechanisms": ("mechanisms/",),
    "values": ("values/",),
    "rulings": ("rulings/",),
    "summaries and audits": (
        "values/concentrated.py",
        "values/curves.py",
        "values/everywhere.py",
        "values/least.py",
        "values/points.py",
        "audit/binomial.py",
        "audit/bounds.py",
        "audit/gaussian.py",
    ),
    "choices": (
        "mechanisms/above_threshold.py",
        "mechanisms/exponential.py",
        "mechanisms/gaussian_above_threshold.py",
        "mechanisms/gnmax.py",
        "mechanisms/halting.py",
        "mechanisms/inward.py",
        "mechanisms/noisy_max.py",
        "mechanisms/permute_and_flip.py",
        "mechanisms/ranked.py",
        "mechanisms/repeat_and_select.py",
        "mechanisms/selection.py",
        "mechanisms/shuffle_model.py",
        "mechanisms/thresholded_histogram.py",
        "mechanisms/winning.py",
        "reference/engines/derived/selected.py",
        "reference/laws/blunted_laplace.py",
        "reference/laws/fixed_choices.py",
        "reference/laws/halting_bound.py",
        "reference/laws/neighbours.py",
        "reference/laws/ranked.py",
        "reference/laws/shuffle_model.py",
        "reference/laws/thresholded.py",
    ),
    "symbolic/check": ("symbolic/check/", "symbolic/check.py"),
}


@dataclass(frozen=True)
class Row:
    """Files and lines of one room, or a sum."""

    room: str
    files: tuple[str, ...]
    lines: int
    is_sum: bool = False


def code_lines(source: str) -> int:
    """Lines that hold code: no blank lines, comments or docstrings."""
    silent = {
        number
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = enumerate(source.splitlines(), 1)
    return sum(
        1 for number, line in lines if number not in silent and line.strip() and line.strip()[0] != "#"
    )


def rows(package: Path) -> list[Row]:
    """What is believed, room by room, then what users' own pairs need, then what is counted beside it."""
    modules = {module(path, package): path for path in sorted(package.rglob("*.py"))}
    starts = {name for name, path in modules.items() if below(relative(path, package), STARTS)}
    starts |= {name for name, path in modules.items() if defines_entry(path)}
    believed = closure(starts, modules, package, lazy=False)
    more = closure(starts, modules, package, lazy=True) - believed
    first = by_room(believed, modules, package, "")
    second = by_room(more, modules, package, ", inside of functions")
    beside = [
        row(name, [path for path in modules.values() if relative(path, package).startswith(places)], package)
        for name, places in BESIDE.items()
    ]
    whole = added("to be believed with all of these", [*first, *second])
    return [*first, added("to be believed", first), *second, *([whole] if second else []), *beside]


def by_room(names: set[str], modules: dict[str, Path], package: Path, note: str) -> list[Row]:
    rooms: dict[str, list[Path]] = defaultdict(list)
    for name in names:
        rooms[room(relative(modules[name], package))].append(modules[name])
    return [row(name + note, paths, package) for name, paths in sorted(rooms.items())]


def added(title: str, parts: list[Row]) -> Row:
    return Row(title, tuple(name for part in parts for name in part.files), sum(p.lines for p in parts), True)


def row(name: str, paths: Iterable[Path], package: Path) -> Row:
    files = sorted(paths)
    lines = sum(code_lines(path.read_text("utf-8")) for path in files)
    return Row(name, tuple(relative(path, package) for path in files), lines)


def module(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def relative(path: Path, package: Path) -> str:
    return path.relative_to(package).as_posix()


def below(name: str, folders: tuple[str, ...]) -> bool:
    return any(name.startswith((f"{folder}/", f"{folder}.py")) for folder in folders)


def room(name: str) -> str:
    """The folder; inside of ``reference`` the folder below it."""
    parts = name.split("/")[:-1]
    return "/".join(parts[: 2 if parts[:1] == ["reference"] else 1]) or "(top level)"


def defines_entry(path: Path) -> bool:
    tree = ast.parse(path.read_text("utf-8"))
    return any(isinstance(node, ast.FunctionDef) and node.name == ENTRY for node in tree.body)


def closure(starts: set[str], modules: dict[str, Path], package: Path, *, lazy: bool) -> set[str]:
    """Every module that the starts import, themselves included; ``lazy``: also inside of functions."""
    reached: set[str] = set()
    waiting = set(starts)
    while waiting:
        name = waiting.pop()
        if name in reached or below(relative(modules[name], package), APART):
            continue
        reached.add(name)
        tree, is_package = ast.parse(modules[name].read_text("utf-8")), modules[name].name == "__init__.py"
        waiting |= {known(text, modules) for text in names(tree, name, is_package, lazy)} - {""}
    return reached


def known(text: str, modules: dict[str, Path]) -> str:
    """The module that an imported name is, or stands in; none if it is not of the package."""
    return text if text in modules else text.rpartition(".")[0] if text.rpartition(".")[0] in modules else ""


def names(node: ast.AST, name: str, package: bool, lazy: bool) -> Iterator[str]:
    """What is imported below a node but for the use of type checkers."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not lazy:
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        parts = name.split(".")
        home = parts[: len(parts) - node.level + package] if node.level else []
        origin = ".".join([*home, *([node.module] if node.module else [])])
        yield from (f"{origin}.{alias.name}" for alias in node.names)
    for child in ast.iter_child_nodes(node):
        yield from names(child, name, package, lazy)


def table(found: list[Row], *, markdown: bool, files: bool) -> Iterator[str]:
    """Lines to print."""
    if markdown:
        yield "| room | files | lines of code |"
        yield "|---|---:|---:|"
    for one in found:
        if markdown:
            mark = "**" if one.is_sum else ""
            yield f"| {mark}{one.room}{mark} | {mark}{len(one.files)}{mark} | {mark}{one.lines:,}{mark} |"
        else:
            yield f"{one.lines:6,}  {len(one.files):3}  {one.room}"
        if files and not one.is_sum:
            yield from (f"            {name}" for name in one.files)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--files", action="store_true", help="name the files")
    options = parser.parse_args()
    print("\n".join(table(rows(ROOT / PACKAGE), markdown=options.markdown, files=options.files)))


if __name__ == "__main__":
    main()
