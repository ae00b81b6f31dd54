/* Lets a reader allow notifications of this browser. Without the script, or where a browser has none, the buttons stay
   hidden. */
import { insist } from "./requests.js";

(() => {
  const part = document.querySelector("[data-push]");
  if (!part || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  const named = (name) => part.querySelector(`[data-push-${name}]`);
  const [allow, stop, said, here] = ["allow", "stop", "said", "here"].map(named);

  const keyOf = (text) => {
    const padded = (text + "=".repeat((4 - (text.length % 4)) % 4)).replace(/-/g, "+").replace(/_/g, "/");
    return Uint8Array.from(atob(padded), (letter) => letter.charCodeAt(0));
  };

  const tell = async (path, told) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await insist(path, { method: "POST", body: JSON.stringify(told), headers });
    if (answer.status === 401) return location.assign(JSON.parse(answer.text).confirm);
    const says = answer.headers.get("Content-Type")?.startsWith("application/json");
    if (!answer.ok) throw new Error(says ? JSON.parse(answer.text).detail : part.dataset.failed);
    const page = new DOMParser().parseFromString(answer.text, "text/html");
    const list = page.querySelector("[data-push-list]");
    if (!list) throw new Error(part.dataset.failed); // the session has ended: this is the page to sign in
    named("list").replaceWith(list);
  };

  const subscription = async () => {
    const worker = await navigator.serviceWorker.getRegistration(part.dataset.worker);
    return worker ? worker.pushManager.getSubscription() : null;
  };

  const is_listed = (held) => [...named("list").querySelectorAll("[data-endpoint]")]
    .some((each) => each.dataset.endpoint === held.endpoint);

  const show = async () => {
    const held = await subscription();
    const is_on = Boolean(held) && is_listed(held) && Notification.permission === "granted";
    [allow.hidden, stop.hidden] = [is_on, !is_on];
    said.textContent = Notification.permission === "denied" ? part.dataset.denied : is_on ? part.dataset.on : "";
  };

  const trying = (work) => async () => {
    try {
      await work();
      await show();
    } catch (error) {
      await show();
      const is_denied = Notification.permission === "denied";
      said.textContent = is_denied ? part.dataset.denied : error.message || part.dataset.failed;
    }
  };

  const allowing = trying(async () => {
    const worker = await navigator.serviceWorker.register(part.dataset.worker);
    const asked = { userVisibleOnly: true, applicationServerKey: keyOf(part.dataset.key) };
    const made = await worker.pushManager.subscribe(asked);
    try {
      await tell(part.dataset.allow, made);
    } catch (error) {
      await made.unsubscribe(); // a browser that we do not know of would look as if it were told
      throw error;
    }
  });

  allow.addEventListener("click", allowing);

  stop.addEventListener("click", trying(async () => {
    const held = await subscription();
    if (!held) return;
    await tell(part.dataset.stop, { endpoint: held.endpoint });
    await held.unsubscribe();
  }));

  here.hidden = false;
  const is_back = location.hash === "#allow"; // from the page on which it was confirmed who it is
  if (is_back) history.replaceState(null, "", location.pathname);
  if (is_back && Notification.permission === "granted") allowing();
  else show();
})();
