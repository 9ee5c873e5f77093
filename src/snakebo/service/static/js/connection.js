/** Whether the service is there, as the bar at the top shows it; and trying again, less and less often. */

import { sleep } from "./once.js";
import { mayPass } from "./problem.js";
import { clock } from "./text.js";

const FIRST_MS = 500;
const LONGEST_MS = 15_000;
const WORDS = { idle: "", connecting: "Connecting…", live: "Live", lost: "Disconnected" };

const get = (id) => document.getElementById(id);
const status = get("connection");
let since = null; // when the connection was lost

/** @param {"idle"|"connecting"|"live"|"lost"} state idle: on a page that needs no connection */
function show(state) {
  if (status.dataset.state === state) return;
  status.dataset.state = state;
  status.textContent = WORDS[state];
  get("lost").hidden = state !== "lost";
  if (state !== "lost") since = null;
}

/** Say that the service is away, count down, and return when it is time to try again. */
async function waitOut(ms, signal) {
  since ??= Date.now();
  show("lost");
  get("lost-since").textContent = ` at ${clock(since)}`;
  const wake = new AbortController();
  const stop = AbortSignal.any([signal, wake.signal]);
  get("lost-retry").addEventListener("click", () => wake.abort(), { signal: stop });
  addEventListener("online", () => wake.abort(), { signal: stop });
  const end = Date.now() + ms;
  while (Date.now() < end && !stop.aborted) {
    const left = end - Date.now();
    get("lost-next").textContent = `Trying again in ${Math.ceil(left / 1000)} s.`;
    await sleep(Math.min(1000, left), stop);
  }
  wake.abort();
  get("lost-next").textContent = "Trying again …";
}

/** Wait until somebody looks at the page: hidden ones need no connection, and a browser has few to give. */
function whenVisible(signal) {
  return new Promise((resolve) => {
    const check = () => {
      if (!document.hidden || signal.aborted) resolve();
    };
    document.addEventListener("visibilitychange", check, { signal });
    signal.addEventListener("abort", check, { once: true });
    check();
  });
}

/**
 * Keep something going that may break off, for as long as the signal lets and somebody looks.
 * @param {(signal: AbortSignal, connected: () => void) => Promise<void>} attempt calls `connected` when all
 *   is well; what it throws ends it all, unless it may pass
 * @param {AbortSignal} signal
 */
export async function keepGoing(attempt, signal) {
  let wait = FIRST_MS;
  const connected = () => {
    wait = FIRST_MS;
    show("live");
  };
  show("connecting");
  signal.addEventListener("abort", () => show("idle"), { once: true });
  while (!signal.aborted) {
    await whenVisible(signal);
    const hidden = new AbortController();
    const stop = AbortSignal.any([signal, hidden.signal]);
    const hide = () => {
      if (document.hidden) hidden.abort();
    };
    document.addEventListener("visibilitychange", hide, { signal: stop });
    try {
      await attempt(stop, connected);
    } catch (error) {
      if (!stop.aborted && !mayPass(error)) {
        show("live"); // it is there, and has said no
        throw error;
      }
    }
    if (!stop.aborted) {
      await waitOut(wait * (0.8 + 0.4 * Math.random()), signal);
      wait = Math.min(2 * wait, LONGEST_MS);
    }
    hidden.abort();
  }
}
