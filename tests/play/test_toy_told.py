"""How a game that nobody drew a board for is told: its log, its mail, its page in the admin, and never a card of
another's hand."""

import re

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from game.delivery.notice_sending import send_due_notices
from game.history.game_log import tell
from game.moderation import interventions, rewind
from game.store import replay
from game.store.badges import badges_of
from game.store.game import Game
from game.store.log import Kind, LoggedAction, Notice
from game.store.readers import seats_of
from game.table.board import read_log
from tests.delivery.test_notices import mails_to, text_of
from tests.delivery.test_notices import page_of as letter_page
from tests.scenes import let_time_pass, moderator, play_on, rewind_by_two, run_out, seen, table
from tests.scenes import person as reachable
from tests.servers import Mailbox
from tests.tables import READY, fresh, send, without_chance
from tests.toy_scenes import at_turns, bid, board, hand, page_of, place, sits, story_of, words_of

pytestmark = [pytest.mark.django_db]
UNDO, DRAW, STOP = {"kind": "undo"}, {"kind": "draw"}, {"kind": "stop"}


@pytest.fixture
def game() -> Game:
    """Ada's turn; ben is the next."""
    return at_turns()


# --- the log


def test_each_turn_is_one_heading_that_says_whose_it_is(game: Game) -> None:
    for seat, cells in ((0, "A1 A2"), (1, "B1 B2")):
        for cell in cells.split():
            send(game, seat, place(game, seat, cell))
    result = story_of(game, sits("ben"))
    assert [title for title, _ in result] == ["Turn 1, phase 2: Turn", "Turn 1, phase 1: Bidding"]
    assert len(result[0][1]) == 6, "two cards of each, and that the turn ended"
    page = page_of(game, sits("ben"))
    assert page.count('<h3 class="log-ph">Turn 1, phase 2: Turn') == 1, "turns that follow one another share a title"
    assert [re.sub(r"\d+ on", "… on", line) for line in result[0][1] if " ada " in line] == [
        "A ada placed the … on A1.",
        "A ada placed the … on A2.",
        "A ada ended the turn.",
    ]


def test_what_was_taken_back_is_in_the_record_and_not_in_the_story(game: Game) -> None:
    kept, dropped = sorted(hand(game, 0))[:2]
    send(game, 0, {"kind": "place", "card": dropped, "cell": "A1"})
    send(game, 0, UNDO)
    send(game, 0, {"kind": "place", "card": kept, "cell": "B2"})
    assert story_of(game, sits("ben"))[0] == ("Turn 1, phase 2: Turn (ada)", [f"A ada placed the {kept} on B2."])
    entries = LoggedAction.objects.filter(game=game, serial=game.phase_serial).order_by("number")
    assert [entry.read_action().__struct_config__.tag for entry in entries] == ["place", "undo", "place"]
    assert [entry.is_undone for entry in entries] == [True, True, False]
    assert [entry.step for entry in entries] == [0, 1, 2]


def test_a_standing_input_that_was_taken_back_is_told_as_such(game: Game) -> None:
    """It was carried out within somebody else's entry, which stays."""
    send(game, 1, place(game, 1, "C3"))
    send(game, 0, STOP)
    card = board(game)["C3"][1]
    send(game, 1, UNDO)
    result = story_of(game, sits("ada"))
    assert result[0][0] == "Turn 1, phase 2: Turn"
    assert [line for line in result[0][1] if " ben " in line] == [
        f"B ben placed the {card} on C3.",
        "B ben took back the last action.",
    ]


def test_to_leave_or_withdraw_something_is_no_step_of_anothers_turn(game: Game) -> None:
    send(game, 1, place(game, 1, "C3"))
    send(game, 0, place(game, 0, "A1"))
    send(game, 0, UNDO)
    left = LoggedAction.objects.get(game=game, seat=1, serial=game.phase_serial)
    assert (left.step, left.is_undone) == (None, False)


def test_an_older_page_of_the_log_says_whose_turn_it_begins_in(game: Game) -> None:
    """It may begin in the middle of a turn."""
    send(game, 0, place(game, 0, "A1"))
    run_out(game)
    places = badges_of(seats_of(game), ruleset=game.ruleset, user_id=None)
    last = LoggedAction.objects.filter(game=game, kind=Kind.CLOSE).get()
    result, _ = read_log(game=fresh(game), places=places, seat=None, before=last.version + 1)
    assert result[0].title == "Turn 1, phase 2: Turn (ada)"
    result = tell([last], flow=game.rules.flow(game.read_options()), names=[place.name for place in places], seat=None)
    assert [(chapter.title, len(chapter.entries)) for chapter in result] == [("Turn 1, phase 2: Turn (ada)", 1)]


