/** The figures of the report. Only those in sight are drawn anew when something happens. */

import { readFigure } from "../api.js";
import { h, keep } from "../dom.js";
import { once } from "../once.js";
import { Plot } from "../plot.js";
import { mayPass } from "../problem.js";
import { unplain } from "../text.js";

const HALF = ["best_against_cost", "best_against_steps"]; // side by side where there is room
const EARLY = "300px"; // before it is in sight

export class FigureGrid {
  /** @param {string} name @param {AbortSignal} signal */
  constructor(name, signal) {
    Object.assign(this, { name, signal, seq: null });
    this.places = new Map(); // what belongs to each element
    this.grid = h("div", { class: "figures" });
    this.element = h("section", { "aria-label": "Figures", "data-part": "figures" }, this.grid);
    const draw = once(() => this.refresh(), 0);
    this.sight = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.places.get(target).inSight = isIntersecting;
      draw();
    }, { rootMargin: EARLY });
    signal.addEventListener("abort", () => this.sight.disconnect());
  }

  /** Make room for the figures of a campaign. @param {import("../types.js").Campaign} campaign */
  list(campaign) {
    this.seq = campaign.seq;
    keep(this.grid, campaign.figures, ({ name }) => name, (figure) => this.place(figure));
  }

  place({ name, title, caption }) {
    const heading = h("h2", { id: `title-${name}` }, title);
    const words = h("figcaption", { id: `caption-${name}` }, caption);
    const plot = new Plot(heading.id, words.id, this.signal);
    const kind = HALF.includes(name) ? "half" : "whole";
    const element = h("figure", { class: kind, "data-figure": name }, heading, words, plot.element);
    this.places.set(element, { name, heading, words, plot, seq: null, inSight: false });
    this.sight.observe(element);
    return element;
  }

  /** Draw what is in sight and out of date, one after the other. */
  async refresh() {
    for (const place of this.places.values()) {
      if (this.signal.aborted) return;
      if (!place.inSight || place.seq === this.seq) continue;
      const seq = this.seq;
      try {
        await this.draw(place);
        place.seq = seq;
      } catch (error) {
        if (this.signal.aborted) return;
        place.plot.fail(error.message);
        if (mayPass(error)) return; // all are drawn when the service is back
      }
    }
  }

  async draw({ name, heading, words, plot }) {
    const text = await readFigure(this.name, name, this.signal);
    const { title, caption } = JSON.parse(text).layout.meta;
    heading.textContent = unplain(title);
    words.textContent = unplain(caption);
    await plot.show(text);
  }
}
