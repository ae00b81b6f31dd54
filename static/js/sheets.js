// Sorts the tables of the spreadsheet at once; without it the same links load the page sorted.
"use strict";

const words = new Intl.Collator(document.documentElement.lang, { sensitivity: "base" });

function valueOf(row, index) {
  const cell = row.cells[index];
  return cell.dataset.sort ?? cell.textContent.trim();
}

// What is empty comes first, then numbers, then words: as on the server.
function compare(one, other) {
  const [first, second] = [kindOf(one), kindOf(other)];
  if (first !== second) return first - second;
  return first === 1 ? Number(one) - Number(other) : first === 2 ? words.compare(one, other) : 0;
}

function kindOf(value) {
  return value === "" ? 0 : Number.isNaN(Number(value)) ? 2 : 1;
}

function sort(head) {
  const table = head.closest("table"), index = head.cellIndex, body = table.tBodies[0];
  const isDown = head.getAttribute("aria-sort") !== "descending";
  for (const group of body.querySelectorAll(".sheet-g")) group.remove();
  const rows = [...body.rows].sort((a, b) => compare(valueOf(a, index), valueOf(b, index)) * (isDown ? -1 : 1));
  body.append(...rows);
  const link = head.querySelector("a");
  history.replaceState(null, "", link.getAttribute("href"));
  for (const each of table.tHead.querySelectorAll("[aria-sort]")) {
    each.removeAttribute("aria-sort");
    turn(each.querySelector("a"), true);
  }
  head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
  turn(link, !isDown);
}

// Where the link leads next: the largest first, or the smallest where that is shown.
function turn(link, isDown) {
  link.setAttribute("href", link.getAttribute("href").replace(/=-?/, isDown ? "=-" : "="));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-sheet] thead a");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  sort(link.closest("th"));
});
