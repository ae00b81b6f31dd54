// Light and dark at once, without waiting for the page that the form would bring.
"use strict";

import { insist } from "./requests.js";

const root = document.documentElement;

function isDark() {
  if (root.dataset.theme) return root.dataset.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-theme-form]");
  if (!form) return;
  event.preventDefault();
  const theme = isDark() ? "light" : "dark";
  form.elements.theme.value = theme;
  root.dataset.theme = theme;
  const asked = { method: "POST", headers: { "HX-Request": "true" }, body: new FormData(form) };
  insist(form.action, asked, () => root.dataset.theme === theme);
});
