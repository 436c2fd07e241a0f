import type { Logger } from 'pino'
import type { Notice } from '../../domain/events/engine-output.ts'
import { scopeText } from '../../domain/events/trading-hold.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { type Amount, add, amountToText, divide, ZERO } from '../../domain/numbers/amount.ts'
import { notionalOf, priceText, quantityText, steps, worthOf } from '../../domain/numbers/grid.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { OrderSpec } from '../../domain/orders/order-request.ts'
import type { RoundTrip } from '../../domain/round-trip.ts'
import { TriggerBook } from '../../matching/trigger-book.ts'
import { strictestFirst } from '../../risk/trading-state.ts'
import { isPriceAssumed } from '../state/outside-closes.ts'
import { stepsText } from '../text/steps-text.ts'
import { holdStatus } from './bot-status.ts'

const ONE_STEP = steps(1)

/** Logs notices of the engine; `leftOf` describes the rest of a strategy that threw, by its book. */
export function logNotice(
  log: Logger,
  notice: Notice,
  instrumentOf: (symbol: string) => Instrument,
  leftOf?: (book: string) => string,
): void {
  switch (notice.type) {
    case 'signaled': {
      const { strategy, symbol, signal, time } = notice
      const { base, quote, pricePrecision } = instrumentOf(symbol)
      // A signal for another market of the strategy has other assets and another grid.
      const on = signal.market === undefined ? { on: { base, quote, pricePrecision } } : {}
      log.info({ at: utcText(time), strategy, symbol, signal, ...on }, 'signal')
      break
    }
    case 'denied': {
      const { rule, limit, actual, message, intent } = notice.denial
      log.warn(
        {
          ...{ at: utcText(notice.time), symbol: intent.symbol, purpose: intent.purpose },
          ...{ rule, limit, actual, why: message },
        },
        'order denied',
      )
      break
    }
    case 'targetMissed': {
      const { symbol, strategy, missing, price, time } = notice
      const instrument = instrumentOf(symbol)
      const { base, quote } = instrument
      const money = (amount: Amount) => `${amountToText(amount)} ${quote}`
      log.warn(
        {
          ...{ at: utcText(time), symbol, ...bookField(notice), strategy },
          ...{
            missing: `${amountToText(missing)} ${base}`,
            notional: money(worthOf(instrument, price, missing)),
          },
          ...{
            step: stepsText(instrument, ONE_STEP),
            stepNotional: money(notionalOf(instrument, price, ONE_STEP)),
          },
        },
        'target missed: a step is too coarse',
      )
      break
    }
    case 'orderChanged':
      logOrder(log, notice.order, notice.time, instrumentOf(notice.order.request.symbol))
      break
    case 'fillBooked': {
      const { fill } = notice
      const instrument = instrumentOf(fill.symbol)
      const price = priceText(instrument, fill.price)
      const quantity = quantityText(instrument, fill.quantity)
      const { symbol, side, liquidity, clientOrderId } = fill
      const own = bookField(notice.order.request)
      const fee = `${amountToText(fill.fee)} ${fill.feeAsset}`
      const size = stepsText(instrument, fill.quantity)
      const notional = `${amountToText(notionalOf(instrument, fill.price, fill.quantity))} ${instrument.quote}`
      const traded = { side, quantity, size, price, notional, fee, liquidity, clientOrderId }
      log.info({ at: utcText(fill.time), symbol, ...own, ...traded }, 'fill')
      break
    }
    case 'roundTripClosed':
      logRoundTrip(log, notice.roundTrip, instrumentOf(notice.roundTrip.symbol))
      break
    case 'fundingBooked': {
      const { symbol, book, amount, rate, time, derived } = notice.payment
      const paid = `${amountToText(amount)} ${instrumentOf(symbol).quote}`
      const how = derived === true ? { derived } : {}
      log.info({ at: utcText(time), symbol, book, paid, rate: amountToText(rate), ...how }, 'funding')
      break
    }
    case 'positionLiquidated': {
      const { symbol, book, direction, quantity, price, by } = notice.liquidation
      const instrument = instrumentOf(symbol)
      const contracts = quantityText(instrument, quantity)
      const at = utcText(notice.time)
      const held = { direction, quantity: contracts, size: stepsText(instrument, quantity) }
      const assumed = isPriceAssumed({ by }, instrument) ? { priceAssumed: true } : {}
      log.error(
        { at, symbol, book, ...held, price: priceText(instrument, price), ...assumed },
        CLOSED_BY[by ?? 'exchange'],
      )
      break
    }
    case 'groupOverfilled': {
      const { clientOrderId, symbol, time } = notice.fill
      log.warn(
        { at: utcText(time), symbol, clientOrderId, first: notice.first },
        'two entries of a group filled: both are kept',
      )
      break
    }
    case 'exitSentAgain': {
      const { request, total, time } = notice
      const { symbol, side, purpose, quantity, clientOrderId } = request
      const instrument = instrumentOf(symbol)
      const sizes = { size: stepsText(instrument, quantity), total: stepsText(instrument, total) }
      log.info(
        { at: utcText(time), symbol, ...bookField(request), side, purpose, ...sizes, clientOrderId },
        'exit sent again',
      )
      break
    }
    case 'exitReplaced': {
      const { symbol, strategy, side, quantity, by, time } = notice
      const size = stepsText(instrumentOf(symbol), quantity)
      log.info(
        { at: utcText(time), symbol, ...bookField(notice), strategy, side, size, by },
        'waiting exit replaced',
      )
      break
    }
    case 'tradingStateChanged': {
      const { scope, before, mode, holds, time } = notice
      const fields = {
        at: utcText(time),
        scope: scopeText(scope),
        before,
        mode,
        holds: strictestFirst(holds).map(holdStatus),
      }
      log[mode === 'active' ? 'info' : 'warn'](fields, `trading ${mode}`)
      break
    }
    case 'strategyFailed':
      log.error(
        { symbol: notice.symbol, ...bookField(notice), left: leftOf?.(notice.book), err: notice.error },
        'strategy stopped: it threw',
      )
      break
    case 'strategyEnded':
      log.warn({ symbol: notice.symbol, ...bookField(notice), why: notice.why }, 'strategy has ended')
      break
    case 'instrumentHalted':
      log.error(
        { at: utcText(notice.time), symbol: notice.symbol, reason: notice.reason },
        'instrument halted: nothing more is decided on it',
      )
  }
}

