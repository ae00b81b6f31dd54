// The sign-up form takes along the time zone of this device; without script the account begins in UTC.
"use strict";

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
for (const field of document.querySelectorAll("[data-zone]")) field.value = timeZone || "";
