// The chat, on its page and beside a board: names inserted by a click, a key that sends, and the mark up to which the
// reader has read.
"use strict";

import { insist } from "./requests.js";

const list = () => document.getElementById("chat-list");
const text = () => document.getElementById("say-text");
let read = Number(list()?.dataset.newest || 0); // loading the page counts as reading it

// Only messages that are visible count as read.
export function markRead() {
  const newest = Number(list()?.dataset.newest || 0);
  if (document.hidden || newest <= read || !list().checkVisibility()) return;
  read = newest;
  const url = document.querySelector("[data-chat]").dataset.live + "read/";
  const body = new URLSearchParams({ number: String(newest) });
  insist(url, { method: "POST", body }, () => read === newest);
  document.dispatchEvent(new CustomEvent("chatread"));
}

// What is being sent stays as it is until it is answered.
function hold(isHeld) {
  return (event) => { if (event.target.id === "say" && text()) text().readOnly = isHeld; };
}

// The text before the cursor from its last @ on, if it may be a name.
function begun(field) {
  const before = field.value.slice(0, field.selectionStart);
  const at = before.lastIndexOf("@");
  return at < 0 || /[\n@]/.test(before.slice(at + 1)) ? null : { at, typed: before.slice(at) };
}

function fits(name, typed) {
  return name.toLowerCase().startsWith(typed.toLowerCase());
}

function put(name) {
  const field = text();
  const start = begun(field);
  const from = start && fits(name, start.typed) ? start.at : field.selectionStart;
  const gap = from > 0 && !/\s$/.test(field.value.slice(0, from)) ? " " : "";
  field.setRangeText(`${gap}${name} `, from, field.selectionEnd, "end");
  field.focus();
  suggest();
}

// The names become buttons; while one is being typed only those that fit are shown.
function offer() {
  for (const word of document.querySelectorAll("span[data-mention]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "linkbtn";
    button.dataset.mention = button.textContent = word.dataset.mention;
    word.replaceWith(button);
  }
}

function suggest() {
  const start = text() && begun(text());
  const buttons = [...document.querySelectorAll("button[data-mention]")];
  const fitting = start ? buttons.filter((button) => fits(button.dataset.mention, start.typed)) : [];
  for (const button of buttons) button.hidden = fitting.length > 0 && !fitting.includes(button);
}

document.addEventListener("click", (event) => {
  const name = event.target.closest("button[data-mention]")?.dataset.mention;
  if (name) put(name);
});
document.addEventListener("input", (event) => { if (event.target === text()) suggest(); });
document.addEventListener("keydown", (event) => {
  if (event.target !== text() || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  document.getElementById("say").requestSubmit();
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id === "chat") text()?.focus({ preventScroll: false });
});
document.addEventListener("htmx:beforeSend", hold(true));
document.addEventListener("untaken", hold(false));
document.addEventListener("visibilitychange", markRead);

export function attend(page) {
  new MutationObserver(() => { offer(); markRead(); }).observe(page, { childList: true, subtree: true });
}

const page = document.querySelector("[data-chat]");
if (page) attend(page);
offer();
