// Forms that a passkey fills: the browser asks for it, and the form is sent with the answer.
"use strict";

import { insist } from "./requests.js";

const said = document.getElementById("passkey-said"), data = document.getElementById("passkey-data");

async function optionsOf(form) {
  if (data) return JSON.parse(data.textContent);
  const headers = { Accept: "application/json", "X-Requested-With": "XMLHttpRequest" };
  const answer = await insist(form.action, { headers });
  if (!answer.ok) throw new Error(String(answer.status));
  return JSON.parse(answer.text);
}

// A passkey that signs in without a password must check who uses it.
function wanted(form, { publicKey }) {
  const alone = form.querySelector("input[name=passwordless]")?.checked;
  const residentKey = alone ? "required" : "discouraged", userVerification = alone ? "required" : "preferred";
  const choice = { ...publicKey.authenticatorSelection, residentKey, requireResidentKey: alone, userVerification };
  return { publicKey: { ...publicKey, authenticatorSelection: choice } };
}

async function fill(form) {
  const given = await optionsOf(form), { webauthnJSON } = window;
  const made = form.dataset.passkey === "create"
    ? await webauthnJSON.create(wanted(form, given.creation_options))
    : await webauthnJSON.get(given.request_options);
  form.querySelector("input[name=credential]").value = JSON.stringify(made);
  form.submit();
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    said.hidden = true;
    fill(form).catch(() => { [said.textContent, said.hidden] = [said.dataset.failed, false]; });
  });
}
