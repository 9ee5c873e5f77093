/** The page of one campaign, alive. */

import { ask, readCsv } from "../api.js";
import { submit } from "../complaints.js";
import { h } from "../dom.js";
import { keyed } from "../keyed.js";
import { live } from "../live.js";
import { saveAs } from "../save.js";
import { count } from "../text.js";
import { openAttach } from "./attach.js";
import { FigureGrid } from "./figures.js";
import { Headline } from "./headline.js";
import { Latest } from "./latest.js";
import { notice } from "./notice.js";
import { Outstanding } from "./outstanding.js";
import { PlanAhead } from "./plan.js";
import { TrialTable } from "./trials.js";

/** @param {import("../router.js").Context} context @returns {import("../router.js").Page} */
export function campaignPage({ name, signal }) {
  let campaign = null;
  const refresh = () => kept.refresh();

  const problems = h("div", { class: "problems" });
  const askNext = keyed((key) => ask(name, key));
  const askButton = button("Ask for the next", () => askNext().finally(() => void refresh()), problems);
  askButton.classList.add("primary");
  askButton.dataset.busy = "Asking …";
  const openPoint = () => openAttach(campaign, refresh);
  const attachButton = h("button", { type: "button", onclick: openPoint }, "Attach a point…");
  const csvButton = button("Download CSV", async () => saveAs(await readCsv(name), `${name}.csv`), problems);

  const about = h("p", { class: "about" }, "Loading …");
  const actions = h("div", { class: "actions", hidden: true }, askButton, attachButton, csvButton);
  const head = h("div", { class: "head" }, h("div", {}, h("h1", { tabindex: "-1" }, name), about), actions);
  const latest = new Latest();
  const headline = new Headline();
  const outstanding = new Outstanding(name, refresh, askButton);
  const plan = new PlanAhead(signal, refresh);
  const figures = new FigureGrid(name, signal);
  const trials = new TrialTable(refresh);
  const sections = [headline, outstanding, plan, figures, trials].map(({ element }) => element);
  const body = h("div", { hidden: true }, sections);
  const page = h("div", { "aria-busy": "true" }, head, problems, latest.element, body);

  const kept = live(name, signal, {
    campaign(now) {
      campaign = now;
      page.removeAttribute("aria-busy");
      actions.hidden = body.hidden = false;
      about.textContent = describe(now);
      askButton.hidden = now.finished;
      latest.know(now);
      headline.show(now);
      outstanding.show(now);
      figures.list(now);
    },
    trials(now) {
      trials.show(now, campaign);
      latest.begin(now);
    },
    planning: (busy) => plan.busy(busy),
    plan: (now) => plan.show(now, campaign),
    planProblem: (error) => plan.fail(error),
    figures: () => figures.refresh(),
    happened: (message) => latest.add(message),
  });
  kept.running.catch((error) => {
    if (!signal.aborted) page.replaceChildren(head.querySelector("h1"), notice(error));
  });
  return { title: name, element: page };
}

function button(label, work, problems) {
  const made = h("button", { type: "button", onclick: () => submit(problems, made, work) }, label);
  return made;
}

function describe({ objectives, variables, method, seed, spec }) {
  const goals = objectives.map(({ name, direction }) => `${direction} ${name}`).join(", ");
  const cost = spec.cost.kind.replaceAll("-", " ");
  const over = count(variables.length, "variable");
  return `To ${goals} over ${over} with ${method}; cost: ${cost}; seed ${seed}`;
}
