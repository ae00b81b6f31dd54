"""The chat of a game: who reads and who writes, what a message may hold, muting, notes, and what is kept."""

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from accounts.limits import TooMany
from accounts.models import User
from game.chat import reading, rules, writing
from game.chat.models import Chat, Mention, Message, Notebook
from game.chat.rules import MOST_LINES, parts_of, plain
from game.engine.actions import Refused
from game.lobby import lobby
from game.store.game import Game, Seat, Status
from game.store.visible_text import MOST_MARKS
from tests.scenes import close_by_two, moderator, person, play_on, table
from tests.seats.test_handover import hand
from tests.tables import fresh, new_game
from tests.tables import person as seated_person
from tests.toy_scenes import sits

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
LIVE = {"HX-Request": "true"}
NASTY = "<script>alert(1)</script> <img src=x onerror=alert(1)> {{ 7*7 }} \"'&"


@pytest.fixture
def game(settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return table(person("Ada"), person("Ben"), person("Mary Ann"), bots=1, max_turns=2)


def user(name: str) -> User:
    return User.objects.filter(username=name).first() or person(name)


def client_of(name: str) -> Client:
    client = Client()
    if name:
        client.force_login(user(name))
    return client


def say(game: Game, name: str, text: str, **more: Any) -> Message:
    return writing.say(game_id=game.pk, user=user(name), text=text, **more)


def page(game: Game, name: str, query: str = "", **headers: str) -> Any:
    return client_of(name).get(f"/games/{game.pk}/chat/{query}", headers=headers)


def words(game: Game, name: str) -> str:
    answer = page(game, name)
    assert answer.status_code == 200
    return str(answer.content.decode())


def unread(game: Game, name: str) -> int:
    return int(client_of(name).get(f"/games/{game.pk}/version/").json()["unread"])


def test_players_read_what_a_player_wrote_and_at_which_moment(game: Game) -> None:
    say(game, "Ada", "I would sell ACME now.")
    for name in ("Ada", "Ben", "Mary Ann"):
        assert "I would sell ACME now." in words(game, name)
    assert "Turn 1, phase 1: Influence bid" in words(game, "Ben")


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("reader", ["", "Eve"])
def test_strangers_read_nothing_while_the_game_runs(game: Game, is_open: bool, reader: str) -> None:
    Game.objects.filter(pk=game.pk).update(is_open=is_open)
    say(game, "Ada", "Between us.")
    for address in ("chat/", "chat/version/", "notes/", "chat/1/report/"):
        answer = client_of(reader).get(f"/games/{game.pk}/{address}")
        assert answer.status_code in ({403, 302} if is_open and address != "notes/" else {404, 302})
        assert "Between us." not in answer.content.decode()
    board = client_of(reader).get(f"/games/{game.pk}/")
    assert "Between us." not in board.content.decode()
    assert "/chat/" not in board.content.decode()


def test_after_the_end_everybody_reads_what_is_written_then_and_nothing_older(game: Game) -> None:
    say(game, "Ada", "A secret plan.")
    play_on(game)
    say(game, "Ben", "Well played!")
    assert "Everybody" in words(game, "Ada").replace("everybody", "Everybody")
    for reader in ("", "Eve"):
        result = words(game, reader)
        assert "Well played!" in result
        assert "After the game" in result
        assert "A secret plan." not in result
        assert "Only the players of this game can write" in result
        assert client_of(reader).get(f"/games/{game.pk}/chat/1/report/").status_code in {404, 302}
    assert "A secret plan." in words(game, "Ben")
    with pytest.raises(Refused, match="Only the players"):
        say(game, "Eve", "Me too")
    Game.objects.filter(pk=game.pk).update(is_open=False)
    assert page(game, "Eve").status_code == 404


def test_a_rewound_game_closes_its_chat_to_strangers_again(game: Game) -> None:
    play_on(game)
    say(game, "Ben", "Well played!")
    Game.objects.filter(pk=game.pk).update(status=Status.RUNNING)
    assert page(game, "Eve").status_code == 403


def test_people_talk_before_the_start_too() -> None:
    game = lobby.create_game(host=person("Ada"), name="Tuesday", seats=3)
    say(game, "Ada", "We start at eight.")
    assert "Before the start" in words(game, "Ada")
    assert page(game, "Ben").status_code == 403
    lobby.join_game(game_id=game.pk, user=user("Ben"))
    assert "We start at eight." in words(game, "Ben")
    room = client_of("Ben").get(f"/games/{game.pk}/").content.decode()
    assert f"/games/{game.pk}/chat/#say" in room
    lobby.leave_game(game_id=game.pk, user=user("Ada"))
    with pytest.raises(Refused, match="cancelled"):
        say(game, "Ben", "Oh.")


def test_markup_is_text(game: Game) -> None:
    say(game, "Ada", NASTY)
    reading.save_notes(game=game, user=user("Ben"), text=f"</textarea>{NASTY}", revision=0)
    result = words(game, "Ben")
    for raw in ("<script>alert", "<img src=x", "</textarea><script"):
        assert raw not in result
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in result
    assert "{{ 7*7 }}" in result
    report = client_of("Ben").get(f"/games/{game.pk}/chat/1/report/").content.decode()
    assert "<script>alert" not in report


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("  two  \r\nlines\r\n\r\n\r\n\r\nand more ", "two  \nlines\n\nand more"),
        ("a\u202egnol\u202c b\u2066c\u2069\u200f", "agnol bc"),
        ("nul\x00 bell\x07 esc\x1b[31m tab\there", "nul bell esc[31m tab here"),
        ("no\u00a0break and\u2003wide", "no break and wide"),
        ("family \U0001f469\u200d\U0001f467", "family \U0001f469\u200d\U0001f467"),
        ("private \ue000 use", "private  use"),
    ],
)
def test_a_message_is_plain_text(sent: str, kept: str) -> None:
    assert plain(sent) == kept


