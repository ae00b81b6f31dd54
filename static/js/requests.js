// Every request of every script goes through here, those of htmx too. It has a time limit, says what it is doing, and
// is sent again, the same with the same token, until it is answered. After another sign-in it takes the new CSRF token.
"use strict";

const own = document.getElementById("requests-js");
const WORDS = JSON.parse(own.dataset.words);
const LIMIT = 10000, SLOW = 1500, FIRST = 2000, LAST = 15000; // ms: of an answer, until it is mentioned, between tries
const AWAY = new Set([0, 429, 502, 503, 504]); // statuses of a site that is not there
const LATER = 60; // seconds: a site that says to come again after more does not take anything now
const AGAIN = "X-Again", CSRF = "csrfmiddlewaretoken"; // a header that marks what is sent again; the field of forms

// ---- one note for the whole page: beside the buttons where there are some, otherwise at the foot
const SLOWLY = "slow", UNHEARD = "unheard"; // a note about a request goes with its end, one about the connection with
let note = "", about = ""; // the next answer

export function tell(text, why = "") {
  note = text;
  about = text && why;
  place();
}

function tellSlowly() {
  const slow = setTimeout(() => { if (!note) tell(WORDS.slow, SLOWLY); }, SLOW);
  return () => {
    clearTimeout(slow);
    if (about === SLOWLY) tell("");
  };
}

function place() {
  const old = document.getElementById("unsaved-note"), bar = document.getElementById("sendbar");
  if (!note) return void old?.remove();
  const home = bar?.checkVisibility() ? bar : document.body;
  if (old?.textContent === note && old.parentElement === home) return;
  old?.remove();
  const fresh = document.createElement("p");
  fresh.id = "unsaved-note";
  fresh.className = `say${about ? "" : " say--no"}`;
  fresh.setAttribute("role", "alert");
  fresh.textContent = note;
  home.prepend(fresh);
}

// ---- the connection: lost where nobody answers in time, and back with any answer
const waiting = new Set(); // those who wait for the next try
let isAway = false;

function hurry() {
  for (const resume of waiting) resume();
}

function heard() {
  if (about === UNHEARD && !backlog.size) tell("");
  if (!isAway) return;
  isAway = false;
  document.dispatchEvent(new CustomEvent("heard"));
}

function unheard(text) {
  isAway = true;
  tell(text, UNHEARD);
  document.dispatchEvent(new CustomEvent("unheard"));
}

function pauseBefore(tries) {
  const pause = Math.min(LAST, FIRST * 1.5 ** tries) * (0.75 + Math.random() / 2);
  return new Promise((resume) => {
    const go = () => { waiting.delete(go); resume(); };
    waiting.add(go);
    setTimeout(go, pause);
  });
}

// Whether the site could not answer. It reports its own limits as plain text.
function isGone(status, header) {
  return AWAY.has(status) && !isLimit(status, header) && !(Number(header("Retry-After")) > LATER);
}

function isLimit(status, header) {
  return status === 429 && Boolean(header("Content-Type")?.startsWith("text/plain"));
}

// ---- tokens: a sign-in in another tab makes those of this page worthless. They are renewed for the same person only.
const secret = () => /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1];
let lastSecret = secret();
let renewing = null, isStrange = false;

function strange() {
  return WORDS.other.replaceAll("{name}", document.documentElement.dataset.person);
}

export function token() {
  return JSON.parse(document.body.getAttribute("hx-headers") || "{}")["X-CSRFToken"] || "";
}

// Whether there is a new token: not where somebody else, or nobody, is signed in by now.
function renewed() {
  renewing ??= renew().catch(() => false).finally(() => { renewing = null; });
  return renewing;
}

async function renew() {
  const answer = await fetch(own.dataset.token, { cache: "no-store", signal: AbortSignal.timeout(LIMIT) });
  const { person, token: fresh } = await answer.json(), mine = document.documentElement.dataset.person;
  isStrange = Boolean(mine) && person !== mine;
  if (isStrange) {
    tell(strange());
    return false;
  }
  document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": fresh }));
  for (const field of document.querySelectorAll(`input[name=${CSRF}]`)) field.value = fresh;
  lastSecret = secret();
  return true;
}

function lookAtToken() {
  if (!document.hidden && secret() !== lastSecret) renewed();
}

// A plain form, too, is sent with a token that counts.
function renewBefore(event) {
  const form = event.target, { submitter } = event;
  if (secret() === lastSecret || form.method !== "post") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  renewed().then((isNew) => {
    if (isNew) form.requestSubmit(submitter);
    else if (!isStrange) tell(`${WORDS.unheard} ${WORDS.unsent}`);
  });
}

