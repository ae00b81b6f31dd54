// A figure's explanation beside it: the table of the page that the link leads to, which is where it leads without this.
"use strict";

import { insist } from "./requests.js";

const WORDS = JSON.parse(document.getElementById("explain-js").dataset.words);
const GAP = 6, EDGE = 8;
const sheet = document.createElement("div");
let from = null, asked = 0;

sheet.className = "explained";
sheet.popover = "auto";
sheet.tabIndex = -1;
sheet.setAttribute("role", "dialog");
document.body.append(sheet);

const plain = (event) => event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

async function explain(link) {
  const mine = ++asked;
  const answer = await insist(link.href, { headers: { Accept: "text/html" } }, () => mine === asked);
  if (mine !== asked) return;
  const found = new DOMParser().parseFromString(answer.text, "text/html");
  const table = found.querySelector("#explanation table"), title = found.querySelector("h1");
  if (answer.ok && table && title) show(link, title.textContent, table);
  else location.assign(link.href);
}

function show(link, title, table) {
  const head = document.createElement("header"), name = document.createElement("b"), page = document.createElement("a");
  [name.textContent, page.textContent, page.href] = [title, WORDS.page, link.href];
  head.append(name, page);
  sheet.replaceChildren(head, table);
  sheet.setAttribute("aria-label", title);
  from = link;
  sheet.showPopover();
  place();
  sheet.scrollTop = sheet.scrollHeight;
  sheet.focus({ preventScroll: true });
}

// Below the figure, or above it where there is more room; never beyond an edge.
function place() {
  const at = from.getBoundingClientRect(), width = document.documentElement.clientWidth;
  const below = window.innerHeight - at.bottom - GAP - EDGE, above = at.top - GAP - EDGE;
  const size = sheet.getBoundingClientRect(), isBelow = size.height <= below || below >= above;
  sheet.style.maxHeight = size.height > (isBelow ? below : above) ? `${Math.max(isBelow ? below : above, 120)}px` : "";
  const height = sheet.getBoundingClientRect().height;
  sheet.style.left = `${Math.max(EDGE, Math.min(at.left, width - size.width - EDGE))}px`;
  sheet.style.top = `${Math.max(EDGE, isBelow ? at.bottom + GAP : at.top - GAP - height)}px`;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.explain");
  if (!link || !plain(event)) return;
  event.preventDefault();
  explain(link);
});
sheet.addEventListener("toggle", (event) => {
  if (event.newState !== "closed") return;
  asked += 1;
  sheet.style.maxHeight = "";
  const held = document.activeElement;
  if (sheet.contains(held) || held === document.body) from?.focus({ preventScroll: true });
});
window.addEventListener("resize", () => { if (sheet.matches(":popover-open")) place(); });
