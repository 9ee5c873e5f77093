/** Files for people: a link cannot carry a token, so that the content comes first. */

import { h } from "./dom.js";

/** Offer a blob as a file. */
export function saveAs(blob, file) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: file.replace(/[/\\:*?"<>|]/g, "_") }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
