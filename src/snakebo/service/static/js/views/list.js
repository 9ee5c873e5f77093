/** All campaigns, and where each stands. */

import { listCampaigns } from "../api.js";
import { keepGoing } from "../connection.js";
import { fill, h, keep } from "../dom.js";
import { sleep } from "../once.js";
import { pageOf } from "../router.js";
import { number } from "../text.js";
import { head, scrolling } from "./columns.js";
import { notice } from "./notice.js";

const EVERY_MS = 5000;
const SHARE = 20; // at most one part in so many of the time is spent on asking

/** @param {import("../router.js").Context} context @returns {import("../router.js").Page} */
export function listPage({ signal }) {
  const rows = h("tbody");
  const table = scrolling("Campaigns", heads(), rows, "cards campaigns");
  const body = h("section", { "aria-busy": "true" }, h("p", { class: "quiet" }, "Loading …"));
  const element = h("div", {}, h("h1", { tabindex: "-1" }, "Campaigns"), body);
  const none = welcome();

  const show = (campaigns) => {
    const held = document.activeElement?.getAttribute("href");
    keep(rows, campaigns, JSON.stringify, row);
    if (held) rows.querySelector(`a[href="${CSS.escape(held)}"]`)?.focus(); // of somebody about to follow it
    const content = campaigns.length ? table : none;
    if (body.firstChild !== content) fill(body, content);
    body.removeAttribute("aria-busy");
  };
  const look = async (stop, connected) => {
    while (!stop.aborted) {
      const begun = performance.now();
      const { campaigns } = await listCampaigns(stop);
      connected();
      show(campaigns);
      await sleep(Math.max(EVERY_MS, SHARE * (performance.now() - begun)), stop);
    }
  };
  keepGoing(look, signal).catch((error) => {
    if (!signal.aborted) fill(body, notice(error));
  });
  return { title: "Campaigns", element };
}

const heads = () => h("tr", {},
  head("campaign", "word"), head("goal", "word"), head("best so far"), head("steps"), head("cost spent"),
  head("outstanding"), head("state", "word"));

function row(campaign) {
  const { name, error, objectives, best, steps, spent, cost_budget: limit, finished } = campaign;
  const badge = (text, kind = "") => h("span", { class: `badge ${kind}` }, text);
  const cell = (label, content, kind) => h("td", { class: kind, "data-label": label }, content);
  if (error) {
    return h("tr", {},
      h("td", { class: "word whole" }, name),
      h("td", { class: "word whole", colspan: "5" }, error),
      cell("state", badge("unusable", "fault"), "word"));
  }
  const goals = objectives.map((each) => `${each.direction} ${each.name}`).join(", ");
  const going = steps ? badge("running") : badge("new");
  return h("tr", {},
    h("td", { class: "word whole" }, h("a", { href: pageOf(name) }, name)),
    cell("goal", goals, "word whole"),
    cell("best so far", best ? number(best.values[objectives[0].name]) : "–"),
    cell("steps", `${steps} of ${campaign.budget}`),
    cell("cost spent", limit === null ? number(spent) : `${number(spent)} of ${number(limit)}`),
    cell("outstanding", String(campaign.outstanding)),
    cell("state", finished ? badge("finished", "done") : going, "word"));
}

function welcome() {
  return h("div", { class: "card notice" },
    h("h2", {}, "No campaign yet"),
    h("p", {}, "A campaign decides what to try next. Say what can be set and what a change costs; " +
      "then ask, try, and tell."),
    h("a", { class: "button primary", href: "#/new" }, "Start a campaign"),
    h("p", { class: "quiet" }, "In a shell: ", h("code", {}, "snakebo init --example reactor"),
      "; in Python: ", h("code", {}, "sb.connect(…).create(…)"), "."));
}
