"""Measures a page that is open in a browser by WCAG 2.2 AA: at three widths, light and dark.

axe-core comes with a package of requirements/dev.in; what it leaves undecided or does not measure is in wcag.js."""

from importlib.resources import files
from typing import TYPE_CHECKING, Any

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
# Width, theme, and whether axe, which is slow, looks at the page too: at each width and in each theme it does once.
# Its contrast is the slowest, and once is enough beside that of wcag.js.
ROUNDS: tuple[tuple[int, str, bool, tuple[str, ...]], ...] = (
    (WIDE, "light", True, ("contrast", "targets", "fields", "reflow", "focus", "cards")),
    (WIDE, "dark", False, ("contrast",)),
    (PHONE, "dark", True, ("contrast",)),
    (PHONE, "light", False, ("contrast", "targets", "fields", "reflow", "cards")),
    (SMALL, "light", False, ("targets", "reflow")),
)


def faults_of(page: "Page") -> list[str]:
    """Every fault of the open page, each once, with the width and theme at which it was first seen."""
    found: dict[str, str] = {}
    page.evaluate(f"() => {{ {AXE} }}")
    page.evaluate(STILL)
    page.keyboard.press("Tab")  # from now on the focus is shown
    for width, theme, with_axe, asked in ROUNDS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        seen = page.evaluate(MEASURES, list(asked))
        if with_axe:
            seen += page.evaluate(RUN, [OPTIONS, theme == "light"])
        for fault in seen:
            found.setdefault(fault, f"{width} px, {theme}")
    return [f"{fault} ({where})" for fault, where in found.items()]
