"""Every kind of notice is one row, and all that its row names is there."""

from __future__ import annotations

import pytest
from django.template.loader import select_template

from accounts.languages import override_language
from game.delivery.emails import OWN_LAYOUTS
from game.delivery.notice_checks import TRUTH_CHECKS
from game.engine.language import say
from game.outbox.notice_kinds import KINDS
from game.store.log import Notice
from tests.servers import ROOT

MAILED = sorted({row.mail for row in KINDS.values() if row.mail})
LINES = (ROOT / "templates" / "mail" / "_what.txt").read_text(encoding="utf-8")


def test_every_kind_has_a_row() -> None:
    assert set(KINDS) == set(Notice.Kind)


@pytest.mark.parametrize("mail", MAILED)
def test_every_mail_has_its_subject_and_its_text(mail: str) -> None:
    assert select_template([f"mail/{mail}_subject.txt"])
    texts = [f"mail/{mail}.txt", f"mail/{mail}.html"] if mail in OWN_LAYOUTS else [f"mail/_{mail}.txt"]
    assert all(select_template([text]) for text in texts)


@pytest.mark.parametrize("kind", [kind for kind, row in KINDS.items() if row.mail and kind not in Notice.ASKING])
def test_a_list_of_news_has_a_line_for_every_kind(kind: Notice.Kind) -> None:
    line = KINDS[kind].line
    assert bool(line) != (f'notice.kind == "{kind}"' in LINES), "one place says it"
    with override_language("de"):
        assert not line or say(line) != line


@pytest.mark.parametrize("kind", [kind for kind in Notice.Kind if kind not in Notice.ASKING])
def test_one_place_says_while_what_a_notice_is_true(kind: Notice.Kind) -> None:
    assert (KINDS[kind].statuses is None) == (kind in TRUTH_CHECKS)
