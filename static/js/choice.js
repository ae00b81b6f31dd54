// A press of the button while nothing is chosen leads to the choice. The bar names its field; one that ends with an
// underscore stands for all names with that prefix.
"use strict";

document.addEventListener("submit", (event) => {
  const form = event.target, name = document.getElementById("sendbar-s")?.dataset.missing;
  if (form.id !== "ticket" || event.submitter?.value !== "submit" || !name) return;
  const controls = [...form.elements].filter((each) => each.name === name ||
    (name.endsWith("_") && each.name.startsWith(name)));
  const open = controls.filter((each) => !each.disabled && placeOf(each).getClientRects().length), [first] = open;
  if (!first || controls.some(isFilled)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  for (const each of open) each.closest("fieldset, table, #map")?.classList.add("is-asked");
  placeOf(first).scrollIntoView({ block: "center" });
  first.focus({ preventScroll: true });
}, { capture: true });

// What is asked for may depend on what was just changed: until the bar is drawn anew the site decides.
document.addEventListener("change", (event) => {
  for (const place of document.querySelectorAll(".is-asked")) place.classList.remove("is-asked");
  if (event.target.form?.id === "ticket") document.getElementById("sendbar-s")?.removeAttribute("data-missing");
});

function isFilled(control) {
  if (control.type === "radio" || control.type === "checkbox") return control.checked;
  return Boolean(control.value) && control.value !== "0";
}

function placeOf(control) {
  return control.labels?.[0] || control;
}
