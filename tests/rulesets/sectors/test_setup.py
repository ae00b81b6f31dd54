"""The table before the first phase. (S 1, 2)"""

from collections import Counter

import pytest

from game.engine import referee
from game.engine.actions import Refused
from game.engine.chance import Chance
from game.rulesets.sectors.effects.prestige import PRESTIGE_SPACES, lay_track
from game.rulesets.sectors.effects.research import BLANK, RESEARCH_CARDS, compose_deck
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.tables.common import certificate_limit, tranche_pools
from game.rulesets.sectors.tables.names import LATER, STARTING
from game.rulesets.sectors.tables.second_edition import SECOND_EDITION
from game.rulesets.sectors.tables.sectors import SECTORS as CARDS
from tests.rulesets.sectors.table import Table

RANKING = ["defensive", "healthcare", "materials", "energy", "industrial", "cyclical", "technology"]


def test_everybody_starts_with_the_same(table: Table) -> None:
    """S 1.1: 300 each, a bank of 7,500, 75 consumers, economy 10, no consumers in any sector."""
    table.starts(4)
    assert table.cash() == {"ada": 300, "bob": 300, "cid": 300, "dan": 300}
    assert (table.bank, table.state.pool, table.state.economy, table.state.turn) == (7500, 75, 10, 1)
    assert [sector.consumers for sector in table.state.sectors.values()] == [0, 0, 0]
    assert table.phase == "influence_bid"
    assert table.state.contracts == {}
    assert table.state.headlines == []


def test_the_host_chooses_cash_bank_and_consumers(table: Table) -> None:
    """S 1.1."""
    table.starts(2, starting_cash=400, bank=12_000, consumers=50)
    assert (table.cash(), table.bank, table.state.pool) == ({"ada": 400, "bob": 400}, 12_000, 50)


LIMITS = [20, 20, 19, 18, 18, 17, 16, 15, 15, 14, 13, 12, 11, 11, 10, 9, 8, 8, 7, 6]


@pytest.mark.parametrize(("seats", "limit"), list(enumerate(LIMITS, 1)))
def test_certificate_limit(seats: int, limit: int) -> None:
    """S 1.2."""
    assert certificate_limit(seats) == limit


@pytest.mark.parametrize(
    ("seats", "counts"),
    [(2, [1, 1, 1]), (3, [1, 1, 1]), (4, [1, 1, 1]), (5, [2, 1, 1]), (6, [2, 2, 1]), (7, [2, 2, 2]), (8, [2, 2, 2])],
)
def test_starting_companies(table: Table, seats: int, counts: list[int]) -> None:
    """S 1.3: spread evenly, the rest to the earliest-drawn sectors."""
    drawn = ["technology", "energy", "defensive"]
    table.draws(sectors=drawn).starts(seats)
    assert [sum(c.sector == key for c in table.state.companies.values()) for key in drawn] == counts


def test_a_new_company(table: Table) -> None:
    """S 1.3: snapped IPO price, treasury of ten IPO prices from outside, ten shares in the IPO, nothing else."""
    table.draws(
        sectors=["materials", "energy", "defensive"], company_name=["RawGoods Inc."], ipo_price=[62], unit_price=[33]
    )
    table.starts(3)
    raw = table.of("RAW")
    assert (raw.name, raw.sector, raw.tier, raw.status) == ("RawGoods Inc.", "materials", "startup", "inactive")
    assert (raw.price, raw.ipo_price, raw.unit_price, table.treasury("RAW")) == (60, 60, 33, 600)
    assert (raw.filled, raw.base_demand, raw.temporary_demand, raw.base_supply, raw.temporary_supply, raw.prestige) == (
        0,
        0,
        0,
        0,
        0,
        0,
    )
    assert table.places("RAW") == {"ipo": 10, "market": 0, "aside": 0}
    assert table.view().company("RAW").supply == 3
    assert table.bank == 7500
    assert table.shares("RAW") == {}


def test_initial_sector_priority_is_the_fixed_ranking(table: Table) -> None:
    """S 1.6: whatever the order of drawing."""
    table.draws(sectors=["technology", "cyclical", "materials"]).starts(3)
    assert table.sector_order() == ["materials", "cyclical", "technology"]
    assert [table.sector_of(key).base_demand for key in table.sector_order()] == [2, 3, 1]
    assert list(CARDS) == RANKING


def test_sector_cards() -> None:
    """S 2.1: demand, float %, IPO range, unit price range, volatility."""
    printed = {key: (c.demand, c.float_percent, c.ipo, c.unit_price, c.volatility_percent) for key, c in CARDS.items()}
    assert printed == {
        "cyclical": (3, 50, (30, 70), (40, 80), 70),
        "defensive": (2, 30, (45, 60), (50, 65), 20),
        "industrial": (2, 50, (55, 70), (40, 70), 40),
        "technology": (1, 70, (20, 80), (30, 90), 90),
        "healthcare": (2, 60, (35, 70), (45, 80), 60),
        "energy": (2, 60, (30, 50), (20, 50), 45),
        "materials": (2, 50, (60, 100), (30, 60), 50),
    }


def test_sector_abilities_and_start_tiers() -> None:
    """S 2.1, 2.2."""
    assert {key: (card.active, card.passive, SECOND_EDITION.start_tiers[key]) for key, card in CARDS.items()} == {
        "cyclical": ("re_brand", "boom_cycle", "startup"),
        "defensive": ("price_freeze", "steady_demand", "startup"),
        "industrial": ("rapid_expansion", "manufacture", "startup"),
        "technology": ("visionary", "innovation_surge", "incubator"),
        "healthcare": ("fast_track_approval", "regulatory_shield", "growth"),
        "energy": ("surge_pricing", "carbon_credit", "incubator"),
        "materials": ("strategic_reserve", "extract", "startup"),
    }


