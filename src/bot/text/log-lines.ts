import { grouped } from '../../domain/numbers/grouped.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import { PROTECTIVE_PURPOSES } from '../../engine/brackets/protection-change.ts'
import { durationText, momentText, moneyText, numberText, percentText, signedMoneyText } from './figures.ts'
import { orderStatusText } from './order-status-text.ts'
import type { PositionStatus } from './position-status.ts'
import { positionText, resultText } from './position-text.ts'
import { unprotectedText } from './protection-text.ts'
import { protectionWord } from './rule-texts.ts'
import { type SignalMarket, signalText, sizeText } from './signal-text.ts'

/** The fields of a log line, as JSON has them. */
export type LogFields = Readonly<Record<string, unknown>>

/** A log line in words for people; an unknown message is printed with its fields. */
export function logLineText(message: string, fields: LogFields): string {
  const order = /^order (?!denied|not placed)(\w+)$/.exec(message)?.[1]
  if (order !== undefined) return orderLine(order, fields)
  const state = /^trading (active|reducing|halted)$/.exec(message)?.[1]
  if (state !== undefined && 'scope' in fields) return tradingLine(state, fields)
  return LINES[message]?.(fields) ?? plainLine(message, fields)
}

/** The sentence in `fields[key]` or its plain text. */
const text = (value: unknown): string => (value === undefined ? '' : String(value))

