"""A notebook as a page: its text, its code and the outputs that are stored in it. Nothing is run."""

import base64
import re
from collections.abc import Iterator
from functools import cache
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


def gallery() -> str:
    """Markdown of the page that lists them: a picture of each that draws one, its title and its file."""
    listed = ["# Notebooks\n", "With the outputs that are stored in them. A test runs each again.\n"]
    listed.append('<div class="gallery" markdown>\n')
    for name, heading in titles().items():
        seen = f"[![{heading}]({name}-1.png)]({name}.md)<br>" if page(name)[1] else ""
        listed.append(f"- {seen}[{heading}]({name}.md)<br>[Download]({name}.ipynb)")
    return "\n".join([*listed, "\n</div>"])


@cache
def page(name: str) -> tuple[str, dict[str, bytes]]:
    """Markdown of a notebook, and its pictures by their names."""
    pictures: dict[str, bytes] = {}
    cells = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4).cells
    parts = [part for cell in cells for part in _cell(cell, name, pictures)]
    kept = (
        f"[Download the notebook]({name}.ipynb). Below are the outputs that are stored in it; "
        "a test runs it again.\n"
    )
    return "\n".join([parts[0], kept, *parts[1:]]), pictures


def _cell(cell: Any, name: str, pictures: dict[str, bytes]) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield _spaced(cell.source) + "\n"
        return
    yield f"```python\n{cell.source}\n```\n"
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
        return "".join(f"\n$$\n{formula}\n$$\n" for formula in formulas(data["text/latex"]))
    if "text/markdown" in data:
        return re.sub(r"\]\(\.\./([^)]*)\.py\)", _module, data["text/markdown"]) + "\n"
    return f"```text\n{data.get('text/plain', output.get('text', ''))}\n```\n"


def formulas(latex: str) -> list[str]:
    r"""The formulas of an output, each without its dollars.

    >>> formulas("$$a$$\n$$b$$"), formulas(r"$\displaystyle c$")
    (['a', 'b'], ['c'])
    """
    parts = (part.strip().removeprefix(r"\displaystyle").strip() for part in re.split(r"\$+", latex))
    return [part for part in parts if part]


def _module(found: re.Match[str]) -> str:
    """A link to a file becomes one to the page that says what it rests on."""
    return f"](../ledger/code.md#{found[1].replace('/', '.')})"


def _raw(text: str) -> str:
    """HTML that Markdown must leave alone: no empty line in it."""
    return "<div class=output>\n" + re.sub(r"\n\s*\n", "\n&#8203;\n", text.strip()) + "\n</div>\n"


def _spaced(text: str) -> str:
    """A list begins after an empty line, as Python-Markdown wants it."""
    return re.sub(r"^(?!\s*[-*] )(\S.*)\n(?=[-*] )", r"\1\n\n", text, flags=re.MULTILINE)
