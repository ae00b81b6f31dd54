// Plus and minus beside a number input; the input works without them.
"use strict";

document.addEventListener("click", (event) => {
  const button = event.target.closest(".stepper [data-step]");
  if (!button) return;
  const input = button.closest(".stepper").querySelector("input[type=number]");
  if (input.disabled || input.readOnly) return;
  if (Number(button.dataset.step) < 0) input.stepDown();
  else input.stepUp();
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
});
