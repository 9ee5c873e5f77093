/** A point of one's own: a trial like any other. */

import { attach } from "../api.js";
import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { field, neededNumbers } from "../fields.js";
import { keyed } from "../keyed.js";
import { number } from "../text.js";

/** @param {import("../types.js").Campaign} campaign @param {() => void} changed */
export function openAttach({ name, variables, position }, changed) {
  const fields = variables.map((each) => field({
    label: each.name,
    key: each.name,
    value: position?.[each.name],
    unit: each.unit,
    hint: describeRange(each),
    decimal: true,
    required: true,
  }));
  const send = keyed((key, x) => attach(name, x, key));
  const words = "A setting of your own: it counts as a step, and the plan goes on from there.";
  return openDialog({
    title: "Attach a point",
    body: [
      h("p", { class: "quiet" }, words, position && " It begins as the apparatus stands."),
      h("div", { class: "fields", "data-key": "x" }, fields),
    ],
    submit: "Attach",
    onsubmit: async () => {
      await send(neededNumbers(fields, variables, "x"));
      changed();
    },
  });
}

const describeRange = ({ low, high, step }) =>
  `${number(low)} to ${number(high)}${step ? ` in steps of ${number(step)}` : ""}`;
