/** Fields: an input with its label. */

import { h, newId } from "./dom.js";
import { withdraw } from "./complaints.js";

/**
 * Build a field.
 * @param {Object} about
 * @param {string} about.label
 * @param {string} about.key the name under which problems find it
 * @param {string} [about.type] of the input; also "textarea"
 * @param {any} [about.value]
 * @param {string} [about.unit]
 * @param {string} [about.hint]
 * @param {[string, string][]} [about.options] values, and what they are called
 * @param {string} [about.list] the id of a list of suggestions
 * @param {boolean} [about.decimal] numbers are written into it
 * @param {boolean} [about.required]
 * @param {string} [about.of] what else screen readers need to hear, where its place on the page tells others
 * @param {boolean} [about.unseen] the label too is for screen readers alone
 * @param {() => void} [about.onchange]
 */
export function field(about) {
  const { label, key, type = "text", unit, hint, of, unseen } = about;
  const input = buildInput(about);
  input.id = newId("field");
  const note = hint && h("small", { id: `${input.id}-hint` }, hint);
  if (note) input.setAttribute("aria-describedby", note.id);
  if (about.required) input.setAttribute("aria-required", "true");
  input.addEventListener("input", () => {
    withdraw(input);
    about.onchange?.();
  });
  const name = h("label", { for: input.id, class: unseen ? "unseen" : null },
    label, of && h("span", { class: "unseen" }, ` ${of}`));
  const place = { class: type === "checkbox" ? "field check" : "field", "data-key": key };
  if (type === "checkbox") return h("div", place, input, name, note);
  const measured = unit ? h("span", { class: "with-unit" }, input, h("span", {}, unit)) : input;
  return h("div", place, name, measured, note);
}

function buildInput({ type = "text", value = "", options, list, decimal }) {
  const written = { autocomplete: "off", spellcheck: "false" };
  if (options) {
    return h("select", {}, options.map(([each, called]) =>
      h("option", { value: each, selected: each === value }, called)));
  }
  if (type === "textarea") return h("textarea", written, value);
  if (type === "checkbox") return h("input", { type, checked: Boolean(value) });
  return h("input", { ...written, type, value, list, inputmode: decimal ? "decimal" : null });
}

/** Return the input of a field. */
export const inputOf = (element) => element.querySelector("input, select, textarea");

/** Return what is written in a field, without blanks around it. */
export const textOf = (element) => inputOf(element).value.trim();

/** Return the number in a field; undefined if it is empty, or the text itself, for the service to refuse. */
export function numberOf(element) {
  const text = textOf(element);
  if (text === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** Return the number in a field, or throw what is wrong with it. */
export function neededNumber(element, path) {
  const value = numberOf(element);
  if (typeof value === "number") return value;
  const wrong = `Expected a number such as 0.73; got “${value}”.`;
  throw Object.assign(new Error(value === undefined ? "Enter a number." : wrong), { path });
}

/** Return the numbers in fields by the names of what they belong to, or throw what is wrong with one. */
export function neededNumbers(fields, items, key) {
  return Object.fromEntries(items.map(({ name }, place) => [name, neededNumber(fields[place], [key, name])]));
}
