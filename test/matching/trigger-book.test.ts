import { describe, expect, it } from 'vitest'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderDraft, OrderSpec } from '../../src/domain/orders/order-request.ts'
import type { Side } from '../../src/domain/orders/side.ts'
import { type Quote, TriggerBook } from '../../src/matching/trigger-book.ts'
import { SPOT_BTC } from '../domain/instruments.ts'
import { requestOf } from '../ledger/order-parts.ts'

const SYMBOL = 'BTC/USDT'
const STOP: OrderSpec = { type: 'stop', stopPrice: ticks(10_000) }
const STOP_LIMIT: OrderSpec = { type: 'stopLimit', stopPrice: ticks(10_000), price: ticks(9_000) }
const TOUCH: OrderSpec = { type: 'ifTouched', triggerPrice: ticks(10_000) }
const TAKE_PROFIT = { spec: { type: 'limit', price: ticks(10_000) }, purpose: 'takeProfit' } as const
const TRAILING: OrderSpec = { type: 'trailingStop', distance: ticks(200), anchor: ticks(10_000) }
const LATE: OrderSpec = { ...TRAILING, activationPrice: ticks(10_500) }
const CALLBACK: OrderSpec = { type: 'trailingStop', callbackRate: 0.1, anchor: ticks(10_000) }

/** A quote with a spread of 0.02 around its last price. */
const at = (last: number): Quote => ({ bid: last - 0.01, ask: last + 0.01, last })

function bookWith(...orders: readonly Partial<OrderDraft>[]): TriggerBook {
  const book = new TriggerBook()
  for (const fields of orders) book.add(SPOT_BTC, requestOf(fields))
  return book
}

/** The first of the prices at which an order is sent. */
function firstSentAt(fields: Partial<OrderDraft>, quotes: readonly Quote[]): number | undefined {
  const book = bookWith(fields)
  return quotes.find(quote => book.observe(SYMBOL, quote).length > 0)?.last
}

const TABLE: readonly (readonly [
  string,
  Side,
  Partial<OrderDraft>,
  readonly number[],
  number | undefined,
])[] = [
  ['a stop sell at its price', 'sell', { spec: STOP }, [100.01, 100], 100],
  ['a stop sell that a gap jumps over', 'sell', { spec: STOP }, [101, 95], 95],
  ['no stop sell above its price', 'sell', { spec: STOP }, [100.01, 150], undefined],
  ['a stop buy at its price', 'buy', { spec: STOP }, [99.99, 100], 100],
  ['no stop buy below its price', 'buy', { spec: STOP }, [99.99, 50], undefined],
  ['a stop-limit sell by its stop price', 'sell', { spec: STOP_LIMIT }, [100.01, 99.5], 99.5],
  ['a stop-limit buy by its stop price', 'buy', { spec: STOP_LIMIT }, [90, 99.99, 100.5], 100.5],
  ['a touched buy at its price', 'buy', { spec: TOUCH }, [100.01, 100], 100],
  ['a touched buy that a gap jumps over', 'buy', { spec: TOUCH }, [101, 95], 95],
  ['a touched sell at its price', 'sell', { spec: TOUCH }, [99.99, 100], 100],
  ['no touched sell below its price', 'sell', { spec: TOUCH }, [99.99, 50], undefined],
  ['a take-profit sell once somebody bids its price', 'sell', TAKE_PROFIT, [100, 100.01], 100.01],
  ['a take-profit buy once somebody asks its price', 'buy', TAKE_PROFIT, [100, 99.99], 99.99],
  ['a trailing sell behind its anchor', 'sell', { spec: TRAILING }, [99, 98.01, 98], 98],
  ['a trailing sell behind the best price since', 'sell', { spec: TRAILING }, [105, 103.01, 103], 103],
  ['a trailing sell whose best price stays', 'sell', { spec: TRAILING }, [105, 104, 104.9, 103], 103],
  ['no trailing sell before its activation', 'sell', { spec: LATE }, [104.99, 80], undefined],
  ['a trailing sell after its activation', 'sell', { spec: LATE }, [105, 103.01, 103], 103],
  ['a trailing sell by its callback rate', 'sell', { spec: CALLBACK }, [120, 108.01, 108], 108],
  ['a trailing buy by its callback rate', 'buy', { spec: CALLBACK }, [80, 87.99, 88], 88],
  ['a trailing buy above its anchor', 'buy', { spec: TRAILING }, [101, 101.99, 102], 102],
  ['a trailing buy above the best price since', 'buy', { spec: TRAILING }, [95, 96.99, 97], 97],
]

function idsIn(book: TriggerBook): readonly string[] {
  return book.requests.map(({ clientOrderId }) => clientOrderId)
}

