"""Certify, for people: the ruling of ``rulings/certify.py``, which saves itself."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec

from pldverify.claims.saves import Saves
from pldverify.rulings import certify as rulings

_Arguments = ParamSpec("_Arguments")


@dataclass(frozen=True, repr=False, eq=False)
class Certificate(Saves, rulings.Certificate):
    """A :class:`pldverify.rulings.certify.Certificate` with :meth:`save`."""


def _saves(rule: Callable[_Arguments, rulings.Certificate]) -> Callable[_Arguments, Certificate]:
    """The same function; what it returns saves itself."""

    @wraps(rule)
    def certify(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> Certificate:
        return Certificate.of(rule(*args, **kwargs))

    certify.__module__ = __name__  # where other processes find it
    return certify


certify = _saves(rulings.certify)
