// Makes every draw of a finished game again in the reader's own browser, a few at a time, and says which agree.
"use strict";

const AT_ONCE = 20;
const place = document.getElementById("draws"), said = document.getElementById("draws-said");
const { blake2b, sha256 } = await import(place.dataset.hashes);
const words = new TextEncoder();
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const told = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

function mark(row, agrees) {
  const cell = row.querySelector(".draws-ok");
  cell.textContent = agrees ? place.dataset.agrees : place.dataset.differs;
  cell.classList.add(agrees ? "is-good" : "is-bad");
  return agrees;
}

function isSealed(row) {
  if (!row.dataset.fingerprint) {
    row.querySelector(".draws-ok").textContent = place.dataset.open;
    return true;
  }
  return mark(row, hex(sha256(words.encode(row.dataset.secret))) === row.dataset.fingerprint);
}

function isDrawn(row, secrets) {
  const key = words.encode(`${secrets[row.dataset.seal]}/${row.dataset.draw}`);
  const drawn = BigInt(`0x${hex(blake2b(key, 16))}`) % BigInt(row.dataset.limit);
  return mark(row, drawn === BigInt(row.dataset.value));
}

const pause = () => new Promise((resume) => { setTimeout(resume); });

function tell(seals, wrong, all) {
  const { wrong: differing, right, none, listed, unsealed, unlisted = "" } = place.dataset;
  const isOpen = seals.some((row) => !row.dataset.fingerprint);
  const isRight = place.dataset.whole === "true" && all > 0 && !isOpen;
  const partly = [all ? listed : none, isOpen ? unsealed : "", unlisted].filter(Boolean).join(" ");
  said.textContent = told(wrong ? differing : isRight ? right : partly, { n: wrong, all });
  said.classList.toggle("is-bad", wrong > 0);
  said.classList.toggle("is-good", !wrong && isRight);
}

async function check() {
  const seals = [...place.querySelectorAll("[data-fingerprint]")], rows = [...place.querySelectorAll("[data-draw]")];
  const secrets = seals.map((row) => row.dataset.secret);
  let wrong = seals.filter((row) => !isSealed(row)).length;
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    wrong += rows.slice(at, at + AT_ONCE).filter((row) => !isDrawn(row, secrets)).length;
    said.textContent = told(place.dataset.going, { n: Math.min(at + AT_ONCE, rows.length), all: rows.length });
    await pause();
  }
  tell(seals, wrong, rows.length);
}

await check();
