/** @typedef {Node | string | number | undefined | false | null} Child */

/**
 * An element with attributes and children; text stays text, so that nothing of it is ever taken for markup. Attributes that
 * begin with `on` are listeners.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | readonly Child[])} children
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (name.startsWith('on')) made.addEventListener(name.slice(2), /** @type {EventListener} */ (value))
    else made.setAttribute(name, value === true ? '' : String(value))
  }
  made.append(...nodesOf(children))
  return made
}

/**
 * The element of an id, which the page has.
 * @param {string} id
 */
export function elementById(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no element "${id}".`)
  return found
}

/**
 * A titled part of a screen.
 * @param {string} title
 * @param {...(Child | readonly Child[])} children
 */
export function card(title, ...children) {
  return element('section', { class: 'card' }, element('h2', {}, title), ...children)
}

/** @param {readonly (Child | readonly Child[])[]} children */
function nodesOf(children) {
  return children
    .flat()
    .filter(child => child !== undefined && child !== false && child !== null)
    .map(child => (typeof child === 'number' ? String(child) : /** @type {Node | string} */ (child)))
}
