// The map of Power Up: arrow keys move over it, Enter chooses a tile, and the map shows what that tile would change.
"use strict";

const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

function cellAt(column, row) {
  return document.querySelector(`#map [data-cell="${"ABCDEFGHIJ"[column]}${row}"]`);
}

function chosen() {
  const moves = document.getElementById("ticket")?.elements?.move;
  return [...(moves?.length === undefined ? [moves].filter(Boolean) : moves)].find((move) => move.checked);
}

// ---- what is chosen shows in all places: on the map, in the hand, in the fields that depend on it, and on the button
function show() {
  const move = chosen(), value = move?.value || "";
  for (const own of document.querySelectorAll("#map .pu-own, .pu-tile")) {
    own.classList.toggle("is-chosen", Boolean(value) && own.querySelector("input")?.value === value);
  }
  for (const named of document.querySelectorAll(".pu-named")) {
    named.classList.toggle("is-on", named.dataset.for.split(" ").includes(value));
  }
  const button = document.querySelector("#sendbar button[value=submit]");
  write(button, move?.dataset.send);
  write(document.querySelector("#sendbar-m b"), move?.dataset.said);
  mark(move);
}

// Only what differs: the observer below reacts to each change and would draw it again.
function write(place, words) {
  if (place && words && place.textContent !== words) place.textContent = words;
}

// The cells that would change with the chosen tile; in the colour of the company where it is known.
function mark(move) {
  const named = document.querySelector(".pu-named.is-on input:checked");
  const joins = (move?.dataset.joins || "").split(" "), into = named?.value || move?.dataset.into || "";
  for (const cell of document.querySelectorAll("#map [data-cell]")) {
    const joinsIt = joins.includes(cell.dataset.cell) && !cell.classList.contains(`pu-${into}`);
    cell.classList.toggle("is-joining", joinsIt);
    if (joinsIt && into) cell.dataset.into = into;
    else delete cell.dataset.into;
  }
}

// ---- the keyboard: one cell of the map is a stop of the tab key, the arrows lead to the others
function prepare() {
  const map = document.getElementById("map");
  if (!map || map.dataset.ready) return;
  map.dataset.ready = "yes";
  for (const radio of map.querySelectorAll("input")) radio.tabIndex = -1;
  for (const cell of map.querySelectorAll("[data-cell]")) cell.tabIndex = -1;
  const first = map.querySelector(".pu-own") || map.querySelector("[data-cell]");
  first.tabIndex = 0;
  show();
}

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest("#map [data-cell]");
  if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    return void cell.querySelector("input")?.click();
  }
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const [column, row] = ["ABCDEFGHIJ".indexOf(cell.dataset.cell[0]), Number(cell.dataset.cell[1])];
  const next = cellAt(column + step[0], row + step[1]);
  if (!next) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});

document.addEventListener("change", (event) => {
  if (event.target.form?.id === "ticket") show();
});

// The preview is scrolled into view only where the choice was made: in the panel, or on a screen wide enough for both.
// In the sheet of a phone nothing is scrolled under the finger.
const WIDE = matchMedia("(min-width: 861px)");
document.addEventListener("htmx:afterSettle", (event) => {
  const preview = event.target.id === "preview" && document.getElementById("preview");
  if (!preview || getComputedStyle(preview.parentElement).position === "fixed") return;
  const isNear = WIDE.matches || document.getElementById("panel").contains(document.activeElement);
  if (isNear) preview.scrollIntoView({ block: "nearest" });
});

const changed = new MutationObserver(() => { prepare(); show(); });
changed.observe(document.querySelector(".table"), { childList: true, subtree: true });
prepare();
show();