def test_accents_cannot_be_piled_up() -> None:
    assert len(plain("z" + "\u0335" * 500 + "y")) == 2 + MOST_MARKS


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "needs text"),
        (" \n\t \u200b\u3164\u200d", "needs text"),
        ("\u2800\u034f\u17b4", "needs text"),
        ("\u0335", "needs text"),
        ("x" * 1001, "up to 1,000 characters; this one has 1,001"),
        ("x\n" * MOST_LINES + "x", f"up to {MOST_LINES} lines; this one has {MOST_LINES + 1}"),
    ],
)
def test_what_is_no_message_is_refused_and_stays_in_the_form(game: Game, text: str, why: str) -> None:
    answer = client_of("Ada").post(f"/games/{game.pk}/chat/say/", {"text": text})
    assert answer.status_code == 422
    assert why in answer.content.decode()
    assert "x" not in text or "x</textarea>" in answer.content.decode().replace("\r", "")
    assert not Message.objects.exists()


def test_a_message_of_the_greatest_length_is_taken(game: Game) -> None:
    assert len(say(game, "Ada", "é" * 1000).text) == 1000


def test_a_form_sent_twice_writes_once(game: Game) -> None:
    ada = client_of("Ada")
    for _ in range(2):
        answer = ada.post(f"/games/{game.pk}/chat/say/", {"text": "Once", "token": "abc"})
        assert (answer.status_code, answer["Location"]) == (302, f"/games/{game.pk}/chat/#say")
    assert Message.objects.count() == 1
    other = ada.post(f"/games/{game.pk}/chat/say/", {"text": "Something else", "token": "abc"})
    assert other.status_code == 422
    assert "already sent another text with this form" in other.content.decode()
    say(game, "Ben", "Mine", token="abc")
    assert Message.objects.count() == 2, "a token is one person's"


