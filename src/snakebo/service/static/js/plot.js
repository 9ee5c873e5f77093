/** Figures on the page: Plotly is loaded when the first is drawn, and colours follow the page's scheme. */

import { SHADES } from "/static/theme.js";
import { h } from "./dom.js";

const NARROW = 560; // px

const dark = matchMedia("(prefers-color-scheme: dark)");
const touch = matchMedia("(pointer: coarse)");

let loading = null;

function loadPlotly() {
  loading ??= new Promise((resolve, reject) => {
    const onload = () => {
      globalThis.Plotly.setPlotConfig({ logging: 0 }); // it warns of values that it then handles well
      resolve(globalThis.Plotly);
    };
    const onerror = () => {
      loading = null;
      reject(new Error("Plotly could not be loaded."));
    };
    document.head.append(h("script", { src: "/static/plotly.min.js", onload, onerror }));
  });
  return loading;
}

/** Change a layout in place: a figure says itself what differs on a wide and on a narrow page. */
function merge(into, changes) {
  for (const [key, value] of Object.entries(changes ?? {})) {
    const isTable = value && typeof value === "object" && !Array.isArray(value);
    into[key] = isTable ? merge(into[key] ?? {}, value) : value;
  }
  return into;
}

/** A place where a figure is drawn, and drawn again when the page turns dark or narrow. */
export class Plot {
  /**
   * @param {string} label the id of the element that says what it shows
   * @param {string} description the id of the one that says more
   * @param {AbortSignal} signal
   */
  constructor(label, description, signal) {
    const about = { role: "img", "aria-labelledby": label, "aria-describedby": description };
    this.element = h("div", { class: "plot", ...about }, "Drawing …");
    this.text = null;
    const width = new ResizeObserver(() => {
      if (this.isNarrow() !== this.narrow) this.draw();
    });
    width.observe(this.element);
    dark.addEventListener("change", () => this.draw(), { signal });
    signal.addEventListener("abort", () => {
      width.disconnect();
      globalThis.Plotly?.purge(this.element);
    });
  }

  isNarrow() {
    return this.element.clientWidth < NARROW;
  }

  /** Show a figure, given as the text of its JSON. */
  async show(text) {
    this.text = text;
    await this.draw();
  }

  async draw() {
    if (this.text === null) return;
    const plotly = await loadPlotly();
    const shade = (color) => SHADES[color] ?? color;
    const text = dark.matches ? this.text.replace(/#[0-9a-f]{6}/g, shade) : this.text;
    const { data, layout } = JSON.parse(text);
    this.narrow = this.isNarrow();
    merge(layout, layout.meta[this.narrow ? "narrow" : "wide"]);
    if (touch.matches || this.narrow) layout.dragmode = false; // a finger scrolls the page
    layout.uirevision ??= "kept"; // what somebody has zoomed into stays while results come
    if (!this.isDrawn()) this.element.textContent = "";
    this.element.classList.add("drawn");
    this.element.style.height = `${layout.height}px`;
    const config = { responsive: true, displaylogo: false, displayModeBar: this.narrow ? false : "hover" };
    await plotly.react(this.element, data, layout, config);
  }

  isDrawn() {
    return this.element.classList.contains("drawn");
  }

  /** Say that a figure cannot be drawn; one that is there stays. */
  fail(message) {
    if (!this.isDrawn()) this.element.textContent = message;
  }
}
