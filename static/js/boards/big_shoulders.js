// The button says what it does: the fields of a ticket, drawn anew with each choice, bring the words along.
"use strict";

function say() {
  const words = document.querySelector("#ticket [data-send]")?.dataset.send;
  const button = document.querySelector("#sendbar button[value=submit]");
  if (words && button && button.textContent.trim() !== words) button.textContent = words;
}

new MutationObserver(say).observe(document.querySelector(".table"), { childList: true, subtree: true });
say();
