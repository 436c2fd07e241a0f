/**
 * A table of texts; the first cell of a row names it.
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function tableOf(head, rows) {
  const table = document.createElement('table')
  const heads = table.createTHead().insertRow()
  for (const text of head) heads.append(headCell(text, 'col'))
  const body = table.createTBody()
  for (const [name = '', ...cells] of rows) {
    const row = body.insertRow()
    row.append(headCell(name, 'row'))
    for (const text of cells) row.insertCell().textContent = text
  }
  return table
}

/**
 * @param {string} text
 * @param {'col' | 'row'} scope
 */
function headCell(text, scope) {
  const cell = document.createElement('th')
  cell.scope = scope
  cell.textContent = text
  return cell
}

/**
 * Replaces a legend by texts, each with the patch of its colour.
 * @param {HTMLElement} legend
 * @param {readonly (readonly [colour: string, text: string])[]} keys
 */
export function writeLegend(legend, keys) {
  legend.replaceChildren(
    ...keys.map(([colour, text]) => {
      const span = document.createElement('span')
      if (colour !== '') span.className = `key ${colour}`
      span.textContent = text
      return span
    }),
  )
}