/** Lines by the constant message of the log. */
const LINES: Readonly<Record<string, (fields: LogFields) => string>> = {
  starting: ({ bot, venue }) => `Bot ${text(bot)} starts on the ${text(venue)}.`,
  strategy: fields => `Strategy ${strategyText(fields)}`,
  'the size of a strategy is below the smallest order': ({ strategy, symbol, size, smallest }) =>
    `Strategy ${text(strategy)} on ${text(symbol)}: its size of ${text(size)} is below the smallest order of this market, ${text(smallest)}, so that every order of this size is denied; enlarge "size".`,
  'live beside the backtest': ({ comparison }) => text(comparison),
  'the window is open': ({ webUrl }) =>
    `Window: ${text(webUrl)} (logs in once, within a minute; "npm run -s bot -- window" prints a new address).`,
  'warmed up': ({ symbol, interval, klines, needed }) => {
    const read = `${text(symbol)} ${text(interval)}: read ${figure(klines)} ${klines === 1 ? 'kline' : 'klines'}`
    return needed === undefined
      ? `${read} that closed since the last run, for indicators and history; nothing is decided on ${klines === 1 ? 'it' : 'them'}.`
      : `${read} before the first decision; the strategies need ${figure(needed)}.`
  },
  account: ({ equity, balances }) =>
    `Account: equity ${moneyList(equity)}; balances ${assetList(balances, equity)}.`,
  // A log line of this message holds a `PositionStatus`.
  position: fields => `${text(fields.book)} position: ${positionText(fields as unknown as PositionStatus)}`,
  trading: () => 'Trading begins.',
  kline: klineLine,
  signal: ({ symbol, strategy, signal, on }) =>
    `${text(symbol)} signal of ${text(strategy)}: ${signalText(signal, on as SignalMarket | undefined)}`, // as it was logged
  'order denied': ({ symbol, purpose, rule, why }) =>
    `${text(symbol)} ${deniedText(purpose)} denied ${ruleText(rule)}: ${text(why)}`,
  'target missed: a step is too coarse': ({ symbol, book, strategy, notional, step, stepNotional }) =>
    `${text(book ?? symbol)} stays ${money(notional)} from the target of ${text(strategy)}, more than 5% of equity: a step of ${text(step)} is worth ${money(stepNotional)} there, so that no order comes nearer.`,
  'order not placed: the bot is shutting down': ({ symbol, clientOrderId }) =>
    `${text(symbol)} order not placed, because the bot is shutting down (id ${text(clientOrderId)}).`,
  fill: fillLine,
  'exit sent again': ({ symbol, book, side, purpose, size, total, clientOrderId }) =>
    `${text(book ?? symbol)} ${orderWord(text(purpose))} is sent again: ${upper(side)} ${text(size)}, the rest of ${text(total)} (id ${text(clientOrderId)}).`,
  'waiting exit replaced': ({ symbol, book, strategy, size, by }) =>
    `${text(book ?? symbol)} exit of ${text(size)} is not sent again: ${text(strategy)} has returned ${REPLACING[text(by)] ?? text(by)}.`,
  'round trip closed': roundTripLine,
  'round trips closed': roundTripsLine,
  funding: ({ symbol, book, paid, rate, derived }) =>
    `${text(book ?? symbol)} funding at ${rateText(rate)}: ${fundingText(paid)}${derived === true ? ' (derived from the wallet)' : ''}`,
  'position liquidated': ({ symbol, book, direction, size, price }) =>
    `${text(book ?? symbol)} LIQUIDATED by the exchange: ${upper(direction)} ${text(size)} at ${figure(price)}`,
  'position closed by a foreign order': ({ symbol, book, direction, size, price }) =>
    `${text(book ?? symbol)} (${upper(direction)} ${text(size)}) was ${direction === 'long' ? 'sold' : 'bought back'} outside the bot at ${figure(price)}, by an order that is not of this bot; positions and money count that`,
  'position closed outside the bot': ({ symbol, book, direction, size, price, priceAssumed }) =>
    `${text(book ?? symbol)} closed outside the bot, by hand or by the exchange: ${upper(direction)} ${text(size)}${priceAssumed === true ? `; it counts as closed at ${figure(price)}, because nothing tells what it brought` : ` at ${figure(price)}, which is what it brought`}`,
  'strategy stopped: it threw': ({ symbol, book, left, err }) =>
    `${text(book ?? symbol)} strategy threw and decides nothing more until the bot is started again. ${text(left)} ${errorText(err)}`,
  'a strategy goes on with other parameters': ({ file, symbol, interval, changes }) =>
    `${text(file)} on ${text(symbol)} ${text(interval)} goes on with another configuration: ${changesText(changes)}. Orders that are open stay as they are, protective orders among them, until the strategy decides on them.`,
  'a strategy that had stopped decides again': ({ book, halted }) =>
    halted === undefined
      ? `The strategy of ${text(book)} had stopped (it threw, or had ended) before this start; it decides again.`
      : `The strategy of ${text(book)} decided nothing more before this start, because its instrument was halted; it decides again. The reason was: ${text(halted)}`,
  'strategy has ended': ({ symbol, book, why }) => `${text(book ?? symbol)} strategy has ended: ${text(why)}`,
  'position is not protected': ({ book, purpose, since, cause, why }) =>
    unprotectedText({
      ...{ book: text(book), purpose: text(purpose), why: text(why) },
      ...{ cause: cause === 'price' ? cause : 'order', since: text(since) },
    }),
  'trades of an order are not listed': ({ reason }) => text(reason),
  'the account has nothing left': ({ reason }) => text(reason),
  'the account has money again': () => 'The account has money again.',
  'the lack of protection is over': ({ book, purpose, clientOrderId, outcome, cause }) => {
    const lacked = cause === 'price' ? 'had no price' : 'was not known to rest'
    const end = PROTECTION_OUTCOMES[text(outcome)]?.(orderWord(text(purpose)), lacked) ?? text(outcome)
    return `${text(book)}: ${end} (id ${text(clientOrderId)}).`
  },
  'position is protected again': ({ book, purpose, clientOrderId, cause }) =>
    cause === 'price'
      ? `${text(book)} is protected again: prices come, and the bot watches its ${orderWord(text(purpose))} (id ${text(clientOrderId)}).`
      : `${text(book)} is protected again: its ${orderWord(text(purpose))} is known to rest (id ${text(clientOrderId)}).`,
  'instrument halted: nothing more is decided on it': ({ symbol, reason }) =>
    `${text(symbol)} halted, nothing more is decided on it: ${text(reason)}`,
  'the reason of a halt has changed': ({ symbol, reason }) => `${text(symbol)} stays halted: ${text(reason)}`,
  'trading halted': ({ err }) => `The bot cannot trade on and stops. ${errorText(err)}`,
  'left with unconfirmed orders': ({ orders }) =>
    `The bot ended although the exchange has not confirmed the end of ${count(orders, 'order')}; look at its open orders.`,
  'positions were not closed before the end': ({ held, why }) =>
    `The bot ended before what it holds was closed (${text(held)}): ${text(why)}`,
  'a closing goes on': ({ held }) =>
    `The closing that the last session began and did not end goes on: ${text(held)}.`,
  'little time to leave': ({ stopWithinMs, doubtMs }) =>
    `execution.onStop: flatten has ${durationText(Number(stopWithinMs))} (execution.stopWithinMs). A closing order without an answer is followed by another one only after ${durationText(Number(doubtMs))} (venue.recvWindowMs and execution.settlementMarginMs), so that one lost answer would leave the position open; give it more time.`,
  'shutting down': ({ reason }) => `The bot shuts down: ${text(reason)}.`,
  'operator command': operatorLine,
  'restored from the journal': ({ orders, entries, snapshot }) =>
    `Restored from the journal: ${count(orders, 'working order')}, ${figure(entries)} ${entries === 1 ? 'entry' : 'entries'} after the snapshot at entry ${figure(snapshot)}.`,
  'a call to the exchange failed': ({ what, reason }) =>
    `A call to the exchange failed (${taskText(what)}): ${text(reason)}`,
  'a call to the exchange failed again': ({ what, times, since, latest, reason }) =>
    `A call to the exchange has failed ${figure(times)} times since ${moment(since)} (${taskText(what)}), the last time at ${moment(latest)}: ${text(reason)}`,
  'a call to the exchange failed no more': ({ what, times, since, quietMs }) =>
    `No call to the exchange (${taskText(what)}) has failed for ${durationText(Number(quietMs))}, after ${figure(times)} failures since ${moment(since)}.`,
  'calls to the exchange are stopped': ({ why, until }) =>
    `All calls to the exchange are stopped until ${moment(until)}: ${text(why)}. Until then no price is read, no order leaves, and nothing is compared.`,
  'calls to the exchange go on': ({ stoppedMs }) =>
    `Calls to the exchange go on after ${durationText(Number(stoppedMs))}.`,
  'the start waits for the exchange': ({ reason, until }) =>
    `${text(reason)} The start tries it again until ${text(until)}, then it ends.`,
  'market data refused': ({ reason }) => text(reason),
  'a price awaits a second look': ({ reason }) => text(reason),
  'the market of the paper account': ({ state }) => text(state),
  'the bot ends': ({ state }) => `The bot ends. ${text(state)}`,
  'the start failed': ({ state }) => `The start failed. By the end of the journal: ${text(state)}`,
  'market data are stale': ({ stream, ageMs }) =>
    `Market data are stale: nothing new of ${text(stream)} for ${durationText(Number(ageMs))}.`,
  'market data are fresh again': ({ stream, ageMs }) =>
    `Market data of ${text(stream)} are fresh again after ${durationText(Number(ageMs))}.`,
  'klines are missing': ({ symbol, interval, from, until, reason }) =>
    `${text(symbol)} ${text(interval)} klines are missing from ${moment(from)} to ${moment(until)}: ${text(reason)}`,
  'contract is set up': ({ contract, leverage, marginMode, positionMode }) =>
    `Contract ${text(contract)}: leverage ${text(leverage)}, ${text(marginMode)} margin, ${positionMode === 'twoWay' ? 'two-way' : 'one-way'} positions.`,
  'foreign order left open': foreignOrder('An order that is not of this bot is open; it is left alone'),
  'foreign order canceled': foreignOrder('Canceled an order that is not of this bot'),
  'another process trades under the name of this bot': foreignOrder(
    'Another process trades under the name of this bot; its order is left alone',
  ),
  'leftover order canceled': foreignOrder(
    'Canceled an order under the name of this bot that this run has not placed: an earlier run left it open, or another process trades under this name',
  ),
  'late order canceled': foreignOrder(
    'Canceled an order of this bot that turned up after it counted as over',
  ),
  'foreign trade on the account': ({ symbol, side, size, price, id }) =>
    `${text(symbol)} was traded on this account by an order that is not of this bot: ${upper(side)} ${text(size)} at ${figure(price)} (trade ${text(id)}).`,
  'books and account do not agree yet': () =>
    'Books and account do not agree yet. It is looked at again within seconds; until then positions and money are those of the books, and no order of a position that differs is sent.',
  'balance adopted from the exchange': ({ asset, exchange, ledger, cause }) =>
    `${text(asset)} balance: the exchange has ${figure(exchange)}, the ledger had ${figure(ledger)}; adopted the exchange's value (cause: ${text(cause)}).`,
  'the account holds less than our positions, and no sale is listed yet': shortageText,
  'open orders lock coins that are to be sold': lockedText,
  'the exchange holds less of a position than the ledger': ({ symbol, direction, size, cause, derived }) =>
    `${text(symbol)}: ${upper(direction)} ${text(size)} closed without an order of this bot: ${CLOSE_CAUSES[text(cause)] ?? text(cause)}.${derived === true ? ' Its price is derived from the money that it brought, with the fee inside.' : ''}`,
  'two entries of a group filled: both are kept': ({ symbol, clientOrderId, first }) =>
    `${text(symbol)}: two entries of one OCO group filled before the exchange canceled one; both are kept (ids ${text(first)} and ${text(clientOrderId)}).`,
  'the exchange revised a kline': ({ symbol, interval, openTime, before, after }) =>
    `${text(symbol)} ${text(interval)}: the exchange revised the kline of ${moment(openTime)}, close ${closeText(before)} to ${closeText(after)}; strategies keep the first.`,
  'trades were missed': ({ symbol, after, before }) =>
    `${text(symbol)}: public trades after trade ${text(after)} and before ${text(before)} were missed.`,
  'the exchange changed a listing': ({ symbol, market, change }) =>
    `${text(symbol)}: the exchange changed the listing on its ${text(market)} market: ${listingText(change)}`,
  'setting refused while a position is held': ({ contract, what, reason }) =>
    `Contract ${text(contract)}: the exchange refused to set ${text(what)} while a position is held: ${text(reason)}`,
  'margin balances are unverified': ({ declared, why }) =>
    `Margin balances are unverified, declared are ${text(declared)}. ${text(why)}`,
  'declared margin balances of other assets': ({ declared, why }) =>
    `${text(declared)} is declared on the margin account. ${text(why)}`,
  'the declared margin balances were changed, and do not count': ({ why }) =>
    `The changed declaration of margin balances does not count. ${text(why)}`,
  'the liquidation price of a contract is not known': ({ why }) => text(why),
  'the journal cannot keep the state of the bot': ({ why }) =>
    `The journal keeps no snapshots of this bot, so that a restart runs all of it again: ${text(why)}`,
  'the journal is upgraded': ({ file, from, copy }) =>
    `Upgraded the journal ${text(file)} from version ${text(from)}; as it was it is kept in ${text(copy)}`,
  'other users of this machine can read the journal': ({ file, advice }) =>
    `Other users of this machine can read or write the journal ${text(file)}; run: ${text(advice)}`,
  'the exchange gives fewer klines than the strategy needs: it decides once it has seen them': ({
    symbol,
    interval,
    klines,
    needed,
  }) =>
    `${text(symbol)} ${text(interval)}: the exchange gives ${figure(klines)} klines, but the strategy needs ${figure(needed)} to warm up; it decides once it has seen them.`,
  'protective stops wait in this process and not at the exchange': ({ ends }) =>
    `Protective stops wait in this process and not at the exchange: while the bot is down, ${text(ends)} ends a losing position.`,
  'another strategy goes on with what is held': ({ book, former, strategy }) =>
    `${text(strategy)} goes on with what ${text(former)}, which is not configured any more, held of ${text(book)}: the position and its protective orders are its own now.`,
  'held, but no strategy owns it': ({ asset, held, symbols }) =>
    `The spot account holds ${figure(held)} ${text(asset)}, but no journal says that a strategy bought it. No strategy of ${text(symbols)} owns it: none sells or protects it, and an entry buys more. If this bot bought it, stop the bot and bring its journal back, or sell it by hand.`,
  'without a journal a restart forgets what was paused or halted': () =>
    'Without a journal a restart forgets positions, pauses and halts.',
  'a strategy failed while it ended': ({ err }) => `A strategy threw while it ended. ${errorText(err)}`,
  'entry price adopted from the exchange': ({ symbol, direction, size, exchange, ledger }) =>
    `${text(symbol)} ${upper(direction)} ${text(size)}: others traded this contract on the account, so that the exchange's average entry price is ${figure(exchange)}, where the ledger had ${figure(ledger)}; adopted the exchange's value, profits count from it.`,
  'margin adopted from the exchange': ({ symbol, exchange, ledger }) =>
    `${text(symbol)} position margin: the exchange has ${figure(exchange)}, the ledger had ${figure(ledger)}; adopted the exchange's value.`,
}

