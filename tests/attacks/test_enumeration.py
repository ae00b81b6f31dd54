"""Who has an account, asked by what the site does: the same answers, hashes and statements for people and for nobody.

Work is counted and not timed: a busy machine changes no count."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.attacks.walk import CHANCE
from tests.scenes import person

pytestmark = pytest.mark.django_db
MOST_READS_APART = 3
DRAWN = re.compile(r"'(?:[^']|'')*'|\b\d+\b|\b_django_curs_\w+")
KNOWN = {"name": "ada", "address": "ada@example.org"}
# As long as the others: what was typed is in the answer.
UNKNOWN = {"name": "bea", "address": "bea@example.org"}
FORMS = {
    "sign in by name": ("account_login", {"login": "{name}", "password": "wrong horse 42"}),
    "sign in by address": ("account_login", {"login": "{address}", "password": "wrong horse 42"}),
    "reset a password": ("account_reset_password", {"email": "{address}"}),
}


class Work(NamedTuple):
    """What a form cost and said."""

    status: int
    headers: dict[str, str]
    body: bytes
    hashes: int
    statements: Counter[str]


def work(form: str, who: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Work:
    address, fields = FORMS[form]
    cache.clear()
    hashes: list[None] = []
    plain = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *given: hashes.append(None) or plain(*given))
    client = Client()
    client.get(reverse(address))
    with CaptureQueriesContext(connection) as asked:
        answer = client.post(reverse(address), {name: value.format(**who) for name, value in fields.items()})
    monkeypatch.setattr(MD5PasswordHasher, "encode", plain)
    return told(answer, who, len(hashes), [query["sql"] for query in asked.captured_queries])


def told(answer: Any, who: dict[str, str], hashes: int, statements: list[str]) -> Work:
    """Without what was typed, and without what is drawn."""
    headers = {name: value for name, value in answer.headers.items() if name not in {"X-Request-ID", "Expires"}}
    body = CHANCE.sub(b"", answer.content)
    for typed in who.values():
        body = body.replace(typed.encode(), b"*")
    kinds = Counter(DRAWN.sub("?", sql) for sql in statements if "SAVEPOINT" not in sql)
    return Work(answer.status_code, headers, body, hashes, kinds)


def differing(one: Counter[str], other: Counter[str]) -> list[str]:
    return [*(one - other).elements(), *(other - one).elements()]


@pytest.mark.parametrize("form", FORMS)
def test_a16_every_form_does_the_same_work_with_and_without_an_account(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same answer byte by byte, the same hashes, the same statements that write, and but for a few the same that
    read: each is cheaper than a hash by far, and the limits let nobody ask often enough to see it."""
    person("ada")
    work(form, KNOWN, monkeypatch)  # what is compiled at its first use
    known, unknown = work(form, KNOWN, monkeypatch), work(form, UNKNOWN, monkeypatch)
    assert known.status == unknown.status
    assert known.headers == unknown.headers
    assert known.body == unknown.body
    assert known.hashes == unknown.hashes
    differ = differing(known.statements, unknown.statements)
    assert len(differ) <= MOST_READS_APART, differ
    assert [sql for sql in differ if not sql.startswith(("SELECT", "DECLARE"))] == []
