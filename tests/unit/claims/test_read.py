"""Reading claims files: exact numbers, errors that name claim and field, one bad claim beside good ones."""

import json
from pathlib import Path
from typing import Any

import pytest

import pldverify as pv
from pldverify.claims.read import BadClaim, read
from pldverify.claims.wrong import Place
from pldverify.errors import InvalidInput
from pldverify.rulings.model import Claim
from tests.unit.claims.claims import RUN

ROW: dict[str, Any] = {"id": "one", "epsilon": "1", "delta": "1e-6", "phase": [RUN]}


def written(folder: Path, *rows: Any, name: str = "claims.json", **more: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps({"schema": "pldverify-claims/1", "claim": rows, **more}), "utf-8")
    return path


def test_floats_are_read_by_their_text(tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    path.write_text(
        'schema = "pldverify-claims/1"\n[[claim]]\nid = "a"\nepsilon = 8.0\ndelta = 1e-5\n'
        '[[claim.phase]]\nmechanism = "pure_dp"\nepsilon = 0.10\n',
        "utf-8",
    )
    (found,) = read(path)
    assert isinstance(found, Claim)
    assert (found.epsilon, found.delta, found.phase[0].epsilon) == ("8.0", "1e-5", "0.10")  # type: ignore[union-attr]


def test_json_floats_too(tmp_path: Path) -> None:
    (found,) = read(written(tmp_path, {**ROW, "epsilon": 0.1}))
    assert isinstance(found, Claim) and found.epsilon == "0.1"


def test_a_bad_claim_stands_beside_the_others(tmp_path: Path) -> None:
    bad = {**ROW, "id": "two", "phase": [{**RUN, "sampling": "shufled"}]}
    found = read(written(tmp_path, ROW, bad, {**ROW, "id": "three"}, 5))
    assert [type(each) for each in found] == [Claim, BadClaim, Claim, BadClaim]
    told = str(found[1])
    for part in ("claims.json", "claim two", "phase.0.sampling", "'poisson'", "shufled"):
        assert part in told
    assert "claim number 4" in str(found[3])


def test_names_are_unique(tmp_path: Path) -> None:
    found = read(written(tmp_path, ROW, ROW))
    assert [str(each).rpartition(": ")[2] for each in found] == [
        "id must be unique in a file, got one 2 times"
    ] * 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "must be JSON"),
        ('{"schema": "pldverify-claims/2", "claim": []}', "schema must be pldverify-claims/1, got"),
        ('{"claim": []}', "schema must be"),
        ("[]", "schema must be"),
        ('{"schema": "pldverify-claims/1", "claim": []}', "a list of 1 to"),
        ('{"schema": "pldverify-claims/1", "claim": {}}', "a list of 1 to"),
        ('{"schema": "pldverify-claims/1", "claim": [1], "more": 1}', "got more"),
        ('{"schema": "a", "schema": "pldverify-claims/1"}', "a key stands twice"),
        ("[" * 100_000, "must be JSON"),
        ("1" * 5_000, "must be JSON"),
    ],
)
def test_a_file_that_is_none_is_refused(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "claims.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=told):
        read(path)


def test_other_files_are_refused(tmp_path: Path) -> None:
    for name, content in (("claims.txt", b"x"), ("bad.toml", b"\xff")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InvalidInput, match=r"must end in|must be UTF-8"):
            read(tmp_path / name)
    with pytest.raises(InvalidInput, match="can't be read"):
        read(tmp_path / "nothing.toml")


def test_numbers_that_are_none_name_the_field(tmp_path: Path) -> None:
    from pldverify.claims.many import one

    rows = [
        ({"epsilon": "-1"}, "epsilon must be >= 0, got epsilon=-1"),
        ({"epsilon": "NaN"}, "epsilon must be finite"),
        ({"delta": "2"}, "delta must be in"),
        ({"phase": [{**RUN, "q": "1.5"}]}, "phase.0: q must be in [0, 1], got q=1.5"),
        (
            {"phase": [RUN, {**RUN, "noise_multiplier": -1}]},
            "phase.1: noise_multiplier must be >= 0, got noise_multiplier=-1",
        ),
    ]
    claims = read(written(tmp_path, *({**ROW, "id": f"c{i}", **row} for i, (row, _) in enumerate(rows))))
    for claim, (_, told) in zip(claims, rows, strict=True):
        found = one("claims.json", claim, Place())
        assert isinstance(found, BadClaim) and told in str(found)


def test_sigma_in_a_file_is_told_as_sigma(tmp_path: Path) -> None:
    phase = {"mechanism": "gaussian", "sigma": -1, "sampling": "none", "steps": 1}
    row = {"id": "a", "epsilon": "1", "delta": "1e-5", "phase": [phase]}
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"schema": "pldverify-claims/1", "claim": [row]}), "utf-8")
    with pytest.raises(InvalidInput, match=r"phase\.0: sigma must be >= 0, got sigma=-1"):
        pv.certify_file(path)
