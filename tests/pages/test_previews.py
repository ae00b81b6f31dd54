"""What the ticket says would follow: the worked figures of the design, and the sentences about what would fail."""

import re
from html import escape
from typing import Any

import pytest

from game.boards.decision import Filled
from game.boards.sectors.decisions.vote_table import Weight
from game.boards.sectors.drawing import weigh
from game.boards.shapes import Panel
from game.engine import referee
from game.engine.actions import Refused
from game.engine.chance import Chance
from game.rulesets.sectors.positions import build
from game.rulesets.sectors.ruleset import SECTORS as RULES
from game.store.badges import SeatBadge, letters_of
from tests.pages.panels import drawn, filled, page_engine, panel, places_at

NAMES = ("Marta", "Oskar", "Wen")


def position(phase: str, **words: Any) -> Any:
    """Marta holds 59 dollars and 3 SOLAR, which stands at 20 with 4 shares on the market and 1 in the IPO at 29."""
    solar = {"sector": "energy", "price": 20, "ipo_price": 29, "ipo": 1, "existing": 10, **words.pop("solar", {})}
    shares = {"Marta": {"SOLAR": 3}, "Oskar": {"SOLAR": 2}, "Wen": {}}
    players = {name: {"cash": 59, "shares": shares[name]} for name in NAMES}
    players = words.pop("players", players)
    companies = words.pop("companies", {"SOLAR": solar})
    return build(
        {"phase": phase, "players": players, "companies": companies, "priority": ["Oskar", "Wen", "Marta"], **words}
    )


def made_panel(at: Any, *requests: dict[str, Any], seat: int | None = 0, **form: str) -> Panel:
    sent = Filled({name: [value] for name, value in form.items()}) if form else filled(at, requests, seat or 0)
    return panel(at, places_at(NAMES, seat), seat, filled=sent)


def rows(made: Panel) -> dict[str, tuple[str, str]]:
    assert made.ticket
    return {row.label: (row.was, row.now) for row in made.ticket.preview.rows}


def said(made: Panel) -> list[tuple[str, str]]:
    assert made.ticket
    return [(say.rule, say.css) for say in made.ticket.preview.says]


def market(side: str, quantity: int, location: str = "market") -> dict[str, Any]:
    return {"kind": "market_order", "company": "SOLAR", "side": side, "location": location, "quantity": quantity}


def test_the_order_of_the_design() -> None:
    made = made_panel(position("stock_orders"), market("buy", 2))
    assert rows(made) == {
        "Cost now": ("", "2 × 20 = 40"),
        "Cash": ("59", "19"),
        "You own": ("3", "5 of 10"),
        "Certificates": ("3", "5"),
        "Price if only you trade": ("20", "21"),
    }
    assert said(made) == []
    assert made.ticket
    assert "Oskar and Wen come before you. If fewer than 2 shares are left" in made.ticket.preview.hint


def warned(made: Panel) -> str:
    assert made.ticket
    return " ".join([made.ticket.preview.hint, *(say.text for say in made.ticket.preview.says)])


def test_no_share_and_one_share_are_said_as_people_say_it() -> None:
    """Never “Only 0 shares”, nor “fewer than 1 share are left”."""
    none = {"SOLAR": {"sector": "energy", "price": 20, "existing": 5, "ipo": 0, "market": 0, "ipo_price": 29}}
    at = position("stock_orders", companies=none)
    assert "No shares are on the open market. Your order would be rejected." in warned(made_panel(at, market("buy", 1)))
    sells = {"kind": "limit_order", "company": "SOLAR", "side": "sell", "quantity": 2, "value": 15}
    assert "You own no share of it. The order would be rejected." in warned(made_panel(at, market("sell", 2), seat=2))
    assert "You own no share of it. If you still do not" in warned(made_panel(at, sells, seat=2))
    one = warned(made_panel(position("stock_orders"), market("buy", 1)))
    assert "Oskar and Wen come before you. If no share is left by then, your order is rejected at no cost." in one
    first = position("stock_orders", priority=["Oskar", "Marta", "Wen"])
    assert "Oskar comes before you. If no share is left by then" in warned(made_panel(first, market("buy", 1)))


