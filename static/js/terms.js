// The card of a word: shown under the pointer or the focus, and at the first tap, which then does not follow the link.
"use strict";

const SOON = 250, GAP = 6, EDGE = 8;
const source = document.getElementById("glossary");
const words = source ? JSON.parse(source.textContent) : {};
const card = document.createElement("div");
let shown = null, wait = 0;

card.className = "term-card";
card.id = "term-card";
card.setAttribute("role", "tooltip");
card.popover = "manual";
document.body.append(card);

const termOf = (event) => event.target.closest?.("a.term[href*='#word-']");

function show(link) {
  const found = words[link.hash.slice(1)];
  clearTimeout(wait);
  if (!found || shown === link) return;
  hide();
  shown = link;
  const name = document.createElement("b"), meaning = document.createElement("span");
  [name.textContent, meaning.textContent] = [found[0][0].toUpperCase() + found[0].slice(1), found[1]];
  card.replaceChildren(name, meaning);
  link.setAttribute("aria-describedby", card.id);
  card.showPopover();
  place(link);
}

// Below the word, or above it where the page ends; never beyond an edge.
function place(link) {
  const at = link.getBoundingClientRect(), size = card.getBoundingClientRect();
  const left = Math.min(Math.max(EDGE, at.left), document.documentElement.clientWidth - size.width - EDGE);
  const below = at.bottom + GAP;
  const fits = below + size.height < window.innerHeight - EDGE;
  card.style.left = `${Math.max(EDGE, left)}px`;
  card.style.top = `${fits ? below : at.top - GAP - size.height}px`;
}

function hide() {
  clearTimeout(wait);
  if (!shown) return;
  shown.removeAttribute("aria-describedby");
  shown = null;
  card.hidePopover();
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  const link = termOf(event);
  clearTimeout(wait);
  if (link) wait = setTimeout(show, SOON, link);
  else if (!event.target.closest(".term-card") && shown !== document.activeElement) hide();
});
document.addEventListener("focusin", (event) => {
  const link = termOf(event);
  if (link?.matches(":focus-visible")) show(link);
  else if (!link) hide();
});
document.addEventListener("click", (event) => {
  const link = termOf(event);
  if (!link) return hide();
  if (event.pointerType !== "touch" || shown === link) return;
  event.preventDefault();
  show(link);
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
document.addEventListener("scroll", () => { if (shown) place(shown); }, { capture: true, passive: true });
