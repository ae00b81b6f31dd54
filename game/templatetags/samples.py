"""The pictures of the front page: an invented game, drawn by the same functions as a real one."""

from dataclasses import dataclass, field

from django import template
from django.utils.safestring import SafeString

from game.templatetags.boards import draw_ladder
from game.templatetags.charts import Line, draw_lines

register = template.Library()

YOU = 0


@dataclass(frozen=True)
class Piece:
    """A company as far as the ladder shows it."""

    ticker: str
    name: str
    sector: str
    price: int
    filled: int = 0
    holdings: dict[int, int] = field(default_factory=dict)
    status: str = "active"


PIECES = (
    Piece("SOLAR", "SolarWave Ltd.", "energy", 20, 0, {YOU: 3}),
    Piece("HEALTH", "HealthFirst Co.", "healthcare", 86, 1),
    Piece("POWER", "PowerPlus Inc.", "energy", 124),
    Piece("PHARMA", "PharmaTech Co.", "healthcare", 221, 2, {YOU: 5}),
    Piece("FUTURE", "FutureTech Inc.", "technology", 60, 0, {}, "inactive"),
)
TURNS = ("Start", "1", "2", "3", "4", "5", "6", "7", "8")
WORTH = (
    Line("Wen", "p5 mine", (325, 340, 402, 511, 660, 905, 1010, 1288, 1774)),
    Line("Marta", "p1", (330, 318, 455, 602, 590, 780, 1130, 1420, 1652)),
    Line("Tomás", "p4 d2", (350, 371, 433, 480, 620, 660, 815, 1002, 1266)),
)


@register.simple_tag
def sample_ladder() -> SafeString:
    return draw_ladder({piece.price: [piece] for piece in PIECES}, YOU)


@register.simple_tag
def sample_chart() -> SafeString:
    return draw_lines(TURNS, WORTH, "sample", "Net worth of three players over eight turns")
