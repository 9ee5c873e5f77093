/** What tables of trials and of plans have in common: settings with their units in the head, and costs. */

import { h } from "../dom.js";
import { decimalsFor, fixed, reading, withUnit } from "../text.js";

/** @typedef {import("../types.js").Variable} Variable */

/** Return the head of a column. */
export const head = (name, kind) => h("th", { scope: "col", class: kind }, name);

/** @param {Variable[]} variables */
export const variableHeads = (variables) =>
  variables.map(({ name, unit }) => head([breakable(name), unit && h("small", {}, unit)]));

/** A name that may be broken after an underscore. */
const breakable = (name) =>
  name.split(/(?<=_)/).flatMap((part, place) => (place ? [h("wbr"), part] : [part]));

/** @param {import("../types.js").Setting} x @param {Variable[]} variables */
export const settingCells = (x, variables) => variables.map((each) => {
  const label = withUnit(each.name, each.unit && `(${each.unit})`);
  return h("td", { "data-label": label, title: String(x[each.name]) }, reading(x[each.name], each));
});

/** Return a function that writes each of a column of costs with the same decimals. @param {number[]} costs */
export function costWriter(costs) {
  const decimals = Math.min(3, decimalsFor(Math.max(0, ...costs)));
  return (cost) => fixed(cost, decimals);
}

/** A table that scrolls by itself, by keyboard too. */
export function scrolling(label, heads, body, kind = "") {
  return h("div", { class: `scroll ${kind}`, tabindex: "0", role: "region", "aria-label": label },
    h("table", {}, h("thead", {}, heads), body));
}
