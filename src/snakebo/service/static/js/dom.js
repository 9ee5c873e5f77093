/** Elements. Text goes in as text alone: nothing that comes from outside is ever read as HTML. */

/**
 * Build an element: `h("a", {href: "#/", onclick: go}, "Home")`. Functions are listeners; what is null or
 * false is left out.
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {...any} children elements, texts, or lists of them
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (isNothing(value)) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  return fill(element, ...children);
}

/** Put children in the place of those that are there. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((each) => !isNothing(each)));
  return element;
}

const isNothing = (value) => value === undefined || value === null || value === false;

/**
 * Bring the children of an element in line with a list, leaving those alone that stay: what somebody is
 * writing into them, and the focus, are theirs.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string|number} key
 * @param {(item: T) => Element} create
 * @param {(element: Element, item: T) => void} [update]
 */
export function keep(parent, items, key, create, update = () => {}) {
  const known = new Map([...parent.children].map((child) => [child.dataset.kept, child]));
  const wanted = items.map((item) => {
    const name = String(key(item));
    const child = known.get(name) ?? create(item);
    child.dataset.kept = name;
    update(child, item);
    return child;
  });
  const stays = new Set(wanted);
  for (const child of [...parent.children]) if (!stays.has(child)) child.remove();
  wanted.forEach((child, place) => {
    const there = parent.children[place] ?? null;
    if (there !== child) parent.insertBefore(child, there); // one that is moved loses the focus
  });
}

let ids = 0;

/** Return an id that no other element has. */
export const newId = (stem) => `${stem}-${++ids}`;
