"""What is stored and comes back with a flipped bit is noticed; the game is held, and restored from its log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
import zstandard

from game.engine.codec import Damaged
from game.history import archive
from game.store.game import Game
from game.store.log import LoggedAction, PackedSnapshots
from game.store.packing import unpack_snapshot, unpack_snapshots
from tests.tables import READY, at_phase, fresh, new_game, send, steps_to_the_end

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
SAMPLE = 400
COLUMNS = ("schema", "phase_row", "phase_serial", "phase_step", "branch", "turn")


@pytest.fixture
def game() -> Game:
    """In its second phase with orders, one of them sealed."""
    game = at_phase(new_game("ada", "bob", bots=1), "stock_orders")
    ticker = next(iter(game.load_position().state.companies))
    order = {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 2}
    send(game, 0, order)
    return fresh(game)


def flips(stored: bytes) -> Iterator[bytes]:
    """Every bit of what is stored, or a sample of them, flipped by itself; the first bytes are always among them."""
    bits = range(len(stored) * 8)
    for bit in {*bits[:160], *Random(7).sample(bits, min(SAMPLE, len(bits)))}:
        yield flipped(stored, bit)


def flipped(stored: bytes, bit: int) -> bytes:
    changed = bytearray(stored)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def assert_noticed(stored: bytes, read: Callable[[bytes], Any]) -> None:
    """Whatever bit is flipped, what is read is refused as damaged and nothing else."""
    read(stored)
    for changed in flips(stored):
        with pytest.raises(Damaged):
            read(changed)


@pytest.mark.parametrize("column", ["options", "timing", "ruleset", "secret", "past_secrets"])
def test_what_a_game_was_started_with_does_not_change_without_a_word(game: Game, column: str) -> None:
    changes: dict[str, Any] = {
        "options": game.options | {"starting_cash": 1 + game.options["starting_cash"]},
        "timing": {"lengths": {"decision": 1 + 3600}},
        "ruleset": "power_up",
        "secret": "0" * 64,
        "past_secrets": [[3, "0" * 64]],
    }
    Game.objects.filter(pk=game.pk).update(**{column: changes[column]})
    with pytest.raises(Damaged, match=r"differ from those it was started with|options of the game cannot be read"):
        fresh(game).load_position()


def test_a_game_stored_before_its_fixed_columns_had_a_checksum_is_read(game: Game) -> None:
    timing = {"lengths": {"decision": 7200}}
    Game.objects.filter(pk=game.pk).update(fixed_sum=b"", secret="0" * 64, rules_sum=b"", timing=timing)
    assert fresh(game).load_position().cursor == game.load_position().cursor


@pytest.mark.parametrize("column", ["state", "inputs"])
def test_no_flipped_bit_of_a_stored_position_loads_without_a_word(game: Game, column: str) -> None:
    def read(stored: bytes) -> None:
        setattr(game, column, stored)
        game.load_position()

    assert_noticed(bytes(getattr(game, column)), read)


@pytest.mark.parametrize("column", COLUMNS)
def test_no_flipped_bit_of_a_position_s_plain_columns_loads_without_a_word(game: Game, column: str) -> None:
    was = getattr(game, column)
    for bit in range(15):
        setattr(game, column, was ^ 1 << bit)
        with pytest.raises(Damaged):
            game.load_position()


@pytest.mark.parametrize(
    ("column", "value"),
    [("trail", [0]), ("ready", [1]), ("reviews", True), ("seat_states", ["ready", "ready", "ready"])],
)
def test_a_position_s_lists_are_covered_as_well(game: Game, column: str, value: Any) -> None:
    setattr(game, column, value)
    with pytest.raises(Damaged):
        game.load_position()


def test_no_flipped_bit_of_a_logged_action_or_a_snapshot_reads_without_a_word(game: Game) -> None:
    snapshot = game.log.exclude(snapshot=None).last().snapshot
    assert_noticed(bytes(snapshot), unpack_snapshot)
    action = game.log.exclude(action=None).last().action
    assert_noticed(bytes(action), game.rules.codec.unpack_action)


def test_no_flipped_bit_of_logged_events_reads_without_a_word(game: Game) -> None:
    entry = game.log.exclude(events="").last()
    assert_noticed(entry.events.encode(), lambda text: game.rules.codec.decode_events(text.decode(errors="replace")))


def test_no_flipped_bit_of_packed_snapshots_reads_without_a_word(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = new_game("ada", bots=1, max_turns=2)
    for _ in steps_to_the_end(game):
        pass
    assert archive.archive_game(game_id=game.pk)
    assert_noticed(bytes(PackedSnapshots.objects.filter(game=game)[0].packed), unpack_snapshots)


def without_checksums(game: Game) -> Game:
    """The game as it was stored before there were checksums."""
    codec, position, press = game.rules.codec, game.load_position(), zstandard.ZstdCompressor().compress
    state, inputs = press(codec.encode(position.state)), press(codec.encode(position.pending))
    Game.objects.filter(pk=game.pk).update(state=state, inputs=inputs)
    for entry in game.log.all():
        entry.game = game
        stored = entry.read_stored()
        if entry.action:
            entry.action = press(codec.encode(entry.read_action()))
        if stored:
            stored = msgspec.structs.replace(stored, state=press(stored.state), inputs=press(stored.inputs))
            entry.snapshot = msgspec.msgpack.encode(stored)
        entry.events = entry.events.partition("\n")[0]
        entry.save()
    return fresh(game)


def everything_read(game: Game) -> list[Any]:
    entries = LoggedAction.objects.filter(game=game).select_related("game").order_by("number")
    past = [(entry.read_action(), entry.read_all_events(), entry.read_snapshot()) for entry in entries]
    return [game.load_position(), *past]


def test_what_was_stored_before_there_were_checksums_is_read_and_sealed_by_the_next_move(game: Game) -> None:
    before = everything_read(game)
    old = without_checksums(game)
    assert everything_read(old) == before
    send(old, 1, READY)
    now = fresh(old)
    now.ready = []
    with pytest.raises(Damaged):
        now.load_position()
