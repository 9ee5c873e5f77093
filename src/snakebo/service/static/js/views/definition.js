/** The form that describes a campaign, and the definition it stands for; the service says what is wrong. */

import { h, newId } from "../dom.js";
import { field, inputOf, numberOf, textOf } from "../fields.js";
import { ByVariable } from "./by-variable.js";
import { Rows } from "./rows.js";

const METHODS = [
  "snake", "snake-paper", "snake-resampling", "random-tour",
  "ei", "ucb", "pi", "eipu", "trei", "ts", "ucb-lp", "eipu-lp",
];

/** Costs that a form can describe; others are written in a spec. `table` has what each variable costs. */
const COSTS = {
  euclidean: { called: "Distance", hint: "The straight way, each variable measured by its range." },
  weighted: {
    called: "Weighted distance",
    hint: "The same, with some variables dearer than others.",
    table: "weights",
    columns: [{ label: "weight", value: "1" }],
  },
  "ramp-rate": {
    called: "Ramp rates",
    hint: "Minutes until all settings are reached; up and down may differ.",
    table: "rates",
    columns: [{ label: "up per minute" }, { label: "down per minute" }],
  },
  "first-order-response": {
    called: "Settling time",
    hint: "γ·min(β, change) + max(0, α·log(change / β)) until a reactor has settled; the slowest counts.",
    table: "constants",
    columns: [{ label: "α" }, { label: "β" }, { label: "γ" }],
  },
};

const WORDS = {
  variables: "What can be set, and between which values. The step is the resolution of the instrument, if " +
    "it is coarse; a free variable costs nothing to change.",
  objectives: "What is measured. The first one decides what is best; shares divide the plan among several.",
  start: "May be left empty; then the first setting costs nothing.",
};

export class Definition {
  constructor() {
    const changed = () => this.update();
    const number = (key, label, rest) => field({ key, label, decimal: true, ...rest });
    const options = METHODS.map((name) => h("option", { value: name }));
    const methods = h("datalist", { id: newId("methods") }, options);
    const hint = "Settings follow a colon: snake:epsilon=0.1";
    this.name = field({ key: "name", label: "Name", required: true });
    this.budget = number("budget", "Steps in all", { required: true });
    this.costBudget = number("cost_budget", "Cost budget (optional)");
    this.seed = number("seed", "Seed", { value: "0" });
    this.method = field({ key: "method", label: "Method", value: "snake", list: methods.id, hint });

    const kinds = Object.entries(COSTS).map(([kind, { called }]) => [kind, called]);
    this.kind = field({ key: "kind", label: "Kind of cost", options: kinds, onchange: changed });
    this.costHint = h("p");
    this.tables = {}; // by the kind of the cost
    for (const [kind, { table, columns }] of Object.entries(COSTS)) {
      if (table) this.tables[kind] = new ByVariable(table, columns);
    }
    this.start = new ByVariable("start", [{ label: "now at" }]);
    const build = () => variableRow(changed);
    this.variables = new Rows({ key: "variables", noun: "a variable", build, changed });
    this.objectives = new Rows({ key: "objectives", noun: "an objective", build: objectiveRow, changed });

    const general = [this.name, this.budget, this.costBudget, this.method, this.seed];
    const tables = Object.values(this.tables).map(({ element }) => element);
    const cost = part("Cost of moving", this.costHint, h("div", { class: "fields" }, this.kind), tables);
    cost.dataset.key = "cost";
    this.parts = [
      part("Campaign", null, h("div", { class: "fields" }, general), methods),
      part("Variables", WORDS.variables, this.variables.element),
      cost,
      part("Objectives", WORDS.objectives, this.objectives.element),
      part("Where the apparatus is now", WORDS.start, this.start.element),
    ];
    this.update();
  }

  /** Let what depends on the variables follow them. */
  update() {
    if (!this.parts) return; // the first rows are made before there is anything to follow them
    const drafts = this.variables.rows.map((row) => ({ id: row.id, ...readRow(row) }));
    const chosen = textOf(this.kind);
    for (const [kind, table] of Object.entries(this.tables)) {
      table.follow(drafts.filter(({ free }) => !free));
      table.element.hidden = kind !== chosen;
    }
    this.costHint.textContent = COSTS[chosen].hint;
    this.start.follow(drafts);
    const rows = this.objectives.rows;
    for (const row of rows) row.querySelector("[data-key=share]").hidden = rows.length === 1;
  }

  /** Return the definition, in the keys of a spec; what was left empty is left out. */
  read() {
    const kind = textOf(this.kind);
    const { table } = COSTS[kind];
    const start = this.start.read();
    return written({
      name: textOf(this.name),
      budget: numberOf(this.budget),
      cost_budget: numberOf(this.costBudget),
      seed: numberOf(this.seed),
      method: textOf(this.method) || undefined,
      variables: this.variables.rows.map(readRow),
      cost: table ? { kind, [table]: this.tables[kind].read() } : { kind },
      objectives: this.objectives.rows.map(readRow),
      start: Object.keys(start).length ? start : undefined,
    });
  }
}

function part(title, words, ...content) {
  const said = typeof words === "string" ? h("p", {}, words) : words;
  return h("fieldset", {}, h("legend", {}, title), said, content);
}

function variableRow(changed) {
  return h("div", { class: "row variable", id: newId("variable") },
    field({ key: "name", label: "Name", required: true, onchange: changed }),
    field({ key: "low", label: "Low", decimal: true, required: true }),
    field({ key: "high", label: "High", decimal: true, required: true }),
    field({ key: "unit", label: "Unit", onchange: changed }),
    field({ key: "step", label: "Step", decimal: true }),
    field({ key: "free", label: "Free", type: "checkbox", onchange: changed }));
}

function objectiveRow() {
  const options = ["maximize", "minimize"].map((each) => [each, each]);
  return h("div", { class: "row objective" },
    field({ key: "name", label: "Name", required: true }),
    field({ key: "direction", label: "Direction", options }),
    field({ key: "share", label: "Share", value: "1", decimal: true }));
}

/** The fields of a row by their keys: texts, numbers where numbers belong, and ticks. */
function readRow(row) {
  const entries = [...row.querySelectorAll(".field")].map((element) => {
    const input = inputOf(element);
    const text = () => (input.inputMode === "decimal" ? numberOf(element) : textOf(element));
    return [element.dataset.key, input.type === "checkbox" ? input.checked || undefined : text()];
  });
  return written(Object.fromEntries(entries));
}

const written = (table) =>
  Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));
