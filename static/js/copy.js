// A button that copies a field's text. Without script, or where the browser forbids copying, the text can be selected.
"use strict";

const may = Boolean(navigator.clipboard);

function show() {
  for (const button of document.querySelectorAll("[data-copy][hidden]")) button.hidden = !may;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  } catch { /* it is selected: the keyboard copies it */ }
});

new MutationObserver(show).observe(document.body, { childList: true, subtree: true });
show();
