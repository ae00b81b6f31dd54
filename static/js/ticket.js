// The decision's form: submits by htmx, limits how many boxes may be ticked, and says what changed on the server. The
// form works without this script.
"use strict";

const WORDS = JSON.parse(document.getElementById("ticket-js").dataset.words);

function told(text, facts) {
  return WORDS[text].replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
}

// ---- submitting: the pressed button says what; the answer is the whole panel. A lost submission is sent again with
// the same token, so that it counts once, until it is answered, the phase is over, or the player enters something else.
const AGAIN_AFTER = 2000, AWAY = new Set([0, 429, 502, 503, 504]); // milliseconds; statuses of a site that is not there
const LATER = 60; // seconds: a site that says to come again after more does not take anything now
let pending = null;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "ticket" || !window.htmx) return;
  const button = event.submitter;
  event.preventDefault();
  if (button?.hasAttribute("formaction")) return void window.htmx.trigger(form, "change"); // Enter in a field
  const values = new FormData(form);
  if (button?.name) values.append(button.name, button.value);
  window.htmx.trigger(form, "htmx:abort"); // a draft on its way must not arrive after its submission
  send({ action: form.action, serial: form.dataset.serial, values });
});

// The source is the panel and not the form: a push may replace the form before the answer comes, the panel stays.
function send(submission) {
  pending = submission;
  const panel = { source: "#panel", target: "#panel", swap: "innerHTML", values: submission.values };
  window.htmx.ajax("POST", submission.action, panel).then(() => show(submission.serial), () => {});
}

function sendAgain(submission) {
  if (pending !== submission) return;
  if (document.getElementById("ticket")?.dataset.serial === submission.serial) return void send(submission);
  pending = null;
  missing = "";
  complain();
}

// Whether the site was not reached, or could not answer. It reports its own limits as plain text.
function isAway(xhr) {
  if (!xhr) return true;
  return AWAY.has(xhr.status) && !isLimit(xhr) && !(Number(xhr.getResponseHeader("Retry-After")) > LATER);
}

function isLimit(xhr) {
  return xhr?.status === 429 && Boolean(xhr.getResponseHeader("Content-Type")?.startsWith("text/plain"));
}

// What the answer brought: a refusal where it stands, the top of the page for the next decision, otherwise the brief.
// The pressed button is gone with the old bar: the keyboard focus moves to the refusal, or to the bar's first line.
function show(serial) {
  const refusal = document.getElementById("refusal"), next = document.getElementById("ticket");
  if (document.activeElement === document.body) focusOn(refusal || document.getElementById("sendbar"));
  if (refusal) refusal.scrollIntoView({ block: "nearest" });
  else if (next?.dataset.serial !== serial) window.scrollTo({ top: 0 });
  else document.getElementById("brief-t")?.scrollIntoView({ block: "nearest" });
}

function focusOn(place) {
  place?.setAttribute("tabindex", "-1");
  place?.focus({ preventScroll: true });
}

// ---- what counts as a draft: a choice of the player's, not a look at another kind of order
const LOOKED_AT = new Set(["kind", "ready"]);
for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    const { form, name } = event.target;
    if (form?.id === "ticket") pending = null;
    if (form?.id === "ticket" && !LOOKED_AT.has(name) && form.elements.touched) form.elements.touched.value = "yes";
  }, { capture: true });
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

// ---- lost submissions: shown beside the buttons until a request succeeds, also in a bar that was replaced since
let missing = "", resave = false;

function complain() {
  const note = document.getElementById("unsaved-note"), bar = document.getElementById("sendbar");
  if (note && note.textContent !== missing) note.remove();
  if (!missing || !bar || document.getElementById("unsaved-note")) return;
  const fresh = document.createElement("p");
  fresh.id = "unsaved-note";
  fresh.className = "say say--no";
  fresh.setAttribute("role", "alert");
  fresh.textContent = missing;
  bar.prepend(fresh);
}

for (const [failure, why] of [["htmx:sendError", WORDS.unheard], ["htmx:responseError", WORDS.untaken]]) {
  document.addEventListener(failure, (event) => {
    resave = event.target.id === "ticket";
    const xhr = event.detail.xhr;
    const submission = event.target.id === "panel" && isAway(xhr) ? pending : null;
    const next = resave ? WORDS.unsaved : submission ? WORDS.again : WORDS.unsent;
    missing = isLimit(xhr) ? xhr.responseText : `${why} ${next}`;
    if (submission) setTimeout(sendAgain, AGAIN_AFTER, submission);
    complain();
  });
}
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (!event.detail.successful && event.detail.xhr.status !== 422) return;
  if (event.target.id === "panel") pending = null;
  missing = "";
  complain();
});
// The socket is back: what was typed while it was away is saved as a draft.
document.addEventListener("reconnected", () => {
  const form = document.getElementById("ticket");
  if (missing && resave && form?.elements.touched?.value) window.htmx?.trigger(form, "change");
});

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
  complain();
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
