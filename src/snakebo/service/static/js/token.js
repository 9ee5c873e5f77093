/** The token: kept for this tab alone, and asked for when the service wants one. */

import { openDialog } from "./dialog.js";
import { field, inputOf } from "./fields.js";

const KEY = "snakebo-token";
const forget = document.getElementById("forget");

let asking = null; // the dialog that is open, for all requests that wait for it

export const currentToken = () => sessionStorage.getItem(KEY);

/**
 * Get another token than the one that was refused. Returns false if somebody closes the dialog instead.
 * @param {string|null} refused
 * @returns {Promise<boolean>}
 */
export async function renewToken(refused) {
  if (currentToken() !== refused) return true; // somebody was faster
  asking ??= askToken(Boolean(refused)).finally(() => (asking = null));
  return asking;
}

function askToken(wrong) {
  const token = field({
    label: "Token",
    key: "token",
    type: "password",
    hint: "As in the service’s token file, or its SNAKEBO_TOKEN. It is kept until you close this tab.",
  });
  return openDialog({
    title: "This service asks for a token",
    body: [token],
    submit: "Go on",
    problem: wrong ? { path: ["token"], message: "The token is wrong. Enter the right one." } : null,
    onsubmit: () => {
      const text = inputOf(token).value.trim();
      if (!/^[!-~]+$/.test(text)) {
        const message = "A token is made of visible ASCII characters, without blanks.";
        throw Object.assign(new Error(message), { path: ["token"] });
      }
      sessionStorage.setItem(KEY, text);
      showForget();
    },
  });
}

/** Let people leave: the button in the footer. */
export function showForget() {
  forget.hidden = !currentToken();
}

forget.addEventListener("click", () => {
  sessionStorage.removeItem(KEY);
  location.reload();
});