/** Words of the signals that take the place of an exit which waits to be sent again. */
const REPLACING: Readonly<Record<string, string>> = {
  enter: 'an entry in the direction of the position, which stays open',
  exit: 'another exit in full, which takes its place',
  target: 'a target, which takes its place',
}

/** A strategy with its instrument: `sma-cross on BTC/USDT 1h: fast 10, slow 30; size 1,000 of quote`. */
export function strategyText({ strategy, symbol, interval, parameters, size }: LogFields): string {
  const values = Object.entries(objectOf(parameters)).map(([name, value]) => `${name} ${valueText(value)}`)
  const set = values.length === 0 ? 'no parameters' : values.join(', ')
  return `${text(strategy)} on ${text(symbol)} ${text(interval)}: ${set}; size ${sizeText(size)}`
}

function klineLine({ symbol, interval, close, equity, quote }: LogFields): string {
  return `${text(symbol)} ${text(interval)} close ${figure(close)}, equity ${moneyText(text(equity), text(quote))}`
}

function orderLine(status: string, fields: LogFields): string {
  const { symbol, book, side, size, purpose, type, reason, clientOrderId, watchedBy } = fields
  const prices = PRICES.flatMap(([key, name]) =>
    fields[key] === undefined ? [] : `${name} ${figure(fields[key])}`,
  )
  const rate =
    fields.callbackRate === undefined ? [] : [`trailing by ${percentText(Number(fields.callbackRate))}`]
  const active = fields.activationPrice === undefined ? [] : [`active from ${figure(fields.activationPrice)}`]
  const terms = prices.length + rate.length === 0 ? [orderWord(text(type))] : [...prices, ...rate, ...active]
  const filled = fields.filled === undefined ? [] : [`${figure(fields.filled)} of it filled`]
  const words = [
    `${upper(side)} ${text(size)}`,
    ...filled,
    ...terms,
    orderWord(text(purpose)),
    `id ${text(clientOrderId)}`,
  ]
  const why = reason === undefined ? '' : ` (${text(reason)})`
  return `${text(book ?? symbol)} order ${orderStatusText(status, watchedBy)}: ${words.join(', ')}${why}`
}

