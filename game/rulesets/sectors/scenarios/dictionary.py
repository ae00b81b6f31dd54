"""The meaning of each word of a position, for the page of the vocabulary; words without a meaning are left out."""

import json

from game.rulesets.sectors.options import LABELS, MENUS

GIVEN = {
    "turn": "number of the turn; before Start Turn that of the turn about to start",
    "acting": "ticker of the company whose vote, action or contributions are on; those before it in the queue "
    "have acted",
    "priority": "players, best first; otherwise the seats' order",
    "companies": "tickers in founding order, each with the words below",
    "sectors": "sectors in play beside those of the companies, each with the words below; otherwise industrial "
    "where there is no company",
    "bank": "dollars in the bank; otherwise the option's",
    "bank_low": "the least the bank has held after paying; 0 or below: it has broken",
    "pool": "consumers in the global pool; otherwise the option's less those in sectors",
    "economy": "the economy score",
    "deck": "undrawn research cards; a draw takes any that the company may draw",
    "track": "the spaces of the prestige track in order; otherwise ten of `bull_signal`",
    "injections": "dollars on Capital Injection spaces, by index from 0: `{3: 400}`; otherwise 200 each",
    "marker": "index of the current space of the track, from 0",
    "headlines": "the slots in order, each a sector with its move, or null: `[[energy, 1], null]`",
    "tranches": "the pools in order, a list with the words below",
    "contracts": "contracts on sale or bought, a list with the words below; numbered from 1",
    "orders": "orders of earlier phases, a list with the words below; numbered after the contracts",
    "trades": "market orders filled in this stock round, a list with the words below; for `no_round_trips`",
    "sub_round": "sub-rounds closed in this stock round; otherwise none before they are placed, then 1, in "
    "edition 1 all 3",
    "queue": "tickers in the order in which they act; otherwise by company priority",
    "acted": "tickers that have acted this turn",
    "executed": "how often each company action was carried out this turn: `{lobby: 1}`",
    "contribution": "what the acting company has been given in this phase, with the words below",
    "passed": "spaces of the track that the marker has left, by index from 0",
    "bids": "influence bids by player, about to be revealed; otherwise 0 each",
    "pledges": "slot of the headline each player has pledged for, from 1: `{ada: 1}`",
    "tranche_votes": "number of the tranche each player has voted for, from 1: `{ada: 1}`",
    "wishes": "how each winner wants a tranche distributed, with the words below",
    "revenue_votes": "revenue votes by company and player: `{ACME: {ada: full}}`",
    "ballots": "company actions each player has voted for, for the acting company: `{ada: [lobby]}`",
    "selected": "company actions chosen for the acting company, best supported first",
}
PLAYERS = {
    "cash": "dollars on hand",
    "income": "income realised so far this turn",
    "shares": "own shares by ticker: `{ACME: 3}`",
}
COMPANIES = {
    "name": "its name; otherwise made from the ticker",
    "sector": "its sector",
    "tier": "its tier; otherwise the sector's start tier",
    "status": "its status",
    "price": "its stock price, one of the chart",
    "filled": "slots filled at the price",
    "ipo_price": "price in the IPO; otherwise the stock price",
    "ipo": "shares in the IPO; otherwise what nobody holds, until it has floated",
    "market": "shares on the open market; otherwise what nobody holds, once it has floated",
    "existing": "shares in existence; otherwise 10, or what `ipo` and `market` add up to",
    "unit_price": "price of a unit",
    "treasury": "dollars; otherwise ten times the IPO price",
    "base_demand": "permanent demand",
    "temporary_demand": "fading demand",
    "base_supply": "permanent supply beyond the tier's",
    "temporary_supply": "fading supply",
    "prestige": "prestige tokens",
    "has_loan": "true: it has had its loan",
    "frozen_moves": "steps that market orders have moved a frozen price this turn, down negative",
    "cards": "research cards it has drawn; their lasting effect is a modifier of its own",
    "abilities": "passive abilities, with their effect",
    "modifiers": "lasting effects, see below",
    "produced": "units it could produce this turn",
    "sold": "units sold this turn",
    "revenue": "revenue of this turn",
    "choice": "what the revenue vote chose this turn",
}
SECTORS = {
    "priority": "place in sector priority, 1 first; otherwise the rank of S 1.6",
    "base_demand": "permanent demand; otherwise that of S 2.1",
    "temporary_demand": "fading demand",
    "consumers": "consumers waiting",
    "has_floated": "whether a company of it has ever floated; otherwise whether one has now",
}
ORDERS = {
    "player": "whose order",
    "kind": "its kind",
    "company": "ticker",
    "quantity": "shares",
    "side": "its side",
    "price": "a limit's value, a bid, or the price at which a short opened",
    "status": "how it stands",
    "turn": "turn in which it was placed; otherwise this one while it is pending, else the last one",
    "sub_round": "sub-round in which it was placed",
    "contract": "number of the contract an option order is for",
    "location": "where it is placed: ipo, market or derivatives; otherwise derivatives for an option order, "
    "else market",
    "shown": "what others see of it: sealed, location or all; otherwise all, in front of phases 10 and 11 what "
    "they are about to show",
}
CONTRACTS = {
    "company": "ticker",
    "strike": "price from which it may be exercised",
    "premium": "dollars it costs",
    "term": "turns it lasts",
    "shares": "shares it pays for",
    "bonus": "steps the price rises on exercise",
    "owner": "who bought it; otherwise it is on sale",
    "age": "phases 16 it has seen since it was bought",
}
TRANCHES = {
    "sector": "whose ability it carries",
    "cash": "dollars",
    "prestige": "prestige tokens",
    "winner": "who won it; otherwise nobody",
}
TRADES = {
    "player": "who traded",
    "company": "ticker",
    "side": "bought or sold",
}
CONTRIBUTION = {
    "worth": "dollars given, shares at their price included",
    "shares": "shares given",
}
WISHES = {
    "cash": "dollars by player; the rest is the winner's own: `{bob: 40}`",
    "prestige_to": "company that gets the prestige token",
    "ability_to": "company that gets the ability",
}
OPTIONS = {key: f"{label}: {', '.join(map(json.dumps, MENUS[key]))}" for key, label in LABELS.items()}
MEANINGS = {
    "given": GIVEN,
    "players": PLAYERS,
    "companies": COMPANIES,
    "sectors": SECTORS,
    "orders": ORDERS,
    "contracts": CONTRACTS,
    "tranches": TRANCHES,
    "trades": TRADES,
    "contribution": CONTRIBUTION,
    "wishes": WISHES,
    "options": OPTIONS,
}
