/** The picture of the plan: the way ahead with the cost of its legs, over what the plan before had ahead. */

import { COLORS, TEMPLATE } from "/static/theme.js";
import { number, plain, withUnit } from "./text.js";

/** @typedef {import("./types.js").Plan} Plan */
/** @typedef {[number, number]} Spot a place in the picture */

const AHEAD = 40; // points that are drawn; more hide each other
const CLOSEST = 0.03; // of a range, on either side: nearer than this nobody needs to look
const LABELLED = 12; // legs with their cost beside them
const LONG = 0.1; // of the picture: shorter legs have no room for it
const ROOM = [0.09, 0.06]; // of the picture, across and up, that a cost takes

/**
 * Return a Plotly figure.
 * @param {Plan} plan
 * @param {import("./types.js").Campaign} campaign
 * @param {number[]} pair columns across and up; with one variable alone, the steps go up
 * @param {boolean} withOld
 */
export function drawPlan(plan, campaign, pair, withOld) {
  const [across, up] = pair.map((place) => campaign.variables[place]);
  const spot = (x, step) => [x[across.name], up ? x[up.name] : step];
  const path = (points) => points.slice(0, AHEAD).map(({ x }, place) => spot(x, place + 1));
  const here = plan.position ? [spot(plan.position, 0)] : [];
  const stops = path(plan.points);
  const maps = up ? polygonsOf(campaign.spec).filter(isOver(across, up)) : [];
  const xaxis = axis(across, plan, maps);
  const steps = { title: { text: "step ahead" }, range: [-0.5, stops.length + 0.5] };
  const yaxis = up ? axis(up, plan, maps) : steps;
  const traces = [
    ...maps.map(outline),
    before(withOld ? path(plan.previous?.points ?? []) : []),
    ahead(here, stops, plan.points),
    marks("next", stops.slice(0, 1), NEXT),
    marks("here now", here, HERE),
  ];
  const layout = {
    xaxis, yaxis, template: TEMPLATE, height: 430, margin: { l: 64, r: 14, t: 34, b: 52 }, showlegend: true,
    legend: { yref: "container", y: 1, yanchor: "top", xref: "paper", x: 0 },
    annotations: costs(here, stops, plan.points, [xaxis, yaxis]),
    uirevision: pair.join(), meta: { narrow: { height: 360, margin: { l: 52, r: 8, t: 58, b: 48 } } },
  };
  return { data: traces.filter((trace) => trace.x.length), layout };
}

/** Return the columns to show at first: those of a map, else costly ones along which the plan goes far. */
export function firstPair(plan, { variables, spec }) {
  const map = polygonsOf(spec).find((each) => each.variables)?.variables;
  if (map) return map.map((name) => variables.findIndex((each) => each.name === name));
  const reach = variables.map(({ name, low, high, free }) => {
    const [least, most] = extent(plan, name);
    return free ? -1 : (most - least) / (high - low);
  });
  const furthest = variables.map((_, place) => place).sort((a, b) => reach[b] - reach[a]);
  return furthest.slice(0, 2).sort((a, b) => a - b);
}

/** The least and the greatest value of a variable, here and on both ways. */
function extent({ position, points, previous }, name) {
  const settings = [...points, ...(previous?.points ?? [])].map(({ x }) => x);
  const values = (position ? [position, ...settings] : settings).map((x) => x[name]);
  return [Math.min(...values), Math.max(...values)];
}

/** An axis as long as what happens on it; a map is shown whole. */
function axis({ name, unit, low, high }, plan, maps) {
  const [least, most] = maps.length ? [low, high] : extent(plan, name);
  const room = Math.max(0.12 * (most - least), CLOSEST * (high - low));
  const edge = 0.05 * (high - low);
  return {
    title: { text: plain(withUnit(name, unit && `(${unit})`)) },
    range: [Math.max(least - room, low - edge), Math.min(most + room, high + edge)],
  };
}

const NEXT = { symbol: "circle", color: COLORS.paper, size: 11, line: { color: COLORS.accent, width: 2.4 } };
const HERE = { symbol: "diamond", color: COLORS.accent, size: 12, line: { color: COLORS.paper, width: 1.5 } };

/** @param {Spot[]} spots */
const line = (name, spots, style) => ({
  type: "scatter", mode: "lines", name, hoverinfo: "skip",
  x: spots.map(([x]) => x), y: spots.map(([, y]) => y), ...style,
});

const marks = (name, spots, marker) => line(name, spots, { mode: "markers", marker });

const before = (spots) => line("plan before", spots, {
  mode: "lines+markers",
  line: { color: COLORS.line, width: 1.6, dash: "dot" },
  marker: { color: COLORS.line, size: 5, symbol: "circle-open" },
});

/** @param {Spot[]} here @param {Spot[]} stops @param {Plan["points"]} points */
function ahead(here, stops, points) {
  let total = 0;
  const legs = stops.map((_, place) => {
    const { cost } = points[place];
    total += cost;
    return `step ${place + 1}<br>cost of the leg ${number(cost)}<br>in all ${number(total)}`;
  });
  return line("plan", [...here, ...stops], {
    mode: "lines+markers",
    line: { color: COLORS.accent, width: 1.8 },
    marker: { color: COLORS.accent, size: 6 },
    customdata: [...here.map(() => "here now"), ...legs],
    hoverinfo: "all",
    hovertemplate: "%{customdata}<extra></extra>",
  });
}

/** The costs of the next legs, in the middle of each that has room for it. */
function costs(here, stops, points, axes) {
  const spans = axes.map(({ range: [low, high] }) => high - low);
  const share = (a, b) => spans.map((span, side) => Math.abs(a[side] - b[side]) / span);
  const placed = [];
  for (const [place, to] of stops.slice(0, LABELLED).entries()) {
    const from = place ? stops[place - 1] : here[0];
    const { cost } = points[place];
    if (!from || cost <= 0 || Math.hypot(...share(from, to)) < LONG) continue;
    const at = [0, 1].map((side) => (from[side] + to[side]) / 2);
    const taken = placed.some((other) => share(other.at, at).every((part, side) => part < ROOM[side]));
    if (!taken) placed.push({ at, cost });
  }
  return placed.map(({ at: [x, y], cost }) => ({
    x, y, text: number(cost, 2), showarrow: false, font: { size: 11, color: COLORS.ink },
    bgcolor: COLORS.paper, borderpad: 1, opacity: 0.9,
  }));
}

const polygonsOf = (spec) => [spec.region ?? []].flat().filter(({ kind }) => kind === "polygon");

const isOver = (across, up) => ({ variables: names = [across.name, up.name] }) =>
  names[0] === across.name && names[1] === up.name;

function outline({ vertices, holes = [] }) {
  const rings = [vertices, ...holes].flatMap((ring) => [...ring, ring[0], [null, null]]);
  return line("region", rings, { showlegend: false, line: { color: COLORS.line, width: 1.5 } });
}
