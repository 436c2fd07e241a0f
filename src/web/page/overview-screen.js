/** @import { Answer } from './server-calls.js' */

import { moneyText } from '../../../backtest/report/page/money-text.js'
import { withCommas } from '../../domain/numbers/grouped.ts'
import { card, element } from './elements.js'
import { countText, exactMoney, holdingText, plainTimes, result, timeText } from './figures.js'
import { read } from './server-calls.js'
import { linkButton, nameText, stackedTable, table } from './tables.js'

/**
 * Is the bot well?
 * @param {{ readonly canOperate: boolean, readonly bots: readonly { readonly label: string }[], readonly askToStop: (first: string) => void, readonly onChoice: (place: number) => void }} page
 */
export async function overviewScreen({ canOperate, bots, askToStop, onChoice }) {
  const view = await read('/api/views/overview')
  const { status } = view
  const others =
    bots.length < 2
      ? []
      : // One that cannot be read takes none of the others down.
        await Promise.all(bots.map((_, place) => read('/api/views/overview', place).catch(() => undefined)))
  return [
    others.length > 0 && card('Bots', botTable(others, bots, onChoice)),
    view.warnings.length > 0 && card('Look at this first', warningList(view.warnings)),
    element('dl', { class: 'tiles' }, ...tiles(view)),
    canOperate &&
      element(
        'p',
        {},
        element(
          'button',
          { type: 'button', class: 'stop', onclick: () => askToStop(isHalted(status) ? 'kill' : 'halt') },
          isHalted(status) ? 'Halted: close or resume …' : 'Stop trading …',
        ),
      ),
    view.health.length > 0 && card('Health', healthStrip(view.health)),
    card('Equity', curve(view.curve)),
    card('Positions', positionTable(status.held)),
    card('Strategies', strategyTable(view)),
    card('Latest', lineList(view.lines)),
  ]
}

/**
 * True if an operator has halted the whole bot, so that halting it again would change nothing.
 * @param {Answer} status
 */
function isHalted({ trading }) {
  const account = trading.find((/** @type {Answer} */ { scope }) => scope === 'account')
  return (account?.holds ?? []).some(
    (/** @type {Answer} */ { source, mode }) => source === 'operator' && mode === 'halted',
  )
}

/**
 * Every bot of the window in a row.
 * @param {readonly (Answer | undefined)[]} views
 * @param {readonly { readonly label: string }[]} bots
 * @param {(place: number) => void} onChoice
 */
function botTable(views, bots, onChoice) {
  return table(
    'Bots',
    ['Bot', 'Trading', 'Equity', 'Today', 'Positions', 'Last decision'],
    views.map((view, place) => {
      if (view === undefined)
        return [bots[place]?.label, element('span', { class: 'loss' }, 'cannot be read')]
      const { status, stoppedAt, lastDecision } = view
      return [
        linkButton(bots[place]?.label, () => onChoice(place)),
        tradingMode(status, stoppedAt),
        moneyOf(status.equity)
          .map(([quote, now]) => `${exactMoney(now, quote)} ${quote}`)
          .join(', '),
        element(
          'span',
          {},
          ...moneyOf(status.day.change).flatMap(([quote, change]) => [result(Number(change), quote), ' ']),
        ),
        status.held.length,
        lastDecision ? timeText(lastDecision.time) : '–',
      ]
    }),
    'There are no bots.',
  )
}

/**
 * Exact amounts as text, by asset.
 * @param {Readonly<Record<string, string>>} amounts
 */
function moneyOf(amounts) {
  return Object.entries(amounts)
}

/** @param {Answer} view */
function tiles({ status, stoppedAt, time, lastDecision }) {
  return [
    ...moneyOf(status.equity).map(([quote, now]) => tile(`Equity, ${quote}`, exactMoney(now, quote))),
    ...moneyOf(status.day.change).map(([quote, change]) =>
      tile(`Today, ${quote}`, result(Number(change), quote, ''), `since ${plainTimes(status.day.since)}`),
    ),
    tile(
      'Trading',
      tradingMode(status, stoppedAt),
      stoppedAt === undefined ? plainTimes(heldBackBy(status)) : `last entry ${timeText(stoppedAt)}`,
    ),
    tile('Positions', String(status.held.length)),
    tile('Working orders', String(status.orders.length), watchedText(status.orders)),
    tile(
      'Time of the exchange',
      element('span', { class: 'moment' }, timeText(time)),
      lastDecision ? `last decision ${timeText(lastDecision.time)}` : '',
    ),
  ]
}

/**
 * How many orders wait in the bot; empty without one.
 * @param {readonly Answer[]} orders
 */
