// One-letter keys press the button or link that carries data-key; they rest inside text fields.
"use strict";

const WRITES = "input:not([type=radio]):not([type=checkbox]):not([type=submit]), textarea, select, [contenteditable]";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(WRITES)) return;
  if (!/^[a-z?]$/i.test(event.key)) return;
  const target = document.querySelector(`[data-key="${event.key.toLowerCase()}"]`);
  if (!target || target.disabled) return;
  event.preventDefault();
  target.click();
});
