"""Every kind of notice is one row, and all that its row names is there."""

from __future__ import annotations

import re

import pytest
from django.template.loader import select_template

from accounts.languages import override_language
from game.engine.language import say
from game.outbox.notice_kinds import KINDS
from game.outbox.webhook_events import TOPICS_OF_TYPES
from game.outbox.webhook_types import TYPES
from game.store.log import Notice
from tests.servers import ROOT

MAILED = sorted({row.mail for row in KINDS.values() if row.mail})
MAILS = ROOT / "templates" / "mail"
LINES = (MAILS / "_what.txt").read_text(encoding="utf-8")


def test_every_kind_has_a_row() -> None:
    assert set(KINDS) == set(Notice.Kind)


@pytest.mark.parametrize("mail", MAILED)
def test_every_mail_has_its_subject_and_its_text(mail: str) -> None:
    assert select_template([f"mail/{mail}_subject.txt"])
    assert select_template([f"mail/{mail}.txt", f"mail/_{mail}.txt"])
    assert (MAILS / f"{mail}.txt").exists() == (MAILS / f"{mail}.html").exists(), "a layout of its own is of both"


@pytest.mark.parametrize("kind", [kind for kind, row in KINDS.items() if row.mail and kind not in Notice.ASKING])
def test_a_list_of_news_has_a_line_for_every_kind(kind: Notice.Kind) -> None:
    line = KINDS[kind].line
    assert bool(line) != (f'notice.kind == "{kind}"' in LINES), "one place says it"
    with override_language("de"):
        assert not line or say(line) != line


@pytest.mark.parametrize("kind", Notice.Kind)
def test_a_row_says_while_what_a_notice_is_true(kind: Notice.Kind) -> None:
    row = KINDS[kind]
    assert bool(row.asks_about) != bool(row.statuses or row.still_true)
    assert not row.asks_about or row.is_state


def test_every_kind_of_notice_has_a_type() -> None:
    assert set(KINDS) == set(Notice.Kind)
    assert {row.webhook for row in KINDS.values()} == set(TYPES) - {"phase.closed"}
    assert set(TOPICS_OF_TYPES) == set(TYPES)


def test_the_documentation_has_every_type() -> None:
    page = (ROOT / "docs" / "api" / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w.]+)` \| (.+) \|$", page, re.MULTILINE) == [(kind, str(TYPES[kind])) for kind in TYPES]
