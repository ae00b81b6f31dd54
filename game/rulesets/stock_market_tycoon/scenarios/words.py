"""Stock Market Tycoon's words in scenarios: positions, players' sentences, and draws."""

from __future__ import annotations

import re
from collections.abc import Collection

from game.engine.scenarios.story import Story
from game.engine.scenarios.words import Request, Words, seats_in_order
from game.rulesets.stock_market_tycoon.events import ENDS
from game.rulesets.stock_market_tycoon.scenarios.positions import TycoonGiven, stand
from game.rulesets.stock_market_tycoon.state import TycoonState
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS

MEANINGS = {
    "given": {
        "turn": "number of the year",
        "dealer": "the player who deals and acts last; otherwise the last one who is not bankrupt",
        "sub_round": "1, 2 or 3, in the phases of trading",
        "acting": "whose turn it is; those before in the order have acted in this sub-round; otherwise the first one",
        "companies": "keys of companies, each with the words below",
        "shorts": "short sales of this year, as a list, each with the words below",
        "contracts": "options of this year, as a list, each with the words below",
        "bankrupts": "players who went bankrupt, in that order",
        "end": "which end has come, for the phase `end`",
    },
    "players": {
        "cash": "dollars on hand; otherwise the starting cash",
        "hand": "cards in the hand: `NT-30`, or a special card",
        "kept_cards": "cards kept from last year, before the deal",
        "debt": "dollars owed since last year",
    },
    "companies": {
        "price": "dollars a share; otherwise the start price",
        "last_close": "price at the end of the last year; otherwise the start price",
        "shares": "shares by player; who is named earlier has reached the thresholds earlier",
        "retired": "shares that buybacks took out of the game",
        "director": "the sitting Director, where others hold as many shares",
        "rate": "percent of the strike price that options cost; otherwise the usual rate",
        "bought": "true: its first purchase of this year was made",
        "rights": "Rights Issued cards played for it in this sub-round",
    },
    "shorts": {
        "player": "who sold",
        "company": "its key",
        "entry": "the price at which the shares were sold",
        "shares": "how many",
    },
    "contracts": {
        "player": "who bought",
        "kind": "call or put",
        "company": "its key",
        "strike": "the strike price",
        "shares": "how many",
        "premium": "dollars that were paid for it",
    },
    "options": {
        "mode": "trader, investor, strategist",
        "variant": "standard, extended",
        "years": "years of the game",
        "trade_mode": "strict, plan, batch",
        "buyback_price_cap": "most that a buyback pays, in percent of the price; 0 is no limit",
        "option_premium": "seed or fair",
        "rights_follow_free": "following rights does not cost the turn: on, off",
        "director_keeps_card": "a withheld card stays in the hand for the next year: on, off",
        "starting_cash": "dollars at the start; 0 is the variant's",
    },
}
DRAWS = {
    "dealer": "the dealer of the first year",
    "deal": "ten cards for each player who is not bankrupt, by seat",
}
VALUES: dict[tuple[str, str], Collection[str]] = {("given", "end"): tuple(ENDS)}
RULE = re.compile(r"ST \d+(\.\d+)?|T-\d+|(resolution|example) \d+")
NUMBER = r"([\d,]+)"


def shares(state: TycoonState) -> int:
    """The number of all shares: in hands, in the bank and retired."""
    return sum(state.ledger.existing(company) for company in COMPANY_KEYS)


WORDS = Words(
    given=TycoonGiven,
    build=stand,
    meanings=MEANINGS,
    draws=DRAWS,
    read={"dealer": lambda answer, names: seats_in_order(answer, names)[0]},
    values=VALUES,
    rule=RULE,
    rule_examples="ST 4.1, T-11, resolution 9, example 12",
    seats_in=("audience", "owner", "dealer", "year_begun.order"),
    conserved={"shares": shares},
)


def number(words: str) -> int:
    return int(words.replace(",", ""))


@WORDS.sentence(rf"buys {NUMBER} (\w+)", "buys 2,000 NT")
def _buy(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "buy", "company": match[2], "shares": number(match[1])}


@WORDS.sentence(rf"sells {NUMBER} (\w+)", "sells 1,500 NT")
def _sell(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "sell", "company": match[2], "shares": number(match[1])}


@WORDS.sentence(r"ends the turn", "ends the turn")
def _end(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "end_turn"}


@WORDS.sentence(r"plays the loan", "plays the loan")
def _loan(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "play_loan"}


@WORDS.sentence(r"plays a debenture for (\w+)", "plays a debenture for GI")
def _debenture(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "play_debenture", "company": match[1]}


@WORDS.sentence(rf"(issues|follows) {NUMBER} rights of (\w+)", "issues 6,000 rights of GI", "follows 500 rights of GI")
def _rights(story: Story, match: re.Match[str]) -> Request:
    kind = "play_rights" if match[1] == "issues" else "follow_rights"
    return {"kind": kind, "company": match[3], "shares": number(match[2])}


@WORDS.sentence(rf"shorts {NUMBER} (\w+)", "shorts 8,000 NT")
def _short(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "sell_short", "company": match[2], "shares": number(match[1])}


@WORDS.sentence(rf"buys (call|put)s on {NUMBER} (\w+)", "buys calls on 5,000 NT", "buys puts on 5,000 VP")
def _option(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "buy_option", "contract": match[1], "company": match[3], "shares": number(match[2])}


@WORDS.sentence(r"declares (\d+) a share of (\w+)", "declares 15 a share of GI")
def _dividend(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "declare_dividend", "company": match[2], "dividend": int(match[1])}


@WORDS.sentence(rf"buys back {NUMBER} (\w+) at (\d+)", "buys back 20,000 OE at 60")
def _buyback(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "announce_buyback", "company": match[2], "shares": number(match[1]), "price": int(match[3])}


@WORDS.sentence(rf"tenders {NUMBER}", "tenders 8,000")
def _tender(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "tender", "shares": number(match[1])}


@WORDS.sentence(r"sets the premium of (\w+) to (\d+)", "sets the premium of OE to 5")
def _premium(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "set_premium", "company": match[1], "rate": int(match[2])}


@WORDS.sentence(r"withholds (\w\w)([+-]\d+)", "withholds OE-20")
def _withhold(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "withhold", "company": match[1], "card": match[1] + match[2]}


@WORDS.sentence(r"strikes (\w\w)([+-]\d+) of (\w+)", "strikes OE+15 of bob")
def _strike(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "strike", "company": match[1], "card": match[1] + match[2], "owner": story.seat(match[3])}


@WORDS.sentence(r"suspends (\w\w)(?: and (\w\w))?", "suspends NT", "suspends NT and TS")
def _suspend(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "suspend", "companies": [company for company in match.groups() if company]}
