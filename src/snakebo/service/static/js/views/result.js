/** The result of a trial in full: what was measured, and what the apparatus was really set to. */

import { tell } from "../api.js";
import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { field, neededNumbers } from "../fields.js";

/**
 * Open the dialog for a trial; one that was told or failed before is corrected.
 * @param {import("../types.js").Campaign} campaign
 * @param {import("../types.js").Trial} trial
 * @param {() => void} changed
 */
export function openResult({ name, objectives, variables }, trial, changed) {
  const isNew = trial.state === "outstanding";
  const shared = { decimal: true, required: true };
  const values = objectives.map((each) =>
    field({ ...shared, label: each.name, key: each.name, value: trial.values[each.name] }));
  const settings = variables.map((each) =>
    field({ ...shared, label: each.name, key: each.name, value: trial.x[each.name], unit: each.unit }));
  const onsubmit = async () => {
    const result = { values: neededNumbers(values, objectives, "values"), replace: !isNew };
    const x = neededNumbers(settings, variables, "x");
    if (variables.some((each) => x[each.name] !== trial.x[each.name])) result.x = x;
    await tell(name, trial.id, result);
    changed();
  };
  return openDialog({
    title: isNew ? `Result of trial ${trial.id}` : `Correct trial ${trial.id}`,
    body: [
      h("fieldset", { "data-key": "values" }, h("legend", {}, "Measured"),
        h("div", { class: "fields" }, values)),
      h("fieldset", { "data-key": "x" }, h("legend", {}, "Set to"),
        h("p", {}, "Change this where the apparatus did something else than asked."),
        h("div", { class: "fields" }, settings)),
    ],
    submit: isNew ? "Tell" : "Correct",
    onsubmit,
  });
}
