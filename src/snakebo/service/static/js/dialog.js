/** Dialogs: modal, closed by Escape, and the focus goes back to where it came from. */

import { complain, submit } from "./complaints.js";
import { h, newId } from "./dom.js";

/**
 * Open a dialog with a form. Resolves to true once `onsubmit` has done its work, to false if it is closed
 * before.
 * @param {Object} about
 * @param {string} about.title
 * @param {any[]} about.body
 * @param {string} about.submit what the button says
 * @param {() => any} about.onsubmit
 * @param {{path: string[], message: string}|null} [about.problem] to begin with
 * @returns {Promise<boolean>}
 */
export function openDialog({ title, body, submit: label, onsubmit, problem }) {
  let done = false;
  const heading = h("h2", { id: newId("dialog") }, title);
  const button = h("button", { type: "submit", class: "primary" }, label);
  const cancel = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const onsubmitted = async (event) => {
    event.preventDefault();
    done = await submit(form, button, onsubmit);
    if (done) dialog.close();
  };
  const form = h("form", { novalidate: true, onsubmit: onsubmitted },
    heading, body, h("div", { class: "problems" }), h("div", { class: "actions" }, cancel, button));
  const dialog = h("dialog", { "aria-labelledby": heading.id }, form);
  document.body.append(dialog);
  dialog.showModal();
  if (problem) complain(form, problem);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(done);
    });
  });
}
