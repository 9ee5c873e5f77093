/** The plan ahead: the way in a picture, its legs in a table, and what the last re-plan has changed. */

import { fill, h, newId } from "../dom.js";
import { drawPlan, firstPair } from "../plan-picture.js";
import { Plot } from "../plot.js";
import { comparePlans } from "../replan.js";
import { count, number } from "../text.js";
import { costWriter, head, scrolling, settingCells, variableHeads } from "./columns.js";

/** @typedef {import("../types.js").Campaign} Campaign */
/** @typedef {import("../types.js").Plan} Plan */

const ROWS = 100;

export class PlanAhead {
  /** @param {AbortSignal} signal @param {() => void} retry */
  constructor(signal, retry) {
    Object.assign(this, { retry, campaign: null, plan: null, changes: null });
    const title = h("h2", { id: newId("plan") }, "The plan ahead");
    const redraw = { onchange: () => this.draw() };
    this.summary = h("p");
    this.change = h("figcaption", { id: newId("change"), "data-part": "change" });
    this.plot = new Plot(title.id, this.change.id, signal);
    this.across = h("select", { "aria-label": "Across", ...redraw });
    this.up = h("select", { "aria-label": "Up", ...redraw });
    this.axes = h("span", { class: "tools" }, this.up, h("span", { class: "quiet" }, "against"), this.across);
    this.old = h("input", { type: "checkbox", id: newId("old"), checked: true, ...redraw });
    const label = h("label", { for: this.old.id }, "with the plan before");
    this.compare = h("span", { class: "tools" }, this.old, label);
    this.heads = h("tr");
    this.rows = h("tbody");
    this.more = h("p", { class: "quiet small" });
    this.body = h("div", { class: "plan settles", hidden: true },
      h("figure", {}, h("div", { class: "tools" }, this.axes, this.compare), this.change, this.plot.element),
      h("div", {}, scrolling("Legs of the plan", this.heads, this.rows), this.more));
    this.problem = h("div", { hidden: true });
    this.element = h("section", { "data-part": "plan", "aria-labelledby": title.id },
      h("div", { class: "section-head" }, title, this.summary), this.problem, this.body);
  }

  busy(is) {
    if (is) this.element.setAttribute("aria-busy", "true");
    else this.element.removeAttribute("aria-busy");
  }

  /** @param {Plan} plan @param {Campaign} campaign */
  show(plan, campaign) {
    const changes = plan.previous && comparePlans(plan, campaign.variables);
    Object.assign(this, { plan, campaign, changes });
    this.element.dataset.seq = plan.seq;
    this.problem.hidden = true;
    this.body.hidden = !plan.points.length;
    this.summary.textContent = summarize(plan, campaign);
    if (!plan.points.length) return;
    if (!this.across.options.length) this.offerAxes();
    this.compare.hidden = !changes;
    this.change.textContent = changes ? changes.words : "There is no plan before this one to compare with.";
    this.list();
    this.draw();
  }

  /** @param {Error} error */
  fail(error) {
    this.summary.textContent = "";
    this.problem.hidden = false;
    fill(this.problem, h("p", { class: "problem", role: "alert" }, error.message),
      h("button", { type: "button", onclick: () => this.retry() }, "Try again"));
  }

  offerAxes() {
    const pair = firstPair(this.plan, this.campaign);
    const options = (chosen) => this.campaign.variables.map(({ name }, place) =>
      h("option", { value: place, selected: place === chosen }, name));
    [this.across, this.up].forEach((select, side) => fill(select, options(pair[side])));
    this.axes.hidden = this.campaign.variables.length < 3;
  }

  draw() {
    const selects = this.campaign.variables.length > 1 ? [this.across, this.up] : [this.across];
    const pair = selects.map((select) => Number(select.value));
    const figure = drawPlan(this.plan, this.campaign, pair, this.old.checked);
    this.plot.show(JSON.stringify(figure)).catch((error) => this.plot.fail(error.message));
  }

  list() {
    const { plan: { points, cost: whole }, campaign: { variables }, changes } = this;
    const write = costWriter([whole]);
    let total = 0;
    fill(this.heads, head("step"), variableHeads(variables), head("cost of leg"), head("in all"));
    fill(this.rows, points.slice(0, ROWS).map(({ x, cost }, place) => {
      total += cost;
      const isNew = changes?.fresh[place];
      const unseen = isNew && h("span", { class: "unseen" }, " new");
      const step = h("th", { scope: "row" }, String(place + 1), unseen);
      const costs = [cost, total].map((each) => h("td", {}, write(each)));
      return h("tr", { class: isNew ? "new" : null }, step, settingCells(x, variables), costs);
    }));
    const some = points.length > ROWS && `The next ${ROWS} of ${points.length} are shown.`;
    this.more.textContent = [changes && "• is new against the plan before.", some].filter(Boolean).join(" ");
  }
}

function summarize({ points, cost }, { steps_left: left }) {
  const all = count(points.length, "point");
  if (points.length) return `${all}; the way through all of them costs ${number(cost)}.`;
  return left ? "Nothing that the cost budget can still afford." : "All steps are used.";
}
