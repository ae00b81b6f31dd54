// Keeps every page's facts about the games that need the reader up to date: the number in its title, on its icon and in
// its head, and the link to the next game. When one tab learns something, all tabs of the browser are told.
"use strict";

import { ask } from "./requests.js";

const EVERY = 30000, HIDDEN = 4; // ms between two looks; a tab that is not shown looks each HIDDENth time
const PARTS = ["needs-count", "next-game", "next-in-menu"];
const head = document.querySelector("[data-needs]");
const tabs = "BroadcastChannel" in window ? new BroadcastChannel("needs") : null;
let ticks = 0;
let asked = 0; // of two answers that overtake each other, the one to the later question counts

async function look() {
  const mine = ++asked;
  try {
    const answer = await ask(head.dataset.needs);
    if (!answer.ok || answer.redirected || mine !== asked) return;
    put(new DOMParser().parseFromString(answer.text, "text/html"));
  } catch { /* off line: the next look asks again */ }
}

function put(fresh) {
  for (const id of PARTS) {
    const old = document.getElementById(id), now = fresh.getElementById(id);
    if (!old || !now || old.contains(document.activeElement)) continue;
    old.replaceWith(document.adoptNode(now));
  }
  const icon = fresh.getElementById("icon")?.getAttribute("href");
  const shown = document.getElementById("icon");
  if (icon && shown?.getAttribute("href") !== icon) shown.setAttribute("href", icon);
  retitle();
}

function retitle() {
  const count = Number(document.getElementById("needs-count")?.dataset.count || 0);
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = count ? `(${count}) ${title}` : title;
}

function tell() {
  look();
  tabs?.postMessage("changed");
}

if (head) {
  if (tabs) tabs.onmessage = look;
  document.addEventListener("refreshed", () => { retitle(); tell(); }); // by live.js, which sets the title anew
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.pathInfo?.requestPath?.endsWith("/actions/")) tell();
  });
  window.addEventListener("focus", look);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) look(); });
  setInterval(() => { if (!document.hidden || ++ticks % HIDDEN === 0) look(); }, EVERY);
}
