// Walks through a game's past without loading whole pages: the arrow keys and the slider fetch another moment and put
// it in place, so that the eye stays where it was. Every moment has its own address; the links do the same without
// this script. Of the browser's own history a step to the next moment, or along the slider, makes no entry: the way
// back leads to the page before, not through every moment.
"use strict";

import { insist } from "./requests.js";

const WRITES = "input:not([type=range]), textarea, select, [contenteditable]";
const SETTLES = 150; // ms after the last move of the slider
let asked = 0; // counts requests: an answer that was overtaken is dropped
let timer = 0;

const place = () => document.getElementById("scrubber");
const moments = () => JSON.parse(place().dataset.moments);

async function go(address, { isNew = true, isStep = false } = {}) {
  const mine = ++asked;
  place().setAttribute("aria-busy", "true");
  const answer = await insist(address, {}, () => mine === asked);
  if (mine !== asked) return;
  const fresh = new DOMParser().parseFromString(answer.text, "text/html");
  if (!answer.ok || answer.redirected || !fresh.getElementById("scrubber")) return void location.assign(address);
  put(fresh);
  if (isStep) history.replaceState(null, "", address);
  else if (isNew) history.pushState(null, "", address);
}

// The slider, what is announced and the button that plays stay the same elements: they keep their focus and state, and
// what is announced is read out.
function put(fresh) {
  const kept = ["scrub", "past-said", "autoplay"].map((id) => document.getElementById(id)).filter(Boolean);
  const focus = focusOf(document.activeElement);
  const isListOpen = document.getElementById("past-list")?.open;
  for (const old of kept) {
    const twin = fresh.getElementById(old.id);
    if (!twin) continue;
    if (old.id === "scrub") {
      for (const name of ["max", "aria-valuetext"]) old.setAttribute(name, twin.getAttribute(name));
      old.value = twin.getAttribute("value");
    } else if (old.id === "past-said") old.replaceChildren(...twin.childNodes);
    twin.replaceWith(old);
  }
  document.getElementById("past").replaceWith(document.adoptNode(fresh.getElementById("past")));
  document.title = fresh.title;
  if (isListOpen) document.getElementById("past-list")?.setAttribute("open", "");
  focus()?.focus({ preventScroll: true });
}

// Where the focus belongs afterwards: the same control, the mark of the moment, or the heading where a link has gone.
function focusOf(control) {
  if (!control || !document.getElementById("past").contains(control)) return () => null;
  if (control.id) return () => document.getElementById(control.id);
  const rel = control.getAttribute("rel");
  if (rel) {
    return () => document.querySelector(`#scrubber [rel="${rel}"]`) || document.querySelector("#scrubber .past-nav a");
  }
  return () => document.querySelector(".ticks [aria-current]");
}

function told(slider) {
  const [serial, title] = moments()[slider.value];
  slider.setAttribute("aria-valuetext", title);
  slider.parentElement.querySelector("output").textContent = title;
  clearTimeout(timer);
  timer = setTimeout(() => go(`?at=${serial}`, { isStep: true }), SETTLES);
}

if (place()) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest(`${WRITES}, #scrub, .scroll[tabindex]`)) return;
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    const link = rel && document.querySelector(`#scrubber [rel="${rel}"]`);
    if (!link) return;
    event.preventDefault();
    go(link.getAttribute("href"), { isStep: true });
  });
  document.addEventListener("input", (event) => { if (event.target.id === "scrub") told(event.target); });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('#scrubber a[href^="?at="]');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.getAttribute("href"), { isStep: link.hasAttribute("rel") });
  });
  window.addEventListener("popstate", () => go(location.href, { isNew: false }));
}
