// The chat and the notes beside the board: a drawer on a phone, a panel on a wide screen. Loaded by on_demand.js.
"use strict";

import { attend, markRead } from "./chat.js";
import { ask } from "./requests.js";

const drawer = document.getElementById("talk");
const url = `${drawer.dataset.talk}?beside=1`;
const isWide = () => window.matchMedia("(min-width: 861px)").matches;
const links = () => [...document.querySelectorAll("a[href]")].filter(
  (link) => !drawer.contains(link) && link.pathname === drawer.dataset.talk,
);
let opener = null;
let isFetched = false;

async function page() {
  const answer = await ask(url, { headers: { "HX-Request": "true" } });
  if (!answer.ok || answer.redirected) throw new Error("unanswered");
  return new DOMParser().parseFromString(answer.text, "text/html");
}

function toEnd() {
  const list = document.getElementById("chat-list");
  if (list) list.scrollTop = list.scrollHeight;
}

// It is shown as soon as it is styled.
async function fill(fresh) {
  const sheet = fresh.querySelector("link[rel=stylesheet]");
  const styled = new Promise((resume) => { sheet.onload = sheet.onerror = resume; });
  drawer.replaceChildren(...fresh.body.childNodes);
  await styled;
}

async function open(link) {
  if (!isFetched) {
    try {
      await fill(await page());
    } catch { return void location.assign(link.href); }
    isFetched = true;
    window.htmx?.process(drawer);
    document.dispatchEvent(new CustomEvent("refreshed"));
  } else void update();
  opener = link;
  if (isWide()) drawer.show(); else drawer.showModal();
  document.documentElement.classList.add("talks");
  for (const each of links()) each.setAttribute("aria-expanded", "true");
  toEnd();
  markRead();
  if (isWide()) drawer.querySelector("textarea")?.focus({ preventScroll: true });
}

// Only what others wrote is drawn anew: what the reader is writing stays.
async function update() {
  try {
    const fresh = await page();
    for (const id of ["chat-list", "chat-news"]) {
      const old = document.getElementById(id), now = fresh.getElementById(id);
      if (old && now) id === "chat-news" ? old.replaceChildren(...now.childNodes) : old.replaceWith(now);
    }
    toEnd();
    markRead();
  } catch { /* off line: the next message or visit asks again */ }
}

attend(drawer);
drawer.addEventListener("close", () => {
  document.documentElement.classList.remove("talks");
  for (const each of links()) each.setAttribute("aria-expanded", "false");
  opener?.focus({ preventScroll: true });
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-talk-close]") || event.target === drawer) return void drawer.close();
  const link = event.target.closest("a[href]");
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || !links().includes(link)) return;
  event.preventDefault();
  if (drawer.open) drawer.close(); else void open(link);
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && drawer.open) drawer.close(); });
document.addEventListener("unread", () => { if (drawer.open) void update(); });
