// A key presses the button, link or box that names it as data-key, except while a text field has the focus. "?" lists
// the keys.
"use strict";

const WRITES = "input:not([type=radio]):not([type=checkbox]):not([type=submit]), textarea, select, [contenteditable]";
const list = document.getElementById("keylist");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(WRITES)) return;
  if (event.key === "?" && list) return void toggle(event);
  if (list?.open || !/^[a-z1-9]$/i.test(event.key)) return;
  const target = document.querySelector(`[data-key="${event.key.toLowerCase()}"]`);
  if (!target || target.disabled || target.closest(".panel:has(#edit:not(:checked)) ~ .board .ballots")) return;
  event.preventDefault();
  target.click();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-keylist]")) toggle(event);
});

function toggle(event) {
  event.preventDefault();
  if (list.open) list.close();
  else list.showModal();
}
