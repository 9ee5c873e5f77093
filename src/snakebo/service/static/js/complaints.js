/** What is wrong, said next to what it is about. */

import { h, newId } from "./dom.js";

/**
 * Show a problem at the field at the end of its path, or at the part around it that is on the page, and lead
 * there. Parts have their name in `data-key`; those of a list have `data-item`, and their order.
 * @param {HTMLElement} root
 * @param {{path?: (string|number)[], message: string}} problem
 */
export function complain(root, problem) {
  withdrawAll(root);
  const place = locate(root, problem.path ?? []);
  const input = place === root ? null : place.querySelector("input, select, textarea");
  const note = h("p", { class: "problem", role: "alert", id: newId("problem") }, problem.message);
  if (place.classList.contains("field")) mark(input, note);
  (place.querySelector(".problems") ?? place).append(note);
  input?.focus();
  note.scrollIntoView({ block: "nearest" });
}

function locate(root, path) {
  let found = root;
  for (const key of path) {
    const inner = typeof key === "number" ? found.querySelectorAll("[data-item]")[key] : named(found, key);
    if (!inner) break;
    found = inner;
  }
  return found;
}

function named(root, key) {
  const selector = `[data-key="${CSS.escape(key)}"]`;
  return root.matches(selector) ? root : root.querySelector(selector);
}

function mark(input, note) {
  input.dataset.described = input.getAttribute("aria-describedby") ?? "";
  input.setAttribute("aria-describedby", `${note.id} ${input.dataset.described}`.trim());
  input.setAttribute("aria-invalid", "true");
}

/** Take back what was said to be wrong with an input. */
export function withdraw(input) {
  if (!input.hasAttribute("aria-invalid")) return;
  input.removeAttribute("aria-invalid");
  if (input.dataset.described) input.setAttribute("aria-describedby", input.dataset.described);
  else input.removeAttribute("aria-describedby");
  input.closest(".field").querySelector(".problem")?.remove();
}

function withdrawAll(root) {
  root.querySelectorAll("[aria-invalid]").forEach(withdraw);
  root.querySelectorAll(".problem").forEach((note) => note.remove());
}

/**
 * Do what a form or a button is for, once at a time, and say beside its fields what goes wrong.
 * @param {HTMLElement} root where problems are shown
 * @param {HTMLButtonElement} button keeps the focus meanwhile, and says what is done if it has `data-busy`
 * @param {() => Promise<any>|any} work
 * @returns {Promise<boolean>} whether it was done
 */
export async function submit(root, button, work) {
  if (button.getAttribute("aria-disabled") === "true") return false;
  withdrawAll(root);
  const label = button.textContent;
  button.setAttribute("aria-disabled", "true");
  button.textContent = button.dataset.busy ?? label;
  try {
    await work();
    return true;
  } catch (error) {
    complain(root, error);
    return false;
  } finally {
    button.removeAttribute("aria-disabled");
    button.textContent = label;
  }
}
