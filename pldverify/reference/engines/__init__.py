"""What proves: lemmas applied to explicit, exact parameters. No search, no floats."""

from importlib import import_module

_FILES = (
    "closed.atoms",
    "closed.parts",
    "closed.residues",
    "closed.threshold",
    "convolution.grid",
    "inversion.contour",
    "inversion.lattice",
    "inversion.slope",
    "inversion.smoothing",
    "inversion.truncated",
)


def load() -> None:
    """Import every engine, so that each is known by its name."""
    for name in _FILES:
        import_module(f"pldverify.reference.engines.{name}")
