"""A signed certificate: an in-toto statement in a DSSE envelope, by ed25519.

The statement's predicate is the certificate, its subject the canonical form of which the certificate has the
SHA-256. What is signed is :func:`authenticated` of the payload (DSSE, protocol version 1). Keys are PEM
files, as ``openssl genpkey -algorithm ed25519`` and ``openssl pkey -pubout`` write them, without a password.
Needs the extra ``sign``.
"""

import base64
import json
from typing import TYPE_CHECKING

from pldverify import recheck
from pldverify.certificate.document import SCHEMA, Document
from pldverify.errors import InvalidInput
from pldverify.late_names import needs
from pldverify.recheck import PAYLOAD, PREDICATE, STATEMENT

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


def sign(document: Document, key: bytes) -> str:
    """The envelope, as JSON. Raises InvalidInput if ``key`` is no private ed25519 key in PEM."""
    statement = {
        "_type": STATEMENT,
        "subject": [{"name": SCHEMA, "digest": {"sha256": document.sha256}}],
        "predicateType": PREDICATE,
        "predicate": document.to_json(),
    }
    payload = json.dumps(statement, ensure_ascii=False).encode()
    signature = _private(key).sign(authenticated(PAYLOAD, payload))
    content = {"payloadType": PAYLOAD, "payload": _text(payload), "signatures": [{"sig": _text(signature)}]}
    return json.dumps(content, indent=2) + "\n"


def verify(data: bytes, key: bytes) -> None:
    """Return if one of the signatures is by the key. Raises InvalidInput otherwise, or if ``key`` is no
    public ed25519 key in PEM.

    The payload is read by the checker's own parser: what is verified is what it decides.
    """
    public = _public(key)
    from cryptography.exceptions import InvalidSignature

    try:
        payload, signatures = recheck.envelope(recheck.loads(data))
        recheck.statement(payload)
    except recheck.Rejected as error:
        raise InvalidInput(f"certificate must be in a DSSE envelope, to have a signature: {error}") from None
    for signature in signatures:
        try:
            return public.verify(signature, authenticated(PAYLOAD, payload))
        except InvalidSignature:
            continue
    raise InvalidInput("certificate must be signed by the key: no signature of it fits")


def authenticated(kind: str, payload: bytes) -> bytes:
    """The bytes that are signed, of type and payload: DSSE's pre-authentication encoding.

    >>> authenticated("http://example.com/HelloWorld", b"hello world")
    b'DSSEv1 29 http://example.com/HelloWorld 11 hello world'
    """
    return b"DSSEv1 %d %b %d %b" % (len(kind.encode()), kind.encode(), len(payload), payload)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _private(key: bytes) -> "Ed25519PrivateKey":
    with needs("signing needs cryptography: pip install 'pldverify[sign]'"):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    try:
        found = load_pem_private_key(key, None)
    except (ValueError, TypeError) as error:
        raise InvalidInput(f"key must be a private ed25519 key in PEM, without a password: {error}") from None
    if not isinstance(found, Ed25519PrivateKey):
        raise InvalidInput("key must be a private ed25519 key, got another kind")
    return found


def _public(key: bytes) -> "Ed25519PublicKey":
    with needs("signatures need cryptography: pip install 'pldverify[sign]'"):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key
    try:
        found = load_pem_public_key(key)
    except ValueError as error:
        raise InvalidInput(f"key must be a public ed25519 key in PEM: {error}") from None
    if not isinstance(found, Ed25519PublicKey):
        raise InvalidInput("key must be a public ed25519 key, got another kind")
    return found
