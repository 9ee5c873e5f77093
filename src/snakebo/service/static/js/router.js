/** Pages by the part of the address behind the #, each with a signal that ends what it has begun. */

/**
 * @typedef {{signal: AbortSignal, name: string}} Context
 * @typedef {{title: string, element: HTMLElement}} Page
 */

/**
 * Show the page of the address, now and whenever it changes.
 * @param {HTMLElement} main
 * @param {[RegExp, (context: Context) => Page][]} routes the first group of a pattern is a name
 */
export function startRouter(main, routes) {
  let leaving = new AbortController();
  const show = () => {
    leaving.abort();
    leaving = new AbortController();
    const address = location.hash.slice(1);
    const [pattern, open] = routes.find(([each]) => each.test(address));
    const name = decode(pattern.exec(address)[1] ?? "");
    const { title, element } = open({ signal: leaving.signal, name });
    document.title = `${title} · snakebo`;
    main.replaceChildren(element);
  };
  addEventListener("hashchange", () => {
    show();
    scrollTo(0, 0);
    main.querySelector("h1").focus();
  });
  show();
}

/** Return the address of a campaign's page. */
export const pageOf = (name) => `#/campaign/${encodeURIComponent(name)}`;

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // somebody wrote it by hand
  }
}
