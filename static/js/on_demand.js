// What a board seldom needs is fetched when a link to it is first followed. Where that fails, the link leads to its
// page.
"use strict";

const talk = document.getElementById("talk")?.dataset.talk;
const parts = new Set([
  { isFor: (link) => link.pathname === talk, load: () => import("./talk.js") },
  { isFor: (link) => link.matches(".explain"), load: () => import("./explain.js") },
]);

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const part = link && isPlain && [...parts].find(({ isFor }) => isFor(link));
  if (!part || link.closest("#talk")) return;
  event.preventDefault();
  part.loaded ??= part.load().then(() => { parts.delete(part); link.click(); }, () => location.assign(link.href));
});
