"""A passkey in a program, as a browser would use it."""

from __future__ import annotations

import json
import struct
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from django.urls import reverse
from fido2 import cbor
from fido2.cose import ES256

SITE = "testserver"
SEEN_AND_VERIFIED, WITH_KEY = b"\x05", b"\x45"


class Passkey:
    """One that proves who its owner is."""

    def __init__(self, name: bytes = b"a passkey of one") -> None:
        self.name, self.key, self.owner = name, ec.generate_private_key(ec.SECP256R1()), ""

    def add(self, client: Client) -> Any:
        """Fill in the page on which a passkey is added."""
        page = client.get(reverse("mfa_add_webauthn"))
        if page.status_code != 200:
            return page
        return client.post(reverse("mfa_add_webauthn"), self.of_page(page))

    def of_page(self, page: Any) -> dict[str, str]:
        """The form of such a page, filled in."""
        wanted = page.context["js_data"]["creation_options"]["publicKey"]
        self.owner = wanted["user"]["id"]
        key = cbor.encode(ES256.from_cryptography_key(self.key.public_key()))
        about = _head(WITH_KEY) + bytes(16) + struct.pack(">H", len(self.name)) + self.name + key
        response = {
            "attestationObject": _text(cbor.encode({"fmt": "none", "attStmt": {}, "authData": about})),
            "clientDataJSON": _text(_client_data("webauthn.create", wanted["challenge"])),
        }
        return {"name": "Key", "credential": json.dumps(self._credential(response))}

    def sign_in(self, client: Client) -> Any:
        wanted = client.get(reverse("mfa_login_webauthn"), headers={"X-Requested-With": "XMLHttpRequest"}).json()
        data = _client_data("webauthn.get", wanted["request_options"]["publicKey"]["challenge"])
        about = _head(SEEN_AND_VERIFIED)
        response = {
            "authenticatorData": _text(about),
            "clientDataJSON": _text(data),
            "signature": _text(self.key.sign(about + sha256(data).digest(), ec.ECDSA(SHA256()))),
            "userHandle": self.owner,
        }
        return client.post(reverse("mfa_login_webauthn"), {"credential": json.dumps(self._credential(response))})

    def _credential(self, response: dict[str, str]) -> dict[str, Any]:
        name = _text(self.name)
        kind = {"type": "public-key", "clientExtensionResults": {"credProps": {"rk": True}}}
        return kind | {"id": name, "rawId": name, "response": response}


def _head(flags: bytes) -> bytes:
    return sha256(SITE.encode()).digest() + flags + struct.pack(">I", 0)


def _client_data(kind: str, challenge: str) -> bytes:
    return json.dumps({"type": kind, "challenge": challenge, "origin": f"https://{SITE}"}).encode()


def _text(of: bytes) -> str:
    return urlsafe_b64encode(of).decode().rstrip("=")
