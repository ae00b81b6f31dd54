// The ticket of a turn: the button says what it does, one press fills in an amount, and lines of a list move up.
"use strict";

function chosen(name) {
  return document.querySelector(`#ticket [name="${name}"]:checked`);
}

function valueOf(name) {
  return document.querySelector(`#ticket input[name="${name}"][type="number"]`)?.value;
}

function grouped(text) {
  const number = Number(text);
  return text && Number.isFinite(number) ? number.toLocaleString(document.documentElement.lang) : "";
}

// ---- the button: what is chosen, in the words of the action; what is missing leaves its own words
function say() {
  const button = document.querySelector("#sendbar button[value=submit]"), act = chosen("act");
  if (!button || !(act || chosen("kind"))) return;
  button.dataset.words ??= button.textContent;
  const facts = {
    n: grouped(valueOf("shares")), company: chosen("company")?.value, contract: chosen("contract")?.dataset.title,
    dividend: grouped(valueOf("dividend")), price: grouped(valueOf("price")),
  };
  const isTurn = (chosen("kind")?.value ?? "turn") === "turn";
  const text = isTurn ? act?.dataset.send || "" : chosen("kind").dataset.send;
  const needs = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const isWhole = text && needs.every((name) => facts[name]);
  const words = isWhole ? text.replace(/\{(\w+)\}/g, (_, name) => facts[name]) : button.dataset.words;
  if (button.textContent !== words) button.textContent = words;
}

// ---- the order of a list
document.addEventListener("click", (event) => {
  const up = event.target.closest("[data-up]");
  if (up) swapWithAbove(up.closest("[data-line]"));
});

// Two lines change places by their fields' names: the form then holds them in the new order, and is drawn afresh.
function swapWithAbove(line) {
  const above = line.previousElementSibling;
  if (!above) return;
  const [mine, other] = [line.dataset.line, above.dataset.line];
  const rename = (part, from, to) => {
    for (const field of part.querySelectorAll(`[name^="${from}_"]`)) field.name = to + field.name.slice(from.length);
  };
  rename(line, mine, "moving");
  rename(above, other, mine);
  rename(line, "moving", other);
  line.querySelector("select").dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("change", (event) => { if (event.target.form?.id === "ticket") say(); });
document.addEventListener("input", (event) => { if (event.target.form?.id === "ticket") say(); });
new MutationObserver(say).observe(document.querySelector(".table"), { childList: true, subtree: true });
say();
