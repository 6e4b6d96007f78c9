"""Names of accountants for parametrised tests; those whose library is not installed are skipped."""

from importlib.util import find_spec

import pytest

from pldverify.accountants.registry import accountant_names

_MODULES = {"fourier-accountant": "fourier_accountant", "jax-privacy": "jax_privacy"}
_THIRD_PARTY = {*_MODULES, "autodp", "diffprivlib", "opacus", "opendp", "riskcal"}


def installed_names() -> list:
    """All names, each marked to be skipped where its library is missing."""
    return [pytest.param(name, marks=_unless_installed(name.split("/")[0])) for name in accountant_names()]


def _unless_installed(library: str) -> pytest.MarkDecorator:
    missing = library in _THIRD_PARTY and find_spec(_MODULES.get(library, library)) is None
    return pytest.mark.skipif(missing, reason=f"{library} is not installed")
