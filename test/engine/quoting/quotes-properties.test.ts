import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { EngineOutput } from '../../../src/domain/events/engine-output.ts'
import { feeOf } from '../../../src/domain/fee.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { priceOf, steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../../../src/domain/orders/order.ts'
import type { Side } from '../../../src/domain/orders/side.ts'
import { Engine } from '../../../src/engine/engine.ts'
import type { EngineState } from '../../../src/engine/engine-state.ts'
import { fromJournalText, journalText } from '../../../src/journal/journal-text.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { defineStrategy, keepQuotes, type QuoteWish, type Signals } from '../../../src/strategy/index.ts'
import { MARGIN, SPOT } from '../engine-session.ts'

const SIDES: readonly Side[] = ['buy', 'sell']
const TOLERANCE = 0.1

/** Prices of a set differ, so that each order tells its quote by its price. */
const anySet: fc.Arbitrary<readonly QuoteWish[]> = fc
  .uniqueArray(
    fc.record({
      level: fc.constantFrom(-4, -3, -2, -1, 1, 2, 3, 4),
      base: fc.constantFrom(0.1, 0.2, 0.5, 1),
    }),
    { selector: ({ level }) => level, maxLength: 6 },
  )
  .map(quotes =>
    quotes.map(({ level, base }) => ({
      side: level < 0 ? ('buy' as const) : ('sell' as const),
      price: 100 + level,
      size: { base },
    })),
  )

type Happening =
  | { readonly type: 'declare'; readonly quotes: readonly QuoteWish[]; readonly price: number }
  | { readonly type: 'fill'; readonly order: number; readonly part: number }
  | { readonly type: 'confirm' | 'refuse'; readonly order: number }
  | { readonly type: 'restart' }

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('declare' as const),
      quotes: anySet,
      price: fc.constantFrom(99.5, 100, 100.5),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('fill' as const),
      order: fc.nat(9),
      part: fc.constantFrom(0.3, 0.7, 1),
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('confirm' as const), order: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('refuse' as const), order: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constant({ type: 'restart' as const }) },
)

/** An engine whose strategy declares what it is told to, and the venue that its orders work at; cancels are confirmed late. */
class QuotedVenue {
  readonly instrument: Instrument
  engine: Engine
  ledger: Ledger
  /** What is declared, and by when. */
  declared: readonly QuoteWish[] = []
  placed = 0
  /** Orders whose cancel was asked for and is not confirmed. */
  readonly leaving = new Set<string>()
  /** Base that orders placed for the latest declaration are for, and what those that leave have filled since, by side. */
  placedSince = { buy: 0, sell: 0 }
  leftSince = { buy: 0, sell: 0 }
  missing = { buy: 0, sell: 0 }
  #said: Signals
  #klines: { readonly price: number }[] = []
  #fills = 0

  constructor(instrument: Instrument) {
    this.instrument = instrument
    this.ledger = this.#newLedger()
    this.engine = this.#newEngine(this.ledger)
  }

  happen(happening: Happening): void {
    if (happening.type === 'declare') this.#declare(happening.quotes, happening.price)
    else if (happening.type === 'restart') this.#restart()
    else if (happening.type === 'confirm')
      this.#end([...this.leaving][happening.order % (this.leaving.size || 1)])
    else {
      const { working } = this.ledger.orders
      const order = working[happening.order % (working.length || 1)]
      if (order === undefined) return
      if (happening.type === 'fill') this.#fill(order, happening.part)
      else if (!this.leaving.has(order.request.clientOrderId)) this.#end(order.request.clientOrderId)
    }
  }

  /** Orders that nobody has asked to take back. */
  get staying(): readonly Order[] {
    return this.ledger.orders.working.filter(({ request }) => !this.leaving.has(request.clientOrderId))
  }

  #declare(quotes: readonly QuoteWish[], price: number): void {
    this.#said = keepQuotes(quotes, { tolerance: TOLERANCE })
    this.declared = quotes
    const before = new Set(this.staying.map(({ request }) => request.clientOrderId))
    this.placedSince = { buy: 0, sell: 0 }
    this.leftSince = { buy: 0, sell: 0 }
    const openTime = this.#klines.length * 60_000
    this.#klines.push({ price })
    const kline = { openTime, open: price, high: price, low: price, close: price, volume: 1 }
    this.#process({ type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline })
    const kept = this.staying.filter(({ request }) => before.has(request.clientOrderId))
    for (const side of SIDES) {
      this.missing[side] = quotes
        .filter(quote => quote.side === side && !kept.some(order => this.#isFor(order, quote)))
        .reduce((sum, { size }) => sum + ('base' in size ? size.base : 0), 0)
    }
  }

  #isFor({ request: { side, spec } }: Order, quote: QuoteWish): boolean {
    return (
      side === quote.side && spec.type === 'limit' && priceOf(this.instrument, spec.price) === quote.price
    )
  }

