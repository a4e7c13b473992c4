// Making and changing elements. Whatever says the same as before is left alone, so that nothing flickers and no screen reader
// hears it twice.

/** An element with attributes (null is left out), and children: elements or texts. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  set(element, attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Sets attributes; null takes one away. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) {
      if (element.hasAttribute(name)) element.removeAttribute(name);
    } else if (element.getAttribute(name) !== String(value)) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
}

/** Makes an element say a text. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Makes the children of an element follow a list: one for each item, in the list's order, made once for each key. Those whose items
 * are gone leave first, so that none of the others is taken out and put back, which would take the focus from it.
 *
 * @param key names an item; of items with equal keys the first has the first child of that key
 * @param create makes the child of a new item
 * @param change brings a child up to date
 */
export function reconcile(parent, items, key, create, change) {
  const wanted = named(items, key);
  const known = new Map();
  for (const child of [...parent.children]) {
    if (wanted.has(child.dataset.key)) known.set(child.dataset.key, child);
    else child.remove();
  }
  let at = parent.firstElementChild;
  for (const [name, item] of wanted) {
    let child = known.get(name);
    if (!child) {
      child = create(item);
      child.dataset.key = name;
    }
    change(child, item);
    if (child === at) {
      at = at.nextElementSibling;
    } else {
      parent.insertBefore(child, at);
    }
  }
}

/** Items by a name that none of the others has. */
function named(items, key) {
  const names = new Map();
  for (const item of items) {
    let name = String(key(item));
    while (names.has(name)) name += " again";
    names.set(name, item);
  }
  return names;
}

/** A button that copies what {@code text} gives, and says so. */
export function copier(text, what) {
  const button = make("button", { type: "button", class: "small", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    setText(button, await copied(text()) ? "Copied" : "Press Ctrl+C");
    setTimeout(() => setText(button, "Copy"), 1500);
  });
  return button;
}

/** Copies a text; false where the browser does not, as on pages that are not secure. */
const copied = async (text) => navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