@pytest.mark.django_db(transaction=True)
def test_messages_at_once_get_numbers_without_gaps(game: Game) -> None:
    def write(number: int) -> None:
        say(game, ("Ada", "Ben", "Mary Ann")[number % 3], f"number {number}", token=f"form {number // 2}")
        connection.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(12)))
    numbers = list(Message.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert Chat.objects.get(game=game).messages == len(numbers) == 12


def test_a21_one_person_fills_no_chat(game: Game, settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"message": 3}
    cache.clear()
    for number in range(3):
        say(game, "Ada", f"message {number}")
    with pytest.raises(TooMany):
        say(game, "Ada", "one more")
    say(game, "Ben", "others may")
    other = table(person("Ada2"), user("Ada"))
    with pytest.raises(TooMany):
        say(other, "Ada", "nor elsewhere")
    for headers in ({}, LIVE):
        answer = client_of("Ada").post(f"/games/{game.pk}/chat/say/", {"text": "keep this text"}, headers=headers)
        assert answer.status_code == 429
        assert 0 < int(answer["Retry-After"]) <= 300
        html = answer.content.decode()
        assert "keep this text</textarea>" in html
        assert "The limit for chat messages by one person is 3 in 5 minutes, and it has been reached." in html
        assert "Try again in 5 minutes." in html
    cache.clear()


def test_nobody_writes_all_day(game: Game, settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"message_day": 2}
    cache.clear()
    say(game, "Ada", "one")
    say(game, "Ada", "two")
    with pytest.raises(TooMany) as refused:
        say(game, "Ada", "three")
    assert refused.value.usage.left_seconds > 86_000
    assert Message.objects.count() == 2
    cache.clear()


def test_bots_guests_and_closed_accounts_never_talk(game: Game) -> None:
    assert rules.may_write(user("Ada"))
    for name, fields in (("A bot", {"is_bot": True}), ("Gone", {"is_active": False})):
        assert not rules.may_write(User(username=name, **fields))
    User.objects.filter(username="Ben").update(is_bot=True)
    with pytest.raises(Refused):
        say(game, "Ben", "beep")
    play_on(game)
    assert not Message.objects.exists(), "a whole game of bots is silent"


def test_the_host_switches_the_chat_off_and_on_with_a_line(game: Game) -> None:
    ben = client_of("Ben").post(f"/games/{game.pk}/chat/switch/", {"on": "no"})
    assert ben.status_code == 409
    assert "Only the host" in ben.content.decode()
    ada = client_of("Ada")
    for _ in range(2):
        assert ada.post(f"/games/{game.pk}/chat/switch/", {"on": "no"}).status_code == 302
    assert "switched the chat off." in words(game, "Ben")
    with pytest.raises(Refused, match="host switched the chat off"):
        say(game, "Ben", "But")
    assert ada.post(f"/games/{game.pk}/chat/switch/", {"on": "yes"}).status_code == 302
    say(game, "Ben", "Thanks")
    kinds = list(Message.objects.order_by("number").values_list("kind", flat=True))
    assert kinds == ["off", "on", "said"]


def test_a_game_can_begin_without_chat() -> None:
    sent = {"game": "sectors", "pace": "daily", "name": "Quiet", "seats": "3", "bots": "0", "preset": "standard"}
    ada = client_of("Ada")
    quiet = ada.post("/games/new/", sent)["Location"]
    assert "The host switched the chat off." in ada.get(f"{quiet}chat/").content.decode()
    loud = ada.post("/games/new/", sent | {"name": "Loud", "has_chat": "on"})["Location"]
    assert "switched the chat off" not in ada.get(f"{loud}chat/").content.decode()
    assert re.search(r'name="has_chat"[^>]* checked', ada.get("/games/new/").content.decode())


def test_unread_messages_are_counted_until_the_page_is_opened(game: Game) -> None:
    for number in range(3):
        say(game, "Ada", f"message {number}")
    assert (unread(game, "Ada"), unread(game, "Ben"), unread(game, "Eve")) == (0, 3, 0)
    board = client_of("Ben").get(f"/games/{game.pk}/").content.decode()
    assert '<span class="count" data-unread>3<span' in board
    assert re.search(r"<title>.*\s\(3 new\) / Sectors</title>", board, re.DOTALL)
    assert "said--new" in words(game, "Ben")
    assert unread(game, "Ben") == 0
    assert "said--new" not in words(game, "Ben")
    assert unread(game, "Mary Ann") == 3
    say(game, "Ada", "one more")
    assert unread(game, "Ben") == 1


def test_a_part_that_a_script_fetched_is_read_only_when_it_was_looked_at(game: Game) -> None:
    say(game, "Ada", "Hello")
    assert page(game, "Ben", **LIVE).status_code == 200
    assert unread(game, "Ben") == 1
    ben = client_of("Ben")
    assert ben.post(f"/games/{game.pk}/chat/read/", {"number": "999"}).status_code == 204
    say(game, "Ada", "A later one")
    assert unread(game, "Ben") == 1, "nobody has read what is not written yet"
    assert ben.post(f"/games/{game.pk}/chat/read/", {"number": "x"}).status_code == 422
    assert client_of("Eve").post(f"/games/{game.pk}/chat/read/", {"number": "1"}).status_code == 403


def test_the_part_for_live_js_is_sent_once_a_version(game: Game) -> None:
    say(game, "Ada", "Hello")
    first = page(game, "Ben", **LIVE)
    assert b"<html" not in first.content
    assert page(game, "Ben", **LIVE, **{"If-None-Match": first["ETag"]}).status_code == 304
    assert page(game, "Ada", **LIVE, **{"If-None-Match": first["ETag"]}).status_code == 200
    say(game, "Ada", "Again")
    second = page(game, "Ben", **LIVE, **{"If-None-Match": first["ETag"]})
    assert second.status_code == 200
    assert second["Cache-Control"] == "private, no-store"
    reading.mute(game_id=game.pk, user=user("Ben"), seat_number=0, is_on=True)
    assert b"Hello" not in page(game, "Ben", **LIVE, **{"If-None-Match": second["ETag"]}).content


def test_a_page_has_fifty_messages_and_a_constant_number_of_queries(
    game: Game, settings: Any, django_assert_max_num_queries: Any
) -> None:
    for number in range(120):
        say(game, ("Ada", "Ben")[number % 2], f"message {number:03} @Mary Ann")
    ben = client_of("Ben")
    with django_assert_max_num_queries(23):
        newest = ben.get(f"/games/{game.pk}/chat/").content.decode()
    assert newest.count('class="said ') + newest.count('class="said"') == 50
    assert "message 119" in newest
    assert "message 069" not in newest
    assert "?before=71" in newest
    older = ben.get(f"/games/{game.pk}/chat/?before=71").content.decode()
    assert "message 069" in older
    assert "message 070" not in older
    for nonsense in ("x", "-1", "99999999999999999999", "0"):
        assert ben.get(f"/games/{game.pk}/chat/?before={nonsense}").status_code == 200


def test_mentions_are_seats_names_with_an_at(game: Game) -> None:
    names = [(0, "Ann"), (1, "Mary Ann"), (2, "Ann B. O'Hara"), (3, "Bea+")]
    text = "@mary ann, @ANN and @Ann B. O'Hara; not me@Ann, @Annabel or @nobody. @Bea+!"
    mentioned = [(part.text, part.seat) for part in parts_of(text, names) if part.seat is not None]
    assert mentioned == [("@mary ann", 1), ("@ANN", 0), ("@Ann B. O'Hara", 2), ("@Bea+", 3)]
    assert "".join(part.text for part in parts_of(text, names)) == text
    say(game, "Ada", "@mary ann: and @Ben, what about @Ada?")
    assert {mention.user.username for mention in Mention.objects.all()} == {"Mary Ann", "Ben"}
    assert "mention--you" in words(game, "Ben")
    assert "said--you" in words(game, "Mary Ann")
    assert '<span data-mention="@Mary Ann">@Mary Ann</span>' in words(game, "Ben"), "plain text without a script"


def test_notes_are_their_owner_s_alone(game: Game) -> None:
    ada = client_of("Ada")
    saved = ada.post(f"/games/{game.pk}/notes/", {"text": "Sell at 90.", "revision": "0"})
    assert saved.status_code == 302
    assert "Sell at 90." in words(game, "Ada")
    assert "Sell at 90." in ada.get(f"/games/{game.pk}/notes/").content.decode()
    for name in ("Ben", "Mary Ann"):
        assert "Sell at 90." not in words(game, name)
        assert "Sell at 90." not in client_of(name).get(f"/games/{game.pk}/notes/").content.decode()
    root = person("Root", is_staff=True, is_superuser=True)
    for name in ("Eve", root.username):
        assert client_of(name).get(f"/games/{game.pk}/notes/").status_code == 404
        assert client_of(name).post(f"/games/{game.pk}/notes/", {"text": "x"}).status_code == 404
    desk = client_of("Root")
    assert desk.get("/admin/game/notebook/").status_code == 404
    assert desk.get("/admin/game/message/").status_code == 404
    play_on(game)
    assert "Sell at 90." not in words(game, "Eve"), "nor after the end"


def test_notes_on_one_game_are_no_notes_on_another(game: Game) -> None:
    other, ada = table(user("Ada"), user("Ben")), client_of("Ada")
    for place, text in ((other, "Hold for now."), (game, "Sell at 90.")):
        assert ada.post(f"/games/{place.pk}/notes/", {"text": text, "revision": "0"}).status_code == 302
    for place, text in ((other, "Hold for now."), (game, "Sell at 90.")):
        assert f"{text}</textarea>" in ada.get(f"/games/{place.pk}/notes/").content.decode()


def test_notes_saved_elsewhere_are_not_overwritten(game: Game) -> None:
    ada, address = client_of("Ada"), f"/games/{game.pk}/notes/"
    first = ada.post(address, {"text": "one", "revision": "0"}, headers=LIVE)
    assert 'name="revision" value="1"' in first.content.decode()
    assert "<html" not in first.content.decode()
    late = ada.post(address, {"text": "from an old page", "revision": "0"}, headers=LIVE)
    assert late.status_code == 422
    assert "changed elsewhere" in late.content.decode()
    assert 'name="revision" value="0"' in late.content.decode(), "to save again overwrites nothing either"
    whole = ada.post(address, {"text": "from an old page", "revision": "0"})
    assert "from an old page</textarea>" in whole.content.decode()
    assert Notebook.objects.get().text == "one"
    again = ada.post(address, {"text": "one", "revision": "0"}, headers=LIVE)
    assert again.status_code == 200, "what is there already is saved"


def test_notes_have_ten_thousand_characters(game: Game) -> None:
    ada, address = client_of("Ada"), f"/games/{game.pk}/notes/"
    answer = ada.post(address, {"text": "x" * 10_001, "revision": "0"})
    assert answer.status_code == 422
    assert "up to 10,000 characters; this has 10,001" in answer.content.decode()
    assert ada.post(address, {"text": "x" * 10_000, "revision": "0"}).status_code == 302


def test_a_substitute_reads_no_notes_and_the_earlier_player_keeps_them(game: Game) -> None:
    reading.save_notes(game=game, user=user("Ben"), text="My plan.", revision=0)
    say(game, "Ben", "I must leave.")
    reading.mute(game_id=game.pk, user=user("Ben"), seat_number=0, is_on=True)
    hand(game, 1, "Carla")
    assert "My plan." not in words(game, "Carla")
    assert "My plan." not in client_of("Carla").get(f"/games/{game.pk}/notes/").content.decode()
    say(game, "Ada", "Welcome")
    assert "Welcome" in words(game, "Carla"), "a substitute inherits no mutes"
    assert "I must leave." in words(game, "Carla")
    assert "<b>Ben</b>" in words(game, "Carla"), "what the earlier player said stays theirs"
    Game.objects.filter(pk=game.pk).update(is_open=False)
    assert page(game, "Ben").status_code == 404, "whoever left reads the table's chat no more"
    result = client_of("Ben").get(f"/games/{game.pk}/notes/")
    assert "My plan." in result.content.decode()
    with pytest.raises(Refused):
        say(game, "Ben", "Still here")


def test_a_seat_that_a_bot_took_hears_and_says_nothing(game: Game) -> None:
    Seat.objects.filter(game=game, number=1).update(user=None, bot="house", name="Ember")
    say(game, "Ada", "@Ember what do you think?")
    assert not Mention.objects.exists()
    assert page(game, "Ben").status_code == 403


def test_nothing_that_is_said_is_in_a_log(game: Game, caplog: Any, settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"message": 2}
    cache.clear()
    with caplog.at_level(logging.DEBUG):
        ada = client_of("Ada")
        for text in ("pssst-one", "pssst-two", "pssst-three", "pssst" * 300):
            ada.post(f"/games/{game.pk}/chat/say/", {"text": text})
        ada.post(f"/games/{game.pk}/notes/", {"text": "pssst-note", "revision": "0"})
    own = [line.getMessage() for line in caplog.records if not line.name.startswith(("django.db", "psycopg"))]
    assert not [line for line in own if "pssst" in line]
    assert Message.objects.count() == 2


def test_a_deleted_account_leaves_messages_without_an_author(game: Game) -> None:
    say(game, "Ben", "Hello")
    say(game, "Ada", "@Ben and @Mary Ann, hello")
    reading.save_notes(game=game, user=user("Ben"), text="My plan.", revision=0)
    writing.forget_author(user("Ben"), ["Ben"])
    section = words(game, "Ada").split('id="chat-list"')[1].split('id="say"')[0]
    assert "<b>Former player</b>" in section
    assert "Ben" not in section
    assert "@former player and" in section
    assert "@Mary Ann" in section
    assert not Notebook.objects.exists()
    say(game, "Ben", "Once more")
    user("Ben").delete()
    assert words(game, "Ada").count("<b>Former player</b>") == 2
    User.objects.filter(username="Ada").update(language="de")
    assert words(game, "Ada").count("<b>Ehemaliger Spieler</b>") == 2


def test_a_closed_account_leaves_messages_without_an_author(game: Game) -> None:
    say(game, "Ben", "Hello")
    close_by_two(user_id=user("Ben").pk, moderator=moderator("Lena"), reason="asked for it")
    section = words(game, "Ada").split('id="chat-list"')[1].split('id="say"')[0]
    assert "<b>Former player</b>" in section
    assert "Ben" not in section


def test_the_chat_goes_with_its_game(game: Game) -> None:
    say(game, "Ada", "@Ben hello")
    reading.save_notes(game=game, user=user("Ben"), text="My plan.", revision=0)
    game.delete()
    for rows in (Chat, Message, Mention, Notebook):
        assert not rows.objects.exists()


def test_a_chat_does_not_touch_the_game(game: Game) -> None:
    """Neither its version, by which boards are fetched, nor its log."""
    before = fresh(game)
    say(game, "Ada", "Hello")
    after = fresh(game)
    assert (before.version, before.entries, bytes(before.state)) == (after.version, after.entries, bytes(after.state))


def test_the_part_beside_a_board_is_for_the_same_readers_as_the_page() -> None:
    """It has the messages and the reader's own notes; nobody else sees either."""
    game = new_game("ada", "ben", ruleset="toy")
    writing.say(game_id=game.pk, user=seated_person("ada"), text="Shall we?")
    reading.save_notes(game=game, user=seated_person("ada"), text="Never.", revision=0)
    path = f"/games/{game.pk}/chat/?beside=1"
    own, other = (sits(name).get(path).content.decode() for name in ("ada", "ben"))
    assert ("Shall we?" in own, "Never." in own) == (True, True)
    assert ("Shall we?" in other, "Never." in other) == (True, False)
    assert "<html" not in own
    assert Client().get(path).status_code in {403, 404}
