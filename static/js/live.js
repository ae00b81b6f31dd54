// Keeps an open game, or a list of games, up to date. A push on the socket, or a check of the version on focus and
// after a quarter of a minute without news, fetches the page's regions and replaces those that differ. A region that
// the player is typing in is never replaced; one whose draft was saved is, when another window has saved a later one.
"use strict";

import { focusOn } from "./focus.js";
import { ask, isBusy, isUnsaved } from "./requests.js";

const WORDS = JSON.parse(document.getElementById("live-js").dataset.words);
const page = document.querySelector("[data-live]");
const shown = new Map(); // id of a region -> its markup as the server last sent it
const touched = new Set(); // ids of forms the player has begun to fill in
const isList = Boolean(page?.dataset.look);
let version = page?.dataset.version || "";
let asking = false;
let askAgain = false;
let tag = ""; // of the last answer; kept here, since no cache keeps a game
let missed = false; // whether something arrived while nobody could see the page

function regionsOf(root) {
  return root.querySelectorAll("[data-region][id]");
}

// What differs in every answer, or stands in the answer to a decision alone, is ignored: tokens, relative times, the
// confirmation.
function markupOf(region) {
  return region.outerHTML
    .replace(/((csrfmiddlewaretoken|token)" value=")[^"]*/g, "$1")
    .replace(/(data-left="[^"]*"[^>]*>)[^<]*/g, "$1")
    .replace(/<p [^>]*data-confirms[\s\S]*?<\/p>/g, "")
    .replaceAll(' hx-swap-oob="outerHTML"', "")
    .replace(/\s+/g, " ");
}

function isInUse(region) {
  if (isSuperseded || !region.matches("form, [data-form]")) return false;
  return touched.has(region.id) || region.contains(document.activeElement);
}

// Whether what stands for the player in this phase was changed in another window. What is not saved yet stays: it is
// saved soon, and counts then.
let isSuperseded = false;

function compare(fresh) {
  const old = document.getElementById("ticket"), { serial, stands } = fresh.getElementById("ticket")?.dataset || {};
  const differs = old && old.dataset.serial === serial && old.dataset.stands !== stands;
  isSuperseded = Boolean(differs) && !isUnsaved(old) && !isBusy(document.getElementById("panel"));
  if (differs && isUnsaved(old)) version = tag = ""; // looked at again when it is saved
  if (!isSuperseded || !touched.size) return;
  touched.clear();
  document.getElementById("elsewhere-note").hidden = false;
}

function reopen(old, fresh) {
  for (const part of old.querySelectorAll("details[open][id]")) {
    fresh.querySelector(`#${CSS.escape(part.id)}`)?.setAttribute("open", "");
  }
  if (old.dataset.serial === fresh.dataset.serial) keep(old, fresh);
}

// What the player ticked or cleared stays; a box that the player did not touch follows the server.
function keep(old, fresh) {
  for (const choice of old.querySelectorAll("[data-keep]")) {
    const twin = fresh.querySelector(`#${CSS.escape(choice.id)}`);
    if (!twin || !(choice.dataset.set || choice.type === "radio" && choice.checked)) continue;
    twin.checked = choice.checked;
    if (choice.dataset.set) twin.dataset.set = choice.dataset.set;
  }
}

// Where the focus goes when its region is replaced: to the same control, or to the region where there is none any more.
function heirOf(control, fresh) {
  return (control.id !== fresh.id && twinOf(control, fresh)) || fresh;
}

// The twin of a control: by its id, by where it leads, or by its name and value.
function twinOf(control, fresh) {
  if (control.id) return fresh.querySelector(`#${CSS.escape(control.id)}`);
  const link = control.getAttribute("href"), form = control.form?.getAttribute("action");
  if (link) return fresh.querySelector(`[href="${CSS.escape(link)}"]`);
  if (!control.name) return form ? fresh.querySelector(`form[action="${CSS.escape(form)}"] button`) : null;
  return fresh.querySelector(`[name="${CSS.escape(control.name)}"][value="${CSS.escape(control.value)}"]`);
}

let isOwed = false; // a warning that the answer to a submission makes needless

function isSending() {
  return document.getElementById("panel")?.classList.contains("htmx-request") ?? false;
}

function warnAfterAll() {
  if (!isOwed) return;
  isOwed = false;
  version = tag = "";
  refresh();
}

function put(fresh) {
  const old = document.getElementById(fresh.id);
  const markup = markupOf(fresh);
  if (!old || shown.get(fresh.id) === markup) return;
  if (isInUse(old)) return void warn(old, fresh);
  shown.set(fresh.id, markup);
  reopen(old, fresh);
  const scrolled = [...old.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  // A live region must stay the same element, or nothing is announced.
  if (old.getAttribute("role") === "status") {
    old.className = fresh.className; // as one that is empty now, it is hidden
    return void old.replaceChildren(...fresh.childNodes);
  }
  const focused = old.contains(document.activeElement) ? heirOf(document.activeElement, fresh) : null;
  exchange(old, fresh);
  if (focused) focusOn(focused);
  fresh.querySelectorAll(".scroll").forEach((box, i) => { box.scrollLeft = scrolled[i] || 0; });
  fresh.classList.add("htmx-added");
  window.htmx?.process(fresh);
}

// The form stays as it is; when its phase has closed it can no longer be sent, and ticket.js says so. Where the player
// has just sent it, the answer says what became of it.
function warn(form, fresh) {
  const closed = form.dataset.serial !== fresh.dataset.serial;
  if (closed && isSending()) { isOwed = true; return; }
  form.dispatchEvent(new CustomEvent("outdated", { bubbles: true, detail: { closed, fresh } }));
  if (!closed) return;
  const buttons = `#${CSS.escape(form.id)} [type=submit]:enabled, [form="${CSS.escape(form.id)}"][type=submit]:enabled`;
  for (const button of document.querySelectorAll(buttons)) {
    button.disabled = true;
    button.dataset.old = "";
  }
}

// A push may be lost while its socket stays open: within 20 seconds a visible page is up to date. Not all pages ask at
// the same moment.
const QUIET = 15000, JITTER = 3000;
let next = 0;

function lookLater() {
  clearTimeout(next);
  next = setTimeout(() => { if (document.hidden) lookLater(); else look(); }, QUIET + Math.random() * JITTER);
}

// Two numbers tell whether there is anything to fetch: a page that was just loaded does not fetch its board again.
async function look() {
  lookLater();
  try {
    const answer = await ask(page.dataset.look || `${page.dataset.live}version/`);
    if (answer.ok && !answer.redirected) {
      const now = JSON.parse(answer.text);
      if ("unread" in now) showUnread(now.unread);
      if (isKnown(now)) return;
    }
  } catch { return; } // off line: the next tick, focus or reconnect looks again
  await refresh();
}

function isKnown(now) {
  return ("seat_version" in now ? `${now.version}.${now.seat_version}` : now.version) === version;
}

let unread = 0;

// How many messages of the chat are new: on the way to it and in the title of the page.
function showUnread(count) {
  if (count > unread) document.dispatchEvent(new CustomEvent("unread"));
  unread = count;
  for (const mark of document.querySelectorAll("[data-unread]")) {
    mark.hidden = !count;
    mark.firstChild.textContent = count;
  }
  const told = count ? ` ${WORDS.unread.replace("{unread}", count)}` : "";
  const literal = WORDS.unread.replace(/[()]/g, "\\$&").replace("{unread}", "\\d+");
  document.title = document.title.replace(new RegExp(`(\\s+${literal})? / Sectors$`), `${told} / Sectors`);
}

// The server notes what a person has really been shown: nothing that arrives out of sight.
function sight() {
  if (document.hidden) { missed = true; return {}; }
  const seen = missed ? "returned" : "watching";
  missed = false;
  return { "X-Visible": seen };
}

let leaves = false; // another page is on its way, as after “Start again”, and a reload would call it off
const LEAVING = 10000; // milliseconds, after which it was a download
window.addEventListener("beforeunload", () => {
  leaves = true;
  setTimeout(() => { leaves = false; }, LEAVING);
});

function startOver() {
  if (leaves) asking = false; else location.reload();
}

function stands() {
  return document.getElementById("ticket")?.dataset.stands;
}

// What was saved while the answer was on its way may be missing from it: the page asks again.
async function refresh() {
  if (asking) { askAgain = true; return; }
  asking = true;
  lookLater();
  const before = stands();
  try {
    const asked = { "HX-Request": "true", ...sight(), ...(tag && { "If-None-Match": tag }) };
    const answer = await ask(page.dataset.live, { headers: asked });
    if (answer.redirected || answer.status === 403 || answer.status === 404) return void startOver();
    if (stands() !== before) askAgain = true;
    else if (answer.ok) {
      take(new DOMParser().parseFromString(answer.text, "text/html"));
      tag = answer.headers.get("ETag") || "";
    }
  } catch { /* off line: the next tick, focus or reconnect asks again */ }
  asking = false;
  if (askAgain) { askAgain = false; refresh(); }
}

function take(fresh) {
  const root = fresh.querySelector("[data-live]"), latest = root?.dataset.version;
  if (!root || latest === version) return;
  version = latest;
  const regions = [...regionsOf(fresh)];
  // Another page altogether: the waiting room has become a board.
  if (!regions.some((region) => document.getElementById(region.id))) return void startOver();
  compare(fresh);
  const place = hold(), isTheEnd = isFinished(fresh) && !isFinished(document);
  for (const region of regions) if (!region.parentElement.closest("[data-region]")) put(document.adoptNode(region));
  if (isTheEnd) document.getElementById("brief-t")?.scrollIntoView({ block: "nearest" });
  else letGo(place);
  document.title = fresh.title || document.title;
  document.dispatchEvent(new CustomEvent("refreshed"));
}

// The result is shown to whoever watches the game end.
function isFinished(root) {
  return Boolean(root.querySelector("#finish > *"));
}

// ---- what is under the pointer stays there: the page is scrolled by as much as what stands above it has grown
let pointer = null; // [x, y]; null while it is elsewhere, as in another window

function hold() {
  const region = pointer && document.elementFromPoint(...pointer)?.closest("[data-region][id]");
  return region ? { id: region.id, top: region.getBoundingClientRect().top } : null;
}

function letGo(place) {
  const region = place && document.getElementById(place.id);
  if (!region) return;
  const grown = region.getBoundingClientRect().top - place.top;
  if (grown) scrollerOf(region).scrollBy({ top: grown, behavior: "instant" });
}

function scrollerOf(region) {
  const box = region.closest(".panel-scroll");
  return box && getComputedStyle(box).overflowY === "auto" ? box : window;
}

// A field that is taken away may still say that it was changed: that is no entry of the player's.
function exchange(old, fresh) {
  const hush = (event) => event.stopImmediatePropagation();
  window.addEventListener("change", hush, { capture: true });
  old.replaceWith(fresh);
  window.removeEventListener("change", hush, { capture: true });
}

// Discard what is being edited and show the current decision.
function takeNew() {
  touched.clear();
  for (const id of ["changed-note", "closed-note"]) document.getElementById(id)?.setAttribute("hidden", "");
  document.activeElement?.blur();
  version = tag = "";
  refresh();
}

// Versions count the game's public changes and the seat's own, as in "12.3"; neither ever falls.
function isOlder(one, other) {
  const [game, seat] = one.split(".").map(Number), [gameNow, seatNow] = other.split(".").map(Number);
  return game < gameNow || seat < seatNow;
}

// ---- socket: hints only; back-off doubles to half a minute, with jitter so that a restart is not a stampede
const NOT_YOURS = 4403, TOO_MANY = 4429; // why a socket was closed
let socket = null;
let gaveWay = false;
let failures = 0;

function connect() {
  if (!page.dataset.socket) return;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const mine = socket = new WebSocket(`${scheme}//${location.host}${page.dataset.socket}`);
  socket.onopen = () => {
    failures = 0;
    page.dataset.link = "open";
    look();
  };
  // On the board a message of the chat changes nothing but its number.
  socket.onmessage = (event) => {
    const isTalk = "chat" in JSON.parse(event.data);
    // Players see at once what happened; not all spectators ask at the same moment.
    const spread = page.dataset.seated === undefined ? Math.random() * 120 : 0;
    setTimeout(isTalk && page.dataset.chat === undefined ? look : refresh, spread);
  };
  socket.onclose = (event) => {
    if (socket !== mine) return; // it fell silent, and another has taken its place
    page.dataset.link = "lost";
    // Newer pages of the same person use all sockets: this one asks for its own when it is shown again, not before.
    gaveWay = event.code === TOO_MANY;
    if (gaveWay) return;
    if (event.code === NOT_YOURS) look(); // who lost the seat is told at once
    const pause = Math.min(30000, 500 * 2 ** failures++);
    setTimeout(connect, pause * (0.5 + Math.random()));
  };
}

// What fell silent without closing is found out by a request that nobody answered: the socket beside it is as dead.
function renewSocket() {
  if (page.dataset.link !== "open") return;
  page.dataset.link = "lost";
  socket.close();
  connect();
}

function lookAgain() {
  if (gaveWay) { gaveWay = false; connect(); }
  if (!missed || document.hidden || isList) return void look();
  version = tag = "";
  refresh();
}

if (page) {
  for (const region of regionsOf(document)) shown.set(region.id, markupOf(region));
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-keep]")) event.target.dataset.set = "yes";
    // A control may stand outside its form: both places are then in use.
    for (const part of [event.target.form, event.target]) {
      const region = part?.closest("[data-region]");
      if (region?.matches("form, [data-form]")) touched.add(region.id);
    }
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-take-new]")) takeNew();
  });
  const sent = new Map(); // what `shown` becomes when the answer that is being put on the page has taken its places
  document.addEventListener("htmx:beforeSwap", (event) => {
    const answered = event.detail.xhr.getResponseHeader("X-Version"), { serverResponse, target } = event.detail;
    sent.clear();
    if (target.closest("dialog")) return;
    const fresh = new DOMParser().parseFromString(serverResponse, "text/html");
    for (const region of regionsOf(fresh)) sent.set(region.id, markupOf(region));
    if (!answered || !isOlder(answered, version)) return;
    // A push overtook the answer, which is out of date; the page can now fetch what was submitted.
    event.detail.shouldSwap = false;
    takeNew();
  });
  // What the reader unfolded stays so, as after a push.
  document.addEventListener("htmx:oobBeforeSwap", ({ target, detail }) => {
    if (target.matches("[data-region]")) reopen(target, detail.fragment.firstElementChild);
  });
  for (const swapped of ["htmx:afterSwap", "htmx:oobAfterSwap"]) {
    document.addEventListener(swapped, (event) => {
      const now = document.getElementById(event.target.id) || event.target;
      for (const { id } of [now, ...regionsOf(now)]) { touched.delete(id); shown.set(id, sent.get(id)); }
    });
  }
  for (const moved of ["pointermove", "pointerdown"]) {
    document.addEventListener(moved, (event) => { pointer = [event.clientX, event.clientY]; }, { passive: true });
  }
  document.documentElement.addEventListener("mouseleave", () => { pointer = null; });
  let place = null;
  document.addEventListener("htmx:beforeSwap", () => { place = hold(); });
  document.addEventListener("htmx:afterSettle", () => { letGo(place); place = null; });
  for (const failure of ["lost", "untaken"]) document.addEventListener(failure, warnAfterAll);
  document.addEventListener("unheard", renewSocket);
  document.addEventListener("heard", look);
  document.addEventListener("overdue", look);
  document.addEventListener("chatread", () => showUnread(0));
  window.addEventListener("focus", lookAgain);
  document.addEventListener("visibilitychange", () => { if (document.hidden) pointer = null; else lookAgain(); });
  lookLater();
  connect();
}