@pytest.mark.parametrize(("held", "cash", "price"), [(3, 59, 20), (6, 59, 39), (3, 38, 20)])
def test_a_fresh_ticket_names_shares_within_reach(held: int, cash: int, price: int) -> None:
    """SOLAR at 20 comes first on the board; who has 60 % of it is shown POWER at 39."""
    solar = {"sector": "energy", "price": 20, "market": 2, "existing": 10}
    power = {"sector": "energy", "price": 39, "market": 2, "existing": 10, "unit_price": 90}
    players = {name: {"cash": cash, "shares": {"SOLAR": held} if name == "Marta" else {}} for name in NAMES}
    made = made_panel(
        build({"phase": "stock_orders", "players": players, "companies": {"SOLAR": solar, "POWER": power}})
    )
    assert rows(made)["Cost now"] == ("", f"1 × {price} = {price}")


def test_the_newest_entry_of_a_group_of_fields_counts() -> None:
    form = Filled({"touched": ["goods_0 cube goods_1 runs"]})
    assert not form.is_newer("goods_", "cube", "runs")
    assert form.is_newer("goods_", "cube")
    assert not form.is_newer("goods_0", "cube")
    assert not form.is_newer("take_", "use"), "neither was entered"
    assert form.is_newer("runs", "take_")


def test_what_would_fail_later_is_a_warning() -> None:
    at = position("stock_orders")
    assert said(made_panel(at, market("buy", 3))) == [("S 5.3", "")], "60 to pay, 59 held"
    assert said(made_panel(at, market("buy", 5))) == [("S 5.3", ""), ("R-19", ""), ("S 5.3", "")], (
        "shares, cap and cash"
    )
    assert said(made_panel(at, market("sell", 4))) == [("S 5.3", "")], "4 to sell, 3 held"


def test_what_is_refused_now_is_a_refusal() -> None:
    at = position("stock_orders", solar={"status": "inactive", "ipo": 5})
    assert said(made_panel(at, market("buy", 1))) == [("S 5.1", "no")]
    limit = {"kind": "limit_order", "company": "SOLAR", "side": "buy", "value": 20, "quantity": 1}
    assert said(made_panel(position("stock_orders"), limit)) == [("limits", "no")]


FROZEN = {"number": "price_freeze", "amount": 1, "source": "price_freeze", "turn": 2}


@pytest.mark.parametrize(
    ("solar", "request_", "now"),
    [
        ({"price": 26}, market("sell", 3), "20"),
        ({"price": 26, "abilities": ["regulatory_shield"], "sector": "healthcare"}, market("sell", 3), "20"),
        ({"price": 23, "abilities": ["regulatory_shield"], "sector": "healthcare"}, market("sell", 3), "20"),
        ({"price": 23}, market("sell", 3), "18"),
        ({"price": 4}, market("sell", 3), "3"),
        ({"price": 47, "modifiers": [FROZEN]}, market("sell", 3), "39"),
        ({"price": 16, "modifiers": [FROZEN]}, market("buy", 3), "20"),
        ({"price": 47, "modifiers": [FROZEN]}, {"kind": "short_order", "company": "SOLAR", "quantity": 3}, "35"),
        (
            {"price": 23, "abilities": ["regulatory_shield"]},
            {"kind": "short_order", "company": "SOLAR", "quantity": 3},
            "20",
        ),
    ],
)
def test_the_price_that_would_follow_knows_shield_freeze_and_the_charts_end(
    solar: dict[str, Any], request_: dict[str, Any], now: str
) -> None:
    """S 3.6, A55: a shield stops any fall, a freeze clamps market orders only."""
    made = made_panel(position("stock_orders", solar=solar), request_)
    assert rows(made)["Price if only you trade"] == (str(solar["price"]), now)


def test_a_short_sets_half_aside() -> None:
    result = rows(made_panel(position("stock_orders"), {"kind": "short_order", "company": "SOLAR", "quantity": 3}))
    assert (result["Margin locked"], result["Cash"], result["Interest per turn"]) == (
        ("", "30"),
        ("59", "89"),
        ("", "3"),
    )


def test_dividends_are_floored_once() -> None:
    at = position("revenue_vote", solar={"revenue": 85})
    assert rows(made_panel(at, {"kind": "vote_revenue", "company": "SOLAR", "choice": "half"})) == {
        "SOLAR": ("", "+12"),
        "Cash": ("59", "71"),
    }


