/** @import { Answer } from './server-calls.js' */
import { withCommas } from '../../domain/numbers/grouped.ts'
import { card, element } from './elements.js'
import { holdingText, orderStatus, termText, timeText } from './figures.js'
import { pathOf, read } from './server-calls.js'
import { latestText, linkButton, nameText, stackedTable, table } from './tables.js'
import { orderView, tripTable } from './why-view.js'

const WATCHED_HINT =
  'Stops and targets wait in the bot, which sends them when their price comes: while it is down, nobody watches them.'

/** What is held, what waits, what was. */
export async function ordersScreen() {
  const timeline = element(
    'div',
    { id: 'timeline', 'aria-live': 'polite' },
    element('p', { class: 'hint' }, 'Choose an order to see its timeline.'),
  )
  const [held, working, over, trips] = [element('div'), element('div'), element('div'), element('div')]
  /** @param {string} id */
  const show = async id => {
    const order = await read(`/api/views/order?id=${encodeURIComponent(id)}`).catch(() => undefined)
    timeline.replaceChildren(
      order ? orderView(order) : element('p', {}, `Order ${id} is older than this window.`),
    )
    timeline.scrollIntoView({ block: 'nearest' })
  }
  const update = async () => {
    const view = await read('/api/views/orders')
    held.replaceChildren(
      coverageTable(view.positions),
      ...(view.positions.length > 0 ? [element('p', { class: 'hint' }, WATCHED_HINT)] : []),
    )
    working.replaceChildren(workingTable(view.working, show))
    over.replaceChildren(...latestHint(view.over, view.overCount), overTable(view.over, show))
    trips.replaceChildren(...latestHint(view.trips, view.tripCount), tripTable(view.trips))
  }
  return {
    nodes: [
      card('Positions and their protection', held),
      card('Working orders', working),
      card('Timeline', timeline),
      card('Round trips', downloads('trips'), trips),
      card('Orders that are over', downloads('orders'), downloads('fills'), over),
    ],
    update,
    remove: () => {},
  }
}

/**
 * @param {readonly Answer[]} rows
 * @param {{ readonly all: number, readonly kept: number }} count
 */
function latestHint(rows, count) {
  const text = latestText(rows.length, count)
  return text === undefined ? [] : [element('p', { class: 'hint' }, text)]
}

/** @param {string} name */
function downloads(name) {
  const link = (/** @type {string} */ ending) =>
    element(
      'a',
      { href: pathOf(`/api/files/${name}.${ending}`), download: true },
      `${name} as ${ending === 'csv' ? 'CSV' : 'Parquet'}`,
    )
  return element('p', { class: 'downloads' }, link('csv'), ' ', link('parquet'))
}

/** @param {readonly Answer[]} positions */
function coverageTable(positions) {
  return stackedTable(
    'Positions and their protection',
    ['Book', 'Side', 'Quantity', 'Protective orders', 'Stops cover all of it'],
    positions.map(one => [
      one.book,
      one.direction,
      holdingText(one),
      one.levels
        .map((/** @type {Answer} */ level) =>
          withCommas(
            `${termText(level.kind)} for ${level.quantity} at ${level.price ?? `${level.activationPrice} (not active before)`}`,
          ),
        )
        .join('; ') || 'none',
      element('span', { class: one.notCovered === undefined ? 'gain' : 'loss' }, coverageText(one)),
    ]),
    'Nothing is held.',
  )
}

/** @param {Answer} position */
function coverageText({ levels, notCovered, unit }) {
  if (notCovered === undefined) return 'yes'
  const hasStop = levels.some((/** @type {Answer} */ { kind }) => kind !== 'takeProfit')
  return hasStop ? withCommas(`no, not ${notCovered} ${unit}`) : 'no, there is no stop'
}

/**
 * @param {readonly Answer[]} orders
 * @param {(id: string) => void} onChoice
 */
function workingTable(orders, onChoice) {
  return table(
    'Working orders',
    ['Order', 'Symbol', 'Strategy', 'Side', 'For', 'Type', 'Prices', 'Quantity', 'Filled', 'Status'],
    orders.map(one => [
      linkButton(one.clientOrderId, () => onChoice(one.clientOrderId)),
      ...[
        one.symbol,
        nameText(one.strategy),
        one.side,
        termText(one.purpose),
        termText(one.type),
        one.pricesText,
      ],
      withCommas(`${one.quantity} ${one.unit}`),
      withCommas(one.filled),
      element('span', { class: one.status === 'unknown' ? 'loss' : undefined }, orderStatus(one)),
    ]),
    'No order works.',
  )
}

/**
 * @param {readonly Answer[]} orders
 * @param {(id: string) => void} onChoice
 */
function overTable(orders, onChoice) {
  const hasReasons = orders.some(({ reason }) => reason !== undefined)
  return table(
    'Orders that are over',
    [
      'Order',
      'Decided',
      'Symbol',
      'Strategy',
      'Side',
      'For',
      'Plan',
      'Quantity',
      'Filled',
      'Status',
      ...(hasReasons ? ['Reason'] : []),
    ],
    orders.map(one => [
      linkButton(one.clientOrderId, () => onChoice(one.clientOrderId)),
      timeText(one.decidedAt),
      ...[
        one.symbol,
        nameText(one.strategy),
        one.side,
        termText(one.purpose),
        withCommas(one.plan),
        withCommas(one.quantity),
        withCommas(one.filled),
        nameText(orderStatus(one)),
        ...(hasReasons ? [one.reason ?? ''] : []),
      ],
    ]),
    'No order is over yet.',
  )
}
