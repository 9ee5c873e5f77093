/** The trials of late, the newest first, and a way to correct them. */

import { fill, h, keep } from "../dom.js";
import { RECENT } from "../live.js";
import { number } from "../text.js";
import { costWriter, head, scrolling, settingCells, variableHeads } from "./columns.js";
import { openResult } from "./result.js";

/** @typedef {import("../types.js").Campaign} Campaign */
/** @typedef {import("../types.js").Trial} Trial */

export class TrialTable {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.summary = h("p");
    this.heads = h("tr");
    this.rows = h("tbody");
    this.table = scrolling("Trials", this.heads, this.rows);
    this.element = h("section", { "data-part": "trials" },
      h("div", { class: "section-head" }, h("h2", {}, "Trials"), this.summary), this.table);
  }

  /** @param {Trial[]} trials @param {Campaign} campaign */
  show(trials, campaign) {
    this.table.hidden = !trials.length;
    this.cost = costWriter(trials.map((trial) => trial.cost));
    const some = `The last ${RECENT} of ${campaign.steps}, the newest first; the CSV file has all of them.`;
    const all = trials.length ? "The newest first." : "None yet.";
    this.summary.textContent = campaign.steps > trials.length ? some : all;
    fill(this.heads, head("trial"), head("state", "word"), variableHeads(campaign.variables),
      campaign.objectives.map(({ name }) => head(name)), head("cost of move"), head("notes", "word"),
      head(h("span", { class: "unseen" }, "what to do")));
    const same = (trial) => JSON.stringify([trial, isBest(trial, campaign)]);
    keep(this.rows, trials.toReversed(), same, (trial) => this.row(trial, campaign));
  }

  row(trial, campaign) {
    const best = isBest(trial, campaign);
    const notes = [best && "the best so far", trial.attached && "a point of your own", trial.reason];
    const onclick = () => openResult(campaign, trial, this.changed);
    const correct = { type: "button", class: "link", "aria-label": `Correct trial ${trial.id}`, onclick };
    return h("tr", { class: `${trial.state}${best ? " top" : ""}` },
      h("th", { scope: "row" }, String(trial.id)),
      h("td", { class: "word state" }, trial.state),
      settingCells(trial.x, campaign.variables),
      campaign.objectives.map(({ name }) => h("td", {}, number(trial.values[name]))),
      h("td", {}, this.cost(trial.cost)),
      h("td", { class: "word" }, notes.filter(Boolean).join("; ")),
      h("td", {}, trial.state !== "outstanding" && h("button", correct, "Correct…")));
  }
}

const isBest = (trial, { best }) => best?.id === trial.id;
