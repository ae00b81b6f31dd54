"""Several things to tell one person at once: each is told, the most pressing one first, and none holds up another."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from game.delivery.notice_sending import send_due_notices
from game.moderation import interventions
from game.outbox import notices
from game.rulesets.registry import RULESETS
from game.store.game import Game, Pace
from game.store.log import Notice
from game.store.proposals import VoteTopic
from game.votes import voting
from tests.scenes import let_time_pass, moderator, person, play_on, ready, run_out, seen, table
from tests.servers import Mailbox
from tests.tables import fresh, new_game, shortest

pytestmark = [pytest.mark.django_db]
PLACE = {"en": "Place", "de": "Platz"}


@pytest.fixture
def ada() -> User:
    return person("Ada", quiet_from=0, quiet_until=0)


def test_a_vote_is_told_beside_the_decision_of_its_game(mailbox: Mailbox, ada: User) -> None:
    ben = person("Ben")
    game = table(ada, ben)
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=ben)
    message = sent_to(mailbox, ada)
    assert "Bid influence points" in message["Subject"]
    for words in words_of(message):
        assert "Also in this game:" in words
        assert words.count("A player asks for your vote on a pause") == 1


def test_a_decision_is_mailed_after_a_moderator_has_paused_the_game(mailbox: Mailbox, ada: User) -> None:
    game, lena = table(ada), moderator("Lena")
    for act in (interventions.pause, interventions.resume):
        act(game_id=game.pk, moderator=lena, reason="a secret reason", seen=seen(game))
    for words in words_of(sent_to(mailbox, ada)):
        assert "Bid influence points" in words
        assert "a secret reason" not in words, "that is over, and this mail is about the decision"


def test_the_result_comes_before_a_rewind_that_is_past(mailbox: Mailbox, ada: User) -> None:
    game = play_on(new_game(ada.username, bots=1, ruleset="toy"))
    Notice.objects.all().delete()
    fields = {"game": game, "seat": game.seats.get(number=0), "user": ada, "serial": 0, "due_at": timezone.now()}
    for kind in (Notice.Kind.VOID, Notice.Kind.FINISHED):
        Notice.objects.create(kind=kind, **fields)
    message = sent_to(mailbox, ada)
    assert "is over: you finished" in message["Subject"]
    for words in words_of(message):
        assert "Rewound to turn" in words
        assert "You, " in words
        assert "ada, " not in words.lower(), "the reader has no name in the final standings"
        assert re.search(r"Place \d\w\w of 2", words_of_page(words)), "a figure without its label is a riddle"


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_plain_text_has_neat_lines_and_a_label_for_every_figure(
    mailbox: Mailbox, ada: User, ruleset: str, language: str, settings: Any
) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    User.objects.filter(pk=ada.pk).update(language=language)
    game = new_game(ada.username, bots=1, ruleset=ruleset, pace="daily", **shortest(ruleset, max_turns=2))
    for is_over in (False, False, True):
        run_out(fresh(game))
        if is_over:
            play_on(fresh(game))
        notices.write_notices()
        let_time_pass(fresh(game), timedelta(hours=1))
        send_due_notices()
    texts = [words_of(message)[0].replace("\r", "") for message in mailbox.messages]
    assert len(texts) >= 2
    for text in texts:
        assert not re.findall(r"^.*[^-] $", text, re.MULTILINE)
        assert "\n\n\n" not in text
        assert re.search(rf"{PLACE[language]} \d", text)


def test_a_game_that_cannot_be_read_keeps_no_other_from_being_told(mailbox: Mailbox, ada: User) -> None:
    ben = person("Ben")
    broken, whole = table(ada, ben), table(ada, ben, name="Whole")
    Game.objects.filter(pk=broken.pk).update(state=b"not a position")
    assert "Whole" in sent_to(mailbox, ada)["Subject"]
    assert not Notice.objects.filter(game=whole, user=ada, kind=Notice.Kind.TURN, sent_at=None).exists()


def test_no_number_of_mentions_puts_a_decision_off(mailbox: Mailbox, ada: User) -> None:
    game = table(ada, person("Ben"))
    fields = {"game": game, "seat": game.seats.get(user=ada), "user": ada, "due_at": timezone.now()}
    for serial in range(20):
        long_ago = timezone.now() - timedelta(minutes=30 * (serial + 1))
        Notice.objects.create(**fields, kind=Notice.Kind.MENTION, serial=serial, handed_at=long_ago, sent_at=long_ago)
    assert "Bid influence points" in sent_to(mailbox, ada)["Subject"]


def words_of_page(page: str) -> str:
    """A page, or plain text, without tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def sent_to(mailbox: Mailbox, user: User) -> Any:
    """The one mail that is due to them."""
    send_due_notices()
    (message,) = [each for each in mailbox.messages if each["To"] == user.email]
    return message


def words_of(message: Any) -> list[str]:
    return [str(message.get_body((form,)).get_content()) for form in ("plain", "html")]


def test_a_late_mail_of_the_start_says_what_is_asked_by_then(mailbox: Mailbox, ada: User) -> None:
    """Not that the first phase is open: the decision of now, until when, and what counts otherwise."""
    ben = person("Ben", quiet_from=0, quiet_until=0)
    game = table(ada, ben, pace=Pace.DEMO)
    while fresh(game).phase_name != "stock_orders":
        run_out(game)
    ready(game, seat_of(game, ben))
    notices.write_notices()
    let_time_pass(game, timedelta(seconds=15))
    send_due_notices()
    for words in texts_to(mailbox, ada):
        assert "Your decision now: Place one stock order, or pass." in words
        assert "Deadline: " in words
        assert "If you do nothing, " in words
        assert "first phase" not in words
    for words in texts_to(mailbox, ben):
        assert "The game is in turn 1. You have nothing to decide at the moment." in words
        assert "If you do nothing" not in words


def seat_of(game: Game, user: User) -> int:
    return int(game.seats.get(user=user).number)


def texts_to(mailbox: Mailbox, user: User) -> list[str]:
    """Both forms of the first mail to somebody, without tags."""
    message = next(message for message in mailbox.messages if message["To"] == user.email)
    forms = [message.get_body((kind,)).get_content() for kind in ("plain", "html")]
    return [" ".join(re.sub("<[^>]+>", "", form).split()) for form in forms]
