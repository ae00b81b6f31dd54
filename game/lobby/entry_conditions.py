"""What a game requires of players who join: whether it is rated, and their minimum reliability."""

from __future__ import annotations

from game.engine.language import say
from game.reputation.reliability import KNOWN_FROM
from game.store.game import Game


def terms_of(game: Game) -> tuple[str, ...]:
    """The conditions as labels, for a row of a list."""
    terms = (say("Rated"),) if game.is_rated else ()
    if not game.least_reliability:
        return terms
    return (*terms, say("reliability from {least}%", least=game.least_reliability))


def terms_words(game: Game) -> str:
    """The conditions as sentences, for the game's own page; empty if there are none."""
    sentences = []
    if game.is_rated:
        sentences.append(say("This game is rated: its result changes the ratings of all who had a seat when it began."))
    if game.least_reliability:
        minimum = say("Players need a reliability of at least {least}%.", least=game.least_reliability)
        newcomers = (
            say("Players with fewer than {known} decisions are welcome too.", known=KNOWN_FROM)
            if game.welcomes_newcomers
            else say("Players with fewer than {known} decisions cannot join yet.", known=KNOWN_FROM)
        )
        sentences += [minimum, newcomers]
    return " ".join(sentences)
