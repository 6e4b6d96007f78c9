"""What one number rests on: the files of which a function ran while its enclosure was proved again.

    python -m benchmarks.reading_list [EXPRESSION (--epsilon E | --delta D) [--adjacency A]]

For an expression: every file with its lines of code, to be read by who trusts nobody. Without one: a markdown
table of examples, an engine each, beside the count of all that any proof may need (``trusted_lines.py``). A
file counts whole if any of its functions ran; one that has no functions counts where such a file imports it.
Mechanisms, whose docstrings prove that their pairs dominate, are counted beside.
"""

import argparse
import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import pldverify as pv
from benchmarks.trusted_lines import PACKAGE, ROOT, code_lines, known, module, names, relative
from pldverify.errors import PldverifyError
from pldverify.mechanisms.expression import parse
from pldverify.numbers.enclosure import Enclosure

EXAMPLES: dict[str, Mapping[str, str]] = {
    "gaussian(1)": {"epsilon": "1"},
    "100 * laplace(10)": {"epsilon": "1"},
    "30 * randomized_response(0.6)": {"epsilon": "1"},
    "5 * discrete_gaussian(3)": {"epsilon": "1"},
    "10_000 * poisson(gaussian(1), 0.01)": {"epsilon": "7"},
    "1000 * poisson(gaussian(1), 0.01)": {"delta": "1e-5"},
    "300 * sampled_without_replacement(gaussian(2), 0.01)": {"epsilon": "1", "adjacency": "replace-one"},
    "10 * poisson(gaussian(5), 1e-5)": {"epsilon": "2e-5"},
    "3 * poisson(laplace(1), 0.2)": {"epsilon": "0.2"},
    "2000 * poisson(discrete_gaussian(3), 0.1)": {"epsilon": "5"},
}
"""Questions of δ(ε) and of ε(δ)."""


def asked(expression: str, question: Mapping[str, str]) -> Enclosure:
    found: Enclosure = (pv.delta if "epsilon" in question else pv.epsilon)(
        parse(expression), **question, digits=4
    )
    return found


def read(enclosure: Enclosure) -> dict[str, int]:
    """Lines of code of every file, by its path inside of the package."""
    pv.prove_again(enclosure)  # imports are done
    ran: set[Path] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            ran.add(Path(frame.f_code.co_filename))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        pv.prove_again(enclosure)
    finally:
        sys.setprofile(before)
    package = ROOT / PACKAGE
    modules = {module(path, package): path for path in package.rglob("*.py")}
    files = {path for path in modules.values() if path in ran}
    for path in list(files):
        files |= {modules[name] for name in _imported(path, modules) if _only_data(modules[name])}
    return {relative(path, package): code_lines(path.read_text("utf-8")) for path in sorted(files)}


def _imported(path: Path, modules: Mapping[str, Path]) -> set[str]:
    tree, name = ast.parse(path.read_text("utf-8")), module(path, ROOT / PACKAGE)
    found = names(tree, name, path.name == "__init__.py", lazy=False)
    return {known(text, dict(modules)) for text in found} - {""}


def _only_data(path: Path) -> bool:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return not any(isinstance(node, ast.FunctionDef | ast.Lambda) for node in nodes)


def sums(files: Mapping[str, int]) -> tuple[int, int, int]:
    """Files and lines to be believed, and lines of mechanisms."""
    believed = [lines for name, lines in files.items() if not name.startswith("mechanisms/")]
    return len(believed), sum(believed), sum(files.values()) - sum(believed)


def table() -> Iterator[str]:
    yield "| answer | engine | files | lines of code | mechanisms beside |"
    yield "|---|---|---:|---:|---:|"
    for expression, question in EXAMPLES.items():
        enclosure = asked(expression, question)
        files, lines, beside = sums(read(enclosure))
        name = "ε" if "delta" in question else "δ"
        yield f"| {name} of `{expression}` | {enclosure.engine} | {files} | {lines:,} | {beside:,} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("expression", nargs="?")
    for name in ("epsilon", "delta", "adjacency"):
        parser.add_argument(f"--{name}")
    options: dict[str, Any] = {k: v for k, v in vars(parser.parse_args()).items() if v is not None}
    if not options:
        print("\n".join(table()))
        return
    expression = options.pop("expression", None)
    if expression is None or ("epsilon" in options) == ("delta" in options):
        parser.error("an expression, and either --epsilon or --delta, must be given")
    try:
        files = read(asked(expression, options))
    except PldverifyError as reason:
        parser.error(str(reason))
    for name, lines in files.items():
        print(f"{lines:6,}  {name}")
    count, believed, beside = sums(files)
    print(f"{believed:6,}  in {count} files to be believed, {beside:,} of mechanisms beside")


if __name__ == "__main__":
    main()
