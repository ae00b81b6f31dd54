// Walks through a game's past without loading whole pages: the arrow keys and the slider fetch another moment and put
// it in place, so that the eye stays where it was. Every moment has its own address; the links do the same without
// this script.
"use strict";

const WRITES = "input:not([type=range]), textarea, select, [contenteditable]";
const SETTLES = 150; // ms after the last move of the slider
let asked = 0; // counts requests: an answer that was overtaken is dropped
let timer = 0;

const place = () => document.getElementById("scrubber");
const moments = () => JSON.parse(place().dataset.moments);

async function go(address, { isNew = true } = {}) {
  const mine = ++asked;
  place().setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { cache: "no-store", credentials: "same-origin" });
    if (!answer.ok || answer.redirected) return void location.assign(address);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== asked) return;
    if (!fresh.getElementById("scrubber")) return void location.assign(address);
    put(fresh);
    if (isNew) history.pushState(null, "", address);
  } catch { location.assign(address); } // off line: the browser says so
}

// The slider and what is announced stay the same elements: the one keeps its focus, the other is read out.
function put(fresh) {
  const kept = ["scrub", "past-said"].map((id) => document.getElementById(id)).filter(Boolean);
  const focus = focusOf(document.activeElement);
  const isListOpen = document.getElementById("past-list")?.open;
  for (const old of kept) {
    const twin = fresh.getElementById(old.id);
    if (!twin) continue;
    if (old.id === "scrub") {
      for (const name of ["max", "aria-valuetext"]) old.setAttribute(name, twin.getAttribute(name));
      old.value = twin.getAttribute("value");
    } else old.replaceChildren(...twin.childNodes);
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
  timer = setTimeout(() => go(`?at=${serial}`), SETTLES);
}

if (place()) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest(`${WRITES}, #scrub, .scroll[tabindex]`)) return;
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    const link = rel && document.querySelector(`#scrubber [rel="${rel}"]`);
    if (!link) return;
    event.preventDefault();
    go(link.getAttribute("href"));
  });
  document.addEventListener("input", (event) => { if (event.target.id === "scrub") told(event.target); });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('#scrubber a[href^="?at="]');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.getAttribute("href"));
  });
  window.addEventListener("popstate", () => go(location.href, { isNew: false }));
}