def test_a_note_of_a_moderator_stands_in_the_turn_that_is_open(game: Game) -> None:
    send(game, 0, place(game, 0, "A1"))
    interventions.extend_deadline(
        game_id=game.pk, moderator=moderator("Lena"), reason="a storm", seen=seen(game), minutes=5
    )
    send(game, 0, place(game, 0, "A2"))
    result = story_of(game, sits("ada"))
    assert [title for title, _ in result] == ["Turn 1, phase 2: Turn (You)", "Turn 1, phase 1: Bidding"]
    assert "Moderator Lena" in result[0][1][1]


# --- mail


def begun(mailbox: Mailbox, *, pace: str = "daily") -> Game:
    return table(reachable("Ada", quiet_from=0, quiet_until=0), reachable("Ben"), bots=0, pace=pace, ruleset="toy")


def test_a_turn_is_mailed_to_whoever_has_it(mailbox: Mailbox) -> None:
    game = begun(mailbox)
    ada, ben = (seat.user for seat in game.seats.all())
    send_due_notices()
    assert [len(mails_to(mailbox, who)) for who in (ada, ben)] == [1, 1]
    for seat in (0, 1):
        send(game, seat, bid(1 - seat), READY)
    send_due_notices()
    assert [len(mails_to(mailbox, who)) for who in (ada, ben)] == [2, 1], "only one of them acts"
    letter = mails_to(mailbox, ada)[1]
    assert letter["Subject"].startswith("Take your turn in phase 2, Turn by ")
    for words in (text_of(letter), words_of(letter_page(letter))):
        assert "If you do nothing, your turn ends." in words
        assert re.search(r"Score\s+9", words)
        assert "2nd of 2" in words
    let_time_pass(game, fresh(game).deadline_at - fresh(game).now - (fresh(game).deadline_at - fresh(game).now) / 8)
    send_due_notices()
    assert mails_to(mailbox, ada)[2]["Subject"].startswith("Reminder: Take your turn in phase 2, Turn by ")


def test_a_turn_that_was_taken_is_not_mailed(mailbox: Mailbox) -> None:
    game = begun(mailbox)
    for seat in (0, 1):
        send(game, seat, bid(1 - seat), READY)
    send(game, 0, STOP)
    send_due_notices()
    ada, ben = (seat.user for seat in game.seats.all())
    assert not [letter for letter in mails_to(mailbox, ada) if "turn" in letter["Subject"].split(":")[0]]
    assert len(mails_to(mailbox, ben)) == 1
    assert "Take your turn in phase 2, Turn." in text_of(mails_to(mailbox, ben)[0])


def test_the_end_is_mailed(mailbox: Mailbox) -> None:
    game = play_on(begun(mailbox))
    send_due_notices()
    for seat in game.seats.all():
        letter = mails_to(mailbox, seat.user)[-1]
        assert "is over" in letter["Subject"]
        assert f"{seat.score}" in text_of(letter)


# --- the admin


@pytest.fixture
def desk() -> Client:
    client = Client()
    client.force_login(reachable("Root", is_staff=True, is_superuser=True))
    return client


def test_staff_find_it_in_the_admin_and_read_its_story(game: Game, desk: Client) -> None:
    send(game, 0, place(game, 0, "A1"))
    listed = desk.get(f"{reverse('admin:game_game_changelist')}?ruleset__exact=toy").content.decode()
    assert game.name in listed
    assert "Turn 1: Turn" in listed
    page = words_of(desk.get(reverse("admin:game_game_change", args=[game.pk])).content.decode())
    assert "ada placed the" in page
    entry = LoggedAction.objects.filter(game=game, step=0).get()
    assert "ada placed the" in desk.get(reverse("admin:game_loggedaction_change", args=[entry.pk])).content.decode()