/** Fields of an order's prices, in order of appearance. */
const PRICES = [
  ['stopPrice', 'stop'],
  ['triggerPrice', 'trigger'],
  ['price', 'limit'],
  ['distance', 'trailing by'],
] as const

function fillLine({
  symbol,
  book,
  side,
  size,
  price,
  notional,
  fee,
  liquidity,
  clientOrderId,
}: LogFields): string {
  const [, quote = ''] = text(notional).split(' ')
  return `${text(book ?? symbol)} fill: ${upper(side)} ${text(size)} at ${figure(price)} for ${money(notional)}, fee ${feeText(text(fee), quote)} (${text(liquidity)}), id ${text(clientOrderId)}`
}

/** A fee in base is written exactly: money has two decimals, base has as many as it needs. */
function feeText(fee: string, quote: string): string {
  const [amount = '', asset = ''] = fee.split(' ')
  return asset === quote ? moneyText(amount, asset) : `${grouped(amount)} ${asset}`
}

function roundTripLine(fields: LogFields): string {
  const { symbol, book, direction, size, entryPrice, exitPrice, pnl, rate, fees, exitReason } = fields
  const [amount = '', quote = ''] = text(pnl).split(' ')
  const result = resultText(amount, quote, rate === undefined ? undefined : text(rate))
  return `${text(book ?? symbol)} round trip closed ${closedText(exitReason)}: ${upper(direction)} ${text(size)} from ${figure(entryPrice)} to ${figure(exitPrice)}, ${result} after fees of ${money(fees)}`
}