describe('TriggerBook', () => {
  it.each(TABLE)('sends %s', (_name, side, fields, prices, expected) => {
    expect(firstSentAt({ side, ...fields }, prices.map(at))).toBe(expected)
  })

  it('sends a trailing stop exactly at its distance, where floats would miss it by a hair', () => {
    // 60000.02 - 0.33 is 59999.689999999995 as a double.
    const spec: OrderSpec = { type: 'trailingStop', distance: ticks(33), anchor: ticks(6_000_002) }
    expect(firstSentAt({ side: 'sell', spec }, [at(59_999.7), at(59_999.69)])).toBe(59_999.69)
  })

  it('sends a take-profit nowhere while a side of the market is empty', () => {
    const empty: Quote = { bid: 0, ask: Number.POSITIVE_INFINITY, last: 100 }
    expect(firstSentAt({ side: 'sell', ...TAKE_PROFIT }, [empty])).toBeUndefined()
    expect(firstSentAt({ side: 'buy', ...TAKE_PROFIT }, [empty])).toBeUndefined()
  })

  it('sends what comes due together oldest first, and each order once', () => {
    const ids = ['c', 'a', 'b']
    const book = bookWith(...ids.map(clientOrderId => ({ clientOrderId, side: 'sell', spec: STOP }) as const))
    expect(idsIn(book)).toEqual(ids)
    expect(book.observe(SYMBOL, at(99)).map(({ clientOrderId }) => clientOrderId)).toEqual(ids)
    expect(idsIn(book)).toEqual([])
    expect(book.observe(SYMBOL, at(99))).toEqual([])
  })

  it('looks only at the orders of the symbol quoted', () => {
    const book = bookWith({ side: 'sell', spec: STOP })
    expect(book.observe('ETH/USDT', at(1))).toEqual([])
    expect(idsIn(book)).toEqual(['order-1'])
  })

  it('sends an order with its new quantity after a resize, at its old place in the row', () => {
    const book = bookWith(
      { clientOrderId: 'first', side: 'sell', spec: STOP },
      { clientOrderId: 'second', side: 'sell', spec: STOP },
    )
    expect(book.resize('first', steps(400))).toBe(true)
    const sent = book.observe(SYMBOL, at(99))
    expect(sent.map(({ clientOrderId, quantity }) => [clientOrderId, quantity])).toEqual([
      ['first', 400],
      ['second', 1000],
    ])
  })

  it('keeps the best price of a trailing stop through a resize', () => {
    const book = bookWith({ side: 'sell', spec: TRAILING })
    book.observe(SYMBOL, at(110))
    book.resize('order-1', steps(1))
    expect(book.observe(SYMBOL, at(108))).toHaveLength(1)
  })

  it('tells once what a trailing stop has seen better, and goes on from what was seen before', () => {
    const best = (book: TriggerBook) => book.drainMoves().map(move => move.best)
    const book = bookWith(
      { side: 'sell', spec: TRAILING },
      { clientOrderId: 'stop', side: 'sell', spec: STOP },
    )
    expect(best(book)).toEqual([])
    book.observe(SYMBOL, at(110))
    expect(best(book)).toEqual([11_000])
    expect(best(book)).toEqual([])
    book.observeKline(SYMBOL, {
      openTime: Number.MAX_SAFE_INTEGER,
      open: 1,
      high: 111,
      low: 1,
      close: 1,
      volume: 1,
    })
    expect(best(book)).toEqual([11_100])

    const restarted = new TriggerBook()
    restarted.add(SPOT_BTC, requestOf({ side: 'sell', spec: TRAILING }), ticks(11_100))
    expect(best(restarted)).toEqual([])
    expect(restarted.observe(SYMBOL, at(109.01))).toHaveLength(0)
    expect(restarted.observe(SYMBOL, at(109))).toHaveLength(1)
  })

  it('never sends what was removed, and says what does not wait here', () => {
    const book = bookWith({ side: 'sell', spec: STOP })
    expect(book.remove('order-1')).toBe(true)
    expect(book.remove('order-1')).toBe(false)
    expect(book.resize('order-1', steps(1))).toBe(false)
    expect(book.stopPriceOf('order-1')).toBeUndefined()
    expect(book.observe(SYMBOL, at(1))).toEqual([])
  })

  it.each<readonly [Partial<OrderDraft>, boolean]>([
    [{ spec: { type: 'market' } }, false],
    [{ spec: { type: 'limit', price: ticks(1) } }, false],
    [{ spec: STOP }, true],
    [{ spec: TOUCH }, true],
    [{ spec: STOP_LIMIT }, true],
    [{ spec: TRAILING }, true],
    [TAKE_PROFIT, true],
  ])('holds %o: %s', (fields, held) => {
    expect(TriggerBook.holds(requestOf(fields))).toBe(held)
  })
})
