"""The steps of a scenario: what players ask in sentences, and what the table does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from game.rulesets.sectors.flow import FLOWS
from game.rulesets.sectors.scenarios.language import ScenarioError, known, mapping
from game.rulesets.sectors.scenarios.story import Story

Request = dict[str, Any]
PHASES = tuple(dict.fromkeys(row.phase.name for played in FLOWS.values() for row in played.rows))


@dataclass(frozen=True)
class Sentence:
    """One thing a player can say: examples, how it is recognised, and the request it stands for."""

    forms: tuple[str, ...]
    pattern: re.Pattern[str]
    request: Callable[[Story, re.Match[str]], Request]


SENTENCES: list[Sentence] = []


def _sentence(pattern: str, *forms: str) -> Callable[[Callable[[Story, re.Match[str]], Request]], Callable[..., Request]]:
    def enter(make: Callable[[Story, re.Match[str]], Request]) -> Callable[..., Request]:
        SENTENCES.append(Sentence(forms, re.compile(pattern), make))
        return make

    return enter


@_sentence(r"bids (\d+)", "bids 50")
def _bid(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "bid_influence", "points": int(said[1])}


@_sentence(r"pledges for headline (\d+)", "pledges for headline 1")
def _pledge(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "pledge_headline", "headline": int(said[1])}


@_sentence(r"votes for tranche (\d+)", "votes for tranche 2")
def _tranche(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "vote_tranche", "tranche": int(said[1])}


@_sentence(r"distributes (.+)", "distributes 40 to bob, prestige to ACME, ability to ACME")
def _distribution(story: Story, said: re.Match[str]) -> Request:
    request: Request = {"kind": "distribute_tranche", "cash": {}}
    for gift in re.split(r", | and ", said[1]):
        what, _, taker = gift.partition(" to ")
        if what.isdigit():
            request["cash"][str(story.seat(taker))] = int(what)
        else:
            request[f"{known(what, ('prestige', 'ability'), 'gift but dollars')}_to"] = taker
    return request


@_sentence(
    r"(buys|sells) (\d+) (\w+)( from the ipo| to the ipo)?(?: bidding (\d+))?",
    "buys 3 ACME",
    "buys 3 ACME from the ipo bidding 60",
    "sells 3 ACME",
)
def _market(story: Story, said: re.Match[str]) -> Request:
    request = {
        "kind": "market_order",
        "side": said[1].removesuffix("s"),
        "quantity": int(said[2]),
        "company": said[3],
        "location": "ipo" if said[4] else "market",
    }
    return request | ({"bid": int(said[5])} if said[5] else {})


@_sentence(r"will (buy|sell) (\d+) (\w+) at (\d+)", "will buy 3 ACME at 51", "will sell 3 ACME at 43")
def _limit(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "limit_order", "side": said[1], "quantity": int(said[2]), "company": said[3], "value": int(said[4])}


@_sentence(r"shorts (\d+) (\w+)", "shorts 3 ACME")
def _short(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "short_order", "quantity": int(said[1]), "company": said[2]}


@_sentence(r"wants contract (\d+)(?: bidding (\d+))?", "wants contract 1", "wants contract 1 bidding 60")
def _option(story: Story, said: re.Match[str]) -> Request:
    request = {"kind": "option_order", "contract": int(said[1])}
    return request | ({"bid": int(said[2])} if said[2] else {})


@_sentence(r"covers short (\d+)", "covers short 1")
def _cover(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "cover_short", "order": int(said[1])}


@_sentence(r"exercises contract (\d+)", "exercises contract 1")
def _exercise(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "exercise_option", "contract": int(said[1])}


@_sentence(r"votes (full|half|retain) for (\w+)", "votes full for ACME")
def _revenue(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "vote_revenue", "choice": said[1], "company": said[2]}


@_sentence(r"votes ([a-z_, ]+) for ([A-Z]\w*)( and is ready)?", "votes research, loan for ACME", "votes veto for ACME and is ready")
def _ballot(story: Story, said: re.Match[str]) -> Request:
    request: Request = {"kind": "vote_actions", "actions": re.split(r",\s*", said[1]), "company": said[2]}
    return request | ({"ready": True} if said[3] else {})


@_sentence(r"gives (?:(\d+) dollars)?(?: and )?(?:(\d+) shares?)?", "gives 100 dollars", "gives 2 shares", "gives 100 dollars and 2 shares")
def _contribution(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "contribute", "cash": int(said[1] or 0), "shares": int(said[2] or 0)}


@_sentence(r"(not )?ready", "ready", "not ready")
def _ready(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "ready", "on": not said[1]}


@_sentence(r"passes", "passes")
def _pass(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "pass"}


@_sentence(r"withdraws (.+)", "withdraws order", "withdraws bid_influence", "withdraws vote_revenue ACME")
def _withdraw(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "withdraw", "of": said[1]}


TABLE_STEPS: dict[str, tuple[str, Callable[[Story], None]]] = {
    "everybody_ready": ("everybody who is waited for says ready, until the phase closes", Story.all_ready),
    "clock_runs_out": ("the open phase closes with what was submitted", Story.close),
    "play_on": ("the same, said where an automatic phase is about to begin", Story.close),
}


def take(story: Story, step: Any) -> None:
    """Carry one step out."""
    if isinstance(step, str):
        _say(story, step)
        return
    (word, said), *more = mapping(step, "a step").items()
    if more:
        raise ScenarioError(f"a step is one thing, not {', '.join(step)}")
    if word == "play_to":
        story.play_to(known(said, (*PHASES, "the end"), "phase"))
    elif isinstance(said, Mapping):
        story.ask(word, said, f"{word} asks {said.get('kind')}")
    else:
        known(word, ("play_to", "then", *story.names), "step")
        _say(story, f"{word} {said}")


def _say(story: Story, step: str) -> None:
    if step in TABLE_STEPS:
        TABLE_STEPS[step][1](story)
        return
    name, _, said = step.partition(" ")
    known(name, (*story.names, *TABLE_STEPS), "player or step")
    for sentence in SENTENCES:
        if found := sentence.pattern.fullmatch(said):
            story.ask(name, sentence.request(story, found), step)
            return
    raise ScenarioError(f"there is no sentence {said!r}; known: {'; '.join(form for sentence in SENTENCES for form in sentence.forms)}")
