/** Fields for each variable of a form that is being written; they follow its names. */

import { fill, h, keep } from "../dom.js";
import { field, numberOf, textOf } from "../fields.js";

/** @typedef {{id: string, name: string, unit: string, free: boolean}} Draft a variable as written so far */

export class ByVariable {
  /**
   * @param {string} key of the table in a definition
   * @param {{label: string, value?: string}[]} columns what is written for each variable; with one column it
   *   is a number, with several a list
   */
  constructor(key, columns) {
    this.columns = columns;
    this.element = h("div", { class: "rows", "data-key": key });
  }

  /** @param {Draft[]} drafts */
  follow(drafts) {
    keep(this.element, drafts, ({ id }) => id, () => this.row(), (row, { name, unit }) => {
      row.dataset.key = name;
      const shown = unit && h("small", { class: "quiet" }, ` ${unit}`);
      fill(row.querySelector("h3"), name || "(no name yet)", shown);
      row.querySelectorAll("input").forEach((input, place) => {
        input.setAttribute("aria-label", `${name}: ${this.columns[place].label}`);
      });
    });
  }

  row() {
    const fields = this.columns.map(({ label, value }, place) =>
      field({ label, key: String(place), value, decimal: true }));
    if (fields.length > 1) for (const each of fields) each.dataset.item = "";
    return h("div", { class: "row by-variable" }, h("h3"), fields);
  }

  /** Return what was written, by variable; those with nothing at all are left out. */
  read() {
    const found = {};
    for (const row of this.element.children) {
      const fields = [...row.querySelectorAll(".field")];
      const values = fields.map((each) => numberOf(each) ?? null);
      if (fields.every((each) => textOf(each) === "")) continue;
      found[row.dataset.key] = values.length > 1 ? values : values[0];
    }
    return found;
  }
}
