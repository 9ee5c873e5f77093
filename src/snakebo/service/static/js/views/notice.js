/** A page that cannot be shown: what is wrong, and what to do. */

import { h } from "../dom.js";

/** @param {Error} error */
export function notice(error) {
  const onclick = () => location.reload();
  const again = h("button", { type: "button", class: "primary", onclick }, "Try again");
  return h("div", { class: "card notice fault", role: "alert" },
    h("h2", {}, error.title || "Something went wrong"),
    h("p", {}, error.message),
    h("div", { class: "actions" }, again, h("a", { class: "button", href: "#/" }, "All campaigns")));
}