// ---- for scripts: one try, or as many as it takes. The whole answer counts as its body.
export async function ask(address, { headers, ...options } = {}) {
  const isPost = options.method === "POST";
  options.body?.delete?.(CSRF);
  const once = async () => {
    const proof = isPost ? { "X-CSRFToken": token() } : {}, signal = AbortSignal.timeout(LIMIT);
    const init = { cache: "no-store", ...options, headers: { ...headers, ...proof }, signal };
    const answer = await fetch(address, init), text = await answer.text();
    if (isGone(answer.status, (name) => answer.headers.get(name))) throw new Error(String(answer.status));
    return { ok: answer.ok, status: answer.status, redirected: answer.redirected, headers: answer.headers, text };
  };
  try {
    const answer = await once();
    heard();
    return answer.status === 403 && isPost && await renewed() ? await once() : answer;
  } catch (error) {
    unheard(backlog.size ? note : WORDS.away);
    throw error;
  }
}

// Gives null when the answer is not wanted any more.
export async function insist(address, options, isWanted = () => true) {
  for (let tries = 0; isWanted(); tries++) {
    const end = tellSlowly();
    try { return await ask(address, options); } catch { /* unheard: again */ } finally { end(); }
    await pauseBefore(tries);
  }
  return null;
}

// ---- for htmx: what was lost waits here, by the element that sent it. What a form sends meanwhile takes its place
// where the form says hx-sync="…replace", and otherwise follows it.
const backlog = new Map();

export function forget(element) {
  return backlog.delete(element);
}

export function isBusy(element) {
  return backlog.has(element) || element.classList.contains("htmx-request");
}

function sendAgain(element, request) {
  if (backlog.get(element) !== request) return;
  if (!element.isConnected) return void backlog.delete(element);
  const { requestConfig: { verb, path, formData, headers }, etc } = request;
  const again = { [AGAIN]: String(Number(headers[AGAIN] || 0) + 1) };
  const context = { source: element, target: etc.targetOverride, swap: etc.swapOverride, headers: again };
  window.htmx.ajax(verb, path, { ...context, values: formData }).catch(() => {});
}

function wordsFor(element) {
  return element.matches("[data-saves]") ? WORDS.unsaved : WORDS.again;
}

async function missed({ target, detail }) {
  const { xhr, requestConfig } = detail, header = (name) => xhr.getResponseHeader(name);
  const isRepeat = AGAIN in requestConfig.headers;
  if (isGone(xhr.status, header)) {
    if (!target.dispatchEvent(new CustomEvent("lost", { bubbles: true, cancelable: true }))) return;
    backlog.set(target, detail);
    unheard(`${WORDS.unheard} ${wordsFor(target)}`);
    await pauseBefore(Number(requestConfig.headers[AGAIN] || 0));
    return void sendAgain(target, detail);
  }
  const isOutdated = requestConfig.headers["X-CSRFToken"] !== token();
  if (xhr.status === 403 && requestConfig.verb !== "get" && (!isRepeat || isOutdated)) {
    backlog.set(target, detail);
    if (isOutdated || await renewed()) return void sendAgain(target, detail);
    if (isStrange) return void giveUp(target, strange());
  }
  heard();
  giveUp(target, isLimit(xhr.status, header) ? xhr.responseText
    : `${WORDS.untaken} ${target.matches("[data-saves]") ? WORDS.unsaved : WORDS.unsent}`);
}

function giveUp(element, text) {
  backlog.delete(element);
  tell(text);
  element.dispatchEvent(new CustomEvent("untaken", { bubbles: true }));
}

// A redirect to the page for signing in is an answer of status 200.
function isSignIn(xhr) {
  return xhr.responseURL && new URL(xhr.responseURL).pathname === own.dataset.signIn;
}

function configure({ detail }) {
  detail.timeout = LIMIT;
  detail.headers["X-CSRFToken"] = token();
  detail.formData.delete(CSRF);
}

// A newer request of an element whose last one is still to be answered.
function overtake(event) {
  const { elt, requestConfig } = event.detail, earlier = backlog.get(elt);
  if (!earlier || AGAIN in requestConfig.headers) return;
  const sync = elt.closest("[hx-sync]")?.getAttribute("hx-sync") || "";
  if (sync.endsWith("replace")) return void backlog.delete(elt);
  event.preventDefault();
  earlier.isFollowed = sync.includes("queue");
  hurry();
}