  quotesOf(order: Order): readonly QuoteWish[] {
    return this.declared.filter(quote => this.#isFor(order, quote))
  }

  #fill(order: Order, part: number): void {
    const { clientOrderId, symbol, side, spec } = order.request
    if (spec.type !== 'limit') return
    const quantity = steps(Math.max(1, Math.floor(openQuantityOf(order) * part)))
    if (this.leaving.has(clientOrderId)) this.leftSince[side] += quantity / 1000
    if (quantity === openQuantityOf(order)) this.leaving.delete(clientOrderId)
    const fee = feeOf(this.instrument, side, spec.price, quantity, 'maker')
    const id = `${++this.#fills}`
    const time = this.#klines.length * 60_000
    const fill = { id, clientOrderId, symbol, side, price: ticks(spec.price), quantity, ...fee }
    this.#process({ type: 'filled', fill: { ...fill, liquidity: 'maker', time } })
  }

  #end(clientOrderId: string | undefined): void {
    if (clientOrderId === undefined) return
    this.leaving.delete(clientOrderId)
    const time = this.#klines.length * 60_000
    this.#process({ type: 'orderUpdated', clientOrderId, event: 'canceled', time })
  }

  #restart(): void {
    // What `snapshot` gave.
    const state = fromJournalText(journalText(this.engine.snapshot())) as EngineState
    this.ledger = this.#newLedger()
    this.engine = this.#newEngine(this.ledger)
    this.engine.restore(state, () => [])
    expect(journalText(this.engine.snapshot())).toBe(journalText(state))
  }

  #process(event: EngineEvent): void {
    for (const output of this.engine.process(event)) this.#see(output)
  }

  #see(output: EngineOutput): void {
    if (output.type === 'cancelOrder') this.leaving.add(output.clientOrderId)
    if (output.type !== 'placeOrder') return
    const { clientOrderId, side, quantity } = output.request
    this.placed++
    // Nothing is placed on a side that something is still to leave.
    const rivals = this.ledger.orders.working.filter(
      ({ request }) => request.side === side && this.leaving.has(request.clientOrderId),
    )
    expect(rivals).toEqual([])
    this.placedSince[side] += quantity / 1000
    const time = this.#klines.length * 60_000
    this.#process({ type: 'orderUpdated', clientOrderId, event: 'submitted', time })
    this.#process({ type: 'orderUpdated', clientOrderId, event: 'accepted', time })
  }

  #newLedger(): Ledger {
    return new Ledger([this.instrument], [['USDT', amountOf('1000')]])
  }

  #newEngine(ledger: Ledger): Engine {
    const strategy = defineStrategy({ name: 'told', onKline: () => this.#said })
    const traded = {
      strategy,
      parameters: {},
      symbol: 'BTC/USDT',
      interval: '1m',
      size: { base: 1 },
    } as const
    return new Engine({ bot: 'test', ledger, strategies: [traded] })
  }
}

function expectSubset(venue: QuotedVenue): void {
  const prices = venue.staying.map(order => {
    const [quote, ...others] = venue.quotesOf(order)
    expect(others).toEqual([])
    const most = quote !== undefined && 'base' in quote.size ? quote.size.base : 0
    expect(openQuantityOf(order) / 1000).toBeLessThanOrEqual(most * (1 + TOLERANCE) + 1e-9)
    return quote?.price
  })
  expect(new Set(prices).size).toBe(prices.length)
}

/** What is placed for a declaration is at most what was missing, less what orders on their way out filled since. */
function expectNothingDoubled({ placedSince, leftSince, missing }: QuotedVenue): void {
  for (const side of SIDES) {
    if (placedSince[side] === 0) continue
    expect(placedSince[side]).toBeLessThanOrEqual(missing[side] - leftSince[side] + 1e-9)
  }
}

function expectCovered({ instrument, ledger }: QuotedVenue): void {
  if (instrument.accountType !== 'spot') return
  const sells = ledger.orders.working.filter(({ request }) => request.side === 'sell')
  const open = sells.reduce((sum, order) => sum + openQuantityOf(order), 0)
  expect(open).toBeLessThanOrEqual(ledger.position('BTC/USDT')?.quantity ?? 0)
  expect(ledger.free('USDT')).toBeGreaterThanOrEqual(0n)
}

describe('what works at the venue, after any declarations, fills, cancels and restarts', () => {
  it.each([
    ['spot', { ...SPOT, fees: MARGIN.fees, minNotional: amountOf('0') }],
    ['margin', { ...MARGIN, minNotional: amountOf('0') }],
  ])(
    'is a part of what is declared, one order a quote, and never beyond what is held or paid for: %s',
    (_name, instrument) => {
      let placed = 0
      fc.assert(
        fc.property(fc.array(anyHappening, { minLength: 5, maxLength: 60 }), happenings => {
          const venue = new QuotedVenue(instrument)
          for (const happening of happenings) {
            venue.happen(happening)
            expectSubset(venue)
            expectNothingDoubled(venue)
            expectCovered(venue)
          }
          placed += venue.placed
        }),
        { numRuns: 500 },
      )
      expect(placed).toBeGreaterThan(1500)
    },
  )
})
