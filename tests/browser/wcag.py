"""Measures a page that is open in a browser by WCAG 2.2 AA: at two or three widths, light and dark.

axe-core comes with a package of requirements/dev.in; what it leaves undecided or does not measure is in wcag.js."""

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tests.servers import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
# On a large page axe needs most of its time for the contrast alone, which wcag.js measures too.
RUN = """async ([options, contrast]) => {
  const enabled = contrast && document.querySelectorAll("*").length < 1000;
  options.rules = { "color-contrast": { enabled } };
  const { violations } = await axe.run(options);
  const why = (node) => [...node.any, ...node.all, ...node.none].map((one) => one.message);
  const told = (id, node) => `axe ${id}: ${node.target.join(" ")}: ${why(node)}`;
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => told(id, node)));
}"""
OPTIONS: dict[str, Any] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}
# A colour on its way from one theme to the other is neither.
STILL = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, *::before, *::after { transition: none !important; animation: none !important }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
MEASURES = (ROOT / "tests" / "browser" / "wcag.js").read_text(encoding="utf-8")
HEIGHT = 844
WIDE, PHONE, SMALL = 1440, 390, 360


class Round(NamedTuple):
    """A look at a page: at which width, in which theme, by which measures of wcag.js, and whether by axe too, which
    takes ten times as long. Its contrast is the slowest, and once is enough beside that of wcag.js."""

    width: int
    theme: Literal["light", "dark"]
    measures: tuple[str, ...]
    with_axe: bool = False


ROUNDS = (
    Round(WIDE, "light", ("contrast", "targets", "fields", "reflow", "focus", "cards"), with_axe=True),
    Round(PHONE, "dark", ("contrast", "targets", "fields", "reflow", "cards")),
)
"""Each width and each theme once."""
BY_MEASURES = tuple(each._replace(with_axe=False) for each in ROUNDS)
"""What a page is measured by in each run: axe is left to trials."""
ALL_ROUNDS = (
    *ROUNDS,
    Round(WIDE, "dark", ("contrast",)),
    Round(PHONE, "light", ("contrast", "targets", "fields", "reflow", "cards"), with_axe=True),
    Round(SMALL, "light", ("targets", "reflow")),
)


def stands_at(page: "Page", look: Round) -> bool:
    """Whether the window has the width of this look at it."""
    return bool(page.viewport_size) and page.viewport_size["width"] == look.width


def take_look(page: "Page", look: Round) -> None:
    """Give the window this width and theme; each change is drawn anew, which takes longer than to measure."""
    if not stands_at(page, look):
        page.set_viewport_size({"width": look.width, "height": HEIGHT})
    page.emulate_media(color_scheme=look.theme, reduced_motion="reduce")


def faults_of(page: "Page", rounds: Sequence[Round]) -> list[str]:
    """Every fault of the open page, each once, with the width and theme at which it was first seen."""
    found: dict[str, str] = {}
    if any(each.with_axe for each in rounds):
        page.evaluate(f"() => {{ {AXE} }}")
    page.evaluate(STILL)
    for each in rounds:
        width, theme, measures, with_axe = each
        take_look(page, each)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        if "focus" in measures:
            page.keyboard.press("Tab")  # from now on the focus is shown
        seen = page.evaluate(MEASURES, list(measures))
        if with_axe:
            seen += page.evaluate(RUN, [OPTIONS, width == WIDE])
        for fault in seen:
            found.setdefault(fault, f"{width} px, {theme}")
    return [f"{fault} ({where})" for fault, where in found.items()]
