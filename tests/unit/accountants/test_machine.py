"""What rounding may depend on is told by name."""

import platform
from importlib import metadata
from pathlib import Path

import pytest

from pldverify.accountants import machine


def test_processor_and_numpy_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t: A  Processor 9000\nmodel\t: 1\n")
    monkeypatch.setattr(machine, "_PROCESSORS", tmp_path / "cpuinfo")
    numpy = f"numpy {metadata.version('numpy')}"
    assert machine.machine() == f"A Processor 9000 ({platform.machine()}), {numpy}"
    monkeypatch.setattr(machine, "_PROCESSORS", tmp_path / "none")
    assert machine.machine().endswith(f", {numpy}") and platform.machine() in machine.machine()
