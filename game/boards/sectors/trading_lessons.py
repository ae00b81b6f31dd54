"""The lessons of Sectors about shorts and options."""

from __future__ import annotations

from game.boards.lessons import Goal, Lesson, Slip
from game.boards.sectors.goals import both, has_contract, has_covered, has_shorted, is_past, is_past_without, no
from game.engine.language import mark

SOUND = {"base_demand": 3, "treasury": 300}  # a company that sells all it makes, so that its price stays
TWO_COMPANIES = {
    "ACME": {"name": "Acme Industries", "price": 47, "ipo": 3, "market": 4, **SOUND},
    "SOLAR": {"name": "Solar Fields", "sector": "energy", "price": 80, "ipo": 3, "market": 4, **SOUND},
}
TRADING = {
    "phase": "stock_orders",
    "turn": 3,
    "players": {"you": {"cash": 400}, "other": {"cash": 300, "shares": {"ACME": 3, "SOLAR": 3}}},
    "companies": TWO_COMPANIES,
    "sectors": {"industrial": {"consumers": 4}, "energy": {"consumers": 4}},
    "options": {"max_sub_rounds": 1},
}

SHORT = Lesson(
    "short",
    mark("Sell short and cover"),
    mark("Earn when a price falls, with shares that you do not own."),
    {
        **TRADING,
        "orders": [{"player": "you", "kind": "short", "company": "ACME", "side": "sell", "quantity": 3, "price": 60}],
    },
    (
        Goal(
            mark("Order a short of SOLAR."),
            mark(
                "A short sells shares that you borrow. You pay for them later, when you buy them back. Order one if "
                "you think that the price of SOLAR, now 80, will fall."
            ),
            has_shorted("SOLAR"),
            {"kind": "short_order", "company": "SOLAR", "quantity": 1},
        ),
        Goal(
            mark("Cover your short of ACME."),
            mark(
                "You sold three borrowed shares of ACME at 60, and the price is 47 now. To cover is to buy them back: "
                "the difference is yours."
            ),
            has_covered("ACME"),
        ),
    ),
    (
        Slip(
            mark("You ordered no short of SOLAR. “Short” is at the top of the order ticket."),
            is_past_without(has_shorted("SOLAR"), "stock_orders"),
        ),
        Slip(
            mark("Your short of ACME is still open. It costs interest each turn, and the price may rise again."),
            is_past_without(has_covered("ACME"), "stock_orders", "cover_shorts"),
        ),
    ),
    mark(
        "Covering cost less than the shares had brought, and the margin that was locked is yours again. Had the "
        "price risen, you would have paid the difference."
    ),
    "S 5.6",
)
OPTION = Lesson(
    "option",
    mark("Buy and exercise an option"),
    mark("Pay a premium now and earn when a price rises."),
    {
        **TRADING,
        "contracts": [
            {"company": "ACME", "strike": 35, "premium": 10, "term": 3, "owner": "you"},
            {"company": "SOLAR", "strike": 86, "premium": 20, "term": 3},
        ],
    },
    (
        Goal(
            mark("Buy the contract on SOLAR."),
            mark(
                "It costs a premium of 20. Once the price of SOLAR is above the strike of 86, it pays the difference, "
                "for each of its shares."
            ),
            has_contract("SOLAR"),
            {"kind": "option_order", "contract": 2},
        ),
        Goal(
            mark("Exercise the contract on ACME."),
            mark("Your contract on ACME has a strike of 35, and the price is 47: it pays 12 for each share."),
            no(has_contract("ACME")),
        ),
    ),
    (
        Slip(
            mark("You did not buy the contract. “Option” is at the top of the order ticket."),
            is_past_without(has_contract("SOLAR"), "stock_orders"),
        ),
        Slip(
            mark("You kept the contract on ACME. It can be exercised once in each turn until it expires."),
            both(has_contract("ACME"), is_past("stock_orders", "exercise_options")),
        ),
    ),
    mark(
        "The bank paid you 12 for each of three shares, and the price rose by the bonus of the contract. The "
        "contract on SOLAR pays once its price is above 86."
    ),
    "S 5.7",
)
