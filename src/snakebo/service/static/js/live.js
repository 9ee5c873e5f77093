/** A campaign kept in step with the service: where it stands at once, then the plan, then the figures. */

import { readCampaign, readPlan, readTrials } from "./api.js";
import { follow } from "./events.js";
import { once, sleep } from "./once.js";
import { mayPass } from "./problem.js";

const TOGETHER_MS = 80; // events that come together are one piece of news
const BETWEEN_MS = 400; // between two looks at the plan: it may take the service a while to make it
const AGAIN_MS = 2000;

export const RECENT = 100; // trials in the table; the CSV has all of them

/**
 * @typedef {Object} Parts what shows the campaign
 * @property {(campaign: import("./types.js").Campaign) => void} campaign
 * @property {(trials: import("./types.js").Trial[]) => void} trials
 * @property {(busy: boolean) => void} planning
 * @property {(plan: import("./types.js").Plan) => void} plan
 * @property {(error: Error) => void} planProblem
 * @property {() => Promise<void>} figures draws those in sight that are out of date
 * @property {(message: import("./types.js").Message) => void} happened
 */

/**
 * Keep the parts of a page up to date until the signal says stop.
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {Parts} parts
 * @returns {{running: Promise<void>, refresh: () => Promise<void>}} `running` fails with what the service has
 *   against it
 */
export function live(name, signal, parts) {
  let campaign = null;
  let plan = null;

  const lookAt = async () => {
    campaign = await readCampaign(name, signal);
    parts.campaign(campaign);
    const { trials } = await readTrials(name, Math.max(-1, campaign.steps - RECENT - 1), signal);
    parts.trials(trials);
  };

  const lookAhead = async () => {
    if (plan?.seq !== campaign.seq) {
      parts.planning(true);
      try {
        plan = await readPlan(name, signal);
        parts.plan(plan);
      } catch (error) {
        if (signal.aborted || mayPass(error)) throw error;
        parts.planProblem(error);
      } finally {
        parts.planning(false);
      }
      const over = plan?.points.length === 0 && !campaign.finished;
      if (over) await lookAt(); // the service knows only now that nothing can be afforded
    }
    await parts.figures();
  };

  /** Do something now or, when the service is busy or away, as soon as it is not. */
  const patiently = (work) => async () => {
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) return;
        if (!mayPass(error)) throw error;
        await sleep(AGAIN_MS, signal);
      }
    }
  };

  const news = once(patiently(lookAt), TOGETHER_MS);
  const ahead = once(patiently(lookAhead), BETWEEN_MS);
  const refresh = () => news().then(ahead).catch(parts.planProblem);

  const running = follow(name, signal, {
    load: async () => {
      await lookAt();
      ahead().catch(parts.planProblem);
      return campaign.seq;
    },
    catchUp: refresh,
    happened: (message) => {
      parts.happened(message);
      if (message.id > campaign.seq) refresh();
    },
  });
  return { running, refresh };
}
