"""What the rulebooks say of defaults is what Create and the first games have, and no page prints a machine key."""

import re
from html import unescape

import pytest
from django.test import Client

from game.boards.registry import board_of
from game.boards.rulebook import Pages, option_rows, pages_of, preset_rows
from game.boards.sectors.options import SECTORS_OPTIONS, SUB_ROUNDS
from game.boards.sectors.rulebook import SECTORS_RULEBOOK
from game.deadlines.paces import length_of
from game.lobby.forms import CreateGameForm
from game.rulesets.registry import RULESETS

BOOKS = [key for key in RULESETS if board_of(key).book]
OPTIONS_AT = {"sectors": "S 1.1", "power_up": "PU 2", "stock_market_tycoon": "ST 2", "big_shoulders": "BS 2"}
KEY = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b|<code>[a-z]+</code>")
Rows = list[tuple[str, ...]]


def pages(key: str) -> Pages:
    """The whole book: the variant that has everything."""
    book = board_of(key).book
    assert book
    variant = book.variants[-1] if key == "stock_market_tycoon" else book.usual
    return pages_of(book, variant.key, length_of)


def tables_of(key: str) -> list[Rows]:
    """The tables of the section about options, as a reader sees them."""
    html = next(section.html for section in pages(key).sections if section.number == OPTIONS_AT[key])
    return [
        [
            tuple(unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"(?s)<t[hd][^>]*>(.*?)</t[hd]>", row))
            for row in re.findall(r"(?s)<tr.*?</tr>", body)
        ]
        for body in re.findall(r"(?s)<tbody>(.*?)</tbody>", html)
    ]


@pytest.mark.parametrize("key", BOOKS)
def test_defaults_and_presets_are_those_of_the_code(key: str) -> None:
    table, rules = board_of(key).options, RULESETS[key]
    usual = rules.parse_options({})
    expected = [(label, *rest) for label, _, *rest in option_rows(table, rules.menus, usual)]
    assert tables_of(key)[:2] == [expected, preset_rows(table, usual)]


@pytest.mark.parametrize("key", BOOKS)
def test_the_form_begins_with_the_defaults_of_the_rulebook(key: str) -> None:
    """An option has its printed default, or what the recommended preset or the pace says."""
    form, table = CreateGameForm(key), board_of(key).options
    options, (defaults, presets) = form.current_options(), tables_of(key)[:2]
    assert form["preset"].value() == table.presets[0].key
    assert presets[0] == preset_rows(table, form.usual)[0]
    words = {table.words_of(name).label: value for name, value in options.items()}
    for label, default, menu in defaults:
        if not default.startswith("by the "):
            assert {True: "on", False: "off"}.get(words[label]) == default or default in menu
    assert all(options[name] == value for name, value in table.presets[0].options.items())


def test_sectors_tells_the_sub_rounds_of_each_pace() -> None:
    html = next(section.html for section in pages("sectors").sections if section.number == "S 1.1")
    text = " ".join(re.sub(r"<[^>]+>", "", html).split())
    live, quick = SUB_ROUNDS["live"], SUB_ROUNDS["demo"]
    (others,) = {rounds for pace, rounds in SUB_ROUNDS.items() if pace not in ("live", "demo")}
    assert f"{live} at the pace Live, {quick} at Quick, and {others} at every other pace" in text


def test_a_program_that_chooses_nothing_gets_what_the_file_says() -> None:
    """S 1.1, in a passage for readers of the code."""
    usual, short = RULESETS["sectors"].parse_options({}), SECTORS_OPTIONS.preset("short")
    assert short
    assert all(getattr(usual, name) == value for name, value in short.options.items())
    assert f"*{short.title}*" in SECTORS_RULEBOOK.document.read_text(encoding="utf-8")
    tycoon = RULESETS["stock_market_tycoon"].parse_options({})
    assert (tycoon.mode, tycoon.years, tycoon.trade_mode) == ("trader", 10, "strict")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("key", BOOKS)
def test_no_page_prints_a_machine_key(key: str, language: str) -> None:
    book = board_of(key).book
    assert book
    for variant in book.variants:
        html = Client().get(f"/rules/{key}/{book.query(variant.key)}", headers={"accept-language": language})
        text = html.content.decode().split('class="rules-text"')[1]
        result = re.sub(r"(?s)<(?!code>|/code>)[^>]+>", " ", text)
        assert not KEY.findall(result)
