"""Hooks of MkDocs: pages that are made when the site is built, formulas, diagrams."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from pldverify.version import __version__
from website import accountant_pages, api_pages, ledger_pages, notebooks, table_pages
from website.graphs import mermaid
from website.mathematics import replaced

FENCE = re.compile(r"^```mermaid\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def on_config(config: Any) -> Any:
    """Every page says of which version it is."""
    config.copyright = f"pldverify {__version__}"
    return config


def on_files(files: Files, *, config: Any) -> Files:
    """Adds the generated pages: the accountants, the ledger, the API, the notebooks."""
    made: dict[str, str | bytes] = {f"ledger/{name}": text for name, text in ledger_pages.pages().items()}
    made |= accountant_pages.pages() | {"ledger/tables.md": table_pages.page()}
    made |= {f"api/{name}": text for name, text in api_pages.pages().items()}
    made["notebooks/index.md"] = notebooks.gallery()
    for name in notebooks.titles():
        text, pictures = notebooks.page(name)
        made[f"notebooks/{name}.md"] = text
        made |= {f"notebooks/{file}": data for file, data in pictures.items()}
        made[f"notebooks/{name}.ipynb"] = (notebooks.FOLDER / f"{name}.ipynb").read_bytes()
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Diagrams become drawings, where GitHub would draw them."""
    return FENCE.sub(lambda found: mermaid(found[1]), markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Formulas become MathML; wide tables scroll by themselves (the theme sees to that)."""
    return replaced(html)


def on_pre_build(*, config: Any) -> None:
    """A change of these rebuilds the site while ``mkdocs serve`` runs."""
    config.watch += [str(Path(__file__).parent), str(notebooks.FOLDER)]
