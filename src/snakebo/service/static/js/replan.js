/** What a re-plan has changed. */

import { count } from "./text.js";

const NEAR = 0.02; // of each range: a point that moved less is where it was
const COMPARED = 1000; // points of either plan; each is held against each

/**
 * Find which points of a plan are new against the one before, and say so.
 * @param {import("./types.js").Plan} plan one that has a plan before it
 * @param {import("./types.js").Variable[]} variables
 * @returns {{fresh: boolean[], words: string}}
 */
export function comparePlans(plan, variables) {
  const [points, before] = [plan.points, plan.previous.points].map((each) => each.slice(0, COMPARED));
  const near = (a, b) =>
    variables.every(({ name, low, high }) => Math.abs(a[name] - b[name]) <= NEAR * (high - low));
  const fresh = points.map(({ x }) => !before.some((old) => near(old.x, x)));
  const added = fresh.filter(Boolean).length;
  const gone = before.filter((old) => !points.some(({ x }) => near(old.x, x))).length;
  const close = `(within ${100 * NEAR} % of each range)`;
  const words = added || gone
    ? `What the last re-plan changed: ${count(added, "point")} new, ${points.length - added} as before ` +
      `${close}, ${gone} of ${before.length} given up.`
    : `The last re-plan changed nothing: all points are as before ${close}.`;
  return { fresh, words };
}