def test_treasury_money_does_not_help_an_insolvent_company() -> None:
    at = position("contributions", acting="SOLAR", solar={"status": "insolvent", "treasury": 70})
    made = made_panel(at, {"kind": "contribute", "cash": 10, "shares": 2})
    missing = int(rows(made)["Still missing"][0])
    assert missing == RULES.view(at, 0).company("SOLAR").shortfall
    assert rows(made)["Still missing"][1] == str(missing - 50)


@pytest.mark.parametrize(("seat", "flag"), [(0, "Your decision"), (None, "You are watching")])
def test_the_brief_says_whose_decision_it_is(seat: int | None, flag: str) -> None:
    made = made_panel(position("stock_orders"), seat=seat)
    assert made.brief.flag == flag
    assert (made.ticket is None) == (seat is None)


def test_a_number_that_is_none_is_named_with_its_range() -> None:
    made = made_panel(
        position("stock_orders"), kind="market_order", company="SOLAR", side="buy", location="market", quantity="1.5"
    )
    assert made.bad_field == "quantity"
    assert made.refusal
    assert made.refusal.text == "The number of shares takes a whole number from 1 to 10, not “1.5”."


def test_a_ballot_says_what_it_costs() -> None:
    at = position("company_vote", acting="SOLAR")
    made = made_panel(at, {"kind": "vote_actions", "company": "SOLAR", "actions": ["loan"]})
    assert made.ticket
    assert [line.value for line in made.ticket.beside.now.lines if line.checked] == ["loan"]
    assert rows(made)["Cost"] == ("", "0")


@pytest.mark.parametrize(("percent", "interest"), [("0.1", "1"), ("10", "25")])
def test_a_loans_ballot_gives_its_amount_its_rate_and_the_treasury_after_it(percent: str, interest: str) -> None:
    """R-4."""
    at = position("company_vote", acting="SOLAR", solar={"treasury": 90}, options={"loan_interest_percent": percent})
    made = made_panel(at, {"kind": "vote_actions", "company": "SOLAR", "actions": ["loan"]})
    result = rows(made)
    assert (result["The loan brings"], result["Interest per turn"]) == (("", "250"), ("", interest))
    assert result["Treasury"] == ("90", "340")
    assert made.ticket
    line = next(line for line in made.ticket.beside.now.lines if line.value == "loan")
    assert line.note == "340", "the ballot's own column says the same"
    assert f"{percent}% of 250, rounded up" in {row.note for row in made.ticket.preview.rows}


INJECTION = {"track": ["capital_injection"] * 10, "injections": {0: 75}}


@pytest.mark.parametrize(("prestige", "treasury", "tokens"), [(5, "165", ("5", "2")), (2, "90", ("2", "2"))])
def test_a_space_of_the_track_is_foreseen_as_far_as_it_is_public(
    prestige: int, treasury: str, tokens: tuple[str, str]
) -> None:
    """S 1.8: who can pay the injection gets it; who cannot moves the marker on."""
    at = position("company_vote", acting="SOLAR", solar={"treasury": 90, "prestige": prestige}, **INJECTION)
    result = rows(made_panel(at, {"kind": "vote_actions", "company": "SOLAR", "actions": ["spend_prestige"]}))
    assert (result["Treasury"][1], result["Prestige"]) == (treasury, tokens)


def test_outsourcing_shows_that_all_prestige_is_lost() -> None:
    """S 6.9."""
    at = position("company_vote", acting="SOLAR", solar={"treasury": 900, "prestige": 4})
    assert rows(made_panel(at, {"kind": "vote_actions", "company": "SOLAR", "actions": ["outsource"]}))["Prestige"] == (
        "4",
        "0",
    )


def test_no_preview_goes_from_a_figure_to_the_same_figure() -> None:
    """Whatever is ticked: what stays is printed once, and said to be unchanged."""
    at = position("company_vote", acting="SOLAR", solar={"treasury": 90, "prestige": 9})
    for line in next(o for o in referee.offers(RULES, at, 0, explained=True) if o.kind == "vote_actions").details:
        page = drawn(
            page_engine(),
            at,
            0,
            filled=filled(at, [{"kind": "vote_actions", "company": "SOLAR", "actions": [line.key]}]),
        )
        assert not re.search(r'>(-?[\d,]+)<span class="arrow">to</span>\1(?![\d,])', page), line.key
        assert "unchanged</small>" in page or line.cost or line.key in {"loan", "spend_prestige"}, line.key