function roundTripsLine(fields: LogFields): string {
  const { symbol, book, direction, size, roundTrips, lowestEntry, highestEntry } = fields
  const { exitPrice, pnl, rate, fees, exitReason } = fields
  const [amount = '', quote = ''] = text(pnl).split(' ')
  const result = resultText(amount, quote, rate === undefined ? undefined : text(rate))
  const highest = lowestEntry === highestEntry ? '' : ` to ${figure(highestEntry)}`
  return `${text(book ?? symbol)} ${figure(roundTrips)} round trips closed ${closedText(exitReason)}: ${upper(direction)} ${text(size)}, entries at ${figure(lowestEntry)}${highest}, exit at ${figure(exitPrice)}, ${result} after fees of ${money(fees)}`
}

function tradingLine(mode: string, { scope, holds }: LogFields): string {
  const name = scope === 'account' ? 'the account' : text(scope)
  if (mode === 'active') return `The holds on trading of ${name} are lifted.`
  const reasons = (Array.isArray(holds) ? holds : []).map(hold => {
    const { reason, source, until } = objectOf(hold)
    // The reason of an operator's hold names the operator.
    const added = [
      ...(source === 'operator' ? [] : [sourceText(source)]),
      ...(until === undefined ? [] : [`until ${moment(until)}`]),
    ]
    return added.length === 0 ? text(reason) : `${text(reason)} (${added.join(', ')})`
  })
  return [`Trading of ${name} is ${mode}.`, ...reasons].join(' ')
}

