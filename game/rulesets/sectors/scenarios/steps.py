"""The sentences that players of Sectors can say."""

from __future__ import annotations

import re

from game.engine.scenarios.language import known
from game.engine.scenarios.story import Story
from game.engine.scenarios.words import Request
from game.rulesets.sectors.scenarios.words import WORDS


@WORDS.sentence(r"bids (\d+)", "bids 50")
def _bid(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "bid_influence", "points": int(match[1])}


@WORDS.sentence(r"pledges for headline (\d+)", "pledges for headline 1")
def _pledge(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "pledge_headline", "headline": int(match[1])}


@WORDS.sentence(r"votes for tranche (\d+)", "votes for tranche 2")
def _tranche(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "vote_tranche", "tranche": int(match[1])}


@WORDS.sentence(r"distributes (.+)", "distributes 40 to bob, prestige to ACME, ability to ACME")
def _distribution(story: Story, match: re.Match[str]) -> Request:
    request: Request = {"kind": "distribute_tranche", "cash": {}}
    for gift in re.split(r", | and ", match[1]):
        what, _, taker = gift.partition(" to ")
        if what.isdigit():
            request["cash"][str(story.seat(taker))] = int(what)
        else:
            request[f"{known(what, ('prestige', 'ability'), 'gift but dollars')}_to"] = taker
    return request


@WORDS.sentence(
    r"(buys|sells) (\d+) (\w+)( from the ipo| to the ipo)?(?: bidding (\d+))?",
    "buys 3 ACME",
    "buys 3 ACME from the ipo bidding 60",
    "sells 3 ACME",
)
def _market(story: Story, match: re.Match[str]) -> Request:
    request = {
        "kind": "market_order",
        "side": match[1].removesuffix("s"),
        "quantity": int(match[2]),
        "company": match[3],
        "location": "ipo" if match[4] else "market",
    }
    return request | ({"bid": int(match[5])} if match[5] else {})


@WORDS.sentence(r"will (buy|sell) (\d+) (\w+) at (\d+)", "will buy 3 ACME at 51", "will sell 3 ACME at 43")
def _limit(story: Story, match: re.Match[str]) -> Request:
    return {
        "kind": "limit_order",
        "side": match[1],
        "quantity": int(match[2]),
        "company": match[3],
        "value": int(match[4]),
    }


@WORDS.sentence(
    r"will (buy|sell) (\d+) (\w+) (?:up to|from) (\d+)( and is ready)?",
    "will buy 3 ACME up to 23",
    "will sell 3 ACME from 25 and is ready",
)
def _standing(story: Story, match: re.Match[str]) -> Request:
    request: Request = {
        "kind": "standing_order",
        "side": match[1],
        "quantity": int(match[2]),
        "company": match[3],
        "limit": int(match[4]),
    }
    return request | ({"ready": True} if match[5] else {})


@WORDS.sentence(r"shorts (\d+) (\w+)", "shorts 3 ACME")
def _short(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "short_order", "quantity": int(match[1]), "company": match[2]}


@WORDS.sentence(r"wants contract (\d+)(?: bidding (\d+))?", "wants contract 1", "wants contract 1 bidding 60")
def _option(story: Story, match: re.Match[str]) -> Request:
    request = {"kind": "option_order", "contract": int(match[1])}
    return request | ({"bid": int(match[2])} if match[2] else {})


@WORDS.sentence(r"covers short (\d+)", "covers short 1")
def _cover(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "cover_short", "order": int(match[1])}


@WORDS.sentence(r"exercises contract (\d+)", "exercises contract 1")
def _exercise(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "exercise_option", "contract": int(match[1])}


@WORDS.sentence(r"votes (full|half|retain) for (\w+)", "votes full for ACME")
def _revenue(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "vote_revenue", "choice": match[1], "company": match[2]}


@WORDS.sentence(
    r"votes ([a-z_, ]+) for ([A-Z]\w*)( and is ready)?",
    "votes research, loan for ACME",
    "votes veto for ACME and is ready",
)
def _ballot(story: Story, match: re.Match[str]) -> Request:
    request: Request = {"kind": "vote_actions", "actions": re.split(r",\s*", match[1]), "company": match[2]}
    return request | ({"ready": True} if match[3] else {})


@WORDS.sentence(
    r"gives (?:(\d+) dollars)?(?: and )?(?:(\d+) shares?)?",
    "gives 100 dollars",
    "gives 2 shares",
    "gives 100 dollars and 2 shares",
)
def _contribution(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "contribute", "cash": int(match[1] or 0), "shares": int(match[2] or 0)}
