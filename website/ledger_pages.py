"""Pages of the ledger: a paper each, its statements in the paper's order; the map to the code; the graph."""

import html
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from pldverify.theorems.ledger import PAPERS, records
from pldverify.theorems.record import MEANINGS, Record, Verdict
from pldverify.theorems.summary import counts
from website.citations import cited, meant
from website.graphs import svg
from website.mathematics import mathml
from website.sources import table

PACKAGE = Path(__file__).parents[1] / "pldverify"
COLOURS = {
    Verdict.PROVED: "good",
    Verdict.ON_A_BOX: "good half",
    Verdict.SUPPORTED: "fair",
    Verdict.CONDITIONAL: "fair half",
    Verdict.CORRECTED: "bad half",
    Verdict.REFUTED: "bad",
    Verdict.NOT_CHECKABLE: "open",
}


def pages() -> dict[str, str]:
    """File names below ``ledger/`` and their Markdown."""
    made = {f"{key.lower()}.md": "\n".join(_paper(key)) for key in PAPERS}
    made["sources.md"] = f"# Outside sources\n\nWhat is taken from other papers.\n\n{table()}\n"
    return {"index.md": _index(), **made, "code.md": "\n".join(_code()), "graph.md": "\n".join(_graphs())}


def _index() -> str:
    meanings = "\n".join(f"| {_badge(verdict)} | {text} |" for verdict, text in MEANINGS.items())
    papers = "\n\n".join(
        f"[{key}]({key.lower()}.md): {title}\n\n{bar(_of(key))}" for key, title in PAPERS.items()
    )
    return f"""# The ledger

Every checkable statement of five papers: as printed, our verdict, what holds instead, and evidence.
And what the audits and summaries of this package rest on, with proofs.

{counts()}

{papers}

`pldverify theorems show KH21/eq-5.5` shows one record and runs its evidence, `pldverify theorems verify` all.
What does not hold as printed: [errata](../errata.md). The papers' [tables](tables.md) beside true values.
Where the package uses a statement: [map](code.md). What rests on what: [graph](graph.md).
What is taken from other papers: [sources](sources.md).

| verdict | what it means |
|---|---|
{meanings}
"""


def _of(key: str) -> list[Record]:
    return [each for each in records() if each.paper == key]


def bar(mine: Iterable[Record]) -> str:
    """A bar of verdicts, and its legend in words."""
    found = Counter(each.verdict for each in mine)
    parts = [
        f'<span class="{COLOURS[v]}" style="flex:{found[v]}" title="{v.value}: {found[v]}"></span>'
        for v in Verdict
        if found[v]
    ]
    words = ", ".join(f"{found[v]} {v.value}" for v in Verdict if found[v])
    return f'<div class="coverage" role="img" aria-label="{words}">{"".join(parts)}</div>\n{words}'


def _paper(key: str) -> Iterator[str]:
    mine, order = _of(key), "their" if key == "OWN" else "the paper's"
    yield f"# {key}\n\n{PAPERS[key]}. Statements in {order} order.\n\n{bar(mine)}\n"
    buttons = "".join(
        f'<button type="button" data-verdict="{v.value}" aria-pressed="false">{v.value}</button>'
        for v in Verdict
        if any(each.verdict is v for each in mine)
    )
    yield f'<div class="filter" role="group" aria-label="Show one verdict">{buttons}'
    yield f'<span role="status">{len(mine)} shown</span></div>\n'
    for each in mine:
        yield _record(each)


def anchor(id: str) -> str:
    """The anchor of a record on its paper's page.

    >>> anchor("KH21/eq-5.5/step")
    'eq-5.5-step'
    """
    return id.partition("/")[2].replace("/", "-")


def link(id: str) -> str:
    """A link to a record from a page of the ledger, in HTML."""
    return f'<a href="{id.partition("/")[0].lower()}.html#{anchor(id)}">{id}</a>'


def _badge(verdict: Verdict) -> str:
    return f'<span class="verdict {COLOURS[verdict].split()[0]}">{verdict.value}</span>'


def _record(each: Record) -> str:
    rows = {
        "states" if each.line is None else "printed": mathml(each.statement),
        "read as": html.escape(each.reading),
        "assumes": html.escape(each.stated),
        "needs": html.escape(each.needed),
        "correct": mathml(each.correction) if each.correction else "",
        "rests on": ", ".join(map(link, each.depends)),
        "used in": ", ".join(_place(place) for place in places(each)),
        "for users": html.escape(each.consequence),
        "evidence": f"<code>pldverify theorems show {each.id}</code>",
    }
    listed = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows.items() if text)
    aside = f" {html.escape(each.aside.value)}" if each.aside else ""
    return (
        f'<section class="record" data-verdict="{each.verdict.value}">'
        f'<h3 id="{anchor(each.id)}">{html.escape(each.place)} '
        f"<small>{each.kind.value}{'' if each.line is None else f', line {each.line}'}</small></h3>"
        f"<p>{_badge(each.verdict)}{aside}</p><dl>{listed}</dl></section>\n"
    )


def _place(module: str) -> str:
    return (
        f'<a href="code.html#{module.replace(":", ".")}"><code>{module.removeprefix("pldverify.")}</code></a>'
    )


@cache
def used() -> dict[str, tuple[str, ...]]:
    """Modules and functions of the package, and the ids of the statements that they use or cite."""
    found: dict[str, set[str]] = {}
    for each in records():
        for place in each.used:
            found.setdefault(place, set()).add(each.id)
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        if module.startswith("pldverify.theorems"):
            continue
        ids = {id for said in cited(path.read_text("utf-8")) for id in meant(said)}
        named = {id for place, there in found.items() if place.partition(":")[0] == module for id in there}
        if ids - named:
            found.setdefault(module, set()).update(ids - named)
    order = {each.id: number for number, each in enumerate(records())}
    return {place: tuple(sorted(ids, key=order.__getitem__)) for place, ids in sorted(found.items())}


def places(each: Record) -> list[str]:
    """Where the package uses or cites a statement."""
    return [place for place, ids in used().items() if each.id in ids]


def _code() -> Iterator[str]:
    yield "# From code to paper\n"
    yield "Where the package uses or cites a statement of the ledger; each record links back to here.\n"
    modules = {place.partition(":")[0] for place in used()}
    for place, ids in used().items():
        module = place.partition(":")[0]
        if module in modules and module not in used():
            modules.discard(module)
            yield f'<span id="{module}"></span>'
        yield f'<h4 id="{place.replace(":", ".")}"><code>{place.removeprefix("pldverify.")}</code></h4>'
        yield f"<p>{', '.join(map(link, ids))}</p>\n"


def _graphs() -> Iterator[str]:
    yield "# What rests on what\n"
    yield "An arrow leads from a statement to one that rests on it. Each node leads to its record.\n"
    for key in PAPERS:
        edges = [(below, each.id, False) for each in _of(key) for below in each.depends]
        names = list(dict.fromkeys(id for a, b, _ in edges for id in (a, b)))
        if names:
            labels = {id: id.partition("/")[2] if id.startswith(key) else id for id in names}
            links = {id: f"{id.partition('/')[0].lower()}.html#{anchor(id)}" for id in names}
            yield f"## {key}\n\n{svg(labels, edges, f'What rests on what in {key}', links)}\n"
            yield "<details><summary>As a list</summary><ul>"
            for each in _of(key):
                if each.depends:
                    yield f"<li>{link(each.id)} rests on {', '.join(map(link, each.depends))}</li>"
            yield "</ul></details>\n"