function watchedText(orders) {
  const count = orders.filter(({ watchedBy }) => watchedBy === 'bot').length
  return count === 0 ? '' : `${count} watched by the bot, not at the exchange yet`
}

/**
 * The mode of the account, and of each instrument that is held back further; an exchange that is away takes no order.
 * @param {Answer} status
 * @param {number | undefined} stoppedAt of a journal that no bot writes
 */
function tradingMode({ trading, line }, stoppedAt) {
  if (stoppedAt !== undefined) return element('span', { class: 'loss' }, 'not running')
  const account = modeOf(trading, 'account')
  const held = instrumentsOf(trading).filter(one => one.effectiveMode !== account)
  const isAway = line.silence !== undefined || line.failingSince !== undefined
  const text = [
    account,
    ...held.map(one => `${one.scope} ${one.effectiveMode}`),
    ...(isAway ? ['but the exchange is away'] : []),
  ].join(', ')
  return element('span', { class: text === 'active' ? 'gain' : 'loss' }, text)
}

/**
 * Why, in sentences; of the strategies' own holds the table of strategies tells.
 * @param {Answer} status
 */
function heldBackBy({ trading }) {
  const account = trading.filter((/** @type {Answer} */ { scope }) => scope === 'account')
  return [...account, ...instrumentsOf(trading)].flatMap(reasonsOf).join(' ')
}

/** @param {Answer} one */
function reasonsOf({ holds, haltedUntilStart }) {
  const reasons = holds.map((/** @type {Answer} */ hold) => hold.reason)
  return haltedUntilStart === undefined ? reasons : [...reasons, haltedUntilStart]
}

/**
 * @param {readonly Answer[]} trading
 * @returns {readonly Answer[]}
 */
function instrumentsOf(trading) {
  return trading.filter(({ scope }) => scope !== 'account' && !scope.includes(' on '))
}

/**
 * @param {readonly Answer[]} trading
 * @param {string} scope
 */
function modeOf(trading, scope) {
  return trading.find(one => one.scope === scope)?.effectiveMode ?? 'active'
}

/**
 * @param {string} name
 * @param {import('./elements.js').Child} value
 * @param {string} [note]
 */
function tile(name, value, note = '') {
  return element(
    'div',
    { class: 'tile' },
    element('dt', {}, name),
    element('dd', {}, value),
    note !== '' && element('dd', { class: 'note' }, note),
  )
}

/**
 * Sentences that begin with their gist in capitals.
 * @param {readonly string[]} warnings
 */
function warningList(warnings) {
  return element(
    'ul',
    { class: 'warnings' },
    ...warnings.map(plainTimes).map(warning => {
      const colon = warning.indexOf(':')
      return element(
        'li',
        {},
        element('strong', { class: 'loss' }, warning.slice(0, Math.max(0, colon))),
        warning.slice(Math.max(0, colon)),
      )
    }),
  )
}

/** @param {readonly Answer[]} signs */
function healthStrip(signs) {
  return element(
    'ul',
    { class: 'strip' },
    ...signs.map(({ name, value, time, level }) =>
      element(
        'li',
        { class: level },
        element('span', {}, name),
        element('strong', {}, time === undefined ? value : timeText(time)),
        level !== 'good' && ' (look at this)',
      ),
    ),
  )
}

/** @param {readonly Answer[]} points */
function curve(points) {
  const quote = Object.keys(points[0]?.equity ?? {})[0]
  if (quote === undefined || points.length < 2)
    return element('p', { class: 'hint' }, 'The curve begins with the second kline.')
  const values = points.map(({ equity }) => Number(equity[quote]))
  const [first, last] = [points[0]?.time, points.at(-1)?.time]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const path = values
    .map(
      (value, index) =>
        `${((points[index]?.time - first) / (last - first || 1)) * 600},${115 - ((value - low) / (high - low || 1)) * 110}`,
    )
    .join(' ')
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 600 120')
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('role', 'img')
  svg.setAttribute('class', 'curve')
  svg.setAttribute(
    'aria-label',
    `Equity from ${moneyText(values[0] ?? 0, quote)} to ${moneyText(values.at(-1) ?? 0, quote)} ${quote}, between ${moneyText(low, quote)} and ${moneyText(high, quote)}`,
  )
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline')
  line.setAttribute('points', path)
  svg.append(line)
  return element(
    'div',
    {},
    svg,
    element(
      'p',
      { class: 'ends' },
      element('span', {}, timeText(first)),
      element('span', {}, timeText(last)),
    ),
    element(
      'p',
      { class: 'hint' },
      `Between ${moneyText(low, quote)} and ${moneyText(high, quote)} ${quote}.`,
    ),
  )
}

/**
 * The stop that comes first, or else one that is not active yet.
 * @param {Answer} position
 * @returns {Answer | undefined}
 */