function operatorLine({ command, symbol, forMs, reason }: LogFields): string {
  const parts = [
    `Operator command: ${text(command)}`,
    ...(symbol === undefined ? [] : [text(symbol)]),
    ...(forMs === undefined ? [] : [`for ${durationText(Number(forMs))}`]),
  ]
  return `${parts.join(' ')}${reason === undefined ? '.' : `: ${text(reason)}`}`
}

/** Purpose of a call. */
export function taskText(what: unknown): string {
  return what === 'reconciliation' ? 'comparing orders, trades and balances' : text(what)
}

/** Owner of the rule that denied an order; the sentence after it names the key of a configured limit. */
function ruleText(rule: unknown): string {
  if (rule === 'tradingState') return 'because trading is held back'
  const word = orderWord(text(rule))
  return EXCHANGE_RULES.has(text(rule)) ? `by a rule of the exchange (${word})` : `by a risk check (${word})`
}

/** Rules of an exchange, which no configuration changes. */
const EXCHANGE_RULES: ReadonlySet<string> = new Set([
  'grid',
  'minimumVolume',
  'maximumVolume',
  'minimumNotional',
  'minimumPrice',
  'instrumentStatus',
  'limitKind',
])

function changesText(changes: unknown): string {
  return (Array.isArray(changes) ? changes : [])
    .map(objectOf)
    .map(
      ({ name, before, now }) =>
        `${text(name)} was ${configuredText(name, before)}, is ${configuredText(name, now)}`,
    )
    .join('; ')
}

function configuredText(name: unknown, value: unknown): string {
  if (value === undefined) return 'the default'
  return name === 'size' && typeof value === 'object' ? sizeText(value) : valueText(value)
}

function closeText(kline: unknown): string {
  const { close } = objectOf(kline)
  return figure(close)
}

function foreignOrder(sentence: string): (fields: LogFields) => string {
  return ({ symbol, orderId, clientOrderId }) => {
    const own = clientOrderId === undefined ? '' : `, id ${text(clientOrderId)}`
    return `${text(symbol)}: ${sentence} (order ${text(orderId)}${own}).`
  }
}

/** Coins that an account lacks of positions, such as `The account holds 0.599 BTC, less than the 0.999 of our positions, …`. */
export function shortageText({
  asset,
  held,
  exchange,
  until,
}: Partial<Record<'asset' | 'held' | 'exchange' | 'until', unknown>>): string {
  return `The account holds ${figure(exchange)} ${text(asset)}, less than the ${figure(held)} of our positions, and the exchange lists no sale of them yet. Books and positions stay as they are meanwhile; markets of ${text(asset)} are halted at ${moment(until)} unless a sale explains it until then.`
}

/** Coins that open orders of others lock, such as `BTC/USDT: of 0.999 BTC on the account only 0.599 are free to be sold, …`. */
export function lockedText({
  symbol,
  asset,
  free,
  exchange,
}: Partial<Record<'symbol' | 'asset' | 'free' | 'exchange', unknown>>): string {
  return `${text(symbol)}: of ${figure(exchange)} ${text(asset)} on the account only ${figure(free)} are free to be sold, because open orders lock the rest. The bot sells what is free; cancel orders that are not of this bot, or set execution.foreignOrders: cancel, so that it can sell the rest.`
}

/** The origin of a hold: `the operator`, `Sluice itself`, or the protection by its key of the configuration. */
export function sourceText(source: unknown): string {
  return SOURCES[text(source)] ?? protectionWord(text(source))
}

const SOURCES: Readonly<Record<string, string>> = {
  operator: 'the operator',
  invariant: 'Sluice itself',
}

