"""Words and phases lead to what explains them: a card for each word, a rule for each phase, the goal on the board."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.boards.registry import BOARDS, board_of
from game.boards.rulebook.pages import pages_of
from game.deadlines.paces import length_of
from game.rulesets.registry import RULESETS
from tests.tables import at_phase, fresh, new_game, person, steps_to_the_end

TEMPLATES = Path(__file__).resolve().parents[2] / "templates" / "jinja" / "boards"
SAID = re.compile(r'term\("([^"]+)"\)')
LINK = re.compile(r'<a class="term[^"]*" href="([^"]+)"[^>]*>')


def boards_with_a_book() -> list[str]:
    return [key for key, board in BOARDS.items() if board.book]


def page_of(game: Any) -> str:
    client = Client()
    client.force_login(person("ada"))
    return client.get(game.get_absolute_url()).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("key", boards_with_a_book())
def test_every_word_has_a_card_and_every_link_a_place(key: str) -> None:
    game, book = new_game("ada", "bob", ruleset=key), board_of(key).book
    assert book
    page = page_of(game)
    found = re.search(r'<script type="application/json" id="glossary">(.+?)</script>', page)
    assert found
    cards = json.loads(found[1])
    assert [word for word, _ in cards.values()] == [term.word for term in book.terms]
    rules = Client().get(f"/rules/{key}/").content.decode()
    links = set(LINK.findall(page))
    assert links
    for address in links:
        path, anchor = address.split("#")
        assert path.startswith(f"/rules/{key}/")
        assert f'id="{anchor}"' in rules
        assert not anchor.startswith("word-") or anchor in cards


@pytest.mark.django_db
def test_a_board_and_its_cards_are_told_in_german() -> None:
    """The links lead to the same words of the rulebook, which stays English."""
    game = new_game("ada", "bob")
    User.objects.filter(pk=person("ada").pk).update(language="de")
    page = page_of(game)
    assert re.search(r'<a class="term" href="/rules/sectors/[^"]*#word-net-worth"[^>]*>Vermögen</a>', page)
    assert "Runde 1 von 8" in page
    found = re.search(r'<script type="application/json" id="glossary">(.+?)</script>', page)
    assert found
    assert json.loads(found[1])["word-net-worth"][0] == "Vermögen"


@pytest.mark.parametrize("key", [key for key in boards_with_a_book() if (TEMPLATES / key).exists()])
def test_a_board_marks_words_of_its_own_glossary_only(key: str) -> None:
    book = board_of(key).book
    assert book
    keys = {word for file in (TEMPLATES / key).rglob("*.html") for word in SAID.findall(file.read_text("utf-8"))}
    assert keys
    assert not {word for word in keys if book.term_of(word) is None}


@pytest.mark.parametrize("key", boards_with_a_book())
def test_every_phase_has_a_rule_of_the_book(key: str) -> None:
    rules, board = RULESETS[key], board_of(key)
    assert board.book
    menus = [{}, *({option: value} for option, menu in rules.menus.items() for value in menu)]
    phases = {row.phase.name for chosen in menus for row in rules.flow(rules.options_type(**chosen)).rows}
    assert set(board.phase_rules) == phases
    for variant in board.book.by_key:
        values = [value for value in rules.menus.get(board.book.option, ()) if str(value) == variant]
        chosen = [{board.book.option: value} for value in values] or [{}]
        played = {row.phase.name for option in chosen for row in rules.flow(rules.options_type(**option)).rows}
        anchors = pages_of(board.book, variant, length_of).anchors
        assert {board.book.anchor_of(board.phase_rules[name]) for name in played} <= anchors


@pytest.mark.django_db
def test_the_title_of_the_open_phase_leads_to_its_rule() -> None:
    page = page_of(at_phase(new_game("ada", bots=2), "stock_orders"))
    assert re.search(
        r'<b>Phase 9, <a class="term[^"]*" href="/rules/sectors/[^"]*#S-5.1"[^>]*>Place stock orders', page
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("key", "words"),
    [
        (
            "sectors",
            r"The richest player after 8 turns wins; the bank has \$[\d,]+, and the game ends early if it runs",
        ),
        ("power_up", r"Most cash after the final sale wins. The game ends when a company has 50 tiles, or two have 30"),
        ("toy", r"The highest score at the end wins\."),
    ],
)
def test_the_board_says_what_wins(key: str, words: str) -> None:
    options = {"max_turns": 8} if key == "sectors" else {}
    game = new_game("ada", "bob", ruleset=key, **options)
    assert re.search(rf'<p class="goal">.*?<span>{words}', page_of(game))


@pytest.mark.django_db
def test_the_last_turn_is_named_and_a_finished_game_has_no_goal_any_more() -> None:
    game = new_game("ada", bots=1, max_turns=8, max_sub_rounds=1)
    last = next(now for now in steps_to_the_end(game) if now.turn == 8 or not now.is_running)
    if last.is_running:
        assert "This is the last turn: the richest player after it wins." in page_of(last)
    for _ in steps_to_the_end(game):
        pass
    assert 'class="goal"' not in page_of(fresh(game))
