/** Where a campaign stands: the best so far, what it took, what is left. */

import { fill, h } from "../dom.js";
import { brief, number } from "../text.js";

export class Headline {
  constructor() {
    this.bests = h("div", { class: "bests" });
    this.facts = h("dl", { class: "facts" });
    this.element = h("section", { class: "headline", "aria-label": "Summary" }, this.bests, this.facts);
    this.before = new Map(); // what was shown, by label
  }

  /** @param {import("../types.js").Campaign} campaign */
  show(campaign) {
    const { spent, cost_budget: limit, budget, steps, outstanding, told, failed, finished } = campaign;
    this.element.classList.toggle("several", campaign.objectives.length > 1);
    fill(this.bests, campaign.objectives.map((objective) => this.best(campaign, objective)));
    const left = limit === null ? "no limit" : `${number(campaign.cost_left)} left of ${number(limit)}`;
    const ahead = finished ? "finished" : campaign.steps_left;
    fill(this.facts,
      this.fact("Cost spent", number(spent), left, limit && [spent, limit]),
      this.fact("Steps left", ahead, `${steps} of ${budget} used`, [steps, budget]),
      this.fact("Outstanding", outstanding, outstanding ? "asked, no result yet" : "nothing is awaited"),
      this.fact("Results told", told, failed ? `${failed} failed` : "none failed"));
  }

  best({ variables, best_by: bests }, { name, direction }) {
    const trial = bests[name];
    const value = trial ? number(trial.values[name]) : "–";
    const word = direction === "maximize" ? "Highest" : "Lowest";
    const where = (each) =>
      h("li", {}, `${each.name} `, h("b", {}, brief(trial.x[each.name], each)), each.unit && ` ${each.unit}`);
    return h("div", { class: `card best${this.light(name, value)}`, "data-best": name },
      h("h2", {}, `${word} ${name} so far${trial ? `, trial ${trial.id}` : ""}`),
      h("p", { class: "value" }, value),
      h("ul", { class: "settings" }, trial ? variables.map(where) : h("li", {}, "Nothing told yet.")));
  }

  fact(label, value, note, share) {
    const bar = share && h("progress", { value: Math.min(...share), max: share[1], "aria-label": note });
    return h("div", { class: `card${this.light(label, value)}`, "data-fact": label },
      h("dt", {}, label), h("dd", {}, String(value), h("small", {}, note), bar));
  }

  /** Let what has changed light up for a moment. */
  light(label, value) {
    const changed = this.before.has(label) && this.before.get(label) !== value;
    this.before.set(label, value);
    return changed ? " lit" : "";
  }
}
