"""The six companies. (PU 1)"""

from dataclasses import dataclass


@dataclass(frozen=True)
class CompanyCard:
    """A company's name and its price with two tiles, in whole dollars."""

    title: str
    start_price: int


COMPANIES = {
    "eclipse": CompanyCard("Eclipse Solar", 200),
    "maniac": CompanyCard("Maniac Timber", 200),
    "cortex": CompanyCard("Cortex Power", 300),
    "rufus": CompanyCard("Rufus Geothermal", 300),
    "superslick": CompanyCard("Superslick Oil", 400),
    "whoops": CompanyCard("Whoops Uranium", 400),
}
"""In the order in which companies of equal size are handled."""

RANK = {key: rank for rank, key in enumerate(COMPANIES)}
