/** The last thing that happened, in one line that screen readers read out. */

import { h } from "../dom.js";
import { clock, results, setting } from "../text.js";

/** @typedef {import("../types.js").Trial} Trial */

const TOGETHER_MS = 250;

export class Latest {
  constructor() {
    this.time = h("time");
    this.words = h("span", { role: "status", "data-part": "latest" });
    this.element = h("p", { class: "latest" }, this.time, this.words);
    this.campaign = null;
    this.waiting = [];
  }

  /** @param {import("../types.js").Campaign} campaign */
  know(campaign) {
    this.campaign = campaign;
  }

  /** Begin with what happened last before anybody looked. @param {Trial[]} trials */
  begin(trials) {
    if (this.words.textContent || this.waiting.length || !trials.length) return;
    const happened = trials.flatMap((trial) => [
      { event: trial.attached ? "attached" : "asked", data: { at: trial.asked_at, trial } },
      { event: trial.state, data: { at: trial.done_at ?? "", trial } },
    ]);
    this.waiting = [happened.reduce((last, each) => (each.data.at >= last.data.at ? each : last))];
    this.say();
  }

  /** @param {import("../types.js").Message} message */
  add(message) {
    if (message.event === "replanned") return; // the ask that brought it is said
    if (!this.waiting.length) setTimeout(() => this.say(), TOGETHER_MS);
    this.waiting.push(message);
  }

  /** Say what came together; of many, the last. */
  say() {
    const last = this.waiting.at(-1);
    const others = this.waiting.length - 1;
    this.waiting = [];
    this.time.dateTime = last.data.at;
    this.time.textContent = clock(last.data.at);
    this.words.textContent = this.describe(last) + (others ? ` (and ${others} more before)` : "");
  }

  describe({ event, data: { trial } }) {
    if (!trial) return "Earlier results were added.";
    const { id, x, values, reason } = trial;
    if (event === "failed") return `Trial ${id} failed${reason ? `: ${reason}` : ""}.`;
    if (event !== "told") return `Trial ${id} ${event}: ${setting(x, this.campaign.variables)}.`;
    return `Trial ${id} told: ${results(values)}${this.isBest(trial) ? ", the best so far" : ""}.`;
  }

  /** @param {Trial} trial */
  isBest({ id, values }) {
    const { best, objectives: [{ name, direction }] } = this.campaign;
    if (!best || best.id === id) return true;
    return direction === "maximize" ? values[name] > best.values[name] : values[name] < best.values[name];
  }
}
