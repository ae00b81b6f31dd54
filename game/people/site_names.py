"""The words that the site itself prints in place of the name of a seat, a player or an account in the ledger: nobody
may have such a name. Texts with the context `seat` are such names, in every language."""

from collections.abc import Iterator, Mapping

from django.conf import settings

from accounts.languages import CONTEXT_SEPARATOR, translations_of
from game.boards.registry import BOARDS
from game.history.ledger import OTHER_ACCOUNTS
from game.lobby.guests import DEMO_NAME
from game.store.game import name_of_seat
from game.store.readers import BOT_NAMES

SEAT_CONTEXT = f"seat{CONTEXT_SEPARATOR}"
SEAT_WORD = name_of_seat(None, "", 0).partition(" ")[0]  # the number next to it does not count
OF_OTHERS = (SEAT_WORD, *OTHER_ACCOUNTS.values())


def site_names() -> Iterator[str]:
    """Every name of the site, in English and in all translations."""
    yield DEMO_NAME
    yield from BOT_NAMES
    yield from (f"{name} bot" for name in BOT_NAMES)
    yield from OF_OTHERS
    for code, _ in settings.LANGUAGES:
        texts = translations_of(code).texts
        yield from (texts[name] for name in OF_OTHERS if name in texts)
        yield from (f"{level} bot" for level in _filled("{level}", texts))
        for key in (key for key in texts if key.startswith(SEAT_CONTEXT)):
            yield from _filled(key.removeprefix(SEAT_CONTEXT), {})
            yield from _filled(texts[key], texts)


def _filled(text: str, texts: Mapping[str, str]) -> Iterator[str]:
    """The text as it may be printed: with the title or the key of every bot."""
    if "{level}" not in text:
        yield text
        return
    for board in BOARDS.values():
        for bot in board.rules.bots:
            yield text.format(level=bot)
        for level in board.levels:
            yield text.format(level=texts.get(level.title, level.title))
