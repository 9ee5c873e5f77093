/** What happens to a campaign, as it happens; after a break it goes on where it stopped. */

import { openEvents } from "./api.js";
import { keepGoing } from "./connection.js";
import { Unreachable } from "./problem.js";
import { readMessages } from "./stream.js";

/**
 * Follow a campaign until the signal says stop. Throws what the service has against it, such as that it is
 * unknown.
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {Object} on
 * @param {() => Promise<number>} on.load reads the campaign at first and returns the event it stands at
 * @param {() => void} on.catchUp is called when the line is open again after a break
 * @param {(message: import("./types.js").Message) => void} on.happened
 */
export function follow(name, signal, { load, catchUp, happened }) {
  let last = null; // the event up to which all is known
  const attempt = async (stop, connected) => {
    const first = last === null;
    last ??= await load();
    const response = await openEvents(name, last, stop);
    connected();
    if (!first) catchUp();
    try {
      for await (const message of readMessages(response.body)) {
        last = message.id;
        happened(message);
      }
    } catch (error) {
      throw stop.aborted ? error : new Unreachable();
    }
  };
  return keepGoing(attempt, signal);
}
