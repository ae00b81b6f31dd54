"""A host on this machine that takes what the site posts, over TLS with a certificate of an authority of its own."""

import contextlib
import datetime
import http.server
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from accounts.models import User
from game.delivery import webhook_sending, webhooks
from game.infra.safe_http import Reach
from game.outbox import notices
from game.outbox.models import Webhook

NAME = "hooks.example.org"
URL = f"https://{NAME}/take?from=sectors"


@dataclass
class Taken:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def type(self) -> str:
        return str(self.json["type"])


Reply = tuple[int, dict[str, str], bytes]


def echo(taken: Taken) -> Reply:
    """Says yes to everything, and answers a challenge with itself."""
    told = taken.json["data"].get("challenge") if taken.body[:1] == b"{" else None
    return 200, {}, (told or "").encode()


@dataclass
class Host:
    """What it was sent, and what it answers."""

    port: int = 0
    taken: list[Taken] = field(default_factory=list)
    answer: Callable[[Taken], Reply] = echo

    def types(self) -> list[str]:
        return [each.type for each in self.taken]


class Handler(http.server.BaseHTTPRequestHandler):
    host: Host

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        taken = Taken(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        self.host.taken.append(taken)
        status, headers, text = self.host.answer(taken)
        with contextlib.suppress(OSError):
            self.send_response(status)
            for name, value in {"Content-Length": str(len(text)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

    def log_message(self, *args: Any) -> None:
        """Says nothing."""


@contextlib.contextmanager
def hook_host(name: str = NAME, of: Host | None = None) -> Iterator[Host]:
    """Runs it; its certificate is for this name alone."""
    host = of or Host()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"host": host}))
    server.daemon_threads = True
    inside = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    inside.load_cert_chain(*certificate(name))
    server.socket = inside.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    host.port = server.server_address[1]
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.05}, name="hook host", daemon=True
    )
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def reach_to(port: int, *, addresses: Sequence[str] = ("127.0.0.1",), **more: Any) -> Reach:
    """As `settings.OUTGOING`: every name means this machine, which may be reached."""
    given: dict[str, Any] = {"look_up": lambda name: list(addresses), "may_be_reached": lambda address: True}
    return Reach(port=port, authorities=str(authority()[2]), **{**given, **more})


def as_the_api_writes(moment: datetime.datetime) -> str:
    """In UTC, with a Z."""
    return f"{moment.astimezone(datetime.UTC).replace(tzinfo=None).isoformat()}Z"


def active(user: User, host: Host, url: str = URL, types: Any = ()) -> Webhook:
    """A webhook that has echoed its challenge."""
    hook = webhooks.add(user=user, url=url, types=types)
    round_of_hooks()
    host.taken.clear()
    return Webhook.objects.get(pk=hook.pk)


def round_of_hooks() -> None:
    """What the worker does, when whatever was put off is due again."""
    notices.write_notices()
    webhook_sending.send_due()


@cache
def authority() -> tuple[Any, Any, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tests")])
    built = _about(name, name, key).add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    signed = built.sign(key, hashes.SHA256())
    place = Path(mkdtemp(prefix="sectors-hooks-")) / "authority.pem"
    place.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    return signed, key, place


@cache
def certificate(name: str) -> tuple[str, str]:
    """Files of a certificate for this name, and of its key."""
    issuer, signer, place = authority()
    key = ec.generate_private_key(ec.SECP256R1())
    built = _about(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), issuer.subject, key)
    built = built.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    signed = built.sign(signer, hashes.SHA256())
    chain, secret = place.with_name(f"{name}.pem"), place.with_name(f"{name}.key")
    chain.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return str(chain), str(secret)


def _about(subject: x509.Name, issuer: x509.Name, key: Any) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
    )
