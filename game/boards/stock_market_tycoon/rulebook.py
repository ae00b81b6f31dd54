"""The rulebook of Stock Market Tycoon: how to play on one screen, the words, and where to begin."""

from __future__ import annotations

from game.boards.rulebook import Line, Numbering, Rulebook, Start, Term, Turn, Variant
from game.engine.language import mark
from game.engine.phrases import thousands
from game.rulesets.stock_market_tycoon import tables

AIM = (
    "Each year a few cards move the prices of six companies. Everybody knows some of them, nobody all. After the last "
    "year the highest net worth wins: cash and shares at their prices."
)
BEFORE = (
    Line(
        "Read your hand.",
        f"You get {tables.HAND_SIZE} cards a year. Those of a company show what you know of its next price.",
        "ST 1.3",
    ),
    Line("Take your turn.", "Three times a year everybody does one thing, the dealer last.", "ST 3"),
    Line(
        "Buy.",
        "Whole lots at the price of the moment. After the first purchase of a company in a year, your own cards of it "
        "must add up to 0 or more.",
        "ST 4.1",
    ),
    Line("Sell.", "As many of your shares as you like. Trading never moves a price.", "ST 4.2"),
    Line("Play a card.", "Loan, Debenture and Rights are played in a turn and do what they say.", "ST 4.3"),
)
SHORT = Line("Sell short.", "Bet that a price falls: you gain or lose the difference at the end of the year.", "ST 4.7")
OPTION = Line("Buy an option.", "A call gains from a rise, a put from a fall; at worst the premium is lost.", "ST 4.8")
LEAD = Line(
    "Lead a company.", "Directors and Chairmen declare dividends, and Chairmen buy back shares of the others.", "ST 4.9"
)
AFTER = (
    Line(
        "Take office.",
        "Many shares make you Director, who may withhold a card, or Chairman, who may strike one.",
        "ST 4.12",
    ),
    Line("See the year end.", "All price cards are shown, and each price moves by the sum of its cards.", "ST 5"),
)
TURNS = {
    "trader": Turn(AIM, (*BEFORE, *AFTER), "A year in seven lines"),
    "investor": Turn(AIM, (*BEFORE, SHORT, *AFTER), "A year in eight lines"),
    "strategist": Turn(AIM, (*BEFORE, SHORT, OPTION, LEAD, *AFTER), "A year in ten lines"),
}
TERMS = (
    Term("bankrupt", "Who is out of the game: shares, cash and cards are gone, and the others play on."),
    Term(
        "buyback",
        "A Chairman’s offer to buy the others’ shares; what is bought leaves the game.",
        only=("strategist",),
    ),
    Term("call", "An option that gains what the price ends above its strike price.", only=("strategist",)),
    Term("Chairman", "Who reached the Chairman’s threshold of a company first, and still is there."),
    Term("dealer", "Who acts last in a year; the next player deals in the next one."),
    Term(
        "debt",
        "What a loss left you owing the bank; it is due in your first turn of the next year.",
        only=("investor", "strategist"),
    ),
    Term("Director", "The largest holder at the Director’s threshold who is not the Chairman."),
    Term("face value", "The price of a company at the start of the game."),
    Term("hand", "Your cards of the year; only you see them."),
    Term("lot", f"{thousands(tables.LOT)} shares. What is bought comes in whole lots."),
    Term("net worth", "Cash and shares at their prices."),
    Term("outstanding", "The shares of a company that buybacks have not retired, sold or not.", only=("strategist",)),
    Term("premium", "What an option costs, in percent of its strike value.", only=("strategist",)),
    Term("price card", "A card that moves the price of its company at the end of the year."),
    Term("put", "An option that gains what the price ends below its strike price.", only=("strategist",)),
    Term(
        "short sale",
        "A sale of shares you do not hold; it gains when the price ends lower and loses when it ends higher.",
        only=("investor", "strategist"),
    ),
    Term("strike", "A Chairman’s right to cancel one card of the company that was shown."),
    Term("sub-round", "One turn of every player; a year has three."),
    Term("tender", "How many shares a holder secretly offers to a buyback.", only=("strategist",)),
    Term("withhold", "A Director’s right to keep one own card of the company unseen; it does not count."),
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
            text=mark("Purchases, sales and cards, and the Directors and Chairmen who meddle with them."),
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
    turn=TURNS.__getitem__,
    lists=("Decisions",),
    terms=TERMS,
    appendix="The draws",
    starts=(
        Start(mark("A year"), "ST 3"),
        Start(mark("When you may buy"), "ST 4.1"),
        Start(mark("Directors and Chairmen"), "ST 4.12"),
        Start(mark("The end of a year"), "ST 5"),
    ),
    example="Chairman, ST 4.1, T-7",
)
