// Makes every draw of a finished game again in the reader's own browser, a few at a time, and says which agree.
"use strict";

const AT_ONCE = 20;
const place = document.getElementById("draws"), said = document.getElementById("draws-said");
const NAME = /^(\d+\/\d+(?:\.\d+)?\/.+)\/(\d+)$/, NUMBER = /^\d+$/, HEX = /^[0-9a-f]{0,64}$/, LEAST = 8;
const hashes = await import(place.dataset.hashes).catch(() => null);
const words = new TextEncoder();
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const told = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

function mark(row, agrees) {
  const cell = row.querySelector(".draws-ok");
  cell.textContent = agrees ? place.dataset.agrees : place.dataset.differs;
  cell.classList.add(agrees ? "is-good" : "is-bad");
  return agrees;
}

const fingerprintOf = (row) => hex(hashes.sha256(words.encode(row.dataset.secret)));

function isSealed(row) {
  if (!row.dataset.fingerprint) {
    row.querySelector(".draws-ok").textContent = place.dataset.open;
    return true;
  }
  return mark(row, fingerprintOf(row) === row.dataset.fingerprint);
}

// The draws of one label at one place are counted from 0, so one that is left out or listed twice is noticed. Draws of
// a repeated resolution are counted separately.
function isNext(row, counted) {
  const [, label, counter] = NAME.exec(row.dataset.draw) ?? [];
  const key = `${row.dataset.seal}/${row.dataset.again}/${label}`, next = counted.get(key) ?? 0;
  counted.set(key, next + 1);
  return counter === String(next);
}

function isDrawn(row, secrets) {
  const { draw, seal, limit, value } = row.dataset;
  const secret = secrets[seal];
  if (!secret || !NUMBER.test(limit) || !NUMBER.test(value) || BigInt(limit) === 0n) return false;
  return BigInt(`0x${hex(hashes.blake2b(words.encode(`${secret}/${draw}`), 16))}`) % BigInt(limit) === BigInt(value);
}

function isRight(row, secrets, counted) {
  const follows = isNext(row, counted);
  return mark(row, isDrawn(row, secrets) && follows);
}

const pause = () => new Promise((resume) => { setTimeout(resume); });

function tell(seals, wrong, all) {
  const { wrong: differing, right, none, listed, unsealed, unlisted = "" } = place.dataset;
  const isOpen = seals.some((row) => !row.dataset.fingerprint);
  const isProved = place.dataset.whole === "true" && all > 0 && !isOpen;
  const partly = [all ? listed : none, isOpen ? unsealed : "", unlisted].filter(Boolean).join(" ");
  said.textContent = told(wrong ? differing : isProved ? right : partly, { n: wrong, all });
  said.classList.toggle("is-bad", wrong > 0);
  said.classList.toggle("is-good", !wrong && isProved);
}

async function check() {
  const seals = [...place.querySelectorAll("[data-fingerprint]")], rows = [...place.querySelectorAll("[data-draw]")];
  const secrets = seals.map((row) => row.dataset.secret), counted = new Map();
  let wrong = seals.filter((row) => !isSealed(row)).length;
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    wrong += rows.slice(at, at + AT_ONCE).filter((row) => !isRight(row, secrets, counted)).length;
    said.textContent = told(place.dataset.going, { n: Math.min(at + AT_ONCE, rows.length), all: rows.length });
    await pause();
  }
  tell(seals, wrong, rows.length);
}

// What a player kept is compared with the secrets themselves: the log could have been changed along with them.
function answerTo(given, seals, { same, other, short, strange }) {
  if (!HEX.test(given)) return strange;
  if (given.length < LEAST) return given && short;
  return seals.some((row) => fingerprintOf(row).startsWith(given)) ? same : other;
}

function offerToCompare() {
  const kept = document.getElementById("draws-kept"), own = document.getElementById("draws-own");
  const answer = document.getElementById("draws-own-said"), seals = [...place.querySelectorAll("[data-fingerprint]")];
  own.addEventListener("input", () => {
    answer.textContent = answerTo(own.value.replace(/[\s.;]/g, "").toLowerCase(), seals, kept.dataset);
    answer.classList.toggle("is-good", answer.textContent === kept.dataset.same);
    answer.classList.toggle("is-bad", answer.textContent === kept.dataset.other);
  });
  kept.hidden = false;
}

if (hashes) {
  offerToCompare();
  await check();
} else {
  said.textContent = place.dataset.unloaded;
  said.classList.add("is-bad");
}