function nearestStop({ levels, direction }) {
  const stops = levels.filter((/** @type {Answer} */ level) => level.kind !== 'takeProfit')
  const sign = direction === 'long' ? -1 : 1
  const active = stops.filter((/** @type {Answer} */ level) => level.price !== undefined)
  active.sort((/** @type {Answer} */ left, /** @type {Answer} */ right) => sign * (left.price - right.price))
  return active[0] ?? stops[0]
}

/**
 * The price of a stop, with its quantity where it closes a part, and what no stop closes.
 * @param {Answer | undefined} stop
 * @param {Answer} position
 */
function stopText(stop, { quantity, unit, notCovered }) {
  if (stop === undefined) return element('span', { class: 'loss' }, 'none')
  const part = stop.quantity === quantity ? '' : withCommas(` for ${stop.quantity} of ${quantity} ${unit}`)
  return element(
    'span',
    {},
    stop.price === undefined
      ? element('span', { class: 'loss' }, withCommas(`none before ${stop.activationPrice}`))
      : withCommas(stop.price),
    part,
    notCovered === undefined
      ? ''
      : element('span', { class: 'loss' }, withCommas(`; not covered: ${notCovered} ${unit}`)),
  )
}

/** @param {readonly Answer[]} held */
function positionTable(held) {
  const hasLiquidation = held.some(({ liquidationPrice }) => liquidationPrice !== undefined)
  return stackedTable(
    'Positions',
    [
      ...['Book', 'Side', 'Quantity', 'Entry', 'Price', 'Result', 'Stop', 'To the stop'],
      ...(hasLiquidation ? ['Liquidation price'] : []),
    ],
    held.map(one => {
      const stop = nearestStop(one)
      const far =
        stop?.price === undefined || one.markPrice === undefined
          ? undefined
          : Number(stop.price) / Number(one.markPrice) - 1
      return [
        one.book,
        one.direction,
        holdingText(one),
        one.openEntryPrice === undefined
          ? entryText(one.entryPrice, one)
          : `${entryText(one.entryPrice, one)} (of entries still open ${entryText(one.openEntryPrice, one)})`,
        withCommas(one.markPrice ?? ''),
        one.unrealised === undefined ? '' : result(Number(one.unrealised), one.quote),
        stopText(stop, one),
        far === undefined ? '' : `${(far * 100).toFixed(2)}%`,
        ...(hasLiquidation ? [withCommas(one.liquidationPrice ?? 'none')] : []),
      ]
    }),
    'Nothing is held.',
  )
}

/**
 * An average price in ticks.
 * @param {string} price
 * @param {Answer} position
 */
function entryText(price, { pricePrecision }) {
  return withCommas(Number(price).toFixed(pricePrecision))
}

/** @param {Answer} view */
function strategyTable({ status, stoppedAt }) {
  return table(
    'Strategies',
    ['Strategy', 'On', 'Klines', 'Parameters', 'Round trips today', 'Earned by them', 'State'],
    status.strategies.map((/** @type {Answer} */ one) => {
      const today = status.roundTrips.today.find((/** @type {Answer} */ { book }) => book === one.book)
      return [
        nameText(one.strategy),
        one.symbol,
        one.interval,
        Object.entries(one.parameters)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
        countText(today?.count ?? 0),
        result(Number(today?.pnl ?? 0), today?.quote ?? ''),
        strategyState(status.trading, one, stoppedAt),
      ]
    }),
    'There are no strategies.',
  )
}

/**
 * @param {readonly Answer[]} trading
 * @param {Answer} strategy
 * @param {number | undefined} stoppedAt of a journal that no bot writes
 */
function strategyState(trading, { strategy, symbol, book, stopped }, stoppedAt) {
  if (stopped) return element('span', { class: 'loss' }, plainTimes(stopped.why))
  if (stoppedAt !== undefined) return element('span', { class: 'loss' }, 'not running')
  const mode = modeOf(trading, book === symbol ? `${strategy} on ${symbol}` : book)
  return mode === 'active' ? 'runs' : element('span', { class: 'loss' }, mode)
}

/** @param {readonly Answer[]} lines */
function lineList(lines) {
  if (lines.length === 0) return element('p', { class: 'hint' }, 'Nothing has happened yet.')
  return element(
    'ol',
    { class: 'lines', tabindex: 0, 'aria-label': 'Latest lines of the log' },
    ...lines.map(({ time, level, text }) =>
      element(
        'li',
        { class: level },
        element('time', {}, timeText(time)),
        ` ${level === 'info' ? '' : `${level.toUpperCase()} `}${plainTimes(text)}`,
      ),
    ),
  )
}
