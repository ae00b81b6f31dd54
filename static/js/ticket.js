// The decision's form: submits by htmx, steps numbers, limits how many boxes may be ticked, and says what changed on
// the server. The form works without this script.
"use strict";

import "./choice.js";
import { focusOn } from "./focus.js";
import { forget, tell } from "./requests.js";

const WORDS = JSON.parse(document.getElementById("ticket-js").dataset.words);

function told(text, facts) {
  return WORDS[text].replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
}

// ---- submitting: the pressed button says what; the answer is the whole panel. What was lost goes again with the same
// token, so that it counts once, until it is answered, the phase is over, or the player enters something else.
const panel = document.getElementById("panel");
let pending = ""; // the phase of the submission that is under way
let sent = ""; // the phase submitted last, until the reader does something else

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "ticket" || !window.htmx) return;
  const button = event.submitter;
  event.preventDefault();
  if (button?.hasAttribute("formaction")) return void window.htmx.trigger(form, "change"); // Enter in a field
  const values = new FormData(form);
  if (button?.name) values.append(button.name, button.value);
  forget(form);
  window.htmx.trigger(form, "htmx:abort"); // a draft on its way must not arrive after its submission
  send(form, values);
});

// The source is the panel and not the form: a push may replace the form before the answer comes, the panel stays. The
// answer settles at once: later, htmx would take from the send bar what lets it have the focus.
function send(form, values) {
  forget(panel);
  window.htmx.trigger(panel, "htmx:abort");
  pending = form.dataset.serial;
  const place = { source: panel, target: panel, swap: "innerHTML settle:0ms" };
  window.htmx.ajax("POST", form.action, { ...place, values }).catch(() => {});
}

function giveUp() {
  pending = "";
  if (forget(panel)) tell("");
}

function isOver() {
  return pending && document.getElementById("ticket")?.dataset.serial !== pending;
}

panel.addEventListener("lost", (event) => { if (event.target === panel && isOver()) event.preventDefault(); });
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.target !== panel || !pending) return;
  const serial = pending;
  pending = "";
  show(serial);
});

// What the answer brought: a refusal where it stands, the top of the page for the next decision, otherwise the brief.
// The pressed button is gone with the old bar: the keyboard focus moves to the refusal, or to the bar's first line.
function show(serial) {
  const refusal = document.getElementById("refusal"), next = document.getElementById("ticket");
  document.querySelector(".messages")?.remove(); // a greeting has been read by now
  if (document.activeElement === document.body) focusOn(refusal || document.getElementById("sendbar") || panel);
  if (refusal) return void refusal.scrollIntoView({ block: "nearest" });
  if (next?.dataset.serial !== serial) window.scrollTo({ top: 0 });
  else document.getElementById("brief-t")?.scrollIntoView({ block: "nearest" });
  sent = serial;
}

// What follows may come in several pieces after the answer, such as the turns of the others, the next decision, or the
// end of the game: the top is shown after each, unless the reader has done something since.
document.addEventListener("refreshed", () => {
  if (sent && document.getElementById("ticket")?.dataset.serial !== sent) window.scrollTo({ top: 0 });
});
for (const kind of ["pointermove", "pointerdown", "wheel", "keydown"]) {
  document.addEventListener(kind, () => { sent = ""; }, { passive: true });
}

// ---- what was entered, in this order. It counts as a draft if it is a choice and not a look at another kind of order.
const LOOKED_AT = new Set(["kind", "ready"]);
for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    const { form, name } = event.target;
    if (form?.id !== "ticket") return;
    // What has no name only unfolds something: a preview would draw it anew, folded.
    if (!name) return void event.stopPropagation();
    giveUp();
    document.getElementById("elsewhere-note").hidden = true;
    if (form.elements.touched) touch(form.elements.touched, name);
  }, { capture: true });
}

function touch(field, name) {
  const entered = [...(field.dataset.entered || "").split(" ").filter((other) => other && other !== name), name];
  field.dataset.entered = entered.join(" ");
  field.value = entered.every((each) => LOOKED_AT.has(each)) ? "" : field.dataset.entered;
}

// ---- no more boxes than the company takes actions
function limit(table) {
  const boxes = [...table.querySelectorAll("input[type=checkbox]")];
  const chosen = boxes.filter((box) => box.checked).length, full = chosen >= Number(table.dataset.most);
  const count = table.closest("details, .sec")?.querySelector("[data-chosen]");
  if (count) count.textContent = told("chosen", { chosen, most: table.dataset.most });
  for (const box of boxes) box.closest("tr").classList.toggle("bal-full", full && !box.checked);
}

// To abstain and to choose an action are one or the other.
function eitherOr(box) {
  const sheet = box.checked && box.value && box.closest("details.ahead");
  if (!sheet || !box.name.startsWith("actions_")) return;
  const others = box.hasAttribute("data-abstain") ? "table input:checked" : "[data-abstain]:checked";
  for (const other of sheet.querySelectorAll(others)) other.checked = false;
  for (const table of sheet.querySelectorAll("table[data-most]")) limit(table);
}