/** Messages by who closed a position without an order of this bot. */
const CLOSED_BY = {
  exchange: 'position liquidated',
  others: 'position closed by a foreign order',
  unknown: 'position closed outside the bot',
} as const

function logRoundTrip(log: Logger, roundTrip: RoundTrip, instrument: Instrument): void {
  const { symbol, direction, quantity, entryPrice, exitPrice, exitTime, pnl, fees } = roundTrip
  const { entryReason, exitReason } = roundTrip
  const { quote } = instrument
  const cost = notionalOf(instrument, entryPrice, quantity)
  log.info(
    {
      at: utcText(exitTime),
      symbol,
      ...bookField(roundTrip),
      direction,
      size: stepsText(instrument, quantity),
      entryPrice: priceText(instrument, entryPrice),
      exitPrice: priceText(instrument, exitPrice),
      pnl: `${amountToText(pnl)} ${quote}`,
      ...(cost > ZERO && { rate: amountToText(divide(pnl, cost)) }),
      fees: `${amountToText(fees)} ${quote}`,
      entryReason,
      exitReason,
    },
    'round trip closed',
  )
}

/** Logs round trips of one book that one trade closed as one line: their sum, their number, and the range of their entry prices. */
export function logRoundTrips(log: Logger, roundTrips: readonly RoundTrip[], instrument: Instrument): void {
  const [first] = roundTrips
  if (first === undefined) return
  const { symbol, direction, exitPrice, exitTime, exitReason } = first
  const { quote } = instrument
  const sumOf = (amountIn: (roundTrip: RoundTrip) => Amount) =>
    roundTrips.reduce((sum, roundTrip) => add(sum, amountIn(roundTrip)), ZERO)
  const [pnl, fees] = [sumOf(one => one.pnl), sumOf(one => one.fees)]
  const cost = sumOf(({ entryPrice, quantity }) => notionalOf(instrument, entryPrice, quantity))
  const entries = roundTrips.map(({ entryPrice }) => entryPrice).toSorted((left, right) => left - right)
  const [lowest = first.entryPrice, highest = lowest] = [entries[0], entries.at(-1)]
  log.info(
    {
      at: utcText(exitTime),
      symbol,
      ...bookField(first),
      direction,
      roundTrips: roundTrips.length,
      size: stepsText(instrument, steps(roundTrips.reduce((sum, { quantity }) => sum + quantity, 0))),
      lowestEntry: priceText(instrument, lowest),
      highestEntry: priceText(instrument, highest),
      exitPrice: priceText(instrument, exitPrice),
      pnl: `${amountToText(pnl)} ${quote}`,
      ...(cost > ZERO && { rate: amountToText(divide(pnl, cost)) }),
      fees: `${amountToText(fees)} ${quote}`,
      exitReason,
    },
    'round trips closed',
  )
}

