/** Requests that are not done twice, although their answer may be lost. */

import { mayPass } from "./problem.js";

/**
 * Return a function that sends a request with a key of its own. While no answer comes, another call for the
 * same uses the same key, so that the service does not do again what it has done already.
 * @template T
 * @param {(key: string, ...rest: any[]) => Promise<T>} request
 * @returns {(...rest: any[]) => Promise<T>}
 */
export function keyed(request) {
  let key = null;
  let wanted = null;
  return async (...rest) => {
    const now = JSON.stringify(rest);
    if (key === null || now !== wanted) [key, wanted] = [newKey(), now];
    try {
      const answer = await request(key, ...rest);
      key = null;
      return answer;
    } catch (error) {
      if (!mayPass(error)) key = null;
      throw error;
    }
  };
}

/** 128 random bits; `crypto.randomUUID` is not there on pages without TLS. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
