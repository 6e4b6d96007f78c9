"""A notebook as a page: its text, its code and the outputs that are stored in it. Nothing is run."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

FOLDER = Path(__file__).parents[1] / "proofs_notebooks"


def titles() -> dict[str, str]:
    """Name and title of every notebook."""
    return {path.stem: title(path) for path in sorted(FOLDER.glob("*.ipynb"))}


def title(path: Path) -> str:
    """The first heading."""
    first = nbformat.read(path, as_version=4).cells[0].source
    return first.partition("\n")[0].removeprefix("# ")


def page(name: str) -> tuple[str, dict[str, bytes]]:
    """Markdown of a notebook, and its pictures by their names."""
    pictures: dict[str, bytes] = {}
    cells = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4).cells
    parts = [part for cell in cells for part in _cell(cell, name, pictures)]
    kept = f"A notebook, with the outputs stored in `proofs_notebooks/{name}.ipynb`; a test runs it again.\n"
    return "\n".join([parts[0], kept, *parts[1:]]), pictures


def _cell(cell: Any, name: str, pictures: dict[str, bytes]) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield _spaced(cell.source) + "\n"
        return
    yield f"<details markdown><summary>Code</summary>\n\n```python\n{cell.source}\n```\n\n</details>\n"
    for output in cell.outputs:
        yield _output(output, name, pictures)


def _output(output: Any, name: str, pictures: dict[str, bytes]) -> str:
    data = output.get("data", {})
    if "image/png" in data:
        file = f"{name}-{len(pictures) + 1}.png"
        pictures[file] = base64.b64decode(data["image/png"])
        return f"![figure {len(pictures)} of {name}]({file})\n"
    if "text/html" in data:
        return _raw(data["text/html"])
    if "text/latex" in data:
        formula = data["text/latex"].strip().strip("$").removeprefix(r"\displaystyle")
        return f"\n$$\n{formula.strip()}\n$$\n"
    if "text/markdown" in data:
        return re.sub(r"\]\(\.\./([^)]*)\.py\)", _module, data["text/markdown"]) + "\n"
    return f"```text\n{data.get('text/plain', output.get('text', ''))}\n```\n"


def _module(found: re.Match[str]) -> str:
    """A link to a file becomes one to the page that says what it rests on."""
    return f"](../ledger/code.md#{found[1].replace('/', '.')})"


def _raw(text: str) -> str:
    """HTML that Markdown must leave alone: no empty line in it."""
    return "<div class=output>\n" + re.sub(r"\n\s*\n", "\n&#8203;\n", text.strip()) + "\n</div>\n"


def _spaced(text: str) -> str:
    """A list begins after an empty line, as Python-Markdown wants it."""
    return re.sub(r"^(?!\s*[-*] )(\S.*)\n(?=[-*] )", r"\1\n\n", text, flags=re.MULTILINE)