function sending({ target, detail: { xhr, requestConfig } }) {
  const isRepeat = AGAIN in requestConfig.headers;
  requestConfig.typing = isRepeat ? backlog.get(target)?.requestConfig.typing : entries.get(target);
  xhr.addEventListener("loadend", tellSlowly());
}

function answered({ target, detail: { xhr, successful, requestConfig } }) {
  if (!successful && xhr.status !== 422) return;
  if (isSignIn(xhr)) return void giveUp(target, strange());
  const earlier = backlog.get(target);
  backlog.delete(target);
  keep(target, requestConfig);
  tell("");
  heard();
  if (earlier?.isFollowed) window.htmx.trigger(target, target.dataset.saves);
}

// ---- forms that save themselves: what is not saved yet goes when the page does
const entries = new WeakMap(), stored = new WeakMap(); // form -> how often something was entered; and how much is saved
const latest = new WeakMap(); // control -> which of its form's entries was its last
let answering = null; // the request whose answer is being put on the page

function noteTyping({ target }) {
  const form = target.form || target;
  if (!form.matches?.("[data-saves]")) return;
  entries.set(form, (entries.get(form) || 0) + 1);
  latest.set(target, entries.get(form));
}

// An answer leaves alone what was entered since it was asked for: that is asked next, and answered with the rest.
function isEnteredSince(control) {
  return control.form === answering?.elt && latest.get(control) > (answering.typing || 0);
}

function spare(event) {
  const controls = [...event.target.querySelectorAll("input, select, textarea")];
  if (controls.some(isEnteredSince)) event.detail.shouldSwap = false;
}

// What the reader unfolded stays so in what replaces it.
function unfold({ target, detail: { fragment } }) {
  for (const part of target.querySelectorAll("details[open][id]")) {
    fragment.querySelector(`#${CSS.escape(part.id)}`)?.setAttribute("open", "");
  }
}

function keep(form, { typing }) {
  if (typing) stored.set(form, typing);
}

export function isUnsaved(form) {
  return entries.get(form) !== stored.get(form);
}

function saveNow(send) {
  for (const form of document.querySelectorAll("[data-saves]")) if (isUnsaved(form)) send(form);
}

function saveAtOnce(form) {
  const body = new FormData(form), headers = { "HX-Request": "true", "X-CSRFToken": token() };
  body.delete(CSRF);
  stored.set(form, entries.get(form));
  fetch(form.getAttribute("hx-post"), { method: "POST", body, headers, keepalive: true }).catch(() => {});
}

// ---- a page to which the reader goes back, and which is opened anew, has the tokens of the forms that it has sent
const ONCE = "input[name=token][data-once]";

function noteSent({ target }) {
  const field = target.querySelector(ONCE);
  if (!field) return;
  const sent = { ...history.state?.sent, [target.getAttribute("action")]: field.value };
  history.replaceState({ ...history.state, sent }, "");
}

function restoreSent() {
  if (performance.getEntriesByType("navigation")[0]?.type !== "back_forward") return;
  const sent = history.state?.sent || {};
  for (const field of document.querySelectorAll(ONCE)) {
    field.value = sent[field.form.getAttribute("action")] || field.value;
  }
}

for (const failure of ["timeout", "sendError", "responseError"]) document.addEventListener(`htmx:${failure}`, missed);
document.addEventListener("htmx:configRequest", configure);
document.addEventListener("htmx:beforeRequest", overtake);
document.addEventListener("htmx:beforeSend", sending);
document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (isSignIn(detail.xhr)) detail.shouldSwap = false; });
document.addEventListener("htmx:beforeSwap", ({ detail }) => { answering = detail.requestConfig; });
document.addEventListener("htmx:oobBeforeSwap", spare);
document.addEventListener("htmx:oobBeforeSwap", unfold);
document.addEventListener("htmx:afterOnLoad", answered);
for (const kind of ["input", "change"]) document.addEventListener(kind, noteTyping, { capture: true });
window.addEventListener("pagehide", () => saveNow(saveAtOnce));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) saveNow((form) => window.htmx?.trigger(form, form.dataset.saves));
  else lookAtToken();
});
for (const sign of ["focus", "pageshow"]) window.addEventListener(sign, lookAtToken);
window.addEventListener("online", hurry);
document.addEventListener("submit", renewBefore, { capture: true });
document.addEventListener("submit", noteSent);
restoreSent();
new MutationObserver(place).observe(document.body, { childList: true, subtree: true });