function logOrder(log: Logger, order: Order, time: number, instrument: Instrument): void {
  const { request, status, reason } = order
  const { clientOrderId, symbol, side, purpose, spec } = request
  const quantity = quantityText(instrument, request.quantity)
  const fields = {
    at: utcText(time),
    symbol,
    ...bookField(request),
    side,
    purpose,
    type: spec.type,
    quantity,
    size: stepsText(instrument, request.quantity),
    ...(order.filledQuantity > 0 &&
      status !== 'filled' && { filled: quantityText(instrument, order.filledQuantity) }),
    ...pricesOf(instrument, spec),
    clientOrderId,
    // The exchange has never heard of it.
    ...(KEPT.has(status) && TriggerBook.hasKept(order) && { watchedBy: 'bot' }),
  }
  const level =
    status === 'rejected' || status === 'unknown' ? 'warn' : status === 'submitted' ? 'debug' : 'info'
  log[level](
    { ...fields, ...(reason !== undefined && !IN_ORDER.has(status) && { reason }) },
    `order ${status}`,
  )
}

/** Statuses that need no reason: one that is kept is that of a doubt before, which is over. */
const IN_ORDER: ReadonlySet<Order['status']> = new Set(['submitted', 'open', 'partiallyFilled', 'filled'])

/** Statuses that an order in the bot has as one at the exchange has them. */
const KEPT: ReadonlySet<Order['status']> = new Set(['open', 'canceled'])

function pricesOf(instrument: Instrument, spec: OrderSpec): Readonly<Record<string, string>> {
  switch (spec.type) {
    case 'market':
      return {}
    case 'limit':
      return {
        price: priceText(instrument, spec.price),
        ...(spec.kind !== undefined && { kind: spec.kind }),
      }
    case 'stop':
      return { stopPrice: priceText(instrument, spec.stopPrice) }
    case 'stopLimit':
      return { stopPrice: priceText(instrument, spec.stopPrice), price: priceText(instrument, spec.price) }
    case 'ifTouched':
      return { triggerPrice: priceText(instrument, spec.triggerPrice) }
    case 'trailingStop':
      return {
        ...('distance' in spec
          ? { distance: priceText(instrument, spec.distance) }
          : { callbackRate: String(spec.callbackRate) }),
        ...(spec.activationPrice !== undefined && {
          activationPrice: priceText(instrument, spec.activationPrice),
        }),
      }
  }
}

/** The book, if several strategies trade the symbol. */
function bookField({ symbol, book }: { readonly symbol: string; readonly book?: string | undefined }) {
  return book === undefined || book === symbol ? {} : { book }
}
