// Relative time beside the absolute one: every [data-left] holds an instant and is rewritten as it nears.
"use strict";

const MINUTE = 60, HOUR = 3600, DAY = 86400, LATE = -3;

// The page carries the words of its language: game/templatetags/times.py.
const PATTERNS = JSON.parse(document.documentElement.dataset.leftWords);

function told(pattern, numbers) {
  return PATTERNS[pattern].replace(/\{(\w+)\}/g, (whole, name) => numbers[name]);
}

function inWords(seconds) {
  const minutes = Math.floor(seconds / MINUTE), hours = Math.floor(seconds / HOUR);
  if (seconds <= 0) return told("over", {});
  if (seconds < MINUTE) return told("seconds", {seconds});
  if (seconds < 10 * MINUTE) return told("near", {minutes, seconds: seconds % MINUTE});
  if (seconds < HOUR) return told("minutes", {minutes});
  if (seconds < DAY) return told("hours", {hours, minutes: minutes % 60});
  return told("days", {days: Math.floor(seconds / DAY), hours: hours % 24});
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
    if (seconds > LATE || mark.dataset.over) continue;
    mark.dataset.over = "yes"; // live.js looks at once what has become of it
    document.dispatchEvent(new CustomEvent("overdue"));
  }
}

tick();
setInterval(tick, 1000);
