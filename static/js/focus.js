// Where the keyboard goes on when what had the focus is replaced: to the place named, or, where that is empty and takes
// no focus, to the beginning of the content.
"use strict";

export function focusOn(place) {
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
}
