"""The key of stores of these tests is their own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def key_of_stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "pldverify" / "seal.key"
