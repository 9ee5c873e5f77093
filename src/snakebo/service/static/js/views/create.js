/** A new campaign, from a form or from a spec that somebody has written. */

import { createCampaign, createFromToml } from "../api.js";
import { submit } from "../complaints.js";
import { h } from "../dom.js";
import { field, inputOf } from "../fields.js";
import { pageOf } from "../router.js";
import { Definition } from "./definition.js";

const WAYS = [["#/new", "By form"], ["#/new/spec", "From a spec"]];
const EXAMPLE = `name = "reactor"
budget = 60                      # how many settings are tried in all
# cost_budget = 600              # travel that may be spent, in the unit of the cost
method = "snake"

[[variables]]
name = "temperature"
low = 40
high = 120
unit = "°C"

[[variables]]
name = "equivalents"
low = 1
high = 5
free = true                      # changing it costs nothing

[[objectives]]
name = "yield"
direction = "maximize"           # or "minimize"

[cost]                           # minutes to heat and to cool
kind = "ramp-rate"
rates.temperature = [5, 2]
`;

/** @returns {import("../router.js").Page} */
export function formPage() {
  const definition = new Definition();
  const create = () => createCampaign(definition.read()).catch((error) => {
    const taken = { path: ["name"], message: "A campaign of this name is there already; choose another." };
    throw error.status === 409 ? taken : error;
  });
  return page(WAYS[0], definition.parts, create);
}

/** @returns {import("../router.js").Page} */
export function specPage() {
  const hint = "As for snakebo init FILE; it knows regions and costs that the form does not.";
  const spec = field({ label: "Spec in TOML", key: "spec", type: "textarea", hint });
  const area = inputOf(spec);
  const insert = () => {
    area.value = EXAMPLE;
    area.setSelectionRange(0, 0);
    area.focus();
  };
  const example = h("button", { type: "button", class: "small", onclick: insert }, "Insert an example");
  const create = () => createFromToml(area.value).catch((error) => {
    selectLine(area, Number(/\bline (\d+)/.exec(error.message)?.[1] ?? 0));
    throw Object.assign(error, { path: ["spec"] }); // to this page all of it is one field
  });
  return page(WAYS[1], [spec, h("div", {}, example)], create);
}

function page([here], parts, create) {
  const button = h("button", { type: "submit", class: "primary" }, "Start the campaign");
  const onsubmit = (event) => {
    event.preventDefault();
    submit(form, button, async () => {
      const { name } = await create();
      location.hash = pageOf(name);
    });
  };
  const cancel = h("a", { class: "button", href: "#/" }, "Cancel");
  const form = h("form", { class: "form", novalidate: true, onsubmit },
    parts, h("div", { class: "problems" }), h("div", { class: "actions" }, button, cancel));
  const links = WAYS.map(([href, label]) =>
    h("a", { href, "aria-current": href === here ? "page" : null }, label));
  const ways = h("nav", { class: "ways", "aria-label": "How to describe it" }, links);
  const element = h("div", {}, h("h1", { tabindex: "-1" }, "New campaign"), ways, form);
  return { title: "New campaign", element };
}

/** Lead the eye to the line at fault. */
function selectLine(area, line) {
  if (!line) return;
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((length, each) => length + each.length + 1, 0);
  area.setSelectionRange(start, start + lines[line - 1].length);
}
