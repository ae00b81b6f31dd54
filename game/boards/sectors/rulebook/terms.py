"""The glossary of Sectors, one sentence each: the rulebook shows it in English, cards in German too."""

from __future__ import annotations

from game.boards.rulebook import Term
from game.engine.language import mark, mark_as

TERMS = (
    Term(mark_as("glossary", "ability"), mark("A lasting advantage; one company per sector holds it.")),
    Term(mark_as("glossary", "bank"), mark("The game's money; when it runs out, this turn is the last.")),
    Term(
        mark_as("glossary", "certificate limit, divestment"),
        mark("If you own more shares than this limit at the end of a turn, some are sold at random."),
        ("certificates",),
    ),
    Term(
        mark_as("glossary", "company action"),
        mark("What shareholders can have a company do, such as marketing, expansion or research."),
    ),
    Term(
        mark_as("glossary", "concealed orders"),
        mark("An option of the game: an order shows its company and market first, its details one phase later."),
    ),
    Term(
        mark_as("glossary", "consumer pool"),
        mark("Consumers who are in no sector. Each turn as many leave the pool as the economy score says."),
    ),
    Term(
        mark_as("glossary", "consumers"), mark("Each buys one unit in its sector, then returns to the consumer pool.")
    ),
    Term(
        mark_as("glossary", "contribution"),
        mark("Cash or shares you give to an insolvent company; public, immediate and final."),
    ),
    Term(mark_as("glossary", "cover"), mark("To buy a short's shares at the stock price and free its margin.")),
    Term(
        mark_as("glossary", "deadline"),
        mark("The time at which the open phase closes, even if some players have not submitted."),
    ),
    Term(
        mark_as("glossary", "demand"),
        mark("The units a company can sell in a turn; a sector's demand attracts consumers."),
    ),
    Term(
        mark_as("glossary", "draft"),
        mark("A saved decision; if you submit nothing, it is submitted for you at the deadline."),
    ),
    Term(
        mark_as("glossary", "dropped"),
        mark("A pledge or cover that you could not pay when it resolved; it costs nothing."),
    ),
    Term(
        mark_as("glossary", "economy score"),
        mark("How many consumers leave the pool each turn; rises when every sector pays dividends."),
    ),
    Term(
        mark_as("glossary", "exercise"),
        mark("To collect an option contract's payout; afterwards the stock price rises."),
    ),
    Term(
        mark_as("glossary", "float"),
        mark("A company floats when enough of its IPO is sold; until then it neither operates nor trades."),
    ),
    Term(
        mark_as("glossary", "headline, pledge"),
        mark("A headline moves a sector in sector priority; a pledge helps pay for it."),
    ),
    Term(
        mark_as("glossary", "influence points"),
        mark("Points bid once for player priority; each point you keep becomes a dollar."),
        ("influence bid",),
    ),
    Term(
        mark_as("glossary", "insolvent, shortfall"),
        mark("Out of money: contributions must reach the shortfall, or the company goes bankrupt."),
    ),
    Term(
        mark_as("glossary", "IPO"),
        mark("A company's shares not sold yet, at a fixed price; buying them never moves the stock price."),
    ),
    Term(
        mark_as("glossary", "limit order"),
        mark("Waits until the stock price reaches your limit price; settles next turn at that price."),
    ),
    Term(mark_as("glossary", "margin"), mark("Cash locked while a short is open, half its value; covering frees it.")),
    Term(mark_as("glossary", "market order"), mark("Buys or sells shares in this sub-round, whole or not at all.")),
    Term(
        mark_as("glossary", "net worth"),
        mark("Cash, shares and locked margins, less the cost of covering your shorts; the highest wins."),
    ),
    Term(
        mark_as("glossary", "open market"),
        mark("Where floated shares are traded at the stock price, which this trading moves."),
    ),
    Term(mark_as("glossary", "operating cost"), mark("What a company pays every turn, by its tier."), ("cost",)),
    Term(
        mark_as("glossary", "operating round"),
        mark("The part of a turn in which companies sell, pay dividends and act."),
    ),
    Term(
        mark_as("glossary", "option contract"),
        mark("The right to be paid (stock price − strike) per share, for a premium."),
    ),
    Term(
        mark_as("glossary", "ownership cap"),
        mark("The most of one company you may own by buying: 60%, or 100% if the host chose it."),
    ),
    Term(
        mark_as("glossary", "pace"),
        mark("How long phases last: seconds (Live), 3 minutes (Quick), or up to a day (Daily)."),
    ),
    Term(mark_as("glossary", "pass"), mark("To decide to do nothing in this phase.")),
    Term(
        mark_as("glossary", "permanent, temporary"),
        mark("Permanent demand and supply stay; temporary ones lose 1 every turn."),
    ),
    Term(mark_as("glossary", "phase"), mark("The smallest part of a turn: one decision, or one result to read.")),
    Term(
        mark_as("glossary", "player priority"),
        mark("The players' order for scarce shares and ties; from turn 2, poorest player first."),
    ),
    Term(
        mark_as("glossary", "prestige"),
        mark("Tokens a company earns; they buy sector actions and bonuses of the prestige track."),
        ("prestige track",),
    ),
    Term(
        mark_as("glossary", "price chart"),
        mark("All 79 stock prices from 3 to 600, in five price tiers."),
        ("stock chart",),
    ),
    Term(
        mark_as("glossary", "price tier"),
        mark("A section of the price chart; the higher it is, the more slots a step has."),
    ),
    Term(
        mark_as("glossary", "ready"),
        mark("You need no more time; the phase closes early when every deciding player is ready."),
    ),
    Term(mark_as("glossary", "rejected"), mark("An order that could not fill when it resolved; it costs nothing.")),
    Term(mark_as("glossary", "revealed"), mark("Shown to everybody: bids, orders or votes that were sealed.")),
    Term(
        mark_as("glossary", "revenue"),
        mark("Units sold × unit price; shareholders vote to pay it out or retain it in the treasury."),
        ("revenue vote",),
    ),
    Term(mark_as("glossary", "sealed"), mark("Nobody else sees it until it is revealed.")),
    Term(
        mark_as("glossary", "sector priority"),
        mark("The order in which sectors get consumers; headlines change it."),
        ("priority",),
    ),
    Term(
        mark_as("glossary", "short"),
        mark("Borrowed shares that you sold; you profit if you can cover at a lower price."),
    ),
    Term(
        mark_as("glossary", "slot"), mark("Each share of net buying fills a slot; full slots raise the price one step.")
    ),
    Term(mark_as("glossary", "step"), mark("One move up or down on the price chart.")),
    Term(
        mark_as("glossary", "stock price"),
        mark("What one share costs on the open market; always a price on the chart."),
        ("share price", "price"),
    ),
    Term(
        mark_as("glossary", "stock round"),
        mark("The part of a turn in which players order shares and stock prices move."),
    ),
    Term(
        mark_as("glossary", "strike, premium, term"),
        mark("A contract pays above its strike price, costs its premium, and lasts for its term in turns."),
    ),
    Term(
        mark_as("glossary", "sub-round"),
        mark("Part of a stock round in which each player may place one order; it repeats."),
    ),
    Term(
        mark_as("glossary", "submit"),
        mark("To enter a decision so that it counts; you can change it until the phase closes."),
    ),
    Term(mark_as("glossary", "supply"), mark("The units a company can make in a turn.")),
    Term(
        mark_as("glossary", "gap"),
        mark("Gap between supply and demand: 0 halves the operating cost, 2 or more lowers the price."),
    ),
    Term(
        mark_as("glossary", "tier of a company"),
        mark("Incubator to Titan: sets supply, operating cost, number of actions and shortfall."),
    ),
    Term(
        mark_as("glossary", "tranche"),
        mark("A prize (cash, ability, sometimes prestige) for the only player who votes for it."),
    ),
    Term(mark_as("glossary", "treasury"), mark("A company's own money; it pays operating costs and company actions.")),
    Term(mark_as("glossary", "turn"), mark("One full cycle of phases; a game lasts 8 to 23 turns.")),
    Term(
        mark_as("glossary", "unit price"),
        mark("What a company charges for one unit; the cheapest company sells first."),
    ),
    Term(mark_as("glossary", "Veto"), mark("A company action: do nothing, and pay half the next operating cost.")),
    Term(mark_as("glossary", "vote ahead"), mark("To vote now for a company that votes later this turn.")),
    Term(mark_as("glossary", "withdraw"), mark("To remove what you submitted while its phase is still open.")),
)