def test_staff_take_it_back_to_the_start_of_a_turn(game: Game, mailbox: Mailbox) -> None:
    send(game, 0, place(game, 0, "A1"))
    send(game, 0, STOP)
    send(game, 1, place(game, 1, "B1"))
    moment = next(moment for moment in rewind.moments_of(fresh(game)) if moment.serial == game.phase_serial)
    assert str(moment) == "Turn 1, phase 2: Turn"
    lena = moderator("Lena")
    rewind_by_two(game_id=game.pk, moderator=lena, reason="the wrong card", seen=seen(game), number=moment.number)
    now = fresh(game)
    assert (board(game), now.waiting_seats, now.branch, now.phase_step) == ({}, [0], 1, 0)
    assert set(Notice.objects.filter(game=game, kind=Notice.Kind.VOID).values_list("seat__number", flat=True)) == {0, 1}
    send(game, 0, DRAW)
    assert all(check.is_equal for check in replay.replay_game(game=fresh(game)))
    title, lines = story_of(game, sits("ada"))[0]
    assert title == "Turn 1, phase 2: Turn"
    assert lines[-1] == f"A You drew the {hand(game, 0)[-1]}."


# --- what is hidden


def shown_to(game: Game, who: Client) -> list[str]:
    """All that a reader can fetch of a game."""
    addresses = [f"/games/{game.pk}/", f"/games/{game.pk}/version/", "/games/", f"/games/{game.pk}/?before=3"]
    live = who.get(f"/games/{game.pk}/", HTTP_HX_REQUEST="true").content.decode()
    return [without_chance(page) for page in (live, *(who.get(address).content.decode() for address in addresses))]


def of_the_admin(game: Game, desk: Client) -> list[str]:
    """Every page of the admin about the site's own tables."""
    pages = []
    for model in admin.site._registry:
        if model._meta.app_label in {"game", "accounts"}:
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            keys = list(model._default_manager.values_list("pk", flat=True)[:40])
            addresses = [reverse(f"{name}_changelist"), *(reverse(f"{name}_change", args=[pk]) for pk in keys)]
            pages += [without_chance(desk.get(address).content.decode()) for address in addresses]
    assert len(pages) > 20
    return pages


def with_another_hand(game: Game, seat: int) -> None:
    """What lies in one hand and in the deck is exchanged, behind everybody's back."""
    now = fresh(game)
    state = now.load_position().state
    state.hands[seat], state.deck = state.deck[:3], sorted([*state.hands[seat], *state.deck[3:]])
    Game.objects.filter(pk=game.pk).update(state=now.rules.codec.pack(state))


def test_no_page_shows_what_another_holds_or_what_lies_in_the_deck(game: Game, desk: Client) -> None:
    """Two games that differ in one hand alone give everybody else the same pages, byte by byte."""
    send(game, 0, DRAW)
    readers, ben = {"ada": sits("ada"), "a stranger": Client(), "somebody": sits("zoe")}, sits("ben")
    for who in (*readers.values(), ben):
        shown_to(game, who)  # whoever looks for the first time is told what happened before
    before = {name: shown_to(game, who) for name, who in readers.items()}
    in_admin, mine = of_the_admin(game, desk), shown_to(game, ben)
    with_another_hand(game, 1)
    assert {name: shown_to(game, who) for name, who in readers.items()} == before
    assert of_the_admin(game, desk) == in_admin
    assert shown_to(game, ben) != mine


def test_no_letter_shows_what_another_holds(mailbox: Mailbox) -> None:
    """Ada's letters, written anew after ben's hand was exchanged, are the same."""
    game = begun(mailbox)
    for seat in (0, 1):
        send(game, seat, bid(1 - seat), READY)
    rows = []
    for exchange in (False, True):
        if exchange:
            with_another_hand(game, 1)
        Notice.objects.filter(game=game).update(sent_at=None, cancelled_at=None, attempts=0, due_at=game.created_at)
        send_due_notices()
        ada = game.seats.get(number=0).user
        rows.append(text_of(mails_to(mailbox, ada)[-1]).split("left when")[1].split("You get this")[0])
    assert rows[0] == rows[1]


def test_what_a_drawn_card_is_stands_in_its_owners_log_alone(game: Game, desk: Client) -> None:
    send(game, 0, DRAW)
    line = f"You drew the {hand(game, 0)[-1]}."
    assert line in page_of(game, sits("ada"))
    for page in (page_of(game, sits("ben")), page_of(game, Client()), *of_the_admin(game, desk)):
        assert line not in page
