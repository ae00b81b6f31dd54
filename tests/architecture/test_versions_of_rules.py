"""Whoever changes rules keeps a game of the rules before: as it was stored, for the tests to read and play on."""

from tests.store.stored_games import kept, shipped


def test_a_game_of_every_version_and_shape_of_the_rules_is_kept() -> None:
    """`SECTORS_HOME=$(mktemp -d) DJANGO_SETTINGS_MODULE=tests.settings python -m tests.store.stored_games` stores one
    of
    today's."""
    missing = []
    for today in shipped():
        games = [game for game in kept() if game.ruleset == today.ruleset]
        missing += [] if today in games else [str(today)]
        for what, last in (("version", today.version), ("schema", today.schema)):
            found = {getattr(game, what) for game in games}
            missing += [f"{today.ruleset}, {what} {number}" for number in range(1, last + 1) if number not in found]
    assert not missing


def test_no_game_is_kept_of_rules_that_never_were() -> None:
    known = {today.ruleset: today for today in shipped()}
    for game in kept():
        today = known[game.ruleset]
        assert game.version <= today.version, game
        assert game.schema <= today.schema, game
