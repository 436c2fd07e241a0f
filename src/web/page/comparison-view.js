/** @import { Answer } from './server-calls.js' */

import { moneyText } from '../../../backtest/report/page/money-text.js'
import { verdictLevel } from '../../compare/comparison-verdict.ts'
import { withCommas } from '../../domain/numbers/grouped.ts'
import { element } from './elements.js'
import { result, termText, timeText } from './figures.js'
import { pairs, table } from './tables.js'

/**
 * Live beside the backtest of the same span: verdict, the account of the difference, and the orders that differ.
 * @param {Answer} update
 */
export function comparisonNodes({ type, reason, comparison }) {
  if (type === 'compared') return comparedNodes(comparison)
  return [
    element('p', { class: 'hint' }, type === 'failed' ? `It could not be compared: ${reason}` : TEXTS[type]),
  ]
}

/** @type {Readonly<Record<string, string>>} */
const TEXTS = {
  none: 'Nothing is compared here: it needs a bot that runs and has a journal. npm run compare -- JOURNAL does it once.',
  waiting: 'The first comparison follows within a minute or two.',
}

/** @param {Answer} comparison */
function comparedNodes(comparison) {
  const { verdict, sentence, predicted, parts, quote, orders, from, until } = comparison
  const isWorse = predicted !== undefined && predicted.live < predicted.lower
  return [
    element(
      'p',
      { class: verdictLevel(verdict) > 0 || isWorse ? 'loss' : undefined, role: 'status' },
      sentence,
    ),
    pairs([
      ['span', `${timeText(Date.parse(from))} to ${timeText(Date.parse(until))}`],
      ['live', result(Number(comparison.live), quote)],
      ['backtest', result(Number(comparison.backtest), quote)],
      ['difference', result(Number(comparison.difference), quote)],
      ['a round trip, as the backtest predicts', predictionText(predicted, quote)],
    ]),
    table(
      'Parts of the difference',
      ['Cause', quote],
      parts
        .filter((/** @type {Answer} */ part) => part.amount !== '0')
        .map((/** @type {Answer} */ part) => [part.text, result(Number(part.amount), quote)]),
      'There is no difference.',
    ),
    table(
      'Orders that differ',
      ['Decided', 'Order', 'Which', 'Live', 'Backtest', 'Difference', 'Cause', 'Reason'],
      orders
        .filter((/** @type {Answer} */ order) => order.cause !== undefined)
        .map(orderRow(quote, causeNames(parts))),
      'No order differs.',
    ),
  ]
}

/**
 * Names of causes by their keys, without what explains them.
 * @param {readonly Answer[]} parts
 * @returns {Readonly<Record<string, string>>}
 */
function causeNames(parts) {
  return Object.fromEntries(parts.map(({ part, text }) => [part, text.split(':')[0]]))
}

/**
 * @param {string} quote
 * @param {Readonly<Record<string, string>>} names
 */
function orderRow(quote, names) {
  return (/** @type {Answer} */ order) => [
    timeText(Date.parse(order.decidedAt)),
    `${order.symbol} ${order.side} ${termText(order.purpose)}`,
    whichText(order),
    sideText(order.live, order.base),
    sideText(order.backtest, order.base),
    result(Number(order.difference), quote),
    element('span', { class: 'signals' }, names[order.cause] ?? order.cause),
    element('span', { class: 'signals' }, reasonText(order)),
  ]
}

/**
 * What either run says of an order that it refused, canceled or lost.
 * @param {Answer} order
 */
function reasonText({ live, backtest }) {
  const told = [
    ['live', live?.reason],
    ['backtest', backtest?.reason],
  ].filter(([, reason]) => reason !== undefined)
  return told.map(([name, reason]) => `${name}: ${reason}`).join('; ')
}

/** @type {Readonly<Record<string, string>>} */
const WHICH = { matched: 'matched', onlyLive: 'only live', onlyBacktest: 'only backtest' }

/**
 * Which of the runs has an order, and of one that both have which of them filled it where the other did not.
 * @param {Answer} order
 */
function whichText({ match, live, backtest }) {
  const [isLive, isBacktest] = [live?.price !== undefined, backtest?.price !== undefined]
  if (match !== 'matched' || isLive === isBacktest) return WHICH[match]
  return `in both, filled ${isLive ? 'live' : 'in the backtest'} only`
}

/**
 * @param {Answer | undefined} side
 * @param {string} base
 */
function sideText(side, base) {
  if (side === undefined) return '–'
  return side.price === undefined
    ? termText(side.status)
    : withCommas(`${side.filled} ${base} at ${side.price}`)
}

/**
 * @param {Answer | undefined} predicted
 * @param {string} quote
 */
function predictionText(predicted, quote) {
  if (predicted === undefined) return 'too few round trips to say'
  const { lower, upper, live, isInside, trips } = predicted
  const range = `${moneyText(lower, quote)} to ${moneyText(upper, quote)} ${quote} on average (95%, bootstrap of ${trips})`
  return `${range}; live ${moneyText(live, quote)} lies ${isInside ? 'inside' : 'outside'}`
}
