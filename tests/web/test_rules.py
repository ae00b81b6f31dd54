"""The rulebook in the site: every cited rule has an address, every number is the engine's, and looking up works."""

import re
from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from game.boards.registry import board_of
from game.boards.rulebook import Pages, pages_of
from game.boards.sectors.rulebook import SECTORS_RULEBOOK
from game.deadlines.paces import length_of
from game.lobby import lobby
from game.rulesets.registry import RULESETS
from game.rulesets.sectors.effects import COMPANY_ACTIONS, PRESTIGE_SPACES, RESEARCH_CARDS
from game.rulesets.sectors.options import EDITIONS
from game.rulesets.sectors.tables import chart, common
from game.rulesets.sectors.tables.first_edition import FIRST_EDITION
from game.store.badges import rulebook_url
from game.store.game import Game
from game.templatetags.links import cited_in, rulebook_of
from tests.architecture.test_docs import OTHER_GAMES, citations
from tests.servers import ROOT
from tests.tables import at_phase, new_game, person

RULE_FILES = [path for path in sorted((ROOT / "game").rglob("*.py")) if not OTHER_GAMES & set(path.parts)]
NUMBERS = (1, 2)
Row = list[str]
anchor_of = SECTORS_RULEBOOK.anchor_of


def book(edition: int) -> Pages:
    return pages_of(SECTORS_RULEBOOK, str(edition), length_of)


def page(edition: int, query: str = "", client: Client | None = None) -> str:
    answer = (client or Client()).get("/rules/sectors/", {"edition": edition, "q": query})
    assert answer.status_code == 200
    return answer.content.decode()


