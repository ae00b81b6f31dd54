"""The rulebook of Stock Market Tycoon: how to play on one screen, the words, and where to begin."""

from __future__ import annotations

from game.boards.rulebook import Line, Numbering, Rulebook, Start, Term, Turn, Variant
from game.engine.language import mark, mark_as, say
from game.rulesets.stock_market_tycoon import tables

TITLES = {
    "trader": mark("A year in seven lines"),
    "investor": mark("A year in eight lines"),
    "strategist": mark("A year in ten lines"),
}


def turn_of(mode: str) -> Turn:
    """A year by the rules of one mode, line by line."""
    aim = say(
        "Each year a few cards move the prices of six companies. Everybody knows some of them, nobody knows all. After "
        "the last year the highest net worth wins: cash and shares at their prices."
    )
    return Turn(aim, (*_before(), *_risks(mode), *_after()), say(TITLES[mode]))


def _before() -> tuple[Line, ...]:
    hand = say("You get {n} cards a year. Those of a company show what you know of its next price.", n=tables.HAND_SIZE)
    buying = say(
        "Whole lots at the current price. After the first purchase of a company in a year, your own cards of it must "
        "add up to 0 or more."
    )
    return (
        Line(say("Read your hand."), hand, "ST 1.3"),
        Line(
            say("Take one action, or pass."),
            say("Three times a year everybody does one thing, the dealer last."),
            "ST 3",
        ),
        Line(say("Buy."), buying, "ST 4.1"),
        Line(say("Sell."), say("As many of your shares as you like. Trading never moves a price."), "ST 4.2"),
        Line(
            say("Play a card."),
            say("Loan, Debenture and Rights cards are played in a turn; each says what it does."),
            "ST 4.3",
        ),
    )


def _risks(mode: str) -> tuple[Line, ...]:
    if mode == "trader":
        return ()
    short = say("Bet that a price falls: you gain or lose the difference at the end of the year.")
    option = say("A call gains from a rise, a put from a fall; at worst the premium is lost.")
    lead = say("Directors and Chairmen declare dividends, and Chairmen buy back shares of the others.")
    lines = (
        Line(say("Sell short."), short, "ST 4.7"),
        Line(say("Buy an option."), option, "ST 4.8"),
        Line(say("Lead a company."), lead, "ST 4.9"),
    )
    return lines if mode == "strategist" else lines[:1]


def _after() -> tuple[Line, ...]:
    office = say("With many shares you become Director, who may withhold a card, or Chairman, who may strike one.")
    end = say("All price cards are shown, and each price moves by the sum of its cards.")
    return Line(say("Take office."), office, "ST 4.12"), Line(say("See the year end."), end, "ST 5")


TERMS = (
    Term(
        mark_as("glossary", "bankrupt"),
        mark("Out of the game: shares, cash and cards are gone, and the others play on."),
    ),
    Term(
        mark_as("glossary", "buyback"),
        mark("A Chairman’s offer to buy the others’ shares; what is bought leaves the game."),
        only=("strategist",),
    ),
    Term(
        mark_as("glossary", "call"),
        mark("An option that gains what the price ends above its strike price."),
        only=("strategist",),
    ),
    Term(
        mark_as("glossary", "Chairman"),
        mark("The player who first reached the Chairman’s threshold of a company and has not fallen below it."),
    ),
    Term(mark_as("glossary", "dealer"), mark("The player who acts last in a year; next year the next player deals.")),
    Term(
        mark_as("glossary", "debt"),
        mark("What you owe the bank after a loss; it is due in your first turn of the next year."),
        only=("investor", "strategist"),
    ),
    Term(
        mark_as("glossary", "Director"),
        mark("The player with the most shares, at least the Director’s threshold, who is not the Chairman."),
    ),
    Term(mark_as("glossary", "face value"), mark("The price of a company at the start of the game.")),
    Term(mark_as("glossary", "hand"), mark("Your cards of the year; only you see them.")),
    Term(mark_as("glossary", "lot"), mark("A thousand shares. Purchases are in whole lots.")),
    Term(mark_as("glossary", "net worth"), mark("Cash and shares at their current prices.")),
    Term(
        mark_as("glossary", "outstanding"),
        mark("All shares of a company, sold or not, except those retired by buybacks."),
        only=("strategist",),
    ),
    Term(
        mark_as("glossary", "premium"),
        mark("What an option costs, in percent of its strike value."),
        only=("strategist",),
    ),
    Term(mark_as("glossary", "price card"), mark("A card that moves the price of its company at the end of the year.")),
    Term(
        mark_as("glossary", "put"),
        mark("An option that gains what the price ends below its strike price."),
        only=("strategist",),
    ),
    Term(
        mark_as("glossary", "short sale"),
        mark("A sale of shares you do not hold; it gains when the price ends lower and loses when it ends higher."),
        only=("investor", "strategist"),
    ),
    Term(mark_as("glossary", "strike"), mark("A Chairman’s right to cancel one card of the company that was shown.")),
    Term(mark_as("glossary", "sub-round"), mark("One turn of every player; a year has three.")),
    Term(
        mark_as("glossary", "tender"),
        mark("How many shares a holder secretly offers to a buyback."),
        only=("strategist",),
    ),
    Term(
        mark_as("glossary", "withhold"),
        mark("A Director’s right to keep one of their own cards of the company unseen; it does not count."),
    ),
)

STOCK_MARKET_TYCOON_RULEBOOK = Rulebook(
    key="stock_market_tycoon",
    title="Stock Market Tycoon",
    numbering=Numbering(r"ST \d+(?:\.\d+)?|T-\d+"),
    option="mode",
    option_title=mark("Mode"),
    variants=(
        Variant(
            key="trader",
            title=mark("Trader"),
            means=mark("Where to begin"),
            text=mark("Purchases, sales and cards, and the Directors and Chairmen who can change what the cards do."),
        ),
        Variant(
            key="investor",
            title=mark("Investor"),
            means=mark("With risk"),
            text=mark("All this, and short sales, which can leave a player in debt."),
        ),
        Variant(
            key="strategist",
            title=mark("Strategist"),
            means=mark("The whole game"),
            text=mark("All this, and options, premiums, dividends and buybacks."),
        ),
    ),
    turn=turn_of,
    lists=("Decisions",),
    terms=TERMS,
    appendix="The draws",
    starts=(
        Start(mark("A year"), "ST 3"),
        Start(mark("When you may buy"), "ST 4.1"),
        Start(mark("Directors and Chairmen"), "ST 4.12"),
        Start(mark("The end of a year"), "ST 5"),
    ),
    index={
        "ST 1.4": "starting cash, variant",
        "ST 1.5": "lot",
        "ST 2": "dealer",
        "ST 3": "plan, trading, list",
        "ST 4.7": "short, short sale",
        "ST 4.8": "call, put, strike price",
        "ST 4.10": "tender",
        "ST 4.11": "withhold, strike, suspension",
        "ST 4.12": "Director, Chairman",
        "ST 5": "currency, price, bankrupt",
        "ST 6": "game end, winner, win, net worth",
        "ST 8": "deadline, caretaker",
    },
    example="Chairman, ST 4.1, T-7",
)
