"""Lessons of Sectors, in the order in which they are taken."""

from __future__ import annotations

from game.boards.lessons import Goal, Lesson, Slip
from game.boards.sectors.goals import (
    both,
    either,
    has_chosen,
    has_demand,
    has_prizes,
    has_won,
    is_active,
    is_first,
    is_past_without,
    owns,
    was_given,
)
from game.boards.sectors.trading_lessons import OPTION, SHORT, TWO_COMPANIES
from game.engine.language import mark

OWNERS = {"you": {"cash": 100, "shares": {"ACME": 3}}, "other": {"cash": 100, "shares": {"SOLAR": 3}}}
FLOAT = Lesson(
    "float",
    mark("From first shares to a dividend"),
    mark("Buy shares of a company that is not in business yet, and let it pay you a dividend."),
    {
        "phase": "stock_orders",
        "turn": 2,
        "players": {"you": {"cash": 300}, "other": {"cash": 300}},
        "companies": {
            "ACME": {"name": "Acme Industries", "status": "inactive", "price": 47, "base_demand": 2},
            "SOLAR": {"name": "Solar Fields", "sector": "energy", "price": 80, "ipo": 4, "market": 2},
        },
        "sectors": {"industrial": {"consumers": 4}, "energy": {"consumers": 4}},
        "options": {"max_sub_rounds": 1},
    },
    (
        Goal(
            mark("Buy five shares of ACME from its IPO."),
            mark(
                "The first ten shares of ACME cost 47 each, however many you buy. As soon as five of them are sold it "
                "floats: it begins to make goods and to sell them."
            ),
            both(owns("ACME", 5), is_active("ACME")),
            {"kind": "market_order", "company": "ACME", "side": "buy", "location": "ipo", "quantity": 1},
        ),
        Goal(
            mark("Vote to pay out all of the revenue."),
            mark(
                "ACME has floated and sold two units for 100. Each share is a vote, and only yours count: shares that "
                "nobody has bought do not vote."
            ),
            has_chosen("ACME", "full"),
        ),
    ),
    (
        Slip(
            mark(
                "You bought SOLAR, which is in business already. Choose ACME as the company and its IPO as the seller."
            ),
            owns("SOLAR"),
        ),
        Slip(
            mark("You bought fewer than five shares, so ACME has not floated and earns nothing this turn."),
            both(owns("ACME"), is_past_without(is_active("ACME"), "stock_orders")),
        ),
        Slip(
            mark("You bought no share of ACME, so it has not floated and earns nothing this turn."),
            is_past_without(is_active("ACME"), "stock_orders"),
        ),
        Slip(
            mark(
                "ACME kept revenue that it could have paid you. “Full” pays out all of it, “Half” one half, and "
                "“Retain” nothing."
            ),
            is_past_without(has_chosen("ACME", "full"), "stock_orders", "revenue_vote"),
        ),
    ),
    mark(
        "Your five shares brought you 50, a tenth of the revenue each, and the price rose from 47 to 55 because all "
        "of it was paid out. Retained, it would have stayed in the treasury, and the price would have fallen a step."
    ),
    "S 5.4",
)
COMPANY = Lesson(
    "company",
    mark("Vote on a company action"),
    mark("Decide with your shares what a company does with its money."),
    {
        "phase": "company_vote",
        "turn": 2,
        "acting": "ACME",
        "players": {"you": {"cash": 100, "shares": {"ACME": 4}}, "other": {"cash": 100, "shares": {"ACME": 2}}},
        "companies": {
            "ACME": {
                "name": "Acme Industries",
                "price": 47,
                "base_demand": 2,
                "treasury": 300,
                "produced": 3,
                "sold": 2,
                "revenue": 100,
            }
        },
        "sectors": {"industrial": {"consumers": 4}},
    },
    (
        Goal(
            mark("Vote for the small marketing campaign."),
            mark(
                "ACME could make three units and sold only two, because its demand is 2. A campaign costs it 100 and "
                "adds 3 to the demand. You hold four of the six shares that vote."
            ),
            has_demand("ACME", 5),
        ),
    ),
    (
        Slip(
            mark("ACME did something else, or nothing. The small marketing campaign was what it needed to sell more."),
            is_past_without(has_demand("ACME", 5), "company_vote"),
        ),
    ),
    mark(
        "The action with the most votes is carried out, and the company pays for it, not you. With a demand of 5, ACME "
        "can sell all it makes next turn."
    ),
    "S 6.7",
)
HEADLINE = Lesson(
    "headline",
    mark("Pay for a headline"),
    mark("Move the sector of your company ahead of the others."),
    {
        "phase": "start_turn",
        "turn": 2,
        "players": OWNERS,
        "companies": TWO_COMPANIES,
        "headlines": [["energy", 1], ["industrial", 1], ["energy", -1]],
        "sectors": {"energy": {"priority": 1, "consumers": 2}, "industrial": {"priority": 2, "consumers": 2}},
        "pool": 3,
        "options": {"max_sub_rounds": 1},
    },
    (
        Goal(
            mark("Pay for the headline that moves Industrial one place earlier."),
            mark(
                "At the end of a turn the first sector gets its consumers before the second, and few are "
                "left. You own shares of ACME, an Industrial company. The headline costs 30, shared by all "
                "who pay for it."
            ),
            is_first("industrial"),
        ),
    ),
    (
        Slip(
            mark("Industrial is still second. Of the three headlines, only one moves it one place earlier."),
            is_past_without(is_first("industrial"), "start_turn"),
        ),
    ),
    mark(
        "Industrial is first now: it gets its consumers first, and its companies produce first. Nobody sees "
        "what you pledge before the phase closes."
    ),
    "S 1.10",
)
TRANCHE = Lesson(
    "tranche",
    mark("Win a tranche"),
    mark("Vote for a prize that nobody else wants, and give it to your company."),
    {
        "phase": "tranche_vote",
        "turn": 3,
        "players": OWNERS,
        "companies": TWO_COMPANIES,
        "tranches": [
            {"sector": "energy", "cash": 64, "prestige": 1},
            {"sector": "industrial", "cash": 36, "prestige": 1},
        ],
        "sectors": {"industrial": {"consumers": 3}, "energy": {"consumers": 3}},
        "options": {"max_sub_rounds": 1},
    },
    (
        Goal(
            mark("Vote for tranche 2, that of Industrial."),
            mark(
                "You win a tranche if nobody else votes for it. It holds cash, and a prestige token and an "
                "ability for a company of its sector. You own shares of ACME, an Industrial company."
            ),
            either(has_won(2), has_prizes("ACME")),
        ),
        Goal(
            mark("Give the token and the ability to ACME."),
            mark("The cash may go to any player; what you do not give away is yours."),
            has_prizes("ACME"),
        ),
    ),
    (
        Slip(
            mark("You did not vote for tranche 2, so your company does not get its ability."),
            is_past_without(either(has_won(2), has_prizes("ACME")), "tranche_vote"),
        ),
        Slip(
            mark("The token or the ability went to no company and is lost."),
            is_past_without(has_prizes("ACME"), "tranche_vote", "tranche_distribution"),
        ),
    ),
    mark(
        "ACME has a prestige token and the ability now, and you kept the cash. If the other player had voted "
        "for the same tranche, nobody would have won it."
    ),
    "S 7.9",
)
INSOLVENCY = Lesson(
    "insolvency",
    mark("Save an insolvent company"),
    mark("Give a company what it lacks before it goes bankrupt."),
    {
        "phase": "contributions",
        "turn": 3,
        "acting": "ACME",
        "players": {"you": {"cash": 400, "shares": {"ACME": 4}}, "other": {"cash": 300, "shares": {"ACME": 2}}},
        "companies": {
            "ACME": {
                "name": "Acme Industries",
                "status": "insolvent",
                "tier": "startup",
                "price": 47,
                "treasury": 0,
                "base_demand": 2,
            }
        },
        "sectors": {"industrial": {"consumers": 4}},
    },
    (
        Goal(
            mark("Give ACME 200 in cash."),
            mark(
                "ACME has no money left. If its shareholders give it enough, it goes on; if not, it is bankrupt, and "
                "your four shares are lost. The other shareholder gives nothing."
            ),
            either(was_given("ACME", 200), is_active("ACME")),
        ),
        Goal(
            mark("Choose “No more contributions”."),
            mark("ACME has what it needs. The phase closes as soon as nobody wants to give more."),
            is_active("ACME"),
        ),
    ),
    (
        Slip(
            mark("ACME got too little and is bankrupt. What was given is lost, and so are your shares."),
            is_past_without(is_active("ACME"), "contributions"),
        ),
    ),
    mark(
        "What you give is public at once and cannot be taken back. Shares that you give are sold to the "
        "bank, and the price falls a step for each."
    ),
    "S 6.12",
)
LESSONS = (FLOAT, COMPANY, HEADLINE, TRANCHE, SHORT, OPTION, INSOLVENCY)
