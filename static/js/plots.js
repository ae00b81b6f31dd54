// The arrow keys walk over the marks of a chart: left and right along a line, up and down to another line. What is
// focused or pointed at is said above the charts. Without this script each mark still has its own name.
"use strict";

const said = document.getElementById("plot-said");
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

for (const plot of document.querySelectorAll("[data-plot]")) {
  for (const series of plot.querySelectorAll(".series")) {
    const marks = [...series.querySelectorAll(".pt")];
    if (marks.length && !marks.some((mark) => mark.tabIndex === 0)) marks[0].setAttribute("tabindex", "0");
  }
}

function move(mark, [line, along]) {
  const plot = mark.closest("[data-plot]");
  const lines = [...plot.querySelectorAll(".series")].filter((series) => series.querySelector(".pt"));
  const series = mark.closest(".series"), marks = [...series.querySelectorAll(".pt")];
  const at = marks.indexOf(mark);
  if (along) return marks[at + along];
  const there = lines[lines.indexOf(series) + line];
  if (!there) return null;
  const others = [...there.querySelectorAll(".pt")];
  return others[Math.min(at, others.length - 1)];
}

document.addEventListener("keydown", (event) => {
  const mark = event.target.closest(".series .pt"), step = STEPS[event.key];
  if (!mark || !step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  const next = move(mark, step);
  if (!next) return;
  for (const other of next.closest(".series").querySelectorAll(".pt")) other.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
});

for (const [on, off] of [["focusin", "focusout"], ["pointerover", "pointerout"]]) {
  document.addEventListener(on, (event) => {
    const mark = event.target.closest(".pt");
    if (mark) said.textContent = mark.getAttribute("aria-label");
  });
  document.addEventListener(off, (event) => { if (event.target.closest(".pt")) said.textContent = ""; });
}
