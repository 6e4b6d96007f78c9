"""A smaller claim with the same fault: fewer phases, fewer fields, fewer steps, rounder numbers."""

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.claims.draw import expression

Claim = dict[str, Any]
_OPTIONAL = ("relation", "exact", "adjacency", "accounted_as", "steps_rule", "times")
_COUNTS = ("steps", "times", "batch_size", "dataset_size")
_NUMBERS = ("epsilon", "delta", "rho", "mu", "noise_multiplier", "standard_deviation", "scale", "sigma", "q")
_MOST = 200
"""Claims that are tried."""


def shrunk(claim: Claim, is_faulty: Callable[[Claim], bool]) -> Claim:
    """The first simpler claim that is faulty, and so on from there, as long as there is one."""
    tried = 0
    found = True
    while found and tried < _MOST:
        found = False
        for simpler in _simpler(claim):
            tried += 1
            if is_faulty(simpler):
                claim, found = simpler, True
                break
    return claim


def _simpler(claim: Claim) -> Iterator[Claim]:
    phases = claim["phase"]
    for i in range(len(phases) if len(phases) > 1 else 0):
        yield {**claim, "phase": phases[:i] + phases[i + 1 :]}
    yield from _fields(claim)
    for i, phase in enumerate(phases):
        for other in _fields(phase):
            yield {**claim, "phase": [*phases[:i], other, *phases[i + 1 :]]}


def _fields(part: Claim) -> Iterator[Claim]:
    for name in _OPTIONAL:
        if name in part:
            yield {key: value for key, value in part.items() if key != name}
    for name in _COUNTS:
        if name in part and int(part[name]) > 1:
            yield from ({**part, name: less} for less in (1, int(part[name]) // 2))
    for name in _NUMBERS:
        if name in part and (rounder := _rounder(part[name])) is not None:
            yield {**part, name: rounder}
    pieces = part.get("_releases", [])
    if expression(*pieces)[0] == part and any(times > 1 for _, times in pieces):
        yield expression(*((release, 1) for release, _ in pieces))[0]


def _rounder(value: Any) -> str | None:
    """With one significant digit less."""
    try:
        digits = len(f"{float(value):e}".split("e")[0].rstrip("0").replace(".", ""))
        shorter = f"{float(value):.{max(1, digits - 1)}g}"
    except ValueError:  # a root, a fraction
        return None
    return shorter if digits > 1 and float(shorter) != float(value) else None
