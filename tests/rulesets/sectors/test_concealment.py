"""What others see of an order, and when. (*reveal*, *secrets*, A5)"""

from game.engine.events import DecisionMissed
from tests.rulesets.sectors.table import Table


def test_orders_are_sealed_then_located_then_revealed(market: Table) -> None:
    """*reveal*: phase 10 tells who ordered in which company and where; all the rest comes with phase 11."""
    market.with_(reviews=True)
    market.ada.limits("sell", "ACME", 4, 43)
    market.bob.sells("ACME", 2)
    for viewer in ("bob", "cid", None):
        assert [o for o in market.view(viewer).orders if o.seat == 0] == []
    market.clock_runs_out()
    assert market.phase == "order_review"
    for viewer in ("cid", None):
        for order in market.view(viewer).orders:
            assert (order.company, order.location, order.status) == ("ACME", "market", "pending")
            hidden = (order.kind, order.side, order.quantity, order.price, order.contract, order.paid, order.margin)
            assert hidden == (None,) * 7
    own = next(order for order in market.view("ada").orders if order.seat == 0)
    assert (own.kind, own.side, own.quantity, own.price) == ("limit", "sell", 4, 43)
    market.clock_runs_out()
    assert market.phase == "order_reveal"
    seen = {o.seat: (o.kind, o.side, o.quantity, o.price) for o in market.view().orders}
    assert seen == {0: ("limit", "sell", 4, 43), 1: ("market", "sell", 2, 0)}


def test_the_number_of_an_order_does_not_betray_its_kind(market: Table) -> None:
    """*reveal*: whatever the kinds, numbers and the log's order follow the seats."""
    market.with_(reviews=True)
    market.ada.wants(1)
    market.bob.shorts("ACME", 1)
    market.cid.buys("ACME", 1)
    market.clock_runs_out()
    orders = market.view().orders
    assert [order.seat for order in orders] == [0, 1, 2]
    assert [order.id for order in orders] == sorted(order.id for order in orders)
    assert [event.seat for event in market.events("order_located")] == [0, 1, 2]


def test_events_of_sealed_orders_are_for_their_owner(market: Table) -> None:
    """*secrets*."""
    market.ada.shorts("ACME", 1)
    market.clock_runs_out()
    sealed = market.events("order_sealed")
    assert [(event.seat, event.audience) for event in sealed] == [(0, (0,))]
    assert {event.audience for event in market.told if event.audience and not isinstance(event, DecisionMissed)} == {
        (0,)
    }


def test_a_sealed_order_changes_nothing_for_the_others(market: Table) -> None:
    """*secrets*: but that there is one."""
    before = {viewer: market.view(viewer) for viewer in ("bob", None)}
    market.ada.shorts("ACME", 3)
    for viewer, seen in before.items():
        now = market.view(viewer)
        assert now.orders == seen.orders
        assert (now.mine, seen.mine) == ({}, {})
        assert now.sectors == seen.sectors
        assert [p for p in now.players if p.seat] == [p for p in seen.players if p.seat]
        assert (seen.player(0).state, now.player(0).state) == ("untouched", "submitted")


def test_counters_are_ones_own(market: Table) -> None:
    """*reveal*: other players' counters are hidden."""
    market.limit("ada", "buy", "ACME", 1, 35)
    seen = {player.seat: (player.limit_actions, player.short_actions) for player in market.view("ada").players}
    assert seen == {0: (4, 2), 1: (None, None), 2: (None, None)}
    assert all(player.limit_actions is None for player in market.view().players)


def test_open_limit_orders_are_public_after_the_reveal(market: Table) -> None:
    """*reveal*."""
    market.ada.limits("buy", "ACME", 2, 35)
    market.clock_runs_out()
    seen = market.view("cid").orders[0]
    assert (seen.kind, seen.side, seen.quantity, seen.price, seen.status) == ("limit", "buy", 2, 35, "pending")


def test_without_concealment_orders_are_shown_whole_and_no_reveal_follows(market: Table) -> None:
    """A5."""
    market.options(concealed=False).with_(reviews=True)
    market.ada.buys("ACME", 2)
    market.clock_runs_out()
    assert market.phase == "order_review"
    assert [(o.kind, o.quantity) for o in market.view().orders] == [("market", 2)]
    market.clock_runs_out()
    assert market.phase == "market_orders"
