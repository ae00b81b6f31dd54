"""The acting seat's offers: tiles with their effects, shares, a draw, the end of the turn."""

from __future__ import annotations

from game.engine.actions import Action, Refused, tag_of
from game.engine.flow import Flow, Phase
from game.engine.language import count, mark, say, say_as
from game.engine.offers import Cell, Cells, Choice, Field, Offer, When
from game.engine.phrases import either, listed, thousands
from game.rulesets.power_up.actions import COMPANY_KEYS, Buy, CompanyKey, Draw, EndTurn, PlayTile
from game.rulesets.power_up.forecast import EXPANSION, FAILED, FOUNDING, ISOLATED, Forecast, foresee
from game.rulesets.power_up.state import PowerUpState, table_of
from game.rulesets.power_up.tables import COLUMNS, COMPANIES, HAND_LIMIT, ROWS


def offers(state: PowerUpState, seat: int, flow: Flow, phase: Phase) -> list[Offer]:
    """Every offer of the acting seat's turn."""
    buying = [_buying(state, seat, key) for key in COMPANY_KEYS]
    drawn = min(HAND_LIMIT - len(state.hands[seat]), len(state.bag))
    words = count("Draw {n} tile", "Draw {n} tiles", drawn) if drawn else say(Draw.title)
    draw = _offer(state, Draw(actor=seat), words, rule="PU 4.1")
    unused = count("{n} action left unused", "{n} actions left unused", state.actions_left)
    end = _offer(state, EndTurn(actor=seat), say_as("action", "End turn"), rule="PU 3", text=unused)
    return [_playing(state, seat), *buying, draw, end]


def _offer(state: PowerUpState, action: Action, label: str, *, rule: str, text: str = "") -> Offer:
    """An offer without open fields; the action itself decides whether it is refused."""
    refused = ""
    try:
        action.check(state)
    except Refused as no:
        refused, rule = no.text, no.rule
    fixed = {"company": action.company} if isinstance(action, Buy) else {}
    return Offer(tag_of(action), label, fixed, (), refused, rule, action.slot(), text)


def _buying(state: PowerUpState, seat: int, company: CompanyKey) -> Offer:
    price = thousands(state.price(company))
    label = say("Buy {company} for {price}", company=COMPANIES[company].title, price=price)
    text = count("{n} share left", "{n} shares left", state.unsold(company))
    return _offer(state, Buy(actor=seat, company=company), label, rule="PU 4.6", text=text)


def _playing(state: PowerUpState, seat: int) -> Offer:
    """One offer for the whole hand: the tile, and the choice that its cell needs."""
    hand = sorted(state.hands[seat])
    refused = ""
    try:
        PlayTile(actor=seat, tile=hand[0] if hand else "").check(state)
    except Refused as no:
        refused = no.text if state.tile_lock or not hand else ""
    slot, rule = "play_tile", "PU 3" if state.tile_lock else "PU 4.2"
    if refused:
        return Offer("play_tile", say("Play a tile"), refused=refused, rule=rule, slot=slot)
    table = table_of(state)
    ahead = [foresee(table, tile) for tile in hand]
    return Offer("play_tile", say("Play a tile"), fields=_fields(ahead), rule=rule, slot=slot)


def _fields(ahead: list[Forecast]) -> tuple[Field, ...]:
    """The tile, then one choice for each set of companies that some of the tiles need."""
    fields: list[Field] = [Cells("tile", say("Tile"), tuple(_cell(one) for one in ahead))]
    calls: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for one in ahead:
        if one.choice:
            calls.setdefault((one.choice, one.companies), []).append(one.tile)
    for (name, companies), tiles in calls.items():
        values = tuple((company, COMPANIES[company].title) for company in companies)
        fields.append(Choice(name, say(LABELS[name]), values, when=When("tile", tuple(tiles))))
    return tuple(fields)


LABELS = {"found": mark("Company to found"), "survivor": mark("Company that survives")}


def _cell(ahead: Forecast) -> Cell:
    tile = ahead.tile
    return Cell(tile, f"{tile}: {words_of(ahead)}", COLUMNS.index(tile[0]), ROWS.index(tile[1]))


def words_of(ahead: Forecast) -> str:
    """The effects of a tile in a few words."""
    if ahead.case == ISOLATED:
        return say("touches nothing")
    if ahead.case == FAILED:
        return say("stays neutral, all companies are active")
    if ahead.case == FOUNDING:
        return say("founds a company with {n} tiles", n=len(ahead.tiles))
    if ahead.case == EXPANSION:
        title, size = COMPANIES[ahead.companies[0]].title, ahead.results[0].size
        return say("expands {company} to {n} tiles", company=title, n=size)
    if ahead.choice:
        return say("merger, you choose {choice}", choice=either(COMPANIES[key].title for key in ahead.companies))
    gone = listed(COMPANIES[one.company].title for one in ahead.results[0].acquisitions)
    return say("{company} takes over {gone}", company=COMPANIES[ahead.companies[0]].title, gone=gone)
