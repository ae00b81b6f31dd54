// Relative time beside the absolute one: every [data-left] holds an instant and is rewritten as it nears.
"use strict";

const MINUTE = 60, HOUR = 3600, DAY = 86400;

function inWords(seconds) {
  if (seconds <= 0) return "closing now";
  if (seconds < MINUTE) return `in ${seconds} s`;
  if (seconds < 10 * MINUTE) return `in ${Math.floor(seconds / MINUTE)} min ${seconds % MINUTE} s`;
  if (seconds < HOUR) return `in ${Math.floor(seconds / MINUTE)} min`;
  if (seconds < DAY) return `in ${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min`;
  return `in ${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / HOUR)} h`;
}

// The server says what time it is, so that a wrong clock on this machine does not move a deadline.
const stamp = document.documentElement.dataset.now;
const skew = stamp ? Date.parse(stamp) - Date.now() : 0;

function tick() {
  for (const mark of document.querySelectorAll("[data-left]")) {
    const seconds = Math.round((Date.parse(mark.dataset.left) - Date.now() - skew) / 1000);
    const words = inWords(seconds);
    if (mark.textContent !== words) mark.textContent = words;
    mark.classList.toggle("is-near", seconds < MINUTE);
    // A list of games is not kept fresh otherwise: see what has become of the one whose time just ran out.
    if (seconds === -3 && document.querySelector(".games")) location.reload();
  }
}

tick();
setInterval(tick, 1000);
