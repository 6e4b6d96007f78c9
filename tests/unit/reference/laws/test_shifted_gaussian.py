"""The transform along the path off the real axis, against the one along the real axis."""

from fractions import Fraction
from typing import Any

import pytest

from pldverify.balls.ball import working
from pldverify.reference.laws import smooth
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw

LAWS = {
    "q=0.1": ShiftedGaussianLaw(Fraction(1), Fraction(1, 10)),
    "two draws": ShiftedGaussianLaw(Fraction(1, 2), (2, 100)),
    "much noise": ShiftedGaussianLaw(Fraction(1, 20), Fraction(1, 3)),
    "little noise": ShiftedGaussianLaw(Fraction(4), Fraction(9, 10)),
}


def overlap(law: ShiftedGaussianLaw, theta: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether both paths agree at 0, 3, …, 60, at 150 bits."""
    with working(150):
        lines = []
        for price in (0, 10**9):  # off the axis, and along it
            with monkeypatch.context() as patch:
                patch.setattr(smooth, "_COMPLEX", price)
                lines.append(law.on_line(Fraction(theta), Fraction(3), 20))
        off, on = lines
        assert all(value.rel_accuracy_bits() > 90 for value in off[:1] + on[:1])
        assert all(abs(value.imag.rad()) < off[0].real * 1e-30 for value in off + on)
    assert not any(a == b for a, b in zip(off, on, strict=True))
    return all(a.overlaps(b) for a, b in zip(off, on, strict=True))


@pytest.mark.sample(2)
@pytest.mark.parametrize("theta", ["-4", "-0.5", "3", "15"])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_both_paths_agree(law: ShiftedGaussianLaw, theta: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert overlap(law, theta, monkeypatch)


def test_planted_bugs_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    law, path, panels = LAWS["q=0.1"], smooth._path, smooth.panels
    for part in (slice(None, -1), slice(1, None)):  # a way at an end of one of both stretches
        monkeypatch.setattr(smooth, "_path", lambda *arguments, part=part: path(*arguments)[part])
        assert not overlap(law, "3", monkeypatch)
    monkeypatch.setattr(smooth, "_path", path)

    def fewer(*arguments: Any) -> Any:
        found = panels(*arguments)
        return found._replace(order=found.order // 3)

    monkeypatch.setattr(smooth, "panels", fewer)
    monkeypatch.setattr(smooth, "_error", lambda *arguments: (smooth.arb(2) ** -200, smooth.arb(0)))
    assert not overlap(law, "3", monkeypatch)


@pytest.mark.parametrize("name", ["q=0.1", "much noise"])
def test_errors_do_not_grow_with_the_frequency(name: str) -> None:
    """The path is so high that Im ℓ ≥ 0 on the ellipses of its panels: an error falls as e^{−v Im ℓ}."""
    with working(100):
        line = LAWS[name].on_line(Fraction(2), Fraction(500), 4)
        assert all(value.real.rad() < line[0].real * 1e-25 for value in line)
