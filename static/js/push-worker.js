/* Shows the site's notifications, and opens the game when one is clicked. */
self.addEventListener("push", (event) => {
  const told = event.data ? event.data.json() : {};
  event.waitUntil(
    self.registration.showNotification(told.title || "Sectors", {
      body: told.body || "", tag: told.tag || "", renotify: Boolean(told.tag), data: { url: told.url || "/" },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data.url));
});