def test_tiers() -> None:
    """S 1.4: cost, supply, actions, shortfall."""
    assert [(key, t.cost, t.supply, t.actions, t.shortfall) for key, t in SECOND_EDITION.tiers.items()] == [
        ("incubator", 10, 2, 1, 100),
        ("startup", 20, 3, 1, 200),
        ("growth", 30, 4, 1, 300),
        ("established", 50, 5, 2, 400),
        ("enterprise", 70, 6, 2, 500),
        ("conglomerate", 100, 8, 2, 600),
        ("titan", 150, 10, 3, 700),
    ]


def test_names_are_enough_and_tickers_unique_among_the_starting_ones() -> None:
    """S 2.3, 2.4, A15."""
    assert {key: len(names) for key, names in STARTING.items()} == dict.fromkeys(RANKING, 5)
    assert {key: len(names) for key, names in LATER.items()} == {
        "cyclical": 16,
        "defensive": 20,
        "industrial": 20,
        "technology": 18,
        "healthcare": 20,
        "energy": 20,
        "materials": 20,
    }
    tickers = [ticker for names in STARTING.values() for _, ticker in names]
    assert len(set(tickers)) == len(tickers)


def test_the_same_name_is_never_drawn_twice(table: Table) -> None:
    """A15: two companies of a sector carry two names."""
    table.starts(8)
    names = [company.name for company in table.state.companies.values()]
    assert len(set(names)) == len(names) == 6


def test_the_deck_has_three_blanks_and_nine_findings() -> None:
    """S 1.7: findings are drawn with replacement from eighteen."""
    decks = [compose_deck(Chance(f"game {game}")) for game in range(200)]
    assert {(len(deck), deck.count(BLANK)) for deck in decks} == {(12, 3)}
    seen = Counter(card for deck in decks for card in deck if card != BLANK)
    assert len(seen) == 18
    assert len(RESEARCH_CARDS) == 19
    assert max(deck.count("automation") for deck in decks) > 1
    assert 60 < min(seen.values()) <= max(seen.values()) < 150


def test_who_may_draw_which_card() -> None:
    """S 1.7."""
    tagged = {key: card.sector for key, card in RESEARCH_CARDS.items() if card.sector}
    assert tagged == {
        "clinical_trial": "healthcare",
        "renewable_energy": "energy",
        "artificial_intelligence": "technology",
        "e_commerce": "defensive",
        "robotics": "technology",
        "energy_saving": "energy",
        "globalization": "technology",
    }


def test_the_prestige_track() -> None:
    """S 1.8: ten spaces, weights and costs, injections start at 200."""
    assert {key: (space.weight, space.cost) for key, space in PRESTIGE_SPACES.items()} == {
        "sector_elasticity": (7, 3),
        "magnet_effect": (6, 2),
        "investor_confidence": (9, 2),
        "capital_injection": (12, 3),
        "bull_signal": (12, 1),
        "influencer": (8, 4),
    }
    tracks = [lay_track(Chance(f"game {game}")) for game in range(200)]
    assert {len(track) for track in tracks} == {10}
    assert {(space.kind == "capital_injection", space.injection) for track in tracks for space in track} == {
        (True, 200),
        (False, 0),
    }
    seen = Counter(space.kind for track in tracks for space in track)
    for key, space in PRESTIGE_SPACES.items():
        assert abs(seen[key] / 2000 - space.weight / 54) < 0.03, key


def test_the_track_can_be_scripted_and_starts_at_its_first_space(table: Table) -> None:
    """S 1.8, *named draws*."""
    table.draws(prestige_track=["influencer", *["bull_signal"] * 9]).starts(2)
    track = table.view("ada").track
    assert (track.index, track.length, track.kind, track.cost, track.seen) == (0, 10, "influencer", 4, {})


@pytest.mark.parametrize(("seats", "pools"), [(2, 2), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6), (8, 6)])
def test_tranche_pools(seats: int, pools: int) -> None:
    """S 1.9."""
    assert tranche_pools(seats) == pools


@pytest.mark.parametrize("seats", [1, 9])
def test_two_to_eight_play(seats: int) -> None:
    """A2."""
    with pytest.raises(Refused, match=f"2 to 8 players, not for {seats}"):
        referee.start(SECTORS, Options(), seats, Chance("x"))


def test_set_up_follows_the_secret_and_nothing_else() -> None:
    """A1: the same secret deals the same game, another one another."""
    first, again, other = (
        referee.start(SECTORS, Options(), 4, Chance(s)).position.state for s in ("one", "one", "two")
    )
    assert SECTORS.codec.encode(first) == SECTORS.codec.encode(again)
    assert SECTORS.codec.encode(first) != SECTORS.codec.encode(other)


def test_ipo_prices_stay_in_their_range_after_snapping() -> None:
    """S 1.3: the outcomes listed there."""
    outcomes: dict[str, set[int]] = {}
    for game in range(150):
        for company in referee.start(SECTORS, Options(), 8, Chance(str(game))).position.state.companies.values():
            outcomes.setdefault(company.sector, set()).add(company.ipo_price)
    assert outcomes["defensive"] == {43, 47, 51, 55, 60}
    assert outcomes["industrial"] == {55, 60, 65, 70}
    assert outcomes["energy"] == {29, 32, 35, 39, 43, 47, 51}
    assert min(outcomes["materials"]) >= 60
    assert max(outcomes["materials"]) <= 98