@pytest.mark.parametrize(("price", "note"), [(3, "price stays 3"), (20, "price 20 to 18")])
def test_retained_revenue_says_where_the_price_goes(price: int, note: str) -> None:
    """S 6.6: there is no step below the first."""
    at = position("revenue_vote", solar={"revenue": 85, "price": price})
    made = made_panel(at)
    assert made.ticket
    assert made.ticket.form[0].options[2].note == note


def test_a_pledge_says_between_which_amounts_the_cash_will_be() -> None:
    """A12: 30 dollars alone, 10 each if all three pay. The cash before is no part of that range."""
    at = position("start_turn", turn=2, headlines=[("energy", 1)], sectors={"energy": {}, "industrial": {}})
    made = made_panel(at, {"kind": "pledge_headline", "headline": 1})
    assert rows(made)["Cash then"] == ("", "29 to 49")


def test_a_narrow_part_of_the_vote_bar_carries_the_letter_of_the_seat() -> None:
    """Dylan is Y wherever Demo is D; and no part of yours looks like it."""
    names = ("Demo", "Oskar", "Dylan")
    letters = letters_of(names, [False] * 3)
    seats = [SeatBadge(n, name, f"p{n + 1}", letters[n], n == 0, is_bot=False) for n, name in enumerate(names)]
    words = {"cash": 59}
    players = {"Marta": words | {"shares": {"SOLAR": 8}}, "Oskar": words, "Wen": words | {"shares": {"SOLAR": 1}}}
    at = position("company_vote", acting="SOLAR", players=players)
    made = panel(at, seats)
    assert made.ticket
    drawn_bar = weigh(made.ticket.form.now.weights)
    assert '<b><span class="w-n">1</span> Y</b>' in drawn_bar
    assert "Dylan 1" in drawn_bar


def test_after_a_pass_nothing_would_follow() -> None:
    """Until something else is written: a draft, or the form as it was sent back."""
    at = position("stock_orders")
    passed = referee.apply(RULES, at, RULES.parse({"kind": "pass"}, 0), Chance("pass")).position
    drafted = "If the order for SOLAR Works fills"
    for draft, caption, hint in ((None, "", "You passed"), ([market("buy", 2)], drafted, "Oskar and Wen")):
        made = panel(passed, places_at(NAMES, 0), draft=draft)
        assert made.ticket
        assert (made.ticket.preview.caption, made.ticket.preview.hint.startswith(hint)) == (caption, True)
        assert not made.send.summary


def test_names_stay_as_they_are_written() -> None:
    at, small = position("stock_orders"), places_at(("marta", "oskar", "wen"), 0)
    made = panel(at, small, filled=filled(at, [market("buy", 2)]))
    assert made.ticket
    assert made.ticket.preview.hint.startswith("oskar and wen come before you.")
    assert panel(at, small, None).brief.title.startswith("Waiting for oskar, wen and marta")


@pytest.mark.parametrize(
    ("treasury", "says"), [(70, "the 70 in the treasury does not"), (0, "used up its treasury. Below")]
)
def test_an_empty_treasury_is_not_mentioned(treasury: int, says: str) -> None:
    at = position("contributions", acting="SOLAR", solar={"status": "insolvent", "treasury": treasury})
    assert says in drawn(page_engine(), at, 0)


def test_a_refusal_stands_in_one_place() -> None:
    at = position("stock_orders", solar={"status": "inactive", "ipo": 5})
    offer = next(o for o in referee.offers(RULES, at, 0) if o.refused and o.fixed.get("location") == "market")
    refused = Refused(offer.refused, offer.rule)
    page = drawn(page_engine(), at, 0, filled=filled(at, [market("buy", 1)]), refusal=refused)
    assert page.count(escape(offer.refused)) == 1
    assert "Rule S" not in page
    assert "</a> (S 5.1)" in page


def test_a_gain_is_green_and_a_remark_is_not() -> None:
    """A short that brings nothing is neither."""
    short = {"player": "Marta", "kind": "short", "company": "SOLAR", "quantity": 2, "status": "open"}
    for price, css in ((30, "delta--up"), (12, "delta--down"), (20, "<small>\ngain 0")):
        at = position("cover_shorts", orders=[short | {"price": price}])
        assert css in drawn(page_engine(), at, 0)


