// Forms that create an account or a guest take along this device's time zone; without script it begins in UTC.
"use strict";

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
for (const field of document.querySelectorAll("[data-zone]")) field.value = timeZone || "";
