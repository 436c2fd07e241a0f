import { wholeBook } from '../../../src/domain/book-names.ts'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { EngineOutput } from '../../../src/domain/events/engine-output.ts'
import { closeTimeOf } from '../../../src/domain/market-data/interval.ts'
import { notionalOf, steps, type Ticks, ticks, worthOf } from '../../../src/domain/numbers/grid.ts'
import type { Purpose } from '../../../src/domain/orders/order-intent.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { lotsOf } from './money/held-lots.ts'

/** Something that protections are about, told from events and decisions alone. Times are ms UTC, money is in 10^-18 of quote. */
export type Fact =
  | {
      readonly type: 'marked'
      readonly time: number
      /** Absent where the prices of all instruments were told. */
      readonly symbol?: string
      readonly equity: bigint
      /** What each book's open lots would bring, less their fees. */
      readonly unrealised: ReadonlyMap<string, bigint>
    }
  | { readonly type: 'funded'; readonly amount: bigint }
  /** Funding of a position; positive: paid. */
  | { readonly type: 'paid'; readonly book: string; readonly amount: bigint }
  | {
      readonly type: 'closed'
      readonly time: number
      readonly book: string
      readonly purpose: Purpose
      readonly pnl: bigint
      /** Whether nothing is held any more. */
      readonly isFlat: boolean
    }
  | {
      readonly type: 'silent' | 'heard'
      readonly time: number
      readonly symbol: string
      readonly stream: string
    }
  | { readonly type: 'missed'; readonly time: number; readonly symbol: string }
  | { readonly type: 'clock'; readonly time: number; readonly uncertaintyMs: number }
  | { readonly type: 'spread'; readonly time: number; readonly symbol: string; readonly rate: number }
  | { readonly type: 'resumed'; readonly time: number; readonly symbol: string | undefined }
  | { readonly type: 'restarted'; readonly time: number }

/** Latest price of each instrument. */
export type Marks = ReadonlyMap<string, Ticks>

/** What everything owned was worth at prices; contracts at those that the exchange marks them with, as far as it has told. */
export function equityAt({ marks, contractMarks }: Omit<Worth, 'equity'>, ledger: Ledger): bigint {
  const [first] = ledger.instruments
  let equity: bigint = first === undefined ? 0n : ledger.balances.of(first.quote)
  for (const instrument of ledger.instruments) {
    const mark = marks.get(instrument.symbol)
    if (mark === undefined || instrument.futures !== undefined) continue
    equity += worthOf(instrument, mark, ledger.balances.in(instrument.accountType).of(instrument.base))
  }
  for (const { instrument, position } of ledger.contracts.held) {
    const mark = contractMarks.get(instrument.symbol) ?? marks.get(instrument.symbol)
    if (mark === undefined) continue
    const profit = notionalOf(instrument, mark, position.quantity) - position.cost
    equity += position.direction === 'long' ? profit : -profit
  }
  return equity
}

/** The latest prices that a ledger knows. */
export function marksOf(ledger: Ledger): Marks {
  return new Map(
    ledger.instruments.flatMap(({ symbol }) => {
      const mark = ledger.markOf(symbol)
      return mark === undefined ? [] : [[symbol, mark] as const]
    }),
  )
}

/** What there was before an event. */
export interface Worth {
  readonly marks: Marks
  /** Mark prices that the exchange told. */
  readonly contractMarks: Marks
  readonly equity: bigint
}

/** What an event and the decisions on it come to, in order; the ledger is as they left it. */
export function factsOf(
  event: EngineEvent,
  decisions: readonly EngineOutput[],
  ledger: Ledger,
  before: Worth,
): readonly Fact[] {
  switch (event.type) {
    case 'klineClosed':
      return [
        marked(
          event.symbol,
          closeTimeOf(event.kline.openTime, event.interval),
          { ...before, marks: marksOf(ledger) },
          ledger,
        ),
      ]
    case 'pricesSeen':
      // Closes alone are seen by strategies, and marked with their klines.
      if (event.prices.length === 0) return []
      return [marked(undefined, event.time, { ...before, marks: marksOf(ledger) }, ledger)]
    case 'filled':
      return closings(event.fill.time, decisions, ledger, before)
    case 'liquidated': {
      // It came to that at this price: what else is held of the contract is worth as much.
      const { symbol, price } = event.liquidation
      return closings(event.time, decisions, ledger, {
        ...before,
        marks: new Map([...before.marks, [symbol, price]]),
      })
    }
    case 'fundingPaid':
      return [{ type: 'paid', book: event.payment.book, amount: event.payment.amount }]
    case 'balancesReported':
      return [{ type: 'funded', amount: equityAt(before, ledger) - before.equity }]
    case 'dataStale':
      return [{ ...event, type: 'silent' }]
    case 'dataFresh':
      return [{ ...event, type: 'heard' }]
    case 'klinesMissed':
      return [{ type: 'missed', time: event.time, symbol: event.symbol }]
    case 'clockMeasured':
      return [{ ...event, type: 'clock' }]
    case 'spreadSeen':
      return [{ type: 'spread', time: event.time, symbol: event.symbol, rate: event.spreadRate }]
    case 'tradingCommanded':
      return event.command === 'resume' ? [{ type: 'resumed', time: event.time, symbol: event.symbol }] : []
    case 'tradingRestored':
      return [{ type: 'restarted', time: event.time }]
    default:
      return []
  }
}

function marked(
  symbol: string | undefined,
  time: number,
  worth: Omit<Worth, 'equity'>,
  ledger: Ledger,
): Fact {
  const unrealised = new Map<string, bigint>()
  for (const { book, symbol: of, price, quantity, fee, direction } of lotsOf(ledger)) {
    const instrument = ledger.instrument(of)
    const mark = worth.marks.get(of)
    if (mark === undefined) continue
    const gain = (mark - price) * quantity * (direction === 'long' ? 1 : -1)
    // Of one tick and one step.
    const unit = notionalOf(instrument, ticks(1), steps(1))
    const owner = wholeBook(book)
    unrealised.set(owner, (unrealised.get(owner) ?? 0n) + BigInt(gain) * unit - fee)
  }
  return {
    type: 'marked',
    time,
    ...(symbol !== undefined && { symbol }),
    equity: equityAt(worth, ledger),
    unrealised,
  }
}

function closings(
  time: number,
  decisions: readonly EngineOutput[],
  ledger: Ledger,
  before: Worth,
): readonly Fact[] {
  const request = decisions.find(decision => decision.type === 'fillBooked')?.order.request
  const trips = decisions.flatMap(decision =>
    decision.type === 'roundTripClosed' ? [decision.roundTrip] : [],
  )
  const [trip] = trips
  if (trip === undefined || request === undefined) return []
  const { book, symbol } = trip
  const pnl = trips.reduce((sum, other) => sum + other.pnl, 0n)
  const isFlat = ledger.position(book)?.direction !== trip.direction
  return [
    { type: 'closed', time, book, purpose: request.purpose, pnl, isFlat },
    marked(symbol, time, before, ledger),
  ]
}
