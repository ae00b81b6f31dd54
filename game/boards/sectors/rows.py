"""What of Sectors is queryable: its rows, and the course of its prices and net worths."""

from __future__ import annotations

from game.boards.sheets import CompanyRow, ContractRow, HoldingRow, OrderRow, Point, Rows
from game.rulesets.sectors.state import BANKRUPT
from game.rulesets.sectors.view.shapes import CompanyView, ContractView, OrderView, SectorsView


def rows(view: SectorsView) -> Rows:
    """The rows of a stranger's view. Every hand is listed, empty ones too."""
    companies, seats = view.companies, [player.seat for player in view.players]
    return Rows(
        companies=tuple([_company(company) for company in companies]),
        holdings=tuple(
            [HoldingRow(company.ticker, seat, company.holdings.get(seat, 0)) for company in companies for seat in seats]
        ),
        orders=tuple([_order(order) for order in view.orders]),
        contracts=tuple([_contract(contract) for contract in view.contracts]),
    )


def point(view: SectorsView) -> Point:
    """Prices of living companies, and net worths."""
    prices = {company.ticker: company.price for company in view.companies if company.status != BANKRUPT}
    return Point(prices, tuple(player.net_worth for player in sorted(view.players, key=lambda player: player.seat)))


def _company(company: CompanyView) -> CompanyRow:
    return CompanyRow(
        key=company.ticker,
        name=company.name,
        group=company.sector,
        status=company.status,
        price=company.price,
        treasury=company.treasury,
        details={
            "tier": company.tier,
            "ipo_price": company.ipo_price,
            "ipo": company.ipo,
            "market": company.market,
            "aside": company.aside,
            "unit_price": company.unit_price,
            "operating_cost": company.operating_cost,
            "prestige": company.prestige,
            "supply": company.supply,
            "demand": company.demand,
            "revenue": company.revenue,
            "has_loan": company.has_loan,
        },
    )


def _order(order: OrderView) -> OrderRow:
    return OrderRow(
        number=order.id,
        seat=order.seat,
        company=order.company,
        turn=order.turn,
        status=order.status,
        kind=order.kind,
        side=order.side,
        quantity=order.quantity,
        price=order.price,
        reason=order.reason,
        details={
            "location": order.location,
            "sub_round": order.sub_round,
            "contract": order.contract,
            "paid": order.paid,
            "margin": order.margin,
        },
    )


def _contract(contract: ContractView) -> ContractRow:
    return ContractRow(
        number=contract.id,
        company=contract.company,
        shares=contract.shares,
        owner=contract.owner,
        details={
            "term": contract.term,
            "strike": contract.strike,
            "premium": contract.premium,
            "bonus": contract.bonus,
            "turns_left": contract.turns_left,
        },
    )