def rows_of(edition: int, number: str, place: int = 0) -> list[Row]:
    """The words in the cells of a table on the page, without its head."""
    section = next(section for section in book(edition).sections if section.number == number)
    table = re.findall(r"(?s)<tbody>(.*?)</tbody>", section.html)[place]
    rows = re.findall(r"(?s)<tr.*?</tr>", table)
    return [
        [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"(?s)<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in rows
    ]


def figures(edition: int, number: str, place: int = 0, column: int = 1) -> list[str]:
    return [row[column] for row in rows_of(edition, number, place)]


def words(*cells: object) -> Row:
    return [str(cell) for cell in cells]


@pytest.mark.parametrize("edition", NUMBERS)
def test_every_cited_rule_has_its_address(edition: int) -> None:
    cited = {rule: path.name for path in RULE_FILES for rule in citations(path.read_text(encoding="utf-8"))}
    assert len(cited) > 100
    assert not {rule: name for rule, name in cited.items() if anchor_of(rule) not in book(edition).anchors}


@pytest.mark.parametrize("edition", NUMBERS)
@pytest.mark.parametrize(
    "rule", [*(words.rule for words in board_of("sectors").options.words.values()), "S 4.4 phase 3b", "S 4.4 phase 25"]
)
def test_what_forms_and_closed_phases_name_has_its_address(rule: str, edition: int) -> None:
    assert anchor_of(rule) in book(edition).anchors


@pytest.mark.parametrize("edition", NUMBERS)
def test_addresses_are_on_the_page_once_and_links_lead_somewhere(edition: int) -> None:
    html = page(edition)
    addresses = re.findall(r'\bid="([^"]+)"', html)
    assert len(addresses) == len(set(addresses))
    assert {"S-5.3", "A27", "R-7", "D22", "votes", "round-trips", "I16"} <= set(addresses)
    assert set(re.findall(r'href="#([^"]+)"', html)) - {"main"} <= set(addresses)


@pytest.mark.parametrize("edition", NUMBERS)
def test_numbers_are_those_of_the_tables(edition: int) -> None:
    tables = EDITIONS[edition]
    seats = range(2, 9)
    assert rows_of(edition, "S 1.2") == [[str(n), str(common.certificate_limit(n))] for n in seats]
    assert rows_of(edition, "S 1.3") == [[str(n), str(tables.starting_companies[n])] for n in seats]
    assert rows_of(edition, "S 1.4") == [
        [str(c) for c in (t.title, t.cost, t.supply, t.actions, t.shortfall)] for t in tables.tiers.values()
    ]
    assert figures(edition, "S 1.7", column=0) == [card.title for card in RESEARCH_CARDS.values()]
    assert figures(edition, "S 1.8", column=2) == [str(space.cost) for space in PRESTIGE_SPACES.values()]
    assert rows_of(edition, "S 1.10") == [[str(n), str(cost)] for n, cost in tables.headline_costs.items()]
    assert rows_of(edition, "S 1.11") == [[str(n), str(rate)] for n, rate in tables.option_rates_percent.items()]
    assert rows_of(edition, "S 7.1") == [words(*row) for row in [*tables.tax_brackets, ("more", tables.tax_above)]]
    assert [tuple(map(int, row[2].split())) for row in rows_of(edition, "S 3.1")] == [
        prices for _, prices in chart.TIERS
    ]
    assert len(rows_of(edition, "S 6.3")) == len(common.THROUGHPUT_STEPS)


def test_options_are_told_in_words_and_not_in_the_keys_of_their_values() -> None:
    values_by_key = {row[0]: row[1:] for row in rows_of(2, "S 1.1")}
    assert values_by_key["Orders fill by"] == ["player priority", "player priority / highest bid"]
    assert values_by_key["Edition"] == ["second edition", "second edition / first edition"]
    assert values_by_key["Maximum shares per short"] == ["no limit", "no limit / 3"]
    first = {row[0]: row[1:] for row in rows_of(1, "S 1.1")}
    assert first["Edition"] == ["first edition", "second edition / first edition"]
    assert first["Forbid round trips"] == ["off", "always"]


@pytest.mark.parametrize("edition", NUMBERS)
def test_costs_and_clocks_are_those_of_the_tables(edition: int) -> None:
    tables = EDITIONS[edition]
    printed = dict(row[:2] for row in rows_of(edition, "S 6.9"))
    wanted = {a.title: tables.action_costs[k] for k, a in COMPANY_ACTIONS.items() if not a.sector and not a.ability}
    assert printed == {title: " / ".join(map(str, cost)) or "one stock price" for title, cost in wanted.items()}
    result = sorted(int(seconds) for seconds in figures(edition, "S 4.4"))
    assert set(result) <= set(tables.live_seconds.values())
    assert len(result) == len(rows_of(edition, "S 4.1"))


@pytest.mark.parametrize(
    ("edition", "told", "not_told"),
    [
        (
            2,
            (
                "50 influence points",
                "Pay 30 or 50",
                "until nobody orders",
                "nothing up to 100, then 2 to 7%",
                "needs 100 to 700",
            ),
            "resolve together",
        ),
        (
            1,
            (
                "100 influence points",
                "3 sub-rounds, which resolve together",
                "nothing up to 500, then 2 to 7%",
                "needs 100 to 1,500",
            ),
            "headline",
        ),
    ],
)
def test_the_page_opens_with_a_turn_in_ten_lines(edition: int, told: tuple[str, ...], not_told: str) -> None:
    """The numbers are the edition's own, and every line leads to its rule."""
    html = page(edition)
    opening = html[html.index('id="how-to-play"') : html.index('class="rules-intro"')]
    assert opening.count("<li>") == 10
    assert all(words in opening for words in told)
    assert not_told not in opening
    assert 'id="how-to-play"' not in page(edition, "dividend")


@pytest.mark.django_db
def test_those_who_are_new_find_how_to_play(client: Client) -> None:
    """The front page and an empty lobby lead to the index of all rulebooks, and that to how each game is played."""
    assert '<a href="/rules/">read how to play</a>' in client.get("/").content.decode()
    for book in (key for key in RULESETS if board_of(key).book):
        assert f'href="/rules/{book}/#how-to-play"' in client.get("/rules/").content.decode()
    client.force_login(person("ada"))
    assert '<a href="/rules/">Read how to play</a>' in client.get("/games/").content.decode()
    room = lobby.create_game(host=person("ada"), name="", seats=3, options={"edition": 1})
    assert 'href="/rules/sectors/?edition=1#how-to-play"' in client.get(room.get_absolute_url()).content.decode()


def test_the_first_edition_says_what_is_different() -> None:
    html = page(1)
    assert f"Each has {FIRST_EDITION.influence_points} influence points" in html
    assert f"A pot of {FIRST_EDITION.tranche_pot} dollars" in html
    assert "<strong>1500</strong>" in html
    assert 'aria-label="First edition"' in html
    assert "Headline resolve" not in {row[1] for row in rows_of(1, "S 4.1")}
    assert 'aria-label="First edition"' not in page(2)


def test_every_difference_is_told_where_it_matters() -> None:
    """On top of a section, in a table of the edition, or in a sentence with the number of the edition."""
    alike = ("as in the second", "calls only", "exact in both")
    differences = {row[0] for row in rows_of(1, "S 8") if not row[2].startswith(alike)}
    keys = {note.rule for section in book(1).sections for note in section.notes}
    in_tables_or_sentences = {"D1", "D14", "D16", "D21", "D38"}
    assert differences == keys | in_tables_or_sentences


@pytest.mark.parametrize(
    ("query", "found", "not_found"),
    [
        ("S 5.3", {"S-5.3"}, {"S-5.4"}),
        ("A27", {"S-5.5"}, {"S-5.4"}),
        ("short margin", {"S-5.6"}, {"S-1.2"}),
        ("divid", {"S-6.5", "S-3.5"}, {"S-1.2"}),
        ('"sector priority"', {"S-1.6"}, {"S-1.4"}),
    ],
)
def test_looking_up_shows_the_sections_that_hold_every_word(query: str, found: set[str], not_found: set[str]) -> None:
    html = page(2, query)
    result = set(re.findall(r'<section class="rule-s[^"]*" id="([^"]+)"', html))
    assert found <= result
    assert not result & not_found
    assert "<mark>" in html or query == "S 5.3"


def test_looking_up_is_harmless() -> None:
    assert "<script>alert" not in page(2, "<script>alert(1)</script>")
    assert "No rule matches" in page(2, "zebra")
    assert "No rule matches" in page(2, "&lt;(*[")
    assert '<a class="ref" href="#<mark>' not in page(2, "a27")
    assert 'id="S-4.1"' in page(2, "   ")
    assert 'value="2"' in page(7)


@pytest.mark.django_db
@pytest.mark.parametrize("edition", NUMBERS)
def test_the_page_asks_the_database_little(
    client: Client, edition: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(person("ada"))
    with django_assert_max_num_queries(3):
        page(edition, client=client)


@pytest.mark.django_db
def test_the_masthead_leads_to_the_rules(client: Client) -> None:
    assert 'href="/rules/"' in client.get("/").content.decode()
    index = client.get("/rules/").content.decode()
    assert "/rules/sectors/?edition=1" in index
    assert client.get("/rules/chess/").status_code == 404


@pytest.mark.django_db
def test_the_log_leads_to_the_rule_it_cites(client: Client) -> None:
    from django.template import Context

    game = Game(ruleset="sectors", options={"edition": 1})
    html = cited_in(*rulebook_of(Context({"game": game})), "<b> could not: no share. (Rule S 6.9)")
    assert html.startswith("&lt;b&gt; could not")
    assert '(<a class="ref" href="/rules/sectors/?edition=1#S-6.9"' in html


@pytest.mark.django_db
def test_a_refusal_leads_to_its_rule(client: Client) -> None:
    game = at_phase(new_game("ada", bots=2, edition=1), "influence_bid")
    client.force_login(person("ada"))
    answer = client.post(f"/games/{game.pk}/actions/", {"serial": game.phase_serial, "do": "submit", "points": "101"})
    assert answer.status_code == 422
    assert '<cite class="rule"><a href="/rules/sectors/?edition=1#S-1.5"' in answer.content.decode()


TOY_GAME = Game(ruleset="toy", options={})


@pytest.mark.django_db
def test_a_game_without_a_rulebook_has_no_page_and_no_links(client: Client) -> None:
    """Its refusals name their rules all the same."""
    from django.template import Context, Template

    answer = client.get("/rules/toy/")
    assert answer.status_code == 404
    assert "Toy has no rulebook on this site." in answer.content.decode()
    assert "/rules/toy/" not in client.get("/rules/").content.decode()
    text = Template("{% load links %}{% rule 'T 3' %}")
    assert text.render(Context({"game": TOY_GAME})) == '<cite class="rule">(T 3)</cite>'
    assert cited_in(*rulebook_of(Context({"game": TOY_GAME})), "No. (Rule T 3)") == "No. (Rule T 3)"
    assert rulebook_url(TOY_GAME, "how-to-play") == ""
    assert text.render(Context({"rules": RULESETS["toy"]})) == '<cite class="rule">(T 3)</cite>'


def test_words_are_explained_behind_the_rules_and_before_their_sources() -> None:
    """A player reads how to play, the rules, and what the words mean before a list of decisions."""
    titles = [section.title for section in book(2).sections]
    assert titles.index("8. The other edition") < titles.index("Words") < titles.index("9. Where these rules come from")
    assert titles.index("Words") < titles.index("Order of authority") < titles.index("Resolutions A1–A100")
    assert (
        "authority"
        not in page(2)[: page(2).index('id="S-1.1"')]
        .replace('"#order-of-authority"', "")
        .split('class="rules-intro"')[1]
    )
    assert 'id="word-net-worth"' in page(2, "net worth")
    assert len(next(section for section in book(2).sections if section.title == "Words").html.split('<tr id="')) > 50


def test_the_glossary_s_numbers_are_those_of_the_tables() -> None:
    meanings = {term.word: term.meaning for term in SECTORS_RULEBOOK.terms}
    prices = [price for _, tier in chart.TIERS for price in tier]
    assert f"All {len(prices)} stock prices from {prices[0]} to {prices[-1]}, in five" in meanings["price chart"]
    assert len(chart.TIERS) == 5
    assert all(len(meaning.split()) <= 20 for meaning in meanings.values())


def test_the_pages_of_every_rulebook_can_be_read() -> None:
    """Each board's: its variants render, and what its index page and how-to-play lead to is there."""
    books = [board_of(key).book for key in RULESETS if board_of(key).book]
    assert books
    for found in books:
        for variant in found.variants:
            pages = pages_of(found, variant.key, length_of)
            lines = pages.turn.lines if pages.turn else ()
            assert {start.anchor for start in (*found.starts, *lines)} <= pages.anchors


PLAYED = re.compile(r'(?s)<section class="rules-turn".*?</section>')
LINES = re.compile(r"<li><b>(.*?)</b> (.*?)\n")


@pytest.mark.parametrize("key", [key for key in RULESETS if board_of(key).book])
def test_how_to_play_and_the_words_are_in_the_reader_s_language(key: str) -> None:
    """The rules themselves stay English and say so; each word keeps the address that terms link to."""
    english = Client().get(f"/rules/{key}/").content.decode()
    german = Client().get(f"/rules/{key}/", headers={"accept-language": "de"}).content.decode()
    played = PLAYED.search(german)
    assert played
    assert 'lang="en"' not in played[0]
    assert LINES.findall(played[0])
    assert not {*LINES.findall(played[0])} & {*LINES.findall(english)}
    words = re.search(r'(?s)<section class="rule-s rule-s--part" id="words"(.*?)</section>', german)
    assert words
    assert 'lang="en"' not in words[1]
    assert "Begriffe" in words[1]
    assert set(re.findall(r'id="(word-[^"]+)"', english)) == set(re.findall(r'id="(word-[^"]+)"', words[1]))
    assert re.search(r'(?s)<section class="rule-s[^>]* lang="en"', german)
    assert ' lang="en"' not in english.split("<main", 1)[1]


def pictures_of(key: str, language: str) -> dict[str, str]:
    """The pictures on a game's page by the anchor of their section."""
    html = Client(headers={"accept-language": language}).get(f"/rules/{key}/").content.decode()
    section, picture = r'<section class="rule-s[^"]*" id="([^"]+)"', r'<figure class="rule-pic"[^>]*>(.*?)</figure>'
    return dict(re.findall(rf"(?s){section}(?:(?!</section>).)*?{picture}", html))


def test_tracks_and_tiles_are_drawn_beside_their_rules_in_both_languages() -> None:
    english, german = pictures_of("big_shoulders", "en"), pictures_of("big_shoulders", "de")
    drawn = {f"BS-1.{number}" for number in (1, 2, 4, 5, 6, 7, 10, 11, 12)}
    assert english.keys() == german.keys() == drawn
    assert not any("<img" in picture for picture in english.values())
    assert "both bonuses" in english["BS-1.5"]
    assert "both bonuses" not in german["BS-1.5"]
    assert english["BS-1.5"].count("has-bonus") == 8
    assert "5 × 60 + 50 = 350" in english["BS-1.12"]
    assert sum(map(int, re.findall(r"<b>(\d)</b>", german["BS-1.2"]))) == 10
    assert "<b>60</b>" in english["BS-1.4"]
    assert english["BS-1.6"].count("new cubes") == 1
    assert re.findall(r'<li class="is-bought"><b>(\d+)</b>', german["BS-1.11"]) == ["50"]


def test_a_picture_is_never_of_a_section_that_is_not_there() -> None:
    for board in map(board_of, RULESETS):
        if board.book:
            sections = {section.number for section in pages_of(board.book, board.book.usual.key, length_of).sections}
            assert board.book.pictures.keys() <= sections
