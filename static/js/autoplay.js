// Steps through a game by itself: follows the link to the next moment again and again, until the last or until paused.
// Which links those are is said beside the button: `data-next`, and `data-first` to begin again at the end.
"use strict";

const PACES = { slow: 3000, usual: 1500, fast: 600 }; // ms for a moment
const control = document.querySelector("[data-autoplay]");
let timer = 0;

const link = (which) => document.querySelector(control.dataset[which]);
const isBusy = () => document.querySelector("#scrubber[aria-busy], #showcase.htmx-request, .stops .htmx-request");

function show(isPlaying) {
  const button = control.querySelector("button");
  button.setAttribute("aria-pressed", String(isPlaying));
  button.textContent = button.dataset[isPlaying ? "pause" : "play"];
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  show(false);
}

function step() {
  timer = setTimeout(step, PACES[control.querySelector("select").value]);
  if (isBusy() || document.hidden) return;
  const next = link("next");
  if (next) next.click();
  else stop();
}

function start() {
  show(true);
  if (!link("next")) link("first")?.click();
  timer = setTimeout(step, PACES.fast);
}

if (control) {
  control.hidden = false;
  control.querySelector("button").addEventListener("click", () => (timer ? stop() : start()));
  // Whoever steps by hand has taken over.
  document.addEventListener("keydown", (event) => { if (timer && event.key.startsWith("Arrow")) stop(); });
  if (control.dataset.autoplay === "at-once") start();
}
