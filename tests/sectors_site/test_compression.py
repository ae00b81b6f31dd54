"""What is compressed and what is not: docs/decisions/0028-compressed-pages.md."""

import gzip
import re
from typing import Any

import pytest
from django.test import Client

from game.store.game import Game
from sectors_site.middleware import COMMENT_LINES, MAX_PADDING, compress_with_padding
from tests.tables import new_game, person

pytestmark = pytest.mark.django_db
GZIP = {"HTTP_ACCEPT_ENCODING": "gzip, deflate, br"}
# What differs in two answers that show the same: tokens, the server's time, and how long is left.
TOKENS = re.compile(
    r'(csrfmiddlewaretoken" value="|X-CSRFToken": "|name="token" value="|nonce=")[^"]+'
    r'|data-now="[^"]+|data-left="[^>]+>[^<]+'
)


@pytest.fixture
def game() -> Game:
    return new_game("ada", "bob")


@pytest.fixture
def ada(game: Game) -> Client:
    client = Client()
    client.force_login(person("ada"))
    return client


def is_packed(answer: Any) -> bool:
    return bool(answer.headers.get("Content-Encoding") == "gzip")


def test_a_board_is_the_same_page_in_a_quarter_of_the_bytes(ada: Client, game: Game) -> None:
    packed, plain = ada.get(f"/games/{game.pk}/", **GZIP), ada.get(f"/games/{game.pk}/")
    assert is_packed(packed)
    assert not is_packed(plain)
    assert len(packed.content) * 4 < len(plain.content)
    assert packed["Content-Length"] == str(len(packed.content))
    unpacked = gzip.decompress(packed.content).decode()
    assert TOKENS.sub("", unpacked) == TOKENS.sub("", plain.content.decode())
    assert "Accept-Encoding" in packed["Vary"]
    assert "Accept-Encoding" in plain["Vary"]


def test_no_secret_that_lasts_is_printed_as_it_is(ada: Client, game: Game) -> None:
    one, two = (gzip.decompress(ada.get(f"/games/{game.pk}/", **GZIP).content).decode() for _ in range(2))
    for token in (r'csrfmiddlewaretoken" value="([^"]+)', r'name="token" value="([^"]+)'):
        found, found_again = re.findall(token, one), re.findall(token, two)
        assert found
        assert not set(found) & set(found_again)
    assert ada.cookies["sessionid"].value not in one


def test_a_page_of_the_past_is_asked_for_by_number_and_compressed(ada: Client, game: Game) -> None:
    assert is_packed(ada.get(f"/games/{game.pk}/?before=3", **GZIP))


def test_words_that_an_address_brings_are_not_compressed(ada: Client, game: Game) -> None:
    for path in (f"/games/{game.pk}/?before=abc", f"/games/{game.pk}/?before=3&x=Abc", "/rules/sectors/?q=short"):
        answer = ada.get(path, follow=True, **GZIP)
        assert answer.status_code == 200
        assert not is_packed(answer), path


def test_a_page_that_is_not_there_and_a_form_from_elsewhere_are_not_compressed(game: Game) -> None:
    stranger = Client(enforce_csrf_checks=True)
    stranger.force_login(person("ada"))
    for answer, status in (
        (stranger.get("/games/123456/" + "a" * 600, **GZIP), 404),
        (stranger.post(f"/games/{game.pk}/actions/", {"word": "a" * 600}, **GZIP), 403),
    ):
        assert answer.status_code == status
        assert not is_packed(answer)


def test_the_length_is_padded_anew_in_every_answer() -> None:
    text = b"The same page. " * 200
    lengths = {len(compress_with_padding(text)) for _ in range(200)}
    assert all(gzip.decompress(compress_with_padding(text)) == text for _ in range(20))
    assert len(lengths) > MAX_PADDING / 3
    assert max(lengths) - min(lengths) <= MAX_PADDING


def test_a_compressed_part_is_not_sent_again(ada: Client, game: Game) -> None:
    live = {"HTTP_HX_REQUEST": "true", **GZIP}
    first = ada.get(f"/games/{game.pk}/", **live)
    assert is_packed(first)
    assert ada.get(f"/games/{game.pk}/", **live, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304


def test_lines_of_comments_are_not_sent_and_what_stands_beside_code_stays() -> None:
    text = b"/* A head\n   of two lines. */\n.a { color: red; } /* beside */\n"
    text += b"  // Why.\nlet x = 1; // beside\nurl = `//host`;\n"
    served = COMMENT_LINES.sub(b"", text)
    assert served == b".a { color: red; } /* beside */\nlet x = 1; // beside\nurl = `//host`;\n"