document.addEventListener("change", (event) => {
  const box = event.target;
  if (!box.closest("#ballot")) return void saveFromAfar(box);
  eitherOr(box);
  const table = box.closest("table[data-most]");
  if (!table) return void saveFromAfar(box);
  const most = Number(table.dataset.most);
  const ticked = [...table.querySelectorAll("input:checked")];
  // The box ticked last wins its place from another one, as a radio would.
  if (box.checked && ticked.length > most) ticked.find((other) => other !== box).checked = false;
  limit(table);
  saveFromAfar(box);
});

// Controls outside the form do not bubble through it, so that htmx would miss them.
function saveFromAfar(control) {
  if (control.form && !control.form.contains(control)) window.htmx?.trigger(control.form, "change");
}

// ---- the space of the bar at the foot of a phone: the focused control is scrolled clear of it
let measured = null;
const ruler = new ResizeObserver(([{ borderBoxSize: [size] }]) => {
  document.documentElement.style.setProperty("--bar", `${Math.ceil(size.blockSize)}px`);
});

function measure() {
  const bar = document.getElementById("sendbar");
  if (bar === measured) return;
  ruler.disconnect();
  measured = bar;
  if (bar) ruler.observe(bar);
}

// ---- what changed under an open form
function pricesOf(form) {
  return new Map((form.dataset.prices || "").split(" ").filter(Boolean).map((pair) => pair.split(":")));
}

function changesBetween(form, fresh) {
  const before = pricesOf(form), said = [];
  for (const [ticker, price] of pricesOf(fresh)) {
    const was = before.get(ticker);
    if (before.has(ticker) && was !== price) said.push(told("price", { company: ticker, now: price, was }));
  }
  return said;
}

// Plus and minus beside a number input; the input works without them.
document.addEventListener("click", (event) => {
  const button = event.target.closest(".stepper [data-step]");
  if (!button) return;
  const input = button.closest(".stepper").querySelector("input[type=number]");
  if (input.disabled || input.readOnly) return;
  if (Number(button.dataset.step) < 0) input.stepDown();
  else input.stepUp();
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

// Amounts at one press.
document.addEventListener("click", (event) => {
  const fill = event.target.closest("[data-fill]");
  if (!fill) return;
  const field = document.getElementById(fill.dataset.fill);
  field.value = fill.dataset.amount;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
});

document.addEventListener("outdated", (event) => {
  const { closed, fresh } = event.detail;
  const form = document.getElementById("ticket");
  if (!form) return;
  const note = document.getElementById(closed ? "closed-note" : "changed-note");
  const words = note?.querySelector("[data-words]");
  if (!note || (event.target !== form && !closed)) return;
  if (closed) {
    words.textContent = form.dataset.ran || "";
    document.getElementById("changed-note").hidden = true;
  } else {
    const said = changesBetween(form, fresh);
    if (!said.length) return;
    words.textContent = said.slice(0, 3).join(" ");
  }
  note.hidden = false;
});

// The send bar is renewed by a push before the form is asked: keep what would have counted while it was this phase's.
function remember() {
  const form = document.getElementById("ticket"), bar = document.getElementById("sendbar-s");
  if (form && bar && form.dataset.serial === bar.dataset.serial) form.dataset.ran = bar.dataset.ran;
}

// The answer to a draft brings the lines of the bar along, and with them what stands from now on.
document.addEventListener("htmx:oobAfterSwap", (event) => {
  const bar = document.getElementById("sendbar-s"), form = document.getElementById("ticket");
  if (event.target.id === "sendbar-s" && bar && form) form.dataset.stands = bar.dataset.stands;
});

// A value that cannot be read is marked in its field, and the figures of the earlier draft stay hidden.
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id !== "preview") return;
  const bad = document.getElementById("preview")?.dataset.bad;
  document.getElementById("refusal")?.remove(); // it was about the earlier entries; the preview says what is wrong now
  for (const field of document.querySelectorAll("#ticket [aria-invalid]")) {
    if (field.name !== bad) field.removeAttribute("aria-invalid");
  }
  const field = bad && document.getElementById("ticket").elements[bad];
  if (field instanceof HTMLElement) field.setAttribute("aria-invalid", "true");
});

new MutationObserver(() => {
  remember();
  if (isOver()) giveUp();
  measure();
  const form = document.getElementById("ticket"), bar = document.getElementById("sendbar");
  if (!form || !bar) return;
  // A form of a closed phase cannot be sent by the bar of the next one. What the server disabled stays so.
  const isOld = form.dataset.serial !== bar.dataset.serial;
  for (const button of bar.querySelectorAll(isOld ? "button[form=ticket]:enabled" : "button[form=ticket][data-old]")) {
    button.toggleAttribute("data-old", isOld);
    button.disabled = isOld;
  }
}).observe(document.getElementById("panel") || document.body, { childList: true, subtree: true });
remember();
measure();
document.querySelectorAll("table[data-most]").forEach(limit);
