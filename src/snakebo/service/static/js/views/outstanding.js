/** Trials that were asked and have no result yet, each with a place to tell it. */

import { fail, tell } from "../api.js";
import { submit } from "../complaints.js";
import { openDialog } from "../dialog.js";
import { fill, h, keep } from "../dom.js";
import { field, neededNumbers, textOf } from "../fields.js";
import { clock, count, since } from "../text.js";
import { costWriter, head, scrolling, settingCells, variableHeads } from "./columns.js";
import { openResult } from "./result.js";

/** @typedef {import("../types.js").Trial} Trial */

const FEW = 4; // on a phone, where each takes a third of the screen (`.more` in parts.css)

export class Outstanding {
  /**
   * @param {string} name
   * @param {() => void} changed
   * @param {HTMLElement} leaveTo has the focus when all is told
   */
  constructor(name, changed, leaveTo) {
    Object.assign(this, { name, changed, leaveTo, campaign: null });
    this.summary = h("p");
    this.heads = h("tr");
    this.rows = h("tbody");
    this.table = scrolling("Outstanding trials", this.heads, this.rows, "cards");
    this.more = h("button", { type: "button", class: "more", onclick: () => this.showAll() });
    this.element = h("section", { "data-part": "outstanding" },
      h("div", { class: "section-head" }, h("h2", {}, "Outstanding"), this.summary), this.table, this.more);
  }

  /** @param {import("../types.js").Campaign} campaign */
  show(campaign) {
    const { outstanding_trials: trials, variables, objectives } = campaign;
    this.campaign = campaign;
    this.cost = costWriter(trials.map((trial) => trial.cost));
    this.summary.textContent = summarize(campaign);
    this.table.hidden = !trials.length;
    this.more.textContent = `Show all ${trials.length}`;
    this.more.hidden = trials.length <= FEW || this.table.classList.contains("all");
    const result = objectives.length > 1 ? "results" : objectives[0].name;
    fill(this.heads, head("trial"), variableHeads(variables), head("cost of move"), head("asked"),
      head(result, "result"));
    const held = this.rows.contains(document.activeElement);
    keep(this.rows, trials, (trial) => trial.id, (trial) => this.row(trial), (row, trial) => {
      row.querySelector("time").textContent = `${since(trial.asked_at)} ago`;
    });
    const lost = held && !this.rows.contains(document.activeElement);
    if (lost) (this.rows.querySelector("input") ?? this.leaveTo).focus();
  }

  showAll() {
    this.table.classList.add("all");
    this.more.hidden = true;
    this.rows.children[FEW].querySelector("input").focus();
  }

  /** @param {Trial} trial */
  row(trial) {
    const asked = h("time", { datetime: trial.asked_at, title: clock(trial.asked_at) });
    return h("tr", { "data-trial": trial.id },
      h("th", { scope: "row", "data-label": "trial" }, String(trial.id)),
      settingCells(trial.x, this.campaign.variables),
      h("td", { "data-label": "cost of move" }, this.cost(trial.cost)),
      h("td", { "data-label": "asked" }, asked),
      h("td", { class: "result whole" }, this.form(trial)));
  }

  form(trial) {
    const { objectives } = this.campaign;
    const one = objectives.length === 1; // whose name stands in the head of the column
    const fields = objectives.map(({ name }) =>
      field({ label: name, of: `of trial ${trial.id}`, key: name, decimal: true, unseen: one }));
    const button = h("button", { type: "submit" }, "Tell");
    const other = (text, label, onclick) =>
      h("button", { type: "button", class: "small", "aria-label": label, onclick }, text);
    const onsubmit = (event) => {
      event.preventDefault();
      submit(form, button, async () => {
        await tell(this.name, trial.id, { values: neededNumbers(fields, objectives, "values") });
        this.changed();
      });
    };
    const form = h("form", { class: "tell", "data-key": "values", novalidate: true, onsubmit },
      fields,
      button,
      other("Failed…", `Trial ${trial.id} failed`, () => this.openFailure(trial)),
      other("More…", `More about trial ${trial.id}`, () => openResult(this.campaign, trial, this.changed)),
      h("div", { class: "problems" }));
    return form;
  }

  openFailure(trial) {
    const hint = "It stays counted, and is never taken for a value.";
    const reason = field({ label: "Reason (may be left out)", key: "reason", hint });
    const onsubmit = async () => {
      await fail(this.name, trial.id, textOf(reason));
      this.changed();
    };
    openDialog({ title: `Trial ${trial.id} failed`, body: [reason], submit: "Record the failure", onsubmit });
  }
}

function summarize({ outstanding, finished }) {
  if (outstanding) return `${count(outstanding, "trial")}, oldest first; tell each result when it is there.`;
  if (finished) return "Nothing is awaited, and the campaign is finished.";
  return "Nothing is awaited. Ask for the next setting, try it, and tell its result here.";
}
