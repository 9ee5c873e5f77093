(() => {
  "use strict";
  const read = (id) => document.getElementById(id).textContent;
  const shades = JSON.parse(read("shades"));
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const touch = matchMedia("(pointer: coarse)");
  const holders = [...document.querySelectorAll(".plot")];
  const isNarrow = (holder) => holder.clientWidth < 640;

  // A figure says itself what changes in its layout for either width.
  const merge = (into, changes) => {
    for (const [key, value] of Object.entries(changes)) {
      if (value && typeof value === "object" && !Array.isArray(value)) into[key] = merge(into[key] || {}, value);
      else into[key] = value;
    }
    return into;
  };

  const draw = (holder) => {
    let text = read(holder.dataset.figure);
    if (dark.matches) text = text.replace(/#[0-9a-f]{6}/g, (color) => shades[color] || color);
    const { data, layout } = JSON.parse(text);
    const narrow = isNarrow(holder);
    merge(layout, layout.meta[narrow ? "narrow" : "wide"]);
    if (touch.matches || narrow) layout.dragmode = false; // a finger scrolls the page
    holder.dataset.narrow = narrow;
    holder.style.height = `${layout.height}px`;
    Plotly.react(holder, data, layout, { responsive: true, displaylogo: false, displayModeBar: narrow ? false : "hover" });
  };

  holders.forEach(draw);
  dark.addEventListener("change", () => holders.forEach(draw));
  addEventListener("resize", () => {
    for (const holder of holders) if (String(isNarrow(holder)) !== holder.dataset.narrow) draw(holder);
  });

  // Click a header to sort; numbers as numbers, what is missing last.
  for (const button of document.querySelectorAll("th button")) {
    button.addEventListener("click", () => {
      const head = button.parentElement;
      const body = head.closest("table").tBodies[0];
      const column = head.cellIndex;
      const turn = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const key = (row) => row.cells[column].textContent.trim();
      const rows = [...body.rows].map((row) => [key(row), row]);
      rows.sort(([a], [b]) => {
        if (a === "" || b === "") return (a === "") - (b === "");
        const order = a - b;
        return turn * (Number.isNaN(order) ? a.localeCompare(b) : order);
      });
      body.append(...rows.map(([, row]) => row));
      for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", turn > 0 ? "ascending" : "descending");
    });
  }
})();
