"""Pages of the API: what ``import pldverify as pv`` gives, and what rooms give that users import."""

from importlib import import_module
from inspect import isclass, isfunction

import pldverify as pv
from pldverify.accountants.printed import Printed

PAGES = {
    "mechanisms": "Mechanisms and questions",
    "reference": "True values",
    "numbers": "Answers",
    "judge": "Accountants and verdicts",
    "certificate": "Certificates",
    "claims": "Claims files",
    "symbolic": "Derivations",
    "decomposition": "Error budgets",
    "errors": "Errors",
}
"""Rooms of what ``pv`` hands on, and the title of their page."""
ALONGSIDE = {
    "accountants": "judge",
    "overviews": "judge",
    "quadrature": "reference",
    "report": "judge",
    "rulings": "judge",
    "sweeps": "judge",
    "values": "reference",
}
"""Rooms that have no page of their own."""
MODULES = {
    "testing": ("The testing kit", "pldverify.testing"),
    "audit": ("Audits", "pldverify.audit"),
    "hunt": ("Hunts", "pldverify.hunt"),
    "sweeps": ("Sweeps", "pldverify.sweeps"),
    "ledger": ("The ledger", "pldverify.theorems"),
}
"""Rooms that are imported by themselves."""
FOUND_FIRST = "---\nsearch: {boost: 4}\n---\n"
"""Who searches for `epsilon` means this page, not `epsilons` of the testing kit."""
PAPERS = ("fourier", "heterogeneous_fourier", "prv", "rdp", "moments", "gdp")
THEOREMS = ("basic_composition", "advanced_composition", "kairouz_oh_viswanath")
"""Files of ``pldverify.accountants`` that hold accountants in print."""
CHECKER = ("recheck", "Rejected", "Beyond")
"""What a program needs of ``pldverify.recheck``, a file whose other names are its own business."""


def pages() -> dict[str, str]:
    """File names below ``api/`` and their Markdown."""
    grouped: dict[str, list[str]] = {page: [] for page in PAGES}
    for name in sorted(public()):
        grouped[_page(name)].append(name)
    grouped["errors"] = [name for name in vars(pv.errors) if isclass(getattr(pv.errors, name))]
    made = {
        f"{page}.md": _written(title, "pldverify.errors" if page == "errors" else "pldverify", grouped[page])
        for page, title in PAGES.items()
    }
    for page, (title, module) in MODULES.items():
        made[f"{page}.md"] = _written(title, module, exported(module))
    made["accountants.md"] = _listed("The papers' accountants", accountants())
    made["recheck.md"] = _listed("The checker", [f"pldverify.recheck.{name}" for name in CHECKER])
    return {"index.md": _index(made), **made, "reference.md": FOUND_FIRST + made["reference.md"]}


def public() -> list[str]:
    """Functions and classes that ``pv`` hands on."""
    return [
        n
        for n in dir(pv)
        if not n.startswith("_") and (isclass(getattr(pv, n)) or isfunction(getattr(pv, n)))
    ]


def exported(module: str) -> list[str]:
    """Functions and classes that a room hands on."""
    room = import_module(module)
    names = getattr(room, "__all__", None) or [n for n in dir(room) if not n.startswith("_")]
    return [n for n in sorted(names) if isclass(getattr(room, n)) or isfunction(getattr(room, n))]


def accountants() -> list[str]:
    """Accountants in print, by their full names."""
    found = []
    for module in (f"pldverify.accountants.{file}" for file in (*PAPERS, *THEOREMS)):
        here = (each for each in vars(import_module(module)).values() if isclass(each))
        kinds = [each for each in here if issubclass(each, Printed) and each.__module__ == module]
        found += [f"{module}.{kind.__name__}" for kind in kinds]
    return found


def home(module: str, name: str) -> str:
    """Where a name is defined: ``pldverify.rulings.check.check``."""
    found = getattr(import_module(module), name)
    return f"{found.__module__}.{found.__qualname__}"


def _page(name: str) -> str:
    room = home("pldverify", name).split(".")[1]
    return ALONGSIDE.get(room, room)


def _written(title: str, module: str, names: list[str]) -> str:
    prefix = "pv" if module == "pldverify" else module
    line = "import pldverify as pv" if prefix == "pv" else f"import {module}"
    opening = f"# {title}\n\n`{line}`; each name is one of `{prefix}`.\n"
    return "\n".join([opening, *(f"::: {home(module, name)}\n" for name in names)])


def _listed(title: str, names: list[str]) -> str:
    """Names that are imported from where they are defined."""
    module, _, first = names[0].rpartition(".")
    opening = f"# {title}\n\n`from {module} import {first}`, and so on.\n"
    return "\n".join([opening, *(f"::: {name}\n" for name in names)])


def _index(made: dict[str, str]) -> str:
    rows = [f"| [{text.splitlines()[0][2:]}]({page}) | {_names(text)} |" for page, text in made.items()]
    return "\n".join(
        [
            "# API\n",
            "From the docstrings; every example in them is run by a test.\n",
            "| page | names |",
            "|---|---|",
            *rows,
        ]
    )


def _names(text: str) -> str:
    return ", ".join(f"`{line.rpartition('.')[2]}`" for line in text.splitlines() if line.startswith("::: "))
