"""The site speaks of no game: the nouns that a board declares stand in that game's own folders alone."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.architecture.test_games import GAMES, ROOT

SHELL = ("game", "accounts", "sectors_site", "templates")
TEXT = {".py", ".html", ".txt"}
# Sectors does not declare `sector`: it gave its name to the site, its settings and its addresses.
REGISTRIES = ("game/rulesets/registry.py", "game/boards/registry.py")  # they list every game by its name


def nouns_of(game: str) -> tuple[str, ...]:
    nouns: tuple[str, ...] = import_module(f"game.boards.{game}").NOUNS
    return nouns


def is_of_a_game(place: Path) -> bool:
    """`game/boards/KEY`, `game/rulesets/KEY`, `templates/jinja/boards/KEY`."""
    pairs = zip(place.parts, place.parts[1:], strict=False)
    return any(folder in {"boards", "rulesets"} and inner in GAMES for folder, inner in pairs)


def shell() -> Iterator[Path]:
    """Migrations are left out, because they say what was; translations, because each lies beside its texts."""
    for top in SHELL:
        for file in sorted((ROOT / top).rglob("*")):
            place = file.relative_to(ROOT)
            is_left_out = is_of_a_game(place) or "migrations" in place.parts or place.as_posix() in REGISTRIES
            if file.suffix in TEXT and not is_left_out:
                yield place


def mentions(text: str, nouns: tuple[str, ...]) -> list[str]:
    """The nouns in a text, singular or plural, as words or as parts of a name: `unit_price`, `IPOs`, `TileRow`."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)
    either = "|".join(re.escape(noun).replace(r"\ ", r"[\s_-]+").removesuffix("y") for noun in nouns)
    return [found[0] for found in re.finditer(rf"(?i)(?<![a-z])(?:{either})(?:s|es|y|ies)?(?![a-z])", apart)]


@pytest.mark.parametrize("game", GAMES)
def test_the_shell_uses_no_noun_of_a_game(game: str) -> None:
    nouns = nouns_of(game)
    found = {place: mentions((ROOT / place).read_text(encoding="utf-8"), nouns) for place in shell()}
    assert not {str(place): words for place, words in found.items() if words}


def test_every_noun_is_used_by_its_game() -> None:
    """A noun that its game does not use guards nothing."""
    for game in GAMES:
        folders = [ROOT / "game" / part / game for part in ("boards", "rulesets")]
        texts = [file.read_text(encoding="utf-8") for folder in folders for file in folder.rglob("*.py")
                 if file != ROOT / "game" / "boards" / game / "__init__.py"]  # fmt: skip
        own = "\n".join(texts)
        assert not [noun for noun in nouns_of(game) if not mentions(own, (noun,))], game


def test_a_noun_is_found_in_words_and_in_names() -> None:
    nouns = ("IPO", "unit price", "bankruptcy", "tile")
    text = "def ipo_price(tiles): # Unit prices\n class TileRow: bankruptcies\n periposts, reptile, unit, textile"
    assert mentions(text, nouns) == ["ipo", "tiles", "Unit prices", "Tile", "bankruptcies"]


def test_the_shell_is_read() -> None:
    places = {place.as_posix() for place in shell()}
    assert {"game/lobby/showcase.py", "game/boards/base.py", "templates/jinja/_sprite.html"} < places
    assert not {place for place in places if "boards/sectors" in place or "rulesets/power_up" in place}
