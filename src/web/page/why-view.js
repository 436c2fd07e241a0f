/** @import { Answer } from './server-calls.js' */
import { withCommas } from '../../domain/numbers/grouped.ts'
import { element } from './elements.js'
import { exactMoney, orderStatus, plainTimes, result, termText, timeText, valueText } from './figures.js'
import { pairs, table } from './tables.js'

/**
 * A decision, followed from its event to what it earned.
 * @param {Answer} view
 */
export function whyView({ decision, orders, trips, isCodeChanged }) {
  const { id, time, cause, strategy, symbol, kline, indicators, owned, signals, idle, notes } = decision
  return element(
    'article',
    { class: 'why', 'aria-label': `Decision ${id}` },
    element('h3', {}, `${strategy} on ${symbol}, ${timeText(time)}`),
    step('What happened', element('p', {}, withCommas(plainTimes(cause))), kline && pairs(klinePairs(kline))),
    step(
      'What the strategy saw',
      indicators === undefined
        ? element('p', { class: 'hint' }, noIndicatorsText(kline, isCodeChanged))
        : Object.keys(indicators).length === 0
          ? element('p', { class: 'hint' }, 'It declares no indicators.')
          : pairs(Object.entries(indicators).map(([name, value]) => [name, withCommas(valueText(value))])),
    ),
    owned !== undefined &&
      step(
        'What was owned',
        pairs([
          [`held of ${symbol}`, withCommas(owned.held)],
          ['equity', owned.equity],
          ['free', owned.free],
        ]),
      ),
    step(
      'What it decided',
      signals.length === 0
        ? element('p', {}, 'No signal.')
        : element('ul', {}, ...signals.map((/** @type {string} */ text) => element('li', {}, text))),
    ),
    idle !== undefined && step('Why no order followed', element('p', {}, withCommas(idle))),
    ...decision.orders.map((/** @type {Answer} */ order) => assessedView(order, isCodeChanged)),
    ...orders.map(orderView),
    notes.length > 0 &&
      step(
        'What else followed',
        element('ul', {}, ...notes.map((/** @type {string} */ text) => element('li', {}, plainTimes(text)))),
      ),
    trips.length > 0 && step('What it earned', tripTable(trips)),
  )
}

/** Why a journal that is run again lacks a part of a decision. */
const NOT_RUN_AGAIN =
  'not known, because the bot cannot be run again as it was: its code was changed, or is gone.'

/**
 * @param {unknown} kline
 * @param {boolean | undefined} isCodeChanged of a journal
 */
export function noIndicatorsText(kline, isCodeChanged) {
  if (kline === undefined) return 'This decision followed from no kline of this strategy.'
  return isCodeChanged
    ? `Values of indicators are ${NOT_RUN_AGAIN}`
    : 'Values of before this start are shown by “npm run view”.'
}

/** @param {boolean | undefined} isCodeChanged of a journal */
export function noFiguresText(isCodeChanged) {
  return isCodeChanged
    ? `Figures of passed checks are ${NOT_RUN_AGAIN}`
    : 'The figures of checks of before this start are shown by “npm run view”.'
}

/** @param {Answer} kline */
function klinePairs({ open, high, low, close, volume }) {
  return Object.entries({ open, high, low, close, volume }).map(
    ([name, value]) => /** @type {const} */ ([name, withCommas(valueText(value))]),
  )
}

/**
 * @param {string} title
 * @param {...import('./elements.js').Child} children
 */
function step(title, ...children) {
  return element('section', { class: 'step' }, element('h4', {}, title), ...children)
}

/**
 * @param {Answer} order
 * @param {boolean | undefined} isCodeChanged of a journal
 */
function assessedView(order, isCodeChanged) {
  const { clientOrderId, side, purpose, plan, wanted, quantity, price, equity, free, passed, denial } = order
  return step(
    `Size and risk of the ${termText(purpose)} (${clientOrderId})`,
    pairs([
      ['order', withCommas(`${side} ${plan}`)],
      ['latest price', withCommas(price)],
      ...(equity === undefined
        ? []
        : [/** @type {const} */ (['equity', equity]), /** @type {const} */ (['free', free])]),
      ['wanted', withCommas(wanted)],
      quantity === undefined ? ['ordered', 'nothing: denied'] : ['on the grid', withCommas(quantity)],
    ]),
    table(
      `Risk checks of order ${clientOrderId}`,
      ['Check', 'Limit', 'This order', 'Verdict'],
      [
        ...passed.map((/** @type {Answer} */ check) => [
          check.key ?? termText(check.rule),
          withCommas(check.limit),
          withCommas(check.actual),
          'passed',
        ]),
        ...(denial === undefined
          ? []
          : [
              [
                denial.key ?? termText(denial.rule),
                withCommas(denial.limit),
                withCommas(denial.actual),
                element('strong', { class: 'loss' }, 'denied'),
              ],
            ]),
      ],
      noFiguresText(isCodeChanged),
    ),
    denial && element('p', { class: 'loss' }, withCommas(plainTimes(denial.message))),
  )
}

/**
 * The timeline of an order with the latency of each step.
 * @param {Answer} order
 */
export function orderView({
  clientOrderId,
  exchangeOrderId,
  side,
  purpose,
  plan,
  quantity,
  status,
  watchedBy,
  reason,
  steps,
  fills,
  protects,
}) {
  return step(
    `Order ${clientOrderId}: ${withCommas(`${side} ${quantity} ${plan}`)}, ${termText(purpose)}, ${orderStatus({ status, watchedBy })}`,
    exchangeOrderId && element('p', { class: 'hint' }, `The exchange calls it ${exchangeOrderId}.`),
    protects && element('p', { class: 'hint' }, `It protects the position of ${protects}.`),
    reason && element('p', {}, plainTimes(reason)),
    table(
      `Timeline of order ${clientOrderId}`,
      ['Time', 'Step', 'After the request', 'Reason'],
      steps.map((/** @type {Answer} */ one) => [
        timeText(one.time),
        withCommas(one.what),
        one.latencyMs === undefined ? '' : `${one.latencyMs} ms`,
        one.reason ?? '',
      ]),
      'Its steps are older than this window.',
    ),
    fills.length > 0 &&
      table(
        `Fills of order ${clientOrderId}`,
        ['Time', 'Price', 'Quantity', 'Fee', 'Liquidity'],
        fills.map((/** @type {Answer} */ fill) => [
          timeText(fill.time),
          withCommas(fill.price),
          withCommas(fill.quantity),
          withCommas(fill.fee),
          fill.liquidity,
        ]),
        '',
      ),
  )
}

/** @param {readonly Answer[]} trips */
export function tripTable(trips) {
  return table(
    'Round trips',
    ['Book', 'Side', 'Quantity', 'In', 'Out', 'Result', 'Fees', 'Why out'],
    trips.map(trip => [
      trip.book,
      trip.direction,
      withCommas(trip.quantity),
      `${timeText(trip.entryTime)} at ${withCommas(trip.entryPrice)}`,
      `${timeText(trip.exitTime)} at ${withCommas(trip.exitPrice)}`,
      result(Number(trip.pnl), trip.quote),
      exactMoney(trip.fees, trip.quote),
      termText(trip.exitReason),
    ]),
    'No round trip is over yet.',
  )
}
