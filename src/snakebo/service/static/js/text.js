/** Numbers, settings and times as people read them. */

/** Return a number with so many significant digits, without an exponent while that reads well. */
export function number(value, digits = 5) {
  if (value === null || value === undefined) return "";
  const size = Math.abs(value);
  if (size >= 10 ** digits && size < 1e9) return value.toFixed(0);
  const short = Number(value.toPrecision(digits));
  const plainly = size === 0 || (size >= 1e-4 && size < 1e9);
  return plainly ? String(short) : short.toExponential().replace("+", "");
}

/** Return a number with so many decimals, for a column; one that would vanish keeps its digits. */
export function fixed(value, decimals) {
  const vanishes = value !== 0 && Math.abs(value) < 0.5 * 10 ** -decimals;
  const long = decimals > 8 || Math.abs(value) >= 1e9;
  return vanishes || long ? number(value, 3) : value.toFixed(decimals);
}

/** Return how many decimals show a thousandth of a size. */
export const decimalsFor = (size) => (size > 0 ? Math.max(0, Math.ceil(3 - Math.log10(size))) : 0);

/** Return the value of a variable to its step, or to a thousandth of its range, for a column. */
export function reading(value, { low, high, step }) {
  return fixed(value, step ? decimalsOf(step, low) : decimalsFor(high - low));
}

/** The decimals of a grid that begins at `low`. */
function decimalsOf(step, low) {
  const written = [step, low].map((each) => String(Number(each.toPrecision(9))));
  return Math.max(...written.map((text) => text.split(".")[1]?.length ?? 0));
}

/** Return the same where it stands alone, without zeros at its end. */
export const brief = (value, variable) => String(Number(reading(value, variable)));

/** Return "temperature 82.5 °C, flow 2 mL/min". */
export const setting = (x, variables) =>
  variables.map((each) => `${each.name} ${withUnit(brief(x[each.name], each), each.unit)}`).join(", ");

/** Return "82.5 °C", or a bare number where there is no unit. */
export const withUnit = (text, unit) => (unit ? `${text} ${unit}` : text);

/** Return "yield 0.73", or what several objectives were told. */
export const results = (values) =>
  Object.entries(values).map(([name, value]) => `${name} ${number(value)}`).join(", ");

/** Return "1 point", "5 points". */
export const count = (amount, noun) => `${amount} ${noun}${amount === 1 ? "" : "s"}`;

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});

/** Return the time of day. */
export const clock = (time) => CLOCK.format(new Date(time));

const SPANS = [[86400, "d"], [3600, "h"], [60, "min"], [0, "s"]];

/** Return how long ago a time was: "12 min". */
export function since(time) {
  const seconds = Math.max(0, (Date.now() - new Date(time)) / 1000);
  const [length, unit] = SPANS.find(([span]) => seconds >= span);
  return `${Math.floor(seconds / (length || 1))} ${unit}`;
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "#": "&#35;", "%": "&#37;", $: "&#36;" };
const SIGNS = Object.fromEntries(Object.entries(ESCAPES).map(([sign, escape]) => [escape, sign]));

/** Return a text from outside so that Plotly shows it letter by letter: no tags, templates or colours. */
export const plain = (text) => text.replace(/[&<>#%$]/g, (sign) => ESCAPES[sign]);

/** Undo `plain`, for a text that Plotly does not show. */
export const unplain = (text) => text.replace(/&(?:amp|lt|gt|#3[567]);/g, (escape) => SIGNS[escape]);
