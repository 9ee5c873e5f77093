/** Rows of fields that can be added and taken away. */

import { h } from "../dom.js";

export class Rows {
  /**
   * @param {Object} about
   * @param {string} about.key the name of the list in a definition
   * @param {string} about.noun what one of them is called, with its article
   * @param {() => HTMLElement} about.build makes the fields of one row
   * @param {() => void} about.changed
   */
  constructor({ key, noun, build, changed }) {
    Object.assign(this, { build, noun, changed });
    this.list = h("div", { class: "rows", "data-key": key });
    const add = h("button", { type: "button", class: "small", onclick: () => this.add(true) }, `Add ${noun}`);
    this.element = h("div", { class: "rows" }, this.list, h("div", {}, add));
    this.add(false);
  }

  get rows() {
    return [...this.list.children];
  }

  add(focus) {
    const row = this.build();
    const remove = { type: "button", class: "small remove", onclick: () => this.remove(row) };
    row.append(h("button", remove, "Remove", h("span", { class: "unseen" }, ` ${this.noun}`)));
    row.dataset.item = "";
    this.list.append(row);
    this.update();
    if (focus) row.querySelector("input").focus();
  }

  remove(row) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    this.update();
    next.querySelector("input").focus();
  }

  /** One row has to stay. */
  update() {
    const only = this.rows.length === 1;
    for (const row of this.rows) row.querySelector(".remove").hidden = only;
    this.changed();
  }
}