def test_a_ballot_counts_what_is_chosen_and_numbers_what_can_be() -> None:
    at = position("company_vote", acting="SOLAR", solar={"tier": "enterprise", "treasury": 900})
    made = made_panel(at, {"kind": "vote_actions", "company": "SOLAR", "actions": ["research", "expansion"]})
    assert made.ticket
    now = made.ticket.beside.now
    assert now.count == "2 of 2 chosen"
    assert [line.key for line in now.lines][:10] == [*"123456789", ""]
    page = drawn(page_engine(), at, 0)
    assert "0 of 2 chosen" in page
    assert '<kbd data-script aria-hidden="true">9</kbd>' in page


def test_a_part_of_the_weigh_bar_shows_a_whole_name_or_a_letter() -> None:
    """On a phone a fifth of the bar is too narrow for Clover, and wide enough for You."""
    bar = weigh([Weight(name, n, "p1", False, name[0]) for name, n in (("You", 2), ("Bramble", 6), ("Clover", 2))])
    items = [part.split("</span> ")[1].split("<")[0] for part in bar.split('class="w ')[1:]]
    assert items == ["You", "Bramble", "C"]


def test_the_shares_of_a_vote_come_before_a_name_that_may_be_cut() -> None:
    assert '<span class="w-n">2</span> Oskar' in weigh(
        [Weight("You", 3, "p1", True, "M"), Weight("Oskar", 2, "p2", False, "O")]
    )


@pytest.mark.parametrize(
    ("in_market", "words"), [(4, "4 shares are on the open market."), (0, "You could sell it only for")]
)
def test_an_ipo_that_asks_more_than_the_stock_price_is_warned_of(in_market: int, words: str) -> None:
    """S 5.3: SOLAR stands at 20, its IPO still asks 29."""
    solar = {"market": in_market, "ipo": 5 - in_market, "existing": 10}
    made = made_panel(position("stock_orders", solar=solar), market("buy", 1, "ipo"))
    assert said(made) == [("S 5.3", "")]
    assert made.ticket
    text = made.ticket.preview.says[0].text
    assert text.startswith("The IPO asks 29 per share; the stock price is 20.")
    assert words in text


@pytest.mark.parametrize(
    ("ipo_price", "ipo", "place"), [(29, 1, "market"), (12, 1, "ipo"), (20, 1, "market"), (12, 0, "market")]
)
def test_a_fresh_ticket_proposes_the_cheaper_place(ipo_price: int, ipo: int, place: str) -> None:
    made = made_panel(position("stock_orders", solar={"ipo_price": ipo_price, "ipo": ipo}), kind="market_order")
    assert made.ticket
    assert [option.value for option in made.ticket.form.locations if option.checked] == [place]


def split(**words: Any) -> Any:
    """Marta has won a tranche of energy; SOLAR and POWER are of that sector, and she holds more of POWER."""
    companies = {
        ticker: {"sector": "energy", "price": 20, "market": 2, "existing": 10} for ticker in ("SOLAR", "POWER")
    }
    shares = words.pop("shares", {"SOLAR": 1, "POWER": 3})
    players = {name: {"cash": 59, "shares": shares if name == "Marta" else {}} for name in NAMES}
    tranches = [{"sector": "energy", "cash": 40, "prestige": 1, "winner": "Marta"}]
    return position("tranche_distribution", companies=companies, players=players, tranches=tranches, turn=3, **words)


def chosen(made: Panel) -> list[str]:
    assert made.ticket
    return [option.value for _, _, options in made.ticket.form.choices for option in options if option.checked]


def test_a_won_tranche_goes_to_my_own_company_unless_i_say_otherwise() -> None:
    """Its prestige and ability are not thrown away by a form that nobody touched."""
    made = panel(split(), places_at(NAMES, 0))
    assert chosen(made) == ["POWER", "POWER"]
    assert not [text for text, _ in said(made) if "lost" in text]
    assert made.ticket
    assert made.ticket.skip == "Keep the cash only"
    assert chosen(panel(split(shares={}), places_at(NAMES, 0))) == ["", ""], "no company of the sector is hers"
    nobody = made_panel(split(), prestige_to="", ability_to="SOLAR")
    assert chosen(nobody) == ["", "SOLAR"]
    submitted = filled(split(), [{"kind": "distribute_tranche", "cash": {"1": 5}}])
    assert chosen(panel(split(), places_at(NAMES, 0), draft=[{"kind": "distribute_tranche", "cash": {"1": 5}}])) == [
        "",
        "",
    ]
    assert submitted.several("ability_to") == [""]