/** `order`, or `stop-loss` of a protective one. */
function deniedText(purpose: unknown): string {
  return PROTECTIVE_PURPOSES.some(one => one === purpose) ? orderWord(text(purpose)) : 'order'
}

/** Ends of a lack of protection, by the name of the protective order. */
const PROTECTION_OUTCOMES: Readonly<Record<string, (purpose: string, lacked: string) => string>> = {
  executed: purpose => `its ${purpose}, of which that was not known, was executed`,
  closed: (purpose, lacked) => `the position whose ${purpose} ${lacked} is closed`,
  withdrawn: (purpose, lacked) => `its ${purpose}, which ${lacked}, is not wanted any more`,
}

/** Causes of a close without an order of the bot, by the field `cause`. */
const CLOSE_CAUSES: Readonly<Record<string, string>> = {
  liquidation: 'the exchange liquidated them',
  trades: 'others traded on this account',
  unknown: 'neither a trade of others nor the loss of a liquidation shows by whom',
}

/** `by stop-loss`; a close outside the bot has no order of its own. */
function closedText(purpose: unknown): string {
  return purpose === 'outsideClose' ? 'outside the bot' : `by ${orderWord(text(purpose))}`
}

/** Fields that are sentences, so that their names say nothing. */
const SENTENCES: ReadonlySet<string> = new Set(['why', 'reason', 'found'])

function plainLine(message: string, fields: LogFields): string {
  const said = Object.entries(fields).map(([name, value]) =>
    name === 'err' ? errorText(value) : SENTENCES.has(name) ? text(value) : `${name} ${valueText(value)}`,
  )
  const start = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  return said.length === 0 ? start : `${start}: ${said.join(', ')}`
}

/** An error with its stack. */
function errorText(error: unknown): string {
  const { stack, message } = objectOf(error)
  return text(stack ?? message ?? error)
}

/** An amount of funding and its asset, in words: `paid 0.30 USDT`, or `received 0.30 USDT` of a negative one. */
export function fundingText(paid: unknown): string {
  const [amount = '', asset = ''] = text(paid).split(' ')
  return amount.startsWith('-')
    ? `received ${moneyText(amount.slice(1), asset)}`
    : `paid ${moneyText(amount, asset)}`
}

function rateText(rate: unknown): string {
  return `${numberText(Number((Number(rate) * 100).toPrecision(12)))}%`
}

function money(amountAndAsset: unknown): string {
  const [amount = '', asset = ''] = text(amountAndAsset).split(' ')
  return moneyText(amount, asset)
}

/** Amounts by their asset, as money. */
export function moneyList(amounts: unknown): string {
  return listOf(amounts, moneyText)
}

/** Results by their asset, with their sign. */
export function resultList(amounts: unknown): string {
  return listOf(amounts, signedMoneyText)
}

/** Amounts by their asset: as money if `equity` has the asset, otherwise exact; without zero amounts. */
export function assetList(amounts: unknown, equity: unknown): string {
  const money = objectOf(equity)
  const shown = Object.entries(objectOf(amounts)).filter(
    ([asset, amount]) => asset in money || amount !== '0',
  )
  return listOf(Object.fromEntries(shown), (amount, asset) =>
    asset in money ? moneyText(amount, asset) : `${grouped(amount)} ${asset}`,
  )
}

function listOf(amounts: unknown, one: (amount: string, asset: string) => string): string {
  const entries = Object.entries(objectOf(amounts))
  return entries.length === 0 ? 'none' : entries.map(([asset, amount]) => one(text(amount), asset)).join(', ')
}

/** `1 order`, `2 orders`. */
function count(value: unknown, noun: string): string {
  return `${figure(value)} ${noun}${value === 1 ? '' : 's'}`
}

function figure(value: unknown): string {
  if (typeof value === 'number') return numberText(value)
  return grouped(text(value))
}

function moment(value: unknown): string {
  return momentText(text(value))
}

function upper(value: unknown): string {
  return text(value).toUpperCase()
}

/** A change of a listing: `pricePrecision from 2 to 1`, or its kind. */
function listingText(change: unknown): string {
  const { type, rules } = objectOf(change)
  if (!Array.isArray(rules)) return text(type)
  return rules
    .map(objectOf)
    .map(
      ({ rule, before = 'nothing', after = 'nothing' }) =>
        `${text(rule)} from ${text(before)} to ${text(after)}`,
    )
    .join(', ')
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function objectOf(value: unknown): LogFields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
