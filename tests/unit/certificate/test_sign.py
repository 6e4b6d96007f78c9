"""Signed certificates: real keys, and envelopes that were changed."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from pldverify import recheck
from pldverify.certificate.document import load
from pldverify.certificate.sign import sign, verify
from pldverify.cli import main
from pldverify.errors import InvalidInput

STORED = Path(__file__).parents[2] / "data" / "certificates" / "laplace-certified.json"


def private(key: Any) -> bytes:
    return bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def public(key: Any) -> bytes:
    return bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))


KEY, OTHER = ed25519.Ed25519PrivateKey.generate(), ed25519.Ed25519PrivateKey.generate()
SIGNED = sign(load(STORED.read_bytes()), private(KEY))


def with_payload(change: Any) -> bytes:
    """The envelope around another payload."""
    content = json.loads(SIGNED)
    payload = change(base64.b64decode(content["payload"]))
    return json.dumps(content | {"payload": base64.b64encode(payload).decode()}).encode()


def test_a_signature_is_verified_with_its_key_alone() -> None:
    verify(SIGNED.encode(), public(KEY))
    with pytest.raises(InvalidInput, match="no signature"):
        verify(SIGNED.encode(), public(OTHER))


def test_the_checker_reads_the_payload_and_says_that_it_verifies_nothing() -> None:
    document, notes = recheck.opened(SIGNED.encode())
    assert document == json.loads(STORED.read_text("utf-8"))
    assert notes == ["in an envelope whose signatures were not checked"]


CHANGES = {
    "one byte": lambda payload: payload.replace(b"4.7", b"4.8"),
    "a space": lambda payload: payload + b" ",
    "another certificate": lambda payload: (
        payload.replace(
            STORED.read_bytes()[-70:-8], (STORED.parent / "dp-sgd-refuted.json").read_bytes()[-70:-8]
        )
        + b" "
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_payload_is_refused(change: Any) -> None:
    with pytest.raises(InvalidInput, match="no signature"):
        verify(with_payload(change), public(KEY))


def test_another_type_is_refused() -> None:
    content = json.loads(SIGNED) | {"payloadType": "text/plain"}
    with pytest.raises(InvalidInput, match="in-toto"):
        verify(json.dumps(content).encode(), public(KEY))


@pytest.mark.parametrize(
    "signatures", [[], [{}], [{"sig": "!"}], [1], ["sig"], [{"sig": ""}], [{"sig": None}]], ids=repr
)
def test_no_signature_is_refused(signatures: Any) -> None:
    content = json.loads(SIGNED) | {"signatures": signatures}
    with pytest.raises(InvalidInput):
        verify(json.dumps(content).encode(), public(KEY))


def test_a_certificate_without_an_envelope_has_no_signature() -> None:
    with pytest.raises(InvalidInput, match="envelope"):
        verify(STORED.read_bytes(), public(KEY))


@pytest.mark.parametrize("payload", ["!", "e30", "ew==", "MQ==", "W10="])
def test_a_payload_that_is_no_statement_is_rejected(payload: str) -> None:
    content = json.loads(SIGNED) | {"payload": payload}
    with pytest.raises(recheck.Rejected):
        recheck.opened(json.dumps(content).encode())


def test_other_keys_are_refused() -> None:
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for key in (private(other), public(KEY), b"no key"):
        with pytest.raises(InvalidInput, match="key must be"):
            sign(load(STORED.read_bytes()), key)
    for key in (public(other), private(KEY), b"no key"):
        with pytest.raises(InvalidInput, match="key must be"):
            verify(SIGNED.encode(), key)


def test_on_the_command_line(tmp_path: Path) -> None:
    files = {name: str(tmp_path / name) for name in ("key", "public", "other", "cert")}
    for name, data in (("key", private(KEY)), ("public", public(KEY)), ("other", public(OTHER))):
        Path(files[name]).write_bytes(data)
    claim = ["certify", "laplace(b=1)", "--delta", "0", "--epsilon", "1"]
    done = CliRunner().invoke(main, [*claim, "--out", files["cert"], "--sign", files["key"]])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(main, ["recheck", files["cert"], "--key", files["public"]])
    assert done.exit_code == 0 and "signed by the key" in done.output, done.output
    done = CliRunner().invoke(main, ["recheck", files["cert"]])
    assert done.exit_code == 0 and "were not checked" in done.output, done.output
    assert CliRunner().invoke(main, ["recheck", files["cert"], "--key", files["other"]]).exit_code == 2
    assert CliRunner().invoke(main, [*claim, "--sign", files["key"]]).exit_code == 2
