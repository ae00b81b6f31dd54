"""What is stored comes back as it was, and events are read by those they name."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
import zstandard

from game.engine.codec import Damaged, compress, decompress, seal
from game.engine.effects import Registry
from game.engine.events import PhaseOpened, read_events
from game.engine.phrases import thousands
from tests.engine.toy import TOY, Answer, Given, Say, Whispered, begin


def test_state_inputs_actions_and_events_come_back_as_they_were() -> None:
    state, codec = begin().position.state, TOY.codec
    inputs = {1: {"say": Say(actor=1, number=3), "b": Answer(actor=1, to="b", ready=True)}}
    events = [Given(seat=0, amount=4), Whispered(audience=(1,), seat=1)]
    assert codec.decode_state(decompress(codec.pack(state))) == state
    assert codec.decode_inputs(decompress(codec.pack(inputs))) == inputs
    assert codec.unpack_action(codec.pack(inputs[1]["b"])) == inputs[1]["b"]
    assert codec.decode_events(codec.encode_events(events)) == events


def test_a_copy_is_private() -> None:
    state = begin().position.state
    copy = TOY.codec.copy(state)
    copy.heard.append("only here")
    copy.ledger.cash["bank"] = 1
    assert copy != state
    assert TOY.codec.encode(state) == TOY.codec.encode(begin().position.state)


def test_a_damaged_snapshot_is_not_taken() -> None:
    packed = TOY.codec.pack({"seats": "two"})
    with pytest.raises(msgspec.ValidationError):
        TOY.codec.decode_state(decompress(packed))


def test_a_few_bytes_that_would_take_the_whole_memory_are_damaged() -> None:
    """As in a backup that somebody prepared: their checksum is right."""
    chunk, chunks = bytes(1 << 20), 512
    packer = zstandard.ZstdCompressor().compressobj(size=chunks * len(chunk))
    packed = seal(b"".join([*(packer.compress(chunk) for _ in range(chunks)), packer.flush()]))
    assert len(packed) < 1 << 17
    with pytest.raises(Damaged, match="larger than anything"):
        decompress(packed)


def test_threads_that_pack_at_once_do_not_mix_their_bytes() -> None:
    plain = [" ".join(map(str, range(number, 20_000 + number))).encode() for number in range(8)]

    def comes_back(number: int) -> bool:
        return all(decompress(compress(plain[number])) == plain[number] for _ in range(60))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(comes_back, range(8)))


def test_events_are_read_by_those_they_name() -> None:
    secret, public = Whispered(audience=(1,), seat=1), Given(seat=0, amount=4)
    assert read_events([secret, public], 1) == [secret, public]
    assert read_events([secret, public], 0) == [public]
    assert read_events([secret, public], None) == [public]


def test_an_event_reads_as_a_sentence_with_names_and_figures() -> None:
    names = ["Ada", "Bob"].__getitem__
    given = Given(seat=1, amount=4)
    assert (given.sentence(names), given.figure(names), given.seats()) == ("Bob gave.", "+4", (1,))
    assert (Given(seat=1, amount=2181).figure(names), thousands(-1500)) == ("+2,181", "−1,500")
    opened = PhaseOpened(serial=1, turn=1, phase="numbers", number="1", title="Numbers")
    assert (opened.sentence(names), opened.seats()) == ("1 Numbers", ())


def test_an_effect_is_declared_once() -> None:
    registry: Registry[str] = Registry()
    registry.add("loan", "Loan")
    with pytest.raises(ValueError, match="loan is declared twice"):
        registry.add("loan", "Loan")
    assert (list(registry), registry["loan"], len(registry)) == (["loan"], "Loan", 1)
