/** @import { PageData } from '../page-data.ts' */

/**
 * Reads the data of the page: JSON, deflated, as base64.
 * @returns {Promise<PageData>}
 */
export async function readData() {
  const text = atob(elementOf('data').textContent ?? '')
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return JSON.parse(await new Response(stream).text())
}

/**
 * The element of an id, which the page has.
 * @param {string} id
 */
export function elementOf(id) {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The page has no element "${id}".`)
  return element
}
